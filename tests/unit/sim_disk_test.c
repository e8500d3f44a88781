// SPDX-License-Identifier: MIT
/* Slips in the plane in the local problem, against directions found by bisection and by hand. */
#include <math.h>

#include "sim_local_support.h"

enum { TURNS = 2000 };

/* normal_rate: of row 0, if the disk has a contact there. */
static bool solve(workbench *b, pw_disk *disk, double normal_rate) {
  const double zero[3] = {0};
  for (int k = 0; k < TURNS; k++) {
    pw_local_begin(&b->local, &b->frame, zero, (pw_local_way){0});
    if (disk->normal >= 0) {
      pw_local_take(&b->local, disk->normal, normal_rate, 0, INFINITY);
    }
    pw_disks_take(&b->local, disk, 1);
    if (pw_local_solve(&b->local) != PW_SOLVED) {
      return false;
    }
    if (!pw_disks_revise(&b->local, disk, 1, 1e-12)) {
      return true;
    }
  }
  return false;
}

/* Two rows of different inertia with coupling 0.6: y = drive - D R d. */
static const double skew_A[] = {1, 0, 0.6, 0.8};
static const double skew_length[] = {2, 0.5};

static double cross_of(const double *drive, double R, double angle) {
  double D[2][2] = {{4, 0.6}, {0.6, 0.25}}, d[2] = {cos(angle), sin(angle)};
  double y0 = drive[0] - R * (D[0][0] * d[0] + D[0][1] * d[1]);
  double y1 = drive[1] - R * (D[1][0] * d[0] + D[1][1] * d[1]);
  return y0 * d[1] - y1 * d[0];
}

static void sticks_within(void) {
  workbench b;
  set_up(&b, &(pw_system){.nv = 2, .nr = 2}, skew_A, skew_length);
  pw_disk disk = {.width = 2, .normal = -1, .radius = 1, .hold = 1, .drive = {1, 0.2}};
  CHECK(solve(&b, &disk, 0));
  CHECK(!disk.slides);
  double force[2];
  pw_local_forces(&b.local, force);
  CHECK_NEAR(4 * force[0] + 0.6 * force[1], -1, 1e-12);
  CHECK_NEAR(0.6 * force[0] + 0.25 * force[1], -0.2, 1e-12);
  tear_down(&b);
}

static void slides_along_the_root(void) {
  workbench b;
  set_up(&b, &(pw_system){.nv = 2, .nr = 2}, skew_A, skew_length);
  const double drive[] = {7, 3};
  pw_disk disk = {.width = 2, .normal = -1, .radius = 1, .hold = 1, .drive = {drive[0], drive[1]}};
  CHECK(solve(&b, &disk, 0));
  CHECK(disk.slides);
  double lo = 0, hi = 1.5707963267948966;
  CHECK(cross_of(drive, 1, lo) * cross_of(drive, 1, hi) < 0);
  for (int k = 0; k < 60; k++) {
    double middle = (lo + hi) / 2;
    bool same = cross_of(drive, 1, middle) * cross_of(drive, 1, lo) > 0;
    lo = same ? middle : lo;
    hi = same ? hi : middle;
  }
  CHECK_NEAR(atan2(disk.d[1], disk.d[0]), lo, 1e-10);
  double force[2];
  pw_local_forces(&b.local, force);
  CHECK_NEAR(hypot(force[0], force[1]), 1, 1e-12);
  tear_down(&b);
}

static void holds_more_than_it_slides_with(void) {
  workbench b;
  const double A[] = {1, 0, 0, 1}, length[] = {1, 1};
  set_up(&b, &(pw_system){.nv = 2, .nr = 2}, A, length);
  pw_disk held = {.width = 2, .normal = -1, .radius = 1, .hold = 2, .drive = {0, 1.5}};
  CHECK(solve(&b, &held, 0));
  CHECK(!held.slides);
  pw_disk reached = {
      .width = 2, .normal = -1, .radius = 1, .hold = 1.5, .drive = {0, 1.5}, .released = true};
  CHECK(solve(&b, &reached, 0));
  CHECK(reached.slides);
  CHECK_NEAR(reached.d[1], 1, 1e-14);
  CHECK_NEAR(b.local.y[1], 0.5, 1e-14);
  tear_down(&b);
}

/* A contact in space with mu = 0.5: the normal force 8 holds 4 of the 5 that pull along (3, 4). */
static void contact_bounds_the_disk(void) {
  workbench b;
  const double A[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, length[] = {1, 1, 1};
  set_up(&b, &(pw_system){.nv = 3, .nr = 3, .trait.oblique = true}, A, length);
  pw_disk disk = {.row = 1, .width = 2, .normal = 0, .radius = 0.5, .hold = 0.5, .drive = {3, 4}};
  CHECK(solve(&b, &disk, -8));
  CHECK(disk.slides);
  double force[3];
  pw_local_forces(&b.local, force);
  pw_disks_forces(&disk, 1, force);
  CHECK_NEAR(force[0], 8, 1e-12);
  CHECK_NEAR(force[1], -2.4, 1e-12);
  CHECK_NEAR(force[2], -3.2, 1e-12);
  pw_disk stuck = {.row = 1, .width = 2, .normal = 0, .radius = 0.5, .hold = 0.5, .drive = {3, 4}};
  CHECK(solve(&b, &stuck, -11));
  CHECK(!stuck.slides);
  tear_down(&b);
}

CHECK_MAIN({"sticks within the disk", sticks_within},
           {"slides along the root", slides_along_the_root},
           {"holds more than it slides with", holds_more_than_it_slides_with},
           {"a contact bounds the disk", contact_bounds_the_disk})
