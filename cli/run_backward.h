// SPDX-License-Identifier: MIT
/* `pawl run -t 5..0`: backward in time. */
#ifndef CLI_RUN_BACKWARD_H
#define CLI_RUN_BACKWARD_H

#include "cli.h"

/* The state that leads to the start, which is at `from`; an exit code. */
int run_backward(const cli_args *args, const cli_changes *changes, double from, double to,
                 bool json);

#endif
