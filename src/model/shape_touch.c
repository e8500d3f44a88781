// SPDX-License-Identifier: MIT
#include "model/shape_touch.h"

#include <math.h>
#include <string.h>

#include "law/scale_model.h"
#include "model/meet.h"
#include "model/shape_vec.h"

/* ---- places and velocities ---- */

void pw_shape_turn(pw_check *ck, const pw_shape_def *s, const pw_node own[3], bool back,
                   pw_node out[3]) {
  pw_node v[3] = {own[0], own[1], own[2]};
  if (s->body >= 0) {
    pw_rotate(ck, s->body + 3, v, back, out);
    return;
  }
  memcpy(out, v, (size_t)s->dim * sizeof *v);
  if (s->angle >= 0) {
    pw_node c = pw_apply1(ck->dag, PW_OP_COS, s->angle),
            n = pw_apply1(ck->dag, PW_OP_SIN, s->angle);
    n = back ? pw_neg(ck->dag, n) : n;
    pw_node cx = pw_mul(ck->dag, c, v[0]), sy = pw_mul(ck->dag, n, v[1]);
    pw_node sx = pw_mul(ck->dag, n, v[0]), cy = pw_mul(ck->dag, c, v[1]);
    out[0] = pw_sub(ck->dag, cx, sy);
    out[1] = pw_add(ck->dag, sx, cy);
  }
}

void pw_shape_point(pw_check *ck, const pw_shape_def *s, const pw_node own[3], pw_node out[3]) {
  pw_node turned[3];
  pw_shape_turn(ck, s, own, false, turned);
  for (int i = 0; i < s->dim; i++) {
    out[i] = pw_add(ck->dag, s->p[i], turned[i]);
  }
}

void pw_shape_own(pw_check *ck, const pw_shape_def *s, const pw_node x[3], pw_node own[3]) {
  pw_node from[3] = {0};
  pw_vec_sub(ck, x, s->p, s->dim, from);
  pw_shape_turn(ck, s, from, true, own);
}

/* Of a segment, whose ends move: P' + part (Q' - P'). */
static bool velocity_along(pw_check *ck, const pw_shape_def *s, const pw_node *x, pw_node *out) {
  pw_node d[3] = {0}, arm[3] = {0}, rate[3];
  pw_vec_sub(ck, s->q, s->p, s->dim, d);
  pw_vec_sub(ck, x, s->p, s->dim, arm);
  pw_node part = pw_dot_nodes(ck->dag, arm, d, s->dim);
  part = pw_div(ck->dag, part, pw_dot_nodes(ck->dag, d, d, s->dim));
  bool ok = pw_elab_rate(ck, s->p, s->dim, out) && pw_elab_rate(ck, d, s->dim, rate);
  if (ok) {
    pw_vec_add(ck, out, part, rate, s->dim, out);
  }
  return ok;
}

/* In the plane the third component. Of a rod that its ends move: d x d' / |d|^2, without a part
 * along it. */
static bool turning(pw_check *ck, const pw_shape_def *s, pw_node out[3]) {
  out[0] = out[1] = out[2] = pw_number(ck, 0);
  if (s->body >= 0) {
    pw_node W[3];
    int u = ck->m->coords.items[s->body + 3].u;
    for (int i = 0; i < 3; i++) {
      W[i] = pw_var(ck->dag, pw_var_of(PW_VAR_U, u + i));
    }
    pw_rotate(ck, s->body + 3, W, false, out);
    return true;
  }
  if (s->kind == PW_SHAPE_SEGMENT || s->kind == PW_SHAPE_PLANE) { /* a plane by its normal */
    pw_node d[3] = {pw_number(ck, 0), pw_number(ck, 0), pw_number(ck, 0)},
            rate[3] = {d[0], d[0], d[0]};
    if (s->kind == PW_SHAPE_SEGMENT) {
      pw_vec_sub(ck, s->q, s->p, s->dim, d);
    } else {
      memcpy(d, s->q, (size_t)s->dim * sizeof *d);
    }
    pw_node square = pw_dot_nodes(ck->dag, d, d, s->dim);
    if (!pw_elab_rate(ck, d, s->dim, rate)) {
      return false;
    }
    pw_vec_cross(ck, d, rate, out);
    pw_vec_divide(ck, out, square, 3);
    return true;
  }
  return s->angle < 0 || pw_elab_rate(ck, &s->angle, 1, &out[2]);
}

