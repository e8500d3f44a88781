// SPDX-License-Identifier: MIT
/* Shapes that meet, against geometry of its own: the nearest points of two convex sets by
 * alternating projections on what is sampled or known of them, corners inside, and motions along
 * the normal. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "scene/near.h"
#include "scene/solid.h"
#include "scene/vec3.h"

static unsigned state = 7;

static double uniform(double lo, double hi) {
  state = state * 1664525u + 1013904223u;
  return lo + (hi - lo) * (state >> 8) / 16777216.0;
}

static void turn(double *R, int dim) {
  double q[4] = {uniform(-1, 1), dim == 3 ? uniform(-1, 1) : 0, dim == 3 ? uniform(-1, 1) : 0,
                 uniform(-1, 1)};
  double n = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], s = 2 / n;
  double w = q[0], a = q[1], b = q[2], c = q[3];
  const double turned[9] = {
      1 - s * (b * b + c * c), s * (a * b - w * c),     s * (a * c + w * b),
      s * (a * b + w * c),     1 - s * (a * a + c * c), s * (b * c - w * a),
      s * (a * c - w * b),     s * (b * c + w * a),     1 - s * (a * a + b * b)};
  memcpy(R, turned, sizeof turned);
}

typedef struct thing { /* a random shape with its own memory */
  pw_solid solid;
  pw_placed placed;
  double corner[16][3];
} thing;

static void make(pw_arena *arena, thing *x, pw_solid_kind kind, int dim, double apart) {
  double own[12][3] = {{0}};
  x->solid = (pw_solid){.kind = kind, .dim = dim, .radius = uniform(0.2, 0.6)};
  x->solid.half = uniform(0.2, 0.8);
  if (kind == PW_SOLID_ROD) {
    x->solid.n_corner = 2;
    x->solid.radius = dim == 2 ? 0 : x->solid.radius;
  } else if (kind == PW_SOLID_POLYGON) {
    int n = 3 + (int)uniform(0, 4);
    for (int i = 0; i < n; i++) {
      double angle = 6.28318 * (i + uniform(0.1, 0.6)) / n;
      own[i][0] = cos(angle);
      own[i][1] = 0.7 * sin(angle);
    }
    CHECK(pw_solid_polygon(arena, (const double(*)[3])own, n, &x->solid) == NULL);
  } else if (kind == PW_SOLID_HULL) {
    bool box = uniform(0, 1) < 0.5;
    for (int i = 0; i < (box ? 8 : 9); i++) {
      for (int k = 0; k < 3; k++) {
        own[i][k] = box ? ((i >> k & 1) != 0 ? 0.3 : -0.3) * (k + 1) : uniform(-1, 1);
      }
    }
    CHECK(pw_solid_hull(arena, (const double(*)[3])own, box ? 8 : 9, &x->solid) == NULL);
  }
  x->solid.size = 3;
  x->placed = (pw_placed){.solid = &x->solid, .corner = x->corner};
  for (int k = 0; k < dim; k++) {
    x->placed.p[k] = uniform(-apart, apart);
  }
  turn(x->placed.R, dim);
  if (dim == 2 && kind == PW_SOLID_ROD) {
    x->solid.free_ends = true;
    x->placed.q[0] = x->placed.p[0] + uniform(0.3, 1);
    x->placed.q[1] = x->placed.p[1] + uniform(-1, 1);
  }
  pw_placed_set(&x->placed);
}

/* ---- distances by other means: the point of the core that is farthest along a direction ---- */

static void farthest(const thing *x, const double *d, double *out) {
  const pw_placed *p = &x->placed;
  double best = -INFINITY;
  pw_set3(out, p->p);
  for (int i = 0; i < x->solid.n_corner; i++) {
    if (pw_dot3(d, p->corner[i]) > best) {
      best = pw_dot3(d, p->corner[i]);
      pw_set3(out, p->corner[i]);
    }
  }
  if (x->solid.kind == PW_SOLID_CYLINDER) {
    double own[3], at[3];
    pw_turn_back3(own, p->R, d);
    double rho = hypot(own[0], own[1]);
    at[0] = rho > 0 ? x->solid.radius * own[0] / rho : 0;
    at[1] = rho > 0 ? x->solid.radius * own[1] / rho : 0;
    at[2] = own[2] < 0 ? -x->solid.half : x->solid.half;
    pw_turn3(out, p->R, at);
    pw_add3(out, out, 1, p->p);
  }
}

