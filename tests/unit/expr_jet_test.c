// SPDX-License-Identifier: MIT
/* Taylor arithmetic against known series, against repeated symbolic time derivatives, and the
 * branch rule at kinks. */
#include "expr_support.h"

enum { ORDER = 24, WIDTH = ORDER + 1 };

/* Series of f along the rows of `in` (one per variable). */
static void series(lab *l, pw_node f, int order, const double *in, double *out) {
  pw_tape *tape = lab_compile(l, &f, 1);
  size_t rows = (size_t)pw_tape_registers(tape) + 3;
  double *work = malloc(rows * (size_t)(order + 1) * sizeof *work);
  pw_tape_jet(tape, order, in, work, out);
  free(work);
}

static void expect_series(pw_op op, double x0, const double *wanted, int n) {
  lab l;
  lab_open(&l, 0);
  double in[WIDTH] = {x0, 1}, out[WIDTH];
  series(&l, pw_apply1(l.dag, op, pw_var(l.dag, 0)), ORDER, in, out);
  for (int k = 0; k < n; k++) {
    if (!CHECK_NEAR(out[k], wanted[k], 1e-14 * (1 + fabs(wanted[k])))) {
      printf("  op %d coefficient %d\n", (int)op, k);
    }
  }
  lab_close(&l);
}

static void factorial_series(void) {
  double e[WIDTH], s[WIDTH] = {0}, c[WIDTH] = {0}, sh[WIDTH] = {0}, ch[WIDTH] = {0};
  double f = 1;
  for (int k = 0; k < WIDTH; k++) {
    f = k == 0 ? 1 : f * k;
    e[k] = exp(1) / f;
    double sign = k / 2 % 2 ? -1 : 1;
    *(k % 2 ? &s[k] : &c[k]) = sign / f;
    *(k % 2 ? &sh[k] : &ch[k]) = 1 / f;
  }
  expect_series(PW_OP_EXP, 1, e, WIDTH);
  expect_series(PW_OP_SIN, 0, s, WIDTH);
  expect_series(PW_OP_COS, 0, c, WIDTH);
  expect_series(PW_OP_SINH, 0, sh, WIDTH);
  expect_series(PW_OP_COSH, 0, ch, WIDTH);
}

static void algebraic_series(void) {
  double ln[WIDTH] = {0}, at[WIDTH] = {0}, as[WIDTH] = {0}, ac[WIDTH], root[WIDTH];
  double binomial = 1, central = 1;
  for (int k = 0; k < WIDTH; k++) {
    if (k > 0) {
      ln[k] = (k % 2 ? 1.0 : -1.0) / k;
      binomial *= (0.5 - (k - 1)) / k;
    }
    root[k] = binomial;
    if (k % 2) {
      at[k] = (k / 2 % 2 ? -1.0 : 1.0) / k;
      as[k] = central / k; /* (2m)!/(4^m m!^2)/(2m+1) */
      central *= (double)k / (k + 1);
    }
    ac[k] = k == 0 ? acos(0) : -as[k];
  }
  expect_series(PW_OP_LOG, 1, ln, WIDTH);
  expect_series(PW_OP_SQRT, 1, root, WIDTH);
  expect_series(PW_OP_ATAN, 0, at, WIDTH);
  expect_series(PW_OP_ASIN, 0, as, WIDTH);
  expect_series(PW_OP_ACOS, 0, ac, WIDTH);
}

static void tangent_series(void) {
  static const double tangent[] = {0, 1, 0, 1.0 / 3, 0, 2.0 / 15, 0, 17.0 / 315, 0, 62.0 / 2835};
  double hyperbolic[10];
  for (int k = 0; k < 10; k++) {
    hyperbolic[k] = (k / 2 % 2 ? -1 : 1) * tangent[k];
  }
  expect_series(PW_OP_TAN, 0, tangent, 10);
  expect_series(PW_OP_TANH, 0, hyperbolic, 10);
}

