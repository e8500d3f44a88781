// SPDX-License-Identifier: MIT
/* Step size control in a norm without units: error_i <= tol max(|x_i|, scale_i / 1000), where the
 * scale is the running range of the coordinate or of its rate. All vectors have nv entries. */
#ifndef PW_SIM_CONTROL_H
#define PW_SIM_CONTROL_H

#include <stdbool.h>

#include "sim/rk.h"

typedef struct pw_control {
  int nv;
  double tol;
  double kinetic, energy; /* largest T, largest T + |V|, so far */
  double last_error;      /* of the last accepted step, for the PI control */
  bool just_rejected;
  double *x_lo, *x_hi;         /* range of the positions; rotations: not used */
  double *u_lo, *u_hi;         /* of the velocities */
  double *weight_x, *weight_u; /* what the error of this step may be */
  double *whole_x, *whole_u;   /* the same with the whole scale instead of a thousandth of it */
} pw_control;

size_t pw_control_size(int nv);
void pw_control_init(pw_control *c, int nv, double tol, double *memory);

/* Forgets the past; the range is the point (x, u). */
void pw_control_reset(pw_control *c, const double *x, const double *u, double kinetic,
                      double energy);
/* Takes an accepted point into the ranges. */
void pw_control_note(pw_control *c, const double *x, const double *u, double kinetic,
                     double energy);

/* One trial step. x: positions, NAN for components of a rotation, whose size counts as 1. */
typedef struct pw_trial {
  const double *x0, *u0, *x1, *u1;
  const double *mass; /* diagonal of M */
  const double *load; /* forces without reactions; NULL: none */
  double h;
  double kinetic;  /* at the end */
  double pull;     /* size of the forces, as sqrt(sum M_ii a_i^2) */
  double reaction; /* of the imposed rows, likewise: where they move, the first motion is theirs */
  double span;     /* of the run */
  double terms;    /* of the forces, likewise: what cancels in them; if `rounding` */
  bool rounding;   /* allow for round-off of energies and forces: after repeated rejections */
  bool whole;      /* also the weights of pw_control_whole_norm */
} pw_trial;

/* Nothing has moved so far by more than forces that balance leave: what moves is round-off. */
bool pw_control_rests(const pw_control *c, double h, double pull);

void pw_control_weigh(pw_control *c, const pw_trial *trial);

/* max_i |e_i| / weight_i over both vectors; 0/0 is 0; NaN stays NaN. *worst: 0 .. nv-1 positions,
 * nv .. 2nv-1 velocities. */
double pw_control_norm(const pw_control *c, const double *error_x, const double *error_u,
                       int *worst);
/* The same in terms of the whole scales. */
double pw_control_whole_norm(const pw_control *c, const double *x, const double *u);

/* The next step size after an error (1: as large as allowed). Accepted: PI control. */
double pw_control_accept(pw_control *c, const pw_rk_method *m, double h, double error);
double pw_control_reject(pw_control *c, const pw_rk_method *m, double h, double error);

/* First step from rates (x', u') of length 2 nv: f0 at the start, f1 after a small step of size
 * `probe`, which pw_control_probe proposes. span: length of the run. */
double pw_control_probe(const pw_control *c, const double *mass, const double *x, const double *f0,
                        double span);
double pw_control_first(const pw_control *c, const pw_rk_method *m, const double *mass,
                        const double *x, const double *f0, const double *f1, double probe,
                        double span);

#endif
