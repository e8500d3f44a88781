// SPDX-License-Identifier: MIT
/* Newton's method with the derivative of the first guess, renewed when it converges slowly; it goes
 * on until round-off stops it, because what is left would spoil the conservation laws. */
#include "sim/variational.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_sim.h"
#include "linalg/dense.h"
#include "linalg/lu.h"

enum { MAX_NEWTON = 40 };
static const double slow = 0.05; /* ratio of corrections: beyond it the derivative is renewed */

/* ---- memory ---- */

void pw_variational_lay_out(pw_variational *x, const pw_system *sys, pw_mech *mech, pw_layout *l) {
  int n = sys->nv, m = sys->nr;
  double *at = PW_LAY(l, pw_discrete_doubles(sys), double);
  double *real = PW_LAY(l, pw_qr_doubles(m, m), double);
  int *whole = PW_LAY(l, pw_qr_ints(m, m), int);
  if (at != NULL) {
    pw_discrete_init(&x->at, mech, at);
    pw_qr_init(&x->gram, m, m, real, whole);
  }
  x->pivot = PW_LAY(l, n, int);
  struct {
    double **array;
    int n;
  } parts[] = {{&x->v, n},        {&x->lam, m},   {&x->p0, n},     {&x->q, sys->nq},
               {&x->residual, n}, {&x->value, m}, {&x->J0, m * n}, {&x->J1, m * n},
               {&x->Z, m * n},    {&x->K, n * n}, {&x->dp, n},     {&x->place, n},
               {&x->dlam, m},     {&x->drive, m}, {&x->force, n},  {&x->ahead, n}};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    *parts[i].array = PW_LAY(l, parts[i].n, double);
  }
}

/* ---- the equations ---- */

/* The midpoint, or the end. */
static void go(const pw_variational *x, const pw_rk *rk, int halves) {
  pw_discrete_go(&x->at, rk->y0, x->v, rk->h, halves, x->q);
}

static const double *row(const double *J, int k, int n) {
  return J + (size_t)k * (size_t)n;
}

/* Rows that are imposed in the step. */
static int rows_of(const pw_variational *x) {
  return x->laws ? x->s->mech->imposed : x->s->mech->imposed_q;
}

/* Forces of laws at the midpoint and v. */
static bool forces_at(pw_variational *x, const pw_rk *rk, double *force) {
  const pw_stepper *s = x->s;
  go(x, rk, 1);
  memset(force, 0, (size_t)s->nv * sizeof *force);
  if (pw_mech_rates(s->mech, rk->t + rk->h / 2, x->q, x->v, s->side) != PAWL_OK) {
    return false;
  }
  pw_discrete_forces(&x->at, force);
  return pw_all_finite(force, s->nv);
}

/* Residuals of both equations; leaves the midpoint in x->at. */
static bool residuals(pw_variational *x, const pw_rk *rk) {
  const pw_stepper *s = x->s;
  int n = s->nv;
  go(x, rk, 2);
  pw_discrete_rows(&x->at, rk->t + rk->h, x->q, x->v, s->side, x->value, x->J1);
  for (int k = 0; k < s->mech->imposed_q; k++) {
    x->value[k] /= rk->h;
  }
  if (x->laws) {
    if (!forces_at(x, rk, x->force)) {
      return false;
    }
    pw_discrete_rates(&x->at, s->mech->imposed_q, x->value, x->J1);
  }
  go(x, rk, 1);
  if (!pw_discrete_at(&x->at, rk->t + rk->h / 2, x->q, x->v, s->side)) {
    return false;
  }
  if (x->laws) {
    pw_axpy(1, x->force, x->at.push, n);
  }
  pw_discrete_ends(&x->at, rk->h, x->v, x->residual);
  pw_axpy(-1, x->p0, x->residual, n);
  for (int k = 0; k < rows_of(x); k++) {
    pw_axpy(-x->lam[k], row(x->J0, k, n), x->residual, n);
  }
  return pw_all_finite(x->residual, n) && pw_all_finite(x->value, rows_of(x));
}

double pw_variational_size(const pw_variational *x, const double *v) {
  double sum = 0;
  for (int i = 0; i < x->s->nv; i++) {
    sum += x->s->mech->mass[i] * v[i] * v[i];
  }
  return sqrt(sum);
}

