// SPDX-License-Identifier: MIT
/* Whether a state is one from which laws that open and close can start: no penetration, no
 * violated velocity, no impact unless it is allowed. */
#ifndef PW_MECH_START_CHECK_H
#define PW_MECH_START_CHECK_H

#include "mech/mech.h"

typedef struct pw_start_rules {
  bool impacts;   /* an inward velocity at a contact is an impact at the start, not an error */
  bool above_one; /* restitution above 1 */
  bool as_stated; /* the state is that of the model, whose start values messages may point to */
} pw_start_rules;

typedef struct pw_start_laws {
  unsigned char *touching; /* ni: values that count as zero; set by the check */
  bool strikes;            /* some contact starts with an impact */
} pw_start_laws;

/* Nothing may be closed in m. PAWL_E_START, or a fault of the mechanics, after reporting it. */
PAWL_NODISCARD pawl_status pw_start_check(pw_mech *m, double t, const double *q, const double *u,
                                          const double *side, const pw_start_rules *rules,
                                          pw_start_laws *laws, pawl_diags *diags);
/* Multipliers that are states alone, of laws with one side; after pw_mech_rates there. */
PAWL_NODISCARD pawl_status pw_start_multipliers(pw_mech *m, double t, const double *q,
                                                const double *u, const double *side,
                                                pawl_diags *diags);

#endif
