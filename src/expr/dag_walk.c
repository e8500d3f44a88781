// SPDX-License-Identifier: MIT
/* Traversals without recursion: the nodes below the roots are collected once, operands first, by
 * depth-first search with an explicit stack, then visited from the list. The cost is that of the
 * nodes below the roots, not of the graph: marks are stamps and are never cleared. */
#include <string.h>

#include "expr/dag_impl.h"

pw_sweep *pw_sweep_begin(pw_dag *dag) {
  pw_sweep *s = dag->idle;
  if (s == NULL) {
    s = PW_NEW(dag->arena, pw_sweep);
  } else {
    dag->idle = s->next;
  }
  if (s->cap < dag->n) {
    s->seen = PW_TAKE(dag->arena, dag->cap, unsigned);
    s->value = PW_TAKE(dag->arena, dag->cap, int);
    s->cap = dag->cap;
    s->stamp = 0;
  }
  if (++s->stamp == 0) { /* after 2^32 traversals */
    memset(s->seen, 0, (size_t)s->cap * sizeof *s->seen);
    s->stamp = 1;
  }
  s->order.n = 0;
  s->stack.n = 0;
  s->real.n = 0;
  return s;
}

void pw_sweep_end(pw_dag *dag, pw_sweep *s) {
  s->next = dag->idle;
  dag->idle = s;
}

int *pw_sweep_table(pw_dag *dag, pw_sweep *s, int k, int n) {
  pw_ints *t = &s->table[k];
  if (t->cap < n) {
    t->items = PW_TAKE(dag->arena, s->cap > n ? s->cap : n, int);
    t->cap = s->cap > n ? s->cap : n;
  }
  for (int i = 0; i < n; i++) {
    t->items[i] = -1;
  }
  return t->items;
}

static void enter(pw_dag *dag, pw_sweep *s, pw_node node) {
  if (s->seen[node] != s->stamp) {
    s->seen[node] = s->stamp;
    s->value[node] = -1;
    PW_PUSH(dag->arena, &s->stack, 4 * node);
  }
}

/* A stack entry is 4*node + (next operand to enter). */
void pw_sweep_collect(pw_dag *dag, pw_sweep *s, const pw_node *roots, int n) {
  for (int r = 0; r < n; r++) {
    enter(dag, s, roots[r]);
    while (s->stack.n > 0) {
      int *top = &s->stack.items[s->stack.n - 1];
      pw_node node = *top / 4;
      int i = *top % 4;
      const pw_cell *cell = &dag->cell[node];
      if (i < pw_op_arity((pw_op)cell->op)) {
        *top += 1;
        enter(dag, s, pw_cell_arg(cell, i));
      } else {
        s->stack.n--;
        PW_PUSH(dag->arena, &s->order, node);
      }
    }
  }
}

void pw_dag_walk(pw_dag *dag, const pw_node *roots, int n, void (*visit)(void *, pw_node),
                 void *payload) {
  pw_sweep *s = pw_sweep_begin(dag);
  pw_sweep_collect(dag, s, roots, n);
  for (int i = 0; i < s->order.n; i++) {
    visit(payload, s->order.items[i]);
  }
  pw_sweep_end(dag, s);
}

bool pw_depends(pw_dag *dag, pw_node a, bool (*uses)(void *payload, int var), void *payload) {
  pw_sweep *s = pw_sweep_begin(dag);
  pw_sweep_collect(dag, s, &a, 1);
  bool found = false;
  for (int i = 0; i < s->order.n && !found; i++) {
    pw_cell cell = dag->cell[s->order.items[i]];
    found = cell.op == PW_OP_VAR && uses(payload, cell.a);
  }
  pw_sweep_end(dag, s);
  return found;
}

void pw_rewrite(pw_dag *dag, const pw_node *roots, int n, pw_rewrite_fn map, void *payload,
                pw_node *out) {
  pw_sweep *s = pw_sweep_begin(dag);
  pw_sweep_collect(dag, s, roots, n);
  for (int i = 0; i < s->order.n; i++) {
    pw_node node = s->order.items[i];
    pw_cell cell = dag->cell[node];
    pw_node arg[3] = {-1, -1, -1};
    for (int k = 0; k < pw_op_arity((pw_op)cell.op); k++) {
      arg[k] = s->value[pw_cell_arg(&cell, k)];
    }
    pw_node mapped = map(payload, dag, node, arg);
    s->value[node] = mapped >= 0 ? mapped : pw_rebuild(dag, node, arg);
  }
  for (int r = 0; r < n; r++) {
    out[r] = s->value[roots[r]];
  }
  pw_sweep_end(dag, s);
}
