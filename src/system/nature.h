// SPDX-License-Identifier: MIT
/* A constraint on velocities as a differential form w = a dq + b dt. */
#ifndef PW_SYSTEM_NATURE_H
#define PW_SYSTEM_NATURE_H

#include "system/ledger.h"

enum { PW_MOST_OF_FORM = 12 };

typedef struct pw_pfaff {
  const pw_model *m;
  int n;
  int var[PW_MOST_OF_FORM];
  pw_node w[PW_MOST_OF_FORM];
  pw_node by[PW_MOST_OF_FORM][PW_MOST_OF_FORM]; /* by[i][j] = dw_i/dx_j */
} pw_pfaff;

typedef struct pw_integral {
  const char *h; /* in words, NULL: not found */
  bool turns;    /* the factor g changes its sign */
} pw_integral;

/* The h of w = g dh, with g > 0 if its sign does not change; closed: g = 1. */
pw_integral pw_first_integral(const pw_pfaff *w, bool closed);

#endif
