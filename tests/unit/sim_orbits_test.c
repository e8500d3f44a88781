// SPDX-License-Identifier: MIT
/* Counts, maps from impact to impact and their derivatives: what single expectations of a model
 * cannot say. Numbers by closed forms. */
#include <math.h>
#include <stdbool.h>

#include "sim_support.h"

static const double pi = 3.14159265358979323846;

/* ---- counts ---- */

/* Galperin's billiard: floor(pi / atan(sqrt(m / M))) collisions, or one less where that is whole.
 */
static long collisions(double M) {
  char text[400];
  snprintf(text, sizeof text,
           "coordinates x, y\nkinetic T = 1/2*x'^2 + 1/2*%.17g*y'^2\n"
           "constraint wall: x >= 0, restitution 1\nconstraint hit: y - x >= 0, restitution 1\n"
           "start x = 1, y = 2, x' = 0, y' = -1\nrun 0..30\n",
           M);
  fixture f = make(text, 1e-13);
  long n = 0;
  while (advance(&f, 30) == PAWL_AT_EVENT) {
    n += pawl_sim_events(f.sim);
  }
  pawl_point p = point(&f);
  CHECK(p.u[0] >= 0 && p.u[1] >= p.u[0]); /* no collision follows */
  unmake(&f);
  return n;
}

static void balls_count_digits(void) {
  CHECK_INT(collisions(1), 3);
  CHECK_INT(collisions(7), 8);
  CHECK_INT(collisions(100), 31);
  CHECK_INT(collisions(1e4), 314);
  CHECK_INT(collisions(1e6), 3141);
}

/* h = 1: the way down, and every bounce up and down: 1 + 2 e^2 / (1 - e^2). */
static void path_of_a_ball(void) {
  fixture f = make("coordinates y\nkinetic T = 1/2*y'^2\npotential V = 9.81*y\n"
                   "constraint floor: y >= 0, restitution 0.5\nevent top: y' = 0, falling\n"
                   "start y = 1, y' = 0\nrun 0..3\n",
                   1e-12);
  double path = 1;
  while (advance(&f, 3) == PAWL_AT_EVENT) {
    pawl_event e = pawl_sim_event(f.sim, 0);
    path += strcmp(e.kind, "user") == 0 ? 2 * point(&f).q[0] : 0;
  }
  CHECK_NEAR(path, 5.0 / 3, 1e-9);
  unmake(&f);
}

/* ---- from impact to impact ---- */

typedef struct map { /* one coordinate, one contact: time and velocity after an impact */
  fixture f;
  double A, w; /* the wall stands at A sin(w t) + s */
  double s;
} map;

/* The next impact after (t, v); false: none before the end. */
static bool next(map *m, const double *from, double *to) {
  double q = m->s + m->A * sin(m->w * from[0]);
  m->f.status = pawl_sim_start(m->f.sim, from[0], &q, &from[1], m->f.diags);
  if (!CHECK(m->f.status == PAWL_OK) || advance(&m->f, HUGE_VAL) != PAWL_AT_EVENT) {
    return false;
  }
  pawl_event e = pawl_sim_event(m->f.sim, 0);
  to[0] = e.t;
  to[1] = point(&m->f).u[0];
  return strcmp(e.kind, "impact") == 0;
}

/* Derivatives by central differences of fourth order: J[i][k] = d to_i / d from_k. */
static void differentiate(map *m, const double *at, double J[2][2]) {
  static const double weight[4] = {1.0 / 12, -2.0 / 3, 2.0 / 3, -1.0 / 12};
  static const double place[4] = {-2, -1, 1, 2};
  memset(J, 0, 4 * sizeof(double));
  for (int k = 0; k < 2; k++) {
    double h = 1e-3 * (k == 0 ? 1 / m->w : at[1]);
    for (int j = 0; j < 4; j++) {
      double from[2] = {at[0], at[1]}, to[2] = {NAN, NAN};
      from[k] += place[j] * h;
      CHECK(next(m, from, to));
      J[0][k] += weight[j] * to[0] / h;
      J[1][k] += weight[j] * to[1] / h;
    }
  }
}

