// SPDX-License-Identifier: MIT
/* Constraints on positions leave fewer ways to miss the end than there are coordinates: residuals
 * are seen by their components along the directions in which the end could move. */
#include <stdlib.h>
#include <string.h>

#include "bvp/shoot.h"
#include "law/scale_bvp.h"
#include "linalg/dense.h"
#include "linalg/qr.h"

/* The part of Q that is normal to the gradients, the rows of J = (length L a)^T. */
static void fill(pw_shoot *x, const pw_frame *f, pw_qr *qr) {
  int n = f->n;
  for (int i = 0; i < qr->m; i++) {
    const double *a = f->A + (size_t)i * (size_t)n;
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k <= j; k++) {
        sum += f->L[(size_t)k * (size_t)n + (size_t)j] * a[k];
      }
      qr->A[(size_t)i * (size_t)n + (size_t)j] = sum;
    }
  }
  int rank = pw_qr_factor(qr->A, n, qr->m, qr->tau, qr->perm, qr->work, PW_SCALE(BVP_ROWS));
  x->n_chart = rank < 0 ? 0 : n - rank;
  for (int k = 0; k < x->n_chart; k++) {
    double *t = x->chart + (size_t)k * (size_t)n;
    pw_zero(t, n);
    t[rank + k] = 1;
    pw_qr_apply_q(qr->A, n, rank, qr->tau, t);
  }
}

bool pw_chart_make(pw_shoot *x, const pw_frame *f) {
  int n = f->n, m = x->sys->np;
  double *real = malloc((pw_qr_doubles(n, m) + 1) * sizeof *real);
  int *whole = malloc((pw_qr_ints(n, m) + 1) * sizeof *whole);
  bool ok = real != NULL && whole != NULL;
  if (ok) {
    pw_qr qr;
    pw_qr_init(&qr, n, m, real, whole);
    fill(x, f, &qr);
  }
  free(real);
  free(whole);
  return ok;
}

bool pw_chart_fits(const pw_shoot *x) {
  return x->m == x->d || x->n_chart == x->d;
}

void pw_chart_look(const pw_shoot *x, double *out) {
  if (x->m == x->d) {
    pw_copy(out, x->r, x->m);
    return;
  }
  for (int k = 0; k < x->d; k++) {
    out[k] = pw_dot(x->chart + (size_t)k * (size_t)x->m, x->r, x->m);
  }
}