/* Forces of laws in K, by differences: exact ones would gain nothing but corrections. */
static bool add_force_slopes(pw_variational *x, const pw_rk *rk) {
  int n = x->s->nv;
  double speed = pw_variational_size(x, x->v) + rk->h * x->s->mech->pull;
  for (int j = 0; j < n; j++) {
    double *column = x->K + (size_t)j * (size_t)n, kept = x->v[j], mass = x->s->mech->mass[j];
    double step =
        PW_SCALE(VARIATIONAL_DIFFERENCE) * (fabs(kept) + speed / sqrt(mass > 0 ? mass : 1));
    x->v[j] += step;
    bool known = step > 0 && forces_at(x, rk, x->ahead);
    x->v[j] = kept;
    for (int i = 0; known && i < n; i++) {
      column[i] -= rk->h / 2 * (x->ahead[i] - x->force[i]) / step;
    }
    if (step > 0 && !known) {
      return false;
    }
  }
  return true;
}

/* K = d(p - h/2 p')/dv at the midpoint, and the matrix that is left for the percussions. */
static bool differentiate(pw_variational *x, const pw_rk *rk) {
  int n = x->s->nv, m = rows_of(x);
  double *unit = x->residual; /* residuals are computed anew afterwards */
  memset(unit, 0, (size_t)n * sizeof *unit);
  for (int j = 0; j < n; j++) {
    double *column = x->K + (size_t)j * (size_t)n;
    unit[j] = 1;
    pw_discrete_along(&x->at, rk->h, x->v, unit, column);
    unit[j] = 0;
  }
  return !(x->laws && !add_force_slopes(x, rk)) && pw_variational_reduce(x, m);
}

bool pw_variational_reduce(pw_variational *x, int m) {
  int n = x->s->nv;
  if (pw_lu(x->K, n, x->pivot) != 0) {
    return false;
  }
  x->gram.n = x->gram.m = x->gram.limit = m;
  for (int k = 0; k < m; k++) {
    double *z = x->Z + (size_t)k * (size_t)n;
    memcpy(z, row(x->J0, k, n), (size_t)n * sizeof *z);
    pw_lu_solve(x->K, n, x->pivot, z);
    for (int i = 0; i < m; i++) {
      x->gram.A[(size_t)k * (size_t)m + (size_t)i] = pw_dot(row(x->J1, i, n), z, n);
    }
  }
  return m == 0 || pw_qr_decompose(&x->gram, PW_SCALE(VARIATIONAL_RANK)) >= 0;
}

void pw_variational_correct(pw_variational *x, int m) {
  int n = x->s->nv;
  double *dv = x->dp;
  memcpy(dv, x->residual, (size_t)n * sizeof *dv);
  pw_lu_solve(x->K, n, x->pivot, dv);
  for (int i = 0; i < n; i++) {
    dv[i] = -dv[i];
  }
  if (m > 0) {
    for (int k = 0; k < m; k++) {
      x->drive[k] = -x->value[k] - pw_dot(row(x->J1, k, n), dv, n);
    }
    pw_qr_least_squares(&x->gram, x->drive, x->dlam);
    for (int k = 0; k < m; k++) {
      pw_axpy(x->dlam[k], x->Z + (size_t)k * (size_t)n, dv, n);
      x->lam[k] += x->dlam[k];
    }
  }
  pw_axpy(1, dv, x->v, n);
}

/* A correction is round-off if it is small against the velocities, or against what forces that
 * balance each other would give in a step, or moves the positions by less than they resolve: short
 * steps magnify the round-off of the rows. */
static double round_off(const pw_variational *x, const pw_rk *rk) {
  double most = pw_variational_size(x, x->v) + pw_variational_size(x, rk->y0 + x->s->nq) +
                rk->h * x->s->mech->pull;
  pw_mech_to_v(x->s->mech, rk->y0, rk->y0, x->place);
  double far = pw_variational_size(x, x->place) / rk->h;
  return DBL_EPSILON * fmax(most, far);
}

bool pw_variational_is_round_off(const pw_variational *x, const pw_rk *rk, double size,
                                 bool stalled) {
  double least = round_off(x, rk);
  return size <= (stalled ? PW_SCALE(VARIATIONAL_LOOSEST) / DBL_EPSILON : 2) * least;
}

