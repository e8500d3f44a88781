// SPDX-License-Identifier: MIT
/* Sparse factors and rows against dense ones, on random trees, loops and blocks. */
#include "base/real.h"
#include "check.h"
#include "linalg/chol.h"
#include "linalg/dense.h"
#include "linalg/qr.h"
#include "linalg/sparse_rows.h"
#include "linalg_random.h"

enum { MAX = 40, AREA = MAX * MAX, MOST = 1000000 };

typedef struct matrix { /* symmetric, and the pattern of its lower triangle */
  int n;
  double A[AREA];
  int start[MAX + 1], index[AREA];
  pw_pattern lower;
} matrix;

static int pick(uint64_t *state, int n) {
  int i = (int)((random_real(state) + 1) / 2 * n);
  return i < n ? i : n - 1;
}

/* A tree with `extra` edges more; diagonally dominant. */
static void random_matrix(matrix *m, int n, int extra, uint64_t *state) {
  memset(m, 0, sizeof *m);
  m->n = n;
  for (int e = 1; e < n + extra; e++) {
    int i = e < n ? e : pick(state, n), j = e < n ? pick(state, e) : pick(state, n);
    double x = i == j ? 0 : random_real(state);
    m->A[i * n + j] = m->A[j * n + i] = x;
  }
  int count = 0;
  for (int j = 0; j < n; j++) {
    double sum = 0.5;
    for (int i = 0; i < n; i++) {
      sum += i == j ? 0 : fabs(m->A[j * n + i]);
    }
    m->A[j * n + j] = sum;
    for (int i = j; i < n; i++) {
      if (m->A[j * n + i] != 0) {
        m->index[count++] = i;
      }
    }
    m->start[j + 1] = count;
  }
  m->lower = (pw_pattern){n, m->start, m->index};
}

static void load(const matrix *m, const pw_chol_plan *plan, double *x) {
  pw_zero(x, plan->numbers);
  for (int j = 0; j < m->n; j++) {
    for (int e = m->start[j]; e < m->start[j + 1]; e++) {
      x[plan->place[e]] = m->A[j * m->n + m->index[e]];
    }
  }
}

typedef struct scene {
  pw_arena arena;
  jmp_buf out_of_memory;
} scene;

static bool open_scene(scene *s) {
  pw_arena_init(&s->arena, 0);
  s->arena.on_fail = &s->out_of_memory;
  return setjmp(s->out_of_memory) == 0;
}

static void factor_solves(void) {
  for (uint64_t seed = 1; seed <= 80; seed++) {
    uint64_t state = seed;
    static matrix m;
    static double x[2 * AREA], b[MAX], y[MAX], up[MAX], diagonal[MAX];
    scene s;
    CHECK(open_scene(&s));
    random_matrix(&m, 1 + (int)(seed % MAX), (int)(seed % 7) * 2, &state);
    pw_chol_plan *plan = pw_chol_plan_new(&s.arena, &m.lower, MOST);
    load(&m, plan, x);
    for (int i = 0; i < m.n; i++) {
      diagonal[i] = m.A[i * m.n + i];
    }
    CHECK_SEED(pw_chol_plan_factor(plan, x, diagonal) == 0, seed);
    random_fill(b, m.n, &state);
    pw_copy(y, b, m.n);
    pw_chol_plan_forward(plan, x, y);
    double length = pw_dot(y, y, m.n);
    pw_chol_plan_backward(plan, x, y);
    pw_gemv(m.A, m.n, m.n, y, up);
    for (int i = 0; i < m.n; i++) {
      CHECK_SEED(fabs(up[i] - b[i]) <= 1e-13 * m.n, seed);
    }
    CHECK_SEED(fabs(pw_dot(y, b, m.n) - length) <= 1e-12 * length, seed); /* b.A^-1 b */
    pw_chol_plan_lift(plan, x, y, up);
    CHECK_SEED(fabs(pw_dot(up, up, m.n) - length) <= 1e-12 * length, seed); /* y.A y */
    pw_arena_free(&s.arena);
  }
}

