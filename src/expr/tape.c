// SPDX-License-Identifier: MIT
/* Compiles expressions to a tape: operands first, only nodes that the outputs need, two operations
 * fused into one instruction where the inner result has no other use, registers reused as soon as
 * their value is dead. */
#include "expr/tape.h"

#include "expr/dag_impl.h"
#include "expr/tape_code.h"

enum { PENDING = -1, ABSORBED = -2 };

typedef struct compiler {
  pw_dag *dag;
  pw_sweep *s;   /* value[node] = position in s->order */
  int *use;      /* by position: references not yet consumed */
  int *reg;      /* by position: register, PENDING, or ABSORBED into the only user */
  pw_ints *word; /* code before packing */
  pw_ints *idle; /* registers free for reuse, the last one freed first */
  int n_const, n_in, n_reg, length;
} compiler;

static const pw_cell *cell_of(const compiler *c, pw_node a) {
  return &c->dag->cell[a];
}

static int *reg_of(const compiler *c, pw_node a) {
  return &c->reg[c->s->value[a]];
}

/* The instruction of a node that is not fused; END for POWI and leaves. */
static pw_tape_op plain_op(int op) {
  switch (op) {
#define SAME(name, value) \
  case PW_OP_##name: return PW_TAPE_##name;
    PW_TAPE_LIST1(SAME)
    SAME(ADD, 0)
    SAME(SUB, 0)
    SAME(MUL, 0)
    SAME(DIV, 0)
    SAME(POW, 0)
    SAME(ATAN2, 0)
    SAME(HYPOT, 0)
    SAME(MIN, 0)
    SAME(MAX, 0)
    SAME(SELECT, 0)
#undef SAME
  default: return PW_TAPE_END;
  }
}

/* ADD, SUB or MUL if the node may become the inner part of its only user, else END. */
static pw_tape_op inner_op(const compiler *c, pw_node a) {
  pw_tape_op op = plain_op(cell_of(c, a)->op);
  bool fits = op == PW_TAPE_ADD || op == PW_TAPE_SUB || op == PW_TAPE_MUL;
  return fits && c->use[c->s->value[a]] == 1 ? op : PW_TAPE_END;
}

static void count_uses(compiler *c, const pw_node *out, int n_out) {
  for (int i = 0; i < c->s->order.n; i++) {
    c->s->value[c->s->order.items[i]] = i;
    c->use[i] = 0;
  }
  for (int i = 0; i < c->s->order.n; i++) {
    const pw_cell *cell = cell_of(c, c->s->order.items[i]);
    for (int k = 0; k < pw_op_arity((pw_op)cell->op); k++) {
      c->use[c->s->value[pw_cell_arg(cell, k)]]++;
    }
  }
  for (int i = 0; i < n_out; i++) {
    c->use[c->s->value[out[i]]]++; /* never consumed: outputs live to the end */
  }
}

/* Marks the operands that the fused instruction of this node computes. */
static void absorb(const compiler *c, pw_node node) {
  const pw_cell *cell = cell_of(c, node);
  pw_tape_op left = PW_TAPE_END, right = PW_TAPE_END;
  switch (cell->op) {
  case PW_OP_NEG: left = inner_op(c, cell->a) == PW_TAPE_MUL ? PW_TAPE_MUL : PW_TAPE_END; break;
  case PW_OP_ADD:
  case PW_OP_SUB:
  case PW_OP_MUL:
    left = inner_op(c, cell->a);
    right = inner_op(c, cell->rest.arg[0]);
    break;
  default: return;
  }
  bool both = cell->op != PW_OP_MUL && left == PW_TAPE_MUL && right == PW_TAPE_MUL;
  bool prefer_right = right == PW_TAPE_MUL && left != PW_TAPE_MUL;
  if (both || (left != PW_TAPE_END && !prefer_right)) {
    *reg_of(c, cell->a) = ABSORBED;
  }
  if (both || (right != PW_TAPE_END && (prefer_right || left == PW_TAPE_END))) {
    *reg_of(c, cell->rest.arg[0]) = ABSORBED;
  }
}

static void absorb_all(const compiler *c) {
  for (int i = c->s->order.n - 1; i >= 0; i--) {
    if (c->reg[i] != ABSORBED) {
      absorb(c, c->s->order.items[i]);
    }
  }
}

static void number_leaves(compiler *c) {
  for (int i = 0; i < c->s->order.n; i++) {
    if (cell_of(c, c->s->order.items[i])->op == PW_OP_CONST) {
      c->reg[i] = c->n_const++;
    }
  }
  for (int i = 0; i < c->s->order.n; i++) {
    if (cell_of(c, c->s->order.items[i])->op == PW_OP_VAR) {
      c->reg[i] = c->n_const + c->n_in++;
    }
  }
  c->n_reg = c->n_const + c->n_in;
}

