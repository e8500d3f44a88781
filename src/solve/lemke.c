// SPDX-License-Identifier: MIT
/* Dictionary  basic = h + T outside  with n basic and n + 1 other variables. Variables: i < n is
 * w_i, n + i is z_i, 2 n the artificial z_0 of w = M z + q + cover z_0. Lexicographic rule: q gets
 * the perturbation (e, e^2, ...); e^j enters the dictionary where w_j does, with the other sign. */
#include "solve/lemke.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/real.h"
#include "linalg/dense.h"
#include "solve/box_lcp.h"
#include "solve/lcp_polish.h"

typedef struct state {
  const pw_lcp *p;
  int n;
  double *s;    /* n: units */
  double *T;    /* n x (n + 1) */
  double *h;    /* n */
  double *rest; /* n */
  int *basic;   /* n */
  int *outside; /* n + 1 */
  int *place;   /* 2 n + 1: row if >= 0, else -1 - column */
  int *tied;    /* n: rows of equal ratio */
  double noise; /* values of basic variables below it are zero */
} state;

size_t pw_lcp_doubles(int n) {
  size_t k = (size_t)n;
  return 3 * k + k * (k + 1) + 4 * k; /* the last part: the polish takes the place of T */
}

size_t pw_lcp_ints(int n) {
  return 5 * (size_t)n + 2;
}

static double *table_column(const state *s, int j) {
  return s->T + (size_t)j * (size_t)s->n;
}

static void begin(state *s, double *real, int *whole) {
  int n = s->n;
  const pw_lcp *p = s->p;
  s->s = real;
  s->h = s->s + n;
  s->rest = s->h + n;
  s->T = s->rest + n;
  s->basic = whole;
  s->outside = s->basic + n;
  s->place = s->outside + n + 1;
  s->tied = s->place + 2 * n + 1;
  pw_box_lcp_scale(&(pw_box_lcp){.m = n, .D = p->M, .b = p->q}, s->s);
  double *inverse = s->rest, *cover = table_column(s, n);
  for (int i = 0; i < n; i++) {
    inverse[i] = 1 / s->s[i];
    cover[i] = p->cover == NULL ? 1 : p->cover[i];
  }
  for (int j = 0; j < n; j++) {
    double *t = table_column(s, j), unit = inverse[j];
    const double *m = p->M + (size_t)j * (size_t)n;
    for (int i = 0; i < n; i++) {
      t[i] = m[i] * unit * inverse[i];
    }
  }
  for (int j = 0; j <= n; j++) {
    s->outside[j] = n + j;
    s->place[n + j] = -1 - j;
  }
  for (int i = 0; i < n; i++) {
    s->h[i] = p->q[i] / s->s[i];
    s->basic[i] = i;
    s->place[i] = i;
  }
  s->noise = 1e-14 * pw_norm_inf(s->h, n);
}

/* t += f a, written so that compilers use vectors without being told to. */
static void add_multiple(double f, const double *restrict a, double *restrict t, int n) {
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    double x0 = t[i] + f * a[i], x1 = t[i + 1] + f * a[i + 1];
    double x2 = t[i + 2] + f * a[i + 2], x3 = t[i + 3] + f * a[i + 3];
    t[i] = x0;
    t[i + 1] = x1;
    t[i + 2] = x2;
    t[i + 3] = x3;
  }
  for (; i < n; i++) {
    t[i] += f * a[i];
  }
}

/* The basic variable of `row` and the outside one of `col` change places. */
static void pivot(state *s, int row, int col) {
  int n = s->n;
  double *in = table_column(s, col), inverse = 1 / in[row];
  double f = -s->h[row] * inverse;
  in[row] = 0;
  pw_axpy(f, in, s->h, n);
  s->h[row] = f;
  for (int j = 0; j <= n; j++) {
    double *t = table_column(s, j);
    if (j != col && t[row] != 0) {
      f = -t[row] * inverse;
      add_multiple(f, in, t, n); /* in[row] is 0: row keeps its entry */
      t[row] = f;
    }
  }
  for (int i = 0; i < n; i++) {
    in[i] *= inverse;
  }
  in[row] = inverse;
  int out = s->basic[row];
  s->basic[row] = s->outside[col];
  s->outside[col] = out;
  s->place[out] = -1 - col;
  s->place[s->basic[row]] = row;
}

/* Coefficient of the perturbation e^(j+1) in `row`; j < 0: the value itself. */
static double lexical(const state *s, int row, int j) {
  if (j < 0) {
    return s->h[row] > s->noise ? s->h[row] : 0;
  }
  int at = s->place[j];
  return at >= 0 ? (at == row ? 1 : 0) : -table_column(s, -1 - at)[row];
}

/* Keeps of the tied rows those whose lexical entry j over -T_col is least. */
static int keep_least(state *s, int count, const double *t, int j) {
  double least = INFINITY, size = 0, *ratio = s->rest;
  for (int k = 0; k < count; k++) {
    ratio[k] = lexical(s, s->tied[k], j) / -t[s->tied[k]];
    least = ratio[k] < least ? ratio[k] : least;
    size = size > fabs(ratio[k]) ? size : fabs(ratio[k]);
  }
  int kept = 0;
  double slack = 1e-11 * fabs(least) + 1e-15 * size;
  for (int k = 0; k < count; k++) {
    if (ratio[k] <= least + slack) {
      s->tied[kept++] = s->tied[k];
    }
  }
  return kept;
}

/* Row that meets zero first as the variable of `col` grows; the artificial one if it is among
 * them; -1: none does. */
