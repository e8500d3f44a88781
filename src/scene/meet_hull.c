// SPDX-License-Identifier: MIT
/* Convex hulls in space. Two hulls are as far apart as the largest separation by a face of one of
 * them or by a plane along two edges, shapes (G7): zero exactly where they touch. Points are the
 * corners of the overlap of two faces, or the place where two edges cross. */
#include <math.h>

#include "law/scale_scene.h"
#include "scene/meet_list.h"
#include "scene/vec3.h"

typedef struct flat { /* a face in space */
  const pw_face *face;
  double normal[3], level;
} flat;

static flat face_of(const pw_placed *x, int i) {
  flat f = {.face = &x->solid->face[i]};
  pw_turn3(f.normal, x->R, f.face->normal);
  f.level = f.face->level + pw_dot3(f.normal, x->p);
  return f;
}

static double lowest(const pw_placed *x, const double *n) {
  double least = INFINITY;
  for (int i = 0; i < x->solid->n_corner; i++) {
    least = fmin(least, pw_dot3(n, x->corner[i]));
  }
  return least;
}

static double highest(const pw_placed *x, const double *n) {
  double most = -INFINITY;
  for (int i = 0; i < x->solid->n_corner; i++) {
    most = fmax(most, pw_dot3(n, x->corner[i]));
  }
  return most;
}

/* ---- points ---- */

/* Height of x over the side k of a face, in its plane: inside is negative. */
static double beyond(const pw_placed *x, const flat *f, int k, const double *at) {
  const double *p = x->corner[f->face->corner[k]],
               *q = x->corner[f->face->corner[(k + 1) % f->face->n]];
  double d[3], out[3], from[3];
  pw_add3(d, q, -1, p);
  pw_cross3(out, d, f->normal);
  (void)pw_unit3(out);
  pw_add3(from, at, -1, p);
  return pw_dot3(out, from);
}

/* The nearest point of the hull to c outside of it; the height over the highest face. */
static double nearest_on_hull(const pw_placed *x, const double *c, double *near, double *normal) {
  double best = INFINITY, most = -INFINITY;
  for (int i = 0; i < x->solid->n_face; i++) {
    flat f = face_of(x, i);
    double height = pw_dot3(f.normal, c) - f.level, foot[3], from[3];

    /* The highest face gives the depth and the normal for a point inside. */
    if (height > most) {
      most = height;
      pw_set3(normal, f.normal);
    }

    /* Only faces that c is above, and lower than the best distance so far, can be nearer. */
    if (!(height > 0) || height >= best) {
      continue;
    }
    pw_add3(foot, c, -height, f.normal);

    /* Where the foot lies beyond an edge, the nearest point of that edge counts. */
    bool inside = true;
    for (int k = 0; k < f.face->n; k++) {
      if (beyond(x, &f, k, foot) > 0) {
        const double *p = x->corner[f.face->corner[k]],
                     *q = x->corner[f.face->corner[(k + 1) % f.face->n]];
        double side[3], part = pw_nearest_part(p, q, c);
        inside = false;
        pw_add3(side, q, -1, p);
        pw_add3(side, p, part, side);
        pw_add3(from, c, -1, side);
        if (pw_length3(from) < best) {
          best = pw_length3(from);
          pw_set3(near, side);
        }
      }
    }

    /* Otherwise the foot is on the face. */
    if (inside) {
      best = height;
      pw_set3(near, foot);
    }
  }
  return most;
}

static void ball_on_hull(const double *c, double r, const pw_placed *b, int point, pw_meets *m) {
  double near[3] = {0, 0, 0}, normal[3] = {0, 0, 1};
  double height = nearest_on_hull(b, c, near, normal);
  if (height > 0) {
    pw_meets_balls(m, c, r, near, 0, point, normal);
    return;
  }
  pw_meet x = {.gap = height - r, .point = point}; /* the centre is inside */
  pw_set3(x.normal, normal);
  pw_add3(x.x, c, -height, normal);
  pw_meets_add(m, x);
}

void pw_meet_ball_hull(const pw_placed *ball, const pw_placed *b, pw_meets *m) {
  ball_on_hull(ball->p, ball->solid->radius, b, 0, m);
}

