// SPDX-License-Identifier: MIT
/* In the units of box_lcp.h. Unbounded rows f, others u:  x_f = -D_ff^+ (b_f + D_fu x_u),
 *   y_u = (D_uu - D_uf D_ff^+ D_fu) x_u + (b_u - D_uf D_ff^+ b_f).
 * x = lo + z, or x = hi - z and y = -w for a row with only an upper bound. With both bounds also
 *   w_1 = y + z_2,  w_2 = (hi - lo) - z_1:  z_2 is the part of y that pushes against hi. */
#include "solve/mlcp.h"

#include <math.h>
#include <string.h>

#include "base/real.h"
#include "base/strip.h"
#include "law/scale_mech.h"
#include "law/scale_solve.h"
#include "linalg/dense.h"
#include "linalg/qr.h"
#include "solve/lemke.h"

typedef struct state {
  const pw_box_lcp *p;
  double *s;   /* m: units */
  double *x;   /* m, in them */
  int nf, nu;  /* unbounded rows, others that can move */
  int *f, *u;  /* m each */
  int *second; /* m: LCP row of the upper bound of u[k], or -1 */
  double *K;   /* nf x (nu + 1): D_ff^+ (D_fu, b_f) */
  double *rhs; /* m */
  double *M, *q, *z;
  int size;
  pw_qr qr;
  double *qr_real, *lcp_real; /* memory of both */
  int *qr_whole, *lcp_whole;
} state;

static size_t lcp_size(int m) {
  return 2 * (size_t)m;
}

static void lay_out(state *s, int rows, pw_strip *to) {
  size_t m = (size_t)rows, n = lcp_size(rows);
  s->s = pw_strip_real(to, m);
  s->x = pw_strip_real(to, m);
  s->rhs = pw_strip_real(to, m);
  s->K = pw_strip_real(to, m * (m + 1));
  s->M = pw_strip_real(to, n * n);
  s->q = pw_strip_real(to, n);
  s->z = pw_strip_real(to, n);
  s->f = pw_strip_whole(to, m);
  s->u = pw_strip_whole(to, m);
  s->second = pw_strip_whole(to, m);
  s->qr_real = pw_strip_real(to, pw_qr_doubles(rows, rows));
  s->qr_whole = pw_strip_whole(to, pw_qr_ints(rows, rows));
  s->lcp_real = pw_strip_real(to, pw_lcp_doubles((int)n));
  s->lcp_whole = pw_strip_whole(to, pw_lcp_ints((int)n));
}

size_t pw_mlcp_doubles(int m) {
  state s;
  pw_strip to = {0};
  lay_out(&s, m, &to);
  return to.n_real;
}

size_t pw_mlcp_ints(int m) {
  state s;
  pw_strip to = {0};
  lay_out(&s, m, &to);
  return to.n_whole;
}

static double entry(const state *s, int i, int j) {
  return s->p->D[(size_t)j * (size_t)s->p->m + (size_t)i] / (s->s[i] * s->s[j]);
}

static double low(const state *s, int i) {
  return pw_box_lcp_lo(s->p, i) * s->s[i];
}

static double high(const state *s, int i) {
  return pw_box_lcp_hi(s->p, i) * s->s[i];
}

/* +1 if z counts from lo, -1 from hi. */
static double side(const state *s, int i) {
  return isinf(low(s, i)) ? -1 : 1;
}

static void sort_rows(state *s) {
  for (int i = 0; i < s->p->m; i++) {
    double lo = low(s, i), hi = high(s, i);
    s->x[i] = isfinite(lo) ? lo : isfinite(hi) ? hi : 0;
    if (isinf(lo) && isinf(hi)) {
      s->f[s->nf++] = i;
    } else if (lo < hi) {
      s->u[s->nu++] = i;
    }
  }
  s->size = s->nu;
  for (int k = 0; k < s->nu; k++) {
    bool both = isfinite(low(s, s->u[k])) && isfinite(high(s, s->u[k]));
    s->second[k] = both ? s->size++ : -1;
  }
}

/* b with the rows at their reference bounds, in units; *size: sum of the absolute terms. */
static double offset(const state *s, int i, double *size) {
  double b = s->p->b[i] / s->s[i];
  *size = fabs(b);
  for (int j = 0; j < s->p->m; j++) {
    double term = s->x[j] != 0 ? entry(s, i, j) * s->x[j] : 0;
    b += term;
    *size += fabs(term);
  }
  return b;
}

