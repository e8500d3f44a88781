// SPDX-License-Identifier: MIT
/* Stationary action as equations, theory (87), (88), on a given division into elements. */
#ifndef PW_BVP_COLLOCATE_H
#define PW_BVP_COLLOCATE_H

#include "bvp/joint.h"
#include "bvp/ritz.h"

typedef struct pw_whole {
  pw_shoot *x;
  const pw_path *path;
  pw_joiner join;
  pw_ritz ritz;
  int flight;         /* whose modes are imposed */
  int n, p;           /* of a state; unknowns: nv, multipliers, instants */
  int elements, rows; /* rows: start, instants, end */
  int *first;         /* flights + 1: first element of each */
  double *edge;       /* flights + 1: from, instants, to */
  double *y, *rate;   /* elements x n, elements x S n */
  double *Z; /* elements x n x (p + 1): derivatives of the states by each unknown, and the constant
                part */
  double *now, *next;                          /* n x (p + 1): along the motion */
  double *unit;                                /* p */
  double *scale;                               /* n */
  double *r, *step;                            /* rows, p */
  double *end, *by, *trial, *up, *down, *cond; /* n, n (n + 2), n, n, n, 2 (ni + n_switch) */
  pw_qr qr;                                    /* rows x p */
  double gap, action;                          /* of the last pass */
} pw_whole;

/* States, rates and scales of the trial motion with the start s, as first guess. */
bool pw_whole_guess(pw_whole *w, const double *s);
/* The same of the straight line to the end, which is no motion. One flight. */
bool pw_whole_line(pw_whole *w, const double *s);
/* The solution, made a guess for another time of its end. */
void pw_whole_stretch(pw_whole *w, double to);
/* Whether the jumps of the simulation satisfy the equations of the joints. */
bool pw_whole_jumps(pw_whole *w);
/* Newton's method from there. The first `patience` iterations need not contract: for guesses that
 * are no motions. */
bool pw_whole_solve(pw_whole *w, int patience);
/* For w->ritz, which w owns. */
bool pw_whole_rate(void *w, double t, const double *y, double *out, double *action);

#endif
