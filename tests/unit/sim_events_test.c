// SPDX-License-Identifier: MIT
/* Events of the model: times, order, instants, directions, and what is no event. Switching
 * surfaces: location and chattering. */
#include "sim_support.h"

static const double pi = 3.14159265358979323846;

#define OSCILLATOR "coordinates x\nkinetic T = 1/2*x'^2\npotential V = 1/2*x^2\n"

/* Times of the instants until the end. */
static int times(fixture *f, double *t, int most) {
  int n = 0;
  while (advance(f, HUGE_VAL) == PAWL_AT_EVENT && n < most) {
    t[n++] = point(f).t;
  }
  return n;
}

static void roots_are_found_at_full_accuracy(void) {
  for (int k = 0; k < 3; k++) {
    static const double tol[] = {1e-8, 1e-10, 1e-12};
    fixture f = make(OSCILLATOR "start x = 1, x' = 0\nevent zero: x = 0\nrun 0..30\n", tol[k]);
    double t[40];
    int n = times(&f, t, 40);
    CHECK_INT(n, 10);
    for (int i = 0; i < n; i++) {
      CHECK_NEAR(t[i], (i + 0.5) * pi, 60 * tol[k]);
    }
    unmake(&f);
  }
}

/* The state of an event lies on its surface. */
static void the_event_state_is_on_the_surface(void) {
  fixture f = make(OSCILLATOR "start x = 1, x' = 0\nevent meet: x + 2*x' = 0.3\nrun 0..30\n", 1e-7);
  int n = 0;
  for (; advance(&f, HUGE_VAL) == PAWL_AT_EVENT; n++) {
    pawl_point p = point(&f);
    CHECK_NEAR(p.q[0] + 2 * p.u[0], 0.3, 1e-14);
  }
  CHECK_INT(n, 10);
  unmake(&f);
}

static void directions_are_kept_apart(void) {
  fixture f = make(OSCILLATOR "start x = 1, x' = 0\nevent up: x = 0, rising\n"
                              "event down: x = 0, falling\nevent above: x >= 0.5\n"
                              "event below: x <= -0.5\nrun 0..12\n",
                   1e-10);
  static const struct {
    const char *at;
    double t;
  } want[] = {{"down", 0.5}, {"below", 2.0 / 3}, {"up", 1.5}, {"above", 5.0 / 3}, {"down", 2.5}};
  for (int i = 0; i < 5; i++) {
    CHECK(advance(&f, HUGE_VAL) == PAWL_AT_EVENT);
    CHECK_INT(pawl_sim_events(f.sim), 1);
    pawl_event e = pawl_sim_event(f.sim, 0);
    CHECK_STR(e.at, want[i].at);
    CHECK_STR(e.kind, "user");
    CHECK_NEAR(e.t, want[i].t * pi, 1e-9);
    CHECK_INT(e.cluster, i + 1);
    CHECK(e.n_impulse == 0 && e.dE == 0 && e.flag == NULL);
  }
  unmake(&f);
}

static void strobes_do_not_drift(void) {
  fixture f = make(OSCILLATOR "start x = 1, x' = 0\nevent tick: every 0.1\nevent tock: every 0.25\n"
                              "run 1..31\n",
                   1e-9);
  int n = 0, tock = 0;
  for (; advance(&f, HUGE_VAL) == PAWL_AT_EVENT; n++) {
    pawl_event e = pawl_sim_event(f.sim, 0);
    double t = point(&f).t;
    CHECK_STR(e.kind, "strobe");
    CHECK(t > 1 && t <= 31);
    CHECK_NEAR(point(&f).q[0], cos(t - 1), 1e-8);
    for (int i = 0; i < pawl_sim_events(f.sim); i++) {
      if (strcmp(pawl_sim_event(f.sim, i).at, "tock") == 0) {
        CHECK(t == 1 + 0.25 * ++tock);
      }
    }
    CHECK_INT(pawl_sim_events(f.sim), fabs(remainder(t - 1, 0.5)) < 1e-9 ? 2 : 1);
  }
  CHECK_INT(tock, 120);
  CHECK_INT(n, 300 + 60);
  CHECK(point(&f).t == 31);
  CHECK_INT(pawl_sim_statistics(f.sim).events, 420);
  unmake(&f);
}

static void a_stop_event_ends_the_run(void) {
  fixture f =
      make(OSCILLATOR "start x = 1, x' = 0\nevent far: x' = 0, rising, stop\nrun 0..30\n", 1e-9);
  CHECK(advance(&f, HUGE_VAL) == PAWL_AT_EVENT);
  CHECK_STR(pawl_sim_event(f.sim, 0).kind, "stop");
  CHECK_NEAR(point(&f).t, pi, 1e-8);
  CHECK(advance(&f, HUGE_VAL) == PAWL_AT_END);
  CHECK_NEAR(point(&f).t, pi, 1e-8);
  CHECK_INT(pawl_sim_events(f.sim), 0);
  unmake(&f);
}

