// SPDX-License-Identifier: MIT
#include "linalg/qr.h"

#include "base/real.h"
#include "check.h"
#include "linalg/dense.h"
#include "linalg_random.h"

enum { MAX = 9, AREA = MAX * MAX, MEMORY = 5 * AREA, INTS = 12 * MAX };

static const double rank_tol = 1e-10;

typedef struct problem {
  int n, m, rank;
  double A[AREA]; /* n x m = B C with B n x rank, C rank x m */
  double C[AREA];
  double doubles[MEMORY];
  int ints[INTS];
  pw_qr f;
} problem;

static void normalise_columns(problem *p) {
  for (int j = 0; j < p->m; j++) {
    double *col = p->A + j * p->n, *factor = p->C + j * p->rank;
    double size = pw_norm2(col, p->n);
    for (int i = 0; i < p->n; i++) {
      col[i] /= size;
    }
    for (int i = 0; i < p->rank; i++) {
      factor[i] /= size;
    }
  }
}

static void decompose(problem *p) {
  pw_qr_init(&p->f, p->n, p->m, p->doubles, p->ints);
  memcpy(p->f.A, p->A, sizeof(double) * (size_t)(p->n * p->m));
  pw_qr_decompose(&p->f, rank_tol);
}

/* Shapes from 1 x 1 to MAX x MAX with every rank in turn. */
static void random_problem(problem *p, uint64_t seed, uint64_t *state) {
  *state = seed;
  p->n = 1 + (int)(seed % MAX);
  p->m = 1 + (int)((seed / MAX) % MAX);
  int most = p->n < p->m ? p->n : p->m;
  p->rank = 1 + (int)((seed / 7) % (uint64_t)most);
  double B[AREA];
  random_fill(B, p->n * p->rank, state);
  random_fill(p->C, p->rank * p->m, state);
  multiply(B, p->C, p->n, p->rank, p->m, p->A);
  normalise_columns(p);
  decompose(p);
}

/* Random element of the null space of A: z minus its part in the row space, by Gram-Schmidt. */
static void null_vector(const problem *p, double *z, uint64_t *state) {
  double rows[AREA];
  transpose(p->C, p->rank, p->m, rows); /* m x rank */
  random_fill(z, p->m, state);
  for (int k = 0; k < p->rank; k++) {
    double *row = rows + k * p->m;
    for (int twice = 0; twice < 2; twice++) {
      for (int i = 0; i < k; i++) {
        pw_axpy(-pw_dot(row, rows + i * p->m, p->m), rows + i * p->m, row, p->m);
      }
    }
    double size = pw_norm2(row, p->m);
    for (int i = 0; i < p->m; i++) {
      row[i] /= size;
    }
  }
  for (int twice = 0; twice < 2; twice++) {
    for (int k = 0; k < p->rank; k++) {
      pw_axpy(-pw_dot(z, rows + k * p->m, p->m), rows + k * p->m, z, p->m);
    }
  }
}

static void factor_reproduces_the_matrix(void) {
  for (uint64_t seed = 1; seed <= 120; seed++) {
    problem p;
    uint64_t state;
    random_problem(&p, seed, &state);
    CHECK_SEED(p.f.rank == p.rank, seed);
    int seen = 0;
    for (int j = 0; j < p.m; j++) {
      double col[MAX] = {0};
      seen |= 1 << p.f.perm[j];
      for (int i = 0; i < p.n && i <= j && i < p.rank; i++) {
        col[i] = p.f.A[j * p.n + i];
      }
      pw_qr_apply_q(p.f.A, p.n, p.rank, p.f.tau, col);
      pw_axpy(-1, p.A + p.f.perm[j] * p.n, col, p.n);
      CHECK_SEED(pw_norm_inf(col, p.n) <= 1e-9, seed);
    }
    CHECK_SEED(seen == (1 << p.m) - 1, seed);
    for (int k = 0; k + 1 < p.rank; k++) { /* pivots do not grow */
      CHECK_SEED(fabs(p.f.A[(k + 1) * p.n + k + 1]) <= fabs(p.f.A[k * p.n + k]) * (1 + 1e-7), seed);
    }
  }
}