/* Both ends, 1 and 2, and the edge nearest to the middle of the rod, 3. */
void pw_meet_rod_hull(const pw_placed *rod, const pw_placed *b, pw_meets *m) {
  double r = rod->solid->radius, d[3], best = INFINITY, on_rod[3], on_edge[3];

  /* Each end is a ball. */
  for (int i = 0; i < 2; i++) {
    ball_on_hull(rod->corner[i], r, b, i + 1, m);
  }

  /* The edge that is nearest to the rod between its ends. */
  pw_add3(d, rod->corner[1], -1, rod->corner[0]);
  for (int i = 0; i < b->solid->n_edge; i++) {
    const double *p = b->corner[b->solid->edge[i][0]];
    double e[3], x[3], y[3], between[3], s, t;
    pw_add3(e, b->corner[b->solid->edge[i][1]], -1, p);
    pw_nearest_segments(rod->corner[0], d, p, e, &s, &t);
    pw_add3(x, rod->corner[0], s, d);
    pw_add3(y, p, t, e);
    pw_add3(between, x, -1, y);
    if (s > 0 && s < 1 && pw_length3(between) < best) {
      best = pw_length3(between);
      pw_set3(on_rod, x);
      pw_set3(on_edge, y);
    }
  }

  /* Inside the hull the gap is negative, and the normal points from the rod to the edge. */
  if (best < INFINITY) {
    double near[3], normal[3];
    bool inside = nearest_on_hull(b, on_rod, near, normal) < 0;
    pw_meet x = {.gap = (inside ? -best : best) - r, .point = 3, .unsure = best == 0};
    pw_add3(x.normal, inside ? on_edge : on_rod, -1, inside ? on_rod : on_edge);
    if (!(pw_unit3(x.normal) > 0)) {
      pw_set3(x.normal, normal);
    }
    pw_set3(x.x, on_edge);
    pw_meets_add(m, x);
  }
}

/* ---- separation ---- */

typedef struct apart {
  double by;        /* the largest separation, */
  double normal[3]; /* from a to b */
  int face;         /* by this face, or -1 */
  bool of_b;        /* of b */
  int edge[2];      /* then: edges of a and b */
} apart;

static void by_faces(const pw_placed *a, const pw_placed *b, bool of_b, double slack, apart *out) {
  for (int i = 0; i < a->solid->n_face; i++) {
    flat f = face_of(a, i);
    double by = lowest(b, f.normal) - f.level;
    if (by > out->by + slack) {
      *out = (apart){.by = by, .face = i, .of_b = of_b};
      pw_set3(out->normal, f.normal);
      pw_scale3(out->normal, of_b ? -1 : 1);
      slack = 0;
    }
  }
}

/* Edges i and k touch a plane with this normal, that of a from below and that of b from above. */
static bool supports(const pw_placed *x, int edge, const double *n, double level, double slack) {
  const int *e = x->solid->edge[edge];
  return fabs(pw_dot3(n, x->corner[e[0]]) - level) <= slack &&
         fabs(pw_dot3(n, x->corner[e[1]]) - level) <= slack;
}

static void edge_of(const pw_placed *x, int i, double *d) {
  pw_add3(d, x->corner[x->solid->edge[i][1]], -1, x->corner[x->solid->edge[i][0]]);
}

static void try_edges(const pw_placed *a, const pw_placed *b, int i, int k, double slack,
                      apart *out) {
  double d[3], e[3], n[3];
  edge_of(a, i, d);
  edge_of(b, k, e);
  pw_cross3(n, d, e);
  double least = PW_SCALE(PARALLEL_EDGES) * pw_length3(d) * pw_length3(e);
  if (!(pw_unit3(n) > least)) {
    return;
  }
  for (int sign = 0; sign < 2; sign++, pw_scale3(n, -1)) {
    double top = pw_dot3(n, a->corner[a->solid->edge[i][0]]);
    double bottom = pw_dot3(n, b->corner[b->solid->edge[k][0]]);
    if (bottom - top <= out->by + (out->face >= 0 ? slack : 0)) {
      continue; /* cheap: the edges themselves bound the separation */
    }
    double high = highest(a, n), low = lowest(b, n);
    if (supports(a, i, n, high, slack) && supports(b, k, n, low, slack) &&
        low - high > out->by + (out->face >= 0 ? slack : 0)) {
      *out = (apart){.by = low - high, .face = -1, .edge = {i, k}};
      pw_set3(out->normal, n);
    }
  }
}

