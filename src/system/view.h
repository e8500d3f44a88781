// SPDX-License-Identifier: MIT
/* Where the numbers of the law rows stand in the outputs of the tapes `contact`, `graph` and
 * `clause`. Everybody who evaluates these tapes reads them through this file. */
#ifndef PW_SYSTEM_VIEW_H
#define PW_SYSTEM_VIEW_H

#include "system/system.h"

typedef struct pw_law_view { /* outputs of the tapes at one state; NULL: not evaluated */
  const double *contact, *graph, *clause;
} pw_law_view;

/* Doubles per law in the output of `contact`: value, rate, zeta, J. */
static inline int pw_view_stride(const pw_system *sys) {
  return 3 + sys->nv;
}

/* Law row `law` at that state. Numbers of tapes that were not evaluated are NAN. */
pw_law_row pw_view_law(const pw_system *sys, pw_law_view view, int law);

#endif
