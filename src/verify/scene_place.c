// SPDX-License-Identifier: MIT
/* Where the shapes of piles are, how their points move, and which of them are near. */
#include <math.h>
#include <string.h>

#include "scene/vec3.h"
#include "verify/scenes.h"

/* ---- memory ---- */

/* Shapes point to their solids and corners. */
static void prepare(pw_scenes *x) {
  double(*corner)[3] = x->corners;
  size_t at = 0;
  for (int i = 0; i < x->scene->n_shape; i++) {
    x->order[i] = i;
    x->shape[i].solid = x->scene->shape[i].solid;
    x->shape[i].corner = corner;
    corner += x->scene->shape[i].solid->n_corner;
  }
  for (int p = 0; p < x->scene->n_part; p++) {
    x->part.mass_at[p] = at;
    at += (size_t)pw_scene_count(x->scene, p) * (size_t)pw_scene_count(x->scene, p);
  }
}

void pw_scenes_lay(pw_scenes *x, const pw_system *s, pw_layout *l) {
  const pw_scene *scene = s->scene;
  *x = (pw_scenes){.scene = scene};
  if (scene == NULL) {
    return;
  }

  /* Places of the shapes, and their order along an axis. */
  pw_probe_tape_lay(&x->frame, scene->tape, l);
  x->in = PW_LAY(l, s->n_in, double);
  x->shape = PW_LAY(l, scene->n_shape, pw_placed);
  x->corners = pw_layout_take(l, pw_scene_corners(scene) + 1, sizeof *x->corners);
  x->order = PW_LAY(l, scene->n_shape, int);

  /* Levers of two points. */
  size_t most = 0;
  for (int i = 0; i < scene->n_shape; i++) {
    most = most > (size_t)scene->shape[i].n_dof ? most : (size_t)scene->shape[i].n_dof;
  }
  for (int side = 0; side < 2; side++) {
    x->lever[side].column = pw_layout_take(l, most + 3, sizeof *x->lever[side].column);
  }

  /* Mass, load and displacement by parts, and which of them were touched or moved. */
  x->mass = PW_LAY(l, pw_scene_masses(scene), double);
  x->part.load = PW_LAY(l, scene->n_part, double);
  x->part.put = PW_LAY(l, scene->n_part, double);
  x->part.mass_at = PW_LAY(l, scene->n_part, size_t);
  x->part.touched = PW_LAY(l, scene->n_part, unsigned char);
  x->part.root = PW_LAY(l, scene->n_part, int);
  x->part.kicks = PW_LAY(l, scene->n_part, int);
  x->part.bouncing = PW_LAY(l, scene->n_part, double);
  x->part.dead = PW_LAY(l, scene->n_part, double);
  x->part.moved = PW_LAY(l, scene->n_part, unsigned char);

  /* States and residuals of one step. */
  struct {
    double **array;
    int n;
  } parts[] = {{&x->q, s->nq},       {&x->v, s->nv},      {&x->a, s->nv},
               {&x->dq, s->nq},      {&x->arrive, s->nq}, {&x->residual, s->nv},
               {&x->scratch, s->nv}, {&x->slope, s->nv},  {&x->last.state, s->nq + s->nv},
               {&x->last.h, s->nv}};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    *parts[i].array = PW_LAY(l, parts[i].n, double);
  }
  if (x->shape != NULL) {
    prepare(x);
  }
}

/* ---- places ---- */

static void by_angle(double angle, double *R) {
  double c = cos(angle), s = sin(angle);
  memcpy(R, (const double[9]){c, -s, 0, s, c, 0, 0, 0, 1}, 9 * sizeof *R);
}

/* Columns are the images of the axes: v + 2 w (x cross v) + 2 x cross (x cross v), q = (w, x). */
static void by_quaternion(const double *q, double *R) {
  double size = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], f = size > 0 ? 2 / size : 0;
  for (int k = 0; k < 3; k++) {
    double axis[3] = {k == 0, k == 1, k == 2}, once[3], twice[3];
    pw_cross3(once, q + 1, axis);
    pw_cross3(twice, q + 1, once);
    for (int i = 0; i < 3; i++) {
      R[3 * i + k] = axis[i] + f * (q[0] * once[i] + twice[i]);
    }
  }
}

void pw_scenes_place(pw_scenes *x, const pw_system *s, double t, const double *q) {
  x->in[s->offset[PW_VAR_TIME]] = t;
  memcpy(x->in + s->offset[PW_VAR_Q], q, (size_t)s->nq * sizeof *q);
  pw_tape_run(x->frame.tape, x->in, x->frame.reg, x->frame.out);
  for (int i = 0; i < x->scene->n_shape; i++) {
    const pw_scene_shape *shape = &x->scene->shape[i];
    const double *out = x->frame.out + shape->out;
    pw_placed *p = &x->shape[i];
    pw_set3(p->p, out + PW_FRAME_P);
    pw_set3(p->q, out + PW_FRAME_Q);
    if (shape->quaternion >= 0) {
      by_quaternion(q + shape->quaternion, p->R);
    } else {
      by_angle(out[PW_FRAME_ANGLE], p->R);
    }
  }
}

void pw_scenes_place_whole(pw_scenes *x, const pw_system *s, double t, const double *q) {
  pw_scenes_place(x, s, t, q);
  for (int i = 0; i < x->scene->n_shape; i++) {
    pw_placed_set(&x->shape[i]);
  }
}

/* ---- velocities ---- */

/* Of the point, where the channels of the frame have these rates. part: of the way between the ends
 * of a shape whose ends move on their own. */
