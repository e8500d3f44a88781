// SPDX-License-Identifier: MIT
/* The gradient behind pawl_gradient. */
#ifndef PW_TANGENT_GRADIENT_H
#define PW_TANGENT_GRADIENT_H

#include "base/buf.h"
#include "pawl/gradient.h"

/* Whether a motion with these options can have derivatives by these names: parameters and start
 * values (E0680), of a model that has nothing without derivatives (E0681). n = 0: nothing asked. */
PAWL_NODISCARD pawl_status pw_gradient_check(const pawl_system *system, const pawl_sim_opts *opts,
                                             const char *const *names, int n, pawl_diags *diags);

/* `"gradient":{"a":{"x":..,..},"b":null,"why":".."}` of the end; of event number `event`. */
void pw_gradient_json(pw_buf *out, const pawl_gradient *g);
void pw_gradient_event_json(pw_buf *out, const pawl_gradient *g, int event);

#endif
