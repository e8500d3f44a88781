// SPDX-License-Identifier: MIT
#include "verify/stretch.h"

#include <math.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_verify.h"
#include "linalg/dense.h"

/* ---- the balance ---- */

static int blamed(const pw_stretch *x) {
  const pw_system *s = x->c->sys;
  int worst = -1;
  double most = PW_SCALE(CERT_SMALL_PART) * x->c->room.reach.distance;
  for (int i = 0; i < s->nr; i++) {
    double length = x->c->probe.reach[i];
    double w = length > 0
                   ? fabs(pw_dot(pw_stretch_along(x, i), x->c->room.reach.rest, s->nv)) / length
                   : 0;
    if (w > most) {
      most = w;
      worst = s->row_of[i];
    }
  }
  return worst;
}

/* More than forces and the turning of constraints make: there is an impact in between. */
static bool is_struck(const pw_stretch *x, double needed) {
  double most = 0;
  for (int i = 0; i < x->c->sys->nr; i++) {
    for (int k = 0; k < 3; k++) {
      most = pw_max(most, fabs(x->at[k].bend[i]));
    }
  }
  return needed > 2 * x->whole * (x->pull + most);
}

/* Impulse of the frictions whose bounds are forces of equalities: these have kinks between rows,
 * and are not known where a table does not give them. */
static double loaded_friction(const pw_stretch *x) {
  const pw_system *s = x->c->sys;
  double sum = s->load.n > 0 && x->load[0] == NULL ? INFINITY : 0;
  for (int i = s->nc; i < s->nr && s->load.n > 0; i++) {
    double most = 0;
    for (int k = 0; k < 3 && s->row[i].loaded; k++) {
      const pw_mark *m = &x->at[k];
      double beside = pw_max(fabs(m->left[i]), fabs(m->right[i]));
      most = pw_max(most, pw_max(beside, pw_max(m->bound[i], m->hold[i])));
    }
    sum += x->whole * most * x->c->probe.reach[i];
  }
  return sum;
}

/* Residual impulse: momentum change minus the nearest impulse the laws allow. The probe is at the
 * inner instant. */
static void weigh(pw_stretch *x, double noise, pw_verify_momentum *out) {
  pawl_certifier *c = x->c;
  const pw_system *s = c->sys;
  int n = s->nv;
  double *rest = x->spare;
  if (x->force[0] == NULL) {
    pw_stretch_add_sliding(x);
  } else {
    noise += x->whole * pw_verify_force_noise(c);
  }
  memcpy(rest, x->du, (size_t)n * sizeof *rest);
  for (int k = 0; k < 3; k++) { /* less the quadrature of M^-1 h */
    pw_axpy(-x->weight[k], x->at[k].acc, rest, n);
  }
  for (int j = 0; j < n; j++) { /* L^T of it: in the metric */
    x->aim[j] = pw_dot(c->probe.L + (size_t)j * (size_t)n + j, rest + j, n - j);
  }
  out->meets = false;
  pw_reach_begin(&c->room.reach);
  for (int i = 0; i < s->nr; i++) { /* what the laws can give */
    bool wall = pw_law_is_wall(&s->row[i]);
    out->meets = out->meets || (wall && !s->row[i].on_velocity && pw_stretch_touches(x, i));
    if (x->force[0] != NULL) {
      pw_stretch_add_given(x, i);
    } else {
      pw_stretch_add_row(x, i);
    }
  }
  double needed = pw_norm2(x->aim, n);
  bool broken = out->meets && is_struck(x, needed);
  pw_reach_solve(&c->room.reach, x->aim);
  double exchanged = pw_stretch_size(x, x->du); /* errors are relative to this and to forces */
  double scale = exchanged + x->whole * (x->pull + PW_SCALE(CERT_FORCE_SHARE) * c->scale.F0 +
                                         c->scale.V0 / c->scale.whole);
  out->value = c->room.reach.distance / scale;
  out->law = blamed(x);
  out->needed = needed / c->scale.V0;
  double floors = pw_stretch_floor(x, broken) + x->state_floor; /* what cannot be seen */
  out->floor = (floors + noise) / scale;
  out->noise = noise / scale;
  out->loaded = loaded_friction(x) / scale;
  out->share = scale / c->scale.V0;
  out->pull = x->pull;
  out->kick = broken;
}

