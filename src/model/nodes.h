// SPDX-License-Identifier: MIT
/* Coordinates n without inertia that no equality holds, with the dry frictions and contacts on
 * them, engineering (E6), (E7). The rate of a law is a . n' + b. With one direction e_i for each
 * law, a_j . e_i = 1 for j = i and else 0, and directions along which no law moves, the forces on n
 * along e_i balance with those of law i alone:
 *   e_i . R = push_i,   R(q, n', t): all other forces, with the sign of a resistance. */
#ifndef PW_MODEL_NODES_H
#define PW_MODEL_NODES_H

#include "model/massless.h"

typedef struct pw_node_law {
  int row;
  bool contact;  /* else friction */
  pw_node slip;  /* a . n' + b */
  pw_node *a, b; /* n */
  int way;       /* direction along which it acts */
  pw_node ratio; /* its rate by that of the direction */
  pw_node at;    /* rate of the direction at which its own is zero */
  pw_node bound; /* of friction, along the direction: |ratio| F */
  pw_node push;  /* its force along the direction: ratio lambda */
  pw_node phase; /* of friction the sign of its slip, 0: it sticks; of a contact 1: it is closed */
} pw_node_law;

typedef struct pw_node_way { /* a direction */
  int n;                     /* coordinates that it moves, */
  int *k;                    /*   these, */
  pw_node *e;                /*   by so much */
  pw_node slip, b;           /* its rate, and with n' = 0 */
  int first, laws;           /* first law along it, -1: none; how many */
  int x;                     /* one of the coordinates */
  bool undamped;             /* no damper resists it, though dampers resist its coordinates */
} pw_node_way;

typedef struct pw_nodes {
  pw_check *ck;
  int n; /* coordinates, and directions */
  pw_massless *x;
  pw_node *resist; /* n: R */
  int *of;         /* nv: which of them a velocity is, -1: none */
  int n_law;
  pw_node_law *law;
  pw_node_way *way;
  const char *by, *why; /* the law that leaves a rate open, and what is to be done; NULL */
} pw_nodes;

/* Directions of the laws. False: two laws act along directions that cannot be told apart. */
bool pw_nodes_find_ways(pw_nodes *N);
/* Directions without laws along which dampers act on single coordinates, but not on all of them
 * together: a damper between two nodes has no say in the place of both. */
void pw_nodes_find_undamped(pw_nodes *N);

/* sum e_k df/d(rate of k), or by places. */
pw_node pw_along(const pw_nodes *N, const pw_node_way *w, pw_node f, bool rates);
/* e . R */
pw_node pw_resistance(const pw_nodes *N, const pw_node_way *w);
/* f, linear in the rates, for the rate zero along one direction and the others as they are. */
pw_node pw_with_way_held(const pw_nodes *N, int way, pw_node f);
/* f with n' = 0. */
pw_node pw_at_zero_rates(const pw_nodes *N, pw_node f);
bool pw_has_node_rate(const pw_nodes *N, pw_node f);

/* The laws along a direction get their forces, and the direction its rate. False with N->why. */
bool pw_node_laws(pw_nodes *N, int way);
/* The equality for the rate along a direction: value is zero. */
bool pw_add_rate(const pw_nodes *N, int way, pw_kind kind, pw_node value, pw_node rate);

#endif
