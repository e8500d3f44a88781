// SPDX-License-Identifier: MIT
/* One instant of a smooth piece. The reaction r = M u' - h that the trajectory itself asks for,
 * with u' from the fit, must come out of the sets of the laws: rho = min |r - Phi lambda| in the
 * metric of M^-1 is the largest violation of the principles of d'Alembert, Jourdain and Gauss over
 * variations of unit length (certificates (C1)-(C3)), and the extra force of which the trajectory
 * would be the exact motion. */
#include <math.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_verify.h"
#include "linalg/chol.h"
#include "linalg/dense.h"
#include "verify/estimate.h"
#include "verify/jump.h"
#include "verify/momentum.h"
#include "verify/multiplier.h"
#include "verify/residual.h"

/* The mean speed to a neighbour: a short motion may have no row at which it is fast. Errors of the
 * samples are no motion. */
static double mean_speed(const pawl_certifier *c, int j) {
  int other = j > 0 ? j - 1 : j + 1;
  if (other >= c->stream.n_row || c->stream.times[other] == c->stream.times[j]) {
    return 0;
  }
  double way = pw_verify_apart(c, pw_row_at(c, j).q, pw_row_at(c, other).q);
  double rounding = PW_SCALE(CERT_TERMS) * pw_verify_place(c);
  return way > PW_SCALE(CERT_MARGIN) * c->data.place_error + rounding
             ? way / fabs(c->stream.times[j] - c->stream.times[other])
             : 0;
}

/* At the ends of a piece surfaces are met: the side is that of the piece. */
static bool look_at(pawl_certifier *c, int j) {
  pw_row_view row = pw_row_at(c, j);
  double ahead = PW_SCALE(CERT_AHEAD) * c->scale.span;
  ahead = j == 0 ? ahead : j == c->stream.n_row - 1 ? -ahead : 0;
  return pw_probe_row(c, &row, ahead);
}

static bool fits(const pawl_certifier *c, double value, double floor) {
  return pw_found_fits(&c->record, value, floor);
}

/* Puts the value of the weak form in the place of one that does not fit, if the weak form is exact
 * enough to show it. */
static bool replace(const pawl_certifier *c, double weak, double weak_floor, double *value,
                    double *floor) {
  bool shows = *value >= c->opts.tol + PW_SCALE(CERT_MARGIN) * weak_floor;
  if (fits(c, *value, *floor) || weak >= *value || !shows) {
    return false;
  }
  *value = weak;
  *floor = pw_max(*floor, weak_floor);
  return true;
}

/* The principles and the forces by the weak form. */
static void replace_forces(const pawl_certifier *c, const pw_weak *w, pw_residuals *r) {
  double floor = r->floor;
  for (int level = 0; level <= PW_SET_ACCELERATION; level++) {
    double own = floor;
    if (replace(c, w->momentum, w->momentum_floor, &r->rho[level], &own)) {
      r->law[level] = w->law;
      r->floor = pw_max(r->floor, own);
    }
  }
  double own = floor + r->force_floor;
  if (replace(c, w->force, w->force_floor, &r->force, &own)) {
    r->force_law = w->force_law;
    r->force_floor = own;
  }
}

/* The weak form decides where the strong one fails: a law may have changed between the rows. Rows
 * of own runs show all impacts; in other tables there may be one between rows, of which too little
 * is known. */
