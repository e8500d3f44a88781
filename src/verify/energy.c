// SPDX-License-Identifier: MIT
#include "verify/energy.h"

#include <math.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_verify.h"
#include "linalg/chol.h"
#include "linalg/dense.h"
#include "verify/checker.h"
#include "verify/stretch.h"

/* ---- memory ---- */

static size_t row_room(const pw_system *s) {
  return 2 * (size_t)s->nq + (size_t)s->nv + (size_t)s->model->rows.n;
}

/* Entry k of the ledger is of a law that can do work without a jump, and the first of that law. */
static bool is_work(const pw_system *s, int k) {
  const pw_work *w = &s->work[k];
  return w->row >= 0 && !w->jumps && (k == 0 || w[-1].row != w->row || w[-1].jumps);
}

static void list_workers(pw_thrift *e, const pw_system *s) {
  for (int k = 0; k < s->n_work; k++) {
    const pw_work *w = &s->work[k];
    for (int i = w->row; is_work(s, k) && i < w->row + w->rows; i++) {
      if (s->index_of[s->row_of[i]] == i) {
        e->worker[e->n_worker++] = i;
      }
    }
  }
}

void pw_energy_lay(pw_thrift *e, const pw_system *s, pw_layout *l) {
  *e = (pw_thrift){.t = NAN, .idle = true, .unaided = true};
  e->side = PW_LAY(l, s->n_switch, double);
  e->last = PW_LAY(l, row_room(s), double);
  e->between = PW_LAY(l, row_room(s), double);
  e->turn = PW_LAY(l, 2 * s->nv, double);
  e->worker = PW_LAY(l, s->nr, int);
  for (int k = 0; k < s->n_work; k++) {
    e->idle = e->idle && s->work[k].jumps;
    e->unaided = e->unaided && !is_work(s, k);
  }
  if (e->worker != NULL) {
    list_workers(e, s);
  }
}

/* ---- one row ---- */

/* The rate along which a row works, 0 where it is no more than the samples are off. */
static double rate_along(const pawl_certifier *c, int i, const double *u) {
  const double *along = pw_probe_covector(&c->probe, i);
  double rate = pw_probe_work_rate(&c->probe, i, u);
  double tiny = PW_SCALE(CERT_NOISE_MARGIN) * pw_max(c->data.noise, c->data.grain) * c->scale.V0;
  return fabs(rate) > tiny * pw_probe_size(&c->probe, along) ? rate : 0;
}

/* Without columns of forces: forces that are functions of the state are known; friction takes
 * energy where nothing moves it; of others that can do work nothing is known. */
static void unknown_forces(const pawl_certifier *c, int i, double rate, pw_energy_row *out) {
  const pw_system *s = c->sys;
  const pw_probe *p = &c->probe;
  int k = i - s->nc, contact = pw_row_contact(s, i);
  pw_set_scale zero = pw_zero_scale(c, 0, 0);
  bool servo = s->row[i].by >= 0, wall = k >= 0 && s->law[k].wall;
  if (rate == 0 || (contact >= 0 && p->value[contact] > zero.position * p->length[contact])) {
    return;
  }
  if (wall && !servo && !s->row[i].on_velocity && p->value[i] > zero.position * p->length[i]) {
    return; /* open */
  }
  double kink = s->row[i].on_velocity ? pw_max(zero.velocity, PW_SCALE(CERT_SLOW) * c->scale.V0)
                                      : zero.position;
  bool beside = fabs(p->value[i]) > kink * p->length[i];
  if (k >= 0 && !wall && contact < 0 && s->law[k].group < 0 && !servo && beside &&
      !s->law[k].loaded) {
    out->power += pw_probe_force_beside(p, i) * rate;
    return;
  }
  bool slip = k >= 0 && !wall && !servo && s->row[i].on_velocity;
  bool still = slip && fabs(p->value[i] - rate) <= PW_SCALE(CERT_SLIP_STILL) * fabs(rate);
  out->may_lose = true;
  out->may_gain = out->may_gain || !still;
}

/* At its kink a law may have any of a range of forces, that of either side among them: what the one
 * given may be off by for the time beside the row. */