/* Trees are eliminated from their leaves: as many entries beside the diagonal as edges. */
static void trees_fill_nothing_in(void) {
  for (uint64_t seed = 1; seed <= 40; seed++) {
    uint64_t state = seed;
    static matrix m;
    scene s;
    CHECK(open_scene(&s));
    random_matrix(&m, MAX, 0, &state);
    const pw_chol_plan *plan = pw_chol_plan_new(&s.arena, &m.lower, MOST);
    CHECK_SEED(plan->numbers == 2 * MAX - 1, seed);
    CHECK_SEED(pw_chol_plan_new(&s.arena, &m.lower, plan->work) != NULL, seed);
    CHECK_SEED(pw_chol_plan_new(&s.arena, &m.lower, plan->work - 1) == NULL, seed);
    pw_arena_free(&s.arena);
  }
}

static void not_positive(void) {
  static matrix m;
  static double x[2 * AREA];
  uint64_t state = 5;
  scene s;
  CHECK(open_scene(&s));
  random_matrix(&m, 9, 3, &state);
  const pw_chol_plan *plan = pw_chol_plan_new(&s.arena, &m.lower, MOST);
  double ones[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
  load(&m, plan, x);
  x[4] = -1;
  CHECK(pw_chol_plan_factor(plan, x, ones) == 5);
  load(&m, plan, x);
  x[7] = NAN;
  CHECK(pw_chol_plan_factor(plan, x, ones) != 0);
  pw_arena_free(&s.arena);
}

typedef struct rows_case { /* rows J of few entries over a matrix M */
  matrix M;
  int m, start[MAX + 1], index[AREA];
  double J[AREA], dense[AREA]; /* entries; n x m, L^-1 J^T with unit columns */
  pw_pattern rows;
} rows_case;

static void random_rows(rows_case *c, int n, int m, uint64_t *state) {
  random_matrix(&c->M, n, 0, state);
  for (int i = 0; i < n; i++) { /* blocks of three, as bodies have */
    for (int j = 0; j < i; j++) {
      if (i / 3 != j / 3) {
        c->M.A[i * n + j] = c->M.A[j * n + i] = 0;
      }
    }
  }
  int count = 0;
  c->M.start[0] = 0;
  for (int j = 0; j < n; j++) {
    for (int i = j; i < n && i / 3 == j / 3; i++) {
      c->M.index[count++] = i;
    }
    c->M.start[j + 1] = count;
  }
  c->m = m;
  count = 0;
  for (int i = 0; i < m; i++) {
    int a = i % n, b = i == 0 ? n - 1 : pick(state, n);
    c->index[count] = a < b ? a : b;
    c->J[count++] = 1 + random_real(state) / 2;
    if (a != b) {
      c->index[count] = a < b ? b : a;
      c->J[count++] = random_real(state) / 2;
    }
    c->start[i + 1] = count;
  }
  c->rows = (pw_pattern){m, c->start, c->index};
}

/* The same by dense Cholesky and QR; lambda and the rejected part do not depend on the root of M.
 */
static void dense_answer(rows_case *c, const double *force, const double *r, double *accel,
                         double *lambda) {
  int n = c->M.n;
  static double L[AREA], y[MAX], memory[8 * AREA], f[MAX];
  static int ints[40 * MAX];
  pw_qr qr;
  memcpy(L, c->M.A, sizeof L);
  CHECK(pw_chol(L, n) == 0);
  pw_qr_init(&qr, n, c->m, memory, ints);
  pw_copy(f, force, n);
  pw_chol_forward(L, n, f);
  static double length[MAX], ask[MAX];
  for (int i = 0; i < c->m; i++) {
    double *a = c->dense + i * n;
    pw_zero(a, n);
    for (int e = c->start[i]; e < c->start[i + 1]; e++) {
      a[c->index[e]] = c->J[e];
    }
    length[i] = pw_chol_unit(L, n, a);
    ask[i] = r[i] / length[i] - pw_dot(a, f, n);
  }
  memcpy(qr.A, c->dense, sizeof(double) * (size_t)(n * c->m));
  CHECK(pw_qr_decompose(&qr, 1e-12) == c->m);
  (void)pw_qr_gram_solve(&qr, ask, lambda, y);
  for (int i = 0; i < n; i++) {
    accel[i] = f[i] + y[i];
  }
  pw_chol_backward(L, n, accel);
  for (int i = 0; i < c->m; i++) {
    lambda[i] /= length[i];
  }
}

static void sparse_answer(const rows_case *c, const double *force, const double *r, double *accel,
                          double *lambda) {
  int n = c->M.n;
  static double x[2 * AREA], memory[8 * AREA], y[MAX], ask[MAX], diagonal[MAX];
  scene s;
  CHECK(open_scene(&s));
  const pw_chol_plan *mass = pw_chol_plan_new(&s.arena, &c->M.lower, MOST);
  const pw_rows_plan *plan = pw_rows_plan_new(&s.arena, mass, &c->rows, MOST);
  pw_sparse_rows rows;
  pw_sparse_rows_init(&rows, plan, mass, memory);
  load(&c->M, mass, x);
  for (int i = 0; i < n; i++) {
    diagonal[i] = c->M.A[i * n + i];
  }
  CHECK(pw_chol_plan_factor(mass, x, diagonal) == 0);
  pw_sparse_rows_load(&rows, x, c->J);
  CHECK(pw_sparse_rows_factor(&rows) > 1e-6);
  pw_copy(accel, force, n);
  pw_chol_plan_forward(mass, x, accel);
  for (int i = 0; i < c->m; i++) {
    ask[i] = r[i] / rows.length[i] - pw_sparse_rows_dot(&rows, i, accel);
  }
  pw_sparse_rows_solve(&rows, ask, lambda, y);
  for (int i = 0; i < n; i++) {
    accel[i] += y[i];
  }
  pw_chol_plan_backward(mass, x, accel);
  for (int i = 0; i < c->m; i++) {
    lambda[i] /= rows.length[i];
  }

  /* what is orthogonal to the columns has no part along them */
  static double rest[MAX], room[MAX];
  pw_copy(rest, force, n);
  pw_sparse_rows_reject(&rows, rest, room);
  for (int i = 0; i < c->m; i++) {
    CHECK(fabs(pw_sparse_rows_dot(&rows, i, rest)) <= 1e-13);
  }
  pw_arena_free(&s.arena);
}

static void rows_agree_with_dense(void) {
  for (uint64_t seed = 1; seed <= 80; seed++) {
    uint64_t state = seed;
    static rows_case c;
    static double force[MAX], r[MAX], a[MAX], b[MAX], x[MAX], z[MAX];
    memset(&c, 0, sizeof c);
    int n = 6 + (int)(seed % 34), m = 1 + pick(&state, n / 2);
    random_rows(&c, n, m, &state);
    c.M.lower = (pw_pattern){n, c.M.start, c.M.index};
    random_fill(force, n, &state);
    random_fill(r, m, &state);
    dense_answer(&c, force, r, a, x);
    sparse_answer(&c, force, r, b, z);
    for (int i = 0; i < n; i++) {
      CHECK_SEED(fabs(a[i] - b[i]) <= 1e-12 * (1 + pw_norm_inf(a, n)), seed);
    }
    for (int i = 0; i < m; i++) {
      CHECK_SEED(fabs(x[i] - z[i]) <= 1e-12 * (1 + pw_norm_inf(x, m)), seed);
    }
  }
}

/* Two equal rows: the second one leaves nothing. */
static void dependence_is_noticed(void) {
  static double x[4] = {1, 1, 1, 1}, memory[64];
  const int start[] = {0, 1, 2, 3, 4}, index[] = {0, 1, 2, 3};
  const int row_start[] = {0, 2, 4, 6}, row[] = {0, 1, 1, 2, 0, 1};
  const double J[] = {1, 2, 3, 4, 2, 4}, other[] = {1, 2, 3, 4, 2, 3.9};
  scene s;
  CHECK(open_scene(&s));
  const pw_pattern diagonal = {4, start, index}, rows = {3, row_start, row};
  const pw_chol_plan *mass = pw_chol_plan_new(&s.arena, &diagonal, MOST);
  const pw_rows_plan *plan = pw_rows_plan_new(&s.arena, mass, &rows, MOST);
  pw_sparse_rows r;
  CHECK(pw_sparse_rows_doubles(plan) <= 64);
  pw_sparse_rows_init(&r, plan, mass, memory);
  pw_sparse_rows_load(&r, x, J);
  CHECK(pw_sparse_rows_factor(&r) < 1e-7);
  pw_sparse_rows_load(&r, x, other);
  CHECK(pw_sparse_rows_factor(&r) > 1e-4);
  CHECK(pw_sparse_rows_smallest(&r) > 1e-4 && pw_sparse_rows_smallest(&r) < 0.1);
  pw_arena_free(&s.arena);
}

CHECK_MAIN({"factor_solves", factor_solves}, {"trees_fill_nothing_in", trees_fill_nothing_in},
           {"not_positive", not_positive}, {"rows_agree_with_dense", rows_agree_with_dense},
           {"dependence_is_noticed", dependence_is_noticed})
