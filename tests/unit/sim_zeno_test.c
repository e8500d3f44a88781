// SPDX-License-Identifier: MIT
/* Accumulations of impacts: the detector, the number of impacts until rest, and the third order of
 * the completion. */
#include "sim/sim_state.h"
#include "sim_support.h"

/* ---- the detector ---- */

static void geometric_times_accumulate(void) {
  for (int k = 1; k < 10; k++) {
    double rho = k / 10.0, t = 1, dt = 0.3, limit, ratio;
    int period = 0;
    pw_zeno z;
    pw_zeno_reset(&z);
    for (int i = 0; i < 3; i++, t += dt, dt *= rho) {
      pw_zeno_hit(&z, t, 7);
      CHECK(!pw_zeno_accumulates(&z, &period, &ratio, &limit));
    }
    pw_zeno_hit(&z, t, 7);
    CHECK(pw_zeno_accumulates(&z, &period, &ratio, &limit));
    CHECK_INT(period, 1);
    CHECK_NEAR(ratio, rho, 1e-12);
    CHECK_NEAR(limit, 1 + 0.3 / (1 - rho), 1e-12);
  }
}

static void patterns_of_two_contacts_accumulate(void) {
  double t = 0, limit, ratio;
  int period = 0;
  pw_zeno z;
  pw_zeno_reset(&z);
  for (int i = 0; i < 8; i++) { /* intervals a, b, a r, b r, ...: unsteady but by pairs */
    t += (i % 2 == 0 ? 1.0 : 0.2) * pow(0.5, i / 2);
    pw_zeno_hit(&z, t, (uint64_t)(1 + i % 2));
  }
  CHECK(pw_zeno_accumulates(&z, &period, &ratio, &limit));
  CHECK_INT(period, 2);
  CHECK_NEAR(ratio, 0.5, 1e-12);
  CHECK_NEAR(limit, 2.4, 1e-12);
}

static void other_times_do_not(void) {
  double limit, ratio;
  int period;
  pw_zeno even, growing, unsteady, mixed;
  pw_zeno *all[] = {&even, &growing, &unsteady, &mixed};
  for (int k = 0; k < 4; k++) {
    pw_zeno_reset(all[k]);
  }
  double t = 0;
  for (int i = 0; i < 40; i++, t += i % 2 == 0 ? 1 : 3) {
    pw_zeno_hit(&even, 0.1 * i, 1);
    pw_zeno_hit(&growing, pow(1.1, i), 1);
    pw_zeno_hit(&unsteady, t, 1);
    pw_zeno_hit(&mixed, 1 - pow(0.5, i), (uint64_t)(i * i));
    for (int k = 0; k < 4; k++) {
      CHECK(!pw_zeno_accumulates(all[k], &period, &ratio, &limit));
    }
  }
}

/* ---- motions ---- */

/* A block thrown across a floor: while it bounces, too, friction takes m g mu in the mean, and the
 * slip loses (1000^2 - 998^2) / 2 until t = 2. The impulse that ends the bounces has friction. */
static void friction_of_the_last_impulse_is_booked(void) {
  fixture f = make("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\npotential V = 10*y\n"
                   "constraint floor: y >= 0, restitution 0.3\n"
                   "friction f: slip x', mu 0.1 on floor\n"
                   "start x = 0, y = 1, x' = 1000, y' = 0\nrun 0..2\n",
                   1e-9);
  while (advance(&f, 2) != PAWL_AT_END) {
  }
  pawl_point p;
  CHECK(pawl_sim_point(f.sim, PAWL_AFTER, &p) == PAWL_OK);
  CHECK_NEAR(p.u[0], 998, 1e-9);
  CHECK_NEAR(energy(&f).unexplained, 0, 1e-8);
  unmake(&f);
}

static void few_impacts_until_rest(void) {
  const struct {
    double e, end;
    long most;
  } cases[] = {{0.5, 5, 60}, {0.98, 50, 1100}, {0.99, 100, 2200}, {0.999, 1000, 20000}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    char text[300];
    snprintf(text, sizeof text,
             "coordinates y\nkinetic T = 1/2*y'^2\npotential V = 9.81*y\n"
             "constraint floor: y >= 0, restitution %.17g\nstart y = 1, y' = 0\nrun 0..%.17g\n",
             cases[k].e, cases[k].end);
    fixture f = make(text, 1e-9);
    double last = 0, impulse = 0, dE = 0;
    const char *kind = "";
    for (pawl_stop why; (why = advance(&f, HUGE_VAL)) != PAWL_AT_END;) {
      pawl_event e = pawl_sim_event(f.sim, 0);
      kind = e.kind;
      last = e.t;
      impulse = e.n_impulse == 1 ? e.impulse[0] : NAN;
      dE = e.dE;
    }
    /* those left out: v (1 + e) (1 + e + e^2 + ...) */
    double v = sqrt(-2 * dE), e = cases[k].e;
    CHECK_NEAR(impulse, v * (1 + e) / (1 - e), 2e-3 * impulse); /* t_inf is rounded */
    double limit = sqrt(2 / 9.81) * (1 + cases[k].e) / (1 - cases[k].e);
    CHECK_STR(kind, "rest");
    CHECK_NEAR(last, limit, 1e-7 * limit);
    CHECK(pawl_sim_statistics(f.sim).events <= cases[k].most);
    pawl_point p = point(&f);
    CHECK_NEAR(p.q[0], 0, 1e-13);
    CHECK_NEAR(p.u[0], 0, 1e-13);
    CHECK_NEAR(p.force[0], 9.81, 1e-12);
    CHECK_NEAR(energy(&f).unexplained, 0, 1e-9);
    unmake(&f);
  }
}