static int leaving(state *s, int col) {
  const double *t = table_column(s, col);
  double least = 1e-11 * pw_norm_inf(t, s->n);
  int count = 0;
  for (int i = 0; i < s->n; i++) {
    if (t[i] < -least) {
      s->tied[count++] = i;
    }
  }
  if (count == 0) {
    return -1;
  }
  count = keep_least(s, count, t, -1);
  for (int k = 0; k < count; k++) {
    if (s->basic[s->tied[k]] == 2 * s->n) {
      return s->tied[k];
    }
  }
  for (int j = 0; j < s->n && count > 1; j++) {
    count = keep_least(s, count, t, j);
  }
  return s->tied[0];
}

/* Row of the most negative q_i / cover_i; of equal ones the last, which the perturbation
 * e >> e^2 >> ... makes the least. -1: none is negative. */
static int first_row(const state *s) {
  const double *cover = table_column(s, s->n);
  int best = -1;
  double least = 0;
  for (int i = 0; i < s->n; i++) {
    double ratio = s->h[i] / cover[i];
    if (s->h[i] < 0 && ratio <= least) {
      best = i;
      least = ratio;
    }
  }
  return best;
}

/* The ray along which the variable of `col` grows without end. */
static void ray(const state *s, int col, double *z) {
  int n = s->n, out = s->outside[col];
  memset(z, 0, (size_t)n * sizeof *z);
  for (int i = 0; i < n; i++) {
    int var = s->basic[i];
    double t = table_column(s, col)[i];
    if (var >= n && var < 2 * n && t > 0) {
      z[var - n] = t / s->s[var - n];
    }
  }
  if (out >= n && out < 2 * n) {
    z[out - n] = 1 / s->s[out - n];
  }
}

static void extract(const state *s, double *z) {
  int n = s->n;
  memset(z, 0, (size_t)n * sizeof *z);
  for (int i = 0; i < n; i++) {
    int var = s->basic[i];
    if (var >= n && var < 2 * n) {
      z[var - n] = (s->h[i] > 0 ? s->h[i] : 0) / s->s[var - n];
    }
  }
}

/* h <- h - T w for the w that should vanish: the dictionary is the inverse it needs. */
static void refine(state *s, const double *z) {
  int n = s->n;
  memcpy(s->rest, s->p->q, (size_t)n * sizeof *s->rest);
  for (int j = 0; j < n; j++) {
    if (z[j] != 0) {
      pw_axpy(z[j], s->p->M + (size_t)j * (size_t)n, s->rest, n);
    }
  }
  for (int j = 0; j <= n; j++) {
    int var = s->outside[j];
    if (var < n && s->rest[var] != 0) {
      pw_axpy(-s->rest[var] / s->s[var], table_column(s, j), s->h, n);
    }
  }
}

static void improve(state *s, double *z, pw_lcp_info *info) {
  const pw_box_lcp box = {.m = s->n, .D = s->p->M, .b = s->p->q};
  extract(s, z);
  info->residual = pw_box_lcp_residual(&box, s->s, z);
  for (int pass = 0; pass < 3 && info->residual > 8 * DBL_EPSILON; pass++) {
    double before = info->residual;
    refine(s, z);
    extract(s, z);
    info->residual = pw_box_lcp_residual(&box, s->s, z);
    if (!(info->residual < 0.5 * before)) {
      break;
    }
  }
}

/* The artificial variable is zero up to rounding before it leaves: with redundant rows the path
 * would go on past its end. Its value may be dropped if what remains is a solution. */
static bool ended(state *s, double *z, pw_lcp_info *info) {
  if (s->h[s->place[2 * s->n]] > 100 * s->noise) {
    return false;
  }
  improve(s, z, info);
  return info->residual <= 1e-10;
}

static pw_outcome finish(state *s, double *z, pw_lcp_info *info) {
  double tol = s->p->tol > 0 ? s->p->tol : 1e-10;
  improve(s, z, info);
  if (info->residual > 1e-14) {
    info->residual = pw_lcp_polish(s->p, s->s, z, info->residual, s->T, s->basic);
  }
  return info->residual <= tol ? PW_SOLVED : PW_BREAKDOWN;
}

pw_outcome pw_lcp_lemke(const pw_lcp *p, double *z, double *real, int *whole, pw_lcp_info *info) {
  int n = p->n, most = p->max_iter > 0 ? p->max_iter : 50 + 20 * n;
  state s = {.p = p, .n = n};
  *info = (pw_lcp_info){.residual = NAN};
  if (!pw_box_lcp_well_posed(&(pw_box_lcp){.m = n, .D = p->M, .b = p->q})) {
    return PW_BREAKDOWN;
  }
  begin(&s, real, whole);
  int row = first_row(&s), enter = 2 * n;
  while (row >= 0) {
    int out = s.basic[row];
    pivot(&s, row, -1 - s.place[enter]);
    info->iterations++;
    if (out == 2 * n || ended(&s, z, info)) {
      break;
    }
    if (info->iterations >= most) {
      return PW_MAX_ITER;
    }
    enter = out < n ? out + n : out - n; /* the partner of the one that left */
    row = leaving(&s, -1 - s.place[enter]);
    if (row < 0) {
      ray(&s, -1 - s.place[enter], z);
      info->residual = NAN;
      return PW_INFEASIBLE;
    }
  }
  return finish(&s, z, info);
}

double pw_lcp_residual(const pw_lcp *p, const double *z, double *scratch) {
  const pw_box_lcp box = {.m = p->n, .D = p->M, .b = p->q};
  pw_box_lcp_scale(&box, scratch);
  return pw_box_lcp_residual(&box, scratch, z);
}
