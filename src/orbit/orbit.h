// SPDX-License-Identifier: MIT
/* The orbit behind pawl_orbit: points, and how they are found. */
#ifndef PW_ORBIT_ORBIT_H
#define PW_ORBIT_ORBIT_H

#include "orbit/return_map.h"

typedef struct pw_orbit_point {
  pawl_orbit_point public;
  double *state; /* n, velocities as integrated */
  double *shown; /* n, velocities as shown */
  double *drift, *multipliers;
  pawl_orbit_event *events;
  double *slope; /* n + 1: tangent of the branch, the parameter last */
} pw_orbit_point;

struct pawl_orbit {
  const pawl_model *model;
  pawl_orbit_opts opts;
  pw_return_map map;
  const pawl_system *system; /* of the first value */
  pw_orbit_point *point;
  int n_point, cap;
  pawl_certifier *judge;
  bool judged;
  double *exponent;
  int n_exponent;
  double exponent_time;
  char *along, *at;
};

/* A correction: unknowns are the state without drifts and, with `fixed` < 0, the parameter. */
typedef struct pw_corrector {
  pw_return_map *map;
  int n, d;                    /* size of a state; unknowns of it */
  int *index;                  /* d: which */
  double *x;                   /* n: the present state */
  double *A, *b, *z;           /* (d + 1)^2, d + 1, d + 1 */
  double *scale;               /* n */
  double *predicted, *tangent; /* n + 1: of the branch: (z - predicted) . tangent = 0 */
  double *real;
  int *whole;
  double first[2]; /* sizes of positions and velocities where the search began */
  double closes;   /* largest distance of the last image */
} pw_corrector;

PAWL_NODISCARD pawl_status pw_corrector_init(pw_corrector *c, pw_return_map *map);
void pw_corrector_free(pw_corrector *c);
/* Newton's method from c->x at the present parameter. *found: converged. */
PAWL_NODISCARD pawl_status pw_correct(pw_corrector *c, bool *found);
/* The same in state and parameter, on the plane through `predicted` across `tangent`. */
PAWL_NODISCARD pawl_status pw_correct_along(pw_corrector *c, pawl_diags *diags, bool *found);
/* The tangent of the branch at a corrected point, into `out` (n + 1), along `before` or, if that is
 * NULL, with a growing parameter. */
bool pw_branch_slope(pw_corrector *c, const double *before, double *out);

void pw_orbit_point_free(pw_orbit_point *p);
/* A point from the last motion of the map, which starts at c->x. */
PAWL_NODISCARD pawl_status pw_orbit_keep(pawl_orbit *o, const pw_corrector *c, const double *slope,
                                         const char *kind);
PAWL_NODISCARD pawl_status pw_branch_follow(pawl_orbit *o, pw_corrector *c, pawl_diags *diags);
PAWL_NODISCARD pawl_status pw_orbit_exponents(pawl_orbit *o, pawl_diags *diags);

#endif
