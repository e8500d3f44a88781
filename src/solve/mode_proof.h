// SPDX-License-Identifier: MIT
/* What a search over the modes of contacts claims, judged by code that shares nothing with it: that
 * given forces are a solution, and that a set of linear conditions has none, by Farkas' lemma:
 * theory (103), (104). */
#ifndef PW_SOLVE_MODE_PROOF_H
#define PW_SOLVE_MODE_PROOF_H

#include <stdbool.h>

#include "solve/stick_pairs.h"

/* Conditions a_c . x >= b_c, or = b_c. */
typedef struct pw_conditions_list {
  int k, count;     /* unknowns, conditions */
  const double *a;  /* k x count: columns */
  const double *b;  /* count */
  const int *equal; /* count */
} pw_conditions_list;

/* True if the multipliers (count, not negative but for equalities) prove that no x with all
 * |x_i| <= reach meets the conditions: sum l_c b_c > reach sum_i |sum_c l_c a_ci|, beyond what
 * rounding of these sums explains. */
bool pw_conditions_refuted(const pw_conditions_list *p, const double *multiplier, double reach);

/* The largest violation of the laws by the forces x (k), relative to the sizes of x and z: each
 * force is the projection of force minus rate on its box, or on the section of its cone. NaN if
 * anything is. */
double pw_stick_residual(const pw_stick_rows *p, const double *x);

#endif
