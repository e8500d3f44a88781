// SPDX-License-Identifier: MIT
/* Implicit steps: Radau IIA with three stages, order 5, stiffly accurate and stable for all decays
 * (Hairer and Wanner, Solving Ordinary Differential Equations II, IV.5 and IV.8). The stages
 * y0 + Z_i solve
 *   Z_i = h sum_j a_ij f(t + c_j h, y0 + Z_j),                                       stiff (R1)
 * by a simplified Newton method in W = T^-1 Z, where T brings A^-1 to a real and a complex block.
 * Where stiff directions turn within the step that converges slowly or not at all; then each stage
 * has derivatives of its own.
 * Integrals beside the state have no part in it: they are quadratures. */
#ifndef PW_SIM_RADAU_H
#define PW_SIM_RADAU_H

#include "mech/series.h"
#include "sim/step.h"

enum { PW_RADAU_STAGES = 3 };

typedef struct pw_radau {
  pw_stepper *s; /* NULL: there is no memory for implicit steps */
  int m;         /* nq + nv: what the equations are solved for */
  pw_series slope;
  bool known; /* J belongs to the step that s has begun */
  double h;   /* for which E is a factor, and C too if `pair_known`; 0: for none */
  bool pair_known;
  double *J;       /* m x m by columns: df/dy at the start of the step */
  double *J_stage; /* the same at a stage */
  double *E;       /* m x m: factor of the real block */
  double *C;       /* 2m x 2m: of the complex one; or 3m x 3m: of all, with its own J_i */
  int *pivot_E, *pivot_C;
  double *W, *Z, *F; /* 3 x n each: by stages */
  double *change;    /* 3 x m: of W */
  double *y, *pair;  /* n; 3m */
  void *memory;
} pw_radau;

/* Own memory, beside the block of the simulation: it holds nothing that a saved motion needs.
 * PAWL_OK without memory if it would take more than `most` bytes. */
PAWL_NODISCARD pawl_status pw_radau_new(pw_radau *x, pw_stepper *s, size_t most);
void pw_radau_free(pw_radau *x);

/* The step of rk: y1, slopes at the stages and the error estimate from y0. PAWL_E_STEP if its
 * equations are not solved. */
PAWL_NODISCARD pawl_status pw_radau_step(void *radau, pw_rk *rk);
/* The step of rk, which has been taken, only as far as theta h: the same polynomial, in which no
 * equations are solved anew. The end of a slip in the plane needs it: its friction has no direction
 * in the last stage of a step that ends there. */
void pw_radau_part(pw_rk *rk, double theta);
/* How far the accelerations at the start of the step last taken are from those of the polynomial,
 * as an error: a layer in which forces change at once is to be seen even where it hardly changes
 * the velocities. stiff (R5) */
double pw_radau_layer(pw_radau *x, const pw_rk *rk);
/* What is left of a defect of y' (m) once the decays that the step does not follow have passed:
 * (1 - h J / gamma)^-1. For the step last taken. */
void pw_radau_filter(pw_radau *x, double *defect);
/* h |df/dy|: size of the fastest rate of the step last taken, times the step. */
double pw_radau_stiffness(pw_radau *x);

#endif
