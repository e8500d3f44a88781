// SPDX-License-Identifier: MIT
#include "verify/stretch.h"

#include <math.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_verify.h"
#include "linalg/chol.h"
#include "linalg/dense.h"

void pw_stretch_lay(pw_stretch_room *r, const pw_system *s, pw_layout *l) {
  size_t nv = (size_t)s->nv, nr = (size_t)s->nr;
  for (int k = 0; k < 3; k++) {
    pw_mark *m = &r->at[k];
    m->acc = PW_LAY(l, nv, double);
    m->push = PW_LAY(l, nr * nv, double);
    m->value = PW_LAY(l, nr, double);
    m->rate = PW_LAY(l, nr, double);
    m->left = PW_LAY(l, nr, double);
    m->right = PW_LAY(l, nr, double);
    m->bound = PW_LAY(l, nr, double);
    m->hold = PW_LAY(l, nr, double);
    m->bend = PW_LAY(l, nr, double);
  }
  r->du = PW_LAY(l, nv, double);
  r->aim = PW_LAY(l, nv, double);
  r->col = PW_LAY(l, nv, double);
  r->side = PW_LAY(l, s->n_switch, double);
  r->spare = PW_LAY(l, nv + 2 * (size_t)s->nq, double);
}

/* |L^T x| at the last probe. */
double pw_stretch_size(const pw_stretch *x, const double *v) {
  return pw_verify_size(&x->c->probe, v);
}

bool pw_stretch_look(pw_stretch *x, int k, double t, const double *q, const double *u) {
  pawl_certifier *c = x->c;
  const pw_system *s = c->sys;
  const pw_probe *p = &c->probe;
  pw_mark *m = &x->at[k];
  double ahead = (1 - k) * PW_SCALE(CERT_AHEAD) * c->scale.span; /* ends: the side in between */
  if (x->load[k / 2] != NULL) {
    pw_probe_loads(&c->probe, x->load[k / 2]);
  }
  if (!pw_probe_beside(&c->probe, t, q, u, ahead)) {
    return false;
  }

  /* the free motion */
  memcpy(m->acc, p->h, (size_t)s->nv * sizeof *m->acc);
  pw_probe_backward(p, m->acc);
  m->speed = p->fast;
  double pull = p->pull, drive = pull;

  /* rows: where they are, how they push, which forces their laws have */
  memcpy(m->value, p->value, (size_t)s->nr * sizeof *m->value);
  memcpy(m->rate, p->rate, (size_t)s->nr * sizeof *m->rate);
  memcpy(m->push, p->A, (size_t)s->nr * (size_t)s->nv * sizeof *m->push);
  for (int i = 0; i < s->nr; i++) {
    pw_probe_backward(p, m->push + (size_t)i * (size_t)s->nv);
    m->bend[i] = p->length[i] > 0 ? p->zeta[i] / p->length[i] : 0;
    m->left[i] = m->right[i] = m->bound[i] = 0;
    m->hold[i] = -1;
    if (i >= s->nc) {
      pw_law_row law = pw_probe_law(p, i);
      m->left[i] = pw_law_force_beside(&law, -1);
      m->right[i] = pw_law_force_beside(&law, 1);
      m->bound[i] = law.form->group >= 0 ? pw_probe_bound(p, i, false) : 0;
      m->hold[i] = law.limit;
      bool given = !law.form->wall && law.form->contact < 0;
      double most = pw_max(pw_max(fabs(m->left[i]), fabs(m->right[i])), m->hold[i]);
      drive += given ? most * p->reach[i] : 0;
    }
  }

  /* forces along the stretch, and whether a piece changes in it */
  x->pull = pw_max(x->pull, pull);
  x->drive = pw_max(x->drive, drive);
  double *side = x->side;
  for (int i = 0; i < s->n_switch; i++) {
    x->turned = x->turned || (k > 0 && side[i] != p->side[i]);
    side[i] = p->side[i];
  }
  return pw_all_finite(m->acc, s->nv);
}

/* ---- sets of the laws over an interval ---- */

static double tiny_of(const pw_stretch *x, int i) {
  bool velocity = x->c->sys->row[i].on_velocity;
  return (velocity ? x->tiny_velocity : x->tiny_position) * x->c->probe.length[i];
}

/* Largest change of a rate by forces other than impulses. */
double pw_stretch_drift(const pw_stretch *x, int i) {
  double bend = pw_max(fabs(x->at[0].bend[i]), fabs(x->at[2].bend[i]));
  bend = pw_max(bend, fabs(x->at[1].bend[i]));
  return x->whole * (x->drive + bend) * x->c->probe.length[i];
}

/* A speed that is zero at some instant of the stretch is no larger than this at its ends. */
double pw_stretch_slack(const pw_stretch *x, int i) {
  return tiny_of(x, i) + pw_stretch_drift(x, i);
}