static pw_rule weaken(pawl_certifier *c, int j, pw_residuals *r) {
  pw_weak w;
  bool known = pw_weak_at(c, j, &w);
  bool struck = known && w.hidden > PW_SCALE(CERT_SMALL_PART) * w.share;
  if (!known || ((struck || w.kick) && !c->data.find_noise)) {
    r->floor = known || !c->data.derived ? r->floor : INFINITY;
    return PW_RULE_WEAK_FORM;
  }

  if (struck) {
    r->floor = INFINITY;
  } else {
    replace_forces(c, &w, r);
  }

  double share = struck ? 0 : w.share;
  double near = w.way_floor > 0 ? w.place_floor / w.way_floor : 0;
  double step = pw_max(w.momentum_floor * share, w.way_floor / 5 / c->scale.V0);
  double way = w.place_floor / 5 / c->scale.L0;
  replace(c, pw_max(w.momentum * share, w.way / c->scale.V0), step, &r->velocity,
          &r->velocity_floor);
  replace(c, w.way * near / c->scale.L0, way, &r->place, &r->place_floor);
  if (!struck && !w.kick) {
    return PW_RULE_WEAK_FORM;
  }

  /* an impact beside the row may explain the misfit */
  if (fits(c, r->velocity, step)) {
    r->velocity_floor = pw_max(r->velocity_floor, step);
  }
  if (fits(c, r->place, way)) {
    r->place_floor = pw_max(r->place_floor, way);
  }
  return PW_RULE_IMPACT_NEAR;
}

/* Whether some law may change its side within the window of the fit, as far as errors of the
 * samples let that be known. The probe is at the row. */
static bool is_near_kink(const pawl_certifier *c, const pw_estimate *e, double scale) {
  const pw_system *s = c->sys;
  const pw_probe *p = &c->probe;
  pw_set_scale zero = pw_zero_scale(c, scale, e->floor);
  double wide = (PW_FIT_POINTS - 1) * e->unit;
  bool near = false;
  for (int i = s->nc; i < s->nr && !near; i++) {
    int k = i - s->nc;
    double size = s->law[k].group >= 0 && k + 1 < s->ni && s->law[k].group == k
                      ? hypot(p->value[i], p->value[i + 1])
                      : fabs(p->value[i]);
    double tiny = s->row[i].on_velocity ? zero.velocity + wide * scale
                                        : zero.position + wide * (c->scale.V0 + wide * scale);
    near = size <= tiny * p->length[i];
  }
  return near;
}

/* A misfit that the weak form cannot tell from errors of the samples may be a law that changes
 * between rows which do not show it. */
static bool is_noise(pawl_certifier *c, int j, const pw_estimate *e, double scale,
                     pw_residuals *r) {
  pw_row_view row = pw_row_at(c, j);
  pw_weak w;
  if (!c->data.find_noise || c->sys->ni == 0 || !pw_probe_row(c, &row, 0) ||
      !is_near_kink(c, e, scale) || !pw_weak_at(c, j, &w)) {
    return false;
  }
  double most = pw_max(r->force, r->rho[PW_SET_ACCELERATION]);
  return fits(c, most, w.noise) &&
         pw_max(w.momentum_floor, r->floor) > PW_SCALE(CERT_SEEN) / PW_SCALE(CERT_MARGIN);
}

/* Of a table by others rows may be anywhere, and few. */
static void doubt_windows(pawl_certifier *c, int j, double scale, pw_residuals *r) {
  if (!look_at(c, j)) {
    return;
  }
  pw_estimate fewer = pw_estimate_fewer(c, j);
  if (fewer.ok) {
    r->floor = pw_max(r->floor, fewer.floor / scale);
    r->velocity_floor = pw_max(r->velocity_floor, fewer.du_floor / c->scale.V0);
    r->place_floor = pw_max(r->place_floor, fewer.dq_floor / c->scale.L0);
  }
}

static double time_before(const pawl_certifier *c, int j) {
  return j > 0 ? c->stream.times[j] - c->stream.times[j - 1] : 0;
}

static double time_after(const pawl_certifier *c, int j) {
  return j + 1 < c->stream.n_row ? c->stream.times[j + 1] - c->stream.times[j] : 0;
}

/* Forces between the samples that their neighbours do not show. */
static void doubt_between(pawl_certifier *c, int j, const pw_estimate *e, double scale,
                          pw_residuals *r) {
  double hidden = pw_estimate_hidden(c, j);
  r->floor += hidden / scale;
  r->velocity_floor += hidden * e->unit / c->scale.V0;
  r->place_floor += hidden * e->near * e->near / c->scale.L0;
}

/* Before reporting a violation, widens the error bound by each possible source of uncertainty,
 * cheapest first. */
