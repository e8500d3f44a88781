// SPDX-License-Identifier: MIT
#include "traj/bytes.h"

#include <string.h>

static void pad(pw_buf *buf, size_t count) {
  static const char zero[8] = {0};
  pw_buf_add(buf, zero, (8 - count % 8) % 8);
}

void pw_put_int(pw_buf *buf, long long value) {
  pw_buf_add(buf, (const char *)&value, sizeof value);
}

void pw_put_real(pw_buf *buf, double value) {
  pw_buf_add(buf, (const char *)&value, sizeof value);
}

void pw_put_reals(pw_buf *buf, const double *values, int n) {
  if (n > 0) {
    pw_buf_add(buf, (const char *)values, (size_t)n * sizeof *values);
  }
}

void pw_put_blob(pw_buf *buf, const void *bytes, size_t count) {
  pw_put_int(buf, (long long)count);
  if (count > 0) {
    pw_buf_add(buf, bytes, count);
    pad(buf, count);
  }
}

/* With its NUL, so that it can be used in place; NULL has no bytes at all. */
void pw_put_text(pw_buf *buf, const char *text) {
  pw_put_blob(buf, text, text == NULL ? 0 : strlen(text) + 1);
}

static const void *take(pw_reader *r, size_t count) {
  if (r->bad || count > (size_t)(r->end - r->at)) {
    r->bad = true;
    return NULL;
  }
  const char *at = r->at;
  r->at = count > 0 ? at + count : at; /* a part without bytes may be NULL */
  return at;
}

long long pw_get_int(pw_reader *r) {
  long long value = 0;
  const void *at = take(r, sizeof value);
  if (at != NULL) {
    memcpy(&value, at, sizeof value);
  }
  return value;
}

int pw_get_count(pw_reader *r, int most) {
  long long value = pw_get_int(r);
  if (value < 0 || value > most) {
    r->bad = true;
    return 0;
  }
  return (int)value;
}

double pw_get_real(pw_reader *r) {
  double value = 0;
  const void *at = take(r, sizeof value);
  if (at != NULL) {
    memcpy(&value, at, sizeof value);
  }
  return value;
}

const double *pw_get_reals(pw_reader *r, int n) {
  return n < 0 ? NULL : take(r, (size_t)n * sizeof(double));
}

const void *pw_get_blob(pw_reader *r, size_t *count) {
  long long size = pw_get_int(r);
  *count = 0;
  if (size <= 0 || size > r->end - r->at) {
    r->bad = r->bad || size != 0;
    return NULL;
  }
  const void *at = take(r, ((size_t)size + 7) / 8 * 8);
  *count = at == NULL ? 0 : (size_t)size;
  return at;
}

const char *pw_get_text(pw_reader *r) {
  size_t count;
  const char *text = pw_get_blob(r, &count);
  if (text != NULL && text[count - 1] != '\0') {
    r->bad = true;
    return NULL;
  }
  return text;
}

/* The remainders of the sixteen half bytes for x^32 + x^26 + ..., reflected. */
static const uint32_t half_byte[16] = {
    0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
    0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};

static uint32_t shift_half_byte(uint32_t crc) {
  return crc >> 4 ^ half_byte[crc & 15];
}

static uint32_t word(const unsigned char *at) {
  return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* Eight bytes at a time: each byte has its own table of remainders for the number of bytes that
 * follow, so that the lookups are independent. */
static uint32_t crc32_by_eight(uint32_t crc, const unsigned char *at, size_t eights) {
  uint32_t behind[8][256];
  for (uint32_t i = 0; i < 256; i++) {
    behind[0][i] = shift_half_byte(shift_half_byte(i));
  }
  for (int k = 1; k < 8; k++) {
    for (int i = 0; i < 256; i++) {
      uint32_t before = behind[k - 1][i];
      behind[k][i] = before >> 8 ^ behind[0][before & 255];
    }
  }

  for (; eights > 0; eights--, at += 8) {
    uint32_t a = crc ^ word(at), b = word(at + 4);
    crc = behind[7][a & 255] ^ behind[6][a >> 8 & 255] ^ behind[5][a >> 16 & 255] ^
          behind[4][a >> 24] ^ behind[3][b & 255] ^ behind[2][b >> 8 & 255] ^
          behind[1][b >> 16 & 255] ^ behind[0][b >> 24];
  }
  return crc;
}

uint32_t pw_crc32(uint32_t crc, const void *bytes, size_t count) {
  const unsigned char *at = bytes;
  size_t eights = count >= 4096 ? count / 8 : 0; /* worth the tables */
  crc = ~crc;
  if (eights > 0) {
    crc = crc32_by_eight(crc, at, eights);
  }
  for (size_t i = 8 * eights; i < count; i++) {
    crc = shift_half_byte(shift_half_byte(crc ^ at[i]));
  }
  return ~crc;
}

/* s -> (s xor w) odd, s -> s xor (s >> 32): both can be undone. The odd number is 2^64 over the
 * golden ratio, which spreads neighbouring words. */
static uint64_t add_word(uint64_t sum, uint64_t w) {
  sum = (sum ^ w) * 0x9e3779b97f4a7c15u;
  return sum ^ sum >> 32;
}

uint64_t pw_sum64(uint64_t sum, const void *bytes, size_t count) {
  const unsigned char *at = bytes;
  uint64_t w;
  for (; count >= sizeof w; count -= sizeof w, at += sizeof w) {
    memcpy(&w, at, sizeof w);
    sum = add_word(sum, w);
  }
  if (count > 0) {
    w = 0;
    memcpy(&w, at, count);
    sum = add_word(sum, w);
  }
  return sum;
}

uint64_t pw_fnv1a(uint64_t hash, const void *bytes, size_t count) {
  const unsigned char *at = bytes;
  for (size_t i = 0; i < count; i++) {
    hash = (hash ^ at[i]) * PW_FNV_PRIME;
  }
  return hash;
}
