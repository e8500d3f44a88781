// SPDX-License-Identifier: MIT
/* An instant at which velocities jump. The jump of the momentum must lie in the normal cone of the
 * constraints that are met (Leine and Aeberhard, theorem 2; theory (52), (53), (54)), the energy
 * must change as moving walls leave it (theorem 1, extended to walls in motion: certificates (C7)),
 * and the velocities after must obey the impact law that the model states. */
#include <math.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_verify.h"
#include "linalg/chol.h"
#include "linalg/dense.h"
#include "verify/jump.h"
#include "verify/multiplier.h"

void pw_jump_lay(pw_jump_room *r, const pw_system *s, pw_layout *l) {
  r->before = PW_LAY(l, s->nr, double);
  r->impulse = PW_LAY(l, s->nr, double);
  r->rest = PW_LAY(l, s->nr, double);
  r->slow = PW_LAY(l, s->nv, double);
  r->fast = PW_LAY(l, s->nv, double);
  r->dp = PW_LAY(l, s->nv, double);
  r->mu = PW_LAY(l, s->ni, double);
  r->e = PW_LAY(l, s->ni, double);
  r->momenta = PW_LAY(l, s->nv, double);
  r->bent = PW_LAY(l, s->trait.curved ? 4 * s->nv + s->nr * (s->nr + 1) : 0, double);
  r->struck = PW_LAY(l, s->trait.curved ? s->nr : 0, int);
}

/* Momenta tell the jump; else M is that of both sides, and velocities do. */
static bool by_momenta(const pawl_certifier *c) {
  return c->stream.has_state || c->sys->trait.curved;
}

double pw_jump_near(const pw_jump *x) {
  const pawl_certifier *c = x->c;
  double margin = PW_SCALE(CERT_MARGIN);
  double noise = pw_max(c->data.noise, PW_SCALE(CERT_SUM)) * pw_max(c->scale.L0, c->scale.extent);
  double samples = (x->place > 0 ? PW_SCALE(CERT_NOISE_MARGIN) : margin) * noise;
  return samples + margin * x->place + c->data.time_error * c->scale.V0;
}

/* Rounding of the terms of a gap, and of the time at which it closes. */
static double rounding(const pw_jump *x, int i) {
  const pw_probe *p = &x->c->probe;
  double was = x->before == NULL ? 0 : fabs(x->before[i]);
  double late = fabs(x->t) * pw_max(fabs(p->rate[i]), was);
  return PW_SCALE(CERT_TERMS) * (p->terms[i - x->c->sys->nc] + late);
}

bool pw_jump_touches(const pw_jump *x, int i) {
  const pw_probe *p = &x->c->probe;
  return pw_law_is_wall(&x->c->sys->row[i]) && !x->c->sys->row[i].on_velocity &&
         p->value[i] <= pw_jump_near(x) * p->length[i] + rounding(x, i);
}

bool pw_jump_is_struck(const pw_jump *x, int i) {
  const pw_system *s = x->c->sys;
  if (x->c->stream.has_state && pw_row_state(s, i) >= 0) {
    return false; /* its impulse is part of the jump, theory (83) */
  }
  if (i < s->nc || pw_law_is_wall(&s->row[i])) {
    return i < s->nc || pw_jump_touches(x, i) || s->row[i].on_velocity;
  }
  int contact = pw_row_contact(s, i);
  return contact >= 0 && pw_jump_touches(x, contact);
}

/* ---- the impulse ---- */

double *pw_jump_add(pw_jump *x, int i, double lo, double hi) {
  double *col = pw_reach_add(&x->c->room.reach, lo, hi);
  if (col != NULL) {
    int n = x->c->sys->nv;
    memcpy(col, x->c->probe.A + (size_t)i * (size_t)n, (size_t)n * sizeof *col);
  }
  return col;
}

