// SPDX-License-Identifier: MIT
/* Every derivative rule against a complex step; the reverse sweep against the forward one; second
 * derivatives; kinks; graphs too deep for recursion. */
#include "expr_support.h"

static double at(lab *l, pw_node f, double *x) {
  return pw_eval(l->dag, f, lab_value, x);
}

/* Derivatives of f in x and y at 40 points of a box, forward and reverse. */
static void check_rule(lab *l, pw_node f, double low, double high) {
  for (int var = 0; var < 2; var++) {
    pw_node forward = lab_forward(l->dag, f, var);
    pw_node reverse;
    pw_gradient(l->dag, f, &var, 1, &reverse);
    for (int k = 0; k < 40; k++) {
      double x[2] = {lab_real(l, low, high), lab_real(l, low, high)};
      double step = lab_complex_step(l, f, x, 2, var);
      double tol = 1e-12 * (1 + fabs(step));
      int ok = CHECK_NEAR(at(l, forward, x), step, tol);
      ok += CHECK_NEAR(at(l, reverse, x), step, tol);
      if (ok < 2) {
        printf("  d/dvar %d at %.17g %.17g\n", var, x[0], x[1]);
        return;
      }
    }
  }
}

static void unary_rules(void) {
  static const struct {
    pw_op op;
    double low, high;
  } rule[] = {{PW_OP_NEG, -3, 3},     {PW_OP_SQRT, 0.1, 5},      {PW_OP_EXP, -3, 3},
              {PW_OP_LOG, 0.1, 5},    {PW_OP_SIN, -9, 9},        {PW_OP_COS, -9, 9},
              {PW_OP_TAN, -1.4, 1.4}, {PW_OP_ASIN, -0.99, 0.99}, {PW_OP_ACOS, -0.99, 0.99},
              {PW_OP_ATAN, -5, 5},    {PW_OP_SINH, -3, 3},       {PW_OP_COSH, -3, 3},
              {PW_OP_TANH, -3, 3},    {PW_OP_ABS, -3, 3},        {PW_OP_SIGN, -3, 3}};
  for (size_t i = 0; i < sizeof rule / sizeof *rule; i++) {
    lab l;
    lab_open(&l, i + 1);
    pw_node x = pw_var(l.dag, 0);
    pw_node f = pw_apply1(l.dag, rule[i].op, x);
    check_rule(&l, f, rule[i].low, rule[i].high);
    check_rule(&l, pw_mul(l.dag, f, pw_var(l.dag, 1)), rule[i].low, rule[i].high);
    lab_close(&l);
  }
}

static void binary_rules(void) {
  static const pw_op ops[] = {PW_OP_ADD,   PW_OP_SUB, PW_OP_MUL,   PW_OP_DIV,
                              PW_OP_ATAN2, PW_OP_MIN, PW_OP_HYPOT, PW_OP_MAX};
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
    lab l;
    lab_open(&l, i + 1);
    pw_node x = pw_var(l.dag, 0);
    pw_node y = pw_var(l.dag, 1);
    check_rule(&l, pw_apply2(l.dag, ops[i], x, y), -3, 3);
    check_rule(&l, pw_apply2(l.dag, ops[i], y, x), -3, 3);
    pw_node xx = pw_mul(l.dag, x, x);
    check_rule(&l, pw_apply2(l.dag, ops[i], xx, y), 0.3, 2);
    lab_close(&l);
  }
}

static void power_rules(void) {
  static const double exponent[] = {-3, -2, -1, 0, 1, 2, 3, 4, 7, 31, -5};
  static const double real_exponent[] = {0.5, -0.5, 1.5, -2.25, 1.0 / 3};
  lab l;
  lab_open(&l, 7);
  pw_node x = pw_var(l.dag, 0);
  pw_node y = pw_var(l.dag, 1);
  for (size_t i = 0; i < sizeof exponent / sizeof *exponent; i++) {
    pw_node f = pw_pow(l.dag, x, pw_const(l.dag, exponent[i]));
    check_rule(&l, f, 0.4, 1.3);
    check_rule(&l, f, -1.3, -0.4);
  }
  for (size_t i = 0; i < sizeof real_exponent / sizeof *real_exponent; i++) {
    check_rule(&l, pw_pow(l.dag, x, pw_const(l.dag, real_exponent[i])), 0.2, 4);
  }
  check_rule(&l, pw_pow(l.dag, x, y), 0.2, 3);
  check_rule(&l, pw_pow(l.dag, pw_const(l.dag, 2.5), y), -3, 3);
  check_rule(&l, pw_pow(l.dag, x, pw_const(l.dag, 2001)), -1.001, -0.999); /* POW, base < 0 */
  lab_close(&l);
}

