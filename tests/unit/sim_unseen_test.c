// SPDX-License-Identifier: MIT
/* Steps that would jump over something: roots, walls, forces, pulses, poles; what stays undecided;
 * and that looking changes nothing where nothing hides. */
#include "sim_support.h"

#define FREE "coordinates x\nkinetic T = 1/2*x'^2\n"

static void all_roots_are_found(void) {
  fixture f = make("coordinates th\nkinetic T = 1/2*th'^2\nstart th' = 100\n"
                   "event turn: sin(th) = 0, rising\nrun 0..60\n",
                   1e-9);
  CHECK_INT((int)finish(&f), 954);
  unmake(&f);
  f = make(FREE "start x' = 1\nevent e: exp(-((x - 5.123)/1e-6)^2) = 0.5\nrun 0..10\n", 1e-9);
  CHECK_INT((int)finish(&f), 2);
  unmake(&f);
}

/* Two of three roots between two steps of the method before. */
static void kinks_of_events_are_seen(void) {
  fixture f =
      make(FREE "start x' = 1\nevent e: max(0, 1 - abs(t - 4.9)/3e-4) = 0.5\nrun 0..10\n", 1e-9);
  CHECK_INT((int)finish(&f), 2);
  unmake(&f);
}

static void narrow_walls_hold(void) {
  fixture f = make(FREE "constraint d: 1 - 2*exp(-(1e5*(x - 5))^2) >= 0, restitution 1\n"
                        "start x = 0, x' = 1\nrun 0..10\n",
                   1e-9);
  CHECK_INT((int)finish(&f), 1);
  CHECK_NEAR(point(&f).q[0], -2 * 0.83255461115769769 * 1e-5, 1e-9);
  unmake(&f);
}

/* A barrier that is 2e-5 wide turns the motion; its place is known by energy. */
static void narrow_forces_act(void) {
  static const char *const law[] = {"potential V = 10*exp(-(1e5*(x - 5))^2)\n",
                                    "friction rub: slip x', bound 1e7*exp(-(1e5*(x - 5))^2)\n",
                                    "force x: -2e5*exp(-(1e5*(t - 5))^2)\n"};
  static const double least[] = {-1e-3, 4.9999, -1e9}, most[] = {0, 5, 5};
  for (int i = 0; i < 3; i++) {
    char text[400];
    snprintf(text, sizeof text, FREE "%sstart x = 0, x' = 1\nrun 0..10\n", law[i]);
    fixture f = make(text, 1e-9);
    (void)finish(&f);
    CHECK(point(&f).q[0] > least[i] && point(&f).q[0] < most[i]);
    CHECK_INT(pawl_sim_unseen_count(f.sim), 0);
    unmake(&f);
  }
}

/* x^-12 from x = 50: turns where x^-12 = 1/2. */
static void poles_are_not_crossed(void) {
  fixture f = make(FREE "potential V = x^(-12)\nstart x = 50, x' = -1\nrun 0..100\n", 1e-9);
  (void)finish(&f);
  CHECK(point(&f).q[0] > 51.5 && point(&f).q[0] < 52);
  CHECK_NEAR(point(&f).u[0], 1, 1e-8);
  unmake(&f);
}

static void what_is_undecided_is_said(void) {
  fixture f = make(FREE "potential V = -sin(x)/x\nstart x = -3, x' = 1\nrun 0..4\n", 1e-9);
  (void)finish(&f);
  CHECK_STR(last_code(&f), "W0502");
  CHECK_INT(pawl_sim_unseen_count(f.sim), 1);
  pawl_unseen u = pawl_sim_unseen(f.sim, 0);
  CHECK_STR(u.kind, "force");
  CHECK_STR(u.at, "x");
  CHECK(u.from < u.to && u.to - u.from < 1e-12 && u.from > 2 && u.from < 2.5);
  CHECK(isnan(pawl_sim_unseen(f.sim, 1).from));
  unmake(&f);
}

/* The same bits with and without, where all is tame. */
static void smooth_motions_are_the_same(void) {
  static const char text[] = "coordinates a, b\nkinetic T = a'^2 + 1/2*b'^2 + a'*b'*cos(a - b)\n"
                             "potential V = -20*cos(a) - 10*cos(b)\nstart a = 2, b = 1\nrun 0..5\n";
  double end[2];
  for (int i = 0; i < 2; i++) {
    fixture f = make_with(
        text, &(pawl_sim_opts){.validate = i == 0 ? PAWL_VALIDATE_ON : PAWL_VALIDATE_OFF});
    (void)finish(&f);
    end[i] = point(&f).q[0];
    unmake(&f);
  }
  CHECK(end[0] == end[1]);
}

/* Off, the wall is behind without having been met: that is what the option does. */
static void it_can_be_switched_off(void) {
  fixture f = make(FREE "constraint d: 1 - 2*exp(-(1e5*(x - 5))^2) >= 0, restitution 1\n"
                        "start x = 0, x' = 1\nrun 0..10, validate off\n",
                   1e-9);
  CHECK_INT((int)finish(&f), 0);
  unmake(&f);
}

CHECK_MAIN({"all roots are found", all_roots_are_found},
           {"kinks of events are seen", kinks_of_events_are_seen},
           {"narrow walls hold", narrow_walls_hold}, {"narrow forces act", narrow_forces_act},
           {"poles are not crossed", poles_are_not_crossed},
           {"what is undecided is said", what_is_undecided_is_said},
           {"smooth motions are the same", smooth_motions_are_the_same},
           {"it can be switched off", it_can_be_switched_off})
