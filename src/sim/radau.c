// SPDX-License-Identifier: MIT
#include "sim/radau.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/layout.h"
#include "base/real.h"
#include "law/scale_mech.h"
#include "law/scale_sim.h"
#include "linalg/dense.h"
#include "linalg/lu.h"

enum { MAX_NEWTON = 12, MULTIPLICATIONS = 6, STAGES = PW_RADAU_STAGES };

/* A^-1 = T L T^-1 with L = (gamma) + ((alpha, -beta), (beta, alpha)), stiff (S2); Hairer and Wanner
 * (IV.8). */
/* clang-format off */
static const double gamma_ = 3.6378342527444957322, alpha = 2.6810828736277521339,
                    beta = 3.0504301992474105694;
static const double T[3][3] = {
    {0.091232394870892942792, -0.14125529502095420843, -0.030029194105147424492},
    {0.24171793270710701896, 0.20412935229379993199, 0.38294211275726193779},
    {0.96604818261509293619, 1, 0}};
static const double T_inverse[3][3] = {
    {4.3255798900631553510, 0.33919925181580986954, 0.54177053993587487119},
    {-4.1787185915519047273, -0.32768282076106238708, 0.47662355450055045196},
    {-0.50287263494578687595, 2.5719269498556054292, -0.59603920482822492497}};
/* a_ij, for quadratures */
static const double A[3][3] = {
    {0.19681547722366042587, -0.065535425850198388109, 0.023770974348220152420},
    {0.39442431473908727700, 0.29207341166522846302, -0.041548752125997930198},
    {0.37640306270046727505, 0.51248582618842161384, 0.11111111111111111111}};
/* Weights of an estimate of order 3, stiff (S4): -(13 + 7 sqrt 6)/3, (-13 + 7 sqrt 6)/3, -1/3. */
static const double estimate[3] = {-10.048809399827415562, 1.3821427331607488958,
                                   -0.33333333333333333333};
/* clang-format on */

/* ---- memory ---- */

static void lay_out(pw_radau *x, const pw_system *sys, pw_layout *l) {
  int n = sys->nq + sys->nv + sys->nz, m = sys->nq + sys->nv;
  size_t square = (size_t)m * (size_t)m;
  double *slope = PW_LAY(l, pw_series_doubles(sys, 1), double);
  if (slope != NULL) {
    pw_series_init(&x->slope, sys, 1, slope);
  }
  x->m = m;
  x->J = PW_LAY(l, square, double);
  x->E = PW_LAY(l, square, double);
  x->C = PW_LAY(l, 4 * square, double);
  x->pivot_E = PW_LAY(l, m, int);
  x->pivot_C = PW_LAY(l, 2 * m, int);
  x->W = PW_LAY(l, STAGES * n, double);
  x->Z = PW_LAY(l, STAGES * n, double);
  x->F = PW_LAY(l, STAGES * n, double);
  x->change = PW_LAY(l, STAGES * m, double);
  x->y = PW_LAY(l, n, double);
  x->pair = PW_LAY(l, 2 * m, double);
}

pawl_status pw_radau_new(pw_radau *x, pw_stepper *s, size_t most) {
  pw_layout l = {0};
  *x = (pw_radau){0};
  lay_out(x, s->mech->sys, &l);
  if (l.size > most) {
    return PAWL_OK;
  }
  x->memory = calloc(1, l.size);
  if (x->memory == NULL) {
    return PAWL_E_MEMORY;
  }
  l = pw_layout_in(x->memory);
  lay_out(x, s->mech->sys, &l);
  x->s = s;
  return PAWL_OK;
}

void pw_radau_free(pw_radau *x) {
  free(x->memory);
  *x = (pw_radau){0};
}

/* ---- linear algebra ---- */

static pawl_status derivatives(pw_radau *x, const pw_rk *rk) {
  pw_stepper *s = x->s;
  if (x->known) {
    return PAWL_OK;
  }
  pawl_status status = pw_mech_vary_at(s->mech, rk->t, rk->y0, rk->y0 + s->nq, s->side, &x->slope);
  if (status != PAWL_OK) {
    s->fault = s->mech->fault;
    return status;
  }
  for (int j = 0; j < x->m; j++) {
    pw_mech_slope(s->mech, j, &x->slope, x->J + (size_t)j * (size_t)x->m);
  }
  if (!pw_all_finite(x->J, x->m * x->m)) {
    s->fault = (pw_fault){PAWL_E_NAN, -1, -1, NAN};
    return PAWL_E_NAN;
  }
  x->known = true;
  x->h = 0;
  return PAWL_OK;
}

