// SPDX-License-Identifier: MIT
#include "sim/radau.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/layout.h"
#include "base/module.h"
#include "base/real.h"
#include "law/scale_mech.h"
#include "law/scale_sim.h"
#include "linalg/dense.h"
#include "linalg/lu.h"

enum { MAX_NEWTON = 12, MULTIPLICATIONS = 6, STAGES = PW_RADAU_STAGES };

/* A^-1 = T L T^-1 with L = (gamma) + ((alpha, -beta), (beta, alpha)), stiff (R2); Hairer and Wanner
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
/* Weights of an estimate of order 3, stiff (R4): -(13 + 7 sqrt 6)/3, (-13 + 7 sqrt 6)/3, -1/3. */
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
  x->J_stage = PW_LAY(l, square, double);
  x->E = PW_LAY(l, square, double);
  x->C = PW_LAY(l, 9 * square, double);
  x->pivot_E = PW_LAY(l, m, int);
  x->pivot_C = PW_LAY(l, STAGES * m, int);
  x->W = PW_LAY(l, STAGES * n, double);
  x->Z = PW_LAY(l, STAGES * n, double);
  x->F = PW_LAY(l, STAGES * n, double);
  x->change = PW_LAY(l, STAGES * m, double);
  x->y = PW_LAY(l, n, double);
  x->pair = PW_LAY(l, STAGES * m, double);
}

pawl_status pw_radau_new(pw_radau *x, pw_stepper *s, size_t most) {
  pw_layout l = {0};
  *x = (pw_radau){0};
  lay_out(x, s->mech->sys, &l);
  if (l.size > most) {
    return PAWL_OK;
  }
  x->memory = pw_pages_new(l.size);
  if (x->memory == NULL) {
    return PAWL_E_MEMORY;
  }
  l = pw_layout_in(x->memory);
  lay_out(x, s->mech->sys, &l);
  x->s = s;
  return PAWL_OK;
}

void pw_radau_free(pw_radau *x) {
  pw_pages_free(x->memory);
  *x = (pw_radau){0};
}

/* ---- linear algebra ---- */

static pawl_status differentiate(pw_radau *x, double t, const double *y, double *J) {
  pw_stepper *s = x->s;
  pawl_status status = pw_mech_vary_at(s->mech, t, y, y + s->nq, s->side, &x->slope);
  if (status != PAWL_OK) {
    return pw_stepper_fail(s, s->mech->fault);
  }
  for (int j = 0; j < x->m; j++) {
    pw_mech_slope(s->mech, j, &x->slope, J + (size_t)j * (size_t)x->m);
  }
  if (!pw_all_finite(J, x->m * x->m)) {
    return pw_stepper_fail(s, (pw_fault){PAWL_E_NAN, -1, -1, NAN});
  }
  return PAWL_OK;
}

static pawl_status derivatives(pw_radau *x, const pw_rk *rk) {
  pawl_status status = x->known ? PAWL_OK : differentiate(x, rk->t, rk->y0, x->J);
  x->h = x->known ? x->h : 0;
  x->known = status == PAWL_OK;
  return status;
}

/* Positions are measured by velocities times h, so that the blocks are of one size. */
static double unit(const pw_radau *x, int i) {
  return i < x->s->nq ? x->h : 1;
}

/* Entry of -h J. */
static double entry(const pw_radau *x, const double *J, size_t i, size_t j) {
  return -x->h * J[j * (size_t)x->m + i] * unit(x, (int)j) / unit(x, (int)i);
}

/* gamma - h J */
static bool factor_real(pw_radau *x, double h) {
  size_t m = (size_t)x->m;
  if (x->h == h) {
    return true;
  }
  x->h = h;
  x->pair_known = false;
  for (size_t j = 0; j < m; j++) {
    for (size_t i = 0; i < m; i++) {
      x->E[j * m + i] = entry(x, x->J, i, j) + (i == j ? gamma_ : 0);
    }
  }
  x->h = pw_lu(x->E, x->m, x->pivot_E) == 0 ? h : 0;
  return x->h != 0;
}

