// SPDX-License-Identifier: MIT
#include "sim/local.h"

#include <math.h>

#include "base/real.h"
#include "law/scale_static.h"
#include "linalg/dense.h"
#include "linalg/parts.h"
#include "sim/disk.h"

static size_t work_doubles(const pw_system *sys) {
  size_t solve = pw_box_qp_doubles(sys->nv, sys->nr + 1), spread = pw_spread_doubles(sys);
  return solve > spread ? solve : spread;
}

static size_t work_ints(const pw_system *sys) {
  size_t solve = pw_box_qp_ints(sys->nr + 1), spread = pw_spread_ints(sys);
  return solve > spread ? solve : spread;
}

void pw_local_lay_out(pw_local *p, const pw_system *sys, pw_layout *l) {
  int n = sys->nv, m = sys->nr + 1;
  p->cap = m;
  p->row = PW_LAY(l, m, int);
  p->place = PW_LAY(l, m, int);
  p->shared = PW_LAY(l, m, int);
  p->kept = PW_LAY(l, m, int);
  p->A = PW_LAY(l, (size_t)n * (size_t)m, double);
  p->c = PW_LAY(l, n, double);
  p->none = PW_LAY(l, n, double);
  p->moved = PW_LAY(l, n, double);
  p->z = PW_LAY(l, m, double);
  p->lo = PW_LAY(l, m, double);
  p->hi = PW_LAY(l, m, double);
  p->x = PW_LAY(l, m, double);
  p->y = PW_LAY(l, m, double);
  p->basic = PW_LAY(l, m, double);
  p->list = PW_LAY(l, sys->trait.oblique ? PW_MOST_LISTED * (size_t)m : 0, double);
  pw_coulomb_lay_out(&p->friction, sys, l);
}

void pw_part_lay_out(pw_part *p, const pw_system *sys, int coupled, pw_layout *l) {
  size_t columns = (size_t)sys->nv * (size_t)sys->nr;
  pw_local_lay_out(&p->local, sys, l);
  pw_coulomb_lay_out_work(&p->local.friction, sys, l);
  pw_coupled_lay_out(&p->coupled, coupled, l);
  p->A = PW_LAY(l, columns, double);
  p->phi = PW_LAY(l, sys->n_by > 0 ? columns : 0, double);
  p->disk = PW_LAY(l, sys->ni, pw_disk);
  p->limited = PW_LAY(l, sys->nr + 1, double);
  p->real = PW_LAY(l, work_doubles(sys), double);
  p->whole = PW_LAY(l, work_ints(sys), int);
  p->member = PW_LAY(l, pw_parts_ints(sys->nv, sys->nr + 1 + sys->ni), int);
}

bool pw_local_drop_rates(pw_local *p, double tiny) {
  bool any = false;
  for (int k = 0; k < p->k; k++) {
    bool drops = p->z[k] != 0 && fabs(p->z[k]) <= tiny;
    p->z[k] = drops ? 0 : p->z[k];
    any = any || drops;
  }
  return any;
}

void pw_local_drop(pw_local *p, int k) {
  while (p->k > k) {
    p->place[p->row[--p->k]] = 0;
  }
}

void pw_local_begin(pw_local *p, const pw_frame *frame, const double *c, pw_local_way way) {
  pw_local_drop(p, 0);
  p->frame = frame;
  p->near = way.near;
  p->loose = way.loose;
  p->noise = way.noise;
  p->listed = 1;
  p->complete = true;
  p->friction.used = false;
  p->friction.near = way.slips_near;
  pw_copy(p->c, c, frame->n);
}

void pw_local_take(pw_local *p, int row, double drive, double lo, double hi) {
  const pw_frame *f = p->frame;
  const double *a = f->A + (size_t)row * (size_t)f->n;
  if (f->length[row] == 0) {
    return;
  }
  pw_copy(p->A + (size_t)p->k * (size_t)f->n, a, f->n);
  p->row[p->k] = row;
  p->place[row] = p->k + 1;
  double z = drive / f->length[row];
  p->z[p->k] = fabs(z) <= p->noise ? 0 : z;
  p->lo[p->k] = lo;
  p->hi[p->k] = hi;
  p->x[p->k] = 0;
  p->shared[p->k] = p->kept[p->k] = 0;
  if (p->friction.B != NULL) {
    const double *b = f->phi == NULL ? a : f->phi + (size_t)row * (size_t)f->n;
    pw_copy(p->friction.B + (size_t)p->k * (size_t)f->n, b, f->n);
    p->friction.normal[p->k] = -1;
    p->friction.used = p->friction.used || f->phi != NULL;
  }
  p->k++;
}

void pw_local_stick(pw_local *p, int row, double drive, int normal, double mu) {
  const pw_frame *f = p->frame;
  int before = p->k, n = pw_local_place(p, normal);
  if (n >= 0) {
    pw_local_take(p, row, drive, 0, 0);
  }
  if (p->k > before) {
    p->friction.normal[before] = n;
    p->friction.mu[before] = mu * f->length[row] / f->length[normal];
    p->friction.used = true;
  }
}

