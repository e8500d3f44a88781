// SPDX-License-Identifier: MIT
/* Runs by a method with fixed steps, STEP_METHOD of the including test, and their order of
 * convergence to what the event-driven engine says. */
#ifndef PW_TESTS_SIM_STEP_SUPPORT_H
#define PW_TESTS_SIM_STEP_SUPPORT_H

#include <math.h>

#include "sim_support.h"

static inline fixture stepped(const char *text, double step) {
  fixture f = make_with(text, &(pawl_sim_opts){.method = STEP_METHOD, .step = step});
  if (!CHECK(f.status == PAWL_OK)) {
    show_diags(&f);
    exit(1);
  }
  return f;
}

static inline double last_position(fixture f, int coordinate) {
  finish(&f);
  double x = point(&f).q[coordinate];
  unmake(&f);
  return x;
}

/* First position at the end of the run. */
static inline double end_of(const char *text, double step) {
  return last_position(stepped(text, step), 0);
}

static inline double reference(const char *text, int coordinate) {
  return last_position(make(text, 1e-12), coordinate);
}

/* log2 of the ratio of errors at a step and at half of it */
static inline double order_of(const char *text, double step) {
  double exact = reference(text, 0);
  return log2(fabs(end_of(text, step) - exact) / fabs(end_of(text, step / 2) - exact));
}

#endif
