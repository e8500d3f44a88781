// SPDX-License-Identifier: MIT
/* Column-pivoted QR with rank decision, and the minimum-norm problems of redundant constraints.
 * Everything lives in the caller's memory; nothing is allocated. */
#ifndef PW_LINALG_QR_H
#define PW_LINALG_QR_H

#include <stdbool.h>
#include <stddef.h>

#include "linalg/parts.h"
#include "linalg/sparse_chol.h"

/* ---- the factorisation alone ---- */

/* A P = Q R in place, A n x m column-major, Q a product of min(n, m) Householder reflections
 * I - tau v v^T with v stored below the diagonal (v_k = 1). Column j of A P is column perm[j] of A.
 * tau: min(n, m), perm: m, work: 2 m. Returns the rank r: the first k with
 * |R_kk| <= rank_tol |R_11|; from there on the columns are left as they are.
 * -1 if A is not finite. */
int pw_qr_factor(double *A, int n, int m, double *tau, int *perm, double *work, double rank_tol);

/* The first `count` reflections on a vector of n: b <- Q^T b, b <- Q b. */
void pw_qr_apply_qt(const double *A, int n, int count, const double *tau, double *b);
void pw_qr_apply_q(const double *A, int n, int count, const double *tau, double *b);

/* ---- complete orthogonal decomposition A P = Q [S^T 0; 0 0] V^T, theory (19) ----
 * Columns that share no coordinate are decomposed apart (theory (98)). */

typedef struct pw_qr {
  int limit;           /* at most this many columns count as independent; init: min(n, m) */
  int n, m, rank;      /* rank -1: not factorised, or A was not finite; solutions are then NaN */
  double *A;           /* n x m, filled by the caller, then the factor */
  const double *given; /* n x m: the matrix, if it does not lie in A; NULL: it does */
  double *tau;         /* min(n, m) */
  double *Z;           /* m x rank: reflections of V and S, if rank < m */
  double *ztau;        /* min(n, m) */
  double *work;        /* 2 max(n, m) */
  int *perm;           /* m */
  pw_parts parts;      /* of a matrix that falls apart; else count is 0 */
  double *pack;        /* n x m: its parts, one after the other, factorised in place of A */
  double *side;        /* n + 2 m: vectors of one part */
  int *ranks;          /* m: of the parts */
  int *member;         /* memory of `parts` */
  const pw_pattern *lists; /* where columns may have entries; NULL: anywhere */
  const int *list_of;      /* m: list of each column */
} pw_qr;

/* The parts of a decomposed matrix, one after the other: each is a separate decomposition over the
 * coordinates and columns given by `at`. Starts at {0}; false: there are no more. */
typedef struct pw_qr_walk {
  int next;
  const int *coord, *col;
  size_t pack, Z;
  int tau;
} pw_qr_walk;
bool pw_qr_next(const pw_qr *f, pw_qr_walk *at, pw_qr *out);

size_t pw_qr_doubles(int n, int m);
size_t pw_qr_ints(int n, int m);
/* Lays the parts out in memory of the sizes above. The caller then writes A and decomposes. */
void pw_qr_init(pw_qr *f, int n, int m, double *doubles, int *ints);
int pw_qr_decompose(pw_qr *f, double rank_tol);

/* The smallest of the `rank` singular values, by inverse iteration; unlike the last pivot it does
 * not depend on the order of the columns. 0 without rank. */
double pw_qr_smallest(const pw_qr *f);

/* x (m): least |x| among the minimisers of |A x - c|, c (n). */
void pw_qr_least_squares(const pw_qr *f, const double *c, double *x);

/* own (m): x_j of the least x with A x = a_j, from 0 to 1; 1: entry j of a solution is unique. A:
 * the matrix before it was factorised. */
void pw_qr_own(const pw_qr *f, const double *A, double *own);

/* pivot (rank): the numbers |R_kk|, part by part. */
void pw_qr_pivots(const pw_qr *f, double *pivot);

/* y (n) <- y - Q1 Q1^T y: the part orthogonal to the columns. */
void pw_qr_reject(const pw_qr *f, double *y);

/* y (n): least |y| with A^T y = r, r (m). Returns max |A^T y - r|, the part of r that no y
 * reaches; NaN if anything is. */
double pw_qr_min_norm(const pw_qr *f, const double *r, double *y);

/* lambda (m): least |lambda| with A^T A lambda = r; y (n) = A lambda, the same as above.
 * Returns the same residual. */
double pw_qr_gram_solve(const pw_qr *f, const double *r, double *lambda, double *y);

#endif
