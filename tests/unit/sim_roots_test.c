// SPDX-License-Identifier: MIT
/* Root isolation: simple, double, close and grazing roots, roots at step ends, noise, zero. */
#include "sim/roots.h"

#include <float.h>
#include <stdlib.h>

#include "../check.h"

typedef double (*function)(double x, double p);

static int find(function f, double p, double a, double b, pw_root *out, pw_root_trust *refine) {
  double w[PW_ROOT_SAMPLES];
  for (int j = 0; j < PW_ROOT_SAMPLES; j++) {
    w[j] = f(a + (b - a) * pw_roots_node(j), p);
  }
  pw_root_poly poly;
  pw_roots_fit(w, &poly);
  return pw_roots_find(&poly, out, refine);
}

static double line(double x, double p) {
  return x - p;
}
static double parabola(double x, double p) {
  return (x - 0.4) * (x - 0.4) + p;
}
static double pair(double x, double p) {
  return (x - 0.37) * (x - 0.37 - p);
}
static double cubic(double x, double p) {
  return (x - p) * (x - p) * (x - p);
}
static double wave(double x, double p) {
  return sin(p * x + 0.1);
}
static double zero(double x, double p) {
  return 0 * x * p;
}
static double from_zero(double x, double p) {
  return x * (x - p);
}
static double touch_zero(double x, double p) {
  return x * x * (x - p);
}
static double bump(double x, double p) {
  return (1 - x) * (1 - x) + p;
}

static void simple_roots(void) {
  pw_root r[PW_ROOT_MAX];
  pw_root_trust refine;
  for (int i = 1; i <= 64; i++) { /* also at every dyadic point and at the end */
    double p = i / 64.0;
    CHECK_INT(find(line, p, 0, 1, r, &refine), 1);
    CHECK(r[0].kind == PW_ROOT_RISING && !refine);
    CHECK_NEAR(r[0].x, p, 1e-14);
    CHECK(r[0].lo <= r[0].x && r[0].x <= r[0].hi);
    CHECK(p > 0.9999 || fabs(r[0].slope - 1) < 1e-6 || r[0].slope == 0);
  }
  CHECK_INT(find(line, 1.5, 0, 1, r, &refine), 0);
  CHECK_INT(find(line, -1e-9, 0, 1, r, &refine), 0);
  CHECK_INT(find(cubic, 0.5, 0, 1, r, &refine), 1);
  CHECK(r[0].kind == PW_ROOT_RISING);
  CHECK_NEAR(r[0].x, 0.5, 1e-4);
}

static void pairs_are_not_missed(void) {
  pw_root r[PW_ROOT_MAX];
  pw_root_trust refine;
  static const double gap[] = {0.3, 1e-2, 1e-3, 1e-4, 1e-5, 2e-6, 1e-6};
  for (int i = 0; i < 7; i++) {
    CHECK_INT(find(pair, gap[i], 0, 1, r, &refine), 2);
    CHECK(r[0].kind == PW_ROOT_FALLING && r[1].kind == PW_ROOT_RISING);
    CHECK_NEAR(r[0].x, 0.37, 1e-8);
    CHECK_NEAR(r[1].x, 0.37 + gap[i], 1e-8);
  }
  CHECK_INT(find(parabola, -1e-3, 0, 1, r, &refine), 2);
  CHECK_INT(find(parabola, 1e-3, 0, 1, r, &refine), 0);
  CHECK_INT(find(parabola, 1e-10, 0, 1, r, &refine), 0);
}

static void tangency_is_grazing(void) {
  pw_root r[PW_ROOT_MAX];
  pw_root_trust refine;
  CHECK_INT(find(parabola, 0, 0, 1, r, &refine), 1);
  CHECK(r[0].kind == PW_ROOT_GRAZING && refine == PW_ROOTS_NARROW);
  CHECK_NEAR(r[0].x, 0.4, 1e-6);
  CHECK_INT(find(parabola, 1e-16, 0, 1, r, &refine), 1);
  CHECK(r[0].kind == PW_ROOT_GRAZING);
}

static void many_roots(void) {
  pw_root r[PW_ROOT_MAX];
  pw_root_trust refine;
  int total = 0;
  double last = 0;
  for (int k = 0; k < 64; k++) { /* sin(20 pi x + 0.1) has 20 roots in (0, 1) */
    int n = find(wave, 20 * acos(-1), k / 64.0, (k + 1) / 64.0, r, &refine);
    CHECK(!refine);
    for (int i = 0; i < n; i++) {
      double x = (k + r[i].x) / 64.0;
      CHECK(x > last);
      CHECK_NEAR(wave(x, 20 * acos(-1)), 0, 1e-5);
      CHECK((r[i].kind == PW_ROOT_FALLING) == (total % 2 == 0));
      last = x;
      total++;
    }
  }
  CHECK_INT(total, 20);
  (void)find(wave, 200, 0, 1, r, &refine); /* nine samples cannot follow */
  CHECK(refine);
}

