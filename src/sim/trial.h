// SPDX-License-Identifier: MIT
/* Motions for those who try many of them (bvp): what a start may ask for beyond the model, and what
 * is known of the current point beyond the public interface. */
#ifndef PW_SIM_TRIAL_H
#define PW_SIM_TRIAL_H

#include "pawl/sim.h"
#include "sim/contact.h"

/* The plain conditions: those of pawl_sim_start. */
pw_conditions pw_conditions_plain(void);

/* pawl_sim_start_with under these conditions. They hold until the next start. */
PAWL_NODISCARD pawl_status pw_sim_start_trial(pawl_sim *sim, const pw_conditions *conditions,
                                              double t, const double *q, const double *u,
                                              const double *multipliers, pawl_diags *diags);

/* The current point. Pointers are valid until the simulation goes on. */
typedef struct pw_trial_point {
  double t;
  const double *y;             /* q, u and the states after them */
  const double *before;        /* the same before the jump here; y if there is none */
  bool at_contact;             /* laws acted here: log */
  const unsigned char *mode;   /* ni: pw_mode, from here on */
  const double *left;          /* ni: time of the last instant a law took part in; NAN: none */
  const double *side;          /* n_switch: sides of the switches */
  const double *flipped;       /* n_switch: when each switch changed its side last */
  const pw_contact_event *log; /* n_log: of the last instant */
  int n_log;
} pw_trial_point;

pw_trial_point pw_trial_at(const pawl_sim *sim);

#endif
