// SPDX-License-Identifier: MIT
/* The action of varied curves against closed forms: falling, bouncing and resting balls, a kink in
 * free space, general variations, sleighs with a one-sided blade. */
#include <stdlib.h>

#include "check.h"
#include "pawl/pawl.h"

static const double pi = 3.14159265358979323846;

typedef struct bench {
  pawl_diags *diags;
  pawl_model *model;
  pawl_system *system;
  pawl_vary *vary;
} bench;

static bench open_bench(const char *text) {
  bench b = {0};
  CHECK(pawl_diags_new(&b.diags) == PAWL_OK);
  pawl_status status = pawl_model_parse(text, strlen(text), NULL, b.diags, &b.model);
  if (status == PAWL_OK) {
    status = pawl_system_new(b.model, NULL, b.diags, &b.system);
  }
  if (status != PAWL_OK || pawl_vary_new(b.system, 1e-9, &b.vary) != PAWL_OK) {
    CHECK(0);
    exit(1);
  }
  return b;
}

static void close_bench(bench *b) {
  pawl_vary_free(b->vary);
  pawl_system_free(b->system);
  pawl_model_free(b->model);
  pawl_diags_free(b->diags);
}

typedef void (*curve)(double t, int after, double *q, double *u);

/* Rows of a curve over from .. to. */
static void piece(bench *b, curve f, double from, double to, int after, int rows) {
  double q[8], u[8];
  for (int i = 0; i <= rows; i++) {
    double t = i == rows ? to : from + (to - from) * i / rows;
    f(t, after, q, u);
    CHECK(pawl_vary_row(b->vary, t, q, u) == PAWL_OK);
  }
}

static void half_wave(double t, void *payload, double *w, double *rate) {
  double end = *(double *)payload;
  *w = sin(pi * t / end);
  *rate = pi / end * cos(pi * t / end);
}

static void minus_half_wave(double t, void *payload, double *w, double *rate) {
  half_wave(t, payload, w, rate);
  *w = -*w;
  *rate = -*rate;
}

typedef struct hat { /* t (end - t) / (peak (end - peak)) */
  double end, peak;
} hat;

static void parabola(double t, void *payload, double *w, double *rate) {
  const hat *h = payload;
  double scale = h->peak * (h->end - h->peak);
  *w = t * (h->end - t) / scale;
  *rate = (h->end - 2 * t) / scale;
}

static void ramp(double t, void *payload, double *w, double *rate) {
  double end = *(double *)payload;
  *w = t / end;
  *rate = 1 / end;
}

static void add(bench *b, pawl_vary_kind strong, pawl_vary_fn fn, void *payload) {
  CHECK(pawl_vary_add(b->vary, strong, fn, payload) == PAWL_OK);
}

/* Both ways to the same slope. */
static pawl_variation both(const bench *b, int i, double slope, double tol) {
  pawl_variation x = pawl_vary_get(b->vary, i);
  CHECK_NEAR(x.slope, slope, tol);
  CHECK_NEAR(x.formula, slope, tol);
  if (x.kind != PAWL_VARY_STRONG) {
    CHECK_NEAR(x.weak, slope, tol);
  }
  return x;
}

static const char ball[] = "parameter g = 10\n"
                           "coordinates q\n"
                           "kinetic T = 1/2*q'^2\n"
                           "potential V = g*q\n"
                           "constraint floor: q >= 0, restitution 1\n"
                           "start q = 0.8, q' = 0\n"
                           "run 0..1\n";

static double restitution = 1, fall = 0.4, gravity = 10; /* of the curve below */

static void bounce(double t, int after, double *q, double *u) {
  double s = t - (after ? fall : 0), up = after ? restitution * gravity * fall : 0;
  *q = (after ? 0 : gravity * fall * fall / 2) + up * s - gravity * s * s / 2;
  *u = up - gravity * s;
}

static void elastic_ball(void) { /* S0.1, S0.2, S0.3 */
  double end = 0.8;
  hat h = {0.8, 0.4};
  bench b = open_bench(ball);
  restitution = 1;
  add(&b, 0, half_wave, &end);
  add(&b, 0, minus_half_wave, &end);
  add(&b, 1, parabola, &h);
  piece(&b, bounce, 0, 0.4, 0, 20);
  piece(&b, bounce, 0.4, 0.8, 1, 20);
  pawl_vary_finish(b.vary);
  CHECK_NEAR(pawl_vary_action(b.vary), -32.0 / 15, 1e-12);
  pawl_variation up = both(&b, 0, -8, 1e-9), down = both(&b, 1, 8, 1e-9);
  both(&b, 2, 0, 1e-9);
  CHECK_INT(up.admissible, 1);
  CHECK_INT(down.admissible, 2);
  CHECK_NEAR(up.size, sqrt(end / 2), 1e-9);
  close_bench(&b);
}

