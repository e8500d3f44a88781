// SPDX-License-Identifier: MIT
/* A simulation: one motion of a system. One thread at a time; nothing is allocated while it
 * advances. */
#ifndef PAWL_SIM_H
#define PAWL_SIM_H

#include <stdint.h>

#include "pawl/system.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pawl_sim pawl_sim;

typedef enum pawl_method {
  PAWL_METHOD_AUTO,   /* DP5, DOP853 or RADAU, whichever costs less; may change during the run */
  PAWL_METHOD_DP5,    /* Dormand and Prince 5(4) */
  PAWL_METHOD_DOP853, /* Dormand and Prince 8(5,3) */
  PAWL_METHOD_MOREAU, /* Moreau and Jean: fixed steps, impacts resolved to a step, order 1 */
  PAWL_METHOD_VARIATIONAL, /* discrete Lagrangian with collisions: fixed steps, order 2 */
  PAWL_METHOD_BY_SIZE,     /* "auto": MOREAU for models with many contacts; contacts of few shapes
                              by AUTO and MOREAU in turns; else AUTO */
  PAWL_METHOD_RADAU        /* Radau IIA of order 5: implicit, for stiff models */
} pawl_method;

/* "event" for PAWL_METHOD_AUTO, "dp5", ...; NULL if there is no such method. */
PAWL_API const char *pawl_method_name(pawl_method method);
/* 1: all steps have one size, and the step size, not the tolerance, determines the error. */
PAWL_API int pawl_method_is_fixed(pawl_method method);
/* The method that PAWL_METHOD_BY_SIZE selects for this system, itself if methods take turns; other
 * methods are returned as is. */
PAWL_API pawl_method pawl_method_for(const pawl_system *system, pawl_method method);

typedef enum pawl_impacts {                    /* several contacts at one instant */
                            PAWL_IMPACTS_AUTO, /* from the run statement, else SIMULTANEOUS */
                            PAWL_IMPACTS_SIMULTANEOUS, /* one problem for all of them */
                            PAWL_IMPACTS_SEQUENTIAL    /* one after the other, the fastest first */
} pawl_impacts;

typedef enum pawl_gain {                  /* an impact that increases the energy */
                         PAWL_GAIN_AUTO,  /* from the run statement, else ALLOW */
                         PAWL_GAIN_ALLOW, /* its event is flagged */
                         PAWL_GAIN_STOP   /* the motion ends after it with PAWL_E_IMPACT */
} pawl_gain;

typedef enum pawl_paradox { /* friction that leaves no motion, or several (Painleve) */
                            PAWL_PARADOX_AUTO,   /* from the run statement, else STRICT */
                            PAWL_PARADOX_STRICT, /* the motion ends with PAWL_E_NO_MOTION */
                            PAWL_PARADOX_IWC,    /* impact without collision: the slip is stopped */
                            PAWL_PARADOX_ENUMERATE /* several: all are kept (pawl_sim_paradox), and
                                                      the run follows the one of least force */
} pawl_paradox;

typedef enum pawl_validate { /* search for short features that a step may have missed */
                             PAWL_VALIDATE_AUTO, /* from the run statement, else ON */
                             PAWL_VALIDATE_ON,   /* enclosures search every step */
                             PAWL_VALIDATE_OFF   /* only the stages of the method are evaluated */
} pawl_validate;

#define PAWL_DEFAULT_EVENTS 1000000 /* of all kinds together */

typedef struct pawl_sim_opts { /* zero selects the default */
  int use_span;                /* 1: use from and to below, else the span of the run statement */
  double from, to;
  double tol; /* error per step, relative; default 1e-9 or the run statement's */
  pawl_method method;
  double max_step;    /* default: none */
  double step;        /* of the methods with fixed steps; default: a 2000th of the span */
  int64_t max_steps;  /* default 10 million */
  int64_t max_events; /* default PAWL_DEFAULT_EVENTS */
  pawl_impacts impacts;
  pawl_gain energy_gain;
  pawl_paradox paradox;
  pawl_validate validate;
  int start_impact;          /* 1: an inward velocity at the start is an impact, not an error */
  int restitution_above_one; /* 1: allowed */
  int (*ask)(void *payload); /* called before every step and point; non-zero: PAWL_E_TIME */
  void *payload;
  int64_t threads; /* for islands of a pile; default 1. The numbers are the same for all */
} pawl_sim_opts;

#define PAWL_TOL_LEAST 1e-14
#define PAWL_TOL_MOST 1e-2

PAWL_API PAWL_NODISCARD pawl_status pawl_sim_new(const pawl_system *system,
                                                 const pawl_sim_opts *opts, pawl_diags *diags,
                                                 pawl_sim **out);
PAWL_API void pawl_sim_free(pawl_sim *sim);

