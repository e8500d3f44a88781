// SPDX-License-Identifier: MIT
/* Proximal-point semismooth Newton method for friction problems: W is replaced by
 * W + alpha I with the last force as centre, Newton's method with Armijo steps finds the zero of
 * r - proj(r - rho u'), and alpha falls as long as that succeeds. For problems in the units of
 * friction.h; redundant contacts (a singular W) are no obstacle.
 *
 * Where that stalls, slips may be held: De Saxce's shift is that of the centre. The problem of each
 * centre then is monotone (Acary, Cadoux, Lemarechal and Malick, "A formulation of the linear
 * discrete Coulomb friction problem via convex optimization", 2011) and Newton's method ends, but
 * the centres need not: they wander, slowly, to where the other form has a chance. */
#ifndef PW_SOLVE_PROX_NEWTON_H
#define PW_SOLVE_PROX_NEWTON_H

#include "solve/friction.h"
#include "solve/friction_factor.h"
#include "solve/outcome.h"

typedef enum pw_newton_map {
  PW_MAP_NATURAL, /* projection on the cone with De Saxce's shift */
  PW_MAP_ALART    /* Alart and Curnier: normal and tangent projected one after the other */
} pw_newton_map;

typedef struct pw_prox_newton_opts {
  pw_newton_map map;
  double tol;   /* on the map with rho = 1, absolute; required */
  double rho;   /* step of the projection; 0: 5, found best on published problems */
  double alpha; /* first; 0: 0.1 */
  double least; /* alpha falls to this; 0: 1e-9 */
  int outer;    /* at most this many centres; 0: 40 */
  int inner;    /* Newton steps for each; 0: 30 */
  int most;     /* Newton steps in all; 0: no limit */
  bool held;    /* slips are held, and alpha does not fall */
} pw_prox_newton_opts;

typedef struct pw_prox_newton_info {
  int outer, newton;
  double residual; /* of the result: the natural map with rho = 1 */
} pw_prox_newton_info;

/* Work: a factor of `plan` and more. blocks: of W. */
size_t pw_prox_newton_doubles(int nc, size_t blocks, size_t fill);

/* r: start and result, the best one met; with slips held, the last one. SOLVED: the residual is at
 * most tol. */
pw_outcome pw_prox_newton(const pw_friction *p, const pw_block_plan *plan,
                          const pw_prox_newton_opts *opts, double *r, double *real,
                          pw_prox_newton_info *info);

/* Largest |r - proj(r - u')| over the contacts; u: 3 nc of work. */
double pw_natural_map(const pw_friction *p, const double *r, double *u);

#endif
