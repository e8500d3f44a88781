// SPDX-License-Identifier: MIT
/* Forces and impulses of rows that depend on each other: of all solutions the least, and which of
 * them are not unique (theory, section 6). */
#include <math.h>
#include <string.h>

#include "law/scale_mech.h"
#include "linalg/qr.h"
#include "sim/local.h"
#include "solve/box_min.h"

static size_t larger(size_t a, size_t b) {
  return a > b ? a : b;
}

size_t pw_spread_doubles(const pw_system *sys) {
  int n = sys->nv, m = sys->nr + 1;
  return larger(pw_box_min_doubles(n, m), pw_qr_doubles(n, m) + (size_t)m);
}

size_t pw_spread_ints(const pw_system *sys) {
  int n = sys->nv, m = sys->nr + 1;
  return larger(pw_box_min_ints(n, m), pw_qr_ints(n, m) + (size_t)m);
}

/* x of open row k is unique if the least solution of A x = a_k over the open rows has x_k = 1. */
static void mark_shared(const pw_part *part, double tol, int *shared) {
  const pw_local *p = &part->local;
  int n = p->frame->n, open = 0, *row = part->whole;
  size_t bytes = (size_t)n * sizeof *p->A;
  pw_qr qr;
  double *x = part->real, *memory = x + p->cap;
  for (int k = 0; k < p->k; k++) {
    if (fabs(p->y[k]) <= tol) {
      row[open++] = k;
    }
  }
  pw_qr_init(&qr, n, open, memory, row + open);
  for (int i = 0; i < open; i++) {
    memcpy(qr.A + (size_t)i * (size_t)n, p->A + (size_t)row[i] * (size_t)n, bytes);
  }
  int rank = pw_qr_decompose(&qr, PW_SCALE(RANK_ROWS));
  for (int i = 0; i < open && rank >= 0; i++) {
    pw_qr_least_squares(&qr, p->A + (size_t)row[i] * (size_t)n, x);
    shared[row[i]] = rank < open && !(x[i] > 1 - PW_SCALE(NOT_UNIQUE));
  }
}

void pw_part_spread(pw_part *part, double tol) {
  const pw_local *p = &part->local;
  int open = 0, *shared = p->shared;
  double *least = p->x;
  bool any = false;
  for (int k = 0; k < p->k; k++) {
    shared[k] = 0;
    open += fabs(p->y[k]) <= tol;
    any = any || least[k] != 0;
  }
  if (open <= p->info.rank || !any) {
    return;
  }
  pw_box_min_info info = {0};
  const pw_box_qp qp = {
      .n = p->frame->n, .m = p->k, .A = p->A, .c = p->none, .z = p->z, .lo = p->lo, .hi = p->hi};
  (void)pw_box_min(&qp, p->y, tol, least, part->real, part->whole, &info);
  for (int k = 0; k < p->k; k++) {
    least[k] += 0.0; /* no negative zeros */
  }
  mark_shared(part, tol, shared);
}
