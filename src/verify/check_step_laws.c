// SPDX-License-Identifier: MIT
/* Laws in a step of Moreau's method, stepping (T2)-(T5). A contact has a percussion only if
 * rate1 + e rate0 vanishes; the other laws take theirs from the hull of their sets at the start, in
 * the middle and at the end of the step, since the method may evaluate them at each of these. Rates
 * at the end of a step are known up to what the rows change in it and what its forces move. */
#include <math.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_verify.h"
#include "linalg/dense.h"
#include "verify/checker.h"

static bool is_first(const pw_system *s, int i) {
  return s->index_of[s->row_of[i]] == i;
}

static bool is_contact(const pw_system *s, int i) {
  return i >= s->nc && pw_law_is_wall(&s->row[i]) && s->row[i].kind != PW_KIND_SERVO;
}

void pw_steps_take(pw_steps *x, pw_scheme scheme) {
  x->scheme = scheme;
}

void pw_step_laws_begin(pw_steps *x, const pw_system *s) {
  for (int i = 0; i < s->ni; i++) {
    x->set.lo[i] = x->set.least[i] = x->set.kink_lo[i] = INFINITY;
    x->set.hi[i] = x->set.most[i] = x->set.hold[i] = x->set.kink_hi[i] = -INFINITY;
  }
}

void pw_step_laws_look(pawl_certifier *c) {
  pw_steps *x = &c->steps;
  const pw_system *s = c->sys;
  const pw_probe *p = &c->probe;
  double h = x->to - x->from, fall = h * p->pull;
  pw_set_scale zero = {.position = 2 * h * (p->fast + fall) + PW_SCALE(CERT_ZERO) * c->scale.L0,
                       .velocity = PW_SCALE(CERT_STEP) * c->scale.V0};
  for (int k = 0; k < s->ni; k++) {
    int row = s->nc + k;
    pw_law_set set = pw_set_of_row(p, row, PW_SET_VELOCITY, &zero, NULL);
    pw_law_set kink = pw_set_of_row(p, row, PW_SET_POSITION, &zero, NULL);
    x->set.kink_lo[k] = pw_min(x->set.kink_lo[k], kink.lo);
    x->set.kink_hi[k] = pw_max(x->set.kink_hi[k], kink.hi);
    x->set.lo[k] = pw_min(x->set.lo[k], set.lo);
    x->set.hi[k] = pw_max(x->set.hi[k], set.hi);
    if (s->law[k].group >= 0) {
      double bound = pw_probe_bound(p, row, false);
      x->set.least[k] = pw_min(x->set.least[k], bound);
      x->set.most[k] = pw_max(x->set.most[k], bound);
      x->set.hold[k] = pw_max(x->set.hold[k], pw_probe_bound(p, row, true));
    }
  }
}

bool pw_step_laws_meet_face(const pawl_certifier *c) {
  bool any = false;
  for (int i = 0; i < c->sys->ni; i++) {
    any = any || (c->sys->law[i].face >= 0 && c->steps.P[c->sys->nc + i] != 0);
  }
  return any;
}

bool pw_step_laws_lock(const pawl_certifier *c) {
  const pw_system *s = c->sys;
  int pressed = 0;
  for (int i = s->nc; i < s->nr; i++) {
    int contact = pw_row_contact(s, i);
    pressed += contact >= 0 && c->steps.P[contact] > 0 &&
               (s->row[i].group < 0 || s->row[i].group == i - s->nc);
  }
  return pressed > 1;
}

/* ---- contacts ---- */

/* How far the rate of a row that has a percussion, or is closed without one, is from its law, as a
 * speed; e: factor of all restitutions, 0 for a step without. */
