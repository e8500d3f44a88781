// SPDX-License-Identifier: MIT
/* How long the next step should be: not much longer than the first flight. */
#include <math.h>

#include "law/scale_sim.h"
#include "sim/instant.h"

static const pw_system *system_of(const pw_contacts *c) {
  return c->watch.s->mech->sys;
}

/* When an open law would act, by its value, rate and acceleration. */
static double ballistic(const pw_contacts *c, int law) {
  const pw_frame *f = &c->now.frame;
  int row = system_of(c)->nc + law;
  double fall = f->zeta[row] + f->length[row] * pw_frame_dot(f, row, c->now.fall);
  if (pw_is_one_sided(&system_of(c)->law[law])) {
    return fall < 0 ? f->value[row] / -fall : INFINITY;
  }
  double height = fmax(f->value[row], 0), rate = f->rate[row];
  double square = rate * rate - 2 * height * fall;
  return fall < 0                  ? (rate + sqrt(square)) / -fall
         : rate < 0 && square >= 0 ? 2 * height / (sqrt(square) - rate)
                                   : INFINITY;
}

void pw_instant_limit_step(pw_contacts *c) {
  pw_stepper *s = c->watch.s;
  const pw_frame *f = &c->now.frame;
  double first = INFINITY;
  pw_frame_lift(f, s->mech->a, c->now.fall);
  for (int i = 0; i < system_of(c)->ni; i++) {
    const pw_law_form *form = &system_of(c)->law[i];
    if (c->mode[i] == PW_OPEN && !pw_is_rough(form) && !pw_in_plane(form)) {
      double t = ballistic(c, i);
      first = t > 0 ? fmin(first, t) : first;
    }
  }
  double part = fmin(PW_SCALE(FLIGHT_LONGER) * first / s->h_next, 1);
  double h = s->h_next * fmax(part, PW_SCALE(FLIGHT_LEAST));
  pw_stepper_propose(s, fmax(h, 2 * pw_stepper_least(s))); /* it may be longer than the flight */
}
