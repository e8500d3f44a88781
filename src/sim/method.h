// SPDX-License-Identifier: MIT
/* What a method of integration brings along. Runge-Kutta methods are tables and meet laws event by
 * event; methods with fixed steps put a step map of their own into the stepper, and may treat the
 * laws inside the step as well. */
#ifndef PW_SIM_METHOD_H
#define PW_SIM_METHOD_H

#include "base/diag.h"
#include "base/layout.h"
#include "pawl/sim.h"
#include "sim/rk.h"
#include "system/system.h"

typedef struct pw_method {
  const char *name;
  const pw_rk_method *rk;
  bool fixed;    /* steps of the given size */
  bool together; /* all impacts of a step are one problem */
  /* The following may be NULL. */
  bool (*refuses)(const pw_system *sys, pawl_diags *diags); /* after an error E0421 */
  void (*lay_out)(pawl_sim *sim, pw_layout *l); /* own arrays in the block of the simulation */
  void (*init)(pawl_sim *sim);
  /* Replacements for the treatment of laws event by event: after a step, at the instant at its end
   * (as pw_contacts_after and pw_contacts_handle do), and forces of laws at the current point. */
  pawl_status (*after)(pawl_sim *sim);
  pawl_status (*handle)(pawl_sim *sim);
  void (*forces)(pawl_sim *sim);
} pw_method;

extern const pw_method pw_moreau_method, pw_heap_method, pw_variational_method;

/* Of PAWL_METHOD_AUTO the pair changes on the way (choice.h). */
const pw_method *pw_method_of(pawl_method method);
/* The same for this model: contacts that are piles have steps of their own. */
const pw_method *pw_method_in(const pw_model *m, pawl_method method);

/* What `auto` means for this model; other methods as they are. PAWL_METHOD_BY_SIZE: events and
 * steps take turns (relay.h). */
pawl_method pw_method_choose(const pw_model *m, pawl_method method);

/* E0421: names the law that the method cannot treat, and why. Returns true. */
bool pw_method_refuse_row(const pw_system *sys, const char *method, int row, const char *why,
                          pawl_diags *diags);
/* The same for states, samples and delays. False: there are none. */
bool pw_method_refuse_changing(const pw_system *sys, const char *method, pawl_diags *diags);
/* The same for signals and laws whose multiplier is a state. False: there are none. */
bool pw_method_refuse_states(const pw_system *sys, const char *method, pawl_diags *diags);

#endif
