// SPDX-License-Identifier: MIT
/* Right-looking Cholesky over a plan: column by column, each finished column subtracts the products
 * of its entries, sparse (S3), whose places the plan lists. */
#include "linalg/sparse_chol.h"

#include <math.h>
#include <stdbool.h>

#include "base/assert.h"
#include "law/scale_mech.h"

int pw_chol_plan_factor(const pw_chol_plan *plan, double *x, const double *diagonal) {
  const int *target = plan->target;
  double *beside = x + plan->n;
  for (int k = 0; k < plan->n; k++) {
    int column = plan->order[k], from = plan->start[k], to = plan->start[k + 1];
    double pivot = x[column], size = diagonal == NULL ? 1 : diagonal[column];
    if (!(pivot > 0 && pivot > PW_SCALE(CHOL_PIVOT) * size && size < INFINITY)) {
      return column + 1;
    }
    double inverse = 1 / sqrt(pivot);
    x[column] = inverse;
    for (int e = from; e < to; e++) {
      beside[e] *= inverse;
    }
    for (int a = from; a < to; a++) {
      double own = beside[a];
      for (int b = a; b < to; b++) {
        x[*target++] -= own * beside[b];
      }
    }
  }
  return 0;
}

double pw_chol_plan_least(const pw_chol_plan *plan, const double *x) {
  double most = 0;
  for (int i = 0; i < plan->n; i++) {
    most = x[i] > most ? x[i] : most;
  }
  return 1 / most;
}

void pw_chol_plan_forward(const pw_chol_plan *plan, const double *x, double *b) {
  const double *beside = x + plan->n;
  for (int k = 0; k < plan->n; k++) {
    int column = plan->order[k];
    double own = b[column] * x[column];
    b[column] = own;
    for (int e = plan->start[k]; e < plan->start[k + 1]; e++) {
      b[plan->row[e]] -= beside[e] * own;
    }
  }
}

void pw_chol_plan_backward(const pw_chol_plan *plan, const double *x, double *b) {
  const double *beside = x + plan->n;
  for (int k = plan->n - 1; k >= 0; k--) {
    int column = plan->order[k];
    double sum = b[column];
    for (int e = plan->start[k]; e < plan->start[k + 1]; e++) {
      sum -= beside[e] * b[plan->row[e]];
    }
    b[column] = sum * x[column];
  }
}

void pw_chol_plan_lift(const pw_chol_plan *plan, const double *x, const double *v, double *out) {
  const double *beside = x + plan->n;
  for (int k = 0; k < plan->n; k++) {
    int column = plan->order[k];
    double sum = v[column] / x[column];
    for (int e = plan->start[k]; e < plan->start[k + 1]; e++) {
      sum += beside[e] * v[plan->row[e]];
    }
    out[column] = sum;
  }
}

int pw_pattern_find(const pw_pattern *p, int i, int item) {
  int low = p->start[i], high = p->start[i + 1];
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (p->index[middle] < item) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < p->start[i + 1] && p->index[low] == item ? low : -1;
}
