// SPDX-License-Identifier: MIT
/* Exact derivatives as new nodes. Both sweeps use one linear map per operand, x -> (dN/darg_i) x:
 * forward from the seeds to the roots, reverse from f to the variables [Griewank and Walther]. Only
 * nodes that depend on the requested variables contribute. At kinks the derivative is that of the
 * branch taken; d sqrt and d hypot at 0 are left to divide by zero. */
#include "expr/dag_impl.h"

enum { NONE = -1, NO_PATH = -2 };

static pw_node inverse(pw_dag *dag, pw_node a) {
  return pw_div(dag, pw_const(dag, 1), a);
}

/* 1 + sign*a^2 */
static pw_node one_plus_square(pw_dag *dag, pw_node a, int sign) {
  pw_node one = pw_const(dag, 1);
  pw_node square = pw_mul(dag, a, a);
  return sign > 0 ? pw_add(dag, one, square) : pw_sub(dag, one, square);
}

/* d asin(a) = 1/sqrt((1 - a)(1 + a)) */
static pw_node arcsine_slope(pw_dag *dag, pw_node a) {
  pw_node one = pw_const(dag, 1);
  pw_node below = pw_sub(dag, one, a);
  pw_node above = pw_add(dag, one, a);
  pw_node product = pw_mul(dag, below, above);
  return inverse(dag, pw_apply1(dag, PW_OP_SQRT, product));
}

static pw_node unary_partial(pw_dag *dag, pw_op op, pw_node a, pw_node self) {
  switch (op) {
  case PW_OP_SQRT: return pw_div(dag, pw_const(dag, 0.5), self);
  case PW_OP_EXP: return self;
  case PW_OP_LOG: return inverse(dag, a);
  case PW_OP_SIN: return pw_apply1(dag, PW_OP_COS, a);
  case PW_OP_COS: return pw_neg(dag, pw_apply1(dag, PW_OP_SIN, a));
  case PW_OP_TAN: return one_plus_square(dag, self, 1);
  case PW_OP_ASIN: return arcsine_slope(dag, a);
  case PW_OP_ACOS: return pw_neg(dag, arcsine_slope(dag, a));
  case PW_OP_ATAN: return inverse(dag, one_plus_square(dag, a, 1));
  case PW_OP_SINH: return pw_apply1(dag, PW_OP_COSH, a);
  case PW_OP_COSH: return pw_apply1(dag, PW_OP_SINH, a);
  case PW_OP_TANH: return one_plus_square(dag, self, -1);
  case PW_OP_ABS: return pw_apply1(dag, PW_OP_SIGN, a);
  default: /* sign */ return pw_const(dag, 0);
  }
}

/* d a^b = b a^(b-1) da + a^b log(a) db */
static pw_node power_partial(pw_dag *dag, pw_node a, pw_node b, pw_node self, int i) {
  if (i == 1) {
    pw_node log_a = pw_apply1(dag, PW_OP_LOG, a);
    return pw_mul(dag, self, log_a);
  }
  pw_node less = pw_sub(dag, b, pw_const(dag, 1));
  pw_node power = pw_pow(dag, a, less);
  return pw_mul(dag, b, power);
}

/* d atan2(y, x) = (x dy - y dx)/(x^2 + y^2) */
static pw_node atan2_partial(pw_dag *dag, pw_node y, pw_node x, int i) {
  pw_node xx = pw_mul(dag, x, x);
  pw_node yy = pw_mul(dag, y, y);
  pw_node inv = inverse(dag, pw_add(dag, xx, yy));
  return i == 0 ? pw_mul(dag, x, inv) : pw_neg(dag, pw_mul(dag, y, inv));
}

/* d (a/b) = da/b - (a/b)/b db;  1/b is shared between all directions. */
static pw_node quotient_partial(pw_dag *dag, pw_node b, pw_node self, int i) {
  pw_node inv = inverse(dag, b);
  return i == 0 ? inv : pw_neg(dag, pw_mul(dag, self, inv));
}

