// SPDX-License-Identifier: MIT
/* Bullet: sequential impulses between rigid bodies, with its 10 iterations. */
#include <btBulletDynamicsCommon.h>
#include <cmath>

#include "peers_smooth.h"

namespace {

struct Scene {
  btDefaultCollisionConfiguration config;
  btCollisionDispatcher dispatcher{&config};
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &config};
  Scene() {
    world.setGravity(btVector3(0, -9.81f, 0));
    world.getSolverInfo().m_splitImpulsePenetrationThreshold = 0; /* overlap adds no velocity */
  }

  double go(double h, double to) {
    long steps = std::lround(to / h);
    double begun = bench_now();
    for (long k = 0; k < steps; k++) {
      world.stepSimulation(btScalar(h), 0);
    }
    return bench_now() - begun;
  }
};

btRigidBody *body(btCollisionShape *shape, double mass, btVector3 inertia, btTransform at) {
  btRigidBody::btRigidBodyConstructionInfo info(btScalar(mass), nullptr, shape, inertia);
  info.m_startWorldTransform = at;
  info.m_restitution = 1;
  btRigidBody *made = new btRigidBody(info);
  made->setActivationState(DISABLE_DEACTIVATION);
  made->setContactProcessingThreshold(0); /* contacts ahead of time would take the bounce away */
  return made;
}

} // namespace

extern "C" void bullet_chain(int n, double angle, double h, double to, double end[2],
                             double *seconds) {
  Scene s;
  btEmptyShape none;
  btVector3 axis(0, 0, 1);
  double x = std::sin(angle), y = -std::cos(angle);
  btRigidBody *last = nullptr;
  for (int i = 0; i < n; i++) {
    btTransform at(btQuaternion(axis, btScalar(angle)),
                   btVector3(btScalar((i + 0.5) * x), btScalar((i + 0.5) * y), 0));
    btRigidBody *rod = body(&none, 1, btVector3(1, 1, 1) / 12, at);
    s.world.addRigidBody(rod, 1, 0);
    btVector3 up(0, 0.5f, 0), down(0, -0.5f, 0);
    btHingeConstraint *hinge = last == nullptr
                                   ? new btHingeConstraint(*rod, up, axis)
                                   : new btHingeConstraint(*last, *rod, down, up, axis, axis);
    s.world.addConstraint(hinge, true);
    last = rod;
  }
  *seconds = s.go(h, to);
  btVector3 tip = last->getWorldTransform() * btVector3(0, -0.5f, 0);
  end[0] = tip.x();
  end[1] = tip.y();
  while (s.world.getNumConstraints() > 0) {
    btTypedConstraint *c = s.world.getConstraint(0);
    s.world.removeConstraint(c);
    delete c;
  }
  while (s.world.getNumCollisionObjects() > 0) {
    btCollisionObject *o = s.world.getCollisionObjectArray()[0];
    s.world.removeCollisionObject(o);
    delete o;
  }
}

extern "C" void bullet_ball(double h, double to, double *height, double *seconds) {
  Scene s;
  btSphereShape sphere(0.1f);
  btStaticPlaneShape plane(btVector3(0, 1, 0), 0);
  btTransform at = btTransform::getIdentity();
  btRigidBody *floor = body(&plane, 0, btVector3(0, 0, 0), at);
  at.setOrigin(btVector3(0, 1.1f, 0));
  btRigidBody *ball = body(&sphere, 1, btVector3(1, 1, 1) * 0.004f, at);
  s.world.addRigidBody(floor);
  s.world.addRigidBody(ball);
  *seconds = s.go(h, to);
  *height = ball->getWorldTransform().getOrigin().y() - 0.1;
  s.world.removeRigidBody(ball);
  s.world.removeRigidBody(floor);
  delete ball;
  delete floor;
}
