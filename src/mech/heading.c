// SPDX-License-Identifier: MIT
/* Slips in the plane and in space: friction acts along d = s/|s|, which is 0/0 where sliding starts
 * and stiff close to it: |s| d' = y - (y.d) d with the rate y of the slip. While |s| is negligible,
 * d is the attractor of this equation, y(d) parallel to d; it turns with the load, and the error is
 * of second order in |s|. A step that extends beyond the end of a slip must see a smooth
 * continuation of the force: s is reversed if it points against the heading. */
#include <math.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_mech.h"
#include "linalg/chol.h"
#include "linalg/dense.h"
#include "mech/work.h"

enum { MAX_TURNS = 40 };

void pw_mech_head(pw_mech *m, const double *heading, const double *blur) {
  memcpy(m->heading, heading, (size_t)m->sys->ni * sizeof *heading);
  memcpy(m->blur, blur, (size_t)m->sys->ni * sizeof *blur);
  pw_mech_list_slides(m);
}

static int width_of(const pw_mech *m, int law) {
  return m->sys->law[law].width;
}

/* One number of all rows of the law: the measures s, or their rates. */
static void read_rows(const pw_mech *m, int law, int what, double *out) {
  for (int k = 0; k < width_of(m, law); k++) {
    out[k] = pw_mech_law(m, m->sys->nc + law + k)[what];
  }
}

bool pw_mech_slides_in_plane(const pw_mech *m) {
  for (int i = 0; i < m->sys->ni && m->w->has_planes; i++) {
    bool held = m->w->state[i] == PW_AT_KINK || m->w->state[i] == PW_IMPLIED;
    int on = m->sys->law[i].on;
    bool loaded = on < 0 || m->w->state[on] == PW_AT_KINK;
    if (m->sys->law[i].group == i && !held && loaded) {
      return true;
    }
  }
  return false;
}

bool pw_mech_slips_back(const pw_mech *m) {
  for (int i = 0; i < m->sys->ni && m->w->has_planes; i++) {
    int on = m->sys->law[i].on, n = m->sys->law[i].width;
    double s[PW_LAW_MOST];
    if (m->sys->law[i].group != i || m->w->state[i] != PW_ABOVE_KINK || m->blur[i] != 0 ||
        (on >= 0 && m->w->state[on] != PW_AT_KINK)) {
      continue;
    }
    read_rows(m, i, PW_VIEW_VALUE, s);
    if (pw_along(s, m->heading + i, n) < 0) {
      return true;
    }
  }
  return false;
}

bool pw_mech_is_blurred(const pw_mech *m) {
  for (int i = 0; i < m->sys->ni && m->w->has_planes; i++) {
    if (m->sys->law[i].group == i && m->blur[i] != 0) {
      return true;
    }
  }
  return false;
}

/* sum |J_j u_j| of all rows; of positions, whose terms are not linear, nothing. */
static double terms_of(const pw_mech *m, int law) {
  const pw_system *s = m->sys;
  const double *u = m->w->in + s->offset[PW_VAR_U];
  double sum = 0;
  for (int k = 0; k < s->law[law].width && s->law[law].on_velocity; k++) {
    const double *J = pw_mech_law(m, s->nc + law + k) + PW_VIEW_HEAD;
    for (int j = 0; j < s->nv; j++) {
      sum += fabs(J[j] * u[j]);
    }
  }
  return sum;
}

static double size_of(const pw_mech *m, int law) {
  double s[PW_LAW_MOST];
  read_rows(m, law, PW_VIEW_VALUE, s);
  return pw_length(s, width_of(m, law));
}

/* Part of the direction that is the slip's own: smoothly from 0 to 1 between |b| and 2 |b|. */
static double own_part(const pw_mech *m, int law) {
  double size = size_of(m, law), b = fabs(m->blur[law]), x = b > 0 ? fmin(size / b - 1, 1) : 1;
  bool known = x > 0 && size > PW_SCALE(NO_DIRECTION) * terms_of(m, law);
  return known ? x * x * (3 - 2 * x) : 0;
}

/* Unit vectors at right angles to the unit vector h and to each other: n - 1 of them. */
static void span_across(const double *h, int n, double t[][PW_LAW_MOST]) {
  if (n == 2) {
    t[0][0] = -h[1];
    t[0][1] = h[0];
    return;
  }
  int k = fabs(h[0]) <= fabs(h[1]) && fabs(h[0]) <= fabs(h[2]) ? 0
          : fabs(h[1]) <= fabs(h[2])                           ? 1
                                                               : 2;
  int i = (k + 1) % 3, j = (k + 2) % 3;
  double length = hypot(h[i], h[j]); /* e_k x h: at least sqrt(2/3) where h has length 1 */
  t[0][k] = 0;
  t[0][i] = length > 0 ? -h[j] / length : 1;
  t[0][j] = length > 0 ? h[i] / length : 0;
  for (int c = 0; c < 3; c++) { /* h x t */
    int a = (c + 1) % 3, b = (c + 2) % 3;
    t[1][c] = h[a] * t[0][b] - h[b] * t[0][a];
  }
}

