// SPDX-License-Identifier: MIT
/* Newton's method on the ends of trial motions, and whether the solution it converges to is
 * isolated. Derivatives are differences of motions, which are expensive: they are computed once and
 * then updated by Broyden's method as long as the steps converge as predicted. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/layout.h"
#include "bvp/search.h"
#include "law/scale_bvp.h"
#include "linalg/dense.h"
#include "linalg/qr.h"

enum {
  MAX_NEWTON = 40, /* iterations */
  PATIENCE = 6     /* iterations of coarse trials within which the residual must fall */
};

typedef struct newton {
  void *memory;
  double *r, *last, *step, *trial; /* m, m, d, d */
  double *A, *ahead, *back;        /* m x d each: derivatives, and one-sided derivatives */
  double *real;                    /* of the factorisation */
  int *whole;
  pw_qr qr;
} newton;

static void lay_out(newton *n, const pw_shoot *x, pw_layout *l) {
  size_t m = (size_t)x->m, d = (size_t)x->d;
  n->r = PW_LAY(l, m, double);
  n->last = PW_LAY(l, m, double);
  n->step = PW_LAY(l, d, double);
  n->trial = PW_LAY(l, d, double);
  n->A = PW_LAY(l, m * d, double);
  n->ahead = PW_LAY(l, m * d, double);
  n->back = PW_LAY(l, m * d, double);
  n->real = PW_LAY(l, pw_qr_doubles(x->m, x->d), double);
  n->whole = PW_LAY(l, pw_qr_ints(x->m, x->d), int);
}

/* To be freed: n->memory. False: out of memory. */
static bool take_newton(const pw_shoot *x, newton *n) {
  pw_layout l = {0};
  *n = (newton){0};
  lay_out(n, x, &l);
  n->memory = calloc(1, l.size);
  if (n->memory == NULL) {
    x->tally->no_memory = true;
    return false;
  }
  l = pw_layout_in(n->memory);
  lay_out(n, x, &l);
  pw_qr_init(&n->qr, x->m, x->d, n->real, n->whole);
  return true;
}

/* ---- derivatives ---- */

/* (r(s + h e_k) - r(s))/h along each unknown into out; n->r is r(s), h in parts of the reach. */
static bool differences(pw_shoot *x, newton *n, const double *s, double h, bool fine, double *out) {
  for (int k = 0; k < x->d; k++) {
    double *column = out + (size_t)k * (size_t)x->m;
    memcpy(n->trial, s, (size_t)x->d * sizeof *s);
    n->trial[k] += h * x->reach;
    if (!pw_shoot_fly(x, n->trial, fine).ok) {
      return false;
    }
    for (int i = 0; i < x->m; i++) {
      column[i] = (x->r[i] - n->r[i]) / (n->trial[k] - s[k]);
    }
  }
  return true;
}

/* The least change that makes A the slope of the last step: A += (dr - A ds) ds^T / ds^2. */
static void follow(const pw_shoot *x, newton *n, const double *ds) {
  double size = pw_dot(ds, ds, x->d);
  for (int i = 0; i < x->m; i++) {
    double off = n->r[i] - n->last[i];
    for (int k = 0; k < x->d; k++) {
      off -= n->A[(size_t)k * (size_t)x->m + (size_t)i] * ds[k];
    }
    for (int k = 0; k < x->d; k++) {
      n->A[(size_t)k * (size_t)x->m + (size_t)i] += off * ds[k] / size;
    }
  }
}

static int decompose(const pw_shoot *x, newton *n, const double *A, double singular) {
  n->qr.n = x->m;
  n->qr.m = x->d;
  n->qr.limit = x->m < x->d ? x->m : x->d;
  memcpy(n->qr.A, A, (size_t)x->m * (size_t)x->d * sizeof *A);
  return pw_qr_decompose(&n->qr, singular);
}

/* ---- steps ---- */

