// SPDX-License-Identifier: MIT
/* abs, sign, min, max and if are smooth on either side of a surface c(t, q, u) = 0, and so are
 * tables between their points. Each such surface becomes a mode, +1 or -1 or the number of a piece,
 * that is held fixed inside a step, so that every step sees smooth functions and the crossing is
 * located like any other event. */
#ifndef PW_SYSTEM_SWITCHES_H
#define PW_SYSTEM_SWITCHES_H

#include "system/system.h"

typedef struct pw_switches {
  PW_LIST(pw_node) c;                /* surfaces, in order of first use */
  PW_LIST(pw_surface_origin) origin; /* of each */
  PW_LIST(pw_node) place_of;         /* of each that belongs to a table: the argument; else -1 */
  bool keep_tables;                  /* tables stay as they are: to be printed */
  pw_span place;                     /* of the roots that are applied next */
  const pw_model *model;
} pw_switches;

/* The surface where a table has its points along x; where the instants of a table of ticks are. */
int pw_switches_table(pw_switches *s, int table, pw_node x, const char *word);
/* The surface where a delay needs its next piece, or where a joint has turned so far that its full
 * turns must be counted again. */
int pw_switches_piece(pw_switches *s, int signal);

/* Replaces the kinked operations below the roots by selections on modes; only tables, while abs,
 * min, max, sign and if stay as they are; or only operations that can jump, that is, not abs, min
 * and max. A choice by forces or by integrals stays as it is, because these are computed after the
 * sides. */
void pw_switches_apply(pw_switches *s, const pw_node *roots, int n, pw_node *out);
void pw_switches_apply_tables(pw_switches *s, const pw_node *roots, int n, pw_node *out);
void pw_switches_apply_jumps(pw_switches *s, const pw_node *roots, int n, pw_node *out);

#endif
