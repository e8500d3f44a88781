// SPDX-License-Identifier: MIT
/* The impact problem against closed forms, and its energy against the formula of theory C.2. */
#include "linalg_random.h"
#include "sim/sim_state.h"
#include "sim_support.h"

static pw_impact *impact_of(fixture *f) {
  return &f->sim->contacts.impact;
}

/* All contacts touch, with one restitution; solves at (q, u) and gives the velocities after. */
static pw_outcome hit(fixture *f, const double *q, const double *u, double e, double *after) {
  pawl_sim *sim = f->sim;
  pw_contacts *c = &sim->contacts;
  const pw_system *sys = sim->sys;
  CHECK(pw_mech_frame(sim->mech, 0, q, u, sim->stepper.side, c->now.frame_memory, &c->now.frame) ==
        PAWL_OK);
  for (int i = 0; i < sys->ni; i++) {
    const pw_row *row = &sim->model->rows.items[sys->row_of[sys->nc + i]];
    c->impact.law[i] = (pw_impact_law){.touches = row->kind == PW_KIND_UNILATERAL, .e = e};
  }
  c->impact.speed = 1e-12;
  pw_outcome o = pw_impact_solve(&c->impact, &c->now.frame);
  memcpy(after, c->impact.velocity, (size_t)sys->nv * sizeof *after);
  pw_frame_back(&c->now.frame, after);
  return o;
}

static double kinetic(fixture *f, const double *q, const double *u) {
  double e[3];
  pw_mech_energy(f->sim->mech, 0, q, u, f->sim->stepper.side, e);
  return e[0];
}

/* ---- three balls ---- */

static void cradle(const char *law, double m2, double m3, bool sequential, double e,
                   const double *want) {
  char text[500];
  snprintf(text, sizeof text,
           "coordinates x1, x2, x3\nkinetic T = 1/2*(x1'^2 + %.17g*x2'^2 + %.17g*x3'^2)\n"
           "constraint a: x2 - x1 >= 1, %s 1\nconstraint b: x3 - x2 >= 1, %s 1\n"
           "start x1 = -1, x2 = 1, x3 = 3, x1' = 0, x2' = 0, x3' = 0\nrun 0..1\n",
           m2, m3, law, law);
  fixture f = make(text, 0);
  double q[] = {0, 1, 2}, u[] = {1, 0, 0}, after[3];
  impact_of(&f)->sequential = sequential;
  CHECK(hit(&f, q, u, e, after) == PW_SOLVED);
  for (int i = 0; i < 3; i++) {
    CHECK_NEAR(after[i], want[i], 1e-14);
  }
  CHECK(impact_of(&f)->ambiguous == (e > 0));
  unmake(&f);
}

static void cradles_follow_their_law(void) {
  for (int k = 0; k <= 4; k++) {
    double e = k / 4.0;
    double third[] = {(1 - 2 * e) / 3, (1 + e) / 3, (1 + e) / 3};
    double seventh[] = {(1 - 6 * e) / 7, (1 + e) / 7, (1 + e) / 7};
    cradle("restitution", 1, 1, false, e, third);
    cradle("poisson", 1, 1, false, e, third);
    cradle("restitution", 2, 4, false, e, seventh);
  }
  cradle("restitution", 1, 1, true, 1, (double[]){0, 0, 1});
  cradle("poisson", 1, 1, true, 1, (double[]){0, 0, 1});
}

/* ---- corners: u+ = -e u- + (1 + e) proj_T(u-) ---- */

static void project_on_cone(double half, const double *u, double *out) {
  double angle = atan2(u[0], u[1]);
  if (fabs(angle) <= half) {
    memcpy(out, u, 2 * sizeof *out);
    return;
  }
  double edge[] = {angle > 0 ? sin(half) : -sin(half), cos(half)};
  double along = fmax(edge[0] * u[0] + edge[1] * u[1], 0);
  out[0] = along * edge[0];
  out[1] = along * edge[1];
}

