// SPDX-License-Identifier: MIT
/* The only test of whether values and rates of law rows are zero. A number is zero if it is at most
 *   parts.terms * (sum of the terms that it is made of) + parts.moved * (change that is none),
 * where the change is caused by a motion too small to matter. */
#ifndef PW_LAW_ZERO_H
#define PW_LAW_ZERO_H

#include "law/row.h"

typedef struct pw_zero_parts {
  double terms, moved;
} pw_zero_parts;

/* States along a motion: `moved` is |J| times the way, or the speed, of the whole motion. */
pw_zero_parts pw_zero_of_motion(void);

double pw_zero_room(pw_zero_parts parts, double terms, double moved);
/* The room of a number of the start as users write it, theory (24): its linear terms J_j x_j (n),
 * and the size of all that its expression is a sum of, of which rounding is a part. */
double pw_zero_room_of_start(const double *J, const double *x, int n, double sum);

typedef struct pw_law_room { /* sizes that are zero */
  double value, rate;
} pw_law_room;

typedef struct pw_law_sign { /* -1, 0, 1 */
  int value, rate;
  bool at_kink; /* its force is open: a value, and on positions also a rate, of zero */
} pw_law_sign;

pw_law_sign pw_law_sign_of(const pw_law_row *row, pw_law_room room);

#endif
