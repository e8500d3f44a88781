// SPDX-License-Identifier: MIT
/* The public system: a checked and compiled model with its consistent start. */
#ifndef PW_MECH_HANDLE_H
#define PW_MECH_HANDLE_H

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
};

/* How row `row` of the model treats energy and direction of time. sys: NULL if it was not built. */
const char *pw_law_cost(const pw_system *sys, const pw_model *model, int row);

#endif
