// SPDX-License-Identifier: MIT
/* Several columns are gathered in one pass over the blocks, as many as fit into some memory. */
#include "write/arrays.h"

#include <stdlib.h>
#include <string.h>

enum { PASS_BYTES = 64 << 20 };

typedef struct pass {
  const pw_record *record;
  int first, n; /* columns of this pass */
  long done;    /* rows gathered */
  double *data; /* column by column, record->rows each */
} pass;

static pawl_status gather_rows(void *payload, pw_segment_view *view) {
  pass *p = payload;
  long rows = p->record->rows;
  if (p->done + view->n_row > rows) {
    return PAWL_E_STATE;
  }
  for (long i = 0; i < view->n_row; i++) {
    const double *row = view->rows + i * p->record->n_col + p->first;
    for (int j = 0; j < p->n; j++) {
      p->data[(size_t)j * (size_t)rows + (size_t)(p->done + i)] = row[j];
    }
  }
  p->done += view->n_row;
  return PAWL_OK;
}

static pawl_status rows_pass(pass *p, pw_each_column each, void *payload) {
  pawl_status status = p->record->visit(p->record->source, gather_rows, p);
  for (int j = 0; j < p->n && status == PAWL_OK; j++) {
    pw_column column = {.name = p->record->column[p->first + j],
                        .type = PW_COLUMN_REAL,
                        .data = p->data + (size_t)j * (size_t)p->done,
                        .count = p->done,
                        .width = 8};
    status = p->done == p->record->rows ? each(payload, &column) : PAWL_E_STATE;
  }
  return status;
}

static pawl_status row_columns(const pw_record *record, pw_each_column each, void *payload) {
  size_t rows = (size_t)record->rows + 1;
  size_t fit = PASS_BYTES / sizeof(double) / rows;
  int n = fit < 1 ? 1 : fit > (size_t)record->n_col ? record->n_col : (int)fit;
  double *data = calloc(rows * (size_t)n, sizeof *data);
  pawl_status status = data == NULL ? PAWL_E_MEMORY : PAWL_OK;
  for (int first = 0; first < record->n_col && status == PAWL_OK; first += n) {
    int left = record->n_col - first;
    pass p = {.record = record, .first = first, .n = left < n ? left : n, .data = data};
    status = rows_pass(&p, each, payload);
  }
  free(data);
  return status;
}

typedef struct event_arrays {
  pw_buf t, cluster, dE, rate_before, rate_after, kind, at;
  int kind_width, at_width;
  bool measuring; /* the widths of the texts come first */
} event_arrays;

static void put_padded(pw_buf *buf, const char *text, int width) {
  size_t len = strlen(text);
  pw_buf_add(buf, text, len);
  for (size_t i = len; i < (size_t)width; i++) {
    pw_buf_add(buf, "", 1);
  }
}

static int wider(int width, const char *text) {
  size_t len = strlen(text);
  return len > (size_t)width && len < 1 << 20 ? (int)len : width;
}

static pawl_status gather_events(void *payload, pw_segment_view *view) {
  event_arrays *a = payload;
  pw_traj_event e;
  while (pw_segment_next(view, &e)) {
    if (a->measuring) {
      a->kind_width = wider(a->kind_width, e.kind);
      a->at_width = wider(a->at_width, e.at);
    } else {
      pw_put_real(&a->t, e.t);
      pw_put_int(&a->cluster, e.cluster);
      pw_put_real(&a->dE, e.dE);
      pw_put_real(&a->rate_before, e.rate_before);
      pw_put_real(&a->rate_after, e.rate_after);
      put_padded(&a->kind, e.kind, a->kind_width);
      put_padded(&a->at, e.at, a->at_width);
    }
  }
  bool failed = a->t.failed || a->cluster.failed || a->dE.failed || a->rate_before.failed ||
                a->rate_after.failed || a->kind.failed || a->at.failed;
  return failed ? PAWL_E_MEMORY : PAWL_OK;
}

static pawl_status event_columns(const pw_record *record, event_arrays *a, pw_each_column each,
                                 void *payload) {
  a->measuring = true;
  a->kind_width = a->at_width = 1;
  pawl_status status = record->visit(record->source, gather_events, a);
  a->measuring = false;
  if (status == PAWL_OK) {
    status = record->visit(record->source, gather_events, a);
  }
  long n = record->events;
  const pw_column columns[] = {{"events.t", PW_COLUMN_REAL, a->t.text, n, 8},
                               {"events.cluster", PW_COLUMN_INT, a->cluster.text, n, 8},
                               {"events.dE", PW_COLUMN_REAL, a->dE.text, n, 8},
                               {"events.rate_before", PW_COLUMN_REAL, a->rate_before.text, n, 8},
                               {"events.rate_after", PW_COLUMN_REAL, a->rate_after.text, n, 8},
                               {"events.kind", PW_COLUMN_TEXT, a->kind.text, n, a->kind_width},
                               {"events.at", PW_COLUMN_TEXT, a->at.text, n, a->at_width}};
  if (status == PAWL_OK && a->t.len != (size_t)n * sizeof(double)) {
    status = PAWL_E_STATE;
  }
  for (size_t i = 0; i < sizeof columns / sizeof *columns && status == PAWL_OK; i++) {
    status = each(payload, &columns[i]);
  }
  return status;
}

pawl_status pw_columns_each(const pw_record *record, pw_each_column each, void *payload) {
  pawl_status status = row_columns(record, each, payload);
  if (status == PAWL_OK) {
    event_arrays arrays = {0};
    status = event_columns(record, &arrays, each, payload);
    pw_buf_free(&arrays.t);
    pw_buf_free(&arrays.cluster);
    pw_buf_free(&arrays.dE);
    pw_buf_free(&arrays.rate_before);
    pw_buf_free(&arrays.rate_after);
    pw_buf_free(&arrays.kind);
    pw_buf_free(&arrays.at);
  }
  return status;
}
