// SPDX-License-Identifier: MIT
/* The list of diagnostics. It has its own memory, since it outlives the model that failed to
 * compile. Messages beyond the limit per file are counted as dropped. If memory runs out for a
 * message, the list is closed with the error E0192, so that no message is lost silently. */
#include "base/diag.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  PER_FILE = 20,  /* diagnostics of one severity kept for one file */
  LONGEST = 2048, /* bytes of one message; names in it may be as long as the file */
  MOST_LINES = 8  /* help or note lines of one diagnostic */
};

typedef struct block { /* one allocation */
  struct block *next;
  _Alignas(max_align_t) unsigned char bytes[];
} block;

typedef struct entry {
  pawl_diag diag; /* first, so that a pw_diag_ref leads back here */
  const char *help[MOST_LINES];
  const char *note[MOST_LINES];
} entry;

struct pawl_diags {
  block *blocks;
  entry **items;
  int n, cap;
  int errors, dropped;
  bool lost; /* out of memory: the list is closed, `no_memory` follows the items */
  const pw_sources *sources;
};

static const pawl_diag no_memory = {.severity = PAWL_ERROR,
                                    .code = "E0192",
                                    .message = "out of memory",
                                    .at = {.file = "", .source = "", .label = ""},
                                    .second = {.file = "", .source = "", .label = ""}};

pawl_status pawl_diags_new(pawl_diags **out) {
  if (out == NULL) {
    return PAWL_E_ARGUMENT;
  }
  *out = calloc(1, sizeof **out);
  return *out == NULL ? PAWL_E_MEMORY : PAWL_OK;
}

/* Frees the blocks allocated after `blocks`. */
static void release(pawl_diags *list, const block *blocks) {
  while (list->blocks != blocks) {
    block *next = list->blocks->next;
    free(list->blocks);
    list->blocks = next;
  }
}

void pawl_diags_clear(pawl_diags *diags) {
  if (diags == NULL) {
    return;
  }
  release(diags, NULL);
  diags->n = diags->errors = diags->dropped = 0;
  diags->lost = false;
}

void pawl_diags_free(pawl_diags *diags) {
  if (diags != NULL) {
    pawl_diags_clear(diags);
    free(diags->items);
    free(diags);
  }
}

int pawl_diags_count(const pawl_diags *diags) {
  return diags == NULL ? 0 : diags->n + diags->lost;
}

int pawl_diags_errors(const pawl_diags *diags) {
  return diags == NULL ? 0 : diags->errors;
}

int pawl_diags_dropped(const pawl_diags *diags) {
  return diags == NULL ? 0 : diags->dropped;
}

const pawl_diag *pawl_diags_get(const pawl_diags *diags, int i) {
  if (i < 0 || i >= pawl_diags_count(diags)) {
    return NULL;
  }
  return i < diags->n ? &diags->items[i]->diag : &no_memory;
}

pw_diag_ref pw_last_error(pawl_diags *list) {
  for (int i = list == NULL ? -1 : list->n - 1; i >= 0; i--) {
    if (list->items[i]->diag.severity == PAWL_ERROR) {
      return (pw_diag_ref){list, &list->items[i]->diag};
    }
  }
  return (pw_diag_ref){NULL, NULL};
}

void pw_diags_use_sources(pawl_diags *list, const pw_sources *sources) {
  if (list != NULL) {
    list->sources = sources;
  }
}

static void *take(pawl_diags *list, size_t size) {
  block *b = calloc(1, sizeof *b + size);
  if (b == NULL) {
    return NULL;
  }
  b->next = list->blocks;
  list->blocks = b;
  return b->bytes;
}

static const char *copy(pawl_diags *list, const char *text, size_t len) {
  char *s = take(list, len + 1);
  if (s != NULL) {
    memcpy(s, text, len);
  }
  return s;
}

/* Formats and copies; a text that is too long ends in "..." at a whole character. */
static const char *format(pawl_diags *list, const char *fmt, va_list args) {
  char text[LONGEST];
  int full = vsnprintf(text, sizeof text, fmt, args);
  if (full < 0) {
    return NULL;
  }
  size_t len = (size_t)full;
  if (len >= sizeof text) {
    len = sizeof text - 4;
    while (len > 0 && ((unsigned char)text[len] & 0xC0) == 0x80) {
      len--;
    }
    memcpy(text + len, "...", 3);
    len += 3;
  }
  return copy(list, text, len);
}

