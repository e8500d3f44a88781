// SPDX-License-Identifier: MIT
/* A stroke font for pictures in pixels: each letter is a path of lines and arcs, drawn with a round
 * pen. Capitals are 14 units high, small letters 10; the size of a font is 20 units. */
#include "plot/font.h"

#include <math.h>
#include <string.h>

#include "base/glyph.h"

/* M x y: lift the pen and move; L x y: a line; A cx cy rx ry a b: an arc of an ellipse from angle a
 * to b in degrees, joined to where the pen is; U: lift the pen. */
typedef struct letter {
  unsigned code;
  float advance;
  const char *path;
} letter;

/* In order of their codes. */
static const letter letters[] = {
    {' ', 5, ""},
    {'!', 4.4f, "M2.2 14 L2.2 4.4 M2.2 0 L2.2 .4"},
    {'"', 6.4f, "M2 14.5 L2 10.5 M4.6 14.5 L4.6 10.5"},
    {'#', 11, "M4 13 L2.6 1 M8.4 13 L7 1 M1.2 9 L10 9 M.8 5 L9.6 5"},
    {'$', 10.4f, "A5.2 9.7 3.4 2.8 40 270 A5.2 4 3.5 2.9 90 -140 M5.2 15 L5.2 -1.4"},
    {'%', 14, "A3.6 10.8 2.3 3.2 0 360 M11.6 14 L2.4 0 U A10.4 3.2 2.3 3.2 0 360"},
    {'&', 12.4f,
     "M11.4 0 L3.6 9.4 A5.2 11.4 2.4 2.6 220 -40 L3 6.6 A5 3.6 3.6 3.6 130 320 L10.6 6.4"},
    {'\'', 4, "M2 14.5 L2 10.5"},
    {'(', 5.4f, "A8 5.5 6 10 140 220"},
    {')', 5.4f, "A-2.6 5.5 6 10 40 -40"},
    {'*', 8.8f, "M4.4 14 L4.4 8 M1.8 12.5 L7 9.5 M7 12.5 L1.8 9.5"},
    {'+', 10.4f, "M1.2 6 L9.2 6 M5.2 2 L5.2 10"},
    {',', 4, "M2.2 .4 L1.4 -2.2"},
    {'-', 7.4f, "M1.4 5.4 L6 5.4"},
    {'.', 4, "M2 0 L2 .4"},
    {'/', 6.8f, "M.8 -1 L6 14.5"},
    {'0', 10, "A5 7 3.7 7 0 360"},
    {'1', 10, "M2.2 11 L5.6 14 L5.6 0"},
    {'2', 10, "A5 10.2 3.6 3.8 165 -35 L1.3 0 L8.8 0"},
    {'3', 10, "A4.8 10.6 3.3 3.4 150 -90 A4.8 3.6 3.8 3.6 90 -150"},
    {'4', 10, "M7 0 L7 14 L1 4.2 L9.2 4.2"},
    {'5', 10, "M8.2 14 L2.5 14 L2 7.6 A4.8 4.5 3.8 4.5 130 -145"},
    {'6', 10, "A5 4.4 3.6 4.4 0 360 U A8.2 4.6 6.8 9.2 180 100"},
    {'7', 10, "M1.4 14 L8.8 14 L4 0"},
    {'8', 10, "A5 10.6 3.1 3.4 0 360 U A5 3.6 3.7 3.6 0 360"},
    {'9', 10, "A5 9.6 3.6 4.4 0 360 U A1.8 9.4 6.8 9.2 0 -80"},
    {':', 4, "M2 0 L2 .4 M2 8.6 L2 9"},
    {';', 4, "M2.2 .4 L1.4 -2.2 M2.2 8.6 L2.2 9"},
    {'<', 10.4f, "M9 10.4 L1.6 6 L9 1.6"},
    {'=', 10.4f, "M1.2 8 L9.2 8 M1.2 4 L9.2 4"},
    {'>', 10.4f, "M1.4 10.4 L8.8 6 L1.4 1.6"},
    {'?', 8.6f, "A4.2 10.8 3 3.2 170 -60 L4.2 6 L4.2 4.2 M4.2 0 L4.2 .4"},
    {'@', 15,
     "A7.6 6 2.8 3.6 0 360 U M10.4 9.6 L10.4 4.4 A12 4.6 1.6 2 180 360 A7.5 6 6.2 8 5 300"},
    {'A', 12, "M.8 0 L6 14 L11.2 0 M2.7 5 L9.3 5"},
    {'B', 11,
     "M1.8 0 L1.8 14 L5.5 14 A5.5 10.7 3.3 3.3 90 -90 L1.8 7.4 M5.5 7.4 A5.8 3.7 3.7 3.7 90 -90 "
     "L1.8 0"},
    {'C', 12, "A6.6 7 5.2 7 45 315"},
    {'D', 12.2f, "M1.8 0 L1.8 14 L4.8 14 A4.8 7 5.8 7 90 -90 L1.8 0"},
    {'E', 10.2f, "M8.8 14 L1.8 14 L1.8 0 L8.8 0 M1.8 7.2 L7.8 7.2"},
    {'F', 9.6f, "M8.6 14 L1.8 14 L1.8 0 M1.8 7.2 L7.4 7.2"},
    {'G', 13, "A6.6 7 5.2 7 45 330 L11.3 6.4 L7.4 6.4"},
    {'H', 12, "M1.8 0 L1.8 14 M10.2 0 L10.2 14 M1.8 7.2 L10.2 7.2"},
    {'I', 4.4f, "M2.2 0 L2.2 14"},
    {'J', 8, "M6.2 14 L6.2 3.6 A3.4 3.6 2.8 3.6 0 -160"},
    {'K', 10.8f, "M1.8 0 L1.8 14 M9.6 14 L1.8 5.4 M4.4 8.2 L10 0"},
    {'L', 9.2f, "M1.8 14 L1.8 0 L8.4 0"},
    {'M', 14, "M1.8 0 L1.8 14 L7 3.5 L12.2 14 L12.2 0"},
    {'N', 12, "M1.8 0 L1.8 14 L10.2 0 L10.2 14"},
    {'O', 13.6f, "A6.8 7 5.4 7 0 360"},
    {'P', 10.4f, "M1.8 0 L1.8 14 L5.6 14 A5.6 10.2 3.7 3.8 90 -90 L1.8 6.4"},
    {'Q', 13.6f, "A6.8 7 5.4 7 0 360 M8 3.4 L11.8 -1.2"},
    {'R', 11, "M1.8 0 L1.8 14 L5.6 14 A5.6 10.2 3.7 3.8 90 -90 L1.8 6.4 M5.4 6.4 L9.8 0"},
    {'S', 10.4f, "A5.2 10.6 3.5 3.4 40 270 A5.2 3.6 3.8 3.6 90 -145"},
    {'T', 10.8f, "M.8 14 L10 14 M5.4 14 L5.4 0"},
    {'U', 12, "M1.8 14 L1.8 4.6 A6 4.6 4.2 4.6 180 360 L10.2 14"},
    {'V', 11.6f, "M.8 14 L5.8 0 L10.8 14"},
    {'W', 16, "M.8 14 L4.4 0 L8 13 L11.6 0 L15.2 14"},
    {'X', 11, "M1.2 14 L9.8 0 M9.8 14 L1.2 0"},
    {'Y', 10.8f, "M.8 14 L5.4 7 L10 14 M5.4 7 L5.4 0"},
    {'Z', 10.6f, "M1.4 14 L9 14 L1.2 0 L9.4 0"},
    {'[', 5.4f, "M4.4 15 L2 15 L2 -3 L4.4 -3"},
    {'\\', 6.8f, "M.8 14.5 L6 -1"},
    {']', 5.4f, "M1 15 L3.4 15 L3.4 -3 L1 -3"},
    {'^', 9, "M1.6 10 L4.6 14 L7.6 10"},
    {'_', 9, "M0 -2 L9 -2"},
    {'`', 4.4f, "M1.4 14.5 L3 12"},
    {'a', 10.2f, "A4.9 5 3.6 5 0 360 M8.5 10 L8.5 0"},
    {'b', 10.2f, "M1.7 14.5 L1.7 0 U A5.3 5 3.6 5 0 360"},
    {'c', 9, "A5 5 3.7 5 50 310"},
    {'d', 10.2f, "A4.9 5 3.6 5 0 360 M8.5 14.5 L8.5 0"},
    {'e', 9.8f, "M1.4 5.2 L8.6 5.2 A5 5 3.7 5 5 312"},
    {'f', 6, "M2.6 0 L2.6 11.4 A5.4 11.6 2.8 2.9 180 75 M.6 10 L5.6 10"},
    {'g', 10.2f, "A4.9 5 3.6 5 0 360 M8.5 10 L8.5 -1 A5 -1 3.5 3.3 0 -150"},
    {'h', 9.8f, "M1.7 14.5 L1.7 0 M1.7 6 A5 6.4 3.3 3.6 180 0 L8.3 0"},
    {'i', 3.8f, "M1.9 10 L1.9 0 M1.9 13.6 L1.9 14"},
    {'j', 4.4f, "M2.6 10 L2.6 -2 A.4 -2 2.2 2.3 0 -90 M2.6 13.6 L2.6 14"},
    {'k', 8.6f, "M1.7 14.5 L1.7 0 M7.6 10 L1.7 3.8 M3.9 6 L8 0"},
    {'l', 3.8f, "M1.9 14.5 L1.9 0"},
    {'m', 14.2f,
     "M1.7 10 L1.7 0 M1.7 6.4 A4.4 6.8 2.7 3.2 180 0 L7.1 0 M7.1 6.4 A9.8 6.8 2.7 3.2 180 0 L12.5 "
     "0"},
    {'n', 9.8f, "M1.7 10 L1.7 0 M1.7 6 A5 6.4 3.3 3.6 180 0 L8.3 0"},
    {'o', 10, "A5 5 3.7 5 0 360"},
    {'p', 10.2f, "M1.7 10 L1.7 -4.2 U A5.3 5 3.6 5 0 360"},
    {'q', 10.2f, "A4.9 5 3.6 5 0 360 M8.5 10 L8.5 -4.2"},
    {'r', 6.2f, "M1.7 10 L1.7 0 M1.7 5.6 A5.3 5.8 3.6 4.2 180 85"},
    {'s', 8.4f, "A4.2 7.5 2.7 2.5 35 270 A4.2 2.5 2.9 2.5 90 -145"},
    {'t', 6.4f, "M2.8 13.4 L2.8 2.6 A5 2.6 2.2 2.6 180 285 M.8 10 L5.6 10"},
    {'u', 9.8f, "M1.6 10 L1.6 3.6 A4.9 3.6 3.3 3.6 180 360 M8.2 10 L8.2 0"},
    {'v', 9.2f, "M.8 10 L4.6 0 L8.4 10"},
    {'w', 13.2f, "M.8 10 L3.6 0 L6.6 9.4 L9.6 0 L12.4 10"},
    {'x', 9, "M1 10 L8 0 M8 10 L1 0"},
    {'y', 9.4f, "M.8 10 L4.7 .2 M8.6 10 L4.2 -1.6 A1.8 -1.2 2.6 3 -10 -80"},
    {'z', 9, "M1.2 10 L7.6 10 L1 0 L8 0"},
    {'{', 6.4f,
     "M5.4 15 L4.4 15 A4.4 13 1.4 2 90 180 L3 8 L1.4 6 L3 4 L3 -1 A4.4 -1 1.4 2 180 270 L5.4 -3"},
    {'|', 4, "M2 15 L2 -3"},
    {'}', 6.4f, "M1 15 L2 15 A2 13 1.4 2 90 0 L3.4 8 L5 6 L3.4 4 L3.4 -1 A2 -1 1.4 2 0 -90 L1 -3"},
    {'~', 10.4f, "M1.2 5 A3.4 5 2.2 2 180 50 L6.6 4.4 A7.2 6 2.2 2 230 360"},
    {0xb0, 6, "A3 12 2 2 0 360"},                /* degree */
    {0xb7, 4.4f, "M2.2 5.8 L2.2 6.2"},           /* centred dot */
    {0xd7, 9.6f, "M1.8 9 L7.8 3 M7.8 9 L1.8 3"}, /* times */
    {0x393, 9, "M8 14 L1.8 14 L1.8 0"},
    {0x394, 12, "M1 0 L6 14 L11 0 L1 0"},
    {0x398, 13.6f, "A6.8 7 5.4 7 0 360 M4 7.2 L9.6 7.2"},
    {0x39b, 12, "M.8 0 L6 14 L11.2 0"},
    {0x39e, 11, "M1.6 14 L9.4 14 M2.6 7.2 L8.4 7.2 M1.4 0 L9.6 0"},
    {0x3a0, 12, "M1.8 0 L1.8 14 L10.2 14 L10.2 0"},
    {0x3a3, 10.6f, "M9.4 14 L1.4 14 L6 7 L1.2 0 L9.8 0"},
    {0x3a6, 13, "A6.5 7 5.2 4.4 0 360 M6.5 14.4 L6.5 -.4"},
    {0x3a8, 13, "M1.6 13 L1.6 9 A6.5 9 4.9 4.6 180 360 L11.4 13 M6.5 14 L6.5 0"},
    {0x3a9, 13, "M1.2 0 L5 0 L5 2 A6.5 8.2 5.1 5.8 250 -70 L8 0 L11.8 0"},
    {0x3b1, 10.2f, "M9.4 10 A4.9 5 3.6 5 40 320 L9.4 0"},
    {0x3b2, 9.8f, "M1.7 -4.2 L1.7 11 A4.7 11 3 3.4 180 -90 A4.9 3.8 3.6 3.8 90 -160"},
    {0x3b3, 9.2f, "M.8 10 L4.6 -.4 L4.6 -4.2 M8.4 10 L4.6 -.4"},
    {0x3b4, 9.8f, "A4.9 4.4 3.6 4.4 0 360 M5.4 8.8 L2.8 11.6 A4.9 12.2 2.2 2.2 200 20"},
    {0x3b5, 8.8f, "A4.8 7.5 3 2.5 45 265 M4.6 5 A4.8 2.5 3.5 2.5 95 315"},
    {0x3b6, 8.4f, "M2 14.4 L7.2 14.4 A8.4 5.6 7 7 130 230 A5.4 -1.6 1.8 2 60 -70"},
    {0x3b7, 9.8f, "M1.7 10 L1.7 0 M1.7 6 A5 6.4 3.3 3.6 180 0 L8.3 -4.2"},
    {0x3b8, 9.6f, "A4.8 7.2 3.5 7.2 0 360 M1.3 7.2 L8.3 7.2"},
    {0x3b9, 4.6f, "M1.8 10 L1.8 1.8 A3.4 1.8 1.6 1.8 180 290"},
    {0x3ba, 8.8f, "M1.7 10 L1.7 0 M7.8 10 L1.7 4.2 M4 6.4 L8.2 0"},
    {0x3bb, 9.4f, "M.8 14.4 L2.4 14.4 L8.8 0 M4.8 9 L.8 0"},
    {0x3bc, 9.8f, "M1.7 10 L1.7 -4.2 M1.7 3.6 A5 3.6 3.3 3.6 180 360 M8.3 10 L8.3 0"},
    {0x3bd, 9.2f, "M.8 10 L4.6 0 L8.4 10"},
    {0x3be, 8.6f,
     "M7 14.4 L4.6 14.4 A4.6 11.8 2.6 2.6 90 270 L6.4 9.2 M4.6 9.2 A5 4.6 3.6 4.6 95 260 A5 -2 2 2 "
     "90 -60"},
    {0x3c0, 10.8f, "M.8 9.6 L10 9.6 M3.4 9.6 L2.8 0 M7.4 9.6 L7.4 2 A9 2 1.6 2 180 280"},
    {0x3c1, 9.8f, "M1.6 -4.2 L1.6 5 A5.1 5 3.5 5 180 -180"},
    {0x3c3, 10.2f, "A4.8 4.8 3.6 4.8 0 360 M4.8 9.6 L9.6 9.6"},
    {0x3c4, 8.8f, "M.8 9.6 L8 9.6 M4.2 9.6 L4.2 2 A5.8 2 1.6 2 180 280"},
    {0x3c5, 9.8f, "M1.6 10 L1.6 3.6 A4.9 3.6 3.3 3.6 180 360 L8.2 6 L7.4 10"},
    {0x3c6, 11.2f, "A5.6 5 4.2 5 0 360 M5.6 14 L5.6 -4.2"},
    {0x3c7, 9.4f, "M1 10 L8.4 -4 M8.4 10 L1 -4"},
    {0x3c8, 11.6f, "M1.6 10 L1.6 5 A5.8 5 4.2 5 180 360 L10 10 M5.8 13 L5.8 -4.2"},
    {0x3c9, 13.2f, "M3 10 A4.2 4.2 2.8 4.2 150 360 L7 7 M7 4.2 A9.4 4.2 2.8 4.2 180 390 L10.6 10"},
    {0x2032, 4, "M3 14.6 L1.6 10.6"}, /* prime */
    {0x2212, 10.4f, "M1.2 6 L9.2 6"}, /* minus */
    {0x2264, 10.4f, "M9 12 L1.6 8 L9 4 M1.6 1 L9 1"},
    {0x2265, 10.4f, "M1.4 12 L8.8 8 L1.4 4 M1.4 1 L8.8 1"}};

