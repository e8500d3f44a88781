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
#include "base/strip.h"
#include "law/scale_solve.h"
#include "linalg/dense.h"
#include "solve/box_lcp.h"
#include "solve/lcp_polish.h"

/* A pivot touches one column at once, the others when they are looked at next: most are not before
 * the path ends. Each then gets the same operations in the same order as without the delay. */
typedef struct state {
  const pw_lcp *p;
  int n;
  int ld;          /* n made even, for loops without remainders; what is added stays 0 */
  double *s;       /* n: units */
  double *h;       /* ld */
  double *rest;    /* n */
  double *T;       /* ld x (n + 1) */
  double *past;    /* ld x n: the entering columns of the last pivots */
  double *inverse; /* n: of their pivots */
  int *basic;      /* n */
  int *outside;    /* n + 1 */
  int *place;      /* 2 n + 1: row if >= 0, else -1 - column */
  int *tied;       /* n: rows of equal ratio */
  int *row;        /* n: of the last pivots */
  int *seen;       /* n + 1: how many of them a column knows */
  int pivots;      /* the last ones that are remembered */
  double size;     /* largest |q_i| / s_i */
  double noise;    /* values of basic variables below it are zero */
} state;

static int even(int n) {
  return n + n % 2;
}

static void lay_out(state *s, int size, pw_strip *to) {
  size_t n = (size_t)size, ld = (size_t)even(size);
  s->s = pw_strip_real(to, n);
  s->rest = pw_strip_real(to, n);
  s->inverse = pw_strip_real(to, n);
  s->h = pw_strip_real(to, ld);
  size_t table = ld * (n + 1), polish = pw_lcp_polish_doubles(size);
  s->T = pw_strip_real(to, table); /* the polish takes the place from here on */
  s->past = pw_strip_real(to, table + ld * n > polish ? ld * n : polish - table);
  s->basic = pw_strip_whole(to, n);
  s->outside = pw_strip_whole(to, n + 1);
  s->place = pw_strip_whole(to, 2 * n + 1);
  s->tied = pw_strip_whole(to, n);
  s->row = pw_strip_whole(to, n);
  s->seen = pw_strip_whole(to, n + 1);
}

size_t pw_lcp_doubles(int n) {
  state s;
  pw_strip to = {0};
  lay_out(&s, n, &to);
  return to.n_real;
}

size_t pw_lcp_ints(int n) {
  state s;
  pw_strip to = {0};
  lay_out(&s, n, &to);
  return to.n_whole;
}

static double *table_column(const state *s, int j) {
  return s->T + (size_t)j * (size_t)s->ld;
}

/* t = a b c, entry by entry but for the number b. 0 if all a are finite, else NaN. */
static double scale(const double *restrict a, double b, const double *restrict c,
                    double *restrict t, int n) {
  double none0 = 0, none1 = 0;
  int i = 0;
  for (; i + 2 <= n; i += 2) {
    double x0 = a[i] * b * c[i], x1 = a[i + 1] * b * c[i + 1];
    none0 += 0 * a[i];
    none1 += 0 * a[i + 1];
    t[i] = x0;
    t[i + 1] = x1;
  }
  if (i < n) {
    none0 += 0 * a[i];
    t[i] = a[i] * b * c[i];
    t[i + 1] = 0;
  }
  return none0 + none1;
}

/* False: data that are not finite. */
static bool begin(state *s) {
  int n = s->n;
  double none = 0;
  const pw_lcp *p = s->p;
  pw_box_lcp_scale(&(pw_box_lcp){.m = n, .D = p->M, .b = p->q}, s->s);
  double *inverse = s->rest, *cover = table_column(s, n);
  if (n < s->ld) {
    s->h[n] = cover[n] = 0;
  }
  for (int i = 0; i < n; i++) {
    inverse[i] = 1 / s->s[i];
    cover[i] = p->cover == NULL ? 1 : p->cover[i];
    s->h[i] = p->q[i] * inverse[i];
    s->basic[i] = i;
    s->place[i] = i;
  }
  for (int j = 0; j < n; j++) {
    none += scale(p->M + (size_t)j * (size_t)n, inverse[j], inverse, table_column(s, j), n);
  }
  for (int j = 0; j <= n; j++) {
    s->outside[j] = n + j;
    s->place[n + j] = -1 - j;
    s->seen[j] = 0;
  }
  s->size = pw_norm_inf(s->h, n);
  s->noise = PW_SCALE(STEP_NOISE) * s->size;
  return none == 0 && isfinite(s->size);
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
  if (i + 2 <= n) {
    double x0 = t[i] + f * a[i], x1 = t[i + 1] + f * a[i + 1];
    t[i] = x0;
    t[i + 1] = x1;
    i += 2;
  }
  if (i < n) {
    t[i] += f * a[i];
  }
}