/* Newton's method for an impact that repeats after one period. */
static void periodic(map *m, double *at) {
  for (int k = 0; k < 6; k++) {
    double J[2][2], to[2] = {NAN, NAN};
    CHECK(next(m, at, to));
    differentiate(m, at, J);
    double r0 = to[0] - at[0] - 2 * pi / m->w, r1 = to[1] - at[1];
    double a = J[0][0] - 1, b = J[0][1], c = J[1][0], d = J[1][1] - 1, det = a * d - b * c;
    at[0] -= (d * r0 - b * r1) / det;
    at[1] -= (a * r1 - c * r0) / det;
  }
}

static double trace(double J[2][2]) {
  return J[0][0] + J[1][1];
}

static double determinant(double J[2][2]) {
  return J[0][0] * J[1][1] - J[0][1] * J[1][0];
}

/* How far from the orbit after so many impacts, per distance at first. */
static double growth(map *m, const double *orbit, int impacts) {
  double start = 1e-7, at[2] = {orbit[0], orbit[1] * (1 + start)};
  for (int i = 0; i < impacts; i++) {
    double to[2] = {NAN, NAN};
    CHECK(next(m, at, to));
    at[0] = to[0] - 2 * pi / m->w;
    at[1] = to[1];
  }
  return hypot(m->w * (at[0] - orbit[0]), at[1] / orbit[1] - 1) / start;
}

/* x'' + x = cos(w t), x >= s. */
static map oscillator(double w, double e, double s) {
  char text[300];
  snprintf(text, sizeof text,
           "coordinates x\nkinetic T = 1/2*x'^2\npotential V = 1/2*x^2\nforce x: cos(%.17g*t)\n"
           "constraint stop: x >= %.17g, restitution %.17g\nstart x = %.17g, x' = 1\nrun 0..1000\n",
           w, s, e, s);
  return (map){.f = make(text, 1e-13), .w = w, .s = s};
}

typedef struct orbit {
  double w, e, s, phase, v, trace, tol;
} orbit;

static void impact_map_of_an_oscillator(void) {
  static const orbit orbits[] = {
      {2.6, 0.8, 0, 6.1709755893437685, 0.40435197671516541, -1.1490793095920597, 1e-7},
      {2.2, 0.8, 0, 5.9453792285619353, 1.5189989906490423, 1.2832026480442612, 1e-7},
      {3, 0.7, 0.1, 6.100472716889225, 0.31797093359286884, -2.163, 5e-4}};
  for (size_t i = 0; i < sizeof orbits / sizeof *orbits; i++) {
    const orbit *o = &orbits[i];
    map m = oscillator(o->w, o->e, o->s);
    double at[2] = {o->phase / o->w, o->v}, to[2] = {NAN, NAN}, J[2][2];
    CHECK(next(&m, at, to));
    CHECK_NEAR(to[0] - at[0], 2 * pi / o->w, 1e-8);
    CHECK_NEAR(to[1], at[1], 1e-8);
    differentiate(&m, at, J);
    CHECK_NEAR(trace(J), o->trace, o->tol);
    CHECK_NEAR(determinant(J), o->e * o->e, 1e-7);
    bool stable = fabs(trace(J)) < 1 + o->e * o->e;
    CHECK(stable ? growth(&m, at, 40) < 0.5 : growth(&m, at, 12) > 2);
    unmake(&m.f);
  }
}

/* A multiplier passes -1 where trace = -(1 + e^2). */
static void period_doubling_of_an_oscillator(void) {
  double w = 2.6533477278553229, e = 0.8, side[3];
  for (int i = -1; i <= 1; i++) {
    map m = oscillator(w + 0.01 * i, e, 0);
    double at[2] = {6.18 / w, 0.35}, J[2][2];
    periodic(&m, at);
    differentiate(&m, at, J);
    side[i + 1] = trace(J) + 1 + e * e;
    double later = growth(&m, at, 40) / growth(&m, at, 20);
    CHECK(i < 0 ? later < 0.5 : i > 0 ? later > 2 : fabs(later - 1) < 0.01);
    unmake(&m.f);
  }
  CHECK(side[0] > 1e-3 && side[2] < -1e-3);
  CHECK_NEAR(side[1], 0, 1e-6);
}

