// SPDX-License-Identifier: MIT
/* Pairs with something round, shapes (G1)-(G5), and planes. */
#include <math.h>

#include "law/scale_scene.h"
#include "scene/meet_list.h"
#include "scene/vec3.h"

void pw_meets_add(pw_meets *m, pw_meet x) {
  if (x.gap <= m->reach && m->n < PW_MOST_MEETS) {
    m->item[m->n++] = x;
  }
}

void pw_meets_balls(pw_meets *m, const double *c, double r, const double *d, double s, int point,
                    const double *beside) {
  pw_meet x = {.point = point};
  pw_add3(x.normal, c, -1, d);
  double far = pw_unit3(x.normal);
  if (far == 0) {
    pw_set3(x.normal, beside);
    x.unsure = true;
  }
  x.gap = far - r - s;
  pw_add3(x.x, d, s, x.normal);
  pw_meets_add(m, x);
}

/* ---- segments ---- */

double pw_nearest_part(const double *p, const double *q, const double *c) {
  double d[3], from[3];
  pw_add3(d, q, -1, p);
  pw_add3(from, c, -1, p);
  double square = pw_dot3(d, d);
  return square > 0 ? fmin(1, fmax(0, pw_dot3(from, d) / square)) : 0;
}

/* Minimises |p + s d - q - t e|^2 on the unit square: the free minimum, or on the border that it is
 * cut off by. */
void pw_nearest_segments(const double *p, const double *d, const double *q, const double *e,
                         double *s, double *t) {
  double r[3];
  pw_add3(r, p, -1, q);
  double dd = pw_dot3(d, d), ee = pw_dot3(e, e), de = pw_dot3(d, e), dr = pw_dot3(d, r),
         er = pw_dot3(e, r), det = dd * ee - de * de;
  *s = det > PW_SCALE(SAME_LINE) * dd * ee ? fmin(1, fmax(0, (de * er - ee * dr) / det)) : 0;
  *t = ee > 0 ? (de * *s + er) / ee : 0;
  if (*t < 0 || *t > 1) {
    *t = fmin(1, fmax(0, *t));
    *s = dd > 0 ? fmin(1, fmax(0, (de * *t - dr) / dd)) : 0;
  }
}

static const double up[3] = {0, 1, 0};

void pw_meet_ball_rod(const pw_placed *ball, const pw_placed *rod, pw_meets *m) {
  double foot[3], along[3];
  double part = pw_nearest_part(rod->corner[0], rod->corner[1], ball->p);
  pw_add3(along, rod->corner[1], -1, rod->corner[0]);
  pw_add3(foot, rod->corner[0], part, along);
  pw_meets_balls(m, ball->p, ball->solid->radius, foot, rod->solid->radius, 0, up);
}

/* In space: each end against the other rod, 1 to 4, and where the rods cross, 5. An end beside an
 * end counts once. */
void pw_meet_rods(const pw_placed *a, const pw_placed *b, pw_meets *m) {
  double r = a->solid->radius, s = b->solid->radius, d[3], e[3], x[3], y[3], part, other;
  pw_add3(d, a->corner[1], -1, a->corner[0]);
  pw_add3(e, b->corner[1], -1, b->corner[0]);
  for (int i = 0; i < 2; i++) {
    part = pw_nearest_part(b->corner[0], b->corner[1], a->corner[i]);
    pw_add3(y, b->corner[0], part, e);
    pw_meets_balls(m, a->corner[i], r, y, s, i + 1, up);
  }
  for (int i = 0; i < 2; i++) {
    part = pw_nearest_part(a->corner[0], a->corner[1], b->corner[i]);
    if (part > 0 && part < 1) {
      pw_add3(x, a->corner[0], part, d);
      pw_meets_balls(m, x, r, b->corner[i], s, i + 3, up);
    }
  }
  pw_nearest_segments(a->corner[0], d, b->corner[0], e, &part, &other);
  if (part > 0 && part < 1 && other > 0 && other < 1) {
    pw_add3(x, a->corner[0], part, d);
    pw_add3(y, b->corner[0], other, e);
    pw_meets_balls(m, x, r, y, s, 5, up);
  }
}

/* ---- polygons and cylinders ---- */

