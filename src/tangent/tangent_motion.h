// SPDX-License-Identifier: MIT
/* Derivatives of a motion, carried along with it (gradients (D1)-(D5)): columns of the tangent of
 * the state y = (q, u) at fixed time, by the variational equations between instants, and by
 * saltation where a law acts, a velocity jumps or an expression changes its smooth piece. */
#ifndef PW_TANGENT_TANGENT_MOTION_H
#define PW_TANGENT_TANGENT_MOTION_H

#include <stdbool.h>

#include "mech/handle.h"
#include "pawl/sim.h"

typedef struct pw_tangent pw_tangent;

/* PAWL_E_ARGUMENT with E0681: the system has what has no derivatives: delays, samples, multipliers
 * that are states, or a method with fixed steps. */
PAWL_NODISCARD pawl_status pw_tangent_possible(const pawl_system *system, const pawl_sim_opts *opts,
                                               pawl_diags *diags);
/* A simulation of its own of the system with `columns` derivatives. Parameters by which one
 * differentiates are varied ones (pawl_system_opts.vary). E0681: as above. */
PAWL_NODISCARD pawl_status pw_tangent_new(const pawl_system *system, const pawl_sim_opts *opts,
                                          int columns, pawl_diags *diags, pw_tangent **out);
void pw_tangent_free(pw_tangent *x);

pawl_sim *pw_tangent_sim(const pw_tangent *x);
/* Numbers per column: positions, then velocities as integrated (rotations: in the body). */
int pw_tangent_size(const pw_tangent *x);

/* After a start of the simulation: derivatives of the state there (size x columns), and changes of
 * the parameters of the model (parameters x columns). */
void pw_tangent_begin(pw_tangent *x, const double *columns, const double *parameters);

/* pawl_sim_advance, and the columns with it. */
PAWL_NODISCARD pawl_status pw_tangent_advance(pw_tangent *x, double target, pawl_diags *diags,
                                              pawl_stop *why);

/* At the current point, after the events there. */
const double *pw_tangent_columns(const pw_tangent *x);
/* Replaces them, and what they are from here on: for those who keep columns apart. */
void pw_tangent_set(pw_tangent *x, const double *columns);
/* Columns at the end of the last step, or after the instant there, and its time. */
const double *pw_tangent_end(const pw_tangent *x, double *t);
/* State as integrated at the current point, and its rate (size numbers each). */
const double *pw_tangent_state(const pw_tangent *x);
PAWL_NODISCARD pawl_status pw_tangent_rate(pw_tangent *x, double *rate);

/* Derivative of the time of event i at the current point (as pawl_sim_event) along a column; NAN
 * where it has none. */
double pw_tangent_time(const pw_tangent *x, int i, int column);

/* Derivatives of positions (nq), velocities as shown (nv), outputs, then forces of the laws at the
 * current point, if its time moves by `shift`; NAN: of an output that contains impulses, the action
 * or the energy lost. */
PAWL_NODISCARD pawl_status pw_tangent_results(pw_tangent *x, int column, double shift, double *out);

/* Why there are no derivatives any more, and since when; NULL: there are. */
/* Why the events at the current point have no derivatives of their times; NULL: they have, or as
 * pw_tangent_why says. */
const char *pw_tangent_untimed(const pw_tangent *x);
const char *pw_tangent_why(const pw_tangent *x, double *since);

#endif
