// SPDX-License-Identifier: MIT
#include "lsp_json.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 64 };

/* ---- reading ---- */

static const char *space(const char *at) {
  return at + strspn(at, " \t\r\n");
}

/* Bytes of the sign in UTF-8 that begins here; 0: there is none. */
static int sign_length(const char *text) {
  const unsigned char *at = (const unsigned char *)text;
  int n = at[0] < 0x80 ? 1 : at[0] < 0xc2 ? 0 : at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : 4;
  for (int i = 1; i < n; i++) {
    if ((at[i] & 0xc0) != 0x80) {
      return 0;
    }
  }
  bool longer = (at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xf0 && at[1] < 0x90);
  bool beyond = (at[0] == 0xed && at[1] > 0x9f) || (at[0] == 0xf4 && at[1] > 0x8f) || at[0] > 0xf4;
  return longer || beyond ? 0 : n;
}

/* What is behind a backslash; 0: no such escape. */
static int escape_length(const char *at) {
  if (*at == 'u') {
    return strspn(at + 1, "0123456789abcdefABCDEF") >= 4 ? 5 : 0;
  }
  return *at != '\0' && strchr("\"\\/bfnrt", *at) != NULL;
}

/* Behind a string; NULL: it does not end, or holds what no string may. */
static const char *after_string(const char *at) {
  for (at++; *at != '"';) {
    int n = *at == '\\' ? escape_length(at + 1) : sign_length(at);
    if ((unsigned char)*at < ' ' || n == 0) {
      return NULL;
    }
    at += n + (*at == '\\');
  }
  return at + 1;
}

static const char *after_digits(const char *at) {
  size_t n = strspn(at, "0123456789");
  return n > 0 ? at + n : NULL;
}

static const char *after_number(const char *at) {
  at += *at == '-';
  at = *at == '0' ? at + 1 : after_digits(at);
  if (at != NULL && *at == '.') {
    at = after_digits(at + 1);
  }
  if (at != NULL && (*at == 'e' || *at == 'E')) {
    at += at[1] == '+' || at[1] == '-' ? 2 : 1;
    at = after_digits(at);
  }
  return at;
}

static const char *after_word(const char *at) {
  static const char *const words[] = {"true", "false", "null"};
  for (int i = 0; i < 3; i++) {
    if (strncmp(at, words[i], strlen(words[i])) == 0) {
      return at + strlen(words[i]);
    }
  }
  return after_number(at);
}

static const char *after(const char *at, int depth);

/* Members and items alike; the bracket at `at` is matched. */
static const char *after_list(const char *at, int depth) {
  bool object = *at == '{';
  char end = object ? '}' : ']';
  at = space(at + 1);
  while (*at != end) {
    if (object) {
      at = *at == '"' ? after_string(at) : NULL;
      at = at == NULL ? NULL : space(at);
      if (at == NULL || *at++ != ':') {
        return NULL;
      }
    }
    at = after(at, depth + 1);
    at = at == NULL ? NULL : space(at);
    if (at == NULL || (*at != ',' && *at != end)) {
      return NULL;
    }
    if (*at == ',' && *(at = space(at + 1)) == end) {
      return NULL;
    }
  }
  return at + 1;
}

/* Behind the value that begins here; NULL: it is none. */
static const char *after(const char *at, int depth) {
  at = space(at);
  if (depth > MOST_DEPTH) {
    return NULL;
  }
  return *at == '"'                 ? after_string(at)
         : *at == '{' || *at == '[' ? after_list(at, depth)
                                    : after_word(at);
}

bool lsp_is_json(const char *text) {
  const char *end = after(text, 0);
  return end != NULL && *space(end) == '\0';
}

lsp_value lsp_member(lsp_value object, const char *key) {
  size_t len = strlen(key);
  if (object == NULL || *(object = space(object)) != '{') {
    return NULL;
  }
  for (const char *at = space(object + 1); *at == '"';) {
    const char *end = after_string(at), *value = space(space(end) + 1);
    if ((size_t)(end - at) == len + 2 && strncmp(at + 1, key, len) == 0) {
      return value;
    }
    at = space(after(value, 0));
    at = *at == ',' ? space(at + 1) : at;
  }
  return NULL;
}