/* The heading h, turned along a great circle by the angles x across it, contacts (K6):
 *   e = cos|x| h + sin|x| w,   w = sum x_i t_i / |x|,
 * and the vectors t_i across it, turned with it: t_i - (t_i.w) (sin|x| h + (1 - cos|x|) w). */
static void turned(const pw_mech *m, int law, double *e, double t[][PW_LAW_MOST]) {
  const double *h = m->heading + law, *x = m->w->turn + law;
  int n = width_of(m, law);
  double angle = pw_length(x, n - 1), c = cos(angle), s = sin(angle), w[PW_LAW_MOST] = {0};
  span_across(h, n, t);
  for (int k = 0; k < n; k++) {
    for (int i = 0; i < n - 1 && angle > 0; i++) {
      w[k] += x[i] / angle * t[i][k];
    }
    e[k] = c * h[k] + s * w[k];
  }
  for (int i = 0; i < n - 1; i++) {
    double along = pw_along(t[i], w, n);
    for (int k = 0; k < n; k++) {
      t[i][k] -= along * (s * h[k] + (1 - c) * w[k]);
    }
  }
}

/* False: the slip is too small to have a direction. */
static bool direction_of(const pw_mech *m, int law, double *d) {
  double e[PW_LAW_MOST], across[PW_LAW_MOST - 1][PW_LAW_MOST], s[PW_LAW_MOST];
  int n = width_of(m, law);
  read_rows(m, law, PW_VIEW_VALUE, s);
  turned(m, law, e, across);
  double size = pw_length(s, n), side = pw_along(s, e, n) < 0 ? -1 : 1;
  double own = own_part(m, law);
  for (int k = 0; k < n; k++) {
    d[k] = (1 - own) * e[k] + (own > 0 ? own * side * s[k] / size : 0);
  }
  double length = pw_length(d, n);
  for (int k = 0; k < n && length > 0; k++) {
    d[k] /= length;
  }
  return own > 0;
}

double pw_mech_slip_along(const pw_mech *m, int law, const double *s) {
  double e[PW_LAW_MOST], across[PW_LAW_MOST - 1][PW_LAW_MOST];
  turned(m, law, e, across);
  return pw_along(s, e, width_of(m, law));
}

static double radius_of(const pw_mech *m, int law) {
  pw_law_row row = pw_view_law(m->sys, (pw_law_view){.graph = m->w->tape.graph.out}, law);
  return pw_law_radius(&row, false);
}

void pw_mech_aim(pw_mech *m) {
  for (int i = 0; m->w->has_planes && i < m->sys->ni; i++) {
    double d[PW_LAW_MOST];
    if (m->sys->law[i].group == i) {
      (void)direction_of(m, i, d);
      for (int k = 0; k < width_of(m, i); k++) { /* -force above the kink is radius s/|s| */
        m->w->tape.graph.out[pw_view_graph_at(i + k, true)] = radius_of(m, i + k) * d[k];
      }
    }
  }
}

void pw_mech_aim_series(const pw_mech *m, int order, double *graph) {
  size_t n = (size_t)order + 1;
  for (int i = 0; i < m->sys->ni; i++) {
    double d[PW_LAW_MOST];
    if (m->sys->law[i].group != i || direction_of(m, i, d)) {
      continue;
    }
    for (int k = 0; k < width_of(m, i); k++) { /* straight on at first */
      double *right = graph + (size_t)pw_view_graph_at(i + k, true) * n;
      for (size_t j = 0; j < n; j++) {
        pw_law_row row =
            pw_view_law_series(m->sys, (pw_law_view){.graph = graph}, i + k, order, (int)j);
        double radius = pw_law_radius(&row, false);
        right[j] = isfinite(radius) ? radius * d[k] : 0;
      }
    }
  }
}

/* ---- directions that follow the load ---- */

/* At least the largest eigenvalue of the rows' J M^-1 J^T: that of two rows, of three their trace.
 */
static double mobility(pw_mech *m, int law) {
  int n = m->sys->nv;
  double *a = m->w->v, *b = m->w->y; /* both are free after the accelerations */
  double sum = 0, square[PW_LAW_MOST];
  for (int k = 0; k < width_of(m, law); k++) {
    double *to = k == 0 ? a : b;
    memcpy(to, pw_mech_law(m, m->sys->nc + law + k) + PW_VIEW_HEAD, (size_t)n * sizeof *to);
    pw_mech_forward(m, to);
    square[k] = pw_dot(to, to, n);
    sum += square[k];
  }
  return width_of(m, law) > 2 ? sum : sum / 2 + hypot((square[0] - square[1]) / 2, pw_dot(a, b, n));
}

