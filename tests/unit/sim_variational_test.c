// SPDX-License-Identifier: MIT
/* The variational method against closed forms and against the event-driven engine: order 2, no
 * drift of the energy over many impacts, momentum maps to round-off (Fetecau, Marsden, Ortiz and
 * West 2003), constraints, resting contact, what it refuses, and saving. */
#define STEP_METHOD PAWL_METHOD_VARIATIONAL
#include "sim_step_support.h"

static const double pi = 3.14159265358979323846;

/* The midpoint rule turns x + i v by 2 atan(h/2) in a step. */
static void oscillator_turns_by_the_known_angle(void) {
  double h = 0.1;
  fixture f = stepped("coordinates x\nkinetic T = 1/2*x'^2\npotential V = 1/2*x^2\n"
                      "start x = 1, x' = 0\nrun 0..10\n",
                      h);
  finish(&f);
  CHECK_NEAR(point(&f).q[0], cos(100 * 2 * atan(h / 2)), 1e-13);
  CHECK_NEAR(energy(&f).unexplained, 0, 1e-14);
  unmake(&f);
}

#define DOUBLE_PENDULUM                              \
  "parameter g = 9.81\ncoordinates a, b\n"           \
  "kinetic T = a'^2 + 1/2*b'^2 + a'*b'*cos(a - b)\n" \
  "potential V = -2*g*cos(a) - g*cos(b)\nstart a = 0.8, b = 0.3, a' = 0, b' = 1\n"

static void smooth_motion_has_order_2(void) {
  CHECK_NEAR(order_of(DOUBLE_PENDULUM "run 0..2\n", 0.004), 2, 0.05);
}

static void energy_of_a_mass_matrix_that_varies_does_not_drift(void) {
  fixture f = stepped(DOUBLE_PENDULUM "run 0..200\n", 0.01);
  double early = 0, late = 0;
  for (int i = 1; i <= 2000; i++) {
    advance(&f, 0.1 * i);
    double miss = fabs(energy(&f).unexplained);
    early = i <= 200 ? fmax(early, miss) : early;
    late = i > 1800 ? fmax(late, miss) : late;
  }
  CHECK(early > 1e-6);
  CHECK(late < 1.5 * early);
  unmake(&f);
}

static void damping_and_forces_have_order_2(void) {
  CHECK_NEAR(order_of("coordinates x\nkinetic T = 1/2*x'^2\npotential V = 1/2*x^2 + x^4/4\n"
                      "dissipation D = 0.1*x'^2\nforce x: cos(2*t)\n"
                      "start x = 1, x' = 0\nrun 0..5\n",
                      0.02),
             2, 0.05);
}

#define ROD                                                                 \
  "coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\npotential V = 9.81*y\n" \
  "constraint rod: x^2 + y^2 = 1\nstart x = 1, y = 0, y' = 0.5\n"

static void constraints_hold_with_order_2_and_without_drift(void) {
  CHECK_NEAR(order_of(ROD "run 0..2\n", 0.004), 2, 0.05);
  fixture f = stepped(ROD "run 0..100\n", 0.01);
  double most = 0, first = 0;
  for (int i = 1; i <= 1000; i++) {
    advance(&f, 0.1 * i);
    pawl_point p = point(&f);
    CHECK_NEAR(p.q[0] * p.q[0] + p.q[1] * p.q[1], 1, 1e-13);
    most = fmax(most, fabs(energy(&f).unexplained));
    first = i == 100 ? most : first;
  }
  CHECK(most < 1.5 * first);
  unmake(&f);
}

static void redundant_and_moving_constraints_are_solved(void) {
  fixture f = stepped("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\npotential V = 9.81*y\n"
                      "constraint rod: x^2 + (y - 0.1*sin(3*t))^2 = 1\n"
                      "constraint again: 2*x^2 + 2*(y - 0.1*sin(3*t))^2 = 2\n"
                      "start x = 1, y = 0, y' = 0.3\nrun 0..5\n",
                      0.002);
  finish(&f);
  fixture g = make("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\npotential V = 9.81*y\n"
                   "constraint rod: x^2 + (y - 0.1*sin(3*t))^2 = 1\n"
                   "start x = 1, y = 0, y' = 0.3\nrun 0..5\n",
                   1e-11);
  finish(&g);
  CHECK_NEAR(point(&f).q[0], point(&g).q[0], 2e-4);
  CHECK_NEAR(energy(&f).unexplained, 0, 1e-3);
  unmake(&f);
  unmake(&g);
}

/* ---- impacts ---- */

/* A pendulum that hits a stop: not exactly solved by the midpoint rule. */
#define STOP                                                                           \
  "parameter e = 1\ncoordinates a\nkinetic T = 1/2*a'^2\npotential V = -9.81*cos(a)\n" \
  "constraint stop: a >= -0.3, restitution e\nstart a = 1, a' = 0\n"