static void q_is_orthogonal(void) {
  for (uint64_t seed = 1; seed <= 60; seed++) {
    problem p;
    uint64_t state;
    random_problem(&p, seed, &state);
    double b[MAX], c[MAX];
    random_fill(b, p.n, &state);
    memcpy(c, b, sizeof b);
    pw_qr_apply_qt(p.f.A, p.n, p.rank, p.f.tau, c);
    CHECK_SEED(fabs(pw_norm2(b, p.n) - pw_norm2(c, p.n)) <= 1e-14 * p.n, seed);
    pw_qr_apply_q(p.f.A, p.n, p.rank, p.f.tau, c);
    pw_axpy(-1, b, c, p.n);
    CHECK_SEED(pw_norm_inf(c, p.n) <= 1e-14 * p.n, seed);
  }
}

static void least_squares_has_least_norm(void) {
  for (uint64_t seed = 1; seed <= 120; seed++) {
    problem p;
    uint64_t state;
    random_problem(&p, seed, &state);
    double c[MAX], x[MAX], res[MAX], normal[MAX], z[MAX];
    random_fill(c, p.n, &state);
    pw_qr_least_squares(&p.f, c, x);
    pw_gemv(p.A, p.n, p.m, x, res);
    pw_axpy(-1, c, res, p.n);
    pw_gemv_t(p.A, p.n, p.m, res, normal); /* A^T (A x - c) = 0 */
    double size = 1 + pw_norm_inf(x, p.m);
    CHECK_SEED(pw_norm_inf(normal, p.m) <= 1e-12 * size, seed);
    null_vector(&p, z, &state);
    CHECK_SEED(fabs(pw_dot(z, x, p.m)) <= 1e-9 * size, seed);
  }
}

static void multipliers_have_least_norm(void) {
  for (uint64_t seed = 1; seed <= 120; seed++) {
    problem p;
    uint64_t state;
    random_problem(&p, seed, &state);
    double any[MAX], r[MAX], y[MAX], y2[MAX], lambda[MAX], back[MAX], z[MAX];
    random_fill(any, p.n, &state);
    pw_gemv_t(p.A, p.n, p.m, any, r); /* consistent by construction */
    CHECK_SEED(pw_qr_min_norm(&p.f, r, y) <= 1e-9, seed);
    pw_gemv_t(p.A, p.n, p.m, y, back);
    pw_axpy(-1, r, back, p.m);
    CHECK_SEED(pw_norm_inf(back, p.m) <= 1e-9, seed);
    CHECK_SEED(pw_qr_gram_solve(&p.f, r, lambda, y2) <= 1e-9, seed);
    double size = 1 + pw_norm_inf(lambda, p.m);
    double Al[MAX];
    pw_gemv(p.A, p.n, p.m, lambda, Al); /* y = A lambda: in the range, so of least norm */
    pw_axpy(-1, y2, Al, p.n);
    CHECK_SEED(pw_norm_inf(Al, p.n) <= 1e-11 * size, seed);
    pw_axpy(-1, y, y2, p.n);
    CHECK_SEED(pw_norm_inf(y2, p.n) == 0, seed);
    CHECK_SEED(pw_norm2(y, p.n) <= pw_norm2(any, p.n) * (1 + 1e-9), seed);
    null_vector(&p, z, &state);
    CHECK_SEED(fabs(pw_dot(z, lambda, p.m)) <= 1e-9 * size, seed);
  }
}

/* r + z with z in the null space of A cannot be reached: the residual is max |z|. */
static void inconsistent_part_is_reported(void) {
  int met = 0;
  for (uint64_t seed = 1; seed <= 120; seed++) {
    problem p;
    uint64_t state;
    random_problem(&p, seed, &state);
    if (p.rank == p.m) {
      continue;
    }
    double any[MAX], r[MAX], y[MAX], back[MAX], z[MAX];
    random_fill(any, p.n, &state);
    pw_gemv_t(p.A, p.n, p.m, any, r);
    null_vector(&p, z, &state);
    pw_axpy(1, z, r, p.m);
    double residual = pw_qr_min_norm(&p.f, r, y);
    pw_gemv_t(p.A, p.n, p.m, y, back);
    pw_axpy(-1, r, back, p.m);
    CHECK_SEED(fabs(residual - pw_norm_inf(z, p.m)) <= 1e-9, seed);
    CHECK_SEED(fabs(residual - pw_norm_inf(back, p.m)) <= 1e-9, seed);
    met++;
  }
  CHECK(met > 20);
}

