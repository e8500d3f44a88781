// SPDX-License-Identifier: MIT
/* One instant in the metric of M = L L^T (mech/frame.h): a = L^-T c, c = c_0 + sum A_i |J_i|
 * force_i with the forces of all rows in their sets. Before the instant the lexicographic sign of a
 * row is that of ((-1)^k s^(k)): rows on positions keep their box problem, rows on velocities have
 * it with y -> -y (Glocker 1998, (6.12)-(6.15), (10.6)-(10.8)). */
#ifndef PW_STATIC_GAUSS_H
#define PW_STATIC_GAUSS_H

#include "base/arena.h"
#include "law/zero.h"
#include "mech/frame.h"
#include "pawl/static.h"

enum { PW_LEVELS = 3, PW_MOST_SOLUTIONS = 64, PW_MOST_RAYS = 256 };

typedef struct pw_static_cone { /* directions that no force without bound stops */
  double *ray;                  /* lines first, then rays: nv each, velocities as shown */
  int lines, rays;              /* rays = -1: more than PW_MOST_RAYS */
} pw_static_cone;

typedef struct pw_static_row {
  pw_law_row law; /* form, and numbers of laws; a bound of sticking only if it is the larger one */
  pw_law_sign sign; /* both rows of a slip in a plane rest or slide together */
  pw_law_set set;   /* forces at the kink; Coulomb: per unit of the normal force */
  pw_law_set rest;  /* a row on velocities: forces it could have at rest */
  pw_law_hold hold; /* of servos and multipliers that are states */
  bool spent;       /* its multiplier is zero and would have to fall */
  double sense;     /* force of a servo that lets go per force of the row: +1 or -1 */
  int on;           /* rough, Coulomb: row of the contact, else -1 */
  int plane;        /* slip in a plane: first of its two rows, else -1 */
} pw_static_row;

typedef struct pw_static_solution {
  double *a;               /* nv: of the velocities as shown */
  double *c;               /* nv: L^T a */
  double *lambda;          /* nr */
  double *y;               /* nr: J a + zeta */
  double *least, *largest; /* nr */
  double measure;
  bool outer;
} pw_static_solution;

typedef struct pw_static_side { /* after or before the instant */
  pw_static_solution item[PW_MOST_SOLUTIONS];
  int count;
  bool complete;
  pawl_gauss_why why;
  int row; /* see pawl_gauss_info, -1: none */
} pw_static_side;

struct pawl_gauss {
  pw_arena arena;
  const pawl_system *system;
  const pw_system *sys;
  pw_mech *mech; /* only while it is being made */
  pw_frame f;
  double t, *q, *u, *u_shown, *side;
  double
      *forced;  /* n_switch: sides that are chosen where pieces of a maximum meet, 0: none; NULL */
  int turns;    /* how often they were */
  bool *corner; /* ni: the gradient of the gap of a contact jumps at this state */
  double speed, span;
  double *c0;         /* nv: L^-1 h without any law */
  pw_static_row *row; /* nr */
  double scale;       /* of accelerations in the metric */
  pw_static_side when[2];
  pw_law_set *set[PW_MOST_SOLUTIONS + 1][PW_LEVELS]; /* nr each; the last: without a solution */
  int size[PW_MOST_SOLUTIONS + 1][PW_LEVELS];        /* rank of the rows whose sets are no points */
  double principle[PW_LEVELS];
  pawl_gauss *left; /* with the velocities before an impact at this instant; NULL: not available */
  double *along;    /* laws x nv: generalised force per force of a law */
  pw_static_cone cone[PW_LEVELS];
  double V, *dissipation; /* potential energy, and Phi of each row, gauss (A2) */
  bool tried;
  pawl_gauss_trial trial;
};

/* Scaled column of a row. */
static inline const double *pw_static_column(const pawl_gauss *g, int row) {
  return g->f.A + (size_t)row * (size_t)g->f.n;
}

/* Column along the force of a row, and scaled force per force: a servo pushes along its own
 * covector, all others along their gradients. */
