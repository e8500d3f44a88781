// SPDX-License-Identifier: MIT
/* Sizes of terms: closed forms, and as much as the derivatives say for random expressions. */
#include <float.h>

#include "expr_support.h"

static double terms_at(lab *l, pw_node f, const double *x) {
  pw_tape *tape = lab_compile(l, &f, 1);
  double *work = malloc(2 * ((size_t)pw_tape_registers(tape) + 1) * sizeof *work), out;
  pw_tape_terms(tape, x, work, &out);
  free(work);
  return out;
}

/* 1.21 - (q - 1.1)^2 is about 0 at q = 0: a difference of terms of size 1.21, the second of which
 * doubles the error of q - 1.1. */
static void constants_count(void) {
  lab l;
  lab_open(&l, 0);
  pw_node q = pw_var(l.dag, 0), away = pw_sub(l.dag, q, pw_const(l.dag, 1.1));
  pw_node square = pw_mul(l.dag, away, away);
  pw_node gap = pw_sub(l.dag, pw_const(l.dag, 1.21), square);
  double x[] = {0};
  CHECK_NEAR(terms_at(&l, gap, x), 1.21 + 2 * 1.21, 1e-14);
  x[0] = 1.1; /* the square is exactly 0 there, and so is its error */
  CHECK_NEAR(terms_at(&l, gap, x), 1.21, 1e-14);
  lab_close(&l);
}

static void functions_count(void) {
  lab l;
  lab_open(&l, 0);
  double x[] = {0.7};
  pw_node q = pw_var(l.dag, 0);
  CHECK_NEAR(terms_at(&l, q, x), 0.7, 0);
  CHECK_NEAR(terms_at(&l, pw_apply1(l.dag, PW_OP_SIN, q), x), sin(0.7) + 0.7 * cos(0.7), 1e-14);
  CHECK_NEAR(terms_at(&l, pw_apply1(l.dag, PW_OP_EXP, q), x), exp(0.7) * 1.7, 1e-14);
  pw_node root = pw_apply1(l.dag, PW_OP_SQRT, pw_sub(l.dag, q, pw_const(l.dag, 0.7)));
  CHECK_NEAR(terms_at(&l, root, x), sqrt(1.4 / DBL_EPSILON), 1); /* finite where the slope is not */
  lab_close(&l);
}

/* An error of every input by the part DBL_EPSILON changes f by sum |df/dx x| DBL_EPSILON. */
static void never_below_the_derivatives(void) {
  for (uint64_t seed = 1; seed <= 200; seed++) {
    lab l;
    lab_open(&l, seed);
    pw_node pool[64];
    double x[LAB_VARS], sum = 0;
    pw_node f = lab_random(&l, 30, 1, pool);
    for (int i = 0; i < LAB_VARS; i++) {
      x[i] = lab_real(&l, -1, 1);
    }
    for (int i = 0; i < LAB_VARS; i++) {
      sum += fabs(lab_complex_step(&l, f, x, LAB_VARS, i) * x[i]);
    }
    double terms = terms_at(&l, f, x);
    if (!CHECK(isfinite(sum) && terms >= (1 - 1e-9) * sum)) {
      printf("  seed %d: %g, terms %g\n", (int)seed, sum, terms);
    }
    lab_close(&l);
  }
}

CHECK_MAIN({"constants count", constants_count}, {"functions count", functions_count},
           {"never below the derivatives", never_below_the_derivatives})
