// SPDX-License-Identifier: MIT
/* A page as pixels. A line covers a pixel by its distance from the middle of the pixel: half the
 * width minus the distance, cut to 0..1 over one pixel. Pieces of one line take the largest cover,
 * so that joints and crossings are not darker than the rest; ends and joints are round. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "plot/canvas.h"
#include "plot/font.h"

static const double text_weight = 0.085; /* width of the pen for texts, in the size of the font */

static pw_raster *raster_of(pw_canvas *c) {
  return (pw_raster *)c;
}

static int at_least(int a, int b) {
  return a > b ? a : b;
}

static int at_most(int a, int b) {
  return a < b ? a : b;
}

/* Pixels whose cover a round pen of this radius can change, inside the clip. */
static bool reach(const pw_raster *r, const double *a, const double *b, double radius, int box[4]) {
  double room = radius + 1;
  double low[] = {fmin(a[0], b[0]) - room, fmin(a[1], b[1]) - room};
  double high[] = {fmax(a[0], b[0]) + room, fmax(a[1], b[1]) + room};
  for (int k = 0; k < 2; k++) {
    if (!(high[k] >= r->clip[k] && low[k] <= r->clip[2 + k])) { /* also NaN */
      return false;
    }
    box[k] = at_least((int)floor(fmax(low[k], r->clip[k])), r->clip[k]);
    box[2 + k] = at_most((int)ceil(fmin(high[k], r->clip[2 + k])), r->clip[2 + k]);
  }
  return true;
}

static double distance(double x, double y, const double *a, const double *b) {
  double dx = b[0] - a[0], dy = b[1] - a[1], size = dx * dx + dy * dy;
  double part = size > 0 ? ((x - a[0]) * dx + (y - a[1]) * dy) / size : 0;
  part = part < 0 ? 0 : part > 1 ? 1 : part;
  return hypot(x - a[0] - part * dx, y - a[1] - part * dy);
}

static void touch(pw_raster *r, const int box[4]) {
  for (int k = 0; k < 2; k++) {
    r->touched[k] = at_most(r->touched[k], box[k]);
    r->touched[2 + k] = at_least(r->touched[2 + k], box[2 + k]);
  }
}

static void cover(pw_raster *r, const double *a, const double *b, double radius) {
  int box[4];
  if (!reach(r, a, b, radius, box)) {
    return;
  }
  touch(r, box);
  for (int y = box[1]; y < box[3]; y++) {
    unsigned char *row = r->cover + (size_t)y * (size_t)r->width;
    for (int x = box[0]; x < box[2]; x++) {
      double part = radius + 0.5 - distance(x + 0.5, y + 0.5, a, b);
      int amount = part <= 0 ? 0 : part >= 1 ? 255 : (int)lround(255 * part);
      row[x] = (unsigned char)at_least(row[x], amount);
    }
  }
}

/* Puts the colour where something is covered, and forgets the cover. */
static void paint(pw_raster *r, unsigned color) {
  int ink[] = {(int)(color >> 16 & 255), (int)(color >> 8 & 255), (int)(color & 255)};
  for (int y = r->touched[1]; y < r->touched[3]; y++) {
    for (int x = r->touched[0]; x < r->touched[2]; x++) {
      size_t at = (size_t)y * (size_t)r->width + (size_t)x;
      int part = r->cover[at];
      for (int k = 0; part > 0 && k < 3; k++) {
        int page = r->rgb[3 * at + (size_t)k];
        r->rgb[3 * at + (size_t)k] =
            (unsigned char)((page * (255 - part) + ink[k] * part + 127) / 255);
      }
      r->cover[at] = 0;
    }
  }
  int none[] = {r->width, r->height, 0, 0};
  memcpy(r->touched, none, sizeof none);
}

/* A dotted line has a point every few units of its length. */
static void cover_dotted(pw_raster *r, const double *a, const double *b, double radius) {
  double length = hypot(b[0] - a[0], b[1] - a[1]), pace = 5 * r->scale;
  int n = length < 1e6 ? (int)(length / pace) : 0;
  for (int i = 0; i <= n; i++) {
    double part = length > 0 ? i * pace / length : 0;
    double p[] = {a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])};
    cover(r, p, p, radius);
  }
}

