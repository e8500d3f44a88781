// SPDX-License-Identifier: MIT
#include "solve/friction_factor.h"

#include <math.h>
#include <string.h>

#include "law/scale_solve.h"

size_t pw_block_plan_ints(int n, size_t fill) {
  return 4 * (size_t)n + 2 + 2 * fill + (size_t)n;
}

/* ---- numbers ---- */

size_t pw_block_factor_doubles(int n, size_t fill) {
  return 9 * ((size_t)n + 2 * fill) + 9 * (size_t)n;
}

/* C = A B, row-major */
static void multiply(const double *restrict A, const double *restrict B, double *restrict C) {
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      C[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
    }
  }
}

/* Row k of C -= A B: two numbers at a time fit into a register of every processor. */
static inline void subtract_row(const double *restrict A, const double *restrict B,
                                double *restrict C) {
  double a = A[0], b = A[1], c = A[2];
  double x = C[0] - (a * B[0] + b * B[3] + c * B[6]);
  double y = C[1] - (a * B[1] + b * B[4] + c * B[7]);
  C[2] -= a * B[2] + b * B[5] + c * B[8];
  C[0] = x;
  C[1] = y;
}

/* C -= A B, row-major */
static inline void subtract_product(const double *restrict A, const double *restrict B,
                                    double *restrict C) {
  subtract_row(A, B, C);
  subtract_row(A + 3, B, C + 3);
  subtract_row(A + 6, B, C + 6);
}

/* A <- A^-1 by elimination with row exchanges; the rows of A are of comparable size. */
static bool invert(double *A) {
  double M[3][6] = {{0}}, size = 0;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      M[i][j] = A[3 * i + j];
      size = fabs(M[i][j]) > size ? fabs(M[i][j]) : size;
    }
    M[i][3 + i] = 1;
  }

  for (int k = 0; k < 3; k++) {
    int best = k;
    for (int i = k + 1; i < 3; i++) {
      best = fabs(M[i][k]) > fabs(M[best][k]) ? i : best;
    }
    if (!(fabs(M[best][k]) > PW_SCALE(INVERSE_PIVOT) * size) || !isfinite(M[best][k])) {
      return false;
    }
    for (int j = 0; j < 6; j++) {
      double t = M[k][j];
      M[k][j] = M[best][j];
      M[best][j] = t;
    }

    /* clear the column */
    double f = 1 / M[k][k];
    for (int j = 0; j < 6; j++) {
      M[k][j] *= f;
    }
    for (int i = 0; i < 3; i++) {
      double g = i == k ? 0 : M[i][k];
      for (int j = 0; j < 6; j++) {
        M[i][j] -= g * M[k][j];
      }
    }
  }
  for (int i = 0; i < 3; i++) {
    memcpy(A + 3 * i, M[i] + 3, 3 * sizeof *A);
  }
  return true;
}

static double *block(double *a, int k) {
  return a + 9 * (size_t)k;
}

/* The parts of the factor: inverted diagonal, U, L, one row in full. */
typedef struct parts {
  double *diagonal, *upper, *lower, *row;
} parts;

static parts parts_of(const pw_block_plan *plan, double *real) {
  parts f;
  f.diagonal = real;
  f.upper = block(real, plan->n);
  f.lower = block(f.upper, plan->fill);
  f.row = block(f.lower, plan->fill);
  return f;
}

static void scatter(const pw_friction *p, const pw_block_plan *plan, const double *B, int k,
                    double *row) {
  memset(block(row, k), 0, 9 * sizeof *row);
  for (int e = plan->start[k]; e < plan->start[k + 1]; e++) {
    memset(block(row, plan->low[e]), 0, 9 * sizeof *row);
  }
  for (int e = plan->first[k]; e < plan->first[k + 1]; e++) {
    memset(block(row, plan->up[e]), 0, 9 * sizeof *row);
  }
  int i = plan->order[k];
  for (int e = p->start[i]; e < p->start[i + 1]; e++) {
    memcpy(block(row, plan->at[p->col[e]]), B + 9 * (size_t)e, 9 * sizeof *row);
  }
}

int pw_block_factor(const pw_friction *p, const pw_block_plan *plan, const double *B,
                    double *real) {
  parts f = parts_of(plan, real);
  for (int k = 0; k < plan->n; k++) {
    scatter(p, plan, B, k, f.row);
    for (int e = plan->start[k]; e < plan->start[k + 1]; e++) {
      int j = plan->low[e];
      double *l = block(f.lower, e);
      multiply(block(f.row, j), block(f.diagonal, j), l);
      for (int g = plan->first[j]; g < plan->first[j + 1]; g++) {
        subtract_product(l, block(f.upper, g), block(f.row, plan->up[g]));
      }
    }
    for (int g = plan->first[k]; g < plan->first[k + 1]; g++) {
      memcpy(block(f.upper, g), block(f.row, plan->up[g]), 9 * sizeof *real);
    }
    memcpy(block(f.diagonal, k), block(f.row, k), 9 * sizeof *real);
    if (!invert(block(f.diagonal, k))) {
      return plan->order[k] + 1;
    }
  }
  return 0;
}

static void subtract_times(const double *A, const double *x, double *y) {
  for (int i = 0; i < 3; i++) {
    y[i] -= A[3 * i] * x[0] + A[3 * i + 1] * x[1] + A[3 * i + 2] * x[2];
  }
}

void pw_block_solve(const pw_block_plan *plan, const double *real, double *x, double *work) {
  const double *diagonal = real, *upper = real + 9 * (size_t)plan->n;
  const double *lower = upper + 9 * (size_t)plan->fill;
  for (int k = 0; k < plan->n; k++) {
    double *y = work + 3 * k;
    memcpy(y, x + 3 * plan->order[k], 3 * sizeof *y);
    for (int e = plan->start[k]; e < plan->start[k + 1]; e++) {
      subtract_times(lower + 9 * (size_t)e, work + 3 * plan->low[e], y);
    }
  }
  for (int k = plan->n - 1; k >= 0; k--) {
    double y[3], *z = work + 3 * k;
    memcpy(y, z, sizeof y);
    for (int e = plan->first[k]; e < plan->first[k + 1]; e++) {
      subtract_times(upper + 9 * (size_t)e, work + 3 * plan->up[e], y);
    }
    const double *d = diagonal + 9 * (size_t)k;
    for (int i = 0; i < 3; i++) {
      z[i] = d[3 * i] * y[0] + d[3 * i + 1] * y[1] + d[3 * i + 2] * y[2];
    }
    memcpy(x + 3 * plan->order[k], z, 3 * sizeof *z);
  }
}
