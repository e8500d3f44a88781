// SPDX-License-Identifier: MIT
/* One contact alone: all r with  u = A r + b  in the law of friction.h. Open, stick and slip are
 * tried in turn; in space the slip direction d solves cross(u_T, d) = 0, a quadratic in (cos, sin)
 * with at most four roots (Bonnefon and Daviet 2011). A need not be symmetric or definite. */
#ifndef PW_SOLVE_CONTACT_EXACT_H
#define PW_SOLVE_CONTACT_EXACT_H

#include <stdbool.h>

#include "solve/friction.h"

typedef enum pw_contact_mode { PW_CONTACT_OPEN, PW_CONTACT_STICK, PW_CONTACT_SLIP } pw_contact_mode;

typedef struct pw_contact_solution {
  pw_contact_mode mode; /* on the border between two modes: the first of them */
  double r[3], u[3];
  double residual; /* natural map in common units, relative to the larger of b and r */
} pw_contact_solution;

enum { PW_EXACT_MOST = 6 };

/* A: 9, row-major; b: 3. Returns how many solutions there are; where they form a continuum (only
 * for a singular A or Painleve's degenerate case) some of them are given. */
int pw_contact_exact(const pw_contact *c, const double *A, const double *b,
                     pw_contact_solution out[PW_EXACT_MOST]);

/* The solution nearest to r, which it replaces; false and r kept if there is none. Takes the
 * continuation of the present mode without looking for others if that is near. */
bool pw_contact_closest(const pw_contact *c, const double *A, const double *b, double *r);

/* ---- slip directions ---- */

/* f(c, s) = k[0] c + k[1] s + k[2] c c + k[3] c s + k[4] s s on the unit circle. */
enum { PW_CIRCLE_MOST = 32 };
double pw_circle_value(const double k[5], double c, double s);
/* Angles of all roots (some may be listed twice), at most PW_CIRCLE_MOST; exact to rounding where
 * the root is simple. A root where f touches zero within rounding is listed, too. */
int pw_circle_roots(const double k[5], double *angle);
/* Newton's method from an angle nearby; false if it does not settle within half a radian. */
bool pw_circle_polish(const double k[5], double *angle);

#endif