/* ---- impacts in between ---- */

/* Largest change of a rate by forces other than impulses, as a speed in the metric. */
static double rate_slack(const pw_stretch *x, int i) {
  double D = 2 * pw_stretch_drift(x, i) / x->c->probe.length[i];
  for (int k = 0; k < x->c->sys->nc; k++) { /* turning of the equalities */
    D += x->whole * pw_max(fabs(x->at[0].bend[k]), fabs(x->at[2].bend[k]));
  }
  return D;
}

static bool is_kicked(const pw_stretch *x, int i, double noise) {
  double length = x->c->probe.length[i];
  return x->at[2].rate[i] - x->at[0].rate[i] > (rate_slack(x, i) + noise) * length;
}

static bool may_be_met(const pw_stretch *x, int i) {
  const pw_system *s = x->c->sys;
  bool wall = pw_law_is_wall(&s->row[i]) && !s->row[i].on_velocity;
  return wall && x->c->probe.length[i] > 0 && pw_stretch_touches(x, i);
}

/* Whether an impulse of row j changes the rate of row i. */
static bool is_coupled(const pw_stretch *x, int i, int j) {
  const pw_probe *p = &x->c->probe;
  size_t n = (size_t)x->c->sys->nv;
  double g = pw_dot(p->A + (size_t)i * n, p->A + (size_t)j * n, (int)n);
  return fabs(g) > PW_SCALE(CERT_COUPLED) * p->reach[i] * p->reach[j];
}

static bool has_friction(const pw_system *s, int contact) {
  bool any = false;
  for (int i = s->nc; i < s->nr; i++) {
    any = any || pw_row_contact(s, i) == contact;
  }
  return any;
}

/* Impacts elsewhere, with their friction, leave the rate of contact i as it is. Its own friction
 * changes nothing in Newton's law for the normal rate, but much in Poisson's. Equalities couple. */
static bool stands_alone(const pw_stretch *x, int i) {
  const pw_system *s = x->c->sys;
  bool alone = pw_impact_is_by_rates(s->row[i].impact) || !has_friction(s, i);
  for (int j = s->nc; j < s->nr && alone; j++) {
    int contact = pw_row_contact(s, j);
    bool other = contact >= 0 ? contact != i && may_be_met(x, contact) : j != i && may_be_met(x, j);
    alone = !other || (s->nc == 0 && !is_coupled(x, i, j));
  }
  return alone;
}

static void blame(pw_verify_momentum *out, int contact, double value, double floor) {
  if (out->contact < 0 || value > out->law_value) {
    out->contact = contact;
    out->law_value = value;
    out->law_floor = floor;
  }
}

/* Rates r before and after: forces change them by at most D. More than that is an impact, after
 * which the rate is e times the one before, or less if there is time for another one: certificates
 * (C19). Returns the part of the momentum change that remains undetermined. */
static double judge_contact(const pw_stretch *x, int i, bool kick, double noise,
                            pw_verify_momentum *out) {
  const pawl_certifier *c = x->c;
  double before = x->at[0].rate[i] / c->probe.length[i];
  double after = x->at[2].rate[i] / c->probe.length[i];
  double D = rate_slack(x, i), come = pw_max(-before, 0),
         e = pw_probe_law(&c->probe, i).restitution;
  e = !c->opts.any_impact_law ? e
      : come > 0              ? pw_max(after, 0) / come
                              : 0; /* that the rates show */
  double over = after - pw_max(e * (come + D) + D, before + D);
  double under = 2 * e * (come - D) > D ? e * (come - D) - D - after : -D - after;
  double speed =
      pw_max(come, pw_max(fabs(after), x->pull * x->whole)) + PW_SCALE(CERT_SLOW) * c->scale.V0;
  blame(out, c->sys->row_of[i], pw_max(pw_max(over, kick ? under : 0), 0) / speed, noise / speed);
  double fastest = pw_max(x->at[0].speed, x->at[2].speed);
  out->loss += kick && fastest > 0 ? (1 - e * e) / 2 * pow(come / fastest, 2) : 0;
  return kick ? (1 + e) * D : 0;
}

