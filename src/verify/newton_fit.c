// SPDX-License-Identifier: MIT
#include "verify/newton_fit.h"

#include <stddef.h>

void pw_newton_fit(const double *t, const double *x, const double *v, int n, double at,
                   double *value, double *slope, double *second) {
  double z[PW_NEWTON_MOST] = {0}, d[PW_NEWTON_MOST] = {0};
  int twice = v == NULL ? 1 : 2, m = twice * n;
  for (int i = 0; i < m; i++) {
    z[i] = t[i / twice];
    d[i] = x[i / twice];
  }
  for (int k = 1; k < m; k++) { /* d[i] becomes f[z_{i-k} .. z_i] */
    for (int i = m - 1; i >= k; i--) {
      d[i] = z[i] == z[i - k] ? (v == NULL ? 0 : v[i / 2]) : (d[i] - d[i - 1]) / (z[i] - z[i - k]);
    }
  }
  double p = d[m - 1], dp = 0, ddp = 0;
  for (int i = m - 2; i >= 0; i--) {
    ddp = ddp * (at - z[i]) + 2 * dp;
    dp = dp * (at - z[i]) + p;
    p = p * (at - z[i]) + d[i];
  }
  *value = p;
  *slope = dp;
  if (second != NULL) {
    *second = ddp;
  }
}
