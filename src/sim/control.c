// SPDX-License-Identifier: MIT
/* Weights, norm and PI step control. Floors for coordinates that hardly move come from the kinetic
 * energy: sqrt(2 T / M_ii) is the speed that coordinate i would have with all of it, in its own
 * unit, and this times the step is a length. */
#include "sim/control.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_mech.h"
#include "law/scale_sim.h"

size_t pw_control_size(int nv) {
  return 8 * (size_t)nv;
}

void pw_control_init(pw_control *c, int nv, double tol, double *memory) {
  *c = (pw_control){.nv = nv, .tol = tol};
  double **arrays[] = {&c->x_lo,     &c->x_hi,     &c->u_lo,    &c->u_hi,
                       &c->weight_x, &c->weight_u, &c->whole_x, &c->whole_u};
  for (int i = 0; i < 8; i++) {
    *arrays[i] = memory + (ptrdiff_t)i * nv;
  }
}

void pw_control_reset(pw_control *c, const double *x, const double *u, double kinetic,
                      double energy) {
  size_t bytes = (size_t)c->nv * sizeof(double);
  memcpy(c->x_lo, x, bytes);
  memcpy(c->x_hi, x, bytes);
  memcpy(c->u_lo, u, bytes);
  memcpy(c->u_hi, u, bytes);
  c->kinetic = kinetic;
  c->energy = energy;
  c->last_error = PW_SCALE(STEP_LEAST_ERROR);
  c->just_rejected = false;
}

void pw_control_note(pw_control *c, const double *x, const double *u, double kinetic,
                     double energy) {
  for (int i = 0; i < c->nv; i++) {
    c->x_lo[i] = pw_smaller(c->x_lo[i], x[i]);
    c->x_hi[i] = pw_larger(c->x_hi[i], x[i]);
    c->u_lo[i] = pw_smaller(c->u_lo[i], u[i]);
    c->u_hi[i] = pw_larger(c->u_hi[i], u[i]);
  }
  c->kinetic = fmax(c->kinetic, kinetic);
  c->energy = fmax(c->energy, energy);
}

/* Larger of the sizes at both ends and of a part of the range so far, the end included. */
static inline double size_of(double a, double b, double lo, double hi, double part) {
  double range = pw_larger(hi, b) - pw_smaller(lo, b);
  return pw_larger(pw_larger(fabs(a), fabs(b)), part * range);
}

/* What counts as speed of a rate that hardly moves. A force that constraints balance would have
 * given it the speed tau h_i / M_ii in the step: a small part of that is no more than the error of
 * the balance. */
static double still_speed(const pw_trial *t, int i, double speed) {
  double least = PW_SCALE(RANGE_PART) * PW_SCALE(SPEED_PART) * speed;
  double pushed = t->load != NULL && t->mass[i] > 0 ? t->h * fabs(t->load[i]) / t->mass[i] : 0;
  return pw_larger(least, pw_smaller(pushed, speed));
}

static bool rests(double kinetic, double h, double pull) {
  return sqrt(2 * kinetic) < PW_SCALE(RESTS_UNDER_LOAD) * h * pull;
}

bool pw_control_rests(const pw_control *c, double h, double pull) {
  return rests(c->kinetic, h, pull);
}

/* A speed of coordinate i that rounding may have made, and h times which its place may be off. */
static double rounding_of(const pw_control *c, const pw_trial *t, double kinetic, double speed,
                          double unit) {
  double round = PW_SCALE(STEP_ROUNDING) * (speed + t->h * t->pull * unit);
  if (c->kinetic == 0) { /* the first motion: its own size, a power of h, is no measure for it */
    double acts = fmin(t->span, PW_SCALE(FIRST_SPEED) * t->h);
    round = fmax(round, c->tol * PW_SCALE(RANGE_PART) * fmax(t->pull, t->reaction) * acts * unit);
  }
  if (t->rounding) {
    double noise = fmax(c->energy, kinetic);
    round = fmax(round, PW_SCALE(ROUNDED_SUM) * sqrt(2 * noise) * unit);
    double blur = PW_SCALE(ROUNDED_SUM) * t->terms;
    /* a rest that rounding shakes, in a balance whose energies have their rounding above */
    bool shaken = c->energy > kinetic && sqrt(2 * kinetic) <= t->span * blur;
    round = shaken ? round : fmax(round, t->h * blur * unit);
    bool balanced = rests(kinetic, t->h, t->pull);
    round = balanced ? fmax(round, PW_SCALE(LOAD_BALANCED) * t->h * t->pull * unit) : round;
  }
  return round;
}

/* theory (33) */
void pw_control_weigh(pw_control *c, const pw_trial *t) {
  double kinetic = pw_larger(c->kinetic, t->kinetic), most = sqrt(2 * kinetic);
  for (int i = 0; i < c->nv; i++) {
    double unit = t->mass[i] > 0 ? 1 / sqrt(t->mass[i]) : 0, speed = most * unit;
    double round = rounding_of(c, t, kinetic, speed, unit);
    for (int whole = 0; whole < 1 + t->whole; whole++) {
      double part = whole ? 1 : PW_SCALE(RANGE_PART),
             floor = whole ? speed : PW_SCALE(RANGE_PART) * PW_SCALE(SPEED_PART) * speed;
      double still = whole ? speed : still_speed(t, i, speed);
      double x = isnan(t->x0[i]) ? 1 : size_of(t->x0[i], t->x1[i], c->x_lo[i], c->x_hi[i], part);
      double u = size_of(t->u0[i], t->u1[i], c->u_lo[i], c->u_hi[i], part);
      (whole ? c->whole_u : c->weight_u)[i] = pw_larger(c->tol * (u < floor ? still : u), round);
      (whole ? c->whole_x : c->weight_x)[i] =
          pw_larger(c->tol * (x < floor * t->h ? still * t->h : x), round * t->h);
    }
  }
}

