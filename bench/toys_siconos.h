// SPDX-License-Identifier: MIT
/* The peer of the benchmark of toys: Siconos, if it was there when the benchmarks were built. */
#ifndef PW_BENCH_TOYS_SICONOS_H
#define PW_BENCH_TOYS_SICONOS_H

#ifdef __cplusplus
extern "C" {
#endif

/* A toy up to `span` by Moreau's time stepping with a step of about h: positions at the end and the
 * seconds it took without setting up. 0: it failed. */
int siconos_woodpecker(double h, double span, double q[3], double *seconds);
int siconos_slider_crank(double h, double span, double q[3], double *seconds);

#ifdef __cplusplus
}
#endif

#endif