static int impact_times(fixture *f, double *t, int most) {
  int n = 0;
  while (n < most && advance(f, HUGE_VAL) == PAWL_AT_EVENT) {
    t[n++] = point(f).t;
  }
  return n;
}

static void impact_times_have_order_2(void) {
  double exact[8], coarse[8], fine[8];
  fixture f = make(STOP "run 0..12\n", 1e-12), g = stepped(STOP "run 0..12\n", 0.02);
  fixture k = stepped(STOP "run 0..12\n", 0.01);
  CHECK_INT(impact_times(&f, exact, 8), 8);
  CHECK_INT(impact_times(&g, coarse, 8), 8);
  CHECK_INT(impact_times(&k, fine, 8), 8);
  for (int i = 0; i < 8; i++) {
    CHECK_NEAR(log2(fabs(coarse[i] - exact[i]) / fabs(fine[i] - exact[i])), 2, 0.2);
  }
  unmake(&f);
  unmake(&g);
  unmake(&k);
}

static void elastic_impacts_show_no_drift(void) {
  fixture f = stepped(STOP "run 0..13500\n", 0.02);
  double early = 0, late = 0;
  long n = 0;
  for (; n < 10000 && advance(&f, HUGE_VAL) == PAWL_AT_EVENT; n++) {
    double miss = fabs(energy(&f).unexplained);
    early = n < 1000 ? fmax(early, miss) : early;
    late = n >= 9000 ? fmax(late, miss) : late;
    CHECK_NEAR(pawl_sim_event(f.sim, 0).dE, 0, 1e-12);
  }
  CHECK_INT((int)n, 10000);
  CHECK(early < 2e-4 * 9.81);
  CHECK(late < 1.5 * early);
  unmake(&f);
}

/* A ball in a round box with a central force: its angular momentum is the momentum map. Steps and
 * percussions keep it to the last digits; an impact moves the ball to the wall, as far as the
 * resolution of time (1e-12 s after 9000 s) has left it away. */
static void momentum_map_is_kept_to_round_off(void) {
  fixture f = stepped("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\n"
                      "potential V = 1/4*(x^2 + y^2)^2\n"
                      "constraint box: x^2 + y^2 <= 1, restitution 1\n"
                      "start x = 0.3, y = 0.1, x' = 1.2, y' = 1.9\nrun 0..9000\n",
                      0.02);
  double start = 0.3 * 1.9 - 0.1 * 1.2, total = 0, miss = 0;
  long n = 0;
  for (; n < 10000 && advance(&f, HUGE_VAL) == PAWL_AT_EVENT; n++) {
    pawl_point p = point(&f);
    total = p.q[0] * p.u[1] - p.q[1] * p.u[0];
    miss = fmax(miss, fabs(energy(&f).unexplained));
  }
  CHECK_INT((int)n, 10000);
  CHECK_NEAR(total, start, 1e-9);
  CHECK(miss < 1e-3);
  unmake(&f);
}

/* Two balls of mass 1 and 100 against a wall count the digits of pi; free flight is exact. */
static void balls_count_digits_of_pi(void) {
  fixture f = stepped("coordinates x, y\nkinetic T = 1/2*x'^2 + 50*y'^2\n"
                      "constraint wall: x >= 0, restitution 1\n"
                      "constraint meet: y - x >= 0, restitution 1\n"
                      "start x = 1, y = 2, y' = -1\nrun 0..40\n",
                      0.05);
  CHECK_INT((int)finish(&f), 31);
  CHECK_NEAR(energy(&f).unexplained, 0, 1e-12);
  unmake(&f);
}

/* H+ - H- = -Lambda g_t: the ball meets a wall that moves with speed w, v+ = 2w - v-. */
static void moving_wall_gives_its_work(void) {
  fixture f = stepped("coordinates x\nkinetic T = 1/2*x'^2\n"
                      "constraint wall: x >= 0.5*t - 2, restitution 1\n"
                      "start x = 1, x' = -2\nrun 0..3\n",
                      0.07);
  CHECK(advance(&f, HUGE_VAL) == PAWL_AT_EVENT);
  CHECK_NEAR(point(&f).t, 1.2, 1e-13);
  finish(&f);
  CHECK_NEAR(point(&f).u[0], 3, 1e-13);
  CHECK_NEAR(energy(&f).kinetic, 4.5, 1e-12);
  CHECK_NEAR(energy(&f).unexplained, 0, 1e-12);
  unmake(&f);
}