typedef enum pawl_stop {
  PAWL_AT_TARGET, /* reached the target time */
  PAWL_AT_EVENT,  /* stopped at an event before it: see pawl_sim_events */
  PAWL_AT_END     /* reached the end of the run, or a `stop` event was passed */
} pawl_stop;

/* Advances to `target`, the next event or the end, whichever comes first. Events at the target are
 * reported before the target. After PAWL_AT_EVENT the current point is the state after the event.
 * On failure the current point is the last good one and the diagnostics name the cause. */
PAWL_API PAWL_NODISCARD pawl_status pawl_sim_advance(pawl_sim *sim, double target,
                                                     pawl_diags *diags, pawl_stop *why);

/* ---- events of the last PAWL_AT_EVENT; all share one instant ---- */

/* An impulse that goes with that of an event. */
typedef struct pawl_tied {
  long long law; /* for pawl_law_get */
  double impulse;
} pawl_tied;

typedef struct pawl_event {
  double t;
  const char *kind;      /* "impact", "close", "liftoff", "rest", ..., "strobe", "user", "stop" */
  const char *at;        /* name of the event or law */
  int64_t cluster;       /* number of the instant, from 1 */
  int n_impulse;         /* 0: no jump */
  const double *impulse; /* for a rest: the sum over the impacts that are not listed */
  double dE;             /* energy after minus before */
  const char *flag;      /* NULL or "ENERGY_INCREASE", ... */
  double rate_before, rate_after; /* rate of the law's measure (the gap); NAN: not at a jump */
  double force; /* force of the law after the event, available after a call of pawl_sim_point there;
                   NAN: no law */
  int n_tied; /* impulses of the slips of the contact; with the first jump of an instant also those
                 of equalities and of laws that have no event */
  const pawl_tied *tied;
} pawl_event;

PAWL_API int pawl_sim_events(const pawl_sim *sim);
PAWL_API pawl_event pawl_sim_event(const pawl_sim *sim, int i);

/* ---- shapes in contact, for time stepping that finds the pairs during the run ---- */

typedef enum pawl_meets {                    /* after the step */
                          PAWL_MEETS_LEAVES, /* it was struck and opens again */
                          PAWL_MEETS_STICKS, /* closed, and does not slide; without friction: closed
                                              */
                          PAWL_MEETS_SLIDES  /* closed, and slides */
} pawl_meets;

typedef struct pawl_meeting {
  const char *contact;        /* name of the `contact` line */
  const char *first, *second; /* shapes */
  int point;                  /* its number, stable in time; 0: the pair has one */
  double x[3], normal[3];     /* place; from the second shape to the first */
  double force, across[3];    /* on the first: along the normal, and friction; mean of the step */
  pawl_meets mode;
} pawl_meeting;

/* Contacts of the last step; none where every pair is a law (pawl_system_touches). */
PAWL_API int pawl_sim_meetings(const pawl_sim *sim);
PAWL_API pawl_meeting pawl_sim_meeting(const pawl_sim *sim, int i);

/* ---- parts of a motion for which events and steps take turns (PAWL_METHOD_BY_SIZE) ---- */

typedef struct pawl_part {
  double from, to;    /* of the last one: the end of the last step */
  pawl_method method; /* PAWL_METHOD_AUTO: by events; PAWL_METHOD_MOREAU: by steps */
} pawl_part;

/* Their number, of which the first PAWL_PARTS_KEPT can be asked for; 0: one method is used. */
#define PAWL_PARTS_KEPT 256
PAWL_API int pawl_sim_parts(const pawl_sim *sim);
PAWL_API pawl_part pawl_sim_part(const pawl_sim *sim, int i);

/* ---- instants at which friction allowed several motions; the first of them are kept ---- */

#define PAWL_CHOSEN_IMPACT (-2) /* an impact without collision, after which all is new */

typedef struct pawl_several {
  double t;
  const char *at; /* the friction */
  int branches;   /* motions found, least forces first */
  int complete;   /* 1: there are no others; 0: INCOMPLETE, too many laws take part to try all */
  int chosen;     /* index of the motion that is followed, or -1: none, or PAWL_CHOSEN_IMPACT */
} pawl_several;

typedef struct pawl_branch {
  const double *a;     /* accelerations of the velocities, nv */
  const double *force; /* of each law */
} pawl_branch;

PAWL_API int pawl_sim_paradoxes(const pawl_sim *sim);
PAWL_API pawl_several pawl_sim_paradox(const pawl_sim *sim, int i);
PAWL_API pawl_branch pawl_sim_branch(const pawl_sim *sim, int i, int branch);
/* "open", "closed", "stick" or "slip"; NULL: the law has no part in it. */
PAWL_API const char *pawl_sim_branch_mode(const pawl_sim *sim, int i, int branch, int law);

