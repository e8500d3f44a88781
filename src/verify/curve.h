// SPDX-License-Identifier: MIT
/* A segment of a motion as a curve: the polynomial through its nodes, with its derivative and with
 * what the decay of its coefficients says about its error. Functions of the segment alone; the
 * table remembers weights. */
#ifndef PW_VERIFY_CURVE_H
#define PW_VERIFY_CURVE_H

#include "traj/segment.h"

enum { PW_CURVE_TERMS = 4 }; /* last terms of the series that are looked at */

enum { PW_CURVE_PARTS = 192 }; /* of a segment: weights at one place of each are kept */

typedef struct pw_curve_weights { /* of n nodes in the value at a part, and in its slope */
  int n;
  double part, at[PW_MOST_NODES][2]; /* value, slope */
} pw_curve_weights;

typedef struct pw_curve_table { /* for a number of nodes */
  int n;
  double node[PW_MOST_NODES];
  double term[PW_MOST_NODES][PW_CURVE_TERMS]; /* weights of the nodes in the last coefficients */
  pw_curve_weights known[PW_CURVE_PARTS];     /* n 0: none yet */
} pw_curve_table;

/* Makes the table for n nodes, unless it is there. */
void pw_curve_prepare(pw_curve_table *table, int n);

typedef struct pw_curve { /* a segment, and where its numbers are */
  const pw_segment *segment;
  pw_curve_table *table;
  int stride, n; /* from node to node; first n values of a node are of interest */
} pw_curve;

/* Values and rates (n each) at a part of the segment, 0 to 1; rates NULL: not asked for. */
void pw_curve_at(const pw_curve *c, double part, double *restrict value, double *restrict rate);

/* The same with the last coefficients (PW_CURVE_TERMS times n) of the series of Chebyshev
 * polynomials in time, from its end. */
void pw_curve_look(const pw_curve *c, double part, double *restrict value, double *restrict rate,
                   double *restrict last);
/* The rate of a term of that series, per its coefficient: |T_N'| <= N^2 on [-1, 1]. */
double pw_curve_steepest(const pw_curve *c);
/* What the first term that is left out would be, by the sizes of the last ones: their decay goes
 * on. Odd and even terms are compared among themselves, for one kind vanishes where the motion is
 * odd or even in time. */
double pw_curve_tail(const double size[PW_CURVE_TERMS], double decay);
/* The decay from term to term, 0 to 1. */
double pw_curve_decay(const double size[PW_CURVE_TERMS]);

#endif
