// SPDX-License-Identifier: MIT
/* What points inside a step cost: interpolation, a projection where something is imposed, and one
 * right-hand side. */
#include "sim_support.h"

static const char *const falling = "coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\n"
                                   "potential V = 9.81*y\nforce x: -x'\n"
                                   "start x = 0, y = 1, x' = 1\nrun 0..2\n";
static const char *const pendulum = "parameter l = 1\ncoordinates x, y, th\n"
                                    "kinetic T = 1/2*(x'^2 + y'^2) + 1/2*(1 + x^2)*th'^2\n"
                                    "potential V = 9.81*y\nconstraint rod: x^2 + y^2 = l^2\n"
                                    "start x = 0.6, y = -0.8, th' = 1\nrun 0..2\n";
static const char *const bouncing = "coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\n"
                                    "potential V = 9.81*y\n"
                                    "constraint floor: y >= 0, restitution 0.5\n"
                                    "friction rub: slip x', mu 0.2 on floor\n"
                                    "start x = 0, y = 1, x' = 3\nrun 0..2\n";
static const char *const turning = "rotation R\n"
                                   "kinetic T = 1/2*(R.W[1]^2 + 2*R.W[2]^2 + 3*R.W[3]^2)\n"
                                   "start R = axis(1, 0, 0, 0), R.w = (0.1, 2, 0.1)\nrun 0..2\n";

/* A beam on three props: which of them carries how much of it is not unique. */
static const char *const propped =
    "coordinates y, th, x\nkinetic T = 1/2*(y'^2 + th'^2 + x'^2)\n"
    "potential V = 9.81*y + x^2\n"
    "constraint left: y - th >= 0, restitution 0\nconstraint middle: y >= 0, restitution 0\n"
    "constraint right: y + th >= 0, restitution 0\n"
    "start y = 0, x = 1\nrun 0..2\n";

/* Goes through 2 s in 1000 parts and asks at each of them and on both sides of each event. */
static void cost(const char *text, long *rows, long *evaluations) {
  fixture f = make(text, 0);
  *rows = 0;
  for (int k = 0; k <= 1000;) {
    pawl_point p;
    pawl_stop why = advance(&f, 0.002 * k);
    k += why != PAWL_AT_EVENT;
    if (why == PAWL_AT_EVENT) {
      CHECK(pawl_sim_point(f.sim, PAWL_BEFORE, &p) == PAWL_OK);
      ++*rows;
    }
    CHECK(pawl_sim_point(f.sim, PAWL_AFTER, &p) == PAWL_OK);
    ++*rows;
  }
  *evaluations = pawl_sim_statistics(f.sim).row_evaluations;
  CHECK(*evaluations < pawl_sim_statistics(f.sim).evaluations);
  unmake(&f);
}

static void check_cost(const char *text) {
  long rows, evaluations;
  cost(text, &rows, &evaluations);
  CHECK(rows > 1000);
  CHECK(evaluations >= 1000);
  CHECK((double)evaluations <= 1.1 * (double)rows);
}

static void a_free_row_costs_one_evaluation(void) {
  check_cost(falling);
}

static void a_constrained_row_costs_one_evaluation(void) {
  check_cost(pendulum);
}

static void a_row_beside_contacts_costs_one_evaluation(void) {
  check_cost(bouncing);
}

static void a_row_of_shared_loads_costs_one_evaluation(void) {
  check_cost(propped);
}

static void a_row_of_a_rotation_costs_one_evaluation(void) {
  check_cost(turning);
}

/* Rows lie on the constraint to rounding although the metric is that of the end of the step, and
 * do not depend on the rows before them. */
static void rows_lie_on_the_constraint(void) {
  fixture f = make(pendulum, 1e-6), g = make(pendulum, 1e-6);
  for (int k = 1; k <= 100; k++) {
    advance(&f, 0.02 * k);
    pawl_point p = point(&f);
    CHECK_NEAR(p.q[0] * p.q[0] + p.q[1] * p.q[1], 1, 4e-15);
    CHECK_NEAR(p.q[0] * p.u[0] + p.q[1] * p.u[1], 0, 4e-14);
    if (k % 10 == 0) {
      advance(&g, 0.02 * k);
      pawl_point r = point(&g);
      CHECK_NEAR(p.q[0], r.q[0], 0);
      CHECK_NEAR(p.u[2], r.u[2], 0);
      CHECK_NEAR(p.force[0], r.force[0], 0);
    }
  }
  unmake(&f);
  unmake(&g);
}

CHECK_MAIN({"a_free_row_costs_one_evaluation", a_free_row_costs_one_evaluation},
           {"a_constrained_row_costs_one_evaluation", a_constrained_row_costs_one_evaluation},
           {"a_row_beside_contacts_costs_one_evaluation",
            a_row_beside_contacts_costs_one_evaluation},
           {"a_row_of_shared_loads_costs_one_evaluation",
            a_row_of_shared_loads_costs_one_evaluation},
           {"a_row_of_a_rotation_costs_one_evaluation", a_row_of_a_rotation_costs_one_evaluation},
           {"rows_lie_on_the_constraint", rows_lie_on_the_constraint})
