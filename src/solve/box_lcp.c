// SPDX-License-Identifier: MIT
#include "solve/box_lcp.h"

#include <math.h>
#include <stddef.h>

#include "base/real.h"

static double entry(const pw_box_lcp *p, int i, int j) {
  return p->D[(size_t)j * (size_t)p->m + (size_t)i];
}

static double clamp(double x, double lo, double hi) {
  return x < lo ? lo : x > hi ? hi : x;
}

bool pw_box_lcp_well_posed(const pw_box_lcp *p) {
  for (int i = 0; i < p->m; i++) {
    double lo = pw_box_lcp_lo(p, i), hi = pw_box_lcp_hi(p, i);
    if (!(lo <= hi) || lo == INFINITY || hi == -INFINITY) {
      return false;
    }
    if (!pw_all_finite(p->D + (size_t)i * (size_t)p->m, p->m)) {
      return false;
    }
  }
  return pw_all_finite(p->b, p->m);
}

void pw_box_lcp_scale(const pw_box_lcp *p, double *s) {
  for (int i = 0; i < p->m; i++) {
    s[i] = sqrt(fabs(entry(p, i, i)));
  }
  for (int i = 0; i < p->m; i++) {
    double couple = 0;
    for (int j = 0; j < p->m && entry(p, i, i) == 0; j++) {
      double largest = pw_max(fabs(entry(p, i, j)), fabs(entry(p, j, i)));
      if (entry(p, j, j) != 0 && largest > couple * s[j]) {
        couple = largest / s[j];
      }
    }
    s[i] = s[i] > 0 ? s[i] : couple > 0 ? couple : 1;
  }
}

double pw_box_lcp_residual(const pw_box_lcp *p, const double *s, const double *x) {
  double worst = 0, scale = 0;
  for (int i = 0; i < p->m; i++) {
    double lo = pw_box_lcp_lo(p, i), hi = pw_box_lcp_hi(p, i), y = p->b[i];
    for (int j = 0; j < p->m; j++) {
      y += entry(p, i, j) * x[j];
    }
    double miss = fabs(clamp(y / s[i], (x[i] - hi) * s[i], (x[i] - lo) * s[i]));
    worst = isnan(x[i]) ? NAN : pw_max(worst, miss);
    scale = pw_max(scale, pw_max(fabs(p->b[i]) / s[i], fabs(clamp(0, lo, hi)) * s[i]));
  }
  return scale > 0 ? worst / scale : worst;
}
