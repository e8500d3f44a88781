// SPDX-License-Identifier: MIT
/* Inside of the graph, shared by the files of this folder only. */
#ifndef PW_EXPR_DAG_IMPL_H
#define PW_EXPR_DAG_IMPL_H

#include <stdint.h>

#include "expr/dag.h"

enum {
  PW_NODES_MAX = 50 * 1000 * 1000,
  PW_POWI_MAX = 1024 /* larger integer exponents stay POW: squaring would lose digits */
};

/* 16 bytes. VAR keeps its number in `a`, POWI its exponent in rest.arg[0], TABLE and
 * LOOKUP table and order or column; unused fields are 0,
 * so that equal nodes are equal as (op, a, rest.bits). */
typedef struct pw_cell {
  int op;
  int a;
  union {
    int arg[2];
    double value;
    uint64_t bits;
  } rest;
} pw_cell;

typedef struct pw_ints {
  int *items;
  int n, cap;
} pw_ints;

typedef struct pw_reals {
  double *items;
  int n, cap;
} pw_reals;

enum { PW_SWEEP_TABLES = 3 };

/* Reusable memory of one traversal. `value` is meaningful for the nodes collected, each of which
 * has seen[node] == stamp. Callbacks may start further traversals: they get another one. */
typedef struct pw_sweep {
  struct pw_sweep *next;
  unsigned *seen;
  int *value;
  int cap;
  unsigned stamp;
  pw_ints order; /* nodes below the roots, operands first */
  pw_ints stack;
  pw_ints table[PW_SWEEP_TABLES];
  pw_reals real;
} pw_sweep;

struct pw_dag {
  pw_arena *arena;
  pw_cell *cell;
  int n, cap;
  int *slot;     /* hash table: node + 1, or 0 */
  uint32_t mask; /* its size - 1 */
  pw_sweep *idle;
  struct {
    const pw_lut **items;
    int n, cap;
  } tables;
};

/* The node if it exists, else -1. */
pw_node pw_node_find(const pw_dag *dag, pw_op op, int a, int b, int c);
/* The node as given, not simplified. */
pw_node pw_node_make(pw_dag *dag, pw_op op, int a, int b, int c);
int pw_op_arity(pw_op op);
const char *pw_op_text(pw_op op);

pw_node pw_powi(pw_dag *dag, pw_node a, int n);
/* Node of the same operation on other operands. */
pw_node pw_rebuild(pw_dag *dag, pw_node node, const pw_node *arg);
/* Value of one operation; `n` is the exponent of POWI. Not of TABLE and LOOKUP. */
double pw_op_value(pw_op op, int n, double a, double b, double c);
double pw_lut_op_value(const pw_dag *dag, pw_op op, int n, double a);

pw_sweep *pw_sweep_begin(pw_dag *dag);
void pw_sweep_end(pw_dag *dag, pw_sweep *s);
/* Fills `order` and sets value = -1 for each node of it. */
void pw_sweep_collect(pw_dag *dag, pw_sweep *s, const pw_node *roots, int n);
/* Table k with room for n integers, set to -1. */
int *pw_sweep_table(pw_dag *dag, pw_sweep *s, int k, int n);

static inline bool pw_sweep_has(const pw_sweep *s, pw_node a) {
  return a >= 0 && a < s->cap && s->seen[a] == s->stamp;
}

static inline int pw_cell_arg(const pw_cell *cell, int i) {
  return i == 0 ? cell->a : cell->rest.arg[i - 1];
}

/* ---- for assertions ---- */

/* Operands have smaller numbers, so that one pass in the order of numbers visits them first. */
static inline bool pw_cell_has_operands(const pw_dag *dag, pw_op op, const pw_cell *cell) {
  bool there = true;
  for (int i = 0; i < pw_op_arity(op); i++) {
    there = there && pw_cell_arg(cell, i) >= 0 && pw_cell_arg(cell, i) < dag->n;
  }
  return there;
}

static inline bool pw_is_node(const pw_dag *dag, pw_node a) {
  return a >= 0 && a < dag->n;
}

#endif
