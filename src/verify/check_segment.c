// SPDX-License-Identifier: MIT
/* A stored motion, segment by segment. At an instant inside of each the polynomial has an
 * acceleration of its own, and the segment says which laws are at their kinks: nothing is fitted,
 * and nothing depends on the rows that a user asked for. What the polynomial is off by, as the
 * decay of its coefficients shows, is the floor (certificates, section 3). */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_verify.h"
#include "linalg/dense.h"
#include "pawl/traj.h"
#include "verify/estimate.h"
#include "verify/feed.h"
#include "verify/glimpse.h"
#include "verify/hold.h"
#include "verify/jump.h"

void pw_own_lay(pw_own *o, const pw_system *s, pw_layout *l) {
  size_t state = (size_t)s->nq + (size_t)s->nv, laws = (size_t)s->model->rows.n;
  *o = (pw_own){.fresh = true, .quick = pw_glance_is_enough(s)};
  o->end = PW_LAY(l, state, double);
  o->nodes = PW_LAY(l, PW_MOST_NODES * state, double);
  o->value = PW_LAY(l, state, double);
  o->rate = PW_LAY(l, state, double);
  o->term = PW_LAY(l, PW_CURVE_TERMS * state, double);
  o->before = PW_LAY(l, state + (size_t)s->nq + laws, double);
  o->after = PW_LAY(l, state + (size_t)s->nq + laws, double);
  o->works = PW_LAY(l, s->n_work, double);
  o->slope = PW_LAY(l, laws, double);
  o->load = PW_LAY(l, laws, double);
  o->bend = PW_LAY(l, laws, double);
  o->mode = PW_LAY(l, laws, unsigned char);
  o->side = PW_LAY(l, s->ni, signed char);
  o->alone = PW_LAY(l, s->ni, signed char);
  for (int i = 0; o->alone != NULL && i < s->ni; i++) {
    int row = s->nc + i, law = s->row_of[row];
    bool shared =
        (row > 0 && s->row_of[row - 1] == law) || (row + 1 < s->nr && s->row_of[row + 1] == law);
    o->alone[i] = !shared;
  }
}

/* ---- modes ---- */

static signed char side_of(unsigned char mode) {
  return mode == PAWL_LAW_HELD ? 0 : mode == PAWL_LAW_BELOW ? -1 : 1;
}

/* A law with several kinks has one mode for all: where its measure is says which of them is meant.
 */
void pw_own_sides(pw_own *o, const pw_system *s, const unsigned char *mode) {
  for (int i = 0; i < s->ni; i++) {
    int contact = pw_row_contact(s, s->nc + i);
    bool idle = contact >= 0 && mode[s->row_of[contact]] != PAWL_LAW_HELD; /* nothing to rub on */
    o->side[i] = o->alone[i] && !idle ? side_of(mode[s->row_of[s->nc + i]]) : PW_SIDE_UNKNOWN;
  }
}

/* The measure of a law is where its mode says. */
static void check_modes(pawl_certifier *c, const pw_row_view *row) {
  const pw_system *s = c->sys;
  const pw_probe *p = &c->probe;
  double margin = PW_SCALE(CERT_MARGIN), doubt = margin * row->doubt, place = margin * row->place;
  for (int i = s->nc; i < s->nr; i++) {
    signed char side = c->own.side[i - s->nc];
    if (p->length[i] == 0 || side == PW_SIDE_UNKNOWN || pw_law_is_rough(&s->row[i])) {
      continue;
    }
    bool velocity = s->row[i].on_velocity;
    double value = p->value[i] / p->length[i], rate = p->rate[i] / p->length[i];
    double off = side == 0 ? fabs(value) : s->row[i].group >= 0 ? 0 : -side * value;
    pw_verify_found f = pw_found(pw_max(off - (velocity ? doubt : place), 0), 1, row->t,
                                 s->row_of[i], PW_RULE_DIRECT);
    pw_found_note(&c->record, velocity ? PW_FINDING_VELOCITY : PW_FINDING_POSITION, f);
    if (side == 0 && !velocity) {
      f.value = pw_max(fabs(rate) - doubt, 0);
      pw_found_note(&c->record, PW_FINDING_VELOCITY, f);
    }
  }
}

/* ---- what the polynomial is off by ---- */

typedef struct curve_error { /* in the metric: of positions, rates, velocities, accelerations */
  double place, rate, speed, turn;
} curve_error;

