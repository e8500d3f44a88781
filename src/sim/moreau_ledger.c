// SPDX-License-Identifier: MIT
/* The ledger of a step: P J v = P rate - P b is the work of a row in it, v the mean velocity. */
#include "linalg/dense.h"
#include "sim/moreau.h"

static const pw_system *system_of(const pw_moreau *x) {
  return x->contacts->watch.s->mech->sys;
}

double pw_moreau_lost_by(const pw_moreau *x, int row) {
  return -x->P[row] * x->mid.rate[row];
}

/* An entry without `lost` is the work of what moves the law, or of a spring all its power. */
void pw_moreau_book(const pw_moreau *x, double *z, int row, double lost, double work) {
  const pw_system *sys = system_of(x);
  for (int k = 0; k < sys->n_work; k++) {
    const pw_work *w = &sys->work[k];
    if (w->row >= 0 && row >= w->row && row < w->row + w->rows) {
      z[1 + k] += w->lost ? lost : work;
    }
  }
}

void pw_moreau_book_row(const pw_moreau *x, double *z, int row) {
  const pw_frame *f = &x->mid;
  const pw_system *sys = system_of(x);
  double length;
  const double *column = pw_moreau_column(f, row, &length);
  double along = length * pw_dot(column, f->c_velocity, f->n);
  bool is_law = row >= sys->nc, drives = sys->row[row].by >= 0;
  bool whole =
      !is_law || drives || (pw_moreau_is_graph(&sys->row[row]) && !sys->row[row].on_velocity);
  double work = x->P[row] * (whole ? along : along - f->rate[row]);
  pw_moreau_book(x, z, row, pw_moreau_lost_by(x, row), work);
}

void pw_moreau_book_step(const pw_moreau *x, const pw_rk *rk, double *z) {
  const pw_system *sys = system_of(x);
  z[0] += rk->h * x->z_rate[0];
  for (int k = 0; k < sys->n_work; k++) {
    z[1 + k] += sys->work[k].row < 0 ? rk->h * x->z_rate[1 + k] : 0;
  }
  for (int i = 0; i < sys->nr; i++) {
    if (i < sys->nc || !x->struck[i - sys->nc]) {
      pw_moreau_book_row(x, z, i);
    }
  }
}

/* Energy put in by the projection of the positions comes back from the rows that did it. */
void pw_moreau_book_shift(const pw_moreau *x, double *z, double gained) {
  const pw_system *sys = system_of(x);
  double sum = 0;
  for (int i = sys->nc; i < sys->nr; i++) {
    sum += x->push[i];
  }
  for (int i = sys->nc; sum > 0 && i < sys->nr; i++) {
    pw_moreau_book(x, z, i, -gained * x->push[i] / sum, 0);
  }
}