/* 1/(1 - t), (1 - t)^-3, (-t)^5, (1 + t)^1.5 */
static void power_series(void) {
  lab l;
  lab_open(&l, 0);
  pw_node x = pw_var(l.dag, 0);
  double falling[WIDTH] = {1, -1}, odd[WIDTH] = {0, -1}, rising[WIDTH] = {1, 1};
  double inverse[WIDTH], cube[WIDTH], fifth[WIDTH], real[WIDTH];
  series(&l, pw_div(l.dag, pw_const(l.dag, 1), x), ORDER, falling, inverse);
  series(&l, pw_pow(l.dag, x, pw_const(l.dag, -3)), ORDER, falling, cube);
  series(&l, pw_pow(l.dag, x, pw_const(l.dag, 5)), ORDER, odd, fifth);
  series(&l, pw_pow(l.dag, x, pw_const(l.dag, 1.5)), ORDER, rising, real);
  double binomial = 1;
  for (int k = 0; k < WIDTH; k++) {
    CHECK_NEAR(inverse[k], 1, 0);
    CHECK_NEAR(cube[k], (k + 1) * (k + 2) / 2, 0);
    CHECK_NEAR(fifth[k], k == 5 ? -1 : 0, 0);
    CHECK_NEAR(real[k], binomial, 1e-15);
    binomial *= (1.5 - k) / (k + 1);
  }
  lab_close(&l);
}

/* Polar coordinates of 2 (cos, sin)(0.7 + t). */
static void circle_series(void) {
  lab l;
  lab_open(&l, 0);
  pw_node angle = pw_var(l.dag, 0);
  pw_node two = pw_const(l.dag, 2);
  pw_node y = pw_mul(l.dag, two, pw_apply1(l.dag, PW_OP_SIN, angle));
  pw_node x = pw_mul(l.dag, two, pw_apply1(l.dag, PW_OP_COS, angle));
  double in[WIDTH] = {0.7, 1}, phi[WIDTH], radius[WIDTH];
  series(&l, pw_apply2(l.dag, PW_OP_ATAN2, y, x), ORDER, in, phi);
  series(&l, pw_apply2(l.dag, PW_OP_HYPOT, y, x), ORDER, in, radius);
  for (int k = 0; k < WIDTH; k++) {
    CHECK_NEAR(phi[k], in[k], 1e-14);
    CHECK_NEAR(radius[k], k == 0 ? 2 : 0, 1e-14);
  }
  lab_close(&l);
}

/* t^1.5 around 0 starts with two zeros and is no power series beyond; (1+t)^(1+t) by exp log. */
static void real_powers(void) {
  lab l;
  lab_open(&l, 0);
  pw_node x = pw_var(l.dag, 0);
  double zero[4] = {0, 1}, one[4] = {1, 1}, out[4], wanted[4] = {1, 1, 1, 0.5};
  series(&l, pw_pow(l.dag, x, pw_const(l.dag, 1.5)), 3, zero, out);
  CHECK(out[0] == 0 && out[1] == 0 && isnan(out[2]) && isnan(out[3]));
  series(&l, pw_pow(l.dag, x, x), 3, one, out);
  for (int k = 0; k < 4; k++) {
    CHECK_NEAR(out[k], wanted[k], 1e-15);
  }
  lab_close(&l);
}

enum { VARS = LAB_VARS, DEGREE = 8, OPS = 14 };

/* Along x_i(t): variable i of derivative level m is number i + VARS*m. */
static pw_node next_level(void *payload, int var) {
  return pw_var(payload, var + VARS);
}

/* f(x(t)) with random polynomials x_i(t), order 8: k! f_k is the k-th total time derivative. */
static void equals_repeated_derivatives(void) {
  for (uint64_t seed = 1; seed <= 60; seed++) {
    lab l;
    lab_open(&l, seed);
    pw_node pool[OPS + 16];
    pw_node f = lab_random(&l, OPS, 1, pool);
    double in[VARS * (DEGREE + 1)], x[VARS * (DEGREE + 1)], out[DEGREE + 1];
    for (int i = 0; i < VARS; i++) {
      double factorial = 1;
      for (int k = 0; k <= DEGREE; k++) {
        factorial *= k == 0 ? 1 : k;
        in[i * (DEGREE + 1) + k] = lab_real(&l, -0.5, 0.5);
        x[i + VARS * k] = factorial * in[i * (DEGREE + 1) + k];
      }
    }
    series(&l, f, DEGREE, in, out);
    double factorial = 1;
    for (int k = 0; k <= DEGREE && pw_dag_size(l.dag) < 2000000; k++) {
      factorial *= k == 0 ? 1 : k;
      double wanted = pw_eval(l.dag, f, lab_value, x);
      CHECK_SEED(fabs(factorial * out[k] - wanted) <= 1e-9 * (factorial + fabs(wanted)), seed);
      pw_derivative(l.dag, &f, 1, next_level, l.dag, &f);
    }
    lab_close(&l);
  }
}

