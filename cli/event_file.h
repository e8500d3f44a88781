// SPDX-License-Identifier: MIT
/* The events of a results folder, read from its events.csv as often as needed. */
#ifndef CLI_EVENT_FILE_H
#define CLI_EVENT_FILE_H

#include <stdint.h>

#include "cli.h"

enum { EVENT_STATES = 4 }; /* numbers of a state that are kept */

typedef struct event_row { /* texts stay valid until the next row is read */
  double t;
  const char *kind, *at, *flag; /* flag empty: none */
  int64_t cluster;
  double impulse; /* NAN: no jump; of a vector its length */
  double dE;
  double before, after;       /* rates of what the law measures; NAN: none */
  double force;               /* of the law after the event; NAN: not of a law */
  double state[EVENT_STATES]; /* after the event */
} event_row;

typedef struct event_memory event_memory;
typedef struct event_source { /* a results folder, or a run without one */
  const char *dir;
  const event_memory *memory; /* NULL: read the folder */
  const pawl_system *system;  /* for units; NULL: they are not known */
} event_source;

typedef struct event_file {
  const event_memory *memory; /* NULL: the file */
  int64_t next;               /* in memory */
  FILE *in;
  char *line;
  size_t room;
  long first; /* by ftell: where the rows begin */
  int n_col;
  int *of;     /* n_col: which field a column is, or -1 */
  int n_state; /* positions and velocities of the model */
  int n_shown; /* of them in a row */
  char name[EVENT_STATES][48];
} event_file;

/* False: it says why on standard error. */
bool event_file_open(event_file *file, const event_source *from);
void event_file_rewind(event_file *file);
bool event_file_next(event_file *file, event_row *out);
/* Passes over a row without looking at it. */
bool event_file_skip(event_file *file);
void event_file_close(event_file *file);

/* Largest absolute values along the motion, from memory or trajectory.csv; 0 where they cannot be
 * read. */
void event_file_scales(const event_source *from, int n, double *scale);

#endif
