// SPDX-License-Identifier: MIT
/* Before a step: what the time itself does. */
#include <math.h>

#include "sim/step.h"

double pw_stepper_within_sight(pw_stepper *s, double h, double end) {
  enum { AHEAD = 8 };
  h = fmin(h, end - s->t);
  if (h > s->ahead.pace || s->t + h > s->ahead.clear) {
    double gap, far = pw_mech_clear(s->mech, s->t, AHEAD * h, s->y, s->y + s->nq, s->side,
                                    &s->ahead.patience, &gap);
    s->ahead.clear = s->t + far;
    s->ahead.pace = gap / 2;
  }
  return fmin(h, fmin(s->ahead.pace, s->ahead.clear - s->t));
}
