// SPDX-License-Identifier: MIT
/* What the rows of a table can tell about an instant, and what they cannot. The rows beside it are
 * fitted (certificates (C4), (C5)); each source of doubt about the fit, its samples and what may
 * have happened between them raises the floors, or has the weak form decide. */
#include <math.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_verify.h"
#include "linalg/chol.h"
#include "linalg/dense.h"
#include "verify/estimate.h"
#include "verify/glimpse.h"
#include "verify/jump.h"
#include "verify/momentum.h"
#include "verify/multiplier.h"

typedef struct row_glimpse { /* of row j of the present piece */
  pw_glimpse g;
  int j;
  pw_estimate e;
} row_glimpse;

static const row_glimpse *rows_of(const pw_glimpse *g) {
  return (const row_glimpse *)g;
}

/* The mean speed to a neighbour: a short motion may have no row at which it is fast. Errors of the
 * samples are no motion. */
static double mean_speed(const pawl_certifier *c, int j) {
  int other = j > 0 ? j - 1 : j + 1;
  if (other >= c->stream.n_row || c->stream.times[other] == c->stream.times[j]) {
    return 0;
  }
  double way = pw_verify_apart(c, pw_row_at(c, j).q, pw_row_at(c, other).q);
  double rounding = PW_SCALE(CERT_TERMS) * c->scale.place;
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

static double time_before(const pawl_certifier *c, int j) {
  return j > 0 ? c->stream.times[j] - c->stream.times[j - 1] : 0;
}

static double time_after(const pawl_certifier *c, int j) {
  return j + 1 < c->stream.n_row ? c->stream.times[j + 1] - c->stream.times[j] : 0;
}

/* ---- doubts ---- */

/* Laws at their kinks stay there: what the acceleration has of another motion is no motion. */
static pw_rule doubt_fit(pawl_certifier *c, const pw_glimpse *g, double scale, pw_residuals *r) {
  (void)c, (void)g, (void)scale;
  r->floor += r->fit;
  return PW_RULE_FIT_ERROR;
}

static pw_rule doubt_samples(pawl_certifier *c, const pw_glimpse *g, double scale,
                             pw_residuals *r) {
  int j = rows_of(g)->j;
  r->floor += pw_estimate_shaken(c, j) / scale + pw_estimate_rank(c, j);
  return PW_RULE_SAMPLE_ERROR;
}

/* Of a table by others rows may be anywhere, and few, and windows may agree by chance. */
static pw_rule doubt_windows(pawl_certifier *c, const pw_glimpse *g, double scale,
                             pw_residuals *r) {
  if (!c->data.find_noise) {
    return PW_RULES;
  }
  int j = rows_of(g)->j;
  pw_estimate fewer = look_at(c, j) ? pw_estimate_fewer(c, j) : (pw_estimate){0};
  if (fewer.ok) {
    double skipped = pw_estimate_skipped(c, j, &rows_of(g)->e);
    r->floor = pw_max(r->floor, pw_max(fewer.floor, skipped) / scale);
    r->velocity_floor = pw_max(r->velocity_floor, fewer.du_floor / c->scale.V0);
    r->place_floor = pw_max(r->place_floor, fewer.dq_floor / c->scale.L0);
  }
  return PW_RULE_FEWER_ROWS;
}

/* Forces between the samples that their neighbours do not show; narrow windows may miss fast
 * motion. */
static pw_rule doubt_between(pawl_certifier *c, const pw_glimpse *g, double scale,
                             pw_residuals *r) {
  const pw_estimate *e = &rows_of(g)->e;
  bool wide = e->unit > PW_SCALE(CERT_WIDE) * e->near;
  /* far below what counts as seen, the rows themselves tell enough */
  if (e->inside && !wide && !(r->floor > PW_SCALE(CERT_TELLING) * PW_SCALE(CERT_SEEN))) {
    return PW_RULES;
  }
  double hidden = pw_estimate_hidden(c, rows_of(g)->j);
  r->floor += hidden / scale;
  r->velocity_floor += hidden * e->unit / c->scale.V0;
  r->place_floor += hidden * e->near * e->near / c->scale.L0;
  return PW_RULE_BETWEEN_ROWS;
}

/* The weak form decides where the strong one fails: a law may have changed between the rows. Rows
 * of own runs show all impacts; in other tables there may be one between rows, of which too little
 * is known. */
static pw_rule doubt_strong_form(pawl_certifier *c, const pw_glimpse *g, double scale,
                                 pw_residuals *r) {
  (void)scale;
  pw_weak w;
  bool known = pw_weak_at(c, rows_of(g)->j, &w);
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
    double size = pw_length(p->value + i, s->law[k].group == k ? s->law[k].width : 1);
    double tiny = s->row[i].on_velocity ? zero.velocity + wide * scale
                                        : zero.position + wide * (c->scale.V0 + wide * scale);
    near = size <= tiny * p->length[i];
  }
  return near;
}

/* A misfit that the weak form cannot tell from errors of the samples may be a law that changes
 * between rows which do not show it. */
