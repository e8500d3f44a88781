// SPDX-License-Identifier: MIT
/* Boundary value problems: motions that join the start positions of a model to its `end` positions
 * in the time of its run statement. There may be none, one or many. */
#ifndef PAWL_BVP_H
#define PAWL_BVP_H

#include <stdint.h>

#include "pawl/system.h"
#include "pawl/verify.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pawl_bvp pawl_bvp;

typedef struct pawl_bvp_opts { /* zero selects the default */
  int use_span;                /* 1: use from and to below, else the span of the run statement */
  double from, to;
  int use_bounces;  /* 1: the two below count, else 0..5 */
  int least, most;  /* numbers of impacts to search for */
  int all;          /* 1: a finer and wider search */
  int mesh, degree; /* elements of the direct method in all, about (up to 10000), and degree
                       of its polynomials (up to 10); 0 and 0: adapted, and 6 */
  int converge;     /* 1: a table of meshes, each with twice the elements */
  int natural;      /* 1: at ends that are free the momenta vanish, Leine and Aeberhard (24) */
  int free_time;    /* 1: so is the end time, and the energy H vanishes there; `to` is the time to
                       begin the search with */
  int (*ask)(void *payload); /* called before every trial motion; non-zero: end with PAWL_E_TIME */
  void *payload;
} pawl_bvp_opts;

/* PAWL_E_ARGUMENT with a diagnostic if the model gives no end or no time. Finding no solution is a
 * valid result. PAWL_E_TIME: the search was stopped; *out has the solutions found so far. */
PAWL_API PAWL_NODISCARD pawl_status pawl_bvp_new(const pawl_system *system,
                                                 const pawl_bvp_opts *opts, pawl_diags *diags,
                                                 pawl_bvp **out);
PAWL_API void pawl_bvp_free(pawl_bvp *bvp);

PAWL_API int pawl_bvp_count(const pawl_bvp *bvp);
/* 1: there is one free direction of velocities, and it was swept both ways to speeds beyond which,
 * over several doublings, the end only moves further away or there are more impacts than requested.
 * Every trial could be computed, and no pair of solutions can hide between two of them. Always 0 if
 * some motion belongs to a family, or if there are too many motions. */
PAWL_API int pawl_bvp_complete(const pawl_bvp *bvp);
/* Directions in which the start velocity is free. */
PAWL_API int pawl_bvp_freedom(const pawl_bvp *bvp);
/* Multipliers that are states (of vakonomic and inertia laws), and the law of each. */
PAWL_API int pawl_bvp_multipliers(const pawl_bvp *bvp);
PAWL_API const char *pawl_bvp_multiplier(const pawl_bvp *bvp, int i);
/* Trial motions that were computed. */
PAWL_API int64_t pawl_bvp_trials(const pawl_bvp *bvp);

typedef struct pawl_bvp_segment { /* while a one-sided law held with equality */
  const char *law;
  double from, to;
} pawl_bvp_segment;

/* The same motion, solved as a whole by a direct method whose time elements are halved until it no
 * longer changes. Errors are relative: velocities to the largest along the motion in the mass
 * metric, instants to the time span. */
typedef struct pawl_bvp_direct {
  int solved;      /* 0: not, since `why` */
  const char *why; /* "" if it is */
  int order;       /* of the error in the length of the elements */
  int elements;
  double error;  /* change of start velocity and instants by the last halving */
  double defect; /* largest difference from the trial motion in these; NAN if not solved */
  double action;
  int agrees; /* 1: the defect is as small as both methods promise; 0: they differ */
} pawl_bvp_direct;

/* The direct method on a requested mesh. */
typedef struct pawl_bvp_level {
  int solved;
  const char *why; /* "" if it is */
  int elements, degree;
  double error; /* of start velocity and instants, from the refined solution, relative as above */
  double order; /* of the error, from the level before; NAN at the first */
  double action;
} pawl_bvp_level;

typedef struct pawl_bvp_solution {
  double to;                 /* end time */
  int bounces;               /* instants with impacts */
  const char *const *labels; /* of each: the laws that were hit, joined by "+" */
  const double *times;
  int n_segment;
  const pawl_bvp_segment *segments; /* in the order of their beginnings */
  int family; /* 0: an isolated motion; else the number of parameters of its family (the same
                 events in the same order), of which this is the slowest member found */
  const double *q_start, *q_end; /* nq, then the multipliers that are states */
  const double *u_start, *u_end; /* nv, as shown */
  const double *u_size;          /* nv: largest size of each velocity along the motion */
  double known;                  /* relative accuracy of the velocities, in these sizes */
  double action;                 /* integral of T - V */
  double miss;                   /* largest distance from the end point */
  double defect;                 /* direct.defect */
  pawl_bvp_direct direct;
  int n_level; /* with mesh, degree or converge in the options */
  const pawl_bvp_level *levels;
  pawl_verdict verdict; /* of the certificate */
  const char *subclass;
} pawl_bvp_solution;

/* Ordered by bounces, then action. Pointers are borrowed. */
PAWL_API pawl_bvp_solution pawl_bvp_get(const pawl_bvp *bvp, int i);

PAWL_API PAWL_NODISCARD pawl_status pawl_bvp_json(const pawl_bvp *bvp, pawl_sink sink,
                                                  void *payload);

/* Solution i as a table that `pawl certify` and pawl_certify_file read: t, positions, velocities
 * and forces by name, 1000 rows at equal times, one at each switch and two at each event. */
PAWL_API PAWL_NODISCARD pawl_status pawl_bvp_csv(pawl_bvp *bvp, int i, pawl_sink sink,
                                                 void *payload);

#ifdef __cplusplus
}
#endif

#endif