/* Velocity of the point of the shape that is at x: P' + w x (x - P). */
static bool velocity_at(pw_check *ck, const pw_shape_def *s, const pw_node *x, pw_node *out) {
  pw_node arm[3] = {0}, spin[3];
  if (s->kind == PW_SHAPE_SEGMENT) {
    return velocity_along(ck, s, x, out);
  }
  if (!pw_elab_rate(ck, s->p, s->dim, out)) {
    return false;
  }
  pw_vec_sub(ck, x, s->p, s->dim, arm);
  if (s->body >= 0) {
    pw_node w[3];
    (void)turning(ck, s, w);
    pw_vec_cross(ck, w, arm, spin);
    pw_vec_add(ck, out, pw_number(ck, 1), spin, 3, out);
  } else if (s->angle >= 0) {
    pw_node w;
    if (!pw_elab_rate(ck, &s->angle, 1, &w)) {
      return false;
    }
    pw_node turned[2] = {pw_neg(ck->dag, arm[1]), arm[0]};
    pw_vec_add(ck, out, w, turned, 2, out);
  }
  return true;
}

/* |a - b| is rounding at random values of all variables. */
static bool agree(pw_check *ck, pw_node a, pw_node b) {
  static const double part = 0.37;
  bool same = true;
  for (uint64_t seed = 1; seed <= 3 && same; seed++) {
    double x = pw_line_at(ck->dag, a, seed, part), y = pw_line_at(ck->dag, b, seed, part);
    same = fabs(x - y) <= PW_SCALE(TERMS_CANCEL) * (fabs(x) + fabs(y));
  }
  return same;
}

/* Both have one field of velocities: that of the one at the place of the other is the same. */
bool pw_shapes_move_alike(pw_check *ck, const pw_shape_def *a, const pw_shape_def *b) {
  pw_node own[3], other[3], turn[2] = {pw_number(ck, 0), pw_number(ck, 0)};
  bool planar = a->dim == 2 && b->dim == 2 && a->kind != PW_SHAPE_SEGMENT &&
                b->kind != PW_SHAPE_SEGMENT && a->kind != PW_SHAPE_PLANE &&
                b->kind != PW_SHAPE_PLANE;
  if (!planar || !velocity_at(ck, a, a->p, own) || !velocity_at(ck, b, a->p, other) ||
      (a->angle >= 0 && !pw_elab_rate(ck, &a->angle, 1, &turn[0])) ||
      (b->angle >= 0 && !pw_elab_rate(ck, &b->angle, 1, &turn[1]))) {
    return false;
  }
  return agree(ck, turn[0], turn[1]) && agree(ck, own[0], other[0]) && agree(ck, own[1], other[1]);
}

/* In space two unit vectors across n, made with a direction that no normal of a model is likely to
 * have; along it they are not defined. */
static void make_tangents(pw_check *ck, pw_touch *t) {
  if (t->dim == 2) {
    t->tangent[0][0] = pw_neg(ck->dag, t->normal[1]);
    t->tangent[0][1] = t->normal[0];
    return;
  }
  const pw_node aside[3] = {pw_number(ck, 0.48), pw_number(ck, -0.6), pw_number(ck, 0.64)};
  pw_vec_cross(ck, t->normal, aside, t->tangent[0]);
  pw_vec_divide(ck, t->tangent[0], pw_vec_norm(ck, t->tangent[0], 3), 3);
  pw_vec_cross(ck, t->normal, t->tangent[0], t->tangent[1]);
}

/* Slips along the tangents of both material points at the point of contact, and how the shapes turn
 * against each other. */