/* ---- two faces ---- */

typedef struct stack { /* a face, and what lies over it */
  const pw_placed *base, *other;
  flat low, high;
  bool turned; /* the base is the second shape */
  pw_meets *m;
} stack;

static void take(const stack *s, const double *x, int point) {
  pw_meet meet = {.gap = pw_dot3(s->low.normal, x) - s->low.level, .point = point};
  pw_set3(meet.normal, s->low.normal);
  pw_set3(meet.x, x);
  if (s->turned) {
    pw_add3(meet.x, x, -meet.gap, s->low.normal);
  } else {
    pw_scale3(meet.normal, -1);
  }
  pw_meets_add(s->m, meet);
}

/* Numbers: corners of the first shape, of the second, then pairs of edges by their corners. */
static int corner_number(const stack *s, bool of_base, int corner) {
  bool of_second = of_base == s->turned;
  const pw_placed *first = s->turned ? s->other : s->base, *own = of_base ? s->base : s->other;
  return own->solid->number[corner] + (of_second ? first->solid->n_corner : 0);
}

static int edge_at(const pw_solid *s, int a, int b) {
  int lo = a < b ? a : b, hi = a < b ? b : a;
  for (int i = 0; i < s->n_edge; i++) {
    if (s->edge[i][0] == lo && s->edge[i][1] == hi) {
      return i;
    }
  }
  return 0;
}

static int cross_number(const pw_solid *a, const pw_solid *b, int edge_a, int edge_b) {
  return a->n_corner + b->n_corner + 1 + edge_a * b->n_edge + edge_b;
}

/* Inside all sides of a face, seen along the normal of the lower one. */
static bool is_over(const pw_placed *x, const flat *f, const double *along, const double *at,
                    double slack) {
  for (int k = 0; k < f->face->n; k++) {
    const double *p = x->corner[f->face->corner[k]],
                 *q = x->corner[f->face->corner[(k + 1) % f->face->n]];
    double d[3], out[3], from[3];
    pw_add3(d, q, -1, p);
    pw_cross3(out, d, along);
    (void)pw_unit3(out);
    pw_add3(from, at, -1, p);
    if (pw_dot3(out, from) > slack) {
      return false;
    }
  }
  return true;
}

/* Seen along the normal, nothing taken so far lies there. */
static bool is_new(const stack *s, int before, const double *x, double slack) {
  bool any = false;
  for (int i = before; i < s->m->n; i++) {
    double d[3], up;
    pw_add3(d, x, -1, s->m->item[i].x);
    up = pw_dot3(d, s->low.normal);
    pw_add3(d, d, -up, s->low.normal);
    any = any || pw_length3(d) <= 2 * slack;
  }
  return !any;
}

static void take_corners(const stack *s, double slack) {
  int before = s->m->n;
  double back[3];
  pw_set3(back, s->low.normal);
  for (int i = 0; i < s->high.face->n; i++) {
    int corner = s->high.face->corner[i];
    if (is_over(s->base, &s->low, s->low.normal, s->other->corner[corner], slack)) {
      take(s, s->other->corner[corner], corner_number(s, false, corner));
    }
  }
  pw_scale3(back, -1);
  double steep = pw_dot3(s->high.normal, s->low.normal);
  for (int i = 0; i < s->low.face->n && fabs(steep) > PW_SCALE(PARALLEL_EDGES); i++) {
    int corner = s->low.face->corner[i];
    const double *c = s->base->corner[corner];
    if (is_over(s->other, &s->high, back, c, slack) && is_new(s, before, c, slack)) {
      double x[3], up = (s->high.level - pw_dot3(s->high.normal, c)) / steep;
      pw_add3(x, c, up, s->low.normal);
      take(s, x, corner_number(s, true, corner));
    }
  }
}

