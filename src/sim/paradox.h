// SPDX-License-Identifier: MIT
/* Friction that leaves no motion, or several (Painleve 1895; Genot and Brogliato 1999). While the
 * margin det(A^T B) / det(A^T A) of the imposed rows is positive and they push, the motion goes on;
 * it is watched, and announced where it becomes small. What happens where no acceleration exists,
 * or several do, is a policy, not mechanics (theory, section 26). */
#ifndef PW_SIM_PARADOX_H
#define PW_SIM_PARADOX_H

#include "base/layout.h"
#include "pawl/sim.h"
#include "sim/modes.h"

enum { PW_PARADOX_KEPT = 8, PW_PARADOX_BRANCHES = 4 }; /* instants, and motions at each */

typedef struct pw_several { /* an instant with several motions; no pointers: it is saved */
  double t;
  int law; /* the friction */
  int count, chosen;
  bool complete;
} pw_several;

typedef struct pw_paradox {
  pawl_paradox policy;
  double side;         /* sign of the margin since the last instant */
  double last;         /* margin after the last step; NAN: not known */
  bool fires;          /* the margin vanishes at the end of the step */
  bool settled;        /* one of several motions was chosen at this instant */
  bool singular;       /* it did where the motion ended: forces grow without bound */
  bool announced;      /* the margin was small and fell, */
  bool due;            /* which has not been said yet: */
  double when, at;     /* the time and the margin, */
  int law;             /* of this friction */
  int count;           /* of `point` */
  pw_several *point;   /* KEPT */
  double *a, *force;   /* per point and branch: nv, rows of the model */
  unsigned char *mode; /* and rows of the model: PW_BRANCH_... */
} pw_paradox;

enum { PW_BRANCH_NONE, PW_BRANCH_OPEN, PW_BRANCH_CLOSED, PW_BRANCH_STICK, PW_BRANCH_SLIP };

void pw_paradox_lay_out(pw_paradox *p, const pw_system *sys, pw_layout *l);
void pw_paradox_reset(pw_paradox *p);

/* Keeps what the last pw_modes_select found: several motions at this instant. */
void pw_paradox_keep(pw_paradox *p, pw_modes *modes, const pw_frame *f, double t, int law);
/* The last point kept goes on with its first motion. */
void pw_paradox_choose(pw_paradox *p, int branch);

#endif
