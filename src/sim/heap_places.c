// SPDX-License-Identifier: MIT
/* Where shapes are, how their points move with the velocities, and which of them are near. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "law/scale_scene.h"
#include "scene/vec3.h"
#include "sim/heap.h"

static const pw_system *system_of(const pw_heap *x) {
  return x->s->mech->sys;
}

/* ---- places ---- */

static void turn_by_angle(double angle, double *R) {
  double c = cos(angle), s = sin(angle);
  const double turned[9] = {c, -s, 0, s, c, 0, 0, 0, 1};
  memcpy(R, turned, sizeof turned);
}

static void turn_by_quaternion(const double *q, double *R) {
  double n = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], s = n > 0 ? 2 / n : 0;
  double w = q[0], a = q[1], b = q[2], c = q[3];
  const double turned[9] = {
      1 - s * (b * b + c * c), s * (a * b - w * c),     s * (a * c + w * b),
      s * (a * b + w * c),     1 - s * (a * a + c * c), s * (b * c - w * a),
      s * (a * c - w * b),     s * (b * c + w * a),     1 - s * (a * a + b * b)};
  memcpy(R, turned, sizeof turned);
}

void pw_heap_place(pw_heap *x, double t, const double *q) {
  const pw_system *sys = system_of(x);
  x->in[sys->offset[PW_VAR_TIME]] = t;
  memcpy(x->in + sys->offset[PW_VAR_Q], q, (size_t)sys->nq * sizeof *q);
  pw_tape_run(x->scene->tape, x->in, x->reg, x->out);
  for (int i = 0; i < x->scene->n_shape; i++) {
    const pw_scene_shape *s = &x->scene->shape[i];
    const double *out = x->out + s->out;
    pw_placed *p = &x->shape[i];
    pw_set3(p->p, out + PW_FRAME_P);
    pw_set3(p->q, out + PW_FRAME_Q);
    if (s->quaternion >= 0) {
      turn_by_quaternion(q + s->quaternion, p->R);
    } else {
      turn_by_angle(out[PW_FRAME_ANGLE], p->R);
    }
    pw_placed_set(p);
  }
}

/* ---- velocities ---- */

/* Velocity along d of the point at `at` where the channels have these rates. */
static double point_rate(const pw_heap *x, int shape, const double *at, const double *d,
                         const double rate[PW_FRAME_CHANNELS]) {
  const pw_scene_shape *s = &x->scene->shape[shape];
  const pw_placed *p = &x->shape[shape];
  double arm[3], v = pw_dot3(d, rate + PW_FRAME_P);
  pw_add3(arm, at, -1, p->p);
  if (s->solid->free_ends) {
    double part = pw_nearest_part(p->p, p->q, at);
    return (1 - part) * v + part * pw_dot3(d, rate + PW_FRAME_Q);
  }
  if (s->turns) {
    v += rate[PW_FRAME_ANGLE] * (d[1] * arm[0] - d[0] * arm[1]);
  }
  if (s->solid->kind == PW_SOLID_PLANE) { /* it turns with its normal */
    double spin[3], moved[3];
    pw_cross3(spin, p->q, rate + PW_FRAME_Q);
    pw_cross3(moved, spin, arm);
    v += pw_dot3(d, moved);
  }
  return v;
}

double pw_heap_slope(const pw_heap *x, int shape, const double *at, const double *d, double sign,
                     double *slope) {
  const pw_scene_shape *s = &x->scene->shape[shape];
  const double *drift = x->out + s->out + PW_FRAME_CHANNELS, *by = drift + PW_FRAME_CHANNELS;
  for (int k = 0; k < s->n_dof; k++) {
    double rate[PW_FRAME_CHANNELS];
    for (int c = 0; c < PW_FRAME_CHANNELS; c++) {
      rate[c] = by[c * s->n_dof + k];
    }
    slope[x->scene->place_of[s->dof[k]]] += sign * point_rate(x, shape, at, d, rate);
  }
  if (s->quaternion >= 0) {
    const double *R = x->shape[shape].R;
    double arm[3], moment[3], own[3];
    pw_add3(arm, at, -1, x->shape[shape].p);
    pw_cross3(moment, arm, d);
    pw_turn_back3(own, R, moment);
    for (int k = 0; k < 3; k++) {
      slope[x->scene->place_of[s->spin + k]] += sign * own[k];
    }
  }
  return s->drives ? sign * point_rate(x, shape, at, d, drift) : 0;
}

