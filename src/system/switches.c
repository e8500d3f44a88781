// SPDX-License-Identifier: MIT
#include "system/switches.h"

static const char *word_of(pw_op op) {
  switch (op) {
  case PW_OP_ABS: return "abs";
  case PW_OP_SIGN: return "sign";
  case PW_OP_MIN: return "min";
  case PW_OP_MAX: return "max";
  default: return "if";
  }
}

static bool is_state(void *payload, int var) {
  (void)payload;
  return pw_var_kind(var) != PW_VAR_TIME;
}

static int find(const pw_switches *s, pw_node c) {
  int k = 0;
  while (k < s->c.n && s->c.items[k] != c) {
    k++;
  }
  return k;
}

/* The pieces of abs, min and max agree where c = 0, so a surface -c that is there already does as
 * well. `if` needs its own: which piece counts at c = 0 tells > from >=. */
static pw_node mode_of(pw_switches *s, pw_dag *dag, pw_op op, pw_node c) {
  int k = find(s, c);
  bool agree = op == PW_OP_ABS || op == PW_OP_MIN || op == PW_OP_MAX;
  if (k == s->c.n && agree) {
    int mirrored = find(s, pw_neg(dag, c));
    if (mirrored < s->c.n) {
      return pw_neg(dag, pw_var(dag, pw_var_of(PW_VAR_MODE, mirrored)));
    }
  }
  if (k == s->c.n) {
    bool of_time = !pw_depends(dag, c, is_state, NULL);
    pw_surface_origin origin = {
        .word = word_of(op), .span = s->place, .of_time = of_time, .law = -1};
    PW_PUSH(s->model->arena, &s->c, c);
    PW_PUSH(s->model->arena, &s->origin, origin);
  }
  return pw_var(dag, pw_var_of(PW_VAR_MODE, k));
}

/* theory (28). min(a, b) is a where b - a >= 0, max(a, b) is a where a - b >= 0. */
static pw_node choose(pw_switches *s, pw_dag *dag, pw_op op, pw_node c, pw_node a, pw_node b) {
  if (pw_is_const(dag, c)) {
    return pw_node_value(dag, c) >= 0 ? a : b;
  }
  pw_node mode = mode_of(s, dag, op, c);
  return pw_select(dag, mode, a, b);
}

/* The choice is by a side already. */
static bool is_mode(pw_dag *dag, pw_node c) {
  return pw_node_op(dag, c) == PW_OP_VAR && pw_var_kind(pw_node_var(dag, c)) == PW_VAR_MODE;
}

static pw_node smooth_piece(void *payload, pw_dag *dag, pw_node node, const pw_node *arg) {
  pw_switches *s = payload;
  pw_op op = pw_node_op(dag, node);
  switch (op) {
  case PW_OP_ABS: {
    pw_node minus = pw_neg(dag, arg[0]);
    return choose(s, dag, op, arg[0], arg[0], minus);
  }
  case PW_OP_SIGN: {
    pw_node one = pw_const(dag, 1);
    pw_node minus = pw_const(dag, -1);
    return choose(s, dag, op, arg[0], one, minus);
  }
  case PW_OP_MIN: return choose(s, dag, op, pw_sub(dag, arg[1], arg[0]), arg[0], arg[1]);
  case PW_OP_MAX: return choose(s, dag, op, pw_sub(dag, arg[0], arg[1]), arg[0], arg[1]);
  case PW_OP_SELECT: return is_mode(dag, arg[0]) ? -1 : choose(s, dag, op, arg[0], arg[1], arg[2]);
  default: return -1;
  }
}

void pw_switches_apply(pw_switches *s, const pw_node *roots, int n, pw_node *out) {
  pw_rewrite(s->model->dag, roots, n, smooth_piece, s, out);
}
