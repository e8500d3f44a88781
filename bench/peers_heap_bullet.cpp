// SPDX-License-Identifier: MIT
/* A heap by Bullet (btDiscreteDynamicsWorld, its sequential impulses, in double precision if it was
 * built so), for bench/peers_heap. Usage: peers_heap_bullet SHAPE STEP SPAN < starts */
#include <btBulletDynamicsCommon.h>

#include "peers_heap.h"

static void add(btDiscreteDynamicsWorld &world, btCollisionShape *shape, btScalar mass,
                const btVector3 &at, std::vector<btRigidBody *> *list) {
  btVector3 inertia(0, 0, 0);
  if (mass > 0) {
    shape->calculateLocalInertia(mass, inertia);
  }
  auto *state = new btDefaultMotionState(btTransform(btQuaternion(0, 0, 0, 1), at));
  auto *body =
      new btRigidBody(btRigidBody::btRigidBodyConstructionInfo(mass, state, shape, inertia));
  body->setFriction(btSqrt(btScalar(heap_mu))); /* Bullet multiplies both */
  world.addRigidBody(body);
  if (list != nullptr) {
    list->push_back(body);
  }
}

int main(int argc, char **argv) {
  heap h = heap_read(argc, argv);
  btDefaultCollisionConfiguration config;
  btCollisionDispatcher dispatcher(&config);
  btDbvtBroadphase broad;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world(&dispatcher, &broad, &solver, &config);
  world.setGravity(btVector3(0, 0, btScalar(-heap_gravity)));
  const btVector3 zero(0, 0, 0);
  add(world, new btStaticPlaneShape(btVector3(0, 0, 1), 0), 0, zero, nullptr);
  if (h.walls > 0) {
    auto far = btScalar(-h.walls);
    add(world, new btStaticPlaneShape(btVector3(1, 0, 0), 0), 0, zero, nullptr);
    add(world, new btStaticPlaneShape(btVector3(-1, 0, 0), far), 0, zero, nullptr);
    add(world, new btStaticPlaneShape(btVector3(0, 1, 0), 0), 0, zero, nullptr);
    add(world, new btStaticPlaneShape(btVector3(0, -1, 0), far), 0, zero, nullptr);
  }
  auto r = btScalar(heap_radius);
  btCollisionShape *shape =
      h.box ? static_cast<btCollisionShape *>(new btBoxShape(btVector3(r, r, r)))
            : new btSphereShape(r);
  std::vector<btRigidBody *> body;
  for (const point &p : h.start) {
    add(world, shape, 1, btVector3(btScalar(p.x), btScalar(p.y), btScalar(p.z)), &body);
  }
  heap_clock clock;
  for (long k = 0; k < h.steps; k++) {
    world.stepSimulation(btScalar(h.step), 0);
  }
  clock.stop();
  for (btRigidBody *b : body) {
    btVector3 p = b->getWorldTransform().getOrigin();
    heap_print(p.x(), p.y(), p.z());
  }
}
