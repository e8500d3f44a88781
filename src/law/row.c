// SPDX-License-Identifier: MIT
#include "law/row.h"

#include <math.h>

#include "base/real.h"
#include "law/scale_sim.h"

pw_law_row pw_law_row_of_forces(const pw_law_form *form, const double graph[2], double limit) {
  return (pw_law_row){.form = form,
                      .value = NAN,
                      .rate = NAN,
                      .zeta = NAN,
                      .left = graph[0],
                      .right = graph[1],
                      .limit = limit,
                      .restitution = NAN};
}

pw_law_row pw_law_row_of_equality(const pw_law_form *form, double value, double rate) {
  return (pw_law_row){.form = form, .value = value, .rate = rate, .limit = -1};
}

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
    return pw_law_line();
  }
  if (f->group >= 0) {
    return pw_law_ball(pw_law_radius(row, hold.sticks), f->width);
  }
  if (f->one_way) {
    return one_way_set(row, hold.pushes);
  }
  if (f->complementary && hold.carries) {
    return pw_law_line();
  }
  return graph_set(row, hold.sticks);
}

double pw_law_bound(const pw_law_row *row, bool sticks, double slip) {
  if (!sticks) {
    return slip < 0 ? -row->left : row->right;
  }
  pw_law_set set = pw_law_set_at_kink(row, (pw_law_hold){.sticks = true});
  return fmax(-set.lo, set.hi);
}

pw_law_set pw_law_set_near(const pw_law_row *row, pw_law_hold hold, double measure) {
  if (!row->form->on_velocity && row->left > row->right) {
    return pw_law_set_beside(row, measure < 0 ? -1 : 1);
  }
  pw_law_set set = pw_law_set_at_kink(row, hold);
  double beside = fmax(measure < 0 ? set.hi : -set.lo, 0);
  return pw_law_set_is_empty(&set) ? pw_law_interval(-beside, beside) : set;
}

/* A servo f >= 0 may only raise f (Kozlov 2019, sec. 6); a one-way servo never pulls back, and is
 * slack away from its kink. */
static pw_law_set driven_set(const pw_law_form *f, int side, bool up) {
  if (f->wall ? side > 0 : side != 0) {
    return pw_law_point(0);
  }
  double lo = f->one_way || (f->wall && up) ? 0 : -INFINITY;
  return pw_law_interval(lo, f->wall && !up ? 0 : INFINITY);
}

pw_law_set pw_law_set_seen(const pw_law_row *row, pw_law_sight seen, pw_law_hold hold) {
  const pw_law_form *f = row->form;
  if (f->equality || f->kind == PW_KIND_ROUGH) {
    return pw_law_line();
  }
  if (f->kind == PW_KIND_SERVO) {
    return driven_set(f, seen.side, hold.pushes);
  }
  if (seen.is_state) {
    bool free_rate = seen.side <= 0 && f->complementary;
    return free_rate ? pw_law_line() : driven_set(f, seen.side, hold.pushes);
  }
  if (f->wall) {
    return seen.side > 0 ? pw_law_point(0) : pw_law_pushes();
  }
  if (seen.side != 0 && !seen.unsure) {
    return pw_law_set_beside(row, seen.side);
  }

  /* the hull of both sides: a force that depends on the rate may jump either way at its kink */
  double left = pw_law_force_beside(row, -1), right = pw_law_force_beside(row, 1);
  double lo = pw_min(left, right), hi = pw_max(left, right);
  return row->limit >= 0 ? pw_law_interval(pw_min(lo, -row->limit), pw_max(hi, row->limit))
                         : pw_law_interval(lo, hi);
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

pw_law_set pw_law_set_beside(const pw_law_row *row, int side) {
  return pw_law_point(pw_law_force_beside(row, side));
}