static pawl_status solve(pw_variational *x, const pw_rk *rk) {
  double before = INFINITY;
  for (int k = 0; k < MAX_NEWTON; k++) {
    if (!residuals(x, rk)) {
      return PAWL_E_NAN;
    }
    if (k == 0 && !(differentiate(x, rk) && residuals(x, rk))) {
      return PAWL_E_STEP;
    }
    pw_variational_correct(x, rows_of(x));
    double size = pw_variational_size(x, x->dp);
    if (pw_variational_is_round_off(x, rk, size, k > 0 && !(size < 0.5 * before))) {
      return PAWL_OK;
    }
    if (k > 0 && !(size < slow * before) && !(residuals(x, rk) && differentiate(x, rk))) {
      return PAWL_E_STEP;
    }
    before = size;
  }
  return PAWL_E_STEP;
}

/* ---- the step ---- */

/* Integrals by the midpoint rule. */
static pawl_status integrals(pw_variational *x, pw_rk *rk) {
  pw_stepper *s = x->s;
  int z = s->nq + s->nv;
  go(x, rk, 1);
  pawl_status status = pw_mech_rates(s->mech, rk->t + rk->h / 2, x->q, x->v, s->side);
  for (int i = 0; status == PAWL_OK && i < s->n - z; i++) {
    rk->y1[z + i] = rk->y0[z + i] + rk->h * s->mech->z_rate[i];
  }
  return status;
}

/* Momenta and velocities at the end; the rows there take their part of the momentum. */
static pawl_status end(pw_variational *x, pw_rk *rk) {
  pw_stepper *s = x->s;
  double t = rk->t + rk->h, *u = rk->y1 + s->nq;
  pw_discrete_ends(&x->at, -rk->h, x->v, x->p0);
  pawl_status status = integrals(x, rk);
  go(x, rk, 2);
  memcpy(rk->y1, x->q, (size_t)s->nq * sizeof *rk->y1);
  memcpy(u, x->v, (size_t)s->nv * sizeof *u);
  if (status == PAWL_OK && x->laws) {
    status = pw_variational_land(x, rk);
    memcpy(u, x->v, (size_t)s->nv * sizeof *u);
    return status;
  }
  if (status == PAWL_OK) {
    status = pw_discrete_velocity(&x->at, t, x->q, s->side, x->p0, u);
  }
  return status == PAWL_OK ? pw_mech_project_u(s->mech, t, x->q, u, s->side, 0, x->dp) : status;
}

/* Momenta and covectors of the reactions at the start. */
static pawl_status look_at_start(pw_variational *x, const pw_rk *rk) {
  pw_stepper *s = x->s;
  const double *q0 = rk->y0, *u0 = rk->y0 + s->nq;
  pawl_status status = PAWL_OK;
  if (x->laws) {
    status = pw_mech_rates(s->mech, rk->t, q0, u0, s->side);
    pw_discrete_reactions(&x->at, x->J0);
  } else {
    pw_discrete_rows(&x->at, rk->t, q0, u0, s->side, x->value, x->J0);
  }
  if (status == PAWL_OK && !pw_discrete_at(&x->at, rk->t, q0, u0, s->side)) {
    status = PAWL_E_NAN;
  }
  memcpy(x->p0, x->at.p, (size_t)s->nv * sizeof *x->p0);
  return status;
}

pawl_status pw_variational_step(void *variational, pw_rk *rk) {
  pw_variational *x = variational;
  pw_stepper *s = x->s;
  const double *u0 = rk->y0 + s->nq, *a0 = rk->k + s->nq;
  if (rk->h == 0) {
    memcpy(rk->y1, rk->y0, (size_t)s->n * sizeof *rk->y1);
    return PAWL_OK;
  }
  x->laws = pw_discrete_has_laws(&x->at);
  pawl_status status = look_at_start(x, rk);
  memset(x->lam, 0, (size_t)rows_of(x) * sizeof *x->lam);
  for (int i = 0; i < s->nv; i++) {
    x->v[i] = u0[i] + rk->h / 2 * a0[i];
  }
  if (status == PAWL_OK) {
    status = solve(x, rk);
  }
  if (status == PAWL_OK && !residuals(x, rk)) {
    status = PAWL_E_NAN;
  } else if (status == PAWL_OK && x->laws && pw_mech_slips_back(s->mech)) {
    status = PAWL_E_STEP; /* it ends in the first half of the step */
  }
  if (status != PAWL_OK) {
    return pw_stepper_fail(s, (pw_fault){status, -1, -1, NAN});
  }
  status = end(x, rk);
  if (status != PAWL_OK) {
    bool own = status == PAWL_E_STEP && x->laws;
    (void)pw_stepper_fail(s, own ? (pw_fault){status, -1, -1, NAN} : s->mech->fault);
  }
  return status;
}