/* The same surface written in several ways is one instant. */
static void equal_roots_share_an_instant(void) {
  fixture f =
      make("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\npotential V = 1/2*x^2 + 1/2*y^2\n"
           "start x = 1, y = 2, x' = 0, y' = 0\nevent a: x = 0.3\nevent b: y = 0.6\n"
           "event c: 5*x^3 = 0.135\nevent d: y = 0.6001\nrun 0..20\n",
           1e-9);
  int n = 0, d = 0;
  long cluster = 0;
  for (; advance(&f, HUGE_VAL) == PAWL_AT_EVENT; n++) {
    int k = pawl_sim_events(f.sim);
    CHECK(k == 3 || k == 1);
    if (k == 3) {
      CHECK_STR(pawl_sim_event(f.sim, 0).at, "a");
      CHECK_STR(pawl_sim_event(f.sim, 2).at, "c");
    } else {
      CHECK_STR(pawl_sim_event(f.sim, 0).at, "d");
      d++;
    }
    CHECK_INT(pawl_sim_event(f.sim, 0).cluster, ++cluster);
  }
  CHECK_INT(n, 12);
  CHECK_INT(d, 6);
  unmake(&f);
}

/* Two roots inside one step, close together, must both be found; the step itself is long. */
static void close_pairs_are_found(void) {
  static const char *level[] = {"0.99", "0.99999", "0.99999999"};
  for (int i = 0; i < 3; i++) {
    char text[256];
    snprintf(text, sizeof text, "%sstart x = 0, x' = 1\nevent top: x = %s\nrun 0..7\n", OSCILLATOR,
             level[i]);
    fixture f = make(text, 1e-10);
    double t[4], half = acos(atof(level[i]));
    CHECK_INT(times(&f, t, 4), 2);
    CHECK_NEAR(t[0], pi / 2 - half, 1e-9 / half);
    CHECK_NEAR(t[1], pi / 2 + half, 1e-9 / half);
    unmake(&f);
  }
  fixture f = make(OSCILLATOR "start x = 0, x' = 1\nevent top: x = 1.0001\nrun 0..20\n", 1e-10);
  CHECK_INT(finish(&f), 0);
  unmake(&f);
}

static void what_is_no_event(void) {
  /* roots at the start; functions that are zero all the time, exactly or up to rounding */
  fixture f =
      make("coordinates x, y, z\nkinetic T = 1/2*(x'^2 + y'^2 + z'^2)\npotential V = 9.81*y\n"
           "constraint rod: x^2 + y^2 = 1\nstart x = 1, y = 0, z = 0, x' = 0, y' = 0, z' = 0\n"
           "event held: x^2 + y^2 = 1\nevent held2: x*x' + y*y' = 0\nevent flat: z = 0\n"
           "event start: y = 0\nrun 0..10\n",
           1e-9);
  int n = 0;
  for (; advance(&f, HUGE_VAL) == PAWL_AT_EVENT; n++) {
    for (int i = 0; i < pawl_sim_events(f.sim); i++) {
      CHECK_STR(pawl_sim_event(f.sim, i).at, "start");
    }
    CHECK(point(&f).t > 0.5);
  }
  CHECK(n < 15); /* the pendulum touches y = 0 at its turning points, if rounding lets it */
  unmake(&f);
}

static void fast_functions_are_resolved(void) {
  fixture f = make("coordinates x\nkinetic T = 1/2*x'^2\nstart x = 0, x' = 1\n"
                   "event wave: sin(40*x) = 0.2\nrun 0..10\n",
                   1e-9);
  int want = 0;
  for (int k = 0; k < 64; k++) {
    want += 2 * pi * k + asin(0.2) <= 400;
    want += 2 * pi * k + pi - asin(0.2) <= 400;
  }
  CHECK_INT(finish(&f), want);
  unmake(&f);
}

static void events_do_not_change_the_motion(void) {
  fixture f = make(OSCILLATOR "start x = 1, x' = 0\nrun 0..30\n", 1e-8);
  fixture g = make(
      OSCILLATOR "start x = 1, x' = 0\nevent a: x = 0.2\nevent b: every 0.07\nrun 0..30\n", 1e-8);
  finish(&f);
  finish(&g);
  CHECK(point(&f).q[0] == point(&g).q[0] && point(&f).u[0] == point(&g).u[0]);
  unmake(&f);
  unmake(&g);
}

static void events_come_before_the_target(void) {
  fixture f = make(OSCILLATOR "start x = 1, x' = 0\nevent tick: every 2\nrun 0..6\n", 1e-9);
  CHECK(advance(&f, 1) == PAWL_AT_TARGET);
  CHECK(advance(&f, 2) == PAWL_AT_EVENT);
  CHECK(point(&f).t == 2);
  CHECK(advance(&f, 2) == PAWL_AT_TARGET);
  CHECK_INT(pawl_sim_events(f.sim), 0);
  CHECK(advance(&f, 6) == PAWL_AT_EVENT);
  CHECK(advance(&f, 6) == PAWL_AT_EVENT);
  CHECK(point(&f).t == 6);
  CHECK(advance(&f, 6) == PAWL_AT_END);
  unmake(&f);
}

