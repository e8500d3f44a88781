// SPDX-License-Identifier: MIT
/* Lines of a file of numbers: fields between commas, semicolons or blanks; `#` starts a comment; a
 * first line that does not begin with a number names the columns. */
#ifndef PW_LANG_DATA_TEXT_H
#define PW_LANG_DATA_TEXT_H

#include <stdbool.h>

#include "base/source.h"

enum { PW_DATA_COLUMNS = 256 };

typedef struct pw_data_field { /* offsets in the text */
  int begin, end;
} pw_data_field;

/* The fields of the line at *pos, which moves on to the next; returns their number, at most
 * PW_DATA_COLUMNS. */
int pw_data_line(const pw_source *s, int *pos, pw_data_field *out);
bool pw_data_is_named(const pw_source *s, pw_data_field f); /* it is no number */

#endif
