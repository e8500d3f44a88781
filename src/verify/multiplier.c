// SPDX-License-Identifier: MIT
#include "verify/multiplier.h"

#include <math.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_mech.h"
#include "law/scale_verify.h"
#include "linalg/chol.h"
#include "linalg/dense.h"
#include "verify/estimate.h"

void pw_multiplier_lay(pw_multipliers *m, const pw_system *s, pw_layout *l) {
  size_t k = (size_t)s->n_state, n = k > 0 ? (size_t)s->nv : 0;
  m->L = PW_LAY(l, n * n, double);
  m->rest = PW_LAY(l, n, double);
  m->unit = PW_LAY(l, n * k, double);
  m->shows = PW_LAY(l, k, double);
  m->sum = PW_LAY(l, k, double);
  m->blur = PW_LAY(l, k, double);
  m->last = PW_LAY(l, k, double);
  m->before = PW_LAY(l, k, double);
  m->rate = PW_LAY(l, k, double);
  m->bend = PW_LAY(l, k, double);
  m->size = PW_LAY(l, k, double);
}

static double *states_of(pawl_certifier *c, int j) {
  return c->stream.rows + (size_t)j * c->stream.width + c->sys->model->nq;
}

/* How well each is known stands where its rate would. */
static double *doubts_of(pawl_certifier *c, int j) {
  return states_of(c, j) + c->sys->nq;
}

/* L0^-1 (M a - h) at the present probe, L0 being that of lambda = 0. */
static void reaction(pawl_certifier *c, const double *a, double *out) {
  const pw_probe *p = &c->probe;
  int n = c->sys->nv;
  double *r = c->room.scratch;
  for (int i = 0; i < n; i++) {
    r[i] = pw_dot(p->L + (size_t)i * (size_t)n + i, a + i, n - i) - p->h[i];
  }
  memset(out, 0, (size_t)n * sizeof *out);
  for (int i = 0; i < n; i++) {
    pw_axpy(r[i], p->L + (size_t)i * (size_t)n + i, out + i, n - i);
  }
  pw_chol_forward(c->lambda.L, n, out);
}

/* The change of the reaction by a unit of each multiplier; leaves the probe at lambda = 0. */
static bool find_units(pawl_certifier *c, int j, const double *a) {
  const pw_system *s = c->sys;
  size_t n = (size_t)s->nv;
  pw_multipliers *m = &c->lambda;
  pw_row_view row = pw_row_at(c, j);
  double *lambda = states_of(c, j);
  memcpy(m->L, c->probe.L, n * n * sizeof *m->L);
  reaction(c, a, m->rest);
  for (int k = 0; k < s->n_state; k++) {
    double *unit = m->unit + (size_t)k * n;
    lambda[k] = 1;
    bool fine = pw_probe_row(c, &row, 0);
    lambda[k] = 0;
    if (!fine) {
      return false;
    }
    reaction(c, a, unit);
    for (size_t i = 0; i < n; i++) {
      unit[i] = m->rest[i] - unit[i];
    }
  }
  return pw_probe_row(c, &row, 0);
}

/* A force of the row is not determined by the state. */
static bool varies(const pawl_certifier *c, int row, const pw_set_scale *zero) {
  pw_law_set forces = pw_set_of_row(&c->probe, row, PW_SET_VELOCITY, zero, NULL);
  return forces.lo < forces.hi;
}

/* The part of a unit of multiplier k that neither forces nor, unless alone, other multipliers can
 * make up for. */
static double visible(pawl_certifier *c, int k, const pw_set_scale *zero, bool alone) {
  const pw_system *s = c->sys;
  size_t n = (size_t)s->nv, bytes = n * sizeof(double);
  pw_reach_begin(&c->room.reach);
  for (int i = 0; i < s->nr + (alone ? 0 : s->n_state); i++) {
    bool law = i < s->nr;
    bool gives = law ? varies(c, i, zero) : i != s->nr + k;
    double *col = gives ? pw_reach_add(&c->room.reach, -INFINITY, INFINITY) : NULL;
    if (col != NULL) {
      memcpy(col, law ? c->probe.A + (size_t)i * n : c->lambda.unit + (size_t)(i - s->nr) * n,
             bytes);
    }
  }
  pw_reach_solve(&c->room.reach, c->lambda.unit + (size_t)k * n);
  return c->room.reach.distance;
}