/* Of the terms of the positions. Without rotations they are displacements as they are. */
static void sizes_of_places(pawl_certifier *c, const double *term, int n,
                            double out[PW_CURVE_TERMS]) {
  bool rotates = c->sys->model->nq > c->sys->nv;
  if (!rotates) {
    pw_verify_sizes(&c->probe, term, n, out);
  }
  for (int k = 0; rotates && k < PW_CURVE_TERMS; k++) {
    pw_motion_error(c->sys->model, c->own.value, term + (ptrdiff_t)k * n, c->room.scratch);
    out[k] = pw_verify_size(&c->probe, c->room.scratch);
  }
}

/* The series goes on as it ends, and its numbers are rounded; so are times, which matters in short
 * segments. */
static curve_error error_of(pawl_certifier *c, const pw_curve *x) {
  const pw_own *o = &c->own;
  const pw_segment *s = x->segment;
  int nq = c->sys->nq;
  double place[PW_CURVE_TERMS], speed[PW_CURVE_TERMS], steep = pw_curve_steepest(x);
  pw_verify_sizes(&c->probe, o->term + nq, x->n, speed);
  sizes_of_places(c, o->term, x->n, place);
  double fade = c->own.fade = pw_curve_decay(speed);
  double digit = PW_SCALE(CERT_DIGIT), late = digit * fabs(s->to) / (s->to - s->from);
  double far = pw_verify_distance(c->sys->model, c->scale.mass, o->value, NULL);
  double fast = c->probe.fast;
  curve_error e = {.place = pw_curve_tail(place, pw_curve_decay(place)) + digit * far,
                   .speed = pw_curve_tail(speed, fade) + digit * fast};
  e.rate = steep * e.place + late * fast + c->data.noise * c->scale.V0; /* projections move u */
  e.turn = steep * e.speed + late * pw_verify_size(&c->probe, o->rate + nq);
  return e;
}

/* ---- one instant ---- */

/* Rates of the multipliers that are states are those of the polynomial. */
static void take_states(pawl_certifier *c) {
  for (int k = 0; k < c->sys->n_state; k++) {
    c->lambda.rate[k] = c->own.rate[c->sys->model->nq + k];
  }
}

/* |q' - (u as a rate)| */
static double kinematic(pawl_certifier *c, const pw_row_view *row) {
  const pw_model *m = c->sys->model;
  double *rate = c->room.scratch + c->sys->nv, *du = c->room.scratch;
  pw_motion_rate(m, row->q, row->u, rate);
  for (int i = 0; i < m->nq; i++) {
    rate[i] = row->v[i] - rate[i];
  }
  pw_motion_error(m, row->q, rate, du);
  return pw_verify_size(&c->probe, du);
}

typedef struct curve_glimpse {
  pw_glimpse g;
  const pw_curve *x;
  double part; /* of the segment */
} curve_glimpse;

static const curve_glimpse *curve_of(const pw_glimpse *g) {
  return (const curve_glimpse *)g;
}

/* Steep forces make much of what the polynomial is off by, and so do equalities that are about to
 * depend on each other; no force is known better than the run is exact. */
static pw_rule doubt_states(pawl_certifier *c, const pw_glimpse *g, double scale, pw_residuals *r) {
  double noise = c->data.noise;
  double dq = pw_max(g->row.place, noise * c->scale.L0);
  double du = pw_max(g->row.doubt, noise * c->scale.V0);
  r->floor += pw_shaken_forces(c, &g->row, dq, du) / scale + pw_rank_doubt(c, &c->own.rank) + noise;
  return PW_RULE_SAMPLE_ERROR;
}

/* What is left of the forces at a part of the segment (nv), in the metric. */
static bool rest_at(pawl_certifier *c, const pw_curve *x, double part, double scale, double *rest) {
  pw_own *o = &c->own;
  const pw_segment *s = x->segment;
  int n = c->sys->nv;
  double ahead = PW_SCALE(CERT_AHEAD) * (s->to - s->from);
  pw_curve_at(x, part, o->value, o->rate);
  if (!pw_probe_beside(&c->probe, s->from + part * (s->to - s->from), o->value,
                       o->value + c->sys->nq,
                       part == 0   ? ahead
                       : part == 1 ? -ahead
                                   : 0)) {
    return false;
  }
  pw_set_scale zero = pw_zero_scale(c, scale, 0);
  take_states(c);
  zero.mode = o->side;
  zero.carried = c->lambda.rate;
  pw_set_distance(&c->probe, PW_SET_ACCELERATION, &zero, o->rate + c->sys->nq, &c->room.reach,
                  c->room.scratch);
  memcpy(rest, c->room.reach.rest, (size_t)n * sizeof *rest);
  return true;
}