void pw_meet_ball_polygon(const pw_placed *ball, const pw_placed *b, pw_meets *m) {
  int n = b->solid->n_corner;
  double most = -INFINITY, out[3] = {0, 0, 0}, foot[3], best = INFINITY, near[3] = {0, 0, 0};
  for (int i = 0; i < n; i++) {
    const double *p = b->corner[i], *q = b->corner[(i + 1) % n];
    double along[3], normal[3] = {q[1] - p[1], p[0] - q[0], 0}, from[3];
    (void)pw_unit3(normal);
    pw_add3(from, ball->p, -1, p);
    pw_add3(along, q, -1, p);
    double height = pw_dot3(normal, from);
    if (height > most) {
      most = height;
      pw_set3(out, normal);
    }
    pw_add3(foot, p, pw_nearest_part(p, q, ball->p), along);
    pw_add3(from, ball->p, -1, foot);
    if (pw_length3(from) < best) {
      best = pw_length3(from);
      pw_set3(near, foot);
    }
  }
  if (most > 0) {
    pw_meets_balls(m, ball->p, ball->solid->radius, near, 0, 0, out);
    return;
  }
  pw_meet x = {.gap = most - ball->solid->radius}; /* its centre is inside */
  pw_set3(x.normal, out);
  pw_add3(x.x, ball->p, -most, out);
  pw_meets_add(m, x);
}

/* In the plane through the axis and the centre: a ball against a rectangle, (G5). */
void pw_meet_ball_cylinder(const pw_placed *ball, const pw_placed *b, pw_meets *m) {
  double from[3], own[3], R = b->solid->radius, half = b->solid->half;
  pw_add3(from, ball->p, -1, b->p);
  pw_turn_back3(own, b->R, from);
  double rho = hypot(own[0], own[1]), c = rho > 0 ? own[0] / rho : 1,
         s = rho > 0 ? own[1] / rho : 0;
  double across = rho - R, above = fabs(own[2]) - half, end = own[2] < 0 ? -1 : 1;
  pw_meet x = {.unsure = false};
  double n[3], at[3];
  if (across <= 0 && above <= 0) { /* inside: the nearer side */
    bool side = across > above;
    n[0] = side ? c : 0;
    n[1] = side ? s : 0;
    n[2] = side ? 0 : end;
    x.gap = fmax(across, above);
  } else {
    double out = fmax(across, 0), up_by = fmax(above, 0);
    x.gap = hypot(out, up_by);
    n[0] = c * out / x.gap;
    n[1] = s * out / x.gap;
    n[2] = end * up_by / x.gap;
  }
  pw_turn3(x.normal, b->R, n);
  pw_add3(at, ball->p, -x.gap, x.normal);
  pw_set3(x.x, at);
  x.gap -= ball->solid->radius;
  pw_meets_add(m, x);
}

/* ---- planes ---- */

static void point_on_plane(const pw_placed *plane, const double *c, double r, int point,
                           pw_meets *m) {
  pw_meet x = {.point = point};
  double from[3];
  pw_add3(from, c, -1, plane->p);
  pw_set3(x.normal, plane->q);
  x.gap = pw_dot3(plane->q, from) - r;
  pw_add3(x.x, c, -r - x.gap, plane->q);
  pw_meets_add(m, x);
}

/* (G6): the lowest point of each rim, 1 and 2, moves round it; eight points fixed to the rims, 3 to
 * 10, share the load of one that stands. */
static void cylinder_on_plane(const pw_placed *a, const pw_placed *plane, pw_meets *m) {
  double axis[3] = {a->R[2], a->R[5], a->R[8]}, down[3], r = a->solid->radius;
  double along = pw_dot3(axis, plane->q);
  for (int k = 0; k < 3; k++) {
    down[k] = along * axis[k] - plane->q[k];
  }
  bool stands = !(pw_unit3(down) > PW_SCALE(SAME_LINE));
  for (int end = 0; end < 2; end++) {
    double rim[3], x[3];
    pw_add3(rim, a->p, end == 0 ? -a->solid->half : a->solid->half, axis);
    if (!stands) {
      pw_add3(x, rim, r, down);
      point_on_plane(plane, x, 0, end + 1, m);
    }
    for (int k = 0; k < 4; k++) {
      const double own[3] = {k % 2 == 0 ? r * (1 - k) : 0, k % 2 == 1 ? r * (2 - k) : 0, 0};
      double turned[3];
      pw_turn3(turned, a->R, own);
      pw_add3(x, rim, 1, turned);
      point_on_plane(plane, x, 0, 3 + 4 * end + k, m);
    }
  }
}

void pw_meet_plane(const pw_placed *a, const pw_placed *plane, pw_meets *m) {
  const pw_solid *s = a->solid;
  if (s->kind == PW_SOLID_BALL) {
    point_on_plane(plane, a->p, s->radius, 0, m);
  } else if (s->kind == PW_SOLID_CYLINDER) {
    cylinder_on_plane(a, plane, m);
  }
  for (int i = 0; i < s->n_corner; i++) {
    bool rod = s->kind == PW_SOLID_ROD;
    point_on_plane(plane, a->corner[i], rod ? s->radius : 0, rod ? i + 1 : s->number[i], m);
  }
}
