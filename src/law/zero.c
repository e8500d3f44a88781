// SPDX-License-Identifier: MIT
#include "law/zero.h"

#include <math.h>

#include "law/scale_mech.h"
#include "law/scale_static.h"

pw_zero_parts pw_zero_of_motion(void) {
  return (pw_zero_parts){PW_SCALE(INSTANT_TERMS), PW_SCALE(INSTANT_DRIFT)};
}

double pw_zero_room(pw_zero_parts parts, double terms, double moved) {
  return parts.terms * terms + parts.moved * moved;
}

double pw_zero_room_of_start(const double *J, const double *x, int n, double sum) {
  double terms = 0;
  for (int j = 0; j < n; j++) {
    terms += fabs(J[j] * x[j]);
  }
  return PW_SCALE(START_TERMS) * terms + PW_SCALE(ROUNDED_ROW) * sum;
}

static int sign_of(double x, double room) {
  return x > room ? 1 : x < -room ? -1 : 0;
}

pw_law_sign pw_law_sign_of(const pw_law_row *row, pw_law_room room) {
  pw_law_sign sign = {.value = sign_of(row->value, room.value),
                      .rate = sign_of(row->rate, room.rate)};
  sign.at_kink = sign.value == 0 && (row->form->on_velocity || sign.rate == 0);
  return sign;
}
