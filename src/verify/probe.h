// SPDX-License-Identifier: MIT
/* What the model says at a state, read from its tapes alone: mass matrix, forces, rows of the laws.
 * Nothing here solves for accelerations, forces or impulses. */
#ifndef PW_VERIFY_PROBE_H
#define PW_VERIFY_PROBE_H

#include "system/system.h"

typedef struct pw_probe_tape { /* a tape with its own registers and outputs */
  const pw_tape *tape;
  double *reg, *out;
} pw_probe_tape;

typedef struct pw_probe {
  const pw_system *sys;
  double *in;   /* input of every tape */
  double ahead; /* switching surfaces are looked at this much later: which side is meant at them */
  pw_probe_tape motion, position, velocity, gap, contact, clause, graph, by, sides;
  pw_probe_tape momentum, energy, power; /* see pw_probe_momenta */
  /* at the last pw_probe_at */
  double *side;                /* n_switch: +1 or -1 */
  double *L;                   /* nv x nv: M = L L^T */
  double *h;                   /* nv: L^-1 h, forces of the model without laws */
  double *speed;               /* nv: L^T u */
  double *value, *rate, *zeta; /* nr; an equality on velocities has its rate as value */
  double *J;                   /* nr x nv, by rows: gradients */
  double *length;              /* nr: |L^-1 J^T|, makes measures of all rows comparable */
  double *A;                   /* nv x nr: L^-1 Phi, along the forces */
  double *reach;               /* nr: |L^-1 Phi| */
  double *sense;               /* nr: (M^-1 Phi, J), positive unless a servo pushes its row down */
  double *metric;              /* nv: scratch */
  double *terms;               /* ni, at the last pw_probe_terms, and scratch */
  const double *left, *right;  /* ni each, with stride 2: -force beside the kink */
  const double *restitution;   /* ni */
  const double *limit;         /* ni: bound of sticking; negative: none besides the graph */
  const double *value_of_gap;  /* ni, at the last pw_probe_gaps */
  const double *carried;       /* n_state: rates of multipliers; NULL, NAN: any that laws allow */
} pw_probe;

/* Memory: counted with real == NULL, then laid out in it. Returns the number of doubles. */
size_t pw_probe_init(pw_probe *p, const pw_system *sys, double *real);

/* Sides of the switching surfaces and values of the law rows only. False: not a number. */
bool pw_probe_gaps(pw_probe *p, double t, const double *q, const double *u);
/* Masses and forces of the model alone: L, h, speed. Without multipliers that are states. */
bool pw_probe_inertia(pw_probe *p, double t, const double *q, const double *u);
/* Nothing but the state, as input of what is asked for next. */
void pw_probe_state(pw_probe *p, double t, const double *q, const double *u);
/* Everything. False: M is not positive definite, or something is not a number. */
bool pw_probe_at(pw_probe *p, double t, const double *q, const double *u);
/* out (nv) = L^-1 (h + J^T force) with the laws whose forces are functions of the state, which are
 * those beside their kinks. After pw_probe_at. */
void pw_probe_given(const pw_probe *p, double *out);

/* Sizes of the terms that the values of the law rows are sums of (ni). After pw_probe_at. */
const double *pw_probe_terms(pw_probe *p);

/* dL/du (nv) with the multipliers that are states, and T. After pw_probe_at. */
const double *pw_probe_momenta(pw_probe *p);
double pw_probe_kinetic(pw_probe *p);
/* T, V, 2T - p.u; and the power of all that is no law. After any of the above. */
const double *pw_probe_energies(pw_probe *p);
double pw_probe_power(pw_probe *p);
/* The covectors of all forces of laws, without anything else. */
void pw_probe_along(pw_probe *p);
const double *pw_probe_covector(const pw_probe *p, int row);
/* |L^-1 c| by the L of the last pw_probe_at or pw_probe_inertia. */
double pw_probe_size(const pw_probe *p, const double *covector);

bool pw_row_on_velocity(const pw_system *sys, int row);
/* The number of the multiplier that is a state and belongs to a row, or -1. */
int pw_row_state(const pw_system *sys, int row);
pw_kind pw_row_kind(const pw_system *sys, int row);
/* The contact that friction with `mu` and rough rows act on, or -1. */
int pw_row_contact(const pw_system *sys, int row);

#endif