/* Positions are measured by velocities times h, so that the blocks are of one size. */
static double unit(const pw_radau *x, int i) {
  return i < x->s->nq ? x->h : 1;
}

static double entry(const pw_radau *x, int i, int j) {
  return -x->h * x->J[(size_t)j * (size_t)x->m + (size_t)i] * unit(x, j) / unit(x, i);
}

/* gamma - h J, and alpha - h J with -beta and beta beside it. */
static bool factor(pw_radau *x, double h) {
  if (x->h == h) {
    return true;
  }
  size_t m = (size_t)x->m;
  x->h = h;
  memset(x->C, 0, 4 * m * m * sizeof *x->C);
  for (size_t j = 0; j < m; j++) {
    double *E = x->E + j * m, *C = x->C + j * 2 * m, *C_low = x->C + (m + j) * 2 * m;
    for (size_t i = 0; i < m; i++) {
      E[i] = C[i] = C_low[m + i] = entry(x, (int)i, (int)j);
    }
    E[j] += gamma_;
    C[j] += alpha;
    C[m + j] = beta;
    C_low[j] = -beta;
    C_low[m + j] += alpha;
  }
  bool fine = pw_lu(x->E, x->m, x->pivot_E) == 0 && pw_lu(x->C, 2 * x->m, x->pivot_C) == 0;
  x->h = fine ? h : 0;
  return fine;
}

/* v <- (gamma - h J)^-1 v */
static void solve_real(const pw_radau *x, double *v) {
  for (int i = 0; i < x->m; i++) {
    v[i] /= unit(x, i);
  }
  pw_lu_solve(x->E, x->m, x->pivot_E, v);
  for (int i = 0; i < x->m; i++) {
    v[i] *= unit(x, i);
  }
}

static void solve_pair(pw_radau *x, double *v, double *w) {
  for (int i = 0; i < x->m; i++) {
    x->pair[i] = v[i] / unit(x, i);
    x->pair[x->m + i] = w[i] / unit(x, i);
  }
  pw_lu_solve(x->C, 2 * x->m, x->pivot_C, x->pair);
  for (int i = 0; i < x->m; i++) {
    v[i] = x->pair[i] * unit(x, i);
    w[i] = x->pair[x->m + i] * unit(x, i);
  }
}

/* out_i = sum_j B_ij in_j over the stages, vectors of n numbers of which the first m count. */
static void mix(const double B[3][3], const double *in, int n, int m, double *out) {
  for (int i = 0; i < STAGES; i++) {
    double *to = out + (ptrdiff_t)i * n;
    for (int k = 0; k < m; k++) {
      to[k] = B[i][0] * in[k] + B[i][1] * in[n + k] + B[i][2] * in[2 * n + k];
    }
  }
}

/* L W */
static void weigh_blocks(const double *W, int n, int k, double out[3]) {
  double a = W[n + k], b = W[2 * n + k];
  out[0] = gamma_ * W[k];
  out[1] = alpha * a - beta * b;
  out[2] = beta * a + alpha * b;
}

/* ---- Newton's method ---- */

static pawl_status evaluate(pw_radau *x, const pw_rk *rk) {
  int n = rk->n;
  for (int i = 0; i < STAGES; i++) {
    const double *Z = x->Z + (ptrdiff_t)i * n;
    for (int k = 0; k < n; k++) {
      x->y[k] = rk->y0[k] + (k < x->m ? Z[k] : 0);
    }
    double t = rk->t + pw_radau_table.c[1 + i] * rk->h;
    pawl_status status = rk->f(rk->ctx, t, x->y, x->F + (ptrdiff_t)i * n);
    if (status != PAWL_OK) {
      return status;
    }
  }
  return PAWL_OK;
}