static void raise_floors(pawl_certifier *c, int j, const pw_estimate *e, double scale,
                         pw_residuals *r) {
  double t = c->stream.times[j], off = pw_residual_misfit(c, r);
  if (off > 0) {
    r->floor += pw_estimate_shaken(c, j) / scale + pw_estimate_rank(c, j);
    off = pw_residual_applied(c, t, PW_RULE_SAMPLE_ERROR, off, r);
  }
  if (off > 0 && c->data.find_noise) {
    doubt_windows(c, j, scale, r);
    off = pw_residual_applied(c, t, PW_RULE_FEWER_ROWS, off, r);
  }
  bool wide = e->unit > PW_SCALE(CERT_WIDE) * e->near; /* narrow windows may miss fast motion */
  if (off > 0 && (!e->inside || wide || r->floor > PW_SCALE(CERT_UNSURE))) {
    doubt_between(c, j, e, scale, r);
    off = pw_residual_applied(c, t, PW_RULE_BETWEEN_ROWS, off, r);
  }
  if (off > 0) {
    pw_rule rule = weaken(c, j, r);
    off = pw_residual_applied(c, t, rule, off, r);
  }
  if (off > 0 && is_noise(c, j, e, scale, r)) {
    r->floor = INFINITY;
    off = pw_residual_applied(c, t, PW_RULE_KINK_NEAR, off, r);
  }
  pw_row_view row = pw_row_at(c, j);
  if (off > 0 && !pw_verify_resolves(c, &row, pw_max(time_before(c, j), time_after(c, j)))) {
    r->floor = r->velocity_floor = r->place_floor = INFINITY;
    (void)pw_residual_applied(c, t, PW_RULE_UNRESOLVED, off, r);
  }
}

/* How far the velocity of row j may be from zero and yet be none. One that was found from positions
 * is a mean over the rows beside, across a kink too. */
static double velocity_doubt(pawl_certifier *c, int j, const pw_estimate *e) {
  pw_row_view row = pw_row_at(c, j);
  double *du = c->room.scratch, turn = 0;
  for (int k = j - 1; c->data.derived && k <= j + 1; k += 2) {
    if (k >= 0 && k < c->stream.n_row) {
      memcpy(du, pw_row_at(c, k).u, (size_t)c->sys->nv * sizeof *du);
      pw_axpy(-1, row.u, du, c->sys->nv);
      turn = pw_max(turn, pw_verify_size(&c->probe, du));
    }
  }
  double margin = PW_SCALE(CERT_MARGIN);
  double found = c->data.derived ? pw_verify_size(&c->probe, e->du) + margin * e->du_floor : 0;
  return margin * row.doubt + pw_max(turn, found);
}

/* A law at its kink whose measure has the rate y by the fit, of the measure's own order: whether it
 * is still at its kink at the first row where that rate would have moved it away. A short hop
 * between two samples is invisible to the fit. */
static bool does_stay(pawl_certifier *c, int j, int i, double y, double reach,
                      const pw_set_scale *zero) {
  bool velocity = c->sys->row[c->sys->nc + i].on_velocity;
  double tiny = (velocity ? zero->velocity : zero->position) * c->probe.length[c->sys->nc + i];
  int step = zero->before ? -1 : 1;
  for (int k = j + step; k >= 0 && k < c->stream.n_row; k += step) {
    pw_row_view row = pw_row_at(c, k);
    double dt = fabs(row.t - c->stream.times[j]);
    if (dt > reach) {
      return false;
    }
    if (fabs(y) * (velocity ? dt : dt * dt / 2) > 2 * tiny) {
      return pw_probe_gaps(&c->probe, row.t, row.q, row.u) &&
             fabs(c->probe.value_of_gap[i]) <= tiny;
    }
  }
  return false;
}

static bool is_at_kink(const pw_probe *p, int row, const pw_set_scale *zero) {
  double value = fabs(p->value[row]), rate = fabs(p->rate[row]), size = p->length[row];
  return p->sys->row[row].on_velocity
             ? value <= zero->velocity * size
             : value <= zero->position * size && rate <= zero->velocity * size;
}

