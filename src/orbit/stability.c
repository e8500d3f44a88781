// SPDX-License-Identifier: MIT
#include "orbit/stability.h"

#include <math.h>
#include <stdlib.h>

#include "linalg/qr.h"

typedef struct room { /* of the decomposition of a 2d x 2d matrix */
  double *real;
  int *whole;
} room;

static bool make_room(room *r, int d) {
  r->real = calloc(pw_qr_doubles(2 * d, 2 * d) + 1, sizeof *r->real);
  r->whole = calloc(pw_qr_ints(2 * d, 2 * d) + 1, sizeof *r->whole);
  return r->real != NULL && r->whole != NULL;
}

static double largest(const pw_return_matrix *m) {
  double most = 1; /* the multiplier that is asked about */
  for (int i = 0; i < m->d * m->d; i++) {
    most = fmax(most, fabs(m->D[i]));
  }
  return most;
}

/* D - (a + ib) as a real matrix [D - a, b; -b, D - a], and its smallest singular value. */
static double distance(const pw_return_matrix *m, const room *r, double a, double b) {
  int d = m->d, n = 2 * d;
  pw_qr qr;
  pw_qr_init(&qr, n, n, r->real, r->whole);
  for (int k = 0; k < n; k++) {
    for (int i = 0; i < n; i++) {
      bool same_half = (i < d) == (k < d), same = i % d == k % d;
      double entry = same_half ? m->D[(size_t)(k % d) * (size_t)d + (size_t)(i % d)] : 0;
      double taken = !same ? 0 : same_half ? a : i < d ? -b : b;
      qr.A[(size_t)k * (size_t)n + (size_t)i] = entry - taken;
    }
  }
  return pw_qr_decompose(&qr, 0) < n ? 0 : pw_qr_smallest(&qr);
}

bool pw_stability_of(const pw_return_matrix *m, const double *z, int count, pw_stability *out) {
  room r = {0};
  bool ok = make_room(&r, m->d), neutral = false, outside = false;
  double near = ok ? m->error * largest(m) : 0;
  for (int i = 0; i < count && ok; i++) {
    const double *at = z + 2 * (size_t)i;
    double size = hypot(at[0], at[1]);
    bool on_circle = size > 0 && distance(m, &r, at[0] / size, at[1] / size) <= near;
    neutral = neutral || on_circle;
    outside = outside || (!on_circle && size > 1);
  }
  *out = outside ? PW_UNSTABLE : neutral ? PW_NEUTRAL : PW_STABLE;
  free(r.real);
  free(r.whole);
  return ok;
}