static double skin(const thing *x) {
  return x->solid.kind == PW_SOLID_BALL || x->solid.kind == PW_SOLID_ROD ? x->solid.radius : 0;
}

/* Least distance of the cores, from below and above: the minimum of |z| over A - B, by steps
 * towards the vertex that a direction supports (Frank and Wolfe, with exact line search). */
static void distance(const thing *a, const thing *b, double *low, double *high) {
  double z[3];
  pw_add3(z, a->placed.p, -1, b->placed.p);
  if (a->solid.n_corner > 0) {
    pw_add3(z, a->corner[0], -1, b->solid.n_corner > 0 ? b->corner[0] : b->placed.p);
  }
  *low = 0;
  *high = pw_length3(z);
  for (int k = 0; k < 4000; k++) {
    double down[3], p[3], q[3], w[3], step[3];
    pw_set3(down, z);
    pw_scale3(down, -1);
    farthest(a, down, p);
    farthest(b, z, q);
    pw_add3(w, p, -1, q);
    *high = pw_length3(z);
    if (*high < 1e-4) {
      return;
    }
    *low = fmax(*low, pw_dot3(z, w) / *high);
    if (*high - *low < 1e-4) {
      return;
    }
    pw_add3(step, w, -1, z);
    double t = -pw_dot3(z, step) / pw_dot3(step, step);
    pw_add3(z, z, fmin(1, fmax(0, t)), step);
  }
}

static double least_gap(const pw_meet *m, int n) {
  double least = INFINITY;
  for (int i = 0; i < n; i++) {
    least = fmin(least, m[i].gap);
  }
  return least;
}

/* Separate shapes have a positive gap, not above the distance; where something is round the gap is
 * the distance. Moved together by it along its normal they touch. */
static void compare(const thing *a, const thing *b, int *apart, int *inside) {
  pw_meet m[PW_MOST_MEETS], turned[PW_MOST_MEETS];
  double low, high, skins = skin(a) + skin(b);
  distance(a, b, &low, &high);
  int n = pw_meet_pair(&a->placed, &b->placed, 100, m);
  int back = pw_meet_pair(&b->placed, &a->placed, 100, turned);
  CHECK(n > 0 && back > 0);
  double gap = least_gap(m, n);
  CHECK(fabs(gap - least_gap(turned, back)) < 1e-6);
  bool exact = skins > 0;
  if (low > 1e-3) {
    CHECK(gap <= high - skins + 1e-9);
    CHECK(gap > -skins && (!exact || gap >= low - skins - 1e-9));
    *apart += 1;
  } else if (high < 1e-4 && (!exact || n == 1)) { /* not a rod whose axis is inside of a hull */
    CHECK(gap <= 2e-4 - skins);
    *inside += 1;
  }
  for (int i = 0; i < n; i++) {
    CHECK(fabs(pw_length3(m[i].normal) - 1) < 1e-12);
    CHECK(isfinite(m[i].gap) && isfinite(m[i].x[0]));
    for (int k = 0; k < i; k++) {
      CHECK(m[i].point != m[k].point);
    }
  }
}

static void touches_where_moved(thing *a, const thing *b) {
  pw_meet m[PW_MOST_MEETS];
  int n = pw_meet_pair(&a->placed, &b->placed, 100, m), best = 0;
  for (int i = 1; i < n; i++) {
    best = m[i].gap < m[best].gap ? i : best;
  }
  pw_meet nearest = m[best];
  if (nearest.gap < 0 && n > 1) {
    return; /* out of one point, and still in another */
  }
  pw_add3(a->placed.p, a->placed.p, -nearest.gap, nearest.normal);
  pw_add3(a->placed.q, a->placed.q, -nearest.gap, nearest.normal);
  pw_placed_set(&a->placed);
  n = pw_meet_pair(&a->placed, &b->placed, 100, m);
  double left = least_gap(m, n); /* corners beside corners are not there yet */
  CHECK(left > -1e-6 && (nearest.unsure || left < 1e-6));
}

typedef struct tally {
  int apart, inside;
} tally;

