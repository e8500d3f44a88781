// SPDX-License-Identifier: MIT
/* One instant of a smooth piece. The reaction r = M u' - h that the trajectory itself asks for,
 * with u' from the fit, must come out of the sets of the laws: rho = min |r - Phi lambda| in the
 * metric of M^-1 is the largest violation of the principles of d'Alembert, Jourdain and Gauss over
 * variations of unit length (certificates (C1)-(C3)), and the extra force of which the trajectory
 * would be the exact motion. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/real.h"
#include "linalg/chol.h"
#include "linalg/dense.h"
#include "verify/estimate.h"
#include "verify/momentum.h"
#include "verify/multiplier.h"

pw_set_scale pw_zero_scale(const pawl_certifier *c, double force, double floor) {
  double tiny = pw_max(1e-9, 100 * c->opts.noise);
  return (pw_set_scale){.position = tiny * c->L0,
                        .velocity = 10 * tiny * c->V0,
                        .at_place = 1e-9 * c->L0,
                        .at_rest = 1e-8 * c->V0,
                        .acceleration = 1e-5 * force + 10 * floor};
}

/* ---- the constraints themselves ---- */

/* Distances and speeds in the metric of M; judged at the end, when the size of the motion is
 * known. */
void pw_verify_admissible(pawl_certifier *c, const pw_row_view *row) {
  const pw_probe *p = &c->probe;
  const pw_system *s = c->sys;
  for (int i = 0; i < s->nr; i++) {
    bool wall = i >= s->nc && s->law[i - s->nc].wall && pw_row_kind(s, i) != PW_KIND_ROUGH;
    if (p->length[i] == 0 || (i >= s->nc && !wall)) {
      continue;
    }
    double value = p->value[i] / p->length[i], rate = p->rate[i] / p->length[i];
    double doubt = 10 * row->doubt, place = 10 * row->place;
    if (wall) {
      bool velocity = pw_row_on_velocity(s, i);
      pw_found_note(c, velocity ? PW_FINDING_VELOCITY : PW_FINDING_GAP,
                    pw_max(-value - (velocity ? doubt : place), 0), 1, row->t, s->row_of[i]);
      continue;
    }
    if (i < s->np) {
      pw_found_note(c, PW_FINDING_POSITION, pw_max(fabs(value) - place, 0), 1, row->t,
                    s->row_of[i]);
    }
    pw_found_note(c, PW_FINDING_VELOCITY, pw_max(fabs(rate) - doubt, 0), 1, row->t, s->row_of[i]);
  }
}

/* ---- the principles ---- */

/* The law along whose force the rest is largest. */
static int blamed(const pawl_certifier *c, const double *rest) {
  const pw_probe *p = &c->probe;
  int worst = -1, n = c->sys->nv;
  double most = 0.1 * pw_norm2(rest, n);
  for (int i = 0; i < c->sys->nr; i++) {
    double w =
        p->reach[i] > 0 ? fabs(pw_dot(p->A + (size_t)i * (size_t)n, rest, n)) / p->reach[i] : 0;
    if (w > most) {
      most = w;
      worst = c->sys->row_of[i];
    }
  }
  return worst;
}

typedef struct residuals { /* relative to the size of the forces, or of the velocities */
  double velocity, place, rho[PW_SET_ACCELERATION + 1], force;
  int law[PW_SET_ACCELERATION + 1], force_law;
  double floor, velocity_floor, place_floor, force_floor;
  double noise; /* of the forces given */
} residuals;

static const pw_finding_kind principle[] = {PW_FINDING_ALEMBERT, PW_FINDING_JOURDAIN,
                                            PW_FINDING_GAUSS};

/* The displacement of unit length that d'Alembert's inequality fails most for, certificates (C3):
 * -M^-1 of the rest, which is L^-1 of a force here. */
static void keep_direction(pawl_certifier *c, double rho, double t) {
  int n = c->sys->nv;
  if (c->reach.distance > 0 && rho > c->against_rho) {
    c->against_rho = rho;
    c->against_t = t;
    for (int i = 0; i < n; i++) {
      c->against[i] = -c->reach.rest[i] / c->reach.distance;
    }
    pw_chol_backward(c->probe.L, n, c->against);
  }
}

/* The sets are contained in each other: a distance that counts as 0 from the smallest is one from
 * all. */