static double rate_error(const pawl_certifier *c, int i, double e, double tiny) {
  const pw_steps *x = &c->steps;
  const pw_system *s = c->sys;
  const pw_probe *p = &c->probe;
  bool one_sided = s->row[i].on_velocity, rough = pw_law_is_rough(&s->row[i]);
  double left =
      x->rate.behind[i] + (one_sided && !rough ? 0 : e * x->e[i - s->nc] * x->rate.before[i]);
  double h = x->to - x->from, way = h * (x->rate.room[i] + 2 * x->speed * p->length[i]);
  if (p->length[i] == 0) {
    return 0;
  }
  if (fabs(x->P[i]) * p->reach[i] > tiny) {
    double far = rough || one_sided ? 0 : x->gap[i] - way; /* it could not have been met */
    return pw_max(pw_max(fabs(left) - x->rate.room[i], 0), far / h) / p->length[i];
  }
  bool closed = one_sided || x->met[i - s->nc] < 0; /* it has been put back */
  return closed && !rough ? pw_max(-left - x->rate.room[i], 0) / p->length[i] : 0;
}

static double worst_rate(const pawl_certifier *c, double e, double tiny, int *law) {
  const pw_system *s = c->sys;
  double worst = 0;
  *law = -1;
  for (int i = s->nc; i < s->nr; i++) {
    bool alone = is_first(s, i) && (i + 1 == s->nr || s->row_of[i + 1] != s->row_of[i]);
    double off =
        alone && (is_contact(s, i) || pw_law_is_rough(&s->row[i])) ? rate_error(c, i, e, tiny) : 0;
    if (off > worst) {
      worst = off;
      *law = s->row_of[i];
    }
  }
  return worst;
}

/* Newton's law; between walls that friction locks, also rest. */
static void judge_rates(pawl_certifier *c, double scale) {
  pw_steps *x = &c->steps;
  double tiny = PW_SCALE(CERT_STEP) * scale, enough = PW_SCALE(CERT_STEP) * c->scale.V0;
  int law, other;
  double off = worst_rate(c, 1, tiny, &law);
  pw_rule rule = PW_RULE_STEP;
  if (off > enough && pw_step_laws_lock(c)) {
    double less = worst_rate(c, 0, tiny, &other);
    rule = less < off ? PW_RULE_STEP_LOCKED : rule;
    law = less < off ? other : law;
    off = pw_min(off, less);
  }
  pw_reason_note(&c->record, rule, x->to, off / c->scale.V0);
  pw_verify_found f = pw_found(off / c->scale.V0, PW_SCALE(CERT_STEP), x->to, law, rule);
  pw_found_note(&c->record, PW_FINDING_IMPACT, f);
}

/* ---- sets ---- */

static double outside(double x, double lo, double hi) {
  return pw_max(pw_max(lo - x, x - hi), 0);
}

/* Against the slip d (n): -F d/|d| with F within the bounds, up to what directions are known. */
static double against(const pw_steps *x, int k, int n, const double *P, const double *d,
                      double unit, double room) {
  double size = pw_length(d, n), off[PW_LAW_MOST];
  if (!(size > room)) {
    return pw_max(pw_length(P, n) - unit * x->set.hold[k], 0);
  }
  double along = -pw_along(P, d, n) / size;
  double F = pw_min(pw_max(along, unit * x->set.least[k]), unit * x->set.most[k]);
  for (int j = 0; j < n; j++) {
    off[j] = P[j] + F * d[j] / size;
  }
  return pw_max(pw_length(off, n) - unit * x->set.most[k] * room / size, 0);
}

/* The slip at the end, with what an impact gives back of the one before, or the mean one. */
static double plane_error(const pw_steps *x, const pw_system *s, int i, double unit) {
  int k = i - s->nc, n = s->row[i].width;
  const double *before = x->rate.before + i, *behind = x->rate.behind + i;
  double room = pw_norm_inf(x->rate.room + i, n), back[PW_LAW_MOST];
  for (int j = 0; j < n; j++) {
    back[j] = behind[j] + x->e[k + j] * before[j];
  }
  double off = against(x, k, n, x->P + i, back, unit, room);
  off = pw_min(off, against(x, k, n, x->P + i, behind, unit, room));
  return pw_min(off, against(x, k, n, x->P + i, x->rate.mean + i, unit, room));
}

/* Forces of a row in the step, at its kink if a slip may have been zero, or a stretch is so near.
 */
