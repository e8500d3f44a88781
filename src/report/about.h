// SPDX-License-Identifier: MIT
/* Description of the numbers of a report: one JSON object, which the page reads first. */
#ifndef PW_REPORT_ABOUT_H
#define PW_REPORT_ABOUT_H

#include "report/gather.h"

typedef struct pw_stored { /* how a column is stored */
  int bytes, order;
  int same; /* an earlier column with the same numbers, which is stored instead; -1: none */
} pw_stored;

typedef struct pw_about {
  const pw_report_source *source;
  const pawl_system *system; /* NULL: the model could not be compiled; `trouble` is the reason */
  const char *trouble;
  int first_auto;  /* drawings from this index on were added automatically */
  int first_force; /* and from this one on are forces */
  const char *auto_lines;
  const int *alone; /* of each law: the only position that a one-sided constraint is about, or -1 */
  const pw_gathered *data;
  const pw_stored *rows, *events, *meetings; /* of each column */
} pw_about;

void pw_about_json(pw_buf *out, const pw_about *about);

#endif
