// SPDX-License-Identifier: MIT
/* Hessenberg form by rotations, then QR steps with the shift of Wilkinson, in complex arithmetic;
 * an eigenvalue is found when the entry below the diagonal has vanished (Golub and Van Loan, ch.
 * 7). */
#include "orbit/eigen.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "law/scale_tangent.h"

typedef double complex number;

typedef struct matrix {
  number *a;
  int n;
} matrix;

static number *at(const matrix *m, int i, int j) {
  return &m->a[(size_t)j * (size_t)m->n + (size_t)i];
}

typedef struct rotation { /* (c, s; -conj(s), c) makes (x, y) to (r, 0) */
  double c;
  number s;
} rotation;

static rotation rotation_for(number x, number y) {
  double r = hypot(cabs(x), cabs(y));
  if (r == 0) {
    return (rotation){1, 0};
  }
  if (cabs(x) == 0) {
    return (rotation){0, conj(y) / cabs(y)};
  }
  return (rotation){cabs(x) / r, x / cabs(x) * conj(y) / r};
}

/* Rows i and k from the left, columns from `from` on. */
static void turn_rows(matrix *m, rotation g, int i, int k, int from) {
  for (int j = from; j < m->n; j++) {
    number x = *at(m, i, j), y = *at(m, k, j);
    *at(m, i, j) = g.c * x + g.s * y;
    *at(m, k, j) = -conj(g.s) * x + g.c * y;
  }
}

/* The inverse from the right on columns i and k, rows up to `to`. */
static void turn_columns(matrix *m, rotation g, int i, int k, int to) {
  for (int j = 0; j <= to; j++) {
    number x = *at(m, j, i), y = *at(m, j, k);
    *at(m, j, i) = g.c * x + conj(g.s) * y;
    *at(m, j, k) = -g.s * x + g.c * y;
  }
}

static void reduce(matrix *m) {
  for (int j = 0; j < m->n - 2; j++) {
    for (int i = m->n - 1; i > j + 1; i--) {
      rotation g = rotation_for(*at(m, i - 1, j), *at(m, i, j));
      turn_rows(m, g, i - 1, i, j);
      turn_columns(m, g, i - 1, i, m->n - 1);
    }
  }
}

/* The eigenvalue of the last two rows and columns up to `last` that is nearer to the corner. */
static number shift_of(const matrix *m, int last) {
  number a = *at(m, last - 1, last - 1), b = *at(m, last - 1, last);
  number c = *at(m, last, last - 1), d = *at(m, last, last);
  number half = (a + d) / 2, root = csqrt((a - d) * (a - d) / 4 + b * c);
  number x = half + root, y = half - root;
  return cabs(x - d) < cabs(y - d) ? x : y;
}

static void qr_step(matrix *m, int first, int last, number shift, rotation *g) {
  for (int i = first; i <= last; i++) {
    *at(m, i, i) -= shift;
  }
  for (int i = first; i < last; i++) {
    g[i] = rotation_for(*at(m, i, i), *at(m, i + 1, i));
    turn_rows(m, g[i], i, i + 1, i);
  }
  for (int i = first; i < last; i++) {
    turn_columns(m, g[i], i, i + 1, i + 1 < last ? i + 2 : last);
  }
  for (int i = first; i <= last; i++) {
    *at(m, i, i) += shift;
  }
}

/* The first row of the block that ends at `last`. */
static int block_of(matrix *m, int last, double size) {
  for (int i = last; i > 0; i--) {
    double near = cabs(*at(m, i, i)) + cabs(*at(m, i - 1, i - 1));
    if (cabs(*at(m, i, i - 1)) <= DBL_EPSILON * (near > 0 ? near : size)) {
      *at(m, i, i - 1) = 0;
      return i;
    }
  }
  return 0;
}

static bool iterate(matrix *m, rotation *g) {
  enum { MOST = 60 };
  double size = 0;
  for (int i = 0; i < m->n * m->n; i++) {
    size = fmax(size, cabs(m->a[i]));
  }
  int last = m->n - 1;
  for (int k = 0; last > 0 && k < MOST * m->n; k++) {
    int first = block_of(m, last, size);
    if (first == last) {
      last--;
      continue;
    }
    number shift = k % 11 == 10 ? cabs(*at(m, last, last - 1)) : shift_of(m, last);
    qr_step(m, first, last, shift, g);
  }
  return last <= 0;
}

static int larger_first(const void *a, const void *b) {
  const double *x = a, *y = b;
  double dx = hypot(x[0], x[1]), dy = hypot(y[0], y[1]);
  bool same = fabs(dx - dy) <= PW_SCALE(EIGEN_ROUNDING) * (dx + dy); /* a pair, to rounding */
  return same ? (x[1] < y[1]) - (x[1] > y[1]) : (dx < dy) - (dx > dy);
}

bool pw_eigenvalues(const double *A, int n, double *out) {
  matrix m = {malloc(((size_t)n * (size_t)n + 1) * sizeof(number)), n};
  rotation *g = malloc(((size_t)n + 1) * sizeof *g);
  bool ok = m.a != NULL && g != NULL;
  for (int i = 0; i < n * n && ok; i++) {
    ok = isfinite(A[i]);
    m.a[i] = A[i];
  }
  if (ok) {
    reduce(&m);
    ok = iterate(&m, g);
  }
  for (int i = 0; i < n && ok; i++) {
    number z = *at(&m, i, i);
    bool is_real =
        fabs(cimag(z)) <= PW_SCALE(EIGEN_ROUNDING) * cabs(z); /* of a real matrix, to rounding */
    out[2 * i] = creal(z);
    out[2 * i + 1] = is_real ? 0 : cimag(z);
  }
  if (ok && n > 0) {
    qsort(out, (size_t)n, 2 * sizeof *out, larger_first);
  }
  free(m.a);
  free(g);
  return ok;
}
