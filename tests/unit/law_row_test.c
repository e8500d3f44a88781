// SPDX-License-Identifier: MIT
#include "law/row.h"

#include <math.h>

#include "check.h"

static pw_law_form form(pw_kind kind) {
  return (pw_law_form){
      .kind = kind, .on = -1, .contact = -1, .group = -1, .width = 1, .by = -1, .unit = 1};
}

static void contacts_push_only(void) {
  pw_law_form f = form(PW_KIND_UNILATERAL);
  f.wall = true;
  pw_law_row row = {.form = &f, .limit = -1};
  pw_law_set set = pw_law_set_at_kink(&row, (pw_law_hold){0});
  CHECK_NEAR(set.lo, 0, 0);
  CHECK(isinf(set.hi) && set.hi > 0);
}

static void static_friction_holds_more(void) {
  pw_law_form f = form(PW_KIND_FRICTION);
  pw_law_row row = {.form = &f, .left = -2, .right = 2, .limit = 3};
  pw_law_set slips = pw_law_set_at_kink(&row, (pw_law_hold){0});
  pw_law_set sticks = pw_law_set_at_kink(&row, (pw_law_hold){.sticks = true});
  CHECK_NEAR(slips.lo, -2, 0);
  CHECK_NEAR(slips.hi, 2, 0);
  CHECK_NEAR(sticks.lo, -3, 0);
  CHECK_NEAR(sticks.hi, 3, 0);
  CHECK_NEAR(pw_law_force_beside(&row, 1), -2, 0);
  CHECK_NEAR(pw_law_force_beside(&row, -1), 2, 0);
}

static void slips_in_a_plane_have_disks(void) {
  pw_law_form f = form(PW_KIND_FRICTION);
  f.group = 0;
  f.width = 2;
  pw_law_row row = {.form = &f, .left = -4, .right = 1, .limit = 5};
  pw_law_set set = pw_law_set_at_kink(&row, (pw_law_hold){0});
  CHECK_INT(set.shape, PW_LAW_ELLIPSE);
  CHECK_NEAR(set.axis[0], 4, 0);
  CHECK_NEAR(set.axis[1], 4, 0);
  CHECK_NEAR(pw_law_radius(&row, true), 5, 0);
}

static void negative_bounds_leave_no_force(void) {
  pw_law_form f = form(PW_KIND_FRICTION);
  pw_law_row row = {.form = &f, .left = 1, .right = -1, .limit = -1};
  pw_law_set set = pw_law_set_at_kink(&row, (pw_law_hold){0});
  CHECK(pw_law_set_is_empty(&set));
}

static void rounding_at_a_kink_leaves_one_force(void) {
  pw_law_form f = form(PW_KIND_SPRING);
  pw_law_row row = {.form = &f, .left = 1e-12, .right = -1e-12, .limit = -1};
  pw_law_set set = pw_law_set_at_kink(&row, (pw_law_hold){0});
  CHECK_NEAR(set.lo, 0, 0);
  CHECK_NEAR(set.hi, 0, 0);
}

static void one_way_servos_push_along_their_covector(void) {
  pw_law_form f = form(PW_KIND_SERVO);
  f.one_way = true;
  pw_law_row row = {.form = &f, .limit = -1};
  pw_law_set up = pw_law_set_at_kink(&row, (pw_law_hold){.pushes = true});
  pw_law_set down = pw_law_set_at_kink(&row, (pw_law_hold){0});
  CHECK(up.lo == 0 && isinf(up.hi));
  CHECK(isinf(down.lo) && down.hi == 0);
}

static void multipliers_that_carry_hold_both_ways(void) {
  pw_law_form f = form(PW_KIND_INERTIA);
  f.wall = f.complementary = true;
  pw_law_row row = {.form = &f, .limit = -1};
  pw_law_set held = pw_law_set_at_kink(&row, (pw_law_hold){.carries = true});
  pw_law_set at_zero = pw_law_set_at_kink(&row, (pw_law_hold){0});
  CHECK(isinf(held.lo) && isinf(held.hi));
  CHECK(at_zero.lo == 0 && isinf(at_zero.hi));
}

static void only_larger_bounds_of_sticking_stay(void) {
  pw_law_form f = form(PW_KIND_FRICTION);
  pw_law_row row = {.form = &f, .left = -2, .right = 1, .limit = 2.5};
  pw_law_keep_larger_limit(&row);
  CHECK_NEAR(row.limit, 2.5, 0);
  row.limit = 2;
  pw_law_keep_larger_limit(&row);
  CHECK_NEAR(row.limit, -1, 0);

  f.group = 0;
  f.width = 2;
  row.limit = 1.5;
  pw_law_keep_larger_limit(&row);
  CHECK_NEAR(row.limit, -1, 0);
}

static void rough_rows_are_no_walls(void) {
  pw_law_form rough = form(PW_KIND_ROUGH), contact = form(PW_KIND_UNILATERAL);
  rough.wall = contact.wall = rough.on_velocity = true;
  CHECK(pw_law_is_rough(&rough) && !pw_law_is_wall(&rough) && !pw_law_is_slip(&rough));
  CHECK(!pw_law_is_rough(&contact) && pw_law_is_wall(&contact));
  pw_law_form slip = form(PW_KIND_FRICTION);
  slip.on_velocity = true;
  CHECK(pw_law_is_slip(&slip));
  slip.equality = true;
  CHECK(!pw_law_is_slip(&slip));
}

