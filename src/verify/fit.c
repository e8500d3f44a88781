// SPDX-License-Identifier: MIT
#include "verify/fit.h"

#include <math.h>

/* The first sample from i on, in steps of one to a side, that is `space` from time `from`; end +
 * step: none. Times are in order. */
static int find(const double *t, int i, int end, int step, double from, double space) {
  int low = 0, high = (end - i) * step + 1;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (fabs(t[i + step * middle] - from) >= space) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return i + step * low;
}

/* Samples beside j, each at least `space` further on; up to `most`. */
static int walk(const double *t, int j, int end, int step, double space, int most, int *out) {
  int n = 0, i = j;
  while (n < most && (end - i) * step > 0) {
    i = find(t, i + step, end, step, t[i], space);
    if ((end - i) * step < 0) {
      break;
    }
    out[n++] = i;
  }
  return n;
}

/* Up to m samples around j, half of them on either side where there are so many. */
static int choose(const double *t, int first, int last, int j, double space, int m,
                  pw_fit_weights *w) {
  int left[PW_FIT_POINTS], right[PW_FIT_POINTS];
  int n_left = walk(t, j, first, -1, space, m - 1, left);
  int n_right = walk(t, j, last, 1, space, m - 1, right);
  int half = (m - 1) / 2;
  int use_left = n_right < half ? m - 1 - n_right : m - 1 - half;
  use_left = use_left < n_left ? use_left : n_left;
  int use_right = m - 1 - use_left < n_right ? m - 1 - use_left : n_right;
  w->m = 0;
  for (int i = use_left - 1; i >= 0; i--) {
    w->row[w->m++] = left[i];
  }
  w->at = w->m;
  w->row[w->m++] = j;
  for (int i = 0; i < use_right; i++) {
    w->row[w->m++] = right[i];
  }
  return w->m;
}

/* With Lagrange's polynomials l_i of the nodes x_i (x_c = 0), A_i = (1 - 2 l_i'(x_i)(x - x_i))
 * l_i^2 and B_i = (x - x_i) l_i^2 carry value and slope: certificates (C4), (C5). */
static void weigh(const double *x, pw_fit_weights *w) {
  int m = w->m, c = w->at;
  double sum[PW_FIT_POINTS], lead[PW_FIT_POINTS], inverse2 = 0;
  for (int i = 0; i < m; i++) {
    sum[i] = 0;
    lead[i] = 1;
    for (int k = 0; k < m; k++) {
      if (k != i) {
        sum[i] += 1 / (x[i] - x[k]);
        lead[i] /= x[i] - x[k];
      }
    }
    inverse2 += i == c ? 0 : 1 / (x[i] * x[i]);
  }
  for (int i = 0; i < m; i++) {
    if (i == c) {
      double d = sum[c], s = d * d - inverse2;
      w->q[i] = 2 * s - 6 * d * d;
      w->v[i] = 4 * d;
    } else { /* l_i'(0) = lead_i / (lead_c (0 - x_i)) */
      double d = lead[i] / (lead[c] * -x[i]);
      w->q[i] = (1 + 2 * sum[i] * x[i]) * 2 * d * d;
      w->v[i] = -2 * x[i] * d * d;
    }
    double r = lead[i] / lead[c];
    w->kq[i] = -2 * sum[i] * r * r;
    w->kv[i] = r * r;
  }
}

/* What the polynomials through the other samples have at x_c = 0. */
static void predict(const double *x, pw_fit_weights *w) {
  int m = w->m, c = w->at;
  for (int i = 0; i < m; i++) {
    double g = 1, sum = 0;
    for (int k = 0; k < m; k++) {
      if (k != i && k != c && i != c) {
        g *= -x[k] / (x[i] - x[k]);
        sum += 1 / (x[i] - x[k]);
      }
    }
    w->p[i] = i == c ? 1 : -g;
    w->pq[i] = i == c ? 1 : -(1 + 2 * sum * x[i]) * g * g;
    w->pv[i] = i == c ? 0 : x[i] * g * g;
  }
}

int pw_fit_window(const double *times, int first, int last, int j, double space, int points,
                  pw_fit_weights *w) {
  int m = choose(times, first, last, j, space, points, w);
  if (m < 2) {
    return m;
  }
  double x[PW_FIT_POINTS];
  double unit = w->unit = (times[w->row[m - 1]] - times[w->row[0]]) / (m - 1);
  for (int i = 0; i < m; i++) {
    x[i] = (times[w->row[i]] - times[j]) / unit;
  }
  weigh(x, w);
  predict(x, w);
  for (int i = 0; i < m; i++) { /* back to seconds */
    w->q[i] /= unit * unit;
    w->v[i] /= unit;
    w->kq[i] /= unit;
    w->pv[i] *= unit;
  }
  return m;
}
