// SPDX-License-Identifier: MIT
#include "model/everywhere.h"

#include <math.h>

#include "expr/tape.h"
#include "model/choice_kinks.h"

static bool note_last(void *payload, int var) {
  int *last = payload;
  *last = var > *last ? var : *last;
  return false;
}

static int same_place(void *payload, int var) {
  (void)payload;
  return var;
}

void pw_enclose_everywhere(pw_check *ck, pw_node symbolic, double *lo, double *hi) {
  int last = 0;
  pw_node a = pw_in_numbers(ck, symbolic);
  (void)pw_depends(ck->dag, a, note_last, &last);
  pw_tape *tape = pw_tape_compile(ck->arena, ck->dag, &a, 1, same_place, NULL);
  double *in_lo = PW_TAKE(ck->arena, last + 1, double);
  double *in_hi = PW_TAKE(ck->arena, last + 1, double);
  double *work = PW_TAKE(ck->arena, 2 * pw_tape_registers(tape) + 1, double);
  for (int i = 0; i <= last; i++) {
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
