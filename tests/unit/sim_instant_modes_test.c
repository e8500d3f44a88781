// SPDX-License-Identifier: MIT
/* The phase of modes: candidates, the choice, slips of rough contacts that are stopped. */
#include "sim_instant_support.h"

static const char *const block = "coordinates x, y\nparameter g = 10\nparameter mu = "
                                 "0.5\nparameter F = 3\nkinetic T = 1/2*(x'^2 + y'^2)\n"
                                 "potential V = g*y - F*x\nconstraint floor: y >= 0, restitution "
                                 "0\nfriction f: slip x', mu mu on floor\n"
                                 "start x = 0, y = 1, x' = 0, y' = 0\nrun 0..0.1\n";

static void candidates_and_choice(void) {
  fixture f = make(block, 0);
  pw_contacts *c = put(&f, (double[]){0, 0}, (double[]){0, 0}, (unsigned char[]){1, 1});
  pw_instant_candidates(c);
  const pw_candidate *floor = &c->modes.candidate[0], *slip = &c->modes.candidate[1];
  CHECK(floor->may_close && slip->may_close);
  CHECK_NEAR(floor->lo, 0, 0);
  CHECK(isinf(floor->hi));
  CHECK_NEAR(slip->lo, -0.5, 0); /* per normal force */
  CHECK_NEAR(slip->hi, 0.5, 0);
  CHECK(pw_instant_modes(c) == PAWL_OK);
  CHECK_INT(c->mode[0], PW_CLOSED);
  CHECK_INT(c->mode[1], PW_CLOSED); /* 3 < 0.5 * 10 */
  CHECK_INT(f.sim->mech->imposed, 2);
  CHECK(pw_instant_holds(c, PW_AFTER_MODES));
  unmake(&f);
}

/* A rate upward opens the contact; what slides has the force of its side. */
static void leaves_and_slides(void) {
  fixture f = make(block, 0);
  pw_contacts *c = put(&f, (double[]){0, 0}, (double[]){0, 1}, (unsigned char[]){1, 0});
  CHECK(pw_instant_modes(c) == PAWL_OK);
  CHECK_INT(c->mode[0], PW_OPEN);
  c = put(&f, (double[]){0, 0}, (double[]){-2, 0}, (unsigned char[]){1, 0});
  pw_instant_candidates(c);
  CHECK(!c->modes.candidate[1].may_close);
  CHECK_INT(c->modes.candidate[1].side, PW_BELOW);
  CHECK_NEAR(c->modes.candidate[1].beside, 0.5, 0); /* against the slip */
  CHECK(pw_instant_modes(c) == PAWL_OK);
  CHECK_INT(c->mode[0], PW_CLOSED);
  CHECK_INT(c->mode[1], PW_BELOW);
  unmake(&f);
}

/* A rough contact that closes must not slip: an impulse along it stops that, here by a jump of its
 * own, since nothing closes. */
static void stops_rough_slips(void) {
  fixture f =
      make("coordinates x, y\nkinetic T = 1/2*(2*x'^2 + y'^2)\npotential V = y\n"
           "constraint floor: y >= 0, restitution 0\nfriction grip: slip x', rough on floor\n"
           "start x = 0, y = 1, x' = 0, y' = 0\nrun 0..0.1\n",
           0);
  int slip = f.sim->sys->law[0].kind == PW_KIND_ROUGH ? 0 : 1;
  pw_contacts *c = put(&f, (double[]){0, 0}, (double[]){3, 0}, (unsigned char[]){1, 1});
  CHECK(pw_instant_modes(c) == PAWL_OK);
  CHECK_NEAR(speed_of(&f, 0), 0, 1e-15);
  CHECK_NEAR(c->now.kick[slip], -6, 1e-14);
  CHECK_INT(c->mode[slip], PW_CLOSED);
  CHECK_INT(c->mode[1 - slip], PW_CLOSED);
  unmake(&f);
}

CHECK_MAIN({"candidates_and_choice", candidates_and_choice},
           {"leaves_and_slides", leaves_and_slides}, {"stops_rough_slips", stops_rough_slips})
