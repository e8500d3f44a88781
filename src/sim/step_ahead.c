// SPDX-License-Identifier: MIT
/* Before a step: what the time itself does. */
#include <math.h>

#include "sim/step.h"

static void look(pw_step_ahead *ahead, const pw_stepper *s, double h) {
  enum { AHEAD = 8 };
  double gap, far = pw_mech_clear(s->mech, s->t, AHEAD * h, s->y, s->y + s->nq, s->side,
                                  &ahead->patience, &gap);
  ahead->clear = s->t + far;
  ahead->pace = gap / 2;
}

double pw_stepper_within_sight(pw_stepper *s, double h, double end) {
  h = fmin(h, end - s->t);
  if (h > s->ahead.pace || s->t + h > s->ahead.clear) {
    look(&s->ahead, s, h);
  }
  return fmin(h, fmin(s->ahead.pace, s->ahead.clear - s->t));
}
