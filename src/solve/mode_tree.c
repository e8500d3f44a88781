// SPDX-License-Identifier: MIT
#include "solve/mode_tree.h"

#include <math.h>
#include <string.h>

#include "base/real.h"
#include "base/strip.h"
#include "law/scale_solve.h"
#include "linalg/dense.h"
#include "solve/box_qp.h"
#include "solve/mode_proof.h"

/* Modes of a row. A contact or box: at its lower bound (open), inside (closed), at its upper bound.
 * A slip on a contact: slides up (force at its lower bound), sticks, slides down. */
enum { UNDECIDED = -1, AT_LO, INSIDE, AT_HI, MODES };

typedef struct state {
  const pw_stick_rows *p;
  int k;
  double unit;   /* size of the rates */
  double *D, *z; /* k x k: rates by forces; k: rates without, in units */
  int *mode;     /* k */
  double *a, *b; /* conditions: k x most, most, in unit columns (a, b) */
  int *equal;    /* most */
  int count;
  double *E, *c, *none, *lo, *hi, *l, *y; /* the least distance problem */
  double *x, *best;                       /* k each: the point of a node, the solution */
  double *qp_real;
  int *qp_whole;
  pw_mode_info *info;
} state;

static int most_conditions(int k) {
  return 3 * k;
}

static void lay_out(state *s, int k, pw_strip *to) {
  size_t m = (size_t)k, most = (size_t)most_conditions(k);
  s->D = pw_strip_real(to, m * m);
  s->z = pw_strip_real(to, m);
  s->a = pw_strip_real(to, m * most);
  s->b = pw_strip_real(to, most);
  s->E = pw_strip_real(to, (m + 1) * most);
  s->c = pw_strip_real(to, m + 1);
  s->none = pw_strip_real(to, most);
  s->lo = pw_strip_real(to, most);
  s->hi = pw_strip_real(to, most);
  s->l = pw_strip_real(to, most);
  s->y = pw_strip_real(to, most);
  s->x = pw_strip_real(to, m);
  s->best = pw_strip_real(to, m);
  s->qp_real = pw_strip_real(to, pw_box_qp_doubles(k + 1, most_conditions(k)));
  s->mode = pw_strip_whole(to, m);
  s->equal = pw_strip_whole(to, most);
  s->qp_whole = pw_strip_whole(to, pw_box_qp_ints(most_conditions(k)));
}

static int rows_of(int k) {
  return k < PW_MODE_ROWS ? k : PW_MODE_ROWS;
}

size_t pw_mode_tree_doubles(int k) {
  state s;
  pw_strip to = {0};
  lay_out(&s, rows_of(k), &to);
  return to.n_real;
}

size_t pw_mode_tree_ints(int k) {
  state s;
  pw_strip to = {0};
  lay_out(&s, rows_of(k), &to);
  return to.n_whole;
}

/* ---- the conditions of a node ---- */

static double *new_condition(state *s, double b, bool equal) {
  double *a = s->a + (size_t)s->count * (size_t)s->k;
  memset(a, 0, (size_t)s->k * sizeof *a);
  s->b[s->count] = b;
  s->equal[s->count++] = equal;
  return a;
}

/* sign y_i >= 0, or = 0. */
static void ask_rate(state *s, int i, double sign, bool equal) {
  double *a = new_condition(s, -sign * s->z[i], equal);
  for (int j = 0; j < s->k; j++) {
    a[j] = sign * s->D[(size_t)j * (size_t)s->k + (size_t)i];
  }
}

/* sign x_i + part x_n >= b, or = b; n < 0: without the second. */
static void ask_force(state *s, int i, double sign, int n, double part, double b, bool equal) {
  double *a = new_condition(s, b, equal);
  a[i] = sign;
  if (n >= 0) {
    a[n] += part;
  }
}

/* The contact of this slip is open. */
static bool is_idle(const state *s, int i) {
  int n = s->p->normal[i];
  return n >= 0 && s->mode[n] == AT_LO && s->p->lo[n] == 0;
}

static void ask_slip(state *s, int i) {
  int n = s->p->normal[i];
  double mu = s->p->mu[i];
  if (is_idle(s, i)) {
    ask_force(s, i, 1, -1, 0, 0, true);
    return;
  }
  if (isinf(mu)) {
    if (s->mode[n] == INSIDE) {
      ask_rate(s, i, 1, true);
    }
    return;
  }
  switch (s->mode[i]) {
  case AT_LO:
    ask_force(s, i, 1, n, mu, 0, true);
    ask_rate(s, i, 1, false);
    break;
  case AT_HI:
    ask_force(s, i, 1, n, -mu, 0, true);
    ask_rate(s, i, -1, false);
    break;
  case INSIDE: ask_rate(s, i, 1, true); /* fall through */
  default: ask_force(s, i, 1, n, mu, 0, false); ask_force(s, i, -1, n, mu, 0, false);
  }
}