static void restitution_below_one_comes_to_rest(void) {
  fixture f = stepped("coordinates y\nkinetic T = 1/2*y'^2\npotential V = 9.81*y\n"
                      "constraint floor: y >= 0, restitution 0.5\n"
                      "start y = 1\nrun 0..4\n",
                      0.01);
  finish(&f);
  CHECK_NEAR(point(&f).q[0], 0, 1e-14);
  CHECK_NEAR(point(&f).u[0], 0, 1e-12);
  CHECK_NEAR(point(&f).force[0], 9.81, 1e-9);
  CHECK_NEAR(energy(&f).lost, 9.81, 1e-8);
  unmake(&f);
}

/* Phases between the hits of a rocking block become far shorter than a step. */
static void rocking_ends_with_both_feet_down(void) {
  fixture f = stepped("parameter a = 0.0125, J = (0.0125^2 + 0.05^2)/3\ncoordinates y, ph\n"
                      "kinetic T = 1/2*y'^2 + 1/2*J*ph'^2\npotential V = 9.81*y\n"
                      "constraint left: y - a*ph >= 0, restitution 0\n"
                      "constraint right: y + a*ph >= 0, restitution 0\n"
                      "start y = 0.001, ph = -0.08, y' = 0, ph' = 0\nrun 0..1\n",
                      0.002);
  finish(&f);
  CHECK_NEAR(point(&f).q[1], 0, 1e-12);
  CHECK_NEAR(point(&f).force[0], 9.81 / 2, 1e-8);
  CHECK_NEAR(energy(&f).lost, 0.00981, 1e-8);
  unmake(&f);
}

/* A bead leaves a sphere at two thirds of the height it started from. */
static void leaving_a_curved_contact_has_order_2(void) {
  double miss[2];
  for (int k = 0; k < 2; k++) {
    fixture f = stepped("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\npotential V = 9.81*y\n"
                        "constraint sphere: hypot(x, y) >= 1, restitution 0\n"
                        "start x = sin(0.1), y = cos(0.1), x' = 0, y' = 0\nrun 0..1\n",
                        k == 0 ? 0.004 : 0.002);
    CHECK(advance(&f, HUGE_VAL) == PAWL_AT_EVENT);
    CHECK_STR(pawl_sim_event(f.sim, 0).kind, "liftoff");
    miss[k] = point(&f).q[1] - 2.0 / 3 * cos(0.1);
    unmake(&f);
  }
  CHECK_NEAR(log2(miss[0] / miss[1]), 2, 0.05);
}

/* ---- other laws: stepping (T8)-(T10) ---- */

/* A block is brought to rest by dry friction: from speed v it stops at v^2/(2 F) and stays there.
 */
static void friction_stops_a_block_exactly(void) {
  fixture f = stepped("coordinates x\nkinetic T = 1/2*x'^2\nfriction f: slip x', bound 0.4\n"
                      "start x' = 1\nrun 0..5\n",
                      0.013);
  finish(&f);
  CHECK_NEAR(point(&f).q[0], 1.25, 1e-13);
  CHECK_NEAR(point(&f).u[0], 0, 1e-15);
  unmake(&f);
}

/* Down a slope of 45 degrees with mu = 0.5: the acceleration is g (sin - mu cos). */
static void coulomb_friction_takes_the_normal_impulse(void) {
  fixture f =
      stepped("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\npotential V = 9.81*y\n"
              "constraint slope: (y + x)/sqrt(2) >= 0, restitution 0\n"
              "friction f: slip (x' - y')/sqrt(2), mu 0.5 on slope\nstart x = 0\nrun 0..1\n",
              0.01);
  finish(&f);
  double way = 9.81 * sqrt(0.5) * 0.5 / 2;
  CHECK_NEAR(point(&f).q[0], way * sqrt(0.5), 1e-12);
  CHECK_NEAR(point(&f).q[1], -way * sqrt(0.5), 1e-12);
  unmake(&f);
}

/* The one-sided blade (Kozlov sec. 3): half a turn along a line, then the circle of radius u/w. */
static void a_blade_is_met_with_order_2(void) {
  double miss[2];
  for (int k = 0; k < 2; k++) {
    fixture f = stepped("coordinates x, y, a\nkinetic T = 1/2*(x'^2 + y'^2 + a'^2)\n"
                        "constraint blade: y'*cos(a) - x'*sin(a) >= 0\n"
                        "start x' = 1, a' = -1\nrun 0..6\n",
                        k == 0 ? 0.02 : 0.01);
    finish(&f);
    double turned = 6 - pi; /* on the circle of radius 1 below the end of the line */
    miss[k] = hypot(point(&f).q[0] - pi - sin(turned), point(&f).q[1] + 1 - cos(turned));
    unmake(&f);
  }
  CHECK(miss[1] < 1e-4);
  CHECK_NEAR(log2(miss[0] / miss[1]), 2, 0.05);
}

