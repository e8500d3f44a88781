// SPDX-License-Identifier: MIT
/* Columns of numbers packed into few bytes, and these as text: the trajectory in a report.
 *
 * Numbers of a smooth column have bit patterns that follow each other like their values. So a
 * column is stored as differences of these patterns, of the order that makes them smallest, as
 * unsigned numbers (0, -1, 1, -2, ... become 0, 1, 2, 3, ...), all first bytes together, then all
 * second bytes. Deflate compresses the result. */
#ifndef PW_REPORT_ENCODE_H
#define PW_REPORT_ENCODE_H

#include <stdint.h>

#include "base/buf.h"

enum { PW_ENCODE_MOST_ORDER = 3 };

/* Appends n numbers, each rounded to a double whose last 8 - bytes bytes are zero (bytes: 1..8),
 * most significant planes first.
 * Returns the order of the differences, 0..PW_ENCODE_MOST_ORDER. */
int pw_encode_column(pw_buf *out, const double *x, int64_t n, int bytes);

/* "deflate-raw", or "none" in a build without zlib. */
const char *pw_encode_packing(void);
/* Appends the bytes of n texts, one behind the other, packed in this way. */
PAWL_NODISCARD pawl_status pw_encode_pack(pw_buf *out, const pw_buf *text, int n);

/* Base64 with padding, RFC 4648. */
void pw_encode_text(pw_buf *out, const char *bytes, size_t count);

#endif
