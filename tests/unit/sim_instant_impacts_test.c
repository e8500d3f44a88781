// SPDX-License-Identifier: MIT
/* Impacts of an instant until no contact closes: velocities, impulses, energies, log. */
#include "sim_instant_support.h"

static void one_impact(void) {
  fixture f = make("coordinates x\nparameter m = 2\nkinetic T = 1/2*m*x'^2\n"
                   "constraint c: x >= 0, restitution 0.5\nstart x = 1, x' = -1\nrun 0..0.5\n",
                   0);
  pw_contacts *c = put(&f, (double[]){0}, (double[]){-3}, (unsigned char[]){1});
  CHECK(pw_instant_strike(c) == PAWL_OK);
  CHECK_NEAR(speed_of(&f, 0), 1.5, 1e-15);
  CHECK_NEAR(c->now.kick[0], 9, 1e-14); /* 2 (1.5 + 3) */
  CHECK_INT(c->now.hits, 1);
  CHECK_INT(c->now.n_log, 1);
  CHECK(c->now.log[0].kind == PW_IMPACT && !c->now.log[0].gains);
  CHECK_NEAR(c->now.log[0].impulse, 9, 1e-14);
  CHECK_NEAR(c->now.log[0].dE, -6.75, 1e-14); /* 2.25 - 9 */
  CHECK_NEAR(c->now.log[0].rate_before, -3, 0);
  CHECK_NEAR(c->now.log[0].rate_after, 1.5, 1e-15);
  CHECK(pw_instant_holds(c, PW_AFTER_IMPACTS));
  unmake(&f);
}

/* What separates takes no part, and nothing happens where nothing closes. */
static void nothing_closes(void) {
  fixture f = make("coordinates x\nkinetic T = 1/2*x'^2\nconstraint c: x >= 0, restitution 0\n"
                   "start x = 1, x' = -1\nrun 0..0.5\n",
                   0);
  pw_contacts *c = put(&f, (double[]){0}, (double[]){2}, (unsigned char[]){1});
  CHECK(pw_instant_strike(c) == PAWL_OK);
  CHECK_NEAR(speed_of(&f, 0), 2, 0);
  CHECK_INT(c->now.n_log, 0);
  CHECK_INT(c->now.hits, 0);
  unmake(&f);
}

/* A ball strikes another that lies at a wall: one problem over both contacts, one entry for each.
 */
static void two_contacts(void) {
  fixture f = make("coordinates a, b\nkinetic T = 1/2*(a'^2 + b'^2)\n"
                   "constraint wall: 1 - b >= 0, restitution 1\n"
                   "constraint pair: b - a >= 0, restitution 1\n"
                   "start a = 0, b = 0.5, a' = 0, b' = 0\nrun 0..1\n",
                   0);
  pw_contacts *c = put(&f, (double[]){1, 1}, (double[]){1, 0}, (unsigned char[]){1, 1});
  CHECK(pw_instant_strike(c) == PAWL_OK);
  CHECK_NEAR(speed_of(&f, 0), -1, 1e-14);
  CHECK_NEAR(speed_of(&f, 1), 0, 1e-14);
  CHECK_INT(c->now.hits, 1);
  CHECK_INT(c->now.n_log, 2);
  CHECK_NEAR(c->now.kick[0], 2, 1e-14);
  CHECK_NEAR(c->now.kick[1], 2, 1e-14);
  unmake(&f);
}

/* A restitution that is no number is an error of the instant, named by its row. */
static void no_restitution(void) {
  fixture f = make("coordinates x\nkinetic T = 1/2*x'^2\n"
                   "constraint c: x >= 0, restitution sqrt(x - 1/2)\n"
                   "start x = 1, x' = -1\nrun 0..0.1\n",
                   0);
  pw_contacts *c = put(&f, (double[]){0}, (double[]){-1}, (unsigned char[]){1});
  CHECK(pw_instant_strike(c) == PAWL_E_NO_MOTION);
  CHECK(c->halt.trouble == PW_TROUBLE_RESTITUTION);
  CHECK_INT(c->halt.culprit, 0);
  unmake(&f);
}

CHECK_MAIN({"one_impact", one_impact}, {"nothing_closes", nothing_closes},
           {"two_contacts", two_contacts}, {"no_restitution", no_restitution})
