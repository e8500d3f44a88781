// SPDX-License-Identifier: MIT
#include "base/source.h"

#include <string.h>

static void find_lines(pw_arena *arena, pw_source *s) {
  int lines = 1;
  for (int i = 0; i < s->len; i++) {
    lines += s->text[i] == '\n';
  }
  s->line_start = PW_TAKE(arena, lines, int);
  s->n_line = 1;
  for (int i = 0; i < s->len; i++) {
    if (s->text[i] == '\n') {
      s->line_start[s->n_line++] = i + 1;
    }
  }
}

int pw_sources_add(pw_arena *arena, pw_sources *sources, const char *name, const char *text,
                   int len) {
  pw_source s = {.len = len};
  size_t name_len = strlen(name);
  char *name_copy = PW_TAKE(arena, name_len + 1, char);
  memcpy(name_copy, name, name_len);
  char *text_copy = PW_TAKE(arena, (size_t)len + 1, char);
  memcpy(text_copy, text, (size_t)len);
  s.name = name_copy;
  s.text = text_copy;
  find_lines(arena, &s);
  PW_PUSH(arena, sources, s);
  return sources->n - 1;
}

void pw_source_locate(const pw_source *source, int offset, int *line, int *column) {
  int lo = 0, hi = source->n_line;
  while (hi - lo > 1) { /* line_start[lo] <= offset < line_start[hi] */
    int mid = lo + (hi - lo) / 2;
    if (source->line_start[mid] <= offset) {
      lo = mid;
    } else {
      hi = mid;
    }
  }
  *line = lo + 1;
  *column = 1;
  for (int i = source->line_start[lo]; i < offset && i < source->len; i++) {
    *column += ((unsigned char)source->text[i] & 0xC0) != 0x80; /* skip UTF-8 continuation bytes */
  }
}

pw_span pw_span_join(pw_span a, pw_span b) {
  if (a.file != b.file) {
    return a;
  }
  return (pw_span){a.file, a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end};
}