static double edge_of(const pawl_certifier *c, const pw_row_view *row, int i) {
  const pw_system *s = c->sys;
  const pw_probe *p = &c->probe;
  pw_set_scale zero = pw_zero_scale(c, 0, 0);
  int k = i - s->nc, contact = pw_row_contact(s, i);
  double tiny = s->row[i].on_velocity ? zero.velocity : zero.position;
  if (k < 0 || s->law[k].wall || fabs(p->value[i]) > tiny * p->length[i]) {
    return 0;
  }
  pw_law_row law = pw_probe_law(p, i);
  double range = pw_max(fabs(law.right - law.left), 2 * law.limit);
  if (!isfinite(range)) { /* a constraint does no work on a body that it holds */
    return 0;
  }
  return range * (contact >= 0 ? fabs(row->force[s->row_of[contact]]) : 1) *
         fabs(rate_along(c, i, row->u));
}

static void given_force(const pawl_certifier *c, const pw_row_view *row, int i,
                        pw_energy_row *out) {
  const pw_system *s = c->sys;
  int law = s->row_of[i];
  if (row->force[law] != 0) {
    double rate = rate_along(c, i, row->u);
    out->power += pw_law_multiplier(&s->row[i], row->force[law]) * rate;
    out->blur += c->data.force_noise[law] * fabs(rate);
  }
}

/* Power of everything; the covectors of the laws are those of this state. */
static void powers(pawl_certifier *c, const pw_row_view *row, pw_energy_row *out) {
  const pw_system *s = c->sys;
  out->power = pw_probe_power(&c->probe);
  for (int i = 0; row->force == NULL && i < s->nr; i++) {
    unknown_forces(c, i, rate_along(c, i, row->u), out);
  }
  for (int k = 0; row->force != NULL && k < c->energy.n_worker; k++) {
    given_force(c, row, c->energy.worker[k], out);
  }
}

/* out (nv): M^-1 (h + Phi lambda) with the forces of the row. */
static void turn_by_forces(const pawl_certifier *c, const pw_row_view *row, double *out) {
  const pw_system *s = c->sys;
  const pw_probe *p = &c->probe;
  memset(out, 0, (size_t)s->nv * sizeof *out);
  for (int i = 0; i < s->nr; i++) {
    int law = s->row_of[i];
    if (s->index_of[law] == i && row->force[law] != 0) {
      pw_axpy(pw_law_multiplier(&s->row[i], row->force[law]), pw_probe_covector(p, i), out, s->nv);
    }
  }
  pw_probe_forward(p, out);
  pw_axpy(1, p->h, out, s->nv);
  pw_probe_backward(p, out);
}

/* Forces that rise and fall between two rows show in what they do to the velocities: d is what the
 * mean of both ends leaves of that. If it is no small part, the power between the rows is not known
 * either, but for |work| <= |d| |u|. */
static double unresolved(pawl_certifier *c, const pw_row_view *row) {
  pw_thrift *e = &c->energy;
  const pw_probe *p = &c->probe;
  int n = c->sys->nv;
  double *now = e->turn + n, *d = c->room.scratch, dt = row->t - e->row[e->n - 1].t;
  const double *u = e->last + 2 * c->sys->nq;
  turn_by_forces(c, row, now);
  double whole = dt * (pw_verify_size(p, e->turn) + pw_verify_size(p, now)) / 2;
  for (int i = 0; i < n; i++) {
    d[i] = row->u[i] - u[i];
  }
  whole += pw_verify_size(p, d);
  pw_axpy(-dt / 2, e->turn, d, n);
  pw_axpy(-dt / 2, now, d, n);
  double missed = pw_verify_size(p, d);
  memcpy(e->turn, now, (size_t)n * sizeof *now);
  return missed > PW_SCALE(CERT_SMALL_PART) * whole ? missed * p->fast : 0;
}

/* Uncertainty of the energy by errors of the samples, and by forces too small to be found. */
static void uncertainty(const pawl_certifier *c, const pw_row_view *row, pw_energy_row *out) {
  const pw_thrift *e = &c->energy;
  const pw_probe *p = &c->probe;
  int n = c->sys->nv;
  double noise = pw_max(c->data.noise, c->data.grain), speed = p->fast;
  double pull = p->pull, turn = 0;
  if (e->n > 0 && row->t > e->row[e->n - 1].t) {
    double *du = c->room.scratch;
    const double *u = e->last + 2 * c->sys->nq;
    for (int i = 0; i < n; i++) {
      du[i] = row->u[i] - u[i];
    }
    turn = pw_verify_size(p, du) / (row->t - e->row[e->n - 1].t);
  }
  out->doubt += 2 * noise * (speed * c->scale.V0 + pull * c->scale.L0) + speed * row->doubt;
  out->rub =
      (pull + turn + PW_SCALE(CERT_FORCE_SHARE) * c->scale.F0 + c->scale.V0 / c->scale.span) *
      speed;
}

