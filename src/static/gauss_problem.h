// SPDX-License-Identifier: MIT
/* The problem of one instant for one choice where the laws are not monotone: unknowns x are the
 * scaled forces of the rows whose forces are open, in their boxes, and
 *   y = A^T (c + B x) + z,   y complementary to x, with -y for rows on velocities before the
 * instant. Columns of B are tilted by Coulomb friction that slides. */
#ifndef PW_STATIC_GAUSS_PROBLEM_H
#define PW_STATIC_GAUSS_PROBLEM_H

#include "solve/outcome.h"
#include "static/gauss.h"

typedef struct pw_static_problem {
  pawl_gauss *g;
  pawl_when when;
  int k;               /* unknowns */
  int *row;            /* k */
  double *A, *B;       /* nv x k */
  double *z, *lo, *hi; /* k; z is the acceleration of the row without x, scaled */
  double *mu;          /* k: scaled bound per normal force of a slip that may stick */
  int *normal;         /* k: its contact among the unknowns, else -1 */
  bool *reversed;      /* k: -y is complementary */
  bool coupled;        /* Coulomb friction takes part */
  bool disks;          /* so do slips in a plane that may stick: rows k and k + 1 */
  bool any_reversed;
  double *c;     /* nv: with the forces of rows away from their kinks */
  double *x, *y; /* k: the last solution */
} pw_static_problem;

/* Solutions are handed over one by one: p->x and p->y are set. */
typedef void (*pw_static_found)(void *payload, pw_static_problem *p);

typedef struct pw_static_answer {
  pw_outcome outcome;
  bool complete; /* all solutions were found */
  int failed;    /* row that cannot be satisfied, -1: unknown */
} pw_static_answer;

pw_static_answer pw_static_solve(pw_static_problem *p, pw_static_found found, void *payload);

/* The same with slips in a plane. */
pw_static_answer pw_static_solve_disks(pw_static_problem *p, pw_static_found found, void *payload);
/* y of p->x. */
void pw_static_evaluate(pw_static_problem *p);

/* The least x of all solutions with the same accelerations, and the ranges of x (k each) over them.
 * False: outer bounds only, and x stays. */
bool pw_static_ranges(pw_static_problem *p, double *least, double *largest);

/* The same where Coulomb friction of slips on lines ties bounds to other forces. tiny:
 * accelerations that are zero. */
bool pw_static_least(pw_static_problem *p, double tiny, double *least, double *largest);

/* Widens the ranges by forces that can grow together without end, gauss_rays.c. */
void pw_static_rays(const pw_static_problem *p, double tiny, double *least, double *largest);

#endif
