// SPDX-License-Identifier: MIT
/* Hamilton's principle taken literally: the action of varied curves. Everything is a sum over the
 * intervals between rows, so that a trajectory of any length passes through a window of four. */
#ifndef PW_VERIFY_VARY_H
#define PW_VERIFY_VARY_H

#include <stdint.h>

#include "mech/handle.h"
#include "pawl/verify.h"
#include "verify/probe.h"
#include "verify/reach.h"

enum { PW_VARY_WINDOW = 4, PW_MOST_VARIED = 20000 }; /* rows */

typedef struct pw_variation {
  pawl_vary_kind kind;
  pawl_vary_fn fn;
  void *payload;
  double *w;               /* projected: nv x window, at the rows; else NULL */
  double action[4];        /* of the curves at eps, -eps, 2 eps, -2 eps */
  double weak, by_formula; /* certificates (C11), (C12) */
  double parts;            /* of what `weak` is the sum, by size */
  double size;             /* integral of |w|^2 in the metric of M */
  double held;             /* integral of lambda times the variation of phi, (C26) */
  double lowest, highest;  /* of J w / |J| at what is closed; equalities count as both signs */
  double largest;          /* |w| at a row */
  double latest;           /* |tau| at a node */
  double part;             /* of (C12), (C13) in the present interval or corner */
  double force;            /* integral of F.dq, forces that have no potential; if `given` */
  double crossed;          /* the part of `own` that undoes errors of interpolation, by size */
  double own;              /* virtual work of laws that are no constraints; likewise */
  double *peak;            /* 2 nv: largest |dq| and |dq'| along each velocity; likewise */
  double ends[2];          /* |w| and |tau| at both ends, the larger; likewise */
  bool torn;               /* dq jumps: the time is shifted where velocities jump */
  double most[2], at[2]; /* largest contribution of an interval or corner for w and -w, and when */
} pw_variation;

/* The rows that are looked at together. */
typedef struct pw_vary_window {
  int n_row;
  int last;         /* place of the last row of the piece before */
  bool first, over; /* the piece began in the window */
  double t[PW_VARY_WINDOW];
  double *q, *dq; /* nq x window: positions and their rates */
} pw_vary_window;

/* The curve at a node between rows. */
typedef struct pw_vary_node {
  double *q, *u;    /* nq, nv: angular velocities in the body */
  double *a;        /* nv: acceleration */
  double *dq, *ddq; /* nq */
} pw_vary_node;

/* Vectors at a node: variations, varied curves, forces, projections. */
typedef struct pw_vary_work {
  double *w, *rate;          /* nv */
  double *varied_q;          /* nq */
  double *varied_u;          /* nv */
  double *reaction;          /* nv: L^-1 (M u' - h) */
  double *kinks;             /* nv: force of the kinks that the action contains */
  double *target, *covector; /* nv + 1, nv: of projections */
  double *shift;             /* 2 (nv + 1): a general variation at another time */
  double *normal;            /* nv: of one row */
  double *push;              /* nr: of walls, at the last split */
  double *along;             /* nv: L^T w */
  double *own, *bare;        /* nv: L^-1 of the forces of laws that are no constraints; a rest */
  double *momentum_before;   /* nv: p at the end of the last piece */
  double *carried;           /* 2 nv: share of the multipliers in p and its rate */
} pw_vary_work;

struct pawl_vary {
  const pawl_system *system;
  const pw_system *sys;
  pw_probe probe;
  pw_probe_tape energy, momentum;
  pw_reach reach; /* projections */
  pw_variation *item;
  int n, cap;
  double beside;  /* time by which rows look ahead, and before them at ends of pieces, for the
                     sides of switching surfaces; likewise */
  double step;    /* eps of varied curves; may be set before the first row */
  double near;    /* gaps below this, in the metric of M, count as closed */
  double sum;     /* the action itself */
  double bulk;    /* integral of |L| */
  double density; /* T - V at a node */
  double longest; /* interval so far */
  bool ideal;     /* all laws are constraints: no friction, springs, servos */
  bool known;     /* every row had numbers */
  bool given;     /* laws that are no constraints have the forces that the motion shows; set before
                     the first variation */

