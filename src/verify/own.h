// SPDX-License-Identifier: MIT
/* What the checker keeps of a stored motion from segment to segment. Owner: check_segment.c; of
 * forces: energy_segment.c. */
#ifndef PW_VERIFY_OWN_H
#define PW_VERIFY_OWN_H

#include <stdint.h>

#include "base/layout.h"
#include "system/system.h"
#include "traj/bytes.h"
#include "verify/curve.h"

typedef struct pw_own {
  bool any;            /* a segment has come */
  bool fresh;          /* the next segment begins a piece: after a jump, or the first */
  bool any_after;      /* `after` is the state at its start */
  bool struck;         /* velocities have jumped since the last segment */
  int64_t number;      /* of segments */
  int rank;            /* of the equalities at the last instant */
  double to;           /* end of the last segment */
  double *end;         /* nq + nv: state there, or after the jump */
  pw_segment last;     /* the last segment, */
  double *nodes;       /* PW_MOST_NODES times nq + nv: its states */
  double *value;       /* nq + nv: a point of the curve */
  double *rate;        /* the same: its rate */
  double *term;        /* PW_CURVE_TERMS times: last coefficients */
  double *before;      /* 2 nq + nv + forces: sides of an instant */
  double *after;       /* the same */
  unsigned char *mode; /* model rows: of the last segment */
  signed char *side;   /* ni: of this one by rows, or PW_SIDE_UNKNOWN */
  signed char *alone;  /* ni: the only kink of its law */
  double *works;       /* entries of the ledger: largest sizes since the start */
  bool quick;          /* a quick look may do, see pw_glance_is_enough */
  double fade;         /* decay of the series of the velocities, where it was looked at last */
  double *slope;       /* model rows: of the forces in the last segment */
  double *load;        /* model rows: the forces at its end */
  double *bend;        /* model rows: their second derivatives there, / 8 */
  double slope_time;   /* its length; 0: another piece */
  pw_curve_table table;
  pw_reader strokes; /* impulses of the present instant; empty: they are not told */
} pw_own;

void pw_own_lay(pw_own *o, const pw_system *s, pw_layout *l);
/* o->side of the modes (model rows) of a segment. */
void pw_own_sides(pw_own *o, const pw_system *s, const unsigned char *mode);

#endif
