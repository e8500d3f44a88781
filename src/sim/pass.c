// SPDX-License-Identifier: MIT
/* Gauss collocation by fixed-point iteration: derivatives at the nodes -> their Legendre polynomial
 * -> states at the nodes -> projection on the constraints -> derivatives. The iteration need not
 * contract: constraints on velocities that lose rank at a point of the positions, not on a surface,
 * turn the velocity by e/d if the motion misses that point by e, theory (93), (94). */
#include "sim/pass.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_sim.h"
#include "sim/step.h"

enum { NODES = 12, MAX_SWEEPS = 40, PATIENCE = 12 };

/* Gauss nodes and weights on [-1, 1]. */
static const double node[NODES] = {-0.9815606342467192, -0.9041172563704749, -0.7699026741943047,
                                   -0.5873179542866175, -0.3678314989981802, -0.1252334085114689,
                                   0.1252334085114689,  0.3678314989981802,  0.5873179542866175,
                                   0.7699026741943047,  0.9041172563704749,  0.9815606342467192};
static const double weight[NODES] = {0.0471753363865118, 0.1069393259953184, 0.1600783285433462,
                                     0.2031674267230659, 0.2334925365383548, 0.2491470458134028,
                                     0.2491470458134028, 0.2334925365383548, 0.2031674267230659,
                                     0.1600783285433462, 0.1069393259953184, 0.0471753363865118};

size_t pw_pass_size(int n, int nv) {
  return (3 * NODES + 2) * (size_t)n + (2 * NODES + 1) * (size_t)nv + pw_mix_size(NODES * nv);
}

void pw_pass_init(pw_pass *p, int n, int nv, double *memory) {
  *p = (pw_pass){.n = n, .nv = nv, .reach = INFINITY};
  p->y = memory;
  p->f = p->y + NODES * (ptrdiff_t)n;
  p->c = p->f + NODES * (ptrdiff_t)n;
  p->bend = p->c + NODES * (ptrdiff_t)n;
  p->start = p->bend + n;
  p->way = p->start + n;
  p->looked = p->way + nv;
  p->found = p->looked + NODES * (ptrdiff_t)nv;
  pw_mix_init(&p->mix, NODES * nv, p->found + NODES * (ptrdiff_t)nv);
}

/* P_0 .. P_count-1 at x. */
static void legendre(double x, int count, double *P) {
  P[0] = 1;
  P[1] = x;
  for (int k = 2; k < count; k++) {
    P[k] = ((2 * k - 1) * x * P[k - 1] - (k - 1) * P[k - 2]) / k;
  }
}

/* Coefficients of components first .. first + count - 1. */
static void expand(pw_pass *p, int first, int count) {
  for (int k = 0; k < NODES; k++) {
    memset(p->c + (ptrdiff_t)k * p->n + first, 0, (size_t)count * sizeof *p->c);
  }
  for (int j = 0; j < NODES; j++) {
    double P[NODES];
    legendre(node[j], NODES, P);
    const double *f = p->f + (ptrdiff_t)j * p->n;
    for (int k = 0; k < NODES; k++) {
      double *c = p->c + (ptrdiff_t)k * p->n, part = (k + 0.5) * weight[j] * P[k];
      for (int i = first; i < first + count; i++) {
        c[i] += part * f[i];
      }
    }
  }
}

/* y = y0 + integral of the polynomial: that of P_k is (P_k+1 - P_k-1) / (2k + 1). */
static void integrate(const pw_pass *p, double x, const double *y0, int first, int count,
                      double *y) {
  double P[NODES + 1], half = 0.5 * p->length;
  legendre(2 * x - 1, NODES + 1, P);
  for (int i = first; i < first + count; i++) {
    double sum = 2 * x * p->c[i];
    for (int k = 1; k < NODES; k++) {
      sum += (P[k + 1] - P[k - 1]) / (2 * k + 1) * p->c[(ptrdiff_t)k * p->n + i];
    }
    y[i] = y0[i] + half * sum;
  }
}

void pw_pass_eval(const pw_pass *p, double x, const double *y0, double *y) {
  integrate(p, x, y0, 0, p->n, y);
}

/* ---- the iteration ---- */

static double part_of(int j) {
  return 0.5 * (1 + node[j]);
}

static void guess(pw_stepper *s) {
  pw_pass *p = &s->pass;
  for (int j = 0; j < NODES; j++) {
    double after = part_of(j) * p->length;
    for (int i = 0; i < p->n; i++) {
      p->f[(ptrdiff_t)j * p->n + i] = s->rk.k[i] + after * p->bend[i];
    }
    memcpy(p->y + (ptrdiff_t)j * p->n, s->rk.y0, (size_t)p->n * sizeof *p->y);
  }
}

/* States at the nodes: velocities from accelerations, then positions from velocities. */
static void states(pw_stepper *s) {
  pw_pass *p = &s->pass;
  int rest = p->n - s->nq;
  expand(p, s->nq, rest);
  for (int j = 0; j < NODES; j++) {
    double *y = p->y + (ptrdiff_t)j * p->n;
    integrate(p, part_of(j), s->rk.y0, s->nq, rest, y);
    pw_mech_to_q(s->mech, y, y + s->nq, p->f + (ptrdiff_t)j * p->n);
  }
  expand(p, 0, s->nq);
  for (int j = 0; j < NODES; j++) {
    integrate(p, part_of(j), s->rk.y0, 0, s->nq, p->y + (ptrdiff_t)j * p->n);
  }
}

