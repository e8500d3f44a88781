// SPDX-License-Identifier: MIT
/* Options of runs inside the library: explicit values take precedence, then the run statement, then
 * the default. */
#ifndef PW_BASE_OPTION_TABLE_H
#define PW_BASE_OPTION_TABLE_H

#include <stdbool.h>

#include "pawl/options.h"

bool pw_option_is_choice(const pawl_option *option, const char *word);
/* A number that the option may have. */
bool pw_option_fits(const pawl_option *option, double value);

/* An option of the run statement: sets its field unless that was given. */
void pw_option_state(pawl_run_opts *opts, const char *word, const char *choice, double value);
/* Fields of choices that are still open become the default ones; so do the
 * tolerance and the bytes of motion.pwt. */
void pw_options_default(pawl_run_opts *opts);
/* The first number or choice that is out of range, or NULL. Numbers that are 0 are not given. */
const pawl_option *pw_options_wrong(const pawl_run_opts *opts, double *value);
/* The word chosen for an option with choices; "" if none is. */
const char *pw_option_chosen(const pawl_run_opts *opts, const char *word);

#endif