static void lossy_ball(void) { /* S0.4 */
  double end = 0.6;
  hat h = {0.6, 0.4};
  bench b = open_bench(ball);
  restitution = 0.5;
  add(&b, 0, half_wave, &end);
  add(&b, 1, parabola, &h);
  piece(&b, bounce, 0, 0.4, 0, 20);
  piece(&b, bounce, 0.4, 0.6, 1, 20);
  pawl_vary_finish(b.vary);
  CHECK_NEAR(pawl_vary_action(b.vary), -1.2, 1e-12);
  both(&b, 0, -6 * sin(2 * pi / 3), 1e-8);
  both(&b, 1, -6, 1e-8);
  close_bench(&b);
}

static void at_rest(double t, int after, double *q, double *u) {
  (void)t;
  (void)after;
  *q = *u = 0;
}

static void resting_ball(void) { /* S0.5 */
  double end = 1.3;
  bench b = open_bench(ball);
  add(&b, 0, half_wave, &end);
  piece(&b, at_rest, 0, end, 0, 30);
  pawl_vary_finish(b.vary);
  pawl_variation x = both(&b, 0, -2 * 10 * end / pi, 1e-10);
  CHECK_INT(x.admissible, 1);
  close_bench(&b);
}

static const char particle[] = "parameter m = 1\n"
                               "coordinates q\n"
                               "kinetic T = 1/2*m*q'^2\n"
                               "run 0..1\n";

static void there_and_back(double t, int after, double *q, double *u) {
  *q = after ? 2 - t : t;
  *u = after ? -1 : 1;
}

static void kink_in_free_space(void) { /* S0.6: no constraint, so w and -w are both admissible */
  double end = 2;
  bench b = open_bench(particle);
  add(&b, 0, half_wave, &end);
  add(&b, 0, minus_half_wave, &end);
  piece(&b, there_and_back, 0, 1, 0, 10);
  piece(&b, there_and_back, 1, 2, 1, 10);
  pawl_vary_finish(b.vary);
  CHECK_INT(both(&b, 0, 2, 1e-9).admissible, 3);
  CHECK_INT(both(&b, 1, -2, 1e-9).admissible, 3);
  close_bench(&b);
}

static void uniform(double t, int after, double *q, double *u) {
  (void)after;
  *q = 0.2 + 0.7 * t;
  *u = 0.7;
}

static void general_variation(void) { /* S0.8, (24): dS/dqb = p, dS/dtb = -H */
  double end = 1.5, m = 2;
  bench b = open_bench("coordinates q\nkinetic T = q'^2\nrun 0..1\n");
  add(&b, 0, ramp, &end);
  add(&b, 1, ramp, &end);
  piece(&b, uniform, 0, end, 0, 12);
  pawl_vary_finish(b.vary);
  CHECK_NEAR(pawl_vary_action(b.vary), m * 0.49 * end / 2, 1e-13);
  both(&b, 0, m * 0.7, 1e-9);
  both(&b, 1, -m * 0.49 / 2, 1e-8);
  close_bench(&b);
}

static void drop_from_one_metre(void) { /* numerics L.11 */
  static const char text[] = "coordinates q\nkinetic T = 1/2*q'^2\npotential V = 9.81*q\n"
                             "constraint floor: q >= 0, restitution 1\n"
                             "start q = 1, q' = 0\nrun 0..1\n";
  const double e[] = {1, 0.7, 0};
  gravity = 9.81;
  fall = sqrt(2 / gravity);
  for (int k = 0; k < 3; k++) {
    double end = 1.5 * fall, hit = gravity * fall;
    hat h = {end, fall};
    bench b = open_bench(text);
    restitution = e[k];
    add(&b, 0, half_wave, &end);
    add(&b, 1, parabola, &h);
    piece(&b, bounce, 0, fall, 0, 25);
    piece(&b, e[k] > 0 ? bounce : at_rest, fall, end, 1, 25);
    pawl_vary_finish(b.vary);
    /* at rest the floor carries the weight: integral of sin over the last third, 3/4 of a half */
    double rest = e[k] > 0 ? 0 : gravity * end / pi * (1 + cos(2 * pi / 3));
    both(&b, 0, -(1 + e[k]) * hit * sin(2 * pi / 3) - rest, 1e-7);
    both(&b, 1, -(1 - e[k] * e[k]) * hit * hit / 2, 1e-7);
    close_bench(&b);
  }
  gravity = 10;
  fall = 0.4;
}

