// SPDX-License-Identifier: MIT
/* Right-hand sides written by hand, y = (q, q'), for the type BENCH_REAL: a template without
 * include guard, used for double (the benchmark) and long double (the reference). `side` is the
 * sign of x in the field that has pieces, and not used by the others. Masses and lengths are 1. */

static inline void FIELD(pendulum)(BENCH_REAL t, const BENCH_REAL *y, double side, BENCH_REAL *dy) {
  (void)t, (void)side;
  dy[0] = y[1];
  dy[1] = -BENCH_G * BENCH_SIN(y[0]);
}

static inline void FIELD(double_pendulum)(BENCH_REAL t, const BENCH_REAL *y, double side,
                                          BENCH_REAL *dy) {
  (void)t, (void)side;
  BENCH_REAL s = BENCH_SIN(y[0] - y[1]), c = BENCH_COS(y[0] - y[1]);
  BENCH_REAL r1 = -y[3] * y[3] * s - 2 * BENCH_G * BENCH_SIN(y[0]);
  BENCH_REAL r2 = y[2] * y[2] * s - BENCH_G * BENCH_SIN(y[1]);
  BENCH_REAL det = 2 - c * c;
  dy[0] = y[2];
  dy[1] = y[3];
  dy[2] = (r1 - c * r2) / det;
  dy[3] = (2 * r2 - c * r1) / det;
}

/* x y: the force of the rod is eliminated, 2 (x^2 + y^2) lambda = g y - v^2. */
static inline void FIELD(pendulum_xy)(BENCH_REAL t, const BENCH_REAL *y, double side,
                                      BENCH_REAL *dy) {
  (void)t, (void)side;
  BENCH_REAL r2 = y[0] * y[0] + y[1] * y[1], v2 = y[2] * y[2] + y[3] * y[3];
  BENCH_REAL lambda2 = (BENCH_G * y[1] - v2) / r2;
  dy[0] = y[2];
  dy[1] = y[3];
  dy[2] = y[0] * lambda2;
  dy[3] = y[1] * lambda2 - BENCH_G;
}

static inline void FIELD(duffing)(BENCH_REAL t, const BENCH_REAL *y, double side, BENCH_REAL *dy) {
  (void)side;
  const BENCH_REAL k = 1, b = (BENCH_REAL)0.2, c = (BENCH_REAL)0.1, A = (BENCH_REAL)0.5;
  dy[0] = y[1];
  dy[1] = A * BENCH_COS((BENCH_REAL)1.3 * t) - c * y[1] - (k + b * y[0] * y[0]) * y[0];
}

static inline void FIELD(bilinear)(BENCH_REAL t, const BENCH_REAL *y, double side, BENCH_REAL *dy) {
  (void)t;
  dy[0] = y[1];
  dy[1] = -(side > 0 ? 400 : 100) * y[0];
}
