// SPDX-License-Identifier: MIT
/* Periodic motions with impacts, stick and slip: found by shooting, with their multipliers, and
 * followed along a parameter with the places where they change. */
#ifndef PAWL_ORBIT_H
#define PAWL_ORBIT_H

#include "pawl/verify.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pawl_orbit pawl_orbit;

typedef struct pawl_orbit_opts { /* zero selects the default */
  const pawl_override *overrides;
  int n_override;
  double period;     /* the orbit closes after this time; 0: use `at` */
  const char *at;    /* ... or at the next event of this name or kind; an event `every T`: after T.
                        Default: the only event `every T` of the model */
  int returns;       /* ... or after this many of them; default 1 */
  const char *along; /* a parameter; NULL: one orbit */
  double begin, end; /* its values */
  double tol;        /* of the motions; default 1e-12 */
  int most_points;   /* of a branch; default 400 */
  int exponents; /* > 0: compute this many Lyapunov exponents of the motion from the start instead
                  */
  int (*ask)(void *payload); /* called before every motion; non-zero: end with PAWL_E_TIME */
  void *payload;
} pawl_orbit_opts;

/* PAWL_E_ARGUMENT with a diagnostic: it is not specified when the orbit closes (E0682), a name is
 * unknown (E0684), or the model has a part that orbits do not support (E0683). PAWL_E_NO_MOTION
 * with E0685: no orbit was found. */
PAWL_API PAWL_NODISCARD pawl_status pawl_orbit_new(const pawl_model *model,
                                                   const pawl_orbit_opts *opts, pawl_diags *diags,
                                                   pawl_orbit **out);
PAWL_API void pawl_orbit_free(pawl_orbit *orbit);

typedef struct pawl_orbit_event {
  double t; /* since the start of the orbit */
  const char *kind, *at;
} pawl_orbit_event;

typedef struct pawl_orbit_point { /* an orbit; of a branch, at one value of the parameter */
  double value;                   /* of the parameter; NAN without one */
  double t;                       /* time of the state below */
  double period;
  const double *state;       /* nq positions, nv velocities */
  const double *drift;       /* nq: drift of cyclic positions in one period */
  int n_multiplier;          /* Floquet multipliers, the largest first: */
  const double *multipliers; /* pairs of real and imaginary part */
  int stable;                /* 1: all are smaller than 1 */
  int neutral;               /* 1: none is larger than 1, and one is 1 in size to within its error,
                                so that multipliers decide nothing */
  const char *kind; /* "", or the bifurcation at this point: "fold", "flip", "ns", "grazing",
                       "sliding"; "cut": an impact comes to the instant t, where the branch ends */
  int n_event;
  const pawl_orbit_event *events;
  double closes; /* largest distance between start and end, in parts of the state */
} pawl_orbit_point;

/* Points of the branch; without `along` one. */
PAWL_API int pawl_orbit_points(const pawl_orbit *orbit);
PAWL_API pawl_orbit_point pawl_orbit_get(const pawl_orbit *orbit, int i);
/* The system at the first value, for names. */
PAWL_API const pawl_system *pawl_orbit_system(const pawl_orbit *orbit);
/* Of the first point, as a motion over one period: PAWL_NOT_CHECKED if it could not be judged. */
PAWL_API pawl_certificate pawl_orbit_certificate(const pawl_orbit *orbit);
/* Lyapunov exponents, the largest first; the time over which they were taken. */
PAWL_API int pawl_orbit_exponents(const pawl_orbit *orbit);
PAWL_API double pawl_orbit_exponent(const pawl_orbit *orbit, int i);
PAWL_API double pawl_orbit_exponent_time(const pawl_orbit *orbit);

/* One JSON object; a table of the branch; a picture of it as SVG: the first velocity or position
 * and the moduli of the multipliers over the parameter. */
PAWL_API PAWL_NODISCARD pawl_status pawl_orbit_json(const pawl_orbit *orbit, pawl_sink sink,
                                                    void *payload);
PAWL_API PAWL_NODISCARD pawl_status pawl_orbit_csv(const pawl_orbit *orbit, pawl_sink sink,
                                                   void *payload);
PAWL_API PAWL_NODISCARD pawl_status pawl_orbit_svg(const pawl_orbit *orbit, pawl_sink sink,
                                                   void *payload);

#ifdef __cplusplus
}
#endif

#endif
