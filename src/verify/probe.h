// SPDX-License-Identifier: MIT
/* What the model says at a state, read from its tapes alone: mass matrix, forces, rows of the laws.
 * Nothing here solves for accelerations, forces or impulses. */
#ifndef PW_VERIFY_PROBE_H
#define PW_VERIFY_PROBE_H

#include <stdint.h>

#include "base/layout.h"
#include "system/system.h"

typedef struct pw_probe_tape { /* a tape with its own registers and outputs */
  const pw_tape *tape;
  bool constant; /* or without outputs: never run again */
  double *reg, *out;
} pw_probe_tape;

typedef struct pw_probe_tapes {
  pw_probe_tape motion, position, velocity, gap, contact, clause, graph, by, sides, ties;
  pw_probe_tape momentum, energy, power; /* see pw_probe_momenta */
} pw_probe_tapes;

typedef struct pw_side_sums { /* what switching functions are sums of */
  double *terms;              /* n_sides: the largest so far */
  double *work;               /* scratch */
  int n_work;
} pw_side_sums;

typedef struct pw_probe {
  const pw_system *sys;
  double *in;       /* input of every tape */
  int64_t n_loaded; /* states so far: whether another one has come in between */
  double *lambda;   /* 2 nr: scratch, where forces of equalities bound frictions */
  pw_probe_tapes tape;
  /* at the last pw_probe_at */
  double *side;                /* n_switch: +1 or -1 */
  double *L;                   /* nv x nv: M = L L^T */
  int *extent;                 /* nv: last row of each column of L that is not zero */
  bool have_mass;              /* and M is constant */
  double *h;                   /* nv: L^-1 h, forces of the model without laws */
  double *speed;               /* nv: L^T u */
  double pull, fast;           /* |h|, |speed| */
  double *value, *rate, *zeta; /* nr; an equality on velocities has its rate as value */
  double *J;                   /* nr x nv, by rows: gradients */
  double *length;              /* nr: |L^-1 J^T|, makes measures of all rows comparable */
  double *A;                   /* nv x nr: L^-1 Phi, along the forces */
  double *reach;               /* nr: |L^-1 Phi| */
  double *sense;               /* nr: (M^-1 Phi, J), positive unless a servo pushes its row down */
  double *metric, *room;       /* nv: scratch; one gradient of a sparse system */
  double *terms, *terms_work;  /* ni, at the last pw_probe_terms; scratch */
  pw_side_sums side_sum;
  const double *value_of_gap; /* ni, at the last pw_probe_gaps */
} pw_probe;

void pw_probe_lay(pw_probe *p, const pw_system *sys, pw_layout *l);
void pw_probe_tape_lay(pw_probe_tape *p, const pw_tape *tape, pw_layout *l);

/* Sides of the switching surfaces and values of the law rows only. False: not a number. */
bool pw_probe_gaps(pw_probe *p, double t, const double *q, const double *u);
/* Masses and forces of the model alone: L, h, speed. Without multipliers that are states. */
bool pw_probe_inertia(pw_probe *p, double t, const double *q, const double *u);
/* Whether nothing was looked at since the count was n_loaded, and the state then was this one. */
bool pw_probe_is_at(const pw_probe *p, int64_t n_loaded, double t, const double *q,
                    const double *u);
/* Only loads the state, as input of the next evaluation. */
void pw_probe_state(pw_probe *p, double t, const double *q, const double *u);
/* The outputs of the tape `motion` there (system/view.h). */
const double *pw_probe_motion(pw_probe *p);
void pw_probe_state_beside(pw_probe *p, double t, const double *q, const double *u, double ahead);
/* The same with the surfaces on the sides of the state before. */
void pw_probe_state_kept(pw_probe *p, double t, const double *q, const double *u);
/* Forces by row of the model, where those of equalities bound frictions; they last until they are
 * given again. */
void pw_probe_loads(pw_probe *p, const double *force);
/* The same at the state that is looked at: what the laws say follows. */
void pw_probe_loads_again(pw_probe *p, const double *force);
/* The same by the multipliers of the equalities. True: the forces have changed, and with them what
 * the laws say. After pw_probe_at. */
bool pw_probe_take_loads(pw_probe *p, const double *lambda);
/* Everything. False: M is not positive definite, or something is not a number. */
bool pw_probe_at(pw_probe *p, double t, const double *q, const double *u);
/* The same with switching surfaces on the side where they are a time `ahead` later: which side is
 * meant at an instant that lies on one. */
bool pw_probe_beside(pw_probe *p, double t, const double *q, const double *u, double ahead);
/* The same with the surfaces on the sides of the state before. */
bool pw_probe_kept(pw_probe *p, double t, const double *q, const double *u);
/* Row `row` of a law at that state: forces beside its kink, bounds, restitution. */
pw_law_row pw_probe_law(const pw_probe *p, int row);
/* The same with its forces and bounds alone. */
pw_law_row pw_probe_forces(const pw_probe *p, int row);
/* What a row measures: its value, but the gap or the slip of a law on coordinates without inertia,
 * which has no kink there. */
double pw_probe_measure(const pw_probe *p, int row);
/* Its force on the side of its kink where it is; per unit of the normal force if it has a contact.
 */
double pw_probe_force_beside(const pw_probe *p, int row);
/* Bound of a dry friction along a line or in the plane, per unit of the normal force if it has a
 * contact; sticks: the larger bound that holds it. */
double pw_probe_bound(const pw_probe *p, int row, bool sticks);
/* out (nv) = L^-1 (h + J^T force) with the laws whose forces are functions of the state, which are
 * those beside their kinks. After pw_probe_at. */
void pw_probe_given(const pw_probe *p, double *out);

/* Sizes of the terms that the values of the law rows are sums of (ni). After pw_probe_at. */
const double *pw_probe_terms(pw_probe *p);

/* dL/du (nv) with the multipliers that are states. After pw_probe_at. */
const double *pw_probe_momenta(pw_probe *p);
/* T, V, 2T - p.u; and the power of all that is no law. After any of the above. */
const double *pw_probe_energies(pw_probe *p);
double pw_probe_power(pw_probe *p);
/* The covectors of all forces of laws, without anything else. */
void pw_probe_along(pw_probe *p);
const double *pw_probe_covector(const pw_probe *p, int row); /* until the next call */
/* Work of the row per force and time: Phi.u; of the kink of a potential, whose energy is part of V,
 * what is left of that where the kink moves, -s_t. After pw_probe_along. */
double pw_probe_work_rate(const pw_probe *p, int row, const double *u);
/* b <- L^-1 b, b <- L^-T b, out <- L^T v by the L of the last pw_probe_at or pw_probe_inertia. */
void pw_probe_forward(const pw_probe *p, double *b);
void pw_probe_backward(const pw_probe *p, double *b);
void pw_probe_lift(const pw_probe *p, const double *v, double *out);
/* |L^-1 c| by the L of the last pw_probe_at or pw_probe_inertia. */
double pw_probe_size(const pw_probe *p, const double *covector);

/* The number of the multiplier that is a state and belongs to a row, or -1. */
int pw_row_state(const pw_system *sys, int row);
/* The contact that friction with `mu` and rough rows act on, or -1. */
static inline int pw_row_contact(const pw_system *sys, int row) {
  int law = row < sys->nc ? -1 : sys->row[row].contact;
  return law < 0 ? -1 : sys->nc + law;
}

#endif
