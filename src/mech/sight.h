// SPDX-License-Identifier: MIT
/* Search for short features along a piece of a step: enclosures of the functions of the model over
 * it. The caller fills the enclosures of the inputs; only if the system has guards
 * (system/guards.h). */
#ifndef PW_MECH_SIGHT_H
#define PW_MECH_SIGHT_H

#include "expr/enclosure.h"
#include "mech/mech.h"

/* n_in enclosures, by index of the inputs of the tapes. */
pw_form *pw_mech_sight(pw_mech *m);
/* Sides are constant along a step, impulses are those of the last jumps. */
void pw_mech_sight_fixed(pw_mech *m, const double *side);

/* The tapes (PW_OF_...) in which some operation is not tame. */
unsigned pw_mech_wild(pw_mech *m);

/* A pole or branch point of the forces within the enclosures of the inputs: a guard whose argument
 * may be zero there; -1: none. */
int pw_mech_pole(pw_mech *m);
/* Its argument as text. */
void pw_mech_pole_text(const pw_mech *m, int guard, pw_buf *out);

/* A tape (PW_OF_...) reads this input. */
bool pw_mech_sight_reads(const pw_mech *m, unsigned tape, int input);
/* Enclosures of the outputs of one tape, until the next call. */
const pw_form *pw_mech_enclose(pw_mech *m, unsigned tape);

/* The tapes that accelerations depend on, with the laws as they are. */
unsigned pw_mech_force_tapes(const pw_mech *m);

/* Uncertainty of the accelerations. */
typedef struct pw_murk {
  double most;    /* relative to the allowed size; 0: nothing is hidden */
  int coord, row; /* where: model coordinate, or row; -1 */
} pw_murk;

/* The largest change of the accelerations by operations that are not tame. allowed (nv): of each; a
 * (nv): size of the accelerations. Masses and reactions are those of the last pw_mech_rates. */
pw_murk pw_mech_murk(pw_mech *m, const double *allowed, const double *a);

#endif