/* Where the polynomial has no good acceleration it still has good velocities: over the segment the
 * momentum changes by the impulse of the forces, certificates (C17). Lobatto's rule with five
 * points; three of them make Simpson's, whose difference is the floor, with what the accuracy of
 * the run leaves open of the velocities. */
static pw_rule weaken(pawl_certifier *c, const pw_glimpse *g, double scale, pw_residuals *r) {
  static const double part[] = {0, 0.17267316464601143, 0.5, 0.82732683535398857, 1};
  static const double lobatto[] = {0.05, 49.0 / 180, 16.0 / 45, 49.0 / 180, 0.05};
  static const double simpson[] = {1.0 / 6, 0, 2.0 / 3, 0, 1.0 / 6};
  const pw_curve *x = curve_of(g)->x;
  int n = c->sys->nv;
  double *mean = c->room.work, *less = mean + n, *rest = less + n;
  double h = x->segment->to - x->segment->from;
  memset(mean, 0, 2 * (size_t)n * sizeof *mean);
  for (int k = 0; k < 5; k++) {
    if (!rest_at(c, x, part[k], scale, rest)) {
      return PW_RULE_WEAK_FORM;
    }
    pw_axpy(lobatto[k], rest, mean, n);
    pw_axpy(lobatto[k] - simpson[k], rest, less, n);
  }
  double value = pw_norm2(mean, n) / scale;
  double floor = (c->own.fade * pw_norm2(less, n) + c->data.noise * c->scale.V0 / h) / scale;
  floor += r->floor - g->turn / scale;
  if (floor < r->floor) {
    for (int level = 0; level <= PW_SET_ACCELERATION; level++) {
      r->rho[level] = value;
      r->law[level] = -1;
    }
    r->floor = floor;
  }
  (void)pw_probe_row(c, &g->row, 0);
  return PW_RULE_WEAK_FORM;
}

static double find_kinks(pawl_certifier *c, const pw_glimpse *g, double scale, pw_set_scale *zero) {
  (void)scale;
  zero->position += PW_SCALE(CERT_MARGIN) * g->row.place; /* of laws with several kinks */
  zero->velocity += PW_SCALE(CERT_MARGIN) * g->row.doubt;
  zero->mode = c->own.side;
  zero->before = curve_of(g)->part == 1;
  zero->carried = c->lambda.rate;
  return 0;
}

/* Forces as a row shows them, or else whether those of the segment rub. */
static void check_shown(pawl_certifier *c, const pw_glimpse *g, const pw_set_scale *zero,
                        double scale, pw_residuals *r) {
  pw_row_view row = g->row;
  r->given = row.force != NULL;
  if (r->given) {
    r->force_floor = c->data.noise; /* they are those of the row, whose state was put back */
    r->force = pw_verify_forces(c, &row, g->a, zero, scale, &r->force_law);
  } else {
    row.force = curve_of(g)->x->segment->force + c->sys->model->rows.n;
    pw_verify_rubs_by(c, &row, zero, scale);
  }
}

static pw_doubt *const doubts[] = {doubt_states, NULL};
static const pw_teller segments = {find_kinks, check_shown, doubts, weaken};

/* How well the polynomial is known at this instant, from the decay of its series. */
static void doubt_curve(pawl_certifier *c, const pw_curve *x, pw_glimpse *g) {
  const pw_own *o = &c->own;
  curve_error e = error_of(c, x);
  pw_signal_look(
      c, &(pw_signal_point){g->row.t, o->value, o->rate, o->term, x->n, pw_curve_steepest(x)});
  g->row.doubt = e.speed;
  g->row.place = e.place;
  g->turn = e.turn;
  g->slip_floor = e.rate;
}

