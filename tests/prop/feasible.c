// SPDX-License-Identifier: MIT
#include "feasible.h"

#include <math.h>
#include <string.h>

static double dot(const double *a, const double *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    sum += a[i] * b[i];
  }
  return sum;
}

/* Least x with the chosen rows zero, by Gram-Schmidt; dependent rows are left to the check. */
static void least(const row *rows, int m, int n, unsigned chosen, double *x) {
  double basis[POLY_VARS][POLY_VARS];
  int k = 0;
  memset(x, 0, (size_t)n * sizeof *x);
  for (int i = 0; i < m && k < n; i++) {
    if (!rows[i].equality && (chosen >> i & 1) == 0) {
      continue;
    }
    double rest[POLY_VARS], size = sqrt(dot(rows[i].w, rows[i].w, n));
    memcpy(rest, rows[i].w, sizeof rest);
    for (int pass = 0; pass < 2; pass++) {
      for (int b = 0; b < k; b++) {
        double part = dot(basis[b], rest, n);
        for (int c = 0; c < n; c++) {
          rest[c] -= part * basis[b][c];
        }
      }
    }
    double length = sqrt(dot(rest, rest, n));
    if (length > 1e-6 * size) {
      double gap = -(rows[i].c + dot(rows[i].w, x, n));
      double along = dot(rows[i].w, rest, n);
      for (int c = 0; c < n; c++) {
        x[c] += gap * rest[c] / along;
        basis[k][c] = rest[c] / length;
      }
      k++;
    }
  }
}

static int meets(const row *rows, int m, int n, double tol, const double *x) {
  for (int i = 0; i < m; i++) {
    double value = rows[i].c + dot(rows[i].w, x, n);
    double size = fabs(rows[i].c);
    for (int c = 0; c < n; c++) {
      size += fabs(rows[i].w[c] * x[c]);
    }
    if (!(value >= -tol * size) || (rows[i].equality && !(value <= tol * size))) {
      return 0;
    }
  }
  return 1;
}

int feasible(const row *rows, int m, int n, double most, double tol, double *x) {
  for (unsigned chosen = 0; chosen < 1u << m; chosen++) {
    least(rows, m, n, chosen, x);
    if (sqrt(dot(x, x, n)) <= most && meets(rows, m, n, tol, x)) {
      return 1;
    }
  }
  return 0;
}
