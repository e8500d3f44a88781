// SPDX-License-Identifier: MIT
/* The joint of two flights: a map of the state, and equations for its instant. */
#ifndef PW_BVP_JOINT_H
#define PW_BVP_JOINT_H

#include "base/layout.h"
#include "bvp/path.h"
#include "linalg/qr.h"
#include "mech/frame.h"

typedef struct pw_joiner {
  const pw_system *sys;
  const pw_path *path;
  pw_mech *mech;
  pw_frame frame;
  double *memory;        /* of the frame */
  double *clause;        /* 2 ni: restitutions, bounds of sticking */
  double *graph;         /* 2 ni: -force left and right of the kinks */
  double *value;         /* n_switch */
  double *switch_scale;  /* n_switch */
  double *target, *kick; /* nr, nv */
  double *push, *D;      /* nv x nr: along the impulses of a jump; nr x nr: factor of rows^T push */
  int *pivot;            /* nr */
  double *anchor;        /* flights x (nq + nv): states at which ranks are decided, with */
  const double *from;    /* flights: their times */
  double speed, time;    /* scales: |L^T u|, of the span */
  pw_qr qr;
} pw_joiner;

/* Counts or hands out the memory for the given number of flights. */
void pw_joiner_lay_out(pw_joiner *j, const pw_system *sys, int flights, pw_layout *l);

/* Modes and rank of a flight. */
bool pw_joiner_enter(pw_joiner *j, int flight);
/* Equations that the instant k has. */
int pw_joiner_count(const pw_joiner *j, int k);
/* Some contact is reached without impact there, theory (89). */
bool pw_joiner_lands(const pw_joiner *j, int k);
/* The state after instant k at time t from the state before, and the residuals of its equations,
 * in parts of the scales; theory (88). In flight k. */
bool pw_joiner_pass(pw_joiner *j, int k, double t, const double *before, double *after, double *r);
/* Rates of the rows imposed at the start (nr, 0 for the others). In flight 0. */
bool pw_joiner_start(pw_joiner *j, double t, const double *y, double *r);

#endif
