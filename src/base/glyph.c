// SPDX-License-Identifier: MIT
#include "base/glyph.h"

static int is_continuation(char byte) {
  return ((unsigned char)byte & 0xC0) == 0x80;
}

/* Length of the sequence a first byte announces and the bits it carries itself. */
static int announced(unsigned char first, int32_t *bits) {
  if (first < 0x80) {
    *bits = first;
    return 1;
  }
  if (first >= 0xC2 && first <= 0xDF) {
    *bits = first & 0x1F;
    return 2;
  }
  if (first >= 0xE0 && first <= 0xEF) {
    *bits = first & 0x0F;
    return 3;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    *bits = first & 0x07;
    return 4;
  }
  return 0;
}

int pw_glyph_next(const char *text, const char *end, int32_t *code) {
  int32_t value = 0;
  int expected = announced((unsigned char)*text, &value);
  int len = 1;
  while (text + len < end && is_continuation(text[len])) {
    if (len < 4) {
      value = value * 64 + ((unsigned char)text[len] & 0x3F);
    }
    len++;
  }
  int overlong = (expected == 3 && value < 0x800) || (expected == 4 && value < 0x10000);
  int surrogate = value >= 0xD800 && value <= 0xDFFF;
  *code = len == expected && !overlong && !surrogate && value <= 0x10FFFF ? value : -1;
  return len;
}

int pw_glyph_width(int32_t code) {
  static const struct {
    int32_t first, last;
    int width;
  } ranges[] = {
      {0x0300, 0x036F, 0},   {0x200B, 0x200F, 0},   {0x20D0, 0x20FF, 0},   {0xFE00, 0xFE0F, 0},
      {0x1100, 0x115F, 2},   {0x2E80, 0x303E, 2},   {0x3041, 0xA4CF, 2},   {0xAC00, 0xD7A3, 2},
      {0xF900, 0xFAFF, 2},   {0xFE30, 0xFE6F, 2},   {0xFF00, 0xFF60, 2},   {0xFFE0, 0xFFE6, 2},
      {0x1F300, 0x1F64F, 2}, {0x1F900, 0x1F9FF, 2}, {0x20000, 0x3FFFD, 2},
  };
  for (unsigned i = 0; i < sizeof ranges / sizeof *ranges; i++) {
    if (code >= ranges[i].first && code <= ranges[i].last) {
      return ranges[i].width;
    }
  }
  return 1;
}
