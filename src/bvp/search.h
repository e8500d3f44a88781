// SPDX-License-Identifier: MIT
/* Looking for start velocities s whose motion ends where it should. */
#ifndef PW_BVP_SEARCH_H
#define PW_BVP_SEARCH_H

#include "bvp/shoot.h"

typedef struct pw_bvp_found { /* start velocities of solutions, d numbers each */
  int n, cap, d;
  double *s;
} pw_bvp_found;

bool pw_found_has(const pw_bvp_found *f, const double *s, double same);
/* Adds s unless the list contains it. False: out of memory. */
bool pw_found_add(pw_bvp_found *f, const double *s, double same);

/* One free direction: sweeps speeds from -R to R with subdivision, R doubled until nothing new is
 * to be expected. *complete: that was so, within the budget of trials. */
PAWL_NODISCARD pawl_status pw_sweep(pw_shoot *x, pw_bvp_found *found, bool *complete);

typedef struct pw_outlook { /* how far speeds of one sign are to be swept */
  double last;              /* to here; beyond it is regular, or nothing could be computed */
  double line;              /* from the reach to here the end is a linear function of the speed */
  bool regular; /* over many doublings beyond the end goes away, or there are too many bounces */
} pw_outlook;
pw_outlook pw_look_out(pw_shoot *x, int part, int sign);

/* Several directions: a grid (two) or a fixed quasi-random sequence of velocities (more); the best
 * ones are polished. `thorough`: with a larger budget. */
PAWL_NODISCARD pawl_status pw_scatter(pw_shoot *x, bool thorough, pw_bvp_found *found);

/* From starts that the problem itself proposes. False: out of memory. */
bool pw_seeds(pw_shoot *x, bool thorough, pw_bvp_found *found);

/* Motions that land on a contact without impact. False: out of memory. */
bool pw_glides(const pw_shoot *x, pw_bvp_found *found);

typedef struct pw_bvp_corner { /* a trial with two free directions, if the chart fits */
  double s[2], r[2];
  double size; /* of all residuals */
  unsigned trace;
  bool ok, out;
} pw_bvp_corner;
void pw_corner_look(pw_shoot *x, const double *s, pw_bvp_corner *out);
/* Solutions between n x n trials on a grid; `ring`: without its inner half. False: out of memory.
 */
bool pw_plane(pw_shoot *x, const pw_bvp_corner *grid, int n, bool ring, pw_bvp_found *found);

/* Parameters of the family of solutions that s belongs to, theory (90); 0: it is isolated. */
int pw_family_of(pw_shoot *x, const double *s);

/* Gauss and Newton with damping on the residuals of the motion; true if they vanish, unless the
 * iteration visibly converges to a known solution (may be NULL). */
bool pw_polish(pw_shoot *x, double *s, bool fine, const pw_bvp_found *known);
/* From a start s to a new solution, if there is one. False: out of memory. */
bool pw_improve(pw_shoot *x, double *s, pw_bvp_found *found);

#endif
