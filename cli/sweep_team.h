// SPDX-License-Identifier: MIT
/* Processes that share a sweep, started by mpirun. The program `pawl` knows no MPI: where it finds
 * itself started as one of several processes it goes on as `pawl-mpi`, which is the same program
 * with MPI. */
#ifndef CLI_SWEEP_TEAM_H
#define CLI_SWEEP_TEAM_H

#include "cli.h"

/* *team is NULL for a process on its own. -1 or an exit code. `argv` are the words behind
 * `pawl sweep`. */
int sweep_team_begin(int argc, char **argv, const pawl_team **team);
void sweep_team_end(void);

#endif