/* K, and whether the unbounded rows can be solved whatever the others do. */
static pw_outcome eliminate(state *s) {
  int nf = s->nf;

  /* D_ff = Q R with column pivoting, as it may be singular. */
  pw_qr_init(&s->qr, nf, nf, s->qr_real, s->qr_whole);
  for (int j = 0; j < nf; j++) {
    for (int i = 0; i < nf; i++) {
      s->qr.A[(size_t)j * (size_t)nf + (size_t)i] = entry(s, s->f[i], s->f[j]);
    }
  }
  if (pw_qr_decompose(&s->qr, PW_SCALE(RANK_DROP)) < 0) {
    return PW_BREAKDOWN;
  }

  /* Columns of K: D_ff^+ D_fu, and last D_ff^+ b_f. */
  for (int k = 0; k <= s->nu; k++) {
    double *col = s->K + (size_t)k * (size_t)nf, size = 0;
    for (int i = 0; i < nf; i++) {
      double terms = 1;
      s->rhs[i] = k < s->nu ? entry(s, s->f[i], s->u[k]) : offset(s, s->f[i], &terms);
      size = pw_max(size, terms);
    }
    pw_qr_least_squares(&s->qr, s->rhs, col);

    /* No remainder, or the right side is out of the range of D_ff. */
    for (int j = 0; j < nf; j++) {
      for (int i = 0; i < nf; i++) {
        s->rhs[i] -= entry(s, s->f[i], s->f[j]) * col[j];
      }
    }
    if (!(pw_norm_inf(s->rhs, nf) <= PW_SCALE(LCP_SOLVED) * size)) {
      return k < s->nu ? PW_BREAKDOWN : PW_INFEASIBLE;
    }
  }
  return PW_SOLVED;
}

/* Entry (row a, column b of u; b = nu: the constant) of the reduced problem. A row that depends on
 * the unbounded ones leaves zero, which rounding must not turn into a small number of either sign.
 */
static double reduced(const state *s, int a, int b) {
  double size = 0, v;
  if (b < s->nu) {
    v = entry(s, s->u[a], s->u[b]);
    size = fabs(v);
  } else {
    v = offset(s, s->u[a], &size);
  }
  const double *col = s->K + (size_t)b * (size_t)s->nf;
  for (int k = 0; k < s->nf; k++) {
    double term = entry(s, s->u[a], s->f[k]) * col[k];
    v -= term;
    size += fabs(term);
  }
  return fabs(v) <= PW_SCALE(REDUCED_ZERO) * size ? 0 : v;
}

static void assemble(state *s) {
  size_t n = (size_t)s->size;
  memset(s->M, 0, n * n * sizeof *s->M);
  for (int a = 0; a < s->nu; a++) {
    double sa = side(s, s->u[a]);
    for (int b = 0; b < s->nu; b++) {
      s->M[(size_t)b * n + (size_t)a] = sa * side(s, s->u[b]) * reduced(s, a, b);
    }
    s->q[a] = sa * reduced(s, a, s->nu);
    if (s->second[a] >= 0) {
      s->M[(size_t)s->second[a] * n + (size_t)a] = 1;
      s->M[(size_t)a * n + (size_t)s->second[a]] = -1;
      s->q[s->second[a]] = high(s, s->u[a]) - low(s, s->u[a]);
    }
  }
}

/* x from z, back in the units of the caller. */
static void recover(state *s, double *x) {
  memcpy(x, s->x, (size_t)s->p->m * sizeof *x);
  for (int k = 0; k < s->nf; k++) {
    x[s->f[k]] = -s->K[(size_t)s->nu * (size_t)s->nf + (size_t)k];
  }
  for (int a = 0; a < s->nu; a++) {
    int i = s->u[a];
    double step = side(s, i) * s->z[a];
    x[i] += step;
    x[i] = s->second[a] >= 0 && x[i] > high(s, i) ? high(s, i) : x[i];
    for (int k = 0; k < s->nf; k++) {
      x[s->f[k]] -= s->K[(size_t)a * (size_t)s->nf + (size_t)k] * step;
    }
  }
  for (int i = 0; i < s->p->m; i++) {
    double lo = pw_box_lcp_lo(s->p, i), hi = pw_box_lcp_hi(s->p, i);
    x[i] /= s->s[i];
    x[i] = x[i] < lo ? lo : x[i] > hi ? hi : x[i];
  }
}

pw_outcome pw_mlcp_solve(const pw_box_lcp *p, const double *cover, double *x, double *real,
                         int *whole, pw_mlcp_info *info) {
  state s = {.p = p};
  *info = (pw_mlcp_info){.residual = NAN};
  if (!pw_box_lcp_well_posed(p)) {
    return PW_BREAKDOWN;
  }
  lay_out(&s, p->m, &(pw_strip){.real = real, .whole = whole});
  pw_box_lcp_scale(p, s.s);
  sort_rows(&s);
  info->size = s.size;
  pw_outcome o = eliminate(&s);
  if (o != PW_SOLVED) {
    return o;
  }
  assemble(&s);
  const pw_lcp lcp = {.n = s.size, .M = s.M, .q = s.q, .cover = cover};
  pw_lcp_info inner;
  o = pw_lcp_lemke(&lcp, s.z, s.lcp_real, s.lcp_whole, &inner);
  info->iterations = inner.iterations;
  if (o != PW_SOLVED && o != PW_BREAKDOWN) {
    return o;
  }
  recover(&s, x);
  info->residual = pw_box_lcp_residual(p, s.s, x);
  return info->residual <= PW_SCALE(LCP_SOLVED) ? PW_SOLVED : PW_BREAKDOWN;
}
