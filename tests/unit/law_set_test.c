// SPDX-License-Identifier: MIT
#include "law/set.h"

#include <stdint.h>

#include "base/real.h"
#include "check.h"

static double unit_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) / 9007199254740992.0;
}

static void intervals_project_and_support(void) {
  pw_law_set set = pw_law_interval(-2, 5);
  double x = 7, nearest, at;
  pw_law_set_project(&set, &x, &nearest);
  CHECK_NEAR(nearest, 5, 0);
  CHECK_NEAR(pw_law_set_distance(&set, &x), 2, 0);
  CHECK(!pw_law_set_contains(&set, &x, 1.5));
  CHECK(pw_law_set_contains(&set, &x, 2));

  double d = -3;
  CHECK_NEAR(pw_law_set_support(&set, &d, &at), 6, 0);
  CHECK_NEAR(at, -2, 0);
  double edge[2];
  CHECK_INT(pw_law_set_edges(&set, 2, edge), 2);
  CHECK_NEAR(edge[0], -2, 0);
  CHECK_NEAR(edge[1], 5, 0);
}

static void unbounded_and_empty_intervals(void) {
  pw_law_set wall = pw_law_interval(0, INFINITY), none = pw_law_interval(1, -1);
  double up = 1, edge[2];
  CHECK(isinf(pw_law_set_support(&wall, &up, NULL)));
  CHECK_INT(pw_law_set_edges(&wall, 2, edge), 1);
  CHECK(pw_law_set_is_empty(&none));
  CHECK(!pw_law_set_contains(&none, &up, 100));

  pw_law_set slack = pw_law_set_scaled(wall, 0); /* 0 times infinity is 0 */
  CHECK_NEAR(slack.hi, 0, 0);
  pw_law_set bad = pw_law_interval(NAN, 1);
  CHECK(pw_law_set_is_empty(&bad));
}

static void disks_are_round(void) {
  pw_law_set disk = pw_law_disk(2);
  double x[2] = {3, 4}, nearest[2];
  pw_law_set_project(&disk, x, nearest);
  CHECK_NEAR(nearest[0], 1.2, 1e-15);
  CHECK_NEAR(nearest[1], 1.6, 1e-15);
  CHECK_NEAR(pw_law_set_distance(&disk, x), 3, 1e-15);
  CHECK_NEAR(pw_law_set_support(&disk, x, nearest), 10, 1e-15);
  CHECK_NEAR(nearest[0], 1.2, 1e-15);
}

/* The nearest point p of a convex set: (x - p).(y - p) <= 0 for all y of the set. */
static void ellipses_project_to_the_nearest_point(void) {
  uint64_t state = 7;
  for (uint64_t seed = 1; seed <= 2000; seed++) {
    double a = exp(8 * unit_random(&state) - 4), b = exp(8 * unit_random(&state) - 4);
    pw_law_set set = pw_law_ellipse(a, b);
    double x[2] = {3 * a * (unit_random(&state) - 0.5), 3 * b * (unit_random(&state) - 0.5)};
    double p[2], size = hypot(x[0], x[1]) + a + b;
    pw_law_set_project(&set, x, p);
    CHECK_SEED(hypot(p[0] / a, p[1] / b) <= 1 + 1e-12, seed);

    double n[2] = {x[0] - p[0], x[1] - p[1]};
    double most = pw_law_set_support(&set, n, NULL);
    CHECK_SEED(most - (n[0] * p[0] + n[1] * p[1]) <= 1e-12 * size * size, seed);
  }
}

static void flat_ellipses_are_segments(void) {
  pw_law_set set = pw_law_ellipse(0, 3);
  double x[2] = {1, -5}, p[2];
  pw_law_set_project(&set, x, p);
  CHECK_NEAR(p[0], 0, 0);
  CHECK_NEAR(p[1], -3, 0);
  pw_law_set point = pw_law_ellipse(0, 0);
  CHECK_NEAR(pw_law_set_distance(&point, x), sqrt(26), 1e-15);
}

