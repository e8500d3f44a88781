// SPDX-License-Identifier: MIT
/* Intervals: closed forms, and every value of random expressions inside. */
#include <float.h>

#include "expr_support.h"

typedef struct ends {
  double lo, hi;
} ends;

static ends range_of(lab *l, pw_node f, const double *lo, const double *hi) {
  pw_tape *tape = lab_compile(l, &f, 1);
  double *work = malloc(2 * ((size_t)pw_tape_registers(tape) + 1) * sizeof *work);
  ends r;
  pw_tape_range(tape, lo, hi, work, &r.lo, &r.hi);
  free(work);
  return r;
}

static void check_range(lab *l, pw_node f, double from, double to, double lo, double hi) {
  ends r = range_of(l, f, &from, &to);
  CHECK_NEAR(r.lo, lo, 1e-15);
  CHECK_NEAR(r.hi, hi, 1e-15);
}

static void closed_forms(void) {
  lab l;
  lab_open(&l, 0);
  pw_node x = pw_var(l.dag, 0);
  check_range(&l, pw_mul(l.dag, x, pw_const(l.dag, -2)), -1, 3, -6, 2);
  check_range(&l, pw_pow(l.dag, x, pw_const(l.dag, 4)), -2, 1, 0, 16);
  check_range(&l, pw_pow(l.dag, x, pw_const(l.dag, 3)), -2, 1, -8, 1);
  check_range(&l, pw_apply1(l.dag, PW_OP_SIN, x), 0.5, 2, sin(0.5), 1);
  check_range(&l, pw_apply1(l.dag, PW_OP_SIN, x), 2, 6, -1, sin(2));
  check_range(&l, pw_apply1(l.dag, PW_OP_COS, x), -0.5, 2, cos(2), 1);
  check_range(&l, pw_apply1(l.dag, PW_OP_COS, x), 0, 100, -1, 1);
  check_range(&l, pw_apply1(l.dag, PW_OP_TAN, x), -1, 1, tan(-1), tan(1));
  check_range(&l, pw_apply1(l.dag, PW_OP_COSH, x), -2, 1, 1, cosh(2));
  check_range(&l, pw_apply2(l.dag, PW_OP_ATAN2, x, pw_const(l.dag, 1)), -1, 1, atan(-1), atan(1));
  pw_node square = pw_pow(l.dag, x, pw_const(l.dag, 2));
  check_range(&l, pw_apply1(l.dag, PW_OP_EXP, pw_neg(l.dag, square)), -3, 1, exp(-9), 1);
  pw_node one = pw_const(l.dag, 1);
  ends r = range_of(&l, pw_div(l.dag, one, x), &(double){-1}, &(double){2});
  CHECK(r.lo == -INFINITY && r.hi == INFINITY);
  r = range_of(&l, pw_apply1(l.dag, PW_OP_TAN, x), &(double){1}, &(double){2});
  CHECK(r.lo == -INFINITY && r.hi == INFINITY);
  lab_close(&l);
}

static void contain_all_values(void) {
  int wide = 0;
  for (uint64_t seed = 1; seed <= 300; seed++) {
    lab l;
    lab_open(&l, seed);
    pw_node pool[64];
    double lo[LAB_VARS], hi[LAB_VARS], x[LAB_VARS], f;
    pw_node node = lab_random(&l, 30, 1, pool);
    for (int i = 0; i < LAB_VARS; i++) {
      lo[i] = lab_real(&l, -1, 1);
      hi[i] = lo[i] + lab_real(&l, 0, 0.1);
    }
    ends r = range_of(&l, node, lo, hi);
    for (int k = 0; k < 50; k++) {
      for (int i = 0; i < LAB_VARS; i++) {
        x[i] = lo[i] + lab_real(&l, 0, 1) * (hi[i] - lo[i]);
      }
      f = pw_eval(l.dag, node, lab_value, x);
      double slack = 1e-12 * (1 + fabs(f));
      if (isfinite(f) && !CHECK(r.lo <= f + slack && r.hi >= f - slack)) {
        printf("  seed %d: %g not in [%g, %g]\n", (int)seed, f, r.lo, r.hi);
        break;
      }
    }
    wide += !(r.hi - r.lo < 100);
    lab_close(&l);
  }
  CHECK(wide < 150); /* they say something */
}

static void inputs_are_known(void) {
  lab l;
  lab_open(&l, 0);
  pw_node x = pw_var(l.dag, 0), z = pw_var(l.dag, 2);
  pw_node f = pw_add(l.dag, x, z);
  pw_tape *tape = lab_compile(&l, &f, 1);
  CHECK(pw_tape_reads(tape, 0) && pw_tape_reads(tape, 2) && !pw_tape_reads(tape, 1));
  lab_close(&l);
}

CHECK_MAIN({"closed forms", closed_forms}, {"contain all values", contain_all_values},
           {"inputs are known", inputs_are_known})