/* Whether impacts of contacts that act on each other may raise the energy: by friction, walls that
 * move, or restitutions that differ (Leine and Aeberhard sec. 6). */
static bool may_gain(const pw_stretch *x) {
  const pw_system *s = x->c->sys;
  const pw_probe *p = &x->c->probe;
  double common = NAN;
  bool gain = x->c->opts.any_impact_law;
  for (int i = s->nc; i < s->nr && !gain; i++) {
    if (may_be_met(x, i)) {
      double e = pw_probe_law(p, i).restitution;
      double own = pw_dot(p->A + (size_t)i * (size_t)s->nv, p->speed, s->nv);
      gain = e > 1 || (!isnan(common) && e != common) || has_friction(s, i) ||
             fabs(p->rate[i] - own) > x->tiny_velocity * p->length[i];
      common = e;
    }
  }
  return gain;
}

/* Together they keep or lose energy: it rises by no more than the power of the forces. */
static void judge_together(const pw_stretch *x, int contact, double noise,
                           pw_verify_momentum *out) {
  double slow = x->at[0].speed, fast = x->at[2].speed;
  double work = 2 * x->whole * x->drive * pw_max(slow, fast);
  double gain = (fast - slow) * (fast + slow) / 2 - work, whole = slow * slow + fast * fast;
  if (whole > 0 && !may_gain(x)) {
    blame(out, contact, pw_max(gain, 0) / whole, noise / pw_max(slow, fast));
  }
}

/* Contacts whose law cannot be checked alone may hide a change of momentum. */
static void impact_law(pw_stretch *x, double noise, pw_verify_momentum *out) {
  const pw_system *s = x->c->sys;
  double hidden = 0;
  int together = -1;
  for (int i = s->nc; i < s->nr; i++) {
    if (!may_be_met(x, i)) {
      continue;
    }
    bool kick = is_kicked(x, i, noise), alone = stands_alone(x, i);
    out->kick = out->kick || kick;
    together = !alone && (kick || together < 0) ? s->row_of[i] : together;
    hidden += alone ? judge_contact(x, i, kick, noise, out) : 0;
  }
  if (together >= 0 && out->kick) {
    judge_together(x, together, noise, out);
  }
  out->hidden = pw_stretch_opens(x) ? out->needed : 0;
  if (together < 0 && out->kick) {
    out->hidden = hidden / x->c->scale.V0;
  }
}

/* How well the time between two rows is known. */
static double time_error(const pawl_certifier *c, double dt) {
  return c->data.jitters || fabs(dt - c->data.spacing) > PW_SCALE(CERT_EVEN) * c->data.spacing
             ? 2 * c->data.time_error
             : 0;
}

/* |q2 - q1 - dt (v1 + v2)/2| is at most dt/2 times what the velocity changes by, and dt^2/8 times
 * the spread of smooth accelerations. */
static void way(const pw_stretch *x, const pw_row_view *a, const pw_row_view *b,
                pw_verify_momentum *out) {
  double dt = b->t - a->t, change;
  double miss = pw_motion_miss(x->c->sys->model, x->c->scale.mass, a, b, &change);
  double turn = pw_stretch_size(x, x->du) + dt * x->drive;
  out->place = miss / x->c->scale.L0;
  double late = time_error(x->c, dt) * pw_max(x->at[0].speed, x->at[2].speed);
  out->place_floor = (dt * (turn / 4 + a->doubt + b->doubt) + late) / x->c->scale.L0;
}

/* ---- balances ---- */

static double grain(const pawl_certifier *c) {
  return c->data.grain > 0 ? c->data.grain : c->data.noise;
}

/* Error of u2 - u1. The estimate may come from rows that are faster than any so far. It tells how
 * far a row is from its neighbours: a row that stands between them is often the end of a step, and
 * off by what an interpolation has, which all the others share. */
static double speed_noise(const pawl_certifier *c, double dt) {
  bool between = dt < (1 - PW_SCALE(CERT_EVEN)) * c->data.spacing;
  double part = between ? pw_max(grain(c), c->data.noise) : grain(c);
  return 2 * pw_max(part * c->scale.V0, c->data.speed_error);
}

