// SPDX-License-Identifier: MIT
/* Column-pivoted QR with rank decision, and the minimum-norm problems of redundant constraints.
 * Everything lives in the caller's memory; nothing is allocated. */
#ifndef PW_LINALG_QR_H
#define PW_LINALG_QR_H

#include <stddef.h>

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

/* ---- complete orthogonal decomposition A P = Q [S^T 0; 0 0] V^T, theory (19) ---- */

typedef struct pw_qr {
  int limit;      /* no more than this many columns count as independent; init: min(n, m) */
  int n, m, rank; /* rank -1: not factorised, or A was not finite; solutions are then NaN */
  double *A;      /* n x m, filled by the caller, then the factor */
  double *tau;    /* min(n, m) */
  double *Z;      /* m x rank: reflections of V and S, if rank < m */
  double *ztau;   /* min(n, m) */
  double *work;   /* 2 max(n, m) */
  int *perm;      /* m */
} pw_qr;

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

/* y (n): least |y| with A^T y = r, r (m). Returns max |A^T y - r|, the part of r that no y
 * reaches; NaN if anything is. */
double pw_qr_min_norm(const pw_qr *f, const double *r, double *y);

/* lambda (m): least |lambda| with A^T A lambda = r; y (n) = A lambda, the same as above.
 * Returns the same residual. */
double pw_qr_gram_solve(const pw_qr *f, const double *r, double *lambda, double *y);

#endif
