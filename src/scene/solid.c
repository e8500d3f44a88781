// SPDX-License-Identifier: MIT
/* Polygons and hulls from their corners, and shapes in their places. */
#include "scene/solid.h"

#include <math.h>
#include <string.h>

#include "law/scale_scene.h"
#include "scene/vec3.h"

static double size_of(const double (*corner)[3], int n) {
  double most = 0;
  for (int i = 0; i < n; i++) {
    most = fmax(most, pw_length3(corner[i]));
  }
  return most;
}

/* ---- polygons ---- */

static double twice_area(const double (*c)[3], int i, int j, int k) {
  return (c[j][0] - c[i][0]) * (c[k][1] - c[i][1]) - (c[j][1] - c[i][1]) * (c[k][0] - c[i][0]);
}

const char *pw_solid_polygon(pw_arena *arena, const double (*corner)[3], int n, pw_solid *out) {
  double area = 0, size = size_of(corner, n), turns = 0;
  for (int i = 1; i + 1 < n; i++) {
    area += twice_area(corner, 0, i, i + 1);
  }
  if (!(fabs(area) > PW_SCALE(FLAT_SHAPE) * size * size)) {
    return "its corners have no area between them";
  }
  double sense = area > 0 ? 1 : -1;
  for (int i = 0; i < n; i++) {
    int j = (i + 1) % n, k = (i + 2) % n;
    double dx = corner[j][0] - corner[i][0], dy = corner[j][1] - corner[i][1];
    double ex = corner[k][0] - corner[j][0], ey = corner[k][1] - corner[j][1];
    if (hypot(dx, dy) <= PW_SCALE(FLAT_SHAPE) * size) {
      return "two of its corners are one";
    }
    double turn = sense * atan2(dx * ey - dy * ex, dx * ex + dy * ey);
    if (turn < -PW_SCALE(FLAT_SHAPE)) {
      return "it is not convex";
    }
    turns += turn;
  }
  if (turns > 7) { /* once around is 2 pi */
    return "its sides cross each other";
  }
  *out = (pw_solid){.kind = PW_SOLID_POLYGON, .dim = 2, .size = size, .n_corner = n};
  out->corner = pw_arena_take(arena, (size_t)n, sizeof *out->corner);
  out->number = PW_TAKE(arena, n, int);
  for (int i = 0; i < n; i++) {
    int from = area > 0 ? i : n - 1 - i;
    memcpy(out->corner[i], corner[from], sizeof *out->corner);
    out->number[i] = from + 1;
  }
  return NULL;
}

/* ---- hulls: a plane through three corners with all others behind it holds a face ---- */

typedef struct hull_work {
  const double (*c)[3];
  int n;
  double tiny;
} hull_work;

/* Normal and level of the plane of i, j, k; false: they are on one line, or corners lie before
 * it. */
static bool is_face(const hull_work *h, const int at[3], double *normal, double *level) {
  double d[3], e[3];
  pw_add3(d, h->c[at[1]], -1, h->c[at[0]]);
  pw_add3(e, h->c[at[2]], -1, h->c[at[0]]);
  pw_cross3(normal, d, e);
  if (!(pw_unit3(normal) > h->tiny * h->tiny)) {
    return false;
  }
  *level = pw_dot3(normal, h->c[at[0]]);
  bool before = false, behind = false;
  for (int i = 0; i < h->n; i++) {
    double height = pw_dot3(normal, h->c[i]) - *level;
    before = before || height > h->tiny;
    behind = behind || height < -h->tiny;
  }
  if (before && !behind) {
    pw_scale3(normal, -1);
    *level = -*level;
  }
  return before != behind;
}

/* Corners on the plane; false: `at` are not its first three. */
static bool face_corners(const hull_work *h, const int at[3], pw_face *f) {
  int n = 0;
  for (int i = 0; i < h->n; i++) {
    if (fabs(pw_dot3(f->normal, h->c[i]) - f->level) <= h->tiny) {
      if (n < 3 && i != at[n]) {
        return false;
      }
      f->corner[n++] = i;
    }
  }
  f->n = n;
  return true;
}

/* Around the middle of the face, counter-clockwise seen from outside. */
static void sort_corners(const hull_work *h, const pw_face *f) {
  double middle[3] = {0, 0, 0}, x[3], y[3];
  for (int i = 0; i < f->n; i++) {
    pw_add3(middle, middle, 1.0 / f->n, h->c[f->corner[i]]);
  }
  pw_add3(x, h->c[f->corner[0]], -1, middle);
  pw_cross3(y, f->normal, x);
  for (int i = 1; i < f->n; i++) { /* insertion by angle */
    int moving = f->corner[i], k = i;
    double d[3];
    pw_add3(d, h->c[moving], -1, middle);
    double angle = atan2(pw_dot3(d, y), pw_dot3(d, x));
    for (; k > 1; k--) {
      pw_add3(d, h->c[f->corner[k - 1]], -1, middle);
      double other = atan2(pw_dot3(d, y), pw_dot3(d, x));
      other = other < 0 ? other + 2 * acos(-1) : other;
      if (other <= (angle < 0 ? angle + 2 * acos(-1) : angle)) {
        break;
      }
      f->corner[k] = f->corner[k - 1];
    }
    f->corner[k] = moving;
  }
}

