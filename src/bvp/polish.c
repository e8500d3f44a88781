// SPDX-License-Identifier: MIT
/* Newton's method on the ends of trial motions, and whether the solution it comes to is isolated.
 * Derivatives are differences of motions, which is what costs: they are made once and then follow
 * the steps (Broyden's update) as long as these do what they promise. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bvp/search.h"
#include "linalg/dense.h"
#include "linalg/qr.h"

enum { MAX_NEWTON = 40, PATIENCE = 6 };
static const double arrived = 1e-9; /* largest residual of a solution, in the problem's lengths */
static const double tolerance[] = {1e-8, 1e-12}; /* of the ends of trials, coarse and fine */

typedef struct newton {
  double *r, *last, *step, *trial; /* m, m, d, d */
  double *A, *ahead, *back;        /* m x d each: derivatives, and those to one side */
  pw_qr qr;
} newton;

static bool take_newton(pw_shoot *x, newton *n, double **real, int **whole) {
  size_t m = (size_t)x->m, d = (size_t)x->d;
  *real = malloc((2 * m + 2 * d + 3 * m * d + pw_qr_doubles(x->m, x->d)) * sizeof **real);
  *whole = malloc((pw_qr_ints(x->m, x->d) + 1) * sizeof **whole);
  if (*real == NULL || *whole == NULL) {
    x->no_memory = true;
    return false;
  }
  *n = (newton){.r = *real};
  n->last = n->r + m;
  n->step = n->last + m;
  n->trial = n->step + d;
  n->A = n->trial + d;
  n->ahead = n->A + m * d;
  n->back = n->ahead + m * d;
  pw_qr_init(&n->qr, x->m, x->d, n->back + m * d, *whole);
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

/* Half steps until the residual falls; what was moved goes to n->step. */
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

/* The step ends much nearer to a known solution than it begins: the next ones will, too. */
static bool aims_at(const pw_shoot *x, const pw_bvp_found *known, const double *s,
                    const double *step) {
  for (int i = 0; known != NULL && i < known->n; i++) {
    const double *root = known->s + (size_t)i * (size_t)known->d;
    double far = 0, then = 0;
    for (int k = 0; k < x->d; k++) {
      far = fmax(far, fabs(s[k] - root[k]));
      then = fmax(then, fabs(s[k] - step[k] - root[k]));
    }
    if (far < 0.1 * x->reach && then < 0.1 * far) {
      return true;
    }
  }
  return false;
}

/* From s with r(s) in n->r, its size in *size, until this is below the errors of the trials. */
static void iterate(pw_shoot *x, newton *n, double *s, bool fine, const pw_bvp_found *known,
                    double *size) {
  double enough = tolerance[fine], at_first = *size;
  bool fresh = false, stale = true;
  for (int k = 0; *size > enough / 10 && k < MAX_NEWTON && !x->stopped; k++) {
    if (stale && !differences(x, n, s, fine ? 1e-6 : 1e-5, fine, n->A)) {
      return;
    }
    fresh = fresh || stale;
    if (decompose(x, n, n->A, 1e-10) <= 0) {
      return;
    }
    pw_qr_least_squares(&n->qr, n->r, n->step);
    if (fresh && aims_at(x, known, s, n->step)) {
      *size = INFINITY;
      return;
    }
    double before = *size;
    bool moved = damped_step(x, n, s, fresh && *size > enough ? 1e-3 : 0.6, size, fine);
    if (!moved && (fresh || *size <= enough)) {
      return;
    }
    stale = !(*size < before / 2);
    if (!stale) {
      follow(x, n, n->step);
    }
    fresh = false;
    if (!fine && k % PATIENCE == PATIENCE - 1) {
      if (!(*size < at_first / 10)) {
        return;
      }
      at_first = *size;
    }
  }
}

bool pw_polish(pw_shoot *x, double *s, bool fine, const pw_bvp_found *known) {
  newton n;
  double *real, size = INFINITY;
  int *whole;
  if (take_newton(x, &n, &real, &whole) && pw_shoot_fly(x, s, fine).ok) {
    memcpy(n.r, x->r, (size_t)x->m * sizeof *n.r);
    size = pw_norm2(n.r, x->m);
    iterate(x, &n, s, fine, known, &size);
  }
  free(real);
  free(whole);
  return size <= (fine ? arrived : 1e-5);
}

bool pw_improve(pw_shoot *x, double *s, pw_bvp_found *found) {
  bool ok = pw_polish(x, s, false, found) && !pw_found_has(found, s, 1e-4 * x->reach);
  return !ok || !pw_polish(x, s, true, NULL) || pw_found_add(found, s, 1e-6 * x->reach);
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

/* From a step along the direction Newton's method comes back to an isolated root, also to a
 * multiple one, and stays away where there are roots beside it. */
static bool has_neighbour(pw_shoot *x, const double *s, const double *way, double *trial) {
  static const double steps[] = {0.03, -0.03, 0.003, -0.003};
  for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
    double far = 0, step = steps[k] * x->reach;
    for (int i = 0; i < x->d; i++) {
      trial[i] = s[i] + step * way[i];
    }
    bool ok = pw_shoot_fly(x, trial, true).miss <= arrived || pw_polish(x, trial, true, NULL);
    for (int i = 0; i < x->d; i++) {
      far = fmax(far, fabs(trial[i] - s[i]));
    }
    if (ok && far > fabs(step) / 4) {
      return true;
    }
  }
  return false;
}

/* Parameters by which derivatives A say that there are neighbours; 0: none. */
static int family_by(pw_shoot *x, newton *n, const double *s, const double *A) {
  bool none = pw_norm2(A, x->m * x->d) * x->reach < 1e-4; /* but for errors of the motions */
  int rank = none ? 0 : decompose(x, n, A, 1e-6);
  if (none) {
    memset(n->step, 0, (size_t)x->d * sizeof *n->step);
    n->step[0] = 1;
  } else if (rank >= 0 && rank < x->d) {
    null_direction(x, n, A);
  }
  bool free = rank >= 0 && rank < x->d && has_neighbour(x, s, n->step, n->trial);
  return free ? x->d - rank : 0;
}

/* At the edge of a family only the derivatives to one side tell. */
int pw_family_of(pw_shoot *x, const double *s) {
  newton n;
  double *real;
  int *whole, family = 0;
  bool ok = take_newton(x, &n, &real, &whole) && x->d > 0 && pw_shoot_fly(x, s, true).ok;
  if (ok) {
    memcpy(n.r, x->r, (size_t)x->m * sizeof *n.r);
    bool ahead = differences(x, &n, s, 1e-6, true, n.ahead);
    bool back = differences(x, &n, s, -1e-6, true, n.back);
    for (int i = 0; i < x->m * x->d; i++) {
      n.A[i] = (n.ahead[i] + n.back[i]) / 2;
    }
    family = ahead && back ? family_by(x, &n, s, n.A) : 0;
    family = family == 0 && ahead ? family_by(x, &n, s, n.ahead) : family;
    family = family == 0 && back ? family_by(x, &n, s, n.back) : family;
  }
  free(real);
  free(whole);
  return family;
}
