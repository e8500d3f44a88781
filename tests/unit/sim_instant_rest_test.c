// SPDX-License-Identifier: MIT
/* The end of bounces (accumulate.c), rates that are made zero (calm.c), and what is kept of an
 * instant (instant_end.c). */
#include "sim_instant_support.h"

static const char *const ball =
    "coordinates y\nparameter g = 10\nkinetic T = 1/2*y'^2\npotential V = g*y\n"
    "constraint floor: y >= 0, restitution 0.5\nstart y = 1, y' = 0\nrun 0..9\n";

/* Bounces at 0, 1, 1.5, 1.75 shrink by 1/2: they end at 2. The last one is slow enough to be left
 * out, its contact is stopped now and comes to rest then. */
static void ends_an_accumulation(void) {
  fixture f = make(ball, 1e-3);
  pw_stepper *s = &f.sim->stepper;
  pw_contacts *c = put(&f, (double[]){0}, (double[]){-1e-4}, (unsigned char[]){1});
  uint64_t key = pw_key_add(PW_KEY, 0);
  pw_zeno_reset(&c->zeno);
  for (int i = 0; i < 3; i++) {
    pw_zeno_hit(&c->zeno, 2 - 2e-5 * ldexp(8, -i), key);
  }
  s->t = 2 - 2e-5;
  c->size.fastest[0] = 1;
  c->size.slowest[0] = -1;
  c->size.largest[0] = 1;
  CHECK(pw_instant_strike(c) == PAWL_OK);
  CHECK_NEAR(speed_of(&f, 0), 5e-5, 1e-19);
  CHECK(pw_instant_accumulate(c) == PAWL_OK);
  CHECK_NEAR(speed_of(&f, 0), 0, 1e-19);
  CHECK(c->rest.due[0]);
  CHECK_NEAR(c->rest.time, 2, 1e-12);
  CHECK_NEAR(c->rest.impulse[0], -5e-5, 1e-18);
  CHECK_NEAR(c->rest.energy[0], -1.25e-9, 1e-22);
  CHECK_INT(c->zeno.n, 0);
  unmake(&f);
}

/* One bounce is no accumulation. */
static void goes_on(void) {
  fixture f = make(ball, 0);
  pw_contacts *c = put(&f, (double[]){0}, (double[]){-1}, (unsigned char[]){1});
  CHECK(pw_instant_strike(c) == PAWL_OK);
  CHECK(pw_instant_accumulate(c) == PAWL_OK);
  CHECK_NEAR(speed_of(&f, 0), 0.5, 1e-15);
  CHECK(!c->rest.due[0] && isinf(c->rest.time));
  CHECK_INT(c->zeno.n, 1);
  unmake(&f);
}

/* A rate inward that counts as zero is made zero where the contact opens. */
static void calms(void) {
  fixture f = make(ball, 0);
  pw_contacts *c = put(&f, (double[]){0}, (double[]){-1}, NULL);
  CHECK_NEAR(c->size.speed, 1, 1e-15); /* STILL is a part of it */
  c = put(&f, (double[]){0}, (double[]){-1e-11}, (unsigned char[]){1});
  c->mode[0] = PW_OPEN;
  CHECK(pw_instant_is_still(c, 0));
  CHECK(pw_instant_calm(c) == PAWL_OK);
  CHECK_NEAR(speed_of(&f, 0), 0, 1e-25);
  unmake(&f);
}

/* A contact that opens again does not come to rest: what its stop gave belongs to the jump. */
static void revises_rest(void) {
  fixture f = make(ball, 0);
  pw_contacts *c = put(&f, (double[]){0}, (double[]){-1}, (unsigned char[]){1});
  CHECK(pw_instant_strike(c) == PAWL_OK);
  c->mode[0] = PW_OPEN;
  c->rest.due[0] = 1;
  c->rest.time = 3;
  c->rest.impulse[0] = 0.25;
  c->rest.energy[0] = -0.125;
  pw_instant_revise_rest(c);
  CHECK(!c->rest.due[0] && isinf(c->rest.time));
  CHECK_NEAR(c->now.kick[0], 1.75, 1e-15);
  CHECK_NEAR(c->now.log[0].impulse, 1.75, 1e-15);
  CHECK_NEAR(c->now.log[0].dE, -0.5, 1e-15); /* -3/8 - 1/8 */
  unmake(&f);
}

static void keeps_impulses_and_begins(void) {
  fixture f = make(ball, 0);
  pw_contacts *c = put(&f, (double[]){0}, (double[]){-1}, (unsigned char[]){1});
  CHECK(pw_instant_strike(c) == PAWL_OK);
  pw_instant_keep_impulses(c);
  CHECK_NEAR(c->impulse[0], 1.5, 1e-15);
  c->mode[0] = PW_OPEN;
  pw_instant_note_begins(c);
  CHECK(c->begins[0]); /* it opens at zero */
  c = put(&f, (double[]){0.5}, (double[]){1}, NULL);
  pw_instant_keep_impulses(c);
  CHECK_NEAR(c->impulse[0], 1.5, 1e-15); /* nothing jumped: that of before */
  pw_instant_note_begins(c);
  CHECK(!c->begins[0]);
  unmake(&f);
}

/* The next step is not much longer than the first flight: up with 2 under g = 10 for 0.4. */
static void limits_the_step(void) {
  fixture f = make(ball, 0);
  pw_contacts *c = put(&f, (double[]){0}, (double[]){2}, NULL);
  c->mode[0] = PW_OPEN;
  CHECK(pw_stepper_settle(&f.sim->stepper) == PAWL_OK);
  f.sim->stepper.h_next = 7;
  pw_instant_limit_step(c);
  CHECK_NEAR(f.sim->stepper.h_next, 0.5, 1e-14); /* 1.25 flights */
  unmake(&f);
}

CHECK_MAIN({"ends_an_accumulation", ends_an_accumulation}, {"goes_on", goes_on}, {"calms", calms},
           {"revises_rest", revises_rest}, {"keeps_impulses_and_begins", keeps_impulses_and_begins},
           {"limits_the_step", limits_the_step})
