// SPDX-License-Identifier: MIT
/* Steps of Runge and Kutta's method with negative length, halved and extrapolated; modes do not
 * change within a step. The conditions of each mode are monitored, and the end of a mode is found
 * by bisection. */
#include "past/backward.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/layout.h"
#include "base/real.h"
#include "law/scale_static.h"
#include "linalg/dense.h"

enum { MOST_STEPS = 200000, BISECTIONS = 60, LONGEST = 64, SHORTEST = 1 << 30 };

static void lay_out(pw_back *b, pw_layout *l) {
  const pw_system *s = b->sys;
  size_t nq = (size_t)s->nq, nv = (size_t)s->nv, ni = (size_t)s->ni;
  b->q = PW_LAY(l, nq, double);
  b->u = PW_LAY(l, nv, double);
  b->side = PW_LAY(l, (size_t)s->n_switch, double);
  b->scratch = PW_LAY(l, 3 * (size_t)s->n_sides + 1, double);
  b->mode = PW_LAY(l, ni, unsigned char);
  b->watch = PW_LAY(l, 2 * ni, double);
  b->armed = PW_LAY(l, 2 * ni, double);
  b->frame_memory = PW_LAY(l, pw_frame_doubles(s), double);
  b->restitution = PW_LAY(l, ni, double);
  b->left_right = PW_LAY(l, 2 * ni, double);
  b->limit = PW_LAY(l, ni, double);
  double **y[] = {&b->y0, &b->y1, &b->y2};
  for (size_t i = 0; i < sizeof y / sizeof *y; i++) {
    *y[i] = PW_LAY(l, nq + nv, double);
  }
  b->k = PW_LAY(l, 5 * (nq + nv), double);
}

pawl_status pw_back_new(const pawl_system *system, double back, pw_back *b) {
  *b = (pw_back){.sys = system->sys};
  pw_layout counts = {0};
  lay_out(b, &counts);
  b->memory = calloc(1, counts.size);
  if (b->memory == NULL) {
    return PAWL_E_MEMORY;
  }
  pw_layout l = pw_layout_in(b->memory);
  lay_out(b, &l);
  pw_back_place(b, system->start.t, system->start.q, system->start.u);
  pawl_status status = pw_mech_new(b->sys, &b->mech);
  if (status == PAWL_OK) {
    status = pw_back_look(b);
  }
  if (status == PAWL_OK) { /* if nothing moves, the effect of the forces is the scale */
    double pull = pw_norm2(b->frame.c_force, b->frame.n);
    b->speed = pw_max(pw_norm2(b->frame.c_velocity, b->frame.n), pull * back);
    b->length = b->speed * back;
  }
  return status;
}

void pw_back_free(pw_back *b) {
  pw_mech_free(b->mech);
  free(b->memory);
}

void pw_back_place(pw_back *b, double t, const double *q, const double *u) {
  b->t = t;
  memmove(b->q, q, (size_t)b->sys->nq * sizeof *q);
  memmove(b->u, u, (size_t)b->sys->nv * sizeof *u);
}

pawl_status pw_back_look(pw_back *b) {
  pw_mech_close(b->mech, NULL);
  pawl_status status = pw_start_sides(b->mech, b->t, b->q, b->u, b->side, b->scratch);
  if (status == PAWL_OK) {
    status = pw_mech_rates_decide(b->mech, b->t, b->q, b->u, b->side);
  }
  if (status == PAWL_OK) {
    status = pw_mech_frame(b->mech, b->t, b->q, b->u, b->side, b->frame_memory, &b->frame);
  }
  if (status == PAWL_OK) {
    pw_mech_restitution(b->mech, b->t, b->q, b->u, b->side, b->restitution);
  }
  return status;
}

/* ---- laws at an instant ---- */

static int sign_of(double x, double size) {
  double zero = PW_SCALE(PAST_ZERO) * size;
  return x > zero ? 1 : x < -zero ? -1 : 0;
}

/* The first nonzero derivative of the measure determines its side next to the instant. */
unsigned char pw_back_mode(const pw_back *b, int i, const double *a, int side) {
  const pw_frame *f = &b->frame;
  const pw_law_form *law = &b->sys->law[i];
  int row = b->sys->nc + i, n = f->n;
  double length = f->length[row], second = f->zeta[row];
  if (!(length > 0)) {
    return PW_ABOVE_KINK;
  }
  for (int k = 0; k < n; k++) { /* A is L^-1 J^T / length */
    double along = pw_dot(f->L + (size_t)k * (size_t)n + k, a + k, n - k);
    second += length * f->A[(size_t)row * (size_t)n + (size_t)k] * along;
  }
  double pull = b->length > 0 ? b->speed * b->speed / b->length : 1; /* speed per time */
  int order0 = sign_of(f->value[row] / length, law->on_velocity ? b->speed : b->length);
  int order1 = law->on_velocity ? 0 : sign_of(f->rate[row] / length, b->speed);
  int order2 = sign_of(second / length, pull);
  int rises = order0 != 0        ? order0
              : order1 != 0      ? side * order1
              : law->on_velocity ? side * order2
                                 : order2;
  return rises > 0 ? PW_ABOVE_KINK : rises < 0 && !law->wall ? PW_BELOW_KINK : PW_AT_KINK;
}

