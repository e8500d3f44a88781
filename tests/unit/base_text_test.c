// SPDX-License-Identifier: MIT
/* Interned names, suggestions, text buffers, UTF-8, source places, status texts, NaN-safe maxima.
 */
#include "alloc_wrap.h"
#include "base/buf.h"
#include "base/decimal.h"
#include "base/glyph.h"
#include "base/intern.h"
#include "base/real.h"
#include "base/source.h"
#include "base/suggest.h"
#include "check.h"

#include <float.h>
#include <stdint.h>
#include <stdlib.h>

static void equal_names_are_equal_pointers(void) {
  pw_arena arena;
  jmp_buf out;
  pw_interner in;
  pw_arena_init(&arena, 0);
  arena.on_fail = &out;
  if (!CHECK(setjmp(out) == 0)) {
    return;
  }
  pw_interner_init(&in, &arena);
  const char *first = pw_intern(&in, "theta*", 5);
  for (int i = 0; i < 3000; i++) {
    pw_intern_format(&in, "x%d", i);
  }
  CHECK_STR(first, "theta");
  CHECK(pw_intern(&in, "theta", 5) == first);
  CHECK(pw_intern(&in, "thet", 4) != first);
  CHECK(pw_intern_format(&in, "x%d", 17) == pw_intern(&in, "x17", 3));
  CHECK_INT(in.n, 3002);
  char longer[400];
  memset(longer, 'a', sizeof longer);
  longer[399] = '\0';
  CHECK(pw_intern_format(&in, "%s", longer) == pw_intern(&in, longer, 399));
  CHECK_STR(pw_intern(&in, "a\0b", 3), "a");
  CHECK_STR(pw_intern(&in, "", 0), "");
  pw_arena_free(&arena);
}

static const char *nearest(const char *wanted) {
  static const char *const names[] = {"length", "x", "theta", "mass", "Omega", "g", "stiffness"};
  pw_suggest s = pw_suggest_begin(wanted);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    pw_suggest_try(&s, names[i]);
  }
  return s.best;
}

static void suggestions_are_near(void) {
  CHECK_STR(nearest("lenght"), "length"); /* a swap is one edit */
  CHECK_STR(nearest("thet"), "theta");
  CHECK_STR(nearest("massx"), "mass");
  CHECK_STR(nearest("OMEGA"), "Omega");
  CHECK_STR(nearest("stifness"), "stiffness");
  CHECK_STR(nearest("G"), "g");
  CHECK_STR(nearest("q"), NULL);
  CHECK_STR(nearest("beta"), NULL);
  CHECK_STR(nearest("completelydifferent"), NULL);
  pw_suggest s = pw_suggest_begin("lenght");
  pw_suggest_try(&s, "lengths");
  CHECK_INT(s.distance, 2);
  pw_suggest_try(&s, "length");
  CHECK_STR(s.best, "length");
  CHECK_INT(s.distance, 1);
}

static const char *real_text(double x) {
  static char text[64];
  pw_buf buf = {0};
  pw_buf_real(&buf, x);
  snprintf(text, sizeof text, "%s", buf.text);
  pw_buf_free(&buf);
  return text;
}

static void reals_are_short(void) {
  CHECK_STR(real_text(0.1), "0.1");
  CHECK_STR(real_text(9.81), "9.81");
  CHECK_STR(real_text(1e-9), "1e-09");
  CHECK_STR(real_text(0), "0");
  CHECK_STR(real_text(-0.0), "-0");
  CHECK_STR(real_text(100000), "100000");
  CHECK_STR(real_text(0.1 + 0.2), "0.30000000000000004");
  CHECK_STR(real_text(5e-324), "5e-324");
  CHECK_STR(real_text(INFINITY), "inf");
  CHECK_STR(real_text(-INFINITY), "-inf");
  CHECK_STR(real_text(NAN), "nan");
}

static bool same_as_printf(double x) {
  char text[PW_DECIMAL_ROOM], expected[40];
  snprintf(expected, sizeof expected, "%.17g", x);
  return !pw_decimal_17(x, text) || CHECK_STR(text, expected);
}

/* Mantissas with few and with many bits, so that ties and carries occur, and the neighbours of
 * powers of ten. */
