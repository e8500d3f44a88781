// SPDX-License-Identifier: MIT
/* A thin QR of a changing set of independent columns: A_F = Q R, by Gram-Schmidt twice. Adding and
 * removing a column costs O(n k). */
#ifndef PW_SOLVE_ACTIVE_QR_H
#define PW_SOLVE_ACTIVE_QR_H

typedef struct pw_active_qr {
  int n, cap, k; /* rows, largest and present number of columns */
  double *Q;     /* n x cap */
  double *R;     /* cap x cap, upper triangle */
} pw_active_qr;

/* Splits a (n) = Q t + rho; t (k) and rho (n) are written; returns |rho|.
 * work: k */
double pw_active_split(const pw_active_qr *f, const double *a, double *t, double *rho,
                       double *work);
/* t <- R^-1 t and t <- R^-T t. */
void pw_active_back(const pw_active_qr *f, double *t);
void pw_active_forward(const pw_active_qr *f, double *t);
/* Appends the column that was just split: R gets (t, |rho|), Q gets rho / |rho|. */
void pw_active_add(pw_active_qr *f, const double *t, const double *rho, double length);
/* Removes column j; later ones move down by one. */
void pw_active_remove(pw_active_qr *f, int j);

#endif
