// SPDX-License-Identifier: MIT
/* What a solver found. The caller decides what it means for the motion. */
#ifndef PW_SOLVE_OUTCOME_H
#define PW_SOLVE_OUTCOME_H

typedef enum pw_outcome {
  PW_SOLVED,
  PW_MAX_ITER,   /* stopped before the residual was small */
  PW_INFEASIBLE, /* no solution exists; a certificate is given where the solver says so */
  PW_BREAKDOWN   /* not a number, or a pivot vanished */
} pw_outcome;

#endif
