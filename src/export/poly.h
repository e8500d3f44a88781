// SPDX-License-Identifier: MIT
/* Expressions as people write them: sums of products of atoms with whole powers. Atoms are
 * variables, functions, and parts that are too long to be multiplied out, which get names. */
#ifndef PW_EXPORT_POLY_H
#define PW_EXPORT_POLY_H

#include "expr/dag.h"

typedef struct pw_factor {
  pw_node atom;
  int power; /* not 0 */
} pw_factor;

typedef struct pw_term {
  double coefficient;
  pw_factor *factor; /* by number of atom */
  int n;
} pw_term;

typedef struct pw_poly { /* no two terms have the same factors; 0: no term */
  pw_term *term;
  int n;
} pw_poly;

typedef struct pw_polys { /* the forms of all nodes so far */
  pw_arena *arena;
  pw_dag *dag;
  const pw_poly **memo; /* by node; NULL: not yet */
  int room;
  struct {
    pw_node *items;
    int n, cap;
  } named; /* parts with names, in the order of their definitions */
} pw_polys;

/* The form of a node. Products of more than a few hundred terms are not multiplied out. */
const pw_poly *pw_poly_of(pw_polys *p, pw_node node);
/* The expression of a named part. */
const pw_poly *pw_poly_inside(pw_polys *p, pw_node named);
/* Number of the name from 0, or -1. */
int pw_poly_name(const pw_polys *p, pw_node atom);

/* sin^2 + cos^2 = 1, and sums of products of two angles as functions of their sum or difference. */
pw_poly pw_poly_trig(pw_polys *p, const pw_poly *a);

pw_poly pw_poly_sum(pw_polys *p, const pw_poly *a, const pw_poly *b, double factor);
/* The monomial that divides every term, with the coefficient that leaves whole numbers or 1. */
pw_term pw_poly_common(pw_polys *p, const pw_poly *a);
pw_poly pw_poly_divide(pw_polys *p, const pw_poly *a, const pw_term *by);

#endif