/* ---- shapes of one body ---- */

static bool move_alike(const pw_heap *x, int a, int b, double *one, double *two) {
  static const double axis[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  int part = x->scene->shape[a].part;
  int n = pw_scene_count(x->scene, part);
  double size = x->shape[a].solid->size + x->shape[b].solid->size + 1, at[3];
  for (int k = 0; k < 9; k++) { /* three places, three directions */
    memset(one, 0, (size_t)n * sizeof *one);
    memset(two, 0, (size_t)n * sizeof *two);
    pw_add3(at, x->shape[a].p, k / 3 == 0 ? 0 : size, axis[k / 3 % 3]);
    double drift =
        pw_heap_slope(x, a, at, axis[k % 3], 1, one) - pw_heap_slope(x, b, at, axis[k % 3], 1, two);
    for (int i = 0; i < n; i++) {
      if (fabs(one[i] - two[i]) > PW_SCALE(FLAT_SHAPE) * size || drift != 0) {
        return false;
      }
    }
  }
  return true;
}

void pw_heap_find_rigid(pw_heap *x) {
  int n = x->scene->n_shape;
  for (int i = 0; i < n; i++) {
    x->rigid[i] = i;
    for (int k = 0; k < i && x->rigid[i] == i; k++) {
      if (x->scene->shape[i].part >= 0 && x->scene->shape[i].part == x->scene->shape[k].part &&
          move_alike(x, i, k, x->du, x->free)) {
        x->rigid[i] = x->rigid[k];
      }
    }
  }
}

/* ---- what is near ---- */

static double speed_of(const pw_heap *x, int shape, const double *u) {
  const pw_scene_shape *s = &x->scene->shape[shape];
  const double *drift = x->out + s->out + PW_FRAME_CHANNELS, *by = drift + PW_FRAME_CHANNELS;
  double rate[PW_FRAME_CHANNELS];
  for (int c = 0; c < PW_FRAME_CHANNELS; c++) {
    rate[c] = drift[c];
    for (int k = 0; k < s->n_dof; k++) {
      rate[c] += by[c * s->n_dof + k] * u[s->dof[k]];
    }
  }
  double spin = fabs(rate[PW_FRAME_ANGLE]);
  if (s->quaternion >= 0) {
    spin = pw_length3(u + s->spin);
  }
  double speed = pw_length3(rate + PW_FRAME_P) + spin * s->solid->size;
  return s->solid->free_ends ? fmax(speed, pw_length3(rate + PW_FRAME_Q)) : speed;
}

void pw_heap_widen(pw_heap *x, double h, const double *u, const double *w) {
  for (int i = 0; i < x->scene->n_shape; i++) {
    double speed = fmax(speed_of(x, i, u), speed_of(x, i, w));
    x->margin[i] = h * speed + PW_SCALE(HEAP_TOUCH) * x->shape[i].solid->size;
  }
}

static bool may_touch(void *payload, int i, int j) {
  const pw_heap *x = payload;
  const pw_scene_shape *a = &x->scene->shape[i], *b = &x->scene->shape[j];
  return (a->piles & b->piles) != 0 && (a->part >= 0 || b->part >= 0) && x->rigid[i] != x->rigid[j];
}

static int pile_of(uint64_t both) {
  int k = 0;
  while ((both >> k & 1) == 0) {
    k++;
  }
  return k;
}

static void *grown(void *old, size_t count, size_t item) {
  return count > SIZE_MAX / item ? NULL : realloc(old, count * item);
}

static bool room_for_row(pw_heap *x, size_t slopes) {
  pw_heap_room *r = &x->room;
  if (r->n_row == r->most_row) {
    int most = 2 * r->most_row + 64;
    pw_heap_row *row = grown(r->row, (size_t)most, sizeof *row);
    if (row == NULL) {
      return false;
    }
    r->row = row;
    r->most_row = most;
  }
  if (r->n_slope + slopes > r->most_slope) {
    size_t most = 2 * r->most_slope + slopes + 1024;
    double *slope = grown(r->slope, most, sizeof *slope);
    r->slope = slope != NULL ? slope : r->slope;
    double *column = slope == NULL ? NULL : grown(r->column, most, sizeof *column);
    if (column == NULL) {
      return false;
    }
    r->column = column;
    r->most_slope = most;
  }
  return true;
}

static int part_size(const pw_heap *x, int part) {
  return part < 0 ? 0 : pw_scene_count(x->scene, part);
}

/* As shapes (G4). */
static void make_tangents(int dim, pw_heap_row *row) {
  static const double aside[3] = {0.48, -0.6, 0.64};
  const double *n = row->normal;
  if (dim == 2) {
    row->tangent[0][0] = -n[1];
    row->tangent[0][1] = n[0];
    return;
  }
  pw_cross3(row->tangent[0], n, aside);
  if (!(pw_unit3(row->tangent[0]) > PW_SCALE(PARALLEL_EDGES))) {
    const double x_axis[3] = {1, 0, 0};
    pw_cross3(row->tangent[0], n, x_axis);
    (void)pw_unit3(row->tangent[0]);
  }
  pw_cross3(row->tangent[1], n, row->tangent[0]);
}

static bool add_row(pw_heap *x, int a, int b, const pw_meet *meet) {
  const pw_scene *sc = x->scene;
  pw_heap_row row = {.shape = {a, b},
                     .point = meet->point,
                     .pile = pile_of(sc->shape[a].piles & sc->shape[b].piles),
                     .gap = meet->gap,
                     .unsure = meet->unsure,
                     .part = {sc->shape[a].part, sc->shape[b].part}};

  /* Two shapes of one part share its columns. */
  bool one = row.part[0] == row.part[1];
  row.part[1] = one ? -1 : row.part[1];
  size_t na = 3 * (size_t)part_size(x, row.part[0]), nb = 3 * (size_t)part_size(x, row.part[1]);
  if (!room_for_row(x, na + nb)) {
    return false;
  }
  pw_heap_room *r = &x->room;

  /* The directions at the point: the normal, then one or two tangents. */
  pw_set3(row.normal, meet->normal);
  pw_set3(row.x, meet->x);
  make_tangents(sc->shape[a].solid->dim, &row);

  /* Room for three rows of slopes for each of the two parts. */
  row.at[0] = r->n_slope;
  row.at[1] = r->n_slope + na;
  r->n_slope += na + nb;
  memset(r->slope + row.at[0], 0, (na + nb) * sizeof *r->slope);

  /* Relative velocity along each direction: a's less b's, with the drift that time alone gives. */
  for (int i = 0; i < sc->shape[a].solid->dim; i++) {
    const double *d = i == 0 ? row.normal : row.tangent[i - 1];
    double *to_a = r->slope + row.at[0] + (size_t)i * na / 3;
    double *to_b = one ? to_a : r->slope + row.at[1] + (size_t)i * nb / 3;
    row.drift[i] = pw_heap_slope(x, a, row.x, d, 1, to_a) + pw_heap_slope(x, b, row.x, d, -1, to_b);
  }
  r->row[r->n_row++] = row;
  return true;
}

pawl_status pw_heap_find_rows(pw_heap *x) {
  pw_meet meet[PW_MOST_MEETS];
  x->room.n_row = 0;
  x->room.n_slope = 0;
  while (!pw_near_find(&x->near, x->shape, x->margin, x->scene->n_shape, may_touch, x)) {
    int most = 2 * x->near.most + 64;
    int(*pair)[2] = grown(x->near.pair, (size_t)most, sizeof *pair);
    if (pair == NULL) {
      return PAWL_E_MEMORY;
    }
    x->near.pair = pair;
    x->near.most = most;
  }
  for (int p = 0; p < x->near.n_pair; p++) {
    int a = x->near.pair[p][0], b = x->near.pair[p][1];
    int n = pw_meet_pair(&x->shape[a], &x->shape[b], x->margin[a] + x->margin[b], meet);
    for (int i = 0; i < n; i++) {
      if (!add_row(x, a, b, &meet[i])) {
        return PAWL_E_MEMORY;
      }
    }
  }
  return PAWL_OK;
}