static const letter unknown = {0, 10, "M1.8 0 L1.8 14 L8.2 14 L8.2 0 L1.8 0"};

static const letter *find(unsigned code) {
  int low = 0, high = (int)(sizeof letters / sizeof *letters);
  while (low < high) {
    int middle = (low + high) / 2;
    if (letters[middle].code < code) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  bool found = low < (int)(sizeof letters / sizeof *letters) && letters[low].code == code;
  return found ? &letters[low] : &unknown;
}

/* Raised digits and minus are the plain ones, smaller. */
static unsigned lower(unsigned code) {
  return code == 0xb2 || code == 0xb3       ? '0' + (code - 0xb0)
         : code == 0xb9                     ? '1'
         : code == 0x2070                   ? '0'
         : code >= 0x2074 && code <= 0x2079 ? '0' + (code - 0x2070)
         : code == 0x207b                   ? 0x2212
                                            : 0;
}

static const double tracking = 0.4; /* more room between letters than their drawings have */
static const double raised_size = 0.66, raised_by = 7;

static unsigned next_code(const char **text, const char *end) {
  int32_t code;
  *text += pw_glyph_next(*text, end, &code);
  return (unsigned)code;
}

double pw_font_width(const char *text, double size) {
  double width = 0;
  const char *end = text + strlen(text);
  while (text < end) {
    unsigned code = next_code(&text, end), plain = lower(code);
    double part = plain != 0 ? raised_size : 1;
    width += part * ((double)find(plain != 0 ? plain : code)->advance + tracking);
  }
  return width * size / PW_FONT_UNITS;
}

/* ---- paths ---- */

typedef struct pen {
  pw_font_line line;
  void *payload;
  double x, y, scale; /* of the origin of the letter, on a page whose y goes down */
  bool down;
  double last_x, last_y;
} pen;

static void go_to(pen *p, double x, double y) {
  double to_x = p->x + p->scale * x, to_y = p->y - p->scale * y;
  if (p->down) {
    p->line(p->payload, p->last_x, p->last_y, to_x, to_y);
  }
  p->down = true;
  p->last_x = to_x;
  p->last_y = to_y;
}

static void arc(pen *p, const double *v) {
  enum { PER_TURN = 40 };
  int n = (int)ceil(fabs(v[5] - v[4]) / 360 * PER_TURN);
  for (int i = 0; i <= n; i++) {
    double a = (v[4] + (v[5] - v[4]) * i / n) * (acos(-1) / 180);
    go_to(p, v[0] + v[2] * cos(a), v[1] + v[3] * sin(a));
  }
}

/* The table is ours: digits and a point, whatever the locale. */
static double number(const char **path) {
  double value = 0, unit = 1;
  while (**path == ' ') {
    ++*path;
  }
  double sign = **path == '-' ? -1 : 1;
  *path += **path == '-';
  for (; **path >= '0' && **path <= '9'; ++*path) {
    value = 10 * value + (**path - '0');
  }
  *path += **path == '.';
  for (; **path >= '0' && **path <= '9'; ++*path) {
    unit /= 10;
    value += unit * (**path - '0');
  }
  return sign * value;
}

static void trace(pen *p, const char *path) {
  p->down = false;
  while (*path != '\0') {
    char command = *path++;
    double v[6] = {0};
    int n = command == 'A' ? 6 : command == 'U' || command == ' ' ? 0 : 2;
    for (int i = 0; i < n; i++) {
      v[i] = number(&path);
    }
    if (command == 'M' || command == 'U') {
      p->down = false;
    }
    if (command == 'A') {
      arc(p, v);
    } else if (n == 2) {
      go_to(p, v[0], v[1]);
    }
  }
}

void pw_font_draw(const char *text, double x, double y, double size, pw_font_line line,
                  void *payload) {
  double unit = size / PW_FONT_UNITS;
  const char *end = text + strlen(text);
  while (text < end) {
    unsigned code = next_code(&text, end), plain = lower(code);
    const letter *l = find(plain != 0 ? plain : code);
    double part = plain != 0 ? raised_size : 1;
    pen p = {.line = line,
             .payload = payload,
             .x = x,
             .y = y - (plain != 0 ? raised_by * unit : 0),
             .scale = part * unit};
    trace(&p, l->path);
    x += part * unit * ((double)l->advance + tracking);
  }
}
