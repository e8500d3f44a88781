// SPDX-License-Identifier: MIT
/* One jump of the velocities on its way through the checker. Speeds are in the metric of M. The
 * probe stands behind the jump: gradients are those at the velocities after it. */
#ifndef PW_VERIFY_JUMP_H
#define PW_VERIFY_JUMP_H

#include "verify/checker.h"

typedef struct pw_jump {
  pawl_certifier *c;
  double t;
  double place;              /* how well the positions are known, if it was found between rows */
  const double *before;      /* nr: rates before; those after are in the probe */
  const double *slow, *fast; /* nv: L^T u before and after */
  double *mu, *e;            /* ni: coefficients of friction, restitutions before */
  double *impulse;           /* nr */
  double *rest;              /* nr: largest impulses of bounces left out, see pw_jump_find_rests */
  double *dp;                /* nv: L^-1 of the jump of the momentum, with multipliers if given */
  double size, speed;        /* |dp| or that of the velocities; larger |L^T u| of both sides */
  double energy;             /* H before, where momenta decide */
  double blur;               /* how well speeds are known */
  double tiny;               /* below this a speed counts as zero */
  bool stands;               /* some `rest` is not zero */
  bool faint;                /* bounces left out may be part of the jump: `rest` counts */
  bool stops;                /* contacts that come to rest end their bounces here: no restitution */
  bool later;                /* contacts whose gaps are still open are met a moment later */
  bool pulls;                /* rough contacts must pull: nothing else follows from their law */
} pw_jump;

/* Gaps up to this, in the metric of M, may be zero. */
double pw_jump_near(const pw_jump *x);
/* A unilateral constraint that is met. */
bool pw_jump_touches(const pw_jump *x, int i);
/* Rows that may have an impulse. */
bool pw_jump_is_struck(const pw_jump *x, int i);

/* The rates after and before, as speeds. */
double pw_jump_after(const pw_jump *x, int i);
double pw_jump_before(const pw_jump *x, int i);
/* after + e before: zero where the contact has an impulse. */
double pw_jump_left(const pw_jump *x, int i);

/* One of several in a short time. */
bool pw_jump_is_quick(const pw_jump *x);
/* Accumulated impacts end in one that leaves the contact closed. */
bool pw_jump_comes_to_rest(const pw_jump *x, int i);

/* Bounces that cannot be resolved are left out (theory, section 20): contacts that stand after the
 * jump may have been stopped (certificates, section 4). */
void pw_jump_find_rests(pw_jump *x);
/* Columns of the impulses that such stops may add. */
void pw_jump_add_rests(const pw_jump *x, pw_reach *r);
/* A one-sided constraint on velocities that may have been met: it has its limit after the jump, or
 * had it before such stops. */
bool pw_jump_is_bound(const pw_jump *x, int i);
/* Largest acceleration of a contact towards closing: forces, equalities, walls. */
double pw_jump_fall(const pw_jump *x);
/* Slower than this nothing moves, as far as the samples tell. */
double pw_jump_still(const pw_jump *x);

/* Of the law; none at the end of bounces, if `stops`. */
double pw_jump_restitution(const pw_jump *x, int i);
/* The gap is zero now (up to a part of the size of the motion); a gap that is merely near may also
 * close a moment later. */
bool pw_jump_is_exact(const pw_jump *x, int i);
bool pw_jump_is_closer(const pw_jump *x, int i, double part);

/* The cone of impulses that a contact and its friction may have. by_law: those that the speeds
 * after the jump leave to them. */
void pw_jump_add_contact(pw_jump *x, int i, bool by_law);
double *pw_jump_add(pw_jump *x, int i, double lo, double hi);

/* Rough contacts take part, and no velocities after the jump obey their law unless some pull. */
bool pw_jump_must_pull(pw_jump *x);

/* Where T is not quadratic: if the energy that the jump gains is what the law gives back, the
 * restitutions in x->e become those of its rates, potentials (P8). After the impulses are found. */
void pw_jump_give_back(pw_jump *x, const pw_row_view *a, double gain);

/* Which contacts have a part (nr, pw_take of strike.h); returns how many may also be met later. */
int pw_jump_choose(const pw_jump *x, signed char *takes);

/* The largest residual, as a speed, of the impulses that come with the jump: whether they obey the
 * phases of the law, and lead from the velocities before to those after. INFINITY: none are told,
 * or they are no impulses of such phases. */
double pw_jump_residual(pw_jump *x);

/* The velocities after the jump against the impact law that the model states. */
void pw_verify_impact(pw_jump *x);

/* |L^T (u+ - u)| for the velocities u that the law leads to, step by step: one contact after the
 * other, or all together and again while some close, and what one-sided constraints on velocities
 * make of it. The least over all orders in which equal speeds can be dealt with, and over all
 * motions that friction leaves possible; INFINITY: none was found. *known false: not all of them
 * were followed. */
double pw_replay(pw_jump *x, bool *known);
enum { PW_REPLAY_HITS = 400 };

void pw_jump_lay(pw_jump_room *r, const pw_system *s, pw_layout *l);
void pw_replay_lay(pw_replay_room *r, const pw_system *s, pw_layout *l);

#endif
