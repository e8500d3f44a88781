// SPDX-License-Identifier: MIT
/* Coulomb friction in the local problem: the bound of a tangential force is mu times a normal force
 * that is itself unknown. A slip whose direction is known tilts the column of its contact; a slip
 * of zero that may stick becomes two complementary pairs (solve/stick_pairs.h). The matrix is not
 * symmetric: there may be none, one or several solutions (Painleve). */
#ifndef PW_SIM_COULOMB_H
#define PW_SIM_COULOMB_H

#include "base/layout.h"
#include "mech/mech.h"
#include "solve/outcome.h"

enum { PW_MOST_LISTED = 4 }; /* solutions kept */

typedef struct pw_coulomb {
  int n;            /* components of a column */
  double *B;        /* n x k: tilted columns */
  double *mu;       /* k: scaled coefficient of a row that may stick, 0 for others */
  int *normal;      /* k: its contact among the rows, or -1 */
  bool used;        /* something slides or may stick */
  bool several;     /* more than one solution with different motions exists */
  bool near;        /* one solution will do, the one near the present motion */
  bool search;      /* look for others also where not all can be tried */
  bool proved;      /* there is none: shown for every mode of the contacts, and checked */
  bool complete;    /* all solutions were tried; else there may be others */
  int m;            /* unknowns of the last problem, */
  int count;        /* solutions found, the least forces first, */
  const double *at; /* and where: pw_coulomb_listed */
  double *D, *b, *lo, *hi, *v, *real; /* the complementarity problem */
  int *whole;
} pw_coulomb;

/* What belongs to the rows, and the work space of a solution. */
void pw_coulomb_lay_out(pw_coulomb *p, const pw_system *sys, pw_layout *l);
void pw_coulomb_lay_out_work(pw_coulomb *p, const pw_system *sys, pw_layout *l);

/* k rows with unit columns A (n x k), free values z, bounds lo, hi, solution x. The bounds of rows
 * that may stick are written. */
pw_outcome pw_coulomb_solve(pw_coulomb *p, int k, const double *A, const double *z, double *lo,
                            double *hi, double *x);

/* Solution s < count of the last problem, which had k rows. False: it moves like one before it. */
bool pw_coulomb_listed(pw_coulomb *p, int k, int s, double *lo, double *hi, double *x);

#endif
