// SPDX-License-Identifier: MIT
// The toys by Siconos, as its tutorials do them: Lagrangian systems, contacts with Newton's impact
// law and Coulomb's friction in the plane, MoreauJeanOSI with theta = 1/2.
#include "toys_siconos.h"

#include <SiconosKernel.hpp>
#include <cmath>
#include <ctime>
#include <iostream>

static double now() {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

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

// Time stepping, and the positions at its end.
static void march(SP::NonSmoothDynamicalSystem system, SP::LagrangianDS toy, long steps, double h,
                  double q_end[3], double *seconds) {
  SP::TimeDiscretisation grid(new TimeDiscretisation(0, h));
  SP::OneStepIntegrator moreau(new MoreauJeanOSI(0.5));
  SP::OneStepNSProblem friction(new FrictionContact(2));
  SP::TimeStepping sim(new TimeStepping(system, grid, moreau, friction));
  std::cout.setstate(std::ios_base::failbit); // a warning for each step its solver gives up at
  double start = now();
  for (long k = 0; k < steps; k++) {
    sim->computeOneStep();
    sim->nextStep();
  }
  *seconds = now() - start;
  std::cout.clear();
  for (unsigned i = 0; i < 3; i++) {
    q_end[i] = (*toy->q())(i);
  }
}

// ---- the woodpecker: linear ----

static const double mM = 0.0003, JM = 5e-9, mS = 0.0045, JS = 7e-7, c = 0.0056, g = 9.81, mu = 0.3;
static const double r0 = 0.0025, rM = 0.0031, hM = 0.0058, lM = 0.010, lG = 0.015, hS = 0.02,
                    lS = 0.0201;

static void woodpecker(double wanted, double span, double q_end[3], double *seconds) {
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
  march(system, toy, steps, h, q_end, seconds);
}

// ---- the slider-crank ----

static const double l1 = 0.153, l2 = 0.306, half_length = 0.05, half_height = 0.025, guides = 0.052;
static const double m1 = 0.038, m2 = 0.038, m3 = 0.076, J1 = 7.4e-5, J2 = 5.9e-4, J3 = 2.7e-6;
static const double coupling = l1 * l2 * (m2 / 2 + m3);

static void crank_mass(unsigned, double *q, double *M, unsigned, double *) {
  double off = coupling * cos(q[0] - q[1]);
  const double m[] = {
      J1 + l1 * l1 * (m1 / 4 + m2 + m3), off, 0, off, J2 + l2 * l2 * (m2 / 4 + m3), 0, 0, 0, J3};
  std::copy(m, m + 9, M);
}

static void crank_gyration(unsigned, double *q, double *v, double *f, unsigned, double *) {
  double s = coupling * sin(q[0] - q[1]);
  f[0] = s * v[1] * v[1];
  f[1] = -s * v[0] * v[0];
  f[2] = 0;
}

static void crank_gyration_q(unsigned, double *q, double *v, double *J, unsigned, double *) {
  double a = coupling * cos(q[0] - q[1]) * v[1] * v[1];
  double b = coupling * cos(q[0] - q[1]) * v[0] * v[0];
  const double m[] = {a, -b, 0, -a, b, 0, 0, 0, 0};
  std::copy(m, m + 9, J);
}

static void crank_gyration_v(unsigned, double *q, double *v, double *J, unsigned, double *) {
  double s = 2 * coupling * sin(q[0] - q[1]);
  const double m[] = {0, -s * v[0], 0, s * v[1], 0, 0, 0, 0, 0};
  std::copy(m, m + 9, J);
}

static void crank_weight(double, unsigned, double *q, double *, double *f, unsigned, double *) {
  f[0] = g * l1 * (m1 / 2 + m2 + m3) * cos(q[0]);
  f[1] = g * l2 * (m2 / 2 + m3) * cos(q[1]);
  f[2] = 0;
}

static void crank_weight_q(double, unsigned, double *q, double *, double *J, unsigned, double *) {
  std::fill(J, J + 9, 0.0);
  J[0] = -g * l1 * (m1 / 2 + m2 + m3) * sin(q[0]);
  J[4] = -g * l2 * (m2 / 2 + m3) * sin(q[1]);
}

static void crank_weight_v(double, unsigned, double *, double *, double *J, unsigned, double *) {
  std::fill(J, J + 9, 0.0);
}

// Gap and slid length of the corner (u, v) of the slider at the upper or lower guide.
class Corner : public LagrangianScleronomousR {
  double u, v, side; // side: -1 above

public:
  Corner(double u_, double v_) : u(u_), v(v_), side(v_ > 0 ? -1 : 1) {
  }
  void computeh(const BlockVector &q, BlockVector &, SiconosVector &y) override {
    y(0) = guides / 2 + side * (l1 * sin(q(0)) + l2 * sin(q(1)) + u * sin(q(2)) + v * cos(q(2)));
    y(1) = l1 * cos(q(0)) + l2 * cos(q(1)) + u * cos(q(2)) - v * sin(q(2));
  }
  void computeJachq(const BlockVector &q, BlockVector &) override {
    SimpleMatrix &H = *_jachq;
    H(0, 0) = side * l1 * cos(q(0));
    H(0, 1) = side * l2 * cos(q(1));
    H(0, 2) = side * (u * cos(q(2)) - v * sin(q(2)));
    H(1, 0) = -l1 * sin(q(0));
    H(1, 1) = -l2 * sin(q(1));
    H(1, 2) = -u * sin(q(2)) - v * cos(q(2));
  }
};

static void slider_crank(double wanted, double span, double q_end[3], double *seconds) {
  const double q0[] = {0, 0, 0.017}, v0[] = {150, -75, 0};
  long steps = (long)(span / wanted + 0.5);
  double h = span / (double)steps;
  SP::LagrangianDS toy(new LagrangianDS(vector(q0, 3), vector(v0, 3)));
  toy->setComputeMassFunction(crank_mass);
  toy->setComputeFGyrFunction(crank_gyration);
  toy->setComputeJacobianFGyrqFunction(crank_gyration_q);
  toy->setComputeJacobianFGyrqDotFunction(crank_gyration_v);
  toy->setComputeFIntFunction(crank_weight);
  toy->setComputeJacobianFIntqFunction(crank_weight_q);
  toy->setComputeJacobianFIntqDotFunction(crank_weight_v);
  SP::NonSmoothDynamicalSystem system(new NonSmoothDynamicalSystem(0, span + 10 * h));
  system->insertDynamicalSystem(toy);
  for (int i = 0; i < 4; i++) {
    SP::NonSmoothLaw law(new NewtonImpactFrictionNSL(0.4, 0, 0.01, 2));
    SP::Relation relation(
        new Corner(i % 2 ? half_length : -half_length, i < 2 ? half_height : -half_height));
    SP::Interaction contact(new Interaction(law, relation));
    system->link(contact, toy);
  }
  march(system, toy, steps, h, q_end, seconds);
}

// ---- entries ----

typedef void (*toy_run)(double h, double span, double q[3], double *seconds);

static int attempt(toy_run run, double h, double span, double q[3], double *seconds) {
  try {
    run(h, span, q, seconds);
    return 1;
  } catch (...) {
    return 0;
  }
}

extern "C" int siconos_woodpecker(double h, double span, double q[3], double *seconds) {
  return attempt(woodpecker, h, span, q, seconds);
}

extern "C" int siconos_slider_crank(double h, double span, double q[3], double *seconds) {
  return attempt(slider_crank, h, span, q, seconds);
}
