// SPDX-License-Identifier: MIT
/* Accelerations from a trajectory itself. Through a few samples of positions and velocities goes
 * one polynomial (Hermite); its second derivative at one of them is the acceleration there, and
 * what the samples lack to be on a polynomial of one degree less is an error of the velocity.
 * Windows of several widths: where their answers are nearest to each other, neither the
 * discretisation (too wide) nor the noise (too narrow) spoils them, and their difference is the
 * floor. */
#ifndef PW_VERIFY_FIT_H
#define PW_VERIFY_FIT_H

#include <stdbool.h>

enum { PW_FIT_POINTS = 5, PW_FIT_WIDTHS = 9 };

typedef struct pw_fit_weights { /* at node `at` of a window of m samples */
  int m, at;
  double unit;                                 /* mean distance of the nodes */
  int row[PW_FIT_POINTS];                      /* which samples */
  double x[PW_FIT_POINTS];                     /* where they are, in units from node `at` */
  double q[PW_FIT_POINTS], v[PW_FIT_POINTS];   /* second derivative = sum q_i x_i + v_i x_i' */
  double kq[PW_FIT_POINTS], kv[PW_FIT_POINTS]; /* x'_at minus its value by all other data */
  double pq[PW_FIT_POINTS], pv[PW_FIT_POINTS]; /* x_at minus its value by the other samples */
  double p[PW_FIT_POINTS]; /* the same from values alone, by the polynomial through them */
} pw_fit_weights;

/* Samples of one smooth piece: times[first .. last], node j; window of nodes at least `space`
 * apart. Returns the number of nodes (0 or 1: no window). */
int pw_fit_window(const double *times, int first, int last, int j, double space, int points,
                  pw_fit_weights *out);
/* The same where w has a window already (m 0: none): its weights are kept if the nodes are where
 * they were, up to `close` of their distance. */
int pw_fit_again(const double *times, int first, int last, int j, double space, int points,
                 double close, pw_fit_weights *w);

#endif
