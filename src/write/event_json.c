// SPDX-License-Identifier: MIT
/* Events and diagnostics as JSON. */
#include <math.h>

#include "write/formats.h"

static void put_state(pw_buf *out, const pawl_system *sys, const double *state) {
  int nq = pawl_system_positions(sys), n = nq + pawl_system_velocities(sys);
  pw_buf_puts(out, "{");
  for (int i = 0; i < n; i++) {
    pw_buf_puts(out, i == 0 ? "" : ",");
    pw_buf_json(out, i < nq ? pawl_position_name(sys, i) : pawl_velocity_name(sys, i - nq));
    pw_buf_puts(out, ":");
    pw_buf_json_real(out, state[i]);
  }
  pw_buf_puts(out, "}");
}

static void put_if_known(pw_buf *out, const char *key, double value) {
  if (!isnan(value)) {
    pw_buf_printf(out, ",\"%s\":", key);
    pw_buf_json_real(out, value);
  }
}

void pw_event_json(pw_buf *out, const pawl_system *sys, const pw_traj_event *e) {
  pw_buf_puts(out, "{\"t\":");
  pw_buf_json_real(out, e->t);
  pw_buf_puts(out, ",\"kind\":");
  pw_buf_json(out, e->kind);
  pw_buf_puts(out, ",\"at\":");
  pw_buf_json(out, e->at);
  pw_buf_printf(out, ",\"cluster\":%ld", e->cluster);
  if (e->n_impulse > 0) {
    pw_buf_puts(out, e->n_impulse > 1 ? ",\"impulse\":[" : ",\"impulse\":");
    for (int i = 0; i < e->n_impulse; i++) {
      pw_buf_puts(out, i == 0 ? "" : ",");
      pw_buf_json_real(out, e->impulse[i]);
    }
    pw_buf_puts(out, e->n_impulse > 1 ? "]" : "");
  }
  pw_buf_puts(out, ",\"before\":");
  put_state(out, sys, e->before);
  pw_buf_puts(out, ",\"after\":");
  put_state(out, sys, e->after);
  pw_buf_puts(out, ",\"dE\":");
  pw_buf_json_real(out, e->dE);
  put_if_known(out, "rate_before", e->rate_before);
  put_if_known(out, "rate_after", e->rate_after);
  put_if_known(out, "force", e->force);
  if (e->flag != NULL) {
    pw_buf_puts(out, ",\"flag\":");
    pw_buf_json(out, e->flag);
  }
  pw_buf_puts(out, "}");
}

typedef struct lines {
  const pw_record *record;
  pw_writer *out;
} lines;

static pawl_status put_lines(void *payload, pw_segment_view *view) {
  const lines *l = payload;
  pawl_status status = PAWL_OK;
  pw_traj_event e;
  while (status == PAWL_OK && pw_segment_next(view, &e)) {
    pw_event_json(&l->out->buf, l->record->sys, &e);
    pw_buf_puts(&l->out->buf, "\n");
    status = pw_writer_check(l->out);
  }
  return status;
}

pawl_status pw_write_events_jsonl(const pw_record *record, pw_writer *out) {
  return record->visit(record->source, put_lines, &(lines){record, out});
}

static void put_texts(pw_buf *out, const char *key, const char *const *texts, int n) {
  if (n > 0) {
    pw_buf_printf(out, ",\"%s\":[", key);
    for (int i = 0; i < n; i++) {
      pw_buf_puts(out, i == 0 ? "" : ",");
      pw_buf_json(out, texts[i]);
    }
    pw_buf_puts(out, "]");
  }
}

void pw_diags_json(pw_buf *out, const pawl_diags *diags, pawl_severity severity) {
  bool first = true;
  pw_buf_puts(out, "[");
  for (int i = 0; i < pawl_diags_count(diags); i++) {
    const pawl_diag *d = pawl_diags_get(diags, i);
    if (d->severity != severity) {
      continue;
    }
    pw_buf_puts(out, first ? "{\"code\":" : ",{\"code\":");
    first = false;
    pw_buf_json(out, d->code);
    if (d->at.line > 0) {
      pw_buf_puts(out, ",\"file\":");
      pw_buf_json(out, d->at.file);
    }
    pw_buf_printf(out, ",\"line\":%d,\"column\":%d,\"length\":%d,\"message\":", d->at.line,
                  d->at.column, d->at.length);
    pw_buf_json(out, d->message);
    if (d->at.label != NULL && d->at.label[0] != '\0') {
      pw_buf_puts(out, ",\"label\":");
      pw_buf_json(out, d->at.label);
    }
    put_texts(out, "help", d->help, d->n_help);
    put_texts(out, "note", d->note, d->n_note);
    pw_buf_puts(out, "}");
  }
  pw_buf_puts(out, "]");
}
