// SPDX-License-Identifier: MIT
/* The peer of the contact benchmark: Siconos, if it was there when the benchmarks were built. */
#ifndef PW_BENCH_CONTACT_SICONOS_H
#define PW_BENCH_CONTACT_SICONOS_H

#ifdef __cplusplus
extern "C" {
#endif

enum { SICONOS_IMPACTS = 1000 };

typedef struct siconos_ball {
  int impacts;
  double time[SICONOS_IMPACTS];
  double seconds; /* of the run, without setting up */
  double y, rate; /* at the end */
} siconos_ball;

/* A ball dropped from 1 m on a floor with restitution e. 0: it failed. */
int siconos_ball_run(double e, double span, siconos_ball *out);

#ifdef __cplusplus
}
#endif

#endif
