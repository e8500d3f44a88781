// SPDX-License-Identifier: MIT
/* What `pawl events` is asked for against what the folder holds. */
#include <string.h>

#include "event_table.h"

enum { MOST_SHOWN = 20 };

typedef struct found { /* different texts of one column */
  char name[MOST_SHOWN][80];
  int n;
  bool hit;
} found;

static bool is_kind(const char *word) {
  static const char *const kinds[] = {"impact", "close",   "liftoff", "stick",  "slip", "reverse",
                                      "engage", "release", "rest",    "strobe", "user", "stop"};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (strcmp(kinds[i], word) == 0) {
      return true;
    }
  }
  return false;
}

static void note(found *f, const char *text, const char *wanted) {
  f->hit = f->hit || (wanted != NULL && strcmp(text, wanted) == 0);
  for (int i = 0; i < f->n; i++) {
    if (strcmp(f->name[i], text) == 0) {
      return;
    }
  }
  if (f->n < MOST_SHOWN) {
    snprintf(f->name[f->n++], sizeof f->name[0], "%s", text);
  }
}

static int refuse(const char *option, const char *word, const found *f) {
  fprintf(stderr, "pawl events: no event of this run has --%s %s", option, word);
  for (int i = 0; i < f->n; i++) {
    fprintf(stderr, "%s `%s`", i == 0 ? "; there is" : ",", f->name[i]);
  }
  fputs(f->n == 0 ? "; it has no events\n" : f->n == MOST_SHOWN ? ", ...\n" : "\n", stderr);
  return CLI_USAGE;
}

int event_filter_check(const char *dir, const event_filter *filter) {
  event_file file;
  event_row row;
  found kinds = {0}, names = {0};
  if (filter->kind == NULL && filter->at == NULL) {
    return -1;
  }
  if (!event_file_open(&file, &(event_source){.dir = dir})) {
    return CLI_FILE;
  }
  while (event_file_next(&file, &row)) {
    note(&kinds, row.kind, filter->kind);
    note(&names, row.at, filter->at);
  }
  event_file_close(&file);
  if (filter->kind != NULL && !kinds.hit && !is_kind(filter->kind)) {
    return refuse("kind", filter->kind, &kinds);
  }
  return filter->at == NULL || names.hit ? -1 : refuse("at", filter->at, &names);
}