  int64_t rows;
  pw_vary_window window;
  pw_vary_node at;
  pw_vary_work work;
  void *memory;
};

/* As pawl_vary_new, also for models with multipliers that are states. */
PAWL_NODISCARD pawl_status pw_vary_new(const pawl_system *system, double near, pawl_vary **out);
/* A row with angular velocities in the body; q with the multipliers that are states. */
PAWL_NODISCARD pawl_status pw_vary_put(pawl_vary *v, double t, const double *q, const double *u);

/* Position, velocity, acceleration between rows i and i + 1, into at_q, at_u, at_a. */
void pw_vary_curve(pawl_vary *v, int i, double t);
/* A projected variation there, into w and rate. */
void pw_vary_between(pawl_vary *v, const pw_variation *x, int i, double t);
/* The curve displaced by d w, into varied_q and varied_u. */
void pw_vary_displace(pawl_vary *v, double d);
/* The rate of w as momenta see it: w' and, for rotations, w' + W x w, into varied_u. */
void pw_vary_rate(pawl_vary *v);

/* What displacements a row forbids: the unit vector (nv) L^-1 Phi along its force, turned so that
 * it points to what is allowed; false: it has none. After pw_probe_at. */
bool pw_vary_normal(const pawl_vary *v, int i, double *out);
/* Splits `rest` (nv), L^-1 of a reaction or impulse, by the least distance to all that the laws
 * here can do: own (nv) is what laws that are no constraints have of it, push (nr) the force of
 * each wall. After pw_probe_at. */
void pw_vary_split(pawl_vary *v, const double *rest, bool impulse, double *own, double *push);

double pw_vary_crossed(pawl_vary *v, const double *x);

/* Whether row i constrains displacements at all, and whether it does now; after pw_probe_at. */
bool pw_vary_is_wall(const pawl_vary *v, int i);
bool pw_vary_is_closed(const pawl_vary *v, int i);
/* w becomes the nearest displacement that the constraints allow, certificates (C14). */
void pw_vary_project(pawl_vary *v, double *w);

/* B-splines along each coordinate, along mixtures of all, and in time, over from .. to. */
enum { PW_FAMILY_BUMPS = 4, PW_FAMILY_ENDS = 2, PW_FAMILY_MOST = 6, PW_FAMILY_MIXED = 2 };
enum { PW_ALONG_TIME = -1, PW_ALONG_ALL = -2 };

typedef struct pw_bump {
  double from, step; /* support: four steps */
  const double *height;
  int n;     /* velocities of the model */
  int along; /* velocity, or one of the above */
  int sign;
  unsigned mixture; /* seed of the signs */
} pw_bump;

typedef struct pw_family {
  pw_bump bump[(PW_FAMILY_BUMPS + PW_FAMILY_ENDS) * (2 * PW_FAMILY_MOST + PW_FAMILY_MIXED + 1)];
  double *height; /* nv: how far each goes */
  int n;
  bool free_ends; /* also bumps whose middle is an end; set before they are added */
} pw_family;

/* Whether the motor of an inertia law or a constraint that moves does work: then the time is not
 * varied. */
bool pw_family_has_work(const pw_system *s);
/* The sign of velocity k in a mixture. */
int pw_family_sign(unsigned mixture, int k);
/* w and its rate (n each) of a bump, a pw_bump. */
void pw_bump_at(double t, void *bump, double *w, double *rate);
/* The cubic B-spline on 0 .. 4 and its derivative. */
void pw_spline(double x, double *value, double *slope);
/* Adds them to v. extent (nq): how far each position goes; heights are of that size. */
PAWL_NODISCARD pawl_status pw_family_add(pw_family *f, pawl_vary *v, double from, double to,
                                         const double *extent);
void pw_family_free(pw_family *f);
/* The name of what a bump displaces: a coordinate, "t", a mixture "+x -y". */
void pw_bump_name(const pw_model *m, const pw_bump *bump, char *text, size_t room);

#endif
