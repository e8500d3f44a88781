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

/* A parameter and the SI unit of its dimension; NULL: the model does not state it. */
typedef void (*pw_unit_found)(void *payload, const char *name, const char *unit);

/* Reports mismatches as errors and, once per model, what could not be checked as a note.
 * False after an error; else `found`, unless it is NULL, is told the units of all parameters. */
bool pw_check_dimensions(pw_arena *arena, const pw_ast *ast, const pw_replaced *replaced,
                         int n_replaced, pawl_diags *diags, pw_unit_found found, void *payload);

#endif
