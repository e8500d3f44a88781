// SPDX-License-Identifier: MIT
/* What is kept of each member: values of columns, their extremes, numbers of events. */
#ifndef PW_SWEEP_RECORD_H
#define PW_SWEEP_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "pawl/sweep.h"

typedef enum pw_record_kind {
  PW_RECORD_VALUE,  /* at the end or after the event */
  PW_RECORD_BEFORE, /* before the event */
  PW_RECORD_MIN,    /* over the rows of the run up to there */
  PW_RECORD_MAX,
  PW_RECORD_COUNT, /* events of a name or kind up to there */
  PW_RECORD_SLOPE  /* a derivative, known when the run has ended */
} pw_record_kind;

typedef struct pw_sweep_record {
  pw_record_kind kind;
  char *name; /* of the column, or of the event */
  int place;  /* of a slope: of what, counted as in pawl_gradient_end */
  int by;     /* of a slope: by which of the names */
} pw_sweep_record;

typedef struct pw_sweep_records {
  pw_sweep_record *item;
  int n;
  bool extremes; /* some record needs all rows */
} pw_sweep_records;

/* Reads opts->record; names are those of a run of the model. */
PAWL_NODISCARD pawl_status pw_records_read(pw_sweep_records *r, const pawl_sweep_opts *opts,
                                           const pawl_run *run, pawl_diags *diags);
void pw_records_free(pw_sweep_records *r);
/* Behind the records read: derivatives by opts->run.gradient of those that have some; E0812: none
 * has. */
PAWL_NODISCARD pawl_status pw_records_add_slopes(pw_sweep_records *r, const pawl_sweep_opts *opts,
                                                 const pawl_run *run, pawl_diags *diags);
/* The words of a record: "max(x)". */
void pw_record_text(const pw_sweep_record *r, char *text, size_t room);

/* Whether the model can have events of this name or kind; else a diagnostic with this code. */
PAWL_NODISCARD pawl_status pw_event_known(const pawl_run *run, const char *word, const char *code,
                                          pawl_diags *diags);
/* The event has this kind, this name, or is a member of the family of this name. */
bool pw_event_is(const pawl_event *event, const char *word);

/* ---- one member ---- */

typedef struct pw_taker { /* what has been seen of a member */
  const pw_sweep_records *records;
  int n_column;
  double *last, *previous; /* rows, n_column */
  int *column;             /* of each record; -1: this member has none of that name */
  double *so_far;          /* of each record: extreme or number of events */
} pw_taker;

/* For members with up to `n_column` columns; false: no memory. Growing is allowed. */
bool pw_take_begin(pw_taker *t, const pw_sweep_records *records, const pawl_run *run);
void pw_take_free(pw_taker *t);
void pw_take_row(pw_taker *t, const double *row);
void pw_take_event(pw_taker *t, const pawl_event *event);
/* The records as of now, records->n numbers; NAN where there is none. */
void pw_take_values(const pw_taker *t, double *value);
/* The slopes among the values of a row: at event number `event` of the run, < 0: at its end. */
void pw_slopes_fill(const pw_sweep_records *r, const pawl_gradient *g, int64_t event,
                    double *value);

#endif