void pw_local_slide(pw_local *p, int row, int normal, double ratio) {
  const pw_frame *f = p->frame;
  int n = pw_local_place(p, normal);
  if (n >= 0) {
    pw_axpy(ratio * f->length[row] / f->length[normal], f->A + (size_t)row * (size_t)f->n,
            p->friction.B + (size_t)n * (size_t)f->n, f->n);
    p->friction.used = true;
  }
}

void pw_local_apply(pw_local *p) {
  int n = p->frame->n;
  pw_copy(p->moved, p->none, n);
  pw_gemv(p->friction.B, n, p->k, p->x, p->moved);
  for (int i = 0; i < p->k; i++) {
    p->y[i] = pw_dot(p->A + (size_t)i * (size_t)n, p->moved, n) + p->z[i];
  }
  pw_axpy(1, p->c, p->moved, n);
}

void pw_local_bound(pw_local *p, int k, int normal) {
  p->hi[k] = p->friction.mu[k] * p->x[normal];
  p->lo[k] = -p->hi[k];
}

void pw_local_show(pw_local *p, int s) {
  const double *first = p->list, *other = p->list + (size_t)s * (size_t)p->cap;
  for (int i = 0; i < p->k; i++) {
    p->x[i] = isnan(other[i]) ? first[i] : other[i];
  }
  for (int i = 0; i < p->k; i++) {
    int n = p->friction.normal[i];
    if (n >= 0) {
      pw_local_bound(p, i, n);
    }
  }
  pw_local_apply(p);
}

/* ---- one part ---- */

static pw_outcome solve_with_friction(pw_local *p) {
  pw_outcome o = pw_coulomb_solve(&p->friction, p->k, p->A, p->z, p->lo, p->hi, p->x);
  p->info = (pw_box_info){.row = -1};
  pw_local_apply(p);
  pw_copy(p->basic, p->x, p->k);
  return o;
}

static bool is_idle(const pw_local *p, int k) {
  return p->lo[k] == 0 && isinf(p->hi[k]) && p->z[k] > 0;
}

/* What the rows that act without x are sized by: the others, if far from acting, would only spoil
 * the scale of the problem (rows with nearly no gradient have rates of any size). */
static double scale_of_acting(const pw_local *p) {
  double most = 0;
  for (int k = 0; k < p->k; k++) {
    double bound = p->lo[k] > 0 ? p->lo[k] : p->hi[k] < 0 ? -p->hi[k] : 0;
    most = is_idle(p, k) ? most : pw_max(most, pw_max(fabs(p->z[k]), bound));
  }
  return most;
}

/* Idle rows with at most `limit`: idle ones that stay so make no difference, and say so by x = 0.
 */
static pw_outcome solve_limited(pw_part *part, double limit, bool *acts) {
  pw_local *p = &part->local;
  const pw_box_qp qp = {.n = p->frame->n,
                        .m = p->k,
                        .A = p->A,
                        .c = p->none,
                        .z = part->limited,
                        .lo = p->lo,
                        .hi = p->hi};
  for (int k = 0; k < p->k; k++) {
    part->limited[k] = is_idle(p, k) ? pw_min(p->z[k], limit) : p->z[k];
  }
  pw_outcome o = pw_box_qp_solve(&qp, p->x, p->y, NULL, part->real, part->whole, &p->info);
  *acts = false;
  for (int k = 0; k < p->k; k++) {
    *acts = *acts || (part->limited[k] != p->z[k] && (p->x[k] != 0 || o != PW_SOLVED));
    p->y[k] += p->z[k] - part->limited[k];
  }
  return o;
}

pw_outcome pw_part_solve(pw_part *part) {
  pw_local *p = &part->local;
  pw_part_reconcile(part);
  if (p->friction.used) {
    return solve_with_friction(p);
  }
  bool acts;
  int n = p->frame->n;
  pw_copy(p->moved, p->c, n);
  if (p->k == 0) {
    p->info = (pw_box_info){.row = -1};
    return PW_SOLVED;
  }

  /* first with bounded forces; without bounds if one of them acts */
  double size = scale_of_acting(p);
  pw_outcome o = solve_limited(part, 10 * size, &acts);
  if (acts) {
    o = solve_limited(part, INFINITY, &acts);
  }

  /* the residual, in terms of all that was added up */
  double scale = size;
  for (int i = 0; i < p->k; i++) {
    scale += (p->x[i] == 0 && is_idle(p, i) ? 0 : fabs(p->z[i])) + fabs(p->x[i]);
  }
  bool holds = p->info.residual <= PW_SCALE(NEGLIGIBLE) * scale || p->info.residual == 0;

  /* forces that are not unique are spread, and the free motion moves by them */
  pw_copy(p->basic, p->x, p->k);
  if (o == PW_SOLVED && holds) {
    pw_part_spread(part, PW_SCALE(NEGLIGIBLE) * scale);
  }
  for (int i = 0; i < p->k; i++) {
    pw_axpy(p->x[i], p->A + (size_t)i * (size_t)n, p->moved, n);
  }
  return o == PW_SOLVED && !holds ? PW_BREAKDOWN : o;
}

void pw_local_forces(const pw_local *p, double *force) {
  pw_zero(force, p->frame->m);
  for (int i = 0; i < p->k; i++) {
    int row = p->row[i];
    double length = p->frame->phi == NULL ? p->frame->length[row] : p->frame->phi_length[row];
    force[row] = p->x[i] / length;
  }
}
