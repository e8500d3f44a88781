// SPDX-License-Identifier: MIT
/* Motions with contacts: energy books, events and flags, saving, redundant contacts, failures. */
#include "alloc_wrap.h"
#include "sim/sim_state.h"
#include "sim_support.h"

/* ---- books ---- */

static const char *const moving[] = {
    /* an elastic and a lossy ball on a vibrating table */
    "coordinates y\nkinetic T = 1/2*y'^2\npotential V = 9.81*y\n"
    "constraint table: y >= 0.02*sin(20*t), restitution 1\nstart y = 1, y' = 0\nrun 0..4\n",
    "coordinates y\nkinetic T = 1/2*y'^2\npotential V = 9.81*y\n"
    "constraint table: y >= 0.01*sin(20*t), restitution 0.6\nstart y = 1, y' = 0\nrun 0..6\n",
    /* thrown off and caught again by a table that falls faster than g */
    "coordinates y\nkinetic T = 1/2*y'^2\npotential V = 9.81*y\n"
    "constraint table: y >= 0.1*sin(12*t), restitution 0\nstart y = 0.05, y' = 0\nrun 0..4\n",
    /* a ratchet that drives, and a contact */
    "coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2) + 0.3*x'*y'\npotential V = 9.81*y\n"
    "constraint belt: x' >= 0.5*cos(3*t)\nconstraint floor: y >= 0.1*x, restitution 0.5\n"
    "start x = 0, y = 1, x' = 1, y' = 0\nrun 0..4\n"};

static void the_books_balance(void) {
  for (size_t k = 0; k < sizeof moving / sizeof *moving; k++) {
    fixture f = make(moving[k], 1e-11);
    CHECK(finish(&f) > 3);
    pawl_energy e = energy(&f);
    CHECK_NEAR(e.unexplained / e.scale, 0, 2e-9);
    unmake(&f);
  }
}

/* L.10: H+ - H- = wall speed * impulse. */
static void moving_walls_do_work(void) {
  fixture f = make("coordinates x\nkinetic T = 1/2*x'^2\n"
                   "constraint wall: x >= 0.5*t, restitution 1\nstart x = 2, x' = -1\nrun 0..2\n",
                   1e-12);
  CHECK(advance(&f, 2) == PAWL_AT_EVENT);
  pawl_event e = pawl_sim_event(f.sim, 0);
  pawl_energy now = energy(&f);
  CHECK_NEAR(e.t, 4.0 / 3, 1e-14);
  CHECK_NEAR(e.impulse[0], 3, 1e-14);
  CHECK_NEAR(e.dE, 0, 1e-14);
  CHECK_NEAR(now.kinetic - now.start, 0.5 * 3, 1e-13);
  CHECK_NEAR(now.unexplained, 0, 1e-13);
  unmake(&f);
}

/* ---- events ---- */

static void three_balls_are_ambiguous(void) {
  const char *text = "coordinates x1, x2, x3\nkinetic T = 1/2*(x1'^2 + x2'^2 + x3'^2)\n"
                     "constraint a: x2 - x1 >= 1, restitution 1\n"
                     "constraint b: x3 - x2 >= 1, restitution 1\n"
                     "start x1 = -1, x2 = 1, x3 = 2, x1' = 1, x2' = 0, x3' = 0\nrun 0..2\n";
  for (int sequential = 0; sequential < 2; sequential++) {
    fixture f =
        make_with(text, &(pawl_sim_opts){.impacts = sequential != 0 ? PAWL_IMPACTS_SEQUENTIAL
                                                                    : PAWL_IMPACTS_AUTO});
    CHECK(f.status == PAWL_OK);
    CHECK(advance(&f, 2) == PAWL_AT_EVENT);
    CHECK_INT(pawl_sim_events(f.sim), 2);
    CHECK_STR(pawl_sim_event(f.sim, 0).flag, "AMBIGUOUS");
    CHECK(pawl_sim_event(f.sim, 0).cluster == pawl_sim_event(f.sim, 1).cluster);
    double sum = pawl_sim_event(f.sim, 0).dE + pawl_sim_event(f.sim, 1).dE;
    CHECK_NEAR(sum, 0, 1e-14);
    CHECK_NEAR(point(&f).u[2], sequential != 0 ? 1 : 2.0 / 3, 1e-14);
    unmake(&f);
  }
}

/* Contacts that do not feel each other are not. */
static void separate_contacts_are_not(void) {
  fixture f = make("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\n"
                   "constraint a: x >= 0, restitution 0.5\nconstraint b: y >= 0, restitution 1\n"
                   "start x = 1, y = 1, x' = -1, y' = -1\nrun 0..2\n",
                   0);
  CHECK(advance(&f, 2) == PAWL_AT_EVENT);
  CHECK_INT(pawl_sim_events(f.sim), 2);
  CHECK(pawl_sim_event(f.sim, 0).flag == NULL);
  CHECK_NEAR(point(&f).u[0], 0.5, 1e-14);
  CHECK_NEAR(point(&f).u[1], 1, 1e-14);
  unmake(&f);
}

