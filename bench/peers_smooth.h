// SPDX-License-Identifier: MIT
/* Engines with fixed steps, for bench/peers_smooth.c. Each does a task with steps of size h up to
 * the time `to` and says where something is then, and the processor time of the steps. */
#ifndef PW_BENCH_PEERS_SMOOTH_H
#define PW_BENCH_PEERS_SMOOTH_H

#ifdef __cplusplus
extern "C" {
#endif

/* A chain of n rods of length and mass 1 on hinges, hung up at the origin, straight at `angle` from
 * the vertical; the end of the last rod. */
typedef void peer_chain(int n, double angle, double h, double to, double end[2], double *seconds);
/* A ball of radius 0.1 that falls from 1 m above the ground and loses nothing; its height above the
 * ground. */
typedef void peer_ball(double h, double to, double *height, double *seconds);

peer_chain ode_chain, box2d_chain, bullet_chain;
peer_ball ode_ball, box2d_ball, bullet_ball;

double bench_now(void);

#ifdef __cplusplus
}
#endif

#endif
