// SPDX-License-Identifier: MIT
/* A motion between impacts solved as a whole: a direct method that shares no integrator with the
 * shooting that found it. */
#ifndef PW_BVP_COLLOCATE_H
#define PW_BVP_COLLOCATE_H

#include "bvp/shoot.h"

/* A motion by the instants at which a contact is hit or left, and what is held between them. */
typedef struct pw_path {
  int joints;
  const double *times;     /* joints */
  const int *law;          /* joints: law row that is hit or left */
  const bool *leaves;      /* joints */
  const unsigned char *on; /* (joints + 1) x ni: PW_AT_KINK for what is held */
} pw_path;

/* The same motion solved anew, from what was recorded of it: see pw_collocate. NAN also if it is
 * more than contacts that are hit one at a time, kept after that or from the start, and left. */
double pw_path_defect(pw_shoot *x, const double *s, const pawl_bvp_solution *of);

/* Whether the method applies: coordinates without rotations, switches and multipliers that are
 * states, impacts of one contact each with Newton's law, no laws but contacts. */
bool pw_collocate_fits(const pw_system *sys);

/* Solves anew, with the motion of the simulation from velocity u (nv) as first guess. Returns the
 * largest change of the start velocity relative to the speeds of the motion; NAN: not solved. */
double pw_collocate(pw_shoot *x, const double *s, const pw_path *path);

#endif