/* alpha - h J with -beta and beta beside it. */
static bool factor_pair(pw_radau *x) {
  size_t m = (size_t)x->m;
  if (x->pair_known) {
    return true;
  }
  memset(x->C, 0, 4 * m * m * sizeof *x->C);
  for (size_t j = 0; j < m; j++) {
    double *left = x->C + j * 2 * m, *right = x->C + (m + j) * 2 * m;
    for (size_t i = 0; i < m; i++) {
      left[i] = right[m + i] = entry(x, x->J, i, j) + (i == j ? alpha : 0);
    }
    left[m + j] = beta;
    right[j] = -beta;
  }
  x->pair_known = pw_lu(x->C, 2 * x->m, x->pivot_C) == 0;
  return x->pair_known;
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

/* T L W = A^-1 Z of component k. */
static void slope_of(const double *W, int n, int k, double out[3]) {
  double own[3];
  weigh_blocks(W, n, k, own);
  for (int i = 0; i < STAGES; i++) {
    out[i] = T[i][0] * own[0] + T[i][1] * own[1] + T[i][2] * own[2];
  }
}

/* ---- Newton's method ---- */

static double time_of(const pw_rk *rk, int stage) {
  return rk->t + pw_radau_table.c[1 + stage] * rk->h;
}

static void state_of(pw_radau *x, const pw_rk *rk, int stage) {
  const double *Z = x->Z + (ptrdiff_t)stage * rk->n;
  for (int k = 0; k < rk->n; k++) {
    x->y[k] = rk->y0[k] + (k < x->m ? Z[k] : 0);
  }
}

static pawl_status evaluate(pw_radau *x, const pw_rk *rk) {
  pawl_status status = PAWL_OK;
  for (int i = 0; i < STAGES && status == PAWL_OK; i++) {
    state_of(x, rk, i);
    status = rk->f(rk->ctx, time_of(rk, i), x->y, x->F + (ptrdiff_t)i * rk->n);
  }
  return status;
}

/* Derivatives of each stage by itself: A^-1 - h diag(J_1, J_2, J_3). */
static pawl_status factor_stages(pw_radau *x, const pw_rk *rk) {
  size_t m = (size_t)x->m, all = STAGES * m;
  x->pair_known = false;
  memset(x->C, 0, all * all * sizeof *x->C);
  for (size_t j = 0; j < STAGES; j++) {
    state_of(x, rk, (int)j);
    pawl_status status = differentiate(x, time_of(rk, (int)j), x->y, x->J_stage);
    if (status != PAWL_OK) {
      return status;
    }
    const double W[3] = {T_inverse[0][j], T_inverse[1][j], T_inverse[2][j]};
    double column[3];
    slope_of(W, 1, 0, column);
    for (size_t k = 0; k < m; k++) {
      double *C = x->C + (j * m + k) * all;
      for (size_t i = 0; i < m; i++) {
        C[j * m + i] = entry(x, x->J_stage, i, k);
      }
      for (size_t i = 0; i < STAGES; i++) {
        C[i * m + k] += column[i];
      }
    }
  }
  return pw_lu(x->C, (int)all, x->pivot_C) == 0 ? PAWL_OK : PAWL_E_STEP;
}

/* h T^-1 F - L W */
static void residual(pw_radau *x, const pw_rk *rk) {
  int n = rk->n, m = x->m;
  for (int k = 0; k < m; k++) {
    double own[3];
    weigh_blocks(x->W, n, k, own);
    for (int i = 0; i < STAGES; i++) {
      const double *B = T_inverse[i];
      x->change[i * m + k] =
          rk->h * (B[0] * x->F[k] + B[1] * x->F[n + k] + B[2] * x->F[2 * n + k]) - own[i];
    }
  }
}

/* The change of Z, then of W, with the derivatives of the stages. */
static void solve_stages(pw_radau *x) {
  int m = x->m;
  mix(T, x->change, m, m, x->pair);
  for (int i = 0; i < STAGES * m; i++) {
    x->pair[i] /= unit(x, i % m);
  }
  pw_lu_solve(x->C, STAGES * m, x->pivot_C, x->pair);
  for (int i = 0; i < STAGES * m; i++) {
    x->pair[i] *= unit(x, i % m);
  }
  mix(T_inverse, x->pair, m, m, x->change);
}

/* One correction; returns its size in tolerances, *part: in parts of the whole state. */
static double correct(pw_radau *x, const pw_rk *rk, bool stages, double *part) {
  pw_stepper *s = x->s;
  int n = rk->n, m = x->m;
  double *d = x->change, most = 0;
  residual(x, rk);
  if (stages) {
    solve_stages(x);
  } else {
    solve_real(x, d);
    solve_pair(x, d + m, d + (ptrdiff_t)2 * m);
  }
  *part = 0;
  for (int i = 0; i < STAGES; i++) {
    memset(s->work.error, 0, (size_t)n * sizeof *s->work.error);
    for (int k = 0; k < m; k++) {
      x->W[(ptrdiff_t)i * n + k] += d[i * m + k];
      s->work.error[k] = T[i][0] * d[k] + T[i][1] * d[m + k] + T[i][2] * d[2 * m + k];
    }
    most = pw_max(most, pw_stepper_size_of_error(s, rk->h, false));
    double whole = pw_control_whole_norm(&s->control, s->work.e_x, s->work.e_u);
    *part = pw_max(*part, s->control.tol * pw_max(whole, pw_stepper_other_error(s, rk->h)));
  }
  mix(T, x->W, n, m, x->Z);
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

/* stiff (R3). Corrections go on until they are rounding, because stiff forces magnify what is left;
 * they are where they no longer shrink and are small. *ratio: how fast they shrink. */
static pawl_status iterate(pw_radau *x, const pw_rk *rk, bool stages, double *ratio) {
  double before = INFINITY, part;
  *ratio = 0;
  for (int k = 0; k < MAX_NEWTON; k++) {
    pawl_status status = evaluate(x, rk);
    if (status == PAWL_OK && stages) {
      status = factor_stages(x, rk);
    }
    if (status != PAWL_OK) {
      return status;
    }
    double size = correct(x, rk, stages, &part);
    bool small = size <= PW_SCALE(RADAU_SOLVED),
         stalled = k > 0 && !(size < PW_SCALE(RADAU_STALLS) * before);
    if (part <= PW_SCALE(ROUNDED_TERM) || (stalled && (small || part <= PW_SCALE(ROUNDED)))) {
      return PAWL_OK;
    }
    *ratio = k > 0 ? size / before : *ratio;
    if (!(size < INFINITY) || (k > 0 && *ratio > PW_SCALE(RADAU_SLOW))) {
      break;
    }
    before = size;
  }
  return pw_stepper_fail(x->s, (pw_fault){PAWL_E_STEP, -1, -1, NAN});
}

static pawl_status solve(pw_radau *x, const pw_rk *rk) {
  double ratio;
  predict(x, rk);
  pawl_status status = factor_pair(x) ? iterate(x, rk, false, &ratio) : PAWL_E_STEP;
  if (status == PAWL_E_STEP) {
    predict(x, rk);
    status = iterate(x, rk, true, &ratio);
  }
  return status;
}

/* ---- the step ---- */

/* Slopes of the collocation polynomial: A^-1 Z / h for the state, f for the integrals, whose Z
 * follow from it. */
static void slopes(pw_radau *x, pw_rk *rk) {
  int n = rk->n;
  double *k_of[3] = {rk->k + n, rk->k + (ptrdiff_t)2 * n, rk->k + (ptrdiff_t)4 * n};
  for (int k = 0; k < n; k++) {
    const double *F = x->F + k;
    double slope[3];
    if (k < x->m) {
      slope_of(x->W, n, k, slope);
    }
    for (int i = 0; i < STAGES; i++) {
      k_of[i][k] = k < x->m ? slope[i] / rk->h : F[(ptrdiff_t)i * n];
      if (k >= x->m) {
        x->Z[(ptrdiff_t)i * n + k] =
            rk->h * (A[i][0] * F[0] + A[i][1] * F[n] + A[i][2] * F[(ptrdiff_t)2 * n]);
      }
    }
  }
}

/* stiff (R4): (gamma - h J)^-1 (h f(y0) + sum estimate_i Z_i), with the slope f0. */
static void estimate_error(pw_radau *x, const pw_rk *rk, const double *f0, double *error) {
  int n = rk->n;
  for (int k = 0; k < n; k++) {
    error[k] = rk->h * f0[k] + estimate[0] * x->Z[k] + estimate[1] * x->Z[n + k] +
               estimate[2] * x->Z[(ptrdiff_t)2 * n + k];
    error[k] /= k < x->m ? 1 : gamma_;
  }
  solve_real(x, error);
}

/* Rounding of component i of f: positions and velocities are known to their rounding, and stiff
 * forces are differences of what they would be alone. */
static double rounding_of(const pw_radau *x, const pw_rk *rk, int i) {
  double terms = 0;
  for (int j = 0; j < x->m; j++) {
    terms += fabs(x->J[(ptrdiff_t)j * x->m + i] * rk->y0[j]);
  }
  return PW_SCALE(STEP_ROUNDING) * terms;
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
    (void)pw_stepper_fail(s, fault); /* of the step itself, if it has one */
  }
  for (int k = 0; k < n; k++) {
    double noise = k < s->nq || k >= x->m ? 0 : rk->h * rounding_of(x, rk, k) / gamma_;
    out[k] = copysign(fmax(fabs(error[k]) - noise, 0), error[k]) / rk->h;
  }
}

/* Weights of the tolerance at the start of the step: those of an end that is not known yet would
 * depend on the guess. Where loads balance, round-off is all that moves. */
static void weigh(pw_radau *x, pw_rk *rk) {
  pw_stepper *s = x->s;
  double energy[3];
  memcpy(energy, s->energy, sizeof energy);
  if (rk == &s->rk) {
    memcpy(rk->y1, rk->y0, (size_t)rk->n * sizeof *rk->y1);
  }
  bool balanced = pw_control_rests(&s->control, rk->h, s->mech->pull);
  pw_stepper_weigh(s, rk->h, s->noisy > 0 || balanced);
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
  if (status == PAWL_OK && !factor_real(x, rk->h)) {
    status = pw_stepper_fail(s, (pw_fault){PAWL_E_STEP, -1, -1, NAN});
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

/* Weights of the slopes at c_1, c_2 and 1 in the value at theta of the quadratic through them, and
 * in its integral from 0 to theta. */
static void weights_at(double theta, double value[3], double integral[3]) {
  const double *c = pw_radau_table.c + 1;
  for (int i = 0; i < STAGES; i++) {
    double a = c[(i + 1) % STAGES], b = c[(i + 2) % STAGES], scale = 1 / ((c[i] - a) * (c[i] - b));
    value[i] = (theta - a) * (theta - b) * scale;
    integral[i] = theta * (theta * (theta / 3 - (a + b) / 2) + a * b) * scale;
  }
}

void pw_radau_part(pw_rk *rk, double theta) {
  const double *c = pw_radau_table.c + 1;
  int n = rk->n;
  double *k_of[3] = {rk->k + n, rk->k + (ptrdiff_t)2 * n, rk->k + (ptrdiff_t)4 * n};
  double value[3][3], integral[3];
  for (int i = 0; i < STAGES; i++) { /* the last integral is that up to theta */
    weights_at(c[i] * theta, value[i], integral);
  }
  for (int k = 0; k < n; k++) {
    double slope[3] = {k_of[0][k], k_of[1][k], k_of[2][k]};
    for (int i = 0; i < STAGES; i++) {
      k_of[i][k] = value[i][0] * slope[0] + value[i][1] * slope[1] + value[i][2] * slope[2];
    }
    double mean = integral[0] * slope[0] + integral[1] * slope[1] + integral[2] * slope[2];
    rk->y1[k] = rk->y0[k] + rk->h * mean;
  }
  rk->h *= theta;
  rk->has_end = rk->has_dense = false;
}

/* ---- what else is known of it ---- */

double pw_radau_layer(pw_radau *x, const pw_rk *rk) {
  const pw_stepper *s = x->s;
  int n = rk->n, nv = s->nv;
  const double *weight = pw_radau_table.slope, *mass = s->mech->mass;
  double apart = 0, size = 0, noise = 0;
  for (int i = 0; i < nv; i++) {
    const double *k = rk->k + s->nq + i;
    double a = 0, d, rounding = rounding_of(x, rk, s->nq + i);
    for (int j = 0; j < pw_radau_table.all; j++) {
      a += weight[j] * k[(ptrdiff_t)j * n];
    }
    d = k[0] - a;
    apart += mass[i] * d * d;
    size += mass[i] * pw_max(k[0] * k[0], a * a);
    noise += mass[i] * rounding * rounding;
  }
  size = fmax(sqrt(size), s->mech->pull);
  double part = PW_SCALE(RADAU_LAYER) * pow(s->control.tol, 3.0 / 4) * size;
  apart = sqrt(apart) / (part + sqrt(noise));
  bool resolved = pw_radau_stiffness(x) < PW_SCALE(RADAU_RESOLVED); /* then there is no layer */
  return isnan(apart) || resolved ? 0 : pow(apart, 4.0 / 3);
}

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
        w[i] += size > 0 ? entry(x, x->J, (size_t)i, (size_t)j) * v[j] / size : 0;
      }
    }
    double next = pw_norm2(w, m);
    grown = k < 2 ? grown : k == 2 ? next : sqrt(grown * next);
    memcpy(v, w, (size_t)m * sizeof *v);
  }
  return grown;
}