static void select_rule(void) {
  lab l;
  lab_open(&l, 9);
  pw_node x = pw_var(l.dag, 0);
  pw_node y = pw_var(l.dag, 1);
  pw_node c = pw_sub(l.dag, pw_mul(l.dag, x, x), y);
  pw_node a = pw_apply1(l.dag, PW_OP_SIN, pw_mul(l.dag, x, y));
  pw_node b = pw_apply1(l.dag, PW_OP_EXP, y);
  check_rule(&l, pw_select(l.dag, c, a, b), -2, 2);
  check_rule(&l, pw_select(l.dag, c, a, pw_const(l.dag, 3)), -2, 2);
  lab_close(&l);
}

/* At the kink itself: the branch that the value takes. */
static void kinks(void) {
  lab l;
  lab_open(&l, 0);
  pw_node x = pw_var(l.dag, 0);
  pw_node y = pw_var(l.dag, 1);
  double zero[2] = {0, 0};
  double ones[2] = {1, 1};
  CHECK_NEAR(at(&l, lab_forward(l.dag, pw_apply1(l.dag, PW_OP_ABS, x), 0), zero), 0, 0);
  pw_node smaller = pw_apply2(l.dag, PW_OP_MIN, x, y);
  CHECK_NEAR(at(&l, lab_forward(l.dag, smaller, 0), ones), 1, 0);
  CHECK_NEAR(at(&l, lab_forward(l.dag, smaller, 1), ones), 0, 0);
  pw_node chosen = pw_select(l.dag, x, pw_mul(l.dag, pw_const(l.dag, 2), x), y);
  CHECK_NEAR(at(&l, lab_forward(l.dag, chosen, 0), zero), 2, 0);
  CHECK(pw_is_value(l.dag, lab_forward(l.dag, pw_apply1(l.dag, PW_OP_SIGN, x), 0), 0));
  pw_node root = pw_apply1(l.dag, PW_OP_SQRT, x);
  CHECK(isinf(at(&l, lab_forward(l.dag, root, 0), zero)));
  pw_node length = pw_apply2(l.dag, PW_OP_HYPOT, x, y);
  CHECK(isnan(at(&l, lab_forward(l.dag, length, 0), zero)));
  lab_close(&l);
}

enum { OPS = 40 };

static void reverse_equals_forward(void) {
  static const int vars[LAB_VARS] = {0, 1, 2, 3};
  for (uint64_t seed = 1; seed <= 300; seed++) {
    lab l;
    lab_open(&l, seed);
    pw_node pool[OPS + 16], gradient[LAB_VARS];
    pw_node f = lab_random(&l, OPS, 1, pool);
    pw_gradient(l.dag, f, vars, LAB_VARS, gradient);
    double x[LAB_VARS];
    for (int i = 0; i < LAB_VARS; i++) {
      x[i] = lab_real(&l, -2, 2);
    }
    for (int i = 0; i < LAB_VARS; i++) {
      double reverse = at(&l, gradient[i], x);
      double forward = at(&l, lab_forward(l.dag, f, i), x);
      double step = lab_complex_step(&l, f, x, LAB_VARS, i);
      double tol = 1e-12 * (1 + fabs(step));
      CHECK_SEED(fabs(reverse - forward) <= tol, seed);
      CHECK_SEED(fabs(reverse - step) <= tol, seed);
    }
    lab_close(&l);
  }
}

