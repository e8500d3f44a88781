// SPDX-License-Identifier: MIT
/* Moreau and Jean's time stepping against closed forms and the event-driven engine: order 2 where
 * the motion is smooth, 1 with impacts; no penetration, no creep, no energy out of nothing. */
#define STEP_METHOD PAWL_METHOD_MOREAU
#include "sim_step_support.h"

#define BALL(e)                                                 \
  "coordinates y\nkinetic T = 1/2*y'^2\npotential V = 9.81*y\n" \
  "constraint floor: y >= 0, restitution " e "\nstart y = 1\n"

/* ---- smooth motion ---- */

static void smooth_motion_has_order_2(void) {
  CHECK_NEAR(order_of("coordinates a, b\nkinetic T = a'^2 + 1/2*b'^2 + a'*b'*cos(a - b)\n"
                      "potential V = -2*9.81*cos(a) - 9.81*cos(b)\n"
                      "start a = 0.8, b = 0.3, a' = 0, b' = 1\nrun 0..2\n",
                      0.004),
             2, 0.05);
}

static void equalities_have_order_2(void) {
  const char *rod = "coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\npotential V = 9.81*y\n"
                    "constraint rod: x^2 + y^2 = 1\nstart x = 1, y = 0, y' = 0.5\nrun 0..2\n";
  const char *blade = "coordinates x, y, a\nkinetic T = 1/2*(x'^2 + y'^2 + a'^2)\n"
                      "potential V = -x\nconstraint blade: x'*sin(a) = y'*cos(a)\n"
                      "start x = 0, y = 0, a = 0.3, a' = 1, x' = cos(0.3), y' = sin(0.3)\n"
                      "run 0..3\n";
  CHECK_NEAR(order_of(rod, 0.004), 2, 0.1);
  CHECK_NEAR(order_of(blade, 0.02), 2, 0.1);
}

static void rotations_have_order_2(void) {
  CHECK_NEAR(order_of("rotation R\nkinetic T = 1/2*(2*R.W[1]^2 + 3*R.W[2]^2 + 4*R.W[3]^2)\n"
                      "start R = axis(1, 0, 0, 0.2), R.w = (1.2, 0.3, 0.9)\nrun 0..4\n",
                      0.02),
             2, 0.1);
}

/* ---- impacts ---- */

/* Mean error of the height over a grid, against the event-driven engine. */
static double mean_error(const char *text, double step) {
  fixture f = stepped(text, step), g = make(text, 1e-11);
  double sum = 0, to = pawl_sim_statistics(f.sim).to;
  int n = 200;
  for (int i = 1; i < n; i++) {
    while (advance(&f, to * i / n) == PAWL_AT_EVENT) {
    }
    while (advance(&g, to * i / n) == PAWL_AT_EVENT) {
    }
    sum += fabs(point(&f).q[0] - point(&g).q[0]) / n;
  }
  unmake(&f);
  unmake(&g);
  return sum;
}

/* A single step size may be lucky: the slope over three powers of two. */
static void impacts_have_order_1(void) {
  const char *ball = BALL("0.7") "run 0..2\n";
  double coarse = mean_error(ball, 0.004), fine = mean_error(ball, 0.0005);
  CHECK_NEAR(log2(coarse / fine) / 3, 1, 0.35);
}

static void impact_is_reported_at_the_end_of_its_step(void) {
  double h = 0.001;
  fixture f = stepped(BALL("0.8") "run 0..1\n", h);
  CHECK(advance(&f, HUGE_VAL) == PAWL_AT_EVENT);
  pawl_event e = pawl_sim_event(f.sim, 0);
  pawl_point before, after = point(&f);
  CHECK(pawl_sim_point(f.sim, PAWL_BEFORE, &before) == PAWL_OK);
  CHECK_STR(e.kind, "impact");
  CHECK_STR(e.at, "floor");
  CHECK_NEAR(e.t, sqrt(2 / 9.81), h);
  CHECK_NEAR(e.rate_before, -sqrt(2 * 9.81), 9.81 * h);
  CHECK_NEAR(e.rate_after, -0.8 * e.rate_before, 1e-12);
  CHECK_NEAR(after.u[0], e.rate_after, 1e-12);
  CHECK_NEAR(before.u[0] + e.impulse[0], after.u[0], 1e-12);
  CHECK_NEAR(before.q[0], after.q[0], 1e-15);
  CHECK_NEAR(after.force[0], e.impulse[0] / h, 1e-6);
  CHECK_NEAR(e.dE, -0.5 * (1 - 0.64) * 2 * 9.81, 0.05);
  unmake(&f);
}