static void one_pair(int dim, pw_solid_kind first, pw_solid_kind second, tally *t) {
  pw_arena arena;
  jmp_buf fail;
  pw_arena_init(&arena, 0);
  arena.on_fail = &fail;
  if (setjmp(fail) == 0) {
    thing a, b;
    make(&arena, &a, first, dim, 1.3);
    make(&arena, &b, second, dim, 1.3);
    if (pw_meets_known(&a.solid, &b.solid)) {
      compare(&a, &b, &t->apart, &t->inside);
      touches_where_moved(&a, &b);
    }
  }
  pw_arena_free(&arena);
}

static void pairs_of(int dim, const pw_solid_kind *kind, int kinds, int count) {
  tally t = {0};
  for (int seed = 0; seed < count; seed++) {
    one_pair(dim, kind[seed % kinds], kind[seed / kinds % kinds], &t);
  }
  int apart = t.apart, inside = t.inside;
  CHECK(apart > count / 8 && inside > count / 40);
}

static void in_the_plane(void) {
  const pw_solid_kind kind[] = {PW_SOLID_BALL, PW_SOLID_ROD, PW_SOLID_POLYGON, PW_SOLID_POLYGON};
  pairs_of(2, kind, 4, 800);
}

static void in_space(void) {
  const pw_solid_kind kind[] = {PW_SOLID_BALL, PW_SOLID_ROD, PW_SOLID_HULL, PW_SOLID_HULL,
                                PW_SOLID_CYLINDER};
  pairs_of(3, kind, 5, 1000);
}

/* Two cubes, one on the other, shifted: four points, each named by a corner. */
static void stacked_boxes(void) {
  pw_arena arena;
  jmp_buf fail;
  pw_arena_init(&arena, 0);
  arena.on_fail = &fail;
  if (setjmp(fail) == 0) {
    double own[8][3];
    pw_solid cube;
    double ca[8][3], cb[8][3];
    for (int i = 0; i < 24; i++) {
      own[i / 3][i % 3] = (i / 3 >> i % 3 & 1) != 0 ? 0.5 : -0.5;
    }
    CHECK(pw_solid_hull(&arena, (const double(*)[3])own, 8, &cube) == NULL);
    CHECK_INT(cube.n_face, 6);
    CHECK_INT(cube.n_edge, 12);
    pw_placed a = {.solid = &cube, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .corner = ca}, b = a;
    pw_meet m[PW_MOST_MEETS];
    b.corner = cb;
    a.p[2] = 1.001;
    a.p[0] = 0.25;
    pw_placed_set(&a);
    pw_placed_set(&b);
    CHECK_INT(pw_meet_pair(&a, &b, 0.1, m), 4);
    for (int i = 0; i < 4; i++) {
      CHECK(fabs(m[i].gap - 0.001) < 1e-12 && fabs(m[i].normal[2] - 1) < 1e-12);
    }
    CHECK_INT(pw_meet_pair(&a, &b, 0.0005, m), 0);
  }
  pw_arena_free(&arena);
}

static bool all(void *payload, int i, int j) {
  (void)payload;
  return i != j;
}

/* The sweep finds what a look at all pairs finds. */
static void near_pairs(void) {
  enum { N = 60 };
  pw_solid ball = {.kind = PW_SOLID_BALL, .dim = 3, .radius = 0.1, .size = 0.1};
  static pw_placed shape[N];
  double margin[N];
  int order[N], pair[N * N][2], expected = 0;
  for (int i = 0; i < N; i++) {
    shape[i] = (pw_placed){.solid = &ball, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    for (int k = 0; k < 3; k++) {
      shape[i].p[k] = uniform(0, 1);
    }
    pw_placed_set(&shape[i]);
    margin[i] = uniform(0, 0.05);
    order[i] = i;
  }
  for (int i = 0; i < N; i++) {
    for (int j = i + 1; j < N; j++) {
      bool near = true;
      for (int k = 0; k < 3; k++) {
        near = near && fabs(shape[i].p[k] - shape[j].p[k]) <= 0.2 + margin[i] + margin[j];
      }
      expected += near;
    }
  }
  pw_near x = {.order = order, .pair = pair, .most = N * N};
  CHECK(pw_near_find(&x, shape, margin, N, all, NULL));
  CHECK_INT(x.n_pair, expected);
  x.most = 3;
  CHECK(!pw_near_find(&x, shape, margin, N, all, NULL));
}

CHECK_MAIN({"in_the_plane", in_the_plane}, {"in_space", in_space}, {"stacked_boxes", stacked_boxes},
           {"near_pairs", near_pairs})
