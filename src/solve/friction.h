// SPDX-License-Identifier: MIT
/* Coulomb friction at many contacts: find r with  u = W r + q  and for each
 * contact  u' = u + mu |u_T| e_N (De Saxce),  K = { |r_T| <= mu r_N },  r in K, u' in K*, r.u' = 0.
 * W is kept as rows of 3 x 3 blocks; a contact of lower dimension leaves its last rows zero. The
 * problem is not monotone: none, one or many solutions may exist. */
#ifndef PW_SOLVE_FRICTION_H
#define PW_SOLVE_FRICTION_H

#include <stdbool.h>
#include <stddef.h>

typedef enum pw_solve_contact_kind {
  PW_CONTACT, /* normal first, then dim - 1 tangents; bound is mu; dim 1 has no friction */
  PW_BALL     /* |r| <= bound with u opposite to r where |r| = bound: friction with given normal
                 force; bound INFINITY: u = 0 */
} pw_solve_contact_kind;

typedef struct pw_contact {
  pw_solve_contact_kind kind;
  int dim;
  double bound;
} pw_contact;

typedef struct pw_friction {
  int nc;
  const pw_contact *contact; /* nc */
  const int *start;          /* nc + 1: blocks of row i are start[i] .. start[i + 1] - 1 */
  const int *col;            /* ascending in a row; the diagonal is there */
  const double *W;           /* 9 per block, row-major */
  const double *q;           /* 3 nc */
} pw_friction;

/* Finite data, 0 <= bound, dimensions and columns as above. */
bool pw_friction_well_posed(const pw_friction *p);

/* ---- from vectors and matrices without the empty rows ---- */

int pw_friction_rows(const pw_contact *contact, int nc); /* sum of dim */
/* Blocks of an n x n column-major W that are not zero, the diagonal always counted. */
int pw_friction_blocks(const pw_contact *contact, int nc, const double *W);
void pw_friction_pack(const pw_contact *contact, int nc, const double *W, int *start, int *col,
                      double *blocks);
void pw_friction_spread(const pw_contact *contact, int nc, const double *x, double *x3);
void pw_friction_gather(const pw_contact *contact, int nc, const double *x3, double *x);

/* ---- evaluation ---- */

/* u = W r + q */
void pw_friction_velocity(const pw_friction *p, const double *r, double *u);

/* Units: with r_i s_i and u_i / s_i all contacts have one unit and the diagonal blocks of W have
 * mean diagonal 1. A contact without diagonal takes the unit of those it couples to. s: nc */
void pw_friction_scale(const pw_friction *p, double *s);

typedef struct pw_friction_check {
  double residual; /* largest |r - proj_K(r - u')| over contacts */
  double normal;   /* largest |min(r_N, u_N)|, or |r - proj(r - u)| for balls */
  double cone;     /* largest excess of |r_T| over mu r_N, of -r_N, or of |r| over the bound */
  double angle;    /* radians: largest angle between u_T and -r_T where both exceed 1e-6 */
  double scale;    /* largest |q_i|: the unit of the first three */
} pw_friction_check;

/* How well r solves the problem, in the units above and relative to the largest |q_i| (or, for
 * q = 0, absolute), computed from the definition: no projection or mode of a solver is used. NaN
 * if anything is. Returns the residual; check may be NULL. scratch: 4 nc */
double pw_friction_residual(const pw_friction *p, const double *r, double *scratch,
                            pw_friction_check *check);

#endif
