// SPDX-License-Identifier: MIT
/* Tips of norms of two or three measures, potentials (P11): sqrt(s1^2 + s2^2 + s3^2), hypot(s1,
 * s2). */
#ifndef PW_MODEL_TIP_H
#define PW_MODEL_TIP_H

#include "law/set.h"
#include "model/check.h"

typedef struct pw_tip { /* the measures of a norm */
  int n;
  pw_node s[PW_LAW_MOST];
} pw_tip;

/* Whether the node is the norm of two or three measures, each of which moves with the variables of
 * the classes `has`; of velocities linearly. */
bool pw_tip_of(pw_check *ck, unsigned has, pw_node node, pw_tip *tip);

/* Whether the slope by the norm is positive and finite at its tip, at points of it that are found
 * from samples. A spring of length L, (|s| - L)^2, has a ridge there, |s|^2 is smooth, |(x, 1)| has
 * no tip. */
bool pw_tip_rises(pw_check *ck, unsigned has, pw_node norm, const pw_tip *tip, pw_node slope);

#endif
