// SPDX-License-Identifier: MIT
#include "report/encode.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#ifdef PW_HAVE_ZLIB
#define ZLIB_CONST
#include <zlib.h>
#endif

/* ---- numbers ---- */

static uint64_t bits_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

/* Rounds to nearest in the last byte that stays; a carry into the exponent is right as well.
 * Infinity and NaN, and values that would become infinite, keep their first bytes. */
static uint64_t rounded(double x, int bytes) {
  uint64_t drop = bytes < 8 ? (UINT64_C(1) << (64 - 8 * bytes)) - 1 : 0, bits = bits_of(x);
  uint64_t up = (bits + (drop >> 1) + (drop & 1)) & ~drop;
  const uint64_t exponent = UINT64_C(0x7ff) << 52;
  return (up & exponent) == exponent ? bits & ~drop : up;
}

/* ---- columns ---- */

typedef struct differences { /* of orders 0 to 3, modulo 2^(8 bytes) */
  uint64_t last[PW_ENCODE_MOST_ORDER + 1];
  int bytes;
} differences;

static uint64_t folded(uint64_t d, int bytes) {
  int shift = 64 - 8 * bytes;
  int64_t s = (int64_t)(d << shift) >> shift;
  uint64_t all = shift == 0 ? UINT64_MAX : (UINT64_C(1) << (8 * bytes)) - 1;
  return (((uint64_t)s << 1) ^ (uint64_t)(s >> 63)) & all;
}

/* The next pattern; out: its differences up to `order`, as they are. */
static inline void step(differences *x, double value, int order, uint64_t *out) {
  uint64_t d = rounded(value, x->bytes) >> (64 - 8 * x->bytes);
  for (int k = 0; k <= order; k++) {
    uint64_t next = d - x->last[k];
    out[k] = d;
    x->last[k] = d;
    d = next;
  }
}

static uint64_t stored(const uint64_t *d, int order, int bytes) {
  return order == 0 ? d[0] : folded(d[order], bytes);
}

static int bytes_in(uint64_t v) {
  int n = 0;
  while (v != 0) {
    n++;
    v >>= 8;
  }
  return n;
}

enum { WINDOWS = 4, WINDOW = 128 }; /* of a column, by which its order is chosen */

static int best_order(const double *x, int64_t n, int bytes) {
  int64_t cost[PW_ENCODE_MOST_ORDER + 1] = {0};
  int64_t width = n <= WINDOWS * WINDOW ? n : WINDOW, gap = (n - width) / (WINDOWS - 1);
  int best = 0;
  for (int w = 0; w < (width == n ? 1 : WINDOWS); w++) {
    differences of = {.bytes = bytes};
    uint64_t out[PW_ENCODE_MOST_ORDER + 1];
    for (int64_t i = 0; i < width; i++) {
      step(&of, x[w * gap + i], PW_ENCODE_MOST_ORDER, out);
      for (int k = 0; k <= PW_ENCODE_MOST_ORDER; k++) {
        cost[k] += bytes_in(stored(out, k, bytes));
      }
    }
  }
  for (int k = 1; k <= PW_ENCODE_MOST_ORDER; k++) {
    best = cost[k] < cost[best] ? k : best;
  }
  return best;
}

static bool make_room(pw_buf *out, size_t count) {
  static const char zeros[4096] = {0};
  for (size_t left = count; left > 0 && !out->failed;) {
    size_t part = left < sizeof zeros ? left : sizeof zeros;
    pw_buf_add(out, zeros, part);
    left -= part;
  }
  return !out->failed;
}

int pw_encode_column(pw_buf *out, const double *x, int64_t n, int bytes) {
  int order = best_order(x, n, bytes);
  size_t begin = out->len;
  if (!make_room(out, (size_t)n * (size_t)bytes)) {
    return order;
  }
  differences of = {.bytes = bytes};
  uint64_t d[PW_ENCODE_MOST_ORDER + 1];
  for (int64_t i = 0; i < n; i++) {
    step(&of, x[i], order, d);
    uint64_t kept = stored(d, order, bytes);
    for (int k = 0; k < bytes; k++) {
      int shift = 8 * (bytes - 1 - k);
      out->text[begin + (size_t)k * (size_t)n + (size_t)i] = (char)(kept >> shift & 0xff);
    }
  }
  return order;
}

/* ---- packing ---- */

#ifdef PW_HAVE_ZLIB

/* Level 6 packs by a hundredth better and takes twice the time. */
enum { PIECE = 1 << 16, LEVEL = 3, RAW_WINDOW = -15, MEMORY_LEVEL = 9 };

const char *pw_encode_packing(void) {
  return "deflate-raw";
}

typedef struct input { /* what is left of several texts */
  const pw_buf *text;
  int n;
  size_t at; /* in the first of them */
} input;

/* zlib counts in 32 bits, so long texts are given in parts. */
static void give(z_stream *z, input *in) {
  while (in->n > 0 && in->at == in->text->len) {
    *in = (input){.text = in->text + 1, .n = in->n - 1};
  }
  if (z->avail_in == 0 && in->n > 0) {
    size_t left = in->text->len - in->at, part = left < PIECE ? left : PIECE;
    z->next_in = (const Bytef *)in->text->text + in->at;
    z->avail_in = (uInt)part;
    in->at += part;
  }
}

static bool is_last(const input *in) {
  return in->n == 0 || (in->n == 1 && in->at == in->text->len);
}

pawl_status pw_encode_pack(pw_buf *out, const pw_buf *text, int n) {
  input in = {.text = text, .n = n};
  z_stream z = {0};
  char piece[4096];
  if (deflateInit2(&z, LEVEL, Z_DEFLATED, RAW_WINDOW, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK) {
    return PAWL_E_MEMORY;
  }
  int state = Z_OK;
  while (state == Z_OK) {
    give(&z, &in);
    z.next_out = (Bytef *)piece;
    z.avail_out = sizeof piece;
    state = deflate(&z, is_last(&in) ? Z_FINISH : Z_NO_FLUSH);
    pw_buf_add(out, piece, sizeof piece - z.avail_out);
  }
  deflateEnd(&z);
  return out->failed || state != Z_STREAM_END ? PAWL_E_MEMORY : PAWL_OK;
}

#else

const char *pw_encode_packing(void) {
  return "none";
}

pawl_status pw_encode_pack(pw_buf *out, const pw_buf *text, int n) {
  for (int i = 0; i < n; i++) {
    pw_buf_add(out, text[i].text, text[i].len);
  }
  return out->failed ? PAWL_E_MEMORY : PAWL_OK;
}

#endif

/* ---- text ---- */

void pw_encode_text(pw_buf *out, const char *bytes, size_t count) {
  static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const unsigned char *at = (const unsigned char *)bytes;
  char piece[4096];
  size_t used = 0;
  for (size_t i = 0; i < count; i += 3) {
    size_t n = count - i < 3 ? count - i : 3;
    unsigned v = (unsigned)at[i] << 16 | (n > 1 ? (unsigned)at[i + 1] << 8 : 0) |
                 (n > 2 ? (unsigned)at[i + 2] : 0);
    piece[used++] = digit[v >> 18 & 63];
    piece[used++] = digit[v >> 12 & 63];
    piece[used++] = n > 1 ? digit[v >> 6 & 63] : '=';
    piece[used++] = n > 2 ? digit[v & 63] : '=';
    if (used == sizeof piece) {
      pw_buf_add(out, piece, used);
      used = 0;
    }
  }
  pw_buf_add(out, piece, used);
}
