// SPDX-License-Identifier: MIT
/* Units of measure: SI names with prefixes, turned into a factor and a dimension. */
#ifndef PW_MODEL_UNITS_H
#define PW_MODEL_UNITS_H

#include <stdbool.h>

#include "base/diag.h"
#include "lang/ast.h"

enum { PW_DIM_BASE = 7 }; /* m kg s A K mol cd; radians and degrees are pure numbers */

typedef struct pw_dim {
  double power[PW_DIM_BASE]; /* rational powers appear under sqrt */
} pw_dim;

/* Factor to SI and dimension of a bracketed unit. Unknown names are reported with suggestions
 * and give false. */
bool pw_unit_resolve(const pw_unit *unit, pawl_diags *diags, double *factor, pw_dim *dim);

enum { PW_DIM_TEXT = 128 }; /* room for the text of a dimension */

bool pw_dim_equal(const pw_dim *a, const pw_dim *b);
/* "kg*m/s^2", with the usual derived name where there is one ("N"); "1" for a pure number. */
void pw_dim_print(const pw_dim *dim, char *text, size_t cap);

#endif
