// SPDX-License-Identifier: MIT
/* Messages for a start that does not satisfy the constraints. */
#ifndef PW_MECH_START_REPORT_H
#define PW_MECH_START_REPORT_H

#include "mech/start_solve.h"

/* The value of a law as text: "left - right", "right - left" for <=, or its slip. */
void pw_print_residual(pw_buf *out, const pw_row *row);

/* The problem holds the given values and could not be solved. */
void pw_report_start(pw_start_problem *p, pawl_diags *diags);
/* False after an error that names an equality whose gradient vanishes; velocities are solved. */
bool pw_report_flat(pw_start_problem *p, pawl_diags *diags);
/* Warns if rows depend on each other at the state of the last pw_mech_rates. */
void pw_report_redundant(const pw_mech *m, pawl_diags *diags);

#endif
