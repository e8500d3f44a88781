// SPDX-License-Identifier: MIT
/* Places in the text of a compiled model, for messages about its run. */
#ifndef PW_SIM_PLACES_H
#define PW_SIM_PLACES_H

#include "base/diag.h"
#include "pawl/system.h"

/* Spans of the following diagnostics refer to the files of the system; NULL: to none. */
void pw_places_use(const pawl_system *system, pawl_diags *diags);
pw_span pw_place_of_end(const pawl_system *system); /* the last statement */
/* The word of an option of the run statement; no place if it is not there. */
pw_span pw_place_of_option(const pawl_system *system, const char *word);

/* The name of the i-th file that the model was read from, tables and inputs too; NULL behind the
 * last. */
const char *pw_place_source(const pawl_system *system, int i);

/* Whether an override is a file with courses of inputs, and the name of the copy that results keep
 * of it, "" if there is none. */
bool pw_system_is_input(const pawl_override *o);
void pw_system_input_name(const pawl_system *s, char name[PAWL_FILE_NAME]);

#endif
