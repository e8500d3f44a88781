// SPDX-License-Identifier: MIT
#include "write/arrays.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

pw_column pw_row_column(const pw_write_record *record, int i) {
  return (pw_column){
      .name = record->shape->column[i], .type = PW_COLUMN_REAL, .count = record->rows, .width = 8};
}

void pw_row_column_part(const pw_chunk_view *view, int i, double *out) {
  int n = pw_shape_columns(view->shape);
  for (int64_t k = 0; k < view->n_row; k++) {
    out[k] = view->rows[k * n + i];
  }
}

/* ---- parameters and units ---- */

pawl_status pw_parameters_each(const pw_write_record *record, pw_each_column each, void *payload) {
  pawl_status status = PAWL_OK;
  pw_buf name = {0};
  for (int i = 0; status == PAWL_OK && i < pawl_system_parameters(record->system); i++) {
    pawl_parameter_info p = pawl_parameter_get(record->system, i);
    name.len = 0;
    pw_buf_printf(&name, "parameters.%s", p.name);
    pw_column column = {
        .name = name.text, .type = PW_COLUMN_REAL, .data = &p.value, .count = 1, .width = 8};
    status = name.failed ? PAWL_E_MEMORY : each(payload, &column);
  }
  pw_buf_free(&name);
  return status;
}

const char *pw_row_column_unit(const pw_write_record *record, int i) {
  const pawl_system *s = record->system;
  int nq = pawl_system_positions(s), nv = pawl_system_velocities(s), laws = pawl_system_laws(s);
  return s == NULL             ? NULL
         : i == 0              ? "s"
         : i <= nq             ? pawl_position_unit(s, i - 1)
         : i <= nq + nv        ? pawl_velocity_unit(s, i - 1 - nq)
         : i <= nq + nv + laws ? pawl_law_get(s, i - 1 - nq - nv).unit
                               : pawl_output_unit(s, i - 1 - nq - nv - laws);
}

/* Where a unit is stated, a text `units.NAME`. */
static pawl_status put_unit(pw_buf *name, const char *of, const char *unit, pw_each_column each,
                            void *payload) {
  if (unit == NULL) {
    return PAWL_OK;
  }
  name->len = 0;
  pw_buf_printf(name, "units.%s", of);
  pw_column column = {.name = name->text,
                      .type = PW_COLUMN_TEXT,
                      .data = unit,
                      .count = 1,
                      .width = (int)strlen(unit)};
  return name->failed ? PAWL_E_MEMORY : each(payload, &column);
}

pawl_status pw_parameter_units_each(const pw_write_record *record, pw_each_column each,
                                    void *payload) {
  pawl_status status = PAWL_OK;
  pw_buf name = {0}, of = {0};
  for (int i = 0; status == PAWL_OK && i < pawl_system_parameters(record->system); i++) {
    pawl_parameter_info p = pawl_parameter_get(record->system, i);
    of.len = 0;
    pw_buf_printf(&of, "parameters.%s", p.name);
    status = of.failed ? PAWL_E_MEMORY : put_unit(&name, of.text, p.unit, each, payload);
  }
  pw_buf_free(&name);
  pw_buf_free(&of);
  return status;
}

pawl_status pw_column_units_each(const pw_write_record *record, pw_each_column each,
                                 void *payload) {
  pawl_status status = PAWL_OK;
  pw_buf name = {0};
  for (int i = 0; status == PAWL_OK && i < pw_shape_columns(record->shape); i++) {
    status =
        put_unit(&name, record->shape->column[i], pw_row_column_unit(record, i), each, payload);
  }
  pw_buf_free(&name);
  return status;
}

/* ---- events ---- */

pawl_status pw_event_arrays_begin(pw_event_arrays *a) {
  size_t n = (size_t)pw_event_fields();
  *a = (pw_event_arrays){.field = calloc(n, sizeof *a->field), .width = calloc(n, sizeof(int))};
  if (a->field == NULL || a->width == NULL) {
    pw_event_arrays_free(a);
    return PAWL_E_MEMORY;
  }
  return PAWL_OK;
}

void pw_event_arrays_free(pw_event_arrays *a) {
  for (int i = 0; a->field != NULL && i < pw_event_fields(); i++) {
    pw_buf_free(&a->field[i]);
  }
  free(a->field);
  free(a->width);
  *a = (pw_event_arrays){0};
}

