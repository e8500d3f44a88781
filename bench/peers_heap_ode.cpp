// SPDX-License-Identifier: MIT
/* A heap by the Open Dynamics Engine, for bench/peers_heap: its accurate solver (dWorldStep) or its
 * fast one (dWorldQuickStep). Usage: peers_heap_ode SHAPE STEP SPAN [quick] < starts */
#include <ode/ode.h>

#include <cstring>

#include "peers_heap.h"

namespace {

struct world {
  dWorldID world;
  dSpaceID space;
  dJointGroupID contacts;
};

void touch(void *data, dGeomID a, dGeomID b) {
  auto *w = static_cast<world *>(data);
  dContact contact[8];
  int n = dCollide(a, b, 8, &contact[0].geom, sizeof contact[0]);
  for (int i = 0; i < n; i++) {
    contact[i].surface.mode = dContactApprox1;
    contact[i].surface.mu = heap_mu;
    dJointAttach(dJointCreateContact(w->world, w->contacts, &contact[i]), dGeomGetBody(a),
                 dGeomGetBody(b));
  }
}

} // namespace

int main(int argc, char **argv) {
  heap h = heap_read(argc, argv);
  bool quick = argc > 4 && std::strcmp(argv[4], "quick") == 0;
  dInitODE2(0);
  world w = {dWorldCreate(), dSweepAndPruneSpaceCreate(nullptr, dSAP_AXES_XYZ),
             dJointGroupCreate(0)};
  dWorldSetGravity(w.world, 0, 0, -heap_gravity);
  dCreatePlane(w.space, 0, 0, 1, 0);
  if (h.walls > 0) {
    dCreatePlane(w.space, 1, 0, 0, 0);
    dCreatePlane(w.space, -1, 0, 0, -h.walls);
    dCreatePlane(w.space, 0, 1, 0, 0);
    dCreatePlane(w.space, 0, -1, 0, -h.walls);
  }
  std::vector<dBodyID> body;
  for (const point &p : h.start) {
    dBodyID b = dBodyCreate(w.world);
    dMass m;
    dGeomID g = h.box ? dCreateBox(w.space, 2 * heap_radius, 2 * heap_radius, 2 * heap_radius)
                      : dCreateSphere(w.space, heap_radius);
    if (h.box) {
      dMassSetBoxTotal(&m, 1, 2 * heap_radius, 2 * heap_radius, 2 * heap_radius);
    } else {
      dMassSetSphereTotal(&m, 1, heap_radius);
    }
    dBodySetMass(b, &m);
    dGeomSetBody(g, b);
    dBodySetPosition(b, p.x, p.y, p.z);
    body.push_back(b);
  }
  heap_clock clock;
  for (long k = 0; k < h.steps; k++) {
    dSpaceCollide(w.space, &w, touch);
    if (quick) {
      dWorldQuickStep(w.world, h.step);
    } else {
      dWorldStep(w.world, h.step);
    }
    dJointGroupEmpty(w.contacts);
  }
  clock.stop();
  for (dBodyID b : body) {
    const dReal *p = dBodyGetPosition(b);
    heap_print(p[0], p[1], p[2]);
  }
}
