// SPDX-License-Identifier: MIT
/* Three bodies that collide in turn: whether their impacts end, and how, against the exact map from
 * impact to impact. */
#include "sim/zeno.h"
#include "sim_support.h"

typedef struct ending {
  bool collapses;
  int n;    /* impacts, if it does not */
  double t; /* of the last impact, or where they accumulate */
  double v[2];
} ending;

/* A block of mass 1 between a wall and a block of mass M. Distances are measured from the last
 * impact, so that they keep all their digits however small they become. */
static ending exact(double M, double e, double x, double X, double V) {
  ending r = {.t = (X - x) / -V, .n = 1};
  double v = (1 + e) * M * V / (1 + M), a = x; /* the blocks are together at a */
  V -= (1 + e) * V / (1 + M);
  while (a > 1e-280) {
    if (v >= 0) { /* and V >= v: they have just separated */
      break;
    }
    double to_wall = a / -v, gap = a + V * to_wall;
    r.t += to_wall;
    v *= -e;
    r.n++;
    if (V >= v) {
      break;
    }
    double to_meet = gap / (v - V);
    r.t += to_meet;
    a = v * to_meet;
    double w = V - v;
    v += (1 + e) * M * w / (1 + M);
    V -= (1 + e) * w / (1 + M);
    r.n++;
  }
  r.collapses = a <= 1e-280;
  r.v[0] = r.collapses ? 0 : v;
  r.v[1] = r.collapses ? 0 : V;
  return r;
}

/* The map of two impacts has real eigenvalues, and its pattern no end, exactly if
 * sqrt(1/(1 + M)) <= (1 - e)/(1 + e). */
static void squeezed(double M, double e, double tol) {
  char text[300];
  snprintf(text, sizeof text,
           "coordinates x, X\nkinetic T = 1/2*x'^2 + 1/2*%.17g*X'^2\n"
           "constraint wall: x >= 0, restitution %.17g\n"
           "constraint c: X - x >= 0, restitution %.17g\n"
           "start x = 0.7, X = 1.9, X' = -0.83\nrun 0..12\n",
           M, e, e);
  fixture f = make(text, tol);
  ending r = exact(M, e, 0.7, 1.9, -0.83);
  CHECK(r.collapses == (sqrt(1 / (1 + M)) <= (1 - e) / (1 + e)));
  const char *kind = "";
  double last = 0;
  for (pawl_stop why; (why = advance(&f, HUGE_VAL)) != PAWL_AT_END;) {
    kind = pawl_sim_event(f.sim, 0).kind;
    last = pawl_sim_event(f.sim, 0).t;
  }
  pawl_point p = point(&f);
  CHECK_STR(kind, r.collapses ? "rest" : "impact");
  CHECK_NEAR(last, r.t, 1e-9);
  CHECK_NEAR(p.u[0], r.v[0], 1e-9);
  CHECK_NEAR(p.u[1], r.v[1], 1e-9);
  CHECK_NEAR(energy(&f).unexplained, 0, 1e-9 * M);
  if (!r.collapses) {
    CHECK_INT(pawl_sim_statistics(f.sim).events, r.n);
  } else {
    CHECK_NEAR(p.q[1], 0, 2e-10);
  }
  unmake(&f);
}

static void blocks_at_a_wall(void) {
  const double M[] = {5, 20, 50, 200, 1e4}, e[] = {0.01, 0.3, 0.5, 0.8, 0.9};
  for (int i = 0; i < 25; i++) {
    squeezed(M[i / 5], e[i % 5], 1e-9);
    squeezed(M[i / 5], e[i % 5], 1e-12);
  }
}

/* Three equal blocks stay together if e < 7 - 4 sqrt(3) = 0.0718 (McNamara and Young 1992). */
static void blocks_in_a_row(void) {
  const double e[] = {0.01, 0.03, 0.05, 0.08, 0.2};
  for (int k = 0; k < 10; k++) {
    char text[400];
    snprintf(text, sizeof text,
             "coordinates x[1..3]\nkinetic T = sum(i in 1..3: 1/2*x[i]'^2)\n"
             "constraint c[i in 1..2]: x[i+1] - x[i] >= 0, restitution %.17g\n"
             "start x[1] = 0, x[2] = 1, x[3] = 1.7, x[1]' = 1, x[2]' = 0, x[3]' = -0.4\nrun 0..3\n",
             e[k / 2]);
    fixture f = make(text, k % 2 ? 1e-12 : 1e-9);
    int rests = 0;
    for (pawl_stop why; (why = advance(&f, HUGE_VAL)) != PAWL_AT_END;) {
      rests += strcmp(pawl_sim_event(f.sim, 0).kind, "rest") == 0 ? pawl_sim_events(f.sim) : 0;
    }
    pawl_point p = point(&f);
    CHECK_INT(rests, e[k / 2] < 7 - 4 * sqrt(3) ? 2 : 0);
    for (int i = 0; rests > 0 && i < 3; i++) {
      CHECK_NEAR(p.u[i], 0.2, 1e-12);
    }
    CHECK(rests > 0 || p.u[2] - p.u[0] > 1e-7);
    unmake(&f);
  }
}

/* Patterns that shrink steadily go on; that the ratio of those with an end changes is seen. */
static void only_steady_patterns_never_end(void) {
  pw_cascade steady = {.n = 0}, constant = {.n = 0}, turning = {.n = 0}, growing = {.n = 0},
             mixed = {.n = 0};
  for (int i = 0; i < 200; i++) {
    uint64_t key = (uint64_t)(i % 3);
    CHECK_INT(pw_cascade_hit(&steady, key, (i % 3 + 1) * pow(0.9, i / 3)), i < 8 ? 0 : 3);
    CHECK_INT(pw_cascade_hit(&constant, (uint64_t)(i % 2), i % 2 + 1), i < 5 ? 0 : 2);
    CHECK_INT(pw_cascade_hit(&turning, key, pow(0.9, i) * sin(0.01 * (i + 1))), 0);
    CHECK_INT(pw_cascade_hit(&growing, key, pow(1.01, i)), 0);
    CHECK_INT(pw_cascade_hit(&mixed, (uint64_t)(i * i), pow(0.9, i)), 0);
  }
}

CHECK_MAIN({"blocks_at_a_wall", blocks_at_a_wall}, {"blocks_in_a_row", blocks_in_a_row},
           {"only_steady_patterns_never_end", only_steady_patterns_never_end})