/* The line as a string: shared with the last diagnostic if equal, since it may be very long. */
static const char *copy_line(pawl_diags *list, const char *text, size_t len) {
  const char *seen = list->n == 0 ? "" : list->items[list->n - 1]->diag.at.source;
  if (strlen(seen) == len && memcmp(seen, text, len) == 0) {
    return seen;
  }
  char *line = take(list, len + 1);
  for (size_t i = 0; line != NULL && i < len; i++) {
    line[i] = text[i] == '\0' ? '\1' : text[i]; /* shown like any control character */
  }
  return line;
}

static int count_chars(const char *text, int begin, int end) {
  int count = 0;
  for (int i = begin; i < end; i++) {
    count += ((unsigned char)text[i] & 0xC0) != 0x80;
  }
  return count;
}

static const pw_source *source_of(const pawl_diags *list, pw_span at) {
  const pw_sources *sources = list->sources;
  return sources == NULL || at.file < 0 || at.file >= sources->n ? NULL : &sources->items[at.file];
}

/* False if there is no memory; a span without a file leaves the place empty. */
static bool set_place(pawl_diags *list, pawl_place *place, pw_span at) {
  const pw_source *source = source_of(list, at);
  *place = (pawl_place){.file = "", .source = "", .label = ""};
  if (source == NULL) {
    return true;
  }
  int begin = at.begin < 0 ? 0 : at.begin > source->len ? source->len : at.begin;
  int line, column;
  pw_source_locate(source, begin, &line, &column);
  int first = source->line_start[line - 1];
  int last = line < source->n_line ? source->line_start[line] - 1 : source->len;
  if (last > first && source->text[last - 1] == '\r') {
    last--;
  }
  int end = at.end > last ? last : at.end;
  const char *file = copy(list, source->name, strlen(source->name));
  const char *text = copy_line(list, source->text + first, (size_t)(last - first));
  if (file == NULL || text == NULL) {
    return false;
  }
  int length = count_chars(source->text, begin, end);
  *place = (pawl_place){file, line, column, length > 0 ? length : 1, text, ""};
  return true;
}

static bool same_place(const pawl_place *a, const pawl_place *b) {
  return a->line == b->line && a->column == b->column && a->length == b->length &&
         strcmp(a->file, b->file) == 0 && strcmp(a->source, b->source) == 0;
}

/* The same message at the same place is reported once; without a place the texts are compared. */
static bool is_repeated(const pawl_diags *list, const pawl_diag *diag) {
  for (int i = 0; i < list->n; i++) {
    const pawl_diag *old = &list->items[i]->diag;
    if (strcmp(old->code, diag->code) == 0 && same_place(&old->at, &diag->at) &&
        (diag->at.line != 0 || strcmp(old->message, diag->message) == 0)) {
      return true;
    }
  }
  return false;
}

static bool is_full(const pawl_diags *list, pawl_severity severity, const char *file) {
  int kept = 0;
  for (int i = 0; i < list->n; i++) {
    const pawl_diag *old = &list->items[i]->diag;
    kept += old->severity == severity && strcmp(old->at.file, file) == 0;
  }
  return kept >= PER_FILE;
}

/* Index of the first diagnostic in the same file. */
static int file_rank(const pawl_diags *list, const char *file) {
  int i = 0;
  while (i < list->n && strcmp(list->items[i]->diag.at.file, file) != 0) {
    i++;
  }
  return i;
}

static bool is_after(const pawl_place *a, const pawl_place *b) {
  return a->line != b->line ? a->line > b->line : a->column > b->column;
}

/* By insertion, which keeps the order at one place; lists are short. */
void pw_diags_sort(pawl_diags *list) {
  int n = list == NULL ? 0 : list->n;
  for (int i = 1; i < n; i++) {
    entry *e = list->items[i];
    int rank = file_rank(list, e->diag.at.file), k = i;
    for (; k > 0; k--) {
      const pawl_place *before = &list->items[k - 1]->diag.at;
      int other = file_rank(list, before->file);
      if (other < rank || (other == rank && !is_after(before, &e->diag.at))) {
        break;
      }
      list->items[k] = list->items[k - 1];
    }
    list->items[k] = e;
  }
}

static bool reserve(pawl_diags *list) {
  if (list->n < list->cap) {
    return true;
  }
  int cap = list->cap == 0 ? PER_FILE : 2 * list->cap;
  entry **items =
      list->cap > INT_MAX / 16 ? NULL : realloc(list->items, (size_t)cap * sizeof *items);
  if (items == NULL) {
    return false;
  }
  list->items = items;
  list->cap = cap;
  return true;
}

