// SPDX-License-Identifier: MIT
/* Points at which shapes press on each other, for pairs found during time stepping, as shown in a
 * report. If there are many points, those of every n-th row shown. */
#ifndef PW_REPORT_MEETINGS_H
#define PW_REPORT_MEETINGS_H

#include <stdint.h>

#include "report/report_table.h"
#include "traj/chunk.h"

/* Columns of the table. */
enum {
  PW_MEETING_ROW,   /* of those that are shown */
  PW_MEETING_PLACE, /* number of its name among the places of events */
  PW_MEETING_MODE,  /* pawl_meets */
  PW_MEETING_X,
  PW_MEETING_Y,
  PW_MEETING_Z,
  PW_MEETING_FX, /* force on the first shape */
  PW_MEETING_FY,
  PW_MEETING_FZ,
  PW_MEETING_COLUMNS
};

typedef struct pw_meetings {
  pw_report_table table;
  int64_t all;    /* of the rows that are shown */
  int64_t stride; /* rows that are multiples of it have their points */
  pw_buf name;    /* scratch */
} pw_meetings;

/* Whether the points of this row are wanted. */
static inline bool pw_meetings_want(const pw_meetings *m, int64_t row) {
  return m->stride <= 1 || row % m->stride == 0;
}
/* Its name as events have it, "contact:a-b#3"; NULL: no memory. */
const char *pw_meeting_name(pw_meetings *m, const pw_touch_row *touch);
/* Rows come in their order. */
PAWL_NODISCARD pawl_status pw_meetings_add(pw_meetings *m, int64_t row, int place,
                                           const pw_touch_row *touch);
void pw_meetings_free(pw_meetings *m);

#endif