/* n a^(n-1) */
static pw_node powi_partial(pw_dag *dag, pw_node a, int n) {
  pw_node power = pw_powi(dag, a, n - 1);
  return pw_mul(dag, pw_const(dag, n), power);
}

static pw_node partial(pw_dag *dag, pw_node self, int i) {
  pw_cell cell = dag->cell[self];
  pw_node a = cell.a;
  pw_node b = cell.rest.arg[0];
  switch ((pw_op)cell.op) {
  case PW_OP_MUL: return a == b ? pw_mul(dag, pw_const(dag, 2), a) : i == 0 ? b : a;
  case PW_OP_DIV: return quotient_partial(dag, b, self, i);
  case PW_OP_POW: return power_partial(dag, a, b, self, i);
  case PW_OP_POWI: return powi_partial(dag, a, b);
  case PW_OP_ATAN2: return atan2_partial(dag, a, b, i);
  case PW_OP_HYPOT: return pw_div(dag, i == 0 ? a : b, self);
  case PW_OP_TABLE: return pw_lut_node(dag, b / PW_LUT_RADIX, b % PW_LUT_RADIX + 1, a);
  default: return unary_partial(dag, (pw_op)cell.op, a, self);
  }
}

/* Condition, non-negative where the first of the two alternatives holds; they are the operands
 * first and first + 1. NONE if the node has no alternatives. */
static pw_node alternatives(pw_dag *dag, const pw_cell *cell, int *first) {
  *first = cell->op == PW_OP_SELECT;
  switch ((pw_op)cell->op) {
  case PW_OP_SELECT: return cell->a;
  case PW_OP_MIN: return pw_sub(dag, cell->rest.arg[0], cell->a);
  case PW_OP_MAX: return pw_sub(dag, cell->a, cell->rest.arg[0]);
  default: return NONE;
  }
}

/* (dself/darg_i) x, or NONE if that is zero. */
static pw_node push_through(pw_dag *dag, pw_node self, int i, pw_node x) {
  pw_cell cell = dag->cell[self];
  pw_node r = NONE;
  int first;
  switch ((pw_op)cell.op) {
  case PW_OP_ADD: return x;
  case PW_OP_SUB: return i == 0 ? x : pw_neg(dag, x);
  case PW_OP_NEG: return pw_neg(dag, x);
  case PW_OP_LOOKUP: /* constant as long as the piece is the same */
  case PW_OP_SIGN: return NONE;
  case PW_OP_SELECT:
  case PW_OP_MIN:
  case PW_OP_MAX: {
    pw_node c = alternatives(dag, &cell, &first);
    pw_node zero = pw_const(dag, 0);
    if (i < first) {
      return NONE;
    }
    r = i == first ? pw_select(dag, c, x, zero) : pw_select(dag, c, zero, x);
    break;
  }
  default:
    if (i == 1 && cell.op == PW_OP_MUL && cell.a == cell.rest.arg[0]) {
      return NONE; /* d(a*a) = 2a da went through operand 0 */
    }
    r = partial(dag, self, i);
    r = pw_mul(dag, r, x);
    break;
  }
  return pw_is_value(dag, r, 0) ? NONE : r;
}

static pw_node accumulate(pw_dag *dag, pw_node sum, pw_node x) {
  return sum < 0 ? x : x < 0 ? sum : pw_add(dag, sum, x);
}

