// SPDX-License-Identifier: MIT
/* Saved simulations go on to the same bits; advancing allocates nothing; failing allocations. */
#include "alloc_wrap.h"
#include "sim_support.h"

static const char model[] =
    "parameter k = 3\ncoordinates x, y, w\nkinetic T = 1/2*(x'^2 + y'^2) + 1/2*w'^2\n"
    "potential V = 9.81*y + k/2*w^2 + 0.1*abs(w)\nconstraint rod: x^2 + y^2 = 1\n"
    "dissipation D = 0.01*x'^2\nstart x = 1, y = 0, x' = 0, y' = 0, w = 0.5, w' = 0\n"
    "event low: x = 0\nevent tick: every 0.37\nevent w0: w = 0.1, rising\n"
    "output E = energy.lost + action\nrun 0..8\n";

typedef struct record {
  double v[4000];
  int n;
} record;

static void note(record *r, fixture *f, pawl_stop why) {
  pawl_point p = point(f);
  pawl_energy e = energy(f);
  double v[] = {(double)why, p.t,         p.q[0],        p.q[1],
                p.q[2],      p.u[0],      p.u[1],        p.u[2],
                p.force[0],  p.output[0], e.unexplained, (double)pawl_sim_events(f->sim)};
  for (size_t i = 0; i < sizeof v / sizeof *v && r->n < 4000; i++) {
    r->v[r->n++] = v[i];
  }
}

/* Goes on in strides until the end. */
static void go(fixture *f, record *r, int strides) {
  for (int i = 0; strides < 0 || i < strides; i++) {
    double t = point(f).t;
    pawl_stop why = advance(f, floor(t / 0.11 + 1.000001) * 0.11);
    note(r, f, why);
    if (why == PAWL_AT_END) {
      return;
    }
  }
}

static void restored_runs_repeat_every_bit(void) {
  for (int k = 0; k < 2; k++) {
    double tol = k == 0 ? 1e-8 : 1e-12;
    for (int cut = 0; cut < 60; cut += 7) {
      static record whole, rest;
      whole.n = rest.n = 0;
      fixture f = make(model, tol), g = make(model, tol);
      go(&f, &whole, cut);
      int kept = whole.n;
      unsigned long size = pawl_sim_save_size(f.sim);
      void *memory = malloc(size);
      CHECK(pawl_sim_save(f.sim, memory, size) == PAWL_OK);
      go(&f, &whole, -1);
      go(&g, &rest, 11); /* somewhere else */
      rest.n = 0;
      CHECK(pawl_sim_restore(g.sim, memory, size) == PAWL_OK);
      go(&g, &rest, -1);
      CHECK(kept + rest.n == whole.n && rest.n > 100);
      CHECK(memcmp(whole.v + kept, rest.v, (size_t)rest.n * sizeof(double)) == 0);
      pawl_sim_stats a = pawl_sim_statistics(f.sim), b = pawl_sim_statistics(g.sim);
      CHECK(a.steps == b.steps && a.evaluations == b.evaluations && a.events == b.events);
      free(memory);
      unmake(&f);
      unmake(&g);
    }
  }
}

static void foreign_data_is_refused(void) {
  fixture f = make(model, 1e-8), g = make(model, 1e-9);
  fixture h = make("coordinates x\nkinetic T = 1/2*x'^2\nstart x = 1, x' = 1\nrun 0..8\n", 1e-8);
  unsigned long size = pawl_sim_save_size(f.sim);
  unsigned char *memory = malloc(size);
  CHECK(pawl_sim_save(f.sim, memory, size - 1) == PAWL_E_ARGUMENT);
  CHECK(pawl_sim_save(f.sim, memory, size) == PAWL_OK);
  CHECK(pawl_sim_restore(g.sim, memory, size) == PAWL_E_STATE);
  CHECK(pawl_sim_restore(h.sim, memory, size) == PAWL_E_STATE);
  CHECK(pawl_sim_restore(f.sim, memory, size - 8) == PAWL_E_STATE);
  CHECK(pawl_sim_restore(f.sim, memory, 3) == PAWL_E_STATE);
  for (unsigned long k = 40; k < size; k += size / 7) { /* a byte that has changed */
    memory[k] ^= 1;
    CHECK(pawl_sim_restore(f.sim, memory, size) == PAWL_E_STATE);
    memory[k] ^= 1;
  }
  CHECK(pawl_sim_restore(f.sim, memory, size) == PAWL_OK);
  memory[0] = 'x';
  CHECK(pawl_sim_restore(f.sim, memory, size) == PAWL_E_STATE);
  free(memory);
  unmake(&f);
  unmake(&g);
  unmake(&h);
}

static void advancing_allocates_nothing(void) {
  for (int k = 0; k < 2; k++) {
    static record r;
    r.n = 0;
    fixture f = make(model, k == 0 ? 1e-8 : 1e-12);
    long before = alloc_calls();
    go(&f, &r, -1);
    CHECK_INT(alloc_calls() - before, 0);
    CHECK(pawl_sim_statistics(f.sim).steps > 50);
    unmake(&f);
  }
}

static void try_new(void *payload) {
  fixture *f = payload;
  pawl_sim *sim = NULL;
  pawl_status status = pawl_sim_new(f->system, NULL, NULL, &sim);
  CHECK(status == PAWL_OK || (status == PAWL_E_MEMORY && sim == NULL));
  pawl_sim_free(sim);
}

static void memory_may_run_out(void) {
  fixture f = make(model, 0);
  CHECK(alloc_sweep(try_new, &f) == 4); /* the simulation, its mechanics, implicit steps */
  unmake(&f);
}

CHECK_MAIN({"restored_runs_repeat_every_bit", restored_runs_repeat_every_bit},
           {"foreign_data_is_refused", foreign_data_is_refused},
           {"advancing_allocates_nothing", advancing_allocates_nothing},
           {"memory_may_run_out", memory_may_run_out})
