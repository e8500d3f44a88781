// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "fclib_read.h"
#include "linalg/dense.h"
#include "linalg/lu.h"

static void *room(size_t count, size_t size) {
  void *memory = calloc(count + 1, size);
  if (memory == NULL) {
    bench_die("out of memory");
  }
  return memory;
}

void fclib_add(fclib_matrix *m, int i, int j, double x) {
  if (m->count == m->room) {
    m->room = 2 * m->room + 1024;
    m->entry = realloc(m->entry, m->room * sizeof *m->entry);
    if (m->entry == NULL) {
      bench_die("out of memory");
    }
  }
  m->entry[m->count++] = (fclib_entry){i, j, x};
}

void fclib_matrix_free(fclib_matrix *m) {
  free(m->entry);
  *m = (fclib_matrix){0};
}

void fclib_free(fclib_problem *p) {
  free(p->contact);
  free(p->start);
  free(p->col);
  free(p->W);
  free(p->q);
  free(p->arm);
  *p = (fclib_problem){0};
}

pw_friction fclib_view(const fclib_problem *p) {
  return (pw_friction){p->nc, p->contact, p->start, p->col, p->W, p->q};
}

/* ---- local form ---- */

static bool inside(const fclib_matrix *m) {
  for (size_t k = 0; k < m->count; k++) {
    const fclib_entry *e = &m->entry[k];
    if (e->i < 0 || e->i >= m->rows || e->j < 0 || e->j >= m->cols) {
      return false;
    }
  }
  return true;
}

static int compare(const void *a, const void *b) {
  const fclib_entry *x = a, *y = b;
  return x->i != y->i ? (x->i > y->i) - (x->i < y->i) : (x->j > y->j) - (x->j < y->j);
}

enum { ROLLS = 5 }; /* components of a contact with rolling */

/* Block of a row, and the row's place in it. */
static int block_of(int dim, int row) {
  return dim == ROLLS ? 2 * (row / dim) + (row % dim >= 3) : row / dim;
}

static int place_of(int dim, int row) {
  return row % dim - (dim == ROLLS && row % dim >= 3 ? 3 : 0);
}

/* Entries of one block row share i after this; the diagonal blocks get an entry. */
static void sort_by_blocks(fclib_matrix *W, int dim, int nc, fclib_entry *key, size_t *count) {
  for (size_t k = 0; k < W->count; k++) {
    key[k] = (fclib_entry){block_of(dim, W->entry[k].i), block_of(dim, W->entry[k].j), (double)k};
  }
  for (int i = 0; i < nc; i++) {
    key[W->count + (size_t)i] = (fclib_entry){i, i, -1};
  }
  *count = W->count + (size_t)nc;
  qsort(key, *count, sizeof *key, compare);
}

/* The laws: contacts, each with its ball where there is rolling. */
static void set_laws(fclib_problem *p, const double *mu, const double *arm) {
  bool rolls = p->dim == ROLLS;
  p->arm = rolls ? room((size_t)p->nc, sizeof *p->arm) : NULL;
  for (int i = 0; i < p->nc; i++) {
    bool ball = rolls && i % 2 == 1;
    p->contact[i] = ball    ? (pw_contact){PW_BALL, 2, 0}
                    : rolls ? (pw_contact){PW_CONTACT, 3, mu[i / 2]}
                            : (pw_contact){PW_CONTACT, p->dim, mu[i]};
    if (ball) {
      p->arm[i] = arm[i / 2];
    }
  }
}

void fclib_bounds(fclib_problem *p, const double *r) {
  for (int i = 1; i < p->nc && p->arm != NULL; i += 2) {
    p->contact[i].bound = p->arm[i] * fmax(r[3 * (i - 1)], 0);
  }
}

bool fclib_local(fclib_problem *p, int dim, int nc, fclib_matrix *W, const double *q,
                 const double *mu, const double *arm) {
  bool known = dim == 2 || dim == 3 || (dim == ROLLS && arm != NULL);
  if (!known || W->rows != dim * nc || W->cols != dim * nc || !inside(W)) {
    return false;
  }
  nc *= dim == ROLLS ? 2 : 1;
  size_t count, most = W->count + (size_t)nc;
  fclib_entry *key = room(most, sizeof *key);
  sort_by_blocks(W, dim, nc, key, &count);
  *p = (fclib_problem){dim,
                       nc,
                       room((size_t)nc, sizeof *p->contact),
                       room((size_t)nc + 1, sizeof *p->start),
                       room(most, sizeof *p->col),
                       room(9 * most, sizeof *p->W),
                       room(3 * (size_t)nc, sizeof *p->q),
                       NULL};
  int block = -1;
  for (size_t k = 0; k < count; k++) {
    if (k == 0 || compare(&key[k], &key[k - 1]) != 0) {
      p->col[++block] = key[k].j;
      p->start[key[k].i + 1] = block + 1;
    }
    if (key[k].x >= 0) {
      const fclib_entry *e = &W->entry[(size_t)key[k].x];
      p->W[9 * block + 3 * place_of(dim, e->i) + place_of(dim, e->j)] += e->x;
    }
  }
  free(key);
  set_laws(p, mu, arm);
  pw_friction_spread(p->contact, nc, q, p->q);
  return true;
}

/* ---- reduction of the global form, one uncoupled part of M at a time ---- */

static int root_of(int *parent, int i) {
  while (parent[i] != i) {
    parent[i] = parent[parent[i]];
    i = parent[i];
  }
  return i;
}