lsp_value lsp_item(lsp_value array, int i) {
  if (array == NULL || *(array = space(array)) != '[') {
    return NULL;
  }
  const char *at = space(array + 1);
  for (; *at != ']' && i > 0; i--) {
    at = space(after(at, 0));
    at = *at == ',' ? space(at + 1) : at;
  }
  return *at == ']' ? NULL : at;
}

long lsp_number(lsp_value value, long other) {
  char *end;
  if (value == NULL) {
    return other;
  }
  long number = strtol(value, &end, 10);
  return end == value ? other : number;
}

bool lsp_raw(lsp_value value, const char **begin, size_t *count) {
  if (value == NULL) {
    return false;
  }
  *begin = space(value);
  *count = (size_t)(after(value, 0) - *begin);
  return true;
}

static int hex(const char *at) {
  int value = 0;
  for (int i = 0; i < 4; i++) {
    const char *digits = "0123456789abcdef", *found = strchr(digits, at[i] | ' ');
    if (at[i] == '\0' || found == NULL || *found == '\0') {
      return -1;
    }
    value = 16 * value + (int)(found - digits);
  }
  return value;
}

static char *put_utf8(char *to, unsigned c) {
  static const unsigned lead[] = {0, 0xc0, 0xe0, 0xf0};
  if (c < 0x80) {
    *to++ = (char)c;
    return to;
  }
  int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  *to++ = (char)(lead[more] | c >> 6 * more);
  while (more-- > 0) {
    *to++ = (char)(0x80 | (c >> 6 * more & 0x3f));
  }
  return to;
}

/* \uXXXX, with the second half of a pair; what stands alone is the sign for what is unknown. */
static const char *read_escape(const char *at, char **to) {
  enum { UNKNOWN = 0xfffd };
  static const char names[] = "nrtbf", signs[] = "\n\r\t\b\f";
  if (*at != 'u') {
    const char *name = strchr(names, *at);
    *(*to)++ = name != NULL ? signs[name - names] : *at;
    return at + 1;
  }
  int first = hex(at + 1), second = -1;
  if (first < 0) {
    *to = put_utf8(*to, UNKNOWN);
    return at + 1;
  }
  at += 5;
  if (first >= 0xd800 && first < 0xdc00 && at[0] == '\\' && at[1] == 'u') {
    second = hex(at + 2);
  }
  bool pair = second >= 0xdc00 && second < 0xe000, half = first >= 0xd800 && first < 0xe000;
  unsigned c = pair ? 0x10000u + ((unsigned)(first - 0xd800) << 10) + (unsigned)(second - 0xdc00)
                    : (unsigned)first;
  *to = put_utf8(*to, (half && !pair) || c == 0 ? UNKNOWN : c);
  return pair ? at + 6 : at;
}

char *lsp_string(lsp_value value) {
  if (value == NULL || *(value = space(value)) != '"') {
    return NULL;
  }
  char *out = cli_enough(malloc((size_t)(after_string(value) - value) + 1)), *to = out;
  for (const char *at = value + 1; *at != '"';) {
    if (*at == '\\') {
      at = read_escape(at + 1, &to);
    } else {
      *to++ = *at++;
    }
  }
  *to = '\0';
  return out;
}

/* ---- writing ---- */

static void put_bytes(cli_text *out, const char *bytes, size_t count) {
  out->bytes = cli_enough(realloc(out->bytes, out->count + count + 1));
  memcpy(out->bytes + out->count, bytes, count);
  out->count += count;
  out->bytes[out->count] = '\0';
}

void lsp_put(cli_text *out, const char *text) {
  put_bytes(out, text, strlen(text));
}

void lsp_printf(cli_text *out, const char *fmt, ...) {
  char text[512];
  va_list list;
  va_start(list, fmt);
  vsnprintf(text, sizeof text, fmt, list);
  va_end(list);
  lsp_put(out, text);
}

void lsp_put_string(cli_text *out, const char *text) {
  lsp_put(out, "\"");
  for (const char *at = text; *at != '\0'; at++) {
    if (*at == '"' || *at == '\\') {
      char pair[] = {'\\', *at};
      put_bytes(out, pair, 2);
    } else if ((unsigned char)*at < ' ') {
      lsp_printf(out, "\\u%04x", (unsigned)*at);
    } else {
      put_bytes(out, at, 1);
    }
  }
  lsp_put(out, "\"");
}
