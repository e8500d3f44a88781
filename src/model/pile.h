// SPDX-License-Identifier: MIT
/* Contacts whose pairs are found on the way, shapes (G10): fixed steps need not write out all that
 * may ever touch. */
#ifndef PW_MODEL_PILE_H
#define PW_MODEL_PILE_H

#include "model/law_rows.h"

/* The method takes fixed steps, the clauses are numbers, and no other laws stand beside the
 * contact. slip: NULL for a smooth contact. */
bool pw_is_pile(pw_check *ck, const pw_clauses *normal, const pw_row_draft *slip, int shapes);
/* mu -1: smooth. False after an error. */
bool pw_add_pile(pw_check *ck, pw_node restitution, pw_node mu, const int *shape, int n);

/* The shape as numbers; false after the error E0270. */
bool pw_need_solid(pw_check *ck, pw_shape_def *s);

/* Why this contact, in a model that takes fixed steps, is written out pair by pair: a clause or
 * "another law"; NULL: the method takes no fixed steps. */
const char *pw_pile_hindrance(pw_check *ck);

bool pw_shape_moves(pw_check *ck, const pw_shape_def *s);
/* E0253. Returns false. */
bool pw_no_pair(pw_check *ck, const pw_shape_def *a, const pw_shape_def *b);

#endif
