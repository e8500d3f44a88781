// SPDX-License-Identifier: MIT
/* Chebyshev samples -> polynomial in Bernstein form -> subdivision. The coefficients enclose the
 * values, so a cell with coefficients beyond +-tail of one sign has no root, and a cell with
 * monotone coefficients at most one. What stays inside the tail is merged into one region, which
 * is a crossing or a grazing by the certain signs on both sides. */
#include "sim/roots.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_mech.h"
#include "law/scale_sim.h"

enum { N = PW_ROOT_DEGREE, MAX_DEPTH = 26 };
static const double narrow_part = 0.25; /* a half of the interval contains the region with room */

/* Row k: cos(k (8 - j) pi/8), T_k at the samples. */
#define A 0.92387953251128675613
#define B 0.70710678118654752440
#define C 0.38268343236508977173
static const double wave[N + 1][N + 1] = {
    {1, 1, 1, 1, 1, 1, 1, 1, 1},     {-1, -A, -B, -C, 0, C, B, A, 1},
    {1, B, 0, -B, -1, -B, 0, B, 1},  {-1, -C, B, A, 0, -A, -B, C, 1},
    {1, 0, -1, 0, 1, 0, -1, 0, 1},   {-1, C, B, -A, 0, A, -B, -C, 1},
    {1, -B, 0, B, -1, B, 0, -B, 1},  {-1, A, -B, C, 0, -C, B, -A, 1},
    {1, -1, 1, -1, 1, -1, 1, -1, 1},
};
#undef A
#undef B
#undef C

/* Row k: Bernstein coefficients of degree 8 of the Chebyshev polynomial T_k(2x - 1). Before
 * elevation to degree 8 they are (-1)^(k-j) C(2k, 2j) / C(k, j). */
static const double chebyshev[N + 1][N + 1] = {
    {1, 1, 1, 1, 1, 1, 1, 1, 1},
    {-1, -3.0 / 4, -1.0 / 2, -1.0 / 4, 0, 1.0 / 4, 1.0 / 2, 3.0 / 4, 1},
    {1, 0, -5.0 / 7, -8.0 / 7, -9.0 / 7, -8.0 / 7, -5.0 / 7, 0, 1},
    {-1, 5.0 / 4, 25.0 / 14, 33.0 / 28, 0, -33.0 / 28, -25.0 / 14, -5.0 / 4, 1},
    {1, -3, -9.0 / 7, 11.0 / 7, 99.0 / 35, 11.0 / 7, -9.0 / 7, -3, 1},
    {-1, 21.0 / 4, -39.0 / 14, -143.0 / 28, 0, 143.0 / 28, 39.0 / 14, -21.0 / 4, 1},
    {1, -8, 13, 0, -429.0 / 35, 0, 13, -8, 1},
    {-1, 45.0 / 4, -65.0 / 2, 143.0 / 4, 0, -143.0 / 4, 65.0 / 2, -45.0 / 4, 1},
    {1, -15, 65, -143, 1287.0 / 7, -143, 65, -15, 1},
};

/* theory (35) */
double pw_roots_node(int j) {
  return 0.5 * (1 - wave[1][N - j]);
}

/* Coefficient k of the interpolating Chebyshev series; samples run from -1 to 1, those at the ends
 * halved. */
static double chebyshev_coefficient(const double *w, int k) {
  double sum = 0;
  for (int j = 0; j <= N; j++) {
    sum += w[j] * wave[k][j];
  }
  return sum * (k == 0 || k == N ? 1.0 : 2.0) / N;
}

/* theory (36) */
void pw_roots_fit(const double w[PW_ROOT_SAMPLES], pw_root_poly *p) {
  double c[N + 1], halved[N + 1];
  memcpy(halved, w, sizeof halved);
  halved[0] *= 0.5;
  halved[N] *= 0.5;
  for (int k = 0; k <= N; k++) {
    c[k] = chebyshev_coefficient(halved, k);
  }
  for (int j = 1; j < N; j++) {
    double sum = 0;
    for (int k = 0; k <= N; k++) {
      sum += c[k] * chebyshev[k][j];
    }
    p->b[j] = sum;
  }
  p->b[0] = w[0]; /* ends are samples, without rounding: steps meet in the same number */
  p->b[N] = w[N];
  p->scale = pw_norm_inf(w, N + 1);
  p->noise = 0;
  p->start = 0;
  p->tail = 10 * (fabs(c[N - 1]) + fabs(c[N])) + PW_SCALE(ROUNDED_SUM) * p->scale;
}

/* ---- subdivision ---- */

