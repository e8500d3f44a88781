// SPDX-License-Identifier: MIT
/* Without a motion. One instant: Gauss' principle at a state (`pawl gauss`), accelerations after
 * it and before it, forces with their uniqueness, and the sets that the forces come from
 * (Glocker 1998); no and several accelerations are results like one. All instants: equilibria. */
#ifndef PAWL_STATIC_H
#define PAWL_STATIC_H

#include "pawl/system.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pawl_gauss pawl_gauss;

typedef struct pawl_gauss_opts { /* zero selects the default */
  int use_state;                 /* 1: the state below, else the start */
  double t;
  const double *q, *u; /* nq positions, nv velocities as shown; they satisfy the equalities */
  double speed;        /* of the motion so far, sqrt(2 T): rates far below it count as zero */
  double
      span; /* duration of the motion, for the same purpose; default: the run statement's, or 1 */
  const double *force;    /* forces of the laws in the motion so far, or NULL; if there are several
                             solutions, the nearest to these comes first */
  int past;               /* 1: accelerations before the instant, too */
  const double *u_before; /* nv velocities before an impact at this instant, or NULL: the past is
                             theirs */
  const double *trial; /* nv accelerations (of the velocities as shown) that are tested, or NULL */
  int variations;      /* per principle; default 200 */
  unsigned long seed;  /* of the variations */
} pawl_gauss_opts;

/* PAWL_E_START with a diagnostic if the state violates a law. */
PAWL_API PAWL_NODISCARD pawl_status pawl_gauss_new(const pawl_system *system,
                                                   const pawl_gauss_opts *opts, pawl_diags *diags,
                                                   pawl_gauss **out);
/* The same at the current point of a simulation, or at the start (sim = NULL). At an impact the
 * result belongs to the velocities after it, and its past to the velocities before
 * (pawl_gauss_before). The options do not contain the state. */
struct pawl_sim;
PAWL_API PAWL_NODISCARD pawl_status pawl_gauss_reached(const pawl_system *system,
                                                       struct pawl_sim *sim,
                                                       const pawl_gauss_opts *opts,
                                                       pawl_diags *diags, pawl_gauss **out);
PAWL_API void pawl_gauss_free(pawl_gauss *gauss);

typedef enum pawl_gauss_why { /* why there are no accelerations */
                              PAWL_GAUSS_SOLVED,
                              PAWL_GAUSS_IMPACT,    /* velocities jump at the instant: on this side
                                                       they are others */
                              PAWL_GAUSS_NONE,      /* no accelerations satisfy the laws */
                              PAWL_GAUSS_UNDECIDED, /* the search was too large, or numbers failed
                                                     */
                              PAWL_GAUSS_NOT_WANTED /* the past was not requested */
} pawl_gauss_why;

typedef enum pawl_when { PAWL_RIGHT, PAWL_LEFT } pawl_when; /* after the instant, before it */

typedef struct pawl_gauss_info {
  int count;    /* different accelerations */
  int complete; /* 1: there are no others */
  pawl_gauss_why why;
  int law; /* the law that is hit or cannot be satisfied, or -1 */
} pawl_gauss_info;
PAWL_API pawl_gauss_info pawl_gauss_get(const pawl_gauss *gauss, pawl_when when);

/* Solutions in order of Gauss' measure, see also `force` of the options. Pointers are borrowed. */
PAWL_API const double *pawl_gauss_accelerations(const pawl_gauss *gauss, pawl_when when,
                                                int solution); /* nv, of the velocities as shown */
/* 1/2 |a - a_free|^2 in the metric of the mass matrix; a_free is the acceleration without the
 * forces that the state leaves open. */
PAWL_API double pawl_gauss_measure(const pawl_gauss *gauss, pawl_when when, int solution);

typedef struct pawl_gauss_force {
  double force;          /* the least ones where not unique */
  double least, largest; /* range over all forces with the same accelerations */
  int unique;
  int outer; /* 1: friction couples the forces, the range may be too large */
} pawl_gauss_force;
PAWL_API pawl_gauss_force pawl_gauss_force_get(const pawl_gauss *gauss, pawl_when when,
                                               int solution, int law);

/* Forces that a law can have at this position, at this velocity, at this acceleration after the
 * instant: each set contains the next, Glocker's (6.2). Without a solution the third is empty and
 * its ends are NaN. */
typedef enum pawl_level { PAWL_DISPLACEMENT, PAWL_VELOCITY, PAWL_ACCELERATION } pawl_level;
typedef struct pawl_interval {
  double lo, hi;
} pawl_interval;
PAWL_API pawl_interval pawl_gauss_set(const pawl_gauss *gauss, int solution, int law,
                                      pawl_level level);
/* The same for a slip in a plane or in space, whose intervals above belong to its components: a
 * disk, the ellipse of friction with two coefficients, or a ball. The half axes are NaN for other
 * laws. `law`: any of its components. */
typedef struct pawl_disk {
  double axis[3]; /* half axes along the slips; equal: the radius. In a plane the third is 0 */
  double centre[3];
} pawl_disk;
PAWL_API pawl_disk pawl_gauss_disk(const pawl_gauss *gauss, int solution, int law,
                                   pawl_level level);
/* Independent directions in which the forces of all laws together can vary. */
PAWL_API int pawl_gauss_size(const pawl_gauss *gauss, int solution, pawl_level level);

