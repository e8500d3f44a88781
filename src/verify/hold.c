// SPDX-License-Identifier: MIT
#include "verify/hold.h"

#include <math.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_verify.h"
#include "linalg/chol.h"
#include "linalg/dense.h"
#include "linalg/lu.h"
#include "pawl/traj.h"

/* ---- laws ---- */

static bool is_servo(const pw_system *s, int i) {
  return s->row[i].kind == PW_KIND_SERVO;
}

static bool is_friction(const pw_system *s, int i) {
  return s->row[i].kind == PW_KIND_FRICTION;
}

/* Each law by its first row. */
static bool holds(const pw_system *s, int i) {
  int k = i - s->nc;
  if (k < 0 || (s->law[k].group >= 0 && s->law[k].group != k)) {
    return false;
  }
  bool servo = is_servo(s, i) && s->law[k].one_way && !s->law[k].wall;
  return servo ||
         (is_friction(s, i) && s->model->rows.items[s->row_of[i]].clause.static_bound >= 0);
}

static bool any_holds(const pw_system *s) {
  bool any = false;
  for (int i = s->nc; i < s->nr && s->n_state == 0; i++) {
    any = any || holds(s, i);
  }
  return any;
}

void pw_hold_lay(pw_hold_room *r, const pw_system *s, pw_layout *l) {
  r->any = any_holds(s);
  size_t nv = r->any ? (size_t)s->nv : 0;
  r->G = PW_LAY(l, nv * nv, double);
  r->push = PW_LAY(l, nv * nv, double);
  r->force = PW_LAY(l, nv, double);
  r->known = PW_LAY(l, nv, double);
  r->gradient = PW_LAY(l, nv, double);
  r->row = PW_LAY(l, nv, int);
  r->pivot = PW_LAY(l, nv, int);
}

/* ---- the force that holds ---- */

typedef struct held {
  pawl_certifier *c;
  const pw_probe *p;
  double tiny_position, tiny_velocity;
  double sure;         /* a velocity that is none */
  int n, *row, *pivot; /* rows that stay at their kinks, as many as nv at most */
  double *G, *push;    /* n x n; nv x n: forces of units, with those of what slides on a contact */
  double *force, *known; /* n; nv */
  double *gradient;      /* nv */
} held;

/* Of the velocities of the two newest rows. Those that are found pass a kink smoothly, some rows
 * off: half of what they change by from row to row counts as standing still. */
static double doubt_of(pawl_certifier *c) {
  pw_row_view a = pw_row_at(c, c->stream.n_row - 2), b = pw_row_at(c, c->stream.n_row - 1);
  double *du = c->room.scratch;
  for (int i = 0; i < c->sys->nv; i++) {
    du[i] = b.u[i] - a.u[i];
  }
  return PW_SCALE(CERT_MARGIN) * pw_max(a.doubt, b.doubt) +
         (c->data.derived ? pw_verify_size(&c->probe, du) / 2 : 0);
}

static held begin(pawl_certifier *c, double doubt) {
  const pw_hold_room *r = &c->room.hold;
  pw_set_scale zero = pw_zero_scale(c, 0, 0);
  held x = {.c = c, .p = &c->probe, .tiny_position = zero.position};
  x.tiny_velocity = zero.velocity + doubt;
  x.sure = c->data.find_noise ? x.tiny_velocity : zero.at_rest;
  x.row = r->row;
  x.pivot = r->pivot;
  x.G = r->G;
  x.push = r->push;
  x.force = r->force;
  x.known = r->known;
  x.gradient = r->gradient;
  return x;
}

/* By the measure, of positions by its rate too. */
static bool is_still(const held *x, int i) {
  const pw_probe *p = x->p;
  const pw_system *s = x->c->sys;
  if (s->row[i].on_velocity) {
    bool plane = i >= s->nc && s->row[i].group >= 0;
    int first = plane ? s->nc + s->row[i].group : i;
    double slip = pw_length(p->value + first, s->row[i].width);
    return slip <= x->tiny_velocity * p->length[i];
  }
  return fabs(p->value[i]) <= x->tiny_position * p->length[i] &&
         fabs(p->rate[i]) <= x->tiny_velocity * p->length[i];
}

