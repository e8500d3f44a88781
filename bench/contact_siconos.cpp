// SPDX-License-Identifier: MIT
// The ball of the contact benchmark, event-driven, by Siconos: LSODAR with root finding, LCPs for
// impacts and accelerations.
#include "contact_siconos.h"

#include <SiconosKernel.hpp>
#include <ctime>
#include <exception>

static double now() {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void run(double e, double span, siconos_ball *out) {
  SP::SiconosVector q(new SiconosVector(1)), v(new SiconosVector(1)), weight(new SiconosVector(1));
  SP::SiconosMatrix mass(new SimpleMatrix(1, 1));
  SP::SimpleMatrix h(new SimpleMatrix(1, 1));
  (*q)(0) = 1;
  (*v)(0) = 0;
  (*weight)(0) = -9.81;
  (*mass)(0, 0) = 1;
  (*h)(0, 0) = 1;
  SP::LagrangianLinearTIDS ball(new LagrangianLinearTIDS(q, v, mass));
  ball->setFExtPtr(weight);
  SP::NonSmoothLaw law(new NewtonImpactNSL(e));
  SP::Relation relation(new LagrangianLinearTIR(h));
  SP::Interaction floor(new Interaction(law, relation));
  SP::NonSmoothDynamicalSystem system(new NonSmoothDynamicalSystem(0, span));
  system->insertDynamicalSystem(ball);
  system->link(floor, ball);

  // One stretch of time between outputs, as long as the run: only impacts are events.
  SP::TimeDiscretisation grid(new TimeDiscretisation(0, span));
  SP::OneStepIntegrator lsodar(new LsodarOSI());
  SP::EventDriven sim(new EventDriven(system, grid));
  SP::OneStepNSProblem impact(new LCP()), acceleration(new LCP());
  sim->insertIntegrator(lsodar);
  sim->insertNonSmoothProblem(impact, SICONOS_OSNSP_ED_IMPACT);
  sim->insertNonSmoothProblem(acceleration, SICONOS_OSNSP_ED_SMOOTH_ACC);
  sim->initialize();
  SP::EventsManager events = sim->eventsManager();

  double start = now();
  while (sim->hasNextEvent()) {
    sim->advanceToEvent();
    if (events->nextEvent()->getType() == NS_EVENT && out->impacts < SICONOS_IMPACTS) {
      out->time[out->impacts++] = sim->nextTime();
    }
    sim->processEvents();
  }
  out->seconds = now() - start;
  out->y = (*ball->q())(0);
  out->rate = (*ball->velocity())(0);
}

extern "C" int siconos_ball_run(double e, double span, siconos_ball *out) {
  *out = siconos_ball();
  try {
    run(e, span, out);
    return 1;
  } catch (...) {
    return 0;
  }
}
