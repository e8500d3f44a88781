// SPDX-License-Identifier: MIT
/* An impact by momenta backward, potentials (P7), (P8), of one contact and the equalities: with
 * the velocity v before and u after,
 *   p(v) = p(u) - J^T kappa,   rate(v) = -sigma rate(u)/e,   H(v) = H(u0) + (H(u) - H(u0))/e^2,
 * where u0 is v for sigma = 0. Newton's method finds v for a sigma; sigma is found by the energy.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "law/scale_static.h"
#include "linalg/chol.h"
#include "linalg/dense.h"
#include "linalg/lu.h"
#include "past/tree.h"

enum { ROUNDS = 60 };

typedef struct turning {
  pw_back *back;
  int row, m;        /* of the contact; equalities and it */
  const double *p;   /* n: momenta after */
  double rate;       /* after */
  double *A, *x, *c; /* m x m, m, n */
  double *momenta;   /* n */
  int *pivot;
} turning;

static double energy_of(const pw_back *b) {
  double e[3];
  pw_mech_energy(b->mech, b->t, b->q, b->u, b->side, e);
  return e[0] + e[1] - e[2];
}

/* Row j of those that have impulses: the equalities, then the contact. */
static int row_of(const turning *w, int j) {
  return j < w->m - 1 ? j : w->row;
}

/* One step of Newton's method towards the rate `target`; its length in the metric, NAN: none. */
static double step(turning *w, double target) {
  pw_back *b = w->back;
  const pw_frame *f = &b->frame;
  int n = f->n;
  pw_mech_momenta(b->mech, b->t, b->q, b->u, b->side, w->momenta);
  for (int i = 0; i < n; i++) {
    w->c[i] = w->p[i] - w->momenta[i];
  }
  pw_chol_forward(f->L, n, w->c);
  for (int j = 0; j < w->m; j++) {
    int row = row_of(w, j);
    const double *a = f->A + (size_t)row * (size_t)n;
    double wanted = row == w->row ? target : 0;
    w->x[j] = (f->rate[row] - wanted) / f->length[row] + pw_dot(a, w->c, n);
    for (int i = 0; i < w->m; i++) {
      w->A[j * w->m + i] = pw_dot(f->A + (size_t)row_of(w, i) * (size_t)n, a, n);
    }
  }
  if (pw_lu(w->A, w->m, w->pivot) != 0) {
    return NAN;
  }
  pw_lu_solve(w->A, w->m, w->pivot, w->x);
  for (int j = 0; j < w->m; j++) {
    pw_axpy(-w->x[j], f->A + (size_t)row_of(w, j) * (size_t)n, w->c, n);
  }
  double length = pw_norm2(w->c, n);
  pw_frame_back(f, w->c);
  return length;
}

/* The velocity before, for a rate of the contact; steps are halved where the model has no value. */
static bool reach(turning *w, double target) {
  pw_back *b = w->back;
  for (int round = 0; round < ROUNDS; round++) {
    double length = step(w, target);
    if (!isfinite(length)) {
      return false;
    }
    pw_axpy(1, w->c, b->u, b->frame.n);
    for (int half = 0; pw_back_look(b) != PAWL_OK; half++) {
      pw_axpy(-ldexp(1, -half - 1), w->c, b->u, b->frame.n);
      if (half == ROUNDS) {
        return false;
      }
    }
    if (length <= PW_SCALE(PAST_NEWTON) * b->speed) {
      return true;
    }
  }
  return false;
}

/* Regula falsi on sigma, with the value at the end that stays halved (Illinois). */
static bool solve(turning *w, double e, double after) {
  double low = 0, high = 1, at_low, at_high, goal;
  if (!reach(w, 0)) {
    return false;
  }
  double plastic = energy_of(w->back), more = after - plastic;
  goal = plastic + more / (e * e);
  at_low = plastic - goal;
  for (int k = 0; k < ROUNDS; k++) { /* until the energy before is between both */
    if (!reach(w, -high * w->rate / e)) {
      return false;
    }
    at_high = energy_of(w->back) - goal;
    if (at_high >= 0) {
      break;
    }
    low = high;
    at_low = at_high;
    high *= 2;
  }
  for (int k = 0, last = 0; k < ROUNDS && at_high > PW_SCALE(PAST_NEWTON) * more; k++) {
    double sigma = high - at_high * (high - low) / (at_high - at_low);
    if (!reach(w, -sigma * w->rate / e)) {
      return false;
    }
    double here = energy_of(w->back) - goal;
    if (fabs(here) <= PW_SCALE(PAST_NEWTON) * more || !(high - low > 0)) {
      break;
    }
    bool above = here >= 0;
    at_low = above ? (last > 0 ? at_low / 2 : at_low) : here;
    at_high = above ? here : (last < 0 ? at_high / 2 : at_high);
    low = above ? low : sigma;
    high = above ? sigma : high;
    last = above ? 1 : -1;
  }
  return true;
}

/* What is due to the motion of a wall itself: the rate that is left without velocities. */
static bool is_moving(const pw_frame *f, int row) {
  const double *a = f->A + (size_t)row * (size_t)f->n;
  double own = f->rate[row] / f->length[row] - pw_dot(a, f->c_velocity, f->n);
  return fabs(own) > PW_SCALE(PAST_ZERO) * pw_norm2(f->c_velocity, f->n);
}

static pawl_status make_room(turning *w, int n) {
  size_t m = (size_t)w->m;
  w->A = calloc(m * m + 1, sizeof *w->A);
  w->x = calloc(m + 1, sizeof *w->x);
  w->c = calloc(2 * (size_t)n + 1, sizeof *w->c);
  w->pivot = calloc(m + 1, sizeof *w->pivot);
  w->momenta = w->c == NULL ? NULL : w->c + n;
  return w->A != NULL && w->x != NULL && w->c != NULL && w->pivot != NULL ? PAWL_OK : PAWL_E_MEMORY;
}

pawl_status pw_past_by_momenta(pawl_past *p, int law, double *before, double *impulse) {
  pw_back *b = &p->back;
  int n = p->sys->nv, row = p->sys->nc + law;
  double e = b->restitution[law], *kept = calloc(2 * (size_t)n + 1, sizeof *kept);
  turning w = {.back = b, .row = row, .m = p->sys->nc + 1, .rate = b->frame.rate[row]};
  pawl_status status = kept == NULL ? PAWL_E_MEMORY : make_room(&w, n);
  before[0] = NAN;
  if (status == PAWL_OK && e > 0 && p->sys->n_state == 0 && !is_moving(&b->frame, row)) {
    memcpy(kept, b->u, (size_t)n * sizeof *kept);
    pw_mech_momenta(b->mech, b->t, b->q, b->u, b->side, kept + n);
    w.p = kept + n;
    double after = energy_of(b);
    if (solve(&w, e, after)) {
      memcpy(before, b->u, (size_t)n * sizeof *before);
      *impulse = w.x[w.m - 1] / b->frame.length[row];
    }
    pw_back_place(b, b->t, b->q, kept);
    status = pw_back_look(b);
  }
  free(w.A);
  free(w.x);
  free(w.c);
  free(w.pivot);
  free(kept);
  return status;
}
