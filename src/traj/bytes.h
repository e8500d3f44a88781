// SPDX-License-Identifier: MIT
/* Numbers and texts as bytes in the order of this machine. Everything takes a multiple of eight
 * bytes, so that a reader may hand out pointers to doubles and strings in place. */
#ifndef PW_TRAJ_BYTES_H
#define PW_TRAJ_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

void pw_put_int(pw_buf *buf, long long value);
void pw_put_real(pw_buf *buf, double value);
void pw_put_reals(pw_buf *buf, const double *values, int n);
void pw_put_text(pw_buf *buf, const char *text); /* may be NULL */
void pw_put_blob(pw_buf *buf, const void *bytes, size_t count);

/* After a read past the end, or of something that cannot be there, `bad` is set and all values
 * read are 0, empty or NULL. */
typedef struct pw_reader {
  const char *at, *end;
  bool bad;
} pw_reader;

long long pw_get_int(pw_reader *r);
int pw_get_count(pw_reader *r, int most); /* 0..most */
double pw_get_real(pw_reader *r);
const double *pw_get_reals(pw_reader *r, int n);
const char *pw_get_text(pw_reader *r);
const void *pw_get_blob(pw_reader *r, size_t *count);

/* CRC-32 of IEEE 802.3 (zip, png), continued from crc (0 at first). */
uint32_t pw_crc32(uint32_t crc, const void *bytes, size_t count);

/* Sum of the words of eight bytes, the last one filled up with zeros. Each step is a bijection of
 * the sum so far, hence a change within one word is always noticed, any other but for one in 2^64.
 * Five operations per word where the CRC takes thirty. Continued from sum (0 at first). */
uint64_t pw_sum64(uint64_t sum, const void *bytes, size_t count);

#define PW_FNV_START 0xcbf29ce484222325u
#define PW_FNV_PRIME 0x100000001b3u
/* FNV-1a with 64 bits, continued from hash (PW_FNV_START at first). */
uint64_t pw_fnv1a(uint64_t hash, const void *bytes, size_t count);

#endif