static const char curved[] =
    "coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2) + 0.3*x'*y' + 0.1*cos(y)*x'^2\n"
    "potential V = 9.81*y + 0.2*x^2\nconstraint floor: y >= 0.2*sin(2*x), restitution 0.5\n"
    "start x = 0.3, y = 1, x' = 0.8, y' = 0\nrun 0..2\n";
static const char rocking[] =
    "parameter m = 1, a = 0.0125, b = 0.05, J = m*(a^2 + b^2)/3\ncoordinates x, y, ph\n"
    "kinetic T = 1/2*m*(x'^2 + y'^2) + 1/2*J*ph'^2 + 0.005*x'*ph' + 0.1*x'*y'\n"
    "potential V = 9.81*m*y + x^2\n"
    "constraint left: y - a*sin(ph) - 0.05*x^2 >= 0, restitution 0\n"
    "constraint right: y + a*sin(ph) - 0.05*x^2 >= 0, restitution 0\n"
    "start x = 0.1, y = 0.0025, ph = -0.16, x' = 0.3, y' = 0, ph' = 0\nrun 0..0.6\n";

/* State at the end when bounces are left out from a speed of tol times the largest on. */
static void end_state(const char *text, double tol, int n, double *y) {
  fixture f = make(text, 1e-13);
  f.sim->contacts.tol = tol;
  finish(&f);
  pawl_point p = point(&f);
  memcpy(y, p.q, (size_t)n * sizeof *y);
  memcpy(y + n, p.u, (size_t)n * sizeof *y);
  unmake(&f);
}

/* Speeds fall by `shrink` per bounce, so each tolerance leaves out one bounce less. */
static void check_third_order(const char *text, int n, double first, double shrink, int count) {
  double exact[6], y[6], size = 0, before = 0;
  end_state(text, 1e-14, n, exact);
  double tol = first;
  for (int k = 0; k < count; k++, tol *= shrink) {
    end_state(text, tol, n, y);
    size = 0;
    for (int i = 0; i < 2 * n; i++) {
      size = fmax(size, fabs(y[i] - exact[i]));
    }
    if (k > 0) {
      double order = log(before / size) / log(1 / shrink);
      CHECK_NEAR(order, 3, 0.35);
    }
    before = size;
  }
  CHECK(size > 1e-12);
}

static void completion_is_of_third_order(void) {
  check_third_order(curved, 2, 0.02, 0.5, 4);
}

static void completion_of_rocking_is_of_third_order(void) {
  /* D12/D22 = 0.7 per hit of a corner, two hits per period */
  check_third_order(rocking, 3, 0.02, pow(0.7, 2), 3);
}

/* The slip of a rough contact stops with its bounces; what that costs is in the books. */
static void rough_contacts_come_to_rest(void) {
  fixture f = make("parameter R = 0.03\ncoordinates x, y, ph\n"
                   "kinetic T = 1/2*(x'^2 + y'^2) + 1/5*R^2*ph'^2\npotential V = 9.81*y\n"
                   "constraint floor: y >= R, restitution 0.5\n"
                   "friction grip: slip x' + R*ph', rough on floor, restitution 0.9\n"
                   "start x = 0, y = 1, ph = 0, x' = 1, y' = 0, ph' = 40\nrun 0..3\n",
                   1e-10);
  finish(&f);
  pawl_point p = point(&f);
  CHECK_NEAR(p.q[1], 0.03, 1e-13);
  CHECK_NEAR(p.u[0] + 0.03 * p.u[2], 0, 1e-12);
  CHECK(fabs(p.u[0]) > 0.1);
  CHECK_NEAR(energy(&f).unexplained, 0, 1e-9);
  unmake(&f);
}

/* v doubles while the gap halves: t = 1 - 2^-k. What grows at a steady rate, or ever slower, is no
 * end. */
static void growth_without_bound_is_found(void) {
  pw_growth g;
  pw_growth_reset(&g);
  g.gain = -1;
  CHECK(!pw_growth_hit(&g, 0) && isnan(g.t));
  int k = 0;
  for (bool found = false; !found && CHECK(k < 40); k++) {
    g.gain = ldexp(1, 2 * k);
    found = pw_growth_hit(&g, 1 - ldexp(1, -k));
  }
  CHECK_INT(k, 12); /* a mark, the first length, then ten that shrink */
  CHECK_NEAR(g.limit, 1, 1e-12);
  for (int slower = 0; slower <= 1; slower++) {
    pw_growth_reset(&g);
    double t = 0;
    for (int i = 0; i < 200; i++) {
      g.gain = ldexp(1, 2 * i);
      CHECK(!pw_growth_hit(&g, t += slower ? i + 1 : 1));
    }
  }
}

CHECK_MAIN({"geometric_times_accumulate", geometric_times_accumulate},
           {"patterns_of_two_contacts_accumulate", patterns_of_two_contacts_accumulate},
           {"other_times_do_not", other_times_do_not},
           {"few_impacts_until_rest", few_impacts_until_rest},
           {"friction_of_the_last_impulse_is_booked", friction_of_the_last_impulse_is_booked},
           {"completion_is_of_third_order", completion_is_of_third_order},
           {"completion_of_rocking_is_of_third_order", completion_of_rocking_is_of_third_order},
           {"rough_contacts_come_to_rest", rough_contacts_come_to_rest},
           {"growth_without_bound_is_found", growth_without_bound_is_found})