/* ---- the sum ---- */

/* The integral of the power from row i on by the polynomial through up to four rows, and how well
 * it is known by that: a jump of the power in between is met at any time. */
static double by_rows(const pw_thrift *e, int i, double *floor) {
  const pw_energy_row *a = &e->row[i], *b = a + 1;
  double h = b->t - a->t, slope = (b->power - a->power) / h;
  double sum = h * (a->power + b->power) / 2;
  const pw_energy_row *before = i > 0 ? a - 1 : NULL, *after = i + 2 < e->n ? b + 1 : NULL;
  const pw_energy_row *first = before != NULL ? before : after;
  if (first == NULL) {
    *floor = h * fabs(b->power - a->power) / 2;
    return sum;
  }
  double at = a->t - first->t;
  double second = ((a->power - first->power) / at - slope) / (first->t - b->t);
  sum -= second * h * h * h / 6;
  if (before == NULL || after == NULL) {
    *floor = fabs(second) * h * h * h;
    return sum;
  }
  double other = ((after->power - b->power) / (after->t - b->t) - slope) / (after->t - a->t);
  double third = (other - second) / (after->t - before->t);
  *floor = 1.5 * fabs(third) * h * h * h * h;
  return sum - third * (h * h * h * h / 12 + at * h * h * h / 6);
}

/* The same by Simpson's rule on the cubic between both rows, which sees what happens between them;
 * both differ by what rows so far apart do not show. */
static double work(const pw_thrift *e, int i, double *floor) {
  const pw_energy_row *a = &e->row[i], *b = a + 1;
  double rows = by_rows(e, i, floor);
  double sum = (b->t - a->t) * (a->power + 4 * b->middle + b->power) / 6;
  *floor += fabs(sum - rows);
  return sum;
}

static double faint(const pawl_certifier *c) {
  return pw_max(c->opts.tol, PW_SCALE(CERT_NOISE_SUM) * c->data.noise);
}

/* Forces that rows dt apart do not resolve may have any power. Segments resolve theirs. */
static bool is_resolved(pawl_certifier *c, double dt) {
  if (c->stream.n_row == 0) {
    return true;
  }
  pw_row_view newest = pw_row_at(c, c->stream.n_row - 1);
  return pw_verify_resolves(c, &newest, dt);
}

static void compare(pawl_certifier *c, pw_energy_mark *with, const pw_energy_row *row,
                    double change, double dt) {
  pw_thrift *e = &c->energy;
  double margin = PW_SCALE(CERT_MARGIN);
  double allowed =
      e->slack - with->slack + margin * (e->floor - with->floor + with->doubt + row->doubt);
  if (!(change <= allowed + faint(c) * c->scale.V0 * c->scale.V0) && !is_resolved(c, dt)) {
    pw_reason_note(&c->record, PW_RULE_ENERGY_UNRESOLVED, row->t, change);
    with->any = false;
    return;
  }
  pw_reason_note(&c->record, PW_RULE_ENERGY_BALANCE, row->t, change);
  if (isnan(e->t) || !(change - allowed <= e->value - e->allowed)) {
    e->value = isnan(change - allowed) ? INFINITY : change;
    e->allowed = isnan(allowed) ? 0 : allowed;
    e->t = row->t;
  }
}

/* Compares the row with all before it: with the one from which most has come, or gone, beyond what
 * is not known. For a rise that is the least of balance - slack - 10 (floor - doubt). */