/* Of multipliers that are states, as speeds; after the last look. */
static double state_noise(const pawl_certifier *c, const pw_row_view *row) {
  const pw_system *s = c->sys;
  double sum = 0;
  for (int k = 0; k < s->n_state; k++) {
    double size = pw_max(fabs(row->q[s->model->nq + k]), c->lambda.size[k]);
    double error = pw_max(grain(c) * size, c->data.force_noise[s->row_of[s->state_row[k]]]);
    sum += 2 * error * c->probe.reach[s->state_row[k]];
  }
  return sum;
}

bool pw_balance_step(pawl_certifier *c, const pw_row_view *a, const pw_row_view *b, bool forces,
                     bool again, pw_verify_momentum *out) {
  *out = (pw_verify_momentum){.law = -1, .contact = -1};
  double dt = b->t - a->t;
  pw_stretch x = pw_stretch_begin(c, a, b, forces, again);
  x.whole = dt;
  x.before = x.after = dt / 2;
  x.weight[0] = x.weight[2] = dt / 6;
  x.weight[1] = dt * 2 / 3;
  x.exact[1] = pow(dt, 5) / 80;
  bool known = dt > 0 && c->scale.V0 > 0 && (c->sys->n_state == 0 || c->stream.has_state);
  if (!known || !pw_stretch_look(&x, 0, a->t, a->q, a->u) ||
      !pw_stretch_look(&x, 2, b->t, b->q, b->u) || !pw_stretch_between(&x, a, b)) {
    return false;
  }
  pw_scale_speed(c, pw_max(x.at[0].speed, x.at[2].speed)); /* instants may come later */
  for (int i = 0; i < c->sys->nv; i++) {
    x.du[i] = b->u[i] - a->u[i];
  }
  double noise = speed_noise(c, dt) + a->doubt + b->doubt + time_error(c, dt) * x.drive;
  noise += state_noise(c, b);
  weigh(&x, noise, out);
  out->opens = pw_stretch_opens(&x);
  way(&x, a, b, out);
  out->kick = false;
  if (!forces) {
    impact_law(&x, PW_SCALE(CERT_NOISE_MARGIN) * noise, out);
  }
  return true;
}

bool pw_balance_hat(pawl_certifier *c, const pw_row_view *a, const pw_row_view *m,
                    const pw_row_view *b, bool forces, bool again, pw_verify_momentum *out) {
  *out = (pw_verify_momentum){.law = -1, .contact = -1};
  const pw_system *s = c->sys;
  double p = m->t - a->t, r = b->t - m->t;
  pw_stretch x = pw_stretch_begin(c, a, b, forces, again);
  x.derived = true;
  x.before = p;
  x.after = r;
  double m0 = (p + r) / 2, m1 = (r * r - p * p) / 6, m2 = (p * p * p + r * r * r) / 12;
  x.whole = m0; /* the moments of the hat, matched by a parabola through the three */
  x.weight[0] = (m2 - r * m1) / (p * (p + r));
  x.weight[2] = (m2 + p * m1) / (r * (p + r));
  x.weight[1] = m0 - x.weight[0] - x.weight[2];
  x.exact[0] = (pow(r, 4) - pow(p, 4)) / 20;
  x.exact[1] = (pow(r, 5) + pow(p, 5)) / 30;
  bool known = p > 0 && r > 0 && c->scale.V0 > 0 && (s->n_state == 0 || c->stream.has_state);
  if (!known || !pw_stretch_look(&x, 0, a->t, a->q, a->u) ||
      !pw_stretch_look(&x, 2, b->t, b->q, b->u) || !pw_stretch_look(&x, 1, m->t, m->q, m->u)) {
    return false;
  }
  double *second = x.spare + s->nv;
  for (int i = 0; i < s->model->nq; i++) {
    second[i] = ((b->q[i] - m->q[i]) / r - (m->q[i] - a->q[i]) / p) / m0;
  }
  const pw_row_view *row[3] = {a, m, b};
  for (int k = 0; k < 3; k++) {
    pw_motion_seen(s->model, m->q, row[k], x.at[k].acc);
  }
  pw_motion_error(s->model, m->q, second, x.du);
  for (int i = 0; i < s->nv; i++) {
    x.du[i] *= m0;
  }
  double speed = pw_max(x.at[0].speed, x.at[2].speed);
  double late = pw_max(time_error(c, p), time_error(c, r)) * speed;
  weigh(&x,
        (2 * pw_max(grain(c) * c->scale.L0, c->data.place_error) + late) * (1 / p + 1 / r) +
            state_noise(c, m),
        out);
  if (!pw_found_fits(&c->record, out->value, out->floor)) {
    for (int k = 0; k < 3; k++) {
      out->floor += pw_stretch_blur(&x, k, row[k]) / (out->share * c->scale.V0);
    }
    (void)pw_probe_at(&c->probe, m->t, m->q, m->u);
  }
  out->opens = pw_stretch_opens(&x);
  out->hidden = out->opens ? out->needed : 0;
  return true;
}

