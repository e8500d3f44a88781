// SPDX-License-Identifier: MIT
/* Places made of coordinates: x and y, x[3] and y[3], xA, yA and zA. */
#ifndef PW_REPORT_PLACE_H
#define PW_REPORT_PLACE_H

#include "mech/handle.h"

typedef struct pw_place {
  int n; /* 2 or 3 */
  int coord[3];
} pw_place;

/* The name of a coordinate without that of the part it belongs to. */
const char *pw_place_letters(const pw_coord *c);
/* The first place whose first coordinate is not before *i, which moves past it; false: none. */
bool pw_place_next(const pw_model *m, int *i, pw_place *out);
/* Whether a coordinate belongs to a place. */
bool pw_place_has(const pw_model *m, int coord);
/* Whether the positions in an expression are those of exactly two places. */
bool pw_place_ends(const pw_model *m, pw_node value, pw_place ends[2]);
/* Whether an expression measures the distance of one place of the plane from a fixed point. */
bool pw_place_about(const pw_model *m, pw_node value, pw_place *place, double centre[2]);
/* Whether it depends on position i. */
bool pw_place_in(const pw_model *m, pw_node value, int q);

/* The only position that it depends on, if it depends on nothing else; -1: there is none. */
int pw_place_alone(const pw_model *m, pw_node value);

/* Calls a function that makes nodes in the graph of a system that is not shared: an allocation that
 * fails ends it with PAWL_E_MEMORY. */
PAWL_NODISCARD pawl_status pw_place_guard(pawl_system *system,
                                          void (*work)(pawl_system *system, void *payload),
                                          void *payload);

#endif
