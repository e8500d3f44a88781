// SPDX-License-Identifier: MIT
/* Jumps of which only a part is the impact law: the stop of bounces that cannot be resolved,
 * one-sided laws on velocities, impacts in turn without end, contacts that are merely near. The
 * velocities after the jump are made here. */
#include <stdbool.h>

#include "verify_support.h"

enum { N = 2 };

typedef struct moment {
  double t, q[N], u[N];
} moment;

/* Whether the certificate finds fault with a jump. */
static bool rejects(const char *text, const moment *row, int rows) {
  judged j = judged_open(text);
  pawl_certifier *c = j.c;
  bool found = false, looked = false;
  for (int i = 0; i < rows; i++) {
    CHECK(pawl_certify_row(c, row[i].t, row[i].q, row[i].u, NULL) == PAWL_OK);
  }
  pawl_certify_finish(c);
  for (int i = 0; i < pawl_certify_findings(c); i++) {
    pawl_finding f = pawl_certify_finding(c, i);
    bool law = strcmp(f.principle, "impact law") == 0;
    looked = looked || (law && !isnan(f.t));
    found = found || ((law || strcmp(f.principle, "impulse") == 0) && f.value > f.tolerance);
  }
  CHECK(looked);
  judged_close(&j);
  return found;
}

/* ---- T = (x'^2 + y'^2)/2 + b x'y' ---- */

static const double b = 0.4;

/* u += M^-1 J^T s */
static void push(double s, const double J[N], double u[N]) {
  double det = 1 - b * b;
  u[0] += s * (J[0] - b * J[1]) / det;
  u[1] += s * (J[1] - b * J[0]) / det;
}

static double rate(const double J[N], const double u[N]) {
  return J[0] * u[0] + J[1] * u[1];
}

static double couple(const double J[N], const double K[N]) {
  double u[N] = {0, 0};
  push(1, K, u);
  return rate(J, u);
}

/* Gives both rows the rates r. */
static void set_rates(const double J[N], const double K[N], const double r[N], double u[N]) {
  double a = couple(J, J), c = couple(J, K), d = couple(K, K), det = a * d - c * c;
  double x = r[0] - rate(J, u), y = r[1] - rate(K, u);
  push((d * x - c * y) / det, J, u);
  push((a * y - c * x) / det, K, u);
}

static const double X[N] = {1, 0}, Y[N] = {0, 1};

/* x bounces with e = 0.01 and is stopped; y returns, and feels that. The stop is right if the
 * height of what is left drowns in the rounding of the gap, v^2/80 < 4096 eps. */
static bool stop_is_rejected(double speed) {
  const char *text = "coordinates x, y\n"
                     "kinetic T = 1/2*x'^2 + 1/2*y'^2 + 0.4*x'*y'\n"
                     "potential V = 40*x\n"
                     "constraint c1: x - 1 >= 0, restitution 0.01\n"
                     "constraint c2: y - 1 >= 0, restitution 1\n"
                     "start x = 1, y = 1\nrun 0..2\n";
  moment row[3] = {
      {0, {1.2, 2}, {0, -1}}, {1, {1, 1}, {-speed, -1}}, {1, {1, 1}, {0.01 * speed, 1}}};
  CHECK(!rejects(text, row, 3));
  push(-0.01 * speed / couple(X, X), X, row[2].u);
  return rejects(text, row, 3);
}

static void stops(void) {
  CHECK(!stop_is_rejected(9e-4));
  CHECK(stop_is_rejected(1e-2));
}

/* y returns with its own speed, but y' <= 0.2 is a law; the gradient of the last one vanishes. */
static void one_sided(void) {
  const char *text = "coordinates x, y\n"
                     "kinetic T = 1/2*x'^2 + 1/2*y'^2\n"
                     "constraint c1: y >= 0, restitution 1\n"
                     "constraint c2: 0.2 - y' >= 0\n"
                     "constraint c3: 2 - x'^2 >= 0\n"
                     "start x = 0, y = 1, y' = -1\nrun 0..2, impacts sequential\n";
  moment row[3] = {{0, {0, 1}, {1e-18, -1}}, {1, {0, 0}, {1e-18, -1}}, {1, {0, 0}, {1e-18, 0.2}}};
  CHECK(!rejects(text, row, 3));
  row[2].u[1] = 0.19;
  CHECK(rejects(text, row, 3));
}