/* Marks the laws that have an acceleration away from their kink and stay there all the same. Their
 * largest acceleration is an error of the fit, and returned. In pieces with one window, residual
 * accelerations of equality rows measure the same fit error. */
static double find_stays(pawl_certifier *c, int j, const pw_estimate *e, pw_set_scale *zero) {
  const pw_system *s = c->sys;
  const pw_probe *p = &c->probe;
  bool moved = false;
  double off = 0;
  zero->stays = c->room.stays;
  for (int row = 0; row < s->nr; row++) {
    int i = row - s->nc;
    double size = p->length[row];
    double y = p->zeta[row] + pw_dot(p->J + (size_t)row * (size_t)s->nv, e->a, s->nv);
    bool leaves = i >= 0 && is_at_kink(p, row, zero) && fabs(y) > zero->acceleration * size;
    bool stays = leaves && does_stay(c, j, i, y, (PW_FIT_POINTS - 1) * e->unit, zero);
    if (i >= 0) {
      c->room.stays[i] = stays;
    }
    if (size > 0 && !e->inside && (stays || (i < 0 && e->few))) {
      off = pw_max(off, fabs(y) / size);
    }
    moved = moved || leaves;
  }
  if (moved) {
    (void)look_at(c, j);
  }
  return off;
}

/* Forces as given, or multipliers found from the motion, against those that the motion needs. */
static void check_given(pawl_certifier *c, int j, const pw_estimate *e, const pw_set_scale *zero,
                        double scale, pw_residuals *r) {
  const pw_system *s = c->sys;
  pw_row_view row = pw_row_at(c, j);
  bool end = j == 0 || j == c->stream.n_row - 1;
  if (s->n_state > 0 && c->stream.has_state) {
    r->force_floor = pw_verify_states(c, j) / scale;
  } else if (s->n_state > 0) {
    r->force = pw_multiplier_check(c, j, e->a, zero, &r->force_floor) / scale;
    r->force_floor /= scale;
    r->force_law = s->row_of[s->state_row[0]];
  }
  if (!c->stream.has_force || row.place > 0 || (end && s->n_switch > 0)) {
    return; /* no force, or that of a neighbour */
  }
  r->force = pw_verify_forces(c, &row, e->a, zero, scale, &r->force_law);
  r->noise = pw_verify_force_noise(c) / scale;
  r->force_floor += r->noise;
  if (r->force > r->rho[PW_SET_ACCELERATION]) {
    memcpy(c->room.residual, c->room.reach.rest, (size_t)s->nv * sizeof(double));
  }
}

/* Residuals of a row with an estimated acceleration. */
static pw_residuals find_residuals(pawl_certifier *c, int j, const pw_estimate *e, double scale) {
  pw_row_view row = pw_row_at(c, j);
  double speed = c->scale.V0, far = c->scale.L0;
  pw_residuals r = {.velocity = c->data.derived ? 0 : pw_verify_size(&c->probe, e->du) / speed,
                    .velocity_floor = e->du_floor / speed,
                    .place = e->dq / far,
                    .place_floor = e->dq_floor / far,
                    .floor = e->floor / scale,
                    .given = c->stream.has_force || c->sys->n_state > 0};
  pw_set_scale zero = pw_zero_scale(c, scale, e->floor);
  zero.velocity += velocity_doubt(c, j, e);
  zero.before = (c->stream.times[c->stream.n_row - 1] - row.t) * scale <= zero.velocity;
  double off = find_stays(c, j, e, &zero) / scale;
  if (!c->stream.has_force) {
    pw_verify_rubs(c, &zero);
  }
  pw_residual_principles(c, e->a, &zero, row.t, scale, &r);
  check_given(c, j, e, &zero, scale, &r);

  double before = pw_residual_misfit(c, &r);
  if (before > 0) {
    r.floor += off;
    (void)pw_residual_applied(c, row.t, PW_RULE_FIT_ERROR, before, &r);
  } else {
    pw_reason_note(&c->record, PW_RULE_DIRECT, row.t, r.rho[PW_SET_ACCELERATION]);
  }
  return r;
}

