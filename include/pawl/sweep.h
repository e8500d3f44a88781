// SPDX-License-Identifier: MIT
/* A sweep: one model run many times over a design of parameters and start values. `pawl sweep` is
 * this and an option parser. Members are independent runs (or chains of them, with `follow`); the
 * table comes out in the order of members and with the same bytes for any number of threads and
 * processes. Memory does not grow with the number of members. */
#ifndef PAWL_SWEEP_H
#define PAWL_SWEEP_H

#include <stdint.h>

#include "pawl/write.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pawl_sweep pawl_sweep;

#define PAWL_SWEEP_MOST 1e9        /* members of a sweep */
enum { PAWL_SWEEP_SAMPLES = 256 }; /* without opts.samples */

typedef enum pawl_design {                    /* of the names with `~` */
                           PAWL_DESIGN_SOBOL, /* Sobol's sequence, scrambled by the seed */
                           PAWL_DESIGN_RANDOM /* independent and uniform */
} pawl_design;

typedef struct pawl_sweep_progress {
  int64_t members, done, failed; /* done: in this call and before a resume */
  double wall;                   /* seconds since the call */
  double rate;                   /* members per second in this call; 0: not available yet */
  double remaining;              /* seconds; NAN: not available yet */
} pawl_sweep_progress;

/* Processes that share one sweep, each with the same model and options. All functions are called
 * by the thread that called pawl_sweep_go. Process 0 writes the table. Non-zero from a function:
 * the team is broken, and the sweep ends with PAWL_E_FILE. */
typedef struct pawl_team {
  int rank, size;
  /* Once, by every process: the worst of all statuses in *status, and the counter set to `first` of
   * process 0. */
  int (*begin)(void *payload, pawl_status *status, int64_t first);
  /* The next `count` numbers of the counter: the first of them. */
  int (*claim)(void *payload, int64_t count, int64_t *first);
  /* A number that process 0 sets and all can read, 0 at the beginning. */
  int (*publish)(void *payload, int64_t number);
  int (*look)(void *payload, int64_t *number);
  /* A message to process 0. */
  int (*send)(void *payload, const void *bytes, unsigned long count);
  /* Process 0: the size of the next pending message, 0 without one; and the message. */
  int (*next)(void *payload, unsigned long *count);
  int (*receive)(void *payload, void *bytes, unsigned long count);
  void *payload;
} pawl_team;

typedef struct pawl_sweep_opts { /* zero selects the default */
  /* The varied quantities, as on the command line: "w=2:3:101" is a grid of 101 values with both
   * ends, "e=0.5,0.8" a list, "x~0:1" is sampled; "w=::101" and "w~" take the range of the model.
   * Names as in pawl_override, values with units or expressions without names. All grids and lists
   * are combined; sampled names together are one more factor. The last factor varies fastest. */
  const char *const *vary;
  int n_vary;
  int64_t samples;
  pawl_design design;
  unsigned long long seed;
  /* 1: members along the first of `vary` form a chain, each starts from the end of the last that
   * did not fail, and the chain runs fastest. */
  int follow;
  /* Rows at the events of this name or kind, instead of one row at the end; NULL: at the end. */
  const char *at;
  int use_after; /* 1: only events after this time */
  double after;
  int64_t last; /* keep only the last N events of each member; default: all */
  /* Comma-separated: columns of a run ("x", "x'", "force(stop)", outputs, "t"), "min(x)", "max(x)",
   * "count(stop)" or "count(impact)" and, at events, "before(x')". NULL: the state, at events with
   * its time. */
  const char *record;
  /* Options of every member; folder, formats and functions are ignored. Names in `gradient` add
   * columns "d(x)/d(a)" after the records: for positions, velocities and outputs at the end, or for
   * the record "t" at events; NAN where undefined. Not with `follow`. */
  pawl_run_opts run;
  int threads;       /* default 1 */
  int shard, shards; /* number of this part, from 1, and number of parts; default: all */

  const char *path; /* "F.csv", "F.h5"; NULL: to the sink as csv */
  int resume;       /* 1: continue the unfinished sweep there */
  int keep_rows; /* 1: a table without a path can be drawn, too; it is kept in a temporary file */
  int force;     /* 1: replace an unfinished sweep */
  pawl_sink sink;
  int (*progress)(void *payload, const pawl_sweep_progress *now); /* non-zero: interrupt */
  void *payload;                                                  /* of both */
  const pawl_team *team;                                          /* or NULL; borrowed */
} pawl_sweep_opts;

/* Reads the design and compiles the model with it. No file is touched. PAWL_E_ARGUMENT with a
 * diagnostic if the design is not legal. */
PAWL_API PAWL_NODISCARD pawl_status pawl_sweep_new(const pawl_model *model,
                                                   const pawl_sweep_opts *opts, pawl_diags *diags,
                                                   pawl_sweep **out);
PAWL_API void pawl_sweep_free(pawl_sweep *sweep);

/* Runs the members. PAWL_OK also if members failed (their rows contain the reason) and after an
 * interrupt. Once per sweep. */
PAWL_API PAWL_NODISCARD pawl_status pawl_sweep_go(pawl_sweep *sweep, pawl_diags *diags);

typedef struct pawl_sweep_result {
  int64_t members;      /* of this shard */
  int64_t done, before; /* members in the table, and how many were there before a resume */
  int64_t rows;
  int64_t failed;       /* members that could not be run to their end */
  int64_t not_a_motion; /* members with this verdict */
  int interrupted;
  double wall; /* seconds */
} pawl_sweep_result;
PAWL_API pawl_sweep_result pawl_sweep_result_get(const pawl_sweep *sweep);

/* The table as a picture, after pawl_sweep_go. One name that varies: a panel of points for each of
 * the first four records, over that name. More: the first record as a colour in the plane of the
 * first two names. PAWL_E_ARGUMENT: the rows are not there any more (HDF5 that was complete before,
 * or no path and no keep_rows). */
PAWL_API PAWL_NODISCARD pawl_status pawl_sweep_svg(pawl_sweep *sweep, pawl_sink sink,
                                                   void *payload);
PAWL_API PAWL_NODISCARD pawl_status pawl_sweep_png(pawl_sweep *sweep, pawl_sink sink,
                                                   void *payload);

/* Columns of the table: varied names, "verdict", "ending", records. NULL out of range. */
PAWL_API int pawl_sweep_columns(const pawl_sweep *sweep);
PAWL_API const char *pawl_sweep_column(const pawl_sweep *sweep, int i);
/* Names that vary, and the value of one in a member of the whole design; NAN out of range. */
PAWL_API int pawl_sweep_varied(const pawl_sweep *sweep);
PAWL_API double pawl_sweep_value(const pawl_sweep *sweep, int64_t member, int name);
PAWL_API int64_t pawl_sweep_members(const pawl_sweep *sweep); /* of the whole design */

#ifdef __cplusplus
}
#endif

#endif
