// SPDX-License-Identifier: MIT
#include "base/buf.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/decimal.h"
#include "base/glyph.h"

/* Room for `count` more bytes and the closing NUL. */
static bool reserve(pw_buf *buf, size_t count) {
  if (buf->failed) {
    return false;
  }
  PW_ASSERT(buf->cap == 0 ? buf->len == 0 : buf->len < buf->cap);
  if (count < buf->cap - buf->len) {
    return true;
  }
  if (count > SIZE_MAX / 4 || buf->len > SIZE_MAX / 4) {
    buf->failed = true;
    return false;
  }
  size_t cap = buf->cap == 0 ? 256 : buf->cap;
  while (cap <= buf->len + count) {
    cap *= 2;
  }
  char *text = realloc(buf->text, cap);
  if (text == NULL) {
    buf->failed = true;
    return false;
  }
  buf->text = text;
  buf->cap = cap;
  return true;
}

void pw_buf_add(pw_buf *buf, const char *bytes, size_t count) {
  if (reserve(buf, count)) {
    if (count > 0) { /* nothing may come from nowhere: an empty buffer has no text */
      memcpy(buf->text + buf->len, bytes, count);
    }
    buf->len += count;
    buf->text[buf->len] = '\0';
  }
}

void pw_buf_puts(pw_buf *buf, const char *text) {
  pw_buf_add(buf, text, strlen(text));
}

void pw_buf_printf(pw_buf *buf, const char *fmt, ...) {
  char small[256];
  va_list args;
  va_start(args, fmt);
  int count = vsnprintf(small, sizeof small, fmt, args);
  va_end(args);
  if (count < 0) {
    buf->failed = true;
  } else if ((size_t)count < sizeof small) {
    pw_buf_add(buf, small, (size_t)count);
  } else if (reserve(buf, (size_t)count)) {
    va_start(args, fmt);
    vsnprintf(buf->text + buf->len, (size_t)count + 1, fmt, args);
    va_end(args);
    buf->len += (size_t)count;
  }
}

/* Any decimal of up to DBL_DIG = 15 digits survives the way through a normal double, so if 15
 * digits read back they are the shortest form already, %g having dropped the zeros. */
static void format_shortest(char *out, size_t size, double x) {
  int digits = fabs(x) < DBL_MIN ? 1 : DBL_DIG;
  for (; digits <= 17; digits++) {
    snprintf(out, size, "%.*g", digits, x);
    if (strtod(out, NULL) == x) {
      return;
    }
  }
}

static bool put_special(pw_buf *buf, double x) {
  if (!isfinite(x)) {
    pw_buf_puts(buf, isnan(x) ? "nan" : x > 0 ? "inf" : "-inf");
  }
  return !isfinite(x);
}

/* The host program may have set a locale with another point. */
static void put_with_point(pw_buf *buf, const char *digits) {
  const char *point = localeconv()->decimal_point;
  const char *at = strstr(digits, point);
  if (at == NULL || strcmp(point, ".") == 0) {
    pw_buf_puts(buf, digits);
    return;
  }
  pw_buf_add(buf, digits, (size_t)(at - digits));
  pw_buf_puts(buf, ".");
  pw_buf_puts(buf, at + strlen(point));
}

void pw_buf_real(pw_buf *buf, double x) {
  char digits[40];
  if (put_special(buf, x)) {
    return;
  }
  if (pw_decimal_shortest(x, digits)) {
    pw_buf_puts(buf, digits);
    return;
  }
  format_shortest(digits, sizeof digits, x);
  put_with_point(buf, digits);
}

void pw_buf_real_17(pw_buf *buf, double x) {
  char digits[40];
  x += 0.0; /* -0 is 0 */
  if (put_special(buf, x)) {
    return;
  }
  if (pw_decimal_17(x, digits)) {
    pw_buf_puts(buf, digits);
    return;
  }
  snprintf(digits, sizeof digits, "%.17g", x);
  put_with_point(buf, digits);
}

static void json_char(pw_buf *buf, const char *bytes, int len, int32_t code) {
  if (code == '"' || code == '\\') {
    pw_buf_add(buf, "\\", 1);
    pw_buf_add(buf, bytes, 1);
  } else if (code == '\n') {
    pw_buf_puts(buf, "\\n");
  } else if (code == '\t') {
    pw_buf_puts(buf, "\\t");
  } else if (code >= 0 && code < 0x20) {
    pw_buf_printf(buf, "\\u%04lx", (unsigned long)code);
  } else if (code < 0) {
    pw_buf_puts(buf, "\\ufffd");
  } else {
    pw_buf_add(buf, bytes, (size_t)len);
  }
}

/* Leading characters that need no escape. */
static size_t plain_run(const char *text) {
  size_t n = 0;
  while (text[n] >= ' ' && text[n] <= '~' && text[n] != '"' && text[n] != '\\') {
    n++;
  }
  return n;
}

void pw_buf_json(pw_buf *buf, const char *text) {
  const char *end = text + strlen(text);
  pw_buf_puts(buf, "\"");
  while (text < end) {
    size_t plain = plain_run(text);
    if (plain > 0) {
      pw_buf_add(buf, text, plain);
      text += plain;
      continue;
    }
    int32_t code;
    int len = pw_glyph_next(text, end, &code);
    json_char(buf, text, len, code);
    text += len;
  }
  pw_buf_puts(buf, "\"");
}

void pw_buf_json_real(pw_buf *buf, double x) {
  const char *quote = isfinite(x) ? "" : "\"";
  pw_buf_puts(buf, quote);
  pw_buf_real(buf, x + 0.0); /* -0 is 0 */
  pw_buf_puts(buf, quote);
}

void pw_buf_json_or_null(pw_buf *buf, const char *before, double x) {
  pw_buf_puts(buf, before);
  if (isnan(x)) {
    pw_buf_puts(buf, "null");
  } else {
    pw_buf_json_real(buf, x);
  }
}

int pw_buf_sink(void *payload, const char *bytes, unsigned long count) {
  pw_buf *buf = payload;
  pw_buf_add(buf, bytes, count);
  return buf->failed;
}

pawl_status pw_buf_flush(pw_buf *buf, pawl_sink sink, void *payload) {
  if (sink == NULL) {
    return PAWL_E_ARGUMENT;
  }
  if (buf->failed) {
    return PAWL_E_MEMORY;
  }
  size_t len = buf->len;
  buf->len = 0;
  if (len > 0 && sink(payload, buf->text, len) != 0) {
    return PAWL_E_FILE;
  }
  return PAWL_OK;
}

void pw_buf_free(pw_buf *buf) {
  free(buf->text);
  *buf = (pw_buf){0};
}
