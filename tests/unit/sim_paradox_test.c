// SPDX-License-Identifier: MIT
/* Painleve's rod: a uniform rod of half length s on a floor, sliding with x' > 0. In closed form
 *   D_NN = 1 + 3 cos^2, D_NT = 3 sin cos, D_TT = 1 + 3 sin^2, margin = 1 - mu D_NT / D_NN,
 *   force(tip) = -(b / D_NN) / margin with b = s sin w^2 - g (s = m = 1). */
#include <math.h>

#include "sim/sim_state.h"
#include "sim_support.h"

static const double mu = 5.0 / 3, g = 10, pi = 3.14159265358979323846;

typedef struct angles {
  double ph, w; /* degrees, 1/s */
  double g;     /* 0: 10 */
} angles;

static fixture rod(angles at, double speed, double friction, const pawl_sim_opts *opts) {
  static char text[900];
  snprintf(text, sizeof text,
           "coordinates x, y, ph\n"
           "kinetic T = 1/2*(x'^2 + y'^2) + 1/6*ph'^2\n"
           "potential V = %.17g*y\n"
           "constraint tip: y - sin(ph) >= 0, restitution 0.3\n"
           "friction rub: slip x' - sin(ph)*ph', mu %.17g on tip\n"
           "start x = 0, ph = %.17g [deg], x' = %.17g, ph' = %.17g, y ~ 0.5, y' ~ 0, tip closed\n"
           "run 0..1\n",
           at.g == 0 ? g : at.g, friction, at.ph, speed, at.w);
  return make_with(text, opts);
}

static double margin_of(double ph, double friction) {
  double s = sin(ph * pi / 180), c = cos(ph * pi / 180);
  return 1 - friction * 3 * s * c / (1 + 3 * c * c);
}

static double normal_of(angles at) {
  double s = sin(at.ph * pi / 180), c = cos(at.ph * pi / 180);
  return -(s * at.w * at.w - g) / (1 + 3 * c * c) / margin_of(at.ph, mu);
}

static pawl_point point_of(fixture *f) {
  pawl_point p;
  CHECK(pawl_sim_point(f->sim, PAWL_AFTER, &p) == PAWL_OK);
  return p;
}

/* C8, the table of states. */
static void unique_where_the_margin_is_positive(void) {
  static const struct {
    angles at;
    double force;
  } states[] = {
      {{30, 0, 0}, 9.21712937780612}, {{44, 0, 0}, 185.62457399989}, {{80, 1, 0}, 38.29559083176}};
  for (int i = 0; i < 3; i++) {
    fixture f = rod(states[i].at, 30, mu, NULL);
    CHECK(f.status == PAWL_OK);
    CHECK_NEAR(point_of(&f).force[0], states[i].force, 1e-9 * states[i].force);
    CHECK_NEAR(normal_of(states[i].at), states[i].force, 1e-9 * states[i].force);
    CHECK_NEAR(f.sim->mech->margin, margin_of(states[i].at.ph, mu), 1e-12);
    unmake(&f);
  }
  fixture open = rod((angles){80, 4, 0}, 30, mu, NULL);
  CHECK(open.status == PAWL_OK);
  CHECK(!pawl_sim_closed(open.sim, 0));
  unmake(&open);
}

