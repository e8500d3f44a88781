// SPDX-License-Identifier: MIT
/* Numbers of a model that rounding keeps apart are the same, and numbers that are meant to differ
 * are not. */
#include "model/units.h"
#include "unit/model_support.h"

#define HEAD "coordinates x\nkinetic T = x'^2\n"

/* The first error or warning of a model, or "". */
static void expect_code(const char *text, const char *code) {
  bench b;
  bench_open_with(&b, text, NULL, 0);
  CHECK_STR(pawl_diags_count(b.diags) > 0 ? pawl_diags_get(b.diags, 0)->code : "", code);
  bench_close(&b);
}

static void whole_numbers(void) {
  expect_code(HEAD "potential V = sum(i in 1..3.0000000003: i*x)\n", "");
  expect_code(HEAD "potential V = sum(i in 1..3.00000003: i*x)\n", "E0113");
  expect_code("coordinates x[1..3]\nkinetic T = x[1]'^2 + x[2]'^2 + x[2.9999999997]'^2\n", "");
  expect_code("coordinates x[1..3]\nkinetic T = x[1]'^2 + x[2]'^2 + x[2.99999997]'^2\n", "E0107");
}

static void periodic_tables(void) {
  expect_code(HEAD "table f(s): (0, 1)(1, 2)(2, 1.0000000000001), periodic\n"
                   "potential V = f(x)\n",
              "");
  expect_code(HEAD "table f(s): (0, 1)(1, 2)(2, 1.00000000002), periodic\n"
                   "potential V = f(x)\n",
              "E0235");
}

/* A flat plate, written with two or three digits. */
static void moments_of_inertia(void) {
  expect_code("body b: mass 1, inertia (1, 1, 2.005)\n", "");
  expect_code("body b: mass 1, inertia (1, 1, 2.05)\n", "W0205");
}

/* A friction of two coefficients: 1 and this one. */
static void expect_ellipse(const char *mu, const char *code) {
  char text[300];
  snprintf(text, sizeof text,
           "coordinates x, y, z\nkinetic T = x'^2 + y'^2 + z'^2\n"
           "constraint c: z >= 0, restitution 0\n"
           "friction f: slip (x', y'), mu (1, %s) on c\n",
           mu);
  expect_code(text, code);
}

static void ratios_of_coefficients(void) {
  expect_ellipse("3e-6", "");
  expect_ellipse("3e5", "");
  expect_ellipse("3e-8", "E0222");
  expect_ellipse("3e7", "E0222");
}

static void powers_of_units(void) {
  pw_dim a = {.power = {1.0 / 3, 0, -1}}, b = a;
  b.power[0] += 1e-10;
  CHECK(pw_dim_equal(&a, &b));
  b.power[0] = a.power[0] - 1e-8;
  CHECK(!pw_dim_equal(&a, &b));
}

/* Faces of a pyramid in a picture, whose base is flat up to `off`. */
static int faces(const char *off) {
  char text[400];
  bench b;
  snprintf(text, sizeof text,
           "body b: mass 1, inertia (1, 1, 1)\n"
           "shape s: hull b, (0, 0, 0)(1, 0, 0)(1, 1, %s)(0, 1, 0)(0.5, 0.5, 1)\n",
           off);
  bench_open(&b, text);
  int n = b.m->draws.n;
  bench_close(&b);
  return n;
}

static void flat_faces(void) {
  CHECK_INT(faces("0"), 5);
  CHECK_INT(faces("3e-10"), 5);
  CHECK_INT(faces("-3e-8"), 6);
}

CHECK_MAIN({"whole_numbers", whole_numbers}, {"periodic_tables", periodic_tables},
           {"moments_of_inertia", moments_of_inertia},
           {"ratios_of_coefficients", ratios_of_coefficients}, {"powers_of_units", powers_of_units},
           {"flat_faces", flat_faces})
