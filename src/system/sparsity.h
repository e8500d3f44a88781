// SPDX-License-Identifier: MIT
/* Which entries of M and J are not zero, and how to factor them: found once, when the system is
 * compiled (docs/sparse.md). */
#ifndef PW_SYSTEM_SPARSITY_H
#define PW_SYSTEM_SPARSITY_H

#include "linalg/sparse_rows.h"
#include "system/system.h"

typedef struct pw_sparsity {
  pw_pattern mass;                  /* rows i >= j of each column j of M */
  pw_pattern rows;                  /* columns of each equality */
  const pw_chol_plan *factor;       /* of M */
  const pw_rows_plan *all;          /* of all equalities; NULL: there are none */
  const pw_rows_plan *on_positions; /* of the first np; the same where all are */
} pw_sparsity;

struct pw_equations;
/* NULL where dense algebra is cheaper, and where laws open and close, forces do not act along the
 * gradients of their rows, or multipliers are states. */
const pw_sparsity *pw_sparsity_find(const pw_system *sys, const struct pw_equations *eq);

#endif