/* A belt below a spring: |x| in the energy and abs in the bound are surfaces on the way. */
static void surfaces_keep_the_order(void) {
  double miss[2], end[3];
  for (int k = 0; k < 3; k++) {
    fixture f = stepped("coordinates x\nkinetic T = 1/2*x'^2\npotential V = 2*abs(x) + 1/2*x^2\n"
                        "friction f: slip x' - 0.2, bound 0.1 + 0.1*exp(-abs(slip))\n"
                        "start x = 0.7, x' = 0.4\nrun 0..3\n",
                        0.02 / (1 << k));
    finish(&f);
    end[k] = point(&f).q[0];
    unmake(&f);
  }
  miss[0] = end[0] - end[1];
  miss[1] = end[1] - end[2];
  CHECK_NEAR(log2(miss[0] / miss[1]), 2, 0.1);
}

/* ---- limits ---- */

static void refused(const char *text) {
  fixture f = make_with(text, &(pawl_sim_opts){.method = PAWL_METHOD_VARIATIONAL});
  CHECK(f.status == PAWL_E_ARGUMENT);
  CHECK_STR(last_code(&f), "E0421");
  CHECK(f.sim == NULL);
  unmake(&f);
}

static void what_it_cannot_treat_is_refused(void) {
  refused("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\nconstraint c: x' = y*y', vakonomic\n"
          "start x = 0\nrun 0..1\n");
  refused("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\nconstraint c: y = x^2\n"
          "friction f: slip x', mu 0.1 on c\n"
          "start x' = 1\nrun 0..1\n");
  refused("coordinates x\nstate s' = x\nkinetic T = 1/2*x'^2\nstart x = 1\nrun 0..1\n");
}

static void saved_runs_go_on_to_the_same_bits(void) {
  fixture f = stepped(STOP "run 0..12\n", 0.013), g = stepped(STOP "run 0..12\n", 0.013);
  advance(&f, 3.3333);
  unsigned long size = pawl_sim_save_size(f.sim);
  void *memory = malloc(size);
  CHECK(pawl_sim_save(f.sim, memory, size) == PAWL_OK);
  CHECK(pawl_sim_restore(g.sim, memory, size) == PAWL_OK);
  free(memory);
  finish(&f);
  finish(&g);
  CHECK(point(&f).q[0] == point(&g).q[0] && point(&f).u[0] == point(&g).u[0]);
  unmake(&f);
  unmake(&g);
}

/* The period of the pendulum with amplitude 1 rad tells the order of the dense output, too. */
static void points_between_steps_lie_on_the_motion(void) {
  fixture f = stepped("coordinates x\nkinetic T = 1/2*x'^2\npotential V = 1/2*x^2\n"
                      "start x = 1, x' = 0\nevent zero: x = 0\nrun 0..10\n",
                      0.01);
  for (int i = 0; i < 3; i++) {
    CHECK(advance(&f, HUGE_VAL) == PAWL_AT_EVENT);
    CHECK_NEAR(point(&f).t, (i + 0.5) * pi, 1e-4);
  }
  advance(&f, 8.0037);
  CHECK_NEAR(point(&f).q[0], cos(8.0037), 1e-4);
  unmake(&f);
}

CHECK_MAIN({"oscillator turns by the known angle", oscillator_turns_by_the_known_angle},
           {"smooth motion has order 2", smooth_motion_has_order_2},
           {"energy of a mass matrix that varies does not drift",
            energy_of_a_mass_matrix_that_varies_does_not_drift},
           {"damping and forces have order 2", damping_and_forces_have_order_2},
           {"constraints hold with order 2 and without drift",
            constraints_hold_with_order_2_and_without_drift},
           {"redundant and moving constraints are solved",
            redundant_and_moving_constraints_are_solved},
           {"impact times have order 2", impact_times_have_order_2},
           {"elastic impacts show no drift", elastic_impacts_show_no_drift},
           {"momentum map is kept to round-off", momentum_map_is_kept_to_round_off},
           {"balls count digits of pi", balls_count_digits_of_pi},
           {"moving wall gives its work", moving_wall_gives_its_work},
           {"restitution below one comes to rest", restitution_below_one_comes_to_rest},
           {"rocking ends with both feet down", rocking_ends_with_both_feet_down},
           {"leaving a curved contact has order 2", leaving_a_curved_contact_has_order_2},
           {"friction stops a block exactly", friction_stops_a_block_exactly},
           {"Coulomb friction takes the normal impulse", coulomb_friction_takes_the_normal_impulse},
           {"a blade is met with order 2", a_blade_is_met_with_order_2},
           {"surfaces keep the order", surfaces_keep_the_order},
           {"what it cannot treat is refused", what_it_cannot_treat_is_refused},
           {"saved runs go on to the same bits", saved_runs_go_on_to_the_same_bits},
           {"points between steps lie on the motion", points_between_steps_lie_on_the_motion})
