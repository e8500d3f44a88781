// SPDX-License-Identifier: MIT
/* abs, sign, min, max and if are smooth on either side of a surface c(t, q, u) = 0. Each such
 * surface becomes a mode +1 or -1 that is held fixed inside a step, so that every step sees
 * smooth functions and the crossing is located like any other event. */
#ifndef PW_SYSTEM_SWITCHES_H
#define PW_SYSTEM_SWITCHES_H

#include "system/system.h"

typedef struct pw_switches {
  PW_LIST(pw_node) c;                /* surfaces, in order of first use */
  PW_LIST(pw_surface_origin) origin; /* of each */
  pw_span place;                     /* of the roots that are applied next */
  const pw_model *model;
} pw_switches;

/* Replaces the kinked operations below the roots by selections on modes. */
void pw_switches_apply(pw_switches *s, const pw_node *roots, int n, pw_node *out);

#endif