static void principles(pawl_certifier *c, const pw_estimate *e, const pw_set_scale *zero, double t,
                       double scale, residuals *r) {
  double last = INFINITY;
  for (int level = PW_SET_ACCELERATION; level >= 0; level--) {
    if (!(last <= 0.1 * c->opts.tol * scale)) {
      pw_set_distance(&c->probe, (pw_set_level)level, zero, e->a, &c->reach, c->scratch);
      last = c->reach.distance;
      r->law[level] = blamed(c, c->reach.rest);
      if (level == PW_SET_POSITION && last > (c->opts.tol + 10 * r->floor) * scale) {
        keep_direction(c, last / scale, t);
      }
      if (level == PW_SET_ACCELERATION) {
        memcpy(c->shaken, c->reach.rest, (size_t)c->sys->nv * sizeof *c->shaken);
      }
    } else {
      r->law[level] = -1;
    }
    r->rho[level] = last / scale;
  }
}

static bool fits(const pawl_certifier *c, double value, double floor) {
  return value <= c->opts.tol + 10 * floor;
}

static bool all_fit(const pawl_certifier *c, const residuals *r) {
  bool fit = fits(c, r->velocity, r->velocity_floor) && fits(c, r->place, r->place_floor) &&
             fits(c, r->force, r->floor + r->force_floor);
  for (int level = 0; level <= PW_SET_ACCELERATION; level++) {
    fit = fit && fits(c, r->rho[level], r->floor);
  }
  return fit;
}

static void judge(pawl_certifier *c, double t, double weight, const residuals *r) {
  pw_found_judge(c, PW_FINDING_KINEMATIC, r->velocity, r->velocity_floor, t, -1);
  pw_found_judge(c, PW_FINDING_BREAK, r->place, r->place_floor, t, -1);
  for (int level = 0; level <= PW_SET_ACCELERATION; level++) {
    pw_found_judge(c, principle[level], r->rho[level], r->floor, t, r->law[level]);
  }
  if (c->has_force || c->sys->n_state > 0) {
    pw_found_judge(c, PW_FINDING_FORCE, r->force, r->floor + r->force_floor, t, r->force_law);
  }
  bool lacks = c->sys->n_state > 0 && !c->has_state;
  bool blind = !(10 * (r->floor + (lacks ? r->force_floor : r->noise)) <= PW_SEEN);
  c->n_undecided += blind;
  c->blind_time += blind ? weight : 0;
  c->seen_time += blind ? 0 : weight;
}

/* Of two positions, by the diagonal of the metric. */
static double distance(const pawl_certifier *c, const double *a, const double *b) {
  const pw_model *m = c->sys->model;
  double sum = 0;
  for (int k = 0; k < m->coords.n; k++) {
    const pw_coord *x = &m->coords.items[k];
    double mass = c->probe.L[(size_t)x->u * (size_t)c->sys->nv + (size_t)x->u];
    for (int i = 0; i < (x->is_rotation ? 4 : 1); i++) {
      sum += pow(mass * (a[x->q + i] - b[x->q + i]), 2);
    }
  }
  return sqrt(sum);
}

double pw_verify_place(const pawl_certifier *c) {
  const pw_model *m = c->sys->model;
  double far = 0, unit = 0;
  for (int k = 0; k < m->coords.n; k++) {
    const pw_coord *x = &m->coords.items[k];
    double mass = c->mass[x->u], q = x->is_rotation ? 1 : c->first_q[x->q];
    far += mass * q * mass * q;
    unit += mass * mass;
  }
  return sqrt(far > 0 ? far : unit);
}

/* The mean speed to a neighbour: a short motion may have no row at which it is fast. Errors of the
 * samples are no motion. */
static double mean_speed(const pawl_certifier *c, int j) {
  int other = j > 0 ? j - 1 : j + 1;
  if (other >= c->n_row || c->times[other] == c->times[j]) {
    return 0;
  }
  double way = distance(c, pw_row_at(c, j).q, pw_row_at(c, other).q);
  double rounding = 64 * DBL_EPSILON * pw_verify_place(c);
  return way > 10 * c->place_error + rounding ? way / fabs(c->times[j] - c->times[other]) : 0;
}