/* At a part of the segment, which stands for the time `weight`. force: as given there, or NULL. */
static void look_at(pawl_certifier *c, const pw_curve *x, double part, double weight,
                    const double *force) {
  enum { WHOLE = 4 }; /* one segment of so many has its series looked at in any case */
  pw_own *o = &c->own;
  const pw_segment *s = x->segment;
  int nq = c->sys->nq;
  bool quick = o->quick && !o->fresh && force == NULL && o->number % WHOLE != 0;

  /* The polynomial and its derivative; at an end the side is seen from within. */
  double t = s->from + part * (s->to - s->from);
  if (quick) {
    pw_curve_at(x, part, o->value, o->rate);
  } else {
    pw_curve_look(x, part, o->value, o->rate, o->term);
  }
  double moment = PW_SCALE(CERT_AHEAD) * (s->to - s->from);
  double ahead = part == 0 ? moment : part == 1 ? -moment : 0;
  curve_glimpse it = {.x = x, .part = part};
  it.g = (pw_glimpse){.from = &segments,
                      .row = {t, o->value, o->rate, o->value + nq, force, 0, 0},
                      .known = true,
                      .grows = true,
                      .a = o->rate + nq,
                      .weight = weight};
  c->count.n_instant++;
  bool known = ahead != 0 && c->sys->trait.balances ? pw_signal_probe_end(c, x, &it.g.row)
                                                    : pw_signal_probe(c, &it.g.row, ahead, moment);
  if (!known) {
    pw_instant_unseen(c, t, weight);
    return;
  }

  /* u' from the polynomial against the laws; q' against u. */
  pw_scale_row(c, &it.g.row);
  it.g.slip = kinematic(c, &it.g.row);
  if (quick && pw_glance(c, &it.g)) {
    return;
  }
  if (quick) {
    pw_curve_look(x, part, o->value, o->rate, o->term);
  }

  /* Constraints and modes hold, up to the error of the series. */
  doubt_curve(c, x, &it.g);
  pw_verify_admissible(c, &it.g.row);
  check_modes(c, &it.g.row);
  take_states(c);
  pw_instant_judge(c, &it.g);
}

/* ---- from segment to segment ---- */

/* Rounding may keep apart what happens at one instant, such as a corner of an input and a sample,
 * or corners of two shapes that pass each other. In between no side of a surface can be told. */
static bool lasts(const pawl_certifier *c, const pw_segment *s) {
  double apart = c->sys->tie.n > 0 ? PW_SCALE(CERT_CORNERS) * c->scale.span : 0;
  return s->to - s->from > pw_max(PW_SCALE(CERT_DIGIT) * fabs(s->to), apart);
}

void pw_own_join(pawl_certifier *c, double t, const double *state) {
  const pw_system *s = c->sys;
  const pw_own *o = &c->own;
  if (!o->any || !(c->scale.V0 > 0 && c->scale.L0 > 0)) {
    return;
  }
  pw_signal_join(c, t, o->end, state);
  double *du = c->room.scratch, whole = c->scale.L0;
  bool same = memcmp(state, o->end, ((size_t)s->nq + (size_t)s->nv) * sizeof *state) == 0;
  double far = same ? 0 : pw_verify_distance(s->model, c->scale.mass, state, o->end);
  pw_verify_found f = {far / whole, c->opts.tol, t, -1, PW_RULE_DIRECT, PW_SIZE_PLACE, 0, whole};
  pw_found_note(&c->record, PW_FINDING_CONTINUITY, f);
  f.value = 0;
  if (!same) {
    pw_verify_jump_of(s, state + s->nq, o->end + s->nq, du);
    f.value = pw_verify_size(&c->probe, du) / c->scale.V0;
  }
  f.to = PW_SIZE_SPEED;
  f.whole = c->scale.V0;
  pw_found_note(&c->record, PW_FINDING_BREAK, f);
}

void pw_own_restart(pawl_certifier *c, const double *state) {
  pw_own *o = &c->own;
  memcpy(o->end, state, ((size_t)c->sys->nq + (size_t)c->sys->nv) * sizeof *state);
  o->fresh = o->struck = true;
  o->any_after = false;
}

static bool same_modes(const pw_own *o, const pw_segment *s, int n) {
  return n == 0 || memcmp(o->mode, s->mode, (size_t)n) == 0;
}

/* Where in a segment it is looked at: at PLACES of them, one after the other (multiples of the
 * golden section), so that nothing repeats with the steps. The ends are left out, where polynomial
 * and model agree by construction. */
static double next_part(const pw_own *o) {
  enum {
    PLACES = 89
  }; /* a number of Fibonacci: even, and so few that no two share
        weights of curve.h */
  double golden = 0.61803398874989485, x = (double)(o->number % PLACES) * golden;
  return PW_SCALE(CERT_SEGMENT_EDGE) + (1 - 2 * PW_SCALE(CERT_SEGMENT_EDGE)) * (x - floor(x));
}

static void first_state(pawl_certifier *c, const pw_segment *s) {
  const pw_system *sys = c->sys;
  if (!c->scale.scaled) {
    memcpy(c->scale.first_q, s->value, (size_t)sys->nq * sizeof(double));
  }
}

