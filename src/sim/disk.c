// SPDX-License-Identifier: MIT
#include "sim/disk.h"

#include <math.h>

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
    for (int k = 0; acts && k < 2; k++) {
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

/* Largest eigenvalue of the two rows' J M^-1 J^T. */
static double mobility(const pw_frame *f, int row) {
  const double *a = f->A + (size_t)row * (size_t)f->n;
  double l0 = f->length[row], l1 = f->length[row + 1];
  double mixed = l0 * l1 * pw_dot(a, a + f->n, f->n);
  return (l0 * l0 + l1 * l1) / 2 + hypot((l0 * l0 - l1 * l1) / 2, mixed);
}

static bool revise_stuck(const pw_local *p, pw_disk *x, double normal, double tiny) {
  double R = x->hold * normal, slack = tiny / sqrt(mobility(p->frame, x->row));
  double T[2] = {force_of(p, x->row) + x->base[0], force_of(p, x->row + 1) + x->base[1]};
  double size = hypot(T[0], T[1]);
  double most = x->released ? R * (1 - PW_SCALE(DISK_RELEASED)) - slack
                            : R * (1 + PW_SCALE(SAME_FORCE)) + slack;
  if (size <= most) {
    return false;
  }
  x->slides = true;
  x->d[0] = size > 0 ? -T[0] / size : 1;
  x->d[1] = size > 0 ? -T[1] / size : 0;
  return true;
}

static bool revise_sliding(const pw_local *p, pw_disk *x, double normal) {
  double R = x->radius * normal, rho = 1 / mobility(p->frame, x->row);
  double v[2];
  for (int k = 0; k < 2; k++) {
    v[k] = R * x->d[k] + rho * rate_of(p, x->row + k, x->drive[k]);
  }
  double size = hypot(v[0], v[1]);
  if (!(size > 0)) {
    return false;
  }
  if (!x->released && x->hold <= x->radius && size < R * (1 - PW_SCALE(SAME_FORCE)) &&
      x->turns < MAX_TURNS) {
    x->turns++;
    x->slides = false;
    return true;
  }
  double change = hypot(v[0] / size - x->d[0], v[1] / size - x->d[1]);
  double rounding = rho * hypot(rounding_of(p, x->row), rounding_of(p, x->row + 1)) / size;
  x->d[0] = v[0] / size;
  x->d[1] = v[1] / size;
  return change > PW_SCALE(DISK_DIRECTION) + rounding;
}

bool pw_disks_revise(const pw_local *p, pw_disk *disk, int n, double tiny) {
  bool changed = false;
  for (int i = 0; i < n; i++) {
    pw_disk *x = &disk[i];
    bool moves = mobility(p->frame, x->row) > 0;
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
    for (int k = 0; disk[i].slides && disk[i].normal >= 0 && k < 2; k++) {
      force[disk[i].row + k] = -disk[i].radius * disk[i].d[k] * force[disk[i].normal];
    }
  }
}