static const double *along(const held *x, int i) {
  return x->p->A + (size_t)i * (size_t)x->c->sys->nv;
}

static bool keep(held *x, int i) {
  size_t nv = (size_t)x->c->sys->nv;
  if (x->n >= x->c->sys->nv) {
    return false;
  }
  memcpy(x->push + (size_t)x->n * nv, along(x, i), nv * sizeof *x->push);
  x->row[x->n++] = i;
  return true;
}

/* A row without a forbidden side. False: where it stands its force is not known. */
static bool take_graph(held *x, int i, bool target) {
  const pw_system *s = x->c->sys;
  if (is_servo(s, i) || is_friction(s, i)) {
    if (target || is_still(x, i)) {
      return keep(x, i);
    }
  } else if (!s->row[i].bend) {
    bool velocity = s->row[i].on_velocity;
    double tiny = (velocity ? x->tiny_velocity : x->tiny_position) * x->p->length[i];
    if (fabs(x->p->value[i]) <= tiny) {
      return false;
    }
  }
  pw_axpy(is_servo(s, i) ? 0 : pw_probe_force_beside(x->p, i), along(x, i), x->known, s->nv);
  return true;
}

/* Frictions on contact number `at` of those held. */
static bool take_frictions(held *x, int at, int target) {
  const pw_system *s = x->c->sys;
  double *column = x->push + (size_t)at * (size_t)s->nv;
  for (int i = s->nc; i < s->nr; i++) {
    if (pw_row_contact(s, i) != x->row[at]) {
      continue;
    }
    bool asked = i == target || (s->row[i].group >= 0 && s->nc + s->row[i].group == target);
    if (asked || pw_law_is_rough(&s->row[i]) || is_still(x, i)) {
      if (!keep(x, i)) {
        return false;
      }
    } else {
      pw_axpy(pw_probe_force_beside(x->p, i), along(x, i), column, s->nv);
    }
  }
  return true;
}

static bool take_rows(held *x, int target) {
  const pw_system *s = x->c->sys;
  memcpy(x->known, x->p->h, (size_t)s->nv * sizeof *x->known);
  for (int i = 0; i < s->nr; i++) {
    int k = i - s->nc;
    bool fine = true;
    if (k < 0) {
      fine = keep(x, i);
    } else if (pw_row_contact(s, i) >= 0) {
      continue;
    } else if (s->law[k].wall) {
      int at = x->n;
      fine = !is_still(x, i) || (keep(x, i) && take_frictions(x, at, target));
    } else {
      bool asked = i == target || (s->law[k].group >= 0 && s->nc + s->law[k].group == target);
      fine = take_graph(x, i, asked);
    }
    if (!fine) {
      return false;
    }
  }
  return true;
}

/* J a + zeta = 0 of all rows that are held, with a = M^-1 (h + Phi lambda). */
static bool solve(held *x) {
  const pw_system *s = x->c->sys;
  const pw_probe *p = x->p;
  for (int r = 0; r < x->n; r++) {
    memcpy(x->gradient, p->J + (size_t)x->row[r] * (size_t)s->nv,
           (size_t)s->nv * sizeof *x->gradient);
    pw_probe_forward(p, x->gradient);
    x->force[r] = -p->zeta[x->row[r]] - pw_dot(x->gradient, x->known, s->nv);
    for (int k = 0; k < x->n; k++) {
      x->G[(size_t)k * (size_t)x->n + (size_t)r] =
          pw_dot(x->gradient, x->push + (size_t)k * (size_t)s->nv, s->nv);
    }
  }
  if (pw_lu(x->G, x->n, x->pivot) != 0) {
    return false;
  }
  pw_lu_solve(x->G, x->n, x->pivot, x->force);
  return pw_all_finite(x->force, x->n);
}

static double force_of(const held *x, int i) {
  for (int r = 0; r < x->n; r++) {
    if (x->row[r] == i) {
      return x->force[r];
    }
  }
  return 0;
}