/* Coordinates coupled by M get the same part number; local[i] is the place inside the part. */
static int find_parts(const fclib_matrix *M, int *part, int *local, int *size) {
  int n = M->rows, parts = 0, *parent = room((size_t)n, sizeof *parent);
  for (int i = 0; i < n; i++) {
    parent[i] = i;
    part[i] = -1;
  }
  for (size_t k = 0; k < M->count; k++) {
    int a = root_of(parent, M->entry[k].i), b = root_of(parent, M->entry[k].j);
    parent[a > b ? a : b] = a > b ? b : a;
  }
  for (int i = 0; i < n; i++) {
    int r = root_of(parent, i);
    if (part[r] < 0) {
      part[r] = parts++;
    }
    part[i] = part[r];
    local[i] = size[part[i]]++;
  }
  free(parent);
  return parts;
}

typedef struct reduction {
  const fclib_matrix *M, *H;
  const double *f;
  const int *part, *local;
  int *place; /* of a column of H inside the part, or -1 */
  fclib_matrix W;
  double *q;
} reduction;

/* W += H_c^T M_c^-1 H_c for the part with entries m0..m1 of M and h0..h1 of H. */
static bool reduce_part(reduction *s, int part, int k, size_t m0, size_t m1, size_t h0, size_t h1) {
  int n = (int)(h1 - h0), columns = 0;
  double *M = room((size_t)k * (size_t)k, sizeof *M), *X = room((size_t)k * (size_t)(n + 1), 8);
  double *H = room((size_t)k * (size_t)n, sizeof *H);
  int *list = room((size_t)n, sizeof *list), *pivot = room((size_t)k, sizeof *pivot);
  for (size_t e = m0; e < m1; e++) {
    M[s->local[s->M->entry[e].i] + k * s->local[s->M->entry[e].j]] += s->M->entry[e].x;
  }
  for (size_t e = h0; e < h1; e++) {
    int j = s->H->entry[e].j;
    if (s->place[j] < 0) {
      s->place[j] = columns;
      list[columns++] = j;
    }
    H[s->local[s->H->entry[e].i] + k * s->place[j]] += s->H->entry[e].x;
  }
  memcpy(X, H, (size_t)k * (size_t)columns * sizeof *X);
  for (int i = 0; i < s->M->rows && columns > 0; i++) {
    if (s->part[i] == part) {
      X[k * columns + s->local[i]] = s->f[i];
    }
  }
  bool fine = columns == 0 || pw_lu(M, k, pivot) == 0;
  for (int b = 0; b <= columns && fine && columns > 0; b++) {
    pw_lu_solve(M, k, pivot, X + (size_t)k * (size_t)b);
    for (int a = 0; a < columns; a++) {
      double w = pw_dot(H + (size_t)k * (size_t)a, X + (size_t)k * (size_t)b, k);
      if (b < columns) {
        fclib_add(&s->W, list[a], list[b], w);
      } else {
        s->q[list[a]] += w;
      }
    }
  }
  for (int j = 0; j < columns; j++) {
    s->place[list[j]] = -1;
  }
  free(M);
  free(X);
  free(H);
  free(list);
  free(pivot);
  return fine;
}

/* Brings entries with the same part together. */
static void group(const fclib_matrix *m, const int *part, fclib_entry *key) {
  for (size_t k = 0; k < m->count; k++) {
    key[k] = (fclib_entry){part[m->entry[k].i], (int)k, 0};
  }
  qsort(key, m->count, sizeof *key, compare);
}

static void reorder(fclib_matrix *m, const int *part) {
  fclib_entry *key = room(m->count, sizeof *key), *copy = room(m->count, sizeof *copy);
  group(m, part, key);
  for (size_t k = 0; k < m->count; k++) {
    copy[k] = m->entry[key[k].j];
  }
  memcpy(m->entry, copy, m->count * sizeof *copy);
  free(key);
  free(copy);
}

bool fclib_global(fclib_problem *p, int dim, int nc, fclib_matrix *M, fclib_matrix *H,
                  const double *f, const double *w, const double *mu, const double *arm) {
  int n = M->rows, m = dim * nc;
  if (M->cols != n || H->rows != n || H->cols != m || !inside(M) || !inside(H)) {
    return false;
  }
  int *part = room((size_t)n, sizeof *part), *local = room((size_t)n, sizeof *local);
  int *size = room((size_t)n, sizeof *size), *place = room((size_t)m, sizeof *place);
  int parts = find_parts(M, part, local, size);
  reorder(M, part);
  reorder(H, part);
  for (int j = 0; j < m; j++) {
    place[j] = -1;
  }
  reduction s = {M, H, f, part, local, place, {m, m, 0, 0, NULL}, room((size_t)m, sizeof *s.q)};
  bool fine = true;
  memcpy(s.q, w, (size_t)m * sizeof *w);
  for (size_t c = 0, m0 = 0, h0 = 0; c < (size_t)parts && fine; c++) {
    size_t m1 = m0, h1 = h0;
    for (; m1 < M->count && part[M->entry[m1].i] == (int)c; m1++) {
    }
    for (; h1 < H->count && part[H->entry[h1].i] == (int)c; h1++) {
    }
    fine = reduce_part(&s, (int)c, size[c], m0, m1, h0, h1);
    m0 = m1;
    h0 = h1;
  }
  fine = fine && fclib_local(p, dim, nc, &s.W, s.q, mu, arm);
  fclib_matrix_free(&s.W);
  free(s.q);
  free(part);
  free(local);
  free(size);
  free(place);
  return fine;
}
