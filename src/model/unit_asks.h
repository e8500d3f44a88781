// SPDX-License-Identifier: MIT
/* The units that users of a model see, as questions to the dimensional check. */
#ifndef PW_MODEL_UNIT_ASKS_H
#define PW_MODEL_UNIT_ASKS_H

#include "model/dims.h"
#include "model/model.h"

typedef PW_LIST(pw_unit_ask) pw_unit_asks;

/* Once every other check has passed; the answers go into the model. */
pw_unit_asks pw_unit_asks_of(pw_model *model);
/* `force(LAW)` as an expression of the model. */
const pw_ex *pw_force_ex(const pw_model *model, const char *law);

#endif
