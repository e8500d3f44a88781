// SPDX-License-Identifier: MIT
/* A heap of disks by Box2D, for bench/peers_heap. Usage: peers_heap_box2d disk STEP SPAN < starts
 */
#include <box2d/box2d.h>

#include "peers_heap.h"

int main(int argc, char **argv) {
  heap h = heap_read(argc, argv);
  b2World world(b2Vec2(0, float(-heap_gravity)));
  b2BodyDef fixed;
  b2Body *ground = world.CreateBody(&fixed);
  auto wall = float(h.walls);
  const b2Vec2 ends[3][2] = {
      {{-1, 0}, {wall + 1, 0}}, {{0, 0}, {0, 100}}, {{wall, 0}, {wall, 100}}};
  for (const auto &e : ends) {
    b2EdgeShape edge;
    edge.SetTwoSided(e[0], e[1]);
    b2FixtureDef def;
    def.shape = &edge;
    def.friction = float(heap_mu);
    ground->CreateFixture(&def);
  }
  std::vector<b2Body *> body;
  for (const point &p : h.start) {
    b2BodyDef def;
    b2CircleShape disk;
    b2FixtureDef fix;
    def.type = b2_dynamicBody;
    def.position.Set(float(p.x), float(p.z));
    b2Body *b = world.CreateBody(&def);
    disk.m_radius = float(heap_radius);
    fix.shape = &disk;
    fix.density = float(1 / (3.141592653589793 * heap_radius * heap_radius));
    fix.friction = float(heap_mu);
    b->CreateFixture(&fix);
    body.push_back(b);
  }
  heap_clock clock;
  for (long k = 0; k < h.steps; k++) {
    world.Step(float(h.step), 8, 3); /* iterations as its manual recommends */
  }
  clock.stop();
  for (b2Body *b : body) {
    heap_print(b->GetPosition().x, 0, b->GetPosition().y);
  }
}
