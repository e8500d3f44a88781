// SPDX-License-Identifier: MIT
/* Help texts of the options of a run, made from the table in the library. */
#ifndef CLI_OPTION_HELP_H
#define CLI_OPTION_HELP_H

#include <pawl/options.h>
#include <stdbool.h>

/* Those options of the table that are wanted; NULL: all. */
void print_options(bool (*wanted)(const pawl_option *option));
/* One entry for each option of `pawl run`, to standard output. */
void print_run_options(void);

#endif
