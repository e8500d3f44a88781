// SPDX-License-Identifier: MIT
/* Help texts of the options of a run, made from the table in the library. */
#ifndef CLI_OPTION_HELP_H
#define CLI_OPTION_HELP_H

/* One entry for each option of `pawl run`, to standard output. */
void print_run_options(void);

#endif