typedef struct cell {
  double b[N + 1];
  double x0, x1;
  int depth;
} cell;

typedef struct search {
  int n; /* degree left after dividing by x^(8 - n) */
  double tail, noise;
  int sign;  /* last certain sign; 0 before the first */
  bool open; /* inside an undecided region, which began at lo */
  double lo, edge;
  bool vague;  /* an answer came from an undecided region */
  bool grazes; /* a grazing did, */
  bool narrow; /* and it is much shorter than the interval */
  pw_root *out;
  int count;
} search;

static int sign_of(double x) {
  return (x > 0) - (x < 0);
}

/* Halves a cell: b becomes the left part, the right part goes to `right`. */
static void split(cell *left, cell *right, int n) {
  double mid = 0.5 * (left->x0 + left->x1);
  right->x0 = mid;
  right->x1 = left->x1;
  right->depth = ++left->depth;
  left->x1 = mid;
  for (int k = n; k >= 0; k--) { /* de Casteljau, in place: b ends as the left half */
    right->b[k] = left->b[n];
    for (int j = n; j > n - k; j--) {
      left->b[j] = 0.5 * (left->b[j - 1] + left->b[j]);
    }
  }
}

/* By de Casteljau; *slope: derivative along the cell, of which s is the part from 0 to 1. */
static double value(const cell *c, int n, double s, double *slope) {
  double b[N + 1];
  memcpy(b, c->b, sizeof b);
  for (int k = n; k > 1; k--) {
    for (int j = 0; j < k; j++) {
      b[j] += s * (b[j + 1] - b[j]);
    }
  }
  *slope = n * (b[1] - b[0]);
  return b[0] + s * (b[1] - b[0]);
}

/* Root of a monotone cell whose ends differ in sign: Newton's method, bisection where it leaves the
 * bracket or does not halve the value. *slope: there. */
static double locate(const cell *c, int n, double *slope) {
  double s0 = 0, s1 = 1, before = INFINITY;
  double s = c->b[0] / (c->b[0] - c->b[n]);
  for (int i = 0; i < 60; i++) {
    double w = value(c, n, s, slope), step = -w / *slope;
    if (fabs(step) <= DBL_EPSILON || w == 0 || c->b[n] == 0) {
      break;
    }
    *(sign_of(w) == sign_of(c->b[0]) ? &s0 : &s1) = s;
    bool good = s + step > s0 && s + step < s1 && fabs(w) <= 0.5 * before;
    s = good ? s + step : 0.5 * (s0 + s1);
    before = good ? fabs(w) : INFINITY;
  }
  return fmax(s, DBL_EPSILON);
}

static void emit(search *s, pw_root root) {
  if (s->count < PW_ROOT_MAX) {
    s->out[s->count++] = root;
  }
}

/* A certain sign after an undecided region, or after a certain one. */
static void settle(search *s, int sign) {
  if (s->open) {
    pw_root r = {.x = 0.5 * (s->lo + s->edge), .lo = s->lo, .hi = s->edge};
    r.kind = sign == s->sign || sign == 0 || s->sign == 0 ? PW_ROOT_GRAZING
             : sign > 0                                   ? PW_ROOT_RISING
                                                          : PW_ROOT_FALLING;
    s->vague = true;
    s->grazes = s->grazes || r.kind == PW_ROOT_GRAZING;
    s->narrow = s->narrow || (r.kind == PW_ROOT_GRAZING && r.hi - r.lo < narrow_part);
    s->open = false;
    emit(s, r);
  }
  s->sign = sign;
}

static void cross(search *s, const cell *c) {
  double slope, at = locate(c, s->n, &slope), width = c->x1 - c->x0;
  pw_root r = {.kind = c->b[0] < 0 ? PW_ROOT_RISING : PW_ROOT_FALLING,
               .x = c->x0 + at * width,
               .lo = c->x0,
               .hi = c->x1};
  r.slope = slope / width;
  for (int k = s->n; k < N; k++) { /* w = x^(8 - n) r, and r = 0 here */
    r.slope *= r.x;
  }
  emit(s, r);
  s->sign = -sign_of(c->b[0]);
}

/* theory (37). True if the cell needs no subdivision. Values at 0 and 1 are samples and therefore
 * certain. */
