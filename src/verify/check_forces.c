// SPDX-License-Identifier: MIT
/* Forces as delivered with the trajectory: they must be those that the motion needs, and each must
 * lie in the set of its law at the velocity. A law of several kinks has the sum of their sets. */
#include <math.h>

#include "base/real.h"
#include "law/scale_verify.h"
#include "linalg/dense.h"
#include "system/moved.h"
#include "verify/checker.h"
#include "verify/multiplier.h"

/* The first row of each law that acts as one, its force and the size of a unit of it. */
static double force_of(const pawl_certifier *c, const pw_row_view *row, int i) {
  const pw_system *s = c->sys;
  for (int k = 0; k < s->n_state; k++) {
    if (s->state_row[k] == i) { /* certificates (C16) */
      return -c->lambda.rate[k];
    }
  }
  return pw_law_multiplier(&s->row[i], row->force[s->row_of[i]]);
}

static double state_at(const pawl_certifier *c, int row, int state) {
  return pw_row_at(c, row).q[c->sys->model->nq + state];
}

typedef struct state_window { /* m rows, `stride` apart from `first` on */
  int first, m, stride;
} state_window;

/* The derivative at row j of the polynomial through the rows of a multiplier:
 * l_i'(t_j) = prod (t_j - t_k)/(t_i - t_k) / (t_i - t_j) over k other than i, j. */
static double slope_of(const pawl_certifier *c, int state, state_window w, int j) {
  const double *t = c->stream.times;
  int end = w.first + w.m * w.stride;
  double slope = 0;
  for (int i = w.first; i < end; i += w.stride) {
    double x = i == j ? 0 : 1 / (t[i] - t[j]);
    for (int k = w.first; k < end; k += w.stride) {
      x *= k == i || k == j ? 1 : (t[j] - t[k]) / (t[i] - t[k]);
    }
    slope += x * (state_at(c, i, state) - state_at(c, j, state));
  }
  return slope;
}

/* Through row j. */
static state_window around(const pawl_certifier *c, int j, int stride, int points) {
  int before = j / stride, after = (c->stream.n_row - 1 - j) / stride, m = before + after + 1;
  m = m < points ? m : points;
  int left = m / 2 < before ? m / 2 : before;
  left = m - 1 - left > after ? m - 1 - after : left;
  return (state_window){j - left * stride, m, stride};
}

/* The rate of multiplier k by one window; returns how well that is known: the sum of the changes
 * when one sample is dropped and when one is added. */
static double rate_by(const pawl_certifier *c, int k, int j, state_window w, double *rate) {
  int last = w.first + (w.m - 1) * w.stride;
  state_window fewer = {j < last ? w.first : w.first + w.stride, w.m - 1, w.stride};
  double unit = (c->stream.times[last] - c->stream.times[w.first]) / (w.m - 1);
  *rate = slope_of(c, k, w, j);
  double noise = c->data.force_noise[c->sys->row_of[c->sys->state_row[k]]];
  double error = c->stream.has_state ? pw_max(c->data.noise * fabs(state_at(c, j, k)), noise) : 0;
  for (int i = w.first; i <= last && !c->stream.has_state; i += w.stride) {
    error = pw_max(error, pw_multiplier_doubt(c, i, k));
  }
  double more = slope_of(c, k, around(c, j, w.stride, w.m + 1), j);
  return fabs(*rate - slope_of(c, k, fewer, j)) + fabs(*rate - more) + error / unit;
}

double pw_verify_states(pawl_certifier *c, int j) {
  const pw_system *s = c->sys;
  double doubt = 0, *found = c->lambda.rate;
  for (int k = 0; k < s->n_state; k++) {
    double best = INFINITY, last = NAN;
    for (int stride = 1; stride <= (c->stream.has_state ? 1 : 32); stride *= 2) {
      state_window w = around(c, j, stride, PW_FIT_POINTS);
      double rate = 0, floor = w.m < 3 ? INFINITY : rate_by(c, k, j, w, &rate);
      floor += isnan(last) ? 0 : fabs(rate - last); /* two that agree */
      if (floor < best && (c->stream.has_state || stride > 1)) {
        best = floor;
        found[k] = rate;
      }
      last = rate;
    }
    doubt += best * c->probe.reach[s->state_row[k]];
  }
  return doubt;
}

static bool is_first(const pw_system *s, int i) {
  return s->index_of[s->row_of[i]] == i;
}