/* value = NONE for the variables and everything that depends on them, NO_PATH elsewhere. */
static void mark_paths(pw_dag *dag, pw_sweep *s, const int *var, int n) {
  for (int i = 0; i < s->order.n; i++) {
    s->value[s->order.items[i]] = NO_PATH;
  }
  for (int i = 0; i < n; i++) {
    pw_node v = pw_node_find(dag, PW_OP_VAR, var[i], 0, 0);
    if (pw_sweep_has(s, v)) {
      s->value[v] = NONE;
    }
  }
  for (int i = 0; i < s->order.n; i++) {
    const pw_cell *cell = &dag->cell[s->order.items[i]];
    for (int k = 0; k < pw_op_arity((pw_op)cell->op); k++) {
      if (s->value[pw_cell_arg(cell, k)] == NONE) {
        s->value[s->order.items[i]] = NONE;
      }
    }
  }
}

void pw_gradient(pw_dag *dag, pw_node f, const int *var, int n, pw_node *out) {
  pw_node one = pw_const(dag, 1);
  pw_sweep *s = pw_sweep_begin(dag);
  pw_sweep_collect(dag, s, &f, 1);
  mark_paths(dag, s, var, n);

  /* reverse mode: df/df = 1, then each node hands its adjoint down to its arguments */
  if (s->value[f] == NONE) {
    s->value[f] = one;
  }
  for (int i = s->order.n - 1; i >= 0; i--) {
    pw_node node = s->order.items[i];
    if (s->value[node] >= 0) {
      pw_cell cell = dag->cell[node];
      for (int k = 0; k < pw_op_arity((pw_op)cell.op); k++) {
        int *adjoint = &s->value[pw_cell_arg(&cell, k)];
        if (*adjoint != NO_PATH) {
          pw_node x = push_through(dag, node, k, s->value[node]);
          *adjoint = accumulate(dag, *adjoint, x);
        }
      }
    }
  }

  /* adjoints of the variables; variables that do not occur in f have none */
  for (int i = 0; i < n; i++) {
    pw_node v = pw_node_find(dag, PW_OP_VAR, var[i], 0, 0);
    out[i] = pw_sweep_has(s, v) && s->value[v] >= 0 ? s->value[v] : pw_const(dag, 0);
  }
  pw_sweep_end(dag, s);
}

/* One select for both alternatives: select(c, da, db). */
static pw_node chosen_tangent(pw_dag *dag, const pw_sweep *s, const pw_cell *cell) {
  int first;
  pw_node c = alternatives(dag, cell, &first);
  pw_node zero = pw_const(dag, 0);
  pw_node da = s->value[pw_cell_arg(cell, first)];
  pw_node db = s->value[pw_cell_arg(cell, first + 1)];
  return pw_select(dag, c, da < 0 ? zero : da, db < 0 ? zero : db);
}

static pw_node tangent(pw_dag *dag, const pw_sweep *s, pw_node node) {
  pw_cell cell = dag->cell[node];
  pw_node sum = NONE;
  for (int k = 0; k < pw_op_arity((pw_op)cell.op); k++) {
    pw_node d = s->value[pw_cell_arg(&cell, k)];
    if (d >= 0) {
      if (cell.op == PW_OP_SELECT || cell.op == PW_OP_MIN || cell.op == PW_OP_MAX) {
        return chosen_tangent(dag, s, &cell);
      }
      pw_node x = push_through(dag, node, k, d);
      sum = accumulate(dag, sum, x);
    }
  }
  return sum;
}

void pw_derivative(pw_dag *dag, const pw_node *f, int n, pw_seed_fn seed, void *payload,
                   pw_node *out) {
  pw_sweep *s = pw_sweep_begin(dag);
  pw_sweep_collect(dag, s, f, n);
  for (int i = 0; i < s->order.n; i++) {
    pw_node node = s->order.items[i];
    pw_cell cell = dag->cell[node];
    pw_node d = cell.op == PW_OP_VAR ? seed(payload, cell.a) : tangent(dag, s, node);
    s->value[node] = d >= 0 && pw_is_value(dag, d, 0) ? NONE : d;
  }
  for (int r = 0; r < n; r++) {
    out[r] = s->value[f[r]] >= 0 ? s->value[f[r]] : pw_const(dag, 0);
  }
  pw_sweep_end(dag, s);
}
