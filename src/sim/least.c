// SPDX-License-Identifier: MIT
#include "sim/least.h"

#include <math.h>
#include <string.h>

static const double rank_tol = 1e-9;

static size_t larger(size_t a, size_t b) {
  return a > b ? a : b;
}

size_t pw_least_doubles(const pw_system *sys) {
  size_t n = (size_t)sys->nv, m = (size_t)sys->nr;
  size_t work = larger(pw_box_min_doubles(sys->nv, sys->nr), pw_qr_doubles(sys->nv, sys->nr));
  return n * m + 4 * m + larger(n, m) + work + 1;
}

size_t pw_least_ints(const pw_system *sys) {
  size_t work = larger(pw_box_min_ints(sys->nv, sys->nr), pw_qr_ints(sys->nv, sys->nr));
  return (size_t)sys->nr + work + 1;
}

void pw_least_init(pw_least *p, const pw_system *sys, double *real, int *whole) {
  size_t n = (size_t)sys->nv, m = (size_t)sys->nr;
  *p = (pw_least){.n = sys->nv, .row = whole, .whole = whole + m, .A = real};
  p->lo = p->A + n * m;
  p->hi = p->lo + m;
  p->x = p->hi + m;
  p->y = p->x + m;
  p->none = p->y + m;
  p->real = p->none + larger(n, m);
}

static void take(pw_least *p, const pw_frame *f, int row, bool equality, double lambda) {
  memcpy(p->A + (size_t)p->m * (size_t)p->n, f->A + (size_t)row * (size_t)p->n,
         (size_t)p->n * sizeof *p->A);
  p->row[p->m] = row;
  p->lo[p->m] = equality ? -INFINITY : 0;
  p->hi[p->m] = INFINITY;
  p->x[p->m] = equality ? lambda * f->length[row] : fmax(lambda * f->length[row], 0);
  p->m++;
}

/* Force k is unique if the least x with A x = a_k has x_k = 1. */
static void mark_dependent(pw_least *p, bool *dependent) {
  pw_qr_init(&p->qr, p->n, p->m, p->real, p->whole);
  memcpy(p->qr.A, p->A, (size_t)p->n * (size_t)p->m * sizeof *p->A);
  int rank = pw_qr_decompose(&p->qr, rank_tol);
  for (int k = 0; k < p->m; k++) {
    pw_qr_least_squares(&p->qr, p->A + (size_t)k * (size_t)p->n, p->y);
    dependent[p->row[k]] = rank < p->m && !(p->y[k] > 1 - 1e-7);
  }
}

void pw_least_forces(pw_least *p, const pw_frame *f, int nc, const unsigned char *holds,
                     double *lambda, bool *dependent) {
  pw_box_min_info info;
  p->m = 0;
  for (int i = 0; i < f->m; i++) {
    if (f->length[i] > 0 && (i < nc || holds[i - nc] != 0)) {
      take(p, f, i, i < nc, lambda[i]);
    }
  }
  memset(p->y, 0, (size_t)p->m * sizeof *p->y);
  memset(p->none, 0, larger((size_t)p->n, (size_t)p->m) * sizeof *p->none);
  const pw_box_qp qp = {
      .n = p->n, .m = p->m, .A = p->A, .c = p->none, .z = p->none, .lo = p->lo, .hi = p->hi};
  pw_outcome o = pw_box_min(&qp, p->y, 1, p->x, p->real, p->whole, &info);
  for (int k = 0; k < p->m && (o == PW_SOLVED || o == PW_MAX_ITER); k++) {
    lambda[p->row[k]] = p->x[k] / f->length[p->row[k]];
  }
  mark_dependent(p, dependent);
}
