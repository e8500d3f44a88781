// SPDX-License-Identifier: MIT
/* Scratch of the checks: no value survives the check that wrote it, windows of fits apart. */
#ifndef PW_VERIFY_ROOM_H
#define PW_VERIFY_ROOM_H

#include <stdbool.h>

#include "base/least.h"
#include "verify/fit.h"
#include "verify/reach.h"

/* What the model says at one of three instants of an interval: first, inner, last. */
typedef struct pw_mark {
  double *acc;          /* nv: M^-1 h */
  double *push;         /* nr x nv: M^-1 Phi, by rows */
  double *value, *rate; /* nr */
  double *left, *right; /* nr: forces beside the kink */
  double *bound;        /* nr: radius of a slip in the plane, else 0 */
  double *hold;         /* nr: bound of sticking or -1 */
  double *bend;         /* nr: zeta / length */
  double speed;         /* |u| in the metric */
} pw_mark;

typedef struct pw_stretch_room {
  pw_mark at[3];
  double *du, *aim, *col, *spare; /* nv; nv; nv; nv + 2 nq */
  double *side;                   /* n_switch: sides of the surfaces at the last instant */
} pw_stretch_room;

typedef struct pw_jump_room {
  double *before, *impulse, *rest; /* nr */
  double *slow, *fast, *dp;        /* nv */
  double *mu, *e;                  /* ni */
  double *momenta;                 /* nv: before */
  double *bent;                    /* of give_back.c, where T is not quadratic */
  int *struck;                     /* nr: the same */
} pw_jump_room;

typedef struct pw_replay_room {
  pw_reach reach;                    /* one row more than there are velocities */
  double *before, *shift, *lo, *got; /* nr */
  double *c, *w, *projected, *stack; /* nv + 1; nv; nv; results of nested steps */
  int *part;                         /* nr */
  pw_least order;                    /* nr: contacts by their speeds */
} pw_replay_room;

typedef struct pw_hold_room {
  bool any; /* some law holds by more than acts beside its kink */
  double *G, *push, *force, *known, *gradient; /* nv x nv; nv x nv; nv each */
  int *row, *pivot;                            /* nv each */
} pw_hold_room;

typedef struct pw_room {
  pw_reach reach;
  double *work;       /* 3 nv per window of a fit */
  double *scratch;    /* 3 nq + 2 nv */
  double *u_body;     /* nv */
  double *residual;   /* nv: reaction of the present instant minus the nearest force of the laws */
  double *moved;      /* 4 nv + nq: states beside a row */
  double *beside;     /* 2 ni: forces on both sides of the kinks */
  signed char *stays; /* ni: see pw_set_scale; of the present instant */
  pw_fit_weights window[PW_FIT_WIDTHS]; /* of the last instant, from narrow to wide */
  struct pw_strike_room *strike;
  pw_jump_room jump;
  pw_replay_room replay;
  pw_hold_room hold;
  pw_stretch_room stretch;
} pw_room;

#endif