/* Against differences of the projection; inside it is the identity. */
static void slopes_of_projections_are_exact(void) {
  uint64_t state = 3;
  for (uint64_t seed = 1; seed <= 1000; seed++) {
    double a = exp(2 * unit_random(&state) - 1), b = exp(2 * unit_random(&state) - 1);
    pw_law_set set = seed % 4 == 0 ? pw_law_disk(a) : pw_law_ellipse(a, b);
    double x[2] = {4 * (unit_random(&state) - 0.5), 4 * (unit_random(&state) - 0.5)}, P[4];
    x[seed % 5 == 0] *= seed % 5 < 2 ? 0 : 1;
    if (fabs(hypot(x[0] / set.axis[0], x[1] / set.axis[1]) - 1) < 1e-3) {
      continue; /* the projection has a kink there */
    }
    pw_law_set_project_slope(&set, x, P);
    for (int j = 0; j < 2; j++) {
      double h = 1e-6, up[2] = {x[0], x[1]}, down[2] = {x[0], x[1]}, p[2], q[2];
      up[j] += h;
      down[j] -= h;
      pw_law_set_project(&set, up, p);
      pw_law_set_project(&set, down, q);
      CHECK_SEED(fabs((p[0] - q[0]) / (2 * h) - P[2 * j]) < 1e-8, seed);
      CHECK_SEED(fabs((p[1] - q[1]) / (2 * h) - P[2 * j + 1]) < 1e-8, seed);
    }
  }
  pw_law_set box = pw_law_interval(-1, 2), segment = pw_law_ellipse(2, 0);
  double P[4], in = 1.5, out = -1.5, x[2] = {1, 5};
  pw_law_set_project_slope(&box, &in, P);
  CHECK_NEAR(P[0], 1, 0);
  pw_law_set_project_slope(&box, &out, P);
  CHECK_NEAR(P[0], 0, 0);
  pw_law_set_project_slope(&segment, x, P);
  CHECK(P[0] == 1 && P[1] == 0 && P[2] == 0 && P[3] == 0);
}

/* Random ellipsoids and balls: the nearest point is on the border, what is left is along the normal
 * there, x_i/a_i^2, and the slope is that of differences. */
static void ellipsoids_project_to_the_nearest_point(void) {
  uint64_t state = 5;
  for (uint64_t seed = 1; seed <= 1000; seed++) {
    pw_law_set set = pw_law_ball(0.2 + 2.8 * unit_random(&state), 3);
    for (int i = 0; i < 3 && seed % 3 != 0; i++) {
      set.axis[i] = 0.2 + 2.8 * unit_random(&state);
    }
    double x[3], out[3], normal[3], size = 0, P[9], scaled[3];
    for (int i = 0; i < 3; i++) {
      x[i] = -4 + 8 * unit_random(&state);
      scaled[i] = x[i] / set.axis[i];
    }
    pw_law_set_project(&set, x, out);
    double far = pw_law_set_distance(&set, x);
    if (fabs(pw_length(scaled, 3) - 1) < 1e-3) {
      continue; /* the projection has a kink there */
    }
    if (pw_length(scaled, 3) < 1) {
      CHECK_SEED(out[0] == x[0] && out[1] == x[1] && out[2] == x[2] && far == 0, seed);
      continue;
    }
    for (int i = 0; i < 3; i++) {
      scaled[i] = out[i] / set.axis[i];
      normal[i] = out[i] / (set.axis[i] * set.axis[i]);
      size = hypot(size, normal[i]);
    }
    CHECK_SEED(fabs(pw_length(scaled, 3) - 1) < 1e-14, seed);
    for (int i = 0; i < 3; i++) {
      CHECK_SEED(fabs(x[i] - out[i] - far * normal[i] / size) < 1e-12, seed);
    }
    pw_law_set_project_slope(&set, x, P);
    for (int j = 0; j < 3; j++) {
      double h = 1e-6, up[3] = {x[0], x[1], x[2]}, down[3] = {x[0], x[1], x[2]}, p[3], q[3];
      up[j] += h;
      down[j] -= h;
      pw_law_set_project(&set, up, p);
      pw_law_set_project(&set, down, q);
      for (int i = 0; i < 3; i++) {
        CHECK_SEED(fabs((p[i] - q[i]) / (2 * h) - P[3 * j + i]) < 1e-7, seed);
      }
    }
  }
}

