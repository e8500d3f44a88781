// SPDX-License-Identifier: MIT
/* Moreau and Jean's time stepping with theta = 1/2 and projection of the positions (Acary 2013),
 * theory (66)-(68).
 * In a step of length h, m its midpoint, v the mean of both velocities:
 *   M(m) (u1 - u0) = h f(m, v) + J(m)^T P,     q1 = q0 + h F v,     equalities: rate1 = 0,
 * rows that the step would violate: 0 <= rate1 + e rate0 complementary to P >= 0. Then q1 goes to
 * the nearest position with g = 0 for equalities and g >= 0 for the others. */
#ifndef PW_SIM_MOREAU_H
#define PW_SIM_MOREAU_H

#include "base/layout.h"
#include "sim/contact.h"

typedef struct pw_moreau {
  pw_contacts *contacts; /* its modes and its log */
  pw_local local;
  pw_frame mid, end;
  int rank, rank_q; /* of the equalities, at the start of the step */
  double *mid_memory, *end_memory;
  double *u1, *q1, *q_mid, *v; /* nv, nq, nq, nv: of the step that is solved for */
  double *du, *dq, *zero;      /* nv, nq: scratch; nv: zeros */
  double *z_rate;              /* nz: at the midpoint */
  double *P, *part, *push;     /* nr: percussions, their change; multipliers of the projection */
  double *rate0, *rate1;       /* nr: at both ends of the step */
  double *gap, *side;          /* ni, n_switch: scratch */
  double *columns;             /* nv x nc: scratch */
  double *after;               /* n: state after the instant at the end of the step */
  double *length;              /* 1: of the step that P belongs to; 0: no step yet */
  unsigned char *independent;  /* nc: equalities that imply the others */
  unsigned char *active, *off; /* ni: takes part in the step; rough row without pressure */
  unsigned char *struck;       /* ni: an impact */
  unsigned char *closes;       /* ni: mode after the instant */
} pw_moreau;

/* `contacts` is set by the owner. */
void pw_moreau_lay_out(pw_moreau *x, const pw_system *sys, pw_layout *l);

/* Chooses the independent equalities of the frame `end`, as many as the mechanics has found. */
void pw_moreau_choose(pw_moreau *x);
/* Velocities u1, percussions P and positions q1 of the step of rk with the active rows, before the
 * projection; P holds a guess. PAWL_E_STEP if it does not converge. */
PAWL_NODISCARD pawl_status pw_moreau_solve(pw_moreau *x, const pw_rk *rk);
/* Puts q1 where equalities hold and no unilateral row is violated. */
PAWL_NODISCARD pawl_status pw_moreau_project(pw_moreau *x, double t);

/* The step of rk: y1 is the state before the instant at its end, if there is one (pending). */
PAWL_NODISCARD pawl_status pw_moreau_step(void *moreau, pw_rk *rk);
/* Treats that instant: s->y jumps, modes change, the log of the contacts says what. */
PAWL_NODISCARD pawl_status pw_moreau_handle(pw_moreau *x);

#endif
