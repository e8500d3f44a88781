// SPDX-License-Identifier: MIT
/* Events and diagnostics as JSON. */
#include <math.h>

#include "write/formats.h"

/* The state before and after. Names of positions, then velocities; most numbers do not change, and
 * neither do their texts. */
static void put_states(pw_buf *out, const char *const *name, int nq, int nv,
                       const pawl_run_event *e) {
  pw_buf after = {0};
  pw_buf_puts(out, ",\"before\":{");
  for (int i = 0; i < nq + nv; i++) {
    double was = i < nq ? e->q_before[i] : e->u_before[i - nq];
    double is = i < nq ? e->q_after[i] : e->u_after[i - nq];
    size_t from = out->len;
    pw_buf_puts(out, i == 0 ? "" : ",");
    pw_buf_json(out, name[i]);
    pw_buf_puts(out, ":");
    size_t number = out->len;
    pw_buf_json_real(out, was);
    if (!out->failed) {
      pw_buf_add(&after, out->text + from, (is == was ? out->len : number) - from);
    }
    if (!(is == was)) {
      pw_buf_json_real(&after, is);
    }
  }
  pw_buf_puts(out, "},\"after\":{");
  pw_buf_add(out, after.text, after.len);
  pw_buf_puts(out, "}");
  out->failed = out->failed || after.failed;
  pw_buf_free(&after);
}

static void put_impulse(pw_buf *out, const pawl_event *e) {
  pw_buf_puts(out, e->n_impulse > 1 ? "[" : "");
  for (int i = 0; i < e->n_impulse; i++) {
    pw_buf_puts(out, i == 0 ? "" : ",");
    pw_buf_json_real(out, e->impulse[i]);
  }
  pw_buf_puts(out, e->n_impulse > 1 ? "]" : "");
}

/* {"impulse(rub)[1]":-0.5,"impulse(rub)[2]":0.1}; column: of the forces of the laws. */
static void put_tied(pw_buf *out, const pawl_event *e, const char *const *column) {
  pw_buf name = {0};
  pw_buf_puts(out, "{");
  for (int i = 0; i < e->n_tied; i++) {
    name.len = 0;
    pw_tied_name(&name, column[e->tied[i].law]);
    pw_buf_puts(out, i == 0 ? "" : ",");
    pw_buf_json(out, name.failed ? "" : name.text);
    pw_buf_puts(out, ":");
    pw_buf_json_real(out, e->tied[i].impulse);
    out->failed = out->failed || name.failed;
  }
  pw_buf_puts(out, "}");
  pw_buf_free(&name);
}

/* Fields that an event does not have are omitted. */
static bool has_field(const pawl_event *e, const pw_event_field *f) {
  switch (f->type) {
  case PW_FIELD_KNOWN: return !isnan(pw_event_real(e, f));
  case PW_FIELD_MARK: return pw_event_text(e, f) != NULL;
  case PW_FIELD_IMPULSE: return e->n_impulse > 0;
  case PW_FIELD_TIED: return e->n_tied > 0;
  default: return true;
  }
}

static void put_field(pw_buf *out, const pawl_event *e, const pw_event_field *f,
                      const char *const *column) {
  switch (f->type) {
  case PW_FIELD_REAL:
  case PW_FIELD_KNOWN: pw_buf_json_real(out, pw_event_real(e, f)); break;
  case PW_FIELD_COUNT: pw_write_count(out, pw_event_count(e, f)); break;
  case PW_FIELD_TEXT:
  case PW_FIELD_MARK: pw_buf_json(out, pw_event_text(e, f)); break;
  case PW_FIELD_IMPULSE: put_impulse(out, e); break;
  case PW_FIELD_TIED: put_tied(out, e, column); break;
  }
}

void pw_event_json(pw_buf *out, const char *const *name, int nq, int nv, const pawl_run_event *e) {
  for (int i = 0; i < pw_event_fields(); i++) {
    const pw_event_field *f = pw_event_field_at(i);
    if (has_field(&e->event, f)) {
      pw_buf_puts(out, i == 0 ? "{\"" : ",\"");
      pw_buf_puts(out, f->name);
      pw_buf_puts(out, "\":");
      put_field(out, &e->event, f, name + nq + nv);
    }
    if (f->type == PW_FIELD_IMPULSE && e->q_before != NULL) {
      put_states(out, name, nq, nv, e);
    }
  }
  pw_buf_puts(out, "}");
}

static pawl_status begin(pw_sheet *s) {
  (void)s;
  return PAWL_OK;
}

static pawl_status take(pw_sheet *s, pw_chunk_view view) {
  const pw_shape *shape = view.shape;
  pawl_status status = PAWL_OK;
  pawl_run_event e;
  while (status == PAWL_OK && pw_chunk_next_event(&view, &e)) {
    pw_event_json(&s->out.buf, shape->column + 1, shape->nq, shape->nv, &e);
    pw_buf_puts(&s->out.buf, "\n");
    status = pw_writer_check(&s->out);
  }
  return status;
}

const pw_format pw_format_events_jsonl = {.streams = true, .begin = begin, .take = take};

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

void pw_diag_json(pw_buf *out, const pawl_diag *d) {
  pw_buf_puts(out, "{\"code\":");
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

void pw_diags_json(pw_buf *out, const pawl_diags *diags, pawl_severity severity) {
  const char *comma = "";
  pw_buf_puts(out, "[");
  for (int i = 0; i < pawl_diags_count(diags); i++) {
    const pawl_diag *d = pawl_diags_get(diags, i);
    if (d->severity == severity) {
      pw_buf_puts(out, comma);
      pw_diag_json(out, d);
      comma = ",";
    }
  }
  pw_buf_puts(out, "]");
}
