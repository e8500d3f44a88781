// SPDX-License-Identifier: MIT
/* The peer of the friction benchmark: Siconos' numerics, if it was there when the benchmarks were
 * built. Each run is a process of its own with a limit: some solvers abort or never end. */
#ifndef PW_BENCH_FCLIB_SICONOS_H
#define PW_BENCH_FCLIB_SICONOS_H

#include "fclib_read.h"

typedef enum fclib_method { FCLIB_NSGS, FCLIB_PROX } fclib_method;

typedef struct fclib_peer {
  bool ended;   /* before the limit, without abort */
  bool claimed; /* it says that it solved the problem */
  double seconds;
} fclib_peer;

/* r (3 nc): its force, if it ended. */
fclib_peer fclib_siconos(const fclib_problem *p, fclib_method method, double tol, int limit,
                         double *r);
/* The error of r as Siconos measures it. */
double fclib_siconos_error(const fclib_problem *p, const double *r);
/* Lemke's method. */
fclib_peer fclib_siconos_lemke(const fclib_lcp *p, double *z);

#endif
