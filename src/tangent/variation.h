// SPDX-License-Identifier: MIT
/* How the start of a motion changes with a name: a parameter or a start value. */
#ifndef PW_TANGENT_VARIATION_H
#define PW_TANGENT_VARIATION_H

#include "mech/handle.h"

typedef struct pw_by_name {
  int parameter;   /* of the model, or -1: a start value */
  double value;    /* of the name */
  double *start;   /* nq + nv: derivative of the consistent start, positions and velocities as
                      integrated */
  double *period;  /* events: derivatives of their periods */
  double from, to; /* derivatives of the times of the run */
  const char *why; /* not defined, in words; NULL: it is */
} pw_by_name;

/* The spelling of a name that overrides use: "d.y" is "y'". */
const char *pw_variation_spelling(const char *name, char *room, int size);

/* Whether the system, compiled from a model, has this name; its parameter and value. */
bool pw_variation_find(const pawl_system *system, const char *name, pw_by_name *out);

/* Derivatives of the consistent start: central differences of order 6, gradients (D6), of systems
 * that are compiled with other values of the name. `out->start` and
 * `out->period` have room. PAWL_E_MEMORY; else what
 * fails is out->why. */
PAWL_NODISCARD pawl_status pw_variation_start(const pawl_model *model, const pawl_system_opts *opts,
                                              const pawl_system *system, const char *name,
                                              pw_by_name *out);

#endif
