// SPDX-License-Identifier: MIT
// The woodpecker by Siconos, as its tutorials do it: a linear Lagrangian system, three contacts
// with Newton's impact law and Coulomb's friction in the plane, MoreauJeanOSI with theta = 1/2.
#include "toys_siconos.h"

#include <SiconosKernel.hpp>
#include <ctime>

static double now() {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const double mM = 0.0003, JM = 5e-9, mS = 0.0045, JS = 7e-7, c = 0.0056, g = 9.81, mu = 0.3;
static const double r0 = 0.0025, rM = 0.0031, hM = 0.0058, lM = 0.010, lG = 0.015, hS = 0.02,
                    lS = 0.0201;

static SP::SimpleMatrix matrix(const double *a, unsigned rows, unsigned columns) {
  SP::SimpleMatrix m(new SimpleMatrix(rows, columns));
  for (unsigned i = 0; i < rows; i++) {
    for (unsigned j = 0; j < columns; j++) {
      (*m)(i, j) = a[i * columns + j];
    }
  }
  return m;
}

static SP::SiconosVector vector(const double *a, unsigned n) {
  SP::SiconosVector v(new SiconosVector(n));
  for (unsigned i = 0; i < n; i++) {
    (*v)(i) = a[i];
  }
  return v;
}

static void run(double wanted, double span, double q_end[3], double *seconds) {
  const double M[] = {mS + mM,      mS * lM, mS * lG,      mS * lM,          JM + mS * lM * lM,
                      mS * lM * lG, mS * lG, mS * lM * lG, JS + mS * lG * lG};
  const double K[] = {0, 0, 0, 0, c, -c, 0, -c, c}, C[9] = {0};
  const double f[] = {-(mS + mM) * g, -mS * g * lM, -mS * g * lG};
  const double q0[] = {0, -(rM - r0) / hM, -0.2788}, v0[] = {-0.3411, 0, -7.4583};
  const double gap[3][3] = {{0, 0, -hS}, {0, hM, 0}, {0, -hM, 0}};
  const double slip[3][3] = {{1, lM, lG - lS}, {1, rM, 0}, {1, rM, 0}};
  const double rest[] = {lM + lG - lS - r0, rM - r0, rM - r0}, e[] = {0.5, 0, 0};

  long steps = (long)(span / wanted + 0.5);
  double h = span / (double)steps;
  SP::LagrangianLinearTIDS toy(
      new LagrangianLinearTIDS(vector(q0, 3), vector(v0, 3), matrix(M, 3, 3)));
  toy->setKPtr(matrix(K, 3, 3));
  toy->setCPtr(matrix(C, 3, 3));
  toy->setFExtPtr(vector(f, 3));
  SP::NonSmoothDynamicalSystem system(new NonSmoothDynamicalSystem(0, span + 10 * h));
  system->insertDynamicalSystem(toy);
  for (int i = 0; i < 3; i++) {
    double H[6], b[] = {rest[i], 0};
    for (int j = 0; j < 3; j++) {
      H[j] = gap[i][j];
      H[3 + j] = slip[i][j];
    }
    SP::NonSmoothLaw law(new NewtonImpactFrictionNSL(e[i], 0, mu, 2));
    SP::Relation relation(new LagrangianLinearTIR(matrix(H, 2, 3), vector(b, 2)));
    SP::Interaction contact(new Interaction(law, relation));
    system->link(contact, toy);
  }
  SP::TimeDiscretisation grid(new TimeDiscretisation(0, h));
  SP::OneStepIntegrator moreau(new MoreauJeanOSI(0.5));
  SP::OneStepNSProblem friction(new FrictionContact(2));
  SP::TimeStepping sim(new TimeStepping(system, grid, moreau, friction));
  double start = now();
  for (long k = 0; k < steps; k++) {
    sim->computeOneStep();
    sim->nextStep();
  }
  *seconds = now() - start;
  for (unsigned i = 0; i < 3; i++) {
    q_end[i] = (*toy->q())(i);
  }
}

extern "C" int siconos_woodpecker(double h, double span, double q[3], double *seconds) {
  try {
    run(h, span, q, seconds);
    return 1;
  } catch (...) {
    return 0;
  }
}