/* One correction; returns its size in tolerances, *part: in parts of the whole state. */
static double correct(pw_radau *x, const pw_rk *rk, double *part) {
  pw_stepper *s = x->s;
  int n = rk->n, m = x->m;
  double *d[3] = {x->change, x->change + m, x->change + (ptrdiff_t)2 * m};
  for (int k = 0; k < m; k++) {
    double own[3];
    weigh_blocks(x->W, n, k, own);
    for (int i = 0; i < STAGES; i++) {
      const double *B = T_inverse[i];
      d[i][k] = rk->h * (B[0] * x->F[k] + B[1] * x->F[n + k] + B[2] * x->F[2 * n + k]) - own[i];
    }
  }
  solve_real(x, d[0]);
  solve_pair(x, d[1], d[2]);
  double most = 0;
  *part = 0;
  for (int i = 0; i < STAGES; i++) {
    memset(s->work.error, 0, (size_t)n * sizeof *s->work.error);
    for (int k = 0; k < m; k++) {
      x->W[(ptrdiff_t)i * n + k] += d[i][k];
      s->work.error[k] = T[i][0] * d[0][k] + T[i][1] * d[1][k] + T[i][2] * d[2][k];
    }
    most = pw_max(most, pw_stepper_size_of_error(s, rk->h, false));
    double whole = pw_control_whole_norm(&s->control, s->work.e_x, s->work.e_u);
    *part = pw_max(*part, s->control.tol * whole);
  }
  return most;
}

/* The slope at the start, without what decays within the step: stages that begin near the end. */
static void predict(pw_radau *x, const pw_rk *rk) {
  int n = rk->n;
  for (int k = 0; k < x->m; k++) {
    x->y[k] = rk->h * gamma_ * rk->k[k];
  }
  solve_real(x, x->y);
  for (int i = 0; i < STAGES; i++) {
    for (int k = 0; k < x->m; k++) {
      x->Z[(ptrdiff_t)i * n + k] = pw_radau_table.c[1 + i] * x->y[k];
    }
  }
  mix(T_inverse, x->Z, n, x->m, x->W);
}

/* stiff (S3). Corrections that no longer shrink are rounding if they are small in parts of the
 * state. */
static pawl_status solve(pw_radau *x, const pw_rk *rk) {
  double before = INFINITY, part;
  predict(x, rk);
  for (int k = 0; k < MAX_NEWTON; k++) {
    pawl_status status = evaluate(x, rk);
    if (status != PAWL_OK) {
      return status;
    }
    double size = correct(x, rk, &part), ratio = size / before;
    mix(T, x->W, rk->n, x->m, x->Z);
    bool stalled = k > 0 && !(ratio < 1);
    double left = k > 0 && ratio < 1 ? ratio / (1 - ratio) * size : size / PW_SCALE(RADAU_SOLVED);
    if (size == 0 || left <= PW_SCALE(RADAU_SOLVED) ||
        (stalled && (size <= PW_SCALE(RADAU_STALLED) || part <= PW_SCALE(ROUNDED)))) {
      return PAWL_OK;
    }
    if (!(size < INFINITY) || stalled) {
      break;
    }
    before = size;
  }
  x->s->fault = (pw_fault){PAWL_E_STEP, -1, -1, NAN};
  return PAWL_E_STEP;
}

/* ---- the step ---- */

/* Slopes of the collocation polynomial: A^-1 Z / h for the state, f for the integrals, whose Z
 * follow from it. */
static void slopes(pw_radau *x, pw_rk *rk) {
  int n = rk->n;
  double *k_of[3] = {rk->k + n, rk->k + (ptrdiff_t)2 * n, rk->k + (ptrdiff_t)4 * n};
  for (int k = 0; k < n; k++) {
    double own[3];
    if (k < x->m) {
      weigh_blocks(x->W, n, k, own);
    }
    for (int i = 0; i < STAGES; i++) {
      const double *F = x->F + k;
      k_of[i][k] = k < x->m
                       ? (T[i][0] * own[0] + T[i][1] * own[1] + T[i][2] * own[2]) / rk->h
                       : F[(ptrdiff_t)i * n];
      if (k >= x->m) {
        x->Z[(ptrdiff_t)i * n + k] =
            rk->h * (A[i][0] * F[0] + A[i][1] * F[n] + A[i][2] * F[(ptrdiff_t)2 * n]);
      }
    }
  }
}

