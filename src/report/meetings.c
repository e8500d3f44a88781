// SPDX-License-Identifier: MIT
#include "report/meetings.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Points that a page may hold: half a megabyte. */
enum { FIRST_ROOM = 1024, MOST_MEETINGS = 16 * FIRST_ROOM };

const char *pw_meeting_name(pw_meetings *m, const pw_touch_row *touch) {
  m->name.len = 0;
  pw_buf_printf(&m->name, "%s:%s-%s", touch->contact, touch->first, touch->second);
  if (touch->point > 0) {
    pw_buf_printf(&m->name, "#%d", touch->point);
  }
  return m->name.failed ? NULL : m->name.text;
}

/* Twice the room, column by column. */
static pawl_status grow(pw_report_table *t) {
  pw_report_table more;
  pawl_status status =
      pw_report_table_make(&more, PW_MEETING_COLUMNS, t->room == 0 ? FIRST_ROOM : 2 * t->room);
  if (status != PAWL_OK) {
    return status;
  }
  for (int i = 0; i < PW_MEETING_COLUMNS && t->n > 0; i++) {
    memcpy(pw_report_column(&more, i), pw_report_column(t, i), (size_t)t->n * sizeof *t->cell);
  }
  more.n = t->n;
  free(t->cell);
  *t = more;
  return PAWL_OK;
}

/* Every second of the rows that have points loses them. */
static void thin(pw_meetings *m) {
  pw_report_table *t = &m->table;
  int64_t kept = 0;
  m->stride = m->stride <= 1 ? 2 : 2 * m->stride;
  for (int64_t k = 0; k < t->n; k++) {
    if (pw_meetings_want(m, (int64_t)pw_report_column(t, PW_MEETING_ROW)[k])) {
      for (int i = 0; i < PW_MEETING_COLUMNS; i++) {
        pw_report_column(t, i)[kept] = pw_report_column(t, i)[k];
      }
      kept++;
    }
  }
  t->n = kept;
}

/* A single row that has more points than there is room shows the first of them. */
static pawl_status make_room(pw_meetings *m, int64_t row) {
  pw_report_table *t = &m->table;
  if (t->n < t->room) {
    return PAWL_OK;
  }
  if (t->room < MOST_MEETINGS) {
    return grow(t);
  }
  while (t->n == t->room && m->stride <= row) {
    thin(m);
  }
  return PAWL_OK;
}

pawl_status pw_meetings_add(pw_meetings *m, int64_t row, int place, const pw_touch_row *touch) {
  pw_report_table *t = &m->table;
  pawl_status status = make_room(m, row);
  if (status != PAWL_OK || t->n == t->room || !pw_meetings_want(m, row)) {
    return status;
  }
  const double *x = touch->numbers, *normal = x + 3, *across = x + 7;
  double values[PW_MEETING_COLUMNS] = {(double)row, place, touch->mode, x[0], x[1], x[2]};
  for (int k = 0; k < 3; k++) {
    values[PW_MEETING_FX + k] = x[6] * normal[k] + across[k];
  }
  for (int i = 0; i < PW_MEETING_COLUMNS; i++) {
    pw_report_column(t, i)[t->n] = values[i];
  }
  t->n++;
  return PAWL_OK;
}

void pw_meetings_free(pw_meetings *m) {
  free(m->table.cell);
  pw_buf_free(&m->name);
  *m = (pw_meetings){0};
}