static void find_row(pawl_certifier *c, int j) {
  const pw_system *s = c->sys;
  size_t n = (size_t)s->nv;
  pw_multipliers *m = &c->lambda;
  pw_row_view row = pw_row_at(c, j);
  double *lambda = states_of(c, j), *doubt = doubts_of(c, j);
  for (int k = 0; k < s->n_state; k++) {
    lambda[k] = 0;
    doubt[k] = INFINITY;
  }

  if (!pw_probe_row(c, &row, 0)) {
    return;
  }
  pw_estimate e = pw_estimate_at(c, j);
  if (!e.ok || !find_units(c, j, e.a)) {
    return;
  }

  /* which multipliers show in the forces */
  pw_set_scale zero = pw_zero_scale(c, 0, 0);
  int known = 0;
  for (int k = 0; k < s->n_state; k++) { /* lambda[k] 1: is looked for */
    double whole = pw_norm2(m->unit + (size_t)k * n, (int)n) + c->scale.F0 * PW_SCALE(NOT_UNIQUE);
    double part = visible(c, k, &zero, true), own = visible(c, k, &zero, false);
    m->shows[k] = pw_max(m->shows[k], whole > 0 ? part / whole : 0);
    lambda[k] = part > PW_SCALE(NOT_UNIQUE) * whole;
    if (own > PW_SCALE(NOT_UNIQUE) * whole) {
      doubt[k] = (e.floor + PW_SCALE(CERT_VALUE) * pw_norm2(m->rest, (int)n)) / own;
    }
  }

  /* those are fitted together */
  for (int k = 0; k < s->n_state; k++) {
    if (lambda[k] > 0) {
      memmove(m->unit + (size_t)known++ * n, m->unit + (size_t)k * n, n * sizeof *m->unit);
    }
  }
  pw_set_fit(&c->probe, &zero, m->rest, m->unit, known, &c->room.reach, c->room.scratch);
  for (int k = 0, at = 0; k < s->n_state; k++) {
    lambda[k] = lambda[k] > 0 ? c->room.reach.x[at++] : 0;
  }
}

void pw_multiplier_find(pawl_certifier *c, int from) {
  for (int j = from; j < c->stream.n_row && c->stream.n_row > 1; j++) {
    find_row(c, j);
  }
}

/* Several contacts may share impulses in many ways. */
void pw_multiplier_jump(pawl_certifier *c, const double *impulse, double blur) {
  const pw_system *s = c->sys;
  pw_multipliers *m = &c->lambda;
  int struck = 0;
  for (int i = s->nc; i < s->nr; i++) {
    struck += impulse[i] != 0 && pw_row_state(s, i) < 0;
  }
  m->lost = m->lost || struck > 1;
  for (int k = 0; k < s->n_state && !c->stream.has_state; k++) {
    double reach = c->probe.reach[s->state_row[k]];
    m->sum[k] -= impulse[s->state_row[k]];
    m->blur[k] += reach > 0 ? blur / reach : 0;
  }
}

/* ---- checks ---- */

double pw_multiplier_doubt(const pawl_certifier *c, int j, int k) {
  const pw_system *s = c->sys;
  bool shows = c->lambda.shows[k] > PW_SCALE(NOT_UNIQUE); /* else it is 0 everywhere */
  return shows ? c->stream.rows[(size_t)j * c->stream.width + (size_t)(s->model->nq + s->nq + k)]
               : 0;
}

/* The force of row i in the last answer, where nothing bounds it. */
static double force_in(const pawl_certifier *c, int i) {
  size_t n = (size_t)c->sys->nv;
  const double *push = c->probe.A + (size_t)i * n;
  for (int k = 0; k < c->room.reach.k; k++) {
    if (memcmp(c->room.reach.A + (size_t)k * n, push, n * sizeof *push) == 0) {
      return c->room.reach.x[k];
    }
  }
  return 0;
}

