// SPDX-License-Identifier: MIT
/* A run: simulation, rows, events, expectations, and the folder they are written to. */
#ifndef PW_RUN_RUN_H
#define PW_RUN_RUN_H

#include <stdint.h>

#include "pawl/write.h"
#include "run/keep.h"
#include "sim/recorder.h"
#include "traj/motion_file.h"
#include "write/formats.h"

typedef struct pw_expect { /* an expectation on its way */
  bool done, ok;
  int64_t seen; /* events that fit so far, counted by the last of its group in the plan */
  double t, value, wanted;
  char reason[200];
} pw_expect;

typedef struct pw_due { /* when an expectation is due */
  int i;                /* number of the expectation */
  double time;
  const char *of, *kind; /* of the events that are counted up to `count` */
  int count;
  int last; /* place of the last expectation of the same events, in the list of those */
} pw_due;

typedef struct pw_expect_plan {
  pw_due *time; /* by time; `next` is the first that may be open */
  int n_time, next;
  pw_due *event; /* by name and kind of event, then count */
  int n_event;
  double *tol; /* of all expectations */
} pw_expect_plan;

typedef struct pw_partial { /* DIR/.partial while the run goes on */
  pw_file folder;           /* DIR, locked */
  pw_motion motion;         /* its motion.pwt, locked; motion.file closed: nothing there yet */
  int64_t end;              /* of the last whole block */
  int64_t serial;           /* of the last checkpoint */
  double synced;            /* when, by the run's clock */
  int turn;                 /* which of the two checkpoints is written next */
  pw_buf scratch;           /* a block */
} pw_partial;

typedef struct pw_run_watcher { /* sees each segment as well; NULL: nobody */
  void (*see)(void *payload, const pw_segment *segment);
  void *payload;
} pw_run_watcher;

typedef struct pw_run_asker { /* the caller's, called besides the limit of time */
  int (*ask)(void *payload);
  void *payload;
} pw_run_asker;

struct pawl_run {
  const pawl_model *model;
  pawl_system *sys;
  pawl_sim *sim;
  pawl_certifier *certifier; /* NULL: no certificate */
  pawl_run_opts opts; /* complete: overrides copied, numbers of the run statement filled in */
  char *dir;

  int nq, nv, n_law, n_out;
  int n_col, n_state;
  pw_shape shape;         /* what the stored numbers mean */
  const char **name;      /* names of the shape: columns, laws, works */
  char **column;          /* n_col names */
  double *row;            /* n_col */
  double *before, *after; /* n_state: positions, velocities */
  double *works;
  double *nan_from; /* n_out: when each output was first not a number; NAN: never */
  pw_expect *expect;
  int n_expect;
  pw_expect_plan plan;

  int64_t next;    /* number of the next sample */
  double last_row; /* its time */
  pw_chunk chunk;  /* since the last block */
  pw_recorder recorder;
  pw_strokes strokes; /* impulses of the last instant, for the certificate */
  pw_keep keep;       /* which segments are stored */
  pw_run_watcher watcher;
  pw_partial partial;
  bool resumed;
  pawl_gradient *gradient; /* or NULL */
  pw_buf event_lines;      /* JSON, if kept in memory */
  pw_run_asker asker;
  double clock;       /* when this part began */
  double wall_before; /* of the parts before it */
  char reason[512];   /* why it stopped early */
  pw_buf error;       /* the same as JSON, with its place and notes; empty: only a status */
  pawl_run_result result;
};

/* Completes options from the run statement and checks them. */
PAWL_NODISCARD pawl_status pw_run_options(const pawl_system *sys, pawl_run_opts *opts,
                                          pawl_diags *diags);
PAWL_NODISCARD pawl_status pw_run_create(const pawl_model *model, const pawl_run_opts *opts,
                                         pawl_diags *diags, pawl_run **out);
double pw_clock(void); /* seconds */
double pw_run_wall(const pawl_run *run);
/* Its results are worth waiting for the disk: after a loss of power they would take as long again.
 */
bool pw_run_is_lasting(const pawl_run *run);
double pw_run_sample(const pawl_run *run, int64_t k);
void pw_run_show_event(const pawl_run *run, const pawl_run_event *event); /* to the caller */

/* The rows and events that a resumed run has already, to the caller. */
PAWL_NODISCARD pawl_status pw_run_show_again(pawl_run *run);

/* Shows every segment to a watcher as well; before the run goes. False: no memory. */
bool pw_run_watch(pawl_run *run, void (*watch)(void *payload, const pw_segment *segment),
                  void *payload);

/* ---- certificate ---- */

PAWL_NODISCARD pawl_status pw_certify_begin(pawl_run *run);
/* The next segment; a sample of it; both sides of an instant, as rows; all of a chunk that a
 * resumed run has. */
void pw_certify_segment(pawl_run *run, const pw_segment *segment);
void pw_certify_row(pawl_run *run, const double *row);
void pw_certify_side(pawl_run *run, pawl_side side, const double *row);
void pw_certify_chunk(pawl_run *run, const pw_chunk_view *chunk);
/* The end; whether it is no motion of the model. */
bool pw_certify_end(pawl_run *run);
/* Errors are of the size of the tolerance, not of fixed steps. */
bool pw_run_is_exact(const pawl_run *run);

