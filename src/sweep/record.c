// SPDX-License-Identifier: MIT
#include "sweep/record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/suggest.h"

static const char *const kinds[] = {"impact", "close",   "liftoff", "stick",  "slip", "reverse",
                                    "engage", "release", "rest",    "strobe", "user", "stop"};
enum { N_KIND = sizeof kinds / sizeof *kinds };

static const struct {
  const char *word;
  pw_record_kind kind;
} words[] = {{"before", PW_RECORD_BEFORE},
             {"min", PW_RECORD_MIN},
             {"max", PW_RECORD_MAX},
             {"count", PW_RECORD_COUNT}};
enum { N_WORD = sizeof words / sizeof *words };

static int column_of(const pawl_run *run, const char *name) {
  for (int i = 0; i < pawl_run_columns(run); i++) {
    if (strcmp(pawl_run_column(run, i), name) == 0) {
      return i;
    }
  }
  return -1;
}

/* ---- events ---- */

/* "floor" names floor[1], floor[2], ... as well. */
static bool is_of(const char *name, const char *word) {
  size_t len = strlen(word);
  return strncmp(name, word, len) == 0 && (name[len] == '\0' || name[len] == '[');
}

bool pw_event_is(const pawl_event *event, const char *word) {
  return strcmp(event->kind, word) == 0 || (event->at != NULL && is_of(event->at, word));
}

pawl_status pw_event_known(const pawl_run *run, const char *word, const char *code,
                           pawl_diags *diags) {
  const pawl_system *system = pawl_run_system(run);
  pw_suggest near = pw_suggest_begin(word);
  bool known = false;

  /* kinds, events and laws share one space of names */
  for (int i = 0; i < N_KIND; i++) {
    known = known || strcmp(kinds[i], word) == 0;
    pw_suggest_try(&near, kinds[i]);
  }
  for (int i = 0; i < pawl_system_events(system); i++) {
    known = known || is_of(pawl_event_name(system, i), word);
    pw_suggest_try(&near, pawl_event_name(system, i));
  }
  for (int i = 0; i < pawl_system_laws(system); i++) {
    known = known || is_of(pawl_law_get(system, i).name, word);
    pw_suggest_try(&near, pawl_law_get(system, i).name);
  }
  if (known) {
    return PAWL_OK;
  }

  /* none of them: the nearest name, or the kinds */
  pw_diag_ref ref = pw_error(diags, code, PW_NO_SPAN,
                             "`%s` is no event or law of the model and no kind of events", word);
  if (near.best != NULL) {
    pw_help(ref, "did you mean `%s`?", near.best);
  } else {
    pw_help(ref, "the kinds are impact, close, liftoff, stick, slip, reverse, engage, release, "
                 "rest, strobe, user, stop");
  }
  return PAWL_E_ARGUMENT;
}

/* ---- reading ---- */

static pawl_status unknown_column(const pawl_run *run, const char *name, pawl_diags *diags) {
  pw_diag_ref ref = pw_error(diags, "E0804", PW_NO_SPAN, "a run has no column `%s`", name);
  pw_suggest near = pw_suggest_begin(name);
  for (int i = 0; i < pawl_run_columns(run); i++) {
    pw_suggest_try(&near, pawl_run_column(run, i));
  }
  if (near.best != NULL) {
    pw_help(ref, "did you mean `%s`?", near.best);
  } else {
    pw_help(ref, "records are t, positions, velocities, force(LAW), outputs, and min(), max(), "
                 "count(), before() of them");
  }
  return PAWL_E_ARGUMENT;
}

static char *copy_part(const char *text, size_t len, const char *behind) {
  char *copy = malloc(len + strlen(behind) + 1);
  if (copy != NULL) {
    memcpy(copy, text, len);
    strcpy(copy + len, behind);
  }
  return copy;
}