static bool measure(pw_check *ck, const pw_shape_def *a, const pw_shape_def *b, pw_touch_draft *d) {
  pw_touch *t = &d->touch;
  pw_node va[3], vb[3], v[3] = {0}, wa[3], wb[3], w[3];
  make_tangents(ck, t);
  if (!velocity_at(ck, a, t->point, va) || !velocity_at(ck, b, t->point, vb) ||
      !turning(ck, a, wa) || !turning(ck, b, wb)) {
    return false;
  }
  pw_vec_sub(ck, va, vb, t->dim, v);
  pw_vec_sub(ck, wa, wb, 3, w);
  d->roll[0] = t->dim == 2 ? w[2] : pw_dot_nodes(ck->dag, t->tangent[0], w, 3);
  d->roll[1] = t->dim == 2 ? pw_number(ck, 0) : pw_dot_nodes(ck->dag, t->tangent[1], w, 3);
  d->spin = t->dim == 2 ? pw_number(ck, 0) : pw_dot_nodes(ck->dag, t->normal, w, 3);
  t->n_slip = t->dim - 1;
  for (int i = 0; i < t->n_slip; i++) {
    d->slip[i] = pw_dot_nodes(ck->dag, t->tangent[i], v, t->dim);
  }
  return true;
}

bool pw_touch_finish(pw_check *ck, const pw_shape_def *a, const pw_shape_def *b, pw_touch_draft *d,
                     pw_touch_list *out) {
  bool ok = measure(ck, a, b, d);
  if (ok) {
    PW_PUSH(ck->arena, out, *d);
  }
  return ok;
}

/* ---- a ball of radius r about c against a ball of radius s about d, shapes (G1) ---- */

static bool balls(pw_check *ck, const pw_shape_def *a, const pw_node *c, pw_node r,
                  const pw_shape_def *b, const pw_node *d, pw_node s, pw_touch_list *out) {
  pw_touch_draft x = {.touch = {.dim = a->dim}};
  int n = a->dim;
  pw_vec_sub(ck, c, d, n, x.touch.normal);
  pw_node distance = pw_vec_norm(ck, x.touch.normal, n);
  pw_vec_divide(ck, x.touch.normal, distance, n);
  pw_node reach = pw_add(ck->dag, r, s);
  x.gap = pw_sub(ck->dag, distance, reach);
  pw_vec_add(ck, d, s, x.touch.normal, n, x.touch.point);
  return pw_touch_finish(ck, a, b, &x, out);
}

void pw_nearest_node(pw_check *ck, const pw_node *p, const pw_node *q, const pw_node *c, int n,
                     pw_node *out) {
  pw_node d[3] = {0}, from[3] = {0};
  pw_vec_sub(ck, q, p, n, d);
  pw_vec_sub(ck, c, p, n, from);
  pw_node part = pw_dot_nodes(ck->dag, from, d, n);
  part = pw_div(ck->dag, part, pw_dot_nodes(ck->dag, d, d, n));
  part = pw_apply2(ck->dag, PW_OP_MAX, part, pw_number(ck, 0));
  part = pw_apply2(ck->dag, PW_OP_MIN, part, pw_number(ck, 1));
  pw_vec_add(ck, p, part, d, n, out);
}

/* ---- a point of a against a plane, shapes (G3) ---- */

static bool point_on_plane(pw_check *ck, const pw_shape_def *a, const pw_node *c, pw_node r,
                           const pw_shape_def *plane, int which, pw_touch_list *out) {
  pw_touch_draft x = {.touch = {.dim = a->dim, .number = which}};
  pw_node from[3] = {0};
  int n = a->dim;
  memcpy(x.touch.normal, plane->q, sizeof plane->q);
  pw_vec_sub(ck, c, plane->p, n, from);
  pw_node height = pw_dot_nodes(ck->dag, plane->q, from, n);
  x.gap = pw_sub(ck->dag, height, r);
  pw_vec_add(ck, c, pw_neg(ck->dag, r), plane->q, n, x.touch.point);
  return pw_touch_finish(ck, a, plane, &x, out);
}

void pw_shape_ends(pw_check *ck, const pw_shape_def *s, pw_node end[2][3]) {
  if (s->kind == PW_SHAPE_SEGMENT) {
    memcpy(end[0], s->p, sizeof s->p);
    memcpy(end[1], s->q, sizeof s->q);
    return;
  }
  for (int i = 0; i < 2; i++) {
    pw_node half = pw_mul(ck->dag, pw_number(ck, i == 0 ? -0.5 : 0.5), s->size[0]);
    const pw_node own[3] = {pw_number(ck, 0), pw_number(ck, 0), half};
    pw_shape_point(ck, s, own, end[i]);
  }
}

