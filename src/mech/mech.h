// SPDX-License-Identifier: MIT
/* Mechanics at a state: numbers for M, h, J, accelerations, forces, projections, energies.
 * One work space per simulation; nothing here allocates after pw_mech_new. */
#ifndef PW_MECH_MECH_H
#define PW_MECH_MECH_H

#include <stdint.h>

#include "system/system.h"

/* A failure as data: the integrator decides whether to retry, the caller how to report it. */
typedef struct pw_fault {
  pawl_status status;
  int coord; /* model coordinate (PAWL_E_INERTIA), or -1 */
  int row;   /* equality row (contradiction, drift, NaN), or -1 */
  double value;
} pw_fault;

typedef struct pw_mech {
  const pw_system *sys;
  pw_fault fault;      /* of the last call that failed */
  int64_t evaluations; /* calls of pw_mech_rates so far */

  /* set by pw_mech_close: number of equalities and closed laws; of these, on positions */
  int imposed, imposed_q;

  /* decided by pw_mech_rates_decide; pw_mech_close expects full rank */
  int rank;        /* of the rows that are imposed; < imposed: redundant */
  int rank_q;      /* of those on positions */
  bool first_look; /* dependence has not been decided since rows opened or closed */

  /* set by pw_mech_head */
  double *heading, *blur; /* ni: of the slips in the plane; heading of another one that is implied:
                             its force per normal force */

  /* set by the owner: law rows (ni) that frames leave out, with columns of length 0; NULL: none */
  const unsigned char *skip;

  /* set by the owner: modes are not decided yet, so frictions whose bounding forces cannot be
   * computed are omitted */
  bool lenient;

  /* chosen by pw_mech_frame, kept between instants */
  double *sense; /* nr: of a servo that lets go, +1 or -1: Phi or -Phi raises its row */

  /* computed by pw_mech_rates */
  double *a;       /* nv */
  double *lambda;  /* nr, the smallest where not unique; 0 for laws that are open */
  double *q_rate;  /* nq */
  double *z_rate;  /* nz */
  double *mass;    /* nv: diagonal of M */
  double *load;    /* nv: h, the forces without reactions */
  double *carries; /* n_state: |L^-1 dphi/du|, speed that a change of the multiplier by 1 means */
  double pull;     /* |L^-1 h|, M = L L^T: scale of the accelerations, which are differences of such
                      terms; with the forces away from kinks if that is larger */
  double reaction; /* |L^-1 J^T lambda|: of the imposed rows, likewise */
  double margin;   /* det(A^T B) / det(A^T A) of the imposed rows: 1 without friction that slides;
                      where it vanishes no force, or any, keeps them (Painleve) */

  /* computed by pw_mech_find_dependent */
  bool *dependent; /* nr: this row's force is not unique */

  struct pw_mech_work *w;
} pw_mech;

PAWL_NODISCARD pawl_status pw_mech_new(const pw_system *sys, pw_mech **out);
void pw_mech_free(pw_mech *m);

/* The side of each law (ni): laws at their kink are imposed in addition to the equalities, as if
 * all were independent until the next pw_mech_rates_decide; laws on one side act with the force of
 * that side. NULL: all above, as at first. */
enum { PW_ABOVE_KINK, PW_AT_KINK, PW_BELOW_KINK, PW_IMPLIED };
void pw_mech_close(pw_mech *m, const unsigned char *state);
/* The law is at its kink and imposed. */
bool pw_mech_is_closed(const pw_mech *m, int law);
/* At its kink because other rows hold it there; its force is a share of theirs. */
bool pw_mech_is_implied(const pw_mech *m, int law);
/* Slips in the plane: directions in which they go (ni, unit vectors by group) and a negligible size
 * for them (ni, at the first law of a group): up to it the direction follows the load or, if it is
 * given with a minus, is the one given. For other implied slips: the fraction of their normal
 * force that they carry; 0: unknown. */