/* Derivatives at the projected nodes, and the strength of the constraints there. */
static pawl_status derivatives(pw_stepper *s, double *strength) {
  pw_pass *p = &s->pass;
  for (int j = 0; j < NODES; j++) {
    double *y = p->y + (ptrdiff_t)j * p->n, t = s->rk.t + part_of(j) * p->length;
    pawl_status status = pw_stepper_project_fully(s, t, y);
    if (status == PAWL_OK) {
      status = pw_stepper_rates(s, t, y, p->f + (ptrdiff_t)j * p->n);
    }
    if (status != PAWL_OK) {
      return status;
    }
    strength[j] = pw_mech_weakest(s->mech);
  }
  return PAWL_OK;
}

/* Where the strength is zero, as a part of the length: it is linear on both sides. */
static double middle(const double *strength) {
  int low = 0;
  for (int j = 1; j < NODES; j++) {
    low = strength[j] < strength[low] ? j : low;
  }
  bool after = low == 0 || (low < NODES - 1 && strength[low + 1] < strength[low - 1]);
  int a = after ? low : low - 1, b = a + 1;
  double sign = low == NODES - 1 || low == 0 ? 1 : -1;
  double slope = (sign * strength[b] - strength[a]) / (part_of(b) - part_of(a));
  return part_of(a) - strength[a] / slope;
}

/* Size of x (n) as an error, in tolerances. */
static double size(pw_stepper *s, const double *x) {
  pw_mech_to_v(s->mech, s->rk.y0, x, s->work.e_x);
  memcpy(s->work.e_u, x + s->nq, (size_t)s->nv * sizeof *s->work.e_u);
  return pw_control_whole_norm(&s->control, s->work.e_x, s->work.e_u);
}

/* The last two coefficients of the derivative, integrated. */
static double tail(pw_stepper *s) {
  const pw_pass *p = &s->pass;
  const double *a = p->c + (NODES - 2) * (ptrdiff_t)p->n, *b = a + p->n;
  for (int i = 0; i < p->n; i++) {
    s->work.error[i] = p->length * hypot(a[i], b[i]) / (2 * NODES - 1);
  }
  return size(s, s->work.error);
}

/* New states at the nodes and the end. */
static void sweep(pw_stepper *s) {
  states(s);
  pw_pass_eval(&s->pass, 1, s->rk.y0, s->rk.y1);
  pw_stepper_weigh(s, s->pass.length, false);
}

static void accelerations(const pw_stepper *s, double *a) {
  const pw_pass *p = &s->pass;
  for (int j = 0; j < NODES; j++) {
    memcpy(a + (ptrdiff_t)j * p->nv, p->f + (ptrdiff_t)j * p->n + s->nq, (size_t)p->nv * sizeof *a);
  }
}

/* How far the accelerations found are from those looked at, as an error of the end: the root of
 * the mean square, integrated once and twice. */
static double discrepancy(pw_stepper *s) {
  const pw_pass *p = &s->pass;
  for (int i = 0; i < p->nv; i++) {
    double sum = 0;
    for (int j = 0; j < NODES; j++) {
      double d = p->found[(ptrdiff_t)j * p->nv + i] - p->looked[(ptrdiff_t)j * p->nv + i];
      sum += 0.5 * weight[j] * d * d;
    }
    s->work.e_u[i] = p->length * sqrt(sum);
    s->work.e_x[i] = 0.5 * p->length * s->work.e_u[i];
  }
  return pw_control_whole_norm(&s->control, s->work.e_x, s->work.e_u);
}

/* The accelerations to be looked at next. */
static void mix(pw_stepper *s) {
  pw_pass *p = &s->pass;
  pw_mix_next(&p->mix, p->found, p->looked);
  for (int j = 0; j < NODES; j++) {
    memcpy(p->f + (ptrdiff_t)j * p->n + s->nq, p->looked + (ptrdiff_t)j * p->nv,
           (size_t)p->nv * sizeof *p->f);
  }
}

/* Position errors of eps, seen through constraints of strength w, are speed errors of eps/w^2. */
static double round_off(const pw_stepper *s, const double *strength) {
  double least = INFINITY;
  for (int j = 0; j < NODES; j++) {
    least = fmin(least, strength[j]);
  }
  return DBL_EPSILON / (least * least * s->control.tol);
}

/* From the derivatives at the nodes as they are. *left: what the iteration has left, in tolerances.
 * False: a fault, or not centred. */