static void judge(pawl_certifier *c, const pw_energy_row *row, double dt) {
  pw_thrift *e = &c->energy;
  double margin = PW_SCALE(CERT_MARGIN), blur = e->slack + margin * e->floor;
  if (e->low.any) {
    compare(c, &e->low, row, e->balance - e->low.at, dt);
  }
  if (e->high.any) {
    compare(c, &e->high, row, e->high.at - e->balance, dt);
  }
  pw_energy_mark now = {true, e->balance, row->doubt, e->floor, e->slack, row->t};
  double low = e->balance - blur + margin * row->doubt,
         high = e->balance + blur - margin * row->doubt;
  const pw_energy_mark *l = &e->low, *h = &e->high;
  if (!l->any || low < l->at - l->slack - margin * (l->floor - l->doubt)) {
    e->low = now;
  }
  if (!h->any || high > h->at + h->slack + margin * (h->floor - h->doubt)) {
    e->high = now;
  }
}

/* From row i to the next. */
static void step(pawl_certifier *c, int i) {
  pw_thrift *e = &c->energy;
  const pw_energy_row *a = &e->row[i], *b = a + 1;
  double floor, gain = work(e, i, &floor);
  floor += b->leap + (b->t - a->t) * (pw_max(a->blur, b->blur) + fabs(b->edge - a->edge));
  e->low.any = e->low.any && !a->may_gain && !b->may_gain;
  e->high.any = e->high.any && !a->may_lose && !b->may_lose;
  pw_energy_add(c, a, b, gain, floor);
}

void pw_energy_add(pawl_certifier *c, const pw_energy_row *a, const pw_energy_row *b, double gain,
                   double floor) {
  pw_thrift *e = &c->energy;
  e->balance += b->energy - a->energy - gain;
  e->floor += floor;
  e->slack += faint(c) * (b->t - a->t) * pw_max(a->rub, b->rub);
  judge(c, b, b->t - a->t);
}

void pw_energy_cut(pawl_certifier *c) {
  pw_thrift *e = &c->energy;
  if (e->n >= 2) {
    step(c, e->n - 2);
  }
  e->n = 0;
  e->balance = e->floor = e->slack = 0;
  e->low.any = e->high.any = false;
}

/* A potential that changes at a given time jumps there. */
static bool is_switched(const pawl_certifier *c) {
  const pw_system *s = c->sys;
  for (int k = 0; k < s->n_switch; k++) {
    if (s->surface[k].of_time && c->energy.side[k] != c->probe.side[k]) {
      return true;
    }
  }
  return false;
}

/* What forces of unknown size can do depends on all that laws say about a state; of those given the
 * covectors are enough, and on the way from row to row the masses of the last one. */
static bool look(pawl_certifier *c, const pw_row_view *row, bool on_the_way, pw_energy_row *out) {
  pw_probe *p = &c->probe;
  bool fine = true;
  *out = (pw_energy_row){.t = row->t};
  bool edges = row->force != NULL && c->data.find_noise && !on_the_way;
  if (row->force == NULL || edges) {
    fine = pw_probe_row(c, row, 0);
  } else {
    if (on_the_way) {
      pw_probe_state(p, row->t, row->q, row->u);
    } else {
      fine = pw_probe_inertia(p, row->t, row->q, row->u);
    }
    if (!c->energy.unaided) {
      pw_probe_along(p);
    }
  }
  if (fine) {
    powers(c, row, out);
  }
  for (int i = 0; fine && edges && i < c->sys->nr; i++) {
    out->edge += edge_of(c, row, i);
  }
  return fine && isfinite(out->power);
}

/* H = T + V - (2T - p.u), and how well a sum of such numbers is known. */
bool pw_energy_find(pawl_certifier *c, pw_energy_row *out) {
  const double *e = pw_probe_energies(&c->probe);
  out->energy = e[0] + e[1] - e[2];
  out->doubt = PW_SCALE(CERT_TERMS) * (fabs(e[0]) + fabs(e[1]));
  return isfinite(out->energy);
}

static void keep(pawl_certifier *c, const pw_row_view *row) {
  const pw_system *s = c->sys;
  double *to = c->energy.last;
  memcpy(to, row->q, (size_t)s->nq * sizeof *to);
  memcpy(to + s->nq, row->v, (size_t)s->nq * sizeof *to);
  memcpy(to + 2 * s->nq, row->u, (size_t)s->nv * sizeof *to);
  if (row->force != NULL) {
    memcpy(to + 2 * s->nq + s->nv, row->force, (size_t)s->model->rows.n * sizeof *to);
  }
}

static pw_row_view view(const pawl_certifier *c, const double *x, double t, bool force) {
  const pw_system *s = c->sys;
  const double *u = x + 2 * s->nq;
  return (pw_row_view){t, x, x + s->nq, u, force ? u + s->nv : NULL, 0, 0};
}

