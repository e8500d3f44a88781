// SPDX-License-Identifier: MIT
#include "verify/curve.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static const double *node(const pw_curve *c, int j) {
  return c->segment->value + (ptrdiff_t)j * c->stride;
}

/* c_k = (2/N) sum'' f_j cos(j k pi/N), half of it for k = 0 and N. */
void pw_curve_prepare(pw_curve_table *t, int n) {
  int last = n - 1;
  if (t->n == n) {
    return;
  }
  t->n = n;
  for (int j = 0; j < n; j++) {
    t->node[j] = pw_segment_node(j, n);
    for (int term = 0; term < PW_CURVE_TERMS; term++) {
      int k = last - term;
      double ends = j == 0 || j == last ? 0.5 : 1, whole = k == 0 || k == last ? 1 : 2;
      t->term[term][j] = k < 0 || last == 0 ? 0 : whole * ends / last * cos(pi * j * k / last);
    }
  }
}

static double weight(int j, int n) {
  return (j % 2 == 0 ? 1 : -1) * (j == 0 || j == n - 1 ? 0.5 : 1);
}

/* At node i: l_j'(x_i) = (w_j/w_i)/(x_i - x_j), and minus their sum for j = i. */
static void slopes_at_node(const pw_curve_table *t, int i, double *slope) {
  double sum = 0;
  for (int j = 0; j < t->n; j++) {
    slope[j] = j == i ? 0 : weight(j, t->n) / weight(i, t->n) / (t->node[i] - t->node[j]);
    sum += slope[j];
  }
  slope[i] = -sum;
}

/* sum_k 1/(x - x_k) without k = j. The term left out would swallow the others next to its node. */
static double other_terms(const double *away, int n, int j) {
  double sum = 0;
  for (int k = 0; k < n; k++) {
    sum += k == j ? 0 : away[k];
  }
  return sum;
}

/* Lagrange's polynomials of the nodes and their slopes: l_j' = l_j sum_(k != j) 1/(x - x_k). */
static void weigh(const pw_curve_table *t, pw_curve_weights *w) {
  double x = w->part, *value = w->value, *slope = w->slope;
  double whole = 0, away[PW_MOST_NODES];
  for (int j = 0; j < t->n; j++) {
    double d = x - t->node[j];
    if (d == 0) {
      memset(value, 0, (size_t)t->n * sizeof *value);
      value[j] = 1;
      slopes_at_node(t, j, slope);
      return;
    }
    away[j] = 1 / d;
    value[j] = weight(j, t->n) * away[j];
    whole += value[j];
  }
  for (int j = 0; j < t->n; j++) {
    value[j] /= whole;
    slope[j] = value[j] * other_terms(away, t->n, j);
  }
}

/* Those of a part that is asked for again and again are found once. */
static const pw_curve_weights *weights(pw_curve_table *t, double part) {
  pw_curve_weights *w = &t->known[(int)(part * (PW_CURVE_PARTS - 1))];
  if (w->n != t->n || w->part != part) {
    w->n = t->n;
    w->part = part;
    weigh(t, w);
  }
  return w;
}

/* By differences from the first node: rates of constants are zero whatever the rounding. */
void pw_curve_at(const pw_curve *c, double part, double *restrict value, double *restrict rate) {
  const pw_segment *s = c->segment;
  int n = c->n, last = s->nodes - 1;
  const double *restrict first = node(c, 0);
  double h = s->to - s->from;
  bool end = part == 0 || part == 1;
  memcpy(value, node(c, end && part == 1 ? last : 0), (size_t)n * sizeof *value);
  if (end && rate == NULL) {
    return;
  }

  const pw_curve_weights *w = weights(c->table, part);
  if (rate != NULL) {
    memset(rate, 0, (size_t)n * sizeof *rate);
  }
  for (int j = 1; j <= last; j++) {
    const double *restrict y = node(c, j);
    double share = end ? 0 : w->value[j], slope = w->slope[j] / h;
    for (int i = 0; rate != NULL && i < n; i++) {
      double rise = y[i] - first[i];
      value[i] += share * rise;
      rate[i] += slope * rise;
    }
    for (int i = 0; rate == NULL && i < n; i++) {
      value[i] += share * (y[i] - first[i]);
    }
  }
}

void pw_curve_last(const pw_curve *c, double *restrict out) {
  int n = c->n;
  const double *restrict first = node(c, 0);
  memset(out, 0, (size_t)PW_CURVE_TERMS * (size_t)n * sizeof *out);
  for (int j = 1; j < c->segment->nodes; j++) {
    const double *restrict y = node(c, j);
    double a = c->table->term[0][j], b = c->table->term[1][j];
    double d = c->table->term[2][j], e = c->table->term[3][j];
    for (int i = 0; i < n; i++) {
      double rise = y[i] - first[i];
      out[i] += a * rise;
      out[n + i] += b * rise;
      out[2 * n + i] += d * rise;
      out[3 * n + i] += e * rise;
    }
  }
}

double pw_curve_steepest(const pw_curve *c) {
  double last = c->segment->nodes - 1, h = c->segment->to - c->segment->from;
  return 2 * last * last / h;
}

double pw_curve_decay(const double size[PW_CURVE_TERMS]) {
  double ratio = 0; /* squared */
  for (int k = 0; k + 2 < PW_CURVE_TERMS; k++) {
    if (size[k] > 0) {
      ratio = fmax(ratio, size[k + 2] > 0 ? size[k] / size[k + 2] : 1);
    }
  }
  return sqrt(fmin(ratio, 1));
}

double pw_curve_tail(const double size[PW_CURVE_TERMS]) {
  double ratio = pw_curve_decay(size);
  return fmax(size[0] * ratio, size[1] * ratio * ratio);
}
