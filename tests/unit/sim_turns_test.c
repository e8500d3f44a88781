// SPDX-License-Identifier: MIT
/* `method auto`: events and steps take turns for the same contacts. */
#include "sim_support.h"

/* Disks in a column, and one that flies past it. */
static const char column[] =
    "parameter N = 3, r = 0.1, m = 0.5, g = 9.81\n"
    "coordinates x[1..N], y[1..N], ph[1..N]\n"
    "kinetic T = sum(i in 1..N: 1/2*m*(x[i]'^2 + y[i]'^2) + 1/4*m*r^2*ph[i]'^2)\n"
    "potential V = sum(i in 1..N: m*g*y[i])\n"
    "shape d[i in 1..N]: disk (x[i], y[i]), radius r, angle ph[i]\n"
    "shape ground: plane (0, 0), (0, 1)\n"
    "contact pile: d, ground, restitution 0.3, mu 0.4\n"
    "start y[i in 1..N] = 0.1 + 0.25*i\n"
    "event low: y[3] = 0.7\n"
    "run 0..1, method auto\n";

static fixture make_auto(void) {
  fixture f = make_with(column, &(pawl_sim_opts){.method = PAWL_METHOD_BY_SIZE});
  CHECK_INT(f.status, PAWL_OK);
  return f;
}

static void to_end(fixture *f) {
  pawl_stop why = PAWL_AT_EVENT;
  while (why != PAWL_AT_END) {
    why = advance(f, 1);
  }
}

static void the_motion_goes_to_steps_and_back(void) {
  fixture f = make_auto();
  CHECK_INT(pawl_sim_parts(f.sim), 1);
  to_end(&f);
  int n = pawl_sim_parts(f.sim);
  CHECK_INT(n, 3);
  double last = 0;
  for (int i = 0; i < n; i++) {
    pawl_part part = pawl_sim_part(f.sim, i);
    CHECK_INT(part.method, i % 2 == 0 ? PAWL_METHOD_AUTO : PAWL_METHOD_MOREAU);
    CHECK(part.from == last && part.to > part.from);
    last = part.to;
  }
  CHECK(last == 1);
  CHECK(isnan(pawl_sim_part(f.sim, n).from) && isnan(pawl_sim_part(f.sim, -1).to));
  CHECK_INT(pawl_sim_statistics(f.sim).method, PAWL_METHOD_BY_SIZE);

  /* events have put the column right, and the ledger balances */
  for (int i = 0; i < 3; i++) {
    CHECK_NEAR(point(&f).q[3 + i], 0.1 + 0.2 * i, 1e-13);
  }
  CHECK_NEAR(energy(&f).unexplained, 0, 1e-10);
  unmake(&f);
}

/* Saved in each of the parts. */
static void a_restored_motion_goes_on_to_the_same_bits(void) {
  static const double cut[] = {0.1, 0.28, 0.6};
  for (size_t k = 0; k < sizeof cut / sizeof *cut; k++) {
    fixture f = make_auto(), g = make_auto();
    pawl_stop why = PAWL_AT_EVENT;
    while (why != PAWL_AT_TARGET) {
      why = advance(&f, cut[k]);
    }
    unsigned long size = pawl_sim_save_size(f.sim);
    void *memory = malloc(size);
    CHECK_INT(pawl_sim_save(f.sim, memory, size), PAWL_OK);
    to_end(&f);
    to_end(&g);
    CHECK_INT(pawl_sim_restore(g.sim, memory, size), PAWL_OK);
    to_end(&g);
    CHECK(memcmp(point(&f).q, point(&g).q, 9 * sizeof(double)) == 0);
    CHECK_INT(pawl_sim_statistics(f.sim).steps, pawl_sim_statistics(g.sim).steps);
    CHECK_INT(pawl_sim_parts(f.sim), pawl_sim_parts(g.sim));
    free(memory);
    unmake(&f);
    unmake(&g);
  }
}

/* A second motion of the same simulation begins with events again. */
static void a_new_start_begins_with_events(void) {
  fixture f = make_auto();
  to_end(&f);
  double q[9], u[9] = {0};
  memcpy(q, point(&f).q, sizeof q);
  q[5] += 0.1;
  CHECK_INT(pawl_sim_start(f.sim, 0, q, u, f.diags), PAWL_OK);
  CHECK_INT(pawl_sim_parts(f.sim), 1);
  CHECK_INT(pawl_sim_part(f.sim, 0).method, PAWL_METHOD_AUTO);
  to_end(&f);
  CHECK_NEAR(point(&f).q[5], 0.5, 1e-9);
  unmake(&f);
}

/* Parts of the motion of two disks that bounce without loss, in times near this one: 24 impacts
 * come in twelve of them. A step of a pile is 1 ms. */
static int parts_of_bounces(double period) {
  char text[600];
  double height = 9.81 * period * period / 8;
  snprintf(text, sizeof text,
           "coordinates x[1..2], y[1..2], ph[1..2]\n"
           "kinetic T = sum(i in 1..2: x[i]'^2 + y[i]'^2 + ph[i]'^2)\n"
           "potential V = sum(i in 1..2: 2*9.81*y[i])\n"
           "shape d[i in 1..2]: disk (x[i], y[i]), radius 0.1, angle ph[i]\n"
           "shape ground: plane (0, 0), (0, 1)\n"
           "contact pile: d, ground, restitution 1\n"
           "start x[2] = 1, y[1] = 0.1 + %.17g, y[2] = 0.1 + %.17g\n"
           "run 0..0.1, method auto\n",
           height, 1.1 * height);
  fixture f = make_with(text, &(pawl_sim_opts){.method = PAWL_METHOD_BY_SIZE, .step = 1e-3});
  CHECK_INT(f.status, PAWL_OK);
  to_end(&f);
  int n = pawl_sim_parts(f.sim);
  unmake(&f);
  return n;
}

static void steps_take_over_where_impacts_are_many(void) {
  CHECK_INT(parts_of_bounces(4e-3), 1); /* 48 steps for them */
  CHECK(parts_of_bounces(4e-4) > 1);    /* 5 steps */
}

CHECK_MAIN({"steps_take_over_where_impacts_are_many", steps_take_over_where_impacts_are_many},
           {"the_motion_goes_to_steps_and_back", the_motion_goes_to_steps_and_back},
           {"a_restored_motion_goes_on_to_the_same_bits",
            a_restored_motion_goes_on_to_the_same_bits},
           {"a_new_start_begins_with_events", a_new_start_begins_with_events})