static void none_and_several(void) {
  static const angles none[] = {{50, 0, 0}, {50, 2, 0}, {60, 3, 0}},
                      two[] = {{50, 4, 0}, {60, 4, 0}};
  static const double force[] = {10.142902440307, 9.291123822371};
  for (int i = 0; i < 3; i++) {
    fixture f = rod(none[i], 30, mu, NULL);
    CHECK(f.status == PAWL_E_NO_MOTION);
    CHECK(strcmp(pawl_diags_get(f.diags, 0)->code, "E0501") == 0);
    unmake(&f);
  }
  for (int i = 0; i < 2; i++) {
    fixture strict = rod(two[i], 30, mu, NULL);
    CHECK(strict.status == PAWL_E_NO_MOTION);
    CHECK(strcmp(pawl_diags_get(strict.diags, 0)->code, "E0506") == 0);
    unmake(&strict);
    fixture f = rod(two[i], 30, mu, &(pawl_sim_opts){.paradox = PAWL_PARADOX_ENUMERATE});
    CHECK(f.status == PAWL_OK);
    CHECK(pawl_sim_paradoxes(f.sim) == 1);
    pawl_several several = pawl_sim_paradox(f.sim, 0);
    CHECK(several.branches == 2 && several.complete && several.chosen == 0);
    CHECK(strcmp(several.at, "rub") == 0);
    CHECK(strcmp(pawl_sim_branch_mode(f.sim, 0, 0, 0), "open") == 0);
    CHECK(strcmp(pawl_sim_branch_mode(f.sim, 0, 1, 0), "closed") == 0);
    CHECK(strcmp(pawl_sim_branch_mode(f.sim, 0, 1, 1), "slip") == 0);
    CHECK_NEAR(pawl_sim_branch(f.sim, 0, 0).force[0], 0, 1e-12);
    CHECK_NEAR(pawl_sim_branch(f.sim, 0, 1).force[0], force[i], 1e-10);
    CHECK_NEAR(pawl_sim_branch(f.sim, 0, 1).force[1], -mu * force[i], 1e-10);
    CHECK_NEAR(pawl_sim_branch(f.sim, 0, 1).a[0], -mu * force[i], 1e-10);
    CHECK(!pawl_sim_closed(f.sim, 0)); /* the least forces: it opens */
    CHECK(pawl_sim_branch_mode(f.sim, 1, 0, 0) == NULL && pawl_sim_branch(f.sim, 0, 2).a == NULL);
    unmake(&f);
  }
}

/* The impulse that stops a slip v: Lambda = (D_NT, -D_NN) v / (D_NN D_TT - D_NT^2). */
static void impact_without_collision(void) {
  const struct {
    double ph, speed, mu;
  } rods[] = {{180 / pi, 1, 1.6}, {50, 30, 5.0 / 3}, {60, 7, 2.5}, {70, 0.1, 3}};
  for (int i = 0; i < 4; i++) {
    fixture f = rod((angles){rods[i].ph, 0, 0}, rods[i].speed, rods[i].mu,
                    &(pawl_sim_opts){.paradox = PAWL_PARADOX_IWC});
    CHECK(f.status == PAWL_OK);
    pawl_stop why;
    CHECK(pawl_sim_advance(f.sim, 1e-9, f.diags, &why) == PAWL_OK && why == PAWL_AT_EVENT);
    pawl_event e = pawl_sim_event(f.sim, 0);
    CHECK(e.flag != NULL && strcmp(e.flag, "IMPACT_WITHOUT_COLLISION") == 0);
    CHECK(strcmp(e.kind, "impact") == 0 && strcmp(e.at, "tip") == 0 && e.t == 0);
    double s = sin(rods[i].ph * pi / 180), c = cos(rods[i].ph * pi / 180);
    double D[3] = {1 + 3 * c * c, 3 * s * c, 1 + 3 * s * s}, det = D[0] * D[2] - D[1] * D[1];
    CHECK_NEAR(e.impulse[0], D[1] / det * rods[i].speed, 1e-11 * rods[i].speed);
    pawl_point p = point_of(&f);
    CHECK_NEAR(p.u[0] - s * p.u[2], 0, 1e-12 * rods[i].speed); /* it sticks */
    CHECK_NEAR(p.u[1] - c * p.u[2], 0, 1e-12 * rods[i].speed);
    CHECK_NEAR(p.u[0], rods[i].speed * (1 - D[0] / det), 1e-11 * rods[i].speed);
    CHECK(p.u[0] * p.u[0] + p.u[1] * p.u[1] + p.u[2] * p.u[2] / 3 < rods[i].speed * rods[i].speed);
    unmake(&f);
  }
}

