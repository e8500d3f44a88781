// SPDX-License-Identifier: MIT
/* Connected parts of a local problem. Rows that share no coordinate in the metric of M do not feel
 * each other (theory (98), (99)): each part is solved alone, with its own coordinates only, so that
 * the cost grows with the number of parts, and a failure belongs to the rows of its part. */
#ifndef PW_SIM_SPLIT_H
#define PW_SIM_SPLIT_H

#include "linalg/parts.h"
#include "sim/disk.h"

typedef struct pw_zero_rates { /* scaled rates that count as zero, for slips in the plane: */
  double tiny;                 /* this one, */
  double part;                 /* and this part of the largest force of the solution */
} pw_zero_rates;

/* Column j of the parts has the entries a of a row of the frame. */
void pw_split_add(pw_parts *parts, int j, const pw_frame *f, int row, const double *a);

/* Solves the rows taken together with slips in the plane, which need not be taken: adds their rows
 * as they stand in the end. */
pw_outcome pw_split_solve(pw_local *p, pw_disk *disk, int n, pw_zero_rates zero);
/* Forces with which all slips stick, those of parts that leave a choice well inside their disks.
 * False: not all stick, or no part leaves a choice. */
bool pw_split_hold(pw_local *p, pw_disk *disk, int n, double tiny);

#endif
