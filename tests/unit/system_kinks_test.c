// SPDX-License-Identifier: MIT
/* Set-valued laws as sums of kinks: on every piece and on both sides of every kink the sum must be
 * the law as stated, which is computed here from its points alone. */
#include <math.h>

#include "model_support.h"
#include "system/kinks.h"

enum { MAX_KINKS = 16 };

typedef struct law { /* the kinks of the only law of a model on one coordinate x */
  bench b;
  pw_kink_list kinks;
} law;

static void open_law(law *l, const char *text) {
  bench_open(&l->b, text);
  if (setjmp(l->b.jump) != 0) {
    CHECK(false);
    exit(1);
  }
  l->kinks = (pw_kink_list){NULL, 0, 0};
  pw_kinks_of_row(l->b.m, 0, &l->kinks);
  CHECK(l->kinks.n > 0 && l->kinks.n <= MAX_KINKS);
}

static void set(law *l, double x) {
  l->b.q[0] = l->b.u[0] = x;
}

/* -force of one kink on a side of it, in terms of s; a wall on the forbidden side is infinite. */
static double side_of_kink(law *l, const pw_kink *k, bool above) {
  bool right = k->unit < 0 ? !above : above;
  pw_node node = right ? k->right : k->left;
  double f = node < 0 ? (right ? (double)INFINITY : -(double)INFINITY) : bench_eval(&l->b, node);
  return k->unit * f;
}

/* The sum of all kinks at x; those that are at x count with the side `above`. */
static double sum_at(law *l, double x, bool above) {
  double sum = 0;
  set(l, x);
  for (int i = 0; i < l->kinks.n; i++) {
    const pw_kink *k = &l->kinks.items[i];
    double s = bench_eval(&l->b, k->value) * k->unit;
    sum += side_of_kink(l, k, s > 0 || (s == 0 && above));
  }
  return sum;
}

/* ---- graphs from their points ---- */

typedef struct points {
  double x[MAX_KINKS], f[MAX_KINKS];
  int n;
} points;

/* Slope of the nearest piece from point i that is not vertical. */
static double outer_slope(const points *p, int i, int step) {
  for (int j = i; j + step >= 0 && j + step < p->n; j += step) {
    if (p->x[j] != p->x[j + step]) {
      return (p->f[j + step] - p->f[j]) / (p->x[j + step] - p->x[j]);
    }
  }
  return 0;
}

/* The graph at x, its lower or upper value where it is vertical. */
static double graph_at(const points *p, double x, bool upper) {
  int last = p->n - 1;
  if (x < p->x[0] || (x == p->x[0] && !upper)) {
    return isinf(p->f[0]) ? -(double)INFINITY : p->f[0] + outer_slope(p, 0, 1) * (x - p->x[0]);
  }
  if (x > p->x[last] || (x == p->x[last] && upper)) {
    return isinf(p->f[last]) ? (double)INFINITY
                             : p->f[last] + outer_slope(p, last, -1) * (x - p->x[last]);
  }
  int i = 0;
  while (i < last - 1 && (upper ? p->x[i + 1] <= x : p->x[i + 1] < x)) {
    i++;
  }
  return p->f[i] + (p->f[i + 1] - p->f[i]) / (p->x[i + 1] - p->x[i]) * (x - p->x[i]);
}

/* Level, rising and vertical pieces; the ends may be walls. */
static points random_points(uint64_t *seed) {
  points p = {.n = 2 + (int)(3.5 * (1 + bench_random(seed)))};
  double x = -3, f = -2;
  int piece = 3;
  for (int i = 0; i < p.n; i++) {
    p.x[i] = x;
    p.f[i] = f;
    int next = (int)(1.5 * (1 + bench_random(seed))); /* 0 level, 1 rising, 2 vertical */
    piece = next == 2 && piece == 2 ? 1 : next;
    x += piece == 2 ? 0 : 0.5 + 0.25 * (1 + bench_random(seed));
    f += piece == 0 ? 0 : 1 + bench_random(seed);
  }
  if (bench_random(seed) > 0) {
    p.f[0] = -(double)INFINITY;
    p.x[0] = p.x[1];
  }
  if (bench_random(seed) > 0 && p.n > 2) {
    p.f[p.n - 1] = (double)INFINITY;
    p.x[p.n - 1] = p.x[p.n - 2];
  }
  return p;
}

