// SPDX-License-Identifier: MIT
/* Building with simplification of zeros, ones, constants and signs. Signs move outwards through
 * products, quotients and odd functions, so that x*y and -x*y share a node, and end in sums.
 * An operation on constants is folded unless it creates an infinity or NaN: 1/0 stays a node and
 * shows when it is evaluated. */
#include <math.h>

#include "expr/dag_impl.h"
#include "expr/square.h"

static bool is_op(const pw_dag *dag, pw_node a, pw_op op) {
  return dag->cell[a].op == (int)op;
}

/* -1 if the operands are not all constants or the result is to be left to run time. */
static pw_node fold(pw_dag *dag, pw_op op, int n, pw_node a, pw_node b) {
  if (!pw_is_const(dag, a) || (b >= 0 && !pw_is_const(dag, b))) {
    return -1;
  }
  double x = pw_node_value(dag, a);
  double y = b >= 0 ? pw_node_value(dag, b) : 0;
  double r = pw_op_value(op, n, x, y, 0);
  bool exact_infinity = isinf(r) && (isinf(x) || isinf(y));
  return isfinite(r) || exact_infinity ? pw_const(dag, r) : -1;
}

static pw_node make_ordered(pw_dag *dag, pw_op op, pw_node a, pw_node b) {
  return a <= b ? pw_node_make(dag, op, a, b, 0) : pw_node_make(dag, op, b, a, 0);
}

static bool is_negative(const pw_dag *dag, pw_node a) {
  return is_op(dag, a, PW_OP_NEG) || (pw_is_const(dag, a) && pw_node_value(dag, a) < 0);
}

pw_node pw_neg(pw_dag *dag, pw_node a) {
  if (is_op(dag, a, PW_OP_NEG)) {
    return pw_node_arg(dag, a, 0);
  }
  pw_node f = fold(dag, PW_OP_NEG, 0, a, -1);
  return f >= 0 ? f : pw_node_make(dag, PW_OP_NEG, a, 0, 0);
}

pw_node pw_add(pw_dag *dag, pw_node a, pw_node b) {
  pw_node f = fold(dag, PW_OP_ADD, 0, a, b);
  if (f >= 0) {
    return f;
  }
  if (pw_is_value(dag, a, 0)) {
    return b;
  }
  if (pw_is_value(dag, b, 0)) {
    return a;
  }
  if (is_negative(dag, b)) {
    return pw_sub(dag, a, pw_neg(dag, b));
  }
  if (is_negative(dag, a)) {
    return pw_sub(dag, b, pw_neg(dag, a));
  }
  return make_ordered(dag, PW_OP_ADD, a, b);
}

pw_node pw_sub(pw_dag *dag, pw_node a, pw_node b) {
  pw_node f = fold(dag, PW_OP_SUB, 0, a, b);
  if (f >= 0) {
    return f;
  }
  if (pw_is_value(dag, b, 0)) {
    return a;
  }
  if (pw_is_value(dag, a, 0)) {
    return pw_neg(dag, b);
  }
  if (a == b && !pw_is_const(dag, a)) {
    return pw_const(dag, 0);
  }
  if (is_op(dag, a, PW_OP_NEG) && is_op(dag, b, PW_OP_NEG)) { /* -x - -y = y - x */
    return pw_sub(dag, pw_node_arg(dag, b, 0), pw_node_arg(dag, a, 0));
  }
  if (is_op(dag, a, PW_OP_NEG)) { /* -x - y = -(x + y) */
    pw_node sum = pw_add(dag, pw_node_arg(dag, a, 0), b);
    return pw_neg(dag, sum);
  }
  if (is_negative(dag, b)) {
    return pw_add(dag, a, pw_neg(dag, b));
  }
  pw_node mirrored = pw_node_find(dag, PW_OP_SUB, b, a, 0);
  return mirrored >= 0 ? pw_neg(dag, mirrored) : pw_node_make(dag, PW_OP_SUB, a, b, 0);
}

/* |a| as far as the sign is visible; *odd flips if it was negative. */
static pw_node strip_sign(pw_dag *dag, pw_node a, bool *odd) {
  if (!is_negative(dag, a)) {
    return a;
  }
  *odd = !*odd;
  return pw_neg(dag, a);
}

/* c1*(c2*x) = (c1*c2)*x; -1 if b has not that form. */
static pw_node merge_factors(pw_dag *dag, pw_node c1, pw_node b) {
  if (!pw_is_const(dag, c1) || !is_op(dag, b, PW_OP_MUL)) {
    return -1;
  }
  for (int i = 0; i < 2; i++) {
    pw_node c2 = pw_node_arg(dag, b, i);
    if (pw_is_const(dag, c2)) {
      double product = pw_node_value(dag, c1) * pw_node_value(dag, c2);
      pw_node x = pw_node_arg(dag, b, 1 - i);
      return isnormal(product) ? pw_mul(dag, pw_const(dag, product), x) : -1;
    }
  }
  return -1;
}

