// SPDX-License-Identifier: MIT
/* Solutions of a boundary value problem, the implementation of pawl_bvp. */
#ifndef PW_BVP_BVP_H
#define PW_BVP_BVP_H

#include "bvp/direct.h"
#include "bvp/search.h"

enum { PW_MAX_SOLUTIONS = 1000, PW_MAX_SEGMENTS = 64 };

typedef struct pw_solution {
  pawl_bvp_solution show;
  double *numbers; /* start and end states, times */
  char (*text)[PW_MAX_LABEL];
  const char **labels; /* of the bounces */
  pawl_bvp_segment *segments;
  pawl_bvp_level *levels;
  char *certificate; /* as JSON; NULL: it was not made */
  double still;      /* its condition, see pw_conditions */
} pw_solution;

struct pawl_bvp {
  const pawl_system *system;
  pawl_bvp_opts opts;
  pw_shoot shoot;
  pw_shoot_tally tally;
  void *memory; /* arrays of shoot */
  pw_solution *items;
  int n, cap;
  int freedom;
  bool complete;
  bool isolated; /* no solution is one of a family */
  bool overflow; /* there were more than there is room for */
  bool ends_on;  /* too many contacts: a sweep may miss some solutions */
};

/* The motion with the start s under the conditions of x, if it is wanted and not there already. */
PAWL_NODISCARD pawl_status pw_solutions_add(pawl_bvp *b, pw_shoot *x, const double *s);
/* Judges the motion from its start as it is kept. */
PAWL_NODISCARD pawl_status pw_solution_certify(const pawl_bvp *b, pw_solution *sol);
void pw_solutions_sort(pawl_bvp *b);
void pw_solution_free(pw_solution *s);

#endif