/* What pivot k does to another column. */
static void pass_on(const state *s, int k, double *t) {
  int row = s->row[k];
  if (t[row] != 0) {
    double f = -t[row] * s->inverse[k];
    add_multiple(f, s->past + (size_t)k * (size_t)s->ld, t, s->ld);
    t[row] = f;
  }
}

/* Column j of the dictionary as it is now. */
static double *fresh_column(state *s, int j) {
  double *t = table_column(s, j);
  for (int k = s->seen[j]; k < s->pivots; k++) {
    pass_on(s, k, t);
  }
  s->seen[j] = s->pivots;
  return t;
}

static void forget_pivots(state *s) {
  for (int j = 0; j <= s->n; j++) {
    fresh_column(s, j);
    s->seen[j] = 0;
  }
  s->pivots = 0;
}

/* The basic variable of `row` and the outside one of `col` change places. */
static void pivot(state *s, int row, int col) {
  if (s->pivots == s->n) {
    forget_pivots(s);
  }
  int k = s->pivots++, out = s->basic[row];
  double *in = table_column(s, col), *past = s->past + (size_t)k * (size_t)s->ld;
  double inverse = 1 / in[row], f = -s->h[row] * inverse;
  s->row[k] = row;
  s->inverse[k] = inverse;
  s->seen[col] = s->pivots;
  for (int i = 0; i < s->ld; i += 2) {
    double x0 = in[i], x1 = in[i + 1];
    past[i] = x0;
    past[i + 1] = x1;
    in[i] = x0 * inverse;
    in[i + 1] = x1 * inverse;
  }
  in[row] = inverse;
  add_multiple(f, past, s->h, s->ld);
  s->h[row] = f;
  s->basic[row] = s->outside[col];
  s->outside[col] = out;
  s->place[out] = -1 - col;
  s->place[s->basic[row]] = row;
}

/* Coefficient of the perturbation e^(j+1) in `row`. */
static double lexical(state *s, int row, int j) {
  int at = s->place[j];
  return at >= 0 ? (at == row ? 1 : 0) : -fresh_column(s, -1 - at)[row];
}

/* Keeps of the tied rows those whose ratio is least; `size` is the largest of them. */
static int keep_least(state *s, int count, double least, double size) {
  const double *ratio = s->rest;
  int kept = 0;
  double slack = PW_SCALE(TIE_LCP) * fabs(least) + PW_SCALE(TIE_ROUNDING) * size;
  for (int k = 0; k < count; k++) {
    if (ratio[k] <= least + slack) {
      s->tied[kept++] = s->tied[k];
    }
  }
  return kept;
}

/* Rows that meet zero first, as far as their values tell. */
static int meet_first(state *s, const double *t) {
  int n = s->n;
  const double *h = s->h;
  double most0 = 0, most1 = 0, noise = s->noise;
  for (int i = 0; i < s->ld; i += 2) {
    double part0 = fabs(t[i]), part1 = fabs(t[i + 1]);
    most0 = part0 > most0 ? part0 : most0;
    most1 = part1 > most1 ? part1 : most1;
  }
  double falls = -PW_SCALE(PIVOT_LCP) * (most0 > most1 ? most0 : most1);
  double least = INFINITY, size = 0;
  int count = 0;
  for (int i = 0; i < n; i++) {
    if (t[i] < falls) {
      double value = h[i], ratio = (value > noise ? value : 0) / -t[i];
      least = ratio < least ? ratio : least;
      size = ratio > size ? ratio : size;
      s->rest[count] = ratio;
      s->tied[count++] = i;
    }
  }
  return keep_least(s, count, least, size);
}

/* Row that meets zero first as the variable of `col` grows; the artificial one if it is among
 * them; -1: none does. */