/* x*sign(x) is |x|, with its kink. */
static bool is_sign_of(const pw_dag *dag, pw_node a, pw_node x) {
  return is_op(dag, a, PW_OP_SIGN) && pw_node_arg(dag, a, 0) == x;
}

static pw_node mul_unsigned(pw_dag *dag, pw_node a, pw_node b) {
  if (pw_is_value(dag, a, 1)) {
    return b;
  }
  if (pw_is_value(dag, b, 1)) {
    return a;
  }
  if (is_sign_of(dag, a, b) || is_sign_of(dag, b, a)) {
    return pw_apply1(dag, PW_OP_ABS, is_sign_of(dag, a, b) ? b : a);
  }
  pw_node merged = merge_factors(dag, a, b);
  if (merged < 0) {
    merged = merge_factors(dag, b, a);
  }
  return merged >= 0 ? merged : make_ordered(dag, PW_OP_MUL, a, b);
}

pw_node pw_mul(pw_dag *dag, pw_node a, pw_node b) {
  pw_node f = fold(dag, PW_OP_MUL, 0, a, b);
  if (f >= 0) {
    return f;
  }
  bool constant = pw_is_const(dag, a) && pw_is_const(dag, b);
  if (!constant && (pw_is_value(dag, a, 0) || pw_is_value(dag, b, 0))) {
    return pw_const(dag, 0);
  }
  bool odd = false;
  a = strip_sign(dag, a, &odd);
  b = strip_sign(dag, b, &odd);
  pw_node r = mul_unsigned(dag, a, b);
  return odd ? pw_neg(dag, r) : r;
}

/* Division by a power of two is a product, without any rounding. */
static bool exact_reciprocal(double c, double *r) {
  int exponent;
  *r = 1 / c;
  return frexp(c, &exponent) == 0.5 && isnormal(*r);
}

pw_node pw_div(pw_dag *dag, pw_node a, pw_node b) {
  pw_node f = fold(dag, PW_OP_DIV, 0, a, b);
  if (f >= 0) {
    return f;
  }
  if (pw_is_value(dag, a, 0) && !pw_is_const(dag, b)) {
    return a;
  }
  bool odd = false;
  a = strip_sign(dag, a, &odd);
  b = strip_sign(dag, b, &odd);
  pw_node r;
  double reciprocal;
  if (pw_is_value(dag, b, 1)) {
    r = a;
  } else if (pw_is_const(dag, b) && exact_reciprocal(pw_node_value(dag, b), &reciprocal)) {
    r = pw_mul(dag, a, pw_const(dag, reciprocal));
  } else {
    r = pw_node_make(dag, PW_OP_DIV, a, b, 0);
  }
  return odd ? pw_neg(dag, r) : r;
}

pw_node pw_powi(pw_dag *dag, pw_node a, int n) {
  switch (n) {
  case -1: return pw_div(dag, pw_const(dag, 1), a);
  case 0: return pw_const(dag, 1);
  case 1: return a;
  case 2: return pw_mul(dag, a, a);
  default: break;
  }
  pw_node f = fold(dag, PW_OP_POWI, n, a, -1);
  if (f >= 0) {
    return f;
  }
  if (is_op(dag, a, PW_OP_NEG)) {
    pw_node r = pw_powi(dag, pw_node_arg(dag, a, 0), n);
    return n % 2 != 0 ? pw_neg(dag, r) : r;
  }
  return pw_node_make(dag, PW_OP_POWI, a, n, 0);
}

static pw_node pow_const(pw_dag *dag, pw_node a, double c, pw_node exponent) {
  if (c == floor(c) && fabs(c) <= PW_POWI_MAX) {
    return pw_powi(dag, a, (int)c);
  }
  if (fabs(c) == 0.5) {
    pw_node root = pw_apply1(dag, PW_OP_SQRT, a);
    return c > 0 ? root : pw_div(dag, pw_const(dag, 1), root);
  }
  return pw_node_make(dag, PW_OP_POW, a, exponent, 0);
}

pw_node pw_pow(pw_dag *dag, pw_node a, pw_node b) {
  pw_node f = fold(dag, PW_OP_POW, 0, a, b);
  if (f >= 0) {
    return f;
  }
  if (pw_is_const(dag, b)) {
    return pow_const(dag, a, pw_node_value(dag, b), b);
  }
  return pw_is_value(dag, a, 1) ? a : pw_node_make(dag, PW_OP_POW, a, b, 0);
}

