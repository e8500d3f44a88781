// SPDX-License-Identifier: MIT
/* |x| = f 2^e with f < 2^53, and |x| 10^k = f 5^k 2^(e+k): the product f 5^k is a whole number of
 * at most four words, so that the digits and the rounded-off remainder are exact. */
#include "base/decimal.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { DIGITS = 17, MOST_POWER = 80, WORDS = 4, FIVES = 27 }; /* 5^27 < 2^63, 2^53 5^80 < 2^239 */
enum { EIGHT = 100000000 };
static const double least = 1e-63, most = 1e17;
static const double plain = 1e15;                  /* beyond it %.15g has an exponent */
static const uint64_t limit = 100000000000000000u; /* 10^17 */

static const uint64_t five_to_the[FIVES + 1] = {1u,
                                                5u,
                                                25u,
                                                125u,
                                                625u,
                                                3125u,
                                                15625u,
                                                78125u,
                                                390625u,
                                                1953125u,
                                                9765625u,
                                                48828125u,
                                                244140625u,
                                                1220703125u,
                                                6103515625u,
                                                30517578125u,
                                                152587890625u,
                                                762939453125u,
                                                3814697265625u,
                                                19073486328125u,
                                                95367431640625u,
                                                476837158203125u,
                                                2384185791015625u,
                                                11920928955078125u,
                                                59604644775390625u,
                                                298023223876953125u,
                                                1490116119384765625u,
                                                7450580596923828125u};

static inline void multiply(uint64_t a, uint64_t b, uint64_t *high, uint64_t *low) {
#ifdef __SIZEOF_INT128__
  __extension__ typedef unsigned __int128 two_words;
  two_words product = (two_words)a * b;
  *low = (uint64_t)product;
  *high = (uint64_t)(product >> 64);
#else
  uint64_t a0 = a & 0xffffffffu, a1 = a >> 32, b0 = b & 0xffffffffu, b1 = b >> 32;
  uint64_t middle = a1 * b0 + (a0 * b0 >> 32), cross = a0 * b1 + (middle & 0xffffffffu);
  *low = a * b;
  *high = a1 * b1 + (middle >> 32) + (cross >> 32);
#endif
}

static inline void times(uint64_t *word, int n, uint64_t by) {
  uint64_t carry = 0;
  for (int i = 0; i < n; i++) {
    uint64_t high, low;
    multiply(word[i], by, &high, &low);
    word[i] = low + carry;
    carry = high + (word[i] < low);
  }
}

typedef struct scaled { /* a number times a power of ten */
  uint64_t whole;       /* rounded down */
  double part;          /* remainder, 0 .. 1, to 2^-53 */
  bool up;              /* the nearest whole number, of two the even one, is one more */
} scaled;

/* Words from bit `shift` on, and below it. */
static scaled cut(const uint64_t *word, int shift) {
  int at = shift / 64, bit = shift % 64;
  uint64_t below = bit == 0 ? 0 : word[at] << (64 - bit); /* the 64 bits under the cut */
  if (at > 0) {
    below |= word[at - 1] >> bit;
  }
  bool more = at > 0 && (word[at - 1] & (((uint64_t)1 << bit) - 1)) != 0;
  for (int i = 0; i < at - 1; i++) {
    more = more || word[i] != 0;
  }
  uint64_t whole = word[at] >> bit;
  whole |= bit == 0 || at + 1 == WORDS ? 0 : word[at + 1] << (64 - bit);
  const uint64_t half = (uint64_t)1 << 63;
  return (scaled){.whole = whole,
                  .part = (double)below * 0x1p-64,
                  .up = below > half || (below == half && (more || whole % 2 == 1))};
}

/* f 5^k 2^(e+k) */
static scaled scale(uint64_t f, int e, int k) {
  uint64_t word[WORDS + 1] = {f};
  int shift = -(e + k), n = k <= FIVES ? 2 : WORDS;
  for (; k > FIVES; k -= FIVES) {
    times(word, n, five_to_the[FIVES]);
  }
  times(word, n, five_to_the[k]);
  return shift <= 0 ? (scaled){.whole = word[0] << -shift} : cut(word, shift);
}

/* Eight digits of m < 10^8, two at a time. */
static void put_eight(uint32_t m, char *at) {
  static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                              "25262728293031323334353637383940414243444546474849"
                              "50515253545556575859606162636465666768697071727374"
                              "75767778798081828384858687888990919293949596979899";
  for (int i = 6; i >= 0; i -= 2) {
    memcpy(at + i, pairs + (ptrdiff_t)2 * (m % 100), 2);
    m /= 100;
  }
}

/* As %g does: exponents from -4 to 16 without e, zeros at the end dropped. Digits are copied in
 * pieces of a fixed size, what is too much is written over: `at` has room for them. */
