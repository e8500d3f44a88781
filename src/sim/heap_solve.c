// SPDX-License-Identifier: MIT
/* The friction problem of a step, stepping (T6): blocks W_ik = J_i M^-1 J_k^T only where two points
 * share a part of the system. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "law/scale_scene.h"
#include "linalg/chol.h"
#include "linalg/dense.h"
#include "sim/heap.h"

static int part_size(const pw_heap *x, int part) {
  return part < 0 ? 0 : pw_scene_count(x->scene, part);
}

static const int *dofs_of(const pw_heap *x, int part) {
  return x->scene->part_dof + x->scene->part_start[part];
}

/* ---- the metric, part by part ---- */

pawl_status pw_heap_factor(pw_heap *x) {
  pw_mech *m = x->s->mech;
  for (int p = 0; p < x->scene->n_part; p++) {
    int n = part_size(x, p);
    const int *dof = dofs_of(x, p);
    double *L = x->mass + x->mass_at[p];
    for (int j = 0; j < n; j++) {
      for (int i = j; i < n; i++) {
        L[j * n + i] = pw_mech_mass_entry(m, dof[i], dof[j]);
      }
    }
    if (pw_chol(L, n) != 0) {
      return PAWL_E_INERTIA;
    }
  }
  return PAWL_OK;
}

void pw_heap_columns(pw_heap *x) {
  pw_heap_room *r = &x->room;
  r->same = false;
  for (int i = 0; i < r->n_row; i++) {
    const pw_heap_row *row = &r->row[i];
    for (int side = 0; side < 2; side++) {
      int n = part_size(x, row->part[side]);
      for (int k = 0; k < 3 && n > 0; k++) {
        double *c = r->column + row->at[side] + (size_t)k * (size_t)n;
        memcpy(c, r->slope + row->at[side] + (size_t)k * (size_t)n, (size_t)n * sizeof *c);
        pw_chol_forward(x->mass + x->mass_at[row->part[side]], n, c);
      }
    }
  }
}

double pw_heap_rate(const pw_heap *x, const pw_heap_row *row, int which, const double *u) {
  double rate = 0;
  for (int side = 0; side < 2; side++) {
    int n = part_size(x, row->part[side]);
    const double *slope = x->room.slope + row->at[side] + (size_t)which * (size_t)n;
    const int *dof = n > 0 ? dofs_of(x, row->part[side]) : NULL;
    for (int k = 0; k < n; k++) {
      rate += slope[k] * u[dof[k]];
    }
  }
  return rate;
}

void pw_heap_push(const pw_heap *x, bool positions, double *u) {
  const pw_heap_room *r = &x->room;
  for (int p = 0; p < x->scene->n_part; p++) {
    int n = part_size(x, p);
    const int *dof = dofs_of(x, p);
    double *sum = x->du;
    if (r->first[p] == r->first[p + 1]) {
      continue;
    }
    memset(sum, 0, (size_t)n * sizeof *sum);
    for (int e = r->first[p]; e < r->first[p + 1]; e++) {
      const pw_heap_row *row = &r->row[r->active[r->list[e] / 2]];
      const double *c = r->column + row->at[r->list[e] % 2];
      for (int k = 0; k < (positions ? 1 : 3); k++) {
        pw_axpy(row->kick[k], c + (size_t)k * (size_t)n, sum, n);
      }
    }
    pw_chol_backward(x->mass + x->mass_at[p], n, sum);
    for (int k = 0; k < n; k++) {
      u[dof[k]] += sum[k];
    }
  }
}

/* ---- memory ---- */

bool pw_heap_grow(void **array, size_t *most, size_t need, size_t item) {
  if (need <= *most) {
    return true;
  }
  size_t count = need + need / 2 + 64;
  void *bigger = count > SIZE_MAX / item ? NULL : realloc(*array, count * item);
  if (bigger == NULL) {
    return false;
  }
  *array = bigger;
  *most = count;
  return true;
}

