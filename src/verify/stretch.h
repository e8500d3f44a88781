// SPDX-License-Identifier: MIT
/* The time between rows, seen at three instants: what the model says there, and what its laws may
 * do on the way from the first to the last. */
#ifndef PW_VERIFY_STRETCH_H
#define PW_VERIFY_STRETCH_H

#include "verify/momentum.h"

typedef struct pw_stretch {
  pawl_certifier *c;
  pw_mark at[3];
  double weight[3], whole; /* of the quadrature; their sum */
  double exact[2];         /* the integrals of t^3 and t^4, t = 0 at the inner instant */
  double t, span;          /* the last instant; from the first to it */
  double before, after;    /* from the first to the inner one, from there to the last */
  double pull;             /* largest |M^-1 h| in the metric */
  double drive;            /* the same with forces of laws without a forbidden side */
  double tiny_position, tiny_velocity;
  const double *force[2]; /* as given at the ends, or NULL: the sets of the laws */
  const double *load[2];  /* the same where they bound frictions, or NULL: they are not known */
  const double *state[2]; /* multipliers that are states, at the ends */
  double state_floor;     /* effect of the uncertainty of the inner ones on a velocity */
  double *du;             /* nv: change of the velocities */
  double *aim, *col;      /* nv each */
  bool derived;           /* velocities come from positions */
  bool turned;            /* some switching surface is crossed */
  bool again;             /* not the next interval: what is remembered of the last ones stays */
  double *spare, *side;   /* nv + 2 nq: scratch; n_switch: sides at the last instant */
} pw_stretch;

/* From row a to row b; forces: use those given; again: see above. */
pw_stretch pw_stretch_begin(pawl_certifier *c, const pw_row_view *a, const pw_row_view *b,
                            bool forces, bool again);
/* Instant k (0, 2, then 1) at a state. False: not a number. */
bool pw_stretch_look(pw_stretch *x, int k, double t, const double *q, const double *u);
/* The inner one on the cubic through positions and velocities of two rows. */
bool pw_stretch_between(pw_stretch *x, const pw_row_view *a, const pw_row_view *b);
/* |L^T v| at the last probe. */
double pw_stretch_size(const pw_stretch *x, const double *v);
/* What forces other than impulses change a rate by; a speed that is zero somewhere on the way is no
 * larger than `slack` at the ends. */
double pw_stretch_drift(const pw_stretch *x, int i);
double pw_stretch_slack(const pw_stretch *x, int i);
/* The impulse of row i where its multiplier is a state and given: minus what that changes by.
 * False: it is not. */
bool pw_stretch_carried(const pw_stretch *x, int i, double *impulse);
/* Whether a gap may be closed on the way, and whether a wall of any kind may act there. */
bool pw_stretch_touches(const pw_stretch *x, int i);
bool pw_stretch_acts(const pw_stretch *x, int i);
/* Error of the rule through the three instants by t^3 and t^4 of a force f, per |f''|. */
double pw_stretch_rule(const pw_stretch *x);
/* How well the impulse of all forces is known. broken: something is struck. After pw_reach_solve.
 */
double pw_stretch_floor(pw_stretch *x, bool broken);
/* What doubt about the velocities of a row, instant k, does to the impulse of the forces. Moves the
 * probe. */
double pw_stretch_blur(pw_stretch *x, int k, const pw_row_view *row);
/* What forces that depend on time alone change a velocity by between two rows, beyond what three
 * instants show: certificates (C29). Moves the probe to the second. */
double pw_stretch_pulse(pawl_certifier *c, const pw_row_view *a, const pw_row_view *b);
/* Impulse of stiff forces that rows do not show, certificates (C28). Moves the probe. */
double pw_stretch_stiff(pawl_certifier *c, const pw_row_view *a, const pw_row_view *b);
/* Forces that a row without a forbidden side, or a servo, may have. */
void pw_stretch_hull(const pw_stretch *x, int i, double *lo, double *hi);
void pw_stretch_servo(const pw_stretch *x, int i, double *lo, double *hi);
bool pw_stretch_lasts(const pw_stretch *x, int i);
bool pw_stretch_opens(const pw_stretch *x);

/* ---- stretch_cone.c: columns of the reach ---- */

/* L^T (mean of M^-1 Phi) of a row, until the next call. */
const double *pw_stretch_along(const pw_stretch *x, int i);
/* Frictions that slide with a given bound, as known forces in the accelerations. */
void pw_stretch_add_sliding(pw_stretch *x);
/* A row by the forces that a table gives, or by all that its law can give. */
void pw_stretch_add_given(pw_stretch *x, int i);
void pw_stretch_add_row(pw_stretch *x, int i);

#endif
