// SPDX-License-Identifier: MIT
/* Which pair goes on: by errors of steps as a flight, a smooth motion or a mixture shows them. */
#include "sim/choice.h"

#include "check.h"
#include "pawl/pawl.h"

/* Notes n steps of one kind; returns how many until the pair changes, or n. */
static int steps_until_change(pw_choice *c, int n, double error, double size5, double size3) {
  pw_pair before = c->pair;
  for (int i = 1; i <= n; i++) {
    c->now = c->pair;
    c->size[0] = size5;
    c->size[1] = size3;
    pw_choice_note(c, error, 0);
    if (c->pair != before) {
      return i;
    }
  }
  return n;
}

static pw_choice begin(double tol) {
  pw_choice c = {.open = true};
  pw_choice_begin(&c, tol);
  return c;
}

static void tolerance_decides_at_first(void) {
  CHECK(begin(1e-9).pair == PW_PAIR_HIGH);
  CHECK(begin(1e-6).pair == PW_PAIR_HIGH);
  CHECK(begin(1e-5).pair == PW_PAIR_LOW);
  CHECK(begin(1e-2).pair == PW_PAIR_LOW);
}

/* Without errors, as in free flight, a step of order 5 does as much as one of order 8. */
static void flights_need_order_five(void) {
  pw_choice c = begin(1e-9);
  CHECK_INT(steps_until_change(&c, 1000, 0, 0, 0), 8);
  CHECK(c.pair == PW_PAIR_LOW);
  CHECK_INT(steps_until_change(&c, 100000, 0, 0, 0), 100000); /* and stays */
  CHECK_INT(c.made[1], 8);
  CHECK_INT(c.made[0], 100000);
}

/* (4/3) (e5 e3)^(1/10) is 5.3 for e5 e3 = 1e6 and 1.3 for 1: 9 evaluations times that against 18.
 */
static void estimates_tell_the_other_cost(void) {
  pw_choice c = begin(1e-9);
  CHECK_INT(steps_until_change(&c, 100000, 0.5, 1e3, 1e3), 100000);
  CHECK(c.pair == PW_PAIR_HIGH);
  CHECK_INT(steps_until_change(&c, 100, 0.5, 1, 1), 8);
  CHECK(c.pair == PW_PAIR_LOW);
}

/* Where the error limits steps of order 5, order 8 is tried; each change takes more patience. */
static void smooth_motions_come_back(void) {
  pw_choice c = begin(1e-9);
  int patience = 8;
  for (int k = 0; k < 5; k++) {
    CHECK_INT(steps_until_change(&c, 100000, 0, 0, 0), patience);
    CHECK_INT(steps_until_change(&c, 100000, 0.5, 0, 0), 2 * patience);
    CHECK(c.pair == PW_PAIR_HIGH);
    patience *= 4;
  }
  pw_choice coarse = begin(1e-3);
  CHECK_INT(steps_until_change(&coarse, 100000, 0.5, 0, 0), 100000); /* too coarse for order 8 */
}

static void steps_change_their_size(void) {
  pw_choice c = begin(1e-9);
  for (int i = 1; i < 8; i++) {
    c.now = PW_PAIR_HIGH;
    c.size[0] = c.size[1] = 1;
    CHECK_NEAR(pw_choice_note(&c, 0.5, 0), 1, 0);
  }
  CHECK_NEAR(pw_choice_note(&c, 0.5, 0), 0.75, 1e-12); /* of 4/3 steps each */
}

static void closed_choices_stay(void) {
  pw_choice c = {.open = false};
  pw_choice_begin(&c, 1e-9);
  CHECK_INT(steps_until_change(&c, 1000, 0, 0, 0), 1000);
  c.now = PW_PAIR_HIGH;
  pw_choice_undo(&c);
  CHECK_INT(c.made[1], 999);
}

static pawl_sim_stats run(const char *text, pawl_method method) {
  pawl_model *model = NULL;
  pawl_run *r = NULL;
  CHECK(pawl_model_parse(text, strlen(text), NULL, NULL, &model) == PAWL_OK);
  CHECK(pawl_run_new(model, &(pawl_run_opts){.sim = {.method = method}, .use_method = 1}, NULL,
                     &r) == PAWL_OK);
  CHECK(pawl_run_go(r, NULL) == PAWL_OK);
  pawl_sim_stats s = pawl_run_result_get(r).stats;
  CHECK_INT(pawl_run_result_get(r).failed, 0);
  pawl_run_free(r);
  pawl_model_free(model);
  return s;
}

/* Whole runs: a ball is left to order 5, an oscillator to order 8, and both cost less than with the
 * other. A choice of one's own is kept. */
static void runs_take_the_cheaper_pair(void) {
  static const char ball[] = "coordinates y\nkinetic T = 1/2*y'^2\npotential V = 10*y\n"
                             "constraint floor: y >= 0, restitution 1\nstart y = 1.25\n"
                             "run 0..100, every 100\nexpect energy.total = 12.5 +- 1e-6\n";
  static const char spring[] = "coordinates x\nkinetic T = 1/2*x'^2\npotential V = 1/2*x^2\n"
                               "start x = 1\nrun 0..100, every 100\n"
                               "expect x = cos(100) +- 1e-7\n";
  const char *const text[] = {ball, spring};
  for (int i = 0; i < 2; i++) {
    pawl_sim_stats low = run(text[i], PAWL_METHOD_DP5), high = run(text[i], PAWL_METHOD_DOP853),
                   open = run(text[i], PAWL_METHOD_AUTO);
    CHECK_INT(low.steps_dop853, 0);
    CHECK_INT(high.steps_dp5, 0);
    CHECK_INT(open.steps_dp5 + open.steps_dop853, open.steps);
    CHECK(open.method == (i == 0 ? PAWL_METHOD_DP5 : PAWL_METHOD_DOP853));
    CHECK(low.method == PAWL_METHOD_DP5 && high.method == PAWL_METHOD_DOP853);
    long least = low.evaluations < high.evaluations ? low.evaluations : high.evaluations;
    CHECK((double)open.evaluations < 1.2 * (double)least);
  }
}

/* Where stability limits the steps order 5 goes on, whatever the costs. */
static void stiff_steps_are_of_order_five(void) {
  pw_choice c = begin(1e-9);
  for (int i = 0; i < 200; i++) {
    c.now = c.pair;
    c.size[0] = c.size[1] = 1e5; /* order 5 would need many steps, if errors were what counts */
    (void)pw_choice_note(&c, 0.5, 0.9);
  }
  CHECK(c.pair == PW_PAIR_LOW);
  CHECK(c.made[0] > c.made[1]);
}

CHECK_MAIN({"tolerance_decides_at_first", tolerance_decides_at_first},
           {"flights_need_order_five", flights_need_order_five},
           {"estimates_tell_the_other_cost", estimates_tell_the_other_cost},
           {"smooth_motions_come_back", smooth_motions_come_back},
           {"steps_change_their_size", steps_change_their_size},
           {"closed_choices_stay", closed_choices_stay},
           {"runs_take_the_cheaper_pair", runs_take_the_cheaper_pair},
           {"stiff_steps_are_of_order_five", stiff_steps_are_of_order_five})
