// SPDX-License-Identifier: MIT
/* Corners against faces, shapes (G11)-(G12): each corner of one shape has a gap from the other as a
 * whole, the largest of its heights over the faces, which is zero on the surface and nowhere else.
 * Which face that is changes on the way, on switching surfaces as those of `max`. */
#include "model/pile.h"
#include "model/shape_touch.h"
#include "model/shape_vec.h"

typedef struct picked { /* the face over which a point is highest */
  pw_node height;
  pw_node normal[3]; /* of it, in space */
} picked;

/* Unit normal of face k, own axes, and a corner of it. */
static const pw_node *face_of(pw_check *ck, const pw_shape_def *b, int k, pw_node normal[3]) {
  const pw_solid *s = b->solid;
  pw_node d[3], e[3];
  if (b->dim == 2) {
    const pw_node *p = b->corner[s->number[k] - 1];
    pw_vec_sub(ck, b->corner[s->number[(k + 1) % s->n_corner] - 1], p, 2, d);
    normal[0] = d[1];
    normal[1] = pw_neg(ck->dag, d[0]);
    normal[2] = pw_number(ck, 0);
    pw_vec_divide(ck, normal, pw_vec_norm(ck, d, 2), 2);
    return p;
  }
  const int *at = s->face[k].corner;
  pw_vec_sub(ck, b->corner[at[1]], b->corner[at[0]], 3, d);
  pw_vec_sub(ck, b->corner[at[2]], b->corner[at[0]], 3, e);
  pw_vec_cross(ck, d, e, normal);
  pw_vec_divide(ck, normal, pw_vec_norm(ck, normal, 3), 3);
  return b->corner[at[0]];
}

static pw_node height_over(pw_check *ck, const pw_node *normal, const pw_node *p, const pw_node *x,
                           int n) {
  pw_node from[3] = {0};
  pw_vec_sub(ck, x, p, n, from);
  return pw_dot_nodes(ck->dag, normal, from, n);
}

/* (G11). On an edge two faces are as high: system/ties.h decides. */
static void pick_face(pw_check *ck, const pw_shape_def *b, const pw_node *x, picked *out) {
  int n = b->dim == 2 ? b->solid->n_corner : b->solid->n_face;
  pw_node own[3] = {0}, normal[3], best[3] = {0};
  pw_shape_own(ck, b, x, own);
  for (int k = 0; k < n; k++) {
    const pw_node *p = face_of(ck, b, k, normal);
    pw_node height = height_over(ck, normal, p, own, b->dim);
    if (k == 0) {
      out->height = height;
      pw_vec_add(ck, normal, pw_number(ck, 0), normal, 3, best);
      continue;
    }
    pw_node more = pw_sub(ck->dag, out->height, height); /* one surface for both choices */
    pw_vec_choose(ck, more, best, normal, b->dim, best);
    out->height = pw_select(ck->dag, more, out->height, height);
  }
  pw_shape_turn(ck, b, best, false, out->normal);
}

/* ---- the corners of one shape ---- */

bool pw_is_cornered(const pw_shape_def *s) {
  return s->kind == PW_SHAPE_POLYGON || s->kind == PW_SHAPE_BOX || s->kind == PW_SHAPE_HULL;
}

static double size_of(const pw_shape_def *s) {
  return s->solid->size;
}

/* Heights of the corners beside corner i over it: at right angles to the face. */
static void look_beside(pw_check *ck, const pw_shape_def *of, int i, const pw_node *normal,
                        pw_touch *t) {
  const pw_solid *s = of->solid;
  int n = of->n_corner, room = of->dim == 2 ? 2 : s->n_edge;
  t->beside = PW_TAKE(ck->arena, room, pw_node);
  for (int j = 0; j < n; j++) {
    bool near = of->dim == 2 && (j == (i + 1) % n || i == (j + 1) % n);
    for (int e = 0; of->dim == 3 && e < s->n_edge; e++) {
      near = near || (s->edge[e][0] == i && s->edge[e][1] == j) ||
             (s->edge[e][1] == i && s->edge[e][0] == j);
    }
    if (near) {
      pw_node x[3] = {0}, from[3] = {0};
      pw_shape_point(ck, of, of->corner[j], x);
      pw_vec_sub(ck, x, t->point, of->dim, from);
      t->beside[t->n_beside++] = pw_dot_nodes(ck->dag, normal, from, of->dim);
    }
  }
}

