// SPDX-License-Identifier: MIT
#include "sim/split.h"

#include <math.h>

#include "base/assert.h"
#include "linalg/dense.h"
#include "linalg/parts.h"
#include "system/moved.h"

enum { MAX_TURNS = 2000, MOST_EXACT = 8 }; /* problems for the directions of slips in the plane */

/* ---- parts ---- */

static bool acts(const pw_local *p, const pw_disk *x) {
  return x->normal < 0 || pw_local_place(p, x->normal) >= 0;
}

void pw_split_add(pw_parts *parts, int j, const pw_frame *f, int row, const double *a) {
  pw_moved_list list = f->sys == NULL ? (pw_moved_list){0} : pw_moved_by(f->sys, row);
  if (list.at == NULL) {
    pw_parts_add(parts, j, a);
  } else {
    pw_parts_add_list(parts, j, a, list.at, list.n);
  }
}

/* The push of row k: its own column, and those of slips that go on on it. */
static void add_push(pw_parts *parts, const pw_local *p, int k) {
  const pw_frame *f = p->frame;
  const double *push = p->friction.B + (size_t)k * (size_t)f->n;
  bool known = f->sys != NULL && f->sys->pattern.moved != NULL;
  if (!known) {
    pw_parts_add(parts, k, push);
    return;
  }
  pw_split_add(parts, k, f, p->row[k], push);
  int nc = f->sys->nc, law = p->row[k] - nc;
  for (int i = law < 0 ? -1 : f->sys->pattern.rider[law]; i >= 0;
       i = f->sys->pattern.next_rider[i]) {
    pw_split_add(parts, k, f, nc + i, push);
  }
}

/* Columns: the rows taken, then the disks. */
static pw_parts find_parts(const pw_local *p, const pw_disk *disk, int n_disk) {
  const pw_frame *f = p->frame;
  size_t n = (size_t)f->n;
  pw_parts parts;
  pw_parts_begin(&parts, f->n, p->k + n_disk, p->part->member);
  for (int k = 0; k < p->k; k++) {
    pw_split_add(&parts, k, f, p->row[k], p->A + (size_t)k * n);
    if (p->friction.used) {
      add_push(&parts, p, k);
    }
    if (p->friction.used && p->friction.normal[k] >= 0) {
      pw_parts_join(&parts, k, p->friction.normal[k]);
    }
  }
  for (int i = 0; i < n_disk; i++) {
    const pw_disk *x = &disk[i];
    for (int k = 0; k < x->width; k++) {
      pw_split_add(&parts, p->k + i, f, x->row + k, f->A + (size_t)(x->row + k) * n);
    }
    if (x->normal >= 0 && acts(p, x)) {
      pw_parts_join(&parts, p->k + i, pw_local_place(p, x->normal));
    }
  }
  pw_parts_end(&parts);
  return parts;
}

typedef struct piece { /* one part of the problem */
  const int *coord, *col;
  int n, k;
  int rows;   /* columns below this are rows of the whole problem, those above it disks */
  int n_disk; /* those that act, in the part's own array */
} piece;

static piece piece_of(const pw_parts *parts, int i, int rows) {
  return (piece){.coord = parts->coord + parts->coord_start[i],
                 .col = parts->col + parts->col_start[i],
                 .n = parts->coord_start[i + 1] - parts->coord_start[i],
                 .k = parts->col_start[i + 1] - parts->col_start[i],
                 .rows = rows};
}

/* ---- into the part and back ---- */

static void gather(const piece *x, const double *from, double *to) {
  for (int c = 0; c < x->n; c++) {
    to[c] = from[x->coord[c]];
  }
}

static void scatter(const piece *x, const double *from, double *to) {
  for (int c = 0; c < x->n; c++) {
    to[x->coord[c]] = from[c];
  }
}

/* Columns of a row of the frame in the coordinates of the part. */
static void frame_row(pw_part *part, const piece *x, const pw_frame *f, int row) {
  size_t from = (size_t)row * (size_t)f->n, to = (size_t)row * (size_t)x->n;
  gather(x, f->A + from, part->A + to);
  if (f->phi != NULL) {
    gather(x, f->phi + from, part->phi + to);
  }
}

static void load_frame(const pw_local *p, const piece *x, const pw_disk *disk) {
  pw_part *part = p->part;
  part->frame = *p->frame;
  part->frame.n = x->n;
  part->frame.A = part->A;
  part->frame.phi = p->frame->phi == NULL ? NULL : part->phi;
  for (int j = 0; j < x->k; j++) {
    int col = x->col[j];
    if (col < x->rows) {
      frame_row(part, x, p->frame, p->row[col]);
      continue;
    }
    for (int k = 0; k < disk[col - x->rows].width; k++) {
      frame_row(part, x, p->frame, disk[col - x->rows].row + k);
    }
  }
}