static void print_number(char *out, size_t room, double v) {
  if (isinf(v)) {
    snprintf(out, room, "%s", v > 0 ? "inf" : "-inf");
  } else {
    snprintf(out, room, "%.17g", v);
  }
}

static void print_graph(const points *p, bool slip, char *out, size_t room) {
  int at = snprintf(out, room, "coordinates x\nkinetic T = x'^2\nlaw l: %s, graph",
                    slip ? "slip x'" : "stretch x");
  for (int i = 0; i < p->n; i++) {
    char x[32], f[32];
    print_number(x, sizeof x, p->x[i]);
    print_number(f, sizeof f, p->f[i]);
    at += snprintf(out + at, room - (size_t)at, " (%s, %s)", x, f);
  }
  snprintf(out + at, room - (size_t)at, "\nstart x = 0\nrun 0..1\n");
}

static void agree(double a, double b) {
  if (isinf(b)) {
    CHECK(a == b);
  } else {
    CHECK_NEAR(a, b, 1e-12 * (1 + fabs(b)));
  }
}

static void random_graphs(void) {
  for (uint64_t seed = 1; seed <= 300; seed++) {
    uint64_t state = seed;
    points p = random_points(&state);
    char text[2048];
    print_graph(&p, seed % 2 == 0, text, sizeof text);
    law l;
    open_law(&l, text);
    for (int i = 0; i < p.n; i++) {
      agree(sum_at(&l, p.x[i], false), graph_at(&p, p.x[i], false));
      agree(sum_at(&l, p.x[i], true), graph_at(&p, p.x[i], true));
    }
    for (int k = 0; k < 40; k++) {
      double x = 8 * bench_random(&state);
      agree(sum_at(&l, x, true), graph_at(&p, x, true));
    }
    bench_close(&l.b);
  }
}

/* A forbidden side is always the left one of its kink, with no force on the other; only walls are
 * written for -s. */
static void walls_are_left(void) {
  for (uint64_t seed = 1000; seed <= 1100; seed++) {
    uint64_t state = seed;
    points p = random_points(&state);
    char text[2048];
    print_graph(&p, false, text, sizeof text);
    law l;
    open_law(&l, text);
    for (int i = 0; i < l.kinks.n; i++) {
      const pw_kink *k = &l.kinks.items[i];
      CHECK(k->right >= 0);
      CHECK(k->unit > 0 || k->left < 0);
      CHECK(k->left >= 0 || pw_is_value(l.b.m->dag, k->right, 0));
    }
    bench_close(&l.b);
  }
}

/* ---- single graphs ---- */

static void open_graph(law *l, const char *graph) {
  char text[512];
  snprintf(text, sizeof text,
           "coordinates x\nkinetic T = x'^2\nlaw l: stretch x, graph %s\nstart x = 0\nrun 0..1\n",
           graph);
  open_law(l, text);
}

static void straight_points_are_no_kinks(void) {
  law l;
  open_graph(&l, "(0, -inf) (0, 0) (1, 0) (2, 0) (3, 1) (4, 2)");
  CHECK_INT(l.kinks.n, 2);
  CHECK_NEAR(sum_at(&l, 1.5, true), 0, 0);
  CHECK_NEAR(sum_at(&l, 7, true), 5, 1e-15);
  bench_close(&l.b);
  open_graph(&l, "(-1, -2) (0, 0) (1, 2)");
  CHECK_INT(l.kinks.n, 1);
  CHECK_NEAR(sum_at(&l, -4, true), -8, 1e-15);
  CHECK_NEAR(sum_at(&l, 0.25, false), 0.5, 1e-15);
  bench_close(&l.b);
}

