// SPDX-License-Identifier: MIT
/* Truncated power series f(t) = sum_k f_k t^k, k = 0..n: coefficients in, coefficients out.
 * The result r must not overlap an operand. n <= PW_JET_ORDER_MAX. */
#ifndef PW_EXPR_JET_OPS_H
#define PW_EXPR_JET_OPS_H

enum { PW_JET_ORDER_MAX = 24, PW_JET_ROOM = PW_JET_ORDER_MAX + 1 };

void pw_jet_mul(int n, const double *a, const double *b, double *r);
void pw_jet_div(int n, const double *a, const double *b, double *r);
void pw_jet_powi(int n, const double *a, int exponent, double *r);
void pw_jet_pow(int n, const double *a, const double *b, double *r);
void pw_jet_sqrt(int n, const double *a, double *r);
void pw_jet_exp(int n, const double *a, double *r);
void pw_jet_log(int n, const double *a, double *r);
void pw_jet_sincos(int n, const double *a, double *s, double *c);
void pw_jet_sinhcosh(int n, const double *a, double *s, double *c);
void pw_jet_tan(int n, const double *a, double *r);
void pw_jet_tanh(int n, const double *a, double *r);
void pw_jet_asin(int n, const double *a, double *r);
void pw_jet_acos(int n, const double *a, double *r);
void pw_jet_atan(int n, const double *a, double *r);
void pw_jet_atan2(int n, const double *y, const double *x, double *r);
void pw_jet_hypot(int n, const double *a, const double *b, double *r);

/* Lexicographic sign: that of the first coefficient that is not zero; NaN if that is NaN. It is
 * the sign of f(t) for small t > 0. */
double pw_jet_sign(int n, const double *a);
/* Lexicographic sign of a - b. */
double pw_jet_compare(int n, const double *a, const double *b);

#endif
