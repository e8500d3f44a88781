// SPDX-License-Identifier: MIT
/* An instant at which velocities jump. The jump of the momentum must lie in the normal cone of the
 * constraints that are met (Leine and Aeberhard, theorem 2), the energy must be what moving walls
 * leave it (theorem 1, extended to walls in motion: certificates (C7)), and the velocities after
 * must obey the impact law that the model states. */
#include <math.h>
#include <string.h>

#include "base/real.h"
#include "linalg/chol.h"
#include "linalg/dense.h"
#include "verify/jump.h"
#include "verify/multiplier.h"

bool pw_jump_is_wall(const pw_system *s, int i) {
  return i >= s->nc && s->law[i - s->nc].wall && pw_row_kind(s, i) != PW_KIND_ROUGH;
}

double pw_jump_near(const pawl_certifier *c) {
  double samples =
      (c->slack_place > 0 ? 100 : 10) * pw_max(c->opts.noise, 1e-13) * pw_max(c->L0, c->extent);
  return samples + 10 * c->slack_place + c->time_error * c->V0;
}

bool pw_jump_touches(const pawl_certifier *c, int i) {
  const pw_probe *p = &c->probe;
  return pw_jump_is_wall(c->sys, i) && !pw_row_on_velocity(c->sys, i) &&
         p->value[i] <= pw_jump_near(c) * p->length[i];
}

bool pw_jump_is_struck(const pawl_certifier *c, int i) {
  const pw_system *s = c->sys;
  if (c->has_state && pw_row_state(s, i) >= 0) {
    return false; /* its impulse is part of the jump, theory (83) */
  }
  if (i < s->nc || pw_jump_is_wall(s, i)) {
    return i < s->nc || pw_jump_touches(c, i) || pw_row_on_velocity(s, i);
  }
  int contact = pw_row_contact(s, i);
  return contact >= 0 && pw_jump_touches(c, contact);
}

/* ---- the impulse ---- */

double *pw_jump_add(pw_jump *x, int i, double lo, double hi) {
  double *col = pw_reach_add(&x->c->reach, lo, hi);
  if (col != NULL) {
    int n = x->c->sys->nv;
    memcpy(col, x->c->probe.A + (size_t)i * (size_t)n, (size_t)n * sizeof *col);
  }
  return col;
}

static bool is_rough(const pw_system *s, int contact) {
  for (int i = s->nc; i < s->nr; i++) {
    if (pw_row_contact(s, i) == contact && pw_row_kind(s, i) == PW_KIND_ROUGH) {
      return true;
    }
  }
  return false;
}

static void cone(pw_jump *x) {
  const pw_system *s = x->c->sys;
  pw_reach_begin(&x->c->reach);
  for (int i = 0; i < s->nr; i++) {
    if (!pw_jump_is_struck(x->c, i)) {
      continue;
    }
    bool servo = pw_row_kind(s, i) == PW_KIND_SERVO;
    bool state = pw_row_state(s, i) >= 0; /* a multiplier that is not given */
    bool pulls = x->pulls && i >= s->nc && is_rough(s, i);
    if (i < s->nc || pw_row_kind(s, i) == PW_KIND_ROUGH || servo || state || pulls) {
      pw_jump_add(x, i, -INFINITY, INFINITY);
    } else if (pw_jump_is_wall(s, i)) {
      pw_jump_add_contact(x, i, false);
    }
  }
  pw_jump_add_rests(x, &x->c->reach);
  pw_reach_solve(&x->c->reach, x->dp);
}

/* Impulses of single rows, for the impact law: as if no law bounded them. Smallest where they are
 * not unique. */
static void find_impulses(pw_jump *x) {
  const pw_system *s = x->c->sys;
  int k = 0;
  pw_reach_begin(&x->c->reach);
  for (int i = 0; i < s->nr; i++) {
    if (pw_jump_is_struck(x->c, i)) {
      pw_jump_add(x, i, -INFINITY, INFINITY);
    }
  }
  pw_reach_solve(&x->c->reach, x->dp);
  for (int i = 0; i < s->nr; i++) {
    x->impulse[i] = pw_jump_is_struck(x->c, i) ? x->c->reach.x[k++] : 0;
  }
}

/* ---- the end of bounces ---- */

