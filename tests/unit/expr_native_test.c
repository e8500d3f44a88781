// SPDX-License-Identifier: MIT
/* Machine code against the interpreter, bit for bit, on random tapes: all operations, more living
 * values than registers, outputs that are inputs, constants or the same, and inputs that are zeros
 * of both signs, infinite, tiny, huge or no numbers. */
#include "alloc_wrap.h"
#include "expr/native.h"
#include "expr/tape_code.h"
#include "expr_support.h"

enum { MOST_OPS = 1500, MOST_OUT = 200, RUNS = 6 };

static int same_bits(double a, double b) {
  return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

static double special(lab *l) {
  static const double values[] = {0,      -0.0, 1,       -1,     INFINITY, -INFINITY, NAN,
                                  5e-324, 2.5,  -1e-310, 1e308,  -1e308,   0.5,       -0.75,
                                  1e-160, 3,    -1e160,  1.5e18, 2,        -7};
  return lab_int(l, 3) ? lab_real(l, -3, 3) : values[lab_int(l, 20)];
}

static void fill(lab *l, double *x, int tame) {
  for (int i = 0; i < LAB_VARS; i++) {
    x[i] = tame ? lab_real(l, -3, 3) : special(l);
  }
}

static long compared; /* numbers */

/* The first `tame` runs with usual numbers. */
static void compare(lab *l, const pw_node *f, int n, int tame, uint64_t seed) {
  pw_tape *plain = lab_compile(l, f, n), *tape = lab_compile(l, f, n);
  pw_native *native = pw_native_new(&tape, 1);
  if (native == NULL) {
    return;
  }
  size_t room = (size_t)pw_tape_registers(tape) + 1;
  double *reg = malloc(2 * room * sizeof *reg), *out = malloc(4 * (size_t)n * sizeof *out);
  double *want = out + n, *kept = want + n, *kept_want = kept + n;
  pw_tape_prepare(tape, reg);
  pw_tape_prepare(plain, reg + room);
  pw_tape_prepare_out(tape, kept);
  pw_tape_prepare_out(plain, kept_want);
  for (int run = 0; run < RUNS; run++) {
    double x[LAB_VARS], before[LAB_VARS];
    fill(l, x, run < tame);
    memcpy(before, x, sizeof x);
    pw_tape_run(tape, x, reg, out);
    pw_tape_update(tape, x, reg, kept);
    pw_tape_run(plain, x, reg + room, want);
    pw_tape_update(plain, x, reg + room, kept_want);
    CHECK_SEED(memcmp(before, x, sizeof x) == 0, seed);
    for (int i = 0; i < n; i++) {
      CHECK_SEED(same_bits(out[i], want[i]), seed);
      CHECK_SEED(same_bits(kept[i], kept_want[i]), seed);
    }
    compared += 2L * n;
  }
  free(reg);
  free(out);
  pw_native_free(native);
}

static void compare_random(uint64_t seed, int ops, int outputs, int tame) {
  static pw_node pool[MOST_OPS + 16], f[MOST_OUT];
  lab l;
  lab_open(&l, seed);
  f[0] = lab_random(&l, ops, tame, pool);
  for (int i = 1; i < outputs; i++) {
    f[i] = pool[lab_int(&l, ops)]; /* inputs, constants and others again and again */
  }
  compare(&l, f, outputs, 1, seed);
  lab_close(&l);
}

static void short_tapes(void) {
  for (uint64_t seed = 1; seed <= 3000; seed++) {
    compare_random(seed, 5 + (int)(seed % 60), 1 + (int)(seed % 9), seed % 3 == 0);
  }
}

static void long_tapes(void) {
  for (uint64_t seed = 1; seed <= 60; seed++) {
    compare_random(seed, MOST_OPS, MOST_OUT, seed % 2 == 0);
  }
}

/* Sums and products of values far back: most of them live long, and none is a call. */
static void many_living_values(void) {
  static const pw_op ops[] = {PW_OP_ADD, PW_OP_SUB, PW_OP_MUL, PW_OP_MIN, PW_OP_MAX, PW_OP_DIV};
  static pw_node pool[400 + LAB_VARS];
  for (uint64_t seed = 1; seed <= 400; seed++) {
    lab l;
    lab_open(&l, seed);
    int n = 0, ops_here = seed % 2 ? 3 : 6;
    for (int i = 0; i < LAB_VARS; i++) {
      pool[n++] = pw_var(l.dag, i);
    }
    for (int i = 0; i < 400; i++) {
      pw_node a = pool[lab_int(&l, n)], b = pool[lab_int(&l, n)], c = pool[lab_int(&l, n)];
      int which = lab_int(&l, ops_here + 2);
      pool[n++] = which == ops_here       ? pw_select(l.dag, a, b, c)
                  : which == ops_here + 1 ? pw_neg(l.dag, a)
                                          : pw_apply2(l.dag, ops[which], a, b);
    }
    compare(&l, pool + n - 30, 30, 1, seed);
    lab_close(&l);
  }
}

static void powers(void) {
  for (int n = -40; n <= 40; n++) {
    lab l;
    lab_open(&l, (uint64_t)(n + 100));
    pw_node x = pw_var(l.dag, 0), y = pw_pow(l.dag, x, pw_const(l.dag, n));
    pw_node f[] = {y, pw_mul(l.dag, y, x), x};
    compare(&l, f, 3, 1, (uint64_t)(n + 100));
    lab_close(&l);
  }
}

static void tables(void) {
  static const double at[] = {0, 1, 2.5, 4}, value[] = {1, -1, 0.5, 3};
  for (uint64_t seed = 1; seed <= 50; seed++) {
    lab l;
    lab_open(&l, seed);
    pw_lut lut = {.kind = PW_LUT_LINEAR, .n = 4, .x = at};
    pw_lut_fit(&l.arena, &lut, value);
    int table = pw_dag_add_table(l.dag, &lut);
    pw_node x = pw_var(l.dag, 0), piece = pw_const(l.dag, (double)(seed % 3));
    pw_node moving = pw_select(l.dag, x, piece, pw_const(l.dag, 1));
    pw_node c = pw_lookup(l.dag, table, PW_LUT_C1, moving);
    pw_node s = pw_apply1(l.dag, PW_OP_SIN, x);
    pw_node f[] = {c, pw_mul(l.dag, c, s), s, pw_apply1(l.dag, PW_OP_COS, x)};
    compare(&l, f, 4, RUNS, seed);
    lab_close(&l);
  }
}

static void allocates_nothing(void) {
  lab l;
  pw_node pool[80], f;
  lab_open(&l, 7);
  f = lab_random(&l, 60, 1, pool);
  pw_tape *tape = lab_compile(&l, &f, 1);
  pw_native *native = pw_native_new(&tape, 1);
  double *reg = malloc((size_t)(pw_tape_registers(tape) + 1) * sizeof *reg), out;
  const double x[LAB_VARS] = {0.1, 0.2, 0.3, 0.4};
  pw_tape_prepare(tape, reg);
  long before = alloc_calls();
  pw_tape_run(tape, x, reg, &out);
  CHECK(alloc_calls() == before);
  free(reg);
  pw_native_free(native);
  lab_close(&l);
}

static pw_tape *needy; /* of no_memory */

static void make(void *payload) {
  (void)payload;
  pw_native *native = pw_native_new(&needy, 1);
  CHECK(native != NULL || needy->native == NULL);
  needy->native = NULL;
  pw_native_free(native);
}

static void no_memory(void) {
  lab l;
  pw_node pool[80], f;
  lab_open(&l, 7);
  f = lab_random(&l, 60, 1, pool);
  needy = lab_compile(&l, &f, 1);
  CHECK(alloc_sweep(make, NULL) > 0);
  lab_close(&l);
}

/* On the machine that has it, it is used. */
static void is_there(void) {
#if defined(__x86_64__)
  CHECK(compared > 100000);
#endif
}

CHECK_MAIN({"short tapes", short_tapes}, {"long tapes", long_tapes},
           {"more values than registers", many_living_values}, {"powers", powers},
           {"tables", tables}, {"allocates nothing", allocates_nothing}, {"no memory", no_memory},
           {"is there", is_there})
