// SPDX-License-Identifier: MIT
#include "law/row.h"

#include <math.h>

#include "base/real.h"
#include "law/scale_sim.h"

double pw_law_radius(const pw_law_row *row, bool sticks) {
  return sticks && row->limit >= 0 ? row->limit : -row->left;
}

/* A servo pushes along +Phi alone, which raises the measure or lowers it (Kozlov 2019, sec. 6). */
static pw_law_set one_way_set(const pw_law_row *row, bool pushes) {
  double lo = pushes || row->form->wall ? 0 : -INFINITY;
  return pw_law_interval(lo, pushes ? INFINITY : 0);
}

static pw_law_set graph_set(const pw_law_row *row, bool sticks) {
  bool larger = sticks && row->limit >= 0;
  double lo = larger ? -row->limit : -row->right;
  double hi = larger ? row->limit : row->form->wall ? INFINITY : -row->left;
  if (lo > hi && row->form->kind != PW_KIND_FRICTION) {
    lo = hi = (lo + hi) / 2;
  }
  return pw_law_interval(lo, hi);
}

pw_law_set pw_law_set_at_kink(const pw_law_row *row, pw_law_hold hold) {
  const pw_law_form *f = row->form;
  if (f->equality || f->kind == PW_KIND_ROUGH) {
    return pw_law_interval(-INFINITY, INFINITY);
  }
  if (f->group >= 0) {
    return pw_law_disk(pw_law_radius(row, hold.sticks));
  }
  if (f->one_way) {
    return one_way_set(row, hold.pushes);
  }
  if (f->complementary && hold.carries) {
    return pw_law_interval(-INFINITY, INFINITY);
  }
  return graph_set(row, hold.sticks);
}

bool pw_law_is_reentrant(const pw_law_row *row) {
  double size = fmax(fabs(row->left), fabs(row->right));
  return row->form->kind == PW_KIND_KINK && row->form->group < 0 &&
         row->right - row->left < -PW_SCALE(SAME_FORCE) * size;
}

void pw_law_keep_larger_limit(pw_law_row *row) {
  pw_law_set set = pw_law_set_at_kink(row, (pw_law_hold){.sticks = false});
  bool larger = false;
  for (int k = 0; k < pw_law_set_dimension(&set); k++) {
    pw_law_set part = pw_law_set_extent(&set, k);
    larger = larger || row->limit > fmax(fabs(part.lo), fabs(part.hi));
  }
  row->limit = larger ? row->limit : -1;
}

double pw_law_force_beside(const pw_law_row *row, int side) {
  return side < 0 ? -row->left : -row->right;
}