static void decimals_are_those_of_printf(void) {
  uint64_t bits = 7;
  char text[PW_DECIMAL_ROOM];
  bool same = same_as_printf(0) && same_as_printf(-0.0);
  for (int i = 0; same && i < 200000; i++) {
    bits = bits * 6364136223846793005u + 1442695040888963407u;
    int drop = (int)(bits >> 58) % 53, e = -210 + (int)(bits >> 20 & 0xffff) % 270;
    double x = ldexp((double)(bits >> 11 >> drop << drop), e - 53);
    same = same_as_printf(x) && same_as_printf(-x);
  }
  for (int k = -66; same && k <= 18; k++) {
    double x = pow(10, k), at = x;
    for (int i = 0; same && i < 20; i++, at = nextafter(at, 0)) {
      same = same_as_printf(at) && same_as_printf(2 * x - at) && same_as_printf(at * 5);
    }
  }
  CHECK(same);
  CHECK(pw_decimal_17(1.1e-63, text) && pw_decimal_17(nextafter(1e17, 0), text));
  CHECK(!pw_decimal_17(1e17, text) && !pw_decimal_17(1e-63, text) && !pw_decimal_17(NAN, text));
}

/* The fewest digits from 15 on, by printf and strtod. */
static bool is_shortest(double x) {
  char text[PW_DECIMAL_ROOM], expected[40];
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(expected, sizeof expected, "%.*g", digits, x);
    if (strtod(expected, NULL) == x) {
      break;
    }
  }
  return !pw_decimal_shortest(x, text) || CHECK_STR(text, expected);
}

static void shortest_decimals(void) {
  uint64_t state = 11;
  int quick = 0, all = 200000;
  for (int i = 0; i < all; i++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    double x = ldexp((double)(state >> 11) * 0x1p-53 - 0.5, (int)(state % 296) - 240);
    char text[40];
    snprintf(text, sizeof text, "%.*g", 1 + (int)(state >> 60), x);
    x = i % 2 == 0 ? strtod(text, NULL) : x; /* as people write them */
    quick += pw_decimal_shortest(x, text);
    if (!is_shortest(x) || !is_shortest(nextafter(x, 1))) {
      return;
    }
  }
  CHECK(quick > all / 2);
  double edges[] = {1e-9,    1e15,  999999999999999.9,    9007199254740993.0,
                    0.5,     1e-8,  123456789012345678.0, 1e-63,
                    0x1p-60, 3e-300};
  for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
    CHECK(is_shortest(edges[i]) && is_shortest(-edges[i]) && is_shortest(nextafter(edges[i], 0)));
  }
}

static void reals_read_back(void) {
  uint64_t bits = 1;
  for (int i = 0; i < 20000; i++) {
    bits = bits * 6364136223846793005u + 1442695040888963407u;
    double x;
    memcpy(&x, &bits, sizeof x);
    if (isfinite(x)) {
      CHECK_SEED(strtod(real_text(x), NULL) == x, i);
    }
  }
  CHECK(strtod(real_text(DBL_MAX), NULL) == DBL_MAX);
  CHECK(strtod(real_text(DBL_MIN), NULL) == DBL_MIN);
}

static void json_is_escaped(void) {
  pw_buf buf = {0};
  pw_buf_json(&buf, "a\"b\\c\n\t\x01\xC3\xA9\xFF");
  CHECK_STR(buf.text, "\"a\\\"b\\\\c\\n\\t\\u0001\xC3\xA9\\ufffd\"");
  buf.len = 0;
  pw_buf_json_real(&buf, -INFINITY);
  CHECK_STR(buf.text, "\"-inf\"");
  buf.len = 0;
  pw_buf_json_real(&buf, 0.5);
  CHECK_STR(buf.text, "0.5");
  pw_buf_free(&buf);
}

static int collect(void *payload, const char *bytes, unsigned long count) {
  strncat(payload, bytes, count);
  return 0;
}

static int refuse(void *payload, const char *bytes, unsigned long count) {
  (void)payload;
  (void)bytes;
  return count > 0;
}

static void buffer_grows_and_flushes(void) {
  pw_buf buf = {0};
  char seen[2000] = "";
  for (int i = 0; i < 100; i++) {
    pw_buf_printf(&buf, "%04d,", i);
  }
  CHECK_INT((long long)buf.len, 500);
  CHECK_INT(pw_buf_flush(&buf, collect, seen), PAWL_OK);
  CHECK(strncmp(seen, "0000,0001,", 10) == 0 && strcmp(seen + 490, "0098,0099,") == 0);
  CHECK_INT((long long)buf.len, 0);
  pw_buf_printf(&buf, "%0700d", 7);
  CHECK_INT((long long)buf.len, 700);
  CHECK(buf.text[699] == '7' && buf.text[700] == '\0');
  CHECK_INT(pw_buf_flush(&buf, refuse, NULL), PAWL_E_FILE);
  CHECK_INT(pw_buf_flush(&buf, refuse, NULL), PAWL_OK); /* nothing is left to write */
  alloc_fail_at(1);
  pw_buf_printf(&buf, "%05000d", 7);
  alloc_fail_at(0);
  CHECK(buf.failed);
  pw_buf_puts(&buf, "more");
  CHECK_INT(pw_buf_flush(&buf, collect, seen), PAWL_E_MEMORY);
  pw_buf_free(&buf);
}