/* Neither a mirror image of space nor the order of the columns changes lambda. */
static void answer_is_invariant(void) {
  for (uint64_t seed = 1; seed <= 60; seed++) {
    problem p, turned;
    uint64_t state;
    random_problem(&p, seed, &state);
    turned = p;
    double v[MAX], any[MAX], r[MAX], y[MAX], lambda[MAX], other[MAX];
    random_fill(v, p.n, &state);
    double vv = pw_dot(v, v, p.n);
    for (int j = 0; j < p.m; j++) { /* columns in reverse order, mirrored at v */
      double *to = turned.A + (p.m - 1 - j) * p.n;
      memcpy(to, p.A + j * p.n, sizeof(double) * (size_t)p.n);
      pw_axpy(-2 * pw_dot(v, to, p.n) / vv, v, to, p.n);
    }
    decompose(&turned);
    random_fill(any, p.n, &state);
    pw_gemv_t(p.A, p.n, p.m, any, r);
    pw_qr_gram_solve(&p.f, r, lambda, y);
    double reversed[MAX];
    for (int j = 0; j < p.m; j++) {
      reversed[p.m - 1 - j] = r[j];
    }
    pw_qr_gram_solve(&turned.f, reversed, other, y);
    for (int j = 0; j < p.m; j++) {
      CHECK_SEED(fabs(other[p.m - 1 - j] - lambda[j]) <= 1e-8 * (1 + fabs(lambda[j])), seed);
    }
  }
}

static void four_legged_table(void) {
  /* Rows (1, x, y) of four legs at the corners of a square under a load at the middle. */
  double doubles[MEMORY], y[3], lambda[4];
  int ints[INTS];
  pw_qr f;
  pw_qr_init(&f, 3, 4, doubles, ints);
  const double A[12] = {1, 1, 1, 1, -1, 1, 1, 1, -1, 1, -1, -1};
  memcpy(f.A, A, sizeof A);
  CHECK_INT(pw_qr_decompose(&f, rank_tol), 3);
  double r[4] = {1, 1, 1, 1};
  CHECK_NEAR(pw_qr_gram_solve(&f, r, lambda, y), 0, 1e-14);
  for (int i = 0; i < 4; i++) {
    CHECK_NEAR(lambda[i], 0.25, 1e-15);
  }
  CHECK_NEAR(y[0], 1, 1e-15);
  CHECK_NEAR(y[1], 0, 1e-15);
}

static void graded_columns_keep_their_rank(void) {
  for (uint64_t seed = 1; seed <= 40; seed++) {
    uint64_t state = seed;
    double doubles[MEMORY], A[5 * 3], x[3], c[5], got[3];
    int ints[INTS];
    pw_qr f;
    random_fill(A, 15, &state);
    for (int i = 0; i < 5; i++) {
      A[(int)(seed % 3) * 5 + i] *= 1e-8;
    }
    random_fill(x, 3, &state);
    pw_gemv(A, 5, 3, x, c);
    pw_qr_init(&f, 5, 3, doubles, ints);
    memcpy(f.A, A, sizeof A);
    CHECK_SEED(pw_qr_decompose(&f, rank_tol) == 3, seed);
    pw_qr_least_squares(&f, c, got);
    pw_axpy(-1, x, got, 3);
    CHECK_SEED(pw_norm_inf(got, 3) <= 1e-6, seed);
  }
}

/* A column 1e-8 beside another one is kept, 1e-12 beside it is not. */
static void nearly_parallel_columns(void) {
  const double gap[2] = {1e-8, 1e-12};
  for (int k = 0; k < 2; k++) {
    double doubles[MEMORY];
    int ints[INTS];
    pw_qr f;
    pw_qr_init(&f, 3, 2, doubles, ints);
    const double A[6] = {1, 2, 2, 1 + gap[k], 2, 2 - gap[k]};
    memcpy(f.A, A, sizeof A);
    CHECK_INT(pw_qr_decompose(&f, rank_tol), 2 - k);
  }
}

static void not_a_number_is_refused(void) {
  for (int at = 0; at < 6; at++) {
    double doubles[MEMORY], c[3] = {1, 2, 3}, x[2], y[3];
    int ints[INTS];
    pw_qr f;
    pw_qr_init(&f, 3, 2, doubles, ints);
    const double A[6] = {1, 2, 3, 4, 5, 7};
    memcpy(f.A, A, sizeof A);
    f.A[at] = at % 2 ? NAN : INFINITY;
    CHECK_INT(pw_qr_decompose(&f, rank_tol), -1);
    pw_qr_least_squares(&f, c, x);
    CHECK(isnan(x[0]) && isnan(x[1]));
    CHECK(isnan(pw_qr_gram_solve(&f, c, x, y)));
    CHECK(isnan(y[0]) && isnan(x[0]));
    memcpy(f.A, A, sizeof A);
    CHECK_INT(pw_qr_decompose(&f, rank_tol), 2);
    double r[2] = {NAN, 1};
    CHECK(isnan(pw_qr_min_norm(&f, r, y)));
  }
}

