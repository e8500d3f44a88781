// SPDX-License-Identifier: MIT
/* One-sided constraints with corners as several smooth ones, potentials (P15). */
#ifndef PW_MODEL_PIECES_H
#define PW_MODEL_PIECES_H

#include "model/check.h"

/* A constraint g >= 0 whose g is the smallest of several smooth pieces becomes the list of them;
 * others stay. False: an error, too many of them. */
bool pw_constraint_pieces(pw_check *ck, const char *name, pw_val *value);

/* The function of a kink of g whose slope has no sign for all states, but points into the
 * admissible set g >= 0 wherever lines meet it; NULL: none. */
const char *pw_reentrant_kink(pw_check *ck, pw_node g, unsigned has);

#endif
