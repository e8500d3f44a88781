// SPDX-License-Identifier: MIT
/* Threads that run tasks, and results put in order. All fields but those of a worker are guarded by
 * the lock. */
#ifndef PW_SWEEP_POOL_H
#define PW_SWEEP_POOL_H

#include <stdint.h>

#include "base/thread.h"
#include "sweep/sweep.h"

enum {
  PW_POOL_WINDOW = 4096,    /* tasks that may be begun beyond the first one that is not complete */
  PW_POOL_BYTES = 64 << 20, /* of results that wait; then no task is begun but the first */
  PW_POOL_CLAIMS = 64       /* ranges of tasks that a process of a team holds */
};

typedef struct pw_piece { /* one more member of a task */
  int64_t task;
  const char *rows;
  size_t n_rows; /* bytes */
  pw_sweep_tally tally;
  bool last; /* the task is complete */
  pw_state state;
} pw_piece;

typedef struct pw_slot { /* results of a task that is not the first open one yet */
  pw_buf rows;
  pw_sweep_tally tally;
  int64_t steps;
  bool complete;
  pw_state state;
} pw_slot;

typedef struct pw_range {
  int64_t first, end;
} pw_range;

typedef struct pw_pool {
  pawl_sweep *sweep;
  pawl_diags *diags;
  pw_lock *lock;
  pw_worker *worker;
  int n_worker;
  bool alone; /* no threads: the caller works himself */

  pw_range claim[PW_POOL_CLAIMS]; /* tasks that nobody has begun; a ring */
  int first_claim, n_claim;
  bool all_claimed;
  int running;    /* tasks */
  int64_t open;   /* the first task that is not complete, as far as this process knows */
  size_t waiting; /* bytes of results */

  pw_slot *slot;        /* PW_POOL_WINDOW, of the process that writes; else NULL */
  pw_buf outbox;        /* messages to it, of the others */
  int64_t done, failed; /* members, for progress */
  int64_t before;       /* of them, those there at the start */
  double began, told;
  int64_t resumed_task, resumed_step; /* the task that goes on in the middle; -1: none */
  pw_state resumed;
  pawl_status status; /* the first failure */
} pw_pool;

/* A result: into the table or its slot. With the lock. */
void pw_pool_take(pw_pool *p, const pw_piece *piece);
/* Ends the work with this status. With the lock. */
void pw_pool_fail(pw_pool *p, pawl_status status);
/* Tells how far it is; without the lock. */
void pw_pool_tell(pw_pool *p);

/* ---- team.c ---- */

/* A result into the outbox. With the lock. */
void pw_team_put(pw_pool *p, const pw_piece *piece);
/* Claims tasks, sends and receives until all are done. */
void pw_team_serve(pw_pool *p);

#endif
