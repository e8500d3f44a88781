// SPDX-License-Identifier: MIT
/* The trajectory as shown in a report, gathered in one pass: a table of rows with energies, modes,
 * plots and drawings, a table of events, and one of the points at which shapes press. Of long
 * trajectories the rows of the jumps, then every n-th of the others, and every n-th event. */
#ifndef PW_REPORT_GATHER_H
#define PW_REPORT_GATHER_H

#include <stdint.h>

#include "pawl/picture.h"
#include "report/meetings.h"
#include "report/report.h"

typedef struct pw_words { /* texts by number, found by hash */
  char **text;
  int n, room;
  int *slot;
  int n_slot;
} pw_words;

/* Columns of the table of events. */
enum {
  PW_EVENT_TIME,
  PW_EVENT_KIND,    /* number of a text */
  PW_EVENT_AT,      /* number of a text */
  PW_EVENT_CLUSTER, /* number of the instant */
  PW_EVENT_IMPULSE, /* its length; NaN: none */
  PW_EVENT_ENERGY,  /* after minus before */
  PW_EVENT_BEFORE,  /* rate of the law's measure */
  PW_EVENT_AFTER,
  PW_EVENT_FORCE, /* after the event */
  PW_EVENT_FLAG,  /* number of a text from 1; 0: none */
  PW_EVENT_COLUMNS
};
enum { PW_MOST_KINDS = 32 };

typedef struct pw_gathered {
  pw_report_table rows, events;
  /* First columns of the parts of `rows` behind those of the trajectory, and how many there are. */
  int energy, work, mode, plot, draw, columns;
  bool has_segments; /* energies and modes are available */
  /* 1: all are there; of instants with several rows every jump_stride-th, of the others every
   * row_stride-th. jumps: how many of those instants there are; 0 where all rows are shown. */
  int64_t row_stride, jump_stride, jumps, event_stride;
  pw_buf breaks; /* rows before which a jump was omitted: differences of indices, separated by
                    commas */
  int64_t last_break;
  pw_words kinds, places, flags;   /* of events */
  int64_t (*count)[PW_MOST_KINDS]; /* places.n x kinds: of all events */
  pw_meetings meetings;            /* of those rows */
} pw_gathered;

/* system NULL: without plots and drawings. PAWL_E_FILE: a chunk is not whole. */
PAWL_NODISCARD pawl_status pw_gather(const pw_report_source *source, const pawl_system *system,
                                     pw_gathered *out);
void pw_gathered_free(pw_gathered *g);

/* The number of a text, which is added if it is new; -1: no memory. */
int pw_words_find(pw_words *w, const char *text);
void pw_words_free(pw_words *w);

#endif