static void point_by(const pw_scene_shape *s, const pw_placed *p, const double *arm, double part,
                     const double *rate, double *v) {
  for (int i = 0; i < 3; i++) {
    v[i] = (1 - part) * rate[PW_FRAME_P + i] + part * rate[PW_FRAME_Q + i];
  }
  if (s->turns && !s->solid->free_ends) {
    v[0] -= rate[PW_FRAME_ANGLE] * arm[1];
    v[1] += rate[PW_FRAME_ANGLE] * arm[0];
  }
  if (s->solid->kind == PW_SOLID_PLANE) { /* it turns with its normal */
    double spin[3], moved[3];
    pw_cross3(spin, p->q, rate + PW_FRAME_Q);
    pw_cross3(moved, spin, arm);
    pw_add3(v, v, 1, moved);
  }
}

static int columns_of(const pw_scene_shape *s) {
  return s->n_dof + (s->quaternion >= 0 ? 3 : 0);
}

static void hold(const pw_scenes *x, int shape, const double *at, pw_scenes_lever *out) {
  const pw_scene_shape *s = &x->scene->shape[shape];
  const pw_placed *p = &x->shape[shape];
  const double *drift = x->frame.out + s->out + PW_FRAME_CHANNELS, *by = drift + PW_FRAME_CHANNELS;
  double arm[3], part = s->solid->free_ends ? pw_nearest_part(p->p, p->q, at) : 0;
  pw_add3(arm, at, -1, p->p);
  out->of = s;
  memset(out->drift, 0, sizeof out->drift);
  if (s->drives) {
    point_by(s, p, arm, part, drift, out->drift);
  }
  for (int k = 0; k < s->n_dof; k++) {
    double rate[PW_FRAME_CHANNELS];
    for (int c = 0; c < PW_FRAME_CHANNELS; c++) {
      rate[c] = by[c * s->n_dof + k];
    }
    point_by(s, p, arm, part, rate, out->column[k]);
  }
  for (int k = 0; s->quaternion >= 0 && k < 3; k++) { /* spins are along the axes of the body */
    double axis[3] = {p->R[k], p->R[3 + k], p->R[6 + k]};
    pw_cross3(out->column[s->n_dof + k], axis, arm);
  }
}

void pw_scenes_hold(pw_scenes *x, int first, int second, const double *at) {
  hold(x, first, at, &x->lever[0]);
  hold(x, second, at, &x->lever[1]);
}

static int velocity_of(const pw_scene_shape *s, int column) {
  return column < s->n_dof ? s->dof[column] : s->spin + column - s->n_dof;
}

void pw_scenes_rate(const pw_scenes *x, const double *u, double *v) {
  const pw_scenes_lever *a = &x->lever[0], *b = &x->lever[1];
  pw_add3(v, a->drift, -1, b->drift);
  for (int side = 0; side < 2; side++) {
    const pw_scenes_lever *l = &x->lever[side];
    for (int k = 0; k < columns_of(l->of); k++) {
      double speed = u[velocity_of(l->of, k)];
      pw_add3(v, v, side == 0 ? speed : -speed, l->column[k]);
    }
  }
}

void pw_scenes_press(const pw_scenes *x, const double *force, double *to) {
  for (int side = 0; side < 2; side++) {
    const pw_scenes_lever *l = &x->lever[side];
    for (int k = 0; k < columns_of(l->of); k++) {
      double push = pw_dot3(l->column[k], force);
      to[velocity_of(l->of, k)] += side == 0 ? push : -push;
    }
  }
}

/* ---- what is near ---- */

bool pw_scenes_may_touch(const pw_scenes *x, int i, int k) {
  const pw_scene_shape *a = &x->scene->shape[i], *b = &x->scene->shape[k];
  return (a->piles & b->piles) != 0 && (a->part >= 0 || b->part >= 0) && a->part != b->part;
}

double pw_scenes_size(const pw_scenes *x, int i, int k) {
  double a = x->shape[i].solid->size, b = x->shape[k].solid->size;
  return a > 0 && b > 0 ? fmin(a, b) : fmax(a, b);
}

/* By insertion: from step to step the order hardly changes. */
static void sort(pw_scenes *x) {
  for (int i = 1; i < x->scene->n_shape; i++) {
    int moved = x->order[i], k = i;
    for (; k > 0 && x->shape[x->order[k - 1]].lo[0] > x->shape[moved].lo[0]; k--) {
      x->order[k] = x->order[k - 1];
    }
    x->order[k] = moved;
  }
}

static bool is_near(const pw_placed *a, const pw_placed *b, double reach) {
  bool near = true;
  for (int i = 0; i < 3; i++) {
    near = near && a->lo[i] <= b->hi[i] + reach && b->lo[i] <= a->hi[i] + reach;
  }
  return near;
}

void pw_scenes_pairs(pw_scenes *x, double reach, void (*pair)(void *payload, int i, int k),
                     void *payload) {
  double widest = 0;
  for (int i = 0; i < x->scene->n_shape; i++) {
    widest = fmax(widest, x->shape[i].solid->size);
  }
  double far = reach * widest;
  sort(x);
  for (int i = 0; i < x->scene->n_shape; i++) {
    int a = x->order[i];
    for (int k = i + 1; k < x->scene->n_shape; k++) {
      int b = x->order[k];
      if (x->shape[b].lo[0] > x->shape[a].hi[0] + far) {
        break;
      }
      if (pw_scenes_may_touch(x, a, b) && is_near(&x->shape[a], &x->shape[b], far)) {
        pair(payload, a < b ? a : b, a < b ? b : a);
      }
    }
  }
}