/* Of the fastest wall that moves by itself, in the metric: the largest g_t = rate - J u. */
static double wall_speed(const pawl_certifier *c) {
  const pw_system *s = c->sys;
  const pw_probe *p = &c->probe;
  double most = 0;
  for (int i = s->nc; i < s->nr; i++) {
    bool position = s->law[i - s->nc].wall && !pw_row_on_velocity(s, i) && s->row[i].by < 0;
    if (position && p->length[i] > 0) {
      double own = pw_dot(p->A + (size_t)i * (size_t)s->nv, p->speed, s->nv);
      most = pw_max(most, fabs(p->rate[i] - own) / p->length[i]);
    }
  }
  return most;
}

/* Of the forces of a row, all as if they were alone. */
static double given_size(const pawl_certifier *c, const pw_row_view *row) {
  double sum = 0;
  for (int i = 0; i < c->sys->nr; i++) {
    sum += fabs(row->force[c->sys->row_of[i]]) * c->probe.reach[i];
  }
  return sum;
}

void pw_verify_scales(pawl_certifier *c, const pw_row_view *row) {
  const pw_probe *p = &c->probe;
  double speed = pw_norm2(p->speed, c->sys->nv), far = distance(c, row->q, c->first_q);
  c->pull = pw_max(c->pull, pw_norm2(p->h, c->sys->nv));
  bool still = !(c->L0 > 0 && c->V0 > 0);
  if (!c->scaled || still) { /* what forces and walls alone would do in a hundredth of the span */
    double force = pw_max(c->pull, still && row->force != NULL ? given_size(c, row) : 0);
    double wall = 1e-2 * wall_speed(c);
    c->scaled = true;
    c->L0 = pw_max(c->L0, 1e-3 * c->span * (speed + wall) + 1e-4 * c->span * c->span * force);
    c->V0 = pw_max(c->V0, pw_max(1e-2 * c->span * force, wall));
  }
  c->L0 = pw_max(c->L0, far);
  c->V0 = pw_max(c->V0, speed);
  c->swift = pw_max(c->swift, speed);
  for (int i = 0; i < c->sys->ni; i++) {
    c->size_of[i] = p->length[c->sys->nc + i];
  }
  for (int i = 0; i < c->sys->nv; i++) {
    c->mass[i] = p->L[(size_t)i * (size_t)c->sys->nv + (size_t)i];
  }
}

/* Largest force so far and what makes the largest speed in the whole time count a little, so that
 * nothing is divided by a force that vanishes. Accelerations that are not known, as between rows
 * that are very near to each other, say nothing about the forces of the motion. */
static double force_scale(pawl_certifier *c, const pw_estimate *e) {
  const pw_probe *p = &c->probe;
  double own = pw_norm2(p->h, c->sys->nv), a = pw_verify_size(p, e->a), pull = own + a;
  c->F0 = pw_max(c->F0, a > 10 * e->floor ? pull : own);
  return pull + 1e-2 * c->F0 + c->V0 / c->whole;
}

/* At the ends of a piece surfaces are met: the side is that of the piece. */
static bool look_at(pawl_certifier *c, int j) {
  pw_row_view row = pw_row_at(c, j);
  c->probe.ahead = j == 0 ? 1e-9 * c->span : j == c->n_row - 1 ? -1e-9 * c->span : 0;
  bool fine = pw_probe_at(&c->probe, row.t, row.q, row.u);
  c->probe.ahead = 0;
  return fine;
}

/* Takes what the weak form says in the place of what fits do not bear out, if it would show that.
 */
static bool replace(const pawl_certifier *c, double weak, double weak_floor, double *value,
                    double *floor) {
  double blur = c->opts.tol + 10 * weak_floor;
  if (*value <= c->opts.tol + 10 * *floor || weak >= *value || *value < blur) {
    return false;
  }
  *value = weak;
  *floor = pw_max(*floor, weak_floor);
  return true;
}

/* The weak form decides where the strong one fails: a law may have changed between the rows. Rows
 * of one's own runs show all impacts; in other tables there may be one between rows, of which too
 * little is known. */
