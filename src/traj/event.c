// SPDX-License-Identifier: MIT
#include "traj/event.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

#define FIELD(name, type) \
  { #name, PW_FIELD_##type, offsetof(pawl_event, name) }
static const pw_event_field fields[] = {
    FIELD(t, REAL),           FIELD(kind, TEXT),   FIELD(at, TEXT),   FIELD(cluster, COUNT),
    FIELD(impulse, IMPULSE),  FIELD(dE, REAL),     FIELD(flag, MARK), FIELD(rate_before, KNOWN),
    FIELD(rate_after, KNOWN), FIELD(force, KNOWN), FIELD(tied, TIED)};
#undef FIELD
enum { N_FIELDS = sizeof fields / sizeof *fields };

int pw_event_fields(void) {
  return N_FIELDS;
}

const pw_event_field *pw_event_field_at(int i) {
  return &fields[i];
}

double pw_event_real(const pawl_event *e, const pw_event_field *f) {
  double value;
  memcpy(&value, (const char *)e + f->offset, sizeof value);
  return value;
}

int64_t pw_event_count(const pawl_event *e, const pw_event_field *f) {
  int64_t value;
  memcpy(&value, (const char *)e + f->offset, sizeof value);
  return value;
}

const char *pw_event_text(const pawl_event *e, const pw_event_field *f) {
  const char *value;
  memcpy(&value, (const char *)e + f->offset, sizeof value);
  return value;
}

static void put_field(pw_buf *out, const pawl_event *e, const pw_event_field *f) {
  switch (f->type) {
  case PW_FIELD_REAL:
  case PW_FIELD_KNOWN: pw_put_real(out, pw_event_real(e, f)); break;
  case PW_FIELD_COUNT: pw_put_int(out, pw_event_count(e, f)); break;
  case PW_FIELD_TEXT:
  case PW_FIELD_MARK: pw_put_text(out, pw_event_text(e, f)); break;
  case PW_FIELD_IMPULSE:
    pw_put_int(out, e->n_impulse);
    pw_put_reals(out, e->impulse, e->n_impulse);
    break;
  case PW_FIELD_TIED: pw_put_blob(out, e->tied, (size_t)e->n_tied * sizeof *e->tied); break;
  }
}

static void get_tied(pw_reader *in, pawl_event *e) {
  size_t bytes;
  e->tied = pw_get_blob(in, &bytes);
  in->bad = in->bad || bytes % sizeof *e->tied != 0 || bytes / sizeof *e->tied > INT_MAX;
  e->n_tied = in->bad ? 0 : (int)(bytes / sizeof *e->tied);
}

void pw_tied_name(pw_buf *out, const char *column) {
  pw_buf_printf(out, "impulse%s", column + strlen("force"));
}

void pw_event_tied_text(pw_buf *out, const pawl_event *e, const char *const *column) {
  for (int i = 0; i < e->n_tied; i++) {
    pw_buf_puts(out, i == 0 ? "" : " ");
    pw_tied_name(out, column[e->tied[i].law]);
    pw_buf_puts(out, "=");
    pw_buf_real_17(out, e->tied[i].impulse);
  }
}

static void get_field(pw_reader *in, pawl_event *e, const pw_event_field *f) {
  char *at = (char *)e + f->offset;
  double real;
  int64_t count;
  const char *text;
  switch (f->type) {
  case PW_FIELD_REAL:
  case PW_FIELD_KNOWN:
    real = pw_get_real(in);
    memcpy(at, &real, sizeof real);
    break;
  case PW_FIELD_COUNT:
    count = (int64_t)pw_get_int(in);
    memcpy(at, &count, sizeof count);
    break;
  case PW_FIELD_TEXT:
  case PW_FIELD_MARK:
    text = pw_get_text(in);
    in->bad = in->bad || (text == NULL && f->type == PW_FIELD_TEXT);
    memcpy(at, &text, sizeof text);
    break;
  case PW_FIELD_IMPULSE:
    e->n_impulse = pw_get_count(in, INT_MAX);
    e->impulse = pw_get_reals(in, e->n_impulse);
    break;
  case PW_FIELD_TIED: get_tied(in, e); break;
  }
}

void pw_event_put(pw_buf *out, int nq, int nv, const pawl_run_event *e) {
  for (int i = 0; i < N_FIELDS; i++) {
    put_field(out, &e->event, &fields[i]);
  }
  pw_put_reals(out, e->q_before, nq);
  pw_put_reals(out, e->u_before, nv);
  pw_put_reals(out, e->q_after, nq);
  pw_put_reals(out, e->u_after, nv);
}

bool pw_event_get(pw_reader *in, int nq, int nv, pawl_run_event *out) {
  *out = (pawl_run_event){0};
  for (int i = 0; i < N_FIELDS; i++) {
    get_field(in, &out->event, &fields[i]);
  }
  out->q_before = pw_get_reals(in, nq);
  out->u_before = pw_get_reals(in, nv);
  out->q_after = pw_get_reals(in, nq);
  out->u_after = pw_get_reals(in, nv);
  return !in->bad;
}
