// SPDX-License-Identifier: MIT
/* Options of the library's table (pawl/options.h) on the command line, for commands that run
 * models. */
#ifndef CLI_RUN_OPTION_H
#define CLI_RUN_OPTION_H

#include "cli.h"

/* `-t A..B`; -1 or an exit code. */
int run_option_span(const char *command, const char *text, pawl_sim_opts *sim);
/* A number, count or choice; text NULL: not given. -1 or an exit code. */
int run_option_set(const char *command, const pawl_option *option, const char *text,
                   pawl_run_opts *opts);

#endif
