// SPDX-License-Identifier: MIT
/* Events as a table for people. */
#ifndef CLI_EVENT_TABLE_H
#define CLI_EVENT_TABLE_H

#include <stdint.h>

#include "event_file.h"

typedef struct event_filter { /* NULL: all */
  const char *at, *kind;
} event_filter;

enum { EVENT_FLAGS = 4 };
typedef struct event_flags { /* what some events are marked with */
  struct {
    char name[40], at[48];
    int64_t count;
    double t; /* of the first */
  } flag[EVENT_FLAGS];
  int n;
} event_flags;

/* What a flag says, in a few words. */
const char *event_flag_text(const char *name);

/* -1 if the filter names what events of the folder can have; else an exit code, after saying what
 * they have. */
int event_filter_check(const char *dir, const event_filter *filter);

/* Prints the events of the folder to standard output. Shortened: series that come to rest in one
 * line, of long tables the beginning and the end with counts by law and kind, nothing if there are
 * none. False: it said why. */
bool event_table_print(const event_source *from, const event_filter *filter, bool shorten,
                       event_flags *flags);

#endif
