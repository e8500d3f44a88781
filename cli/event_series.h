// SPDX-License-Identifier: MIT
/* Impacts of one law with ever shorter intervals that end in a rest: all but the first three are
 * summarised in one line. The memory grows with the number of laws and rests, not of events. */
#ifndef CLI_EVENT_SERIES_H
#define CLI_EVENT_SERIES_H

#include <stdint.h>

#include "event_file.h"

typedef struct series_span { /* the impacts of a series that are not shown */
  int64_t from, to, rest;    /* numbers of the first and the last one, and of the rest */
  int64_t next;              /* span of the same law, or -1 */
  int64_t cluster;           /* of the rest */
  int64_t hidden;            /* impacts; of the leading span for all that end with it */
  double energy;             /* likewise, with what the rest took */
  double ratio;              /* of the last two intervals */
  bool steady;               /* all intervals have this ratio */
  bool leads;                /* the first of those that end at one instant */
} series_span;

typedef struct series_law {
  char *name;
  int64_t n;          /* impacts of the series so far */
  int64_t from, to;   /* from the fourth to the last one */
  double t, interval; /* of the last one */
  double ratio, low, high;
  double energy;
  int64_t first, last, now; /* spans: or -1 */
} series_law;

typedef struct series {
  series_law *law;
  int n_law;
  series_span *span;
  int64_t n_span, cap_span;
} series;

void series_note(series *s, const event_row *e, int64_t number); /* of all events in order, first */
/* Then again in order, any number of times after series_rewind. */
void series_rewind(series *s);
bool series_hides(series *s, const event_row *e, int64_t number);
/* For a rest: what was hidden before it, or NULL if nothing was or it has been told. */
const series_span *series_told(series *s, const event_row *e, int64_t number);
/* Lines that the hidden impacts save. */
int64_t series_saved(const series *s);
void series_free(series *s);

#endif