bool pw_jump_is_quick(const pw_jump *x) {
  const pawl_certifier *c = x->c;
  double since =
      c->n_corner < PW_SERIES ? INFINITY : x->t - c->last_corner[c->n_corner % PW_SERIES];
  return since <= pw_max(1e-5, 1e4 * c->opts.noise) * c->span;
}

bool pw_jump_comes_to_rest(const pw_jump *x, int i) {
  return fabs(pw_jump_before(x, i)) <= 1e-3 * x->c->V0 &&
         fabs(pw_jump_after(x, i)) <= pw_jump_still(x->c);
}

typedef enum ending { GOES_ON, STOPS, FADES } ending;

/* Bounces that fade out end in a small jump; those between bodies that come together anyway end
 * after many in a short time. Either way all contacts are closed then. */
static ending end_of_series(const pw_jump *x) {
  const pawl_certifier *c = x->c;
  bool any = false, small = x->size <= 1e-3 * c->V0;
  for (int i = c->sys->nc; i < c->sys->nr; i++) {
    if (pw_jump_touches(c, i)) {
      any = true;
      small = small && pw_jump_comes_to_rest(x, i);
      if (fabs(pw_jump_after(x, i)) > pw_jump_still(c)) {
        return GOES_ON;
      }
    }
  }
  return !any ? GOES_ON : small ? FADES : pw_jump_is_quick(x) ? STOPS : GOES_ON;
}

/* ---- the energy ---- */

/* H+ - H- + sum Lambda g_t, with g_t = rate - J u the speed of the wall: certificates (C7). */
static double energy(pw_jump *x, const double *slow, const double *fast) {
  const pw_system *s = x->c->sys;
  const pw_probe *p = &x->c->probe;
  double sum = s->bends && x->c->has_state ? pw_probe_kinetic(&x->c->probe) - x->kinetic : 0;
  for (int i = 0; i < s->nv && !(s->bends && x->c->has_state); i++) {
    sum += (fast[i] - slow[i]) * (fast[i] + slow[i]) / 2;
  }
  for (int i = 0; i < s->nr; i++) {
    if (x->impulse[i] != 0 && s->row[i].by < 0) {
      double own = pw_dot(p->A + (size_t)i * (size_t)s->nv, fast, s->nv);
      sum += x->impulse[i] * (p->rate[i] - own);
    }
  }
  return sum;
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
    if (pw_jump_touches(c, i) && pw_jump_before(x, i) < fastest) {
      fastest = pw_jump_before(x, i);
      k.restitution = -x->c->probe.rate[i] / x->before[i];
      k.law = c->sys->row_of[i];
    }
  }
  double unknown = 2 * x->blur / x->speed; /* velocities that are off by blur */
  c->gained = pw_max(c->gained, -k.loss - unknown);
  c->lost = pw_max(c->lost, k.loss - unknown);
  if (c->n_corner < PW_CORNERS_KEPT) {
    c->corner[c->n_corner] = k;
  }
  c->last_corner[c->n_corner % PW_SERIES] = x->t;
  c->n_corner++;
}

static void continuity(pawl_certifier *c, const pw_row_view *b, const pw_row_view *a) {
  double far = 0;
  for (int k = 0; k < c->sys->model->coords.n; k++) {
    const pw_coord *x = &c->sys->model->coords.items[k];
    double mass = c->probe.L[(size_t)x->u * (size_t)c->sys->nv + (size_t)x->u];
    for (int i = 0; i < (x->is_rotation ? 4 : 1); i++) {
      far += pow(mass * (a->q[x->q + i] - b->q[x->q + i]), 2);
    }
  }
  double whole = c->L0 > 0 ? c->L0 : 1;
  double tolerance = c->opts.tol + 10 * (c->grain + a->place / whole);
  pw_found_note(c, PW_FINDING_CONTINUITY, sqrt(far) / whole, tolerance, a->t, -1);
}

/* With switching surfaces on the side where they are before (-1) or after the instant (1). */
static bool probe_side(pawl_certifier *c, const pw_row_view *row, int when) {
  c->probe.ahead = when * 1e-9 * c->span;
  bool fine = pw_probe_at(&c->probe, row->t, row->q, row->u);
  c->probe.ahead = 0;
  return fine;
}