static void corners_reflect_as_moreau_says(void) {
  static const double degrees[] = {60, 90, 120, 150};
  for (int d = 0; d < 4; d++) {
    double half = degrees[d] * acos(-1) / 360;
    char text[400];
    snprintf(text, sizeof text,
             "parameter al = %.17g\ncoordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\n"
             "constraint right: -x*cos(al) + y*sin(al) >= 0, restitution 1\n"
             "constraint left: x*cos(al) + y*sin(al) >= 0, restitution 1\n"
             "start x = 0, y = 1, x' = 0, y' = 0\nrun 0..1\n",
             half);
    fixture f = make(text, 0);
    for (int k = 0; k < 40; k++) {
      double q[] = {0, 0}, turn = k * 0.157, u[] = {sin(turn), cos(turn)}, proj[2], after[2];
      double e = (k % 3) / 2.0;
      project_on_cone(half, u, proj);
      CHECK(hit(&f, q, u, e, after) == PW_SOLVED);
      for (int i = 0; i < 2; i++) {
        CHECK_NEAR(after[i], -e * u[i] + (1 + e) * proj[i], 1e-13);
      }
    }
    unmake(&f);
  }
}

/* ---- rough collisions: v+ = (I - (1 + mu) P) v- ---- */

static const char rough_ball[] =
    "parameter m = 2, r = 0.5, J = 0.2\ncoordinates x, y, z, a, b, c\n"
    "kinetic T = 1/2*m*(x'^2 + y'^2 + z'^2) + 1/2*J*(a'^2 + b'^2 + c'^2)\n"
    "constraint floor: z >= r, restitution 1\n"
    "friction grip: slip (x' - r*b', y' + r*a'), rough on floor, restitution 1\n"
    "start x = 0, y = 0, z = 1, a = 0, b = 0, c = 0, x' = 0, y' = 0, z' = 0, a' = 0, b' = 0, "
    "c' = 0\nrun 0..1\n";

/* Closed form: the slip v_C is turned by impulses at the contact; 1/m + r^2/J per direction. */
static void rough_formula(const double *u, double mu, double *after) {
  double m = 2, r = 0.5, J = 0.2, d = 1 / m + r * r / J;
  double px = -(1 + mu) * (u[0] - r * u[4]) / d, py = -(1 + mu) * (u[1] + r * u[3]) / d;
  after[0] = u[0] + px / m;
  after[1] = u[1] + py / m;
  after[2] = -mu * u[2];
  after[3] = u[3] + r * py / J;
  after[4] = u[4] - r * px / J;
  after[5] = u[5];
}

static void rough_balls_follow_the_formula(void) {
  fixture f = make(rough_ball, 0);
  double q[] = {0, 0, 0.5, 0, 0, 0}, want[6], after[6], twice[6];
  double known[] = {1, 2, -3, 4, -3, 6};
  double half[] = {-0.0714285714285714, 0.2857142857142857, 1.5,
                   -4.571428571428571,  2.357142857142857,  6};
  CHECK(hit(&f, q, known, 0.5, after) == PW_SOLVED);
  for (int i = 0; i < 6; i++) {
    CHECK_NEAR(after[i], half[i], 1e-12);
  }
  uint64_t seed = 1;
  for (int k = 0; k < 200; k++) {
    double u[6], mu = (k % 5) / 4.0;
    random_fill(u, 6, &seed);
    u[2] = -fabs(u[2]) - 0.01;
    rough_formula(u, mu, want);
    CHECK(hit(&f, q, u, mu, after) == PW_SOLVED);
    for (int i = 0; i < 6; i++) {
      CHECK_NEAR(after[i], want[i], 1e-13);
    }
    CHECK(!impact_of(&f)->adhesive);
    if (mu == 1) { /* R^2 = I, and the energy is kept */
      CHECK_NEAR(kinetic(&f, q, after), kinetic(&f, q, u), 1e-13);
      after[2] = u[2]; /* comes down again */
      CHECK(hit(&f, q, after, mu, twice) == PW_SOLVED);
      CHECK_NEAR(twice[0], u[0], 1e-13);
      CHECK_NEAR(twice[4], u[4], 1e-13);
    }
  }
  unmake(&f);
}