/* A gap that opens or closes in between is as wide at the ends as speeds there make it. */
bool pw_stretch_touches(const pw_stretch *x, int i) {
  double drift = pw_stretch_drift(x, i), near = tiny_of(x, i);
  const pw_mark *a = &x->at[0], *m = &x->at[1], *b = &x->at[2];
  if (x->derived) {
    double v = fabs(m->value[i] - a->value[i]) + fabs(b->value[i] - m->value[i]);
    double rate = pw_max(fabs(a->rate[i]), pw_max(fabs(m->rate[i]), fabs(b->rate[i])));
    double low = pw_min(a->value[i], pw_min(m->value[i], b->value[i]));
    return low <= near + v + x->span * (rate + drift);
  }
  return a->value[i] <= near + x->span * (pw_max(-a->rate[i], 0) + drift) &&
         b->value[i] <= near + x->span * (pw_max(b->rate[i], 0) + drift);
}

static bool may_hold(const pw_stretch *x, int i) {
  double low = INFINITY;
  for (int k = 0; k < 3; k++) {
    low = pw_min(low, x->at[k].value[i]);
  }
  return low <= pw_stretch_slack(x, i) + fabs(x->at[2].value[i] - x->at[0].value[i]);
}

/* Whether a wall, or a servo with a free side, may act. */
bool pw_stretch_acts(const pw_stretch *x, int i) {
  return x->c->sys->row[i].on_velocity ? may_hold(x, i) : pw_stretch_touches(x, i);
}

/* The side of its kink on which a row stays, or 0. */
static int side_of(const pw_stretch *x, int i) {
  double near =
      x->derived && x->c->sys->row[i].on_velocity ? pw_stretch_slack(x, i) : tiny_of(x, i);
  int side = 0;
  for (int k = 0; k < 3; k++) {
    double v = x->at[k].value[i];
    int here = v > near ? 1 : v < -near ? -1 : 0;
    if (here == 0 || (k > 0 && here != side)) {
      return 0;
    }
    side = here;
  }
  return side;
}

/* Between rows at unequal distances p, r a force may be larger than at all three by up to what its
 * bend is worth over the longer one, and by what the rule through the three leaves out. */
static double beyond(const pw_stretch *x, int i, int side) {
  double p = x->before, r = x->after, f[3];
  for (int k = 0; k < 3; k++) {
    f[k] = side > 0 ? x->at[k].right[i] : x->at[k].left[i];
  }
  double bend = 2 * fabs((f[2] - f[1]) / r - (f[1] - f[0]) / p) / (p + r);
  return bend * ((p + r) * fabs(r - p) / 12 + pw_stretch_rule(x) / x->whole);
}

/* How far a measure of the position that turns between two instants may go beyond both: the
 * parabola with rates r, -r at them goes r dt/4 beyond; with unequal ones less than their harmonic
 * mean. */
static double overshoot(const pw_stretch *x, int i) {
  double most = 0;
  for (int k = 0; k < 2; k++) {
    double one = x->at[k].rate[i], two = x->at[k + 1].rate[i];
    double dt = k == 0 ? x->before : x->after;
    most = one * two < 0 ? pw_max(most, dt / 2 * fabs(one * two) / (fabs(one) + fabs(two))) : most;
  }
  return most;
}

/* Change of a force that is a function of the measure over that way, on the steeper side. */
static double beyond_rows(const pw_stretch *x, int i) {
  double way = x->c->sys->row[i].on_velocity ? 0 : overshoot(x, i), steep = 0;
  for (int k = 0; k < 2 && way > 0; k++) {
    const pw_mark *a = &x->at[k], *b = a + 1;
    double apart = fabs(b->value[i] - a->value[i]);
    double rise = pw_max(fabs(b->left[i] - a->left[i]), fabs(b->right[i] - a->right[i]));
    steep = apart > tiny_of(x, i) ? pw_max(steep, rise / apart) : steep;
  }
  return way * steep;
}

/* Forces that a row without a forbidden side may have, per unit of a normal force if it has a
 * contact. */
void pw_stretch_hull(const pw_stretch *x, int i, double *lo, double *hi) {
  int side = side_of(x, i);
  *lo = INFINITY;
  *hi = -INFINITY;
  for (int k = 0; k < 3; k++) {
    const pw_mark *m = &x->at[k];
    for (int other = -1; other <= 1; other += 2) {
      double f = other > 0 ? m->right[i] : m->left[i];
      if (side == 0 || side == other) {
        *lo = pw_min(*lo, f);
        *hi = pw_max(*hi, f);
      }
    }
    if (side == 0 && m->hold[i] >= 0) {
      *lo = pw_min(*lo, -m->hold[i]);
      *hi = pw_max(*hi, m->hold[i]);
    }
  }
  double more = (side != 0 ? beyond(x, i, side) : 0) + beyond_rows(x, i);
  *lo -= more;
  *hi += more;
}