/* ---- one-sided blades ---- */

static const char sleigh[] = "coordinates x, y, th\n"
                             "kinetic T = 1/2*(x'^2 + y'^2 + th'^2)\n"
                             "constraint blade: -x'*sin(th) + y'*cos(th) >= 0\n"
                             "start x = 0, y = 0, th = 0, x' = 1, y' = 0, th' = -2\n"
                             "run 0..3\n";

/* S1.1: a straight line until pi/2, then a circle of radius 1/2. */
static void sleigh_motion(double t, int after, double *q, double *u) {
  double s = t - pi / 2;
  q[2] = -2 * t;
  u[2] = -2;
  q[0] = after ? pi / 2 + sin(2 * s) / 2 : t;
  q[1] = after ? (cos(2 * s) - 1) / 2 : 0;
  u[0] = after ? cos(2 * s) : 1;
  u[1] = after ? -sin(2 * s) : 0;
}

typedef struct wave { /* sin^2(k (t - from)) */
  double from, k;
} wave;

static void across(double t, void *payload, double *w, double *rate) { /* wave * n */
  const wave *x = payload;
  double s = x->k * (t - x->from), a = -2 * t, e = sin(s) * sin(s), de = x->k * sin(2 * s);
  w[0] = -e * sin(a);
  w[1] = e * cos(a);
  rate[0] = -de * sin(a) + 2 * e * cos(a);
  rate[1] = de * cos(a) + 2 * e * sin(a);
  w[2] = rate[2] = 0;
}

static void hoelder_on_the_circle(void) { /* S1.6, Kozlov (5.5) */
  for (int leg = 0; leg < 2; leg++) {
    double from = leg == 0 ? pi / 2 : 0, to = leg == 0 ? 3 * pi / 2 : pi / 2;
    wave x = {from, leg == 0 ? 1 : 2};
    bench b = open_bench(sleigh);
    add(&b, 0, across, &x);
    piece(&b, sleigh_motion, from, to, leg == 0, 80);
    pawl_vary_finish(b.vary);
    pawl_variation got = both(&b, 0, leg == 0 ? -pi : 0, 1e-8);
    CHECK(leg == 1 || got.admissible == 1);
    close_bench(&b);
  }
}

static void wrong_calls(void) {
  double q = 0, u = 0;
  pawl_vary *none = NULL;
  CHECK(pawl_vary_new(NULL, 0, &none) == PAWL_E_ARGUMENT);
  CHECK(pawl_vary_add(NULL, 0, ramp, NULL) == PAWL_E_ARGUMENT);
  CHECK(pawl_vary_row(NULL, 0, &q, &u) == PAWL_E_ARGUMENT);
  CHECK_INT(pawl_vary_count(NULL), 0);
  CHECK(isnan(pawl_vary_get(NULL, 0).slope) && isnan(pawl_vary_action(NULL)));
  pawl_vary_finish(NULL);
  pawl_vary_free(NULL);
  bench b = open_bench(particle);
  CHECK(pawl_vary_new(b.system, NAN, &none) == PAWL_E_ARGUMENT);
  CHECK(pawl_vary_add(b.vary, 0, NULL, NULL) == PAWL_E_ARGUMENT);
  CHECK(pawl_vary_row(b.vary, 1, &q, &u) == PAWL_OK);
  CHECK(pawl_vary_add(b.vary, 0, ramp, &q) == PAWL_E_ARGUMENT);
  CHECK(pawl_vary_row(b.vary, 0, &q, &u) == PAWL_E_ARGUMENT);
  pawl_vary_finish(b.vary);
  CHECK(pawl_vary_row(b.vary, 2, &q, &u) == PAWL_E_ARGUMENT);
  CHECK_NEAR(pawl_vary_action(b.vary), 0, 0);
  close_bench(&b);
}

CHECK_MAIN({"elastic_ball", elastic_ball}, {"lossy_ball", lossy_ball},
           {"resting_ball", resting_ball}, {"kink_in_free_space", kink_in_free_space},
           {"general_variation", general_variation}, {"drop_from_one_metre", drop_from_one_metre},
           {"hoelder_on_the_circle", hoelder_on_the_circle}, {"wrong_calls", wrong_calls})
