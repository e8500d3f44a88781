// SPDX-License-Identifier: MIT
/* Dimensional check of a whole model that has passed the other checks (language rule 6): an
 * expression is checked as far as no quantity of unknown dimension occurs in it. */
#ifndef PW_MODEL_DIMS_H
#define PW_MODEL_DIMS_H

#include "base/diag.h"
#include "lang/ast.h"

typedef struct pw_replaced { /* NAME=VALUE: in SI if it has no unit, else like what it replaces */
  pw_ex *target, *value;
} pw_replaced;

typedef struct pw_unit_ask { /* for the SI unit of an expression */
  const pw_ex *ex;
  int component;     /* of a vector, from 0 */
  const char **unit; /* "1" for a pure number; left alone if the model does not state it */
} pw_unit_ask;

/* Reports mismatches as errors and, once per model, what could not be checked as a note.
 * False after an error; else the asks are answered. */
bool pw_check_dimensions(pw_arena *arena, const pw_ast *ast, const pw_replaced *replaced,
                         int n_replaced, pawl_diags *diags, const pw_unit_ask *asks, int n_ask);

#endif
