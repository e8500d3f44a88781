// SPDX-License-Identifier: MIT
/* Equalities that depend on each other agree in theory; their drives, differences of larger
 * numbers, agree up to noise only. Beside small drives that noise would look like a contradiction.
 */
#include <math.h>
#include <string.h>

#include "law/scale_mech.h"
#include "linalg/dense.h"
#include "sim/local.h"
#include "solve/active_qr.h"

typedef struct basis {
  pw_active_qr qr;
  double *t, *rho, *work, *z; /* z: drives of the members */
} basis;

static basis lay_out(const pw_part *part) {
  const pw_local *p = &part->local;
  int n = p->frame->n, cap = (n < p->k ? n : p->k) + 1;
  basis b = {.qr = {.n = n, .cap = cap, .Q = part->real}};
  b.qr.R = b.qr.Q + (size_t)n * (size_t)cap;
  b.rho = b.qr.R + (size_t)cap * (size_t)cap;
  b.t = b.rho + n;
  b.work = b.t + cap;
  b.z = b.work + cap;
  return b;
}

/* a_i = sum w_k a_k asks for z_i = sum w_k z_k. */
static void reconcile(const pw_local *p, double *z, basis *b) {
  double sum = 0, size = 1;
  pw_active_back(&b->qr, b->t);
  for (int k = 0; k < b->qr.k; k++) {
    sum += b->t[k] * b->z[k];
    size += fabs(b->t[k]);
  }
  if (fabs(*z - sum) <= 2 * p->noise * size) {
    *z = sum;
  }
}

void pw_part_reconcile(pw_part *part) {
  pw_local *p = &part->local;
  basis b = lay_out(part);
  for (int i = 0; i < p->k && p->noise > 0; i++) {
    if (isfinite(p->lo[i]) || isfinite(p->hi[i])) {
      continue;
    }
    double length = pw_active_split(&b.qr, p->A + (size_t)i * (size_t)b.qr.n, b.t, b.rho, b.work);
    if (length > PW_SCALE(RANK_ROWS) && b.qr.k + 1 < b.qr.cap) {
      b.z[b.qr.k] = p->z[i];
      pw_active_add(&b.qr, b.t, b.rho, length);
    } else {
      reconcile(p, &p->z[i], &b);
    }
  }
}
