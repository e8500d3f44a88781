// SPDX-License-Identifier: MIT
/* A growing text buffer on the heap. After a failed allocation it stays usable and `failed`. */
#ifndef PW_BASE_BUF_H
#define PW_BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>

#include "pawl/status.h"

typedef struct pw_buf {
  char *text; /* NUL-terminated once anything was added; may be NULL before */
  size_t len, cap;
  bool failed;
} pw_buf;

void pw_buf_add(pw_buf *buf, const char *bytes, size_t count);
void pw_buf_puts(pw_buf *buf, const char *text);
void pw_buf_printf(pw_buf *buf, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Shortest decimal form that reads back as the same double: "0.1", "9.81", "1e-09"; inf, nan. */
void pw_buf_real(pw_buf *buf, double x);
/* With 17 digits, as "%.17g" in the C locale; -0 is 0. */
void pw_buf_real_17(pw_buf *buf, double x);
/* A JSON string with quotes and escapes. */
void pw_buf_json(pw_buf *buf, const char *text);
/* JSON number; infinities and NaN become strings "inf", "-inf", "nan". */
void pw_buf_json_real(pw_buf *buf, double x);
void pw_buf_json_or_null(pw_buf *buf, const char *before, double x); /* null for an unknown value */
/* A sink that adds to the pw_buf it is given. */
int pw_buf_sink(void *payload, const char *bytes, unsigned long count);
/* Empties the buffer into the sink. */
PAWL_NODISCARD pawl_status pw_buf_flush(pw_buf *buf, pawl_sink sink, void *payload);
void pw_buf_free(pw_buf *buf);

#endif