static pw_node radius_of(pw_check *ck, const pw_shape_def *s) {
  return s->radius >= 0 ? s->radius : pw_number(ck, 0);
}

static bool on_plane(pw_check *ck, const pw_shape_def *a, const pw_shape_def *plane,
                     pw_touch_list *out) {
  pw_node end[2][3], corner[3];
  bool ok = true;
  switch (a->kind) {
  case PW_SHAPE_DISK:
  case PW_SHAPE_SPHERE: return point_on_plane(ck, a, a->p, a->radius, plane, 0, out);
  case PW_SHAPE_SEGMENT:
  case PW_SHAPE_CAPSULE:
    pw_shape_ends(ck, a, end);
    for (int i = 0; i < 2 && ok; i++) {
      ok = point_on_plane(ck, a, end[i], radius_of(ck, a), plane, i + 1, out);
    }
    return ok;
  case PW_SHAPE_POLYGON:
  case PW_SHAPE_BOX:
  case PW_SHAPE_HULL:
    for (int i = 0; i < a->n_corner && ok; i++) {
      pw_shape_point(ck, a, a->corner[i], corner);
      ok = point_on_plane(ck, a, corner, pw_number(ck, 0), plane, i + 1, out);
    }
    return ok;
  default: return false;
  }
}

/* ---- pairs ---- */

static bool is_ball(const pw_shape_def *s) {
  return s->kind == PW_SHAPE_DISK || s->kind == PW_SHAPE_SPHERE;
}

static bool is_rod(const pw_shape_def *s) {
  return s->kind == PW_SHAPE_SEGMENT || s->kind == PW_SHAPE_CAPSULE;
}

static bool ball_on_rod(pw_check *ck, const pw_shape_def *a, const pw_shape_def *rod,
                        pw_touch_list *out) {
  pw_node end[2][3], foot[3];
  pw_shape_ends(ck, rod, end);
  pw_nearest_node(ck, end[0], end[1], a->p, a->dim, foot);
  return balls(ck, a, a->p, a->radius, rod, foot, radius_of(ck, rod), out);
}

/* The same contact as seen from a, the first in the text. */
static bool turn_back(pw_check *ck, const pw_shape_def *a, const pw_shape_def *b,
                      pw_touch_draft *d) {
  for (int i = 0; i < d->touch.dim; i++) {
    d->touch.normal[i] = pw_neg(ck->dag, d->touch.normal[i]);
  }
  return measure(ck, a, b, d);
}

/* Normals go from b to a; who comes first is the order in the text, so a pair that is turned round
 * here is turned back. */
bool pw_shapes_meet(pw_check *ck, const pw_shape_def *a, const pw_shape_def *b,
                    pw_touch_list *out) {
  /* Shapes of the plane and of space do not meet. */
  if (a->dim != b->dim) {
    return false;
  }

  /* Pairs whose distance is known in this order: round before straight, a plane last. */
  if (b->kind == PW_SHAPE_PLANE) {
    return on_plane(ck, a, b, out);
  }
  if (is_ball(a) && is_ball(b)) {
    return balls(ck, a, a->p, a->radius, b, b->p, b->radius, out);
  }
  if (is_ball(a) && is_rod(b)) {
    return ball_on_rod(ck, a, b, out);
  }
  if (pw_is_cornered(a) && pw_is_cornered(b) && a->dim == 2) {
    return pw_cornered_meet(ck, a, b, out);
  }
  if (a->kind == PW_SHAPE_DISK && b->kind == PW_SHAPE_POLYGON) {
    return pw_ball_on_corners(ck, a, b, out);
  }
  if (a->kind == PW_SHAPE_SPHERE && b->kind == PW_SHAPE_BOX) {
    return pw_sphere_on_box(ck, a, b, out);
  }

  /* The other order: the pair is turned round, and each contact turned back. */
  bool turns = a->kind == PW_SHAPE_PLANE || (is_ball(b) && !is_ball(a));
  int first = out->n;
  bool ok = turns && pw_shapes_meet(ck, b, a, out);
  for (int i = first; i < out->n && ok; i++) {
    ok = turn_back(ck, a, b, &out->items[i]);
  }
  return ok;
}
