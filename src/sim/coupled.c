// SPDX-License-Identifier: MIT
#include "sim/coupled.h"

#include <math.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_sim.h"
#include "law/scale_solve.h"
#include "linalg/dense.h"
#include "sim/disk.h"
#include "solve/friction_solve.h"

enum { MOST_ROWS = 60, STEP_ROUNDS = 3 };

/* ---- memory ---- */

int pw_coupled_rows(const pw_system *sys) {
  int planes = 0;
  for (int i = 0; i < sys->ni; i++) {
    planes += sys->law[i].group == i;
  }
  return planes == 0 ? 0 : sys->nr < MOST_ROWS ? sys->nr : MOST_ROWS;
}

void pw_coupled_lay_out(pw_coupled *p, int rows, pw_layout *l) {
  p->cap = rows;
  int m = p->cap;
  if (m == 0) {
    return;
  }
  size_t pairs = (size_t)m * (size_t)m;
  p->W = PW_LAY(l, pairs, double);
  p->blocks = PW_LAY(l, 9 * pairs, double);
  p->q = PW_LAY(l, 3 * m, double);
  p->r = PW_LAY(l, 3 * m, double);
  p->sign = PW_LAY(l, m, double);
  p->shift = PW_LAY(l, m, double);
  p->contact = PW_LAY(l, m, pw_contact);
  p->copies = PW_LAY(l, m, pw_contact);
  p->real = PW_LAY(l, pw_friction_solve_doubles(m, pairs, pairs / 2), double);
  p->place = PW_LAY(l, m, int);
  p->start = PW_LAY(l, m + 1, int);
  p->col = PW_LAY(l, pairs, int);
  p->whole = PW_LAY(l, pw_friction_solve_ints(m, pairs, pairs / 2), int);
}

/* ---- rows to contacts ---- */

static bool begins(const pw_local *p, const pw_disk *x) {
  return !x->fixed && (x->normal < 0 || pw_local_place(p, x->normal) >= 0);
}

static double length_of(const pw_local *p, int k) {
  return p->frame->length[p->row[k]];
}

/* Columns along the forces, and the contact of a slip that may stick or -1. */
static const double *columns_of(const pw_local *p) {
  return p->friction.B == NULL ? p->A : p->friction.B;
}

static int contact_of(const pw_local *p, int k) {
  return p->friction.B == NULL ? -1 : p->friction.normal[k];
}

static void add(pw_coupled *c, int k, double sign, double shift) {
  c->place[c->m] = k;
  c->sign[c->m] = sign;
  c->shift[c->m++] = shift;
}

static bool is_taken(const pw_coupled *c, int k) {
  for (int i = 0; i < c->m; i++) {
    if (c->place[i] == k) {
      return true;
    }
  }
  return false;
}

/* Only contacts that push from zero on are of the kind that the law is written for. */
static bool add_normal(pw_part *part, int k) {
  const pw_local *p = &part->local;
  if (is_taken(&part->coupled, k) || p->lo[k] != 0 || !isinf(p->hi[k])) {
    return false;
  }
  add(&part->coupled, k, 1, 0);
  return true;
}

static bool add_disk(pw_part *part, const pw_disk *x, pw_contact *out) {
  const pw_local *p = &part->local;
  bool plain = x->normal < 0 || x->width == 2; /* no cone over a ball */
  if (!plain || (x->normal >= 0 && !add_normal(part, pw_local_place(p, x->normal)))) {
    return false;
  }
  for (int k = 0; k < x->width; k++) {
    int place = pw_local_place(p, x->row + k);
    if (place < 0) {
      return false;
    }
    add(&part->coupled, place, 1, -x->base[k]);
  }
  *out = (pw_contact){x->normal >= 0 ? PW_CONTACT : PW_BALL, x->width + (x->normal >= 0), x->hold};
  return true;
}

static pw_contact row_alone(pw_part *part, int k) {
  const pw_local *p = &part->local;
  pw_coupled *c = &part->coupled;
  double lo = p->lo[k] / length_of(p, k), hi = p->hi[k] / length_of(p, k);
  if (isinf(lo) && isinf(hi)) {
    add(c, k, 1, 0);
    return (pw_contact){PW_BALL, 1, INFINITY};
  }
  if (isinf(lo) || isinf(hi)) {
    add(c, k, isinf(hi) ? 1 : -1, isinf(hi) ? lo : hi);
    return (pw_contact){PW_CONTACT, 1, 0};
  }
  add(c, k, 1, (lo + hi) / 2);
  return (pw_contact){PW_BALL, 1, (hi - lo) / 2};
}

