// SPDX-License-Identifier: MIT
/* The variations that every certificate of a file is tried with: cubic B-splines that vanish at
 * both ends, along each coordinate and of the time. */
#include "verify/vary.h"

#include "base/real.h"
#include "linalg/dense.h"

/* The cubic B-spline on 0 .. 4 and its derivative, by its symmetry about 2. */
static void spline(double x, double *value, double *slope) {
  double y = x < 2 ? x : 4 - x, side = x < 2 ? 1 : -1;
  if (!(y > 0)) {
    *value = *slope = 0;
  } else if (y < 1) {
    *value = y * y * y / 6;
    *slope = side * y * y / 2;
  } else {
    double z = y - 1;
    *value = (1 + 3 * z + 3 * z * z - 3 * z * z * z) / 6;
    *slope = side * (1 + 2 * z - 3 * z * z) / 2;
  }
}

static void bump(double t, void *payload, double *w, double *rate) {
  const pw_bump *b = payload;
  double value, slope;
  spline((t - b->from) / b->step, &value, &slope);
  for (int i = 0; i < b->n; i++) {
    w[i] = rate[i] = 0;
  }
  int at = b->along < 0 ? 0 : b->along;
  w[at] = b->height * value;
  rate[at] = b->height * slope / b->step;
}

pawl_status pw_family_add(pw_family *f, pawl_vary *v, double from, double to,
                          const double *extent) {
  int n = v->sys->nv, along = n < PW_FAMILY_MOST ? n : PW_FAMILY_MOST;
  double step = (to - from) / (PW_FAMILY_BUMPS + 3);
  double largest = pw_norm2(extent, n);
  pawl_status status = PAWL_OK;
  for (int k = -1; k < along; k++) {
    double height = k < 0 ? step : largest > 0 ? pw_max(extent[k], 1e-3 * largest) : 1;
    for (int i = 0; i < PW_FAMILY_BUMPS && status == PAWL_OK; i++) {
      pw_bump *b = &f->bump[f->n++];
      *b = (pw_bump){from + i * step, step, height, k, k < 0 ? 1 : n};
      status = pawl_vary_add(v, k < 0, bump, b);
    }
  }
  return status;
}
