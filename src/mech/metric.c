// SPDX-License-Identifier: MIT
/* The mass matrix as a metric, M = F F^T, and the imposed rows in it: dense, or over the plans that
 * the system was compiled with (docs/sparse.md). */
#include <stdlib.h>

#include "base/real.h"
#include "law/scale_mech.h"
#include "linalg/chol.h"
#include "linalg/dense.h"
#include "mech/work.h"

int pw_mech_factor(pw_mech *m) {
  const pw_system *s = m->sys;
  return s->pattern.sparse == NULL
             ? pw_chol(m->w->L, s->nv)
             : pw_chol_plan_factor(s->pattern.sparse->factor, m->w->L, m->mass);
}

void pw_mech_forward(const pw_mech *m, double *b) {
  const pw_system *s = m->sys;
  if (s->pattern.sparse == NULL) {
    pw_chol_forward_in(m->w->L, s->nv, pw_moved_extent(s), b);
  } else {
    pw_chol_plan_forward(s->pattern.sparse->factor, m->w->L, b);
  }
}

void pw_mech_backward(const pw_mech *m, double *b) {
  const pw_system *s = m->sys;
  if (s->pattern.sparse == NULL) {
    pw_chol_backward_in(m->w->L, s->nv, pw_moved_extent(s), b);
  } else {
    pw_chol_plan_backward(s->pattern.sparse->factor, m->w->L, b);
  }
}

void pw_mech_lift(const pw_mech *m, const double *v, double *out) {
  if (m->sys->pattern.sparse != NULL) {
    pw_chol_plan_lift(m->sys->pattern.sparse->factor, m->w->L, v, out);
  } else {
    pw_chol_lift_in(m->w->L, m->sys->nv, pw_moved_extent(m->sys), v, out);
  }
}

double pw_mech_unit(const pw_mech *m, double *b) {
  int n = m->sys->nv;
  if (m->sys->pattern.sparse == NULL) {
    return pw_chol_unit(m->w->L, n, b);
  }
  pw_mech_forward(m, b);
  double length = pw_norm2(b, n);
  for (int i = 0; length != 0 && i < n; i++) {
    b[i] /= length;
  }
  return length;
}

double pw_mech_unit_row(const pw_mech *m, const double *L, int row, const double *J, double *out) {
  const pw_moved *moved = m->sys->pattern.moved;
  int n = m->sys->nv;
  if (moved == NULL) {
    pw_copy(out, J, n);
    return m->sys->pattern.sparse == NULL ? pw_chol_unit(L, n, out) : pw_mech_unit(m, out);
  }
  const int *at = moved->rows.index + moved->rows.start[row];
  int count = moved->rows.start[row + 1] - moved->rows.start[row];
  pw_zero(out, n);
  double length = pw_chol_forward_list(L, n, at, count, J, out);
  for (int i = 0; length != 0 && i < count; i++) {
    out[at[i]] /= length;
  }
  return length;
}

void pw_mech_columns(const pw_mech *m, const double *eq_J, int count, double *columns,
                     double *length) {
  int n = m->sys->nv;
  for (int k = 0; k < count; k++) {
    double *col = columns + (size_t)k * (size_t)n;
    const double *J = pw_mech_row(m, eq_J, m->w->act[k]);
    length[k] = pw_mech_unit_row(m, m->w->L, m->w->act[k], J, col);
  }
}

/* ---- the metric of another state ---- */

static int numbers(const pw_system *s) {
  return s->pattern.sparse == NULL ? s->nv * s->nv : s->pattern.sparse->factor->numbers;
}

size_t pw_mech_metric_size(const pw_system *sys) {
  return sys->trait.constant_mass ? 0 : (size_t)sys->nv + (size_t)numbers(sys);
}

void pw_mech_keep_metric(const pw_mech *m, double *metric) {
  int n = m->sys->nv;
  if (!m->sys->trait.constant_mass) {
    pw_copy(metric, m->mass, n);
    pw_copy(metric + n, m->w->L, numbers(m->sys));
  }
}

void pw_mech_use_metric(pw_mech *m, const double *metric) {
  int n = m->sys->nv;
  if (!m->sys->trait.constant_mass) {
    pw_copy(m->mass, metric, n);
    pw_copy(m->w->L, metric + n, numbers(m->sys));
  }
}

/* ---- rows that are clearly independent ---- */

void pw_firm_lay(pw_layout *l, pw_firm *f, const pw_system *s) {
  if (s->pattern.sparse == NULL || s->nc == 0) {
    return;
  }
  const pw_sparsity *x = s->pattern.sparse;
  struct {
    pw_sparse_rows *rows;
    const pw_rows_plan *plan;
  } all[] = {{&f->rows, x->all}, {&f->project, x->all}, {&f->project_q, x->on_positions}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    double *memory = PW_LAY(l, pw_sparse_rows_doubles(all[i].plan), double);
    if (memory != NULL) {
      pw_sparse_rows_init(all[i].rows, all[i].plan, x->factor, memory);
    }
  }
  f->room = PW_LAY(l, s->nv, double);
}

bool pw_firm_factor(pw_mech *m, pw_sparse_rows *rows, const double *J, bool decide) {
  pw_sparse_rows_load(rows, m->w->L, J);
  return pw_sparse_rows_factor(rows) > PW_SCALE(SPARSE_PIVOT) &&
         (!decide || pw_sparse_rows_smallest(rows) > PW_SCALE(SPARSE_FIRM));
}

double pw_mech_column_dot(const pw_mech *m, int k, const double *v) {
  const struct pw_mech_work *w = m->w;
  return w->firm.holds
             ? pw_sparse_rows_dot(&w->firm.rows, k, v)
             : pw_moved_dot(m->sys, w->act[k], w->columns + (size_t)k * (size_t)m->sys->nv, v);
}

double pw_mech_mass_entry(const pw_mech *m, int i, int j) {
  pw_motion_view x = pw_view_motion(m->sys, m->w->tape.motion.out);
  int place = pw_view_mass_at(m->sys, i, j);
  return place < 0 ? 0 : x.M[place];
}
