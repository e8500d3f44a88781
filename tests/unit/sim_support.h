// SPDX-License-Identifier: MIT
/* A simulation from a text, for the tests of this folder. */
#ifndef PW_TESTS_SIM_SUPPORT_H
#define PW_TESTS_SIM_SUPPORT_H

#include <stdlib.h>

#include "check.h"
#include "pawl/diag.h"
#include "pawl/model.h"
#include "pawl/sim.h"
#include "pawl/system.h"

typedef struct fixture {
  pawl_diags *diags;
  pawl_model *model;
  pawl_system *system;
  pawl_sim *sim;
  pawl_status status;
} fixture;

static inline void show_diags(const fixture *f) {
  for (int i = 0; i < pawl_diags_count(f->diags); i++) {
    const pawl_diag *d = pawl_diags_get(f->diags, i);
    printf("  %s: %s\n", d->code, d->message);
  }
}

/* f.status is that of pawl_sim_new. */
static inline fixture make_with(const char *text, const pawl_sim_opts *opts) {
  fixture f = {0};
  CHECK(pawl_diags_new(&f.diags) == PAWL_OK);
  f.status = pawl_model_parse(text, strlen(text), NULL, f.diags, &f.model);
  if (f.status == PAWL_OK) {
    f.status = pawl_system_new(f.model, NULL, f.diags, &f.system);
  }
  if (!CHECK(f.status == PAWL_OK)) {
    show_diags(&f);
    exit(1);
  }
  f.status = pawl_sim_new(f.system, opts, f.diags, &f.sim);
  return f;
}

static inline fixture make(const char *text, double tol) {
  fixture f = make_with(text, &(pawl_sim_opts){.tol = tol});
  if (!CHECK(f.status == PAWL_OK)) {
    show_diags(&f);
    exit(1);
  }
  return f;
}

static inline void unmake(fixture *f) {
  pawl_sim_free(f->sim);
  pawl_system_free(f->system);
  pawl_model_free(f->model);
  pawl_diags_free(f->diags);
}

static inline pawl_stop advance(fixture *f, double target) {
  pawl_stop why = PAWL_AT_TARGET;
  f->status = pawl_sim_advance(f->sim, target, f->diags, &why);
  if (!CHECK(f->status == PAWL_OK)) {
    show_diags(f);
    exit(1);
  }
  return why;
}

static inline pawl_point point(const fixture *f) {
  pawl_point p;
  CHECK(pawl_sim_point(f->sim, PAWL_AFTER, &p) == PAWL_OK);
  return p;
}

/* Goes to the end; returns the number of instants with events. */
static inline long finish(fixture *f) {
  long n = 0;
  for (pawl_stop why; (why = advance(f, HUGE_VAL)) != PAWL_AT_END;) {
    n++;
  }
  return n;
}

static inline pawl_energy energy(const fixture *f) {
  pawl_energy e;
  CHECK(pawl_sim_energy(f->sim, &e, NULL) == PAWL_OK);
  return e;
}

static inline const char *last_code(const fixture *f) {
  int n = pawl_diags_count(f->diags);
  return n > 0 ? pawl_diags_get(f->diags, n - 1)->code : "";
}

#endif