/* The rows of the part as they were taken. */
static void load_rows(const pw_local *p, const piece *x) {
  pw_local *to = &p->part->local;
  gather(x, p->c, p->part->real);
  pw_local_way way = {p->noise, p->near, p->loose, p->friction.near};
  pw_local_begin(to, &p->part->frame, p->part->real, way);
  to->friction.n = x->n;
  to->friction.search = p->friction.search;
  for (int j = 0; j < x->k && x->col[j] < x->rows; j++) {
    int k = x->col[j], before = to->k;
    pw_local_take(to, p->row[k], 0, p->lo[k], p->hi[k]);
    PW_ASSERT(to->k == before + 1);
    to->z[before] = p->z[k];
    if (p->friction.used) {
      int normal = p->friction.normal[k];
      gather(x, p->friction.B + (size_t)k * (size_t)p->frame->n,
             to->friction.B + (size_t)before * (size_t)x->n);
      to->friction.normal[before] = normal < 0 ? -1 : pw_local_place(to, p->row[normal]);
      to->friction.mu[before] = p->friction.mu[k];
    }
  }
}

/* Only what has friction needs the problem for it. */
static void note_friction(const pw_local *p, const piece *x) {
  pw_local *to = &p->part->local;
  to->friction.used = p->frame->phi != NULL;
  for (int k = 0; p->friction.used && k < to->k; k++) {
    size_t at = (size_t)k * (size_t)x->n;
    bool slants = false;
    for (int c = 0; c < x->n; c++) {
      slants = slants || to->A[at + (size_t)c] != to->friction.B[at + (size_t)c];
    }
    to->friction.used = to->friction.used || slants || to->friction.normal[k] >= 0;
  }
}

static void load_disks(const pw_local *p, piece *x, const pw_disk *disk) {
  x->n_disk = 0;
  for (int j = 0; j < x->k; j++) {
    int i = x->col[j] - x->rows;
    if (i >= 0 && acts(p, &disk[i])) {
      p->part->disk[x->n_disk++] = disk[i];
    }
  }
}

static void store_disks(const pw_local *p, const piece *x, pw_disk *disk) {
  int from = 0;
  for (int j = 0; j < x->k; j++) {
    int i = x->col[j] - x->rows;
    if (i >= 0 && acts(p, &disk[i])) {
      disk[i] = p->part->disk[from++];
    }
  }
}

/* Row k of the part, which is row `to` of the whole. */
static void store_row(pw_local *p, const piece *x, int k, int to) {
  const pw_local *from = &p->part->local;
  p->x[to] = from->x[k];
  p->y[to] = from->y[k];
  p->z[to] = from->z[k];
  p->lo[to] = from->lo[k];
  p->hi[to] = from->hi[k];
  p->basic[to] = from->basic[k];
  p->shared[to] = from->shared[k];
  p->kept[to] = from->kept[k];
  if (p->friction.B != NULL) {
    scatter(x, from->friction.B + (size_t)k * (size_t)x->n,
            p->friction.B + (size_t)to * (size_t)p->frame->n);
  }
}

/* Rows that the disks added come behind all others. */
static void store(pw_local *p, const piece *x) {
  const pw_local *from = &p->part->local;
  for (int k = 0; k < from->k; k++) {
    int to = k < x->k ? x->col[k] : x->rows;
    if (to >= x->rows) {
      to = p->k;
      pw_local_take(p, from->row[k], 0, from->lo[k], from->hi[k]);
    }
    store_row(p, x, k, to);
  }
  scatter(x, from->moved, p->moved);
  p->friction.used = p->friction.used || from->friction.used;
}

/* ---- several solutions ---- */

static void keep_first(pw_local *p) {
  pw_copy(p->list, p->x, p->k);
}

/* Solutions of the part that move differently, each with the first one of all other parts. */
static void keep_others(pw_local *p) {
  pw_local *from = &p->part->local;
  pw_coulomb *friction = &from->friction;
  int own = 0;
  for (int s = 1; s < friction->count && p->listed + own < PW_MOST_LISTED; s++) {
    double *to = p->list + (size_t)(p->listed + own) * (size_t)p->cap;
    if (pw_coulomb_listed(friction, from->k, s, from->lo, from->hi, from->x)) {
      for (int k = 0; k < p->cap; k++) {
        to[k] = NAN;
      }
      for (int k = 0; k < from->k; k++) {
        to[pw_local_place(p, from->row[k])] = from->x[k];
      }
      own++;
    }
  }
  p->complete = p->complete && friction->complete && (own == 0 || p->listed == 1);
  p->listed += own;
}

/* ---- solutions ---- */

