// SPDX-License-Identifier: MIT
/* The end of a step with laws: p(q1, u) = p + Phi(u) mu with gamma(q1, u) = 0, stepping (T8), (T9).
 *
 * Slips turn Phi with u: fast, where they fade, as |s| dd = (1 - d d^T) ds. Newton's method
 * therefore has the derivative of Phi mu, by differences. A slip that would end before the step has
 * no friction of its own at the end: then there is no solution, and a shorter step is asked for.
 * The end of a slip of one component is found by its sign behind it. */
#include <math.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_sim.h"
#include "linalg/dense.h"
#include "sim/variational.h"

enum { MAX_NEWTON = 40 };

static bool residuals(pw_variational *x, double t) {
  pw_stepper *s = x->s;
  if (pw_mech_rates(s->mech, t, x->q, x->v, s->side) != PAWL_OK ||
      !pw_discrete_at(&x->at, t, x->q, x->v, s->side)) {
    return false;
  }
  int n = s->nv, m = s->mech->imposed;
  pw_discrete_reactions(&x->at, x->J0);
  pw_discrete_rates(&x->at, 0, x->value, x->J1);
  memcpy(x->residual, x->at.p, (size_t)n * sizeof *x->residual);
  pw_axpy(-1, x->p0, x->residual, n);
  for (int k = 0; k < m; k++) {
    pw_axpy(-x->lam[k], x->J0 + (size_t)k * (size_t)n, x->residual, n);
  }
  return pw_all_finite(x->residual, n) && pw_all_finite(x->value, m);
}

/* K -= d(Phi mu)/du. Leaves the state beside u. */
static bool add_turns(pw_variational *x, double t) {
  pw_stepper *s = x->s;
  int n = s->nv, m = s->mech->imposed;
  double speed = pw_variational_size(x, x->v);
  for (int j = 0; j < n; j++) {
    double *column = x->K + (size_t)j * (size_t)n, kept = x->v[j], mass = s->mech->mass[j];
    double step =
        PW_SCALE(VARIATIONAL_DIFFERENCE) * (fabs(kept) + speed / sqrt(mass > 0 ? mass : 1));
    x->v[j] += step;
    bool known = pw_mech_rates(s->mech, t, x->q, x->v, s->side) == PAWL_OK;
    x->v[j] = kept;
    if (!known) {
      return false;
    }
    pw_discrete_reactions(&x->at, x->Z);
    for (int k = 0; k < m && step > 0; k++) {
      double part = x->lam[k] / step;
      pw_axpy(-part, x->Z + (size_t)k * (size_t)n, column, n);
      pw_axpy(part, x->J0 + (size_t)k * (size_t)n, column, n);
    }
  }
  return true;
}

/* K = dp/du, if `turns` - d(Phi mu)/du, and what is left for mu. */
static bool differentiate(pw_variational *x, double t, bool turns) {
  int n = x->s->nv, m = x->s->mech->imposed;
  double *unit = x->dp;
  memset(unit, 0, (size_t)n * sizeof *unit);
  for (int j = 0; j < n; j++) {
    unit[j] = 1;
    pw_discrete_along(&x->at, 0, x->v, unit, x->K + (size_t)j * (size_t)n);
    unit[j] = 0;
  }
  return (!turns || (add_turns(x, t) && residuals(x, t))) && pw_variational_reduce(x, m);
}

pawl_status pw_variational_land(pw_variational *x, const pw_rk *rk) {
  int m = x->s->mech->imposed;
  double t = rk->t + rk->h, before = INFINITY;
  bool turns = pw_mech_slides_in_plane(x->s->mech);
  memset(x->lam, 0, (size_t)m * sizeof *x->lam);
  for (int k = 0; k < MAX_NEWTON; k++) {
    if (!residuals(x, t)) {
      return PAWL_E_NAN;
    }
    if (!differentiate(x, t, turns && k > 0)) {
      return PAWL_E_STEP;
    }
    pw_variational_correct(x, m);
    double size = pw_variational_size(x, x->dp);
    bool stalled = k > 0 && !(size < before);
    if (pw_variational_is_round_off(x, rk, size, stalled) || (stalled && !turns)) {
      return PAWL_OK;
    }
    before = size;
  }
  return PAWL_E_STEP;
}