/* Order 0 is plain evaluation. */
static void order_zero(void) {
  for (uint64_t seed = 1; seed <= 200; seed++) {
    lab l;
    lab_open(&l, seed);
    pw_node pool[64];
    pw_node f = lab_random(&l, 40, 1, pool);
    double x[VARS], out;
    for (int i = 0; i < VARS; i++) {
      x[i] = lab_real(&l, -2, 2);
    }
    series(&l, f, 0, x, &out);
    double wanted = pw_eval(l.dag, f, lab_value, x);
    CHECK_SEED(fabs(out - wanted) <= 1e-13 * (1 + fabs(wanted)), seed);
    lab_close(&l);
  }
}

static void expect_branch(pw_op op, const double *in, const double *wanted) {
  lab l;
  lab_open(&l, 0);
  pw_node x = pw_var(l.dag, 0);
  pw_node y = pw_var(l.dag, 1);
  double out[4];
  bool one = op == PW_OP_ABS || op == PW_OP_SIGN;
  pw_node f = op == PW_OP_SELECT ? pw_select(l.dag, x, y, pw_const(l.dag, 7))
              : one              ? pw_apply1(l.dag, op, x)
                                 : pw_apply2(l.dag, op, x, y);
  series(&l, f, 3, in, out);
  for (int k = 0; k < 4; k++) {
    if (!CHECK_NEAR(out[k], wanted[k], 0)) {
      printf("  op %d coefficient %d\n", (int)op, k);
    }
  }
  lab_close(&l);
}

static void branches_are_lexicographic(void) {
  static const double falling[8] = {0, 0, -2, 3, 0, 0, 1, 5};
  static const double negative[8] = {-1, 2, 3, 4, 5, 6, 7, 8};
  static const double nothing[8] = {0, 0, 0, 0, 1, 1, 1, 1};
  static const double tie[8] = {1, 2, 0, 0, 1, 2, 0, -1};
  expect_branch(PW_OP_ABS, falling, (double[]){0, 0, 2, -3});
  expect_branch(PW_OP_ABS, negative, (double[]){1, -2, -3, -4});
  expect_branch(PW_OP_ABS, nothing, (double[]){0, 0, 0, 0});
  expect_branch(PW_OP_SIGN, falling, (double[]){-1, 0, 0, 0});
  expect_branch(PW_OP_SIGN, nothing, (double[]){0, 0, 0, 0});
  expect_branch(PW_OP_MIN, falling, (double[]){0, 0, -2, 3});
  expect_branch(PW_OP_MAX, falling, (double[]){0, 0, 1, 5});
  expect_branch(PW_OP_MIN, tie, (double[]){1, 2, 0, -1});
  expect_branch(PW_OP_MAX, tie, (double[]){1, 2, 0, 0});
  expect_branch(PW_OP_SELECT, falling, (double[]){7, 0, 0, 0});
  expect_branch(PW_OP_SELECT, negative, (double[]){7, 0, 0, 0});
  expect_branch(PW_OP_SELECT, nothing, (double[]){1, 1, 1, 1});
  expect_branch(PW_OP_SELECT, tie, (double[]){1, 2, 0, -1});
}

CHECK_MAIN({"factorial series", factorial_series}, {"algebraic series", algebraic_series},
           {"tangent series", tangent_series}, {"power series", power_series},
           {"circle series", circle_series}, {"real powers", real_powers},
           {"repeated derivatives", equals_repeated_derivatives}, {"order zero", order_zero},
           {"lexicographic branches", branches_are_lexicographic})