/* Another rod: mu = 1.6, g = 9.81. None at 1 rad; two at 1.1 rad turning with 4.5, one of them with
 * 25.49. Below mu = 4/3 there is never a paradox. */
static void other_coefficients(void) {
  fixture none = rod((angles){180 / pi, 0, 9.81}, 1, 1.6, NULL);
  CHECK(none.status == PAWL_E_NO_MOTION);
  unmake(&none);
  fixture two = rod((angles){1.1 * 180 / pi, 4.5, 9.81}, 9, 1.6,
                    &(pawl_sim_opts){.paradox = PAWL_PARADOX_ENUMERATE});
  CHECK(two.status == PAWL_OK && pawl_sim_paradox(two.sim, 0).branches == 2);
  CHECK_NEAR(pawl_sim_branch(two.sim, 0, 1).force[0], 25.49, 5e-3);
  unmake(&two);
  double steepest = atan(2.0) * 180 / pi;
  CHECK_NEAR(margin_of(steepest, 4.0 / 3), 0, 1e-14);
  fixture below = rod((angles){steepest, 0, 0}, 30, 1.333, NULL);
  CHECK(below.status == PAWL_OK);
  unmake(&below);
  fixture above = rod((angles){steepest, 0, 0}, 30, 1.334, NULL);
  CHECK(above.status == PAWL_E_NO_MOTION);
  unmake(&above);
}

/* C8: announced on the way, then the point of Genot and Brogliato, where tan ph = 1. */
static void announced_then_reached(void) {
  fixture f = rod((angles){31, 0, 0}, 30, mu, &(pawl_sim_opts){.tol = 1e-12});
  pawl_stop why;
  CHECK(f.status == PAWL_OK);
  pawl_status status = pawl_sim_advance(f.sim, 0.75, f.diags, &why);
  CHECK(status == PAWL_OK && pawl_diags_count(f.diags) == 0);
  status = pawl_sim_advance(f.sim, 0.81, f.diags, &why);
  CHECK(status == PAWL_OK && pawl_diags_count(f.diags) == 1);
  CHECK(strcmp(pawl_diags_get(f.diags, 0)->code, "W0501") == 0);
  status = pawl_sim_advance(f.sim, 1, f.diags, &why);
  CHECK(status == PAWL_E_NO_MOTION && pawl_diags_count(f.diags) == 2);
  pawl_point p = point_of(&f);
  CHECK_NEAR(p.t, 0.8145497, 1e-7);
  CHECK_NEAR(p.q[2], pi / 4, 1e-9);
  CHECK_NEAR(p.u[2], sqrt(10 * sqrt(2)), 1e-5);
  CHECK_NEAR(p.u[0], 11.9923, 1e-4);
  unmake(&f);
}

/* force ~ distance^(-1/3): eight times nearer it is twice as large. */
static void force_grows_like_a_cube_root(void) {
  fixture f = rod((angles){31, 0, 0}, 30, mu, &(pawl_sim_opts){.tol = 1e-12});
  pawl_stop why;
  double end = 0.8145496586, force[3];
  for (int i = 0; i < 3; i++) {
    CHECK(pawl_sim_advance(f.sim, end - 1e-6 * pow(8, -i), f.diags, &why) == PAWL_OK);
    force[i] = point_of(&f).force[0];
  }
  CHECK_NEAR(force[1] / force[0], 2, 0.02);
  CHECK_NEAR(force[2] / force[1], 2, 0.02);
  unmake(&f);
}

CHECK_MAIN({"unique where the margin is positive", unique_where_the_margin_is_positive},
           {"none and several", none_and_several},
           {"impact without collision", impact_without_collision},
           {"other coefficients", other_coefficients},
           {"announced, then reached", announced_then_reached},
           {"force grows like a cube root", force_grows_like_a_cube_root})