/* ---- energy ---- */

/* How much of the energy the ledger may leave unexplained after a number of steps and events. */
double pw_run_balance_limit(const pawl_energy *energy, const double *works, int n_work, double tol,
                            int64_t moves);
/* Warns of more. */
void pw_run_balance(const pawl_run *run, pawl_diags *diags);

/* ---- expectations ---- */

/* False: no memory. */
bool pw_expect_plan_new(pawl_run *run);
void pw_expect_plan_free(pawl_run *run);

/* The first time after the present point at which one is due, or `until`. */
double pw_expect_next(pawl_run *run, double until);
PAWL_NODISCARD pawl_status pw_expect_time(pawl_run *run, double t);
PAWL_NODISCARD pawl_status pw_expect_event(pawl_run *run, const pawl_event *event);
/* At the end: evaluates the rest, says what never came, and counts those that failed. */
PAWL_NODISCARD pawl_status pw_expect_finish(pawl_run *run, int *failed);

/* ---- folder ---- */

/* PAWL_E_FILE if the folder may not be replaced or its place cannot be written. The option `force`
 * allows to throw away a run that was killed there. */
PAWL_NODISCARD pawl_status pw_folder_check(const pawl_run *run, pawl_diags *diags);
bool pw_folder_has_file(const char *name); /* a run writes a file of this name */
/* Makes or clears the folder and begins .partial/motion.pwt. */
PAWL_NODISCARD pawl_status pw_folder_open(pawl_run *run, pawl_diags *diags);
/* Makes the named files from the blocks, renames them into place, removes .partial. */
PAWL_NODISCARD pawl_status pw_folder_finish(pawl_run *run, pawl_diags *diags);
/* "DIR/NAME" or "DIR/.partial/NAME"; malloc'ed, NULL without memory. */
char *pw_folder_path(const char *dir, bool partial, const char *name);
/* E0610 with the reason (base/file.h) why something cannot be done to a path; PAWL_E_MEMORY without
 * a path. */
pawl_status pw_folder_fail(pawl_diags *diags, const char *what, const char *path, int reason);
/* What stands in the way of a run, and of a stored one: E0613. */
pawl_status pw_folder_locked(const char *dir, pawl_diags *diags);

/* Locks the folder, which is there. */
PAWL_NODISCARD pawl_status pw_folder_lock(pawl_run *run, pawl_diags *diags);
/* Locks .partial/motion.pwt, which is made if it is missing. */
PAWL_NODISCARD pawl_status pw_partial_lock(pawl_run *run, pawl_diags *diags);
/* The same, with a head in it. */
PAWL_NODISCARD pawl_status pw_partial_begin(pawl_run *run, pawl_diags *diags);
/* Writes the rows, events and segments since the last block as one block. */
PAWL_NODISCARD pawl_status pw_partial_append(pawl_run *run, pawl_diags *diags);
/* Waits until all blocks are on the disk, if the run is worth it. */
PAWL_NODISCARD pawl_status pw_partial_flush(const pawl_run *run, pawl_diags *diags);
/* Writes a checkpoint from which the run can be resumed. */
PAWL_NODISCARD pawl_status pw_partial_sync(pawl_run *run, pawl_diags *diags);
/* Sets run and simulation to the last checkpoint that is whole, and cuts off what came after it. */
PAWL_NODISCARD pawl_status pw_partial_restore(pawl_run *run, pawl_diags *diags);
/* Nothing is added any more: the memory of blocks and checkpoints goes. */
void pw_partial_spare(pawl_run *run);
void pw_partial_close(pawl_run *run);
/* Names and sizes of the trajectory, for the head; false without memory. */
bool pw_partial_shape(pawl_run *run);

/* ---- named files; each writes to the sink what belongs into the file ---- */

PAWL_NODISCARD pawl_status pw_write_model(pawl_run *run, pw_writer *out);
PAWL_NODISCARD pawl_status pw_write_certificate(pawl_run *run, pw_writer *out);
PAWL_NODISCARD pawl_status pw_write_summary(pawl_run *run, pw_writer *out);
PAWL_NODISCARD pawl_status pw_write_report(pawl_run *run, pw_writer *out);

void pw_energy_json(pw_buf *out, const pawl_run *run);
void pw_conserved_json(pw_buf *out, const pawl_run *run);
void pw_expect_json(pw_buf *out, const pawl_run *run);
/* `method auto`: which method made which part. */
void pw_parts_json(pw_buf *out, const pawl_sim *sim);
/* brief: without the list of corners */
void pw_certificate_json(pw_buf *out, const pawl_run *run, bool brief);
const char *pw_ending_text(pawl_ending ending);
const char *pw_method_text(pawl_method method);

/* Derivatives (run_gradient.c): names are copied and freed; computed after the motion. */
bool pw_run_copy_names(pawl_run_opts *to, const pawl_run_opts *opts);
void pw_run_free_names(const pawl_run_opts *opts);
PAWL_NODISCARD pawl_status pw_run_differentiate(pawl_run *run, pawl_diags *diags);

#endif
