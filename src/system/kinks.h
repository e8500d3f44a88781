// SPDX-License-Identifier: MIT
/* Set-valued laws as sums of kinks. A law gives -force as a maximal monotone graph of its measure s
 * (theory (40); Glocker 1998, sec. 4, 8, 10). Every piecewise smooth graph is a sum of graphs with
 * one kink:
 *   -force = left(s) for s < 0,   in [left(0), right(0)] for s = 0,   right(s) for s > 0,
 * with s counted from the kink. A unilateral constraint has left = -infinity and right = 0. */
#ifndef PW_SYSTEM_KINKS_H
#define PW_SYSTEM_KINKS_H

#include "model/model.h"

typedef enum pw_kink_shape {
  PW_KINK_STEP,    /* left(0) < right(0): forces in between hold s = 0 */
  PW_KINK_BEND,    /* left(0) = right(0), with other slopes: s = 0 is passed, or not left at all */
  PW_KINK_STRAIGHT /* one function: nothing happens where s is zero */
} pw_kink_shape;

typedef struct pw_kink {
  int row;             /* of the model */
  pw_node value;       /* s, zero at the kink */
  pw_node left, right; /* -force on the two sides; -1: infinite, that side is forbidden */
  double shift;        /* slip or stretch there */
  double unit;         /* pw_law_form.unit: -1 where written for -s, so that the forbidden side is
                          the left one */
  pw_kink_shape shape;
} pw_kink;

typedef PW_LIST(pw_kink) pw_kink_list;

/* Appends the kinks of a row whose kind is imposed by switching. */
void pw_kinks_of_row(const pw_model *m, int row, pw_kink_list *out);

#endif