static inline const double *pw_static_push(const pawl_gauss *g, int row) {
  return (g->f.phi == NULL ? g->f.A : g->f.phi) + (size_t)row * (size_t)g->f.n;
}
static inline double pw_static_unit(const pawl_gauss *g, int row) {
  return g->f.phi == NULL ? g->f.length[row] : g->f.phi_length[row];
}

/* Signs, sets and bounds of all rows; false after reporting that a law is violated. */
bool pw_static_rows(pawl_gauss *g, pawl_diags *diags);
/* Force of a row that is not at its kink after or before the instant; Coulomb: per normal force. */
double pw_static_beside(const pw_static_row *r, pawl_when when);
/* u: the velocity nearest to that of the motion at which both rows of a plane do not slip. */
bool pw_static_hold_plane(const pawl_gauss *g, int i, double *u);
/* Interval of the set at the kink that row i of a law ranges over. */
pw_law_set pw_static_extent(const pw_static_row *r, int i, bool sticks);

/* Angular velocities, or accelerations, among v (nv) from the body into space (direction 1), where
 * they are shown, or back (-1). */
void pw_static_turn(const pawl_gauss *g, int direction, double *v);

/* All accelerations of one side. */
void pw_static_list(pawl_gauss *g, pawl_when when);
/* Where three and more pieces of a maximum meet, the forces of the pairs with the top piece add up
 * to at most its slope, potentials (P9). True: they do not, another piece is now on top. */
bool pw_static_turn_top(pawl_gauss *g);
/* Rows of one maximum of three and more pieces: their forces share one weight, gauss_coupled.c. The
 * next of them, -1: none; whether a row is the first of its maximum, or of none. */
int pw_static_next_coupled(const pawl_gauss *g, int row);
bool pw_static_leads(const pawl_gauss *g, int row);
/* The nearest forces x of the rows of a maximum, of which `row` is the first, in their polytope. */
void pw_static_project_coupled(const pawl_gauss *g, const pw_law_set *set, int row, double *x);
/* Of pieces that rise above the top with the accelerations y the highest have all of the force. */
void pw_static_highest_piece(const pawl_gauss *g, const double *y, pw_law_set *set);
/* Which contacts (ni) have a gap whose gradient jumps at this state. */
bool *pw_static_corners(pawl_gauss *g);
/* c <- c_0 with the forces of rows away from their kinks: the free acceleration, L^T a_free. */
void pw_static_free(const pawl_gauss *g, pawl_when when, double *c);
/* The three sets of every row for each solution, or without one. */
void pw_static_sets(pawl_gauss *g);
/* The same for one of them (nr sets a level), NULL: none. */
void pw_static_fill_sets(pawl_gauss *g, const pw_static_solution *x, pw_law_set **set);
/* The rank of the rows whose sets are no points, by solution and level. */
void pw_static_sizes(pawl_gauss *g, int size[][PW_LEVELS]);
/* Interval of the sets of all rows that row i ranges over. */
pw_law_set pw_static_range(const pawl_gauss *g, const pw_law_set *set, int i);
/* Threshold below which an acceleration of a row counts as zero. */
double pw_static_tiny(const pawl_gauss *g, int row);
/* Generalised force per force of a law, laws x nv; the cones of directions that forces leave. */
double *pw_static_along(pawl_gauss *g);
void pw_static_cones(pawl_gauss *g);
/* V, and Phi of each row (nr) at the velocity; while the mechanics is at hand. */
double pw_static_potential(const pawl_gauss *g);
double *pw_static_dissipations(pawl_gauss *g);
/* An acceleration a (nv as shown) against the three principles. */
void pw_static_try(pawl_gauss *g, const double *a);
/* Psi of all laws whose forces are open, at the accelerations y of the rows with the sets of a
 * level; infinite if a law forbids them. row: the law that does, else -1. */
double pw_static_psi(const pawl_gauss *g, const pw_law_set *set, const double *y, double tiny,
                     int *row);
/* Worst values of the three principles; NAN: there is no solution. */
void pw_static_principles(pawl_gauss *g, int variations, unsigned long seed,
                          double worst[PW_LEVELS]);

#endif
