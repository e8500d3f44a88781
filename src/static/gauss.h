// SPDX-License-Identifier: MIT
/* One instant in the metric of M = L L^T (mech/frame.h): a = L^-T c, c = c_0 + sum A_i |J_i|
 * force_i with the forces of all rows in their sets. Before the instant the lexicographic sign of a
 * row is that of ((-1)^k s^(k)): rows on positions keep their box problem, rows on velocities have
 * it with y -> -y (Glocker 1998, (6.12)-(6.15), (10.6)-(10.8)). */
#ifndef PW_STATIC_GAUSS_H
#define PW_STATIC_GAUSS_H

#include "base/arena.h"
#include "mech/frame.h"
#include "pawl/static.h"

enum { PW_LEVELS = 3, PW_MOST_SOLUTIONS = 64 };

typedef struct pw_static_row {
  bool equality, rough, coulomb, wall;
  bool velocity; /* the value is a velocity: relative degree 1 */
  bool zero;     /* the value counts as zero */
  int rate_sign; /* of the rate, 0: it counts as zero; of a row on velocities: of the value */
  int value_sign;
  bool at_kink;            /* all lower levels are zero: the force is open */
  int on;                  /* rough, Coulomb: row of the contact, else -1 */
  double lo, hi;           /* forces at the kink; Coulomb: per normal force */
  double limit;            /* larger bound while it sticks, -1: none */
  double rest_lo, rest_hi; /* a row on velocities: forces it could have at rest */
  int plane;               /* slip in a plane: first of its two rows, else -1. At rest its forces
                              are the disk of radius hi, sliding it has the force lo = hi */
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
  double speed, span;
  double *c0;         /* nv: L^-1 h without any law */
  pw_static_row *row; /* nr */
  double scale;       /* of accelerations in the metric */
  pw_static_side when[2];
  pawl_interval *set[PW_MOST_SOLUTIONS + 1][PW_LEVELS]; /* nr each; the last: without a solution */
  int size[PW_MOST_SOLUTIONS + 1][PW_LEVELS]; /* rank of the rows whose sets are no points */
  double principle[PW_LEVELS];
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
/* Force of a row beside its kink, not for Coulomb friction; sign: the side. */
double pw_static_side_force(const pw_static_row *r, int sign);
/* Side of the kink after or before the instant, for rows that are not at it. */
int pw_static_side_of(const pw_static_row *r, pawl_when when);

/* w = R w (direction 1) or R^T w (-1) for the rotation of a unit quaternion. */
void pw_static_turn(const double *quaternion, int direction, double *w);

/* All accelerations of one side. */
void pw_static_list(pawl_gauss *g, pawl_when when);
/* The three sets of every row for each solution, or without one. */
void pw_static_sets(pawl_gauss *g);
void pw_static_sizes(pawl_gauss *g);
/* What a row counts as zero among the accelerations. */
double pw_static_tiny(const pawl_gauss *g, int row);
/* Worst values of the three principles. */
void pw_static_principles(pawl_gauss *g, int variations, unsigned long seed);

#endif
