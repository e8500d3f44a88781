// SPDX-License-Identifier: MIT
#include "model/shape_draw.h"

#include <math.h>
#include <string.h>

#include "law/scale_scene.h"
#include "model/shape_touch.h"

typedef struct canvas {
  pw_check *ck;
  pw_draw draw;
} canvas;

static canvas begin(pw_check *ck, const pw_shape_def *s, const char *shape, int args) {
  canvas c = {.ck = ck, .draw = {.shape = pw_intern(ck->names, shape, (int)strlen(shape))}};
  c.draw.span = s->span;
  c.draw.args = pw_arena_take(ck->arena, (size_t)args, sizeof *c.draw.args);
  return c;
}

static void argument(canvas *c, const char *word, const char *body, const pw_node *v, int n) {
  int i = c->draw.n_arg++;
  c->draw.args[i].word = word == NULL ? NULL : pw_intern(c->ck->names, word, (int)strlen(word));
  c->draw.args[i].text = NULL;
  c->draw.args[i].body = body;
  c->draw.args[i].n = n;
  c->draw.args[i].v = PW_TAKE(c->ck->arena, n, pw_node);
  memcpy(c->draw.args[i].v, v, (size_t)n * sizeof *v);
}

static void end(canvas *c) {
  c->draw.of_shape = true;
  PW_PUSH(c->ck->arena, &c->ck->m->draws, c->draw);
}

/* A point of the shape, in its own axes, and how it is turned: what stands in space is not. */
static void solid_argument(canvas *c, const pw_shape_def *s, const pw_node own[3]) {
  pw_check *ck = c->ck;
  pw_node v[7];
  const pw_coord *turn = s->body >= 0 ? &ck->m->coords.items[s->body + 3] : NULL;
  pw_shape_point(ck, s, own, v);
  for (int i = 0; i < 4; i++) {
    v[3 + i] = turn == NULL ? pw_const(ck->dag, i == 0)
                            : pw_var(ck->dag, pw_var_of(PW_VAR_Q, turn->q + i));
  }
  const char *name = turn == NULL ? "ground" : turn->name;
  argument(c, NULL, pw_intern(ck->names, name, (int)strlen(name) - (turn == NULL ? 0 : 2)), v, 7);
}

static void draw_line(pw_check *ck, const pw_shape_def *s, const pw_node *p, const pw_node *q) {
  canvas c = begin(ck, s, "line", 2);
  argument(&c, NULL, NULL, p, s->dim);
  argument(&c, NULL, NULL, q, s->dim);
  end(&c);
}

/* A disk shows how it turns by a radius. */
static void draw_disk(pw_check *ck, const pw_shape_def *s) {
  canvas c = begin(ck, s, "circle", 2);
  argument(&c, NULL, NULL, s->p, 2);
  argument(&c, "radius", NULL, &s->radius, 1);
  end(&c);
  if (s->angle >= 0) {
    pw_node own[3] = {s->radius, pw_const(ck->dag, 0), pw_const(ck->dag, 0)}, rim[3];
    pw_shape_point(ck, s, own, rim);
    draw_line(ck, s, s->p, rim);
  }
}

static void draw_polygon(pw_check *ck, const pw_shape_def *s) {
  canvas c = begin(ck, s, "polygon", s->n_corner);
  for (int i = 0; i < s->n_corner; i++) {
    pw_node corner[3];
    pw_shape_point(ck, s, s->corner[i], corner);
    argument(&c, NULL, NULL, corner, 2);
  }
  end(&c);
}

/* Half of space, by a point of its boundary and the normal to the free side. */
static void draw_wall(pw_check *ck, const pw_shape_def *s) {
  canvas c = begin(ck, s, "plane", 2);
  argument(&c, NULL, NULL, s->p, s->dim);
  argument(&c, NULL, NULL, s->q, s->dim);
  end(&c);
}

static void draw_solid_at(pw_check *ck, const pw_shape_def *s, const char *shape,
                          const pw_node own[3], const pw_node *size, int n) {
  canvas c = begin(ck, s, shape, 2);
  solid_argument(&c, s, own);
  argument(&c, n == 1 ? "radius" : "size", NULL, size, n);
  end(&c);
}

static void draw_solid(pw_check *ck, const pw_shape_def *s, const char *shape, const pw_node *size,
                       int n) {
  const pw_node zero = pw_const(ck->dag, 0);
  draw_solid_at(ck, s, shape, (const pw_node[3]){zero, zero, zero}, size, n);
}

/* A cylinder between two balls. */
static void draw_capsule(pw_check *ck, const pw_shape_def *s) {
  const pw_node size[2] = {s->radius, s->size[0]}, zero = pw_const(ck->dag, 0);
  draw_solid(ck, s, "cylinder", size, 2);
  for (int side = -1; side <= 1; side += 2) {
    pw_node end_of = pw_mul(ck->dag, pw_const(ck->dag, 0.5 * side), s->size[0]);
    draw_solid_at(ck, s, "sphere", (const pw_node[3]){zero, zero, end_of}, &s->radius, 1);
  }
}

