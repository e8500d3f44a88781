// SPDX-License-Identifier: MIT
/* The public system: a checked and compiled model with its consistent start. */
#ifndef PW_MECH_HANDLE_H
#define PW_MECH_HANDLE_H

#include <stdatomic.h>

#include "expr/native.h"
#include "mech/start.h"
#include "pawl/system.h"

struct pawl_system {
  pw_arena arena;
  pw_interner names;
  pw_sources sources;
  pw_ast ast;
  const pw_model *model;
  const pw_system *sys; /* NULL: only checked, because some law cannot be run yet */
  pw_start start;       /* valid if sys is set */
  double *u_shown;      /* nv: start velocities as shown */
  pw_mech *mech;        /* only while the system is being made */
  pw_native *native;    /* code of its tapes, or NULL */
  atomic_int owners;    /* the caller who made it, and every object made from it */
};

/* A simulation, certificate, ... keeps its system alive: pawl_system_free gives up one share, the
 * last share frees. */
const pawl_system *pw_system_keep(const pawl_system *s);
void pw_system_drop(const pawl_system *s); /* NULL: nothing */

/* PAWL_E_ARGUMENT with a diagnostic if the system has no start values (`no_start`). */
PAWL_NODISCARD pawl_status pw_system_needs_start(const pawl_system *s, pawl_diags *diags);
/* The same, E0273, if pairs of shapes are found in steps only (pw_pile). */
PAWL_NODISCARD pawl_status pw_system_needs_pairs(const pawl_system *s, const char *what,
                                                 pawl_diags *diags);

/* How row `row` of the model treats energy and direction of time. sys: NULL if it was not built. */
const char *pw_law_cost(const pw_system *sys, const pw_model *model, int row);

/* E0561: `what` does not support inputs, states, samples and delays. False: there are none. */
bool pw_system_refuses_signals(const pawl_system *s, const char *what, pawl_diags *diags);

#endif