static bool grow_lists(pw_heap *x) {
  pw_heap_room *r = &x->room;
  size_t n = (size_t)r->most_row + 1, before = r->most_list;
  if (n <= before) {
    return true;
  }
  struct {
    void **array;
    size_t item;
  } all[] = {{(void **)&r->list, 2 * sizeof *r->list},   {(void **)&r->active, sizeof *r->active},
             {(void **)&r->where, sizeof *r->where},     {(void **)&r->start, 2 * sizeof *r->start},
             {(void **)&r->q, 3 * sizeof *r->q},         {(void **)&r->r, 3 * sizeof *r->r},
             {(void **)&r->contact, sizeof *r->contact}, {(void **)&r->island, sizeof *r->island}};
  bool ok = true;
  for (size_t i = 0; i < sizeof all / sizeof *all && ok; i++) {
    size_t most = before;
    ok = pw_heap_grow(all[i].array, &most, n, all[i].item);
  }
  r->most_list = ok ? n : before;
  return ok;
}

/* ---- blocks ---- */

/* Rows of each part, by counting. */
static void list_rows(pw_heap *x) {
  pw_heap_room *r = &x->room;
  int parts = x->scene->n_part;
  memset(r->first, 0, ((size_t)parts + 1) * sizeof *r->first);
  for (int i = 0; i < r->n_active; i++) {
    for (int side = 0; side < 2; side++) {
      int p = r->row[r->active[i]].part[side];
      r->first[p < 0 ? parts : p] += p >= 0;
    }
  }
  for (int p = 0, sum = 0; p <= parts; p++) {
    int n = r->first[p];
    r->first[p] = sum;
    sum += n;
  }
  for (int i = 0; i < r->n_active; i++) {
    for (int side = 0; side < 2; side++) {
      int p = r->row[r->active[i]].part[side];
      if (p >= 0) {
        r->list[r->first[p]++] = 2 * i + side;
      }
    }
  }
  for (int p = parts; p > 0; p--) {
    r->first[p] = r->first[p - 1];
  }
  r->first[0] = 0;
}

static int by_number(const void *a, const void *b) {
  int p = *(const int *)a, q = *(const int *)b;
  return (p > q) - (p < q);
}

/* Columns of row i of an island that begins at `first`, in order; their number. */
static bool neighbours(pw_heap *x, int i, int first, size_t *n) {
  pw_heap_room *r = &x->room;
  size_t from = *n;
  for (int side = 0; side < 2; side++) {
    int p = r->row[r->active[i]].part[side];
    for (int e = p < 0 ? 0 : r->first[p]; p >= 0 && e < r->first[p + 1]; e++) {
      int k = r->list[e] / 2;
      if (r->where[k] != i) {
        r->where[k] = i;
        if (!pw_heap_grow((void **)&r->col, &r->most_col, *n + 1, sizeof *r->col)) {
          return false;
        }
        r->col[(*n)++] = k - first;
      }
    }
  }
  qsort(r->col + from, *n - from, sizeof *r->col, by_number);
  return true;
}

static void fill_block(const pw_heap *x, const pw_heap_row *a, const pw_heap_row *b, int da, int db,
                       double *W) {
  memset(W, 0, 9 * sizeof *W);
  for (int s = 0; s < 2; s++) {
    for (int t = 0; t < 2; t++) {
      if (a->part[s] < 0 || a->part[s] != b->part[t]) {
        continue;
      }
      int n = part_size(x, a->part[s]);
      const double *ca = x->room.column + a->at[s], *cb = x->room.column + b->at[t];
      for (int i = 0; i < da; i++) {
        for (int k = 0; k < db; k++) {
          W[3 * i + k] += pw_dot(ca + (size_t)i * (size_t)n, cb + (size_t)k * (size_t)n, n);
        }
      }
    }
  }
}

/* Row starts and columns of all islands; the number of blocks. */
static bool lay_blocks(pw_heap *x, size_t *n) {
  pw_heap_room *r = &x->room;
  for (int i = 0; i < r->n_active; i++) {
    r->where[i] = -1;
  }
  for (int k = 0; k < r->n_island; k++) {
    pw_heap_island *island = &r->island[k];
    int *start = r->start + island->from + k;
    island->block = (int)*n;
    for (int i = island->from; i < island->to; i++) {
      *start++ = (int)*n - island->block;
      if (!neighbours(x, i, island->from, n)) {
        return false;
      }
    }
    *start = (int)*n - island->block;
  }
  return true;
}

static void fill_island(pw_heap *x, int k) {
  pw_heap_room *r = &x->room;
  const pw_heap_island *island = &r->island[k];
  for (int i = island->from; i < island->to; i++) {
    const int *start = r->start + i + k;
    for (int e = island->block + start[0]; e < island->block + start[1]; e++) {
      int j = island->from + r->col[e];
      fill_block(x, &r->row[r->active[i]], &r->row[r->active[j]], r->contact[i].dim,
                 r->contact[j].dim, r->W + 9 * (size_t)e);
    }
  }
}

