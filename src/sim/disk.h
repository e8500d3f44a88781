// SPDX-License-Identifier: MIT
/* Friction of slips in the plane and in space in the local problem: |T| <= R, and where the slip
 * goes on T = -R d with d along it; R is given or mu times a normal force. A slip that is zero
 * first sticks; one that cannot slides. Its direction is the fixed point of the projection on the
 * disk or ball, d <- (R d + rho y) / |R d + rho y|,   rho = 1/|D|, where y is the rate of the slip
 * under T: no polygon replaces them. */
#ifndef PW_SIM_DISK_H
#define PW_SIM_DISK_H

#include "law/set.h"
#include "sim/local.h"

typedef struct pw_disk {
  int row;                   /* the first of its rows */
  int width;                 /* how many there are: 2 or 3 */
  int normal;                /* row of the contact, or -1: the bound is given */
  double radius;             /* R while it slides, */
  double hold;               /* and while it sticks; per normal force if there is a contact */
  double drive[PW_LAW_MOST]; /* rates of the slip without any forces of the problem */
  double base[PW_LAW_MOST];  /* force that the frame contains already */
  bool fixed;                /* slides along d whatever happens */
  bool released;             /* its force has just reached `hold` */
  bool slides;               /* result, */
  double d[PW_LAW_MOST];     /* with its direction */
  int turns;                 /* times it stuck again */
} pw_disk;

/* Adds the rows as the disks stand. After the contacts. */
void pw_disks_take(pw_local *p, const pw_disk *disk, int n);
/* Looks at a solution; true: something has changed, solve again. tiny: scaled rate that is zero. */
bool pw_disks_revise(const pw_local *p, pw_disk *disk, int n, double tiny);
/* Forces of what slides with a contact, by row of the frame. After pw_local_forces. */
void pw_disks_forces(const pw_disk *disk, int n, double *force);

#endif
