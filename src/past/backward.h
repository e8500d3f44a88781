// SPDX-License-Identifier: MIT
/* A motion backward in time with fixed modes of the laws, and the modes at an instant. */
#ifndef PW_PAST_BACKWARD_H
#define PW_PAST_BACKWARD_H

#include "mech/frame.h"
#include "mech/handle.h"

typedef struct pw_back {
  const pw_system *sys;
  pw_mech *mech;
  double t;
  double *q, *u;         /* nq, nv: where it is */
  double *side;          /* n_switch */
  double *scratch;       /* 3 n_sides + 1 */
  unsigned char *mode;   /* ni: PW_ABOVE_KINK, ... */
  double *watch, *armed; /* 2 ni each: conditions that keep their sign; 1: has been positive */
  double *frame_memory;
  pw_frame frame;           /* at the last pw_back_look */
  double *restitution;      /* ni */
  double speed, length;     /* sizes: of velocities and of ways, in the metric of M */
  double *y0, *y1, *y2, *k; /* nq + nv each; k: 5 of them */
  double *left_right, *limit;
  void *memory;
} pw_back;

PAWL_NODISCARD pawl_status pw_back_new(const pawl_system *system, double back, pw_back *out);
void pw_back_free(pw_back *b);
void pw_back_place(pw_back *b, double t, const double *q, const double *u);

/* All rows at the present state; with no law imposed. */
PAWL_NODISCARD pawl_status pw_back_look(pw_back *b);
/* Where law row i is just before (-1) or after (1) the present state, if it moves with the
 * acceleration a there. After pw_back_look. */
unsigned char pw_back_mode(const pw_back *b, int i, const double *a, int side);
/* A contact that touches, and how fast it opens: > 0, as a part of the speeds; NAN: no contact. */
double pw_back_opens(const pw_back *b, int i);

/* Goes back with the modes until something happens, at most to `to`. *happens: something has. */
PAWL_NODISCARD pawl_status pw_back_go(pw_back *b, double to, bool *happens);

#endif
