// SPDX-License-Identifier: MIT
/* How rows that depend on each other share a load: the motion fixes B x only, of scaled forces x
 * with lo <= x <= hi, and of Coulomb friction lo x_N <= x_T <= hi x_N. The least |x| is shown,
 * which no scaling of a law changes (theory (18)); how far the bounds are from being reached,
 * whatever the share, tells how long all of them hold (theory, section 15). */
#ifndef PW_SIM_SHARING_H
#define PW_SIM_SHARING_H

#include "base/layout.h"
#include "linalg/qr.h"
#include "mech/frame.h"
#include "solve/box_qp.h"
#include "solve/polytope.h"

typedef struct pw_limit { /* unit[0] x_i[0] + unit[1] x_i[1] >= least */
  int i[2];               /* i[1] = -1: one term */
  double unit[2], least;
  int sum; /* else -1: the forces of this sum, each times its weight */
} pw_limit;

typedef struct pw_share {
  int n, m;        /* m forces */
  int *row;        /* m: rows of the frame */
  double *B, *x;   /* n x m, m */
  double *g;       /* n: the load B x */
  int *sum;        /* m: the sum that it belongs to; -1: none */
  double *weight;  /* m: in that sum */
  pw_limit *limit; /* n_limit */
  int n_limit;
  struct pw_share_part *part; /* one part of it, solved alone (theory (98)); NULL in a part */
  double *A, *lo, *hi, *v, *y, *z, *none; /* scratch */
  double *real;
  int *whole;
  pw_qr qr;
} pw_share;

typedef struct pw_share_part {
  pw_share share;
  double *found;            /* m: forces of the parts solved so far */
  int *of, *start, *member; /* limits by parts: as many, m + 1; memory of pw_parts */
} pw_share_part;

/* `part` is set by the owner. */
void pw_share_lay_out(pw_share *p, const pw_system *sys, pw_layout *l);
void pw_share_lay_out_part(pw_share_part *p, const pw_system *sys, pw_layout *l);

void pw_share_begin(pw_share *p);
/* Adds x times a unit column to the load, carried by nobody yet; the same with a force that can
 * carry it, x being a value of it; -INFINITY, INFINITY: no bound. */
void pw_share_load(pw_share *p, const double *column, double x);
void pw_share_take(pw_share *p, int row, const double *column, double lo, double hi, double x);
/* Bounds of the friction `row` by the force of `normal`, both taken before. */
void pw_share_bound(pw_share *p, int row, int normal, double lo, double hi);
/* Forces that bound each other together: `row`, taken before, times `weight` plus `offset` is part
 * of a sum (any number from 0) that is not below `least`. */
void pw_share_sum(pw_share *p, int row, int sum, double weight, double offset, double least);
/* A slip with this column goes on: its force is `ratio` times that of `normal`. */
void pw_share_tilt(pw_share *p, const double *column, int normal, double ratio);
int pw_share_place(const pw_share *p, int row); /* -1: not taken */

/* x <- the least that carries the load within the limits. False: there is none, x stays. */
bool pw_share_least(pw_share *p);
/* which (m): this force is not unique. Returns whether any is. */
bool pw_share_open(pw_share *p, bool *which);
/* Largest s <= most such that some x that carries the load keeps this distance from all limits;
 * below zero if none is within them. NaN: it could not be found. */
double pw_share_margin(pw_share *p, double most);

#endif
