// SPDX-License-Identifier: MIT
#include "traj/bytes.h"

#include "check.h"

static void checksums_of_known_texts(void) {
  CHECK_INT(pw_crc32(0, "123456789", 9), 0xcbf43926); /* the check value of the standard */
  CHECK_INT(pw_crc32(pw_crc32(0, "1234", 4), "56789", 5), 0xcbf43926);
  CHECK_INT(pw_crc32(0, "", 0), 0);
  CHECK(pw_fnv1a(PW_FNV_START, "a", 1) == 0xaf63dc4c8601ec8cu);
  CHECK(pw_fnv1a(PW_FNV_START, "foobar", 6) == 0x85944171f73967e8u);
}

/* Long texts go another way than the short pieces that they are put together from. */
static void long_checksums_are_those_of_their_pieces(void) {
  static unsigned char bytes[6000];
  for (size_t i = 0; i < sizeof bytes; i++) {
    bytes[i] = (unsigned char)(i * i * 31 + i / 7);
  }
  for (size_t count = 500; count <= sizeof bytes; count += 137) {
    uint32_t pieces = 1;
    for (size_t i = 0; i < count; i += 20) {
      pieces = pw_crc32(pieces, bytes + i, count - i < 20 ? count - i : 20);
    }
    CHECK_INT(pw_crc32(1, bytes, count), pieces);
  }
}

/* Every bit matters, also in the last word and in its place. */
static void sums_notice_every_bit(void) {
  unsigned char bytes[45];
  for (size_t i = 0; i < sizeof bytes; i++) {
    bytes[i] = (unsigned char)(i * 37);
  }
  uint64_t whole = pw_sum64(0, bytes, sizeof bytes);
  CHECK(pw_sum64(pw_sum64(0, bytes, 16), bytes + 16, sizeof bytes - 16) == whole);
  for (size_t i = 0; i < 8 * sizeof bytes; i++) {
    bytes[i / 8] ^= (unsigned char)(1 << i % 8);
    CHECK(pw_sum64(0, bytes, sizeof bytes) != whole);
    bytes[i / 8] ^= (unsigned char)(1 << i % 8);
  }
  unsigned char swapped[sizeof bytes];
  memcpy(swapped, bytes, sizeof bytes);
  memcpy(swapped, bytes + 8, 8);
  memcpy(swapped + 8, bytes, 8);
  CHECK(pw_sum64(0, swapped, sizeof swapped) != whole);
}

static void everything_comes_back(void) {
  pw_buf buf = {0};
  const double values[] = {1.5, -0.0, 1e300};
  pw_put_int(&buf, -7);
  pw_put_text(&buf, "three");
  pw_put_text(&buf, NULL);
  pw_put_text(&buf, "");
  pw_put_reals(&buf, values, 3);
  pw_put_blob(&buf, "\1\2\3", 3);
  pw_put_real(&buf, 0.1);
  CHECK_INT(buf.len % 8, 0);
  pw_reader r = {.at = buf.text, .end = buf.text + buf.len};
  size_t count;
  CHECK_INT(pw_get_int(&r), -7);
  CHECK_STR(pw_get_text(&r), "three");
  CHECK(pw_get_text(&r) == NULL);
  CHECK_STR(pw_get_text(&r), "");
  const double *back = pw_get_reals(&r, 3);
  CHECK(back != NULL && memcmp(back, values, sizeof values) == 0);
  const char *blob = pw_get_blob(&r, &count);
  CHECK(count == 3 && blob != NULL && blob[2] == 3);
  CHECK_NEAR(pw_get_real(&r), 0.1, 0);
  CHECK(!r.bad && r.at == r.end);
  CHECK_INT(pw_get_int(&r), 0);
  CHECK(r.bad);
  pw_buf_free(&buf);
}

/* Any prefix of good bytes, and any flipped length, ends in `bad` and never outside. */
static void torn_bytes_are_noticed(void) {
  pw_buf buf = {0};
  pw_put_text(&buf, "a text of some length");
  pw_put_int(&buf, 3);
  for (size_t len = 0; len < buf.len; len++) {
    pw_reader r = {.at = buf.text, .end = buf.text + len};
    pw_get_text(&r);
    pw_get_int(&r);
    CHECK(r.bad);
  }
  buf.text[6] = 0x7f; /* a length beyond everything */
  pw_reader r = {.at = buf.text, .end = buf.text + buf.len};
  CHECK(pw_get_text(&r) == NULL && r.bad);
  pw_reader limited = {.at = buf.text + buf.len - 8, .end = buf.text + buf.len};
  CHECK_INT(pw_get_count(&limited, 2), 0);
  CHECK(limited.bad);
  pw_buf_free(&buf);
}

CHECK_MAIN({"long_checksums_are_those_of_their_pieces", long_checksums_are_those_of_their_pieces},
           {"checksums of known texts", checksums_of_known_texts},
           {"sums notice every bit", sums_notice_every_bit},
           {"everything comes back", everything_comes_back},
           {"torn bytes are noticed", torn_bytes_are_noticed})
