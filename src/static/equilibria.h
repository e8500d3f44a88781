// SPDX-License-Identifier: MIT
/* The list of equilibria and steady motions of a system: found from many starts, each with the
 * range of every coordinate over the connected set it belongs to. */
#ifndef PW_STATIC_EQUILIBRIA_H
#define PW_STATIC_EQUILIBRIA_H

#include "pawl/static.h"
#include "static/balance.h"

typedef struct pw_rest {            /* an equilibrium, or a steady motion */
  double *q, *u, *u_shown, *lambda; /* nq, nv, nv, nr */
  pawl_interval *range;             /* nq; a point has lo == hi */
  bool is_set, steady;
  pawl_stability stable;
} pw_rest;

enum { PW_MOST_RESTS = 64 };

struct pawl_equilibria {
  pw_arena arena;
  const pawl_system *system;
  const pw_system *sys;
  pw_mech *mech;
  pw_still *still;
  pw_balance rest, steady; /* at rest; with the velocities of cyclic coordinates */
  double t;
  double *scale;           /* nv: of each coordinate */
  bool *periodic, *cyclic; /* nv: nothing changes after 2 pi; at all */
  bool *winds;             /* nv: after 2 pi only the gaps of walls change */
  int *cyclics, n_cyclic;
  pw_rest item[PW_MOST_RESTS];
  int count;
  bool overflow;
};

/* scale, periodic, cyclic; units of the balances. False: no numbers at the start. */
bool pw_rest_scales(pawl_equilibria *e);
/* A deterministic position: number k of the starts, 0 is the start of the model. */
void pw_rest_start(const pawl_equilibria *e, int k, double *q);
/* Ranges of the coordinates over the connected set of balances around x. */
void pw_rest_ranges(pawl_equilibria *e, pw_balance *b, pw_rest *x);
/* Both belong to one connected set. */
bool pw_rest_joined(pawl_equilibria *e, pw_balance *b, const pw_rest *x, const pw_rest *y);
pawl_stability pw_rest_stability(pawl_equilibria *e, pw_balance *b, const pw_rest *x);

#endif
