// SPDX-License-Identifier: MIT
/* Contacts whose pairs are found on the way, shapes (G10): fixed steps need not write out all that
 * may ever touch. */
#ifndef PW_MODEL_PILE_H
#define PW_MODEL_PILE_H

#include "model/law_rows.h"

typedef enum pw_pile_use {
  PW_PILE_NONE, /* pairs are written out as rows */
  PW_PILE_ONLY, /* they are found on the way */
  PW_PILE_BOTH  /* both: the method goes from events to steps and back */
} pw_pile_use;

/* The method of the run is `auto`. */
bool pw_may_take_turns(pw_check *ck);
/* A pile if the method takes fixed steps, the clauses are numbers, and the model has no other laws.
 * slip: NULL for a smooth contact; pairs: they are few, and the event method knows each of them. */
pw_pile_use pw_pile_use_of(pw_check *ck, const pw_clauses *normal, const pw_row_draft *slip,
                           bool pairs);
/* mu -1: smooth. False after an error. */
bool pw_add_pile(pw_check *ck, pw_node restitution, pw_node mu, const int *shape, int n);

/* Its corners are numbers that are known before the run. */
bool pw_may_be_solid(pw_check *ck, const pw_shape_def *s);
/* The shape as numbers; false after the error E0270. */
bool pw_need_solid(pw_check *ck, pw_shape_def *s);

/* Why this contact, in a model that takes fixed steps, is written out pair by pair: a clause or
 * "another law"; NULL: the method takes no fixed steps. */
const char *pw_pile_hindrance(pw_check *ck);

bool pw_shape_moves(pw_check *ck, const pw_shape_def *s);
/* E0253. Returns false. */
bool pw_no_pair(pw_check *ck, const pw_shape_def *a, const pw_shape_def *b);

#endif
