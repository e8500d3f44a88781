// SPDX-License-Identifier: MIT
/* The balance of energy between any two rows of a piece without jumps, certificates (C21), (C22):
 * H = p.u - L changes by the work of laws and forces of the model only. It needs no
 * accelerations, and errors that are small at every instant add up. */
#ifndef PW_VERIFY_ENERGY_H
#define PW_VERIFY_ENERGY_H

#include <stdbool.h>
#include <stddef.h>

#include "verify/probe.h"

typedef struct pw_energy_row {
  double t, energy, power;
  double middle;           /* power in the middle of the way from the row before */
  double doubt, blur;      /* of the energy; of the power, by noise of forces */
  double edge;             /* range of the power of laws at their kinks */
  double leap;             /* energy that unresolved forces since the row before may have changed */
  double rub;              /* power that forces too small to be found at an instant could have */
  bool may_gain, may_lose; /* by laws whose forces are not known */
} pw_energy_row;

typedef struct pw_energy_mark { /* a row that later ones are compared with */
  bool any;
  double at, doubt, floor, slack, t;
} pw_energy_mark;

typedef struct pw_thrift {
  double *side;           /* n_switch: of the last row */
  double *last, *between; /* q, q', u, forces: the last row; the middle to the next */
  double *turn;           /* nv: accelerations by the forces of the last row */
  int *worker, n_worker;  /* up to nr: rows of laws that can do work without a jump */
  pw_energy_row row[4];   /* the newest ones of the piece */
  int n;
  bool idle;                    /* no force or law of the model does work but at impacts, */
  bool unaided;                 /* no law does */
  double balance, floor, slack; /* up to the first row that is not summed up yet */
  pw_energy_mark low, high;     /* least and largest balance, beyond their uncertainty */
  double value, allowed, t;     /* the worst; t NAN: nothing yet */
} pw_thrift;

struct pawl_certifier;
struct pw_row_view;
struct pw_curve;

void pw_energy_lay(pw_thrift *e, const pw_system *s, pw_layout *l);
/* The next row of the piece. Moves the probe. */
void pw_energy_put(struct pawl_certifier *c, const struct pw_row_view *row);
/* H and its rounding at the state of the probe. False: no number. */
bool pw_energy_find(struct pawl_certifier *c, pw_energy_row *out);
/* Adds a stretch over which forces have done the work `gain`, known up to `floor`, and compares. */
void pw_energy_add(struct pawl_certifier *c, const pw_energy_row *a, const pw_energy_row *b,
                   double gain, double floor);
/* The next segment, after an instant of it was looked at: the work by Simpson's or Lobatto's rule.
 * Moves the state of the probe. */
void pw_energy_segment(struct pawl_certifier *c, const struct pw_curve *x);
/* The next row begins another piece. */
void pw_energy_cut(struct pawl_certifier *c);
/* Makes a finding of the worst, when the size of the motion is known. */
void pw_energy_settle(struct pawl_certifier *c);

#endif