static void infinite_arguments_are_level(void) {
  law l;
  open_graph(&l, "(-inf, 0) (0.1, 0) (0.1, 2) (0.2, 12)");
  CHECK_INT(l.kinks.n, 1);
  CHECK_NEAR(sum_at(&l, -50, true), 0, 0);
  CHECK_NEAR(sum_at(&l, 0.1, true), 2, 1e-15);
  CHECK_NEAR(sum_at(&l, 0.3, true), 22, 1e-13);
  bench_close(&l.b);
  open_graph(&l, "(0, 0) (1, 3) (inf, 3)");
  CHECK_NEAR(sum_at(&l, 80, true), 3, 1e-12);
  CHECK_NEAR(sum_at(&l, -1, true), -3, 1e-15);
  bench_close(&l.b);
  open_graph(&l, "(-inf, 1) (0, 1) (inf, 1)");
  CHECK_INT(l.kinks.n, 1);
  CHECK_NEAR(sum_at(&l, -7, true), 1, 0);
  bench_close(&l.b);
}

static void walls_on_both_sides(void) {
  law l;
  open_graph(&l, "(0, -inf) (0, inf)");
  CHECK_INT(l.kinks.n, 2);
  CHECK(sum_at(&l, 0.5, true) > 1e300);
  CHECK(sum_at(&l, -0.5, true) < -1e300);
  bench_close(&l.b);
  open_graph(&l, "(-1, -inf) (-1, 0) (1, 0) (1, inf)");
  CHECK_INT(l.kinks.n, 2);
  CHECK(l.kinks.items[1].unit < 0);
  CHECK_NEAR(sum_at(&l, 0.3, true), 0, 0);
  CHECK(sum_at(&l, 1.5, true) > 1e300);
  bench_close(&l.b);
  open_graph(&l, "(-1, -inf) (-1, 2) (1, 2) (1, inf)");
  CHECK_INT(l.kinks.n, 3);
  CHECK_NEAR(sum_at(&l, -1, true), 2, 0);
  CHECK_NEAR(sum_at(&l, 1, false), 2, 0);
  CHECK(sum_at(&l, -1.5, true) < -1e300);
  bench_close(&l.b);
}

/* ---- the other laws ---- */

static void springs(void) {
  law l;
  open_law(&l, "coordinates x\nkinetic T = x'^2\n"
               "spring s: stretch x, stiffness 100, play -0.2..0.1, preload 3\nrun 0..1\n");
  CHECK_INT(l.kinks.n, 2);
  CHECK_NEAR(sum_at(&l, 0, true), 0, 0);
  CHECK_NEAR(sum_at(&l, 0.3, true), 3 + 100 * 0.2, 1e-12);
  CHECK_NEAR(sum_at(&l, -0.5, true), -3 - 100 * 0.3, 1e-12);
  bench_close(&l.b);
  open_law(&l, "coordinates x\nkinetic T = x'^2\n"
               "spring s: stretch x, stiffness 100, preload 3\nrun 0..1\n");
  CHECK_INT(l.kinks.n, 1);
  CHECK_NEAR(sum_at(&l, 0, false), -3, 0);
  CHECK_NEAR(sum_at(&l, 0, true), 3, 0);
  bench_close(&l.b);
  open_law(&l, "coordinates x\nkinetic T = x'^2\n"
               "spring s: stretch x, stiffness 100, play -inf..0.1\nrun 0..1\n");
  CHECK_INT(l.kinks.n, 1);
  CHECK_NEAR(sum_at(&l, -1000, true), 0, 0);
  CHECK_NEAR(sum_at(&l, 0.2, true), 10, 1e-13);
  bench_close(&l.b);
}

