// SPDX-License-Identifier: MIT
/* Starts with one-sided laws: closed contacts are solved for, bad starts are named, an impact at
 * the start is the first event. */
#include "sim_support.h"

static const char *first_code(const fixture *f) {
  return pawl_diags_count(f->diags) > 0 ? pawl_diags_get(f->diags, 0)->code : "none";
}

/* Code of the only error of a start, "none" if it is accepted. */
static void expect_start(const char *text, const char *code) {
  fixture f = make_with(text, NULL);
  if (!CHECK_STR(first_code(&f), code)) {
    printf("  %s\n", text);
  }
  CHECK(f.status == (strcmp(code, "none") == 0 ? PAWL_OK : PAWL_E_START));
  CHECK((f.sim == NULL) == (f.status != PAWL_OK));
  unmake(&f);
}

#define BALL                                                  \
  "coordinates y\nkinetic T = 1/2*y'^2\npotential V = 10*y\n" \
  "constraint floor: y >= 0.3, restitution 0.5\n"

static void gaps(void) {
  expect_start(BALL "start y = 0.4, y' = -9\nrun 0..1\n", "none");
  expect_start(BALL "start y = 0.3, y' = 0\nrun 0..1\n", "none");
  expect_start(BALL "start y = 0.3, y' = 2\nrun 0..1\n", "none");
  expect_start(BALL "start y = 0.3, y' = -2\nrun 0..1\n", "E0312");
  expect_start(BALL "start y = 0.29, y' = 2\nrun 0..1\n", "E0311");
  /* 0.1 + 0.2 is above 0.3 in binary, 0.3 - 1e-11 within 1e-9 of the terms */
  expect_start(BALL "start y = 0.1 + 0.2, y' = -2\nrun 0..1\n", "E0312");
  expect_start(BALL "start y = 0.3 - 1e-11, y' = 0\nrun 0..1\n", "none");
  expect_start(BALL "start y = 0.3 - 1e-8, y' = 0\nrun 0..1\n", "E0311");
}

static void one_sided_velocities(void) {
#define SLEIGH \
  "coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\nconstraint v: 2*x' >= y' + t\nrun 1..2\n"
  expect_start(SLEIGH "start x' = 1, y' = 0.5\n", "none");
  expect_start(SLEIGH "start x' = 1, y' = 1\n", "none");
  expect_start(SLEIGH "start x' = 1, y' = 1.01\n", "E0313");
}

static void gradients(void) {
#define FREE "coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\n"
  expect_start(FREE "constraint c: x^3 >= 0, restitution 0\nrun 0..1\n", "E0315");
  expect_start(FREE "constraint c: x^3 >= -1, restitution 0\nrun 0..1\n", "none"); /* open */
  expect_start(FREE "constraint c: x*y' >= 0\nstart y' = 1\nrun 0..1\n", "E0315");
  expect_start(FREE "constraint c: x*y' >= -1\nstart y' = 1\nrun 0..1\n", "none");
}

static void restitutions(void) {
  expect_start(FREE "constraint c: x >= -1, restitution 1 + y\nrun 0..1\n", "none");
  expect_start(FREE "constraint c: x >= 0, restitution 1 + y\nstart y = 0.1\nrun 0..1\n", "E0314");
  expect_start(FREE "constraint c: x >= 0, restitution y\nstart y = -0.1\nrun 0..1\n", "E0314");
  expect_start(FREE "constraint c: x >= -1, restitution y\nstart y = -0.1\nrun 0..1\n", "none");
  expect_start(FREE "constraint c: x >= -1, poisson 1.5\nrun 0..1\n", "E0314");
  expect_start(FREE "constraint c: x >= -1, poisson 1.5\n"
                    "run 0..1, restitution-above-one allow\n",
               "none");
}

static void numbers_that_are_none(void) {
  fixture f = make_with(FREE "constraint c: log(x) >= -1, restitution 0\nrun 0..1\n", NULL);
  CHECK(f.status == PAWL_E_NAN);
  CHECK_STR(first_code(&f), "E0340");
  unmake(&f);
}

