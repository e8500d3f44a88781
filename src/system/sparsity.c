// SPDX-License-Identifier: MIT
#include "system/sparsity.h"

#include "law/scale_mech.h"
#include "system/lagrange.h"

/* Products of the dense algebra per evaluation: rows in the metric and their decomposition. */
static double dense_work(const pw_system *sys) {
  double n = sys->nv, m = sys->nc;
  return n * n * n / 6 + m * n * n / 2 + m * m * n;
}

const pw_sparsity *pw_sparsity_find(const pw_system *sys, const pw_equations *eq) {
  pw_arena *arena = sys->model->arena;
  double most = dense_work(sys) * PW_SCALE(SPARSE_WORK);
  if (sys->nv + sys->nc < PW_SCALE(SPARSE_SIZE) || sys->ni > 0 || sys->n_state > 0 ||
      sys->trait.oblique || sys->nc > sys->nv) {
    return NULL;
  }
  pw_sparsity *s = PW_NEW(arena, pw_sparsity);
  s->mass = eq->mass;
  s->rows = (pw_pattern){sys->nc, eq->rows.start, eq->rows.index};
  s->factor = pw_chol_plan_new(arena, &s->mass, (size_t)most);
  if (s->factor == NULL || sys->nc == 0) {
    return s->factor == NULL ? NULL : s;
  }
  s->all = pw_rows_plan_new(arena, s->factor, &s->rows, (size_t)most - s->factor->work);
  s->on_positions = s->all;
  if (s->all != NULL && sys->np < sys->nc) {
    pw_pattern some = {sys->np, eq->rows.start, eq->rows.index};
    s->on_positions = pw_rows_plan_new(arena, s->factor, &some, (size_t)most);
  }
  return s->all == NULL || s->on_positions == NULL ? NULL : s;
}