static void draw_line(pw_canvas *c, const double *xy, int64_t n, pw_stroke stroke) {
  pw_raster *r = raster_of(c);
  double radius = 0.5 * stroke.width * r->scale, last[2] = {NAN, NAN};
  for (int64_t i = 0; i < n; i++) {
    double p[] = {xy[2 * i] * r->scale, xy[2 * i + 1] * r->scale};
    bool joined = !isnan(last[0]) && !isnan(last[1]) && !isnan(p[0]) && !isnan(p[1]);
    if (joined && stroke.dotted) {
      cover_dotted(r, last, p, radius);
    } else if (joined) {
      cover(r, last, p, radius);
    }
    memcpy(last, p, sizeof last);
  }
  paint(r, stroke.color);
}

static void draw_dot(pw_canvas *c, double x, double y, double radius, unsigned color, bool hollow) {
  pw_raster *r = raster_of(c);
  double p[] = {x * r->scale, y * r->scale};
  cover(r, p, p, (radius + 0.6) * r->scale);
  paint(r, color);
  if (hollow) {
    cover(r, p, p, (radius - 0.6) * r->scale);
    paint(r, 0xffffff);
  }
}

typedef struct writing {
  pw_raster *raster;
  double radius;
} writing;

static void write_line(void *payload, double x1, double y1, double x2, double y2) {
  writing *w = payload;
  cover(w->raster, (double[]){x1, y1}, (double[]){x2, y2}, w->radius);
}

static void draw_text(pw_canvas *c, double x, double y, double size, pw_anchor anchor,
                      unsigned color, const char *text) {
  pw_raster *r = raster_of(c);
  double width = pw_font_width(text, size);
  double from = anchor == PW_TEXT_START ? x : anchor == PW_TEXT_MIDDLE ? x - width / 2 : x - width;
  writing w = {r, 0.5 * text_weight * size * r->scale};
  pw_font_draw(text, from * r->scale, y * r->scale, size * r->scale, write_line, &w);
  paint(r, color);
}

static void set_clip(pw_canvas *c, double x, double y, double width, double height) {
  pw_raster *r = raster_of(c);
  int all[] = {0, 0, r->width, r->height};
  memcpy(r->clip, all, sizeof all);
  if (width > 0) {
    r->clip[0] = at_least(0, (int)floor(x * r->scale));
    r->clip[1] = at_least(0, (int)floor(y * r->scale));
    r->clip[2] = at_most(r->width, (int)ceil((x + width) * r->scale));
    r->clip[3] = at_most(r->height, (int)ceil((y + height) * r->scale));
  }
}

/* Edges are at whole pixels, so that boxes side by side leave no seam. */
static void draw_box(pw_canvas *c, double x, double y, double width, double height,
                     unsigned color) {
  pw_raster *r = raster_of(c);
  int left = at_least(r->clip[0], (int)lround(x * r->scale));
  int top = at_least(r->clip[1], (int)lround(y * r->scale));
  int right = at_most(r->clip[2], (int)lround((x + width) * r->scale));
  int bottom = at_most(r->clip[3], (int)lround((y + height) * r->scale));
  for (int row = top; row < bottom; row++) {
    unsigned char *at = r->rgb + 3 * ((size_t)row * (size_t)r->width + (size_t)left);
    for (int k = left; k < right; k++) {
      *at++ = (unsigned char)(color >> 16);
      *at++ = (unsigned char)(color >> 8);
      *at++ = (unsigned char)color;
    }
  }
}

bool pw_raster_begin(pw_raster *r, double width, double height, double scale) {
  *r = (pw_raster){.canvas = {draw_line, draw_dot, draw_text, set_clip, draw_box}, .scale = scale};
  r->width = (int)ceil(width * scale);
  r->height = (int)ceil(height * scale);
  size_t n = (size_t)r->width * (size_t)r->height;
  r->rgb = malloc(3 * n);
  r->cover = calloc(n, 1);
  if (r->rgb == NULL || r->cover == NULL) {
    return false;
  }
  memset(r->rgb, 255, 3 * n);
  set_clip(&r->canvas, 0, 0, 0, 0);
  paint(r, 0); /* nothing is covered yet */
  return true;
}

void pw_raster_free(pw_raster *r) {
  free(r->rgb);
  free(r->cover);
}