/* Halves the step until the residual falls; the step taken goes to n->step. */
static bool damped_step(pw_shoot *x, newton *n, double *s, double least, double *size, bool fine) {
  for (double part = 1; part > least; part /= 2) {
    for (int k = 0; k < x->d; k++) {
      n->trial[k] = s[k] - part * n->step[k];
    }
    pw_flight f = pw_shoot_fly(x, n->trial, fine);
    double now = f.ok ? pw_norm2(x->r, x->m) : INFINITY;
    if (now < *size) {
      *size = now;
      for (int k = 0; k < x->d; k++) {
        n->step[k] = n->trial[k] - s[k];
      }
      memcpy(s, n->trial, (size_t)x->d * sizeof *s);
      memcpy(n->last, n->r, (size_t)x->m * sizeof *n->r);
      memcpy(n->r, x->r, (size_t)x->m * sizeof *n->r);
      return true;
    }
  }
  return false;
}

/* The step ends much nearer to a known solution than it begins, so the iteration converges to
 * it. */
static bool aims_at(const pw_shoot *x, const pw_bvp_found *known, const double *s,
                    const double *step) {
  for (int i = 0; known != NULL && i < known->n; i++) {
    const double *root = known->s + (size_t)i * (size_t)known->d;
    double far = 0, then = 0;
    for (int k = 0; k < x->d; k++) {
      far = fmax(far, fabs(s[k] - root[k]));
      then = fmax(then, fabs(s[k] - step[k] - root[k]));
    }
    if (far < PW_SCALE(BVP_AIM) * x->reach && then < PW_SCALE(BVP_AIM) * far) {
      return true;
    }
  }
  return false;
}

/* Newton's method from s with r(s) in n->r, its size in *size. */
typedef struct course {
  bool fine;
  const pw_bvp_found *known; /* or NULL */
  double enough;             /* errors of the trials */
} course;

/* One iteration. `stale`: derivatives are recomputed; on return, whether this is needed next time.
 * False: the iteration ends. */
static bool iterate_once(pw_shoot *x, newton *n, const course *c, double *s, double *size,
                         bool *stale) {
  double h = c->fine ? PW_SCALE(BVP_STEP_FINE) : PW_SCALE(BVP_STEP_COARSE);
  bool fresh = *stale;
  if (fresh && !differences(x, n, s, h, c->fine, n->A)) {
    return false;
  }
  if (decompose(x, n, n->A, PW_SCALE(BVP_SINGULAR)) <= 0) {
    return false;
  }
  pw_qr_least_squares(&n->qr, n->r, n->step);
  if (fresh && aims_at(x, c->known, s, n->step)) {
    *size = INFINITY;
    return false;
  }

  /* a step, damped only where derivatives are new and the residual is no error of the trials */
  double before = *size;
  bool damps = fresh && before > c->enough;
  double least = damps ? PW_SCALE(BVP_DAMPED) : PW_SCALE(BVP_UNDAMPED);
  bool moved = damped_step(x, n, s, least, size, c->fine);
  if (!moved && (fresh || *size <= c->enough)) {
    return false;
  }

  *stale = !(*size < before / 2);
  if (!*stale) {
    follow(x, n, n->step);
  }
  return true;
}

/* Until the residual is below the errors of the trials. Coarse trials are given up if it does not
 * fall in some iterations. */
static void iterate(pw_shoot *x, newton *n, const course *c, double *s, double *size) {
  double at_first = *size;
  bool stale = true;
  for (int k = 0; *size > c->enough / 10 && k < MAX_NEWTON && !x->tally->stopped; k++) {
    if (!iterate_once(x, n, c, s, size, &stale)) {
      return;
    }
    if (!c->fine && k % PATIENCE == PATIENCE - 1) {
      if (!(*size < PW_SCALE(BVP_PROGRESS) * at_first)) {
        return;
      }
      at_first = *size;
    }
  }
}

bool pw_polish(pw_shoot *x, double *s, bool fine, const pw_bvp_found *known) {
  newton n;
  course c = {
      .fine = fine, .known = known, .enough = fine ? PW_SCALE(BVP_FINE) : PW_SCALE(BVP_COARSE)};
  double size = INFINITY;
  if (take_newton(x, &n) && pw_shoot_fly(x, s, fine).ok) {
    memcpy(n.r, x->r, (size_t)x->m * sizeof *n.r);
    size = pw_norm2(n.r, x->m);
    iterate(x, &n, &c, s, &size);
  }
  free(n.memory);
  return size <= (fine ? PW_SCALE(BVP_ARRIVED) : PW_SCALE(BVP_ARRIVED_COARSE));
}

