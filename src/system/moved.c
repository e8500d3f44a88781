// SPDX-License-Identifier: MIT
#include "system/moved.h"

#include <string.h>

#include "law/scale_mech.h"
#include "linalg/dense.h"
#include "linalg/parts.h"
#include "system/lagrange.h"

/* The bodies: velocities that M couples. */
static void find_bodies(pw_arena *arena, const pw_pattern *mass, int nv, pw_parts *out) {
  pw_parts_begin(out, 0, nv, PW_TAKE(arena, pw_parts_ints(0, nv), int));
  for (int j = 0; j < nv; j++) {
    for (int e = mass->start[j]; e < mass->start[j + 1]; e++) {
      pw_parts_join(out, j, mass->index[e]);
    }
  }
  (void)pw_parts_end(out);
}

static const int *extents(pw_arena *arena, pw_parts *bodies, int nv) {
  int *extent = PW_TAKE(arena, nv, int);
  for (int j = 0; j < nv; j++) {
    extent[j] = bodies->col[bodies->col_start[pw_parts_of(bodies, j) + 1] - 1];
  }
  return extent;
}

/* The velocities of the bodies in a row, ascending, to `to`; returns how many. */
static int list_row(const pw_pattern *rows, int row, pw_parts *bodies, int nv, bool *met, int *to) {
  int n = 0;
  memset(met, 0, (size_t)bodies->count * sizeof *met);
  for (int e = rows->start[row]; e < rows->start[row + 1]; e++) {
    met[pw_parts_of(bodies, rows->index[e])] = true;
  }
  for (int j = 0; j < nv; j++) {
    if (met[pw_parts_of(bodies, j)]) {
      to[n++] = j;
    }
  }
  return n;
}

/* Multipliers that are states may couple more, and servos push along something else. */
static bool is_plain(const pw_system *sys, const pw_equations *eq) {
  bool plain = sys->n_state == 0;
  for (int i = 0; i < sys->nr; i++) {
    plain = plain && eq->by[i] == NULL;
  }
  return plain;
}

/* The same entries, velocity by velocity. */
static pw_pattern transposed(pw_arena *arena, const pw_pattern *rows, int nv) {
  int nr = rows->n, count = rows->start[nr];
  int *start = PW_TAKE(arena, nv + 2, int), *index = PW_TAKE(arena, count, int);
  memset(start, 0, (size_t)(nv + 2) * sizeof *start);
  for (int e = 0; e < count; e++) {
    start[rows->index[e] + 2]++;
  }
  for (int v = 1; v <= nv; v++) {
    start[v + 1] += start[v];
  }
  for (int i = 0; i < nr; i++) { /* each start moves on to the next one while its list is filled */
    for (int e = rows->start[i]; e < rows->start[i + 1]; e++) {
      index[start[rows->index[e] + 1]++] = i;
    }
  }
  return (pw_pattern){nv, start, index};
}

const pw_moved *pw_moved_find(const pw_system *sys, const pw_equations *eq) {
  pw_arena *arena = sys->model->arena;
  int nv = sys->nv, nr = sys->nr;
  double most = PW_SCALE(MOVED_FEW) * nv * nr;
  if (nv < PW_SCALE(MOVED_SIZE) || nr == 0 || !is_plain(sys, eq)) {
    return NULL;
  }
  pw_parts bodies;
  find_bodies(arena, &eq->mass, nv, &bodies);
  bool *met = PW_TAKE(arena, bodies.count, bool);
  int *start = PW_TAKE(arena, nr + 1, int), *index = PW_TAKE(arena, (size_t)most + (size_t)nv, int);
  start[0] = 0;
  for (int i = 0; i < nr; i++) {
    start[i + 1] = start[i] + list_row(&eq->rows, i, &bodies, nv, met, index + start[i]);
    if (start[i + 1] > most) {
      return NULL;
    }
  }
  pw_moved *moved = PW_NEW(arena, pw_moved);
  *moved = (pw_moved){.extent = extents(arena, &bodies, nv), .rows = {nr, start, index}};
  moved->movers = transposed(arena, &moved->rows, nv);
  return moved;
}

double pw_moved_dot(const pw_system *sys, int row, const double *a, const double *b) {
  pw_moved_list list = pw_moved_by(sys, row);
  double sum = 0;
  if (list.at == NULL) {
    return pw_dot(a, b, sys->nv);
  }
  for (int e = 0; e < list.n; e++) {
    sum += a[list.at[e]] * b[list.at[e]];
  }
  return sum;
}

void pw_moved_axpy(const pw_system *sys, int row, double x, const double *a, double *y) {
  pw_moved_list list = pw_moved_by(sys, row);
  if (list.at == NULL) {
    pw_axpy(x, a, y, sys->nv);
    return;
  }
  for (int e = 0; e < list.n; e++) {
    y[list.at[e]] += x * a[list.at[e]];
  }
}
