// SPDX-License-Identifier: MIT
/* The motions of bench_race as somebody would write them for one problem: Dormand and Prince's
 * method of order 5, a root of its dense output where something happens, and nothing else. */
#ifndef BENCH_RACE_HAND_H
#define BENCH_RACE_HAND_H

enum { HAND_MOST = 12 };

/* y at t = 0 becomes y at `to`. Returns the number of steps, rejected ones included. */
typedef long hand_motion(double to, double tol, double *y, long *events);

hand_motion hand_double_pendulum, hand_six_links, hand_body, hand_ball, hand_stop, hand_belt;

#endif
