// SPDX-License-Identifier: MIT
/* What the checker keeps of a stored motion from segment to segment. Owner: check_segment.c. */
#ifndef PW_VERIFY_OWN_H
#define PW_VERIFY_OWN_H

#include "base/layout.h"
#include "system/system.h"
#include "verify/curve.h"

typedef struct pw_own {
  bool any;    /* a segment has come */
  bool fresh;  /* the next segment begins a piece: after a jump, or the first */
  long number; /* of segments */
  int rank;    /* of the equalities at the last instant */
  double to;   /* end of the last segment */
  double *end; /* nq + nv: state there, or after the jump */
  double *value, *rate,
      *term; /* nq + nv: a point of the curve; PW_CURVE_TERMS times: last coefficients */
  double *before, *after; /* 2 nq + nv + forces: sides of an instant; the end of a segment */
  unsigned char *mode;    /* model rows: of the last segment */
  signed char *side;      /* ni: the same by rows, or PW_SIDE_UNKNOWN */
  signed char *alone;     /* ni: the only kink of its law */
  pw_curve_table table;
} pw_own;

void pw_own_lay(pw_own *o, const pw_system *s, pw_layout *l);

#endif
