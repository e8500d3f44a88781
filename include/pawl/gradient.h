// SPDX-License-Identifier: MIT
/* Derivatives of a motion by parameters and start values, through impacts and stick-slip: of the
 * state and the outputs at the end, and of the times of the events. */
#ifndef PAWL_GRADIENT_H
#define PAWL_GRADIENT_H

#include "pawl/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pawl_gradient pawl_gradient;

/* Runs the motion of the model, with these overrides and options, and derivatives along with it.
 * names: parameters ("e"), or start values ("y", "y'", "d.y"). `vary`, `check_only`, `no_start` and
 * `between` of the options are not used. PAWL_E_ARGUMENT with a diagnostic: a name is unknown
 * (E0680), or the model has a law or signal without derivatives (E0681). A motion that ends early
 * is not an error here: its derivatives are undefined, and pawl_gradient_why gives the reason. A
 * span whose ends are equal gives the derivatives at the start. */
PAWL_API PAWL_NODISCARD pawl_status pawl_gradient_new(const pawl_model *model,
                                                      const pawl_system_opts *system,
                                                      const pawl_sim_opts *sim,
                                                      const char *const *names, int n,
                                                      pawl_diags *diags, pawl_gradient **out);
PAWL_API void pawl_gradient_free(pawl_gradient *gradient);

PAWL_API int pawl_gradient_count(const pawl_gradient *gradient);
PAWL_API const char *pawl_gradient_name(const pawl_gradient *gradient, int i);
/* The system of the motion, for sizes and names. */
PAWL_API const pawl_system *pawl_gradient_system(const pawl_gradient *gradient);

/* By name i: nq positions, nv velocities as shown, outputs, then forces of the laws, at the end of
 * the motion. Where a `stop` event ends it, or the end of the run depends on the name, the end
 * moves along. NULL: not defined; single numbers are NAN for outputs with impulses, action or lost
 * energy. */
PAWL_API const double *pawl_gradient_end(const pawl_gradient *gradient, int i);
/* Why not, and since when; "" and NAN: it is defined. */
PAWL_API const char *pawl_gradient_why(const pawl_gradient *gradient, int i);
PAWL_API double pawl_gradient_since(const pawl_gradient *gradient, int i);

/* Events in the order of the motion, as returned by pawl_sim_event, and the derivative of the time
 * of an event with respect to name i. NAN if it is undefined; `pawl_gradient_event_why` gives the
 * reason ("": it is defined). */
PAWL_API int pawl_gradient_events(const pawl_gradient *gradient);
PAWL_API double pawl_gradient_event_time(const pawl_gradient *gradient, int event);
PAWL_API double pawl_gradient_event(const pawl_gradient *gradient, int event, int i);
PAWL_API const char *pawl_gradient_event_why(const pawl_gradient *gradient, int event, int i);

/* By input i (pawl_sim_input) at the current point of a simulation, with its state and the modes of
 * its laws as they are: the same numbers. The simulation stays as it is. PAWL_E_STATE: it has steps
 * of fixed size, or a multiplier that is a state, or friction that forces of constraints press. */
PAWL_API PAWL_NODISCARD pawl_status pawl_gradient_by_input(pawl_sim *sim, int input, double *out);

#ifdef __cplusplus
}
#endif

#endif