/* Where the outlines of both faces cross, seen along the normal. */
static void take_crossings(const stack *s, double slack) {
  const double *n = s->low.normal;
  for (int i = 0; i < s->low.face->n; i++) {
    int a = s->low.face->corner[i], a2 = s->low.face->corner[(i + 1) % s->low.face->n];
    for (int k = 0; k < s->high.face->n; k++) {
      int b = s->high.face->corner[k], b2 = s->high.face->corner[(k + 1) % s->high.face->n];
      double d[3], e[3], out[3], from[3];
      pw_add3(d, s->base->corner[a2], -1, s->base->corner[a]);
      pw_add3(e, s->other->corner[b2], -1, s->other->corner[b]);
      pw_cross3(out, d, n);
      double length = pw_length3(d), across = pw_unit3(out);
      pw_add3(from, s->base->corner[a], -1, s->other->corner[b]);
      double rise = pw_dot3(out, e), t = pw_dot3(out, from) / rise;
      double place = (pw_dot3(e, d) * t - pw_dot3(from, d)) / (length * length),
             e_size = pw_length3(e);
      bool crosses = across > 0 && fabs(rise) > PW_SCALE(PARALLEL_EDGES) * e_size &&
                     t * e_size > slack && (1 - t) * e_size > slack && place * length > slack &&
                     (1 - place) * length > slack;
      if (crosses) {
        double x[3];
        pw_add3(x, s->other->corner[b], t, e);
        int low = edge_at(s->base->solid, a, a2), high = edge_at(s->other->solid, b, b2);
        take(s, x,
             s->turned ? cross_number(s->other->solid, s->base->solid, high, low)
                       : cross_number(s->base->solid, s->other->solid, low, high));
      }
    }
  }
}

/* Where nothing over the base is as low as the lowest corner, which lies beside it: that corner. */
static void take_lowest(const stack *s, int from, double separation) {
  int best = 0;
  for (int i = 1; i < s->other->solid->n_corner; i++) {
    if (pw_dot3(s->low.normal, s->other->corner[i]) <
        pw_dot3(s->low.normal, s->other->corner[best])) {
      best = i;
    }
  }
  for (int i = from; i < s->m->n; i++) {
    if (s->m->item[i].gap <= separation) {
      return;
    }
  }
  int before = s->m->n;
  take(s, s->other->corner[best], corner_number(s, false, best));
  if (s->m->n > before) {
    s->m->item[before].unsure = true;
  }
}

static void meet_faces(const pw_placed *a, const pw_placed *b, const apart *by, pw_meets *m) {
  stack s = {by->of_b ? b : a, by->of_b ? a : b, .turned = by->of_b, .m = m};
  double least = INFINITY, slack = PW_SCALE(SAME_CORNER) * (a->solid->size + b->solid->size);
  s.low = face_of(s.base, by->face);
  for (int i = 0; i < s.other->solid->n_face; i++) {
    flat f = face_of(s.other, i);
    double along = pw_dot3(f.normal, s.low.normal);
    if (along < least) {
      least = along;
      s.high = f;
    }
  }
  int before = m->n;
  take_corners(&s, slack);
  take_crossings(&s, slack);
  take_lowest(&s, before, by->by + slack);
}

static void meet_edges(const pw_placed *a, const pw_placed *b, const apart *by, pw_meets *m) {
  double d[3], e[3], s, t;
  const double *q = b->corner[b->solid->edge[by->edge[1]][0]];
  edge_of(a, by->edge[0], d);
  edge_of(b, by->edge[1], e);
  pw_nearest_segments(a->corner[a->solid->edge[by->edge[0]][0]], d, q, e, &s, &t);
  pw_meet x = {.gap = by->by, .point = cross_number(a->solid, b->solid, by->edge[0], by->edge[1])};
  x.unsure = !(s > 0 && s < 1 && t > 0 && t < 1); /* beside their ends */
  pw_set3(x.normal, by->normal);
  pw_scale3(x.normal, -1);
  pw_add3(x.x, q, t, e);
  pw_meets_add(m, x);
}

void pw_meet_hulls(const pw_placed *a, const pw_placed *b, pw_meets *m) {
  apart by = {.by = -INFINITY, .face = -1};
  double slack = PW_SCALE(SAME_SIDE) * (a->solid->size + b->solid->size);
  by_faces(a, b, false, 0, &by);
  by_faces(b, a, true, slack, &by);
  if (by.by > m->reach) {
    return;
  }
  for (int i = 0; i < a->solid->n_edge; i++) {
    for (int k = 0; k < b->solid->n_edge; k++) {
      try_edges(a, b, i, k, slack, &by);
    }
  }
  if (by.by > m->reach) {
    return;
  }
  if (by.face >= 0) {
    meet_faces(a, b, &by, m);
  } else {
    meet_edges(a, b, &by, m);
  }
}
