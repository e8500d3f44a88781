// SPDX-License-Identifier: MIT
/* Large systems by sparse algebra against the same systems by dense algebra: a wall that is never
 * reached makes a model dense. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/real.h"
#include "check.h"
#include "mech/handle.h"

typedef struct fixture {
  pawl_model *model;
  pawl_system *system;
  pw_mech *mech;
} fixture;

enum { TEXT = 40000 };

static void add(char *text, const char *format, ...) {
  size_t len = strlen(text);
  va_list args;
  va_start(args, format);
  vsnprintf(text + len, TEXT - len, format, args);
  va_end(args);
}

static fixture make(const char *text, bool dense) {
  fixture f = {0};
  pawl_diags *diags = NULL;
  static char whole[TEXT];
  strcpy(whole, text);
  if (dense) {
    add(whole, "constraint far: x[1] >= -1e6, restitution 0\n");
  }
  CHECK(pawl_diags_new(&diags) == PAWL_OK);
  pawl_status status = pawl_model_parse(whole, strlen(whole), NULL, diags, &f.model);
  status = status == PAWL_OK ? pawl_system_new(f.model, NULL, diags, &f.system) : status;
  status = status == PAWL_OK ? pw_mech_new(f.system->sys, &f.mech) : status;
  CHECK(status == PAWL_OK);
  for (int i = 0; status != PAWL_OK && i < pawl_diags_count(diags); i++) {
    printf("%s: %s\n", pawl_diags_get(diags, i)->code, pawl_diags_get(diags, i)->message);
  }
  pawl_diags_free(diags);
  return f;
}

static void unmake(fixture *f) {
  pw_mech_free(f->mech);
  pawl_system_free(f->system);
  pawl_model_free(f->model);
}

static double draw(unsigned *seed) { /* in (-1, 1) */
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) * 0x1p-23 - 1;
}

/* Beads on links: bead i hangs on an earlier one, at most `back` before it; `loops` links more. */
static void write_net(char *text, int n, int back, int loops, unsigned *seed) {
  static double x[100], y[100];
  add(text, "coordinates x[1..%d], y[1..%d]\n", n, n);
  add(text, "kinetic T = sum(i in 1..%d: (1 + i/10)/2*(x[i]'^2 + y[i]'^2))", n);
  add(text, " + sum(i in 1..%d: 0.2*x[i]'*y[i]')\n", n);
  add(text, "potential V = sum(i in 1..%d: 9.81*y[i]) + sum(i in 2..%d: (x[i] - x[i-1])^4)\n", n,
      n);
  add(text, "constraint first: x[1]^2 + y[1]^2 = 1\n");
  x[1] = 0.6;
  y[1] = -0.8;
  for (int i = 2; i <= n + loops; i++) {
    int a = i <= n ? i : 3 + (i * 7) % (n - 3), b = a - 1 - (int)((draw(seed) + 1) / 2 * back);
    b = b < 1 ? 1 : i > n && b == a - 1 ? a - 2 : b;
    if (i <= n) {
      double length = 1 + draw(seed) / 4, angle = 3 * draw(seed);
      x[a] = x[b] + length * cos(angle);
      y[a] = y[b] + length * sin(angle);
    }
    add(text, "constraint l%d: (x[%d] - x[%d])^2 + (y[%d] - y[%d])^2 = %.17g\n", i, a, b, a, b,
        pow(x[a] - x[b], 2) + pow(y[a] - y[b], 2));
  }
  for (int i = 1; i <= n; i++) {
    add(text, "start x[%d] = %.17g, y[%d] = %.17g\n", i, x[i], i, y[i]);
  }
}

/* Accelerations, forces, projections and tangents of both at one state beside the start. missing:
 * rows that depend on others, -1: loops may have some. */
static void compare(const char *text, unsigned seed, int missing) {
  fixture s = make(text, false), d = make(text, true);
  const pw_system *sys = s.system->sys;
  CHECK_SEED(sys->pattern.sparse != NULL && d.system->sys->pattern.sparse == NULL, seed);
  int nv = sys->nv, nq = sys->nq;
  static double q[2][300], u[2][300], v[2][300], moved[300];
  for (int k = 0; k < 2; k++) {
    fixture *f = k == 0 ? &s : &d;
    unsigned own = seed;
    for (int i = 0; i < nq; i++) {
      q[k][i] = f->system->start.q[i] + 1e-3 * draw(&own);
    }
    for (int i = 0; i < nv; i++) {
      u[k][i] = draw(&own);
      v[k][i] = draw(&own);
    }
    pw_mech_normalise(f->mech, q[k]);
    double t = f->system->start.t;
    CHECK_SEED(pw_mech_rates_decide(f->mech, t, f->system->start.q, u[k], NULL) == PAWL_OK, seed);
    CHECK_SEED(pw_mech_project_q(f->mech, t, q[k], NULL, 0, moved) == PAWL_OK, seed);
    CHECK_SEED(pw_mech_project_u(f->mech, t, q[k], u[k], NULL, 0, moved) == PAWL_OK, seed);
    CHECK_SEED(pw_mech_rates_decide(f->mech, t, q[k], u[k], NULL) == PAWL_OK, seed);
    pw_mech_tangent(f->mech, false, v[k]);
  }
  double size = 1 + pw_norm_inf(d.mech->a, nv), most = 1 + pw_norm_inf(d.mech->lambda, sys->nc);
  CHECK_SEED(s.mech->rank == d.mech->rank, seed);
  CHECK_SEED(missing < 0 || s.mech->rank == sys->nc - missing, seed);
  CHECK_SEED(fabs(pw_mech_weakest(s.mech) - pw_mech_weakest(d.mech)) <= 0.05, seed);
  for (int i = 0; i < nv; i++) {
    CHECK_SEED(fabs(q[0][i] - q[1][i]) <= 1e-11, seed);
    CHECK_SEED(fabs(u[0][i] - u[1][i]) <= 1e-10, seed);
    CHECK_SEED(fabs(v[0][i] - v[1][i]) <= 1e-10, seed);
    CHECK_SEED(fabs(s.mech->a[i] - d.mech->a[i]) <= 1e-9 * size, seed);
  }
  for (int i = 0; i < sys->nc; i++) {
    CHECK_SEED(fabs(s.mech->lambda[i] - d.mech->lambda[i]) <= 1e-9 * most, seed);
  }
  unmake(&s);
  unmake(&d);
}

