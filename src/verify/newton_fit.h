// SPDX-License-Identifier: MIT
/* The polynomial through some samples (values, or values and slopes) at any time, by divided
 * differences: for extrapolation beyond the end of a piece. */
#ifndef PW_VERIFY_NEWTON_FIT_H
#define PW_VERIFY_NEWTON_FIT_H

enum { PW_NEWTON_MOST = 10 };

/* t, x (values), v (slopes, or NULL), n samples; 2 n <= PW_NEWTON_MOST with slopes, else n. second:
 * NULL if not wanted. */
void pw_newton_fit(const double *t, const double *x, const double *v, int n, double at,
                   double *value, double *slope, double *second);

#endif