double pw_back_opens(const pw_back *b, int i) {
  const pw_frame *f = &b->frame;
  const pw_law_form *law = &b->sys->law[i];
  int row = b->sys->nc + i;
  if (law->on_velocity || !pw_law_is_wall(law) || !(f->length[row] > 0) ||
      sign_of(f->value[row] / f->length[row], b->length) != 0) {
    return NAN;
  }
  double speed = f->rate[row] / f->length[row];
  return sign_of(speed, b->speed) == 0 ? 0 : speed / b->speed;
}

/* ---- steps ---- */

static pawl_status slope(pw_back *b, double t, const double *y, double *out) {
  int nq = b->sys->nq, nv = b->sys->nv;
  pawl_status status = pw_mech_rates(b->mech, t, y, y + nq, b->side);
  memcpy(out, b->mech->q_rate, (size_t)nq * sizeof *out);
  memcpy(out + nq, b->mech->a, (size_t)nv * sizeof *out);
  return status;
}

/* Runge and Kutta's classical step from y by h, into out (may be y). */
static pawl_status step(pw_back *b, double t, const double *y, double h, double *out) {
  size_t n = (size_t)b->sys->nq + (size_t)b->sys->nv;
  double *k[4] = {b->k, b->k + n, b->k + 2 * n, b->k + 3 * n}, *at = b->k + 4 * n;
  const double part[4] = {0, 0.5, 0.5, 1};
  pawl_status status = PAWL_OK;
  for (int i = 0; i < 4 && status == PAWL_OK; i++) {
    for (size_t j = 0; j < n; j++) {
      at[j] = i == 0 ? y[j] : y[j] + part[i] * h * k[i - 1][j];
    }
    status = slope(b, t + part[i] * h, at, k[i]);
  }
  for (size_t j = 0; j < n && status == PAWL_OK; j++) {
    out[j] = y[j] + h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
  }
  return status;
}

/* y2: two half steps, extrapolated; *error: difference from one full step, relative to the size of
 * y. */
static pawl_status two_steps(pw_back *b, double h, double *error) {
  size_t n = (size_t)b->sys->nq + (size_t)b->sys->nv;
  pawl_status status = step(b, b->t, b->y0, h, b->y1);
  if (status == PAWL_OK) {
    status = step(b, b->t, b->y0, h / 2, b->y2);
  }
  if (status == PAWL_OK) {
    status = step(b, b->t + h / 2, b->y2, h / 2, b->y2);
  }
  *error = 0;
  for (size_t j = 0; j < n && status == PAWL_OK; j++) {
    double d = (b->y2[j] - b->y1[j]) / 15;
    b->y2[j] += d;
    *error = pw_max(*error, fabs(d) / (1 + fabs(b->y2[j])));
  }
  return status;
}

/* ---- monitored conditions ---- */

/* Forces of friction that sticks stay within their bounds. */
static double bound_of(const pw_back *b, int i) {
  const pw_law_form *law = &b->sys->law[i];
  double normal = law->on >= 0 ? b->mech->lambda[b->sys->nc + law->on] : 1;
  double most = pw_max(fabs(b->left_right[2 * i]), fabs(b->left_right[2 * i + 1]));
  return pw_max(most, b->limit[i]) * normal;
}

/* At y: positive while the modes are right. First the measures, then the forces. */
static pawl_status watch(pw_back *b, double t, const double *y) {
  const pw_system *s = b->sys;
  const double *u = y + s->nq;
  pawl_status status = pw_mech_rates(b->mech, t, y, u, b->side);
  if (status != PAWL_OK) {
    return status;
  }
  pw_mech_gaps(b->mech, t, y, u, b->side, b->watch);
  pw_mech_graphs(b->mech, t, y, u, b->side, b->left_right, b->limit);
  for (int i = 0; i < s->ni; i++) {
    double force = b->mech->lambda[s->nc + i];
    bool held = b->mode[i] == PW_AT_KINK, wall = pw_law_is_wall(&s->law[i]);
    b->watch[i] = held ? 1 : b->mode[i] == PW_BELOW_KINK ? -b->watch[i] : b->watch[i];
    b->watch[s->ni + i] = !held            ? 1
                          : wall           ? force
                          : s->law[i].wall ? 1
                                           : bound_of(b, i) - fabs(force);
  }
  return PAWL_OK;
}

