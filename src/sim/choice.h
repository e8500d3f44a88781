// SPDX-License-Identifier: MIT
/* Which of the two Runge-Kutta pairs goes on where the user leaves it open: theory, section 12.
 * Decided by the errors of the steps alone, so that one motion is always made in one way. */
#ifndef PW_SIM_CHOICE_H
#define PW_SIM_CHOICE_H

#include "sim/rk.h"

typedef struct pw_choice {
  bool open;          /* the pair may change; else nothing below is used */
  bool high;          /* order 8 is chosen */
  bool now;           /* the last step is one of order 8 */
  double tol;         /* of the integration */
  double size[2];     /* of the estimates of the error in the last trial, in tolerances */
  double here, there; /* cost of the steps since the last decision; that of the other pair */
  int steps;          /* since then */
  int stiff;          /* and those of them that stability limits */
  int patience;       /* steps until the next one */
  long made[2];       /* steps of order 5, of order 8 */
} pw_choice;

/* Forgets the past; the pair that begins depends on the tolerance. */
void pw_choice_begin(pw_choice *c, double tol);
/* After an accepted step with an error in tolerances: factor for the size of the next step. stiff:
 * h |df/dy| in parts of what is stable. */
double pw_choice_note(pw_choice *c, double error, double stiff);
/* The step that was noted last is undone. */
void pw_choice_undo(pw_choice *c);

#endif