/* Steps that meet exactly at a root, or within rounding of it, count it once. */
static void step_ends_count_once(void) {
  pw_root r[PW_ROOT_MAX];
  pw_root_trust refine;
  for (int k = -40; k <= 40; k++) {
    double p = 0.5 * (1 + k * DBL_EPSILON);
    int n = find(line, p, 0, 0.5, r, &refine) + find(line, p, 0.5, 1, r, &refine);
    CHECK_INT(n, 1);
  }
  CHECK_INT(find(line, 0.5, 0, 0.5, r, &refine), 1);
  CHECK(r[0].x == 1);
}

static void known_root_at_the_left(void) {
  pw_root r[PW_ROOT_MAX];
  pw_root_trust refine;
  CHECK_INT(find(from_zero, 0.7, 0, 1, r, &refine), 1);
  CHECK_NEAR(r[0].x, 0.7, 1e-12);
  CHECK(r[0].kind == PW_ROOT_RISING);
  CHECK_INT(find(from_zero, 1e-3, 0, 1, r, &refine), 1);
  CHECK_NEAR(r[0].x, 1e-3, 1e-12);
  CHECK_INT(find(from_zero, -1e-3, 0, 1, r, &refine), 0);
  CHECK_INT(find(touch_zero, 0.6, 0, 1, r, &refine), 1);
  CHECK_NEAR(r[0].x, 0.6, 1e-12);
  CHECK_INT(find(touch_zero, -0.6, 0, 1, r, &refine), 0);
  CHECK_INT(find(bump, 1e-3, 0, 1, r, &refine), 0);
}

static void zero_and_nan(void) {
  pw_root r[PW_ROOT_MAX];
  pw_root_trust refine;
  CHECK_INT(find(zero, 1, 0, 1, r, &refine), 0);
  CHECK(!refine);
  CHECK_INT(find(line, NAN, 0, 1, r, &refine), 0);
  CHECK(refine);
}

static double noise(double x, double p) {
  return 1e-16 * sin(1e9 * x + p);
}

static void noise_is_not_trusted(void) {
  pw_root r[PW_ROOT_MAX];
  pw_root_trust refine;
  for (int i = 0; i < 50; i++) {
    (void)find(noise, i, 0, 1, r, &refine);
    CHECK(refine);
  }
}

/* Random polynomials of degree 6 with roots on a grid, against the roots themselves. */
static void random_polynomials(void) {
  for (unsigned seed = 1; seed <= 300; seed++) {
    srand(seed);
    double root[6], w[PW_ROOT_SAMPLES];
    int inside = 0;
    for (int i = 0; i < 6; i++) {
      root[i] = (rand() % 1000) / 400.0 - 0.7 + 1e-4 * i + 0.00005;
      inside += root[i] > 0 && root[i] < 1;
    }
    double least = 1;
    for (int i = 0; i < 6; i++) {
      for (int j = 0; j < i; j++) {
        least = fmin(least, fabs(root[i] - root[j]));
      }
      least = fmin(least, fmin(fabs(root[i]), fabs(root[i] - 1)));
    }
    for (int j = 0; j < PW_ROOT_SAMPLES; j++) {
      w[j] = 1;
      for (int i = 0; i < 6; i++) {
        w[j] *= pw_roots_node(j) - root[i];
      }
    }
    pw_root_poly poly;
    pw_root r[PW_ROOT_MAX];
    pw_root_trust refine;
    pw_roots_fit(w, &poly);
    int n = pw_roots_find(&poly, r, &refine);
    if (least > 2e-3) {
      CHECK_SEED(n == inside && !refine, seed);
    }
  }
}

CHECK_MAIN({"simple_roots", simple_roots}, {"pairs_are_not_missed", pairs_are_not_missed},
           {"tangency_is_grazing", tangency_is_grazing}, {"many_roots", many_roots},
           {"step_ends_count_once", step_ends_count_once},
           {"known_root_at_the_left", known_root_at_the_left}, {"zero_and_nan", zero_and_nan},
           {"noise_is_not_trusted", noise_is_not_trusted},
           {"random_polynomials", random_polynomials})