/* The largest force of a law beside its kink: what holds by a part of it has the rounding of all.
 */
static double bound_of(const pw_probe *p, int i) {
  int k = i - p->sys->nc;
  if (k < 0 || p->sys->law[k].wall) {
    return 0;
  }
  pw_law_row law = pw_probe_law(p, i);
  double bound = pw_max(fabs(law.left), fabs(law.right));
  return isfinite(bound) ? bound : 0;
}

static int maximum_of(const pw_system *s, int i) {
  return s->model->rows.items[s->row_of[i]].clause.several;
}

/* rest + sign (given - own) of the kinks inside of a maximum that begins with law row `first`. */
static void exchange_inner(const pawl_certifier *c, const pw_row_view *row, int first, int sign,
                           double *rest) {
  const pw_probe *p = &c->probe;
  const pw_system *s = c->sys;
  const pw_row *whole = &s->model->rows.items[s->row_of[first]];
  for (int i = s->nc; i < s->nr; i++) {
    const pw_row *inner = &s->model->rows.items[s->row_of[i]];
    if (inner->kind == PW_KIND_KINK && inner->stmt == whole->stmt && inner->clause.several < 0 &&
        inner->count == 1) {
      double more = force_of(c, row, i) - pw_probe_force_beside(p, i);
      pw_moved_axpy(s, i, sign * more, p->A + (size_t)i * (size_t)s->nv, rest);
    }
  }
}

/* The pair of a maximum by which its second piece would be taken for the one on top, so that the
 * rest is least and less than `least`; -1: none. whole: the force of that weight. */
static int best_top(const pawl_certifier *c, const pw_set_scale *zero, int first, double least,
                    double *rest, double *whole) {
  const pw_probe *p = &c->probe;
  const pw_system *s = c->sys;
  int n = s->nv, best = -1;
  for (int k = first; k < s->nr; k++) {
    if (maximum_of(s, k) != s->row_of[first] ||
        !pw_set_is_tied(p, k, PW_SET_POSITION, zero, NULL)) {
      continue;
    }
    pw_law_row law = pw_probe_law(p, k);
    double force = law.left < 0 ? -law.left : -law.right;
    pw_moved_axpy(s, k, -force, p->A + (size_t)k * (size_t)n, rest);
    double size = pw_norm2(rest, n);
    pw_moved_axpy(s, k, force, p->A + (size_t)k * (size_t)n, rest);
    if (force != 0 && size < least) {
      least = size;
      best = k;
      *whole = force;
    }
  }
  return best;
}

/* Forces of pairs that are tied belong to one of their pieces on top, potentials (P14), and files
 * do not say to which: to the one with which they balance best. With another piece on top than here
 * the kinks inside of pieces have other slopes. */
static void choose_tops(const pawl_certifier *c, const pw_row_view *row, const pw_set_scale *zero,
                        double *rest) {
  const pw_system *s = c->sys;
  for (int i = s->nc; i < s->nr; i++) {
    if (maximum_of(s, i) != s->row_of[i]) {
      continue;
    }
    double least = pw_norm2(rest, s->nv), whole = 0;
    exchange_inner(c, row, i, 1, rest);
    int best = best_top(c, zero, i, least, rest, &whole);
    if (best >= 0) {
      pw_moved_axpy(s, best, -whole, c->probe.A + (size_t)best * (size_t)s->nv, rest);
    } else {
      exchange_inner(c, row, i, -1, rest);
    }
  }
}

/* |r - Phi force|, minus the rounding of forces that cancel. */
static double balance(pawl_certifier *c, const pw_row_view *row, const double *a,
                      const pw_set_scale *zero, int *law) {
  const pw_probe *p = &c->probe;
  int n = c->sys->nv, worst = -1;
  double *rest = c->room.reach.rest, most = 0, rounding = 0;
  pw_probe_lift(p, a, rest);
  pw_axpy(-1, p->h, rest, n);
  for (int i = 0; i < c->sys->nr; i++) {
    if (is_first(c->sys, i)) {
      pw_moved_axpy(c->sys, i, -force_of(c, row, i), p->A + (size_t)i * (size_t)n, rest);
      rounding += PW_SCALE(CERT_SUM) * fabs(force_of(c, row, i)) * p->reach[i];
    }
    rounding += PW_SCALE(CERT_SUM) * bound_of(p, i) * p->reach[i];
  }
  choose_tops(c, row, zero, rest);
  double size = pw_norm2(rest, n);
  for (int i = 0; i < c->sys->nr && size > 0; i++) {
    double w = p->reach[i] > 0
                   ? fabs(pw_moved_dot(c->sys, i, p->A + (size_t)i * (size_t)n, rest)) / p->reach[i]
                   : 0;
    if (w > most) {
      most = w;
      worst = c->sys->row_of[i];
    }
  }
  *law = most > PW_SCALE(CERT_SMALL_PART) * size ? worst : -1;
  return pw_max(size - rounding, 0);
}

