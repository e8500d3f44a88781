// SPDX-License-Identifier: MIT
/* The return map of a motion: from a state to the state a period later, or at the next event of a
 * kind, with its derivatives by the state and by a parameter (orbits (O1), (O2)). */
#ifndef PW_ORBIT_RETURN_MAP_H
#define PW_ORBIT_RETURN_MAP_H

#include <stdint.h>

#include "base/buf.h"
#include "pawl/orbit.h"
#include "tangent/tangent_motion.h"

typedef struct pw_hit { /* an event on the way */
  double t;             /* since the start */
  const char *kind, *at;
  double rate; /* of approach, at an impact; else NAN */
} pw_hit;

typedef struct pw_start_text { /* a start value as an override */
  char name[128], value[32];
} pw_start_text;

typedef struct pw_return_map {
  const pawl_model *model;
  const pawl_orbit_opts *opts;
  pawl_override *overrides; /* of the options, one for the parameter, and n of `beside` */
  char text[64];            /* its value */
  pw_start_text *beside;    /* n: a state of an orbit as start values */
  const char *names[1];

  /* of the present value of the parameter */
  double value;
  pawl_system *system;
  pw_tangent *x;
  pw_mech *mech;
  int n;                             /* size of a state: positions, velocities as integrated */
  bool flat;                         /* no equalities and no rotations */
  int freedom;                       /* independent directions of the state */
  int parameter;                     /* index of the parameter that is varied, or -1 */
  int strobe;                        /* event with a period that is the section, or -1 */
  double from, period, period_slope; /* start of the time; of a section in time, and by parameter */
  bool *drifts;                      /* n: this position has no part in the motion and may drift */
  double *columns, *parameters, *rate;
  double *shown;     /* nv: velocities as shown */
  double *gap;       /* ni, and nv of scratch */
  double *direction; /* n_in: scratch, zeros */
  bool driven;       /* something depends on the time */

  /* of the last motion */
  double *image; /* n */
  double *D;     /* n x n: derivative of the image */
  double *Dp;    /* n */
  double time;   /* until the return */
  pw_hit *hit;
  int n_hit, hit_cap;
  const char *why; /* not returned, or no derivatives; NULL: returned */
  int64_t motions; /* so far */
} pw_return_map;

PAWL_NODISCARD pawl_status pw_return_map_init(pw_return_map *m, const pawl_model *model,
                                              const pawl_orbit_opts *opts, pawl_diags *diags);
void pw_return_map_free(pw_return_map *m);

/* Another value of the parameter. Where the model has no start there, one may be at x (n), a state
 * near an orbit; NULL: no state is known. */
PAWL_NODISCARD pawl_status pw_return_map_set(pw_return_map *m, double value, const double *x,
                                             pawl_diags *diags);
/* A state of the section that the start of the model leads to. */
PAWL_NODISCARD pawl_status pw_return_map_first(pw_return_map *m, double *x);
/* Puts a state that should be on the section, if that is a wall, on it. */
void pw_return_map_put_on_section(pw_return_map *m, double *x);
/* x <- the image of the last motion, put on the section. */
void pw_return_map_take_image(pw_return_map *m, double *x);
/* The motion from x (n), once around; x is first put on the equalities. PAWL_OK with m->why set: it
 * does not return. */
PAWL_NODISCARD pawl_status pw_return_map_apply(pw_return_map *m, double *x);
/* Error of the derivatives in parts of the largest: it grows with the tolerance of the motions. */
double pw_return_map_error(const pw_return_map *m);

#endif
