// SPDX-License-Identifier: MIT
/* The inner stages of an explicit Runge-Kutta step, theory (29), as one piece of machine code,
 * where nothing is imposed (bare.c): sums of stages, tape of the motion and solution of M a = h
 * follow each other without calls and copies. The numbers are those of pw_mech_slopes, stage by
 * stage. */
#ifndef PW_MECH_STAGES_H
#define PW_MECH_STAGES_H

#include "mech/mech.h"

typedef struct pw_stages pw_stages;

typedef struct pw_stage_table { /* of the method, as in sim/rk.h */
  int count;                    /* stages 1 .. count are computed, */
  bool end;                     /* and the end point, whose weights are row count + 1 of a */
  const double *c, *a;          /* row s of a (s entries) begins at s(s-1)/2 */
} pw_stage_table;

/* The system is of this kind. */
bool pw_stages_fit(const pw_mech *m);
/* NULL: no memory, or no machine code. */
pw_stages *pw_stages_new(const pw_mech *m, pw_stage_table table);
void pw_stages_free(pw_stages *s);

/* k_1 .. k_count, behind k_0 in k (n each), and the end point, if it is asked for, from y (n) at
 * time t in a step h. False: rows are imposed now, a rate is not a number, or M is not positive;
 * nothing is written then. */
PAWL_NODISCARD bool pw_stages_run(const pw_stages *s, pw_mech *m, double t, double h,
                                  const double *y, const double *side, double *k, double *end);

#endif
