// SPDX-License-Identifier: MIT
#include "model/shape_draw.h"

#include <string.h>

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

static void body_argument(canvas *c, const pw_shape_def *s) {
  pw_check *ck = c->ck;
  pw_node v[7] = {s->p[0], s->p[1], s->p[2]};
  const pw_coord *turn = &ck->m->coords.items[s->body + 3];
  for (int i = 0; i < 4; i++) {
    v[3 + i] = pw_var(ck->dag, pw_var_of(PW_VAR_Q, turn->q + i));
  }
  argument(c, NULL, pw_intern(ck->names, turn->name, (int)strlen(turn->name) - 2), v, 7);
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

/* A straight wall, a metre to both sides of its point. */
static void draw_wall(pw_check *ck, const pw_shape_def *s) {
  pw_node a[3], b[3];
  if (s->dim == 3) {
    canvas c = begin(ck, s, "plane", 2);
    argument(&c, NULL, NULL, s->p, 3);
    argument(&c, NULL, NULL, s->q, 3);
    end(&c);
    return;
  }
  pw_node along[2] = {pw_neg(ck->dag, s->q[1]), s->q[0]};
  for (int i = 0; i < 2; i++) {
    a[i] = pw_sub(ck->dag, s->p[i], along[i]);
    b[i] = pw_add(ck->dag, s->p[i], along[i]);
  }
  draw_line(ck, s, a, b);
}

static void draw_solid(pw_check *ck, const pw_shape_def *s, const char *shape, const char *word,
                       const pw_node *size, int n) {
  if (s->body >= 0) {
    canvas c = begin(ck, s, shape, 2);
    body_argument(&c, s);
    argument(&c, word, NULL, size, n);
    end(&c);
  }
}

void pw_draw_shape(pw_check *ck, const pw_shape_def *s) {
  switch (s->kind) {
  case PW_SHAPE_DISK: draw_disk(ck, s); break;
  case PW_SHAPE_POLYGON: draw_polygon(ck, s); break;
  case PW_SHAPE_SEGMENT: draw_line(ck, s, s->p, s->q); break;
  case PW_SHAPE_PLANE: draw_wall(ck, s); break;
  case PW_SHAPE_SPHERE: draw_solid(ck, s, "sphere", "radius", &s->radius, 1); break;
  case PW_SHAPE_BOX: draw_solid(ck, s, "box", "size", s->size, 3); break;
  case PW_SHAPE_CYLINDER: draw_solid(ck, s, "cylinder", "size", s->size, 2); break;
  case PW_SHAPE_CAPSULE: {
    pw_node size[2] = {s->radius, s->size[0]};
    draw_solid(ck, s, "cylinder", "size", size, 2);
    break;
  }
  case PW_SHAPE_HULL: break;
  }
}