/* How far a number is from an interval, and how far beyond the larger of its bounds by size. */
static double outside(double x, double lo, double hi) {
  return pw_max(pw_max(lo - x, x - hi), 0);
}

static double plane_error(const pawl_certifier *c, const pw_row_view *row, int i, double normal,
                          const pw_set_scale *zero) {
  const pw_probe *p = &c->probe;
  int n = c->sys->row[i].width;
  const double *s = p->value + i;
  double f[PW_LAW_MOST], slip = pw_length(s, n);
  double F = pw_probe_bound(p, i, false) * normal;
  double tiny = PW_SCALE(CERT_DIRECTION) * zero->velocity * pw_norm_inf(p->length + i, n);
  for (int k = 0; k < n; k++) {
    f[k] = force_of(c, row, i + k) + (slip > tiny ? F * s[k] / slip : 0);
  }
  if (slip > tiny) {
    return pw_length(f, n);
  }
  double hold = pw_max(F, pw_probe_law(p, i).limit * normal);
  return pw_max(pw_length(f, n) - hold, 0);
}

/* Of a pair of pieces that are tied: all such pairs of its maximum have its slope together,
 * whichever piece counts as on top, potentials (P14). Negative: it is no such pair. */
static double tied_error(const pawl_certifier *c, const pw_row_view *row, int i,
                         const pw_set_scale *zero) {
  const pw_system *s = c->sys;
  const pw_probe *p = &c->probe;
  double slope = 0, sum = 0;
  if (!pw_set_is_tied(p, i, PW_SET_POSITION, zero, NULL)) {
    return -1;
  }
  for (int k = s->nc; k < s->nr; k++) {
    if (maximum_of(s, k) == maximum_of(s, i) && pw_set_is_tied(p, k, PW_SET_POSITION, zero, NULL)) {
      pw_law_row law = pw_probe_law(p, k);
      slope = pw_max(slope, law.right - law.left);
      sum += fabs(force_of(c, row, k));
    }
  }
  return pw_max(sum - slope, 0);
}

/* A kink inside of a maximum whose pieces are tied: its slope is that of the piece it belongs to,
 * if that is on top, and the balance of forces judges it with the choice that is made there. */
static bool is_inside_tie(const pawl_certifier *c, int i, const pw_set_scale *zero) {
  const pw_system *s = c->sys;
  const pw_row *row = &s->model->rows.items[s->row_of[i]];
  for (int k = s->nc; k < s->nr && row->kind == PW_KIND_KINK; k++) {
    const pw_row *other = &s->model->rows.items[s->row_of[k]];
    if (other->stmt == row->stmt && pw_set_is_tied(&c->probe, k, PW_SET_POSITION, zero, NULL)) {
      return true;
    }
  }
  return false;
}

/* Of a law on coordinates without inertia as it is stated, engineering (E6), (E7): the force as
 * given is -F sgn(slip), or at most F without slip; of a contact it pushes where the gap is zero.
 */
static double stated_error(double force, const pw_probe *p, int i, const pw_set_scale *zero) {
  pw_law_row law = pw_probe_law(p, i);
  bool contact = p->sys->row[i].kind == PW_KIND_TOUCH;
  double measure = pw_probe_measure(p, i), F = -law.left;
  bool is_zero = fabs(measure) <= (contact ? zero->position : zero->velocity) * p->length[i];
  if (contact) {
    return is_zero ? pw_max(-force, 0) : fabs(force);
  }
  return is_zero ? pw_max(fabs(force) - F, 0) : fabs(force + copysign(F, measure));
}

