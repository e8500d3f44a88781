// SPDX-License-Identifier: MIT
/* Sums of products of simple factors: functions of q, u and t that the campaign can write as model
 * text, evaluate and differentiate without any code of the engine. */
#ifndef PW_TESTS_POLY_H
#define PW_TESTS_POLY_H

#include <stdint.h>
#include <stdio.h>

enum { POLY_VARS = 4, POLY_FACTORS = 6, POLY_TERMS = 96 };

typedef enum factor_kind {
  FACTOR_Q,     /* (q[i] - shift)^power */
  FACTOR_U,     /* q[i]'^power */
  FACTOR_SIN_Q, /* sin(q[i])^power */
  FACTOR_COS_Q,
  FACTOR_SIN_T, /* sin(shift*t)^power */
  FACTOR_COS_T
} factor_kind;

typedef struct factor {
  factor_kind kind;
  int i, power;
  double shift;
} factor;

typedef struct term {
  double c;
  int n;
  factor f[POLY_FACTORS];
} term;

typedef struct poly {
  int n;
  term t[POLY_TERMS];
} poly;

typedef struct place { /* an instant of a motion */
  double t;
  const double *q, *u;
} place;

term *poly_add(poly *p, double c);  /* a new constant term */
void term_times(term *t, factor f); /* multiplies it */
void poly_scale(poly *p, double c);
double poly_at(const poly *p, place at);

typedef enum variable { VAR_Q, VAR_U, VAR_T } variable;
/* out = dp/dvariable; out and p are different objects. */
void poly_diff(const poly *p, variable v, int i, poly *out);
/* Value of the derivative. */
double poly_slope(const poly *p, variable v, int i, place at);
/* d/dt along the motion, for functions of q and t. */
double poly_rate(const poly *p, int n, place at);
/* d/dt of a function of q, u, t with accelerations a. */
double poly_rate_u(const poly *p, int n, place at, const double *a);

void poly_write(const poly *p, FILE *out);

/* ---- random numbers: splitmix64 ---- */

typedef struct dice {
  uint64_t state;
} dice;

double dice_unit(dice *d);      /* [0, 1) */
int dice_below(dice *d, int n); /* 0 .. n-1 */
int dice_chance(dice *d, double p);
double dice_range(dice *d, double lo, double hi, int decimals); /* rounded: short in text */

#endif