void pw_mech_head(pw_mech *m, const double *heading, const double *blur);
/* Component of a slip along the direction that its load gave it in the last evaluation. */
double pw_mech_slip_along(const pw_mech *m, int law, const double *s);
/* A slip in the plane continues: its force turns with it, faster and faster towards its end. */
bool pw_mech_slides_in_plane(const pw_mech *m);
/* Such a slip points against its heading where the mechanics were last evaluated. */
bool pw_mech_slips_back(const pw_mech *m);
/* Such a slip is about to begin or to end: |s| d' = y - (y.d) d is stiff there. */
bool pw_mech_is_blurred(const pw_mech *m);

/* Accelerations, forces, q' and z' at (t, q, u) with the switches on the given sides (+1, -1). */
PAWL_NODISCARD pawl_status pw_mech_rates(pw_mech *m, double t, const double *q, const double *u,
                                         const double *side);

/* Only q', u' and z', consecutively, if nothing is imposed. Forces, sizes and the metric keep the
 * values of the last pw_mech_rates; the results are the same numbers as it would give. False:
 * something is imposed, or a value is not a number; call pw_mech_rates. */
PAWL_NODISCARD bool pw_mech_slopes(pw_mech *m, double t, const double *q, const double *u,
                                   const double *side, double *dy);

/* Like pw_mech_rates, but also decides which rows depend on each other. Call it where the
 * constraints hold: at other states (stages of a step) dependent rows look independent, so that
 * pw_mech_rates keeps the rank of the last decision. */
PAWL_NODISCARD pawl_status pw_mech_rates_decide(pw_mech *m, double t, const double *q,
                                                const double *u, const double *side);

/* A time up to `ahead` after t until which functions of explicit time (loads, bounds, moving walls)
 * hide nothing between points *gap apart, a quarter of `ahead` or less. The rest of the state is
 * held. *patience bounds the cost of the search; it belongs to the caller, adapts from call to call
 * and is PW_PATIENCE at first. */
enum { PW_PATIENCE = 128 };
double pw_mech_clear(pw_mech *m, double t, double ahead, const double *q, const double *u,
                     const double *side, int *patience, double *gap);

/* How strongly the rows of the last pw_mech_rates hold the direction that they hold most weakly:
 * the smallest singular value of the independent columns L^-1 J^T of unit length; 1: no rows. */
double pw_mech_weakest(const pw_mech *m);

/* A servo whose force reaches its row by at most this cosine between Phi and the gradient, at the
 * last pw_mech_rates: *fault says which. */
bool pw_mech_loses_hold(const pw_mech *m, double cosine, pw_fault *fault);

/* At the last pw_mech_rates sliding friction left forces of independent rows open, contacts (K11):
 * other forces within the laws are other motions. */
bool pw_mech_is_slack(const pw_mech *m);

/* Of all forces that give the accelerations of the last pw_mech_rates, those nearest to `force`
 * (nr, as lambda) instead of the least. */
void pw_mech_anchor(pw_mech *m, const double *force);

/* Where sliding friction leaves forces of rows open, the motion has those nearest to `force` (nr,
 * as lambda); NULL: the least. */
void pw_mech_keep_shares(pw_mech *m, const double *force);

/* Fills `dependent` for the rows of the last pw_mech_rates. */
void pw_mech_find_dependent(pw_mech *m);

/* The mass matrix of the last pw_mech_rates, to be taken as metric again later: so many numbers;
 * none where it is constant. */
size_t pw_mech_metric_size(const pw_system *sys);
void pw_mech_keep_metric(const pw_mech *m, double *metric);
void pw_mech_use_metric(pw_mech *m, const double *metric);

/* An entry of it. */
double pw_mech_mass_entry(const pw_mech *m, int i, int j);

/* The following three use the mass matrix of the last pw_mech_rates as metric. */