/* Corners of `of` against `on`; the pair is a, b in the text. */
static bool corners_on(pw_check *ck, const pw_shape_def *a, const pw_shape_def *b, bool turned,
                       pw_touch_list *out) {
  const pw_shape_def *of = turned ? b : a, *on = turned ? a : b;
  int before = turned ? a->n_corner : 0;
  bool ok = true;
  for (int i = 0; i < of->n_corner && ok; i++) {
    pw_touch_draft x = {.touch = {.dim = a->dim, .number = before + i + 1}};
    picked p = {.height = -1};
    pw_shape_point(ck, of, of->corner[i], x.touch.point);
    pick_face(ck, on, x.touch.point, &p);
    x.gap = p.height;
    x.touch.size = size_of(a) + size_of(b);
    x.touch.of_second = turned;
    look_beside(ck, of, i, p.normal, &x.touch);
    for (int k = 0; k < a->dim; k++) { /* from b to a */
      x.touch.normal[k] = turned ? pw_neg(ck->dag, p.normal[k]) : p.normal[k];
    }
    ok = pw_touch_finish(ck, a, b, &x, out);
  }
  return ok;
}

bool pw_cornered_meet(pw_check *ck, const pw_shape_def *a, const pw_shape_def *b,
                      pw_touch_list *out) {
  return corners_on(ck, a, b, false, out) && corners_on(ck, a, b, true, out);
}

/* ---- a disk and a polygon ---- */

/* (G12): the nearest point of the side over which the centre is highest is the nearest of all. */
bool pw_ball_on_corners(pw_check *ck, const pw_shape_def *ball, const pw_shape_def *b,
                        pw_touch_list *out) {
  int n = b->solid->n_corner;
  pw_touch_draft x = {.touch = {.dim = 2}};
  pw_node own[3] = {0}, normal[3], best[2] = {0}, near[2], foot[3] = {0}, d[3] = {0},
          height = pw_number(ck, 0);
  pw_shape_own(ck, b, ball->p, own);
  for (int k = 0; k < n; k++) {
    const pw_node *p = face_of(ck, b, k, normal), *q = b->corner[b->solid->number[(k + 1) % n] - 1];
    pw_node here = height_over(ck, normal, p, own, 2);
    pw_node c = k == 0 ? pw_number(ck, -1) : pw_sub(ck->dag, height, here);
    pw_nearest_node(ck, p, q, own, 2, near);
    pw_vec_choose(ck, c, best, normal, 2, best);
    pw_vec_choose(ck, c, foot, near, 2, foot);
    height = pw_select(ck->dag, c, height, here);
  }
  pw_vec_sub(ck, own, foot, 2, d);
  pw_node distance = pw_vec_norm(ck, d, 2);
  pw_vec_divide(ck, d, distance, 2);
  pw_vec_choose(ck, height, d, best, 2, d); /* inside: the side that is nearest */
  d[2] = foot[2] = pw_number(ck, 0);
  x.gap = pw_sub(ck->dag, pw_select(ck->dag, height, distance, height), ball->radius);
  pw_shape_turn(ck, b, d, false, x.touch.normal);
  pw_shape_point(ck, b, foot, x.touch.point);
  return pw_touch_finish(ck, ball, b, &x, out);
}

/* ---- a sphere and a box ---- */

/* (G13): the nearest point is found axis by axis; inside the side that is nearest has the normal.
 */
bool pw_sphere_on_box(pw_check *ck, const pw_shape_def *ball, const pw_shape_def *b,
                      pw_touch_list *out) {
  pw_touch_draft x = {.touch = {.dim = 3}};
  pw_node zero = pw_number(ck, 0), one = pw_number(ck, 1), own[3], foot[3], d[3], best[3],
          height = -1;
  pw_shape_own(ck, b, ball->p, own);
  for (int k = 0; k < 3; k++) {
    pw_node half = pw_mul(ck->dag, pw_number(ck, 0.5), b->size[k]), side[3] = {zero, zero, zero};
    pw_node away = pw_select(ck->dag, own[k], own[k], pw_neg(ck->dag, own[k]));
    pw_node here = pw_sub(ck->dag, away, half);
    pw_node more = k == 0 ? pw_number(ck, -1) : pw_sub(ck->dag, height, here);
    side[k] = pw_select(ck->dag, own[k], one, pw_neg(ck->dag, one));
    foot[k] = pw_apply2(ck->dag, PW_OP_MAX, own[k], pw_neg(ck->dag, half));
    foot[k] = pw_apply2(ck->dag, PW_OP_MIN, foot[k], half);
    pw_vec_choose(ck, more, k == 0 ? side : best, side, 3, best);
    height = k == 0 ? here : pw_select(ck->dag, more, height, here);
  }
  pw_vec_sub(ck, own, foot, 3, d);
  pw_node distance = pw_vec_norm(ck, d, 3);
  pw_vec_divide(ck, d, distance, 3);
  pw_vec_choose(ck, height, d, best, 3, d);
  x.gap = pw_sub(ck->dag, pw_select(ck->dag, height, distance, height), ball->radius);
  pw_shape_turn(ck, b, d, false, x.touch.normal);
  pw_shape_point(ck, b, foot, x.touch.point);
  return pw_touch_finish(ck, ball, b, &x, out);
}
