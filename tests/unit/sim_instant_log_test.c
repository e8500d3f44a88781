// SPDX-License-Identifier: MIT
/* What changes of mode are called, and the invariants of a log. */
#include "sim_instant_support.h"

static void names_of_changes(void) {
  fixture f = make("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\npotential V = y\n"
                   "constraint floor: y >= 0, restitution 0\nfriction f: slip x', mu 0.5 on floor\n"
                   "constraint v: y' + 9 >= 0\nstart x = 0, y = 1, x' = 1, y' = 0\nrun 0..0.1\n",
                   0);
  static const struct {
    int law;
    pw_mode was, mode;
    pw_contact_kind kind;
  } want[] = {{0, PW_OPEN, PW_CLOSED, PW_CLOSE},   {0, PW_CLOSED, PW_OPEN, PW_LIFTOFF},
              {1, PW_OPEN, PW_CLOSED, PW_STICK},   {1, PW_CLOSED, PW_OPEN, PW_SLIP},
              {1, PW_OPEN, PW_BELOW, PW_REVERSE},  {2, PW_OPEN, PW_CLOSED, PW_ENGAGE},
              {2, PW_CLOSED, PW_OPEN, PW_RELEASE}, {0, PW_OPEN, PW_RESTING, PW_CLOSE}};
  for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
    pw_contacts *c = put(&f, (double[]){0, 0}, (double[]){0, 0}, NULL);
    for (int k = 0; k < 3; k++) {
      c->mode[k] = c->now.was[k] = k == 0 ? PW_CLOSED : PW_OPEN;
    }
    c->now.was[want[i].law] = (unsigned char)want[i].was;
    c->mode[want[i].law] = (unsigned char)want[i].mode;
    pw_contacts_log_changes(c);
    if (CHECK_INT(c->now.n_log, 1)) {
      CHECK_INT(c->now.log[0].kind, want[i].kind);
      CHECK_INT(c->now.log[0].law, want[i].law);
    }
    CHECK_NEAR(c->left[want[i].law], f.sim->stepper.t, 0);
  }
  unmake(&f);
}

/* The invariants see a log that overflows, an event of no law, an impulse that pulls. */
static void invariants(void) {
  fixture f = make("coordinates x\nkinetic T = 1/2*x'^2\nconstraint c: x >= 0, restitution 0\n"
                   "start x = 1, x' = -1\nrun 0..0.1\n",
                   0);
  pw_contacts *c = put(&f, (double[]){0}, (double[]){-1}, (unsigned char[]){1});
  CHECK(pw_instant_strike(c) == PAWL_OK);
  CHECK(pw_instant_holds(c, PW_AFTER_IMPACTS));
  CHECK(!pw_instant_holds(c, PW_AFTER_LOOK));
  c->now.log[0].law = 1;
  CHECK(!pw_instant_holds(c, PW_AFTER_REST));
  c->now.log[0].law = 0;
  c->now.log[0].dE = NAN;
  CHECK(!pw_instant_holds(c, PW_AFTER_REST));
  c->now.log[0].dE = 0;
  c->now.kick[0] = -1;
  CHECK(!pw_instant_holds(c, PW_AFTER_IMPACTS));
  c->now.kick[0] = 1;
  c->mode[0] = PW_BELOW;
  CHECK(!pw_instant_holds(c, PW_AFTER_MODES));
  c->mode[0] = PW_OPEN;
  CHECK(pw_instant_holds(c, PW_AFTER_MODES));
  c->now.n_log = pw_instant_room(f.sim->sys) + 1;
  CHECK(!pw_instant_holds(c, PW_AFTER_MODES));
  unmake(&f);
}

CHECK_MAIN({"names_of_changes", names_of_changes}, {"invariants", invariants})