static void weaken(pawl_certifier *c, int j, residuals *r) {
  pw_weak w;
  bool known = pw_weak_at(c, j, &w), struck = known && w.hidden > 0.1 * w.share;
  if (!known || ((struck || w.kick) && !c->find_noise)) {
    r->floor = known || !c->derived ? r->floor : INFINITY;
    return;
  }
  double floor = r->floor, share = struck ? 0 : w.share;
  for (int level = 0; level <= PW_SET_ACCELERATION && !struck; level++) {
    double own = floor;
    if (replace(c, w.momentum, w.momentum_floor, &r->rho[level], &own)) {
      r->law[level] = w.law;
      r->floor = pw_max(r->floor, own);
    }
  }
  double own = floor + r->force_floor;
  if (!struck && replace(c, w.force, w.force_floor, &r->force, &own)) {
    r->force_law = w.force_law;
    r->force_floor = own;
  }
  r->floor = struck ? INFINITY : r->floor;
  double near = w.way_floor > 0 ? w.place_floor / w.way_floor : 0;
  double step = pw_max(w.momentum_floor * share, w.way_floor / 5 / c->V0);
  double way = w.place_floor / 5 / c->L0;
  replace(c, pw_max(w.momentum * share, w.way / c->V0), step, &r->velocity, &r->velocity_floor);
  replace(c, w.way * near / c->L0, way, &r->place, &r->place_floor);
  if (struck || w.kick) { /* what a jump beside the row may do to the fits is no finding */
    r->velocity_floor =
        fits(c, r->velocity, step) ? pw_max(r->velocity_floor, step) : r->velocity_floor;
    r->place_floor = fits(c, r->place, way) ? pw_max(r->place_floor, way) : r->place_floor;
  }
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
    double tiny = pw_row_on_velocity(s, i) ? zero.velocity + wide * scale
                                           : zero.position + wide * (c->V0 + wide * scale);
    near = size <= tiny * p->length[i];
  }
  return near;
}

/* What the fits do not bear out, and the weak form cannot tell from errors of the samples, may be a
 * law that changes between rows which do not show it. */
static bool is_noise(pawl_certifier *c, int j, const pw_estimate *e, double scale, residuals *r) {
  pw_row_view row = pw_row_at(c, j);
  pw_weak w;
  if (!c->find_noise || c->sys->ni == 0 || !pw_probe_at(&c->probe, row.t, row.q, row.u) ||
      !is_near_kink(c, e, scale) || !pw_weak_at(c, j, &w)) {
    return false;
  }
  double most = pw_max(r->force, r->rho[PW_SET_ACCELERATION]);
  return fits(c, most, w.noise) && pw_max(w.momentum_floor, r->floor) > PW_SEEN / 10;
}

/* Of a table by others rows may be anywhere, and few. */
static void doubt_windows(pawl_certifier *c, int j, double scale, residuals *r) {
  if (!look_at(c, j)) {
    return;
  }
  pw_estimate fewer = pw_estimate_fewer(c, j);
  if (fewer.ok) {
    r->floor = pw_max(r->floor, fewer.floor / scale);
    r->velocity_floor = pw_max(r->velocity_floor, fewer.du_floor / c->V0);
    r->place_floor = pw_max(r->place_floor, fewer.dq_floor / c->L0);
  }
}

/* What does not fit may be what is not known: looked for one after the other, the dearest last. */
static void raise_floors(pawl_certifier *c, int j, const pw_estimate *e, double scale,
                         residuals *r) {
  if (!all_fit(c, r)) {
    r->floor += pw_estimate_shaken(c, j) / scale + pw_estimate_rank(c, j);
  }
  if (c->find_noise && !all_fit(c, r)) {
    doubt_windows(c, j, scale, r);
  }
  bool wide = e->unit > 1.5 * e->near; /* what is fast may hide in the errors of narrow windows */
  bool unsure = !e->inside || wide || r->floor > 1e-4;
  if (unsure &&
      !all_fit(c, r)) { /* perhaps the samples do not show what the forces do between them */
    double hidden = pw_estimate_hidden(c, j);
    r->floor += hidden / scale;
    r->velocity_floor += hidden * e->unit / c->V0;
    r->place_floor += hidden * e->near * e->near / c->L0;
  }
  if (!all_fit(c, r)) {
    weaken(c, j, r);
    r->floor = !all_fit(c, r) && is_noise(c, j, e, scale, r) ? INFINITY : r->floor;
  }
}

static double time_before(const pawl_certifier *c, int j) {
  return j > 0 ? c->times[j] - c->times[j - 1] : 0;
}