static void elastic_ball_keeps_its_energy(void) {
  fixture f = stepped(BALL("1") "run 0..100\n", 0.003);
  CHECK(finish(&f) > 100);
  CHECK_NEAR(energy(&f).lost, 0, 1e-10);
  CHECK_NEAR(energy(&f).unexplained, 0, 1e-10);
  unmake(&f);
}

static void resting_contact_does_not_creep(void) {
  fixture f = stepped(BALL("0.5") "run 0..5\n", 0.002);
  while (advance(&f, 2.5) == PAWL_AT_EVENT) {
  }
  for (int i = 0; i <= 100; i++) {
    CHECK(advance(&f, 2.5 + 0.01 * i) == PAWL_AT_TARGET);
    CHECK_NEAR(point(&f).q[0], 0, 1e-14);
    CHECK_NEAR(point(&f).u[0], 0, 1e-14);
    CHECK_NEAR(point(&f).force[0], 9.81, 1e-9);
  }
  CHECK_NEAR(energy(&f).lost, 9.81, 1e-9);
  unmake(&f);
}

/* A block on a table that sinks faster and faster lifts off when its acceleration exceeds g. */
static void contact_lifts_off_when_it_would_pull(void) {
  fixture f = stepped("coordinates y\nkinetic T = 1/2*y'^2\npotential V = 9.81*y\n"
                      "constraint table: y >= -t^4, restitution 0\n"
                      "start y = 0, y' = 0\nrun 0..1.5\n",
                      0.001);
  double off = 0;
  while (advance(&f, HUGE_VAL) == PAWL_AT_EVENT) {
    if (strcmp(pawl_sim_event(f.sim, 0).kind, "liftoff") == 0) {
      off = point(&f).t;
    }
  }
  CHECK_NEAR(off, sqrt(9.81 / 12), 0.003);
  unmake(&f);
}

static void moving_floor_does_work(void) {
  fixture f = stepped("coordinates y\nkinetic T = 1/2*y'^2\npotential V = 9.81*y\n"
                      "constraint table: y >= 0.1*t, restitution 0\n"
                      "start y = 0, y' = 0.1\nrun 0..2\n",
                      0.01);
  finish(&f);
  CHECK_NEAR(point(&f).q[0], 0.2, 1e-12);
  CHECK_NEAR(energy(&f).unexplained, 0, 1e-9);
  CHECK_NEAR(energy(&f).lost, 0, 1e-9);
  unmake(&f);
}

/* ---- many contacts ---- */

#define BEADS                                                                               \
  "coordinates y[1..8]\nkinetic T = 1/2*sum(i in 1..8: y[i]'^2)\n"                          \
  "potential V = 9.81*sum(i in 1..8: y[i])\nconstraint floor: y[1] >= 0, restitution 0.5\n" \
  "constraint gap[i in 2..8]: y[i] - y[i-1] >= 0.1, restitution 0.5\n"                      \
  "start y[i in 1..8] = 0.3 + 0.15*i\nrun 0..2\n"

static void beads_never_penetrate_nor_gain_energy(void) {
  fixture f = stepped(BEADS, 0.001);
  double least = 0, most = 0, before = energy(&f).start;
  for (int i = 1; i < 2000; i++) {
    while (advance(&f, 0.001 * i) == PAWL_AT_EVENT) {
    }
    pawl_point p = point(&f);
    least = fmin(least, p.q[0]);
    for (int k = 1; k < 8; k++) {
      least = fmin(least, p.q[k] - p.q[k - 1] - 0.1);
    }
    pawl_energy e = energy(&f);
    most = fmax(most, e.kinetic + e.potential - before);
    before = e.kinetic + e.potential;
  }
  CHECK(least >= -1e-13);
  CHECK(most <= 1e-11);
  CHECK_NEAR(before, 9.81 * 0.1 * 28, 1e-9);
  CHECK_NEAR(energy(&f).unexplained, 0, 1e-10);
  unmake(&f);
}

