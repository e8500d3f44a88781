// SPDX-License-Identifier: MIT
/* Work space of pw_mech, shared by the files of this folder only. */
#ifndef PW_MECH_WORK_H
#define PW_MECH_WORK_H

#include "linalg/qr.h"
#include "mech/mech.h"

/* A tape with its own prepared registers and outputs. */
typedef struct pw_program {
  const pw_tape *tape;
  double *reg, *out;
} pw_program;

struct pw_mech_work {
  double *in; /* input of every tape */
  pw_program motion, position, velocity, energy, sides, roots, output, expect;
  double *L;        /* nv x nv: Cholesky factor of M */
  bool have_mass;   /* L is valid and M is constant */
  double *c;        /* nv: L^-1 h, later scratch */
  double *columns;  /* nv x nc: L^-1 J^T with columns of length 1, at the last pw_mech_rates */
  double *length;   /* nc: sqrt(D_ii), the lengths before scaling */
  double *r, *lam;  /* nc */
  double *y, *v;    /* nv */
  pw_qr rows;       /* of `columns` */
  pw_qr project;    /* of the rows of a projection */
  double *dq;       /* nq */
  double *jet_in;   /* 3 n_in, for pw_mech_side_jets */
  double *jet_work;
};

/* q o (0, W) / 2 */
void pw_quaternion_rate(const double *q, const double *W, double *out);
/* Quaternions to unit length. */
void pw_mech_normalise(const pw_mech *m, double *q);

/* Sets t, q, u, sides in the input of the tapes. */
void pw_mech_input(pw_mech *m, double t, const double *q, const double *u, const double *side);
void pw_program_run(pw_mech *m, const pw_program *p);

/* columns <- L^-1 J^T scaled to unit length, length <- sqrt(D_ii), for `count` rows of J. A row
 * with a zero gradient keeps a zero column. */
void pw_mech_columns(const pw_mech *m, const double *J, int count, double *columns, double *length);

pawl_status pw_mech_fail(pw_mech *m, pawl_status status, int coord, int row, double value);

#endif