/* The largest of *most and |x_i| / weight_i; *worst: first + i. False after a NaN, which stays. */
static inline bool enlarge(int n, const double *x, const double *weight, int first, double *most,
                           int *worst) {
  for (int i = 0; i < n; i++) {
    double part = x[i] == 0 ? 0 : fabs(x[i]) / weight[i];
    if (!(part <= *most)) {
      *worst = first + i;
      *most = part;
      if (isnan(part)) {
        return false;
      }
    }
  }
  return true;
}

static double norm(int nv, const double *x, const double *u, const double *weight_x,
                   const double *weight_u, int *worst) {
  double most = 0;
  if (enlarge(nv, x, weight_x, 0, &most, worst)) {
    (void)enlarge(nv, u, weight_u, nv, &most, worst);
  }
  return most;
}

double pw_control_norm(const pw_control *c, const double *error_x, const double *error_u,
                       int *worst) {
  return norm(c->nv, error_x, error_u, c->weight_x, c->weight_u, worst);
}

double pw_control_whole_norm(const pw_control *c, const double *x, const double *u) {
  int worst;
  return norm(c->nv, x, u, c->whole_x, c->whole_u, &worst);
}

/* theory (34): h err^-(1/p - 3 beta/4) err_last^beta (Gustafsson 1991), within the limits of the
 * method. */
double pw_control_accept(pw_control *c, const pw_rk_method *m, double h, double error) {
  double alpha = 1.0 / m->error_order - 0.75 * m->beta;
  double factor = m->grow;
  if (error > 0) {
    factor = PW_SCALE(STEP_SAFETY) * pow(error, -alpha) * pow(c->last_error, m->beta);
    factor = fmin(fmax(factor, m->shrink), m->grow);
  }
  if (c->just_rejected) {
    factor = fmin(factor, 1);
  }
  c->just_rejected = false;
  c->last_error = fmax(error, PW_SCALE(STEP_LEAST_ERROR));
  return h * factor;
}

double pw_control_reject(pw_control *c, const pw_rk_method *m, double h, double error) {
  c->just_rejected = true;
  if (!isfinite(error)) {
    return h / 4;
  }
  return h * fmin(fmax(PW_SCALE(STEP_SAFETY) * pow(error, -1.0 / m->error_order), m->shrink),
                  PW_SCALE(STEP_SAFETY));
}

/* ---- first step ---- */

/* sqrt(sum M_ii v_i^2): one unit for all kinds of coordinates. NAN counts as 1 (rotations). */
static double length(int nv, const double *mass, const double *v, const double *minus) {
  double sum = 0;
  for (int i = 0; i < nv; i++) {
    double d = isnan(v[i]) ? 1 : v[i] - (minus == NULL ? 0 : minus[i]);
    sum += mass[i] * d * d;
  }
  return sqrt(sum);
}

/* The larger of the frequencies |x'|/|x| and (|x''|/|x|)^(1/2); |x''|/|x'| if x is zero. */
static double frequency(const pw_control *c, const double *mass, const double *x,
                        const double *f0) {
  double d0 = length(c->nv, mass, x, NULL), d1 = length(c->nv, mass, f0, NULL);
  double d2 = length(c->nv, mass, f0 + c->nv, NULL);
  if (d0 > 0) {
    return fmax(d1 / d0, sqrt(d2 / d0));
  }
  return d1 > 0 ? d2 / d1 : 0;
}

/* The first step. The probe is a part of the time in which the motion changes, or of the span if
 * nothing moves. Limits are in parts of the span and, for the step after it, in probes.
 * Noise in values that are zero must not make the first step tiny: a step that is too large is
 * rejected, that is all. */
static double within(double h, double lo, double hi) {
  return h >= lo ? fmin(h, hi) : lo;
}

double pw_control_probe(const pw_control *c, const double *mass, const double *x, const double *f0,
                        double span) {
  double w = frequency(c, mass, x, f0);
  return within(w > 0 ? PW_SCALE(PROBE_PART) / w : PW_SCALE(PROBE_BLIND) * span,
                PW_SCALE(FIRST_LEAST) * span, PW_SCALE(PROBE_MOST) * span);
}

/* As Hairer, Norsett and Wanner (II.4), but in one unit: the third derivative comes as a frequency
 * too, and the step is tol^(1/(p+1)) divided by the largest of them. */
double pw_control_first(const pw_control *c, const pw_rk_method *m, const double *mass,
                        const double *x, const double *f0, const double *f1, double probe,
                        double span) {
  double d2 = length(c->nv, mass, f0 + c->nv, NULL);
  double d3 = length(c->nv, mass, f1 + c->nv, f0 + c->nv) / probe;
  double w = fmax(frequency(c, mass, x, f0), d2 > 0 ? d3 / d2 : 0);
  double h = w > 0 ? pow(c->tol, 1.0 / (m->order + 1)) / w : PW_SCALE(FIRST_PROBES) * probe;
  return within(h, PW_SCALE(FIRST_LEAST) * span, fmin(PW_SCALE(FIRST_PROBES) * probe, span));
}