/* A multiplier that shows by its rate alone and is zero off its constraint: 0 <= lambda as the
 * integral of that since the constraint was met, by the trapezoidal rule. */
static void add_up(pawl_certifier *c, int j, int k, const pw_set_scale *zero) {
  pw_multipliers *m = &c->lambda;
  int row = c->sys->state_row[k];
  bool closed = pw_set_is_closed(&c->probe, row, PW_SET_VELOCITY, zero, NULL);
  double t = c->stream.times[j], dt = t - m->t, force = closed ? force_in(c, row) : 0;
  double unit = c->probe.reach[row] / c->scale.V0;
  bool lost = m->lost; /* an impact may change it */
  m->lost = lost && closed;
  if (closed) { /* met, or first seen, since the last row */
    bool fresh = !m->closed;
    m->sum[k] -= fresh ? 0 : dt * (force + m->last[k]) / 2;
    m->blur[k] = fresh ? m->blur[k] + fabs(dt * force)
                       : m->blur[k] + dt * fabs(force - 2 * m->last[k] + m->before[k]) / 4;
  }
  double bad = closed ? pw_max(-m->sum[k], 0) : m->closed ? fabs(m->sum[k]) : 0;
  double blur = m->lost || lost ? INFINITY : m->blur[k] + (closed ? 0 : fabs(dt * m->last[k]));
  pw_verify_found f = pw_found(bad * unit, 0, t, c->sys->row_of[row], PW_RULE_DIRECT);
  pw_found_judge(&c->record, PW_FINDING_SET, f, blur * unit);
  m->sum[k] = closed ? m->sum[k] : 0;
  m->blur[k] = closed ? m->blur[k] : 0;
  m->before[k] = m->closed && closed ? m->last[k] : force;
  m->last[k] = force;
  m->closed = closed;
  m->t = t;
}

/* 0 <= lambda, and 0 off the constraint for laws that do not keep it. */
static void check_sign(pawl_certifier *c, int j, int k, const pw_set_scale *zero) {
  const pw_system *s = c->sys;
  int row = s->state_row[k];
  bool keeps = !s->row[row].complementary;
  bool closed = pw_set_is_closed(&c->probe, row, PW_SET_VELOCITY, zero, NULL);
  double lambda = states_of(c, j)[k], unit = c->probe.reach[row] / c->scale.V0;
  double bad = closed || keeps ? pw_max(-lambda, 0) : fabs(lambda);
  pw_verify_found f = pw_found(bad * unit, 0, c->stream.times[j], s->row_of[row], PW_RULE_DIRECT);
  pw_found_judge(&c->record, PW_FINDING_SET, f, doubts_of(c, j)[k] * unit);
}

double pw_multiplier_check(pawl_certifier *c, int j, const double *a, const pw_set_scale *zero,
                           double *doubt) {
  const pw_system *s = c->sys;
  pw_multipliers *m = &c->lambda;
  int hidden = 0;
  *doubt += pw_verify_states(c, j);
  for (int k = 0; k < s->n_state; k++) {
    int row = s->state_row[k];
    bool shows = m->shows[k] > PW_SCALE(NOT_UNIQUE), one_sided = row >= s->nc;
    hidden += !shows;
    if (shows && one_sided && c->scale.V0 > 0) {
      check_sign(c, j, k, zero);
    }
  }
  for (int k = 0; k < s->n_state; k++) { /* those that do not show may have any rate */
    m->rate[k] = m->shows[k] > PW_SCALE(NOT_UNIQUE) ? m->rate[k] : NAN;
  }
  pw_set_scale carried = *zero;
  carried.carried = hidden < s->n_state ? m->rate : NULL;
  pw_set_distance(&c->probe, PW_SET_VELOCITY, &carried, a, &c->room.reach, c->room.scratch);
  double off = c->room.reach.distance;
  for (int k = 0; k < s->n_state && c->opts.instants == 1 && c->scale.V0 > 0; k++) {
    bool follows = s->row[s->state_row[k]].complementary;
    if (!(m->shows[k] > PW_SCALE(NOT_UNIQUE)) && follows && s->n_state == 1) {
      add_up(c, j, k, zero);
    }
  }
  return off;
}
