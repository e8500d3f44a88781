// SPDX-License-Identifier: MIT
/* Coulomb friction as complementary pairs: a block of unit mass on a floor with friction 0.5. */
#include "solve/stick_pairs.h"

#include "check.h"
#include "solve/mlcp.h"

enum { ROOM = 2000 };

typedef struct block {
  double x[2], lo[2], hi[2], D[9], b[3], low[3], high[3], v[3];
  int m;
} block;

/* Rows: normal, slip. z are the accelerations without contact forces. */
static block solve(double z_normal, double z_slip, const bool *reversed) {
  static const double unit[4] = {1, 0, 0, 1}, mu[2] = {0, 0.5};
  static const int normal[2] = {-1, 0};
  const double z[2] = {z_normal, z_slip}, lo[2] = {0, -99}, hi[2] = {INFINITY, 99};
  double real[ROOM];
  int whole[ROOM];
  pw_stick_rows rows = {2, 2, unit, unit, z, lo, hi, mu, normal, reversed};
  block k = {.m = pw_stick_unknowns(2, normal)};
  pw_stick_assemble(&rows, k.m, k.D, k.b, k.low, k.high);
  pw_box_lcp lcp = {.m = k.m, .D = k.D, .b = k.b, .lo = k.low, .hi = k.high};
  pw_mlcp_info info;
  CHECK(pw_mlcp_doubles(3) <= ROOM && pw_mlcp_ints(3) <= ROOM);
  CHECK(pw_mlcp_solve(&lcp, NULL, k.v, real, whole, &info) == PW_SOLVED);
  pw_stick_result(2, mu, normal, k.v, k.lo, k.hi, k.x);
  return k;
}

static void blocks_stick_below_the_cone(void) {
  block k = solve(-10, 3, NULL);
  CHECK_INT(k.m, 3);
  CHECK_NEAR(k.x[0], 10, 1e-12);
  CHECK_NEAR(k.x[1], -3, 1e-12);
  CHECK_NEAR(k.lo[1], -5, 1e-12);
  CHECK_NEAR(k.hi[1], 5, 1e-12);
}

static void blocks_slide_on_its_border(void) {
  block k = solve(-10, 8, NULL);
  CHECK_NEAR(k.x[1], -5, 1e-12);
  k = solve(-10, -8, NULL);
  CHECK_NEAR(k.x[1], 5, 1e-12);
}

static void blocks_that_lift_have_no_friction(void) {
  block k = solve(1, 8, NULL);
  CHECK_NEAR(k.x[0], 0, 0);
  CHECK_NEAR(k.x[1], 0, 0);
}

/* The signs of D, b and of the columns by hand. */
static void pairs_are_those_of_the_paper(void) {
  static const double A[4] = {1, 0, 0.5, 2}, B[4] = {1, 0.25, 0, 3}, mu[2] = {0, 0.5};
  static const int normal[2] = {-1, 0};
  const double z[2] = {-1, 4}, lo[2] = {0, 0}, hi[2] = {INFINITY, 0};
  bool reversed[2] = {false, true};
  double D[9], b[3], low[3], high[3], K[6];
  pw_stick_rows rows = {2, 2, A, B, z, lo, hi, mu, normal, reversed};
  pw_stick_assemble(&rows, 3, D, b, low, high);
  pw_stick_columns(&rows, 3, K);

  /* A^T B = ((1, 0), (1, 6)); row 1 turned; column 0 less mu column 1; the new pair */
  const double want[9] = {1, -1 + 3, 1, 0, -6, -1, 0, 1, 0};
  for (int i = 0; i < 9; i++) {
    CHECK_NEAR(D[i], want[i], 1e-15);
  }
  CHECK(b[0] == -1 && b[1] == -4 && b[2] == 0);
  CHECK(low[1] == 0 && isinf(high[1]) && low[2] == 0 && isinf(high[2]));
  const double moved[6] = {1, 0.25 - 1.5, 0, 3, 0, 0};
  for (int i = 0; i < 6; i++) {
    CHECK_NEAR(K[i], moved[i], 1e-15);
  }
}

CHECK_MAIN({"blocks_stick_below_the_cone", blocks_stick_below_the_cone},
           {"blocks_slide_on_its_border", blocks_slide_on_its_border},
           {"blocks_that_lift_have_no_friction", blocks_that_lift_have_no_friction},
           {"pairs_are_those_of_the_paper", pairs_are_those_of_the_paper})