static void put(compiler *c, int word) {
  PW_PUSH(c->dag->arena, c->word, word);
}

/* One reference less; at the last one the register is free, unless it holds a constant. */
static void release(compiler *c, pw_node a) {
  int at = c->s->value[a];
  if (--c->use[at] == 0 && c->reg[at] >= c->n_const) {
    PW_PUSH(c->dag->arena, c->idle, c->reg[at]);
  }
}

static int take_register(compiler *c) {
  return c->idle->n > 0 ? c->idle->items[--c->idle->n] : c->n_reg++;
}

/* Every instruction reads all its operands before it writes, so it may write over them. */
static void emit(compiler *c, pw_tape_op op, pw_node node, const pw_node *arg) {
  int n = pw_tape_op_reads(op);
  int from[4];
  for (int i = 0; i < n; i++) {
    from[i] = *reg_of(c, arg[i]);
  }
  for (int i = 0; i < n; i++) {
    release(c, arg[i]);
  }
  put(c, (int)op);
  *reg_of(c, node) = take_register(c);
  put(c, *reg_of(c, node));
  for (int i = 0; i < n; i++) {
    put(c, from[i]);
  }
  c->length++;
}

static void emit_power(compiler *c, pw_node node) {
  pw_node a = cell_of(c, node)->a;
  int n = pw_node_int(c->dag, node);
  if (n == 3) { /* squaring forms x*(x*x) too */
    c->use[c->s->value[a]] += 2;
    emit(c, PW_TAPE_MUL_MUL, node, (pw_node[]){a, a, a});
  } else {
    emit(c, PW_TAPE_POWI, node, &a);
    put(c, n + PW_TAPE_BIAS);
  }
}

/* Sine and cosine of the same angle in one instruction, if both are needed. */
static void emit_angle(compiler *c, pw_node node) {
  const pw_cell *cell = cell_of(c, node);
  pw_op other = cell->op == PW_OP_SIN ? PW_OP_COS : PW_OP_SIN;
  pw_node a = cell->a;
  pw_node pair = pw_node_find(c->dag, other, a, 0, 0);
  if (!pw_sweep_has(c->s, pair)) {
    emit(c, plain_op(cell->op), node, &a);
    return;
  }
  pw_node sine = other == PW_OP_COS ? node : pair;
  pw_node cosine = other == PW_OP_COS ? pair : node;
  int from = *reg_of(c, a);
  release(c, a);
  release(c, a);
  *reg_of(c, sine) = take_register(c);
  *reg_of(c, cosine) = take_register(c);
  put(c, PW_TAPE_SINCOS);
  put(c, *reg_of(c, sine));
  put(c, *reg_of(c, cosine));
  put(c, from);
  c->length++;
}

static void emit_sum_or_product(compiler *c, pw_node node) {
  const pw_cell *cell = cell_of(c, node);
  pw_tape_op op = plain_op(cell->op);
  pw_node l = cell->a;
  pw_node r = cell->rest.arg[0];
  const pw_cell *in = cell_of(c, l), *in2 = cell_of(c, r);
  bool left = *reg_of(c, l) == ABSORBED, right = *reg_of(c, r) == ABSORBED;
  if (left && right) {
    pw_tape_op fused = op == PW_TAPE_ADD ? PW_TAPE_MUL_ADD_MUL : PW_TAPE_MUL_SUB_MUL;
    emit(c, fused, node, (pw_node[]){in->a, in->rest.arg[0], in2->a, in2->rest.arg[0]});
  } else if (left) {
    pw_tape_op fused = pw_tape_fuse(op, plain_op(in->op), false);
    emit(c, fused, node, (pw_node[]){in->a, in->rest.arg[0], r});
  } else if (right) {
    pw_tape_op fused = pw_tape_fuse(op, plain_op(in2->op), true);
    emit(c, fused, node, (pw_node[]){in2->a, in2->rest.arg[0], l});
  } else {
    emit(c, op, node, (pw_node[]){l, r});
  }
}

static void emit_lookup(compiler *c, pw_node node) {
  pw_node a = cell_of(c, node)->a;
  int column, table = pw_node_table(c->dag, node, &column);
  emit(c, PW_TAPE_LOOKUP, node, &a);
  put(c, table * PW_LUT_RADIX + column);
}