static bool solve(pw_stepper *s, double *left) {
  pw_pass *p = &s->pass;
  double best = INFINITY, strength[NODES];
  pw_mix_begin(&p->mix);
  for (int k = 0, idle = 0; k < MAX_SWEEPS && idle < PATIENCE; k++) {
    sweep(s);
    accelerations(s, p->looked);
    if (derivatives(s, strength) != PAWL_OK) {
      return false;
    }
    accelerations(s, p->found);
    *left = discrepancy(s);
    p->middle = middle(strength);
    p->centred = fabs(p->middle - 0.5) <= PW_SCALE(PASS_CENTRED);
    p->rounding = PW_SCALE(PASS_ROUNDING) * round_off(s, strength);
    if (k == 2 && !p->centred) {
      return false;
    }
    if (k > 2 && *left <= fmax(PW_SCALE(PASS_SETTLED), p->rounding / PW_SCALE(PASS_ROUNDING))) {
      break;
    }
    idle = *left <= 0.5 * best ? 0 : idle + 1;
    best = fmin(best, *left);
    mix(s);
  }
  sweep(s);
  return true;
}

/* ---- aiming ---- */

static double allowed(const pw_pass *p) {
  return fmax(1, p->rounding);
}

/* The last coefficient of the acceleration along a direction, by masses. */
static double roughness(const pw_stepper *s, const double *way) {
  const pw_pass *p = &s->pass;
  const double *c = p->c + (NODES - 1) * (ptrdiff_t)p->n + s->nq;
  double sum = 0;
  for (int i = 0; i < p->nv; i++) {
    sum += s->mech->mass[i] * c[i] * way[i];
  }
  return sum;
}

/* The start moved by this much along the way, on the constraints. */
static bool start_from(pw_stepper *s, double shift) {
  pw_pass *p = &s->pass;
  for (int i = 0; i < p->nv; i++) {
    s->work.e_u[i] = shift * p->way[i];
  }
  pw_mech_to_q(s->mech, p->start, s->work.e_u, s->work.error);
  memcpy(s->rk.y0, p->start, (size_t)p->n * sizeof *p->start);
  for (int i = 0; i < s->nq; i++) {
    s->rk.y0[i] += s->work.error[i];
  }
  return pw_stepper_rates(s, s->rk.t, s->rk.y0, s->work.error) == PAWL_OK &&
         pw_stepper_project_fully(s, s->rk.t, s->rk.y0) == PAWL_OK;
}

/* theory (94): a motion that misses the singular position by e, turned by e/d, has no smooth
 * continuation; the one beside it that does not miss has. It is sought by the secant along the
 * direction that is not smooth, and taken if it is no further away than the error of the state. */
static double aim(pw_stepper *s, double left) {
  pw_pass *p = &s->pass;
  size_t bytes = (size_t)p->n * sizeof *p->start;
  double length = 0, first, second, shift, unit;
  memcpy(p->start, s->rk.y0, bytes);
  memcpy(p->way, p->c + (NODES - 1) * (ptrdiff_t)p->n + s->nq, (size_t)p->nv * sizeof *p->way);
  for (int i = 0; i < p->nv; i++) {
    length += s->mech->mass[i] * p->way[i] * p->way[i];
    s->work.e_u[i] = 0;
  }
  for (int i = 0; i < p->nv; i++) {
    p->way[i] /= sqrt(length);
  }
  p->aimed = length > 0;
  unit = 1 / pw_control_whole_norm(&s->control, p->way, s->work.e_u);
  first = roughness(s, p->way);
  if (!p->aimed || !start_from(s, unit) || !solve(s, &left)) {
    return INFINITY;
  }
  second = roughness(s, p->way);
  shift = unit * first / (first - second);
  if (!(fabs(shift) <= PW_SCALE(PASS_AIMED) * unit) || !start_from(s, shift) || !solve(s, &left)) {
    return INFINITY;
  }
  return pw_max(left, tail(s));
}

/* Long ones suffer less from rounding. */
double pw_pass_reach(const pw_pass *p, double error, double allowed) {
  double part = error / allowed;
  double most = PW_SCALE(PASS_LONGER),
         least = part > 1 ? PW_SCALE(PASS_SHRINKS) : PW_SCALE(PASS_GROWS);
  double factor = part > 0 ? PW_SCALE(STEP_SAFETY) * pow(part, -1.0 / PW_PASS_ORDER) : most;
  double reach = p->length * fmin(fmax(factor, least), most);
  return part <= 1 && p->reach < INFINITY ? fmax(p->reach, reach) : reach;
}

void pw_pass_drop(pw_stepper *s) {
  if (s->pass.aimed) {
    memcpy(s->rk.y0, s->pass.start, (size_t)s->pass.n * sizeof *s->pass.start);
    s->pass.aimed = false;
  }
}

double pw_pass_try(pw_stepper *s) {
  pw_pass *p = &s->pass;
  double left = INFINITY, error;
  p->centred = true;
  p->aimed = false;
  p->rounding = 0;
  guess(s);
  if (!solve(s, &left)) {
    return INFINITY;
  }
  error = pw_max(left, tail(s));
  if (left <= allowed(p) && error > PW_SCALE(PASS_ROUGH) * allowed(p)) {
    double aimed = aim(s, left);
    if (aimed < error) {
      return aimed;
    }
    pw_pass_drop(s);
    error = solve(s, &left) ? pw_max(left, tail(s)) : INFINITY;
  }
  return error;
}
