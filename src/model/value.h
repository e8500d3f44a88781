// SPDX-License-Identifier: MIT
/* What an expression of the language can stand for once its names are known. */
#ifndef PW_MODEL_VALUE_H
#define PW_MODEL_VALUE_H

#include "expr/dag.h"

struct pw_symbol;

typedef enum pw_val_kind {
  PW_V_BAD,      /* after an error: accepted everywhere, so that one mistake is one message */
  PW_V_SCALAR,   /* node */
  PW_V_VECTOR,   /* v, n */
  PW_V_FAMILY,   /* members lo..lo+n-1 of coordinates or bodies from coord on, `primes` times ' */
  PW_V_MEMBERS,  /* members lo..lo+n-1 of a family of parameters or definitions, `primes` times ' */
  PW_V_ROTATION, /* coord */
  PW_V_BODY,     /* coord: p[1], p[2], p[3] and then the rotation */
  PW_V_TURN,     /* v[4]: the quaternion made by axis() */
  PW_V_TABLE,    /* row: number of the table */
  PW_V_FUNCTION, /* sym->stmt: `let f(x) = ...` */
  PW_V_LAW,      /* rows from `row` on: n of them, or a family */
  PW_V_SHAPE,    /* shapes from `row` on: n of them if it is a family, else one */
  PW_V_EVENT,
  PW_V_PART /* a name space, or a family of them from lo on */
} pw_val_kind;

typedef struct pw_pairs { /* members c[i][j] of one i */
  int lo, n;
  int row; /* first row of the first of them */
} pw_pairs;

typedef struct pw_val {
  pw_val_kind kind;
  pw_node node;
  int n;
  const pw_node *v;
  int lo, primes;
  int coord; /* first coordinate */
  int row;   /* first row of a law */
  int each;  /* law: rows per member; family: coordinates per member (1, or 4 of a body) */
  bool is_family;
  struct pw_val *members; /* numbers or vectors */
  const pw_pairs *pairs;  /* law: n of them if it is a family over pairs, else NULL */
  struct pw_symbol *sym;
} pw_val;

#define PW_BAD_VAL ((pw_val){.kind = PW_V_BAD})

static inline pw_val pw_scalar_val(pw_node node) {
  return (pw_val){.kind = PW_V_SCALAR, .node = node};
}

#endif
