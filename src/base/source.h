// SPDX-License-Identifier: MIT
/* Source texts and places in them. A place is two byte offsets into one of the files. */
#ifndef PW_BASE_SOURCE_H
#define PW_BASE_SOURCE_H

#include <stdbool.h>

#include "base/arena.h"

typedef struct pw_span {
  int file;       /* index in pw_sources; -1: no place (command line, computed) */
  int begin, end; /* byte offsets, end exclusive */
} pw_span;

#define PW_NO_SPAN ((pw_span){-1, 0, 0})

typedef struct pw_source {
  const char *name; /* as shown to the user */
  const char *text; /* NUL-terminated copy */
  int len;
  int *line_start; /* n_line offsets */
  int n_line;
  bool is_data; /* numbers, no text of the language */
} pw_source;

typedef struct pw_sources {
  pw_source *items;
  int n, cap;
} pw_sources;

/* Copies name and text into the arena; returns the file's index. len < INT_MAX. */
int pw_sources_add(pw_arena *arena, pw_sources *sources, const char *name, const char *text,
                   int len);

/* Line (from 1) and column in characters (from 1) of a byte offset. */
void pw_source_locate(const pw_source *source, int offset, int *line, int *column);

/* From the first to the last of two spans of the same file. */
pw_span pw_span_join(pw_span a, pw_span b);

#endif