/* |slip| is smooth on each side, so that the graph goes on beyond the kink. */
static void stribeck(void) {
  law l;
  open_law(&l, "coordinates x\nkinetic T = x'^2\n"
               "friction f: slip x' - 0.5, bound 2 + exp(-abs(slip)/0.1)\nrun 0..1\n");
  CHECK_INT(l.kinks.n, 1);
  CHECK_NEAR(sum_at(&l, 0.7, true), 2 + exp(-2), 1e-14);
  CHECK_NEAR(sum_at(&l, 0.3, true), -2 - exp(-2), 1e-14);
  set(&l, 0.6);
  CHECK_NEAR(bench_eval(&l.b, l.kinks.items[0].left), -2 - exp(1), 1e-13);
  bench_close(&l.b);
}

static void viscous(void) {
  law l;
  open_law(&l, "coordinates x\nkinetic T = x'^2\n"
               "constraint c: x' >= 0.5, viscous 4\nrun 0..1\n");
  CHECK_NEAR(sum_at(&l, 0.7, true), 0, 0);
  CHECK_NEAR(sum_at(&l, 0.3, true), -0.8, 1e-15);
  bench_close(&l.b);
  open_law(&l, "coordinates x\nkinetic T = x'^2\n"
               "constraint c: x >= 0, viscous 4, stiffness 10\nrun 0..1\n");
  CHECK_NEAR(sum_at(&l, 2, true), 0, 0);
  CHECK_NEAR(sum_at(&l, -2, true), -28, 1e-14); /* rate and value are both -2 here */
  bench_close(&l.b);
}

/* The shape says whether the two sides meet at the kink, and whether they are one function. */
static void shapes(void) {
  static const struct {
    const char *text;
    pw_kink_shape shape;
  } cases[] = {{"constraint c: x' >= 0, viscous 4", PW_KINK_BEND},
               {"constraint c: x' = 0, viscous 4", PW_KINK_STRAIGHT},
               {"constraint c: x >= 0, viscous 4, stiffness 9", PW_KINK_BEND},
               {"constraint c: x = 0, viscous 4, stiffness 9", PW_KINK_STRAIGHT},
               {"spring c: stretch x, stiffness 3", PW_KINK_STRAIGHT},
               {"spring c: stretch x, stiffness 3, play -1..1", PW_KINK_BEND},
               {"spring c: stretch x, stiffness 3, preload 2", PW_KINK_STEP},
               {"law c: stretch x, graph (-1,-2)(1,2)", PW_KINK_STRAIGHT},
               {"law c: stretch x, graph (-1,-2)(0,0)(1,3)", PW_KINK_BEND},
               {"law c: slip x', graph (-1,-2)(0,-1)(0,1)(1,2)", PW_KINK_STEP},
               {"friction c: slip x', bound 2", PW_KINK_STEP},
               {"constraint c: x >= 0, restitution 0", PW_KINK_STEP}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[256];
    snprintf(text, sizeof text, "coordinates x\nkinetic T = x'^2\n%s\nrun 0..1\n", cases[i].text);
    law l;
    open_law(&l, text);
    for (int k = 0; k < l.kinks.n; k++) {
      const pw_kink *kink = &l.kinks.items[k];
      CHECK_INT(kink->shape, cases[i].shape);
      CHECK_INT(kink->left == kink->right, cases[i].shape == PW_KINK_STRAIGHT);
    }
    bench_close(&l.b);
  }
}

CHECK_MAIN({"random graphs", random_graphs}, {"walls are left", walls_are_left},
           {"straight points are no kinks", straight_points_are_no_kinks},
           {"infinite arguments are level", infinite_arguments_are_level},
           {"walls on both sides", walls_on_both_sides}, {"springs", springs},
           {"stribeck", stribeck}, {"viscous", viscous}, {"shapes", shapes})