/* Conditions that were positive once, and are not now. */
static bool fires(const pw_back *b) {
  bool any = false;
  for (int i = 0; i < 2 * b->sys->ni; i++) {
    any = any || (b->armed[i] > 0 && !(b->watch[i] > 0));
  }
  return any;
}

/* Not positive, and never was: the step is too long for this law. */
static bool skips(const pw_back *b) {
  bool any = false;
  for (int i = 0; i < 2 * b->sys->ni; i++) {
    double zero = PW_SCALE(PAST_ZERO) * (i < b->sys->ni ? b->length : b->speed);
    any = any || (b->armed[i] == 0 && b->watch[i] < -zero);
  }
  return any;
}

static void arm(pw_back *b) {
  for (int i = 0; i < 2 * b->sys->ni; i++) {
    double zero = PW_SCALE(PAST_ZERO) * (i < b->sys->ni ? b->length : b->speed);
    b->armed[i] = b->armed[i] > 0 || b->watch[i] > zero ? 1 : 0;
  }
}

/* The step of length h crosses something: as much of it as does not. */
static pawl_status cut(pw_back *b, double h, double *part) {
  double low = 0, high = 1, error;
  pawl_status status = PAWL_OK;
  for (int k = 0; k < BISECTIONS && status == PAWL_OK; k++) {
    double middle = (low + high) / 2;
    status = two_steps(b, middle * h, &error);
    if (status == PAWL_OK) {
      status = watch(b, b->t + middle * h, b->y2);
    }
    *(fires(b) ? &high : &low) = middle;
  }
  *part = high;
  return status == PAWL_OK ? two_steps(b, high * h, &error) : status;
}

/* The step, or as much of it as nothing happens in. */
static pawl_status take(pw_back *b, double *h, bool *happens) {
  pawl_status status = PAWL_OK;
  double part = 1;
  if (fires(b)) {
    status = cut(b, *h, &part);
    *h *= part;
    *happens = true;
  }
  arm(b);
  pw_back_place(b, b->t + *h, b->y2, b->y2 + b->sys->nq);
  return status == PAWL_OK ? pw_start_sides(b->mech, b->t, b->q, b->u, b->side, b->scratch)
                           : status;
}

pawl_status pw_back_go(pw_back *b, double to, bool *happens) {
  double longest = (to - b->t) / LONGEST, h = longest, error = 0;
  int nq = b->sys->nq, nv = b->sys->nv;
  *happens = false;
  memset(b->armed, 0, 2 * (size_t)b->sys->ni * sizeof *b->armed);
  memcpy(b->y0, b->q, (size_t)nq * sizeof *b->y0);
  memcpy(b->y0 + nq, b->u, (size_t)nv * sizeof *b->y0);
  pw_mech_close(b->mech, b->mode);
  pawl_status status = pw_mech_rates_decide(b->mech, b->t, b->q, b->u, b->side);
  status = status == PAWL_OK ? watch(b, b->t, b->y0) : status;
  arm(b);
  for (int n = 0; n < MOST_STEPS && status == PAWL_OK && b->t > to && !*happens; n++) {
    h = pw_max(h, to - b->t); /* both are negative */
    memcpy(b->y0, b->q, (size_t)nq * sizeof *b->y0);
    memcpy(b->y0 + nq, b->u, (size_t)nv * sizeof *b->y0);
    status = two_steps(b, h, &error);
    double fits = pow(PW_SCALE(PAST_STEP) / pw_max(error, DBL_MIN), 0.2);
    fits = 0.9 * pw_min(pw_max(fits, 0.2), 4);
    status = status == PAWL_OK ? watch(b, b->t + h, b->y2) : status;
    if (status == PAWL_OK && error <= PW_SCALE(PAST_STEP) && skips(b)) {
      fits = 0.25;
    } else if (status == PAWL_OK && error <= PW_SCALE(PAST_STEP)) {
      status = take(b, &h, happens);
    }
    h = pw_max(fits * h, longest);
    status = status == PAWL_OK && !*happens && b->t > to && h > longest / SHORTEST ? PAWL_E_STEP
                                                                                   : status;
  }
  return status == PAWL_OK && !*happens && b->t > to ? PAWL_E_STEPS : status;
}
