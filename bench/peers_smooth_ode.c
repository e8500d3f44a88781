// SPDX-License-Identifier: MIT
/* Open Dynamics Engine: dWorldStep, which solves all rows of a step at once. */
#include <math.h>
#include <ode/ode.h>

#include "peers_smooth.h"

enum { MOST = 64 };
static const double g = 9.81;

void ode_chain(int n, double angle, double h, double to, double end[2], double *seconds) {
  dBodyID rod[MOST];
  dInitODE2(0);
  dWorldID world = dWorldCreate();
  dWorldSetGravity(world, 0, -g, 0);
  double x = sin(angle), y = -cos(angle);
  dMatrix3 turned;
  dRFromAxisAndAngle(turned, 0, 0, 1, angle); /* the rod lies along its own -y */
  for (int i = 0; i < n; i++) {
    dMass mass;
    double inertia = 1.0 / 12;
    dMassSetParameters(&mass, 1, 0, 0, 0, inertia, inertia, inertia, 0, 0, 0);
    rod[i] = dBodyCreate(world);
    dBodySetMass(rod[i], &mass);
    dBodySetPosition(rod[i], (i + 0.5) * x, (i + 0.5) * y, 0);
    dBodySetRotation(rod[i], turned);
    dJointID hinge = dJointCreateHinge(world, 0);
    dJointAttach(hinge, rod[i], i == 0 ? 0 : rod[i - 1]);
    dJointSetHingeAnchor(hinge, i * x, i * y, 0);
    dJointSetHingeAxis(hinge, 0, 0, 1);
  }
  long steps = lround(to / h);
  double begun = bench_now();
  for (long k = 0; k < steps; k++) {
    dWorldStep(world, h);
  }
  *seconds = bench_now() - begun;
  dVector3 at;
  dBodyGetRelPointPos(rod[n - 1], 0, -0.5, 0, at);
  end[0] = at[0];
  end[1] = at[1];
  dWorldDestroy(world);
  dCloseODE();
}

typedef struct ground {
  dWorldID world;
  dJointGroupID contacts;
} ground;

static void touch(void *data, dGeomID a, dGeomID b) {
  ground *of = data;
  dContact c = {0};
  if (dCollide(a, b, 1, &c.geom, sizeof c) > 0) {
    c.surface.mode = dContactBounce;
    c.surface.bounce = 1;
    c.surface.bounce_vel = 1e-6;
    dJointAttach(dJointCreateContact(of->world, of->contacts, &c), dGeomGetBody(a),
                 dGeomGetBody(b));
  }
}

void ode_ball(double h, double to, double *height, double *seconds) {
  dInitODE2(0);
  ground of = {dWorldCreate(), dJointGroupCreate(0)};
  dSpaceID space = dSimpleSpaceCreate(0);
  dWorldSetGravity(of.world, 0, -g, 0);
  dCreatePlane(space, 0, 1, 0, 0);
  dBodyID ball = dBodyCreate(of.world);
  dGeomSetBody(dCreateSphere(space, 0.1), ball);
  dBodySetPosition(ball, 0, 1.1, 0);
  long steps = lround(to / h);
  double begun = bench_now();
  for (long k = 0; k < steps; k++) {
    dSpaceCollide(space, &of, touch);
    dWorldStep(of.world, h);
    dJointGroupEmpty(of.contacts);
  }
  *seconds = bench_now() - begun;
  *height = dBodyGetPosition(ball)[1] - 0.1;
  dJointGroupDestroy(of.contacts);
  dSpaceDestroy(space);
  dWorldDestroy(of.world);
  dCloseODE();
}