/* A new entry that is not in the list yet; NULL if there is no memory. */
static entry *compose(pawl_diags *list, pawl_severity severity, const char *code, pw_span at,
                      const char *fmt, va_list args) {
  entry *e = reserve(list) ? take(list, sizeof *e) : NULL;
  if (e == NULL) {
    return NULL;
  }
  e->diag = (pawl_diag){.severity = severity,
                        .code = copy(list, code, strlen(code)),
                        .message = format(list, fmt, args),
                        .second = {.file = "", .source = "", .label = ""},
                        .help = e->help,
                        .note = e->note};
  bool complete = set_place(list, &e->diag.at, at);
  return complete && e->diag.code != NULL && e->diag.message != NULL ? e : NULL;
}

static void close_list(pawl_diags *list) {
  list->errors += !list->lost;
  list->lost = true;
}

bool pw_diags_lost(const pawl_diags *list) {
  return list->lost;
}

pawl_status pw_no_memory(pawl_diags *list) {
  if (list != NULL) {
    close_list(list);
  }
  return PAWL_E_MEMORY;
}

static pw_diag_ref add(pawl_diags *list, pawl_severity severity, const char *code, pw_span at,
                       const char *fmt, va_list args) {
  pw_diag_ref none = {0};
  if (list == NULL) {
    return none;
  }
  const pw_source *source = source_of(list, at);
  const block *before = list->blocks;
  bool full = is_full(list, severity, source == NULL ? "" : source->name);
  entry *e = full || list->lost ? NULL : compose(list, severity, code, at, fmt, args);
  if (e != NULL && is_repeated(list, &e->diag)) {
    release(list, before);
    return none;
  }

  list->errors += severity == PAWL_ERROR;
  if (e == NULL) {
    release(list, before);
    list->dropped += full;
    if (!full) {
      close_list(list);
    }
    return none;
  }
  list->items[list->n++] = e;
  return (pw_diag_ref){list, &e->diag};
}

pw_diag_ref pw_error(pawl_diags *list, const char *code, pw_span at, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  pw_diag_ref ref = add(list, PAWL_ERROR, code, at, fmt, args);
  va_end(args);
  return ref;
}

pw_diag_ref pw_warning(pawl_diags *list, const char *code, pw_span at, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  pw_diag_ref ref = add(list, PAWL_WARNING, code, at, fmt, args);
  va_end(args);
  return ref;
}

pw_diag_ref pw_remark(pawl_diags *list, const char *code, pw_span at, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  pw_diag_ref ref = add(list, PAWL_NOTE, code, at, fmt, args);
  va_end(args);
  return ref;
}

/* The parts below are left away if there is no memory for them, and the list is closed. */

void pw_label(pw_diag_ref ref, const char *fmt, ...) {
  if (ref.list == NULL) {
    return;
  }
  va_list args;
  va_start(args, fmt);
  const char *text = format(ref.list, fmt, args);
  va_end(args);
  if (text != NULL) {
    ref.diag->at.label = text;
  } else {
    close_list(ref.list);
  }
}

void pw_second(pw_diag_ref ref, pw_span at, const char *fmt, ...) {
  if (ref.list == NULL) {
    return;
  }
  va_list args;
  va_start(args, fmt);
  const char *text = format(ref.list, fmt, args);
  va_end(args);
  pawl_place place;
  if (text != NULL && set_place(ref.list, &place, at)) {
    place.label = text;
    ref.diag->second = place;
  } else {
    close_list(ref.list);
  }
}

static void add_line(pw_diag_ref ref, const char **lines, int *n, const char *fmt, va_list args) {
  if (*n >= MOST_LINES) {
    return;
  }
  const char *text = format(ref.list, fmt, args);
  if (text != NULL) {
    lines[(*n)++] = text;
  } else {
    close_list(ref.list);
  }
}

void pw_help(pw_diag_ref ref, const char *fmt, ...) {
  if (ref.list != NULL) {
    va_list args;
    va_start(args, fmt);
    add_line(ref, ((entry *)ref.diag)->help, &ref.diag->n_help, fmt, args);
    va_end(args);
  }
}

void pw_note(pw_diag_ref ref, const char *fmt, ...) {
  if (ref.list != NULL) {
    va_list args;
    va_start(args, fmt);
    add_line(ref, ((entry *)ref.diag)->note, &ref.diag->n_note, fmt, args);
    va_end(args);
  }
}
