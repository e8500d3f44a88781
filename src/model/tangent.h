// SPDX-License-Identifier: MIT
/* Slips of three components that span a plane, as two. */
#ifndef PW_MODEL_TANGENT_H
#define PW_MODEL_TANGENT_H

#include "model/check.h"

typedef struct pw_tangents {
  pw_node along[2][3]; /* two unit vectors at right angles, by the components of the slip */
  pw_node slip[2];     /* the slip along them */
} pw_tangents;

/* contact: the row whose gap bounds the slip, or -1. False: they do not span a plane. */
bool pw_find_tangents(pw_check *ck, const pw_node *slip, int contact, pw_tangents *out);

/* The force, or impulse, of such a slip by the components that are stated; row: the first of its
 * two. */
pw_val pw_law_vector(pw_check *ck, pw_var_class kind, int row);
/* What `force(c)` or `impulse(c)` is, ex: n rows of a law. */
pw_val pw_law_val(pw_check *ck, const pw_ex *ex, pw_var_class kind, int row, int n);

#endif
