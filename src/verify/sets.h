// SPDX-License-Identifier: MIT
/* The sets from which the laws may take their forces, by position, velocity or acceleration
 * (Glocker 1998, (6.2): the later ones are contained in the earlier). A row at its kink gives a
 * column with bounds, one beside it a force that is known; Coulomb's cone is spanned by its edges,
 * a slip in the plane adds the edge that is missing most until none is. */
#ifndef PW_VERIFY_SETS_H
#define PW_VERIFY_SETS_H

#include "verify/probe.h"
#include "verify/reach.h"

typedef enum pw_set_level { PW_SET_POSITION, PW_SET_VELOCITY, PW_SET_ACCELERATION } pw_set_level;

enum { PW_SIDE_UNKNOWN = 2 };

typedef struct pw_set_scale { /* below these, in the metric of M, a measure counts as zero */
  double position, velocity, acceleration;
  double at_place, at_rest; /* strict thresholds: below them it is exactly zero for the law */
  bool before;              /* evaluate one-sided signs just before t, not after */
  const signed char *stays; /* ni, or NULL: the rows beside show that it does not leave its kink */
  const signed char *mode;  /* ni, or NULL: side of the kink as stored, or PW_SIDE_UNKNOWN */
  const double *carried;    /* n_state: rates of multipliers; NULL, NAN: any that laws allow */
  const unsigned char *taken; /* ni, or NULL: its force is no longer asked for */
} pw_set_scale;

/* a (nv, as L^T u'): acceleration, for the last level only. Leaves the distance of
 * L^T a - L^-1 h from the set in `reach`. */
void pw_set_distance(pw_probe *p, pw_set_level level, const pw_set_scale *zero, const double *a,
                     pw_reach *reach, double *scratch);
int pw_set_columns(const pw_system *sys); /* room a reach needs */
int pw_set_maxima(const pw_system *sys);  /* coordinates it needs beside the velocities */
/* The same with the multipliers that are states as unknowns too: r depends on them linearly, with
 * `extra` (nv each, in the metric) what a unit of each takes from it. They are the first n_extra
 * unknowns in `reach`. rest: r where they are zero. */
void pw_set_fit(const pw_probe *p, const pw_set_scale *zero, const double *rest,
                const double *extra, int n_extra, pw_reach *reach, double *scratch);

/* Interval of a row's force; of friction on a contact, per unit of the normal force. */
pw_law_set pw_set_of_row(const pw_probe *p, int row, pw_set_level level, const pw_set_scale *zero,
                         const double *a);
/* Whether a contact can carry a force at this level. */
bool pw_set_is_closed(const pw_probe *p, int row, pw_set_level level, const pw_set_scale *zero,
                      const double *a);
/* Whether the two pieces of a maximum that the row compares are tied at this level. */
bool pw_set_is_tied(const pw_probe *p, int row, pw_set_level level, const pw_set_scale *zero,
                    const double *a);

#endif
