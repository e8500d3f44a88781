// SPDX-License-Identifier: MIT
/* Places that a step must not pass: where the value of a law is no number any more, or is negative
 * without having been zero. Shorter and shorter steps come as close as the time can tell. */
#include <math.h>

#include "sim/contact.h"

enum { BISECTIONS = 60 };

/* law < 0: any value is not a number. */
static bool is_beyond(pw_contacts *c, int law, double theta) {
  pw_stepper *s = c->watch.s;
  if (pw_stepper_at(s, theta, c->watch.y) != PAWL_OK) {
    return true;
  }
  pw_mech_gaps(s->mech, s->rk.t + theta * s->rk.h, c->watch.y, c->watch.y + s->nq, s->side,
               c->value);
  bool any = false;
  for (int i = 0; i < s->mech->sys->ni; i++) {
    any = any || (law < 0 ? isnan(c->value[i]) : i == law && !(c->value[i] >= 0));
  }
  return any;
}

/* Where to look from: the first sample beyond, or 0 if there is none. */
static double first_beyond(pw_contacts *c, int law) {
  enum { SAMPLES = 32 };
  for (int k = 1; k <= SAMPLES; k++) {
    if (is_beyond(c, law, (double)k / SAMPLES)) {
      return (double)k / SAMPLES;
    }
  }
  return 0;
}

bool pw_contacts_approach(pw_contacts *c, int law, double *h) {
  static const double part = 0.999; /* of the way: more steps the nearer to one */
  pw_stepper *s = c->watch.s;
  pw_fault fault = s->mech->fault;
  double lo = 0, hi = first_beyond(c, law);
  for (int k = 0; k < BISECTIONS; k++) {
    double mid = (lo + hi) / 2;
    *(is_beyond(c, law, mid) ? &hi : &lo) = mid;
  }
  s->mech->fault = fault;
  double way = part * lo * (s->t - s->rk.t);
  bool shorter = hi > 0 && s->range.fixed == 0 && way > 2 * pw_stepper_least(s);
  *h = shorter ? way : *h;
  return shorter;
}