/* C26: at rest nothing happens any more. */
static void rest_stays_rest(void) {
  fixture f = make("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\npotential V = 9.81*y\n"
                   "constraint floor: y >= 0.2*x^2, restitution 0.4\n"
                   "start x = 0, y = 1, x' = 0, y' = 0\nrun 0..100\n",
                   1e-9);
  const char *last = "";
  while (advance(&f, HUGE_VAL) != PAWL_AT_END) {
    last = pawl_sim_event(f.sim, 0).kind;
  }
  CHECK_STR(last, "rest");
  CHECK_NEAR(point(&f).q[1], 0, 1e-13);
  CHECK_NEAR(point(&f).force[0], 9.81, 1e-12);
  unmake(&f);
}

/* ---- dependent contacts ---- */

/* L.7; one gap is scaled, which must change nothing but its own force. */
static void tables_stand_on_the_least_forces(void) {
  static const double want[] = {5.03, 4.93, 4.88, 4.78};
  for (int scaled = 0; scaled < 2; scaled++) {
    char text[800];
    double s = scaled != 0 ? 10 : 1;
    snprintf(text, sizeof text,
             "coordinates z, a, b\nkinetic T = z'^2 + 0.25*a'^2 + 0.35*b'^2\n"
             "potential V = 2*9.81*z\nforce a: -0.3\nforce b: -0.2\n"
             "constraint l1: z + a + b >= 0, restitution 0\n"
             "constraint l2: %g*(z + a - b) >= 0, restitution 0\n"
             "constraint l3: z - a + b >= 0, restitution 0\n"
             "constraint l4: z - a - b >= 0, restitution 0\n"
             "start z = 0, a = 0, b = 0, z' = 0, a' = 0, b' = 0\nrun 0..2\n",
             s);
    fixture f = make(text, 1e-10);
    CHECK_INT(finish(&f), 0);
    pawl_point p = point(&f);
    /* sums of pairs are fixed by the motion; the least forces have no part along (1,-1,-1,1) */
    double least[] = {4.905 + 0.075 + 0.05, 4.905 + 0.075 - 0.05, 4.905 - 0.075 + 0.05,
                      4.905 - 0.075 - 0.05};
    for (int i = 0; i < 4; i++) {
      CHECK_NEAR(p.force[i] * (i == 1 ? s : 1), least[i], 1e-9);
      CHECK_NEAR(least[i], want[i], 1e-9);
      CHECK(!pawl_sim_force_unique(f.sim, i));
    }
    unmake(&f);
  }
}

/* Dropped on all four legs in turn it comes to rest, and is tilted up again by a torque. */
static void tables_rest_and_tip(void) {
  fixture f = make("coordinates z, a, b\nkinetic T = z'^2 + 0.25*a'^2 + 0.35*b'^2\n"
                   "potential V = 2*9.81*z\nforce a: 8*t\n"
                   "constraint l1: z + a + b >= 0, restitution 0.3\n"
                   "constraint l2: z + a - b >= 0, restitution 0.3\n"
                   "constraint l3: z - a + b >= 0, restitution 0.3\n"
                   "constraint l4: z - a - b >= 0, restitution 0.3\n"
                   "start z = 0.3, a = 0.05, b = 0.1, z' = 0, a' = 0, b' = 0\nrun 0..3\n",
                   1e-9);
  double tips = 0;
  while (advance(&f, HUGE_VAL) != PAWL_AT_END) {
    for (int i = 0; i < pawl_sim_events(f.sim); i++) {
      pawl_event e = pawl_sim_event(f.sim, i);
      tips = strcmp(e.kind, "liftoff") == 0 && tips == 0 && e.t > 2 ? e.t : tips;
    }
  }
  CHECK_NEAR(tips, 2 * 9.81 / 8, 1e-6); /* the torque reaches m g times the half width */
  CHECK_NEAR(energy(&f).unexplained, 0, 1e-7);
  unmake(&f);
}

/* ---- saving ---- */

static const char busy[] =
    "parameter R = 0.1\ncoordinates x, y, ph, w\n"
    "kinetic T = 1/2*(x'^2 + y'^2) + 0.004*ph'^2 + 1/2*w'^2\npotential V = 9.81*y + 3*w^2\n"
    "constraint floor: y >= R + 0.05*sin(x), restitution 0.6\n"
    "friction grip: slip x' + R*ph', rough on floor, restitution 0.5\n"
    "constraint roof: y <= 1.5, restitution 1\nconstraint ratchet: w' + 0.3*x' >= -0.2\n"
    "start x = 0, y = 1, ph = 0, w = 0.5, x' = 0.7, y' = 3, ph' = 0, w' = 0\n"
    "event tick: every 0.37\noutput p = impulse(floor), E = energy.lost\nrun 0..6\n";