/* J = 1 and M full: the impulse is -(1 + e) M v, so the normal one is negative if M12 v_x is. */
static void rough_contacts_may_pull(void) {
  fixture f = make("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2) + 0.8*x'*y'\n"
                   "constraint floor: y >= 0, restitution 1\n"
                   "friction grip: slip x', rough on floor, restitution 1\n"
                   "start x = 0, y = 1, x' = 0, y' = 0\nrun 0..1\n",
                   0);
  double q[] = {0, 0}, after[2];
  double pulled[] = {3, -1}, pressed[] = {-3, -1};
  CHECK(hit(&f, q, pulled, 0.5, after) == PW_SOLVED);
  CHECK(impact_of(&f)->adhesive);
  CHECK_NEAR(after[0], -1.5, 1e-14);
  CHECK_NEAR(after[1], 0.5, 1e-14);
  CHECK(hit(&f, q, pressed, 0.5, after) == PW_SOLVED);
  CHECK(!impact_of(&f)->adhesive);
  CHECK_NEAR(after[0], 1.5, 1e-14);
  unmake(&f);
}

/* ---- random impacts ---- */

static void random_model(char *text, size_t size, uint64_t *seed, int n, int contacts,
                         int ratchets) {
  int at = snprintf(text, size, "coordinates q[1..%d]\nkinetic T = ", n);
  for (int k = 0; k < n + 1; k++) {
    at += snprintf(text + at, size - (size_t)at, "%s(0.1*q[%d]'", k > 0 ? " + " : "", k % n + 1);
    for (int i = 1; i <= n; i++) {
      at += snprintf(text + at, size - (size_t)at, " + (%.15g)*q[%d]'", random_real(seed), i);
    }
    at += snprintf(text + at, size - (size_t)at, ")^2 + 0.1*q[%d]'^2", k % n + 1);
  }
  for (int c = 0; c < contacts + ratchets; c++) {
    bool ratchet = c >= contacts;
    at += snprintf(text + at, size - (size_t)at, "\nconstraint c%d: 0", c);
    for (int i = 1; i <= n; i++) {
      at += snprintf(text + at, size - (size_t)at, " + (%.15g)*q[%d]%s", random_real(seed), i,
                     ratchet ? "'" : "");
    }
    double moves = random_real(seed);
    at += ratchet ? snprintf(text + at, size - (size_t)at, " >= 0")
                  : snprintf(text + at, size - (size_t)at, " + 1 + (%.15g)*t >= 0, restitution 1",
                             moves);
  }
  snprintf(text + at, size - (size_t)at, "\nstart q = 0, q' = 0\nrun 0..1\n");
}

/* theory C.2, frictionless and all rates <= 0 before:
 * change of T = -1/2 sum (1 - e) impulse |rate-| - sum impulse g_t */
static void energy_of_random_impacts(void) {
  uint64_t seed = 2;
  for (int trial = 0; trial < 150; trial++) {
    char text[4000];
    int n = 3 + trial % 2;
    random_model(text, sizeof text, &seed, n, 3, 0);
    fixture f = make(text, 0);
    for (int k = 0; k < 20; k++) {
      double q[4] = {0}, u[4], after[4], e = (k % 5) / 4.0;
      random_fill(u, n, &seed);
      CHECK(hit(&f, q, u, e, after) == PW_SOLVED);
      const pw_impact *p = impact_of(&f);
      const pw_frame *fr = &f.sim->contacts.now.frame;
      bool all_close = true;
      double want = 0, given = 0;
      for (int i = 0; i < 3; i++) {
        all_close = all_close && fr->rate[i] <= 0;
        want -= 0.5 * (1 - e) * p->impulse[i] * fabs(fr->rate[i]);
        want += p->work[i];
        given += p->energy[i] + p->work[i];
        CHECK(p->impulse[i] >= 0);
        CHECK(p->rate[i] + e * fr->rate[i] >= -1e-11);
        CHECK_NEAR(p->impulse[i] * (p->rate[i] + e * fr->rate[i]), 0, 1e-10);
      }
      double change = kinetic(&f, q, after) - kinetic(&f, q, u);
      CHECK_NEAR(change, given, 1e-11 * (1 + fabs(given)));
      if (all_close) {
        CHECK_NEAR(change, want, 1e-11 * (1 + fabs(want)));
      }
    }
    unmake(&f);
  }
}