bool pw_improve(pw_shoot *x, double *s, pw_bvp_found *found) {
  double near = PW_SCALE(BVP_SAME_COARSE) * x->reach, same = PW_SCALE(BVP_SAME_SPEED) * x->reach;
  bool is_new = pw_polish(x, s, false, found) && !pw_found_has(found, s, near);
  return !is_new || !pw_polish(x, s, true, NULL) || pw_found_add(found, s, same);
}

/* ---- families ---- */

/* The unit vector that the factorised derivatives map nearest to zero, in n->step: the largest part
 * of a coordinate axis that is normal to the rows. A e_k - A (A^+ A e_k) needs A before. */
static void null_direction(pw_shoot *x, newton *n, const double *A) {
  double best = 0;
  for (int k = 0; k < x->d; k++) {
    pw_qr_least_squares(&n->qr, A + (size_t)k * (size_t)x->m, n->trial);
    n->trial[k] -= 1;
    double size = pw_norm2(n->trial, x->d);
    for (int i = 0; size > best && i < x->d; i++) {
      n->step[i] = n->trial[i] / size;
    }
    best = fmax(best, size);
  }
}

/* After a step along the direction, Newton's method returns to an isolated root, also to a multiple
 * one, and does not return if there are neighbouring roots. */
static bool has_neighbour(pw_shoot *x, const double *s, const double *way, double *trial) {
  const double wide = PW_SCALE(BVP_NEIGHBOUR), near = PW_SCALE(BVP_NEIGHBOUR_NEAR);
  const double steps[] = {wide, -wide, near, -near};
  for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
    double far = 0, step = steps[k] * x->reach;
    for (int i = 0; i < x->d; i++) {
      trial[i] = s[i] + step * way[i];
    }
    bool ok = pw_shoot_fly(x, trial, true).miss <= PW_SCALE(BVP_ARRIVED) ||
              pw_polish(x, trial, true, NULL);
    for (int i = 0; i < x->d; i++) {
      far = fmax(far, fabs(trial[i] - s[i]));
    }
    if (ok && far > fabs(step) / 4) {
      return true;
    }
  }
  return false;
}

/* Dimension of the family according to the derivatives A; 0: isolated. */
static int family_by(pw_shoot *x, newton *n, const double *s, const double *A) {
  bool none = pw_norm2(A, x->m * x->d) * x->reach < PW_SCALE(BVP_NO_SLOPE);
  int rank = none ? 0 : decompose(x, n, A, PW_SCALE(BVP_FAMILY));
  if (none) {
    memset(n->step, 0, (size_t)x->d * sizeof *n->step);
    n->step[0] = 1;
  } else if (rank >= 0 && rank < x->d) {
    null_direction(x, n, A);
  }
  bool free = rank >= 0 && rank < x->d && has_neighbour(x, s, n->step, n->trial);
  return free ? x->d - rank : 0;
}

/* At the edge of a family only the one-sided derivatives show it. */
int pw_family_of(pw_shoot *x, const double *s) {
  newton n;
  int family = 0;
  if (take_newton(x, &n) && x->d > 0 && pw_shoot_fly(x, s, true).ok) {
    memcpy(n.r, x->r, (size_t)x->m * sizeof *n.r);
    bool ahead = differences(x, &n, s, PW_SCALE(BVP_STEP_FINE), true, n.ahead);
    bool back = differences(x, &n, s, -PW_SCALE(BVP_STEP_FINE), true, n.back);
    for (int i = 0; i < x->m * x->d; i++) {
      n.A[i] = (n.ahead[i] + n.back[i]) / 2;
    }
    family = ahead && back ? family_by(x, &n, s, n.A) : 0;
    family = family == 0 && ahead ? family_by(x, &n, s, n.ahead) : family;
    family = family == 0 && back ? family_by(x, &n, s, n.back) : family;
  }
  free(n.memory);
  return family;
}