/* Of the rows of one law from i on. Friction on a contact: times the normal force. */
static double law_error(pawl_certifier *c, const pw_row_view *row, int i,
                        const pw_set_scale *zero) {
  const pw_system *s = c->sys;
  const pw_probe *p = &c->probe;
  int law = i - s->nc;
  int contact = pw_row_contact(s, i);
  double normal = contact >= 0 ? force_of(c, row, contact) : 1;
  if (pw_law_is_rough(&s->row[i])) {
    bool closed = pw_set_is_closed(p, contact, PW_SET_POSITION, zero, NULL);
    return closed ? 0 : fabs(force_of(c, row, i));
  }
  if (pw_law_has_phase(&s->row[i])) {
    return stated_error(force_of(c, row, i), p, i, zero);
  }
  if (s->law[law].group >= 0) {
    return s->law[law].group == law ? plane_error(c, row, i, normal, zero) : 0;
  }
  /* A row at the kink of a spring may belong to what was or to what comes; of samples with errors
   * it is not known on which side of a kink they are that is near. */
  bool rough =
      (c->data.grain > PW_SCALE(CERT_EXACT) || !s->law[law].wall) && !s->row[i].on_velocity;
  double lo = 0, hi = 0;
  for (int k = i; k < s->nr && s->row_of[k] == s->row_of[i]; k++) {
    pw_law_set b = pw_set_of_row(p, k, rough ? PW_SET_POSITION : PW_SET_VELOCITY, zero, NULL);
    double turned = s->row[k].unit * s->row[i].unit;
    lo += turned > 0 ? b.lo : -b.hi;
    hi += turned > 0 ? b.hi : -b.lo;
  }
  double tied = tied_error(c, row, i, zero);
  if (tied >= 0 || is_inside_tie(c, i, zero)) {
    return pw_max(tied, 0);
  }
  if (contact >= 0) {
    lo *= pw_max(normal, 0);
    hi *= pw_max(normal, 0);
  }
  return outside(force_of(c, row, i), lo, hi);
}

/* 0 <= lambda for one-sided laws whose multipliers are states, and 0 off the constraint unless they
 * keep what they have there; as speeds. */
static void check_multipliers(pawl_certifier *c, const pw_row_view *row, const pw_set_scale *zero) {
  const pw_system *s = c->sys;
  for (int k = 0; k < s->n_state; k++) {
    int i = s->state_row[k];
    if (i >= s->nc) {
      double lambda = row->q[s->model->nq + k];
      bool keeps = !s->row[i].complementary;
      bool closed = pw_set_is_closed(&c->probe, i, PW_SET_VELOCITY, zero, NULL);
      double bad = closed || keeps ? pw_max(-lambda, 0) : fabs(lambda);
      double value = c->scale.V0 > 0 ? bad * c->probe.reach[i] / c->scale.V0 : 0;
      pw_verify_found f = pw_found(value, c->opts.tol, row->t, s->row_of[i], PW_RULE_DIRECT);
      pw_found_note(&c->record, PW_FINDING_SET, f);
    }
  }
}

/* The sum of all forces, or of their errors (missing digits, or noise), as a force in the metric.
 */
static double force_sum(const pawl_certifier *c, const double *error) {
  const pw_system *s = c->sys;
  double sum = 0;
  for (int i = 0; i < s->nr; i++) {
    sum += is_first(s, i) ? fabs(error[s->row_of[i]]) * c->probe.reach[i] : 0;
  }
  return sum;
}

double pw_verify_force_noise(const pawl_certifier *c) {
  return force_sum(c, c->data.force_noise);
}

/* ---- dry friction, however it is written ---- */

/* The graph has a force right beside a wall, which is there however slow the slip is. */
static bool drags(const pw_clauses *x) {
  bool drag = false;
  for (int i = 0, last; i < x->n_graph && !drag; i = last + 1) {
    for (last = i; last + 1 < x->n_graph && x->graph[last + 1].x == x->graph[i].x;) {
      last++;
    }
    double low = x->graph[i].f, high = x->graph[last].f;
    drag = isinf(low) != isinf(high) && (isinf(low) ? high : low) != 0;
  }
  return drag;
}

/* A law that is no constraint takes energy at any slip, however slow: a friction, or a graph over a
 * slip that has a step. At a wall beside which there is a drag nothing is lost, for the wall
 * holds. */