static double time_after(const pawl_certifier *c, int j) {
  return j + 1 < c->n_row ? c->times[j + 1] - c->times[j] : 0;
}

/* The time for which row j stands. Of a table of a run the rows count that its own certificate
 * looked at closely: both say the same about how much was seen. */
static double share_of(const pawl_certifier *c, int j) {
  return c->uncounted ? 0 : time_before(c, j) + time_after(c, j);
}

/* Rows that do not show the motion say nothing against it. */
static void conclude(pawl_certifier *c, int j, residuals *r) {
  pw_row_view row = pw_row_at(c, j);
  double before = time_before(c, j), after = time_after(c, j);
  if (!all_fit(c, r) && !pw_verify_resolves(c, &row, pw_max(before, after))) {
    r->floor = r->velocity_floor = r->place_floor = INFINITY;
  }
  judge(c, row.t, share_of(c, j), r);
}

/* How far the velocity of row j may be from zero and yet be none. One that was found from positions
 * is a mean over the rows beside, across a kink too. */
static double velocity_doubt(pawl_certifier *c, int j, const pw_estimate *e) {
  pw_row_view row = pw_row_at(c, j);
  double *du = c->scratch, turn = 0;
  for (int k = j - 1; c->derived && k <= j + 1; k += 2) {
    if (k >= 0 && k < c->n_row) {
      memcpy(du, pw_row_at(c, k).u, (size_t)c->sys->nv * sizeof *du);
      pw_axpy(-1, row.u, du, c->sys->nv);
      turn = pw_max(turn, pw_verify_size(&c->probe, du));
    }
  }
  double found = c->derived ? pw_verify_size(&c->probe, e->du) + 10 * e->du_floor : 0;
  return 10 * row.doubt + pw_max(turn, found);
}

/* A law at its kink whose measure has the rate y, by the fit, in the measure's own order: whether
 * it is at its kink at the first row, too, that this would have taken it away from. A fit knows
 * nothing between its samples, and those of a hop are the same at both ends of it. */
