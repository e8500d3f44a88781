// SPDX-License-Identifier: MIT
/* Trial motions of a boundary value problem: from the start positions with a chosen velocity to the
 * end time, and by how much they miss the end positions, theory (86). */
#ifndef PW_BVP_SHOOT_H
#define PW_BVP_SHOOT_H

#include "mech/handle.h"
#include "pawl/bvp.h"
#include "pawl/sim.h"
#include "pawl/verify.h"

enum { PW_MAX_BOUNCES = 64, PW_MAX_LABEL = 512 };

typedef struct pw_flight { /* one trial motion */
  bool ok;                 /* it came to the end time */
  int bounces;             /* instants with impacts; PW_MAX_BOUNCES: at least so many */
  bool struck;             /* the start itself was an impact */
  double action;
  double miss; /* largest |residual| in parts of the problem's lengths */
} pw_flight;

typedef struct pw_shoot {
  const pawl_system *system;
  const pw_system *sys;
  pawl_sim *sim, *fine; /* for searching and for polishing */
  double from, to;
  double *u0;     /* nv: a velocity that the constraints allow */
  double *U;      /* nv x d: directions in which it is free, orthonormal in the metric of M */
  int d;          /* how many */
  double reach;   /* speed sqrt(2T) that gets to the end and to the contacts in the time */
  int m;          /* residuals: components of the end */
  double *length; /* m: what they are measured by */
  double *r;      /* m: residuals of the last flight */
  double *u, *q;  /* nv, nq: scratch, start velocity and end position of the last flight */
  double *u_end;  /* nv */
  double *gap;    /* ni: values of the law rows at the start, of pw_shoot_directions */
  long trials;
  const pawl_bvp_opts *opts;
  bool stopped; /* by opts->ask */
} pw_shoot;

/* The trial with velocity u0 + U s. */
pw_flight pw_shoot_fly(pw_shoot *x, const double *s, bool fine);

/* The same, with what was hit and when: at most `room` instants. */
typedef struct pw_flight_log {
  int room;
  double *times;
  char (*labels)[PW_MAX_LABEL];
  unsigned char *kept; /* laws of the model: contact kept closed for a while */
} pw_flight_log;
pw_flight pw_shoot_record(pw_shoot *x, const double *s, pw_flight_log *log);

/* What the certificate says of the trial; strings are constant. */
pawl_certificate pw_shoot_certify(pw_shoot *x, const double *s);

/* Fills u0, U, d and reach: velocities that the equalities allow at the start; with `on` (ni) also
 * these contacts stay closed. */
PAWL_NODISCARD pawl_status pw_shoot_directions(pw_shoot *x, const unsigned char *on);

#endif
