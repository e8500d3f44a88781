// SPDX-License-Identifier: MIT
/* A simulation as a trial motion: it is started again and again, each time with other velocities
 * and its own conditions, and read in more detail than the public functions give. Layers above the
 * simulation (bvp) use pawl/sim.h and this file; they see no field of it. */
#ifndef PW_SIM_TRIAL_H
#define PW_SIM_TRIAL_H

#include <stdbool.h>

#include "mech/mech.h"
#include "pawl/sim.h"
#include "sim/jump_log.h"

/* Conditions of one motion beyond those of the model. */
typedef struct pw_conditions {
  double still;  /* part of the largest speed so far that counts as none at a contact */
  int soft_from; /* from this instant with impacts on, counted from 1, no contact rebounds; 0:
                    contacts rebound as the model says */
} pw_conditions;

/* The plain conditions: those of pawl_sim_start. */
pw_conditions pw_conditions_plain(void);

/* pawl_sim_start_with under these conditions. They hold until the next start. */
PAWL_NODISCARD pawl_status pw_sim_start_trial(pawl_sim *sim, const pw_conditions *conditions,
                                              double t, const double *q, const double *u,
                                              const double *multipliers, pawl_diags *diags);

/* The current point. Pointers are valid until the simulation goes on. */
typedef struct pw_trial_point {
  double t;
  const double *y;       /* as integrated: q with multipliers, u (rotations in the body), ... */
  const double *before;  /* the same before the jump here; y if there is none */
  bool at_laws;          /* laws acted here, see pw_trial_hits */
  const double *left;    /* ni: time of the last instant a law took part in; NAN: none */
  const double *side;    /* n_switch: sides of the switches */
  const double *flipped; /* n_switch: when each switch changed its side last; NAN: never */
} pw_trial_point;

pw_trial_point pw_trial_at(const pawl_sim *sim);
const pawl_system *pw_trial_system(const pawl_sim *sim);

/* ---- laws, 0..ni-1 ---- */

typedef enum pw_trial_mode {
  PW_TRIAL_ABOVE,   /* above its kink: open */
  PW_TRIAL_IMPOSED, /* at its kink */
  PW_TRIAL_IMPLIED, /* at its kink because of the imposed ones; carries no force of its own */
  PW_TRIAL_BELOW
} pw_trial_mode;

/* The law holds with equality. */
static inline bool pw_trial_holds(pw_trial_mode mode) {
  return mode == PW_TRIAL_IMPOSED || mode == PW_TRIAL_IMPLIED;
}

pw_trial_mode pw_trial_mode_of(const pawl_sim *sim, int law);
/* What pw_mech_close is told about a law in this mode. */
unsigned char pw_trial_kink(pw_trial_mode mode);

/* Where the simulation has stopped at an instant of laws: the law carries an impulse; */
bool pw_trial_hits(const pawl_sim *sim, int law);
/* impacts accumulate or a slip jams, so that the instant is no set of single impacts. */
bool pw_trial_is_cascade(const pawl_sim *sim);

/* ---- for those who differentiate along the motion ---- */

/* Another evaluator of the same system stands as the simulation does: modes, headings of slips,
 * senses of servos, impulses. */
void pw_trial_impose(const pawl_sim *sim, pw_mech *mech);
/* Every instant from now on is written to the log, which is borrowed; NULL: none is. */
void pw_trial_log_jumps(pawl_sim *sim, pw_jump_log *log);
/* Starts again as the model states it, so that an impact at the start is written, too. */
PAWL_NODISCARD pawl_status pw_trial_start_over(pawl_sim *sim, pawl_diags *diags);
/* While a recorder takes a step: the law acts at its end, because what is watched of it has become
 * zero; of a law at its kink the bound of its force that was reached is the upper one. */
bool pw_trial_fires(const pawl_sim *sim, int law, bool *upper);
/* At an instant: the contact that event i says to be met, or -1: another kind of event. */
int pw_trial_struck(const pawl_sim *sim, int i);
/* The largest value of a law since it took part in an instant. */
double pw_trial_recent(const pawl_sim *sim, int law);
/* The current point is the end of an accumulation, which lies within a step: no law acts there. */
bool pw_trial_is_rest(const pawl_sim *sim);
/* Events of the model at the current point (index in model->events); how many of them. */
int pw_trial_events(const pawl_sim *sim, const int **which);
/* Energy lost and action at the current point. */
void pw_trial_quad(const pawl_sim *sim, double quad[PW_QUAD_NAMED]);

#endif
