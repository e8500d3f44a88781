// SPDX-License-Identifier: MIT
/* Shared by the tests of src/expr: a graph with its arena, seeded random numbers, random
 * expressions, values by variable number. */
#ifndef PW_TESTS_EXPR_SUPPORT_H
#define PW_TESTS_EXPR_SUPPORT_H

#include <stdint.h>
#include <stdlib.h>

#include "check.h"
#include "expr/tape.h"
#include "tape_complex.h"

typedef struct lab {
  pw_arena arena;
  jmp_buf jump;
  pw_dag *dag;
  uint64_t seed;
} lab;

/* Out of memory crashes the test, unless it sets arena.on_fail between lab_prepare and pw_dag_new.
 */
static inline void lab_prepare(lab *l, size_t limit, uint64_t seed) {
  pw_arena_init(&l->arena, limit);
  l->seed = seed;
}

static inline void lab_open(lab *l, uint64_t seed) {
  lab_prepare(l, 0, seed);
  l->dag = pw_dag_new(&l->arena);
}

static inline void lab_close(lab *l) {
  pw_arena_free(&l->arena);
}

/* splitmix64 */
static inline uint64_t lab_bits(lab *l) {
  uint64_t z = (l->seed += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static inline int lab_int(lab *l, int n) {
  return (int)(lab_bits(l) % (uint64_t)n);
}

static inline double lab_real(lab *l, double low, double high) {
  return low + (high - low) * (double)(lab_bits(l) >> 11) * 0x1p-53;
}

static inline int lab_input(void *payload, int var) {
  (void)payload;
  return var;
}

static inline double lab_value(void *payload, int var) {
  return ((const double *)payload)[var];
}

static inline const char *lab_name(void *payload, int var) {
  static const char *const names[] = {"x", "y", "z", "u", "v", "w"};
  (void)payload;
  return names[var % 6];
}

/* Forward seed: derivative with respect to one variable. */
typedef struct lab_direction {
  pw_dag *dag;
  int var;
} lab_direction;

static inline pw_node lab_seed(void *payload, int var) {
  lab_direction *d = payload;
  return var == d->var ? pw_const(d->dag, 1) : -1;
}

static inline pw_node lab_forward(pw_dag *dag, pw_node f, int var) {
  lab_direction d = {dag, var};
  pw_node out;
  pw_derivative(dag, &f, 1, lab_seed, &d, &out);
  return out;
}

static inline pw_tape *lab_compile(lab *l, const pw_node *f, int n) {
  return pw_tape_compile(&l->arena, l->dag, f, n, lab_input, NULL);
}

/* df/dvar at x by a complex step of 1e-100. */
static inline double lab_complex_step(lab *l, pw_node f, const double *x, int n, int var) {
  pw_tape *tape = lab_compile(l, &f, 1);
  double complex *in = calloc((size_t)n, sizeof *in);
  double complex *work = calloc((size_t)pw_tape_registers(tape) + 1, sizeof *work);
  double complex out = 0;
  for (int i = 0; i < n; i++) {
    in[i] = x[i];
  }
  in[var] += 1e-100 * I;
  run_complex(tape, in, work, &out);
  free(in);
  free(work);
  return cimag(out) / 1e-100;
}

/* One random operation on nodes of moderate size: smooth, and defined everywhere. */
static inline pw_node lab_tame(lab *l, pw_node a, pw_node b) {
  pw_dag *g = l->dag;
  pw_node one = pw_const(g, 1);
  pw_node positive = pw_mul(g, a, a);
  positive = pw_add(g, positive, one);
  pw_node bounded = pw_apply1(g, PW_OP_SIN, b);
  pw_node half = pw_mul(g, pw_const(g, 0.5), bounded);
  switch (lab_int(l, 20)) {
  case 0: return pw_add(g, a, b);
  case 1: return pw_sub(g, a, b);
  case 2: return pw_mul(g, bounded, a);
  case 3: return pw_div(g, b, positive);
  case 4: return pw_neg(g, a);
  case 5: return pw_pow(g, positive, half);
  case 6: return pw_pow(g, positive, pw_const(g, -1.3));
  case 7: return pw_pow(g, bounded, pw_const(g, 3));
  case 8: return pw_pow(g, positive, pw_const(g, -2));
  case 9: return pw_apply1(g, PW_OP_SQRT, positive);
  case 10: return pw_apply1(g, PW_OP_EXP, half);
  case 11: return pw_apply1(g, PW_OP_LOG, positive);
  case 12: return pw_apply1(g, PW_OP_COS, a);
  case 13: return pw_apply1(g, PW_OP_TAN, half);
  case 14: return pw_apply1(g, lab_int(l, 2) ? PW_OP_ASIN : PW_OP_ACOS, half);
  case 15: return pw_apply1(g, PW_OP_ATAN, a);
  case 16: return pw_apply2(g, PW_OP_ATAN2, b, positive);
  case 17: return pw_apply1(g, lab_int(l, 2) ? PW_OP_SINH : PW_OP_COSH, half);
  case 18: return pw_apply1(g, PW_OP_TANH, a);
  default: return pw_apply2(g, PW_OP_HYPOT, positive, b);
  }
}

/* Any operation on any nodes, for tests of bits where NaN and infinity are welcome. */
static inline pw_node lab_wild(lab *l, pw_node a, pw_node b, pw_node c) {
  pw_op op = (pw_op)(PW_OP_ADD + lab_int(l, PW_OP_SELECT + 1 - PW_OP_ADD));
  switch (op) {
  case PW_OP_POWI: return pw_pow(l->dag, a, pw_const(l->dag, lab_int(l, 14) - 6));
  case PW_OP_NEG:
  case PW_OP_SQRT:
  case PW_OP_EXP:
  case PW_OP_LOG:
  case PW_OP_SIN:
  case PW_OP_COS:
  case PW_OP_TAN:
  case PW_OP_ASIN:
  case PW_OP_ACOS:
  case PW_OP_ATAN:
  case PW_OP_SINH:
  case PW_OP_COSH:
  case PW_OP_TANH:
  case PW_OP_ABS:
  case PW_OP_SIGN: return lab_int(l, 3) ? pw_add(l->dag, a, b) : pw_apply1(l->dag, op, a);
  case PW_OP_SELECT: return pw_select(l->dag, a, b, c);
  default: return pw_apply2(l->dag, op, a, b);
  }
}

enum { LAB_VARS = 4 };

/* n operations over LAB_VARS variables and two constants; the last ones are used most. */
static inline pw_node lab_random(lab *l, int n, int tame, pw_node *pool) {
  int count = 0;
  for (int i = 0; i < LAB_VARS; i++) {
    pool[count++] = pw_var(l->dag, i);
  }
  pool[count++] = pw_const(l->dag, 0.75);
  pool[count++] = pw_const(l->dag, -2);
  for (int i = 0; i < n; i++) {
    int recent = count < 12 ? count : 12;
    pw_node a = pool[count - 1 - lab_int(l, recent)];
    pw_node b = pool[lab_int(l, count)];
    pw_node c = pool[lab_int(l, count)];
    pool[count++] = tame ? lab_tame(l, a, b) : lab_wild(l, a, b, c);
  }
  return pool[count - 1];
}

#endif