/* The motion without impacts has the amplitude 1/(w^2 - 1): it touches where that is |s|. */
static void grazing_of_an_oscillator(void) {
  double w0 = 2.0816659994661327;
  for (int side = -1; side <= 1; side += 2) {
    double w = w0 + 1e-6 * side;
    map m = oscillator(w, 0.8, -0.3);
    double q = 1 / (w * w - 1), u = 0; /* half a period before it is lowest */
    CHECK(pawl_sim_start(m.f.sim, pi / w, &q, &u, m.f.diags) == PAWL_OK);
    bool hit = advance(&m.f, pi / w + 2 * pi / w) == PAWL_AT_EVENT;
    CHECK(hit == (side < 0));
    unmake(&m.f);
  }
}

/* ---- a ball on a vibrating table ---- */

static map table(double e, double Gam) {
  double w = 60, g = 9.81, A = Gam * g / (w * w);
  char text[300];
  snprintf(text, sizeof text,
           "coordinates y\nkinetic T = 1/2*y'^2\npotential V = 9.81*y\n"
           "constraint table: y >= %.17g*sin(60*t), restitution %.17g\n"
           "start y = 1, y' = 0\nrun 0..1000\n",
           A, e);
  return (map){.f = make(text, 1e-13), .A = A, .w = w};
}

static void check_table(double e, double lowest, double highest) {
  double g = 9.81, w = 60, first = pi * (1 - e) / (1 + e);
  CHECK_NEAR(first, lowest, 1e-14);
  CHECK_NEAR(hypot(first, 2 * (1 + e * e) / ((1 + e) * (1 + e))), highest, 1e-14);
  for (int i = 0; i < 4; i++) {
    double inside[] = {0.9 * lowest + 0.1 * highest, 0.97 * highest + 0.03 * lowest, highest,
                       1.03 * highest - 0.03 * lowest};
    map m = table(e, inside[i]);
    double at[2] = {acos(first / inside[i]) / w, g * pi / w}, to[2] = {NAN, NAN}, J[2][2];
    CHECK(next(&m, at, to));
    CHECK_NEAR(to[0] - at[0], 2 * pi / w, 1e-12);
    CHECK_NEAR(to[1], at[1], 1e-11);
    differentiate(&m, at, J);
    CHECK_NEAR(determinant(J), e * e, 1e-7);
    bool stable = fabs(trace(J)) < 1 + e * e;
    if (i == 2) {
      CHECK_NEAR(trace(J), -(1 + e * e), 1e-6);
    } else {
      CHECK(stable == (i < 2));
      CHECK(i < 2 ? growth(&m, at, 150) < 0.2 : growth(&m, at, 60) > 2);
    }
    unmake(&m.f);
  }
}

/* Below the lowest value the table is too slow to give back what each impact takes. */
static void check_too_slow(double e, double lowest) {
  double g = 9.81, w = 60;
  map m = table(e, 0.99 * lowest);
  double at[2] = {0, g * pi / w}, to[2];
  int same = 0;
  for (int i = 0; i < 60 && next(&m, at, to); i++) {
    same = fabs(to[0] - at[0] - 2 * pi / w) < 1e-3 * 2 * pi / w ? same + 1 : 0;
    memcpy(at, to, sizeof at);
  }
  CHECK(same < 3);
  unmake(&m.f);
}

static void one_bounce_per_period_of_a_table(void) {
  check_table(0.5, 1.0471975511965977, 1.5268237005190609);
  check_table(0.8, 0.34906585039886592, 1.070836468247907);
  check_too_slow(0.5, 1.0471975511965977);
  check_too_slow(0.8, 0.34906585039886592);
}

CHECK_MAIN({"balls_count_digits", balls_count_digits}, {"path_of_a_ball", path_of_a_ball},
           {"impact_map_of_an_oscillator", impact_map_of_an_oscillator},
           {"period_doubling_of_an_oscillator", period_doubling_of_an_oscillator},
           {"grazing_of_an_oscillator", grazing_of_an_oscillator},
           {"one_bounce_per_period_of_a_table", one_bounce_per_period_of_a_table})