/* Elastic billiard between slanted walls: no gain whatever the mix of contacts. */
static void billiard_in_a_wedge_gains_nothing(void) {
  fixture f = stepped("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\npotential V = y\n"
                      "constraint left: y + x >= 0, restitution 0.9\n"
                      "constraint right: y - 2*x >= 0, restitution 1\n"
                      "start x = 0.1, y = 1, x' = 0.3\nrun 0..30\n",
                      0.002);
  double before = energy(&f).start, most = 0;
  while (advance(&f, HUGE_VAL) == PAWL_AT_EVENT) {
    pawl_energy e = energy(&f);
    most = fmax(most, e.kinetic + e.potential - before);
    before = e.kinetic + e.potential;
  }
  CHECK(most <= 1e-9);
  CHECK(before < 0.9);
  unmake(&f);
}

/* ---- other rows ---- */

/* Kozlov: x' >= 0 under a force that turns: engages when the free velocity would turn negative. */
static void one_sided_velocity_holds(void) {
  fixture f = stepped("coordinates x\nkinetic T = 1/2*x'^2\nforce x: cos(t)\n"
                      "constraint ratchet: x' >= 0\nstart x = 0, x' = 0\nrun 0..6.4\n",
                      0.001);
  int engaged = 0, released = 0;
  while (advance(&f, HUGE_VAL) == PAWL_AT_EVENT) {
    const char *kind = pawl_sim_event(f.sim, 0).kind;
    engaged += strcmp(kind, "engage") == 0;
    released += strcmp(kind, "release") == 0;
    CHECK(point(&f).u[0] >= -1e-12);
  }
  CHECK_INT(engaged, 1);
  CHECK_INT(released, 1);
  double again = 6.4 - 1.5 * 3.14159265358979323846;
  CHECK_NEAR(point(&f).q[0], 2 + again - cos(6.4), 0.003);
  unmake(&f);
}

/* A disc lands without spin and rolls at once: v+ = v-/(1 + I/(m r^2)), I = m r^2/2. */
static void rough_contact_stops_the_slip(void) {
  fixture f = stepped("coordinates x, y, a\nkinetic T = 1/2*(x'^2 + y'^2) + 1/4*a'^2\n"
                      "potential V = 9.81*y\nconstraint floor: y >= 0, restitution 0\n"
                      "friction grip: slip x' - a', rough on floor, restitution 0\n"
                      "start x = 0, y = 0.1, a = 0, x' = 1\nrun 0..1\n",
                      0.001);
  finish(&f);
  CHECK_NEAR(point(&f).u[0], 2.0 / 3, 1e-9);
  CHECK_NEAR(point(&f).u[2], 2.0 / 3, 1e-9);
  unmake(&f);
}

static void switching_forces_follow_the_side(void) {
  fixture f = stepped("coordinates x\nkinetic T = 1/2*x'^2\npotential V = 5*max(x, 0)^2 + x^2/2\n"
                      "start x = -1, x' = 0\nrun 0..6\n",
                      0.001);
  finish(&f);
  CHECK_NEAR(point(&f).q[0],
             reference("coordinates x\nkinetic T = 1/2*x'^2\n"
                       "potential V = 5*max(x, 0)^2 + x^2/2\nstart x = -1, x' = 0\nrun 0..6\n",
                       0),
             5e-3);
  unmake(&f);
}

#define WALL(where)                                        \
  "coordinates x\nkinetic T = 1/2*x'^2\npotential V = x\n" \
  "constraint wall: x >= " where ", restitution 0\nrun 0..3\n"

/* A floor that is taken away, one that begins to rise, and one that jumps past the body. */
static void walls_may_jump_away(void) {
  fixture f = stepped(WALL("if(t < 1, 0, -1)"), 0.001);
  CHECK(advance(&f, 3) == PAWL_AT_EVENT);
  CHECK_STR(pawl_sim_event(f.sim, 0).kind, "liftoff");
  CHECK_NEAR(point(&f).t, 1, 0.003);
  CHECK(advance(&f, 3) == PAWL_AT_EVENT);
  CHECK_STR(pawl_sim_event(f.sim, 0).kind, "impact");
  CHECK_NEAR(point(&f).t, 1 + sqrt(2), 0.003);
  CHECK_NEAR(energy(&f).unexplained, 0, 1e-12);
  unmake(&f);
  CHECK_NEAR(end_of(WALL("max(0, t - 1)"), 0.001), 2, 1e-9);
  f = stepped(WALL("if(t < 1, 0, 1)"), 0.001);
  pawl_stop why;
  CHECK(pawl_sim_advance(f.sim, 3, f.diags, &why) != PAWL_OK);
  CHECK_STR(last_code(&f), "E0518");
  CHECK_NEAR(point(&f).t, 1, 0.003);
  CHECK_NEAR(point(&f).q[0], 0, 1e-12);
  unmake(&f);
}