static double length(const pawl_event *e) {
  double sum = 0;
  for (int i = 0; i < e->n_impulse; i++) {
    sum += e->impulse[i] * e->impulse[i];
  }
  return e->n_impulse == 0 ? NAN : e->n_impulse == 1 ? e->impulse[0] : sqrt(sum);
}

static void take_text(pw_event_arrays *a, int i, const char *text) {
  size_t len = strlen(text);
  a->width[i] = len > (size_t)a->width[i] && len < 1 << 20 ? (int)len : a->width[i];
  pw_buf_add(&a->field[i], text, len + 1);
}

static void take_tied(pw_event_arrays *a, int i, const pawl_event *e, const pw_shape *shape) {
  pw_buf text = {0};
  pw_event_tied_text(&text, e, shape->column + 1 + shape->nq + shape->nv);
  take_text(a, i, text.len == 0 ? "" : text.text);
  a->field[i].failed = a->field[i].failed || text.failed;
  pw_buf_free(&text);
}

static void take_field(pw_event_arrays *a, int i, const pawl_event *e, const pw_shape *shape) {
  const pw_event_field *f = pw_event_field_at(i);
  pw_buf *out = &a->field[i];
  const char *text;
  switch (f->type) {
  case PW_FIELD_REAL:
  case PW_FIELD_KNOWN: pw_put_real(out, pw_event_real(e, f)); break;
  case PW_FIELD_COUNT: pw_put_int(out, pw_event_count(e, f)); break;
  case PW_FIELD_IMPULSE: pw_put_real(out, length(e)); break;
  case PW_FIELD_TEXT:
  case PW_FIELD_MARK:
    text = pw_event_text(e, f);
    take_text(a, i, text == NULL ? "" : text);
    break;
  case PW_FIELD_TIED: take_tied(a, i, e, shape); break;
  }
}

pawl_status pw_event_arrays_take(pw_event_arrays *a, pw_chunk_view view) {
  pawl_run_event e;
  for (; pw_chunk_next_event(&view, &e); a->count++) {
    for (int i = 0; i < pw_event_fields(); i++) {
      take_field(a, i, &e.event, view.shape);
    }
  }
  for (int i = 0; i < pw_event_fields(); i++) {
    if (a->field[i].failed) {
      return PAWL_E_MEMORY;
    }
  }
  return PAWL_OK;
}

/* Texts of one width, filled up with NUL. */
static pw_buf padded(const pw_buf *texts, int64_t count, int width) {
  static const char zero[64] = {0};
  pw_buf out = {0};
  const char *at = texts->text;
  for (int64_t i = 0; i < count; i++) {
    size_t len = strlen(at), fill = (size_t)width > len ? (size_t)width - len : 0;
    pw_buf_add(&out, at, len < (size_t)width ? len : (size_t)width);
    for (; fill > 0; fill -= fill < sizeof zero ? fill : sizeof zero) {
      pw_buf_add(&out, zero, fill < sizeof zero ? fill : sizeof zero);
    }
    at += len + 1;
  }
  return out;
}

static pawl_status give(pw_event_arrays *a, int i, pw_each_column each, void *payload) {
  const pw_event_field *f = pw_event_field_at(i);
  char name[64];
  snprintf(name, sizeof name, "events.%s", f->name);
  pw_column column = {.name = name, .count = a->count, .data = a->field[i].text, .width = 8};
  if (f->type != PW_FIELD_TEXT && f->type != PW_FIELD_MARK && f->type != PW_FIELD_TIED) {
    column.type = f->type == PW_FIELD_COUNT ? PW_COLUMN_INT : PW_COLUMN_REAL;
    return each(payload, &column);
  }
  column.type = PW_COLUMN_TEXT;
  column.width = a->width[i] > 0 ? a->width[i] : 1;
  pw_buf texts = padded(&a->field[i], a->count, column.width);
  column.data = texts.text;
  pawl_status status = texts.failed ? PAWL_E_MEMORY : each(payload, &column);
  pw_buf_free(&texts);
  return status;
}

pawl_status pw_event_arrays_each(pw_event_arrays *a, pw_each_column each, void *payload) {
  pawl_status status = PAWL_OK;
  for (int i = 0; i < pw_event_fields() && status == PAWL_OK; i++) {
    status = give(a, i, each, payload);
  }
  return status;
}
