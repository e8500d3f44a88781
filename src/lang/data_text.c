// SPDX-License-Identifier: MIT
/* Files of numbers as text: lines and fields. */
#include <string.h>

#include "lang/data_text.h"

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

static pw_data_field trimmed(const char *text, int begin, int end) {
  while (begin < end && is_blank(text[begin])) {
    begin++;
  }
  while (end > begin && is_blank(text[end - 1])) {
    end--;
  }
  return (pw_data_field){begin, end};
}

/* Of a line: semicolons if it has any, else commas; 0: blanks. */
static char separator_of(const char *text, int from, int to) {
  char found = 0;
  for (int i = from; i < to; i++) {
    found = text[i] == ';' || (text[i] == ',' && found == 0) ? text[i] : found;
  }
  return found;
}

/* Some programs write a mark of the encoding before the first line. */
static int first_of(const pw_source *s, int begin) {
  bool mark = begin == 0 && s->len >= 3 && memcmp(s->text, "\xEF\xBB\xBF", 3) == 0;
  return mark ? 3 : begin;
}

int pw_data_line(const pw_source *s, int *pos, pw_data_field *out) {
  int begin = first_of(s, *pos), end = begin, n = 0;
  while (end < s->len && s->text[end] != '\n') {
    end++;
  }
  const char *comment = memchr(s->text + begin, '#', (size_t)(end - begin));
  int stop = comment == NULL ? end : (int)(comment - s->text);
  char separator = separator_of(s->text, begin, stop);
  *pos = end + 1;
  for (int i = begin; i < stop && n < PW_DATA_COLUMNS;) {
    int from = i;
    while (i < stop && !(separator != 0 ? s->text[i] == separator : is_blank(s->text[i]))) {
      i++;
    }
    pw_data_field f = trimmed(s->text, from, i);
    if (separator != 0 || f.end > f.begin) {
      out[n++] = f;
    }
    i++;
  }
  return n;
}

bool pw_data_is_named(const pw_source *s, pw_data_field f) {
  char c = f.end > f.begin ? s->text[f.begin] : '0';
  return !((c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.');
}