/* L.20: the two-stage law of contacts and ratchets never gains energy. */
static void ratchets_gain_nothing(void) {
  uint64_t seed = 3;
  int projected = 0;
  for (int trial = 0; trial < 100; trial++) {
    char text[4000];
    int n = 3;
    random_model(text, sizeof text, &seed, n, 1, 2);
    char *moving; /* the wall stands still */
    while ((moving = strstr(text, ")*t >= 0")) != NULL) {
      memcpy(moving, ")*0 >= 0", 8);
    }
    fixture f = make(text, 0);
    for (int k = 0; k < 30; k++) {
      double q[3] = {0}, u[3], after[3], e = (k % 5) / 4.0;
      random_fill(u, n, &seed);
      CHECK(hit(&f, q, u, e, after) == PW_SOLVED);
      const pw_impact *p = impact_of(&f);
      const double *rate = f.sim->contacts.now.frame.rate;
      if (!(rate[0] < 0 && rate[1] >= 0 && rate[2] >= 0)) {
        continue; /* not reached by a motion */
      }
      projected += p->impulse[1] > 0 || p->impulse[2] > 0;
      CHECK(kinetic(&f, q, after) <= kinetic(&f, q, u) * (1 + 1e-12));
      for (int i = 0; i < 3; i++) {
        CHECK(p->rate[i] >= -1e-11);
      }
    }
    unmake(&f);
  }
  CHECK(projected > 50);
}

/* Rows that are not linear in the velocities: f(u+) >= 0, with the impulse along its gradient at
 * u+ (seen from after the contact's own impact). */
static void bent_ratchets_hold_after_impacts(void) {
  fixture f = make("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\n"
                   "constraint wall: x >= 0, restitution 1\n"
                   "constraint f: 2 - x' - 0.5*x'^2 - 0.25*y'^2 >= 0\n"
                   "start x = 1, y = 0, x' = -2.5, y' = 0.5\nrun 0..1\n",
                   1e-12);
  CHECK(advance(&f, 1) == PAWL_AT_EVENT);
  pawl_point p = point(&f);
  double vx = p.u[0], vy = p.u[1];
  CHECK_NEAR(2 - vx - 0.5 * vx * vx - 0.25 * vy * vy, 0, 1e-12);
  /* (2.5, 0.5) - (vx, vy) is along (1 + vx, vy/2) */
  CHECK_NEAR((2.5 - vx) * vy / 2 - (0.5 - vy) * (1 + vx), 0, 1e-11);
  CHECK_INT(pawl_sim_events(f.sim), 2);
  finish(&f);
  CHECK_NEAR(energy(&f).unexplained, 0, 1e-10);
  unmake(&f);
}

CHECK_MAIN({"cradles_follow_their_law", cradles_follow_their_law},
           {"corners_reflect_as_moreau_says", corners_reflect_as_moreau_says},
           {"rough_balls_follow_the_formula", rough_balls_follow_the_formula},
           {"rough_contacts_may_pull", rough_contacts_may_pull},
           {"energy_of_random_impacts", energy_of_random_impacts},
           {"ratchets_gain_nothing", ratchets_gain_nothing},
           {"bent_ratchets_hold_after_impacts", bent_ratchets_hold_after_impacts})
