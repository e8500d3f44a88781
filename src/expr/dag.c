// SPDX-License-Identifier: MIT
/* Storage of the graph: an array of nodes and an open-addressing hash table over it. The hash
 * decides only where a node is looked up, never its number. */
#include "expr/dag.h"

#include <math.h>

#include "base/assert.h"
#include "expr/dag_impl.h"

pw_dag *pw_dag_new(pw_arena *arena) {
  pw_dag *dag = PW_NEW(arena, pw_dag);
  dag->arena = arena;
  dag->mask = 255;
  dag->slot = PW_TAKE(arena, dag->mask + 1, int);
  return dag;
}

int pw_dag_size(const pw_dag *dag) {
  return dag->n;
}

int pw_op_arity(pw_op op) {
  static const signed char arity[] = {
#define ARITY(name, n, text) n,
      PW_OP_LIST(ARITY)
#undef ARITY
  };
  return arity[op];
}

const char *pw_op_text(pw_op op) {
  static const char *const names[] = {
#define TEXT(name, n, text) text,
      PW_OP_LIST(TEXT)
#undef TEXT
  };
  return names[op];
}

static uint32_t cell_hash(const pw_cell *c) {
  uint64_t h = ((uint64_t)(uint32_t)c->op << 32 | (uint32_t)c->a) * UINT64_C(0x9e3779b97f4a7c15);
  h = (h ^ (h >> 29) ^ c->rest.bits) * UINT64_C(0xbf58476d1ce4e5b9);
  h = (h ^ (h >> 32)) * UINT64_C(0x94d049bb133111eb);
  return (uint32_t)(h >> 32);
}

static bool cell_equal(const pw_cell *x, const pw_cell *y) {
  return x->op == y->op && x->a == y->a && x->rest.bits == y->rest.bits;
}

/* Index of the slot that holds the cell, or of the empty one where it belongs. */
static uint32_t locate(const pw_dag *dag, const pw_cell *cell) {
  uint32_t i = cell_hash(cell) & dag->mask;
  while (dag->slot[i] != 0 && !cell_equal(&dag->cell[dag->slot[i] - 1], cell)) {
    i = (i + 1) & dag->mask;
  }
  return i;
}

static void widen_table(pw_dag *dag) {
  dag->mask = 2 * dag->mask + 1;
  dag->slot = PW_TAKE(dag->arena, (size_t)dag->mask + 1, int);
  for (int k = 0; k < dag->n; k++) {
    uint32_t i = cell_hash(&dag->cell[k]) & dag->mask;
    while (dag->slot[i] != 0) {
      i = (i + 1) & dag->mask;
    }
    dag->slot[i] = k + 1;
  }
}

static pw_node intern_cell(pw_dag *dag, pw_cell cell) {
  PW_ASSERT(pw_cell_has_operands(dag, (pw_op)cell.op, &cell));
  uint32_t i = locate(dag, &cell);
  if (dag->slot[i] != 0) {
    return dag->slot[i] - 1;
  }
  if (dag->n >= PW_NODES_MAX) {
    pw_arena_fail(dag->arena, PAWL_E_LIMIT);
  }
  if (dag->n == dag->cap) {
    dag->cell = pw_arena_grow(dag->arena, dag->cell, &dag->cap, sizeof *dag->cell);
  }
  dag->cell[dag->n++] = cell;
  dag->slot[i] = dag->n;
  if ((uint32_t)dag->n > dag->mask / 2) {
    widen_table(dag);
  }
  return dag->n - 1;
}

pw_node pw_node_make(pw_dag *dag, pw_op op, int a, int b, int c) {
  return intern_cell(dag, (pw_cell){.op = (int)op, .a = a, .rest.arg = {b, c}});
}

pw_node pw_node_find(const pw_dag *dag, pw_op op, int a, int b, int c) {
  pw_cell cell = {.op = (int)op, .a = a, .rest.arg = {b, c}};
  return dag->slot[locate(dag, &cell)] - 1;
}

/* One zero and one NaN: the sign of a constant zero is not kept. */
pw_node pw_const(pw_dag *dag, double value) {
  double kept = value == 0 ? 0 : isnan(value) ? (double)NAN : value;
  return intern_cell(dag, (pw_cell){.op = PW_OP_CONST, .rest.value = kept});
}

pw_node pw_var(pw_dag *dag, int var) {
  return pw_node_make(dag, PW_OP_VAR, var, 0, 0);
}

pw_op pw_node_op(const pw_dag *dag, pw_node a) {
  PW_ASSERT(pw_is_node(dag, a));
  return (pw_op)dag->cell[a].op;
}

pw_node pw_node_arg(const pw_dag *dag, pw_node a, int i) {
  PW_ASSERT(pw_is_node(dag, a) && i >= 0 && i < pw_op_arity((pw_op)dag->cell[a].op));
  return pw_cell_arg(&dag->cell[a], i);
}

double pw_node_value(const pw_dag *dag, pw_node a) {
  PW_ASSERT(pw_is_node(dag, a) && dag->cell[a].op == PW_OP_CONST);
  return dag->cell[a].rest.value;
}

int pw_node_var(const pw_dag *dag, pw_node a) {
  PW_ASSERT(pw_is_node(dag, a) && dag->cell[a].op == PW_OP_VAR);
  return dag->cell[a].a;
}

int pw_node_int(const pw_dag *dag, pw_node a) {
  PW_ASSERT(pw_is_node(dag, a) && dag->cell[a].op == PW_OP_POWI);
  return dag->cell[a].rest.arg[0];
}

int pw_dag_add_table(pw_dag *dag, const pw_lut *table) {
  PW_PUSH(dag->arena, &dag->tables, table);
  return dag->tables.n - 1;
}

int pw_dag_tables(const pw_dag *dag) {
  return dag->tables.n;
}

const pw_lut *pw_dag_table(const pw_dag *dag, int i) {
  PW_ASSERT(i >= 0 && i < dag->tables.n);
  return dag->tables.items[i];
}

int pw_node_table(const pw_dag *dag, pw_node a, int *which) {
  PW_ASSERT(dag->cell[a].op == PW_OP_TABLE || dag->cell[a].op == PW_OP_LOOKUP);
  *which = dag->cell[a].rest.arg[0] % PW_LUT_RADIX;
  return dag->cell[a].rest.arg[0] / PW_LUT_RADIX;
}

bool pw_is_const(const pw_dag *dag, pw_node a) {
  return dag->cell[a].op == PW_OP_CONST;
}

bool pw_is_value(const pw_dag *dag, pw_node a, double value) {
  return pw_is_const(dag, a) && dag->cell[a].rest.value == value;
}