static double tiny_of(const pw_local *p, pw_zero_rates zero) {
  double most = 0;
  for (int k = 0; k < p->k; k++) {
    most = fmax(most, fabs(p->x[k]));
  }
  return fmax(zero.tiny, zero.part * most);
}

/* Forces that hold a slip are not unique: those at hand need not be the ones in its disk. */
static bool any_shared(const pw_local *p, const pw_disk *disk, int n) {
  bool any = false;
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < disk[i].width && !disk[i].slides; k++) {
      int at = pw_local_place(p, disk[i].row + k);
      any = any || (at >= 0 && p->shared[at]);
    }
  }
  return any;
}

static pw_outcome solve_piece(pw_local *p, const piece *x, pw_zero_rates zero) {
  pw_part *part = p->part;
  bool shared = false;
  for (int turns = 0; turns < MAX_TURNS; turns++) {
    load_rows(p, x);
    note_friction(p, x);
    bool steps = p->near != NULL && (part->local.friction.used || x->n_disk > 0);
    if (pw_coupled_solve(part, part->disk, x->n_disk, zero.tiny, shared)) {
      return PW_SOLVED;
    }
    if (steps && x->k > MOST_EXACT) { /* it may be tried in another manner */
      return PW_BREAKDOWN;
    }
    if (x->n_disk > 0) {
      load_rows(p, x);
      note_friction(p, x);
      pw_disks_take(&part->local, part->disk, x->n_disk);
    }
    part->local.friction.several = false;
    part->local.friction.count = 0;
    pw_outcome o = pw_part_solve(part);
    double tiny = o == PW_SOLVED ? tiny_of(&part->local, zero) : 0;
    shared = shared || (o == PW_SOLVED && any_shared(&part->local, part->disk, x->n_disk));
    if (o != PW_SOLVED || !pw_disks_revise(&part->local, part->disk, x->n_disk, tiny)) {
      return o;
    }
  }
  return PW_BREAKDOWN;
}

/* The row of the whole problem that a part cannot satisfy, or -1. */
static int failed_row(const pw_local *p, const piece *x) {
  int row = p->part->local.info.row;
  return row >= 0 && row < x->k && x->col[row] < x->rows ? x->col[row] : -1;
}

pw_outcome pw_split_solve(pw_local *p, pw_disk *disk, int n, pw_zero_rates zero) {
  int rows = p->k;
  bool several = false;
  pw_parts parts = find_parts(p, disk, n);

  /* The motion without forces is c; each part adds what its forces do. */
  pw_copy(p->moved, p->c, p->frame->n);
  p->info = (pw_box_info){.row = -1};
  p->friction.several = false;
  p->listed = 1;
  p->complete = true;
  p->proved = false;

  /* Parts share no coordinate, so each is solved by itself. */
  for (int i = 0; i < parts.count; i++) {
    piece x = piece_of(&parts, i, rows);
    load_frame(p, &x, disk);
    load_disks(p, &x, disk);
    pw_outcome o = solve_piece(p, &x, zero);
    store_disks(p, &x, disk);

    /* A part that is not solved leaves the whole unsolved, for the same reason. */
    if (o != PW_SOLVED) {
      p->info.row = failed_row(p, &x);
      p->friction.used = p->part->local.friction.used;
      p->complete = p->part->local.friction.complete;
      p->proved = p->friction.used ? p->part->local.friction.proved : o == PW_INFEASIBLE;
      return o;
    }
    store(p, &x);

    /* More than one solution in a part: more than one in all. */
    if (p->part->local.friction.used && p->part->local.friction.several) {
      several = true;
      keep_others(p);
    }
  }
  p->friction.several = several;
  if (several) {
    keep_first(p);
  }
  return PW_SOLVED;
}

pw_outcome pw_local_solve(pw_local *p) {
  return pw_split_solve(p, NULL, 0, (pw_zero_rates){0});
}

bool pw_split_hold(pw_local *p, pw_disk *disk, int n, double tiny) {
  int rows = p->k;
  bool any = false;
  pw_parts parts = find_parts(p, disk, n);
  pw_copy(p->moved, p->c, p->frame->n);
  for (int i = 0; i < parts.count; i++) {
    piece x = piece_of(&parts, i, rows);
    load_frame(p, &x, disk);
    load_disks(p, &x, disk);
    load_rows(p, &x);
    note_friction(p, &x);
    bool held = pw_coupled_hold(p->part, p->part->disk, x.n_disk, tiny) < 1;
    any = any || held;
    if (!held && solve_piece(p, &x, (pw_zero_rates){.tiny = tiny}) != PW_SOLVED) {
      return false;
    }
    for (int k = 0; k < x.n_disk; k++) {
      if (p->part->disk[k].slides && !p->part->disk[k].fixed) {
        return false;
      }
    }
    store(p, &x);
  }
  return any;
}
