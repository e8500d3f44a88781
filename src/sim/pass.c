// SPDX-License-Identifier: MIT
/* Gauss collocation by fixed-point iteration: derivatives at the nodes -> their Legendre polynomial
 * -> states at the nodes -> projection on the constraints -> derivatives. */
#include "sim/pass.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/real.h"
#include "sim/step.h"

enum { NODES = 12, MAX_SWEEPS = 15 };

/* Gauss nodes and weights on [-1, 1]. */
static const double node[NODES] = {-0.9815606342467192, -0.9041172563704749, -0.7699026741943047,
                                   -0.5873179542866175, -0.3678314989981802, -0.1252334085114689,
                                   0.1252334085114689,  0.3678314989981802,  0.5873179542866175,
                                   0.7699026741943047,  0.9041172563704749,  0.9815606342467192};
static const double weight[NODES] = {0.0471753363865118, 0.1069393259953184, 0.1600783285433462,
                                     0.2031674267230659, 0.2334925365383548, 0.2491470458134028,
                                     0.2491470458134028, 0.2334925365383548, 0.2031674267230659,
                                     0.1600783285433462, 0.1069393259953184, 0.0471753363865118};
static const double off_centre = 0.04;   /* of the length: nodes keep away from the centre only */
static const double most_round_off = 10; /* accepted, in terms of round_off() */

size_t pw_pass_size(int n) {
  return (3 * NODES + 1) * (size_t)n;
}

void pw_pass_init(pw_pass *p, int n, double *memory) {
  *p = (pw_pass){.n = n, .reach = INFINITY};
  p->y = memory;
  p->f = p->y + NODES * (ptrdiff_t)n;
  p->c = p->f + NODES * (ptrdiff_t)n;
  p->bend = p->c + NODES * (ptrdiff_t)n;
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
  pw_mech_to_v(s->mech, s->rk.y0, x, s->e_x);
  memcpy(s->e_u, x + s->nq, (size_t)s->nv * sizeof *s->e_u);
  return pw_control_norm(&s->control, s->e_x, s->e_u, &s->worst);
}

/* The last two coefficients of the derivative, integrated. */
static double tail(pw_stepper *s) {
  const pw_pass *p = &s->pass;
  const double *a = p->c + (NODES - 2) * (ptrdiff_t)p->n, *b = a + p->n;
  for (int i = 0; i < p->n; i++) {
    s->error[i] = p->length * hypot(a[i], b[i]) / (2 * NODES - 1);
  }
  return size(s, s->error);
}

/* New states at the nodes; how far the end has moved by that. */
static double sweep(pw_stepper *s) {
  pw_pass *p = &s->pass;
  states(s);
  memcpy(s->error, s->rk.y1, (size_t)p->n * sizeof *s->error);
  pw_pass_eval(p, 1, s->rk.y0, s->rk.y1);
  for (int i = 0; i < p->n; i++) {
    s->error[i] -= s->rk.y1[i];
  }
  pw_stepper_weigh(s, p->length, false);
  return size(s, s->error);
}

/* Position errors of eps, seen through constraints of strength w, are speed errors of eps/w^2. */
static double round_off(const pw_stepper *s, const double *strength) {
  double least = INFINITY;
  for (int j = 0; j < NODES; j++) {
    least = fmin(least, strength[j]);
  }
  return DBL_EPSILON / (least * least * s->control.tol);
}

double pw_pass_try(pw_stepper *s) {
  pw_pass *p = &s->pass;
  double change = INFINITY, left = INFINITY, strength[NODES];
  p->centred = true;
  p->rounding = 0;
  guess(s);
  memcpy(s->rk.y1, s->rk.y0, (size_t)p->n * sizeof *s->y);
  for (int k = 0; k < MAX_SWEEPS; k++) {
    double last = change;
    change = sweep(s);
    left = change * fmin(1, change / last); /* sweeps converge linearly */
    bool stopped = !(change <= 0.5 * last);
    if (k > 2 && (stopped || left <= fmax(0.01, round_off(s, strength)))) {
      break;
    }
    if (derivatives(s, strength) != PAWL_OK) {
      return INFINITY;
    }
    p->middle = middle(strength);
    p->centred = fabs(p->middle - 0.5) <= off_centre;
    if (k == 2 && !p->centred) {
      return INFINITY;
    }
  }
  p->rounding = most_round_off * round_off(s, strength);
  return pw_max(left, tail(s));
}
