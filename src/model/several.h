// SPDX-License-Identifier: MIT
/* Maxima of three and more pieces, potentials (P9). */
#ifndef PW_MODEL_SEVERAL_H
#define PW_MODEL_SEVERAL_H

#include "model/check.h"

typedef struct pw_maximum { /* max(p_1, ..., p_n) */
  pw_node root;             /* as choices by pairs */
  pw_node *piece;
  int n;
} pw_maximum;

typedef struct pw_maxima {
  PW_LIST(pw_maximum) all;
  PW_LIST(pw_node) choice; /* nodes inside of the roots */
} pw_maxima;

/* The energy with each maximum of three and more pieces, one of which depends on variables of the
 * classes `has`, as choices by the differences of pairs of them. */
pw_node pw_maxima_unfold(pw_check *ck, unsigned has, pw_node energy, pw_maxima *out);

/* 1 where piece i is the one that is taken, else 0. */
pw_node pw_maximum_is_top(pw_check *ck, const pw_maximum *s, int i);

/* The maximum with this root; NULL: none. */
const pw_maximum *pw_maximum_of(const pw_maxima *list, pw_node root);
bool pw_maximum_has_choice(const pw_maxima *list, pw_node node);

#endif