static bool is_rough(const pw_system *s, int contact) {
  for (int i = s->nc; i < s->nr; i++) {
    if (pw_row_contact(s, i) == contact && pw_law_is_rough(&s->row[i])) {
      return true;
    }
  }
  return false;
}

static void cone(pw_jump *x) {
  const pw_system *s = x->c->sys;
  pw_reach_begin(&x->c->room.reach);
  for (int i = 0; i < s->nr; i++) {
    if (!pw_jump_is_struck(x, i)) {
      continue;
    }
    bool servo = s->row[i].kind == PW_KIND_SERVO;
    bool state = pw_row_state(s, i) >= 0; /* a multiplier that is not given */
    bool pulls = x->pulls && i >= s->nc && is_rough(s, i);
    if (i < s->nc || pw_law_is_rough(&s->row[i]) || servo || state || pulls) {
      pw_jump_add(x, i, -INFINITY, INFINITY);
    } else if (pw_law_is_wall(&s->row[i])) {
      pw_jump_add_contact(x, i, false);
    }
  }
  pw_jump_add_rests(x, &x->c->room.reach);
  pw_reach_solve(&x->c->room.reach, x->dp);
}

/* Impulses of single rows, for the impact law: as if no law bounded them. Smallest where they are
 * not unique. */
static void find_impulses(pw_jump *x) {
  const pw_system *s = x->c->sys;
  int k = 0;
  pw_reach_begin(&x->c->room.reach);
  for (int i = 0; i < s->nr; i++) {
    if (pw_jump_is_struck(x, i)) {
      pw_jump_add(x, i, -INFINITY, INFINITY);
    }
  }
  pw_reach_solve(&x->c->room.reach, x->dp);
  for (int i = 0; i < s->nr; i++) {
    x->impulse[i] = pw_jump_is_struck(x, i) ? x->c->room.reach.x[k++] : 0;
  }
}

/* ---- the end of bounces ---- */

bool pw_jump_is_quick(const pw_jump *x) {
  const pawl_certifier *c = x->c;
  double since = c->jumps.n_corner < PW_SERIES
                     ? INFINITY
                     : x->t - c->jumps.last_corner[c->jumps.n_corner % PW_SERIES];
  double noise = PW_SCALE(CERT_QUICK_NOISE) * c->data.noise;
  return since <= pw_max(PW_SCALE(CERT_QUICK), noise) * c->scale.span;
}

bool pw_jump_comes_to_rest(const pw_jump *x, int i) {
  return fabs(pw_jump_before(x, i)) <= PW_SCALE(CERT_SLOW) * x->c->scale.V0 &&
         fabs(pw_jump_after(x, i)) <= pw_jump_still(x);
}

typedef enum ending { GOES_ON, STOPS, FADES } ending;

/* Bounces that fade out end in a small jump; those between bodies that come together anyway end
 * after many in a short time. Either way all contacts are closed then. */
static ending end_of_series(const pw_jump *x) {
  const pawl_certifier *c = x->c;
  bool any = false, small = x->size <= PW_SCALE(CERT_SLOW) * c->scale.V0;
  for (int i = c->sys->nc; i < c->sys->nr; i++) {
    if (pw_jump_touches(x, i)) {
      any = true;
      small = small && pw_jump_comes_to_rest(x, i);
      if (fabs(pw_jump_after(x, i)) > pw_jump_still(x)) {
        return GOES_ON;
      }
    }
  }
  return !any ? GOES_ON : small ? FADES : pw_jump_is_quick(x) ? STOPS : GOES_ON;
}

/* ---- the energy ---- */

/* p.u - L of the energies. */
static double hamiltonian(pw_probe *p) {
  const double *e = pw_probe_energies(p);
  return e[0] + e[1] - e[2];
}

/* What a unit of the impulse of a row does that is no gain of the impact: the speed of a wall,
 * g_t = rate - J u, and for a servo, whose motor is a source of energy as in motion, its work
 * Phi (u+ + u-)/2 with the sign of a gain. */
