// SPDX-License-Identifier: MIT
#include "sim/disk.h"

#include <math.h>

#include "base/real.h"
#include "law/scale_sim.h"
#include "linalg/dense.h"

enum { MAX_TURNS = 4 };

/* Force of a row that was taken, else 0. */
static double force_of(const pw_local *p, int row) {
  int k = pw_local_place(p, row);
  return k < 0 ? 0 : p->x[k] / p->frame->length[row];
}

void pw_disks_take(pw_local *p, const pw_disk *disk, int n) {
  for (int i = 0; i < n; i++) {
    const pw_disk *x = &disk[i];
    bool alone = x->normal < 0, acts = alone || pw_local_place(p, x->normal) >= 0;
    for (int k = 0; acts && k < x->width; k++) {
      int row = x->row + k;
      double force = (-x->radius * x->d[k] - x->base[k]) * p->frame->length[row];
      if (!x->slides) {
        pw_local_take(p, row, x->drive[k], -INFINITY, INFINITY);
      } else if (alone) {
        pw_local_take(p, row, x->drive[k], force, force);
      } else {
        pw_local_slide(p, row, x->normal, -x->radius * x->d[k]);
      }
    }
  }
}

/* Rate of a row under the forces of the problem, taken or not. */
static double rate_of(const pw_local *p, int row, double drive) {
  const pw_frame *f = p->frame;
  const double *a = f->A + (size_t)row * (size_t)f->n;
  return drive + f->length[row] * (pw_dot(a, p->moved, f->n) - pw_dot(a, p->c, f->n));
}

/* Rounding of such a rate: it is the difference of two velocities. */
static double rounding_of(const pw_local *p, int row) {
  const pw_frame *f = p->frame;
  return PW_SCALE(ROUNDED) * f->length[row] * (pw_norm2(p->moved, f->n) + pw_norm2(p->c, f->n));
}

/* At least the largest eigenvalue of the rows' J M^-1 J^T: that of two rows, of three their trace.
 */
static double mobility(const pw_frame *f, const pw_disk *x) {
  const double *a = f->A + (size_t)x->row * (size_t)f->n, *length = f->length + x->row;
  double l0 = length[0], l1 = length[1];
  if (x->width > 2) {
    return l0 * l0 + l1 * l1 + length[2] * length[2];
  }
  double mixed = l0 * l1 * pw_dot(a, a + f->n, f->n);
  return (l0 * l0 + l1 * l1) / 2 + hypot((l0 * l0 - l1 * l1) / 2, mixed);
}

static bool revise_stuck(const pw_local *p, pw_disk *x, double normal, double tiny) {
  double R = x->hold * normal, slack = tiny / sqrt(mobility(p->frame, x)), T[PW_LAW_MOST];
  for (int k = 0; k < x->width; k++) {
    T[k] = force_of(p, x->row + k) + x->base[k];
  }
  double size = pw_length(T, x->width);
  double most = x->released ? R * (1 - PW_SCALE(DISK_RELEASED)) - slack
                            : R * (1 + PW_SCALE(SAME_FORCE)) + slack;
  if (size <= most) {
    return false;
  }
  x->slides = true;
  for (int k = 0; k < x->width; k++) {
    x->d[k] = size > 0 ? -T[k] / size : k == 0;
  }
  return true;
}

static bool revise_sliding(const pw_local *p, pw_disk *x, double normal) {
  double R = x->radius * normal, rho = 1 / mobility(p->frame, x);
  double v[PW_LAW_MOST], change[PW_LAW_MOST], rounding[PW_LAW_MOST];
  for (int k = 0; k < x->width; k++) {
    v[k] = R * x->d[k] + rho * rate_of(p, x->row + k, x->drive[k]);
  }
  double size = pw_length(v, x->width);
  if (!(size > 0)) {
    return false;
  }
  if (!x->released && x->hold <= x->radius && size < R * (1 - PW_SCALE(SAME_FORCE)) &&
      x->turns < MAX_TURNS) {
    x->turns++;
    x->slides = false;
    return true;
  }
  for (int k = 0; k < x->width; k++) {
    change[k] = v[k] / size - x->d[k];
    rounding[k] = rounding_of(p, x->row + k);
    x->d[k] = v[k] / size;
  }
  return pw_length(change, x->width) >
         PW_SCALE(DISK_DIRECTION) + rho * pw_length(rounding, x->width) / size;
}

bool pw_disks_revise(const pw_local *p, pw_disk *disk, int n, double tiny) {
  bool changed = false;
  for (int i = 0; i < n; i++) {
    pw_disk *x = &disk[i];
    bool moves = mobility(p->frame, x) > 0;
    if (x->fixed || !moves || (x->normal >= 0 && pw_local_place(p, x->normal) < 0)) {
      continue;
    }
    double normal = x->normal < 0 ? 1 : force_of(p, x->normal);
    bool turned = x->slides ? revise_sliding(p, x, normal) : revise_stuck(p, x, normal, tiny);
    changed = changed || turned;
  }
  return changed;
}

void pw_disks_forces(const pw_disk *disk, int n, double *force) {
  for (int i = 0; i < n; i++) {
    for (int k = 0; disk[i].slides && disk[i].normal >= 0 && k < disk[i].width; k++) {
      force[disk[i].row + k] = -disk[i].radius * disk[i].d[k] * force[disk[i].normal];
    }
  }
}