/* ---- the first intervals in which the enclosures could not exclude a short feature ---- */

typedef struct pawl_unseen {
  double from, to;
  const char *kind; /* "force" of a coordinate, "law", "switch" (abs, if, ...) or "event" */
  const char *at;   /* name of the coordinate, law or event; of a switch its word */
} pawl_unseen;

PAWL_API int pawl_sim_unseen_count(const pawl_sim *sim);
PAWL_API pawl_unseen pawl_sim_unseen(const pawl_sim *sim, int i);

/* ---- the current point; pointers stay valid, their contents change with advance ---- */

typedef enum pawl_side { PAWL_AFTER, PAWL_BEFORE } pawl_side;

typedef struct pawl_point {
  double t;
  const double *q;      /* positions, nq */
  const double *u;      /* velocities as shown, nv */
  const double *a;      /* accelerations of the velocities (rotations: in the body), nv */
  const double *force;  /* of each law */
  const double *output; /* of each output */
} pawl_point;

/* PAWL_BEFORE differs from PAWL_AFTER only directly after PAWL_AT_EVENT. */
PAWL_API PAWL_NODISCARD pawl_status pawl_sim_point(pawl_sim *sim, pawl_side side, pawl_point *out);

typedef struct pawl_energy {
  double kinetic, potential;
  double start;       /* total at the start */
  double lost;        /* sum of all dissipated energy */
  double scale;       /* largest T + |V - V(start)| so far */
  double unexplained; /* total - start - works + lost: integration error */
  double action;      /* integral of T - V */
  double push;        /* kinetic energy that the applied load alone would produce in the last step:
                         the scale of rounding when the system is at rest */
} pawl_energy;

PAWL_API PAWL_NODISCARD pawl_status pawl_sim_energy(pawl_sim *sim, pawl_energy *out,
                                                    double *works); /* pawl_system_works numbers */

/* Both sides of an expectation at the current point (after the event, if any). */
PAWL_API PAWL_NODISCARD pawl_status pawl_sim_expect(pawl_sim *sim, int i, double *left,
                                                    double *right);

typedef struct pawl_sim_stats {
  int64_t steps, rejected, evaluations, events;
  double step;        /* last accepted step size */
  pawl_method method; /* for PAWL_METHOD_AUTO the one that made most steps */
  int64_t steps_dp5, steps_dop853, steps_radau;
  double tol, from, to;
  int redundant;           /* 1: constraint forces were not unique at some time */
  int64_t row_evaluations; /* evaluations made for requested points, included above */
} pawl_sim_stats;
PAWL_API pawl_sim_stats pawl_sim_statistics(const pawl_sim *sim);

/* Marks laws whose force is not unique at the current point (the smallest are given). */
PAWL_API int pawl_sim_force_unique(const pawl_sim *sim, int law);

/* 1: the law is an equality, or is held at equality, at the last step or event; after
 * pawl_sim_input and pawl_sim_point, as the motion will continue. */
PAWL_API int pawl_sim_closed(const pawl_sim *sim, int law);
/* 1: at the last instant the law touched without force, and no derivative shows a force to come.
 * It was left open; closed would be as right. */
PAWL_API int pawl_sim_indifferent(const pawl_sim *sim, int law);
/* Independent directions of motion with the laws that are closed. */
PAWL_API int pawl_sim_dof(const pawl_sim *sim);

/* Sets another start: nq positions and nv velocities (as shown), made consistent. Multipliers that
 * are states start as stated in the model. */
PAWL_API PAWL_NODISCARD pawl_status pawl_sim_start(pawl_sim *sim, double t, const double *q,
                                                   const double *u, pawl_diags *diags);
/* The same with other start values of these multipliers, in the order of their laws. */
PAWL_API PAWL_NODISCARD pawl_status pawl_sim_start_with(pawl_sim *sim, double t, const double *q,
                                                        const double *u, const double *multipliers,
                                                        pawl_diags *diags);

/* Sets input i (see pawl_input_name) from the current point on, until the next call. The motion
 * beyond the current point is recomputed. PAWL_E_STATE: the motion has ended. */
PAWL_API PAWL_NODISCARD pawl_status pawl_sim_input(pawl_sim *sim, int i, double value);

/* A saved simulation continues with the same bits on the same machine. */
PAWL_API unsigned long pawl_sim_save_size(const pawl_sim *sim);
PAWL_API PAWL_NODISCARD pawl_status pawl_sim_save(const pawl_sim *sim, void *memory,
                                                  unsigned long size);
PAWL_API PAWL_NODISCARD pawl_status pawl_sim_restore(pawl_sim *sim, const void *memory,
                                                     unsigned long size);

#ifdef __cplusplus
}
#endif

#endif
