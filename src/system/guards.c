// SPDX-License-Identifier: MIT
#include "system/guards.h"

#include "expr/enclosure.h"

enum {
  ALONG = 1 << PW_VAR_TIME | 1 << PW_VAR_Q | 1 << PW_VAR_U | 1 << PW_VAR_A | 1 << PW_VAR_QUAD,
  UNKNOWN = 1 << PW_VAR_FORCE | 1 << PW_VAR_IMPULSE /* no enclosure along a step */
};

typedef PW_LIST(pw_guard) guard_list;
typedef PW_LIST(pw_node) node_list;

typedef struct builder {
  const pw_model *model;
  unsigned where;     /* of the walk */
  unsigned *uses;     /* by node: variables below it, as bits by class */
  int *first, *place; /* by node: a guard with this argument, the output that is it; -1: none */
  guard_list guards;
  node_list args;
} builder;

/* Operations with the same test of the argument count as one. NEG: no guard. */
static pw_tape_op guarded(pw_op op) {
  switch (op) {
  case PW_OP_SIN:
  case PW_OP_COS: return PW_TAPE_SIN;
  case PW_OP_EXP:
  case PW_OP_SINH:
  case PW_OP_COSH: return PW_TAPE_EXP;
  case PW_OP_SQRT:
  case PW_OP_LOG: return PW_TAPE_SQRT;
  case PW_OP_TAN: return PW_TAPE_TAN;
  case PW_OP_ASIN:
  case PW_OP_ACOS: return PW_TAPE_ASIN;
  case PW_OP_ATAN: return PW_TAPE_ATAN;
  case PW_OP_TANH: return PW_TAPE_TANH;
  case PW_OP_DIV: return PW_TAPE_DIV;
  case PW_OP_POW: return PW_TAPE_POW;
  case PW_OP_POWI: return PW_TAPE_POWI;
  case PW_OP_ATAN2: return PW_TAPE_ATAN2;
  case PW_OP_HYPOT: return PW_TAPE_HYPOT;
  case PW_OP_ABS:
  case PW_OP_SIGN:
  case PW_OP_SELECT: return PW_TAPE_ABS; /* kinks that are no switching surfaces: in events */
  case PW_OP_MIN:
  case PW_OP_MAX: return PW_TAPE_MIN;
  default: return PW_TAPE_NEG;
  }
}

static int output_of(builder *b, pw_node arg) {
  if (b->place[arg] < 0) {
    b->place[arg] = b->args.n;
    PW_PUSH(b->model->arena, &b->args, arg);
  }
  return b->place[arg];
}

static void add(builder *b, pw_node node, pw_tape_op op) {
  const pw_dag *dag = b->model->dag;
  bool two = op == PW_TAPE_POW || op == PW_TAPE_ATAN2 || op == PW_TAPE_HYPOT || op == PW_TAPE_MIN;
  pw_node x = pw_node_arg(dag, node, op == PW_TAPE_DIV ? 1 : 0);
  pw_node y = two ? pw_node_arg(dag, node, 1) : x;
  unsigned uses = b->uses[x] | b->uses[y];
  int n = op == PW_TAPE_POWI ? pw_node_int(dag, node) : 0;
  pw_interval around = {-1, 1};
  bool polynomial = op == PW_TAPE_POWI && pw_op_is_tame(op, n, around, around);
  if (polynomial || (uses & ALONG) == 0 || (uses & UNKNOWN) != 0) {
    return;
  }
  pw_guard guard = {op, n, output_of(b, x), output_of(b, y), b->where, x};
  int known = b->first[x];
  if (known >= 0) {
    pw_guard *g = &b->guards.items[known];
    if (g->op == op && g->n == n && g->b == guard.b) {
      g->where |= b->where;
      return;
    }
  }
  b->first[x] = b->guards.n;
  PW_PUSH(b->model->arena, &b->guards, guard);
}

/* Operands come first. */
static void visit(void *payload, pw_node node) {
  builder *b = payload;
  pw_dag *dag = b->model->dag;
  static const int arity[] = {
#define ARITY(name, n, text) n,
      PW_OP_LIST(ARITY)
#undef ARITY
  };
  pw_op op = pw_node_op(dag, node);
  if (op == PW_OP_VAR) {
    b->uses[node] = 1u << pw_var_kind(pw_node_var(dag, node));
  }
  for (int i = 0; i < arity[op]; i++) {
    b->uses[node] |= b->uses[pw_node_arg(dag, node, i)];
  }
  pw_tape_op guard = guarded(op);
  if (guard != PW_TAPE_NEG) {
    add(b, node, guard);
  }
}

pw_guards pw_guards_build(const pw_model *model, const pw_guard_roots *roots, int n_in,
                          int (*input)(void *payload, int var), void *payload) {
  int size = pw_dag_size(model->dag);
  builder b = {.model = model};
  b.uses = PW_TAKE(model->arena, size + 1, unsigned);
  b.first = PW_TAKE(model->arena, size + 1, int);
  b.place = PW_TAKE(model->arena, size + 1, int);
  for (int i = 0; i < size; i++) {
    b.first[i] = b.place[i] = -1;
  }
  for (int k = 0; k < roots->n; k++) {
    b.where = roots->of[k].where;
    pw_dag_walk(model->dag, roots->of[k].node, roots->of[k].n, visit, &b);
  }
  pw_guards g = {.n = b.guards.n, .item = b.guards.items};
  if (g.n > 0) {
    unsigned char *reads = PW_TAKE(model->arena, n_in + 1, unsigned char);
    g.tape = pw_tape_compile(model->arena, model->dag, b.args.items, b.args.n, input, payload);
    for (int i = 0; i < g.tape->n_in; i++) {
      reads[g.tape->input[i]] = 1;
    }
    g.reads = reads;
  }
  return g;
}
