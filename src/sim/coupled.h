// SPDX-License-Identifier: MIT
/* Several slips in the plane at once: contacts, disks, equalities and all other rows of a local
 * problem as one problem of solve/friction.h, solved by its methods and accepted by its residual,
 * which shares no code with them. Rows may depend on each other. */
#ifndef PW_SIM_COUPLED_H
#define PW_SIM_COUPLED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/layout.h"
#include "system/system.h"

typedef struct pw_coupled {
  int cap;       /* rows there is room for; 0: no system for this */
  int m;         /* components of the contacts, in their order: */
  int *place;    /* m: row of the local problem */
  double *sign;  /* m: scaled force = length (sign r + shift) */
  double *shift; /* m */
  double *W, *q, *r, *blocks, *real;
  int *start, *col, *whole;
  void *contact, *copies;
} pw_coupled;

/* Rows that instants of this system may need, and room for that number of rows. */
int pw_coupled_rows(const pw_system *sys);
void pw_coupled_lay_out(pw_coupled *p, int rows, pw_layout *l);

struct pw_part;
struct pw_disk;
/* Instead of pw_disks_take, pw_part_solve and pw_disks_revise. tiny: scaled rate that is zero.
 * shared: the forces that hold a single slip are not unique, and some may lie in its disk.
 * False: fewer than two slips may begin or end (one, if `shared`), a row is of another kind, no
 * solution was found, or it is too large; then only the rows of before are taken. */
bool pw_coupled_solve(struct pw_part *p, struct pw_disk *disk, int n, double tiny, bool shared);
/* Forces with which all slips stick well inside their disks: solved with all bounds multiplied by
 * 1 - 2^-k, which is returned, with the least k that will do. INFINITY: not all stick. */
double pw_coupled_hold(struct pw_part *p, struct pw_disk *disk, int n, double tiny);

#endif