/* Rates of the slips; of the tip of a norm of positions, the rates of their rates. */
static void load_of(const pw_mech *m, int law, double *y) {
  const pw_system *s = m->sys;
  for (int k = 0; k < width_of(m, law); k++) {
    const double *row = pw_mech_law(m, s->nc + law + k);
    y[k] = row[PW_VIEW_ZETA] + pw_dot(row + PW_VIEW_HEAD, m->a, s->nv);
  }
}

/* A tip of positions that is left from rest has s = y t^2/2, so |s'|^2 = 2 |s| |y|, and follows the
 * load; one that is passed in motion has the direction of s', which no load turns. */
static bool is_passed(const pw_mech *m, int law) {
  const pw_system *s = m->sys;
  int n = width_of(m, law);
  double y[PW_LAW_MOST], rates[PW_LAW_MOST];
  read_rows(m, law, PW_VIEW_RATE, rates);
  load_of(m, law, y);
  double rate = pw_length(rates, n);
  return !s->law[law].on_velocity &&
         rate * rate > PW_SCALE(TIP_PASSED) * 2 * size_of(m, law) * pw_length(y, n);
}

static bool follows(const pw_mech *m, int law) {
  const pw_system *s = m->sys;
  int on = s->law[law].on;
  return s->law[law].group == law && m->w->state[law] == PW_ABOVE_KINK &&
         (on < 0 || m->w->state[on] == PW_AT_KINK) && m->blur[law] > 0 && own_part(m, law) < 1 &&
         !is_passed(m, law);
}

/* How far the direction still is from (R d + y/|D|) / |...|, whose fixed points have y parallel to
 * d, as angles across it. n of them move the same body at most: |D| is n times that of one. */
static void miss(pw_mech *m, int law, int n, double *out) {
  const pw_system *s = m->sys;
  int width = width_of(m, law);
  double D = n * mobility(m, law), d[PW_LAW_MOST], e[PW_LAW_MOST], v[PW_LAW_MOST], y[PW_LAW_MOST];
  double across[PW_LAW_MOST - 1][PW_LAW_MOST], part[PW_LAW_MOST - 1];
  double normal = s->law[law].on < 0 ? 1 : m->lambda[s->nc + s->law[law].on];
  double R = radius_of(m, law) * normal;
  (void)direction_of(m, law, d);
  turned(m, law, e, across);
  load_of(m, law, y);
  for (int k = 0; k < width; k++) {
    v[k] = R * d[k] + y[k] / D;
  }
  for (int i = 0; i < width - 1; i++) {
    part[i] = pw_along(across[i], v, width);
  }
  double aside = pw_length(part, width - 1), angle = atan2(aside, pw_along(e, v, width));
  for (int i = 0; i < width - 1; i++) {
    out[i] = isfinite(angle) && aside > 0 ? angle * (part[i] / aside) : 0;
  }
}

/* The laws whose directions follow the load, as many as there is room for; *n: their angles. */
static int list_turning(const pw_mech *m, int *law, int *n) {
  int count = 0;
  *n = 0;
  for (int i = 0; i < m->sys->ni; i++) {
    if (follows(m, i) && *n + width_of(m, i) - 1 <= PW_MOST_TURNING) {
      law[count++] = i;
      *n += width_of(m, i) - 1;
    }
  }
  return count;
}

bool pw_mech_turn(pw_mech *m, int pass) {
  pw_broyden *b = &m->w->turning.b;
  int law[PW_MOST_TURNING], n, count = list_turning(m, law, &n);
  pw_broyden_lay(b, n, m->w->turning.room);
  if (pass == 0) {
    pw_broyden_begin(b);
  }

  /* F(x): the angle each direction still has to turn, x: the angles from its heading */
  for (int i = 0, at = 0; i < count; at += width_of(m, law[i++]) - 1) {
    miss(m, law[i], count, b->F + at);
    pw_copy(b->x + at, m->w->turn + law[i], width_of(m, law[i]) - 1);
  }

  /* settled, or near enough and the last pass brought it no nearer */
  double far = pw_broyden_worst(b->F, n), before = pw_broyden_worst(b->old_F, n);
  if (far <= PW_SCALE(TURN_SETTLED) || pass == MAX_TURNS ||
      (pass > 1 && far <= PW_SCALE(TURN_HOPELESS) && far >= before)) {
    return false;
  }

  /* the next guess, by Broyden's update of the inverse Jacobian */
  if (pass > 0) {
    pw_broyden_improve(b);
  }
  pw_broyden_step(b, PW_SCALE(TURN_MOST));
  for (int i = 0, at = 0; i < count; at += width_of(m, law[i++]) - 1) {
    pw_copy(m->w->turn + law[i], b->x + at, width_of(m, law[i]) - 1);
  }
  return true;
}