static pw_node of_table(pw_dag *dag, pw_op op, int n, pw_node a) {
  if (pw_is_const(dag, a)) {
    return pw_const(dag, pw_lut_op_value(dag, op, n, pw_node_value(dag, a)));
  }
  return pw_node_make(dag, op, a, n, 0);
}

pw_node pw_lut_node(pw_dag *dag, int i, int order, pw_node x) {
  return order > pw_lut_degree(pw_dag_table(dag, i))
             ? pw_const(dag, 0)
             : of_table(dag, PW_OP_TABLE, i * PW_LUT_RADIX + order, x);
}

pw_node pw_lookup(pw_dag *dag, int i, pw_lut_column column, pw_node piece) {
  return of_table(dag, PW_OP_LOOKUP, i * PW_LUT_RADIX + (int)column, piece);
}

static bool is_odd_function(pw_op op) {
  return op == PW_OP_SIN || op == PW_OP_TAN || op == PW_OP_ASIN || op == PW_OP_ATAN ||
         op == PW_OP_SINH || op == PW_OP_TANH || op == PW_OP_SIGN;
}

static bool is_even_function(pw_op op) {
  return op == PW_OP_COS || op == PW_OP_COSH || op == PW_OP_ABS;
}

pw_node pw_apply1(pw_dag *dag, pw_op op, pw_node a) {
  if (op == PW_OP_NEG) {
    return pw_neg(dag, a);
  }
  pw_node f = fold(dag, op, 0, a, -1);
  if (f >= 0) {
    return f;
  }
  bool negated = is_op(dag, a, PW_OP_NEG);
  if (negated && is_even_function(op)) {
    return pw_apply1(dag, op, pw_node_arg(dag, a, 0));
  }
  if (negated && is_odd_function(op)) {
    return pw_neg(dag, pw_apply1(dag, op, pw_node_arg(dag, a, 0)));
  }
  if (op == PW_OP_ABS && is_op(dag, a, PW_OP_ABS)) {
    return a;
  }
  pw_node root = op == PW_OP_SQRT ? pw_root_of_square(dag, a) : -1;
  if (root >= 0) { /* sqrt(x^2) is |x|, with its kink */
    return pw_apply1(dag, PW_OP_ABS, root);
  }
  return pw_node_make(dag, op, a, 0, 0);
}

static pw_node extremum(pw_dag *dag, pw_op op, pw_node a, pw_node b) {
  if (a == b) {
    return a;
  }
  pw_node f = fold(dag, op, 0, a, b);
  return f >= 0 ? f : make_ordered(dag, op, a, b);
}

pw_node pw_apply2(pw_dag *dag, pw_op op, pw_node a, pw_node b) {
  switch (op) {
  case PW_OP_ADD: return pw_add(dag, a, b);
  case PW_OP_SUB: return pw_sub(dag, a, b);
  case PW_OP_MUL: return pw_mul(dag, a, b);
  case PW_OP_DIV: return pw_div(dag, a, b);
  case PW_OP_POW: return pw_pow(dag, a, b);
  case PW_OP_MIN:
  case PW_OP_MAX: return extremum(dag, op, a, b);
  default: {
    pw_node f = fold(dag, op, 0, a, b);
    if (f < 0 && op == PW_OP_HYPOT && (pw_is_value(dag, a, 0) || pw_is_value(dag, b, 0))) {
      return pw_apply1(dag, PW_OP_ABS, pw_is_value(dag, a, 0) ? b : a);
    }
    return f >= 0 ? f : pw_node_make(dag, op, a, b, 0);
  }
  }
}

pw_node pw_select(pw_dag *dag, pw_node c, pw_node a, pw_node b) {
  if (a == b) {
    return a;
  }
  if (pw_is_const(dag, c) && !isnan(pw_node_value(dag, c))) {
    return pw_node_value(dag, c) >= 0 ? a : b;
  }
  return pw_node_make(dag, PW_OP_SELECT, c, a, b);
}

pw_node pw_rebuild(pw_dag *dag, pw_node node, const pw_node *arg) {
  pw_cell cell = dag->cell[node];
  pw_op op = (pw_op)cell.op;
  bool same = true;
  for (int i = 0; i < pw_op_arity(op); i++) {
    same = same && arg[i] == pw_cell_arg(&cell, i);
  }
  if (same) {
    return node;
  }
  if (op == PW_OP_TABLE || op == PW_OP_LOOKUP) {
    return of_table(dag, op, cell.rest.arg[0], arg[0]);
  }
  switch (pw_op_arity(op)) {
  case 1:
    return op == PW_OP_POWI ? pw_powi(dag, arg[0], cell.rest.arg[0]) : pw_apply1(dag, op, arg[0]);
  case 2: return pw_apply2(dag, op, arg[0], arg[1]);
  default: return pw_select(dag, arg[0], arg[1], arg[2]);
  }
}
