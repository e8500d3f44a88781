// SPDX-License-Identifier: MIT
/* The sets of forces by position, velocity and acceleration are contained in each other, so that
 * the distances of any reaction from them grow: random states of contacts, a bound on velocities
 * and friction. */
#include <stdint.h>
#include <stdlib.h>

#include "check.h"
#include "mech/handle.h"
#include "pawl/pawl.h"
#include "verify/sets.h"

static const char text[] = "coordinates x, y, z\n"
                           "kinetic T = x'^2 + y'^2 + 1/2*z'^2 + 1/2*x'*y'\n"
                           "potential V = 3*x + 5*y - z\n"
                           "constraint a: x >= 0, restitution 0.5\n"
                           "constraint b: y + 1/2*x >= 0, restitution 0.5\n"
                           "constraint c: z' + x' >= 0\n"
                           "friction d: slip z', bound 2\n"
                           "start x = 1, y = 1, z = 0, x' = 0, y' = 0, z' = 0\n"
                           "run 0..1\n";

static double draw(uint64_t *state) { /* -1 .. 1, one time in three 0 */
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  uint64_t x = *state >> 33;
  return x % 3 == 0 ? 0 : (double)(x % 20001) / 10000 - 1;
}

typedef struct table {
  pw_probe probe;
  pw_reach reach;
  double *scratch;
  void *memory;
} table;

static void lay_out(table *x, const pw_system *s, pw_layout *l) {
  pw_probe_lay(&x->probe, s, l);
  pw_reach_lay(&x->reach, s->nv, pw_set_columns(s), l);
  x->scratch = PW_LAY(l, 4 * s->nv, double);
}

static table set_up(const pw_system *s) {
  table x;
  pw_layout counts = {0};
  lay_out(&x, s, &counts);
  x.memory = calloc(1, counts.size);
  if (x.memory == NULL) {
    exit(1);
  }
  pw_layout l = pw_layout_in(x.memory);
  lay_out(&x, s, &l);
  return x;
}

static void distances_grow(void) { /* numerics L.17, Glocker (6.2) */
  pawl_diags *diags = NULL;
  pawl_model *model = NULL;
  pawl_system *system = NULL;
  CHECK(pawl_diags_new(&diags) == PAWL_OK);
  CHECK(pawl_model_parse(text, strlen(text), NULL, diags, &model) == PAWL_OK);
  if (!CHECK(pawl_system_new(model, NULL, diags, &system) == PAWL_OK)) {
    exit(1);
  }
  table x = set_up(system->sys);
  pw_set_scale zero = {
      .position = 1e-9, .velocity = 1e-9, .acceleration = 1e-9, .at_place = 1e-9, .at_rest = 1e-9};
  uint64_t state = 7;
  int strict = 0;
  for (uint64_t seed = 1; seed <= 2000; seed++) {
    double q[3], u[3], a[3], rho[3];
    for (int i = 0; i < 3; i++) {
      q[i] = fabs(draw(&state));
      u[i] = draw(&state);
      a[i] = 5 * draw(&state);
    }
    CHECK_SEED(pw_probe_at(&x.probe, 0, q, u), seed);
    for (int level = 0; level < 3; level++) {
      pw_set_distance(&x.probe, (pw_set_level)level, &zero, a, &x.reach, x.scratch);
      rho[level] = x.reach.distance;
      CHECK_SEED(x.reach.kkt < 1e-9, seed);
    }
    CHECK_SEED(rho[0] <= rho[1] + 1e-12 && rho[1] <= rho[2] + 1e-12, seed);
    strict += rho[0] < rho[1] - 1e-3;
    strict += rho[1] < rho[2] - 1e-3;
  }
  CHECK(strict > 100);
  free(x.memory);
  pawl_system_free(system);
  pawl_model_free(model);
  pawl_diags_free(diags);
}

CHECK_MAIN({"distances grow", distances_grow})
