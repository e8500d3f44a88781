// SPDX-License-Identifier: MIT
/* What the files of the stepper share (step.h). */
#ifndef PW_SIM_STEP_INNER_H
#define PW_SIM_STEP_INNER_H

#include "sim/step.h"

/* Derivative of y, for methods; `ctx`: the stepper. */
PAWL_NODISCARD pawl_status pw_stepper_motion(void *ctx, double t, const double *y, double *dy);
/* The same where nothing else is asked, as pw_mech_slopes. */
PAWL_NODISCARD pawl_status pw_stepper_inner(void *ctx, double t, const double *y, double *dy);
/* Derivative at the end of the step, where the constraints hold: decides also which of them depend
 * on each other. */
PAWL_NODISCARD pawl_status pw_stepper_decide(pw_stepper *s);
/* Positions in the order of the velocities; NAN marks rotations. */
void pw_stepper_positions(const pw_stepper *s, const double *q, double *x);
/* Fills s->energy. */
void pw_stepper_energies(pw_stepper *s, double t, const double *y);

/* Some row is imposed, or a quaternion has a length to keep. */
bool pw_stepper_has_to_project(const pw_stepper *s);
/* Puts a point inside the step on the constraints, as far as it can be. */
PAWL_NODISCARD pawl_status pw_stepper_project_inside(pw_stepper *s, double t, double *y);
/* End state y, its derivative f and delta from the trial in rk; energies there if it is put on the
 * constraints. *size: of the correction. */
PAWL_NODISCARD pawl_status pw_stepper_finish(pw_stepper *s, double t1, double *size);

#endif