static void poisson_is_refused(void) {
  fixture f = make_with("coordinates y\nkinetic T = 1/2*y'^2\npotential V = 9.81*y\n"
                        "constraint floor: y >= 0, poisson 0.5\nstart y = 1\nrun 0..1\n",
                        &(pawl_sim_opts){.method = PAWL_METHOD_MOREAU});
  CHECK(f.status == PAWL_E_ARGUMENT);
  CHECK_STR(last_code(&f), "E0421");
  unmake(&f);
}

static void saved_runs_go_on_to_the_same_bits(void) {
  fixture f = stepped(BEADS, 0.001), g = stepped(BEADS, 0.001);
  while (advance(&f, 0.4003) == PAWL_AT_EVENT) {
  }
  unsigned long size = pawl_sim_save_size(f.sim);
  void *memory = malloc(size);
  CHECK(pawl_sim_save(f.sim, memory, size) == PAWL_OK);
  CHECK(pawl_sim_restore(g.sim, memory, size) == PAWL_OK);
  free(memory);
  finish(&f);
  finish(&g);
  for (int i = 0; i < 8; i++) {
    CHECK(point(&f).q[i] == point(&g).q[i] && point(&f).u[i] == point(&g).u[i]);
  }
  unmake(&f);
  unmake(&g);
}

/* A disk leaves the wall while a heavier one strikes it. Newton's law lets the heavier one leave
 * with 0.9 of the relative speed and stops the other at the wall: 3/2 (0.9 5.6)^2 is more than
 * before. */
static void gains_at_a_contact_that_was_leaving_are_flagged(void) {
  fixture f = make_with("coordinates a, b, c, d\n"
                        "kinetic T = 1/2*(a'^2 + c'^2) + 3/2*(b'^2 + d'^2)\n"
                        "shape s: disk (a, c), radius 0.1\nshape u: disk (b, d), radius 0.1\n"
                        "shape w: plane (0, 0), (1, 0)\ncontact k: s, u, w, restitution 0.9\n"
                        "start a = 0.10001, a' = 0.6, b = 0.30003, b' = -5\n"
                        "run 0..0.01, method moreau\n",
                        &(pawl_sim_opts){.method = PAWL_METHOD_MOREAU, .step = 1e-3});
  CHECK_INT(f.status, PAWL_OK);
  int flagged = 0;
  CHECK(advance(&f, 0.01) == PAWL_AT_EVENT);
  for (int i = 0; i < pawl_sim_events(f.sim); i++) {
    pawl_event e = pawl_sim_event(f.sim, i);
    int gains = e.flag != NULL && strcmp(e.flag, "ENERGY_INCREASE") == 0;
    flagged += gains;
    CHECK(!gains || e.dE > 0);
  }
  CHECK_INT(flagged, 1);
  CHECK_NEAR(point(&f).u[1], 5.04, 1e-9);
  unmake(&f);
}

CHECK_MAIN({"smooth motion has order 2", smooth_motion_has_order_2},
           {"equalities have order 2", equalities_have_order_2},
           {"rotations have order 2", rotations_have_order_2},
           {"impacts have order 1", impacts_have_order_1},
           {"impact is reported at the end of its step", impact_is_reported_at_the_end_of_its_step},
           {"elastic ball keeps its energy", elastic_ball_keeps_its_energy},
           {"resting contact does not creep", resting_contact_does_not_creep},
           {"contact lifts off when it would pull", contact_lifts_off_when_it_would_pull},
           {"moving floor does work", moving_floor_does_work},
           {"beads never penetrate nor gain energy", beads_never_penetrate_nor_gain_energy},
           {"billiard in a wedge gains nothing", billiard_in_a_wedge_gains_nothing},
           {"one-sided velocity holds", one_sided_velocity_holds},
           {"rough contact stops the slip", rough_contact_stops_the_slip},
           {"switching forces follow the side", switching_forces_follow_the_side},
           {"walls may jump away", walls_may_jump_away}, {"poisson is refused", poisson_is_refused},
           {"saved runs go on to the same bits", saved_runs_go_on_to_the_same_bits},
           {"gains_at_a_contact_that_was_leaving_are_flagged",
            gains_at_a_contact_that_was_leaving_are_flagged})