static void ask_box(state *s, int i) {
  double lo = s->p->lo[i] / s->unit, hi = s->p->hi[i] / s->unit;
  if (lo == hi) {
    ask_force(s, i, 1, -1, 0, lo, true);
    return;
  }
  if (s->mode[i] == AT_LO || s->mode[i] == AT_HI) {
    bool low = s->mode[i] == AT_LO;
    ask_force(s, i, 1, -1, 0, low ? lo : hi, true);
    ask_rate(s, i, low ? 1 : -1, false);
    return;
  }
  bool closed = s->mode[i] == INSIDE || (isinf(lo) && isinf(hi));
  if (isfinite(lo)) {
    ask_force(s, i, 1, -1, 0, lo, false);
  }
  if (isfinite(hi)) {
    ask_force(s, i, -1, -1, 0, -hi, false);
  }
  if (closed) {
    ask_rate(s, i, 1, true);
  } else if (isinf(hi) || isinf(lo)) { /* it does not close in any mode */
    ask_rate(s, i, isinf(hi) ? 1 : -1, false);
  }
}

static void pose(state *s) {
  s->count = 0;
  for (int i = 0; i < s->k; i++) {
    if (s->p->normal[i] >= 0) {
      ask_slip(s, i);
    } else {
      ask_box(s, i);
    }
  }
}

/* ---- the point of least norm, or a proof that there is none ---- */

typedef enum answer { POINT, NONE, DOUBT } answer;

static pw_conditions_list list_of(const state *s) {
  return (pw_conditions_list){s->k, s->count, s->a, s->b, s->equal};
}

/* The conditions hold up to what the judge of a solution lets pass. */
static bool is_point(const state *s, const double *x) {
  double size = pw_max(1, pw_norm_inf(x, s->k));
  for (int c = 0; c < s->count; c++) {
    double v = pw_dot(s->a + (size_t)c * (size_t)s->k, x, s->k) - s->b[c];
    double miss = s->equal[c] ? fabs(v) : -v;
    if (!(miss <= PW_SCALE(LCP_SOLVED) * size)) {
      return false;
    }
  }
  return pw_all_finite(x, s->k);
}

/* With r = E l - e of the least |r|, l >= 0 on inequalities: r = 0 refutes, else x = -r/r_last. */
static answer least_distance(state *s) {
  int rows = s->k + 1;
  pw_box_info info;
  for (int c = 0; c < s->count; c++) {
    double *col = s->E + (size_t)c * (size_t)rows;
    const double *a = s->a + (size_t)c * (size_t)s->k;
    double length = hypot(pw_norm2(a, s->k), s->b[c]);
    for (int i = 0; i < s->k; i++) {
      col[i] = length > 0 ? a[i] / length : 0;
    }
    col[s->k] = length > 0 ? s->b[c] / length : 0;
    s->lo[c] = s->equal[c] ? -INFINITY : 0;
    s->hi[c] = INFINITY;
    s->none[c] = 0;
  }
  memset(s->c, 0, (size_t)rows * sizeof *s->c);
  s->c[s->k] = -1;
  const pw_box_qp qp = {
      .n = rows, .m = s->count, .A = s->E, .c = s->c, .z = s->none, .lo = s->lo, .hi = s->hi};
  pw_outcome o = pw_box_qp_solve(&qp, s->l, s->y, NULL, s->qp_real, s->qp_whole, &info);
  if (o != PW_SOLVED) {
    return DOUBT;
  }
  pw_gemv(s->E, rows, s->count, s->l, s->c);
  s->c[s->k] -= 1;
  for (int i = 0; i < s->k; i++) {
    s->x[i] = -s->c[i] / s->c[s->k];
  }
  if (s->c[s->k] < 0 && is_point(s, s->x)) {
    return POINT;
  }
  for (int c = 0; c < s->count; c++) { /* back from unit columns */
    double length = hypot(pw_norm2(s->a + (size_t)c * (size_t)s->k, s->k), s->b[c]);
    s->l[c] = length > 0 ? s->l[c] / length : 0;
    s->l[c] = s->equal[c] ? s->l[c] : pw_max(s->l[c], 0);
  }
  pw_conditions_list list = list_of(s);
  return pw_conditions_refuted(&list, s->l, PW_SCALE(MODE_REACH)) ? NONE : DOUBT;
}

/* ---- the search ---- */

/* How far the point of a node is from the law of row i, and the modes in the order in which they
 * are tried: the nearest first. */
