// SPDX-License-Identifier: MIT
/* Columns read back by a decoder that is written from the description in encode.h alone. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "report/encode.h"

static double of_bits(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static uint64_t bits_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

/* Sums differences of the given order, modulo 2^(8 bytes). */
static double *decode(const char *text, long n, int bytes, int order) {
  double *x = calloc((size_t)n + 1, sizeof *x);
  uint64_t sum[4] = {0}, mask = bytes == 8 ? UINT64_MAX : (UINT64_C(1) << (8 * bytes)) - 1;
  for (long i = 0; i < n; i++) {
    uint64_t v = 0;
    for (int k = 0; k < bytes; k++) {
      v = v << 8 | (unsigned char)text[(long)k * n + i];
    }
    if (order > 0) {
      v = (v & 1) != 0 ? ~(v >> 1) : v >> 1;
    }
    for (int k = order - 1; k >= 0; k--) {
      v = sum[k] = (v + sum[k]) & mask;
    }
    x[i] = of_bits((v & mask) << (64 - 8 * bytes));
  }
  return x;
}

/* y is the number nearest to x among those with so many bytes. */
static void check_rounded(double x, double y, int bytes) {
  uint64_t drop = bytes == 8 ? 0 : (UINT64_C(1) << (64 - 8 * bytes)) - 1, unit = drop + 1;
  CHECK((bits_of(y) & drop) == 0 || bytes == 8);
  if (bytes == 8 || (bits_of(x) & drop) == 0) {
    CHECK(bits_of(x) == bits_of(y));
  } else if (isnan(x)) {
    CHECK(isnan(y) || bytes == 1); /* one byte has no room for the mark of a NaN */
  } else {
    uint64_t below = bits_of(x) & ~drop, above = below + unit;
    CHECK(bits_of(y) == below || bits_of(y) == above);
    bool lower = bits_of(x) - below <= above - bits_of(x);
    CHECK(bits_of(y) == (lower ? below : above) || bits_of(x) - below == above - bits_of(x) ||
          isinf(of_bits(above)) || isnan(of_bits(above)));
  }
}

static void check_column(const double *x, long n, int bytes) {
  pw_buf out = {0};
  int order = pw_encode_column(&out, x, n, bytes);
  CHECK(order >= 0 && order <= PW_ENCODE_MOST_ORDER);
  CHECK_INT(out.len, n * bytes);
  double *y = decode(out.text, n, bytes, order);
  for (long i = 0; i < n; i++) {
    check_rounded(x[i], y[i], bytes);
  }
  free(y);
  pw_buf_free(&out);
}

static void reads_back(void) {
  enum { N = 500 };
  double smooth[N], noise[N], times[N], odd[N];
  uint64_t seed = 7;
  const double strange[] = {0,      -0.0,    INFINITY, -INFINITY, NAN,
                            5e-324, -5e-324, 1.7e308,  -1.7e308,  1};
  for (int i = 0; i < N; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    smooth[i] = sin(0.02 * i) * exp(-0.001 * i);
    times[i] = 0.001 * i;
    noise[i] = of_bits(seed);
    odd[i] = strange[(seed >> 33) % 10];
  }
  for (int bytes = 1; bytes <= 8; bytes++) {
    check_column(smooth, N, bytes);
    check_column(times, N, bytes);
    check_column(noise, N, bytes);
    check_column(odd, N, bytes);
    check_column(smooth, 1, bytes);
    check_column(smooth, 0, bytes);
  }
}

static double through(double x, int bytes) {
  pw_buf out = {0};
  int order = pw_encode_column(&out, &x, 1, bytes);
  double *y = decode(out.text, 1, bytes, order), value = y[0];
  free(y);
  pw_buf_free(&out);
  return value;
}

/* Whole numbers, infinities and NaN stay what they are; the largest number stays finite. */
static void rounds(void) {
  CHECK(through(1.0 / 3, 8) == 1.0 / 3);
  CHECK_NEAR(through(1.0 / 3, 5), 1.0 / 3, 1.0 / 3 * ldexp(1, -28));
  CHECK_NEAR(through(-1e300 / 7, 6), -1e300 / 7, 1e300 / 7 * ldexp(1, -36));
  CHECK(through(2, 2) == 2 && through(5000, 4) == 5000);
  CHECK(through(1.9999999, 3) == 2);
  CHECK(isinf(through(INFINITY, 2)) && isnan(through(NAN, 2)));
  CHECK(isfinite(through(1.7976931348623157e308, 4)));
}

/* Smooth columns become small differences: most bytes of the first planes are zero. */
static void gains(void) {
  enum { N = 2000 };
  static double x[N];
  for (int i = 0; i < N; i++) {
    x[i] = 1.2 + 0.3 * cos(0.01 * i);
  }
  pw_buf out = {0}, packed = {0};
  int order = pw_encode_column(&out, x, N, 8), zeros = 0;
  CHECK(order >= 2);
  for (size_t i = 0; i < out.len; i++) {
    zeros += out.text[i] == 0;
  }
  CHECK(zeros > N * 3);
  CHECK_INT(pw_encode_pack(&packed, &out, 1), PAWL_OK);
  if (strcmp(pw_encode_packing(), "none") != 0) {
    CHECK(packed.len < 5 * N);
  } else {
    CHECK_INT(packed.len, out.len);
  }
  pw_buf_free(&out);
  pw_buf_free(&packed);
}

/* Texts one behind the other give the bytes of one text; some of them may be empty. */
static void joins(void) {
  enum { N = 150000 };
  pw_buf whole = {0}, part[4] = {{0}}, once = {0}, several = {0};
  for (int i = 0; i < N; i++) {
    char byte = (char)((unsigned)i * (unsigned)i % 251u);
    pw_buf_add(&whole, &byte, 1);
    pw_buf_add(&part[i < 7 ? 0 : 2], &byte, 1);
  }
  CHECK_INT(pw_encode_pack(&once, &whole, 1), PAWL_OK);
  CHECK_INT(pw_encode_pack(&several, part, 4), PAWL_OK);
  CHECK_INT(several.len, once.len);
  CHECK(several.len == once.len && memcmp(several.text, once.text, once.len) == 0);
  pw_buf_free(&whole);
  pw_buf_free(&part[0]);
  pw_buf_free(&part[2]);
  pw_buf_free(&once);
  pw_buf_free(&several);
}

static void base64(void) {
  static const struct {
    const char *bytes, *text;
  } known[] = {{"", ""},
               {"f", "Zg=="},
               {"fo", "Zm8="},
               {"foo", "Zm9v"},
               {"foob", "Zm9vYg=="},
               {"fooba", "Zm9vYmE="},
               {"foobar", "Zm9vYmFy"}}; /* RFC 4648 */
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    pw_buf out = {0};
    pw_encode_text(&out, known[i].bytes, strlen(known[i].bytes));
    CHECK_STR(out.text == NULL ? "" : out.text, known[i].text);
    pw_buf_free(&out);
  }
}

CHECK_MAIN({"reads_back", reads_back}, {"rounds", rounds}, {"gains", gains}, {"joins", joins},
           {"base64", base64})