static void balls_are_round_in_space(void) {
  pw_law_set ball = pw_law_ball(2, 3), line = pw_law_ball(2, 1), flat = ball;
  double d[3] = {1, 2, 2}, most[3], x[3] = {3, 5, 4};
  CHECK_INT(pw_law_set_dimension(&ball), 3);
  CHECK(line.lo == -2 && line.hi == 2);
  CHECK_NEAR(pw_law_set_support(&ball, d, most), 6, 1e-15);
  CHECK_NEAR(most[2], 4.0 / 3, 1e-15);
  CHECK_NEAR(pw_law_set_distance(&ball, (double[3]){2, 4, 4}), 4, 1e-14);
  flat.axis[1] = 0; /* a disk across the second axis */
  pw_law_set_project(&flat, x, most);
  CHECK(most[1] == 0);
  CHECK_NEAR(most[0], 1.2, 1e-14);
  CHECK_NEAR(most[2], 1.6, 1e-14);
}

static void extents_are_the_ranges_of_components(void) {
  pw_law_set box = pw_law_interval(-1, 2), oval = pw_law_ellipse(3, 4);
  CHECK(pw_law_set_extent(&box, 0).lo == -1 && pw_law_set_extent(&box, 0).hi == 2);
  CHECK(pw_law_set_extent(&oval, 0).hi == 3 && pw_law_set_extent(&oval, 1).lo == -4);
}

static void polygons_contain_the_ellipse(void) {
  pw_law_set set = pw_law_ellipse(2, 0.5);
  double edge[2 * 64], d[2] = {0.3, -1.1};
  int n = pw_law_set_edges(&set, 64, edge);
  double most = -INFINITY, support = pw_law_set_support(&set, d, NULL);
  for (int i = 0; i < n; i++) {
    most = fmax(most, d[0] * edge[2 * i] + d[1] * edge[2 * i + 1]);
  }
  CHECK_INT(n, 64);
  CHECK(most >= support - 1e-15);
  CHECK_NEAR(most, support, 0.01);
}

static void hulls_contain_both(void) {
  pw_law_set a = pw_law_set_hull(pw_law_point(-1), pw_law_pushes());
  CHECK(a.lo == -1 && isinf(a.hi));
  a = pw_law_set_hull(pw_law_point(NAN), pw_law_interval(1, 2));
  CHECK(a.lo == 1 && a.hi == 2 && pw_law_set_is_number(&a));
  a = pw_law_set_with_zero(pw_law_interval(1, 2));
  CHECK(a.lo == 0 && a.hi == 2);
  pw_law_set disk = pw_law_disk(2), cut = pw_law_set_with_zero(disk), none = pw_law_disk(NAN);
  CHECK(cut.axis[0] == 2 && cut.axis[1] == 2);
  CHECK(pw_law_set_is_larger(&disk, &(pw_law_set){.shape = PW_LAW_ELLIPSE, .axis = {1, 1}}));
  CHECK(!pw_law_set_is_number(&none));
}

CHECK_MAIN({"hulls_contain_both", hulls_contain_both},
           {"intervals_project_and_support", intervals_project_and_support},
           {"unbounded_and_empty_intervals", unbounded_and_empty_intervals},
           {"disks_are_round", disks_are_round},
           {"ellipses_project_to_the_nearest_point", ellipses_project_to_the_nearest_point},
           {"flat_ellipses_are_segments", flat_ellipses_are_segments},
           {"slopes_of_projections_are_exact", slopes_of_projections_are_exact},
           {"ellipsoids_project_to_the_nearest_point", ellipsoids_project_to_the_nearest_point},
           {"balls_are_round_in_space", balls_are_round_in_space},
           {"extents_are_the_ranges_of_components", extents_are_the_ranges_of_components},
           {"polygons_contain_the_ellipse", polygons_contain_the_ellipse})
