// SPDX-License-Identifier: MIT
#include "law/zero.h"

#include "check.h"
#include "law/scale_mech.h"
#include "law/scale_static.h"

static pw_law_form on(bool velocity) {
  return (pw_law_form){.kind = PW_KIND_UNILATERAL,
                       .on = -1,
                       .contact = -1,
                       .group = -1,
                       .by = -1,
                       .unit = 1,
                       .on_velocity = velocity,
                       .wall = true};
}

/* |2*3| + |-1*4| = 10 linear terms. */
static void rooms_of_the_start_follow_terms_and_rounding(void) {
  const double J[2] = {2, -1}, x[2] = {3, 4}, none[2] = {0, 0};
  double rounding = 7 * PW_SCALE(ROUNDED_ROW);
  CHECK_NEAR(pw_zero_room_of_start(J, x, 2, 7), 10 * PW_SCALE(START_TERMS) + rounding, 1e-20);
  CHECK_NEAR(pw_zero_room_of_start(J, none, 2, 7), rounding, 1e-24);
  CHECK_NEAR(pw_zero_room_of_start(J, none, 2, 0), 0, 0);
}

static void rooms_of_a_motion_add_both_parts(void) {
  pw_zero_parts parts = pw_zero_of_motion();
  CHECK_NEAR(pw_zero_room(parts, 7, 0), 7 * PW_SCALE(INSTANT_TERMS), 0);
  CHECK_NEAR(pw_zero_room(parts, 0, 3), 3 * PW_SCALE(INSTANT_DRIFT), 0);
  CHECK_NEAR(pw_zero_room((pw_zero_parts){0.5, 0.25}, 2, 4), 2, 0);
}

static void signs_are_zero_up_to_their_room(void) {
  pw_law_form f = on(false);
  pw_law_room room = {.value = 0.1, .rate = 0.01};
  pw_law_row row = {.form = &f, .value = 0.1, .rate = -0.01};
  pw_law_sign s = pw_law_sign_of(&row, room);
  CHECK(s.value == 0 && s.rate == 0 && s.at_kink);

  row.value = 0.11;
  row.rate = -0.011;
  s = pw_law_sign_of(&row, room);
  CHECK(s.value == 1 && s.rate == -1 && !s.at_kink);

  row.value = -0.11;
  s = pw_law_sign_of(&row, room);
  CHECK(s.value == -1 && !s.at_kink);
}

/* On positions the rate decides, too; a constraint on velocities has no rate to wait for. */
static void forces_are_open_at_the_kink_alone(void) {
  pw_law_form position = on(false), velocity = on(true);
  pw_law_room room = {.value = 0.1, .rate = 0.1};
  pw_law_row row = {.form = &position, .value = 0, .rate = 1};
  CHECK(!pw_law_sign_of(&row, room).at_kink);
  row.form = &velocity;
  CHECK(pw_law_sign_of(&row, room).at_kink);
}

CHECK_MAIN({"rooms_of_the_start_follow_terms_and_rounding",
            rooms_of_the_start_follow_terms_and_rounding},
           {"rooms_of_a_motion_add_both_parts", rooms_of_a_motion_add_both_parts},
           {"signs_are_zero_up_to_their_room", signs_are_zero_up_to_their_room},
           {"forces_are_open_at_the_kink_alone", forces_are_open_at_the_kink_alone})