/* How far the force of a row is within its bounds; negative: outside. */
static double room_of(const held *x, int i) {
  const pw_system *s = x->c->sys;
  int k = i - s->nc, contact = pw_row_contact(s, i);
  double force = force_of(x, i);
  if (is_friction(s, i)) {
    double bound = pw_probe_bound(x->p, i, true);
    double all[PW_LAW_MOST];
    for (int j = 0; j < s->law[k].width; j++) {
      all[j] = s->law[k].group >= 0 ? force_of(x, s->nc + s->law[k].group + j) : force;
    }
    double size = pw_length(all, s->law[k].width);
    return bound * (contact < 0 ? 1 : force_of(x, contact)) - size;
  }
  bool down = is_servo(s, i) && s->law[k].wall && x->p->sense[i] < 0;
  return down ? -force : force;
}

typedef struct room { /* relative to the forces; NAN: not known */
  double value;
  int side; /* of the measure; 0: it is still */
  double measure;
  bool unsure; /* it counts as still, but may only be slow */
} room;

/* Rows of a run at rest are so up to rounding. Others that count as still, because its accuracy
 * does not tell them from it, may as well be slow. */
static bool is_slow(const held *x, int i) {
  return x->c->sys->row[i].on_velocity && is_still(x, i) &&
         fabs(x->p->value[i]) > x->sure * x->p->length[i];
}

/* Whether law i could be held at the state of a row, all others staying as they are. */
static room look(pawl_certifier *c, const pw_row_view *row, int i, double doubt) {
  const pw_system *s = c->sys;
  room out = {NAN, 0, NAN, false};
  if (!pw_probe_row(c, row, 0)) {
    return out;
  }
  held x = begin(c, doubt);
  out.measure = x.p->value[i];
  out.side = is_still(&x, i) ? 0 : s->row[i].group >= 0 || x.p->value[i] > 0 ? 1 : -1;
  out.unsure = is_slow(&x, i);
  if (!take_rows(&x, i) || !solve(&x)) {
    return out;
  }
  for (int r = 0; r < x.n; r++) { /* if others could not hold, more would change */
    bool bounded = x.row[r] >= s->nc && !pw_law_is_rough(&s->row[x.row[r]]);
    bool kept = !bounded || (room_of(&x, x.row[r]) >= 0 && !is_slow(&x, x.row[r]));
    if (x.row[r] != i && !kept) {
      return out;
    }
  }
  double scale = pw_norm2(x.known, s->nv) + fabs(force_of(&x, i)) * x.p->reach[i] +
                 PW_SCALE(CERT_FORCE_SHARE) * c->scale.F0 + c->scale.V0 / c->scale.span;
  out.value = room_of(&x, i) * x.p->reach[i] / scale;
  return out;
}

/* ---- letting go, and passing ---- */

/* More than forces change a speed by in this time is an impact. */
static bool is_struck(const pawl_certifier *c, const room *a, const room *b, int i, double dt) {
  double force = c->probe.pull + c->scale.F0;
  return fabs(b->measure - a->measure) > 2 * dt * force * c->probe.length[i];
}

static bool leaves(const pawl_certifier *c, int i, const room *a, const room *b) {
  bool passes = c->sys->row[i].on_velocity && a->side * b->side < 0;
  return passes || (a->side == 0 && b->side != 0);
}

static double measure(pawl_certifier *c, const pw_row_view *row, int k) {
  const double *x = c->probe.value_of_gap;
  (void)pw_probe_gaps(&c->probe, row->t, row->q, row->u);
  return c->sys->law[k].group < 0 ? x[k] : pw_length(x + k, c->sys->law[k].width);
}

/* Most rows are far from zero on one side, or as near as the one before. */
static bool may_leave(pawl_certifier *c, int i) {
  int k = i - c->sys->nc;
  pw_row_view before = pw_row_at(c, c->stream.n_row - 2), now = pw_row_at(c, c->stream.n_row - 1);
  double a = measure(c, &before, k), b = measure(c, &now, k);
  double tiny = c->scale.size_of[k] * (pw_zero_scale(c, 0, 0).velocity + doubt_of(c));
  return !c->sys->row[i].on_velocity || (a * b < 0 || (fabs(a) <= tiny && fabs(b) > tiny / 2));
}