/* Findings of an interval. near: tolerance of places. */
static void note_interval(pawl_certifier *c, const pw_verify_momentum *x, double t, bool by_places,
                          double near) {
  pw_verify_found f = pw_found(x->value, 0, t, x->law, PW_RULE_INTERVAL);
  bool fits = pw_found_fits(&c->record, x->value, x->floor);
  if (!fits && isinf(x->loaded)) {
    pw_reason_note(&c->record, PW_RULE_INTERVAL_UNRESOLVED, t, x->value);
    return;
  }
  pw_found_judge(&c->record, PW_FINDING_MOMENTUM, f, x->floor + (fits ? 0 : x->loaded));
  if (!by_places && c->scale.L0 > 0) {
    f = pw_found(x->place, near, t, -1, PW_RULE_INTERVAL);
    pw_found_note(&c->record, PW_FINDING_BREAK, f);
  }
  if (x->contact >= 0) {
    f = pw_found(x->law_value, c->opts.tol + x->law_floor, t, x->contact, PW_RULE_INTERVAL);
    pw_found_note(&c->record, PW_FINDING_IMPACT, f);
  }
  if (c->data.find_noise) {
    pw_record_hide(&c->record, pw_max(x->hidden, PW_SCALE(CERT_MARGIN) * x->floor * x->share), t);
  }
  pw_jumps_lose(&c->jumps, x->loss);
}

pw_between pw_verify_balance(pawl_certifier *c, const pw_row_view *a, const pw_row_view *m,
                             const pw_row_view *b) {
  pw_verify_momentum x;
  bool known = m == NULL ? pw_balance_step(c, a, b, false, false, &x)
                         : pw_balance_hat(c, a, m, b, false, false, &x);
  if (!known) {
    return PW_MAY_STRIKE;
  }

  double t = m == NULL ? b->t : m->t;
  if (!pw_found_fits(&c->record, x.value, x.floor)) {
    double stiff = m == NULL ? pw_stretch_stiff(c, a, b)
                             : pw_max(pw_stretch_stiff(c, a, m), pw_stretch_stiff(c, m, b));
    x.floor += (stiff + pw_stretch_pulse(c, a, b)) / (x.share * c->scale.V0);
    if (pw_found_fits(&c->record, x.value, x.floor)) { /* nor do rows show the work of a pulse */
      pw_energy_cut(c);
    }
  }
  pw_scale_pull(c, x.pull);
  double near =
      c->opts.tol + PW_SCALE(CERT_MARGIN) * x.place_floor + PW_SCALE(CERT_NOISE_MARGIN) * grain(c);
  bool fits = pw_found_fits(&c->record, x.value, x.floor + x.loaded) && x.place <= near &&
              (x.contact < 0 || x.law_value <= c->opts.tol + x.law_floor);
  if (!fits && !pw_verify_resolves(c, b, m == NULL ? b->t - a->t : b->t - m->t)) {
    pw_reason_note(&c->record, PW_RULE_INTERVAL_UNRESOLVED, t, x.value);
    return x.opens ? PW_MAY_STRIKE : PW_SMOOTH;
  }

  pw_reason_note(&c->record, PW_RULE_INTERVAL, t, x.value);
  note_interval(c, &x, t, m != NULL, near);
  return !x.opens ? PW_SMOOTH : x.kick ? PW_STRIKES : PW_MAY_STRIKE;
}
