// SPDX-License-Identifier: MIT
/* Bytes become a graph: each pair (operation, operand) adds a node. The compiled tape must give the
 * value that the graph itself gives, bit for bit, and its derivative and jet must run. */
#include <math.h>

#include "expr/tape.h"
#include "fuzz.h"

enum { VARS = 4, MOST_NODES = 400, ORDER = 3 };

static const double inputs[VARS] = {0.5, -1.25, 3, 0};

static double value_of(void *payload, int var) {
  (void)payload;
  return inputs[var];
}

static int index_of(void *payload, int var) {
  (void)payload;
  return var;
}

static int arity(pw_op op) {
  static const int arities[] = {
#define ARITY(name, n, text) n,
      PW_OP_LIST(ARITY)
#undef ARITY
  };
  return arities[op];
}

static pw_node add_node(pw_dag *dag, unsigned op_byte, pw_node a, pw_node b, pw_node c) {
  pw_op op = (pw_op)(op_byte % (PW_OP_SELECT + 1));
  switch (op) {
  case PW_OP_CONST: return pw_const(dag, (double)op_byte / 16 - 4);
  case PW_OP_VAR: return pw_var(dag, (int)(op_byte % VARS));
  case PW_OP_ADD: return pw_add(dag, a, b);
  case PW_OP_SUB: return pw_sub(dag, a, b);
  case PW_OP_MUL: return pw_mul(dag, a, b);
  case PW_OP_DIV: return pw_div(dag, a, b);
  case PW_OP_NEG: return pw_neg(dag, a);
  case PW_OP_POW:
  case PW_OP_POWI: return pw_pow(dag, a, b);
  case PW_OP_SELECT: return pw_select(dag, c, a, b);
  default: return arity(op) == 1 ? pw_apply1(dag, op, a) : pw_apply2(dag, op, a, b);
  }
}

static bool same(double a, double b) {
  return a == b || (isnan(a) && isnan(b));
}

static void run_all(pw_arena *arena, pw_dag *dag, pw_node root) {
  static const int vars[VARS] = {0, 1, 2, 3};
  pw_node out[1 + VARS] = {root};
  pw_gradient(dag, root, vars, VARS, out + 1);
  pw_tape *tape = pw_tape_compile(arena, dag, out, 1 + VARS, index_of, NULL);
  int regs = pw_tape_registers(tape);
  double *reg = PW_TAKE(arena, (regs + 4) * (ORDER + 1), double);
  double y[1 + VARS];
  pw_tape_prepare(tape, reg);
  pw_tape_run(tape, inputs, reg, y);
  for (int i = 0; i <= VARS; i++) {
    FUZZ_REQUIRE(same(y[i], pw_eval(dag, out[i], value_of, NULL)));
  }
  double jet_in[VARS * (ORDER + 1)] = {0}, jet_out[(1 + VARS) * (ORDER + 1)];
  for (int i = 0; i < VARS; i++) {
    jet_in[i * (ORDER + 1)] = inputs[i];
    jet_in[i * (ORDER + 1) + 1] = 1;
  }
  pw_tape_jet(tape, ORDER, jet_in, reg, jet_out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  pw_arena arena;
  jmp_buf out;
  pw_arena_init(&arena, 256u << 20);
  arena.on_fail = &out;
  if (setjmp(out) == 0) {
    pw_dag *dag = pw_dag_new(&arena);
    pw_node nodes[MOST_NODES + VARS];
    int n = 0;
    for (; n < VARS; n++) {
      nodes[n] = pw_var(dag, n);
    }
    for (size_t i = 0; i + 1 < size && n < MOST_NODES + VARS; i += 2, n++) {
      nodes[n] = add_node(dag, data[i], nodes[n - 1], nodes[data[i + 1] % n], nodes[n / 2]);
    }
    run_all(&arena, dag, nodes[n - 1]);
  }
  pw_arena_free(&arena);
  return 0;
}
