// SPDX-License-Identifier: MIT
/* Node numbers, and with them dumps and tapes, are part of the product: they must not depend on
 * compiler or platform. Expected text and sums were written down once. */
#include "expr/dag_impl.h"
#include "expr_support.h"

typedef const char *(*name_fn)(void *payload, int var);

static void dump_node(pw_buf *out, const pw_dag *dag, pw_node node, name_fn name, void *payload) {
  const pw_cell *cell = &dag->cell[node];
  pw_buf_printf(out, "n%d = ", node);
  if (cell->op == PW_OP_CONST) {
    pw_buf_real(out, cell->rest.value);
  } else if (cell->op == PW_OP_VAR) {
    pw_buf_puts(out, name(payload, cell->a));
  } else {
    pw_buf_puts(out, pw_op_text((pw_op)cell->op));
    for (int i = 0; i < pw_op_arity((pw_op)cell->op); i++) {
      pw_buf_printf(out, " n%d", pw_cell_arg(cell, i));
    }
    if (cell->op == PW_OP_POWI) {
      pw_buf_printf(out, " %d", cell->rest.arg[0]);
    }
  }
  pw_buf_puts(out, "\n");
}

/* Numbered list of all nodes below the roots. */
static void dag_dump(pw_buf *out, pw_dag *dag, const pw_node *roots, int n, name_fn name,
                     void *payload) {
  pw_sweep *s = pw_sweep_begin(dag);
  pw_sweep_collect(dag, s, roots, n);
  for (int i = 0; i < s->order.n; i++) {
    dump_node(out, dag, s->order.items[i], name, payload);
  }
  for (int r = 0; r < n; r++) {
    pw_buf_printf(out, "root %d = n%d\n", r, roots[r]);
  }
  pw_sweep_end(dag, s);
}

/* Kinetic energy of the double pendulum with unit masses and lengths. */
static pw_node pendulum(pw_dag *g) {
  pw_node vx = pw_const(g, 0), vy = vx, T = vx;
  for (int i = 0; i < 2; i++) {
    pw_node q = pw_var(g, i);
    pw_node v = pw_var(g, 2 + i);
    pw_node c = pw_apply1(g, PW_OP_COS, q);
    pw_node s = pw_apply1(g, PW_OP_SIN, q);
    vx = pw_add(g, vx, pw_mul(g, c, v));
    vy = pw_add(g, vy, pw_mul(g, s, v));
    pw_node xx = pw_mul(g, vx, vx);
    pw_node yy = pw_mul(g, vy, vy);
    pw_node sum = pw_add(g, xx, yy);
    T = pw_add(g, T, pw_mul(g, pw_const(g, 0.5), sum));
  }
  return T;
}

static const char *name(void *payload, int var) {
  static const char *const names[] = {"q1", "q2", "v1", "v2"};
  (void)payload;
  return names[var];
}

static void pendulum_dump(void) {
  lab l;
  lab_open(&l, 0);
  pw_node T = pendulum(l.dag);
  pw_node p[2];
  pw_gradient(l.dag, T, (int[]){2, 3}, 2, p);
  pw_buf dag = {0}, tape = {0}, text = {0};
  dag_dump(&dag, l.dag, &p[1], 1, name, NULL);
  pw_tape_dump(&tape, lab_compile(&l, &p[1], 1));
  pw_node_print(&text, l.dag, p[1], name, NULL);
  CHECK_STR(text.text, "sin(q2)*(v1*sin(q1) + v2*sin(q2)) + cos(q2)*(v1*cos(q1) + v2*cos(q2))");
  CHECK_STR(dag.text, "n12 = q2\n"
                      "n15 = sin n12\n"
                      "n2 = v1\n"
                      "n1 = q1\n"
                      "n4 = sin n1\n"
                      "n6 = * n2 n4\n"
                      "n13 = v2\n"
                      "n18 = * n13 n15\n"
                      "n19 = + n6 n18\n"
                      "n28 = * n15 n19\n"
                      "n14 = cos n12\n"
                      "n3 = cos n1\n"
                      "n5 = * n2 n3\n"
                      "n16 = * n13 n14\n"
                      "n17 = + n5 n16\n"
                      "n30 = * n14 n17\n"
                      "n31 = + n28 n30\n"
                      "root 0 = n31\n");
  CHECK_STR(tape.text, "tape: 5 instructions, 27 words of 16 bit, 6 registers\n"
                       "  r0 = in[1]\n"
                       "  r1 = in[2]\n"
                       "  r2 = in[0]\n"
                       "  r3 = in[3]\n"
                       "  r0, r4 = SINCOS r0\n"
                       "  r2, r5 = SINCOS r2\n"
                       "  r2 = MUL_ADD_MUL r1 r2 r3 r0\n"
                       "  r3 = MUL_ADD_MUL r1 r5 r3 r4\n"
                       "  r3 = MUL_ADD_MUL r0 r2 r4 r3\n"
                       "  out[0] = r3\n");
  pw_buf_free(&dag);
  pw_buf_free(&tape);
  pw_buf_free(&text);
  lab_close(&l);
}

static uint64_t fnv(uint64_t h, const char *text) {
  for (; *text != '\0'; text++) {
    h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
  }
  return h;
}

/* 50 random expressions with gradients and second derivatives, dumped. Functions of the constants
 * 0.75 and -2 are folded, so a libm that rounds those differently would change the sum. */
static void random_dumps(void) {
  uint64_t sum = UINT64_C(0xcbf29ce484222325);
  for (uint64_t seed = 1; seed <= 50; seed++) {
    lab l;
    lab_open(&l, seed);
    pw_node pool[96], f[3];
    f[0] = lab_random(&l, 60, 1, pool);
    pw_gradient(l.dag, f[0], (int[]){0, 1}, 2, &f[1]);
    f[2] = lab_forward(l.dag, f[2], 2);
    pw_buf text = {0};
    dag_dump(&text, l.dag, f, 3, lab_name, NULL);
    pw_tape_dump(&text, lab_compile(&l, f, 3));
    sum = fnv(sum, text.text);
    pw_buf_free(&text);
    lab_close(&l);
  }
  if (!CHECK(sum == UINT64_C(0xa7f24e2314c0865d))) {
    printf("  sum 0x%016llx\n", (unsigned long long)sum);
  }
}

CHECK_MAIN({"pendulum dump", pendulum_dump}, {"random dumps", random_dumps})
