// SPDX-License-Identifier: MIT
/* Newton's method for P(x, p) = x, orbits (O3), and on a branch with p as an unknown and the plane
 * across its tangent as the last equation (O4). */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pi.h"
#include "law/scale_tangent.h"
#include "linalg/dense.h"
#include "linalg/qr.h"
#include "orbit/orbit.h"

enum { MOST_STEPS = 25 };

pawl_status pw_corrector_init(pw_corrector *c, pw_return_map *map) {
  size_t n = (size_t)map->n;
  *c = (pw_corrector){.map = map, .n = map->n};
  c->index = calloc(n + 1, sizeof *c->index);
  c->whole = calloc(pw_qr_ints((int)n + 1, (int)n + 1) + 1, sizeof *c->whole);
  double **of[] = {&c->x, &c->A, &c->b, &c->z, &c->scale, &c->predicted, &c->tangent, &c->real};
  size_t size[] = {n,     (n + 1) * (n + 1),
                   n + 1, n + 1,
                   n + 1, n + 1,
                   n + 1, pw_qr_doubles((int)n + 1, (int)n + 1)};
  bool ok = c->index != NULL && c->whole != NULL;
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    *of[i] = calloc(size[i] + 1, sizeof **of[i]);
    ok = ok && *of[i] != NULL;
  }
  for (int i = 0; i < map->n && ok; i++) {
    if (!map->drifts[i]) {
      c->index[c->d++] = i;
    }
  }
  return ok ? PAWL_OK : PAWL_E_MEMORY;
}

void pw_corrector_free(pw_corrector *c) {
  double *all[] = {c->x, c->A, c->b, c->z, c->scale, c->predicted, c->tangent, c->real};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    free(all[i]);
  }
  free(c->index);
  free(c->whole);
}

/* Sizes of positions and of velocities, by which changes are measured. One may be zero where the
 * orbit is cut; what changes at the rate r and comes back after T is about as large as r T/(2 pi),
 * which is exact for a harmonic motion. */
static void find_sizes(const pw_corrector *c, double quick, double size[2]) {
  int nq = c->map->system->sys->nq;
  size[0] = size[1] = 0;
  for (int i = 0; i < c->d; i++) {
    int k = c->index[i];
    double here = fmax(fabs(c->x[k]), fabs(c->map->image[k]));
    here = fmax(here, quick * fabs(c->map->rate[k]));
    size[k >= nq] = fmax(size[k >= nq], here);
  }
}

/* Near a rest nothing is left but rounding, which closes nowhere. What is as small as that, beside
 * where the search began or beside a swing of the other kind, is measured by it. A motion that
 * comes back to an event is no rest. */
static void measure(pw_corrector *c, bool begins) {
  int nq = c->map->system->sys->nq;
  static const double whole_turn = 2 * PW_PI;
  double quick = c->map->time / whole_turn, size[2];
  find_sizes(c, quick, size);
  double swing[2] = {quick * size[1], quick > 0 ? size[0] / quick : 0};
  for (int k = 0; k < 2; k++) {
    c->first[k] = begins ? fmax(size[k], swing[k]) : c->first[k];
    double beside = fmax(c->first[k], swing[k]);
    bool rests = c->map->period > 0 && size[k] <= PW_SCALE(ORBIT_CLOSES) * beside;
    size[k] = rests || size[k] == 0 ? beside : size[k];
  }
  for (int i = 0; i < c->n; i++) {
    c->scale[i] = size[i >= nq] > 0 ? size[i >= nq] : 1;
  }
}

/* Entry (i, k) of D - 1 in the unknowns. */
static double jacobian(const pw_corrector *c, int i, int k) {
  int row = c->index[i], column = c->index[k];
  return c->map->D[(size_t)column * (size_t)c->n + (size_t)row] - (row == column);
}

