// SPDX-License-Identifier: MIT
/* The fields of an event, in one table: bytes, csv, JSON and arrays are made from it. A new field
 * is a member of pawl_event and a line in event.c. */
#ifndef PW_TRAJ_EVENT_H
#define PW_TRAJ_EVENT_H

#include <stdint.h>

#include "pawl/write.h"
#include "traj/bytes.h"

typedef enum pw_field_type {
  PW_FIELD_REAL,
  PW_FIELD_KNOWN, /* a number, NAN where there is none */
  PW_FIELD_COUNT, /* int64_t */
  PW_FIELD_TEXT,
  PW_FIELD_MARK,    /* a text, or NULL */
  PW_FIELD_IMPULSE, /* n_impulse numbers */
  PW_FIELD_TIED     /* n_tied laws and numbers */
} pw_field_type;

typedef struct pw_event_field {
  const char *name;
  pw_field_type type;
  size_t offset; /* in pawl_event */
} pw_event_field;

int pw_event_fields(void);
const pw_event_field *pw_event_field_at(int i);
/* The member of an event that a field describes: of type REAL or KNOWN, COUNT, TEXT or MARK. */
double pw_event_real(const pawl_event *e, const pw_event_field *f);
int64_t pw_event_count(const pawl_event *e, const pw_event_field *f);
const char *pw_event_text(const pawl_event *e, const pw_event_field *f);

/* "impulse(rub)[1]" for "force(rub)[1]", the column of the force of the law. */
void pw_tied_name(pw_buf *out, const char *column);
/* "impulse(rub)[1]=-0.5 impulse(rub)[2]=0.1", by the columns of the forces of the laws. */
void pw_event_tied_text(pw_buf *out, const pawl_event *e, const char *const *column);

/* To bytes and back; pointers go into the bytes. States have nq positions and nv velocities. */
void pw_event_put(pw_buf *out, int nq, int nv, const pawl_run_event *e);
bool pw_event_get(pw_reader *in, int nq, int nv, pawl_run_event *out);

#endif
