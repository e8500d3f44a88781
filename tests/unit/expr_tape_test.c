// SPDX-License-Identifier: MIT
/* Tapes against direct evaluation, bit for bit; fusion, liveness, wide code; no allocation. */
#include "alloc_wrap.h"
#include "expr_support.h"

enum { OPS = 60, OUTPUTS = 5 };

static int same_bits(double a, double b) {
  return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

/* Runs the tape twice on one register file: a value left over would show in the second run. */
static void compare(lab *l, const pw_node *f, int n, uint64_t seed) {
  pw_tape *tape = lab_compile(l, f, n);
  double *reg = malloc((size_t)(pw_tape_registers(tape) + 1) * sizeof *reg);
  double *out = malloc((size_t)n * sizeof *out), *kept = malloc((size_t)n * sizeof *kept);
  pw_tape_prepare(tape, reg);
  pw_tape_prepare_out(tape, kept);
  for (int run = 0; run < 3; run++) {
    double x[LAB_VARS];
    for (int i = 0; i < LAB_VARS; i++) {
      x[i] = run == 2 ? 0 : lab_real(l, -3, 3);
    }
    pw_tape_run(tape, x, reg, out);
    pw_tape_update(tape, x, reg, kept);
    for (int i = 0; i < n; i++) {
      CHECK_SEED(same_bits(out[i], pw_eval(l->dag, f[i], lab_value, x)), seed);
      CHECK_SEED(same_bits(out[i], kept[i]), seed);
    }
  }
  free(reg);
  free(kept);
  free(out);
}

static void equals_evaluation(void) {
  for (uint64_t seed = 1; seed <= 1000; seed++) {
    lab l;
    lab_open(&l, seed);
    pw_node pool[OPS + 16], f[OUTPUTS];
    f[0] = lab_random(&l, OPS, seed % 2 == 0, pool);
    for (int i = 1; i < OUTPUTS; i++) {
      f[i] = pool[lab_int(&l, OPS)];
    }
    compare(&l, f, OUTPUTS, seed);
    lab_close(&l);
  }
}

/* Sums and products only: every pair of fused operations occurs. */
static void fused_arithmetic(void) {
  static const pw_op ops[] = {PW_OP_ADD, PW_OP_SUB, PW_OP_MUL};
  lab l;
  lab_open(&l, 5);
  pw_node v[LAB_VARS];
  for (int i = 0; i < LAB_VARS; i++) {
    v[i] = pw_var(l.dag, i);
  }
  for (int k = 0; k < 27; k++) {
    pw_node left = pw_apply2(l.dag, ops[k % 3], v[0], v[1]);
    pw_node right = pw_apply2(l.dag, ops[k / 3 % 3], v[2], v[3]);
    pw_node a = pw_apply2(l.dag, ops[k / 9], left, v[2]);
    pw_node b = pw_apply2(l.dag, ops[k / 9], v[3], left);
    pw_node both = pw_apply2(l.dag, ops[k / 9], left, right);
    compare(&l, &a, 1, (uint64_t)k);
    compare(&l, &b, 1, (uint64_t)k);
    compare(&l, &both, 1, (uint64_t)k);
    pw_node minus = pw_neg(l.dag, both);
    compare(&l, &minus, 1, (uint64_t)k);
    CHECK_INT(pw_tape_length(lab_compile(&l, &a, 1)), 1);
    CHECK_INT(pw_tape_length(lab_compile(&l, &b, 1)), 1);
    compare(&l, (pw_node[]){both, left, both, right}, 4, (uint64_t)k); /* inner ones shared */
  }
  lab_close(&l);
}

static void sine_and_cosine_together(void) {
  lab l;
  lab_open(&l, 3);
  pw_node x = pw_var(l.dag, 0);
  pw_node s = pw_apply1(l.dag, PW_OP_SIN, x);
  pw_node c = pw_apply1(l.dag, PW_OP_COS, x);
  CHECK_INT(pw_tape_length(lab_compile(&l, (pw_node[]){s, c}, 2)), 1);
  CHECK_INT(pw_tape_length(lab_compile(&l, &c, 1)), 1);
  compare(&l, (pw_node[]){c, s}, 2, 0);
  pw_node f = pw_div(l.dag, s, pw_add(l.dag, pw_apply1(l.dag, PW_OP_EXP, c), x));
  compare(&l, &f, 1, 1);
  lab_close(&l);
}

static void outputs_of_leaves(void) {
  lab l;
  lab_open(&l, 3);
  pw_node x = pw_var(l.dag, 2);
  pw_node k = pw_const(l.dag, 1.5);
  pw_node f[] = {k, x, x, pw_add(l.dag, x, k), k};
  compare(&l, f, 5, 0);
  CHECK_INT(pw_tape_outputs(lab_compile(&l, f, 5)), 5);
  CHECK_INT(pw_tape_length(lab_compile(&l, f, 0)), 0);
  lab_close(&l);
}

/* The sum of 1000 products needs a handful of registers beside its inputs. */
static void registers_are_reused(void) {
  lab l;
  lab_open(&l, 0);
  pw_node sum = pw_const(l.dag, 0);
  pw_node x = pw_var(l.dag, 0);
  pw_node y = pw_var(l.dag, 1);
  for (int i = 1; i <= 1000; i++) {
    x = pw_apply1(l.dag, PW_OP_SIN, pw_add(l.dag, x, y));
    sum = pw_add(l.dag, sum, pw_mul(l.dag, x, y));
  }
  pw_tape *tape = lab_compile(&l, &sum, 1);
  CHECK(pw_tape_registers(tape) <= 6);
  compare(&l, &sum, 1, 0);
  lab_close(&l);
}

/* More than 65536 values alive at once: 32-bit code. */
static void wide_code(void) {
  enum { N = 70000 };
  lab l;
  lab_open(&l, 0);
  pw_node *f = malloc(N * sizeof *f);
  pw_node x = pw_var(l.dag, 0);
  for (int i = 0; i < N; i++) {
    f[i] = pw_mul(l.dag, x, pw_const(l.dag, i + 2));
  }
  pw_tape *tape = lab_compile(&l, f, N);
  double *reg = malloc((size_t)pw_tape_registers(tape) * sizeof *reg);
  double *out = malloc(N * sizeof *out);
  pw_tape_prepare(tape, reg);
  pw_tape_run(tape, &(double){0.5}, reg, out);
  int wrong = 0;
  for (int i = 0; i < N; i++) {
    wrong += !(out[i] == 0.5 * (i + 2));
  }
  CHECK_INT(wrong, 0);
  CHECK(pw_tape_registers(tape) > 65536);
  free(f);
  free(reg);
  free(out);
  lab_close(&l);
}

static void nan_is_handed_on(void) {
  lab l;
  lab_open(&l, 0);
  pw_node x = pw_var(l.dag, 0);
  pw_node y = pw_var(l.dag, 1);
  pw_node f[] = {pw_apply2(l.dag, PW_OP_MIN, x, y), pw_apply2(l.dag, PW_OP_MAX, x, y),
                 pw_apply1(l.dag, PW_OP_ABS, x), pw_apply1(l.dag, PW_OP_SIGN, x),
                 pw_select(l.dag, x, y, pw_const(l.dag, 1))};
  pw_tape *tape = lab_compile(&l, f, 5);
  double reg[16], out[5], jet_in[4] = {NAN, 0, 1, 0}, work[64], jet[10];
  CHECK(pw_tape_registers(tape) <= 16);
  pw_tape_prepare(tape, reg);
  pw_tape_run(tape, (double[]){NAN, 1}, reg, out);
  pw_tape_jet(tape, 1, jet_in, work, jet);
  for (int i = 0; i < 5; i++) {
    CHECK(isnan(out[i]));
    CHECK(isnan(jet[2 * i]));
  }
  pw_tape_run(tape, (double[]){1, NAN}, reg, out);
  CHECK(isnan(out[0]) && isnan(out[1]) && isnan(out[4]));
  lab_close(&l);
}

static void no_allocation(void) {
  lab l;
  lab_open(&l, 77);
  pw_node pool[OPS + 16];
  pw_node f = lab_random(&l, OPS, 1, pool);
  pw_tape *tape = lab_compile(&l, &f, 1);
  size_t n = (size_t)pw_tape_registers(tape);
  double *reg = malloc(n * sizeof *reg);
  double *work = malloc((n + 3) * 9 * sizeof *work);
  double x[LAB_VARS] = {1, 2, 3, 4}, series[LAB_VARS * 9] = {0}, out[9];
  pw_tape_prepare(tape, reg);
  long before = alloc_calls();
  for (int i = 0; i < 100; i++) {
    pw_tape_run(tape, x, reg, out);
    pw_tape_jet(tape, 8, series, work, out);
  }
  CHECK_INT(alloc_calls(), before);
  CHECK(before > 0);
  free(reg);
  free(work);
  lab_close(&l);
}

/* Everything that builds, with the k-th allocation failing. */
static void build_all(void *payload) {
  lab l;
  lab_prepare(&l, 0, 42);
  l.arena.on_fail = &l.jump;
  if (setjmp(l.jump) == 0) {
    l.dag = pw_dag_new(&l.arena);
    pw_node *pool = pw_arena_take(&l.arena, 2000, sizeof *pool);
    pw_node f[2];
    f[0] = lab_random(&l, 1500, 1, pool);
    pw_gradient(l.dag, f[0], &(int){0}, 1, &f[1]);
    f[0] = lab_forward(l.dag, f[0], 1);
    lab_compile(&l, f, 2);
    *(int *)payload += 1;
  } else {
    CHECK_INT(l.arena.failure, PAWL_E_MEMORY);
  }
  lab_close(&l);
}

static void failing_memory(void) {
  int finished = 0;
  CHECK(alloc_sweep(build_all, &finished) > 2);
  CHECK_INT(finished, 1);
}

CHECK_MAIN({"equals evaluation", equals_evaluation}, {"fused arithmetic", fused_arithmetic},
           {"sine and cosine together", sine_and_cosine_together},
           {"outputs of leaves", outputs_of_leaves}, {"registers reused", registers_are_reused},
           {"wide code", wide_code}, {"NaN is handed on", nan_is_handed_on},
           {"no allocation", no_allocation}, {"failing memory", failing_memory})
