// SPDX-License-Identifier: MIT
/* Box2D, in single precision, with its recommended 8 and 3 iterations. */
#include <box2d/box2d.h>
#include <cmath>

#include "peers_smooth.h"

static b2Body *body_at(b2World &world, double x, double y, double angle) {
  b2BodyDef def;
  def.type = b2_dynamicBody;
  def.position.Set((float)x, (float)y);
  def.angle = (float)angle;
  def.allowSleep = false;
  def.bullet = true;
  return world.CreateBody(&def);
}

static double go(b2World &world, double h, double to) {
  long steps = std::lround(to / h);
  double begun = bench_now();
  for (long k = 0; k < steps; k++) {
    world.Step((float)h, 8, 3);
  }
  return bench_now() - begun;
}

extern "C" void box2d_chain(int n, double angle, double h, double to, double end[2],
                            double *seconds) {
  b2World world(b2Vec2(0, -9.81f));
  b2BodyDef fixed;
  b2Body *last = world.CreateBody(&fixed);
  double x = std::sin(angle), y = -std::cos(angle);
  for (int i = 0; i < n; i++) {
    b2Body *rod = body_at(world, (i + 0.5) * x, (i + 0.5) * y, angle);
    b2MassData mass = {1, b2Vec2(0, 0), 1.0f / 12};
    rod->SetMassData(&mass);
    b2RevoluteJointDef hinge;
    hinge.Initialize(last, rod, b2Vec2((float)(i * x), (float)(i * y)));
    world.CreateJoint(&hinge);
    last = rod;
  }
  *seconds = go(world, h, to);
  b2Vec2 tip = last->GetWorldPoint(b2Vec2(0, -0.5f));
  end[0] = tip.x;
  end[1] = tip.y;
}

extern "C" void box2d_ball(double h, double to, double *height, double *seconds) {
  b2World world(b2Vec2(0, -9.81f));
  b2BodyDef fixed;
  b2EdgeShape floor;
  floor.SetTwoSided(b2Vec2(-10, 0), b2Vec2(10, 0));
  world.CreateBody(&fixed)->CreateFixture(&floor, 0);
  b2Body *ball = body_at(world, 0, 1.1, 0);
  b2CircleShape circle;
  circle.m_radius = 0.1f;
  b2FixtureDef skin;
  skin.shape = &circle;
  skin.density = 1;
  skin.restitution = 1;
  skin.restitutionThreshold = 0;
  ball->CreateFixture(&skin);
  *seconds = go(world, h, to);
  *height = ball->GetPosition().y - 0.1;
}