static room look_at(pawl_certifier *c, const pw_row_view *row, int i, double doubt) {
  if (pw_probe_row(c, row, 0)) {
    pw_scale_row(c, row);
  }
  return look(c, row, i, doubt);
}

/* What the room changes by in a time dt after (or before) a row, as its velocity carries it on:
 * rows may be so far apart that a law lets go, and could hold again, between two of them. */
static double ahead(pawl_certifier *c, const pw_row_view *row, int i, double dt, const room *now) {
  double *q = c->room.scratch;
  for (int k = 0; k < c->sys->nq; k++) {
    q[k] = row->q[k] + dt * (k < c->sys->model->nq ? row->v[k] : 0);
  }
  pw_row_view later = *row;
  later.t += dt;
  later.q = q;
  double change = fabs(look(c, &later, i, 0).value - now->value);
  return isnan(change) ? 0 : change;
}

static void judge(pawl_certifier *c, int i) {
  int n = c->stream.n_row;
  pw_row_view before = pw_row_at(c, n - 2), now = pw_row_at(c, n - 1);
  double doubt = doubt_of(c), dt = now.t - before.t;
  room a = look_at(c, &before, i, doubt), b = look_at(c, &now, i, doubt);
  bool struck = c->sys->row[i].on_velocity && is_struck(c, &a, &b, i, dt);
  if (!leaves(c, i, &a, &b) || a.unsure || struck || isnan(a.value) || isnan(b.value)) {
    return;
  }
  double change = fabs(b.value - a.value);
  if (n > 2) {
    pw_row_view earlier = pw_row_at(c, n - 3);
    room e = look_at(c, &earlier, i, doubt);
    change = isnan(e.value) ? change : pw_max(change, fabs(a.value - e.value));
  }
  double turn = fabs(b.measure - a.measure), blur = doubt * c->scale.size_of[i - c->sys->nc];
  double late = dt * (1 + (turn > 0 ? pw_min(blur / turn, PW_SCALE(CERT_HOLD_LATE)) : 0));
  change = pw_max(change, pw_max(ahead(c, &before, i, late, &a), ahead(c, &now, i, -late, &b)));
  double rows = c->data.derived ? 8 : 2; /* velocities that are found show the kink some rows off */
  double tolerance = c->opts.tol + PW_SCALE(CERT_NOISE_MARGIN) * c->data.grain + rows * change;
  double value = pw_max(pw_min(a.value, b.value), 0);
  if (value <= tolerance || pw_verify_resolves(c, &now, now.t - before.t)) {
    pw_verify_found f = pw_found(value, tolerance, now.t, c->sys->row_of[i], PW_RULE_DIRECT);
    pw_found_note(&c->record, PW_FINDING_HOLD, f);
  }
}

void pw_verify_hold(pawl_certifier *c) {
  const pw_system *s = c->sys;
  for (int i = s->nc; c->room.hold.any && i < s->nr; i++) {
    if (holds(s, i) && may_leave(c, i)) {
      judge(c, i);
    }
  }
}

/* The instant itself is stored, so that nothing changes on the way to it. */
void pw_hold_change(pawl_certifier *c, const pw_row_view *row, const unsigned char *before,
                    const unsigned char *after) {
  const pw_system *s = c->sys;
  for (int i = s->nc; c->room.hold.any && i < s->nr; i++) {
    unsigned char was = before[s->row_of[i]], is = after[s->row_of[i]];
    bool passes = was != is && is != PAWL_LAW_HELD && s->row[i].on_velocity;
    if (!holds(s, i) || (!passes && !(was == PAWL_LAW_HELD && is != was))) {
      continue;
    }
    room x = look_at(c, row, i, 0);
    if (!isnan(x.value)) {
      double tolerance = c->opts.tol + PW_SCALE(CERT_NOISE_MARGIN) * c->data.noise;
      pw_verify_found f =
          pw_found(pw_max(x.value, 0), tolerance, row->t, s->row_of[i], PW_RULE_DIRECT);
      pw_found_note(&c->record, PW_FINDING_HOLD, f);
    }
  }
}
