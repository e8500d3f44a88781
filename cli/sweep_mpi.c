// SPDX-License-Identifier: MIT
/* The team of a sweep by MPI. Process 0 holds two numbers in a window that all can reach without
 * its help: the counter of tasks and what it publishes. Only the main thread calls MPI. */
#include <limits.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "sweep_team.h"

enum { COUNTER, PUBLISHED, N_NUMBER, TAG = 1 };

static struct mpi {
  MPI_Win window;
  int64_t *number; /* N_NUMBER in process 0 */
  int source;      /* of the message that was found */
  pawl_team team;
} mpi;

static int update(int which, int64_t value, MPI_Op op, int64_t *before) {
  int64_t old = 0;
  int failed =
      MPI_Fetch_and_op(&value, &old, MPI_INT64_T, 0, which, op, mpi.window) != MPI_SUCCESS ||
      MPI_Win_flush(0, mpi.window) != MPI_SUCCESS;
  if (before != NULL) {
    *before = old;
  }
  return failed;
}

/* The worst status is the least: errors are negative. */
static int begin(void *payload, pawl_status *status, int64_t first) {
  int mine = *status, worst = 0;
  (void)payload;
  if (mpi.team.rank == 0 && (update(COUNTER, first, MPI_REPLACE, NULL) != 0 ||
                             update(PUBLISHED, 0, MPI_REPLACE, NULL) != 0)) {
    return 1;
  }
  if (MPI_Allreduce(&mine, &worst, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD) != MPI_SUCCESS) {
    return 1;
  }
  *status = (pawl_status)worst;
  return 0;
}

static int claim(void *payload, int64_t count, int64_t *first) {
  (void)payload;
  return update(COUNTER, count, MPI_SUM, first);
}

static int publish(void *payload, int64_t number) {
  (void)payload;
  return update(PUBLISHED, number, MPI_REPLACE, NULL);
}

static int look(void *payload, int64_t *number) {
  (void)payload;
  return update(PUBLISHED, 0, MPI_NO_OP, number);
}

static int send_message(void *payload, const void *bytes, unsigned long count) {
  (void)payload;
  return count > INT_MAX ||
         MPI_Send(bytes, (int)count, MPI_BYTE, 0, TAG, MPI_COMM_WORLD) != MPI_SUCCESS;
}

static int next_message(void *payload, unsigned long *count) {
  int found = 0, n = 0;
  MPI_Status status;
  (void)payload;
  *count = 0;
  if (MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &found, &status) != MPI_SUCCESS) {
    return 1;
  }
  if (found != 0 && MPI_Get_count(&status, MPI_BYTE, &n) != MPI_SUCCESS) {
    return 1;
  }
  *count = (unsigned long)n;
  mpi.source = status.MPI_SOURCE;
  return 0;
}

static int receive(void *payload, void *bytes, unsigned long count) {
  (void)payload;
  return MPI_Recv(bytes, (int)count, MPI_BYTE, mpi.source, TAG, MPI_COMM_WORLD,
                  MPI_STATUS_IGNORE) != MPI_SUCCESS;
}

/* All processes find the same mistakes in the command line; one of them tells. */
static int be_silent(void) {
  return freopen("/dev/null", "w", stdout) == NULL || freopen("/dev/null", "w", stderr) == NULL;
}

int sweep_team_begin(int argc, char **argv, const pawl_team **team) {
  int level = 0, rank = 0, size = 1;
  (void)argc;
  (void)argv;
  *team = NULL;
  bool ok = MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level) == MPI_SUCCESS &&
            level >= MPI_THREAD_FUNNELED && MPI_Comm_rank(MPI_COMM_WORLD, &rank) == MPI_SUCCESS &&
            MPI_Comm_size(MPI_COMM_WORLD, &size) == MPI_SUCCESS;
  if (!ok) {
    return cli_usage_error("sweep", "MPI cannot begin, or allows no threads");
  }

  /* process 0 holds the numbers that all others count in */
  MPI_Aint bytes = rank == 0 ? N_NUMBER * (MPI_Aint)sizeof *mpi.number : 0;
  ok = MPI_Win_allocate(bytes, sizeof *mpi.number, MPI_INFO_NULL, MPI_COMM_WORLD, &mpi.number,
                        &mpi.window) == MPI_SUCCESS &&
       MPI_Win_lock_all(MPI_MODE_NOCHECK, mpi.window) == MPI_SUCCESS;
  if (!ok || (rank != 0 && be_silent() != 0)) {
    return cli_usage_error("sweep", "MPI cannot make the counter of the sweep");
  }

  mpi.team = (pawl_team){.rank = rank,
                         .size = size,
                         .begin = begin,
                         .claim = claim,
                         .publish = publish,
                         .look = look,
                         .send = send_message,
                         .next = next_message,
                         .receive = receive};
  *team = &mpi.team;
  return -1;
}

/* Process 0 ends last in what it does, so nothing is under way here. */
void sweep_team_end(void) {
  if (mpi.team.begin != NULL) {
    MPI_Win_unlock_all(mpi.window);
    MPI_Win_free(&mpi.window);
    mpi.team.begin = NULL;
  }
  MPI_Finalize();
}