static void empty_and_zero(void) {
  double doubles[MEMORY], c[3] = {1, 2, 3}, x[2] = {7, 7}, y[3];
  int ints[INTS];
  pw_qr f;
  pw_qr_init(&f, 3, 2, doubles, ints);
  memset(f.A, 0, 6 * sizeof *f.A);
  CHECK_INT(pw_qr_decompose(&f, rank_tol), 0);
  pw_qr_least_squares(&f, c, x);
  CHECK(x[0] == 0 && x[1] == 0);
  CHECK_NEAR(pw_qr_min_norm(&f, c, y), 2, 0);
  CHECK(y[0] == 0 && y[1] == 0 && y[2] == 0);
  pw_qr_init(&f, 3, 0, doubles, ints);
  CHECK_INT(pw_qr_decompose(&f, rank_tol), 0);
  CHECK_NEAR(pw_qr_min_norm(&f, c, y), 0, 0);
  CHECK(y[0] == 0);
  pw_qr_init(&f, 0, 2, doubles, ints);
  CHECK_INT(pw_qr_decompose(&f, rank_tol), 0);
  pw_qr_least_squares(&f, c, x);
  CHECK(x[0] == 0);
  CHECK(pw_qr_doubles(MAX, MAX) <= MEMORY);
}

static void norms_of_extreme_size(void) {
  double x[3] = {3e200, 4e200, 0}, s[3] = {3e-200, 4e-200, 0}, bad[2] = {1e200, NAN};
  CHECK_NEAR(pw_norm2(x, 3) / 5e200, 1, 1e-15);
  CHECK_NEAR(pw_norm2(s, 3) / 5e-200, 1, 1e-15);
  CHECK(isnan(pw_norm2(bad, 2)));
  CHECK_NEAR(pw_norm2(x, 0), 0, 0);
}

/* Two unit columns at the angle 2 a have the singular values sqrt(2) cos a and sqrt(2) sin a; a
 * third that depends on them leaves a rank of two. */
static void smallest_singular_value(void) {
  for (int k = 1; k < 8; k++) {
    double a = pow(10, -k) / 2;
    for (int order = 0; order < 2; order++) {
      double sign = order == 0 ? 1 : -1;
      problem p = {.n = 3, .m = 2};
      double A[6] = {cos(a), sign * sin(a), 0, cos(a), -sign * sin(a), 0};
      memcpy(p.A, A, sizeof A);
      decompose(&p);
      CHECK(fabs(pw_qr_smallest(&p.f) / (sqrt(2) * sin(a)) - 1) < 1e-6);
    }
  }
  problem p = {.n = 3, .m = 3};
  double A[9] = {1, 0, 0, 0, 0.1, 0, 1, 0.1, 0}; /* A A^T = [2 0.1; 0.1 0.02] */
  memcpy(p.A, A, sizeof A);
  decompose(&p);
  CHECK(p.f.rank == 2);
  CHECK_NEAR(pw_qr_smallest(&p.f), sqrt(1.01 - sqrt(1.01 * 1.01 - 0.03)), 1e-9);
}

/* Three blocks of three coordinates and three, four and two columns, mixed up: the whole must say
 * what the blocks, which are decomposed as they are, say alone. */
enum { BLOCKS = 3, SIDE = 3, WIDE = 9 };
static const int columns_of[BLOCKS] = {3, 4, 2};

typedef struct mixed {
  pw_qr whole, block[BLOCKS];
  double A[WIDE * WIDE], own[BLOCKS][SIDE * 4];
  double doubles[MEMORY], memory[BLOCKS][MEMORY];
  int ints[INTS], member[BLOCKS][INTS];
} mixed;

static int coord_at(int block, int i) {
  return (5 * (SIDE * block + i)) % WIDE;
}

static int column_at(int block, int j) {
  const int before[BLOCKS] = {0, 3, 7};
  return (4 * (before[block] + j)) % WIDE;
}

