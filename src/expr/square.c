// SPDX-License-Identifier: MIT
#include "expr/square.h"

#include <math.h>

#include "expr/dag_impl.h"

enum { MOST_FACTORS_DEEP = 16 };

static pw_node root_of(pw_dag *dag, pw_node a, int depth) {
  pw_op op = pw_node_op(dag, a);
  if (op == PW_OP_CONST && pw_node_value(dag, a) > 0) {
    return pw_const(dag, sqrt(pw_node_value(dag, a)));
  }
  if (op == PW_OP_POWI && pw_node_int(dag, a) % 2 == 0) {
    return pw_powi(dag, pw_node_arg(dag, a, 0), pw_node_int(dag, a) / 2);
  }
  if (op != PW_OP_MUL || depth == 0) {
    return -1;
  }
  pw_node x = pw_node_arg(dag, a, 0), y = pw_node_arg(dag, a, 1);
  if (x == y) {
    return x;
  }
  pw_node u = root_of(dag, x, depth - 1);
  pw_node v = u < 0 ? -1 : root_of(dag, y, depth - 1);
  return v < 0 ? -1 : pw_mul(dag, u, v);
}

pw_node pw_root_of_square(pw_dag *dag, pw_node a) {
  return root_of(dag, a, MOST_FACTORS_DEEP);
}
