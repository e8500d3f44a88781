// SPDX-License-Identifier: MIT
/* Text of expressions: infix as in the model language, and the numbered list of nodes. Infix text
 * writes shared parts out and can grow exponentially, so it is cut with "..." beyond a size and
 * depth no reader would follow. */
#include "expr/dag_impl.h"

typedef const char *(*name_fn)(void *payload, int var);

enum { DEPTH_MAX = 500, TEXT_MAX = 64 * 1024 };

/* Binding strength: a + b, a * b, -a, a ^ b, f(a). */
enum { SUM = 1, PRODUCT, SIGNED, POWER, ATOM };

typedef struct frame {
  pw_node node;
  int next;     /* operand to print next */
  bool bracket; /* opened, to be closed */
} frame;

typedef struct printer {
  pw_buf *out;
  const pw_dag *dag;
  name_fn name;
  void *payload;
  size_t start;
  const int *number; /* of nodes that are written as names; or NULL */
  frame stack[DEPTH_MAX];
  int depth;
} printer;

static bool is_square(const pw_cell *cell) {
  return cell->op == PW_OP_MUL && cell->a == cell->rest.arg[0];
}

/* Operand printed at place i: a constant factor comes first. */
static pw_node shown_arg(const pw_dag *dag, const pw_cell *cell, int i) {
  bool swap = cell->op == PW_OP_MUL && pw_is_const(dag, cell->rest.arg[0]);
  return pw_cell_arg(cell, swap ? 1 - i : i);
}

static int binding(const pw_cell *cell) {
  switch (cell->op) {
  case PW_OP_ADD:
  case PW_OP_SUB: return SUM;
  case PW_OP_MUL: return is_square(cell) ? POWER : PRODUCT;
  case PW_OP_DIV: return PRODUCT;
  case PW_OP_NEG: return SIGNED;
  case PW_OP_POW:
  case PW_OP_POWI: return POWER;
  case PW_OP_CONST: return cell->rest.value < 0 ? SIGNED : ATOM;
  default: return ATOM;
  }
}

/* Weakest binding that operand i may have without brackets. */
static int required(const pw_cell *cell, int i) {
  switch (cell->op) {
  case PW_OP_ADD: return i == 0 ? SUM : PRODUCT;
  case PW_OP_SUB: return i == 0 ? SUM : PRODUCT;
  case PW_OP_MUL:
  case PW_OP_DIV: return is_square(cell) ? ATOM : i == 0 ? PRODUCT : SIGNED;
  case PW_OP_NEG: return PRODUCT;
  case PW_OP_POW: return i == 0 ? ATOM : SIGNED;
  case PW_OP_POWI: return ATOM;
  default: return 0;
  }
}

static bool is_infix(const pw_cell *cell) {
  return binding(cell) != ATOM;
}

static void print_leaf(printer *p, const pw_cell *cell) {
  if (cell->op == PW_OP_CONST) {
    pw_buf_real(p->out, cell->rest.value);
  } else {
    pw_buf_puts(p->out, p->name(p->payload, cell->a));
  }
}

/* Enters an operand; a leaf, or one beyond the limits, is printed at once. */
static void enter(printer *p, pw_node node, int need) {
  const pw_cell *cell = &p->dag->cell[node];
  if (p->depth == DEPTH_MAX || p->out->len - p->start > TEXT_MAX) {
    pw_buf_puts(p->out, "...");
    return;
  }
  if (p->number != NULL && p->number[node] > 0 && p->depth > 0) {
    pw_buf_printf(p->out, "e%d", p->number[node]);
    return;
  }
  bool bracket = binding(cell) < need;
  if (bracket) {
    pw_buf_puts(p->out, "(");
  }
  if (pw_op_arity((pw_op)cell->op) == 0) {
    print_leaf(p, cell);
    pw_buf_puts(p->out, bracket ? ")" : "");
    return;
  }
  p->stack[p->depth++] = (frame){node, 0, bracket};
}

/* Text before operand i. */
static void separate(printer *p, const pw_cell *cell, int i) {
  if (cell->op == PW_OP_NEG) {
    pw_buf_puts(p->out, "-");
  } else if (cell->op == PW_OP_TABLE || cell->op == PW_OP_LOOKUP) {
    pw_buf_printf(p->out, "%s%d.%d(", pw_op_text((pw_op)cell->op),
                  cell->rest.arg[0] / PW_LUT_RADIX + 1, cell->rest.arg[0] % PW_LUT_RADIX);
  } else if (!is_infix(cell)) {
    pw_buf_puts(p->out, i == 0 ? pw_op_text((pw_op)cell->op) : ", ");
    pw_buf_puts(p->out, i == 0 ? "(" : "");
  } else if (i > 0) {
    bool spaced = cell->op == PW_OP_ADD || cell->op == PW_OP_SUB;
    pw_buf_printf(p->out, spaced ? " %s " : "%s", pw_op_text((pw_op)cell->op));
  }
}

static void leave(printer *p, const pw_cell *cell, bool bracket) {
  if (cell->op == PW_OP_POWI) {
    pw_buf_printf(p->out, "^%d", cell->rest.arg[0]);
  } else if (is_square(cell)) {
    pw_buf_puts(p->out, "^2");
  } else if (!is_infix(cell)) {
    pw_buf_puts(p->out, ")");
  }
  pw_buf_puts(p->out, bracket ? ")" : "");
}

void pw_node_print(pw_buf *out, const pw_dag *dag, pw_node a, name_fn name, void *payload) {
  pw_node_print_parts(out, dag, a, name, payload, NULL);
}

void pw_node_print_parts(pw_buf *out, const pw_dag *dag, pw_node a, name_fn name, void *payload,
                         const int *number) {
  printer p = {.out = out,
               .dag = dag,
               .name = name,
               .payload = payload,
               .start = out->len,
               .number = number};
  enter(&p, a, 0);
  while (p.depth > 0) {
    frame *top = &p.stack[p.depth - 1];
    const pw_cell *cell = &dag->cell[top->node];
    int shown = is_square(cell) ? 1 : pw_op_arity((pw_op)cell->op);
    if (top->next < shown) {
      int i = top->next++;
      separate(&p, cell, i);
      enter(&p, shown_arg(dag, cell, i), required(cell, i));
    } else {
      leave(&p, cell, top->bracket);
      p.depth--;
    }
  }
}