static double work_beside(const pw_jump *x, int row) {
  const pw_probe *p = &x->c->probe;
  int n = x->c->sys->nv;
  const double *push = p->A + (size_t)row * (size_t)n;
  double after = pw_dot(push, x->fast, n);
  return x->c->sys->row[row].by < 0 ? p->rate[row] - after
                                    : -(after + pw_dot(push, x->slow, n)) / 2;
}

/* H+ - H- + sum Lambda g_t: certificates (C7). */
static double energy(pw_jump *x) {
  const pw_system *s = x->c->sys;
  bool momenta = pw_system_jumps_by_momenta(s) && by_momenta(x->c);
  double sum = momenta ? hamiltonian(&x->c->probe) - x->energy : 0;
  for (int i = 0; i < s->nv && !momenta; i++) {
    sum += (x->fast[i] - x->slow[i]) * (x->fast[i] + x->slow[i]) / 2;
  }
  for (int i = 0; i < s->nr; i++) {
    sum += x->impulse[i] != 0 ? x->impulse[i] * work_beside(x, i) : 0;
  }
  return sum;
}

/* Where impulses are not unique some share of them may leave the energy as it is: the jump must
 * come out of the cones with the work of moving walls as one row more. True: one does. */
static bool share_keeps_energy(pw_jump *x) {
  const pw_system *s = x->c->sys;
  const pw_probe *p = &x->c->probe;
  pw_reach *r = &x->c->room.replay.reach;
  double *target = x->c->room.replay.c, change = 0;
  int n = s->nv;
  pw_reach_begin(r);
  for (int i = 0; i < s->nr; i++) {
    bool wall = i >= s->nc && pw_law_is_wall(&s->row[i]);
    double *col = pw_jump_is_struck(x, i) ? pw_reach_add(r, wall ? 0 : -INFINITY, INFINITY) : NULL;
    if (col != NULL) {
      memcpy(col, p->A + (size_t)i * (size_t)n, (size_t)n * sizeof *col);
      col[n] = work_beside(x, i) / x->speed;
    }
  }
  for (int i = 0; i < n; i++) {
    target[i] = x->dp[i];
    change += (x->fast[i] - x->slow[i]) * (x->fast[i] + x->slow[i]) / 2;
  }
  target[n] = -change / x->speed;
  pw_reach_solve(r, target);
  return r->distance <= x->tiny;
}

static void keep_corner(pw_jump *x, double gain, double missed) {
  pawl_certifier *c = x->c;
  pw_verify_jump_record k = {.t = x->t,
                             .loss = -gain / (x->speed * x->speed),
                             .impulse = missed,
                             .restitution = NAN,
                             .law = -1};
  double fastest = 0;
  for (int i = c->sys->nc; i < c->sys->nr; i++) {
    if (pw_jump_touches(x, i) && pw_jump_before(x, i) < fastest) {
      fastest = pw_jump_before(x, i);
      k.restitution = -x->c->probe.rate[i] / x->before[i];
      k.law = c->sys->row_of[i];
    }
  }
  double unknown = 2 * x->blur / x->speed; /* velocities that are off by blur */
  pw_jumps_gain(&c->jumps, -k.loss - unknown, k.law);
  pw_jumps_lose(&c->jumps, k.loss - unknown);
  pw_jumps_keep(&c->jumps, &k);
}

static void continuity(pawl_certifier *c, const pw_row_view *b, const pw_row_view *a) {
  double far = pw_verify_apart(c, a->q, b->q);
  double whole = c->scale.L0 > 0 ? c->scale.L0 : 1;
  double tolerance = c->opts.tol + PW_SCALE(CERT_MARGIN) * (c->data.grain + a->place / whole);
  pw_verify_found f = pw_found(far / whole, tolerance, a->t, -1, PW_RULE_DIRECT);
  pw_found_note(&c->record, PW_FINDING_CONTINUITY, f);
}

