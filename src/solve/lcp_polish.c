// SPDX-License-Identifier: MIT
#include "solve/lcp_polish.h"

#include <math.h>
#include <string.h>

#include "base/real.h"
#include "base/strip.h"
#include "law/scale_mech.h"
#include "law/scale_solve.h"
#include "linalg/dense.h"
#include "linalg/qr.h"
#include "solve/box_lcp.h"

typedef struct state {
  const pw_lcp *p;
  const double *s;
  double *w;     /* n, in units */
  double *z;     /* n: corrected */
  double *A;     /* zeros x positive */
  double *tau;   /* positive */
  double *work;  /* 2 positive */
  int *zero;     /* rows with w = 0 */
  int *positive; /* rows with z > 0 */
  int *perm;
  int zeros, positives;
} state;

static void lay_out(state *s, int n, pw_strip *to) {
  size_t k = (size_t)n;
  s->w = pw_strip_real(to, k);
  s->z = pw_strip_real(to, k);
  s->tau = pw_strip_real(to, k);
  s->work = pw_strip_real(to, 2 * k);
  s->A = pw_strip_real(to, k * k);
  s->zero = pw_strip_whole(to, k);
  s->positive = pw_strip_whole(to, k);
  s->perm = pw_strip_whole(to, k);
}

size_t pw_lcp_polish_doubles(int n) {
  state s;
  pw_strip to = {0};
  lay_out(&s, n, &to);
  return to.n_real;
}

/* w = M z + q and the two sets. */
static void evaluate(state *s, const double *z) {
  int n = s->p->n;
  memcpy(s->w, s->p->q, (size_t)n * sizeof *s->w);
  for (int j = 0; j < n; j++) {
    if (z[j] != 0) {
      pw_axpy(z[j], s->p->M + (size_t)j * (size_t)n, s->w, n);
    }
  }
  double scale = 0;
  for (int i = 0; i < n; i++) {
    s->w[i] /= s->s[i];
    scale = pw_max(scale, fabs(s->p->q[i]) / s->s[i]);
  }
  s->zeros = s->positives = 0;
  for (int i = 0; i < n; i++) {
    if (z[i] > 0) {
      s->positive[s->positives++] = i;
    }
    if (z[i] > 0 || fabs(s->w[i]) <= PW_SCALE(ACTIVE_ZERO) * scale) {
      s->w[s->zeros] = s->w[i];
      s->zero[s->zeros++] = i;
    }
  }
}

/* min |w_zero + M d| over the positive rows; d is added to z. */
static void correct(state *s) {
  int r = s->zeros, k = s->positives, n = s->p->n;
  for (int b = 0; b < k; b++) {
    const double *col = s->p->M + (size_t)s->positive[b] * (size_t)n;
    for (int a = 0; a < r; a++) {
      s->A[(size_t)b * (size_t)r + (size_t)a] =
          col[s->zero[a]] / (s->s[s->zero[a]] * s->s[s->positive[b]]);
    }
  }
  int rank = pw_qr_factor(s->A, r, k, s->tau, s->perm, s->work, PW_SCALE(RANK_ROUNDING));
  pw_qr_apply_qt(s->A, r, rank > 0 ? rank : 0, s->tau, s->w);
  for (int j = rank - 1; j >= 0; j--) {
    const double *col = s->A + (size_t)j * (size_t)r;
    s->w[j] /= col[j];
    pw_axpy(-s->w[j], col, s->w, j);
    int i = s->positive[s->perm[j]];
    s->z[i] = pw_max(s->z[i] - s->w[j] / s->s[i], 0);
  }
}

double pw_lcp_polish(const pw_lcp *p, const double *s, double *z, double residual, double *real,
                     int *whole) {
  int n = p->n;
  state t = {.p = p, .s = s};
  lay_out(&t, n, &(pw_strip){.real = real, .whole = whole});
  evaluate(&t, z);
  memcpy(t.z, z, (size_t)n * sizeof *z);
  correct(&t);
  double after = pw_box_lcp_residual(&(pw_box_lcp){.m = n, .D = p->M, .b = p->q}, s, t.z);
  if (after < residual) {
    memcpy(z, t.z, (size_t)n * sizeof *z);
    return after;
  }
  return residual;
}
