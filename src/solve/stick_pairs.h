// SPDX-License-Identifier: MIT
/* Coulomb friction as a complementarity problem. k rows have y = A^T (B x) + z with x in its box;
 * the box of a row that may stick is |x_T| <= mu x_N with the unknown x_N of its contact. Such a
 * row becomes two complementary pairs (Pfeiffer and Glocker 1996):
 *   x_T = x+ - mu x_N,   0 <= x+ _|_ y_T + s >= 0,   0 <= s _|_ 2 mu x_N - x+ >= 0.
 * Unknowns of the problem: x of the k rows, with x+ in place of x_T, then s of the rows that may
 * stick. */
#ifndef PW_SOLVE_STICK_PAIRS_H
#define PW_SOLVE_STICK_PAIRS_H

#include <stdbool.h>

typedef struct pw_stick_rows {
  int n, k;              /* components of a column, rows */
  const double *A, *B;   /* n x k: columns along gradients and forces */
  const double *z;       /* k */
  const double *lo, *hi; /* k: boxes of rows that do not stick on a contact */
  const double *mu;      /* k: bound per normal force of those that do; INFINITY: none, while the
                            contact pushes (not for pw_stick_assemble) */
  const int *normal;     /* k: their contacts among the rows, else -1 */
  const bool *reversed;  /* k: -y is complementary to x; NULL: none */
} pw_stick_rows;

/* Unknowns m of the problem: k, and one for each row that may stick. */
int pw_stick_unknowns(int k, const int *normal);

/* D (m x m), b, lo, hi (m) of the problem, see pw_box_lcp. */
void pw_stick_assemble(const pw_stick_rows *rows, int m, double *D, double *b, double *lo,
                       double *hi);

/* K (n x m) with K v = B x for all unknowns v. */
void pw_stick_columns(const pw_stick_rows *rows, int m, double *K);

/* x of the solution v. The boxes of rows that may stick are those of its normal forces. */
void pw_stick_result(int k, const double *mu, const int *normal, const double *v, double *lo,
                     double *hi, double *x);

#endif
