// SPDX-License-Identifier: MIT
/* Slips in the plane: friction acts along d = s/|s|, which is 0/0 where sliding starts and stiff
 * close to it: |s| d' = y - (y.d) d with the rate y of the slip. As long as |s| is of no size, d is
 * where that ends at once, y(d) parallel to d; it turns with the load, and the error is of second
 * order in |s|. A step that looks beyond the end of a slip sees the force go on as it was: s is
 * turned round where it points against the heading. */
#include <math.h>
#include <string.h>

#include "law/scale_mech.h"
#include "linalg/chol.h"
#include "linalg/dense.h"
#include "mech/work.h"

enum { MAX_TURNS = 40 };

void pw_mech_head(pw_mech *m, const double *heading, const double *blur) {
  memcpy(m->heading, heading, (size_t)m->sys->ni * sizeof *heading);
  memcpy(m->blur, blur, (size_t)m->sys->ni * sizeof *blur);
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

bool pw_mech_is_blurred(const pw_mech *m) {
  for (int i = 0; i < m->sys->ni && m->w->has_planes; i++) {
    if (m->sys->law[i].group == i && m->blur[i] > 0) {
      return true;
    }
  }
  return false;
}

/* sum |J_j u_j| of both rows; of positions, whose terms are not linear, nothing. */
static double terms_of(const pw_mech *m, int law) {
  const pw_system *s = m->sys;
  const double *u = m->w->in + s->offset[PW_VAR_U];
  double sum = 0;
  for (int k = 0; k < 2 && s->law[law].on_velocity; k++) {
    const double *J = pw_mech_law(m, s->nc + law + k) + PW_VIEW_HEAD;
    for (int j = 0; j < s->nv; j++) {
      sum += fabs(J[j] * u[j]);
    }
  }
  return sum;
}

static double size_of(const pw_mech *m, int law) {
  return hypot(pw_mech_law(m, m->sys->nc + law)[PW_VIEW_VALUE],
               pw_mech_law(m, m->sys->nc + law + 1)[PW_VIEW_VALUE]);
}

/* Part of the direction that is the slip's own: smoothly from 0 to 1 between b and 2 b. */
static double own_part(const pw_mech *m, int law) {
  double size = size_of(m, law), b = m->blur[law], x = b > 0 ? fmin(size / b - 1, 1) : 1;
  bool known = x > 0 && size > PW_SCALE(NO_DIRECTION) * terms_of(m, law);
  return known ? x * x * (3 - 2 * x) : 0;
}

/* The heading, turned. */
static void turned(const pw_mech *m, int law, double e[2]) {
  const double *h = m->heading + law;
  double c = cos(m->w->turn[law]), s = sin(m->w->turn[law]);
  e[0] = c * h[0] - s * h[1];
  e[1] = s * h[0] + c * h[1];
}

/* False: the slip has no direction of its own. */
static bool direction_of(const pw_mech *m, int law, double d[2]) {
  double e[2], s[2] = {pw_mech_law(m, m->sys->nc + law)[PW_VIEW_VALUE],
                       pw_mech_law(m, m->sys->nc + law + 1)[PW_VIEW_VALUE]};
  turned(m, law, e);
  double size = hypot(s[0], s[1]), side = s[0] * e[0] + s[1] * e[1] < 0 ? -1 : 1;
  double own = own_part(m, law), length = 0;
  for (int k = 0; k < 2; k++) {
    d[k] = (1 - own) * e[k] + (own > 0 ? own * side * s[k] / size : 0);
    length = hypot(length, d[k]);
  }
  for (int k = 0; k < 2 && length > 0; k++) {
    d[k] /= length;
  }
  return own > 0;
}

double pw_mech_slip_along(const pw_mech *m, int law, const double s[2]) {
  double e[2];
  turned(m, law, e);
  return s[0] * e[0] + s[1] * e[1];
}

static double radius_of(const pw_mech *m, int law) {
  pw_law_row row = pw_view_law(m->sys, (pw_law_view){.graph = m->w->tape.graph.out}, law);
  return pw_law_radius(&row, false);
}

void pw_mech_aim(pw_mech *m) {
  for (int i = 0; m->w->has_planes && i < m->sys->ni; i++) {
    double d[2];
    if (m->sys->law[i].group == i) {
      (void)direction_of(m, i, d);
      for (int k = 0; k < 2; k++) { /* -force above the kink is radius s/|s| */
        m->w->tape.graph.out[pw_view_graph_at(i + k, true)] = radius_of(m, i + k) * d[k];
      }
    }
  }
}

void pw_mech_aim_series(const pw_mech *m, int order, double *graph) {
  size_t n = (size_t)order + 1;
  for (int i = 0; i < m->sys->ni; i++) {
    double d[2];
    if (m->sys->law[i].group != i || direction_of(m, i, d)) {
      continue;
    }
    for (size_t k = 0; k < 2; k++) { /* straight on at first */
      double *right = graph + (size_t)pw_view_graph_at(i + (int)k, true) * n;
      for (size_t j = 0; j < n; j++) {
        pw_law_row row =
            pw_view_law_series(m->sys, (pw_law_view){.graph = graph}, i + (int)k, order, (int)j);
        double radius = pw_law_radius(&row, false);
        right[j] = isfinite(radius) ? radius * d[k] : 0;
      }
    }
  }
}

/* ---- directions that follow the load ---- */

/* Largest eigenvalue of the two rows' J M^-1 J^T. */
static double mobility(pw_mech *m, int law) {
  int n = m->sys->nv;
  double *a = m->w->v, *b = m->w->y; /* both are free after the accelerations */
  memcpy(a, pw_mech_law(m, m->sys->nc + law) + PW_VIEW_HEAD, (size_t)n * sizeof *a);
  memcpy(b, pw_mech_law(m, m->sys->nc + law + 1) + PW_VIEW_HEAD, (size_t)n * sizeof *b);
  pw_mech_forward(m, a);
  pw_mech_forward(m, b);
  double aa = pw_dot(a, a, n), bb = pw_dot(b, b, n);
  return (aa + bb) / 2 + hypot((aa - bb) / 2, pw_dot(a, b, n));
}

/* Rates of both slips; of the tip of a norm of positions, the rates of their rates. */
static void load_of(const pw_mech *m, int law, double y[2]) {
  const pw_system *s = m->sys;
  for (int k = 0; k < 2; k++) {
    const double *row = pw_mech_law(m, s->nc + law + k);
    y[k] = row[PW_VIEW_ZETA] + pw_dot(row + PW_VIEW_HEAD, m->a, s->nv);
  }
}

/* A tip of positions that is left from rest has s = y t^2/2, so |s'|^2 = 2 |s| |y|, and follows the
 * load; one that is passed in motion has the direction of s', which no load turns. */
static bool is_passed(const pw_mech *m, int law) {
  const pw_system *s = m->sys;
  double y[2], rate = hypot(pw_mech_law(m, s->nc + law)[PW_VIEW_RATE],
                            pw_mech_law(m, s->nc + law + 1)[PW_VIEW_RATE]);
  load_of(m, law, y);
  return !s->law[law].on_velocity &&
         rate * rate > PW_SCALE(TIP_PASSED) * 2 * size_of(m, law) * hypot(y[0], y[1]);
}

static bool follows(const pw_mech *m, int law) {
  const pw_system *s = m->sys;
  int on = s->law[law].on;
  return s->law[law].group == law && m->w->state[law] == PW_ABOVE_KINK &&
         (on < 0 || m->w->state[on] == PW_AT_KINK) && m->blur[law] > 0 && own_part(m, law) < 1 &&
         !is_passed(m, law);
}

/* How far the direction still is from (R d + y/|D|) / |...|, whose fixed points have y parallel to
 * d. n of them move the same body at most: |D| is n times that of one. */
static double miss(pw_mech *m, int law, int n) {
  const pw_system *s = m->sys;
  double D = n * mobility(m, law), d[2], e[2], v[2], y[2];
  double normal = s->law[law].on < 0 ? 1 : m->lambda[s->nc + s->law[law].on];
  double R = radius_of(m, law) * normal;
  (void)direction_of(m, law, d);
  turned(m, law, e);
  load_of(m, law, y);
  for (int k = 0; k < 2; k++) {
    v[k] = R * d[k] + y[k] / D;
  }
  double angle = atan2(e[0] * v[1] - e[1] * v[0], e[0] * v[0] + e[1] * v[1]);
  return isfinite(angle) ? angle : 0;
}

bool pw_mech_turn(pw_mech *m, int pass) {
  pw_broyden *b = &m->w->turning.b;
  int law[PW_MOST_TURNING], n = 0;

  /* the laws whose directions follow the load */
  for (int i = 0; i < m->sys->ni && n < PW_MOST_TURNING; i++) {
    if (follows(m, i)) {
      law[n++] = i;
    }
  }
  pw_broyden_lay(b, n, m->w->turning.room);
  if (pass == 0) {
    pw_broyden_begin(b);
  }

  /* F(x): what each direction still has to turn, x: the angle from its heading */
  for (int i = 0; i < n; i++) {
    b->F[i] = miss(m, law[i], n);
    b->x[i] = m->w->turn[law[i]];
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
  for (int i = 0; i < n; i++) {
    m->w->turn[law[i]] = b->x[i];
  }
  return true;
}
