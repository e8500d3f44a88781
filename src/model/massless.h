// SPDX-License-Identifier: MIT
/* Coordinates without inertia, engineering (E4) to (E7). */
#ifndef PW_MODEL_MASSLESS_H
#define PW_MODEL_MASSLESS_H

#include "model/law_rows.h"

typedef struct pw_massless {
  int coord;   /* which coordinate of the model */
  int q, u;    /* its variables */
  int u_index; /* of the velocity */
  pw_node T;   /* all kinetic energies */
  int kinetic; /* which line gets what is added */
} pw_massless;

pw_node pw_slope(pw_check *ck, pw_node f, int var);

#endif
