// SPDX-License-Identifier: MIT
#include "sim/zeno.h"

#include <float.h>
#include <math.h>
#include <string.h>

void pw_zeno_reset(pw_zeno *z) {
  z->n = 0;
}

void pw_zeno_hit(pw_zeno *z, double t, uint64_t key) {
  if (z->n == PW_ZENO_KEEP) {
    z->n--;
    memmove(z->t, z->t + 1, (size_t)z->n * sizeof *z->t);
    memmove(z->key, z->key + 1, (size_t)z->n * sizeof *z->key);
  }
  z->t[z->n] = t;
  z->key[z->n++] = key;
}

static bool repeats(const pw_zeno *z, int period) {
  for (int i = z->n - 1; i >= z->n - 2 * period; i--) {
    if (z->key[i] != z->key[i - period]) {
      return false;
    }
  }
  return true;
}

bool pw_zeno_accumulates(const pw_zeno *z, int *period, double *ratio, double *limit) {
  for (int p = 1; p <= PW_ZENO_PERIOD && 3 * p + 1 <= z->n; p++) {
    const double *t = z->t + z->n - 1;
    double last = t[0] - t[-p], before = t[-p] - t[-2 * p], first = t[-2 * p] - t[-3 * p];
    double now = last / before, then = before / first;
    double fuzz = 64 * DBL_EPSILON * fabs(t[0]) / last; /* of the ratios, by rounding */
    if (repeats(z, p) && 1 - now > 10 * fuzz && fabs(now - then) < 0.1 * (1 - now)) {
      *period = p;
      *ratio = now;
      *limit = t[0] + last * now / (1 - now);
      return true;
    }
  }
  return false;
}
