// SPDX-License-Identifier: MIT
/* Gauss' principle at the start of a model given as text, for the tests of this folder. */
#ifndef PW_TESTS_STATIC_SUPPORT_H
#define PW_TESTS_STATIC_SUPPORT_H

#include <stdbool.h>
#include <stdlib.h>

#include "check.h"
#include "pawl/pawl.h"

typedef struct instant {
  pawl_diags *diags;
  pawl_model *model;
  pawl_system *system;
  pawl_gauss *gauss;
  pawl_status status; /* of pawl_gauss_new */
} instant;

static inline instant look_at(const char *text, const pawl_override *overrides, int n) {
  instant x = {0};
  pawl_system_opts opts = {.overrides = overrides, .n_override = n};
  pawl_gauss_opts gauss = {.past = 1, .variations = 1000};
  CHECK(pawl_diags_new(&x.diags) == PAWL_OK);
  x.status = pawl_model_parse(text, strlen(text), NULL, x.diags, &x.model);
  if (x.status == PAWL_OK) {
    x.status = pawl_system_new(x.model, &opts, x.diags, &x.system);
  }
  if (!CHECK(x.status == PAWL_OK)) {
    for (int i = 0; i < pawl_diags_count(x.diags); i++) {
      printf("  %s: %s\n", pawl_diags_get(x.diags, i)->code, pawl_diags_get(x.diags, i)->message);
    }
    exit(1);
  }
  x.status = pawl_gauss_new(x.system, &gauss, x.diags, &x.gauss);
  return x;
}

static inline void forget(instant *x) {
  pawl_gauss_free(x->gauss);
  pawl_system_free(x->system);
  pawl_model_free(x->model);
  pawl_diags_free(x->diags);
}

static inline double accel(const instant *x, pawl_when when, int solution, int i) {
  const double *a = pawl_gauss_accelerations(x->gauss, when, solution);
  return a == NULL ? NAN : a[i];
}

static inline double force(const instant *x, int solution, int law) {
  return pawl_gauss_force_get(x->gauss, PAWL_RIGHT, solution, law).force;
}

static inline int count(const instant *x, pawl_when when) {
  return pawl_gauss_get(x->gauss, when).count;
}

/* Each set contains the next and the third the force, (6.2); empty ones are in all. */
static inline void check_chain(const instant *x) {
  for (int law = 0; law < pawl_system_laws(x->system); law++) {
    for (int k = 0; k < count(x, PAWL_RIGHT); k++) {
      pawl_interval v = pawl_gauss_set(x->gauss, k, law, PAWL_DISPLACEMENT);
      pawl_interval p = pawl_gauss_set(x->gauss, k, law, PAWL_VELOCITY);
      pawl_interval s = pawl_gauss_set(x->gauss, k, law, PAWL_ACCELERATION);
      double f = force(x, k, law), room = 1e-9 * (1 + fabs(f));
      CHECK(v.lo <= p.lo + room && p.hi <= v.hi + room);
      CHECK(p.lo <= s.lo + room && s.hi <= p.hi + room);
      CHECK(s.lo <= f + room && f <= s.hi + room);
    }
  }
}

static inline void check_principles(const instant *x) {
  for (int level = 0; level < 3; level++) {
    if (!CHECK(pawl_gauss_principle(x->gauss, (pawl_level)level) <= 1e-12)) {
      printf("  level %d: %g\n", level, pawl_gauss_principle(x->gauss, (pawl_level)level));
    }
  }
}

#endif