/* Number of contacts; -1: some row is of another kind. */
static int list_contacts(pw_part *part, const pw_disk *disk, int n, double bounds) {
  const pw_local *p = &part->local;
  pw_contact *contact = part->coupled.contact;
  int nc = 0;
  part->coupled.m = 0;
  for (int i = 0; i < n; i++) {
    if (!begins(p, &disk[i])) {
      continue;
    }
    if (!add_disk(part, &disk[i], &contact[nc])) {
      return -1;
    }
    contact[nc++].bound *= bounds;
  }
  for (int k = 0; k < p->k; k++) { /* scalar slips that may stick */
    int normal = contact_of(p, k);
    if (normal < 0) {
      continue;
    }
    if (!add_normal(part, normal)) {
      return -1;
    }
    add(&part->coupled, k, 1, 0);
    double mu = p->friction.mu[k] * length_of(p, normal) / length_of(p, k);
    contact[nc++] = (pw_contact){PW_CONTACT, 2, mu};
  }
  for (int k = 0; k < p->k; k++) {
    if (!is_taken(&part->coupled, k)) {
      contact[nc++] = row_alone(part, k);
    }
  }
  return nc;
}

/* u = W r + q over the components, in the units of the rows. */
static void assemble(pw_part *part) {
  const pw_local *p = &part->local;
  pw_coupled *c = &part->coupled;
  int n = p->frame->n, m = c->m;
  for (int j = 0; j < m; j++) {
    const double *b = columns_of(p) + (size_t)c->place[j] * (size_t)n;
    for (int i = 0; i < m; i++) {
      double w = pw_dot(p->A + (size_t)c->place[i] * (size_t)n, b, n);
      double unit = length_of(p, c->place[i]) * length_of(p, c->place[j]);
      c->W[(size_t)j * (size_t)m + (size_t)i] = c->sign[i] * c->sign[j] * unit * w;
    }
  }
  for (int i = 0; i < m; i++) {
    double sum = 0;
    for (int j = 0; j < m; j++) {
      sum += c->sign[j] * c->W[(size_t)j * (size_t)m + (size_t)i] * c->shift[j];
    }
    c->real[i] = c->sign[i] * p->z[c->place[i]] * length_of(p, c->place[i]) + sum;
  }
}

/* The forces at which the iteration begins; false: none are given. */
static bool begin_near(pw_part *part, int nc) {
  const pw_local *p = &part->local;
  pw_coupled *c = &part->coupled;
  for (int i = 0; i < c->m && p->near != NULL; i++) {
    c->real[i] = c->sign[i] * (p->near[p->row[c->place[i]]] - c->shift[i]);
  }
  if (p->near != NULL) {
    pw_friction_spread(c->contact, nc, c->real, c->r);
  }
  return p->near != NULL;
}

/* ---- results ---- */

static void take_forces(pw_part *part) {
  pw_local *p = &part->local;
  const pw_coupled *c = &part->coupled;
  int n = p->frame->n;
  for (int i = 0; i < c->m; i++) {
    int k = c->place[i];
    p->x[k] = (c->sign[i] * c->real[i] + c->shift[i]) * length_of(p, k);
  }
  memset(p->moved, 0, (size_t)n * sizeof *p->moved);
  pw_gemv(columns_of(p), n, p->k, p->x, p->moved);
  for (int k = 0; k < p->k; k++) {
    p->y[k] = pw_dot(p->A + (size_t)k * (size_t)n, p->moved, n) + p->z[k];
    p->kept[k] = 1;
    int normal = contact_of(p, k);
    if (normal >= 0) {
      pw_local_bound(p, k, normal);
    }
  }
  pw_axpy(1, p->c, p->moved, n);
  pw_copy(p->basic, p->x, p->k);
  p->friction.several = false;
  p->friction.count = 0;
  p->info = (pw_box_info){.row = -1};
}

/* How a disk stands; true: it lets go, having had a larger bound while it held. */
static bool judge(const pw_local *p, pw_disk *x, double tiny) {
  double y[PW_LAW_MOST], unit = 0;
  for (int k = 0; k < x->width; k++) {
    int at = pw_local_place(p, x->row + k);
    unit = fmax(unit, length_of(p, at));
    y[k] = p->y[at] * length_of(p, at);
  }
  double rate = pw_length(y, x->width);
  x->slides = rate > tiny * unit;
  for (int k = 0; k < x->width && x->slides; k++) {
    x->d[k] = y[k] / rate;
  }
  bool lets_go = x->slides && x->hold > x->radius;
  x->hold = lets_go ? x->radius : x->hold;
  return lets_go;
}

