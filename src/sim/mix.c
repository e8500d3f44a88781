// SPDX-License-Identifier: MIT
#include "sim/mix.h"

#include <math.h>

#include "law/scale_sim.h"
#include "linalg/dense.h"

size_t pw_mix_size(int n) {
  return (size_t)(3 * PW_MIX_DEPTH + 2) * (size_t)n + (size_t)PW_MIX_DEPTH * PW_MIX_DEPTH;
}

void pw_mix_init(pw_mix *m, int n, double *memory) {
  ptrdiff_t block = (ptrdiff_t)PW_MIX_DEPTH * n;
  *m = (pw_mix){.n = n, .value = memory};
  m->rest = m->value + n;
  m->step = m->rest + n;
  m->fall = m->step + block;
  m->unit = m->fall + block;
  m->triangle = m->unit + block;
}

void pw_mix_begin(pw_mix *m) {
  m->count = 0;
  m->any = false;
}

static int of_age(const pw_mix *m, int age) { /* of the differences, 0: the newest */
  return (m->count - 1 - age) % PW_MIX_DEPTH;
}

/* Gram and Schmidt, newest first. Columns that depend on newer ones get a zero diagonal. */
static int orthonormal(pw_mix *m) {
  int kept = m->count < PW_MIX_DEPTH ? m->count : PW_MIX_DEPTH;
  for (int k = 0; k < kept; k++) {
    double *q = m->unit + (ptrdiff_t)k * m->n, *r = m->triangle + (ptrdiff_t)k * PW_MIX_DEPTH;
    pw_copy(q, m->fall + (ptrdiff_t)of_age(m, k) * m->n, m->n);
    double whole = pw_norm2(q, m->n);
    for (int j = 0; j < k; j++) {
      const double *p = m->unit + (ptrdiff_t)j * m->n;
      r[j] = pw_dot(p, q, m->n);
      pw_axpy(-r[j], p, q, m->n);
    }
    double left = pw_norm2(q, m->n);
    r[k] = left > PW_SCALE(MIX_DEPENDENT) * whole ? left : 0;
    for (int i = 0; i < m->n; i++) {
      q[i] = r[k] > 0 ? q[i] / left : 0;
    }
  }
  return kept;
}

/* x = value - sum of share_k step_k with the least |rest - sum of share_k fall_k|. */
static void combine(pw_mix *m, double *x) {
  double share[PW_MIX_DEPTH];
  int kept = orthonormal(m);
  for (int k = kept - 1; k >= 0; k--) {
    double sum = pw_dot(m->unit + (ptrdiff_t)k * m->n, m->rest, m->n);
    for (int j = k + 1; j < kept; j++) {
      sum -= m->triangle[(ptrdiff_t)j * PW_MIX_DEPTH + k] * share[j];
    }
    double own = m->triangle[(ptrdiff_t)k * PW_MIX_DEPTH + k];
    share[k] = own > 0 ? sum / own : 0;
  }
  for (int k = 0; k < kept; k++) {
    pw_axpy(-share[k], m->step + (ptrdiff_t)of_age(m, k) * m->n, x, m->n);
  }
}

void pw_mix_next(pw_mix *m, const double *value, double *x) {
  ptrdiff_t at = (ptrdiff_t)(m->count % PW_MIX_DEPTH) * m->n;
  for (int i = 0; i < m->n; i++) {
    double rest = value[i] - x[i];
    if (m->any) {
      m->step[at + i] = value[i] - m->value[i];
      m->fall[at + i] = rest - m->rest[i];
    }
    m->value[i] = x[i] = value[i];
    m->rest[i] = rest;
  }
  m->count += m->any;
  m->any = true;
  combine(m, x);
}
