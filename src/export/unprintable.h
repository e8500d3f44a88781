// SPDX-License-Identifier: MIT
#ifndef PW_EXPORT_UNPRINTABLE_H
#define PW_EXPORT_UNPRINTABLE_H

#include "base/diag.h"
#include "model/model.h"

/* Each reports a message when it returns false. */
bool pw_is_too_large(const pw_model *m, pawl_diags *diags);
/* In print. `symbols`: parameters are; else they are numbers, and so are delays. */
bool pw_is_printable(const pw_model *m, bool symbols, pawl_diags *diags);
/* As C. */
bool pw_is_c(const pw_model *m, pawl_diags *diags);
/* As C: multipliers that are states have additional equations, which are not accelerations. */
bool pw_has_no_states(const pw_model *m, pawl_diags *diags);

#endif