static bool decide(search *s, const cell *c) {
  int n = s->n, up = 0, down = 0, above = 0, below = 0, inside = 0;

  /* Signs and slopes of the coefficients, and how many are inside the tail. */
  for (int i = 0; i <= n; i++) {
    bool sample = (i == 0 && c->x0 == 0) || (i == n && c->x1 == 1);
    double t = sample ? s->noise : s->tail;
    above += c->b[i] > t;
    below += c->b[i] < -t;
    inside += fabs(c->b[i]) <= s->tail;
    up += i > 0 && c->b[i] > c->b[i - 1];
    down += i > 0 && c->b[i] < c->b[i - 1];
  }

  /* All coefficients have one certain sign: no root, as they enclose the values. */
  if (above == n + 1 || below == n + 1) {
    settle(s, above > 0 ? 1 : -1);
    return true;
  }

  /* Monotone between two certain ends: one root where their signs differ, else none. */
  bool first = fabs(c->b[0]) > s->tail || (c->x0 == 0 && fabs(c->b[0]) >= s->noise);
  bool last = fabs(c->b[n]) > s->tail || (c->x1 == 1 && fabs(c->b[n]) >= s->noise);
  if ((up == n || down == n) && first && last && c->b[0] != 0) {
    settle(s, sign_of(c->b[0]));
    if (sign_of(c->b[0]) != sign_of(c->b[n])) {
      cross(s, c);
    }
    return true;
  }

  /* All inside the tail, or too narrow to halve: part of an undecided region. */
  if (inside == n + 1 || c->depth == MAX_DEPTH) {
    s->lo = s->open ? s->lo : c->x0;
    s->edge = c->x1;
    s->open = true;
    return true;
  }
  return false;
}

/* A value at 0 is zero if it was set to zero, a slope if it is no more than rounding of the values:
 * below that no root tells from a touch. */
static double zero_at_start(const search *s, double scale) {
  return s->n == N       ? 0
         : s->n == N - 1 ? pw_max(PW_SCALE(NOISE) * scale, s->noise)
                         : PW_SCALE(NOISE) * scale;
}

/* theory (38): w = x r with r_i = n/(i+1) b_(i+1), as often as the value at 0 is zero within
 * rounding. */
static void deflate(search *s, cell *c, double scale) {
  while (s->n > 0 && fabs(c->b[0]) <= zero_at_start(s, scale)) {
    for (int i = 0; i < s->n; i++) {
      c->b[i] = s->n / (i + 1.0) * c->b[i + 1];
    }
    s->n--;
    s->tail *= s->n == N - 1 ? N : 1;
    s->noise *= s->n == N - 1 ? N : 1;
  }
}

int pw_roots_first_sign(const pw_root_poly *p) {
  search s = {.n = N};
  cell c;
  memcpy(c.b, p->b, sizeof p->b);
  deflate(&s, &c, p->scale);
  return sign_of(c.b[0]);
}

int pw_roots_find(const pw_root_poly *p, pw_root out[PW_ROOT_MAX], pw_root_trust *trust) {
  *trust = isfinite(p->scale) && isfinite(p->tail) ? PW_ROOTS_TRUSTED : PW_ROOTS_COARSE;
  if (*trust == PW_ROOTS_COARSE || p->scale == 0) {
    return 0;
  }
  cell stack[MAX_DEPTH + 2];
  search s = {.n = N, .tail = pw_max(p->tail, p->noise), .noise = p->noise, .out = out};
  memcpy(stack[0].b, p->b, sizeof p->b);
  stack[0].x0 = 0;
  stack[0].x1 = 1;
  stack[0].depth = 0;
  deflate(&s, &stack[0], p->scale);
  s.sign = s.noise > 0 && fabs(stack[0].b[0]) <= s.noise ? p->start : sign_of(stack[0].b[0]);
  bool certain = false; /* decided without subdivision: no root */
  for (int top = 0; top >= 0;) {
    cell *c = &stack[top];
    if (decide(&s, c)) {
      certain = c->depth == 0 && !s.open && s.count == 0;
      top--;
    } else {
      stack[top + 1] = *c;
      split(&stack[top + 1], c, s.n);
      top++;
    }
  }
  if (s.open) {
    settle(&s, fabs(p->b[N]) <= p->noise ? 0 : sign_of(p->b[N]));
  }
  bool finer = s.tail > 4 * p->noise; /* samples tell more */
  bool coarse = (p->tail > PW_SCALE(TAIL_FOR_ROOTS) * p->scale && !certain) ||
                (s.vague && p->tail > PW_SCALE(TAIL_FOR_GRAZING) * p->scale);
  *trust = finer && coarse      ? PW_ROOTS_COARSE
           : s.narrow           ? PW_ROOTS_NARROW
           : !finer && s.grazes ? PW_ROOTS_NOISY
                                : PW_ROOTS_TRUSTED;
  return s.count;
}