/* The power between the last row and this one, with the mean of the forces. False: no number. */
static bool look_between(pawl_certifier *c, const pw_row_view *row, pw_energy_row *now) {
  const pw_system *s = c->sys;
  pw_thrift *e = &c->energy;
  const pw_energy_row *before = &e->row[e->n - 1];
  bool force = row->force != NULL;
  pw_row_view a = view(c, e->last, before->t, force);
  pw_row_view m = view(c, e->between, (a.t + row->t) / 2, force);
  double *x = e->between, *forces = x + 2 * s->nq + s->nv;
  pw_energy_row middle;
  bool moves = pw_norm2(a.u, s->nv) > 0 && pw_norm2(row->u, s->nv) > 0; /* or it has no power */
  if (moves && before->power == 0 && now->power == 0) {
    return true;
  }
  pw_motion_middle(s, &a, row, x, x + s->nq, x + 2 * s->nq);
  for (int i = 0; force && i < s->model->rows.n; i++) {
    forces[i] = (a.force[i] + row->force[i]) / 2;
  }
  bool fine = look(c, &m, true, &middle);
  now->middle = fine ? middle.power : 0;
  return fine;
}

/* A force that is a short pulse in time may have its power between the three instants. Where they
 * do not explain the change of energy, it is known no better than |work| <= |d| |u|, with the d of
 * certificates (C29) that such forces change the velocities by beyond what three instants show. */
static double pulse_work(pawl_certifier *c, const pw_row_view *row, const pw_energy_row *now) {
  const pw_thrift *e = &c->energy;
  const pw_energy_row *before = &e->row[e->n - 1];
  pw_row_view a = view(c, e->last, before->t, row->force != NULL);
  double dt = row->t - a.t, gain = dt * (before->power + 4 * now->middle + now->power) / 6;
  double miss = fabs(now->energy - before->energy - gain);
  bool anything = now->may_gain && now->may_lose; /* by laws: there is nothing to compare */
  if (e->idle || anything || miss <= faint(c) * dt * pw_max(before->rub, now->rub)) {
    return 0;
  }
  double pulse = pw_stretch_pulse(c, &a, row);
  return pulse * pw_max(c->probe.fast, pw_verify_size(&c->probe, a.u));
}

void pw_energy_put(pawl_certifier *c, const pw_row_view *row) {
  const pw_system *s = c->sys;
  pw_thrift *e = &c->energy;
  pw_energy_row now;
  if (s->n_state > 0 || !(c->scale.V0 > 0) || !look(c, row, false, &now) ||
      !pw_energy_find(c, &now)) {
    pw_energy_cut(c);
    return;
  }
  uncertainty(c, row, &now);
  bool works = row->force != NULL && !e->unaided; /* laws may do work */
  if (works && e->n > 0 && row->t > e->row[e->n - 1].t) {
    now.leap = unresolved(c, row);
  } else if (works) {
    turn_by_forces(c, row, e->turn);
  }
  if (e->n > 0 && (is_switched(c) || !(row->t > e->row[e->n - 1].t))) {
    pw_energy_cut(c);
  }
  memcpy(e->side, c->probe.side, (size_t)s->n_switch * sizeof *e->side);
  if (e->n > 0 && !look_between(c, row, &now)) {
    pw_energy_cut(c);
  }
  now.leap += e->n > 0 ? pulse_work(c, row, &now) : 0;
  keep(c, row);
  if (e->n == 4) {
    memmove(e->row, e->row + 1, 3 * sizeof *e->row);
    e->n = 3;
  }
  e->row[e->n++] = now;
  if (e->n == 1) {
    judge(c, &now, 0);
  } else if (e->n > 2) {
    step(c, e->n - 3);
  }
}

void pw_energy_settle(pawl_certifier *c) {
  const pw_thrift *e = &c->energy;
  double whole = c->scale.V0 * c->scale.V0;
  if (!isnan(e->t) && whole > 0) {
    pw_verify_found f = pw_found(pw_max(e->value, 0) / whole, faint(c) + e->allowed / whole, e->t,
                                 -1, PW_RULE_ENERGY_BALANCE);
    pw_found_note(&c->record, PW_FINDING_ENERGY, f);
  }
}