static void row_set(const pw_steps *x, const pw_system *s, int row, double *lo, double *hi) {
  int k = row - s->nc;
  double slip =
      pw_min(fabs(x->rate.before[row]), pw_min(fabs(x->rate.mean[row]), fabs(x->rate.behind[row])));
  bool kink = !s->row[row].on_velocity || slip <= x->rate.room[row];
  *lo = kink ? pw_min(x->set.lo[k], x->set.kink_lo[k]) : x->set.lo[k];
  *hi = kink ? pw_max(x->set.hi[k], x->set.kink_hi[k]) : x->set.hi[k];
}

/* How far the percussion of a law, by its first row, is outside of what it may be. */
static double set_error(const pawl_certifier *c, int i) {
  const pw_steps *x = &c->steps;
  const pw_system *s = c->sys;
  int k = i - s->nc, contact = pw_row_contact(s, i);
  double h = x->to - x->from, normal = contact >= 0 ? pw_max(x->P[contact], 0) : h;
  if (s->row[i].group >= 0) {
    return s->row[i].group == k ? plane_error(x, s, i, normal) : 0;
  }
  if (pw_law_is_rough(&s->row[i])) {
    return normal > 0 ? 0 : fabs(x->P[i]);
  }
  if (is_contact(s, i) && (i + 1 == s->nr || s->row_of[i + 1] != s->row_of[i])) {
    return pw_max(-x->P[i], 0);
  }
  double lo = 0, hi = 0;
  for (int j = i; j < s->nr && s->row_of[j] == s->row_of[i]; j++) {
    bool turned = s->row[j].unit * s->row[i].unit < 0;
    double least, most;
    row_set(x, s, j, &least, &most);
    lo += turned ? -most : least;
    hi += turned ? -least : most;
  }
  return outside(x->P[i], normal * lo, normal * hi);
}

static bool is_dry(const pw_system *s, int i) {
  return s->model->rows.items[s->row_of[i]].kind == PW_KIND_FRICTION;
}

void pw_step_laws_judge(pawl_certifier *c, double scale) {
  pw_steps *x = &c->steps;
  const pw_system *s = c->sys;
  bool locked = pw_step_laws_lock(c);
  judge_rates(c, scale);
  for (int i = s->nc; i < s->nr; i++) {
    if (is_first(s, i)) {
      double off = set_error(c, i) * c->probe.reach[i] / scale;
      bool loose = locked || s->row[i].loaded; /* bounds by forces of the round before */
      double tolerance = loose ? PW_SCALE(CERT_STEP_LOCKED) : PW_SCALE(CERT_STEP);
      pw_verify_found f = pw_found(off, tolerance, x->to, s->row_of[i], PW_RULE_STEP);
      pw_found_note(&c->record, PW_FINDING_SET, f);
      bool acts = fabs(x->P[i]) * c->probe.reach[i] > PW_SCALE(CERT_STEP) * scale;
      pw_record_rubs(&c->record, acts && is_dry(s, i));
    }
  }
}

/* ---- energy of contacts ---- */

void pw_step_laws_book(pawl_certifier *c) {
  pw_steps *x = &c->steps;
  const pw_system *s = c->sys;
  double sum = 0, most = 0, doubt = 0;
  int law = -1;
  bool struck = false;
  for (int i = s->nc; i < s->nr; i++) {
    if (pw_law_is_wall(&s->row[i]) && x->P[i] > 0) {
      double work = x->P[i] * (x->rate.before[i] + x->rate.behind[i]) / 2;
      struck = struck || x->rate.before[i] < -x->rate.room[i];
      law = work > most ? s->row_of[i] : law;
      most = pw_max(most, work);
      sum += work;
      doubt += x->P[i] * x->rate.room[i];
    }
  }
  double whole = x->speed > 0 ? x->speed * x->speed : 1, part = sum / whole;
  pw_jumps *jumps = &c->jumps;
  pw_jumps_gain(jumps, part - doubt / whole, law);
  pw_jumps_lose(jumps, -part);
  jumps->n_corner += struck;
  x->changes = x->changes || struck;
}
