// SPDX-License-Identifier: MIT
/* Hamilton's principle taken literally: the action of varied curves. Everything is a sum over the
 * intervals between rows, so that a trajectory of any length passes through a window of four. */
#ifndef PW_VERIFY_VARY_H
#define PW_VERIFY_VARY_H

#include "mech/handle.h"
#include "pawl/verify.h"
#include "verify/probe.h"

enum { PW_VARY_WINDOW = 4 };

typedef struct pw_variation {
  bool strong;
  pawl_vary_fn fn;
  void *payload;
  double action[4];        /* of the curves at eps, -eps, 2 eps, -2 eps */
  double weak, by_formula; /* certificates (C8), (C9) */
  double parts;            /* of what `weak` is the sum, by size */
  double size;             /* integral of |w|^2 in the metric of M */
  double lowest, highest;  /* of J w / |J| at what is closed; equalities count as both signs */
} pw_variation;

struct pawl_vary {
  const pw_system *sys;
  pw_probe probe;
  pw_probe_tape energy, momentum;
  pw_variation *item;
  int n, cap;
  double near;    /* gaps below this, in the metric of M, count as closed */
  double sum;     /* the action itself */
  double longest; /* interval so far */
  bool ideal;     /* all laws are constraints: no friction, springs, servos */

  int n_row;        /* in the window */
  bool first, over; /* the piece began in the window */
  long rows;
  double t[PW_VARY_WINDOW];
  double *q, *v;               /* by coordinates: nv x window */
  double *at_q, *at_v, *at_a;  /* nv: curve at a node */
  double *w, *rate;            /* nv */
  double *varied_q, *varied_v; /* nv */
  double *reaction;            /* nv: L^-1 (M u' - h) */
  void *memory;
};

/* B-splines along each coordinate and in time, over from .. to. */
enum { PW_FAMILY_BUMPS = 4, PW_FAMILY_MOST = 6 };

typedef struct pw_bump {
  double from, step; /* support: four steps */
  double height;
  int along, n; /* coordinate, of n; -1: the time */
} pw_bump;

typedef struct pw_family {
  pw_bump bump[PW_FAMILY_BUMPS * (PW_FAMILY_MOST + 1)];
  int n;
} pw_family;

/* Adds them to v. extent (nv): how far each coordinate goes; heights are of that size. */
PAWL_NODISCARD pawl_status pw_family_add(pw_family *f, pawl_vary *v, double from, double to,
                                         const double *extent);

#endif
