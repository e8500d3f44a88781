// SPDX-License-Identifier: MIT
/* Solutions of a boundary value problem, behind pawl_bvp. */
#ifndef PW_BVP_BVP_H
#define PW_BVP_BVP_H

#include "bvp/collocate.h"
#include "bvp/search.h"

typedef struct pw_solution {
  pawl_bvp_solution show;
  double *numbers; /* start and end states, times */
  char (*text)[PW_MAX_LABEL];
  const char **labels; /* of the bounces, then of the contacts */
} pw_solution;

struct pawl_bvp {
  const pawl_system *system;
  pawl_bvp_opts opts;
  pw_shoot shoot;
  double *memory;
  pw_solution *items;
  int n, cap;
  int freedom;
  bool complete;
};

#endif
