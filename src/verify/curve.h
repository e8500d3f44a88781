// SPDX-License-Identifier: MIT
/* A segment of a motion as a curve: the polynomial through its nodes, with its derivative and with
 * what the decay of its coefficients says about its error. Functions of the segment alone; the
 * table remembers weights. */
#ifndef PW_VERIFY_CURVE_H
#define PW_VERIFY_CURVE_H

#include "traj/segment.h"

enum { PW_CURVE_TERMS = 4 }; /* last terms of the series that are looked at */

enum { PW_CURVE_PARTS = 6 }; /* parts of segments that are asked for again and again */

typedef struct pw_curve_weights { /* of the nodes in the value at a part, and in its slope */
  double part, value[PW_MOST_NODES], slope[PW_MOST_NODES];
} pw_curve_weights;

typedef struct pw_curve_table { /* for a number of nodes */
  int n;
  double node[PW_MOST_NODES];
  double term[PW_CURVE_TERMS][PW_MOST_NODES]; /* weights of the nodes in the last coefficients */
  int n_known;
  pw_curve_weights known[PW_CURVE_PARTS]; /* at the parts that were asked for first */
} pw_curve_table;

/* Makes the table for n nodes, unless it is there. */
void pw_curve_prepare(pw_curve_table *table, int n);

typedef struct pw_curve { /* a segment, and where its numbers are */
  const pw_segment *segment;
  pw_curve_table *table;
  int stride, n; /* from node to node; first n values of a node are of interest */
} pw_curve;

/* Values and rates (n each) at a part of the segment, 0 to 1; rates NULL: not asked for. */
void pw_curve_at(const pw_curve *c, double part, double *value, double *rate);

/* The last coefficients (n each) of the series of Chebyshev polynomials in time, from its end. */
void pw_curve_last(const pw_curve *c, double *out);
/* The rate of a term of that series, per its coefficient: |T_N'| <= N^2 on [-1, 1]. */
double pw_curve_steepest(const pw_curve *c);
/* What the first term that is left out would be, by the sizes of the last ones: their decay goes
 * on. Odd and even terms are compared among themselves, for one kind vanishes where the motion is
 * odd or even in time. */
double pw_curve_tail(const double size[PW_CURVE_TERMS]);
/* The decay from term to term, 0 to 1. */
double pw_curve_decay(const double size[PW_CURVE_TERMS]);

#endif
