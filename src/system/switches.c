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

static void push(pw_switches *s, pw_node c, pw_node place, pw_surface_origin origin) {
  PW_PUSH(s->model->arena, &s->c, c);
  PW_PUSH(s->model->arena, &s->place_of, place);
  PW_PUSH(s->model->arena, &s->origin, origin);
}

static int find(const pw_switches *s, pw_node c) {
  int k = 0;
  while (k < s->c.n && s->c.items[k] != c) {
    k++;
  }
  return k;
}

/* The pieces of abs, min and max agree where c = 0, so an existing surface -c can be reused. `if`
 * needs its own: the piece at c = 0 distinguishes > from >=. */
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
    push(s, c, -1,
         (pw_surface_origin){.word = word_of(op),
                             .span = s->place,
                             .of_time = of_time,
                             .law = -1,
                             .table = -1,
                             .signal = -1});
  }
  return pw_var(dag, pw_var_of(PW_VAR_MODE, k));
}

/* ---- tables ---- */

/* signals (I6): positive inside of the piece, with slope 1 and -1 at its ends. */
static pw_node inside(pw_dag *dag, int table, pw_node piece, pw_node x) {
  pw_node low = pw_lookup(dag, table, PW_LUT_LOW, piece);
  pw_node low_slope = pw_lookup(dag, table, PW_LUT_LOW_SLOPE, piece);
  pw_node high = pw_lookup(dag, table, PW_LUT_HIGH, piece);
  pw_node high_slope = pw_lookup(dag, table, PW_LUT_HIGH_SLOPE, piece);
  pw_node a = pw_mul(dag, low_slope, x);
  pw_node b = pw_mul(dag, high_slope, x);
  a = pw_add(dag, low, a);
  b = pw_add(dag, high, b);
  return pw_mul(dag, a, b);
}

int pw_switches_table(pw_switches *s, int table, pw_node x, const char *word) {
  pw_dag *dag = s->model->dag;
  for (int k = 0; k < s->c.n; k++) {
    if (s->origin.items[k].table == table && s->place_of.items[k] == x) {
      return k;
    }
  }
  int k = s->c.n;
  pw_node piece = pw_var(dag, pw_var_of(PW_VAR_MODE, k));
  pw_node c = inside(dag, table, piece, x);
  bool of_time = !pw_depends(dag, x, is_state, NULL);
  push(s, c, x,
       (pw_surface_origin){.word = word,
                           .span = s->place,
                           .of_time = of_time,
                           .law = -1,
                           .table = table,
                           .signal = -1});
  return k;
}

static int end_of_piece(pw_switches *s, pw_node c, int signal, bool of_time) {
  push(s, c, -1,
       (pw_surface_origin){.word = of_time ? "delay" : "angle",
                           .span = s->model->signals.items[signal].span,
                           .of_time = of_time,
                           .law = -1,
                           .table = -1,
                           .signal = signal});
  return s->c.n - 1;
}

static int delay_surface(pw_switches *s, int signal) {
  pw_dag *dag = s->model->dag;
  const pw_signal *d = &s->model->signals.items[signal];
  pw_node end = pw_var(dag, pw_var_of(PW_VAR_Q, d->q + PW_DELAY_END));
  pw_node t = pw_var(dag, pw_var_of(PW_VAR_TIME, 0));
  pw_node c = pw_sub(dag, end, t);
  return end_of_piece(s, c, signal, true);
}

/* joints (J7): 1 - (beyond / limit)^2, with the angle beyond the full turns. */
static int turns_surface(pw_switches *s, int signal) {
  pw_dag *dag = s->model->dag;
  pw_node beyond = s->model->signals.items[signal].value;
  pw_node limit = pw_const(dag, 1 / PW_TURNS_LIMIT);
  pw_node part = pw_mul(dag, beyond, limit);
  pw_node square = pw_mul(dag, part, part);
  pw_node one = pw_const(dag, 1);
  pw_node c = pw_sub(dag, one, square);
  return end_of_piece(s, c, signal, false);
}

int pw_switches_piece(pw_switches *s, int signal) {
  bool turns = s->model->signals.items[signal].kind == PW_SIGNAL_TURNS;
  return turns ? turns_surface(s, signal) : delay_surface(s, signal);
}

/* signals (I3): the polynomial of the piece, or a derivative. */
static pw_node polynomial(pw_dag *dag, int table, int order, pw_node piece, pw_node x) {
  static const double factor[4][4] = {{1, 1, 1, 1}, {0, 1, 2, 3}, {0, 0, 2, 6}, {0, 0, 0, 6}};
  pw_node base = pw_lookup(dag, table, PW_LUT_BASE, piece);
  pw_node d = pw_sub(dag, x, base);
  pw_node sum = pw_const(dag, 0);
  for (int k = pw_lut_degree(pw_dag_table(dag, table)); k >= order; k--) {
    pw_node c = pw_lookup(dag, table, (pw_lut_column)(PW_LUT_C0 + k), piece);
    pw_node f = pw_const(dag, factor[order][k]);
    pw_node product = pw_mul(dag, sum, d);
    pw_node term = pw_mul(dag, f, c);
    sum = pw_add(dag, product, term);
  }
  return sum;
}