static void mix(mixed *x, uint64_t *s) {
  memset(x->A, 0, sizeof x->A);
  for (int b = 0; b < BLOCKS; b++) {
    int m = columns_of[b];
    random_fill(x->own[b], SIDE * m, s);
    for (int i = 0; i < SIDE && b == 0; i++) { /* a column twice */
      x->own[b][2 * SIDE + i] = 2 * x->own[b][i];
    }
    pw_qr_init(&x->block[b], SIDE, m, x->memory[b], x->member[b]);
    memcpy(x->block[b].A, x->own[b], (size_t)(SIDE * m) * sizeof(double));
    pw_qr_decompose(&x->block[b], rank_tol);
    for (int j = 0; j < m; j++) {
      for (int i = 0; i < SIDE; i++) {
        x->A[column_at(b, j) * WIDE + coord_at(b, i)] = x->own[b][j * SIDE + i];
      }
    }
  }
  pw_qr_init(&x->whole, WIDE, WIDE, x->doubles, x->ints);
  memcpy(x->whole.A, x->A, sizeof x->A);
  pw_qr_decompose(&x->whole, rank_tol);
}

static void check_block(const mixed *x, int b, const double *c, const double *r) {
  double sum[WIDE], lambda[WIDE], y[WIDE], own[WIDE], rest[WIDE], part[WIDE], part_y[SIDE],
      in[SIDE];
  int m = columns_of[b];
  pw_qr_least_squares(&x->whole, c, sum);
  CHECK(pw_qr_gram_solve(&x->whole, r, lambda, y) >= 0);
  pw_qr_own(&x->whole, x->A, own);
  memcpy(rest, c, sizeof rest);
  pw_qr_reject(&x->whole, rest);
  for (int i = 0; i < SIDE; i++) {
    in[i] = c[coord_at(b, i)];
  }
  pw_qr_least_squares(&x->block[b], in, part);
  pw_qr_reject(&x->block[b], in);
  for (int j = 0; j < m; j++) {
    CHECK_NEAR(sum[column_at(b, j)], part[j], 1e-9);
  }
  for (int i = 0; i < SIDE; i++) {
    CHECK_NEAR(rest[coord_at(b, i)], in[i], 1e-12);
  }
  for (int j = 0; j < m; j++) {
    part[j] = r[column_at(b, j)];
  }
  double block_lambda[WIDE];
  pw_qr_gram_solve(&x->block[b], part, block_lambda, part_y);
  for (int j = 0; j < m; j++) {
    CHECK_NEAR(lambda[column_at(b, j)], block_lambda[j], 1e-6 * (1 + fabs(block_lambda[j])));
  }
  pw_qr_own(&x->block[b], x->own[b], part);
  for (int j = 0; j < m; j++) {
    CHECK_NEAR(own[column_at(b, j)], part[j], 1e-9);
  }
}

static void blocks_are_decomposed_apart(void) {
  uint64_t s = 11;
  for (int t = 0; t < 200; t++) {
    mixed x;
    double c[WIDE], r[WIDE], pivot[WIDE];
    int rank = 0;
    mix(&x, &s);
    random_fill(c, WIDE, &s);
    random_fill(r, WIDE, &s);
    for (int b = 0; b < BLOCKS; b++) {
      rank += x.block[b].rank;
    }
    CHECK(x.whole.parts.count == BLOCKS);
    CHECK_INT(x.whole.rank, rank);
    pw_qr_pivots(&x.whole, pivot);
    for (int k = 0; k < rank; k++) {
      CHECK(pivot[k] > 0);
    }
    for (int b = 0; b < BLOCKS; b++) {
      check_block(&x, b, c, r);
    }
    CHECK(pw_qr_smallest(&x.whole) > 0);
    x.whole.limit = rank - 1; /* the weakest direction is given up */
    memcpy(x.whole.A, x.A, sizeof x.A);
    CHECK_INT(pw_qr_decompose(&x.whole, rank_tol), rank - 1);
  }
}

CHECK_MAIN({"blocks_are_decomposed_apart", blocks_are_decomposed_apart},
           {"smallest_singular_value", smallest_singular_value},
           {"factor_reproduces_the_matrix", factor_reproduces_the_matrix},
           {"q_is_orthogonal", q_is_orthogonal},
           {"least_squares_has_least_norm", least_squares_has_least_norm},
           {"multipliers_have_least_norm", multipliers_have_least_norm},
           {"inconsistent_part_is_reported", inconsistent_part_is_reported},
           {"answer_is_invariant", answer_is_invariant}, {"four_legged_table", four_legged_table},
           {"graded_columns_keep_their_rank", graded_columns_keep_their_rank},
           {"nearly_parallel_columns", nearly_parallel_columns},
           {"not_a_number_is_refused", not_a_number_is_refused}, {"empty_and_zero", empty_and_zero},
           {"norms_of_extreme_size", norms_of_extreme_size})
