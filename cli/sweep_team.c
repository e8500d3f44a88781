// SPDX-License-Identifier: MIT
/* Without MPI: several processes go on as pawl-mpi, if that is there. */
#include "sweep_team.h"

#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What mpirun of Open MPI, of MPICH, and srun say of the number of processes. */
static int64_t processes(void) {
  const char *size = getenv("OMPI_COMM_WORLD_SIZE");
  if (size == NULL) {
    size = getenv("PMI_SIZE");
  }
  if (size == NULL && getenv("PMIX_RANK") != NULL) {
    size = getenv("SLURM_STEP_NUM_TASKS");
  }
  return size == NULL ? 1 : strtol(size, NULL, 10);
}

/* "pawl-mpi" in the folder of this program, else wherever the shell would find it. */
static const char *other_program(char *path, size_t room) {
  static const char name[] = "pawl-mpi";
  ssize_t n = readlink("/proc/self/exe", path, room - sizeof name);
  char *slash = NULL;
  if (n > 0) {
    path[n] = '\0';
    slash = strrchr(path, '/');
  }
  if (slash != NULL) {
    memcpy(slash + 1, name, sizeof name);
  }
  return slash != NULL && access(path, X_OK) == 0 ? path : name;
}

int sweep_team_begin(int argc, char **argv, const pawl_team **team) {
  static char name[] = "pawl-mpi", command[] = "sweep";
  char path[4096];
  *team = NULL;
  if (processes() <= 1) {
    return -1;
  }
  char **words = cli_enough(calloc((size_t)argc + 3, sizeof *words));
  words[0] = name;
  words[1] = command;
  memcpy(words + 2, argv, (size_t)argc * sizeof *words);
  execvp(other_program(path, sizeof path), words);
  int code = cli_usage_error("sweep",
                             "started as one of %" PRId64
                             " processes, but there is no pawl-mpi (%s): build "
                             "with MPI (Debian: libopenmpi-dev), or use --shard",
                             processes(), strerror(errno));
  free(words);
  return code;
}

void sweep_team_end(void) {
}
