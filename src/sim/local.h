// SPDX-License-Identifier: MIT
/* The local problem theory (44), (45) over chosen rows of a frame, for forces and for impulses:
 *   y_i = a_i . A x + z_i,   lo <= x <= hi,   y complementary to x (solve/box_qp.h),
 * where z_i is the scaled rate or acceleration of row i without x. */
#ifndef PW_SIM_LOCAL_H
#define PW_SIM_LOCAL_H

#include "base/layout.h"
#include "mech/frame.h"
#include "sim/coulomb.h"
#include "sim/coupled.h"
#include "solve/box_qp.h"

typedef struct pw_local {
  const pw_frame *frame;
  int k, cap;              /* rows taken, room for them */
  int *row;                /* k: which rows of the frame */
  int *place;              /* nr: where a row stands among them, plus one; 0: not taken */
  double *A, *z, *lo, *hi; /* n x k, k, k, k */
  double *c;               /* n: velocity or acceleration without x */
  double *none;            /* n: zeros */
  double noise;            /* scaled rates up to this are taken as zero: rows that depend on
                              each other would contradict each other by noise; 0: none */
  double *x, *y;           /* k: solution, in scaled rows */
  int *shared;             /* k: x of this row is one of many; the least is given */
  int *kept;               /* k: it is one of many that keep all disks, and stays */
  double *basic;           /* k: a solution on independent rows, where `shared` leaves a choice */
  double *moved;           /* n: c + A x */
  pw_box_info info;
  bool loose;         /* with `near`: STEP_LOOSEST is good enough */
  const double *near; /* rows of the frame: forces at which iterations may begin; NULL: none */
  pw_coulomb friction;
  int listed;           /* solutions that move differently (friction), this one first, */
  bool complete;        /* which are all of them; */
  bool proved;          /* not solved: that there is no solution was proved */
  double *list;         /* listed x cap: x, NAN: as in the first */
  struct pw_part *part; /* where it is solved, set by the owner */
} pw_local;

/* Rows that do not feel each other are problems of their own (theory (98)): this is one of them,
 * with as many coordinates as its rows have, and the work space of the solvers (split.c). */
typedef struct pw_part {
  pw_local local;
  pw_frame frame;       /* of its coordinates; only its own rows are filled in */
  double *A, *phi;      /* nv x nr each: of that frame */
  struct pw_disk *disk; /* ni: slips in the plane that belong to it */
  double *limited;      /* scratch of the box problem */
  double *real;
  int *whole;
  int *member; /* of pw_parts */
  pw_coupled coupled;
} pw_part;

void pw_local_lay_out(pw_local *p, const pw_system *sys, pw_layout *l);
/* coupled: rows of problems with several slips at once, pw_coupled_rows or more. */
void pw_part_lay_out(pw_part *p, const pw_system *sys, int coupled, pw_layout *l);

typedef struct pw_local_way { /* how a problem is to be solved; 0: as it stands */
  double noise;               /* members of pw_local */
  const double *near;
  bool loose;
  bool slips_near; /* friction.near */
} pw_local_way;

void pw_local_begin(pw_local *p, const pw_frame *frame, const double *c, pw_local_way way);
/* Adds a row with y = 0 if `drive` (an unscaled rate or acceleration without x) is zero; rows
 * whose gradient vanishes are left out. */
void pw_local_take(pw_local *p, int row, double drive, double lo, double hi);
/* Adds a slip that may stick: its force is bounded by mu times that of the contact `normal`, a row
 * taken before; a slip that goes on: its force is `ratio` times that of the contact. */
void pw_local_stick(pw_local *p, int row, double drive, int normal, double mu);
void pw_local_slide(pw_local *p, int row, int normal, double ratio);
/* Rates that count as zero are made zero; false: there are none. */
bool pw_local_drop_rates(pw_local *p, double tiny);
/* Takes back all rows but the first k. */
void pw_local_drop(pw_local *p, int k);
/* The friction in place k is bounded by what its contact, in place `normal`, pushes now. */
void pw_local_bound(pw_local *p, int k, int normal);
/* Where a row of the frame stands among those taken, or -1. */
static inline int pw_local_place(const pw_local *p, int row) {
  return p->place[row] - 1;
}
/* PW_SOLVED only if the independent residual confirms it. Also fills `moved`. */
pw_outcome pw_local_solve(pw_local *p);
/* x, y, bounds of friction and `moved` become those of solution s < listed. */
void pw_local_show(pw_local *p, int s);
/* y and `moved` of other forces x, in a problem with friction. */
void pw_local_apply(pw_local *p);

/* ---- one part ---- */

/* Solves a part whose slips in the plane are rows, or do not move. */
pw_outcome pw_part_solve(pw_part *p);
/* Makes equalities that depend on each other agree where they differ by `noise` only
 * (reconcile.c); done by pw_part_solve. */
void pw_part_reconcile(pw_part *p);
/* Of all solutions of a problem without friction the least (spread.c), rows with |y| <= tol open;
 * done by pw_part_solve, after which `shared` is known. */
void pw_part_spread(pw_part *p, double tol);
size_t pw_spread_doubles(const pw_system *sys);
size_t pw_spread_ints(const pw_system *sys);

/* Unscaled results by row of the frame, 0 for rows not taken: force or impulse, rate of the row. */
void pw_local_forces(const pw_local *p, double *force);

#endif
