// SPDX-License-Identifier: MIT
#include "verify/curve.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/pi.h"
#include "base/real.h"

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
      t->term[j][term] = k < 0 || last == 0 ? 0 : whole * ends / last * cos(PW_PI * j * k / last);
    }
  }
}

static double weight(int j, int n) {
  return (j % 2 == 0 ? 1 : -1) * (j == 0 || j == n - 1 ? 0.5 : 1);
}

/* At node i: l_j'(x_i) = (w_j/w_i)/(x_i - x_j), and minus their sum for j = i. */
static void weigh_at_node(const pw_curve_table *t, int i, pw_curve_weights *w) {
  double sum = 0;
  for (int j = 0; j < t->n; j++) {
    w->at[j][0] = j == i;
    w->at[j][1] = j == i ? 0 : weight(j, t->n) / weight(i, t->n) / (t->node[i] - t->node[j]);
    sum += w->at[j][1];
  }
  w->at[i][1] = -sum;
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
  double whole = 0, away[PW_MOST_NODES];
  for (int j = 0; j < t->n; j++) {
    double d = w->part - t->node[j];
    if (d == 0) {
      weigh_at_node(t, j, w);
      return;
    }
    away[j] = 1 / d;
    w->at[j][0] = weight(j, t->n) * away[j];
    whole += w->at[j][0];
  }
  for (int j = 0; j < t->n; j++) {
    w->at[j][0] /= whole;
    w->at[j][1] = w->at[j][0] * other_terms(away, t->n, j);
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

/* A state of the curve that is a node, or NULL: an end, or the middle of an even number of parts.
 */
static const double *node_at(const pw_curve *c, double part) {
  int last = c->segment->nodes - 1;
  return part == 0                      ? node(c, 0)
         : part == 1                    ? node(c, last)
         : part == 0.5 && last % 2 == 0 ? node(c, last / 2)
                                        : NULL;
}

/* By differences from the first node: rates of constants are zero whatever the rounding. */
void pw_curve_at(const pw_curve *c, double part, double *restrict value, double *restrict rate) {
  const double *first = node(c, 0), *known = node_at(c, part);
  if (known != NULL) {
    memcpy(value, known, (size_t)c->n * sizeof *value);
  }
  if (known != NULL && rate == NULL) {
    return;
  }
  const pw_curve_weights *w = weights(c->table, part);
  double h = c->segment->to - c->segment->from;
  for (int i = 0; i < c->n; i++) {
    double share = 0, slope = 0;
    for (int j = 1; j < c->segment->nodes; j++) {
      double rise = node(c, j)[i] - first[i];
      share += w->at[j][0] * rise;
      slope += w->at[j][1] * rise;
    }
    value[i] = known != NULL ? value[i] : first[i] + share;
    if (rate != NULL) {
      rate[i] = slope / h;
    }
  }
}

/* One pass over the nodes: six sums for each number. */
void pw_curve_look(const pw_curve *c, double part, double *restrict value, double *restrict rate,
                   double *restrict last) {
  const double *first = node(c, 0), *known = node_at(c, part);
  const pw_curve_weights *w = weights(c->table, part);
  int n = c->n;
  double h = c->segment->to - c->segment->from;
  for (int i = 0; i < n; i++) {
    double at[2] = {0}, term[PW_CURVE_TERMS] = {0};
    const double *y = first + i;
    for (int j = 1; j < c->segment->nodes; j++) {
      y += c->stride;
      double rise = *y - first[i];
      for (int k = 0; k < 2; k++) {
        at[k] += w->at[j][k] * rise;
      }
      for (int k = 0; k < PW_CURVE_TERMS; k++) {
        term[k] += c->table->term[j][k] * rise;
      }
    }
    value[i] = known != NULL ? known[i] : first[i] + at[0];
    rate[i] = at[1] / h;
    for (int k = 0; k < PW_CURVE_TERMS; k++) {
      last[k * n + i] = term[k];
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
      ratio = pw_max(ratio, size[k + 2] > 0 ? size[k] / size[k + 2] : 1);
    }
  }
  return sqrt(pw_min(ratio, 1));
}

double pw_curve_tail(const double size[PW_CURVE_TERMS], double decay) {
  return pw_max(size[0] * decay, size[1] * decay * decay);
}
