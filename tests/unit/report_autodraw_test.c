// SPDX-License-Identifier: MIT
/* Pictures of models that draw none, and the points at which forces act. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "pawl/eval.h"
#include "pawl/picture.h"
#include "report/autodraw.h"

static pawl_system *compiled(const char *text) {
  pawl_model *model = NULL;
  pawl_system *system = NULL;
  CHECK_INT(pawl_model_parse(text, strlen(text), NULL, NULL, &model), PAWL_OK);
  CHECK_INT(pawl_system_new(model, &(pawl_system_opts){.no_start = 1}, NULL, &system), PAWL_OK);
  pawl_model_free(model);
  return system;
}

/* The lines chosen for a model; with them it is a model again, and they show enough of it. */
static void check_lines(const char *text, const char *wanted, bool shows) {
  pawl_system *system = compiled(text);
  pw_buf lines = {0}, all = {0};
  bool enough = false;
  CHECK_INT(pw_autodraw_shapes(system, &lines), PAWL_OK);
  CHECK_STR(lines.text == NULL ? "" : lines.text, wanted);
  pawl_system_free(system);
  pw_buf_puts(&all, text);
  pw_buf_puts(&all, wanted);
  system = compiled(all.text);
  CHECK_INT(pw_autodraw_covers(system, &enough), PAWL_OK);
  CHECK(enough == shows);
  pawl_system_free(system);
  pw_buf_free(&lines);
  pw_buf_free(&all);
}

#define PLANE "coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\n"

static void places(void) {
  check_lines(PLANE, "draw point (x, y)\n", true);
  check_lines("coordinates x[1..2], y[1..2]\nkinetic T = 1/2*sum(i in 1..2: x[i]'^2 + y[i]'^2)\n"
              "constraint rod: (x[2] - x[1])^2 + (y[2] - y[1])^2 = 1\n",
              "draw line (x[1], y[1]), (x[2], y[2])\ndraw point (x[1], y[1])\n"
              "draw point (x[2], y[2])\n",
              true);
  check_lines("coordinates y\nkinetic T = 1/2*y'^2\n", "draw point (0, y)\n", true);
  check_lines("coordinates u, v\nkinetic T = 1/2*(u'^2 + v'^2)\n", "", false);
}

static void links(void) {
  check_lines(
      "parameter l = 0.5 [m]\ncoordinates th\nlet P = (l*sin(th), -l*cos(th))\n"
      "let e = (cos(th), sin(th))\nkinetic T = 1/2*dot(P', P')*(1 [kg])\nstart th = 0.3 [rad]\n",
      "draw line (0, 0), (l*sin(th), -l*cos(th))\ndraw point P\n", true);
  check_lines("coordinates x, a, b\nlet P = (x + sin(a) + sin(b), cos(a) + cos(b))\n"
              "kinetic T = 1/2*(x'^2 + a'^2 + b'^2)\n",
              "draw line (x, 0), (x + sin(a), cos(a)), (x + sin(a) + sin(b), cos(a) + cos(b))\n"
              "draw point P\ndraw point (x, 0)\n",
              true);
}

/* Members of families look as single bodies and joints do. An index inside a sum is its own. */
static void families(void) {
  check_lines("body rod[i in 1..2]: mass i, inertia (3, 4, sum(i in 2..3: i))\n"
              "body ball: mass 2, inertia 5\n"
              "joint top: spherical, ground, rod[1] at (0, 0, 1)\n"
              "joint link[i in 2..2]: revolute, rod[i-1] at (0, 0, -1), rod[i] at (0, 0, i/2), "
              "axis (0, 1, 0)\n"
              "joint pair[i in 2..2, j in 3..4]: spherical, rod[i] at (i, j, 0), ball\n",
              "draw box rod[1], size (sqrt(6*max(0, -(3) + (4) + (sum(i in 2..3: i)))/(1)), "
              "sqrt(6*max(0, (3) + -(4) + (sum(i in 2..3: i)))/(1)), "
              "sqrt(6*max(0, (3) + (4) + -(sum(i in 2..3: i)))/(1)))\n"
              "draw box rod[2], size (sqrt(6*max(0, -(3) + (4) + (sum(i in 2..3: i)))/(2)), "
              "sqrt(6*max(0, (3) + -(4) + (sum(i in 2..3: i)))/(2)), "
              "sqrt(6*max(0, (3) + (4) + -(sum(i in 2..3: i)))/(2)))\n"
              "draw sphere ball, radius sqrt(5/2*(5)/(2))\n"
              "draw line rod[1].p, rod[1].p + rod[1].R*((0, 0, 1))\n"
              "draw point (0, 0, 0)\n"
              "draw line rod[2 - 1].p, rod[2 - 1].p + rod[2 - 1].R*((0, 0, -1))\n"
              "draw line rod[2].p, rod[2].p + rod[2].R*((0, 0, 2/2))\n"
              "draw point rod[2 - 1].p + rod[2 - 1].R*((0, 0, -1))\n"
              "draw line rod[2].p, rod[2].p + rod[2].R*((2, 3, 0))\n"
              "draw point rod[2].p + rod[2].R*((2, 3, 0))\n"
              "draw line rod[2].p, rod[2].p + rod[2].R*((2, 4, 0))\n"
              "draw point rod[2].p + rod[2].R*((2, 4, 0))\n",
              true);
}

