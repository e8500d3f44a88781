// SPDX-License-Identifier: MIT
/* Values of operations and of whole expressions in double precision; the reference for tapes. */
#include <math.h>

#include "expr/dag_impl.h"
#include "expr/op_real.h"

static double binary_value(pw_op op, double a, double b) {
  switch (op) {
  case PW_OP_ADD: return a + b;
  case PW_OP_SUB: return a - b;
  case PW_OP_MUL: return a * b;
  case PW_OP_DIV: return a / b;
  case PW_OP_POW: return pow(a, b);
  case PW_OP_ATAN2: return atan2(a, b);
  case PW_OP_HYPOT: return hypot(a, b);
  case PW_OP_MIN: return pw_min(a, b);
  case PW_OP_MAX: return pw_max(a, b);
  default: return NAN;
  }
}

static double trigonometric_value(pw_op op, double a) {
  switch (op) {
  case PW_OP_SIN: return sin(a);
  case PW_OP_COS: return cos(a);
  case PW_OP_TAN: return tan(a);
  case PW_OP_ASIN: return asin(a);
  case PW_OP_ACOS: return acos(a);
  case PW_OP_ATAN: return atan(a);
  case PW_OP_SINH: return sinh(a);
  case PW_OP_COSH: return cosh(a);
  case PW_OP_TANH: return tanh(a);
  default: return NAN;
  }
}

static double unary_value(pw_op op, int n, double a) {
  switch (op) {
  case PW_OP_NEG: return -a;
  case PW_OP_POWI: return pw_real_powi(a, n);
  case PW_OP_SQRT: return sqrt(a);
  case PW_OP_EXP: return exp(a);
  case PW_OP_LOG: return log(a);
  case PW_OP_ABS: return fabs(a);
  case PW_OP_SIGN: return pw_real_sign(a);
  default: return trigonometric_value(op, a);
  }
}

double pw_op_value(pw_op op, int n, double a, double b, double c) {
  switch (pw_op_arity(op)) {
  case 1: return unary_value(op, n, a);
  case 2: return binary_value(op, a, b);
  case 3: return pw_real_select(a, b, c);
  default: return NAN;
  }
}

double pw_lut_op_value(const pw_dag *dag, pw_op op, int n, double a) {
  const pw_lut *table = pw_dag_table(dag, n / PW_LUT_RADIX);
  return op == PW_OP_TABLE ? pw_lut_value(table, n % PW_LUT_RADIX, a)
                           : pw_lut_column_of(table, (pw_lut_column)(n % PW_LUT_RADIX), a);
}

static double cell_value(const pw_dag *dag, const pw_sweep *s, const pw_cell *cell) {
  double x[3] = {0, 0, 0};
  for (int k = 0; k < pw_op_arity((pw_op)cell->op); k++) {
    x[k] = s->real.items[s->value[pw_cell_arg(cell, k)]];
  }
  if (cell->op == PW_OP_TABLE || cell->op == PW_OP_LOOKUP) {
    return pw_lut_op_value(dag, (pw_op)cell->op, cell->rest.arg[0], x[0]);
  }
  return pw_op_value((pw_op)cell->op, cell->rest.arg[0], x[0], x[1], x[2]);
}

double pw_eval(pw_dag *dag, pw_node a, double (*value)(void *payload, int var), void *payload) {
  pw_sweep *s = pw_sweep_begin(dag);
  pw_sweep_collect(dag, s, &a, 1);
  for (int i = 0; i < s->order.n; i++) {
    pw_node node = s->order.items[i];
    pw_cell cell = dag->cell[node];
    double x;
    if (cell.op == PW_OP_CONST) {
      x = cell.rest.value;
    } else if (cell.op == PW_OP_VAR) {
      x = value(payload, cell.a);
    } else {
      x = cell_value(dag, s, &cell);
    }
    s->value[node] = i;
    PW_PUSH(dag->arena, &s->real, x);
  }
  double result = s->real.items[s->order.n - 1];
  pw_sweep_end(dag, s);
  return result;
}