/* ---- hulls ---- */

enum { MOST_CORNERS = 32 };

typedef struct hull {
  int n;
  double x[MOST_CORNERS][3];
  double size;
} hull;

typedef struct face {
  int n, corner[MOST_CORNERS];
  double normal[3];
} face;

static double no_variable(void *payload, int var) {
  (void)payload;
  (void)var;
  return NAN;
}

static double dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double *a, const double *b, double *out) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

static void apart(const hull *h, int i, int j, double *out) {
  for (int k = 0; k < 3; k++) {
    out[k] = h->x[j][k] - h->x[i][k];
  }
}

/* The face through three corners, if all others lie behind it. A face is found once, by its first
 * three. */
static bool find_face(const hull *h, const int three[3], face *f) {
  double a[3], b[3];
  apart(h, three[0], three[1], a);
  apart(h, three[0], three[2], b);
  cross(a, b, f->normal);
  double length = sqrt(dot(f->normal, f->normal)), flat = PW_SCALE(FLAT_SHAPE) * h->size;
  if (!(length > flat * h->size)) {
    return false;
  }
  bool before = false, behind = false;
  f->n = 0;
  for (int i = 0; i < h->n; i++) {
    apart(h, three[0], i, a);
    double off = dot(a, f->normal) / length;
    before = before || off > flat;
    behind = behind || off < -flat;
    if (fabs(off) <= flat) {
      f->corner[f->n++] = i;
    }
  }
  return before != behind && f->corner[0] == three[0] && f->corner[1] == three[1] &&
         f->corner[2] == three[2];
}

/* Corners in their order about the middle of the face. */
static void sort_face(const hull *h, face *f) {
  double middle[3] = {0}, u[3], v[3], angle[MOST_CORNERS];
  for (int i = 0; i < f->n; i++) {
    for (int k = 0; k < 3; k++) {
      middle[k] += h->x[f->corner[i]][k] / f->n;
    }
  }
  for (int k = 0; k < 3; k++) {
    u[k] = h->x[f->corner[0]][k] - middle[k];
  }
  cross(f->normal, u, v);
  double long_u = sqrt(dot(u, u)), long_v = sqrt(dot(v, v));
  for (int i = 0; i < f->n; i++) {
    double d[3];
    for (int k = 0; k < 3; k++) {
      d[k] = h->x[f->corner[i]][k] - middle[k];
    }
    angle[i] = atan2(dot(d, v) / long_v, dot(d, u) / long_u);
    for (int k = i; k > 0 && angle[k] < angle[k - 1]; k--) {
      double kept = angle[k];
      int corner = f->corner[k];
      angle[k] = angle[k - 1];
      angle[k - 1] = kept;
      f->corner[k] = f->corner[k - 1];
      f->corner[k - 1] = corner;
    }
  }
}

static void draw_face(pw_check *ck, const pw_shape_def *s, const face *f) {
  canvas c = begin(ck, s, "polygon", f->n);
  for (int i = 0; i < f->n; i++) {
    pw_node corner[3];
    pw_shape_point(ck, s, s->corner[f->corner[i]], corner);
    argument(&c, NULL, NULL, corner, 3);
  }
  end(&c);
}

static void draw_hull(pw_check *ck, const pw_shape_def *s) {
  hull h = {.n = s->n_corner < MOST_CORNERS ? s->n_corner : MOST_CORNERS};
  face f;
  for (int i = 0; i < h.n; i++) {
    for (int k = 0; k < 3; k++) {
      h.x[i][k] = pw_eval(ck->dag, s->corner[i][k], no_variable, NULL);
      h.size = fmax(h.size, fabs(h.x[i][k] - h.x[0][k]));
    }
  }
  for (int i = 0; i < h.n; i++) {
    for (int j = i + 1; j < h.n; j++) {
      for (int k = j + 1; k < h.n; k++) {
        if (find_face(&h, (const int[3]){i, j, k}, &f)) {
          sort_face(&h, &f);
          draw_face(ck, s, &f);
        }
      }
    }
  }
}

void pw_draw_shape(pw_check *ck, const pw_shape_def *s) {
  switch (s->kind) {
  case PW_SHAPE_DISK: draw_disk(ck, s); break;
  case PW_SHAPE_POLYGON: draw_polygon(ck, s); break;
  case PW_SHAPE_SEGMENT: draw_line(ck, s, s->p, s->q); break;
  case PW_SHAPE_PLANE: draw_wall(ck, s); break;
  case PW_SHAPE_SPHERE: draw_solid(ck, s, "sphere", &s->radius, 1); break;
  case PW_SHAPE_BOX: draw_solid(ck, s, "box", s->size, 3); break;
  case PW_SHAPE_CYLINDER: draw_solid(ck, s, "cylinder", s->size, 2); break;
  case PW_SHAPE_CAPSULE: draw_capsule(ck, s); break;
  case PW_SHAPE_HULL: draw_hull(ck, s); break;
  }
}
