// SPDX-License-Identifier: MIT
/* Ticks of an axis: one at its end is there even if rounding puts it a little beyond. */
#include "plot/axis.h"

#include "check.h"

enum { MOST = 8 };

static void ticks_at_the_end(void) {
  pw_axis a = pw_axis_span(0, 1, MOST);
  CHECK_NEAR(a.step, 0.2, 1e-15);
  CHECK_INT(a.ticks, 6);
  CHECK_INT(pw_axis_span(0, 1 - 3e-10 * a.step, MOST).ticks, 6);
  CHECK_INT(pw_axis_span(0, 1 - 3e-8 * a.step, MOST).ticks, 5);
  CHECK_INT(pw_axis_span(3e-10 * a.step, 1, MOST).ticks, 6);
  CHECK_INT(pw_axis_span(3e-8 * a.step, 1, MOST).ticks, 5);
}

CHECK_MAIN({"ticks_at_the_end", ticks_at_the_end})