static int32_t code_of(const char *text, int expected_len) {
  int32_t code;
  CHECK_INT(pw_glyph_next(text, text + strlen(text), &code), expected_len);
  return code;
}

static void utf8_is_checked(void) {
  CHECK_INT(code_of("a", 1), 'a');
  CHECK_INT(code_of("\xC3\xA9x", 2), 0xE9);
  CHECK_INT(code_of("\xE2\x82\xAC", 3), 0x20AC);
  CHECK_INT(code_of("\xF0\x9F\x98\x80", 4), 0x1F600);
  CHECK_INT(code_of("\xC3", 1), -1);
  CHECK_INT(code_of("\xC0\x80", 2), -1);              /* overlong */
  CHECK_INT(code_of("\xE0\x80\x80", 3), -1);          /* overlong */
  CHECK_INT(code_of("\xED\xA0\x80", 3), -1);          /* surrogate */
  CHECK_INT(code_of("\xF4\x90\x80\x80", 4), -1);      /* above U+10FFFF */
  CHECK_INT(code_of("a\x80\x80\x80\x80\x80", 6), -1); /* stray bytes stick to the letter */
  CHECK_INT(pw_glyph_width(0x0301), 0);
  CHECK_INT(pw_glyph_width(0x4E00), 2);
  CHECK_INT(pw_glyph_width(0x3B8), 1);
}

static void places_count_characters(void) {
  static const char text[] = "ab\n\xC3\xA9x\n\nlast";
  pw_arena arena;
  jmp_buf out;
  pw_sources sources = {0};
  int line, column;
  pw_arena_init(&arena, 0);
  arena.on_fail = &out;
  if (!CHECK(setjmp(out) == 0)) {
    return;
  }
  int file = pw_sources_add(&arena, &sources, "f", text, (int)strlen(text));
  const pw_source *s = &sources.items[file];
  static const struct {
    int offset, line, column;
  } want[] = {{0, 1, 1}, {2, 1, 3}, {3, 2, 1}, {5, 2, 2}, {7, 3, 1}, {8, 4, 1}, {12, 4, 5}};
  for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
    pw_source_locate(s, want[i].offset, &line, &column);
    CHECK_INT(line, want[i].line);
    CHECK_INT(column, want[i].column);
  }
  pw_span joined = pw_span_join((pw_span){0, 5, 9}, (pw_span){0, 2, 4});
  CHECK_INT(joined.begin, 2);
  CHECK_INT(joined.end, 9);
  pw_arena_free(&arena);
}

static void every_status_has_a_text(void) {
  CHECK_STR(pawl_status_text(PAWL_OK), "ok");
  CHECK_STR(pawl_status_text(PAWL_E_UNSUPPORTED), "not supported by this build");
  CHECK_STR(pawl_status_text((pawl_status)-999), "unknown status");
}

static void nan_is_kept(void) {
  double x[3] = {1, NAN, -2};
  CHECK(isnan(pw_norm_inf(x, 3)));
  CHECK(isnan(pw_max(NAN, 1)) && isnan(pw_max(1, NAN)));
  CHECK(isnan(pw_min(NAN, 1)) && isnan(pw_min(1, NAN)));
  x[1] = 0;
  CHECK_NEAR(pw_norm_inf(x, 3), 2, 0);
  CHECK(pw_all_finite(x, 3));
  x[2] = INFINITY;
  CHECK(!pw_all_finite(x, 3));
}

CHECK_MAIN({"equal_names_are_equal_pointers", equal_names_are_equal_pointers},
           {"suggestions_are_near", suggestions_are_near}, {"reals_are_short", reals_are_short},
           {"decimals_are_those_of_printf", decimals_are_those_of_printf},
           {"shortest_decimals", shortest_decimals}, {"reals_read_back", reals_read_back},
           {"json_is_escaped", json_is_escaped},
           {"buffer_grows_and_flushes", buffer_grows_and_flushes},
           {"utf8_is_checked", utf8_is_checked},
           {"places_count_characters", places_count_characters},
           {"every_status_has_a_text", every_status_has_a_text}, {"nan_is_kept", nan_is_kept})
