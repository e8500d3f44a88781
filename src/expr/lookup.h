// SPDX-License-Identifier: MIT
/* Functions through points, piece by piece a polynomial of degree 3 at most (signals (I3)-(I5)).
 * Pieces are numbered: 0 lies before the first point, i between points i - 1 and i, n after the
 * last of n points; for a periodic table the numbers continue in both directions. Also sequences of
 * instants origin + k tick, where piece k begins at the k-th of them, and stairs, whose piece k has
 * the value k. */
#ifndef PW_EXPR_LOOKUP_H
#define PW_EXPR_LOOKUP_H

#include <stdbool.h>

#include "base/arena.h"

typedef enum pw_lut_kind {
  PW_LUT_LINEAR,
  PW_LUT_CUBIC,    /* natural spline: twice continuously differentiable */
  PW_LUT_MONOTONE, /* rises and falls only where the points do */
  PW_LUT_TICKS,    /* no values: instants */
  PW_LUT_FLOOR,    /* stairs: piece k is k <= x < k + 1, */
  PW_LUT_CEIL,     /* k - 1 < x <= k, */
  PW_LUT_ROUND     /* |x - k| <= 1/2 */
} pw_lut_kind;

typedef struct pw_lut {
  pw_lut_kind kind;
  const char *name;      /* or NULL */
  int n;                 /* points */
  const double *x;       /* n, rising; two that are equal are a jump */
  const double *c;       /* 4 (n - 1): coefficients of the powers of x - x[i] in piece i + 1 */
  double first, last;    /* values at the ends */
  bool periodic, extend; /* continues with its period; with its last pieces; else constant */
  bool jumps;            /* its values may jump at its points */
  double origin, tick;   /* of PW_LUT_TICKS and stairs */
} pw_lut;

/* The numbers of a piece. Inside it both low and high are positive:
 *   low = LOW + LOW_SLOPE x,   high = HIGH + HIGH_SLOPE x. */
typedef enum pw_lut_column {
  PW_LUT_BASE, /* the polynomial goes by powers of x - BASE */
  PW_LUT_C0,
  PW_LUT_C1,
  PW_LUT_C2,
  PW_LUT_C3,
  PW_LUT_LOW,
  PW_LUT_LOW_SLOPE,
  PW_LUT_HIGH,
  PW_LUT_HIGH_SLOPE,
  PW_LUT_COLUMNS
} pw_lut_column;

/* A number of a table in one whole number: table * RADIX + column, or order of a derivative. */
enum { PW_LUT_RADIX = 16 };

/* The polynomials through n >= 2 points with values y: rising x, but for PW_LUT_LINEAR, where two
 * may be equal. A periodic table has equal values at its ends. */
void pw_lut_fit(pw_arena *arena, pw_lut *table, const double *y);

/* floor, ceil or round: whole numbers that jump. */
pw_lut pw_lut_stairs(pw_lut_kind kind);
bool pw_lut_is_stairs(const pw_lut *table);
/* Highest power in a piece. */
int pw_lut_degree(const pw_lut *table);

double pw_lut_column_of(const pw_lut *table, pw_lut_column column, double piece);
/* The piece that contains x; at a point the one that begins there. */
double pw_lut_piece(const pw_lut *table, double x);
/* The next piece that is not empty, up or down. */
double pw_lut_beside(const pw_lut *table, double piece, bool up);
/* Where a piece begins and ends; infinite. */
double pw_lut_begin(const pw_lut *table, double piece);
double pw_lut_end(const pw_lut *table, double piece);
/* Derivative of some order at x. */
double pw_lut_value(const pw_lut *table, int order, double x);

#endif
