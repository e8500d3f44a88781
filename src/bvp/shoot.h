// SPDX-License-Identifier: MIT
/* Trial motions of a boundary value problem: from the start positions with a chosen velocity to the
 * end time, and by how much they miss the end positions, theory (86). */
#ifndef PW_BVP_SHOOT_H
#define PW_BVP_SHOOT_H

#include <stdint.h>

#include "mech/frame.h"
#include "mech/handle.h"
#include "pawl/bvp.h"
#include "pawl/sim.h"
#include "pawl/verify.h"

enum { PW_MAX_BOUNCES = 64, PW_MAX_LABEL = 512, PW_MAX_FOLD = 8 };

typedef struct pw_flight { /* one trial motion */
  bool ok;                 /* it came to the end time */
  bool out;                /* it did not, and is not wanted: see pw_shoot.limit */
  int bounces;             /* instants with impacts; PW_MAX_BOUNCES: that many or more */
  unsigned trace;          /* a hash of the contacts hit, in order */
  unsigned parity;         /* bit k: x->fold[k] was hit an odd number of times */
  double action;
  double miss;    /* largest |residual| in parts of the problem's lengths */
  double landing; /* with x->landing: speed of that impact, negative if it is held from there on */
  bool held;      /* some contact holds at the end */
} pw_flight;

/* Cost of all trials of a problem so far. */
typedef struct pw_shoot_tally {
  int64_t trials;
  int64_t cost;   /* evaluations of the equations of motion in them */
  bool stopped;   /* by opts->ask */
  bool no_memory; /* something was not tried for want of it: the search has failed */
} pw_shoot_tally;

/* Ends and an end time that are free: natural.c. */
typedef struct pw_free_end {
  bool time;     /* the last unknown is the time `to`, the last residual the energy */
  double span;   /* the time to begin with */
  pw_mech *mech; /* for momenta and energies there */
  double *p;     /* nv: scratch, momenta */
} pw_free_end;

/* The problem and the kind of its trials. A copy with other conditions (pw_shoot_landing,
 * pw_shoot_slow) is a variant of the same problem: they share memory and tally. */
typedef struct pw_shoot {
  const pawl_system *system;
  const pw_system *sys;
  pawl_sim *sim, *fine; /* for searching and for polishing */
  double still; /* part of the largest speed that counts as none at a contact, pw_conditions */
  double from, to;
  int limit; /* trials end with more bounces, or if the start is an impact: one more than requested,
                since trials near a solution may have one more */
  double *u0;     /* nv: a velocity that the constraints allow */
  double *U;      /* nv x n_u: directions in which it is free, orthonormal in the metric of M */
  int n_u;        /* how many */
  int *state;     /* d - n_u: multipliers that are states, also unknown */
  double *unit;   /* n_state: of them, in which they are as large as velocities */
  double *lambda; /* n_state: multipliers at the start of the last flight */
  int d;          /* unknowns: components along U, then multipliers */
  int landing;    /* 0, or the impact, counted from 1, from which on contacts do not rebound; its
                     speed is then the last residual, see glide.c */
  pw_free_end free;
  double reach;   /* speed sqrt(2T) that gets to the end and to the contacts in the time */
  int m;          /* residuals: components of the end */
  double *length; /* m: their scales */
  double *r;      /* m: residuals of the last flight */
  double *u, *q;  /* nv, nq: scratch, start velocity and end position of the last flight */
  double *u_end;  /* nv */
  double *gap;    /* ni: values of the law rows at the start, of pw_shoot_directions */
  int n_fold;     /* contacts that the end is on, see fold.c */
  const pw_row *fold[PW_MAX_FOLD];
  double *chart;  /* n_chart x nv: directions in which the end may move, see chart.c */
  int n_chart;    /* 0: unknown */
  double *mirror; /* n_fold x 2 x nv: u -> u - 2 kick (normal . u) */
  pw_shoot_tally *tally;
  const pawl_bvp_opts *opts;
} pw_shoot;

/* The same problem with trials that do not rebound from the impact `landing` (from 1) on; its speed
 * is one more residual. */
pw_shoot pw_shoot_landing(const pw_shoot *x, int landing);
/* The same problem with slow impacts ignored: for motions that land without impact, whose start is
 * never accurate enough. */
pw_shoot pw_shoot_slow(const pw_shoot *x);

/* Whether the end of a coordinate is given. A coordinate that is not mentioned ends at 0, or
 * is free if constraints on positions determine it. */
bool pw_end_is_fixed(const pw_system *s, const pw_coord *k);

/* Rotation vector, in the axes of e, from the orientation e to q: unit quaternions, scalar first.
 */
void pw_turn_between(const double *e, const double *q, double *out);

/* By how much the state at the end misses it, in x->r; the largest. */
double pw_shoot_measure(pw_shoot *x, double t, const double *q, const double *u);

/* Ends and times that are free: how many conditions they bring, whether the model excludes them
 * (E0713), their scales, and their values at a state. */
int pw_natural_count(const pw_shoot *x);
bool pw_natural_refuses(const pw_shoot *x, pawl_diags *diags);
void pw_natural_lengths(pw_shoot *x, double *length);
void pw_natural_residuals(pw_shoot *x, double t, const double *q, const double *u, double *r);
/* The time of the trial s. */
void pw_natural_set_time(pw_shoot *x, const double *s);
/* The same problem with the time of the trial s as the given one. */
pw_shoot pw_shoot_timed(const pw_shoot *x, const double *s);

/* Contacts that touch at the end, whose frame this is. False: there are too many. */
bool pw_fold_add(pw_shoot *x, const pw_frame *f, int row);
/* The residuals as if these contacts (bits) were transparent. */
void pw_fold_residuals(const pw_shoot *x, unsigned parity, double *r);

/* Directions in which the end may move, whose frame this is; every coordinate ends somewhere.
 * False: out of memory. */
bool pw_chart_make(pw_shoot *x, const pw_frame *f);
/* Whether there are as many as unknowns; the residuals along them (d). */
bool pw_chart_fits(const pw_shoot *x);
void pw_chart_look(const pw_shoot *x, double *out);

/* The trial with velocity u0 + U s, and multipliers from the rest of s. */
pw_flight pw_shoot_fly(pw_shoot *x, const double *s, bool fine);

/* The same, with the contacts hit and the times: at most `room` instants. */
typedef struct pw_flight_log {
  int room;
  double *times;
  char (*labels)[PW_MAX_LABEL];
  int n_segment, most; /* while one-sided laws held with equality; at most `most` */
  pawl_bvp_segment *segments;
} pw_flight_log;
pw_flight pw_shoot_record(pw_shoot *x, const double *s, pw_flight_log *log);

/* Only the start of the trial: x->u and x->lambda. */
void pw_shoot_set_start(pw_shoot *x, const double *s);

/* Resets to the last start; returns the status of the simulation. */
PAWL_NODISCARD pawl_status pw_shoot_begin(const pw_shoot *x, pawl_sim *sim);

/* Fills u0, U, d and reach: velocities that the equalities allow at the start; with `on` (ni) also
 * these laws hold with equality. */
PAWL_NODISCARD pawl_status pw_shoot_directions(pw_shoot *x, const unsigned char *on);
/* s (n_u) with u0 + U s nearest to v (nv). False: out of memory. */
bool pw_shoot_unknowns(const pw_shoot *x, const double *v, double *s);

#endif