static void lay_out(uint64_t m, int exponent, char *at) {
  char digit[2 * DIGITS];
  uint64_t high = m / EIGHT; /* 9 digits */
  memset(digit + DIGITS, '0', DIGITS);
  digit[0] = (char)('0' + high / EIGHT);
  put_eight((uint32_t)(high % EIGHT), digit + 1);
  put_eight((uint32_t)(m % EIGHT), digit + 9);
  int n = DIGITS, whole = exponent < -4 ? 1 : exponent + 1;
  while (n > 1 && digit[n - 1] == '0') {
    n--;
  }
  if (whole <= 0) {
    memcpy(at, "0.0000", 6);
    at += 2 - whole;
    memcpy(at, digit, DIGITS);
    at += n;
  } else {
    memcpy(at, digit, DIGITS); /* those behind the n-th are zeros */
    at += whole;
    if (n > whole) {
      *at++ = '.';
      memcpy(at, digit + whole, DIGITS);
      at += n - whole;
    }
  }
  if (exponent < -4) { /* two digits: none here is below -63 */
    memcpy(at, "e-", 2);
    at[2] = (char)('0' - exponent / 10);
    at[3] = (char)('0' - exponent % 10);
    at += 4;
  }
  *at = '\0';
}

/* floor(e log10(2)) for |e| <= 1074: no multiple comes closer to a whole number than 4e-4, and the
 * fraction is log10(2) to 4e-10 of it. */
static int log10_of_power(int e) {
  enum { TIMES = 1292913986, BITS = 32 };
  int64_t product = (int64_t)e * TIMES;
  return (int)(product >= 0 ? product >> BITS : -((-product + ((int64_t)1 << BITS) - 1) >> BITS));
}

/* size = m 10^(exponent - 16), 10^16 <= m < 10^17; for least < size < most. *f: of the size. */
static scaled digits_of(double size, int *exponent, uint64_t *f) {
  uint64_t bits; /* of a normal number: `least` is far above the others */
  memcpy(&bits, &size, sizeof bits);
  int e = (int)(bits >> 52) - 1022;
  *f = (bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)1 << 52;
  *exponent = log10_of_power(e - 1); /* of 2^(e-1) <= size: at most 1 too small */
  *exponent += DIGITS - 1 - *exponent > MOST_POWER;
  scaled m = scale(*f, e - 53, DIGITS - 1 - *exponent);
  if (m.whole >= limit) {
    ++*exponent;
    m = scale(*f, e - 53, DIGITS - 1 - *exponent);
  }
  return m;
}

static void put(double x, uint64_t m, int exponent, char *text) {
  if (m == limit) {
    m /= 10;
    exponent++;
  }
  *text = '-';
  lay_out(m, exponent, text + (x < 0));
}

static bool put_zero(double x, char *text) {
  if (x == 0) {
    memcpy(text, signbit(x) ? "-0" : "0", signbit(x) ? 3 : 2);
  }
  return x == 0;
}

static bool is_within(double size, double below) {
  return size > least && size < below;
}

bool pw_decimal_17(double x, char text[PW_DECIMAL_ROOM]) {
  if (put_zero(x, text)) {
    return true;
  }
  if (!is_within(fabs(x), most)) {
    return false;
  }
  int exponent;
  uint64_t f;
  scaled m = digits_of(fabs(x), &exponent, &f);
  put(x, m.whole + m.up, exponent, text);
  return true;
}

/* A decimal reads back as x if it is nearer than half of the distance of the next double, which is
 * (x / f) / 2. If that is too close to decide in doubles, or if the spacing of doubles changes at
 * x, the caller must use another method. */
bool pw_decimal_shortest(double x, char text[PW_DECIMAL_ROOM]) {
  static const uint64_t units[] = {100, 10}; /* of 15 and 16 digits */
  static const double close = 1e-9; /* of one digit: far above round-off, and hardly ever met */
  if (put_zero(x, text)) {
    return true;
  }
  if (!is_within(fabs(x), plain)) {
    return false;
  }
  int exponent;
  uint64_t f;
  scaled m = digits_of(fabs(x), &exponent, &f);
  double reach = 0.5 * (double)m.whole / (double)f;
  if (f == (uint64_t)1 << 52) {
    return false;
  }
  for (int k = 0; k < 2; k++) {
    double unit = (double)units[k], rest = (double)(m.whole % units[k]) + m.part;
    bool up = rest > 0.5 * unit;
    double off = up ? unit - rest : rest;
    if (fabs(rest - 0.5 * unit) < close || fabs(off - reach) < close) {
      return false;
    }
    if (off < reach) {
      put(x, (m.whole / units[k] + up) * units[k], exponent, text);
      return true;
    }
  }
  put(x, m.whole + m.up, exponent, text);
  return true;
}
