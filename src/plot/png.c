// SPDX-License-Identifier: MIT
/* PNG with its own compression. Each row is stored as its difference from the row above (filter
 * "up"), so that a plot is mostly zeros; deflate (RFC 1951) with the fixed codes then needs
 * repetitions of the last byte only. */
#include <stdint.h>
#include <string.h>

#include "plot/canvas.h"
#include "traj/bytes.h"

/* ---- deflate ---- */

typedef struct bits {
  pw_buf *out;
  uint32_t waiting; /* bits that fill no byte yet, the first one lowest */
  int n;
  uint32_t a, b; /* Adler-32 of the packed data */
} bits;

static void put_bits(bits *w, uint32_t value, int n) {
  w->waiting |= value << w->n;
  w->n += n;
  while (w->n >= 8) {
    char byte = (char)(w->waiting & 255);
    pw_buf_add(w->out, &byte, 1);
    w->waiting >>= 8;
    w->n -= 8;
  }
}

/* Codes are written with their highest bit first. */
static void put_code(bits *w, uint32_t code, int n) {
  uint32_t turned = 0;
  for (int i = 0; i < n; i++) {
    turned |= (code >> i & 1) << (n - 1 - i);
  }
  put_bits(w, turned, n);
}

/* The fixed codes of RFC 1951, 3.2.6. */
static void put_symbol(bits *w, int symbol) {
  uint32_t s = (uint32_t)symbol;
  if (symbol < 144) {
    put_code(w, 0x30 + s, 8);
  } else if (symbol < 256) {
    put_code(w, 0x190 + s - 144, 9);
  } else if (symbol < 280) {
    put_code(w, s - 256, 7);
  } else {
    put_code(w, 0xc0 + s - 280, 8);
  }
}

enum { LEAST_RUN = 3, LONGEST_RUN = 258 };

/* `length` times the byte before. */
static void put_run(bits *w, int length) {
  static const short first[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
  int k = (int)(sizeof first / sizeof *first) - 1;
  while (first[k] > length) {
    k--;
  }
  int extra = k < 8 || k == 28 ? 0 : k / 4 - 1;
  put_symbol(w, 257 + k);
  put_bits(w, (uint32_t)(length - first[k]), extra);
  put_code(w, 0, 5); /* distance 1 */
}

static void add_sum(bits *w, const unsigned char *bytes, size_t n) {
  for (size_t i = 0; i < n; i++) {
    w->a = (w->a + bytes[i]) % 65521;
    w->b = (w->b + w->a) % 65521;
  }
}

/* One row; runs do not cross rows. */
static void pack(bits *w, const unsigned char *bytes, size_t n) {
  add_sum(w, bytes, n);
  for (size_t i = 0; i < n;) {
    put_symbol(w, bytes[i]);
    size_t run = 0;
    while (i + 1 + run < n && run < LONGEST_RUN && bytes[i + 1 + run] == bytes[i]) {
      run++;
    }
    if (run >= LEAST_RUN) {
      put_run(w, (int)run);
      i += run;
    }
    i++;
  }
}

/* ---- the file ---- */

static void put_big(pw_buf *out, uint32_t x) {
  char bytes[] = {(char)(x >> 24), (char)(x >> 16 & 255), (char)(x >> 8 & 255), (char)(x & 255)};
  pw_buf_add(out, bytes, 4);
}

static void put_chunk(pw_buf *out, const char *name, const char *bytes, size_t n) {
  put_big(out, (uint32_t)n);
  pw_buf_add(out, name, 4);
  pw_buf_add(out, bytes, n);
  put_big(out, pw_crc32(pw_crc32(0, name, 4), bytes, n));
}

static void put_header(pw_buf *out, int width, int height) {
  pw_buf head = {0};
  put_big(&head, (uint32_t)width);
  put_big(&head, (uint32_t)height);
  pw_buf_add(&head, "\10\2\0\0\0", 5); /* 8 bits, red green blue */
  put_chunk(out, "IHDR", head.text, head.len);
  out->failed = out->failed || head.failed;
  pw_buf_free(&head);
}

static void pack_rows(const unsigned char *rgb, int width, int height, pw_buf *packed) {
  static const unsigned char up = 2;
  size_t n = 3 * (size_t)width;
  bits w = {.out = packed, .a = 1};
  pw_buf row = {0};
  pw_buf_add(packed, "\x78\x01", 2);
  put_bits(&w, 3, 3); /* the last block, fixed codes */
  for (int y = 0; y < height && !packed->failed && !row.failed; y++) {
    const unsigned char *here = rgb + (size_t)y * n, *above = y == 0 ? here : here - n;
    row.len = 0;
    pw_buf_add(&row, (const char *)&up, 1);
    for (size_t i = 0; i < n; i++) {
      char byte = (char)(unsigned char)(here[i] - (y == 0 ? 0 : above[i]));
      pw_buf_add(&row, &byte, 1);
    }
    pack(&w, (const unsigned char *)row.text, row.len);
  }
  put_symbol(&w, 256);
  put_bits(&w, 0, 7); /* fills the last byte */
  put_big(packed, w.b << 16 | w.a);
  packed->failed = packed->failed || row.failed;
  pw_buf_free(&row);
}

void pw_png_write(const unsigned char *rgb, int width, int height, pw_buf *out) {
  pw_buf packed = {0};
  pw_buf_add(out, "\x89PNG\r\n\x1a\n", 8);
  put_header(out, width, height);
  pack_rows(rgb, width, height, &packed);
  if (!packed.failed) {
    put_chunk(out, "IDAT", packed.text, packed.len);
  }
  put_chunk(out, "IEND", "", 0);
  out->failed = out->failed || packed.failed;
  pw_buf_free(&packed);
}