/* "max(x)": the word in front of the bracket decides; force(stop) is a column. */
static bool read_word(pw_sweep_record *r, const char *text, size_t len) {
  for (int i = 0; i < N_WORD; i++) {
    size_t head = strlen(words[i].word);
    if (len > head + 2 && strncmp(text, words[i].word, head) == 0 && text[head] == '(' &&
        text[len - 1] == ')') {
      r->kind = words[i].kind;
      r->name = copy_part(text + head + 1, len - head - 2, "");
      return r->name != NULL;
    }
  }
  r->name = copy_part(text, len, "");
  return r->name != NULL;
}

static pawl_status check_record(pw_sweep_record *r, const pawl_run *run, bool at_events,
                                pawl_diags *diags) {
  if (r->kind == PW_RECORD_COUNT) {
    return pw_event_known(run, r->name, "E0804", diags);
  }
  if (r->kind == PW_RECORD_BEFORE && !at_events) {
    pw_diag_ref ref = pw_error(diags, "E0804", PW_NO_SPAN,
                               "`before(%s)` needs an event: the end has one side only", r->name);
    pw_help(ref, "name the event or its kind with `--at`");
    return PAWL_E_ARGUMENT;
  }
  if (column_of(run, r->name) >= 0) {
    return PAWL_OK;
  }
  if (strncmp(r->name, "d.", 2) == 0) {
    char *primed = copy_part(r->name + 2, strlen(r->name) - 2, "'");
    if (primed == NULL) {
      return PAWL_E_MEMORY;
    }
    if (column_of(run, primed) >= 0) {
      free(r->name);
      r->name = primed;
      return PAWL_OK;
    }
    free(primed);
  }
  return unknown_column(run, r->name, diags);
}

static pawl_status check_twice(const pw_sweep_records *r, pawl_diags *diags) {
  const pw_sweep_record *last = &r->item[r->n - 1];
  for (int i = 0; i < r->n - 1; i++) {
    if (r->item[i].kind == last->kind && strcmp(r->item[i].name, last->name) == 0) {
      char text[200];
      pw_record_text(last, text, sizeof text);
      pw_error(diags, "E0804", PW_NO_SPAN, "`%s` is recorded twice", text);
      return PAWL_E_ARGUMENT;
    }
  }
  return PAWL_OK;
}

/* The state, and the time in front of it at events. */
static pawl_status record_state(pw_sweep_records *r, bool at_events, const pawl_run *run) {
  const pawl_system *system = pawl_run_system(run);
  int n = pawl_system_positions(system) + pawl_system_velocities(system);
  r->item = calloc((size_t)n + 1, sizeof *r->item);
  for (int i = at_events ? 0 : 1; i <= n && r->item != NULL; i++) {
    const char *name = pawl_run_column(run, i);
    r->item[r->n].name = copy_part(name, strlen(name), "");
    if (r->item[r->n++].name == NULL) {
      return PAWL_E_MEMORY;
    }
  }
  return r->item == NULL ? PAWL_E_MEMORY : PAWL_OK;
}

pawl_status pw_records_read(pw_sweep_records *r, const pawl_sweep_opts *opts, const pawl_run *run,
                            pawl_diags *diags) {
  const char *text = opts->record;
  bool at_events = opts->at != NULL;
  *r = (pw_sweep_records){0};
  if (text == NULL) {
    return record_state(r, at_events, run);
  }
  r->item = calloc(strlen(text) / 2 + 1, sizeof *r->item);
  pawl_status status = r->item == NULL ? PAWL_E_MEMORY : PAWL_OK;
  while (status == PAWL_OK) {
    size_t len = strcspn(text, ",");
    if (len == 0) {
      pw_error(diags, "E0804", PW_NO_SPAN, "the list of records has an empty place");
      return PAWL_E_ARGUMENT;
    }
    pw_sweep_record *item = &r->item[r->n++];
    status = read_word(item, text, len) ? check_record(item, run, at_events, diags) : PAWL_E_MEMORY;
    status = status == PAWL_OK ? check_twice(r, diags) : status;
    r->extremes = r->extremes || item->kind == PW_RECORD_MIN || item->kind == PW_RECORD_MAX;
    if (text[len] == '\0') {
      return status;
    }
    text += len + 1;
  }
  return status;
}