/* With switching surfaces on the side where they are before (-1) or after the instant (1). */
static bool probe_side(pawl_certifier *c, const pw_row_view *row, int when) {
  double ahead = when * PW_SCALE(CERT_AHEAD) * c->scale.span;
  return pw_probe_row(c, row, ahead);
}

/* Stores rates, speeds and coefficients of the side before. */
static bool look_before(pawl_certifier *c, const pw_row_view *b, pw_jump *x, double *rates,
                        double *slow) {
  const pw_system *s = c->sys;
  if (!probe_side(c, b, -1)) {
    return false;
  }
  pw_scale_row(c, b);
  pw_verify_admissible(c, b);
  if (s->n_switch > 0 && !probe_side(c, b, 1)) { /* a wall that sets off now strikes */
    return false;
  }
  memcpy(rates, c->probe.rate, (size_t)s->nr * sizeof *rates);
  memcpy(slow, c->probe.speed, (size_t)s->nv * sizeof *slow);
  if (by_momenta(c)) {
    memcpy(x->dp, pw_probe_momenta(&c->probe), (size_t)s->nv * sizeof *slow);
    memcpy(c->room.jump.momenta, x->dp, (size_t)s->nv * sizeof *slow);
    x->energy = hamiltonian(&c->probe);
  }
  for (int i = 0; i < s->ni; i++) {
    x->mu[i] = pw_probe_bound(&c->probe, s->nc + i, false);
    x->e[i] = pw_probe_law(&c->probe, s->nc + i).restitution;
  }
  return true;
}

/* L^-1 of the jump of the momenta, and how large it is beside that of the velocities alone. */
static void find_jump(pw_jump *x, const pw_row_view *b, const pw_row_view *a) {
  pawl_certifier *c = x->c;
  int n = c->sys->nv;
  double turn = 0;
  if (by_momenta(c)) {
    const double *p = pw_probe_momenta(&c->probe);
    for (int i = 0; i < n; i++) {
      x->dp[i] = p[i] - x->dp[i];
      turn += pow(pw_dot(c->probe.L + (size_t)i * (size_t)n + i, a->u + i, n - i) -
                      pw_dot(c->probe.L + (size_t)i * (size_t)n + i, b->u + i, n - i),
                  2);
    }
    pw_probe_forward(&c->probe, x->dp);
  } else {
    for (int i = 0; i < n; i++) {
      x->dp[i] = x->fast[i] - x->slow[i];
    }
  }
  x->size = pw_max(pw_norm2(x->dp, n), sqrt(turn));
  x->speed = pw_max(pw_max(pw_norm2(x->slow, n), pw_norm2(x->fast, n)), x->size / 2);
}

/* The distance from the cone; where it is not reached with contacts that pull, if they must, and
 * with bounces left out. */
static double impulse_missed(pw_jump *x, double scale, pw_rule *rule) {
  const pawl_certifier *c = x->c;
  double enough = c->opts.tol * scale + x->blur;
  cone(x);
  *rule = PW_RULE_CONE;
  if (c->room.reach.distance > enough && pw_jump_must_pull(x)) {
    *rule = PW_RULE_CONE_PULLS;
    x->pulls = true;
    cone(x);
  }
  x->faint = x->stands && c->room.reach.distance > enough;
  if (x->faint) {
    *rule = PW_RULE_CONE_RESTS;
    cone(x);
  }
  x->faint = false;
  return c->room.reach.distance;
}

static pw_jump begin(pawl_certifier *c, const pw_row_view *a) {
  const pw_jump_room *r = &c->room.jump;
  return (pw_jump){.c = c,
                   .t = a->t,
                   .place = a->place,
                   .before = r->before,
                   .slow = r->slow,
                   .fast = r->fast,
                   .dp = r->dp,
                   .impulse = r->impulse,
                   .mu = r->mu,
                   .e = r->e,
                   .rest = r->rest};
}