/* The states of a segment, for the rows that lie in it. */
static void keep_last(pw_own *o, const pw_segment *s, int stride, int n) {
  o->last = *s;
  o->last.mode = o->mode;
  o->last.value = o->nodes;
  for (int j = 0; j < s->nodes; j++) {
    memcpy(o->nodes + (ptrdiff_t)j * n, s->value + (ptrdiff_t)j * stride,
           (size_t)n * sizeof *o->nodes);
  }
}

/* Laws that hold by more than acts beside their kinks. */
static void check_holds(pawl_certifier *c, const pw_segment *s) {
  pw_own *o = &c->own;
  const pw_system *sys = c->sys;
  if (!c->room.hold.any || !o->any || o->struck || !(c->scale.V0 > 0)) {
    return;
  }
  memcpy(o->value, s->value, ((size_t)sys->nq + (size_t)sys->nv) * sizeof *o->value);
  pw_motion_rate(sys->model, o->value, o->value + sys->nq, o->rate);
  pw_row_view row = {s->from, o->value, o->rate, o->value + sys->nq, s->force, 0, 0};
  pw_hold_change(c, &row, o->mode, s->mode);
}

/* Long motions are stored in part: nothing is known about the time up to t. */
static void skip(pawl_certifier *c, double t) {
  pw_own *o = &c->own;
  c->count.gap_time += t - o->to;
  pw_energy_cut(c);
  o->fresh = o->struck = true;
  o->any_after = false;
}

void pw_own_segment(pawl_certifier *c, const pw_segment *s, int stride) {
  pw_own *o = &c->own;
  const pw_system *sys = c->sys;
  int n = sys->nq + sys->nv, laws = sys->model->rows.n;
  const double *last = s->value + (ptrdiff_t)(s->nodes - 1) * stride;
  if (c->over) {
    return;
  }
  pw_hand_to(c, s);
  if (c->hand.steps) {
    pw_certify_pile(c, s, stride);
    return;
  }
  c->stream.has_force = true;
  c->stream.has_state = sys->n_state > 0;
  if (c->steps.scheme != PW_SCHEME_EVENTS) {
    pw_steps_segment(c, s, stride);
    return;
  }
  first_state(c, s);
  if (c->scale.first_step == 0 && memcmp(s->value, last, (size_t)n * sizeof *last) != 0) {
    c->scale.first_step = s->to - s->from; /* steps of a rest tell nothing of the motion */
  }
  if (o->any && s->from > o->to) {
    skip(c, s->from);
  } else {
    pw_own_join(c, s->from, s->value);
  }
  if (lasts(c, s)) {
    pw_curve_prepare(&o->table, s->nodes);
    pw_curve x = {s, &o->table, stride, n};
    pw_own_sides(o, sys, s->mode);
    pw_owed_settle(c, s->to);
    if (o->fresh || !same_modes(o, s, laws)) {
      o->slope_time = 0;
      check_holds(c, s);
    }
    if (o->fresh && o->any_after) {
      look_at(c, &x, 0, 0, o->after + 2 * sys->nq + sys->nv);
    }
    look_at(c, &x, next_part(o), s->to - s->from, NULL);
    pw_energy_segment(c, &x);
    o->number++;
    o->fresh = o->struck = o->any_after = false;
  }
  memcpy(o->end, last, (size_t)n * sizeof *last);
  memcpy(o->mode, s->mode, (size_t)laws);
  keep_last(o, s, stride, n);
  for (int k = 0; k < sys->n_work; k++) {
    o->works[k] = pw_max(o->works[k], fabs(last[n + 1 + k]));
  }
  o->any = true;
  o->to = s->to;
}

/* ---- instants ---- */

/* A row as it is shown, with angular velocities in the body. */
static pw_row_view keep_side(pawl_certifier *c, const double *row, double *x) {
  const pw_system *s = c->sys;
  const pw_model *m = s->model;
  const double *q = row + 1, *u = q + m->nq, *force = u + s->nv;
  double *v = x + s->nq, *own = v + s->nq, *f = own + s->nv;
  memcpy(x, q, (size_t)m->nq * sizeof *x);
  for (int k = 0; k < s->n_state; k++) {
    x[m->nq + k] = force[s->row_of[s->state_row[k]]];
  }
  memcpy(own, u, (size_t)s->nv * sizeof *x);
  pw_motion_into_body(m, x, own);
  pw_motion_rate(m, x, own, v);
  memcpy(f, force, (size_t)m->rows.n * sizeof *x);
  return (pw_row_view){row[0], x, v, own, f, 0, 0};
}