static bool assemble(pw_heap *x) {
  pw_heap_room *r = &x->room;
  size_t n = 0;
  list_rows(x);
  if (!lay_blocks(x, &n) || !pw_heap_grow((void **)&r->W, &r->most_block, n, 9 * sizeof *r->W)) {
    return false;
  }
  for (int k = 0; k < r->n_island; k++) {
    fill_island(x, k);
  }
  return true;
}

/* ---- the solution ---- */

static void state(pw_heap *x, bool positions) {
  pw_heap_room *r = &x->room;
  const pw_model *m = x->s->mech->sys->model;
  for (int i = 0; i < r->n_active; i++) {
    const pw_heap_row *row = &r->row[r->active[i]];
    double mu = m->piles.items[row->pile].mu;
    int dim = x->scene->shape[row->shape[0]].solid->dim;
    bool smooth = positions || mu < 0;
    r->contact[i] = (pw_contact){PW_CONTACT, smooth ? 1 : dim, smooth ? 0 : mu};
    if (positions && row->pulled) {
      r->contact[i] = (pw_contact){PW_BALL, 1, INFINITY};
    }
    for (int k = 0; k < 3; k++) {
      bool there = k < r->contact[i].dim;
      r->q[3 * i + k] = there ? row->free[k] : 0;
      r->r[3 * i + k] = there ? row->kick[k] : 0;
    }
  }
}

static void note_doubt(pw_heap *x, const pw_heap_island *island, double t) {
  pw_heap_doubt *d = x->doubt;
  int worst = island->from;
  for (int i = island->from; i < island->to; i++) {
    worst = fabs(x->room.r[3 * i]) > fabs(x->room.r[3 * worst]) ? i : worst;
  }
  d->count++;
  if (island->residual > d->residual) {
    const pw_heap_row *row = &x->room.row[x->room.active[worst]];
    *d = (pw_heap_doubt){.count = d->count,
                         .residual = island->residual,
                         .t = t,
                         .shape = {row->shape[0], row->shape[1]},
                         .pile = row->pile};
  }
}

/* Judged by a residual that shares no code with the solver. */
static pawl_status judge(pw_heap *x, pw_heap_aim aim, double t) {
  pw_heap_room *r = &x->room;
  bool positions = aim == PW_HEAP_PLACES;
  double tol = positions ? r->finer * PW_SCALE(HEAP_PUT_BACK) : PW_SCALE(HEAP_SOLVED);
  double most = positions ? 10 * tol : PW_SCALE(HEAP_LOOSEST);
  r->solved = true;
  for (int k = 0; k < r->n_island; k++) {
    const pw_heap_island *island = &r->island[k];
    if (island->status != PAWL_OK) {
      return island->status;
    }
    r->solved = r->solved && island->residual <= tol;
    if (aim != PW_HEAP_LOOK && !(island->residual <= most)) {
      return PAWL_E_STEP;
    }
    if (aim == PW_HEAP_KICKS && island->residual > PW_SCALE(HEAP_FAIR)) {
      note_doubt(x, island, t);
    }
  }
  return PAWL_OK;
}

pawl_status pw_heap_solve(pw_heap *x, pw_heap_aim aim, double t) {
  pw_heap_room *r = &x->room;
  if (!grow_lists(x)) {
    return PAWL_E_MEMORY;
  }

  /* the problem over the active rows */
  if (!r->same) {
    r->n_active = 0;
    for (int i = 0; i < r->n_row; i++) {
      if (r->row[i].active) {
        r->active[r->n_active++] = i;
      }
    }
    pw_heap_sort_islands(x);
  }
  state(x, aim == PW_HEAP_PLACES);
  if (!r->same && !assemble(x)) {
    return PAWL_E_MEMORY;
  }

  pawl_status status = pw_heap_solve_islands(x, aim);
  status = status == PAWL_OK ? judge(x, aim, t) : status;
  for (int i = 0; i < r->n_active && status == PAWL_OK; i++) {
    memcpy(r->row[r->active[i]].kick, r->r + (ptrdiff_t)3 * i, 3 * sizeof *r->r);
  }
  return status;
}
