// SPDX-License-Identifier: MIT
#include "verify/fit.h"

#include <math.h>
#include <string.h>

/* The first sample from i on, in steps of one to a side, that is `space` from time `from`; end +
 * step: none. Times are in order, and mostly at the distance of the first one. */
static int find(const double *t, int i, int end, int step, double from, double space) {
  int low = 0, high = (end - i) * step + 1;
  double guess = ceil(space / fabs(t[i] - from)) - 1;
  if (guess < high) {
    int g = guess > 0 ? (int)guess : 0;
    bool far = fabs(t[i + step * g] - from) >= space;
    if (far && (g == 0 || fabs(t[i + step * (g - 1)] - from) < space)) {
      return i + step * g;
    }
    low = far ? 0 : g + 1;
    high = far ? g : high;
  }
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

/* Up to m samples around j, half of them on either side if there are enough. */
static int choose(const double *t, int first, int last, int j, double space, int m,
                  pw_fit_weights *w) {
  int left[PW_FIT_POINTS], right[PW_FIT_POINTS];
  int half = (m - 1) / 2;
  int use_right = walk(t, j, last, 1, space, half, right);
  int use_left = walk(t, j, first, -1, space, m - 1 - use_right, left);
  if (use_left < m - 1 - half) { /* more on the other side */
    use_right = walk(t, j, last, 1, space, m - 1 - use_left, right);
  }
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

typedef double inverses[PW_FIT_POINTS][PW_FIT_POINTS]; /* 1 / (x_i - x_k), 0 on the diagonal */

static void invert(const double *x, int m, inverses out) {
  for (int i = 0; i < m; i++) {
    out[i][i] = 0;
    for (int k = 0; k < i; k++) {
      out[i][k] = 1 / (x[i] - x[k]);
      out[k][i] = -out[i][k];
    }
  }
}

/* With Lagrange's polynomials l_i of the nodes x_i (x_c = 0), A_i = (1 - 2 l_i'(x_i)(x - x_i))
 * l_i^2 and B_i = (x - x_i) l_i^2 carry value and slope: certificates (C4), (C5). */
static void weigh(inverses inverse, pw_fit_weights *w) {
  int m = w->m, c = w->at;
  double sum[PW_FIT_POINTS], lead[PW_FIT_POINTS], inverse2 = 0;
  for (int i = 0; i < m; i++) {
    sum[i] = 0;
    lead[i] = 1;
    for (int k = 0; k < m; k++) {
      sum[i] += inverse[i][k];
      lead[i] *= k == i ? 1 : inverse[i][k];
    }
    inverse2 += inverse[i][c] * inverse[i][c];
  }
  for (int i = 0; i < m; i++) {
    double r = lead[i] / lead[c];
    if (i == c) {
      double d = sum[c], s = d * d - inverse2;
      w->q[i] = 2 * s - 6 * d * d;
      w->v[i] = 4 * d;
    } else { /* l_i'(0) = lead_i / (lead_c (0 - x_i)) */
      double d = r * inverse[c][i];
      w->q[i] = (1 + 2 * sum[i] * w->x[i]) * 2 * d * d;
      w->v[i] = -2 * w->x[i] * d * d;
    }
    w->kq[i] = -2 * sum[i] * r * r;
    w->kv[i] = r * r;
  }
}

/* What the polynomials through the other samples have at x_c = 0. */
static void predict(inverses inverse, pw_fit_weights *w) {
  int m = w->m, c = w->at;
  for (int i = 0; i < m; i++) {
    double g = 1, sum = 0;
    for (int k = 0; k < m; k++) {
      if (k != i && k != c && i != c) {
        g *= -w->x[k] * inverse[i][k];
        sum += inverse[i][k];
      }
    }
    w->p[i] = i == c ? 1 : -g;
    w->pq[i] = i == c ? 1 : -(1 + 2 * sum * w->x[i]) * g * g;
    w->pv[i] = i == c ? 0 : w->x[i] * g * g;
  }
}

/* The nodes are where they were, and the same one is looked at. */
static bool is_alike(const pw_fit_weights *a, const pw_fit_weights *b, double close) {
  bool alike = a->m == b->m && a->at == b->at && fabs(a->unit - b->unit) <= close * a->unit;
  for (int i = 0; i < a->m && alike; i++) {
    alike = fabs(a->x[i] - b->x[i]) <= close;
  }
  return alike;
}

int pw_fit_again(const double *times, int first, int last, int j, double space, int points,
                 double close, pw_fit_weights *w) {
  pw_fit_weights now;
  int m = choose(times, first, last, j, space, points, &now);
  if (m < 2) {
    w->m = 0;
    return m;
  }
  double unit = now.unit = (times[now.row[m - 1]] - times[now.row[0]]) / (m - 1);
  for (int i = 0; i < m; i++) {
    now.x[i] = (times[now.row[i]] - times[j]) / unit;
  }
  bool alike = is_alike(&now, w, close);
  memcpy(w->row, now.row, sizeof w->row);
  if (alike) {
    return m;
  }
  inverses inverse;
  w->m = m;
  w->at = now.at;
  w->unit = unit;
  memcpy(w->x, now.x, (size_t)m * sizeof *w->x);
  invert(w->x, m, inverse);
  weigh(inverse, w);
  predict(inverse, w);
  for (int i = 0; i < m; i++) { /* back to seconds */
    w->q[i] /= unit * unit;
    w->v[i] /= unit;
    w->kq[i] /= unit;
    w->pv[i] *= unit;
  }
  return m;
}

int pw_fit_window(const double *times, int first, int last, int j, double space, int points,
                  pw_fit_weights *w) {
  w->m = 0;
  return pw_fit_again(times, first, last, j, space, points, 0, w);
}