static bool does_stay(pawl_certifier *c, int j, int i, double y, double reach,
                      const pw_set_scale *zero) {
  bool velocity = pw_row_on_velocity(c->sys, c->sys->nc + i);
  double tiny = (velocity ? zero->velocity : zero->position) * c->probe.length[c->sys->nc + i];
  int step = zero->before ? -1 : 1;
  for (int k = j + step; k >= 0 && k < c->n_row; k += step) {
    pw_row_view row = pw_row_at(c, k);
    double dt = fabs(row.t - c->times[j]);
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
  return pw_row_on_velocity(p->sys, row)
             ? value <= zero->velocity * size
             : value <= zero->position * size && rate <= zero->velocity * size;
}

/* Of the laws at their kinks that leave them by their accelerations, those that do not. What stays
 * has no acceleration: the largest that it has all the same is an error of the fit, and returned.
 * In short pieces equalities say the same. */
static double find_stays(pawl_certifier *c, int j, const pw_estimate *e, pw_set_scale *zero) {
  const pw_system *s = c->sys;
  const pw_probe *p = &c->probe;
  bool moved = false;
  double off = 0;
  zero->stays = c->stays;
  for (int row = 0; row < s->nr; row++) {
    int i = row - s->nc;
    double size = p->length[row];
    double y = p->zeta[row] + pw_dot(p->J + (size_t)row * (size_t)s->nv, e->a, s->nv);
    bool leaves = i >= 0 && is_at_kink(p, row, zero) && fabs(y) > zero->acceleration * size;
    bool stays = leaves && does_stay(c, j, i, y, (PW_FIT_POINTS - 1) * e->unit, zero);
    if (i >= 0) {
      c->stays[i] = stays;
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

void pw_verify_instant(pawl_certifier *c, int j) {
  pw_row_view row = pw_row_at(c, j);
  c->n_instant++;
  if (!look_at(c, j)) {
    c->n_undecided++;
    return;
  }
  pw_verify_scales(c, &row);
  c->V0 = pw_max(c->V0, mean_speed(c, j));
  pw_verify_admissible(c, &row);
  pw_estimate e = pw_estimate_at(c, j);
  double scale = e.ok ? force_scale(c, &e) : 0, speed = c->V0, far = c->L0;
  if (!(scale > 0 && speed > 0 && far > 0)) {
    c->n_undecided += !e.ok; /* else nothing moves, and nothing pulls */
    c->seen_time += e.ok ? share_of(c, j) : 0;
    return;
  }
  residuals r = {.velocity = c->derived ? 0 : pw_verify_size(&c->probe, e.du) / speed,
                 .velocity_floor = e.du_floor / speed,
                 .place = e.dq / far,
                 .place_floor = e.dq_floor / far,
                 .floor = e.floor / scale};
  pw_set_scale zero = pw_zero_scale(c, scale, e.floor);
  zero.velocity += velocity_doubt(c, j, &e);
  zero.before = (c->times[c->n_row - 1] - row.t) * scale <= zero.velocity;
  double off = find_stays(c, j, &e, &zero) / scale;
  if (!c->has_force) {
    pw_verify_rubs(c, &zero);
  }
  principles(c, &e, &zero, row.t, scale, &r);
  bool end = j == 0 || j == c->n_row - 1;
  bool unknown = c->sys->n_state > 0 && !c->has_state;
  r.force_floor = c->sys->n_state > 0 && !unknown ? pw_verify_states(c, j) / scale : 0;
  if (unknown) {
    r.force = pw_multiplier_check(c, j, e.a, &zero, &r.force_floor) / scale;
    r.force_floor /= scale;
    r.force_law = c->sys->row_of[c->sys->state_row[0]];
  }
  bool told = !(row.place > 0) && !(end && c->sys->n_switch > 0); /* not those of a neighbour */
  if (c->has_force && told) {
    r.force = pw_verify_forces(c, &row, e.a, &zero, scale, &r.force_law);
    r.noise = pw_verify_force_noise(c) / scale;
    r.force_floor += r.noise;
    if (r.force > r.rho[PW_SET_ACCELERATION]) {
      memcpy(c->shaken, c->reach.rest, (size_t)c->sys->nv * sizeof *c->shaken);
    }
  }
  r.floor += all_fit(c, &r) ? 0 : off;
  raise_floors(c, j, &e, scale, &r);
  conclude(c, j, &r);
}

void pw_verify_alone(pawl_certifier *c) {
  pw_row_view row = pw_row_at(c, 0);
  c->n_instant++;
  c->n_undecided++;
  if (!pw_probe_at(&c->probe, row.t, row.q, row.u)) {
    return;
  }
  pw_verify_scales(c, &row);
  pw_verify_admissible(c, &row);
  double scale = 2 * pw_norm2(c->probe.h, c->sys->nv) + 1e-2 * c->F0;
  if (row.force != NULL && scale > 0 && !(row.place > 0)) {
    pw_set_scale zero = pw_zero_scale(c, scale, 0);
    zero.velocity += c->derived ? c->V0 : 10 * row.doubt; /* nothing beside it tells which */
    pw_verify_force_sets(c, &row, &zero, scale);
  }
}

/* |q2 - q1 - dt (v1 + v2)/2| is at most dt |v2 - v1| where the velocity goes from one to the other,
 * by whatever jump, and dt^2 times the largest acceleration where it goes there and back. */
void pw_verify_step(pawl_certifier *c) {
  pw_row_view a = pw_row_at(c, c->n_row - 2), b = pw_row_at(c, c->n_row - 1);
  const pw_model *m = c->sys->model;
  double dt = b.t - a.t, off = 0, turn = 0;
  for (int k = 0; k < m->coords.n; k++) {
    const pw_coord *x = &m->coords.items[k];
    for (int i = x->q; i < x->q + (x->is_rotation ? 4 : 1); i++) {
      double d = c->mass[x->u] * (b.q[i] - a.q[i] - dt * (a.v[i] + b.v[i]) / 2);
      double e = c->mass[x->u] * (b.v[i] - a.v[i]);
      off += d * d;
      turn += e * e;
    }
  }
  double allowed = dt * sqrt(turn) + dt * dt * c->F0 + 100 * c->opts.noise * c->L0;
  double value = sqrt(off), tolerance = 1e-4 * c->L0 + 10 * allowed;
  if (c->L0 > 0 && c->n_instant > 0 && (value <= tolerance || pw_verify_resolves(c, &b, dt))) {
    pw_found_note(c, PW_FINDING_BREAK, value / c->L0, tolerance / c->L0, b.t, -1);
  }
}