/* Gradient of a directional derivative, and the other way round. */
static void second_derivatives(void) {
  static const int vars[LAB_VARS] = {0, 1, 2, 3};
  for (uint64_t seed = 1; seed <= 100; seed++) {
    lab l;
    lab_open(&l, 1000 + seed);
    pw_node pool[OPS + 16], column[LAB_VARS], gradient[LAB_VARS], row[LAB_VARS];
    pw_node f = lab_random(&l, OPS / 2, 1, pool);
    pw_node df = lab_forward(l.dag, f, 0);
    pw_gradient(l.dag, df, vars, LAB_VARS, column);
    pw_gradient(l.dag, f, vars, LAB_VARS, gradient);
    lab_direction along = {l.dag, 0};
    pw_derivative(l.dag, gradient, LAB_VARS, lab_seed, &along, row);
    double x[LAB_VARS];
    for (int i = 0; i < LAB_VARS; i++) {
      x[i] = lab_real(&l, -2, 2);
    }
    for (int i = 0; i < LAB_VARS; i++) {
      double step = lab_complex_step(&l, df, x, LAB_VARS, i);
      double tol = 1e-11 * (1 + fabs(step));
      CHECK_SEED(fabs(at(&l, column[i], x) - step) <= tol, seed);
      CHECK_SEED(fabs(at(&l, row[i], x) - step) <= tol, seed);
    }
    lab_close(&l);
  }
}

/* f = (... (x/2 + x)/2 + x ...): 2*10^6 nodes deep, with its derivatives and a tape. */
static void deep_chain(void) {
  enum { N = 1000000 };
  lab l;
  lab_open(&l, 0);
  pw_node x = pw_var(l.dag, 0);
  pw_node f = x;
  for (int i = 0; i < N; i++) {
    f = pw_add(l.dag, pw_mul(l.dag, pw_const(l.dag, 0.5), f), x);
  }
  pw_node reverse;
  pw_gradient(l.dag, f, &(int){0}, 1, &reverse);
  pw_node forward = lab_forward(l.dag, f, 0);
  double point[1] = {0.25};
  CHECK_NEAR(at(&l, f, point), 0.5, 1e-15); /* fixed point of f = f/2 + x */
  CHECK_NEAR(at(&l, reverse, point), 2, 1e-15);
  CHECK_NEAR(at(&l, forward, point), 2, 1e-15);
  pw_tape *tape = lab_compile(&l, &f, 1);
  double reg[8], out;
  if (CHECK(pw_tape_registers(tape) <= 8)) {
    pw_tape_prepare(tape, reg);
    pw_tape_run(tape, point, reg, &out);
    CHECK_NEAR(out, 0.5, 1e-15);
  }
  pw_buf text = {0};
  pw_node_print(&text, l.dag, f, lab_name, NULL);
  CHECK(text.len > 0 && strstr(text.text, "...") != NULL);
  pw_buf_free(&text);
  lab_close(&l);
}

/* The n derivatives of a sum of n products visit only what they need to build. */
static void sparse_derivatives_build_little(void) {
  enum { N = 500 };
  lab l;
  lab_open(&l, 0);
  pw_node f = pw_const(l.dag, 0);
  static int vars[N];
  static pw_node out[N];
  for (int i = 0; i < N; i++) {
    pw_node s = pw_apply1(l.dag, PW_OP_SIN, pw_var(l.dag, i));
    f = pw_add(l.dag, f, pw_mul(l.dag, s, s));
    vars[i] = i;
  }
  int before = pw_dag_size(l.dag);
  pw_gradient(l.dag, f, vars, N, out);
  CHECK(pw_dag_size(l.dag) - before <= 4 * N);
  before = pw_dag_size(l.dag);
  pw_gradient(l.dag, f, vars, 1, out);
  CHECK_INT(pw_dag_size(l.dag), before);
  for (int i = 0; i < N; i++) {
    CHECK(lab_forward(l.dag, f, i) >= 0);
  }
  CHECK(pw_dag_size(l.dag) - before <= 4 * N);
  CHECK(pw_is_value(l.dag, lab_forward(l.dag, f, N + 1), 0));
  lab_close(&l);
}

CHECK_MAIN({"unary rules", unary_rules}, {"binary rules", binary_rules},
           {"power rules", power_rules}, {"select rule", select_rule}, {"kinks", kinks},
           {"reverse equals forward", reverse_equals_forward},
           {"second derivatives", second_derivatives}, {"deep chain", deep_chain},
           {"sparse derivatives", sparse_derivatives_build_little})
