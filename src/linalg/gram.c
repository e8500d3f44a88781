// SPDX-License-Identifier: MIT
#include "linalg/gram.h"

#include <math.h>
#include <string.h>

#include "linalg/dense.h"

enum { ENTRIES = 8 }; /* in each row and each column; with more a matrix is not sparse */

void pw_gram_lay(pw_gram *g, int n, int m, pw_layout *l) {
  size_t most = (size_t)ENTRIES * (size_t)(n + m);
  *g = (pw_gram){.n = n, .most = (int)most};
  g->row = PW_LAY(l, most, int);
  g->next = PW_LAY(l, most, int);
  g->column = PW_LAY(l, most, int);
  g->value = PW_LAY(l, most, double);
  g->head = PW_LAY(l, n, int);
  g->start = PW_LAY(l, m + 1, int);
  g->first = PW_LAY(l, m, int);
  g->L = PW_LAY(l, (size_t)m * (size_t)m, double);
  g->rest = PW_LAY(l, n, double);
  g->right = PW_LAY(l, m, double);
}

void pw_gram_begin(pw_gram *g, int n) {
  g->n = n;
  g->m = g->count = 0;
  g->start[0] = 0;
  for (int i = 0; i < n; i++) {
    g->head[i] = -1;
  }
}

bool pw_gram_add(pw_gram *g, const double *a, double size) {
  int j = g->m, first = j;
  for (int i = 0; i < g->n; i++) {
    if (a[i] == 0) {
      continue;
    }
    if (g->count == g->most) {
      return false;
    }
    int e = g->count++;
    g->row[e] = i;
    g->column[e] = j;
    g->value[e] = a[i] / size;
    g->next[e] = g->head[i];
    g->head[i] = e;
    for (int k = g->next[e]; k >= 0; k = g->next[k]) {
      first = g->column[k] < first ? g->column[k] : first;
    }
  }
  g->first[j] = first;
  g->start[++g->m] = g->count;
  return true;
}

static double *row_of(const pw_gram *g, int j) {
  return g->L + (size_t)j * (size_t)g->m;
}

/* Row j of G: products with the columns before it. */
static void multiply(pw_gram *g, int j) {
  double *to = row_of(g, j);
  memset(to + g->first[j], 0, (size_t)(j - g->first[j] + 1) * sizeof *to);
  for (int e = g->start[j]; e < g->start[j + 1]; e++) {
    for (int k = e; k >= 0; k = g->next[k]) {
      to[g->column[k]] += g->value[e] * g->value[k];
    }
  }
}

double pw_gram_factor(pw_gram *g) {
  double least = INFINITY;
  for (int j = 0; j < g->m; j++) {
    multiply(g, j);
    double *own = row_of(g, j);
    for (int k = g->first[j]; k <= j; k++) {
      const double *other = row_of(g, k);
      int from = g->first[j] > g->first[k] ? g->first[j] : g->first[k];
      double left = own[k] - pw_dot(own + from, other + from, k - from);
      if (k == j && !(left > 0)) {
        return 0;
      }
      own[k] = k < j ? left / other[k] : sqrt(left);
    }
    least = fmin(least, own[j]);
  }
  return least;
}

/* right <- G^-1 right. */
static void solve(pw_gram *g) {
  double *b = g->right;
  for (int j = 0; j < g->m; j++) {
    const double *L = row_of(g, j);
    int from = g->first[j];
    b[j] = (b[j] - pw_dot(L + from, b + from, j - from)) / L[j];
  }
  for (int j = g->m - 1; j >= 0; j--) {
    const double *L = row_of(g, j);
    int from = g->first[j];
    b[j] /= L[j];
    pw_axpy(-b[j], L + from, b + from, j - from);
  }
}

void pw_gram_least_squares(pw_gram *g, const double *c, double *x) {
  enum { PASSES = 2 }; /* the second corrects what the square of the condition has lost */
  memcpy(g->rest, c, (size_t)g->n * sizeof *c);
  memset(x, 0, (size_t)g->m * sizeof *x);
  for (int pass = 0; pass < PASSES; pass++) {
    for (int j = 0; j < g->m; j++) {
      g->right[j] = 0;
      for (int e = g->start[j]; e < g->start[j + 1]; e++) {
        g->right[j] += g->value[e] * g->rest[g->row[e]];
      }
    }
    solve(g);
    for (int j = 0; j < g->m; j++) {
      x[j] += g->right[j];
      for (int e = g->start[j]; e < g->start[j + 1]; e++) {
        g->rest[g->row[e]] -= g->value[e] * g->right[j];
      }
    }
  }
}