/* Of a table of a run the rows count that its own certificate examined: both have the same
 * coverage. */
void pw_verify_instant(pawl_certifier *c, int j, bool counted) {
  pw_row_view row = pw_row_at(c, j);
  double weight = counted ? time_before(c, j) + time_after(c, j) : 0;
  c->count.n_instant++;
  if (!look_at(c, j)) {
    pw_reason_note(&c->record, PW_RULE_NO_FIT, row.t, NAN);
    c->count.n_undecided++;
    return;
  }

  pw_scale_row(c, &row);
  pw_scale_speed(c, mean_speed(c, j));
  pw_verify_admissible(c, &row);

  pw_estimate e = pw_estimate_at(c, j);
  double own = pw_norm2(c->probe.h, c->sys->nv);
  double scale = e.ok ? pw_scale_force(c, own, pw_verify_size(&c->probe, e.a), e.floor) : 0;
  if (!(scale > 0 && c->scale.V0 > 0 && c->scale.L0 > 0)) { /* alone; or no motion and no force */
    pw_reason_note(&c->record, e.ok ? PW_RULE_DIRECT : PW_RULE_NO_FIT, row.t, e.ok ? 0 : NAN);
    c->count.n_undecided += !e.ok;
    c->count.seen_time += e.ok ? weight : 0;
    return;
  }

  pw_residuals r = find_residuals(c, j, &e, scale);
  raise_floors(c, j, &e, scale, &r);
  pw_residual_judge(c, row.t, weight, &r);
}

void pw_verify_alone(pawl_certifier *c) {
  pw_row_view row = pw_row_at(c, 0);
  c->count.n_instant++;
  c->count.n_undecided++;
  pw_reason_note(&c->record, PW_RULE_NO_FIT, row.t, NAN);
  if (!pw_probe_row(c, &row, 0)) {
    return;
  }
  pw_scale_row(c, &row);
  pw_verify_admissible(c, &row);
  double scale = 2 * pw_norm2(c->probe.h, c->sys->nv) + PW_SCALE(CERT_FORCE_SHARE) * c->scale.F0;
  if (row.force != NULL && scale > 0 && !(row.place > 0)) {
    pw_set_scale zero = pw_zero_scale(c, scale, 0);
    zero.velocity += c->data.derived ? c->scale.V0 : PW_SCALE(CERT_MARGIN) * row.doubt;
    pw_verify_force_sets(c, &row, &zero, scale);
  }
}

/* |q2 - q1 - dt (v1 + v2)/2| is at most dt |v2 - v1| where the velocity goes from one to the other,
 * by whatever jump, and dt^2 times the largest acceleration where it goes there and back. */
void pw_verify_step(pawl_certifier *c) {
  pw_row_view a = pw_row_at(c, c->stream.n_row - 2), b = pw_row_at(c, c->stream.n_row - 1);
  double dt = b.t - a.t, whole = c->scale.L0, margin = PW_SCALE(CERT_MARGIN), turn = 0;
  double value = pw_motion_miss(c->sys->model, c->scale.mass, &a, &b, &turn);
  double noise = PW_SCALE(CERT_NOISE_MARGIN) * c->data.noise * whole;
  double allowed = dt * turn + dt * dt * c->scale.F0 + noise;
  double tolerance = PW_SCALE(CERT_STEP_PLACE) * whole + margin * allowed;
  if (!(whole > 0) || c->count.n_instant == 0) {
    return;
  }
  if (value <= tolerance || pw_verify_resolves(c, &b, dt)) {
    pw_verify_found f = pw_found(value / whole, tolerance / whole, b.t, -1, PW_RULE_INTERVAL);
    pw_found_note(&c->record, PW_FINDING_BREAK, f);
  } else {
    pw_reason_note(&c->record, PW_RULE_INTERVAL_UNRESOLVED, b.t, value / whole);
  }
}
