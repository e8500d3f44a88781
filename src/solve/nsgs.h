// SPDX-License-Identifier: MIT
/* Nonsmooth Gauss-Seidel for friction problems: each contact in turn is solved exactly for the
 * forces of the others, in index order. Every contact takes the solution nearest to its old force,
 * so that it does not jump between several. Robust, linear convergence, slow for long stacks. */
#ifndef PW_SOLVE_NSGS_H
#define PW_SOLVE_NSGS_H

#include "solve/friction.h"
#include "solve/outcome.h"

typedef struct pw_nsgs_opts {
  int sweeps; /* at most; 0: 20 */
  double tol; /* stop when no force, times s of friction.h, changes by more; 0: never earlier */
} pw_nsgs_opts;

typedef struct pw_nsgs_info {
  int sweeps;
  int stuck;     /* contacts of the last sweep that had no solution alone and took a damped step */
  double change; /* largest change in the last sweep */
} pw_nsgs_info;

/* r: start and result. MAX_ITER: the sweeps were used up; SOLVED: the change is below tol, which is
 * no proof of a solution: see pw_friction_residual. BREAKDOWN: not finite. */
pw_outcome pw_nsgs(const pw_friction *p, const pw_nsgs_opts *opts, double *r, pw_nsgs_info *info);

#endif
