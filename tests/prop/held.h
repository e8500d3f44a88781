// SPDX-License-Identifier: MIT
/* Random small systems whose constraints are realised otherwise than by an ideal reaction: servos,
 * multipliers that are states, viscous forces. Energies are quadratic with cosines. */
#ifndef PW_TESTS_HELD_H
#define PW_TESTS_HELD_H

#include "scene.h"

enum { HELD_LAWS = 2 };

typedef enum way { SERVO, VAKONOMIC, INERTIA, VISCOUS, IDEAL, WAYS } way;

typedef struct held {
  way way;
  poly f;         /* f >= 0 or f = 0: linear in the velocities, or a function of q and t */
  int positional; /* the latter */
  int one_sided, one_way, complementary;
  double by[POLY_VARS]; /* servo: covector of its force */
  poly phi;             /* inertia: T + lambda*phi; vakonomic: f */
  double lambda;        /* at the start */
  double N, K;          /* viscous */
} held;

typedef struct hold { /* a system */
  scene s;            /* its energies and start; no laws there */
  held law[HELD_LAWS];
  int m;
} hold;

typedef struct writing {
  int turned; /* the laws in the other order */
  int scaled; /* this law is multiplied by 10, -1: none */
} writing;

/* Makes g a function of the time too. */
void hold_moving(const hold *h, poly *g, dice *d);
/* The rate of g(q, t), as a polynomial. */
void hold_rate(const poly *g, int n, poly *f);
/* Velocities that satisfy all f = 0. */
void hold_project(hold *h);
/* Energies and a start. */
void hold_energies(hold *h, uint64_t seed, dice *d);
/* A function of the positions with a gradient at the start. */
void hold_function(const hold *h, poly *g, dice *d);
void hold_draw(hold *h, uint64_t seed);
char *hold_text(const hold *h, writing w); /* to be freed */

#endif