static double residual(pw_corrector *c) {
  double far = 0;
  for (int i = 0; i < c->d; i++) {
    int k = c->index[i];
    c->b[i] = c->x[k] - c->map->image[k];
    far = fmax(far, fabs(c->b[i]) / c->scale[k]);
  }
  return far;
}

/* The rank of D - 1 is that of a matrix with errors: where all motions close, it is 0 up to them.
 */
static double rank_tolerance(const pw_corrector *c, int n) {
  double column = 0, entry = 1; /* of the identity */
  for (int k = 0; k < n; k++) {
    column = fmax(column, pw_norm2(c->A + (size_t)k * (size_t)n, n));
  }
  for (int i = 0; i < c->d * c->d; i++) {
    entry = fmax(entry, fabs(c->A[(size_t)(i / c->d) * (size_t)n + (size_t)(i % c->d)]));
  }
  double error = pw_return_map_error(c->map) * entry;
  return fmax(PW_SCALE(JUMP_RANK), column > 0 ? error / column : 0);
}

/* z <- A^-1 b, n x n, the least one if A is singular. */
static bool solve(pw_corrector *c, int n) {
  pw_qr qr;
  pw_qr_init(&qr, n, n, c->real, c->whole);
  memcpy(qr.A, c->A, (size_t)n * (size_t)n * sizeof *c->A);
  bool ok = pw_qr_decompose(&qr, rank_tolerance(c, n)) > 0;
  pw_qr_least_squares(&qr, c->b, c->z);
  for (int i = 0; i < n; i++) {
    ok = ok && isfinite(c->z[i]);
  }
  return ok;
}

static void write_jacobian(pw_corrector *c, int n) {
  for (int k = 0; k < c->d; k++) {
    for (int i = 0; i < c->d; i++) {
      c->A[(size_t)k * (size_t)n + (size_t)i] = jacobian(c, i, k);
    }
  }
}

/* A wall that the section is on: the new state stands on it. */
static void put_on_section(pw_corrector *c) {
  pw_return_map_put_on_section(c->map, c->x);
}

/* It closes, and Newton's method gains no more, or there is nothing left to gain. */
static bool is_closed(const pw_corrector *c, double before) {
  return c->closes <= PW_SCALE(ORBIT_CLOSES) &&
         (!(c->closes < PW_SCALE(ORBIT_GAINS) * before) || c->closes <= DBL_EPSILON);
}

/* What closes to e lies within sqrt(e) of an orbit, at a fold; a longer step along directions in
 * which D - 1 is nearly singular leaves it for another one. */
static bool leaves(const pw_corrector *c) {
  double far = 0;
  for (int i = 0; i < c->d; i++) {
    far = fmax(far, fabs(c->z[i]) / c->scale[c->index[i]]);
  }
  return c->closes <= PW_SCALE(ORBIT_CLOSES) && far > sqrt(PW_SCALE(ORBIT_CLOSES));
}

pawl_status pw_correct(pw_corrector *c, bool *found) {
  double before = INFINITY;
  *found = false;
  for (int step = 0; step < MOST_STEPS; step++) {
    /* the residual x - P(x), in units of the size of the motion */
    pawl_status status = pw_return_map_apply(c->map, c->x);
    if (status != PAWL_OK || c->map->why != NULL) {
      return status;
    }
    measure(c, step == 0);
    c->closes = residual(c);
    if (is_closed(c, before)) {
      *found = true;
      return PAWL_OK;
    }

    /* it diverges, or there is no unknown to change */
    if (!(c->closes < PW_SCALE(ORBIT_GROWS) * before) || c->d == 0) {
      return PAWL_OK;
    }

    /* (D - 1) z = x - P(x); without a step that helps, what closes already is the orbit */
    before = c->closes;
    write_jacobian(c, c->d);
    if (!solve(c, c->d) || leaves(c)) {
      *found = c->closes <= PW_SCALE(ORBIT_CLOSES);
      return PAWL_OK;
    }

    /* the new state, back on the section */
    for (int i = 0; i < c->d; i++) {
      c->x[c->index[i]] += c->z[i];
    }
    put_on_section(c);
  }
  return PAWL_OK;
}