static void too_many_events_are_refused(void) {
  fixture f = make_with(OSCILLATOR "start x = 1, x' = 0\nevent tick: every 0.01\nrun 0..6\n",
                        &(pawl_sim_opts){.max_events = 50});
  pawl_status status = PAWL_OK;
  pawl_stop why;
  int n = 0;
  while ((status = pawl_sim_advance(f.sim, 6, f.diags, &why)) == PAWL_OK && n < 100) {
    n++;
  }
  CHECK(status == PAWL_E_EVENTS);
  CHECK_INT(n, 50);
  CHECK_STR(last_code(&f), "E0511");
  unmake(&f);
}

/* x'' = -x right, -4 x left: half periods pi and pi/2. */
static void switching_keeps_the_order(void) {
  for (int k = 0; k < 2; k++) {
    double tol = k == 0 ? 1e-9 : 1e-12;
    fixture f = make("coordinates x\nkinetic T = 1/2*x'^2\nforce x: if(x >= 0, -x, -4*x)\n"
                     "start x = 0, x' = 1\nrun 0..60\n",
                     tol);
    for (int i = 1; i <= 12; i++) {
      CHECK(advance(&f, 1.5 * pi * i) == PAWL_AT_TARGET);
      CHECK_NEAR(point(&f).q[0], 0, 200 * tol);
      CHECK_NEAR(point(&f).u[0], 1, 200 * tol);
      if (i < 12) {
        CHECK(advance(&f, 1.5 * pi * i + pi / 2) == PAWL_AT_TARGET);
        CHECK_NEAR(point(&f).q[0], 1, 200 * tol);
      }
    }
    CHECK(pawl_sim_statistics(f.sim).rejected < 10 * 24); /* a few per change of stiffness */
    unmake(&f);
  }
}

/* Several surfaces at the same instant. x'' = -sign x from rest at 1 has the quarter period
 * sqrt 2. */
static void surfaces_may_coincide(void) {
  fixture f =
      make("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\npotential V = abs(x) + abs(y)\n"
           "start x = 1, y = 1, x' = 0, y' = 0\nrun 0..20\n",
           1e-10);
  for (int i = 1; i <= 6; i++) {
    CHECK(advance(&f, 2 * sqrt(2.0) * i) == PAWL_AT_EVENT); /* both kinks are crossed */
    CHECK(advance(&f, 2 * sqrt(2.0) * i) == PAWL_AT_TARGET);
    CHECK_NEAR(point(&f).q[0], i % 2 == 0 ? 1 : -1, 1e-9);
    CHECK_NEAR(point(&f).q[1], i % 2 == 0 ? 1 : -1, 1e-9);
    CHECK_NEAR(point(&f).u[0], 0, 1e-9);
  }
  CHECK_NEAR(energy(&f).unexplained, 0, 1e-10);
  unmake(&f);
}

static void chattering_is_named(void) {
  fixture f = make("coordinates x\nkinetic T = 1/2*x'^2\nforce x: if(x' > 0, -1, 1)\n"
                   "start x = 0, x' = 1\nrun 0..3\n",
                   1e-9);
  pawl_stop why;
  CHECK(pawl_sim_advance(f.sim, 3, f.diags, &why) == PAWL_E_EVENTS);
  CHECK_STR(last_code(&f), "E0511");
  CHECK_NEAR(point(&f).t, 1, 1e-9);
  CHECK_NEAR(point(&f).q[0], 0.5, 1e-9);
  unmake(&f);
}

CHECK_MAIN({"roots_are_found_at_full_accuracy", roots_are_found_at_full_accuracy},
           {"the_event_state_is_on_the_surface", the_event_state_is_on_the_surface},
           {"directions_are_kept_apart", directions_are_kept_apart},
           {"strobes_do_not_drift", strobes_do_not_drift},
           {"a_stop_event_ends_the_run", a_stop_event_ends_the_run},
           {"equal_roots_share_an_instant", equal_roots_share_an_instant},
           {"close_pairs_are_found", close_pairs_are_found}, {"what_is_no_event", what_is_no_event},
           {"fast_functions_are_resolved", fast_functions_are_resolved},
           {"events_do_not_change_the_motion", events_do_not_change_the_motion},
           {"events_come_before_the_target", events_come_before_the_target},
           {"too_many_events_are_refused", too_many_events_are_refused},
           {"switching_keeps_the_order", switching_keeps_the_order},
           {"surfaces_may_coincide", surfaces_may_coincide},
           {"chattering_is_named", chattering_is_named})