static void chains_trees_and_loops(void) {
  for (unsigned k = 0; k < 9; k++) {
    static char text[TEXT];
    unsigned seed = 17 + k;
    text[0] = '\0';
    write_net(text, 30 + (int)k, k % 3 == 0 ? 1 : 4, k < 6 ? 0 : 3, &seed);
    compare(text, 100 + k, k < 6 ? 0 : -1);
  }
}

/* A link stated twice: the dense decomposition decides, and shares the force as it always did. */
static void redundant_rows(void) {
  static char text[TEXT];
  unsigned seed = 5;
  text[0] = '\0';
  write_net(text, 30, 1, 0, &seed);
  const char *link = strstr(text, "constraint l5:");
  static char again[200];
  snprintf(again, sizeof again, "constraint again%.*s\n", (int)strcspn(link + 13, "\n"), link + 13);
  strcat(text, again);
  compare(text, 7, 1);
}

/* Rods in space: rotations, and velocity rows beside those on positions. */
static void rods_in_space(void) {
  static char text[TEXT];
  int n = 8;
  text[0] = '\0';
  add(text,
      "coordinates x[1..2]\nkinetic K = x[1]'^2 + x[2]'^2\nconstraint still: x[1]' = x[2]'\n");
  for (int i = 1; i <= n; i++) {
    add(text, "body b%d: mass 1, inertia (0.1, 0.1, 0.01)\n", i);
    add(text, "start b%d.p = (0, 0, %.17g)\n", i, -(i - 0.5));
    add(text, "constraint j%d: b%d.p + b%d.R*(0, 0, 0.5) = ", i, i, i);
    if (i == 1) {
      add(text, "(0, 0, 0)\n");
    } else {
      add(text, "b%d.p - b%d.R*(0, 0, 0.5)\n", i - 1, i - 1);
    }
  }
  fixture s = make(text, false), d = make(text, true);
  const pw_system *sys = s.system->sys;
  CHECK(sys->pattern.sparse != NULL && sys->np < sys->nc && d.system->sys->pattern.sparse == NULL);
  static double u[300], v[2][300];
  unsigned seed = 3;
  for (int i = 0; i < sys->nv; i++) {
    u[i] = draw(&seed);
    v[0][i] = v[1][i] = draw(&seed);
  }
  for (int k = 0; k < 2; k++) {
    pw_mech *m = k == 0 ? s.mech : d.mech;
    CHECK(pw_mech_rates_decide(m, 0, s.system->start.q, u, NULL) == PAWL_OK);
    pw_mech_tangent(m, true, v[k]);
  }
  for (int i = 0; i < sys->nv; i++) {
    CHECK_NEAR(s.mech->a[i], d.mech->a[i], 1e-9);
    CHECK_NEAR(v[0][i], v[1][i], 1e-12);
  }
  unmake(&s);
  unmake(&d);
}

/* The start is solved over the same rows: guesses that do not fit are moved. */
static void starts(void) {
  static char text[TEXT];
  text[0] = '\0';
  add(text, "coordinates x[1..40], y[1..40]\nkinetic T = sum(i in 1..40: x[i]'^2 + y[i]'^2)\n"
            "constraint first: x[1]^2 + y[1]^2 = 1\n"
            "constraint l[i in 2..40]: (x[i] - x[i-1])^2 + (y[i] - y[i-1])^2 = 1\n"
            "start x[i in 1..40] ~ i*0.7, y[i in 1..40] ~ -0.5*i\n"
            "start x'[i in 1..40] ~ 1, y'[i in 1..40] ~ i/40\n");
  fixture s = make(text, false), d = make(text, true);
  CHECK(s.system->sys->pattern.sparse != NULL);
  for (int i = 0; i < 80; i++) {
    CHECK_NEAR(s.system->start.q[i], d.system->start.q[i], 1e-10);
    CHECK_NEAR(s.system->start.u[i], d.system->start.u[i], 1e-10);
  }
  unmake(&s);
  unmake(&d);
}

CHECK_MAIN({"chains_trees_and_loops", chains_trees_and_loops}, {"redundant_rows", redundant_rows},
           {"rods_in_space", rods_in_space}, {"starts", starts})