/* In a step from the forces at hand; from nothing, and longer, if that does not do. */
static bool iterate(pw_part *p, const pw_friction *problem) {
  pw_coupled *c = &p->coupled;
  int nc = problem->nc;
  size_t fill = (size_t)nc * (size_t)nc / 2;
  pw_friction_memory memory = {c->copies, c->real, c->whole};
  pw_friction_info info = {.check.residual = INFINITY};
  if (!begin_near(p, nc)) {
    pw_friction_opts opts = {.tol = PW_SCALE(NOISE), .fill = fill};
    pw_outcome o = pw_friction_solve(problem, &opts, c->r, &memory, &info);
    return o != PW_BREAKDOWN && info.check.residual <= PW_SCALE(COUPLED_ACCEPTED);
  }
  double accepted = p->local.loose ? PW_SCALE(STEP_LOOSEST) : PW_SCALE(STEP_ACCEPTED);
  pw_outcome o = PW_MAX_ITER;
  for (int round = 0; round < 2 && !(info.check.residual <= accepted); round++) {
    pw_friction_opts opts = {.tol = PW_SCALE(ITERATED),
                             .fill = fill,
                             .warm = round == 0,
                             .rounds = round == 0 ? STEP_ROUNDS : 0};
    o = pw_friction_solve(problem, &opts, c->r, &memory, &info);
  }
  return o != PW_BREAKDOWN && info.check.residual <= accepted;
}

static bool solve_once(pw_part *p, const pw_disk *disk, int n, double bounds) {
  pw_coupled *c = &p->coupled;
  int nc = list_contacts(p, disk, n, bounds);
  if (nc < 0) {
    return false;
  }
  pw_contact *contact = c->contact;
  assemble(p);
  pw_friction_spread(contact, nc, c->real, c->q);
  pw_friction_pack(contact, nc, c->W, c->start, c->col, c->blocks);
  const pw_friction problem = {nc, contact, c->start, c->col, c->blocks, c->q};
  if (!iterate(p, &problem)) {
    return false;
  }
  pw_friction_gather(contact, nc, c->r, c->real);
  take_forces(p);
  return true;
}

/* With all bounds multiplied by `bounds`. */
static bool solve(pw_part *p, pw_disk *disk, int n, double bounds, double tiny) {
  for (bool again = true; again;) {
    again = false;
    if (!solve_once(p, disk, n, bounds)) {
      return false;
    }
    for (int i = 0; i < n; i++) {
      again = (begins(&p->local, &disk[i]) && judge(&p->local, &disk[i], tiny)) || again;
    }
  }
  return true;
}

static bool all_stick(const pw_local *p, const pw_disk *disk, int n) {
  bool all = true;
  for (int i = 0; i < n; i++) {
    all = all && !(begins(p, &disk[i]) && disk[i].slides);
  }
  return all;
}

static bool any_released(const pw_disk *disk, int n) {
  bool any = false;
  for (int i = 0; i < n; i++) {
    any = any || disk[i].released;
  }
  return any;
}

/* Where a force has reached its bound and yet all stick, bounds a little smaller tell whether the
 * load can be shared otherwise, and if not, what begins to slip, and where to. Beside large loads
 * that is slow for a small friction: it is told from rounding, not from what else is zero. */
static bool let_go(pw_part *p, pw_disk *disk, int n, double tiny) {
  return solve(p, disk, n, 1 - PW_SCALE(DISK_BORDER), PW_SCALE(DISK_LETS_GO) * tiny) &&
         !all_stick(&p->local, disk, n);
}

bool pw_coupled_solve(pw_part *p, pw_disk *disk, int n, double tiny, bool shared) {
  int free = 0, rows = p->local.k, more = 0;
  for (int i = 0; i < n; i++) {
    free += begins(&p->local, &disk[i]);
    more += disk[i].width;
  }
  bool steps = p->local.near != NULL && (free > 0 || p->local.friction.used);
  bool too_few = free < (shared ? 1 : 2) && !steps;
  if (too_few || rows + more > p->coupled.cap) {
    return false;
  }
  for (int i = 0; i < n; i++) {
    pw_disk held = disk[i];
    held.slides = held.slides && held.fixed;
    pw_disks_take(&p->local, &held, 1);
  }
  bool solved = solve(p, disk, n, 1, tiny);
  if (solved && any_released(disk, n) && all_stick(&p->local, disk, n) &&
      !let_go(p, disk, n, tiny)) {
    solved = solve(p, disk, n, 1, tiny);
  }
  if (!solved) {
    pw_local_drop(&p->local, rows);
  }
  return solved;
}

/* ---- forces that hold ---- */

double pw_coupled_hold(pw_part *p, pw_disk *disk, int n, double tiny) {
  if (!pw_coupled_solve(p, disk, n, tiny, true) || !all_stick(&p->local, disk, n)) {
    return INFINITY;
  }
  for (double room = 0.5; room > PW_SCALE(DISK_BORDER) / 2; room /= 2) {
    bool solved = solve_once(p, disk, n, 1 - room);
    for (int i = 0; i < n && solved; i++) {
      pw_disk copy = disk[i];
      solved = !(begins(&p->local, &copy) && (judge(&p->local, &copy, tiny) || copy.slides));
    }
    if (solved) {
      return 1 - room;
    }
  }
  return INFINITY;
}