/* ---- forces ---- */

typedef struct arrow {
  double at[3], force[3];
} arrow;

/* The arrows of a model at a state, its own drawings left out; the force of every law is 1 + its
 * number. Returns how many there are. */
static int arrows_of(const char *text, const double *q, const double *u, arrow *out) {
  pawl_system *system = compiled(text);
  pawl_eval *eval = NULL;
  double force[8], *draw = NULL;
  int own = pawl_system_draws(system), n = 0;
  CHECK_INT(pw_autodraw_forces(system), PAWL_OK);
  CHECK_INT(pawl_eval_new(system, &eval), PAWL_OK);
  for (int i = 0; i < 8; i++) {
    force[i] = 1 + i;
  }
  draw = calloc((size_t)pawl_draw_numbers(system) + 1, sizeof *draw);
  const double t = 0;
  const pawl_eval_in in = {.k = 1, .t = &t, .q = q, .u = u, .force = force};
  CHECK_INT(pawl_eval_at(eval, &in, &(pawl_eval_out){.draw = draw}), PAWL_OK);
  for (int i = own; i < pawl_system_draws(system); i++) {
    CHECK_STR(pawl_draw_get(system, i).shape, "arrow");
    for (int k = 0; k < 2; k++) {
      pawl_draw_argument a = pawl_draw_argument_get(system, i, k);
      memcpy(k == 0 ? out[n].at : out[n].force, draw + a.first, (size_t)a.n * sizeof *draw);
    }
    n++;
  }
  free(draw);
  pawl_eval_free(eval);
  pawl_system_free(system);
  return n;
}

static void at_places(void) {
  const double q[] = {0.3, -0.4}, u[] = {0, 0};
  arrow a[8];
  int n =
      arrows_of(PLANE "constraint rod: x^2 + y^2 = 0.25\nconstraint floor: y >= -1, restitution 0\n"
                      "friction rub: slip x', mu 0.2 on floor\n",
                q, u, a);
  CHECK_INT(n, 3);
  for (int i = 0; i < 3; i++) {
    CHECK_NEAR(a[i].at[0], 0.3, 0);
    CHECK_NEAR(a[i].at[1], -0.4, 0);
  }
  CHECK_NEAR(a[0].force[0], 2 * 0.3, 1e-15); /* lambda grad g */
  CHECK_NEAR(a[0].force[1], -2 * 0.4, 1e-15);
  CHECK_NEAR(a[1].force[0], 0, 0);
  CHECK_NEAR(a[1].force[1], 2, 0);
  CHECK_NEAR(a[2].force[0], 3, 0);
  CHECK_NEAR(a[2].force[1], 0, 0);
}

/* A rod on a floor: its lower end is touched, not its middle and not its upper end. */
static void at_the_right_end(void) {
  static const char rod[] =
      "coordinates x, y, ph\nkinetic T = 1/2*(x'^2 + y'^2 + ph'^2)\n"
      "constraint tip: y - sin(ph) >= 0, restitution 0\n"
      "friction rub: slip x' - sin(ph)*ph', mu 0.3 on tip\n"
      "draw line (x - cos(ph), y + sin(ph)), (x, y), (x + cos(ph), y - sin(ph))\n";
  const double q[] = {1, 0.6, 0.5}, u[] = {0, 0, 0};
  arrow a[8];
  CHECK_INT(arrows_of(rod, q, u, a), 2);
  for (int i = 0; i < 2; i++) {
    CHECK_NEAR(a[i].at[0], 1 + cos(0.5), 1e-15);
    CHECK_NEAR(a[i].at[1], 0.6 - sin(0.5), 1e-15);
    CHECK_NEAR(a[i].force[1 - i], i + 1, 1e-9);
    CHECK_NEAR(a[i].force[i], 0, 1e-9);
  }
}

/* A slip in the plane is one force; a law on an angle acts at no point. */
static void together_or_nowhere(void) {
  static const char puck[] =
      "coordinates x, y, z, th\nkinetic T = 1/2*(x'^2 + y'^2 + z'^2 + th'^2)\n"
      "constraint floor: z >= 0, restitution 0\n"
      "friction rub: slip (x', y'), mu 0.2 on floor\n"
      "constraint stop: th >= 0, restitution 0\ndraw point (x, y, z)\n";
  const double q[] = {1, 2, 3, 4}, u[] = {0, 0, 0, 0};
  arrow a[8];
  CHECK_INT(arrows_of(puck, q, u, a), 2);
  CHECK_NEAR(a[0].force[2], 1, 0);
  CHECK_NEAR(a[1].force[0], 2, 0);
  CHECK_NEAR(a[1].force[1], 3, 0);
  CHECK_NEAR(a[1].force[2], 0, 0);
}

CHECK_MAIN({"places", places}, {"links", links}, {"families", families}, {"at_places", at_places},
           {"at_the_right_end", at_the_right_end}, {"together_or_nowhere", together_or_nowhere})
