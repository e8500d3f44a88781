// SPDX-License-Identifier: MIT
/* Explanations of the codes from E0100 on: what is wrong with the meaning of a model. */
#include <stddef.h>

#include "base/explain.h"

const pw_explanation pw_explain_model[] = {{NULL, NULL}};