static pw_rule doubt_sides(pawl_certifier *c, const pw_glimpse *g, double scale, pw_residuals *r) {
  pw_row_view row = pw_row_at(c, rows_of(g)->j);
  pw_weak w;
  if (!c->data.find_noise || c->sys->ni == 0 || !pw_probe_row(c, &row, 0) ||
      !is_near_kink(c, &rows_of(g)->e, scale) || !pw_weak_at(c, rows_of(g)->j, &w)) {
    return PW_RULES;
  }
  double most = pw_max(r->force, r->rho[PW_SET_ACCELERATION]);
  if (!fits(c, most, w.noise) ||
      !(pw_max(w.momentum_floor, r->floor) > PW_SCALE(CERT_SEEN) / PW_SCALE(CERT_MARGIN))) {
    return PW_RULES;
  }
  r->floor = INFINITY;
  return PW_RULE_KINK_NEAR;
}

static pw_rule doubt_all(pawl_certifier *c, const pw_glimpse *g, double scale, pw_residuals *r) {
  (void)scale;
  int j = rows_of(g)->j;
  pw_row_view row = pw_row_at(c, j);
  if (pw_verify_resolves(c, &row, pw_max(time_before(c, j), time_after(c, j)))) {
    return PW_RULES;
  }
  r->floor = r->velocity_floor = r->place_floor = INFINITY;
  return PW_RULE_UNRESOLVED;
}

/* ---- laws and forces ---- */

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

/* Velocities that are zero up to doubt, and laws that stay at their kinks. */
static double find_kinks(pawl_certifier *c, const pw_glimpse *g, double scale, pw_set_scale *zero) {
  int j = rows_of(g)->j;
  const pw_estimate *e = &rows_of(g)->e;
  double left = c->stream.times[c->stream.n_row - 1] - g->row.t;
  zero->velocity += velocity_doubt(c, j, e);
  zero->before = left * scale <= zero->velocity;
  double off = find_stays(c, j, e, zero);
  if (!c->stream.has_force) {
    pw_verify_rubs(c, zero);
  }
  return off;
}

/* Forces as given, or multipliers found from the motion, against those that the motion needs. */
static void check_given(pawl_certifier *c, const pw_glimpse *g, const pw_set_scale *zero,
                        double scale, pw_residuals *r) {
  const pw_system *s = c->sys;
  int j = rows_of(g)->j;
  bool end = j == 0 || j == c->stream.n_row - 1;
  r->given = c->stream.has_force || s->n_state > 0;
  if (s->n_state > 0 && c->stream.has_state) {
    r->force_floor = pw_verify_states(c, j) / scale;
  } else if (s->n_state > 0) {
    r->force = pw_multiplier_check(c, j, g->a, zero, &r->force_floor) / scale;
    r->force_floor /= scale;
    r->force_law = s->row_of[s->state_row[0]];
  }
  if (!c->stream.has_force || g->row.place > 0 || (end && s->n_switch > 0)) {
    return; /* no force, or that of a neighbour */
  }
  r->force = pw_verify_forces(c, &g->row, g->a, zero, scale, &r->force_law);
  r->noise = pw_verify_force_noise(c) / scale;
  r->force_floor += r->noise;
  if (r->force > r->rho[PW_SET_ACCELERATION]) {
    memcpy(c->room.residual, c->room.reach.rest, (size_t)s->nv * sizeof(double));
  }
}

static pw_doubt *const doubts[] = {doubt_fit,         doubt_samples, doubt_windows, doubt_between,
                                   doubt_strong_form, doubt_sides,   doubt_all,     NULL};
static const pw_teller rows = {find_kinks, check_given, doubts, NULL};

/* ---- rows ---- */

/* Of a table of a run the rows count that its own certificate examined: both have the same
 * coverage. */
void pw_verify_instant(pawl_certifier *c, int j, bool counted) {
  pw_row_view row = pw_row_at(c, j);
  double weight = counted ? time_before(c, j) + time_after(c, j) : 0;
  c->count.n_instant++;
  if (!look_at(c, j)) {
    pw_instant_unseen(c, row.t, weight);
    return;
  }
  pw_scale_row(c, &row);
  pw_scale_speed(c, mean_speed(c, j));
  pw_verify_admissible(c, &row);

  row_glimpse it = {.j = j, .e = pw_estimate_at(c, j)};
  const pw_estimate *e = &it.e;
  it.g = (pw_glimpse){.from = &rows,
                      .row = row,
                      .known = e->ok,
                      .a = e->a,
                      .turn = e->floor,
                      .slip = e->ok && !c->data.derived ? pw_verify_size(&c->probe, e->du) : 0,
                      .slip_floor = e->du_floor,
                      .miss = e->dq,
                      .miss_floor = e->dq_floor,
                      .weight = weight};
  pw_instant_judge(c, &it.g);
}

void pw_verify_alone(pawl_certifier *c) {
  pw_row_view row = pw_row_at(c, 0);
  c->count.n_instant++;
  pw_coverage_add(&c->count, false, 0);
  pw_reason_note(&c->record, PW_RULE_NO_FIT, row.t, NAN);
  if (!pw_probe_row(c, &row, 0)) {
    return;
  }
  pw_scale_row(c, &row);
  pw_verify_admissible(c, &row);
  double scale = 2 * c->probe.pull + PW_SCALE(CERT_FORCE_SHARE) * c->scale.F0;
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
