// SPDX-License-Identifier: MIT
/* Elements of time: on each the state y is a polynomial of degree S that has the rate of the motion
 * at the S points of Gauss, theory (87). For constant masses this makes the action of piecewise
 * polynomials stationary (Ritz' method); at the ends of elements the order is 2 S. */
#ifndef PW_BVP_RITZ_H
#define PW_BVP_RITZ_H

#include <stdbool.h>

#include "base/layout.h"

enum { PW_RITZ_POINTS = 6, PW_RITZ_MOST = 10 }; /* S by default, and at most */

/* y' (n) at (t, y), and the integrand of the action; false: there is none. */
typedef bool (*pw_ritz_rate)(void *owner, double t, const double *y, double *rate, double *action);

typedef struct pw_ritz {
  int n;
  int points; /* S */
  pw_ritz_rate rate;
  void *owner;
  const double *scale; /* n: sizes of the components, time_scale that of the time */
  double time_scale;
  double point[PW_RITZ_MOST], weight[PW_RITZ_MOST]; /* on [0, 1] */
  double part[PW_RITZ_MOST][PW_RITZ_MOST];          /* integrals from 0 to point i */
  double *J;                     /* S of n x (n + 1): derivatives of the rate by y and t */
  double *B, *r, *y, *up, *down; /* (S n)^2, S n, n, n, n */
  int *pivot;                    /* S n */
} pw_ritz;

/* Counts or hands out the memory for states of n numbers, with z->points. */
void pw_ritz_lay_out(pw_ritz *z, int n, pw_layout *l);

typedef struct pw_element {
  double t, h;
  const double *y; /* n: at its start */
  double *rate;    /* S x n: at the points; a guess first */
  double *end;     /* n */
  double *by;      /* n x (n + 2): derivatives of the end by y, t and h */
  double action;
} pw_element;

bool pw_ritz_solve(pw_ritz *z, pw_element *e);

#endif