/* The principles of d'Alembert, Jourdain and Gauss over random admissible variations: the largest
 * (-f.d - S(d)) / (|f| |d|), S the support function of the set. At most rounding if they hold; NaN
 * without a solution. */
PAWL_API double pawl_gauss_principle(const pawl_gauss *gauss, pawl_level level);

/* Values of Glocker's potentials: V(q) of the model; Phi(u), the velocity potential of the laws,
 * (4.6), (10.1); Psi(a), their acceleration potential, (4.9), over the forces that the state leaves
 * open; and the cost 1/2 |a - a_free|^2 + Psi(a), which the motion minimises, (4.13). NaN without a
 * solution. With friction on contacts, the normal forces of the solution are used. */
typedef struct pawl_gauss_potentials {
  double V, Phi, Psi, cost;
} pawl_gauss_potentials;
PAWL_API pawl_gauss_potentials pawl_gauss_potentials_get(const pawl_gauss *gauss, int solution);

/* The acceleration `trial` of the options against the principles. Its forces f = M a - h and the
 * sums of the sets at each level: `far` is the largest (-f.d - S(d)) / |d| over all variations,
 * computed exactly as the distance of f from the sum, relative to the size of f, of its nearest
 * neighbour or of h; zero if the principle holds. `allowed`: whether the laws allow the
 * acceleration at all; `law`: a law that does not. Zero-filled without a trial, with `given` 0. */
typedef struct pawl_gauss_trial {
  int given, allowed, law;
  double far[3];  /* d'Alembert, Jourdain, Gauss; NaN: the set is empty */
  int holds[3];   /* up to rounding and the digits that accelerations are typed with */
  double measure; /* 1/2 |a - a_free|^2 */
  double Psi;     /* infinite if it is not allowed */
  double cost;
} pawl_gauss_trial;
PAWL_API pawl_gauss_trial pawl_gauss_trial_get(const pawl_gauss *gauss);

/* The generalised force that belongs to the force 1 of a law (nv, by the velocities as shown): the
 * sets above times these are the generators of the set of all forces. */
PAWL_API const double *pawl_gauss_along(const pawl_gauss *gauss, int law);
/* Generators of the tangent cone of a level: T_C(q), T of that at the velocity, T of that at the
 * acceleration (first solution). Directions along lines come first, then rays; `lines`: how many
 * there are, or NULL. Returns how many in all, -1: more than 256. */
PAWL_API int pawl_gauss_cone(const pawl_gauss *gauss, pawl_level level, int *lines);
PAWL_API const double *pawl_gauss_cone_ray(const pawl_gauss *gauss, pawl_level level, int i);
/* Velocities before an impact at this instant (nv as shown); NULL: not available. */
PAWL_API const double *pawl_gauss_before(const pawl_gauss *gauss);

PAWL_API double pawl_gauss_time(const pawl_gauss *gauss);
PAWL_API const double *pawl_gauss_positions(const pawl_gauss *gauss);  /* nq */
PAWL_API const double *pawl_gauss_velocities(const pawl_gauss *gauss); /* nv, as shown */

/* The result of `pawl gauss --json`. */
PAWL_API PAWL_NODISCARD pawl_status pawl_gauss_json(const pawl_gauss *gauss, pawl_sink sink,
                                                    void *payload);

/* ---- equilibria: 0 in dV(q), points and whole sticking sets (`pawl equilibria`) ---- */

typedef struct pawl_equilibria pawl_equilibria;

typedef struct pawl_equilibria_opts { /* zero selects the default */
  int freeze; /* 1: time is frozen at t; else the model must not depend on time */
  double t;
  int starts; /* of the search, default by the size of the system */
} pawl_equilibria_opts;

/* PAWL_E_MODEL with a diagnostic if forces or laws change with time. */
PAWL_API PAWL_NODISCARD pawl_status pawl_equilibria_new(const pawl_system *system,
                                                        const pawl_equilibria_opts *opts,
                                                        pawl_diags *diags, pawl_equilibria **out);
PAWL_API void pawl_equilibria_free(pawl_equilibria *list);

typedef enum pawl_stability {
  PAWL_STABLE_UNDECIDED,
  PAWL_STABLE_YES,
  PAWL_STABLE_NO
} pawl_stability;

typedef struct pawl_equilibrium {
  pawl_stability stable;
  int steady;          /* 1: cyclic coordinates have constant rates that are not zero */
  int is_set;          /* 1: one of a connected set, see the ranges */
  const double *q, *u; /* nq positions, nv velocities as shown */
} pawl_equilibrium;

PAWL_API int pawl_equilibria_count(const pawl_equilibria *list);
PAWL_API pawl_equilibrium pawl_equilibrium_get(const pawl_equilibria *list, int i);
PAWL_API double pawl_equilibrium_force(const pawl_equilibria *list, int i, int law);
/* Range of a position over the connected set: a point if it cannot change, infinite if nothing
 * stops it. */
PAWL_API pawl_interval pawl_equilibrium_range(const pawl_equilibria *list, int i, int position);
/* The result of `pawl equilibria --json`. */
PAWL_API PAWL_NODISCARD pawl_status pawl_equilibria_json(const pawl_equilibria *list,
                                                         pawl_sink sink, void *payload);

#ifdef __cplusplus
}
#endif

#endif
