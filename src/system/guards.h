// SPDX-License-Identifier: MIT
/* Operations that can hide features between the points a step evaluates: they make a narrow feature
 * from a wide argument (exp, 1/x, sin, ...). Sums and products of low degree cannot. A guard is
 * such an operation; one tape computes the arguments of all of them, so that one evaluation on
 * enclosures decides whether a step may hide anything (theory (109)). */
#ifndef PW_SYSTEM_GUARDS_H
#define PW_SYSTEM_GUARDS_H

#include "expr/tape_code.h"
#include "model/model.h"

/* Tapes that are watched along a step, as bits. */
enum {
  PW_OF_MOTION = 1,
  PW_OF_CONTACT = 2,
  PW_OF_GRAPH = 4,
  PW_OF_GAP = 8,
  PW_OF_SIDES = 16,
  PW_OF_ROOTS = 32
};

typedef struct pw_guard {
  pw_tape_op op;
  int n;          /* exponent of POWI */
  int a, b;       /* its arguments: outputs of the tape; b = a if there is one only */
  unsigned where; /* PW_OF_...: the tapes that contain it */
  pw_node of;     /* argument a, to be named */
} pw_guard;

typedef struct pw_guards {
  int n;
  const pw_guard *item;
  const pw_tape *tape;        /* NULL: no guards */
  const unsigned char *reads; /* n_in: 1: the tape reads this input */
} pw_guards;

/* Notes the functions of one tape. */
typedef struct pw_guard_roots {
  struct {
    const pw_node *node;
    int n;
    unsigned where;
  } of[6];
  int n;
} pw_guard_roots;

pw_guards pw_guards_build(const pw_model *model, const pw_guard_roots *roots, int n_in,
                          int (*input)(void *payload, int var), void *payload);

#endif