/* y falls against the wall x <= 1 and the floor; the contact c3 is open by a millionth of what the
 * rows resolve, and stays out of what y' + x' >= -0.1 does to the velocities. */
static void near_ones(void) {
  const char *text = "coordinates x, y\n"
                     "kinetic T = 1/2*x'^2 + 1/2*y'^2\n"
                     "constraint c1: y >= 0, restitution 0.5\n"
                     "constraint c2: 0.2 - y' >= 0\n"
                     "constraint c3: x + 0.1*y >= 0, restitution 0\n"
                     "start x = 1, y = 1, y' = -1\nrun 0..2, impacts sequential\n";
  double gap = 2e-9;
  moment row[3] = {
      {0, {0.1, 1}, {-0.1, -1}}, {1, {gap, 0}, {-0.1, -1}}, {1, {gap, 0}, {-0.1, 0.2}}};
  CHECK(!rejects(text, row, 3));
  row[2].u[1] = 0.21;
  CHECK(rejects(text, row, 3));
}

/* ---- impacts in turn ---- */

typedef struct wedge {
  double J[2][N], e[2];
} wedge;

static int closing(const wedge *w, const double u[N]) {
  double s[2];
  for (int i = 0; i < 2; i++) {
    s[i] = rate(w->J[i], u) / sqrt(couple(w->J[i], w->J[i]));
  }
  int i = s[1] < s[0];
  return s[i] < -1e-10 ? i : -1;
}

/* Theory, section 19: 140 hits of two contacts, then (56), and again. */
static int in_turn(const wedge *w, double u[N]) {
  int hits = 0, all = 0;
  for (int i = closing(w, u); i >= 0; i = closing(w, u), hits++, all++) {
    double r[2] = {rate(w->J[0], u), rate(w->J[1], u)};
    if (hits == 140) {
      double to[2] = {-w->e[0] * r[0], -w->e[1] * r[1]};
      set_rates(w->J[0], w->J[1], to, u);
      hits = -1;
    } else {
      push(-(1 + w->e[i]) * r[i] / couple(w->J[i], w->J[i]), w->J[i], u);
    }
  }
  return all;
}

static void begins_anew(void) {
  wedge w = {{{1, 0.28}, {-1, 0.0}}, {0.12, 0.29}};
  const char *text = "coordinates x, y\n"
                     "kinetic T = 1/2*x'^2 + 1/2*y'^2 + 0.4*x'*y'\n"
                     "constraint c1: x + 0.28*y >= 0, restitution 0.12\n"
                     "constraint c2: -x >= 0, restitution 0.29\n"
                     "start x = -0.1, y = 1\nrun 0..2, impacts sequential\n";
  moment row[3] = {{0, {-1, 4}, {1, -4}}, {1, {0, 0}, {1, -4}}, {1, {0, 0}, {1, -4}}};
  int hits = in_turn(&w, row[2].u);
  CHECK(hits > 141 && hits < 380);
  CHECK(!rejects(text, row, 3));
  push(1e-4, w.J[0], row[2].u);
  CHECK(rejects(text, row, 3));
}

/* ---- what must follow ---- */

/* x closes after the impact of y, from a gap that is near: the force turns it if it is slow. */
static bool is_owed(double speed) {
  const char *text = "coordinates x, y\n"
                     "kinetic T = 1/2*x'^2 + 1/2*y'^2 + 0.4*x'*y'\n"
                     "potential V = -10*x\n"
                     "constraint c1: x >= 0, restitution 0\n"
                     "constraint c2: y >= 0, restitution 1\n"
                     "start x = 1, y = 1\nrun 0..2\n";
  double gap = 4e-9;
  moment row[4] = {{0, {1, 1}, {0, -1}}, {1, {gap, 0}, {0, -1}}, {1, {gap, 0}, {0, 1}}};
  double turned = -b * 2 / (1 - b * b) / couple(Y, Y); /* what the impact does to x' */
  row[1].u[0] = -speed - turned;
  row[2].u[0] = -speed;
  row[3] = (moment){1.1, {0.05, 0.1}, {1, 1}};
  return rejects(text, row, 4);
}

static void owed(void) {
  CHECK(!is_owed(1e-4));
  CHECK(is_owed(1e-2));
}

CHECK_MAIN({"stops", stops}, {"one_sided", one_sided}, {"near_ones", near_ones},
           {"begins_anew", begins_anew}, {"owed", owed})