static void emit_node(compiler *c, pw_node node) {
  const pw_cell *cell = cell_of(c, node);
  switch (cell->op) {
  case PW_OP_ADD:
  case PW_OP_SUB:
  case PW_OP_MUL: emit_sum_or_product(c, node); break;
  case PW_OP_NEG:
    if (*reg_of(c, cell->a) == ABSORBED) {
      const pw_cell *in = cell_of(c, cell->a);
      emit(c, PW_TAPE_NEGMUL, node, (pw_node[]){in->a, in->rest.arg[0]});
    } else {
      emit(c, PW_TAPE_NEG, node, &cell->a);
    }
    break;
  case PW_OP_POWI: emit_power(c, node); break;
  case PW_OP_LOOKUP: emit_lookup(c, node); break;
  case PW_OP_SIN:
  case PW_OP_COS: emit_angle(c, node); break;
  default:
    emit(c, plain_op(cell->op), node, (pw_node[]){cell->a, cell->rest.arg[0], cell->rest.arg[1]});
    break;
  }
}

static void fill_leaves(const compiler *c, pw_tape *tape, pw_arena *arena,
                        int (*input)(void *payload, int var), void *payload) {
  double *constant = PW_TAKE(arena, c->n_const, double);
  int *index = PW_TAKE(arena, c->n_in, int);
  int k = 0, v = 0;
  for (int i = 0; i < c->s->order.n; i++) {
    const pw_cell *cell = cell_of(c, c->s->order.items[i]);
    if (cell->op == PW_OP_CONST) {
      constant[k++] = cell->rest.value;
    } else if (cell->op == PW_OP_VAR) {
      index[v++] = input(payload, cell->a);
    }
  }
  tape->constant = constant;
  tape->input = index;
}

static void translate(compiler *c, const pw_node *out, int n_out) {
  pw_sweep_collect(c->dag, c->s, out, n_out);
  c->use = pw_sweep_table(c->dag, c->s, 0, c->s->order.n);
  c->reg = pw_sweep_table(c->dag, c->s, 1, c->s->order.n);
  c->word = &c->s->stack;
  c->idle = &c->s->table[2];
  c->idle->n = 0;
  count_uses(c, out, n_out);
  absorb_all(c);
  number_leaves(c);
  for (int i = 0; i < c->s->order.n; i++) {
    if (c->reg[i] == PENDING) {
      emit_node(c, c->s->order.items[i]);
    }
  }
  put(c, PW_TAPE_END);
}

/* The list of the graph may move when it grows. */
static const pw_lut *const *keep_tables(pw_arena *arena, const pw_dag *dag) {
  const pw_lut **table = PW_TAKE(arena, dag->tables.n + 1, const pw_lut *);
  for (int i = 0; i < dag->tables.n; i++) {
    table[i] = dag->tables.items[i];
  }
  return table;
}

pw_tape *pw_tape_compile(pw_arena *arena, pw_dag *dag, const pw_node *out, int n_out,
                         int (*input)(void *payload, int var), void *payload) {
  compiler c = {.dag = dag, .s = pw_sweep_begin(dag)};
  translate(&c, out, n_out);
  pw_tape *tape = PW_NEW(arena, pw_tape);
  int *output = PW_TAKE(arena, n_out, int);
  for (int i = 0; i < n_out; i++) {
    output[i] = *reg_of(&c, out[i]);
  }
  fill_leaves(&c, tape, arena, input, payload);
  tape->words = c.word->n;
  tape->length = c.length;
  tape->n_const = c.n_const;
  tape->n_in = c.n_in;
  tape->n_out = n_out;
  tape->n_reg = c.n_reg;
  tape->output = output;
  tape->table = keep_tables(arena, dag);
  pw_tape_complete(arena, tape, c.word->items);
  pw_sweep_end(dag, c.s);
  return tape;
}

static bool note_last(void *payload, int var) {
  int *last = payload;
  *last = var > *last ? var : *last;
  return false;
}

static int own_number(void *payload, int var) {
  (void)payload;
  return var;
}

pw_tape *pw_tape_of_variables(pw_arena *arena, pw_dag *dag, pw_node a, int *n_in) {
  int last = 0;
  (void)pw_depends(dag, a, note_last, &last);
  *n_in = last + 1;
  return pw_tape_compile(arena, dag, &a, 1, own_number, NULL);
}

int pw_tape_length(const pw_tape *tape) {
  return tape->length;
}

int pw_tape_registers(const pw_tape *tape) {
  return tape->n_reg;
}

int pw_tape_outputs(const pw_tape *tape) {
  return tape->n_out;
}