/* Newton steps q <- q - F M^-1 J^T (J M^-1 J^T)^+ g; quaternions to unit length. Directions whose
 * singular value, see pw_mech_weakest, is below `weak` are not corrected. `moved` (nv) is the sum
 * of the corrections as velocities-times-time; stops when g is at round-off. */
PAWL_NODISCARD pawl_status pw_mech_project_q(pw_mech *m, double t, double *q, const double *side,
                                             double weak, double *moved);
/* u <- u - M^-1 J^T (J M^-1 J^T)^+ gamma; nonlinear rows by iteration. `weak`, `moved` (nv). */
PAWL_NODISCARD pawl_status pw_mech_project_u(pw_mech *m, double t, const double *q, double *u,
                                             const double *side, double weak, double *moved);
/* Size of the terms that cancel in the given forces at the last state, as sqrt(sum terms^2/M_ii):
 * these forces are known up to the rounding of that. */
double pw_mech_force_terms(pw_mech *m);
/* Corrections that two projections have made to come to (q, u) are no larger than rounding of the
 * terms of the rows explains. */
bool pw_mech_is_rounding(pw_mech *m, double t, const double *q, const double *u, const double *side,
                         const double *moved_q, const double *moved_u);
/* Removes from a velocity-like error vector v (nv) its part normal to the constraints (np rows for
 * positions, nc rows for velocities). Uses the rows of the last pw_mech_rates. */
void pw_mech_tangent(pw_mech *m, bool positions, double *v);

/* dq (nq) of a small motion v (nv): F(q) v, and back: v of a small dq. */
void pw_mech_to_q(const pw_mech *m, const double *q, const double *v, double *dq);
void pw_mech_to_v(const pw_mech *m, const double *q, const double *dq, double *v);
/* Quaternions to unit length, and small changes dq (nq) of positions that keep it. */
void pw_mech_normalise(const pw_mech *m, double *q);
void pw_mech_across_quaternions(const pw_mech *m, const double *q, double *dq);

/* Components in the body of a vector with components w in space, at the unit quaternion q. */
void pw_mech_into_body(const double *q, const double *w, double *W);
/* Components in space of a vector with components W in the body. */
void pw_mech_into_space(const double *q, const double *W, double *w);

/* p = dL/du (nv), with what multipliers carry. */
void pw_mech_momenta(pw_mech *m, double t, const double *q, const double *u, const double *side,
                     double *p);
/* T, V and 2T - p.u. */
void pw_mech_energy(pw_mech *m, double t, const double *q, const double *u, const double *side,
                    double energy[3]);
/* Values of the law rows (ni): gaps and one-sided velocities. */
void pw_mech_gaps(pw_mech *m, double t, const double *q, const double *u, const double *side,
                  double *value);
/* Gradient (nv) of a law row by the velocities, until the next look at the laws. */
const double *pw_mech_law_slope(pw_mech *m, double t, const double *q, const double *u,
                                const double *side, int law);
/* Gradient (nv) by the velocities of an equality, until the next call or projection. */
const double *pw_mech_velocity_row(pw_mech *m, double t, const double *q, const double *u,
                                   const double *side, int row);
/* -force of the laws on both sides of their kinks (2 ni: left, right), without walls; and, unless
 * NULL, bounds of sticking friction (ni), -1 where there is none besides the graph. */
void pw_mech_graphs(pw_mech *m, double t, const double *q, const double *u, const double *side,
                    double *left_right, double *limit);
/* Forces that bound frictions, by `scale` times multipliers (nr): what pw_mech_graphs says next is
 * by them. True: they have changed. */