/* Corners of a face that lie on one of its edges, or inside of it, are none. */
static void drop_straight(const hull_work *h, pw_face *f) {
  for (int i = 0; i < f->n && f->n > 3;) {
    const double *a = h->c[f->corner[(i + f->n - 1) % f->n]], *b = h->c[f->corner[i]],
                 *c = h->c[f->corner[(i + 1) % f->n]];
    double d[3], e[3], turn[3];
    pw_add3(d, b, -1, a);
    pw_add3(e, c, -1, b);
    pw_cross3(turn, d, e);
    if (pw_dot3(turn, f->normal) <= h->tiny * h->tiny) {
      memmove(f->corner + i, f->corner + i + 1, (size_t)(f->n - i - 1) * sizeof *f->corner);
      f->n--;
      i = i > 0 ? i - 1 : 0;
    } else {
      i++;
    }
  }
}

static void find_edges(pw_arena *arena, pw_solid *s) {
  int most = 0;
  for (int i = 0; i < s->n_face; i++) {
    most += s->face[i].n;
  }
  s->edge = pw_arena_take(arena, (size_t)most + 1, sizeof *s->edge);
  for (int i = 0; i < s->n_face; i++) {
    for (int k = 0; k < s->face[i].n; k++) {
      int a = s->face[i].corner[k], b = s->face[i].corner[(k + 1) % s->face[i].n];
      if (a < b) { /* the face on the other side has it the other way round */
        s->edge[s->n_edge][0] = a;
        s->edge[s->n_edge++][1] = b;
      }
    }
  }
}

const char *pw_solid_hull(pw_arena *arena, const double (*corner)[3], int n, pw_solid *out) {
  enum { MOST = 64 };
  double size = size_of(corner, n);
  hull_work h = {corner, n, PW_SCALE(FLAT_SHAPE) * size};
  if (n > MOST) {
    return "it has more than 64 corners";
  }

  /* By Euler's formula n corners have at most 2 n - 4 faces. */
  *out = (pw_solid){.kind = PW_SOLID_HULL, .dim = 3, .size = size, .n_corner = n};
  out->corner = pw_arena_take(arena, (size_t)n, sizeof *out->corner);
  memcpy(out->corner, corner, (size_t)n * sizeof *out->corner);
  out->number = PW_TAKE(arena, n, int);
  out->face = PW_TAKE(arena, 2 * n, pw_face);

  /* Three corners span a face if all others are on one side; its corners go around in order. */
  int room[MOST];
  for (int i = 0; i < n; i++) {
    out->number[i] = i + 1;
    for (int j = i + 1; j < n; j++) {
      for (int k = j + 1; k < n && out->n_face < 2 * n; k++) {
        pw_face f = {.corner = room};
        const int at[3] = {i, j, k};
        if (is_face(&h, at, f.normal, &f.level) && face_corners(&h, at, &f)) {
          sort_corners(&h, &f);
          drop_straight(&h, &f);
          f.corner = PW_TAKE(arena, f.n, int);
          memcpy(f.corner, room, (size_t)f.n * sizeof *room);
          out->face[out->n_face++] = f;
        }
      }
    }
  }

  /* A body has at least the four faces of a tetrahedron. */
  find_edges(arena, out);
  return out->n_face < 4 ? "its corners have no volume between them" : NULL;
}

/* ---- in their places ---- */

static void bound_corners(pw_placed *x, double radius) {
  pw_set3(x->lo, x->corner[0]);
  pw_set3(x->hi, x->corner[0]);
  for (int i = 0; i < x->solid->n_corner; i++) {
    for (int k = 0; k < 3; k++) {
      x->lo[k] = fmin(x->lo[k], x->corner[i][k]);
      x->hi[k] = fmax(x->hi[k], x->corner[i][k]);
    }
  }
  for (int k = 0; k < 3; k++) {
    x->lo[k] -= radius;
    x->hi[k] += radius;
  }
}

static void bound_round(pw_placed *x) {
  for (int k = 0; k < 3; k++) {
    double axis = x->R[3 * k + 2], reach = x->solid->radius;
    if (x->solid->kind == PW_SOLID_CYLINDER) {
      reach = x->solid->half * fabs(axis) + x->solid->radius * sqrt(fmax(0, 1 - axis * axis));
    }
    x->lo[k] = x->p[k] - reach;
    x->hi[k] = x->p[k] + reach;
  }
}

void pw_placed_set(pw_placed *x) {
  const pw_solid *s = x->solid;
  switch (s->kind) {
  case PW_SOLID_ROD:
    /* Ends of the axis, R (0, 0, +-half) + p, or the two points given. */
    for (int i = 0; i < 2; i++) {
      const double own[3] = {0, 0, i == 0 ? -s->half : s->half};
      double turned[3];
      pw_turn3(turned, x->R, own);
      pw_add3(x->corner[i], x->p, 1, turned);
    }
    if (s->free_ends) {
      pw_set3(x->corner[0], x->p);
      pw_set3(x->corner[1], x->q);
    }
    bound_corners(x, s->radius);
    break;
  case PW_SOLID_POLYGON:
  case PW_SOLID_HULL:
    /* R corner + p. */
    for (int i = 0; i < s->n_corner; i++) {
      double turned[3];
      pw_turn3(turned, x->R, s->corner[i]);
      pw_add3(x->corner[i], x->p, 1, turned);
    }
    bound_corners(x, 0);
    break;
  case PW_SOLID_BALL:
  case PW_SOLID_CYLINDER: bound_round(x); break;
  case PW_SOLID_PLANE:
    /* It has no bounds. */
    for (int k = 0; k < 3; k++) {
      x->lo[k] = -INFINITY;
      x->hi[k] = INFINITY;
    }
    break;
  }
}
