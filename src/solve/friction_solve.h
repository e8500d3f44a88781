// SPDX-License-Identifier: MIT
/* Friction problems by several methods in turn: some Gauss-Seidel sweeps, proximal Newton steps,
 * the central path where these do not end, and again from where slips that are held lead if all of
 * them stall. Groups of contacts that do not influence each other are solved one by one. The answer
 * is judged by pw_friction_residual. */
#ifndef PW_SOLVE_FRICTION_SOLVE_H
#define PW_SOLVE_FRICTION_SOLVE_H

#include "solve/friction.h"
#include "solve/outcome.h"

typedef struct pw_friction_opts {
  double tol;  /* on pw_friction_residual; 0: 1e-11 */
  bool warm;   /* r is a start; else it is not read */
  int sweeps;  /* of the first Gauss-Seidel run; 0: 20 */
  int rounds;  /* of both methods, at most; 0: 12 */
  bool path;   /* the central path in the first round; else where four of them were not enough */
  int newton;  /* steps of Newton's method in a round, at most; 0: no limit */
  size_t fill; /* what the memory was sized for; a group that needs more gets sweeps only, and all
                  of them where it is 0 */
} pw_friction_opts;

typedef struct pw_friction_info {
  int groups;         /* that do not influence each other */
  int sweeps, newton; /* Gauss-Seidel sweeps and Newton steps, largest group */
  int rounds;         /* most over the groups */
  pw_friction_check check;
} pw_friction_info;

/* Work memory: nc contacts, and doubles and ints for `blocks` blocks of W and `fill` blocks of
 * its factor. nc (nc - 1) / 2 is enough fill for every pattern; pw_friction_fill finds what a
 * sparse one needs (work: pw_friction_fill_ints). */
typedef struct pw_friction_memory {
  pw_contact *contact;
  double *real;
  int *whole;
} pw_friction_memory;

size_t pw_friction_solve_doubles(int nc, size_t blocks, size_t fill);
size_t pw_friction_solve_ints(int nc, size_t blocks, size_t fill);
size_t pw_friction_fill_ints(int nc, size_t blocks);
size_t pw_friction_fill(const pw_friction *p, int *whole);

/* r (3 nc): result, and start if warm. SOLVED: the residual is at most tol. MAX_ITER: it is not,
 * r is the best force found; there may be no solution. BREAKDOWN: not well posed, or not finite. */
pw_outcome pw_friction_solve(const pw_friction *p, const pw_friction_opts *opts, double *r,
                             const pw_friction_memory *memory, pw_friction_info *info);

#endif
