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

static bool has_separators(const char *text, int from, int to) {
  for (int i = from; i < to; i++) {
    if (text[i] == ',' || text[i] == ';') {
      return true;
    }
  }
  return false;
}

int pw_data_line(const pw_source *s, int *pos, pw_data_field *out) {
  int begin = *pos, end = begin, n = 0;
  while (end < s->len && s->text[end] != '\n') {
    end++;
  }
  const char *comment = memchr(s->text + begin, '#', (size_t)(end - begin));
  int stop = comment == NULL ? end : (int)(comment - s->text);
  bool separators = has_separators(s->text, begin, stop);
  *pos = end + 1;
  for (int i = begin; i < stop && n < PW_DATA_COLUMNS;) {
    int from = i;
    while (i < stop &&
           !(separators ? s->text[i] == ',' || s->text[i] == ';' : is_blank(s->text[i]))) {
      i++;
    }
    pw_data_field f = trimmed(s->text, from, i);
    if (separators || f.end > f.begin) {
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