bool pw_mech_take_loads(pw_mech *m, const double *lambda, double scale);
/* A friction with such a bound slides: only then the motion depends on it. */
bool pw_mech_slides_loaded(const pw_mech *m);
/* Exchanges these forces with x (loads). */
void pw_mech_swap_loads(pw_mech *m, double *x);
/* The same by a part of the way from those it has. Returns the whole way; 0: they stay. */
double pw_mech_approach_loads(pw_mech *m, const double *lambda, double scale, double part);
/* A size of these forces at the last pw_mech_rates, also where they vanish. */
double pw_mech_load_size(const pw_mech *m);
/* Force of a law beside its kink, 0 for others. After pw_mech_rates. */
double pw_mech_side_force(const pw_mech *m, int law);
/* Forces by row of the model: the sum over the kinks of a law. After pw_mech_rates. */
void pw_mech_forces(const pw_mech *m, double *force);
/* Multipliers that are states, among forces by row of the model. */
void pw_mech_state_forces(const pw_mech *m, const double *q, double *force);
/* Restitution of each law row (ni). */
void pw_mech_restitution(pw_mech *m, double t, const double *q, const double *u, const double *side,
                         double *e);
/* Phases of the laws on coordinates without inertia, 0 of others (ni). */
void pw_mech_phases(pw_mech *m, double t, const double *q, const double *u, const double *side,
                    double *phase);
/* Switching functions (n_switch); a surface may depend on the sides of others. */
void pw_mech_sides(pw_mech *m, double t, const double *q, const double *u, const double *side,
                   double *c);
/* The same with the arguments of tables behind them (n_sides). */
void pw_mech_all_sides(pw_mech *m, double t, const double *q, const double *u, const double *side,
                       double *c);
/* Sides of surfaces on which a corner lies, so that it touches a face it can touch: true if some
 * have changed (system/ties.h). */
bool pw_mech_settle(pw_mech *m, double t, const double *q, const double *u, double *side);
/* The touch of shapes that cross each other; -1: none. */
int pw_mech_crossed(pw_mech *m, double t, const double *q, const double *u, const double *side,
                    double *depth);
/* What samples and delays are of (n_tick). */
void pw_mech_signals(pw_mech *m, double t, const double *q, const double *u, const double *side,
                     double *value);
/* Their Taylor coefficients c, c', c''/2 along the motion, 3 per output of `sides`. After
 * pw_mech_rates at the same state; c'' without the third derivative of the positions. */
void pw_mech_side_jets(pw_mech *m, double t, const double *q, const double *u, const double *side,
                       double *jet);
/* Event functions (n_root); runs pw_mech_rates first if they contain accelerations or forces. */
PAWL_NODISCARD pawl_status pw_mech_roots(pw_mech *m, double t, const double *q, const double *u,
                                         const double *side, const double quad[PW_QUAD_NAMED],
                                         double *w);
/* The impulses of the last jumps (rows of the model) that the functions below see. */
void pw_mech_impulses(pw_mech *m, const double *impulse);
/* Velocities as shown and outputs, after pw_mech_rates at the same state; both sides of a group of
 * expectations with given accelerations (nv) and forces (rows of the model). quad: integrals as
 * shown to the user: PW_QUAD_ACTION, PW_QUAD_LOST. */
void pw_mech_outputs(pw_mech *m, double t, const double *q, const double *u, const double *side,
                     const double quad[PW_QUAD_NAMED], double *u_shown, double *out);
void pw_mech_expect(pw_mech *m, int group, double t, const double *q, const double *u,
                    const double *side, const double *a, const double *force,
                    const double quad[PW_QUAD_NAMED], double *left_right);

/* The equality whose value or rate is largest, -1: all are zero. *size: as length or speed in the
 * metric of M, |g_i| / sqrt(D_ii). */
int pw_mech_missed(pw_mech *m, double t, const double *q, const double *u, const double *side,
                   bool positions, double *size);

/* The value of a signal, or the rate of a state, is not a number `when`: "at t = 3". */
pw_diag_ref pw_mech_report_signal(const pw_signal *z, const char *when, bool at_start,
                                  pawl_diags *diags);
/* Turns a fault into a diagnostic that names coordinate or law, time and source line. */
pw_diag_ref pw_mech_report(const pw_mech *m, const pw_fault *fault, double t, bool at_start,
                           pawl_diags *diags);

#endif