/* Forces as a row shows them, at a time of the last segment. */
static void check_forces(pawl_certifier *c, const pw_row_view *row) {
  pw_own *o = &c->own;
  const pw_segment *s = &o->last;

  if (o->number == 0 || !lasts(c, s) || !(row->t >= s->from && row->t <= s->to)) {
    return;
  }
  int n = c->sys->nq + c->sys->nv;
  pw_curve_prepare(&o->table, s->nodes);
  pw_curve x = {s, &o->table, n, n};

  /* a row within rounding of the end of the segment is there: what switches at the end has not yet
   */
  bool at_end = s->to - row->t <= PW_SCALE(CERT_DIGIT) * fabs(s->to);
  look_at(c, &x, at_end ? 1 : (row->t - s->from) / (s->to - s->from), 0, row->force);
}

void pw_own_row(pawl_certifier *c, const double *row) {
  pw_own *o = &c->own;
  bool skipped = c->over || c->count.n_rows++ % PAWL_ROWS_PER_INSTANT != 0;
  if (skipped || c->hand.steps || c->steps.scheme != PW_SCHEME_EVENTS) {
    return;
  }
  pw_row_view view = keep_side(c, row, o->before);
  check_forces(c, &view);
}

void pw_own_unseen(pawl_certifier *c, int intervals, double t) {
  c->opts.unseen = intervals;
  c->opts.unseen_t = t;
}

/* Inside of a segment nothing jumps. */
static void check_passing(pawl_certifier *c, const pw_row_view *before, const double *row) {
  pw_row_view after = keep_side(c, row, c->own.after);
  double *du = c->room.scratch;
  pw_verify_jump_of(c->sys, after.u, before->u, du);
  double jump = c->scale.V0 > 0 ? pw_verify_size(&c->probe, du) / c->scale.V0 : 0;
  pw_verify_found f = pw_found(jump, c->opts.tol, after.t, -1, PW_RULE_DIRECT);
  pw_found_note(&c->record, PW_FINDING_BREAK, f);
}

void pw_own_strokes(pawl_certifier *c, pw_reader strokes) {
  c->own.strokes = strokes;
}

void pw_own_side(pawl_certifier *c, pawl_side side, const double *row) {
  pw_own *o = &c->own;
  const pw_system *s = c->sys;
  if (side == PAWL_BEFORE) {
    o->strokes = (pw_reader){0}; /* those of an earlier instant may not have been read */
  }
  if (c->over || c->hand.steps) {
    return;
  }
  c->stream.has_force = true;
  c->stream.has_state = s->n_state > 0;
  if (side == PAWL_BEFORE) {
    (void)keep_side(c, row, o->before);
    pw_owed_settle(c, row[0]);
    return;
  }
  double t = row[0];
  const double *b = o->before;
  pw_row_view before = {t, b, b + s->nq, b + 2 * s->nq, b + 2 * s->nq + s->nv, 0, 0};
  if (c->steps.scheme != PW_SCHEME_EVENTS) {
    pw_row_view after = keep_side(c, row, o->after);
    pw_steps_side(c, &before, &after);
    return;
  }
  if (o->any && t < o->to) { /* an event that does not interrupt the motion */
    check_passing(c, &before, row);
    c->count.n_rows += 2;
    return;
  }
  memcpy(o->value, before.q, (size_t)s->nq * sizeof *b);
  memcpy(o->value + s->nq, before.u, (size_t)s->nv * sizeof *b);
  if (o->any && t > o->to) {
    skip(c, t);
  } else {
    pw_own_join(c, t, o->value);
  }
  if (!o->fresh) { /* else an instant has changed the modes */
    check_forces(c, &before);
  }
  if (!c->scale.scaled) {
    memcpy(c->scale.first_q, before.q, (size_t)s->nq * sizeof *b);
  }
  pw_row_view after = keep_side(c, row, o->after);
  int64_t corners = c->jumps.n_corner;
  pw_verify_corner(c, &before, &after);
  o->strokes = (pw_reader){0};
  o->struck = o->struck || c->jumps.n_corner > corners;
  pw_energy_cut(c);
  memcpy(o->end, after.q, (size_t)s->nq * sizeof *b);
  memcpy(o->end + s->nq, after.u, (size_t)s->nv * sizeof *b);
  o->any = o->fresh = o->any_after = true;
  o->to = t;
  c->count.n_rows += 2;
}
