// SPDX-License-Identifier: MIT
#include "orbit/manifold.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linalg/dense.h"

bool pw_manifold_is_flat(const pw_system *sys) {
  bool flat = sys->nc == 0;
  for (int c = 0; c < sys->model->coords.n; c++) {
    flat = flat && !sys->model->coords.items[c].is_rotation;
  }
  return flat;
}

static pawl_status fill(pw_mech *mech, const pw_manifold_at *at, pw_series *series,
                        double *direction, double *columns) {
  const pw_system *s = mech->sys;
  int n = s->nq + s->nv;
  pawl_status status = pw_mech_vary_at(mech, at->t, at->x, at->x + s->nq, at->side, series);
  for (int k = 0; k <= n && status == PAWL_OK; k++) {
    double *column = columns + (size_t)k * (size_t)n;
    double *dq = direction + s->offset[PW_VAR_Q], *du = direction + s->offset[PW_VAR_U];
    memset(direction, 0, (size_t)s->n_in * sizeof *direction);
    if (k < n) {
      bool varies = k >= s->model->nq || pw_signal_of(s->model, k) < 0;
      *(k < s->nq ? dq + k : du + (k - s->nq)) = varies ? 1 : 0;
      pw_mech_across_quaternions(mech, at->x, dq);
    } else if (at->parameter >= 0) {
      direction[s->offset[PW_VAR_PARAMETER] + at->parameter] = 1;
    }
    pw_mech_vary_settle(mech, series, direction);
    pw_copy(column, dq, s->nq);
    pw_copy(column + s->nq, du, s->nv);
  }
  return status;
}

pawl_status pw_manifold_columns(pw_mech *mech, const pw_manifold_at *at, double *columns,
                                int *freedom) {
  const pw_system *s = mech->sys;
  int n = s->nq + s->nv;
  double *memory = calloc(pw_series_doubles(s, 1) + (size_t)s->n_in + 1, sizeof *memory);
  if (memory == NULL) {
    return PAWL_E_MEMORY;
  }
  pw_series series;
  pw_series_init(&series, s, 1, memory + s->n_in);
  pawl_status status = fill(mech, at, &series, memory, columns);
  free(memory);

  /* the trace of a projection is its rank */
  double trace = 0;
  for (int k = 0; k < n; k++) {
    trace += columns[(size_t)k * (size_t)n + (size_t)k];
  }
  *freedom = status == PAWL_OK && isfinite(trace) ? (int)lround(trace) : n;
  return status == PAWL_OK && !isfinite(trace) ? PAWL_E_NAN : status;
}

void pw_manifold_signs(const pw_system *sys, const double *x, const double *image, double *sign) {
  for (int i = 0; i < sys->nq + sys->nv; i++) {
    sign[i] = 1;
  }
  for (int c = 0; c < sys->model->coords.n; c++) {
    const pw_coord *k = &sys->model->coords.items[c];
    if (k->is_rotation && pw_dot(x + k->q, image + k->q, 4) < 0) {
      for (int i = 0; i < 4; i++) {
        sign[k->q + i] = -1;
      }
    }
  }
}

void pw_manifold_show(const pw_system *sys, const double *x, double *shown) {
  pw_copy(shown, x + sys->nq, sys->nv);
  for (int c = 0; c < sys->model->coords.n; c++) {
    const pw_coord *k = &sys->model->coords.items[c];
    if (k->is_rotation) {
      pw_mech_into_space(x + k->q, x + sys->nq + k->u, shown + k->u);
    }
  }
}