/* A ladder between wall and floor: x^2 + y^2 = 25 and y = 0 closed leave one place. */
static void closed_contacts_are_solved(void) {
  fixture f = make("coordinates x, y, z\nkinetic T = 1/2*(x'^2 + y'^2 + z'^2)\n"
                   "potential V = 10*y\n"
                   "constraint ring: x^2 + y^2 = 25\n"
                   "constraint floor: 2*y >= z + 3*t, restitution 0\n"
                   "start x ~ 3, y ~ 3, z = 6, x' ~ 0, y' ~ 0, z' = 1, floor closed\nrun 0..1\n",
                   1e-9);
  const double *q = pawl_start_positions(f.system), *u = pawl_start_velocities(f.system);
  CHECK_NEAR(q[0], 4, 1e-14);
  CHECK_NEAR(q[1], 3, 1e-14);
  CHECK_NEAR(q[2], 6, 2e-15);
  CHECK_NEAR(u[1], 2, 1e-14); /* 2 y' = z' + 3 */
  CHECK_NEAR(u[0], -1.5, 1e-14);
  CHECK(pawl_system_dof(f.system) == 1 && pawl_system_rank(f.system) == 2);
  unmake(&f);
}

static void unmentioned_values_close_a_contact(void) {
  fixture f = make(BALL "start floor closed\nrun 0..1\n", 1e-9);
  CHECK_NEAR(pawl_start_positions(f.system)[0], 0.3, 0);
  CHECK(pawl_sim_closed(f.sim, 0) == 1);
  CHECK(pawl_sim_dof(f.sim) == 0);
  pawl_stop why;
  CHECK(pawl_sim_advance(f.sim, 1, f.diags, &why) == PAWL_OK && why == PAWL_AT_END);
  pawl_point p;
  CHECK(pawl_sim_point(f.sim, PAWL_AFTER, &p) == PAWL_OK);
  CHECK_NEAR(p.force[0], 10, 1e-14);
  CHECK(pawl_sim_statistics(f.sim).events == 0); /* modes of the start are no events */
  unmake(&f);
}

/* The closed set was for the solving only: a contact that is pulled off opens. */
static void closed_contacts_may_open(void) {
  fixture f = make("coordinates y\nkinetic T = 1/2*y'^2\npotential V = -10*y\n"
                   "constraint floor: y >= 0.3, restitution 0.5\n"
                   "start floor closed\nrun 0..1\n",
                   1e-9);
  CHECK(pawl_sim_closed(f.sim, 0) == 0 && pawl_sim_dof(f.sim) == 1);
  pawl_stop why;
  CHECK(pawl_sim_advance(f.sim, 1, f.diags, &why) == PAWL_OK);
  pawl_point p;
  CHECK(pawl_sim_point(f.sim, PAWL_AFTER, &p) == PAWL_OK);
  CHECK_NEAR(p.q[0], 5.3, 1e-12);
  unmake(&f);
}

static void rough_contacts_roll(void) {
#define DISK                                                                              \
  "coordinates x, y, ph\nkinetic T = 1/2*(x'^2 + y'^2) + 1/5*ph'^2\npotential V = 10*y\n" \
  "constraint floor: y >= 1, restitution 0\nfriction grip: slip x' + 2*ph', rough on floor\n"
  fixture f = make(DISK "start x' = 3, ph' ~ 0, floor closed\nrun 0..1\n", 1e-9);
  CHECK_NEAR(pawl_start_velocities(f.system)[2], -1.5, 1e-15);
  CHECK(pawl_sim_closed(f.sim, 0) && pawl_sim_closed(f.sim, 1));
  unmake(&f);
  expect_start(DISK "start y = 1, x' = 3, ph' = 0\nrun 0..1\n", "E0316");
  expect_start(DISK "start y = 1, x' = 4, ph' = -2\nrun 0..1\n", "none");
  expect_start(DISK "start y = 2, x' = 3, ph' = 0\nrun 0..1\n", "none"); /* open */
}

