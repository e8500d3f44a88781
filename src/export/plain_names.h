// SPDX-License-Identifier: MIT
#ifndef PW_EXPORT_PLAIN_NAMES_H
#define PW_EXPORT_PLAIN_NAMES_H

#include "export/notation.h"
#include "model/model.h"

/* Finds the names that have to be printed as words, so that no two names look alike. */
void pw_plain_names(const pw_model *m, pw_arena *arena, pw_notation *to);

#endif
