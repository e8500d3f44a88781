// SPDX-License-Identifier: MIT
/* A sweep inside. A task is a member, or with `follow` a chain of them; tasks are numbered as their
 * members are. design.c and record.c say what is asked, member.c runs one member, pool.c hands
 * tasks to threads and puts results in order, team.c shares them between processes, store.c writes
 * the table and the journal that a resume reads. */
#ifndef PW_SWEEP_SWEEP_H
#define PW_SWEEP_SWEEP_H

#include <stdatomic.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/file.h"
#include "sweep/design.h"
#include "sweep/record.h"

typedef struct pw_sweep_tally { /* members and what became of them */
  int64_t members, rows, failed, not_a_motion;
} pw_sweep_tally;

typedef struct pw_state { /* the end of a member, where the next of its chain starts */
  bool known;
  int nq, nv;
  double *value; /* nq + nv */
} pw_state;

typedef struct pw_position { /* how far the table is */
  int64_t task;              /* the first that is not complete */
  int64_t step;              /* members of it that are there */
  pw_state state;            /* after them */
  pw_sweep_tally tally;      /* of the whole table */
} pw_position;

typedef struct pw_store { /* the table on disk, or the sink */
  pw_file file;
  char *path;    /* of the table; NULL: the sink */
  char *rows;    /* of the file that rows are written to: the table, or one beside it */
  char *journal; /* of the file that says how far it is */
  bool is_h5;
  bool drop_rows;     /* they are in the table of HDF5: remove the text at the end */
  FILE *spool;        /* rows that went to the sink, to be drawn; NULL: none */
  bool complete;      /* the sweep was complete already */
  pw_buf buf;         /* not yet written */
  int64_t bytes;      /* written */
  uint64_t sum;       /* check sum of these bytes */
  double flushed;     /* when */
  uint64_t signature; /* of what is asked */
} pw_store;

struct pawl_sweep {
  const pawl_model *model;
  pawl_sweep_opts opts; /* texts and overrides are copies */
  pw_design design;
  pw_sweep_records records;
  char **column; /* names of the columns of the table */
  int n_column;
  int64_t first, end; /* tasks of this shard */
  pw_store store;
  pw_position at;    /* of the table */
  atomic_bool stops; /* asked for, or something failed */
  struct pw_pool
      *alone; /* whose worker runs in the calling thread, and tells from there; or NULL */
  bool interrupted, started;
  int64_t before; /* members that were in the table */
  double wall;
};

/* ---- member.c ---- */

typedef struct pw_worker { /* what a thread needs to run members */
  pawl_sweep *sweep;
  pawl_diags *diags;
  pw_taker take;
  double *value;            /* of the names that vary */
  pawl_override *overrides; /* those of all members, then the names that vary */
  char (*text)[32];         /* their values */
  double *kept;             /* records at events, one row after the other */
  int64_t *kept_at;         /* numbers of these events in the run; -1: its end */
  int64_t n_kept, room, n_event;
  bool failed; /* no memory */
  pw_buf rows; /* of the last member, as text */
} pw_worker;

bool pw_worker_init(pw_worker *w, pawl_sweep *sweep);
void pw_worker_free(pw_worker *w);
/* Options of a run for the values of a member. */
pawl_run_opts pw_member_opts(pw_worker *w, int64_t member);
/* Runs a member from the state, if that is known, and puts its end there if the member did not
 * fail; leaves its rows in w->rows. PAWL_E_MEMORY, or PAWL_E_TIME: the sweep stops. */
PAWL_NODISCARD pawl_status pw_member_run(pw_worker *w, int64_t member, pw_state *state,
                                         pw_sweep_tally *tally);
bool pw_state_set(pw_state *state, int nq, int nv, const double *q, const double *u);
void pw_state_free(pw_state *state);

/* ---- pool.c ---- */

/* Runs the tasks from sweep->at on. */
PAWL_NODISCARD pawl_status pw_pool_run(pawl_sweep *sweep, pawl_diags *diags);

/* ---- store.c ---- */

/* Makes the file or takes up an unfinished one; sets sweep->at. */
PAWL_NODISCARD pawl_status pw_store_open(pawl_sweep *sweep, pawl_diags *diags);
/* More rows; sweep->at is already behind them. Now and then writes them and the journal. */
PAWL_NODISCARD pawl_status pw_store_put(pawl_sweep *sweep, const pw_buf *rows, pawl_diags *diags);
/* Writes what is left; `complete`: and finishes the table. */
PAWL_NODISCARD pawl_status pw_store_finish(pawl_sweep *sweep, bool complete, pawl_diags *diags);
void pw_store_close(pw_store *store);

/* ---- journal.c ---- */

/* A number for all that decides the bytes of the table. */
bool pw_sweep_signature(const pawl_sweep *sweep, uint64_t *out);
uint64_t pw_checksum(uint64_t sum, const char *bytes, size_t count);
enum { PW_CHECKSUM_BEGIN = 1 };

PAWL_NODISCARD pawl_status pw_journal_write(const pawl_sweep *sweep, bool complete,
                                            pawl_diags *diags);
/* PAWL_E_STATE: it belongs to another sweep or is damaged; *found false: there is none. */
PAWL_NODISCARD pawl_status pw_journal_read(pawl_sweep *sweep, bool *found, bool *same);
/* E0808: what cannot be done to a file, and why (base/file.h). */
pawl_status pw_store_fail(pawl_diags *diags, const char *what, const char *path, int reason);

#endif