static void start_impact_is_the_first_event(void) {
  pawl_sim_opts opts = {.start_impact = 1};
  fixture f = make_with(BALL "start y = 0.3, y' = -2\nrun 2..3\n", &opts);
  CHECK(f.status == PAWL_OK);
  pawl_point p;
  CHECK(pawl_sim_point(f.sim, PAWL_AFTER, &p) == PAWL_OK);
  CHECK_NEAR(p.u[0], -2, 0); /* until the event is reported */
  unsigned long size = pawl_sim_save_size(f.sim);
  void *saved = malloc(size);
  CHECK(pawl_sim_save(f.sim, saved, size) == PAWL_OK);
  for (int again = 0; again < 2; again++) {
    pawl_stop why;
    CHECK(pawl_sim_advance(f.sim, 2, f.diags, &why) == PAWL_OK && why == PAWL_AT_EVENT);
    CHECK(pawl_sim_events(f.sim) == 1);
    pawl_event e = pawl_sim_event(f.sim, 0);
    CHECK_STR(e.kind, "impact");
    CHECK_STR(e.at, "floor");
    CHECK(e.t == 2 && e.cluster == 1 && e.n_impulse == 1);
    CHECK_NEAR(e.impulse[0], 3, 1e-15);
    CHECK_NEAR(e.dE, -1.5, 1e-15);
    CHECK(pawl_sim_point(f.sim, PAWL_BEFORE, &p) == PAWL_OK);
    CHECK_NEAR(p.u[0], -2, 0);
    CHECK(pawl_sim_point(f.sim, PAWL_AFTER, &p) == PAWL_OK);
    CHECK_NEAR(p.u[0], 1, 1e-15);
    pawl_energy energy;
    CHECK(pawl_sim_energy(f.sim, &energy, NULL) == PAWL_OK);
    CHECK_NEAR(energy.start, 5, 1e-14);
    CHECK_NEAR(energy.lost, 1.5, 1e-14);
    CHECK_NEAR(energy.unexplained, 0, 1e-14);
    CHECK(pawl_sim_advance(f.sim, 2.1, f.diags, &why) == PAWL_OK && why == PAWL_AT_TARGET);
    CHECK(pawl_sim_point(f.sim, PAWL_AFTER, &p) == PAWL_OK);
    CHECK_NEAR(p.q[0], 0.3 + 0.1 - 0.05, 1e-14);
    CHECK(pawl_sim_restore(f.sim, saved, size) == PAWL_OK);
  }
  free(saved);
  unmake(&f);
}

static void no_event_without_impact(void) {
  pawl_sim_opts opts = {.start_impact = 1};
  fixture f = make_with(BALL "start y = 0.3, y' = 1\nrun 0..0.1\n", &opts);
  pawl_stop why;
  CHECK(f.status == PAWL_OK);
  CHECK(pawl_sim_advance(f.sim, 0, f.diags, &why) == PAWL_OK && why == PAWL_AT_TARGET);
  CHECK(pawl_sim_advance(f.sim, 0.1, f.diags, &why) == PAWL_OK && why == PAWL_AT_END);
  unmake(&f);
}

/* e = 1.5: speed 2 comes back as 3, the energy rises from 2 to 4.5. */
static void gains_stop_after_their_event(void) {
#define GAIN                                                                         \
  "coordinates y\nkinetic T = 1/2*y'^2\nconstraint floor: y >= 0, restitution 1.5\n" \
  "start y = 1, y' = -2\nrun 0..2, restitution-above-one allow"
  fixture f = make(GAIN ", energy-gain stop\n", 1e-9);
  pawl_stop why;
  CHECK(pawl_sim_advance(f.sim, 2, f.diags, &why) == PAWL_OK && why == PAWL_AT_EVENT);
  pawl_event e = pawl_sim_event(f.sim, 0);
  CHECK_NEAR(e.t, 0.5, 1e-12);
  CHECK_NEAR(e.dE, 2.5, 1e-12);
  CHECK_STR(e.flag, "ENERGY_INCREASE");
  CHECK(pawl_sim_advance(f.sim, 2, f.diags, &why) == PAWL_E_IMPACT);
  CHECK_STR(first_code(&f), "E0520");
  CHECK(pawl_sim_advance(f.sim, 2, f.diags, &why) == PAWL_E_IMPACT);
  unmake(&f);
  f = make(GAIN "\n", 1e-9);
  CHECK(pawl_sim_advance(f.sim, 2, f.diags, &why) == PAWL_OK && why == PAWL_AT_EVENT);
  CHECK(pawl_sim_advance(f.sim, 2, f.diags, &why) == PAWL_OK && why == PAWL_AT_END);
  pawl_point p;
  CHECK(pawl_sim_point(f.sim, PAWL_AFTER, &p) == PAWL_OK);
  CHECK_NEAR(p.q[0], 4.5, 1e-11);
  unmake(&f);
}

static void restitution_is_watched_at_impacts(void) {
  fixture f = make("coordinates y\nkinetic T = 1/2*y'^2\n"
                   "constraint floor: y >= 0, restitution 2*t\nstart y = 1, y' = -1\nrun 0..2\n",
                   1e-9);
  pawl_stop why;
  CHECK(pawl_sim_advance(f.sim, 2, f.diags, &why) == PAWL_OK && why == PAWL_AT_EVENT);
  CHECK(pawl_sim_advance(f.sim, 2, f.diags, &why) == PAWL_E_IMPACT);
  CHECK_STR(first_code(&f), "E0521");
  unmake(&f);
}

