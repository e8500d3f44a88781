// SPDX-License-Identifier: MIT
/* Fixed points of maps that magnify in some directions. */
#include "sim/mix.h"

#include <math.h>

#include "check.h"

enum { N = 8 };

/* G(x) = D x + r with D diagonal: the fixed point is r_i / (1 - d_i). */
static const double scale[N] = {-7, 12, 0.3, 0.2, 0.1, -0.1, 0.05, 0.01};

static double distance(const double *x, const double *shift) {
  double most = 0;
  for (int i = 0; i < N; i++) {
    most = fmax(most, fabs(x[i] - shift[i] / (1 - scale[i])));
  }
  return most;
}

static int rounds(bool mixed, double bend, double *far) {
  double memory[512], x[N] = {0}, value[N], shift[N];
  pw_mix m;
  CHECK(pw_mix_size(N) <= sizeof memory / sizeof *memory);
  pw_mix_init(&m, N, memory);
  pw_mix_begin(&m);
  for (int i = 0; i < N; i++) {
    shift[i] = 1 + 0.1 * i;
  }
  int k = 0;
  for (; k < 60 && !(distance(x, shift) < 1e-11); k++) {
    for (int i = 0; i < N; i++) {
      double d = x[i] - shift[i] / (1 - scale[i]);
      value[i] = scale[i] * x[i] + shift[i] + bend * d * d;
    }
    if (mixed) {
      pw_mix_next(&m, value, x);
    } else {
      memcpy(x, value, sizeof x);
    }
  }
  *far = distance(x, shift);
  return k;
}

static void magnifying_maps_have_fixed_points(void) {
  double far;
  CHECK(rounds(false, 0, &far) == 60 && !(far < 1e10));
  CHECK(rounds(true, 0, &far) <= 20);
  CHECK_NEAR(far, 0, 1e-11);
  CHECK(rounds(true, 0.01, &far) <= 30);
  CHECK_NEAR(far, 0, 1e-11);
}

/* A second run is not mixed with the first. */
static void beginning_anew(void) {
  double memory[512], x[1] = {0}, value[1] = {4};
  pw_mix m;
  pw_mix_init(&m, 1, memory);
  pw_mix_begin(&m);
  pw_mix_next(&m, value, x);
  CHECK_NEAR(x[0], 4, 0); /* one value: itself */
  value[0] = 3 * x[0] + 4;
  pw_mix_next(&m, value, x);
  CHECK_NEAR(x[0], -2, 1e-14); /* two: the secant */
  pw_mix_begin(&m);
  value[0] = 5;
  pw_mix_next(&m, value, x);
  CHECK_NEAR(x[0], 5, 0);
}

CHECK_MAIN({"magnifying_maps_have_fixed_points", magnifying_maps_have_fixed_points},
           {"beginning_anew", beginning_anew})
