// SPDX-License-Identifier: MIT
#include "solve/friction.h"

#include <math.h>
#include <string.h>

#include "base/real.h"

static bool contact_well_posed(const pw_contact *c) {
  if (c->dim < 1 || c->dim > 3 || !(c->bound >= 0)) {
    return false;
  }
  return c->kind == PW_BALL || isfinite(c->bound);
}

static bool row_well_posed(const pw_friction *p, int i) {
  bool diagonal = false;
  int last = -1;
  for (int k = p->start[i]; k < p->start[i + 1]; k++) {
    if (p->col[k] <= last || p->col[k] >= p->nc) {
      return false;
    }
    last = p->col[k];
    diagonal = diagonal || last == i;
  }
  return diagonal;
}

bool pw_friction_well_posed(const pw_friction *p) {
  for (int i = 0; i < p->nc; i++) {
    if (!contact_well_posed(&p->contact[i]) || p->start[i + 1] < p->start[i] ||
        !row_well_posed(p, i)) {
      return false;
    }
  }
  return p->nc >= 0 && (p->nc == 0 || (pw_all_finite(p->W, 9 * p->start[p->nc]) &&
                                       pw_all_finite(p->q, 3 * p->nc)));
}

int pw_friction_rows(const pw_contact *contact, int nc) {
  int n = 0;
  for (int i = 0; i < nc; i++) {
    n += contact[i].dim;
  }
  return n;
}

/* Copies block (row i0, column j0) of the dense matrix; true if it is not zero. */
static bool copy_block(const double *W, int n, int i0, int di, int j0, int dj, double *block) {
  bool any = false;
  memset(block, 0, 9 * sizeof *block);
  for (int j = 0; j < dj; j++) {
    const double *w = W + (size_t)(j0 + j) * (size_t)n + (size_t)i0;
    for (int i = 0; i < di; i++) {
      block[3 * i + j] = w[i];
      any = any || w[i] != 0;
    }
  }
  return any;
}

/* Counts the blocks, and stores them where there is room. */
static int scan_blocks(const pw_contact *contact, int nc, const double *W, int *start, int *col,
                       double *blocks) {
  int n = pw_friction_rows(contact, nc), count = 0;
  for (int i = 0, i0 = 0; i < nc; i0 += contact[i++].dim) {
    if (start != NULL) {
      start[i] = count;
    }
    for (int j = 0, j0 = 0; j < nc; j0 += contact[j++].dim) {
      double block[9];
      if (copy_block(W, n, i0, contact[i].dim, j0, contact[j].dim, block) || i == j) {
        if (start != NULL) {
          col[count] = j;
          memcpy(blocks + 9 * (size_t)count, block, sizeof block);
        }
        count++;
      }
    }
  }
  if (start != NULL) {
    start[nc] = count;
  }
  return count;
}

int pw_friction_blocks(const pw_contact *contact, int nc, const double *W) {
  return scan_blocks(contact, nc, W, NULL, NULL, NULL);
}

void pw_friction_pack(const pw_contact *contact, int nc, const double *W, int *start, int *col,
                      double *blocks) {
  scan_blocks(contact, nc, W, start, col, blocks);
}

void pw_friction_spread(const pw_contact *contact, int nc, const double *x, double *x3) {
  for (int i = 0, k = 0; i < nc; i++) {
    for (int j = 0; j < 3; j++) {
      x3[3 * i + j] = j < contact[i].dim ? x[k++] : 0;
    }
  }
}

void pw_friction_gather(const pw_contact *contact, int nc, const double *x3, double *x) {
  for (int i = 0, k = 0; i < nc; i++) {
    for (int j = 0; j < contact[i].dim; j++) {
      x[k++] = x3[3 * i + j];
    }
  }
}

void pw_friction_velocity(const pw_friction *p, const double *r, double *u) {
  for (int i = 0; i < p->nc; i++) {
    double a = p->q[3 * i], b = p->q[3 * i + 1], c = p->q[3 * i + 2];
    for (int k = p->start[i]; k < p->start[i + 1]; k++) {
      const double *w = p->W + 9 * (size_t)k, *x = r + 3 * p->col[k];
      a += w[0] * x[0] + w[1] * x[1] + w[2] * x[2];
      b += w[3] * x[0] + w[4] * x[1] + w[5] * x[2];
      c += w[6] * x[0] + w[7] * x[1] + w[8] * x[2];
    }
    u[3 * i] = a;
    u[3 * i + 1] = b;
    u[3 * i + 2] = c;
  }
}

void pw_friction_scale(const pw_friction *p, double *s) {
  for (int i = 0; i < p->nc; i++) {
    s[i] = 0;
    for (int k = p->start[i]; k < p->start[i + 1]; k++) {
      if (p->col[k] == i) {
        const double *w = p->W + 9 * (size_t)k;
        s[i] = sqrt((fabs(w[0]) + fabs(w[4]) + fabs(w[8])) / p->contact[i].dim);
      }
    }
  }
  for (int i = 0; i < p->nc; i++) {
    if (s[i] == 0) {
      double unit = 0;
      for (int k = p->start[i]; k < p->start[i + 1]; k++) {
        double other = s[p->col[k]];
        unit = other > 0 ? pw_max(unit, pw_norm_inf(p->W + 9 * (size_t)k, 9) / other) : unit;
      }
      s[i] = unit == 0 ? 1 : unit;
    }
  }
}