/* What is to be remembered of the side before. */
static bool look_before(pawl_certifier *c, const pw_row_view *b, pw_jump *x, double *rates,
                        double *slow) {
  const pw_system *s = c->sys;
  if (!probe_side(c, b, -1)) {
    return false;
  }
  pw_verify_scales(c, b);
  pw_verify_admissible(c, b);
  if (s->n_switch > 0 && !probe_side(c, b, 1)) { /* a wall that sets off now strikes */
    return false;
  }
  memcpy(rates, c->probe.rate, (size_t)s->nr * sizeof *rates);
  memcpy(slow, c->probe.speed, (size_t)s->nv * sizeof *slow);
  if (c->has_state) {
    memcpy(x->dp, pw_probe_momenta(&c->probe), (size_t)s->nv * sizeof *slow);
    x->kinetic = pw_probe_kinetic(&c->probe);
  }
  for (int i = 0; i < s->ni; i++) {
    x->mu[i] = fabs(c->probe.left[2 * i]);
    x->e[i] = c->probe.restitution[i];
  }
  return true;
}

/* L^-1 of the jump of the momenta, and how large it is beside that of the velocities alone. */
static void find_jump(pw_jump *x, const pw_row_view *b, const pw_row_view *a) {
  pawl_certifier *c = x->c;
  int n = c->sys->nv;
  double turn = 0;
  if (c->has_state) {
    const double *p = pw_probe_momenta(&c->probe);
    for (int i = 0; i < n; i++) {
      x->dp[i] = p[i] - x->dp[i];
      turn += pow(pw_dot(c->probe.L + (size_t)i * (size_t)n + i, a->u + i, n - i) -
                      pw_dot(c->probe.L + (size_t)i * (size_t)n + i, b->u + i, n - i),
                  2);
    }
    pw_chol_forward(c->probe.L, n, x->dp);
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
static double impulse_missed(pw_jump *x, double scale) {
  const pawl_certifier *c = x->c;
  double enough = c->opts.tol * scale + x->blur;
  cone(x);
  if (c->reach.distance > enough && pw_jump_must_pull(x)) {
    x->pulls = true;
    cone(x);
  }
  x->faint = x->stands && c->reach.distance > enough;
  if (x->faint) {
    cone(x);
  }
  x->faint = false;
  return c->reach.distance;
}

void pw_verify_corner(pawl_certifier *c, const pw_row_view *b, const pw_row_view *a) {
  const pw_system *s = c->sys;
  int n = s->nv;
  if (s->bends && !c->has_state) { /* how M jumps is not told */
    c->hidden = INFINITY;
    c->hidden_t = a->t;
    return;
  }
  double *rates = c->work, *slow = rates + s->nr, *fast = slow + n, *dp = fast + n;
  pw_jump x = {.c = c, .t = a->t, .before = rates, .slow = slow, .fast = fast, .dp = dp};
  x.impulse = dp + n;
  x.mu = c->replay;
  x.e = x.mu + s->ni;
  x.rest = x.e + s->ni;
  if (!look_before(c, b, &x, rates, slow) || !probe_side(c, a, 1)) {
    return;
  }
  pw_verify_scales(c, a);
  pw_verify_admissible(c, a);
  continuity(c, b, a);
  memcpy(fast, c->probe.speed, (size_t)n * sizeof *fast);
  find_jump(&x, b, a);
  if (!(x.size > 1e-9 * c->V0)) {
    return; /* velocities go on: forces may jump */
  }
  x.blur = 100 * c->opts.noise * c->V0 + 10 * pw_max(a->doubt, b->doubt);
  x.tiny = c->opts.tol * x.speed + x.blur;
  pw_jump_find_rests(&x);
  double scale = x.size + 1e-3 * c->opts.tol * c->V0, missed = impulse_missed(&x, scale);
  ending end = end_of_series(&x);
  if (end != FADES) {
    pw_found_note(c, PW_FINDING_IMPULSE, missed / scale, c->opts.tol + x.blur / scale, a->t, -1);
  }
  find_impulses(&x);
  pw_multiplier_jump(c, x.impulse, x.blur);
  c->owed.value = 0;
  if (!c->opts.any_impact_law && end == GOES_ON) {
    pw_verify_impact(&x);
  }
  keep_corner(&x, energy(&x, slow, fast), missed / scale);
}
