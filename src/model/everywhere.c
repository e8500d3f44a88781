// SPDX-License-Identifier: MIT
#include "model/everywhere.h"

#include <math.h>

#include "expr/tape.h"
#include "model/choice_kinks.h"

void pw_enclose_everywhere(pw_check *ck, pw_node symbolic, double *lo, double *hi) {
  int n;
  pw_tape *tape = pw_tape_of_variables(ck->arena, ck->dag, pw_in_numbers(ck, symbolic), &n);
  double *in_lo = PW_TAKE(ck->arena, n, double);
  double *in_hi = PW_TAKE(ck->arena, n, double);
  double *work = PW_TAKE(ck->arena, 2 * pw_tape_registers(tape) + 1, double);
  for (int i = 0; i < n; i++) {
    in_lo[i] = -INFINITY;
    in_hi[i] = INFINITY;
  }
  pw_tape_range(tape, in_lo, in_hi, work, lo, hi);
}

bool pw_can_vanish(pw_check *ck, pw_node symbolic) {
  double lo, hi;
  pw_enclose_everywhere(ck, symbolic, &lo, &hi);
  return !(lo >= 0) && !(hi <= 0);
}