static pw_node table_piece(pw_switches *s, pw_dag *dag, pw_node node, pw_node x) {
  int order, table = pw_node_table(dag, node, &order);
  if (pw_is_const(dag, x)) {
    return pw_lut_node(dag, table, order, x);
  }
  const pw_lut *t = pw_dag_table(dag, table);
  int k = pw_switches_table(s, table, x, pw_lut_is_stairs(t) ? t->name : "table");
  pw_node piece = pw_var(dag, pw_var_of(PW_VAR_MODE, k));
  return polynomial(dag, table, order, piece, x);
}

/* ---- kinks ---- */

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

static pw_node piece_of_table(void *payload, pw_dag *dag, pw_node node, const pw_node *arg) {
  pw_switches *s = payload;
  bool table = pw_node_op(dag, node) == PW_OP_TABLE && !s->keep_tables;
  return table ? table_piece(s, dag, node, arg[0]) : -1;
}

/* ---- roots and powers of what is not negative in its piece ---- */

/* A step looks beyond the end of its piece, where the base of max(0, d)^1.5 is negative: there the
 * function goes on with its size, |d|^1.5. */
static pw_node continued(pw_dag *dag, pw_node node, pw_node base, pw_node exponent) {
  pw_node size = pw_apply1(dag, PW_OP_ABS, base);
  return pw_node_op(dag, node) == PW_OP_SQRT ? pw_apply1(dag, PW_OP_SQRT, size)
                                             : pw_pow(dag, size, exponent);
}

static bool is_root(pw_op op) {
  return op == PW_OP_POW || op == PW_OP_SQRT;
}

/* abs(d), max(0, d): never negative as it is stated. */
static bool is_positive(pw_dag *dag, pw_node a) {
  pw_op op = pw_node_op(dag, a);
  if (op != PW_OP_MAX) {
    return op == PW_OP_ABS;
  }
  bool positive = false;
  for (int i = 0; i < 2; i++) {
    pw_node side = pw_node_arg(dag, a, i);
    positive = positive || (pw_is_const(dag, side) && pw_node_value(dag, side) >= 0);
  }
  return positive;
}

static pw_node root_in_branch(void *payload, pw_dag *dag, pw_node node, const pw_node *arg) {
  const pw_node *positive = payload;
  bool same = is_root(pw_node_op(dag, node)) &&
              (arg[0] == *positive || pw_is_value(dag, pw_sub(dag, arg[0], *positive), 0));
  return same ? continued(dag, node, arg[0], arg[1]) : -1;
}

/* The branch of `if(c >= 0, a, b)` with roots of what its condition keeps positive. */
static pw_node branch(pw_dag *dag, pw_node value, pw_node positive) {
  pw_node out;
  pw_rewrite(dag, &value, 1, root_in_branch, &positive, &out);
  return out;
}

/* It stands for a size already. */
static bool is_size(pw_dag *dag, pw_node node, pw_node arg) {
  return pw_node_arg(dag, node, 0) == arg && pw_node_op(dag, arg) == PW_OP_SELECT &&
         is_mode(dag, pw_node_arg(dag, arg, 0));
}

static pw_node smooth_piece(void *payload, pw_dag *dag, pw_node node, const pw_node *arg) {
  pw_switches *s = payload;
  pw_op op = pw_node_op(dag, node);
  if (op == PW_OP_TABLE) {
    return piece_of_table(payload, dag, node, arg);
  }
  if (is_root(op) && is_positive(dag, pw_node_arg(dag, node, 0)) && !pw_is_const(dag, arg[0])) {
    return continued(dag, node, arg[0], arg[1]);
  }
  if ((op == PW_OP_ABS || op == PW_OP_SIGN) && is_size(dag, node, arg[0])) {
    return -1;
  }
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
  case PW_OP_SELECT: {
    if (is_mode(dag, arg[0])) {
      return -1;
    }
    pw_node minus = pw_neg(dag, arg[0]);
    pw_node yes = branch(dag, arg[1], arg[0]), no = branch(dag, arg[2], minus);
    return choose(s, dag, op, arg[0], yes, no);
  }
  default: return -1;
  }
}

static bool is_result(void *payload, int var) {
  (void)payload;
  pw_var_class c = pw_var_kind(var);
  return c == PW_VAR_A || c == PW_VAR_FORCE || c == PW_VAR_IMPULSE || c == PW_VAR_QUAD;
}

static pw_node piece_that_jumps(void *payload, pw_dag *dag, pw_node node, const pw_node *arg) {
  pw_op op = pw_node_op(dag, node);
  bool chooses = op == PW_OP_SIGN || op == PW_OP_SELECT;
  if (chooses && !pw_depends(dag, arg[0], is_result, NULL)) {
    return smooth_piece(payload, dag, node, arg);
  }
  return piece_of_table(payload, dag, node, arg);
}

void pw_switches_apply(pw_switches *s, const pw_node *roots, int n, pw_node *out) {
  pw_rewrite(s->model->dag, roots, n, smooth_piece, s, out);
}

void pw_switches_apply_tables(pw_switches *s, const pw_node *roots, int n, pw_node *out) {
  pw_rewrite(s->model->dag, roots, n, piece_of_table, s, out);
}

void pw_switches_apply_jumps(pw_switches *s, const pw_node *roots, int n, pw_node *out) {
  pw_rewrite(s->model->dag, roots, n, piece_that_jumps, s, out);
}