static double violation(const state *s, int i, int order[MODES]) {
  int n = s->p->normal[i];
  double x = s->x[i], y = s->z[i], lo = s->p->lo[i] / s->unit, hi = s->p->hi[i] / s->unit;
  for (int j = 0; j < s->k; j++) {
    y += s->D[(size_t)j * (size_t)s->k + (size_t)i] * s->x[j];
  }
  if (n >= 0) {
    hi = s->x[n] > 0 ? s->p->mu[i] * s->x[n] : 0;
    lo = -hi;
  }
  double at = x - y, onto = at < lo ? lo : at > hi ? hi : at;
  bool low = at <= lo, high = at >= hi && !low;
  order[0] = n >= 0 ? INSIDE : low ? AT_LO : high ? AT_HI : INSIDE;
  order[1] = order[0] != INSIDE ? INSIDE : y > 0 ? AT_LO : AT_HI;
  order[2] = (AT_LO + INSIDE + AT_HI) - order[0] - order[1];
  return fabs(x - onto);
}

/* The undecided row with the largest violation, or -1. Contacts before slips: they decide more. */
static int next_row(const state *s, int order[MODES]) {
  int best = -1;
  double most = -1;
  for (int i = 0; i < s->k; i++) {
    int tried[MODES];
    bool fixed = s->p->normal[i] < 0 &&
                 (s->p->lo[i] == s->p->hi[i] || (isinf(s->p->lo[i]) && isinf(s->p->hi[i])));
    bool follows = s->p->normal[i] >= 0 && (is_idle(s, i) || isinf(s->p->mu[i]));
    if (s->mode[i] != UNDECIDED || fixed || follows) {
      continue;
    }
    double v = violation(s, i, tried);
    if (v > most) {
      most = v;
      best = i;
      memcpy(order, tried, sizeof tried);
    }
  }
  return best;
}

static bool exists(const state *s, int i, int mode) {
  bool box = s->p->normal[i] < 0;
  return !box || mode == INSIDE || isfinite(mode == AT_LO ? s->p->lo[i] : s->p->hi[i]);
}

/* Forces in the units of the caller. */
static bool is_solution(state *s) {
  for (int i = 0; i < s->k; i++) {
    s->best[i] = s->unit * s->x[i];
  }
  return pw_stick_residual(s->p, s->best) <= PW_SCALE(LCP_SOLVED);
}

/* True: s->best is a solution. Deeper by one with each row that is decided, at most k. */
static bool visit(state *s) {
  int order[MODES];
  if (s->info->nodes++ >= PW_MODE_NODES) {
    return false;
  }

  /* What the decided rows ask for is refuted, or a point meets it that may solve all. */
  pose(s);
  answer a = least_distance(s);
  if (a == NONE) {
    return false;
  }
  if (a == POINT && is_solution(s)) {
    return true;
  }

  /* In doubt, branch from zero forces. */
  if (a == DOUBT) {
    memset(s->x, 0, (size_t)s->k * sizeof *s->x);
  }
  int i = next_row(s, order);
  if (i < 0) {
    s->info->doubtful++;
    return false;
  }

  /* Each mode of the row in turn, the nearest first. */
  for (int m = 0; m < MODES; m++) {
    s->mode[i] = order[m];
    if (exists(s, i, order[m]) && visit(s)) {
      return true;
    }
  }
  s->mode[i] = UNDECIDED;
  return false;
}

static void begin(state *s) {
  const pw_stick_rows *p = s->p;
  s->unit = 0;
  for (int i = 0; i < s->k; i++) {
    s->unit = pw_max(s->unit, fabs(p->z[i]));
    s->unit = isfinite(p->lo[i]) ? pw_max(s->unit, fabs(p->lo[i])) : s->unit;
    s->unit = isfinite(p->hi[i]) ? pw_max(s->unit, fabs(p->hi[i])) : s->unit;
    s->mode[i] = UNDECIDED;
  }
  s->unit = s->unit > 0 ? s->unit : 1;
  for (int i = 0; i < s->k; i++) {
    s->z[i] = p->z[i] / s->unit;
    for (int j = 0; j < s->k; j++) {
      s->D[(size_t)j * (size_t)s->k + (size_t)i] =
          pw_dot(p->A + (size_t)i * (size_t)p->n, p->B + (size_t)j * (size_t)p->n, p->n);
    }
  }
}

pw_outcome pw_mode_tree(const pw_stick_rows *p, double *x, double *real, int *whole,
                        pw_mode_info *info) {
  state s = {.p = p, .k = p->k, .info = info};
  *info = (pw_mode_info){0};
  if (p->k > PW_MODE_ROWS) {
    return PW_MAX_ITER;
  }
  lay_out(&s, p->k, &(pw_strip){.real = real, .whole = whole});
  begin(&s);
  if (!pw_all_finite(s.D, p->k * p->k) || !pw_all_finite(s.z, p->k)) {
    return PW_BREAKDOWN;
  }
  if (visit(&s)) {
    memcpy(x, s.best, (size_t)p->k * sizeof *x);
    return PW_SOLVED;
  }
  return info->doubtful == 0 && info->nodes < PW_MODE_NODES ? PW_INFEASIBLE : PW_MAX_ITER;
}
