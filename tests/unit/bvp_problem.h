// SPDX-License-Identifier: MIT
/* A boundary value problem from text to solution. */
#ifndef BVP_PROBLEM_H
#define BVP_PROBLEM_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "pawl/pawl.h"

typedef struct problem {
  pawl_model *model;
  pawl_system *system;
  pawl_diags *diags;
  pawl_bvp *bvp;
  pawl_status status;
} problem;

static inline problem solve(const char *text, const pawl_bvp_opts *opts) {
  problem x = {.status = PAWL_OK};
  CHECK(pawl_diags_new(&x.diags) == PAWL_OK);
  x.status = pawl_model_parse(text, strlen(text), NULL, x.diags, &x.model);
  if (x.status == PAWL_OK) {
    x.status = pawl_system_new(x.model, NULL, x.diags, &x.system);
  }
  if (x.status == PAWL_OK) {
    x.status = pawl_bvp_new(x.system, opts, x.diags, &x.bvp);
  }
  return x;
}

/* With at most so many impacts; the search must succeed. */
static inline problem solve_most(const char *text, int most) {
  problem x = solve(text, &(pawl_bvp_opts){.use_bounces = 1, .most = most});
  CHECK_INT(x.status, PAWL_OK);
  return x;
}

/* Solutions whose first n start velocities are these. */
static inline int count_starts(const problem *x, const double *u, int n, double within) {
  int found = 0;
  for (int i = 0; i < pawl_bvp_count(x->bvp); i++) {
    double far = 0;
    for (int k = 0; k < n; k++) {
      far = fmax(far, fabs(pawl_bvp_get(x->bvp, i).u_start[k] - u[k]));
    }
    found += far < within;
  }
  return found;
}

static inline void forget(problem *x) {
  pawl_bvp_free(x->bvp);
  pawl_system_free(x->system);
  pawl_model_free(x->model);
  pawl_diags_free(x->diags);
}

#endif