void pw_records_free(pw_sweep_records *r) {
  for (int i = 0; i < r->n; i++) {
    free(r->item[i].name);
  }
  free(r->item);
}

void pw_record_text(const pw_sweep_record *r, char *text, size_t room) {
  for (int i = 0; i < N_WORD; i++) {
    if (words[i].kind == r->kind) {
      snprintf(text, room, "%s(%s)", words[i].word, r->name);
      return;
    }
  }
  snprintf(text, room, "%s", r->name);
}

/* ---- one member ---- */

bool pw_take_begin(pw_taker *t, const pw_sweep_records *records, const pawl_run *run) {
  int n = pawl_run_columns(run), m = records->n;
  if (n != t->n_column || t->records == NULL) {
    pw_take_free(t);
    *t = (pw_taker){.records = records,
                    .n_column = n,
                    .last = malloc((size_t)n * sizeof(double)),
                    .previous = malloc((size_t)n * sizeof(double)),
                    .column = malloc((size_t)m * sizeof(int)),
                    .so_far = malloc((size_t)m * sizeof(double))};
  }
  if (t->last == NULL || t->previous == NULL || t->column == NULL || t->so_far == NULL) {
    return false;
  }
  for (int i = 0; i < n; i++) {
    t->last[i] = t->previous[i] = NAN;
  }
  for (int i = 0; i < m; i++) {
    bool counts = records->item[i].kind == PW_RECORD_COUNT;
    bool in_row = !counts && records->item[i].kind != PW_RECORD_SLOPE;
    t->column[i] = !in_row ? -1 : column_of(run, records->item[i].name);
    t->so_far[i] = counts ? 0 : NAN;
  }
  return true;
}

void pw_take_free(pw_taker *t) {
  free(t->last);
  free(t->previous);
  free(t->column);
  free(t->so_far);
  *t = (pw_taker){0};
}

/* A NaN stays: an extreme of what is not a number is none. */
static double extreme(pw_record_kind kind, double so_far, double x, bool first) {
  bool better = kind == PW_RECORD_MIN ? x < so_far : x > so_far;
  return first || isnan(x) || better ? x : so_far;
}

void pw_take_row(pw_taker *t, const double *row) {
  double *old = t->previous;
  bool first = isnan(t->last[0]); /* the time of the row before */
  t->previous = t->last;
  t->last = old;
  memcpy(t->last, row, (size_t)t->n_column * sizeof *row);
  for (int i = 0; i < t->records->n; i++) {
    pw_record_kind kind = t->records->item[i].kind;
    if ((kind == PW_RECORD_MIN || kind == PW_RECORD_MAX) && t->column[i] >= 0) {
      t->so_far[i] = extreme(kind, t->so_far[i], row[t->column[i]], first);
    }
  }
}

void pw_take_event(pw_taker *t, const pawl_event *event) {
  for (int i = 0; i < t->records->n; i++) {
    const pw_sweep_record *r = &t->records->item[i];
    t->so_far[i] += r->kind == PW_RECORD_COUNT && pw_event_is(event, r->name);
  }
}

void pw_take_values(const pw_taker *t, double *value) {
  for (int i = 0; i < t->records->n; i++) {
    pw_record_kind kind = t->records->item[i].kind;
    const double *row = kind == PW_RECORD_BEFORE ? t->previous : t->last;
    bool of_row = kind == PW_RECORD_VALUE || kind == PW_RECORD_BEFORE;
    value[i] = !of_row ? t->so_far[i] : t->column[i] >= 0 ? row[t->column[i]] : NAN;
  }
}