void pw_stretch_servo(const pw_stretch *x, int i, double *lo, double *hi) {
  const pw_system *s = x->c->sys;
  bool wall = s->row[i].wall, one_way = s->row[i].one_way;
  bool up = x->c->probe.sense[i] >= 0;
  if (wall ? !pw_stretch_acts(x, i) : side_of(x, i) != 0) {
    *lo = *hi = 0;
    return;
  }
  *lo = one_way || (wall && up) ? 0 : -INFINITY;
  *hi = wall && !up ? 0 : INFINITY;
}

/* Whether a wall that may act does so at all three instants. One that is closed and has a speed is
 * struck or left there; the inner instant does not show that. */
bool pw_stretch_lasts(const pw_stretch *x, int i) {
  double still = x->tiny_velocity * x->c->probe.length[i];
  still += x->derived ? pw_stretch_drift(x, i) : 0;
  bool closed = true;
  for (int k = 0; k < 3; k++) {
    bool stays = k == 1 || x->c->sys->row[i].on_velocity || fabs(x->at[k].rate[i]) <= still;
    closed = closed && stays && x->at[k].value[i] <= tiny_of(x, i);
  }
  return closed;
}

/* Whether a contact that may be met is open at some instant: a force of it is an impact. */
bool pw_stretch_opens(const pw_stretch *x) {
  const pw_system *s = x->c->sys;
  for (int i = s->nc; i < s->nr; i++) {
    bool wall = pw_law_is_wall(&s->row[i]) && !s->row[i].on_velocity;
    if (wall && pw_stretch_touches(x, i) && !pw_stretch_lasts(x, i)) {
      return true;
    }
  }
  return false;
}

/* ---- instants ---- */

pw_stretch pw_stretch_begin(pawl_certifier *c, const pw_row_view *a, const pw_row_view *b,
                            bool forces, bool again) {
  const pw_stretch_room *r = &c->room.stretch;
  pw_set_scale zero = pw_zero_scale(c, 0, 0);
  pw_stretch x = {.c = c,
                  .at = {r->at[0], r->at[1], r->at[2]},
                  .du = r->du,
                  .aim = r->aim,
                  .col = r->col,
                  .spare = r->spare,
                  .side = r->side,
                  .again = again,
                  .t = b->t,
                  .span = b->t - a->t,
                  .tiny_position = zero.position,
                  .tiny_velocity = zero.velocity};
  if (forces) {
    x.force[0] = a->force;
    x.force[1] = b->force;
  }
  if (c->sys->load.n > 0) {
    x.load[0] = a->force;
    x.load[1] = b->force;
  }
  x.state[0] = a->q + c->sys->model->nq;
  x.state[1] = b->q + c->sys->model->nq;
  return x;
}

bool pw_stretch_carried(const pw_stretch *x, int i, double *impulse) {
  int k = x->c->stream.has_state ? pw_row_state(x->c->sys, i) : -1;
  /* under a hat psi: the integral of psi lambda' */
  *impulse = k < 0 ? 0 : (x->state[0][k] - x->state[1][k]) * (x->derived ? 0.5 : 1);
  return k >= 0;
}

/* The inner multipliers are the means of those at the ends, wrong by an eighth of their second
 * differences; what that does to the forces. Leaves the probe at the state. */
static bool look_inside(pw_stretch *x, double t, double *q, const double *u) {
  const pawl_certifier *c = x->c;
  const pw_system *s = c->sys;
  double *lambda = q + s->model->nq;
  for (int k = 0; k < s->n_state; k++) {
    lambda[k] = (x->state[0][k] + x->state[1][k]) / 2;
  }
  if (!pw_stretch_look(x, 1, t, q, u)) {
    return false;
  }
  for (int k = 0; k < s->n_state; k++) {
    double keep = lambda[k];
    memcpy(x->aim, x->at[1].acc, (size_t)s->nv * sizeof *x->aim);
    lambda[k] += c->lambda.bend[k] / 8;
    if (!pw_stretch_look(x, 1, t, q, u)) {
      return false;
    }
    pw_axpy(-1, x->at[1].acc, x->aim, s->nv);
    x->state_floor += x->span * pw_stretch_size(x, x->aim);
    lambda[k] = keep;
  }
  return s->n_state == 0 || pw_stretch_look(x, 1, t, q, u);
}

bool pw_stretch_between(pw_stretch *x, const pw_row_view *a, const pw_row_view *b) {
  const pw_system *s = x->c->sys;
  double *u = x->spare, *q = u + s->nv, *v = q + s->nq;
  pw_motion_middle(s, a, b, q, v, u);
  return look_inside(x, (a->t + b->t) / 2, q, u);
}
