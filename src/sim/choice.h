// SPDX-License-Identifier: MIT
/* Which Runge-Kutta method goes on where the user leaves it open: theory, section 12.
 * Decided by the errors of the steps alone, so that one motion is always made in one way. */
#ifndef PW_SIM_CHOICE_H
#define PW_SIM_CHOICE_H

#include <stdint.h>

#include "sim/rk.h"

typedef enum pw_pair { PW_PAIR_LOW, PW_PAIR_HIGH, PW_PAIR_IMPLICIT, PW_PAIRS } pw_pair;

typedef struct pw_choice {
  bool open;              /* the pair may change; else nothing below is used */
  pw_pair pair;           /* that is chosen: order 5, order 8, or implicit */
  pw_pair now;            /* of the last step */
  double worth;           /* stable steps that an implicit one must replace; 0: there are none */
  double tol;             /* of the integration */
  double size[2];         /* of the estimates of the error in the last trial, in tolerances */
  double here, there;     /* cost of the steps since the last decision; that of the other pair */
  int steps;              /* since then */
  int stiff;              /* and those of them that stability limits */
  bool often;             /* most of them at the last decision */
  int patience;           /* steps until the next one */
  int64_t made[PW_PAIRS]; /* steps */
} pw_choice;

/* Forgets the past; the pair that begins depends on the tolerance. */
void pw_choice_begin(pw_choice *c, double tol);
/* After an accepted step with an error in tolerances: factor for the size of the next step. stiff:
 * h |df/dy| in parts of what is stable for an explicit step. */
double pw_choice_note(pw_choice *c, double error, double stiff);
/* Implicit steps failed: others from here. */
void pw_choice_leave(pw_choice *c);
/* The step that was noted last is undone. */
void pw_choice_undo(pw_choice *c);

#endif