/* stiff (S4): (gamma - h J)^-1 (h f(y0) + sum estimate_i Z_i), with the slope f0. */
static void estimate_error(pw_radau *x, const pw_rk *rk, const double *f0, double *error) {
  int n = rk->n;
  for (int k = 0; k < n; k++) {
    error[k] = rk->h * f0[k] + estimate[0] * x->Z[k] + estimate[1] * x->Z[n + k] +
               estimate[2] * x->Z[(ptrdiff_t)2 * n + k];
    error[k] /= k < x->m ? 1 : gamma_;
  }
  solve_real(x, error);
}

/* An error that is too large may be that of the estimate: once more with the slope beside it. */
static void error_of_step(pw_radau *x, pw_rk *rk) {
  pw_stepper *s = x->s;
  int n = rk->n;
  double *error = s->work.error, *out = rk->k + (ptrdiff_t)5 * n;
  estimate_error(x, rk, rk->k, error);
  if (!(pw_stepper_size_of_error(s, rk->h, false) <= 1)) {
    for (int k = 0; k < n; k++) {
      x->y[k] = rk->y0[k] + (k < x->m ? error[k] : 0);
    }
    pw_fault fault = s->fault;
    if (rk->f(rk->ctx, rk->t, x->y, x->F) == PAWL_OK) {
      estimate_error(x, rk, x->F, error);
    }
    s->fault = fault;
  }
  for (int k = 0; k < n; k++) {
    out[k] = error[k] / rk->h;
  }
}

/* Weights of the tolerance at the start of the step: those of an end that is not known yet would
 * depend on the guess. */
static void weigh(pw_radau *x, pw_rk *rk) {
  pw_stepper *s = x->s;
  double energy[3];
  memcpy(energy, s->energy, sizeof energy);
  if (rk == &s->rk) {
    memcpy(rk->y1, rk->y0, (size_t)rk->n * sizeof *rk->y1);
  }
  pw_stepper_weigh(s, rk->h, s->noisy > 0);
  memcpy(s->energy, energy, sizeof energy);
}

pawl_status pw_radau_step(void *radau, pw_rk *rk) {
  pw_radau *x = radau;
  pw_stepper *s = x->s;
  int n = rk->n;
  if (rk->h == 0) {
    memcpy(rk->y1, rk->y0, (size_t)n * sizeof *rk->y1);
    return PAWL_OK;
  }
  pawl_status status = derivatives(x, rk);
  if (status == PAWL_OK && !factor(x, rk->h)) {
    s->fault = (pw_fault){PAWL_E_STEP, -1, -1, NAN};
    status = PAWL_E_STEP;
  }
  if (status == PAWL_OK) {
    weigh(x, rk);
    status = solve(x, rk);
  }
  if (status != PAWL_OK) {
    return status;
  }
  slopes(x, rk);
  for (int k = 0; k < n; k++) {
    rk->y1[k] = rk->y0[k] + x->Z[(ptrdiff_t)2 * n + k];
  }
  error_of_step(x, rk);
  return PAWL_OK;
}

/* ---- what else is known of it ---- */

void pw_radau_filter(pw_radau *x, double *defect) {
  solve_real(x, defect);
  for (int i = 0; i < x->m; i++) {
    defect[i] *= gamma_;
  }
}

/* By powers of J. They grow with the fastest rate, whatever the units of positions. */
double pw_radau_stiffness(pw_radau *x) {
  int m = x->m;
  double *v = x->pair, *w = x->pair + m, grown = 0;
  for (int i = 0; i < m; i++) {
    v[i] = 1;
  }
  for (int k = 0; k < MULTIPLICATIONS && x->h > 0; k++) {
    double size = pw_norm2(v, m);
    for (int i = 0; i < m; i++) {
      w[i] = 0;
      for (int j = 0; j < m; j++) {
        w[i] += size > 0 ? entry(x, i, j) * v[j] / size : 0;
      }
    }
    double next = pw_norm2(w, m);
    grown = k < 2 ? grown : k == 2 ? next : sqrt(grown * next);
    memcpy(v, w, (size_t)m * sizeof *v);
  }
  return grown;
}
