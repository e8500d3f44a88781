// SPDX-License-Identifier: MIT
/* A run: a model carried from start to end, with its expectations checked and, if a folder is
 * given, everything written there. `pawl run` is this and an option parser. */
#ifndef PAWL_WRITE_H
#define PAWL_WRITE_H

#include <stdint.h>

#include "pawl/gradient.h"
#include "pawl/sim.h"
#include "pawl/verify.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pawl_run pawl_run;

enum { PAWL_SAVE_NPZ = 1, PAWL_SAVE_H5 = 2 }; /* in addition to csv, which is always written */

typedef struct pawl_run_event { /* an event with the state on both sides */
  pawl_event event;
  const double *q_before, *u_before, *q_after, *u_after; /* nq, nv, nq, nv; NULL
      where events of piles are read from a file */
} pawl_run_event;

typedef struct pawl_progress {
  double t, from, to;
  int64_t rows, events;
  double step, wall; /* last step size; seconds since the run began */
} pawl_progress;

typedef enum pawl_native { /* how expressions are computed: the same numbers, bit by bit */
                           PAWL_NATIVE_AUTO, /* on */
                           PAWL_NATIVE_ON,   /* as machine code, where the machine allows it */
                           PAWL_NATIVE_OFF   /* interpreted */
} pawl_native;

typedef struct pawl_run_opts { /* zero selects the default */
  const pawl_override *overrides;
  int n_override;
  pawl_sim_opts sim;  /* zero values come from the run statement */
  int use_method;     /* 1: sim.method counts even if it is PAWL_METHOD_AUTO */
  double every;       /* time between rows; default: the run statement's, or a 2000th of the span */
  double max_seconds; /* of wall time; default: the run statement's, or none */
  const char *dir;    /* results folder, not ""; NULL: nothing is written */
  int force;          /* 1: replace the folder even if a killed run left it; results folders only */
  int64_t motion_bytes; /* of segments in motion.pwt, up to which all are stored; default 2^27 */
  unsigned save;        /* PAWL_SAVE_... */
  int no_report;        /* 1: no report.html */
  int no_certificate;   /* 1: the motion is not checked */
  pawl_native native;
  const char *const *gradient; /* names: derivatives by them are computed after the motion, see */
  int n_gradient;              /* pawl_run_gradient */
  int keep_events;             /* without a folder: list the events in pawl_run_json all the same */

  /* Called in order of time; a resumed run shows its first part again. */
  void (*row)(void *payload, const double *values); /* see pawl_run_column */
  void (*event)(void *payload, const pawl_run_event *event);
  int (*progress)(void *payload, const pawl_progress *now); /* non-zero: interrupt */
  void *payload;
} pawl_run_opts;

/* Compiles the model and prepares everything. No file is touched. */
PAWL_API PAWL_NODISCARD pawl_status pawl_run_new(const pawl_model *model, const pawl_run_opts *opts,
                                                 pawl_diags *diags, pawl_run **out);
/* Resumes a run that was killed, from the data in its folder. Of the options only the functions are
 * used. */
PAWL_API PAWL_NODISCARD pawl_status pawl_run_resume(const char *dir, const pawl_run_opts *opts,
                                                    pawl_diags *diags, pawl_run **out);
PAWL_API void pawl_run_free(pawl_run *run);

/* Runs to the end and writes the folder. PAWL_OK also for an interrupted run and for expectations
 * that failed; otherwise the reason why the motion stopped early, with the results so far written
 * if `saved` is set, or PAWL_E_FILE. Once per run. */
PAWL_API PAWL_NODISCARD pawl_status pawl_run_go(pawl_run *run, pawl_diags *diags);

/* Derivatives of a completed run, if requested; NULL: there are none. */
PAWL_API const pawl_gradient *pawl_run_gradient(const pawl_run *run);

typedef enum pawl_ending {
  PAWL_NOT_ENDED,
  PAWL_ENDED,          /* at the end of the span */
  PAWL_ENDED_BY_EVENT, /* at a `stop` event */
  PAWL_STOPPED_EARLY,  /* the run could not continue: see status */
  PAWL_INTERRUPTED     /* by the progress function */
} pawl_ending;

typedef struct pawl_run_result {
  pawl_ending ending;
  pawl_status status;
  const char *reason; /* why it stopped early; borrowed; empty: it did not */
  int saved;          /* 1: the folder is complete */
  double t, from, to, every;
  int64_t rows, events;
  int64_t segments;   /* segments stored in motion.pwt */
  int64_t left_out;   /* segments not stored: without a row or event, beyond motion_bytes */
  double whole_until; /* every segment is stored until then */
  int failed;         /* expectations that do not hold */
  int not_a_motion;   /* 1: the certificate fails */
  double wall;        /* seconds */
  pawl_energy energy;
  const double *works; /* pawl_system_works numbers */
  pawl_sim_stats stats;
} pawl_run_result;
PAWL_API pawl_run_result pawl_run_result_get(const pawl_run *run);

typedef struct pawl_outcome { /* of an expectation */
  int reached;                /* 0: its instant was not reached; see the reason */
  int ok;
  double t, value, wanted, tol;
  const char *reason; /* borrowed; empty if ok */
} pawl_outcome;
/* Before pawl_run_go: not reached, numbers NaN. */
PAWL_API pawl_outcome pawl_run_outcome(const pawl_run *run, int expectation);

PAWL_API const pawl_system *pawl_run_system(const pawl_run *run); /* borrowed */
PAWL_API pawl_sim *pawl_run_sim(pawl_run *run);                   /* borrowed; at its last point */
PAWL_API pawl_certificate pawl_run_certificate(const pawl_run *run);
/* Its single findings; borrowed; NULL: none. */
PAWL_API const pawl_certifier *pawl_run_certifier(const pawl_run *run);
PAWL_API const char *pawl_run_dir(const pawl_run *run); /* or NULL */

/* Columns of a row: t, positions, velocities, forces, outputs. */
PAWL_API int pawl_run_columns(const pawl_run *run);
PAWL_API const char *pawl_run_column(const pawl_run *run, int i);

/* The result of `pawl run --json`, after pawl_run_go. */
PAWL_API PAWL_NODISCARD pawl_status pawl_run_json(const pawl_run *run, const pawl_diags *diags,
                                                  pawl_sink sink, void *payload);
/* The result of `pawl check --json`; system NULL: errors only. */
PAWL_API PAWL_NODISCARD pawl_status pawl_check_json(const pawl_system *system, const char *file,
                                                    const pawl_diags *diags, pawl_sink sink,
                                                    void *payload);

#ifdef __cplusplus
}
#endif

#endif