/* A jump that is one: its cone, its law, its energy. */
static void judge(pw_jump *x, const pw_row_view *a) {
  pawl_certifier *c = x->c;
  double scale = x->size + PW_SCALE(CERT_SMALLEST_JUMP) * c->opts.tol * c->scale.V0;
  pw_rule rule;
  pw_jump_find_rests(x);
  double missed = impulse_missed(x, scale, &rule);
  ending end = end_of_series(x);
  if (end != FADES) {
    double tolerance = c->opts.tol + x->blur / scale;
    pw_verify_found f = pw_found(missed / scale, tolerance, x->t, -1, rule);
    pw_found_note(&c->record, PW_FINDING_IMPULSE, f);
  }
  pw_reason_note(&c->record, end == FADES ? PW_RULE_BOUNCES_FADE : rule, x->t, missed / scale);

  find_impulses(x);
  pw_multiplier_jump(c, x->impulse, x->blur);
  pw_owed_pay(c, x->t);
  if (end == STOPS) {
    pw_reason_note(&c->record, PW_RULE_BOUNCES_STOP, x->t, x->size / c->scale.V0);
  }
  double gain = energy(x);
  if (c->sys->trait.curved) {
    pw_jump_give_back(x, a, gain);
  }
  if (end == GOES_ON) {
    pw_verify_impact(x);
  }
  bool shared = gain > x->tiny * x->speed && c->sys->n_state == 0 && share_keeps_energy(x);
  keep_corner(x, shared ? 0 : gain, missed / scale);
}

void pw_verify_jump_of(const pw_system *s, const double *after, const double *before, double *du) {
  for (int i = 0; i < s->nv; i++) {
    du[i] = after[i] - before[i];
  }
  for (int c = 0; c < s->model->coords.n && s->trait.balances; c++) {
    const pw_coord *k = &s->model->coords.items[c];
    du[k->u] = k->balanced ? 0 : du[k->u];
  }
}

/* An event of a law on coordinates without inertia: their rates alone jump. */
static bool goes_on(pawl_certifier *c, const pw_row_view *b, const pw_row_view *a) {
  double *du = c->room.scratch;
  if (!c->sys->trait.balances || !(c->scale.V0 > 0) || !pw_probe_row(c, a, 0)) {
    return false;
  }
  pw_verify_jump_of(c->sys, a->u, b->u, du);
  return pw_verify_size(&c->probe, du) <= PW_SCALE(CERT_ZERO) * c->scale.V0;
}

void pw_verify_corner(pawl_certifier *c, const pw_row_view *b, const pw_row_view *a) {
  const pw_jump_room *r = &c->room.jump;
  if (c->sys->trait.bends && !c->stream.has_state) { /* how M jumps is not known */
    pw_record_hide(&c->record, INFINITY, a->t);
    return;
  }
  if (goes_on(c, b, a)) {
    continuity(c, b, a);
    return;
  }
  pw_jump x = begin(c, a);
  if (!look_before(c, b, &x, r->before, r->slow) || !probe_side(c, a, 1)) {
    return;
  }
  pw_scale_row(c, a);
  pw_verify_admissible(c, a);
  continuity(c, b, a);

  (void)pw_probe_terms(&c->probe);
  memcpy(r->fast, c->probe.speed, (size_t)c->sys->nv * sizeof(double));
  find_jump(&x, b, a);
  if (!(x.size > PW_SCALE(CERT_ZERO) * c->scale.V0)) {
    return; /* velocities go on: forces may jump */
  }
  x.blur = PW_SCALE(CERT_NOISE_MARGIN) * c->data.noise * c->scale.V0 +
           PW_SCALE(CERT_MARGIN) * pw_max(a->doubt, b->doubt);
  x.tiny = c->opts.tol * x.speed + x.blur;
  judge(&x, a);
}
