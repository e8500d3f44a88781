// SPDX-License-Identifier: MIT
/* The start as a system of equations: the rows that are imposed (equalities and contacts that start
 * closed) over the values that may move. */
#ifndef PW_MECH_START_SOLVE_H
#define PW_MECH_START_SOLVE_H

#include "linalg/qr.h"
#include "linalg/sparse_rows.h"
#include "mech/mech.h"
#include "system/view.h"

typedef enum pw_start_level { PW_START_POSITION, PW_START_VELOCITY } pw_start_level;

typedef struct pw_start_problem {
  pw_mech *mech;
  pw_start_level level;
  int count; /* rows */
  int *row;  /* count: which rows of the system */
  double t;
  double *q, *u;                /* nq, nv: moved by the solver */
  double *side;                 /* follow the values; where a surface is exactly zero they stay */
  bool *free;                   /* nv: this velocity, or the coordinate it belongs to, may move */
  bool *light;                  /* nv: it has no inertia */
  double *axes;                 /* 3 nv: directions, in the body, of the components of each spin */
  int *turn;                    /* nv: first velocity of its rotation, -1: none */
  double *first;                /* nv: sizes of the values before they were moved */
  double *residual, *tolerance; /* count: values of the rows and their thresholds for zero */
  double *J;                    /* of the last evaluation: count x nv, or entries of the pattern */
  /* scratch */
  double *q_old, *u_old, *step, *scaled, *c;
  double *size; /* nv: sizes at the entries of one row */
  int *column;  /* nv: velocities that are free */
  pw_qr qr;     /* without memory until it is needed */
  /* of a sparse system: */
  pw_pattern pattern;  /* columns of each row, rotations whole */
  pw_sparse_rows firm; /* rows in the metric of the diagonal of M; no plan: dense */
  double *entry;       /* of the pattern */
  double *weight;      /* nv: inverse roots of the diagonal of M */
} pw_start_problem;

void pw_start_problem_init(pw_start_problem *p, pw_mech *mech, pw_start_level level, double t,
                           double *q, double *u, double *side);
/* Spins move along the axes in which their start is given: those of the body, or at the velocity
 * level those of the space, for the current orientation. */
void pw_start_axes(pw_start_problem *p);
/* Sizes (nv) of positions in the terms of a row: |q|, and an angle for each rotation. */
void pw_start_place(const pw_mech *m, const double *q, double *x);
/* Gradient of row i at the last evaluation. */
pw_slope_view pw_start_row(const pw_start_problem *p, int i);
double pw_start_slope(const pw_start_problem *p, int i, int j);
/* Values, tolerances and rows at the current q and u; the largest |residual| / tolerance. */
double pw_start_measure(pw_start_problem *p);
/* Damped Newton, shortest steps in the metric of the diagonal of M. True if every row holds. */
bool pw_start_newton(pw_start_problem *p);

#endif