/* Newton's cradle of three: one after the other the first ball stops and the last one flies. */
static void impacts_one_after_the_other(void) {
  const char *text = "coordinates a, b, c\nkinetic T = 1/2*(a'^2 + b'^2 + c'^2)\n"
                     "constraint ab: b - a >= 1, restitution 1\n"
                     "constraint bc: c - b >= 1, restitution 1\n"
                     "start a = -1, b = 1, c = 2, a' = 1\nrun 0..2\n";
  const double after[2][3] = {{-1 / 3.0, 2 / 3.0, 2 / 3.0}, {0, 0, 1}};
  for (int k = 0; k < 2; k++) {
    pawl_sim_opts opts = {.impacts = k == 0 ? PAWL_IMPACTS_AUTO : PAWL_IMPACTS_SEQUENTIAL};
    fixture f = make_with(text, &opts);
    pawl_stop why;
    pawl_point p;
    CHECK(f.status == PAWL_OK);
    CHECK(pawl_sim_advance(f.sim, 2, f.diags, &why) == PAWL_OK && why == PAWL_AT_EVENT);
    CHECK(pawl_sim_point(f.sim, PAWL_AFTER, &p) == PAWL_OK);
    for (int i = 0; i < 3; i++) {
      CHECK_NEAR(p.u[i], after[k][i], 1e-14);
    }
    unmake(&f);
  }
}

static void other_starts_are_checked(void) {
  fixture f = make(BALL "start y = 1\nrun 0..9\n", 1e-9);
  double y = 0.2, v = 0;
  CHECK(pawl_sim_start(f.sim, 0, &y, &v, f.diags) == PAWL_E_START);
  CHECK_STR(first_code(&f), "E0311");
  pawl_stop why;
  CHECK(pawl_sim_advance(f.sim, 1, f.diags, &why) == PAWL_E_START);
  y = 0.8;
  CHECK(pawl_sim_start(f.sim, 0, &y, &v, f.diags) == PAWL_OK);
  CHECK(pawl_sim_advance(f.sim, 9, f.diags, &why) == PAWL_OK && why == PAWL_AT_EVENT);
  CHECK_NEAR(pawl_sim_event(f.sim, 0).t, sqrt(0.1), 1e-12);
  while (why != PAWL_AT_END && pawl_sim_advance(f.sim, 9, f.diags, &why) == PAWL_OK) {
  }
  CHECK(pawl_sim_closed(f.sim, 0)); /* at rest; a new start does not inherit that */
  CHECK(pawl_sim_start(f.sim, 0, &y, &v, f.diags) == PAWL_OK);
  pawl_point p;
  CHECK(pawl_sim_point(f.sim, PAWL_AFTER, &p) == PAWL_OK);
  CHECK_NEAR(p.q[0], 0.8, 0);
  CHECK(!pawl_sim_closed(f.sim, 0));
  unmake(&f);
}

/* The span on the command line moves the start: the contact is closed there all the same. */
static void closed_at_another_time(void) {
  pawl_sim_opts opts = {.use_span = 1, .from = 2, .to = 3};
  fixture f = make_with("coordinates y\nkinetic T = 1/2*y'^2\npotential V = 10*y\n"
                        "constraint lift: y >= 0.5*t, restitution 0\nstart lift closed\nrun 0..1\n",
                        &opts);
  CHECK(f.status == PAWL_OK);
  if (f.status == PAWL_OK) {
    pawl_point p;
    CHECK(pawl_sim_point(f.sim, PAWL_AFTER, &p) == PAWL_OK);
    CHECK_NEAR(p.q[0], 1, 1e-15);
    CHECK_NEAR(p.u[0], 0.5, 1e-15);
    CHECK(pawl_sim_closed(f.sim, 0));
  }
  unmake(&f);
}

CHECK_MAIN({"gaps", gaps}, {"one_sided_velocities", one_sided_velocities}, {"gradients", gradients},
           {"restitutions", restitutions}, {"numbers_that_are_none", numbers_that_are_none},
           {"closed_contacts_are_solved", closed_contacts_are_solved},
           {"unmentioned_values_close_a_contact", unmentioned_values_close_a_contact},
           {"closed_contacts_may_open", closed_contacts_may_open},
           {"rough_contacts_roll", rough_contacts_roll},
           {"start_impact_is_the_first_event", start_impact_is_the_first_event},
           {"no_event_without_impact", no_event_without_impact},
           {"gains_stop_after_their_event", gains_stop_after_their_event},
           {"restitution_is_watched_at_impacts", restitution_is_watched_at_impacts},
           {"impacts_one_after_the_other", impacts_one_after_the_other},
           {"other_starts_are_checked", other_starts_are_checked},
           {"closed_at_another_time", closed_at_another_time})