/* ---- along a branch ---- */

/* The parameter in units of its range, so that it counts like a state. */
static double unit(const pw_corrector *c) {
  double range = fabs(c->map->opts->end - c->map->opts->begin);
  return range > 0 ? range : 1;
}

static void write_branch(pw_corrector *c, const double *last) {
  int n = c->d + 1;
  write_jacobian(c, n);
  for (int i = 0; i < c->d; i++) {
    int k = c->index[i];
    c->A[(size_t)c->d * (size_t)n + (size_t)i] = c->map->Dp[k] * unit(c);
    c->A[(size_t)i * (size_t)n + (size_t)c->d] = last[k] / (c->scale[k] * c->scale[k]);
  }
  c->A[(size_t)c->d * (size_t)n + (size_t)c->d] = last[c->n];
}

bool pw_branch_slope(pw_corrector *c, const double *before, double *out) {
  double *plain = c->predicted; /* free here */
  memset(plain, 0, (size_t)(c->n + 1) * sizeof *plain);
  plain[c->n] = c->map->opts->end >= c->map->opts->begin ? 1 : -1;
  write_branch(c, before != NULL ? before : plain);
  memset(c->b, 0, (size_t)(c->d + 1) * sizeof *c->b);
  c->b[c->d] = 1;
  if (!solve(c, c->d + 1)) {
    return false;
  }
  double size = c->z[c->d] * c->z[c->d];
  for (int i = 0; i < c->d; i++) {
    double part = c->z[i] / c->scale[c->index[i]];
    size += part * part;
  }
  size = sqrt(size);
  memset(out, 0, (size_t)(c->n + 1) * sizeof *out);
  for (int i = 0; i < c->d; i++) {
    out[c->index[i]] = c->z[i] / size;
  }
  out[c->n] = c->z[c->d] / size;
  return size > 0 && isfinite(size);
}

/* (z - predicted) . tangent in units of the scales. */
static double off_plane(const pw_corrector *c) {
  double sum = (c->map->value - c->predicted[c->n]) / unit(c) * c->tangent[c->n];
  for (int i = 0; i < c->d; i++) {
    int k = c->index[i];
    sum += (c->x[k] - c->predicted[k]) / c->scale[k] * c->tangent[k] / c->scale[k];
  }
  return sum;
}

pawl_status pw_correct_along(pw_corrector *c, pawl_diags *diags, bool *found) {
  double before = INFINITY;
  *found = false;
  for (int step = 0; step < MOST_STEPS; step++) {
    pawl_status status = pw_return_map_apply(c->map, c->x);
    if (status != PAWL_OK || c->map->why != NULL) {
      return status;
    }

    /* the residual x - P(x) at this parameter */
    c->closes = residual(c);
    if (is_closed(c, before)) {
      *found = true;
      return PAWL_OK;
    }

    /* it diverges: the branch is not met from this prediction */
    if (!(c->closes < PW_SCALE(BRANCH_GROWS) * before) || !(c->closes < 1)) {
      return PAWL_OK;
    }

    /* Newton with the parameter as one more unknown and the plane across the tangent as a row */
    before = c->closes;
    c->b[c->d] = -off_plane(c);
    write_branch(c, c->tangent);
    if (!solve(c, c->d + 1)) {
      return PAWL_OK;
    }

    /* state and parameter move together */
    for (int i = 0; i < c->d; i++) {
      c->x[c->index[i]] += c->z[i];
    }
    status = pw_return_map_set(c->map, c->map->value + c->z[c->d] * unit(c), c->x, diags);
    if (status != PAWL_OK) {
      return status == PAWL_E_MEMORY ? status : PAWL_OK;
    }
    put_on_section(c);
  }
  return PAWL_OK;
}