enum { ROOM = 6000 };
typedef struct record {
  double v[ROOM];
  int n;
} record;

static void note(record *r, fixture *f, pawl_stop why) {
  pawl_point p = point(f);
  double v[] = {(double)why,
                p.t,
                p.q[0],
                p.q[1],
                p.q[2],
                p.q[3],
                p.u[0],
                p.u[1],
                p.u[3],
                p.force[0],
                p.output[0],
                p.output[1],
                (double)pawl_sim_events(f->sim)};
  for (size_t i = 0; i < sizeof v / sizeof *v && r->n < ROOM; i++) {
    r->v[r->n++] = v[i];
  }
}

static void go(fixture *f, record *r, int strides) {
  for (int i = 0; strides < 0 || i < strides; i++) {
    double t = point(f).t;
    pawl_stop why = advance(f, floor(t / 0.17 + 1.000001) * 0.17);
    note(r, f, why);
    if (why == PAWL_AT_END) {
      return;
    }
  }
}

static void restored_contacts_repeat_every_bit(void) {
  for (int cut = 0; cut < 100; cut += 9) {
    static record whole, rest;
    whole.n = rest.n = 0;
    fixture f = make(busy, 1e-9), g = make(busy, 1e-9);
    go(&f, &whole, cut);
    int kept = whole.n;
    unsigned long size = pawl_sim_save_size(f.sim);
    void *memory = malloc(size);
    CHECK(pawl_sim_save(f.sim, memory, size) == PAWL_OK);
    go(&f, &whole, -1);
    CHECK(pawl_sim_restore(g.sim, memory, size) == PAWL_OK);
    go(&g, &rest, -1);
    CHECK_INT(whole.n - kept, rest.n);
    CHECK(memcmp(whole.v + kept, rest.v, (size_t)rest.n * sizeof *rest.v) == 0);
    free(memory);
    unmake(&f);
    unmake(&g);
  }
}

static void contacts_allocate_nothing(void) {
  static record r;
  r.n = 0;
  fixture f = make(busy, 1e-9);
  long before = alloc_calls();
  go(&f, &r, -1);
  CHECK_INT(alloc_calls() - before, 0);
  CHECK(pawl_sim_statistics(f.sim).events > 30);
  unmake(&f);
}

/* ---- what cannot go on ---- */

static void stops_with(const char *text, const char *code, double t) {
  fixture f = make_with(text, NULL);
  pawl_stop why = PAWL_AT_TARGET;
  while (f.status == PAWL_OK && why != PAWL_AT_END) {
    f.status = pawl_sim_advance(f.sim, HUGE_VAL, f.diags, &why);
  }
  CHECK(f.status != PAWL_OK);
  CHECK_STR(last_code(&f), code);
  CHECK_NEAR(f.sim->stepper.t, t, 1e-6);
  pawl_diag d = *pawl_diags_get(f.diags, pawl_diags_count(f.diags) - 1);
  if (!CHECK(strstr(d.message, "`late") != NULL)) {
    show_diags(&f);
  }
  unmake(&f);
}

static void failures_name_the_law(void) {
  /* two walls close on a particle */
  stops_with("coordinates x\nkinetic T = 1/2*x'^2\nconstraint late1: x >= t, restitution 0\n"
             "constraint late2: x <= 2 - t, restitution 0\nstart x = 0.5, x' = 0\nrun 0..3\n",
             "E0503", 1);
  /* the same with infinitely many impacts before they meet */
  stops_with("coordinates x\nkinetic T = 1/2*x'^2\nconstraint late1: x >= t, restitution 0.5\n"
             "constraint late2: x <= 2 - t, restitution 0.5\nstart x = 1, x' = 0.5\nrun 0..3\n",
             "E0503", 1);
  /* a cone has no direction at its tip */
  stops_with("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\n"
             "constraint late: (1 - x)^3 >= 0, restitution 1\n"
             "start x = 0, y = 0, x' = 1, y' = 0\nrun 0..3\n",
             "E0504", 1);
}

CHECK_MAIN({"the_books_balance", the_books_balance}, {"moving_walls_do_work", moving_walls_do_work},
           {"three_balls_are_ambiguous", three_balls_are_ambiguous},
           {"separate_contacts_are_not", separate_contacts_are_not},
           {"rest_stays_rest", rest_stays_rest},
           {"tables_stand_on_the_least_forces", tables_stand_on_the_least_forces},
           {"tables_rest_and_tip", tables_rest_and_tip},
           {"restored_contacts_repeat_every_bit", restored_contacts_repeat_every_bit},
           {"contacts_allocate_nothing", contacts_allocate_nothing},
           {"failures_name_the_law", failures_name_the_law})