static bool is_dry(const pawl_certifier *c, int i, const pw_set_scale *zero) {
  const pw_system *s = c->sys;
  const pw_probe *p = &c->probe;
  const pw_row *law = &s->model->rows.items[s->row_of[i]];
  bool graph = (law->kind == PW_KIND_LAW || law->kind == PW_KIND_SPRING) && law->on_velocity;
  bool step = false, held = false;
  for (int k = i; graph && k < s->nr && s->row_of[k] == s->row_of[i]; k++) {
    bool wall = s->row[k].wall;
    step = step || (!wall && !s->row[k].bend);
    held = held ||
           (wall && fabs(p->value[k]) <= PW_SCALE(CERT_DIRECTION) * zero->velocity * p->length[k]);
  }
  return law->kind == PW_KIND_FRICTION || law->kind == PW_KIND_SERIES || step ||
         (graph && !held && drags(&law->clause));
}

/* The force of the law away from all its kinks; 0 at one of them. */
static double force_beside(const pawl_certifier *c, int i, const pw_set_scale *zero) {
  const pw_system *s = c->sys;
  const pw_probe *p = &c->probe;
  double force = 0;
  for (int k = i; k < s->nr && s->row_of[k] == s->row_of[i]; k++) {
    pw_law_row law = pw_probe_law(p, k);
    bool kink = law.form->wall || law.left != law.right;
    if (kink && fabs(p->value[k]) <= PW_SCALE(CERT_DIRECTION) * zero->velocity * p->length[k]) {
      return 0;
    }
    force += law.form->wall ? 0 : pw_probe_force_beside(p, k);
  }
  return force;
}

void pw_verify_rubs_by(pawl_certifier *c, const pw_row_view *row, const pw_set_scale *zero,
                       double scale) {
  const pw_system *s = c->sys;
  check_multipliers(c, row, zero);
  for (int i = s->nc; i < s->nr && !c->record.rubs; i++) {
    bool acts =
        is_first(s, i) && fabs(force_of(c, row, i)) * c->probe.reach[i] > c->opts.tol * scale;
    pw_record_rubs(&c->record, acts && is_dry(c, i, zero));
  }
}

void pw_verify_force_sets(pawl_certifier *c, const pw_row_view *row, const pw_set_scale *zero,
                          double scale) {
  const pw_system *s = c->sys;
  if (s->load.n > 0) {
    pw_probe_loads_again(&c->probe, row->force); /* bounds by the forces as they are given */
  }
  double rounding = force_sum(c, c->data.force_error) / scale,
         noise = pw_verify_force_noise(c) / scale;
  /* bounds are functions of states and of other forces, which are as exact as the run */
  double size = s->load.n > 0 ? pw_max(force_sum(c, row->force) / scale, 1) : 1;
  double tolerance = c->opts.tol + 2 * rounding +
                     PW_SCALE(CERT_MARGIN) * (noise + c->data.noise * size) +
                     PW_SCALE(CERT_NOISE_MARGIN) * c->data.grain;
  check_multipliers(c, row, zero);
  for (int i = s->nc; i < s->nr; i++) {
    if (is_first(s, i)) {
      double bad = law_error(c, row, i, zero) * c->probe.reach[i];
      pw_verify_found f = pw_found(bad / scale, tolerance, row->t, s->row_of[i], PW_RULE_DIRECT);
      pw_found_note(&c->record, PW_FINDING_SET, f);
      bool acts = fabs(force_of(c, row, i)) * c->probe.reach[i] > c->opts.tol * scale;
      pw_record_rubs(&c->record, acts && is_dry(c, i, zero));
    }
  }
}

double pw_verify_forces(pawl_certifier *c, const pw_row_view *row, const double *a,
                        const pw_set_scale *zero, double scale, int *law) {
  pw_verify_force_sets(c, row, zero, scale);
  return pw_max(balance(c, row, a, zero, law) - force_sum(c, c->data.force_error), 0) / scale;
}

void pw_verify_rubs(pawl_certifier *c, const pw_set_scale *zero) {
  const pw_system *s = c->sys;
  for (int i = s->nc; i < s->nr && !c->record.rubs; i++) {
    int contact = pw_row_contact(s, i);
    bool pressed = contact < 0 || pw_set_is_closed(&c->probe, contact, PW_SET_VELOCITY, zero, NULL);
    bool acts = is_first(s, i) && pressed && is_dry(c, i, zero) && force_beside(c, i, zero) != 0;
    pw_record_rubs(&c->record, acts);
  }
}