/* An elliptic cone with axes m1 = 0.5, m2 = 0.2: the measure is the slip times m2/m1. */
static void units_keep_the_power(void) {
  pw_law_form f = form(PW_KIND_FRICTION);
  f.unit = 0.2 / 0.5;
  f.shift = 3;
  double slip = 7, lambda = -1.5, value = f.unit * (slip - f.shift);
  CHECK_NEAR(pw_law_measure(&f, value), slip, 1e-15);
  CHECK_NEAR(pw_law_force(&f, lambda) * (slip - f.shift), lambda * value, 1e-15);
  CHECK_NEAR(pw_law_multiplier(&f, pw_law_force(&f, lambda)), lambda, 1e-15);
}

static void check_set(pw_law_set set, double lo, double hi) {
  CHECK(set.lo == lo && set.hi == hi);
}

/* What a measurement admits: a side has one force, the kink all between, a doubtful side both. */
static void a_row_has_the_forces_of_what_is_seen(void) {
  pw_law_form f = form(PW_KIND_FRICTION);
  pw_law_row row = {.form = &f, .left = -2, .right = 1, .limit = -1};
  pw_law_hold none = {0}, up = {.pushes = true};
  check_set(pw_law_set_seen(&row, (pw_law_sight){.side = 1}, none), -1, -1);
  check_set(pw_law_set_seen(&row, (pw_law_sight){.side = -1}, none), 2, 2);
  check_set(pw_law_set_seen(&row, (pw_law_sight){0}, none), -1, 2);
  check_set(pw_law_set_seen(&row, (pw_law_sight){.side = 1, .unsure = true}, none), -1, 2);
  row.limit = 3;
  check_set(pw_law_set_seen(&row, (pw_law_sight){0}, none), -3, 3);

  f = form(PW_KIND_UNILATERAL);
  f.wall = true;
  check_set(pw_law_set_seen(&row, (pw_law_sight){.side = 1}, none), 0, 0);
  check_set(pw_law_set_seen(&row, (pw_law_sight){.side = -1}, none), 0, INFINITY);
  f.complementary = true;
  check_set(pw_law_set_seen(&row, (pw_law_sight){.is_state = true}, up), -INFINITY, INFINITY);
  check_set(pw_law_set_seen(&row, (pw_law_sight){.side = 1, .is_state = true}, up), 0, 0);

  f = form(PW_KIND_SERVO);
  check_set(pw_law_set_seen(&row, (pw_law_sight){0}, up), -INFINITY, INFINITY);
  check_set(pw_law_set_seen(&row, (pw_law_sight){.side = 1}, up), 0, 0);
  f.wall = true;
  check_set(pw_law_set_seen(&row, (pw_law_sight){0}, up), 0, INFINITY);
  check_set(pw_law_set_seen(&row, (pw_law_sight){0}, none), -INFINITY, 0);
  check_set(pw_law_set_seen(&row, (pw_law_sight){.side = 1}, up), 0, 0);
}

/* Beside a kink the sides of a graph may have crossed. */
static void sides_that_have_crossed_count_alone(void) {
  pw_law_hold none = {0};
  pw_law_form f = form(PW_KIND_SPRING);
  pw_law_row row = {.form = &f, .left = 3, .right = 1, .limit = -1};
  check_set(pw_law_set_near(&row, none, 0.1), -1, -1);
  check_set(pw_law_set_near(&row, none, -0.1), -3, -3);
  row.left = -3;
  check_set(pw_law_set_near(&row, none, 0.1), -1, 3);

  f = form(PW_KIND_FRICTION);
  f.on_velocity = true;
  row.left = 0.5; /* beyond a pole of F/(1 + v) */
  row.right = -2;
  check_set(pw_law_set_near(&row, none, -1), 0, 0);
  row.left = -4;
  row.right = -5;
  check_set(pw_law_set_near(&row, none, -1), -4, 4);
  row = (pw_law_row){.form = &f, .left = -2, .right = 1, .limit = 3};
  CHECK_NEAR(pw_law_bound(&row, false, -1), 2, 0);
  CHECK_NEAR(pw_law_bound(&row, false, 1), 1, 0);
  CHECK_NEAR(pw_law_bound(&row, true, 1), 3, 0);
}

CHECK_MAIN({"a_row_has_the_forces_of_what_is_seen", a_row_has_the_forces_of_what_is_seen},
           {"sides_that_have_crossed_count_alone", sides_that_have_crossed_count_alone},
           {"units_keep_the_power", units_keep_the_power},
           {"only_larger_bounds_of_sticking_stay", only_larger_bounds_of_sticking_stay},
           {"rough_rows_are_no_walls", rough_rows_are_no_walls},
           {"contacts_push_only", contacts_push_only},
           {"static_friction_holds_more", static_friction_holds_more},
           {"slips_in_a_plane_have_disks", slips_in_a_plane_have_disks},
           {"negative_bounds_leave_no_force", negative_bounds_leave_no_force},
           {"rounding_at_a_kink_leaves_one_force", rounding_at_a_kink_leaves_one_force},
           {"one_way_servos_push_along_their_covector", one_way_servos_push_along_their_covector},
           {"multipliers_that_carry_hold_both_ways", multipliers_that_carry_hold_both_ways})