static int leaving(state *s, int col) {
  const double *t = fresh_column(s, col);
  int count = meet_first(s, t);
  if (count == 0) {
    return -1;
  }
  for (int k = 0; k < count; k++) {
    if (s->basic[s->tied[k]] == 2 * s->n) {
      return s->tied[k];
    }
  }
  for (int j = 0; j < s->n && count > 1; j++) {
    double least = INFINITY, size = 0;
    for (int k = 0; k < count; k++) {
      double ratio = lexical(s, s->tied[k], j) / -t[s->tied[k]];
      least = ratio < least ? ratio : least;
      size = pw_max(size, fabs(ratio));
      s->rest[k] = ratio;
    }
    count = keep_least(s, count, least, size);
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

/* rest = w = M z + q; returns max |min(z_i s_i, w_i / s_i)| as pw_lcp_residual does. */
static double evaluate(state *s, const double *z) {
  int n = s->n;
  double worst = 0;
  memcpy(s->rest, s->p->q, (size_t)n * sizeof *s->rest);
  for (int j = 0; j < n; j++) {
    if (z[j] != 0) {
      add_multiple(z[j], s->p->M + (size_t)j * (size_t)n, s->rest, n);
    }
  }
  for (int i = 0; i < n; i++) {
    double w = s->rest[i] / s->s[i], x = z[i] * s->s[i];
    worst = pw_max(worst, fabs(w > x ? x : w));
  }
  return s->size > 0 ? worst / s->size : worst;
}

/* h <- h - T w for the w that should vanish: the dictionary is the inverse it needs. */
static void refine(state *s) {
  for (int j = 0; j <= s->n; j++) {
    int var = s->outside[j];
    if (var < s->n && s->rest[var] != 0) {
      add_multiple(-s->rest[var] / s->s[var], fresh_column(s, j), s->h, s->n);
    }
  }
}

static void improve(state *s, double *z, pw_lcp_info *info) {
  extract(s, z);
  info->residual = evaluate(s, z);
  for (int pass = 0; pass < 3 && info->residual > PW_SCALE(LCP_REFINED); pass++) {
    double before = info->residual;
    refine(s);
    extract(s, z);
    info->residual = evaluate(s, z);
    if (!(info->residual < 0.5 * before)) {
      break;
    }
  }
}

/* The artificial variable is zero up to rounding before it leaves: with redundant rows the path
 * would go on past its end. Its value may be dropped if what remains is a solution. */
static bool ended(state *s, double *z, pw_lcp_info *info) {
  if (s->h[s->place[2 * s->n]] > PW_SCALE(END_LCP) * s->noise) {
    return false;
  }
  improve(s, z, info);
  return info->residual <= PW_SCALE(LCP_SOLVED);
}

/* Of a path that ended in z. */
static pw_outcome finish(state *s, double *z, pw_lcp_info *info) {
  double tol = s->p->tol > 0 ? s->p->tol : PW_SCALE(LCP_SOLVED);
  if (info->residual > PW_SCALE(LCP_POLISH) * tol) {
    info->residual = pw_lcp_polish(s->p, s->s, z, info->residual, s->T, s->basic);
  }
  return info->residual <= tol ? PW_SOLVED : PW_BREAKDOWN;
}

pw_outcome pw_lcp_lemke(const pw_lcp *p, double *z, double *real, int *whole, pw_lcp_info *info) {
  int n = p->n, most = p->max_iter > 0 ? p->max_iter : 50 + 20 * n;
  state s = {.p = p, .n = n, .ld = even(n)};
  bool found = false; /* z is known already */
  *info = (pw_lcp_info){.residual = NAN};
  lay_out(&s, n, &(pw_strip){.real = real, .whole = whole});
  if (!begin(&s)) {
    return PW_BREAKDOWN;
  }

  /* the path: the artificial variable enters first and leaves last */
  int row = first_row(&s), enter = 2 * n;
  while (row >= 0) {
    int out = s.basic[row];
    pivot(&s, row, -1 - s.place[enter]);
    info->iterations++;
    found = out != 2 * n && ended(&s, z, info);
    if (out == 2 * n || found) {
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
      return pw_all_finite(table_column(&s, -1 - s.place[enter]), n) ? PW_INFEASIBLE : PW_BREAKDOWN;
    }
  }
  if (!found) {
    improve(&s, z, info);
  }
  return finish(&s, z, info);
}

double pw_lcp_residual(const pw_lcp *p, const double *z, double *scratch) {
  const pw_box_lcp box = {.m = p->n, .D = p->M, .b = p->q};
  pw_box_lcp_scale(&box, scratch);
  return pw_box_lcp_residual(&box, scratch, z);
}
