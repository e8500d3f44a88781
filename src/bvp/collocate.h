// SPDX-License-Identifier: MIT
/* A motion between impacts solved as a whole: a direct method that shares no integrator with the
 * shooting that found it. */
#ifndef PW_BVP_COLLOCATE_H
#define PW_BVP_COLLOCATE_H

#include "bvp/shoot.h"

/* A motion with isolated impacts, by its instants. */
typedef struct pw_path {
  int bounces;
  const double *times; /* bounces */
  const int *law;      /* bounces: law row that is hit */
} pw_path;

/* Whether the method applies: coordinates without rotations and switches, impacts of one contact
 * each with Newton's law, no laws that act between them. */
bool pw_collocate_fits(const pw_system *sys);

/* Solves anew, with the motion of the simulation from velocity u (nv) as first guess. Returns the
 * largest change of the start velocity relative to the speeds of the motion; NAN: not solved. */
double pw_collocate(pw_shoot *x, const double *s, const pw_path *path);

#endif
