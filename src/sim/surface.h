// SPDX-License-Identifier: MIT
/* Switching surfaces: a step that crosses one is cut there, and goes on with the other smooth
 * piece of the model. */
#ifndef PW_SIM_SURFACE_H
#define PW_SIM_SURFACE_H

#include "base/layout.h"
#include "sim/signals.h"
#include "sim/watch.h"

typedef struct pw_surfaces {
  pw_watch watch;
  double *flipped;     /* m: time of the last change of side */
  double *y, *noise;   /* n, m: scratch */
  unsigned char *flip; /* m: changes side before the next step */
  unsigned char *far;  /* m: at `flipped` something jumped, and the motion is not on the surface */
  unsigned char *past; /* m: has changed it at `flipped`, after the last point of the motion */
  double *residue;     /* m: what was left of the function when it changed its side */
  double *next;        /* m: the sides that change are exchanged with these */
  double *sides, *sides_before; /* n_sides: scratch; before something jumps */
  pw_signals signals;           /* what changes besides the sides */
  int repeats;                  /* changes since time went on */
  int culprit;                  /* surface of the last change */
  double energy_jump;           /* PAWL_E_JUMP: of the energy at the culprit, or 0 and */
  int row;                      /*   the row whose value or rate jumps there, */
  bool value_jumps;
  double depth; /* how far into the body if it is a wall, else 0 */
} pw_surfaces;

void pw_surfaces_lay_out(pw_surfaces *f, const pw_system *sys, pw_layout *l);
void pw_surfaces_init(pw_surfaces *f, pw_stepper *s);
void pw_surfaces_reset(pw_surfaces *f);

/* Whether sides change before the next step; exchanges these and the present ones. */
bool pw_surfaces_due(pw_surfaces *f);
void pw_surfaces_turn(pw_surfaces *f);
/* Exchanges the present sides and those at the end of the last step, before the sides changed at
 * this time; false: they are the same. An instant makes the present ones the last. */
bool pw_surfaces_recall(pw_surfaces *f);
void pw_surfaces_pass(pw_surfaces *f);

/* At an instant: corners that lie on edges touch faces that they can touch. */
PAWL_NODISCARD pawl_status pw_surfaces_settle(pw_surfaces *f);

/* The motion meets a face at the surface, and does not pass it. */
void pw_surfaces_stay(pw_surfaces *f, int surface);
/* Nothing is due: the step was cut before it. */
void pw_surfaces_forget(pw_surfaces *f);

/* Sides of the switching surfaces at a state (n_sides), pieces for those of tables. True if any is
 * not that of the stepper. For methods that do not cut their steps there. */
bool pw_surface_sides(pw_stepper *s, double t, const double *q, const double *u, double *found);
/* The stepper goes on with these. */
void pw_surface_take_sides(pw_stepper *s, const double *found);

/* The surfaces on which the kink of a law lies go to this side, 1 or -1. True: one was not there.
 */
bool pw_surface_turn_law(pw_stepper *s, int law, int side);

/* Before a step: changes the sides that the last one asks for. PAWL_E_JUMP if an energy or a
 * constraint is not continuous there. */
PAWL_NODISCARD pawl_status pw_surfaces_before(pw_surfaces *f);
/* After a step: cuts it at the first surface. *again: it was crossed at the start, the step is
 * undone. PAWL_E_EVENTS if sides change for ever without progress. */
PAWL_NODISCARD pawl_status pw_surfaces_after(pw_surfaces *f, bool *again);

#endif
