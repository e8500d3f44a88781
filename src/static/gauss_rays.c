// SPDX-License-Identifier: MIT
/* Forces that can grow together and leave the accelerations of all closed rows as they are: a body
 * jammed between two walls. With friction that slides on them the motion changes all the same, so
 * that solutions with one acceleration do not show it: theory (18) has no least forces then. */
#include <math.h>
#include <string.h>

#include "law/scale_static.h"
#include "linalg/dense.h"
#include "static/gauss_problem.h"

typedef struct kernel { /* D d = 0, by elimination with complete pivoting */
  int m, rank;
  double *D; /* m x m, by rows */
  int *column;
} kernel;

static double *at(const kernel *k, int i, int j) {
  return k->D + (size_t)i * (size_t)k->m + (size_t)k->column[j];
}

static void exchange_rows(const kernel *k, int a, int b) {
  for (int j = 0; j < k->m; j++) {
    double x = *at(k, a, j);
    *at(k, a, j) = *at(k, b, j);
    *at(k, b, j) = x;
  }
}

static bool pivot(kernel *k) {
  int row = k->rank, column = k->rank;
  for (int i = k->rank; i < k->m; i++) {
    for (int j = k->rank; j < k->m; j++) {
      if (fabs(*at(k, i, j)) > fabs(*at(k, row, column))) {
        row = i;
        column = j;
      }
    }
  }
  if (!(fabs(*at(k, row, column)) > PW_SCALE(NEGLIGIBLE))) { /* of unit columns */
    return false;
  }
  exchange_rows(k, row, k->rank);
  int first = k->column[k->rank];
  k->column[k->rank] = k->column[column];
  k->column[column] = first;
  return true;
}

static void eliminate(kernel *k) {
  for (k->rank = 0; k->rank < k->m && pivot(k); k->rank++) {
    for (int i = 0; i < k->m; i++) {
      double part = i == k->rank ? 0 : *at(k, i, k->rank) / *at(k, k->rank, k->rank);
      for (int j = k->rank; part != 0 && j < k->m; j++) {
        *at(k, i, j) -= part * *at(k, k->rank, j);
      }
    }
  }
}

/* The direction in which the `free`-th remaining unknown grows by 1. */
static void direction(const kernel *k, int free, double *d) {
  memset(d, 0, (size_t)k->m * sizeof *d);
  d[k->column[free]] = 1;
  for (int i = 0; i < k->rank; i++) {
    double x = -*at(k, i, free) / *at(k, i, i);
    d[k->column[i]] = fabs(x) > PW_SCALE(NEGLIGIBLE) ? x : 0;
  }
}

/* Rows that stay as they are; -1: slips that may stick tie their bounds to others. */
static int closed_rows(const pw_static_problem *p, double tiny, int *list) {
  int m = 0;
  for (int i = 0; i < p->k; i++) {
    if (p->normal[i] >= 0) {
      return -1;
    }
    if (fabs(p->y[i]) <= tiny && p->lo[i] < p->hi[i]) {
      list[m++] = i;
    }
  }
  return m;
}

/* x + s d stays in its box for all s > 0. */
static bool has_no_end(const pw_static_problem *p, const int *list, int m, const double *d,
                       double sign) {
  for (int i = 0; i < m; i++) {
    double step = sign * d[i];
    if ((step > 0 && isfinite(p->hi[list[i]])) || (step < 0 && isfinite(p->lo[list[i]]))) {
      return false;
    }
  }
  return true;
}

void pw_static_rays(const pw_static_problem *p, double tiny, double *least, double *largest) {
  pw_arena *arena = &p->g->arena;
  int *list = PW_TAKE(arena, p->k + 1, int), n = p->g->f.n;
  int m = closed_rows(p, tiny, list);
  if (m <= 0) {
    return;
  }
  kernel k = {
      .m = m, .D = PW_TAKE(arena, (size_t)m * (size_t)m, double), .column = PW_TAKE(arena, m, int)};
  double *d = PW_TAKE(arena, m, double);
  for (int i = 0; i < m; i++) {
    k.column[i] = i;
    for (int j = 0; j < m; j++) {
      k.D[(size_t)i * (size_t)m + (size_t)j] =
          pw_dot(p->A + (size_t)list[i] * (size_t)n, p->B + (size_t)list[j] * (size_t)n, n);
    }
  }
  eliminate(&k);
  for (int free = k.rank; free < m; free++) {
    direction(&k, free, d);
    for (int sign = -1; sign <= 1; sign += 2) {
      for (int i = 0; has_no_end(p, list, m, d, sign) && i < m; i++) {
        double step = sign * d[i];
        largest[list[i]] = step > 0 ? (double)INFINITY : largest[list[i]];
        least[list[i]] = step < 0 ? -(double)INFINITY : least[list[i]];
      }
    }
  }
}
