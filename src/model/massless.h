// SPDX-License-Identifier: MIT
/* Coordinates without inertia, engineering (E4) to (E7). */
#ifndef PW_MODEL_MASSLESS_H
#define PW_MODEL_MASSLESS_H

#include "model/law_rows.h"

typedef struct pw_massless {
  int q, u;       /* variables of the coordinate */
  int u_index;    /* of the velocity */
  pw_node T;      /* all kinetic energies */
  int kinetic;    /* which line gets what is added */
  int laws;       /* that act on the coordinate and are no equalities */
  int friction;   /* row of the only one of them that is no spring; -1 */
  const char *by; /* the law that leaves its motion open, NULL: none */
} pw_massless;

/* Whether a variable is that of the coordinate; payload: pw_massless. */
bool pw_of_massless(void *payload, int var);
pw_node pw_slope(pw_check *ck, pw_node f, int var);

/* Adds 1/2 m (rate / rate_n')^2 to the kinetic energy, where the rate contains n'. */
bool pw_weigh_massless(pw_check *ck, const pw_massless *x, pw_node rate);

/* The friction of the node becomes an equality for its slip, with the force along the gradient of
 * the slip; `balance`: all other forces on the node, with the sign of a resistance. False: they do
 * not determine the motion. */
bool pw_node_friction(pw_check *ck, const pw_massless *x, pw_node balance);

#endif
