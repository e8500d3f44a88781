// SPDX-License-Identifier: MIT
/* Polygons and segments in the plane: the side with the largest separation carries the normal, and
 * the corners over it are the points, shapes (G7), (G8). A segment is a polygon without width, with
 * two sides and two ends. */
#include <math.h>

#include "law/scale_scene.h"
#include "scene/meet_list.h"
#include "scene/vec3.h"

typedef struct side {
  const double *p, *q; /* its corners, counter-clockwise; one of them at the end of a segment */
  int at, next;        /* their numbers */
  double normal[3];    /* outward */
} side;

static int number_of(const pw_placed *x, int corner) {
  return x->solid->kind == PW_SOLID_ROD ? corner + 1 : x->solid->number[corner];
}

static int sides_of(const pw_placed *x) {
  return x->solid->kind == PW_SOLID_ROD ? 4 : x->solid->n_corner;
}

static side side_of(const pw_placed *x, int i) {
  int n = x->solid->n_corner;
  bool rod = x->solid->kind == PW_SOLID_ROD, end = rod && i % 2 == 1;
  int at = rod ? (i == 1 || i == 2) : i, next = rod ? (i == 0 || i == 1) : (i + 1) % n;
  side s = {.p = x->corner[at], .q = x->corner[next], .at = at, .next = next};
  double d[3];
  pw_add3(d, end ? s.p : s.q, -1, end ? x->corner[1 - at] : s.p);
  (void)pw_unit3(d);
  s.normal[0] = end ? d[0] : d[1];
  s.normal[1] = end ? d[1] : -d[0];
  return s;
}

static double height_over(const side *s, const double *x) {
  double from[3];
  pw_add3(from, x, -1, s->p);
  return pw_dot3(s->normal, from);
}

/* The side of a farthest from b, and its distance. */
static double widest(const pw_placed *a, const pw_placed *b, side *out) {
  double most = -INFINITY;
  for (int i = 0; i < sides_of(a); i++) {
    side s = side_of(a, i);
    double least = INFINITY;
    for (int k = 0; k < b->solid->n_corner; k++) {
      least = fmin(least, height_over(&s, b->corner[k]));
    }
    if (least > most) {
      most = least;
      *out = s;
    }
  }
  return most;
}

/* The side of b that faces the normal most, of those with a length. */
static side facing(const pw_placed *b, const double *normal) {
  double most = INFINITY;
  side best = side_of(b, 0);
  for (int i = 0; i < sides_of(b); i++) {
    side s = side_of(b, i);
    double along = pw_dot3(s.normal, normal);
    if (s.at != s.next && along < most) {
      most = along;
      best = s;
    }
  }
  return best;
}

typedef struct over { /* points of `other` over a side of `base` */
  const pw_placed *base, *other;
  bool turned; /* base is the second shape */
  int first;   /* corners of the first shape */
  pw_meets *m;
} over;

/* x: a point of the other; the corner it is named by belongs to the base or to the other. */
static void take(const over *o, const side *s, const double *x, bool of_base, int corner,
                 bool unsure) {
  pw_meet meet = {.gap = height_over(s, x), .unsure = unsure};
  const pw_placed *owner = of_base ? o->base : o->other;
  bool of_second = of_base == o->turned;
  meet.point = number_of(owner, corner) + (of_second ? o->first : 0);
  pw_set3(meet.normal, s->normal);
  pw_set3(meet.x, x);
  if (o->turned) { /* the base is below: its surface is under x */
    pw_add3(meet.x, x, -meet.gap, s->normal);
  } else {
    pw_scale3(meet.normal, -1);
  }
  pw_meets_add(o->m, meet);
}

static void corners_over(const over *o, const side *s, double separation) {
  double along[3], from[3];
  side f = facing(o->other, s->normal);
  pw_add3(along, s->q, -1, s->p);
  double length = pw_unit3(along), slack = PW_SCALE(SAME_CORNER) * (length + o->other->solid->size);
  pw_add3(from, f.p, -1, s->p);
  double at = pw_dot3(along, from);
  pw_add3(from, f.q, -1, s->p);
  double end = pw_dot3(along, from), lo = fmin(at, end), hi = fmax(at, end);
  int before = o->m->n;
  if (s->at != s->next && at >= -slack && at <= length + slack) {
    take(o, s, f.p, false, f.at, false);
  }
  if (s->at != s->next && end >= -slack && end <= length + slack) {
    take(o, s, f.q, false, f.next, false);
  }
  for (int k = 0; k < 2 && s->at != s->next; k++) {
    double place = k == 0 ? 0 : length;
    if (place > lo + slack && place < hi - slack) {
      double x[3], d[3];
      pw_add3(d, f.q, -1, f.p);
      pw_add3(x, f.p, (place - at) / (end - at), d);
      take(o, s, x, true, k == 0 ? s->at : s->next, false);
    }
  }
  for (int i = before; i < o->m->n; i++) {
    if (o->m->item[i].gap <= separation + slack) {
      return;
    }
  }
  int deepest = 0; /* it stands beside the side: a corner beside a corner */
  for (int k = 1; k < o->other->solid->n_corner; k++) {
    if (height_over(s, o->other->corner[k]) < height_over(s, o->other->corner[deepest])) {
      deepest = k;
    }
  }
  take(o, s, o->other->corner[deepest], false, deepest, true);
}

void pw_meet_polygons(const pw_placed *a, const pw_placed *b, pw_meets *m) {
  side of_a, of_b;
  double by_a = widest(a, b, &of_a), by_b = widest(b, a, &of_b);
  if (by_a > m->reach || by_b > m->reach) {
    return;
  }
  double slack = PW_SCALE(SAME_SIDE) * (a->solid->size + b->solid->size);
  bool turned = by_b > by_a + slack; /* of two that are alike the first shape's */
  over o = {turned ? b : a, turned ? a : b, turned, a->solid->n_corner, m};
  corners_over(&o, turned ? &of_b : &of_a, turned ? by_b : by_a);
}
