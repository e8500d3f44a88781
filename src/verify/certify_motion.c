// SPDX-License-Identifier: MIT
/* The certificate of a results folder: its motion.pwt, as the run itself was judged; its list of
 * events and varied curves by its rows. Two passes: the sizes of the columns, then everything. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/real.h"
#include "pawl/traj.h"
#include "traj/motion_file.h"
#include "verify/check_events.h"
#include "verify/feed.h"

typedef struct film { /* a motion that is shown */
  const pawl_system *system;
  const pw_model *m;
  pw_motion motion;
  pawl_certify_opts opts;
  pawl_diags *diags;
  pawl_certifier *c;
  pw_verify_events events; /* events.c NULL: none */
  int64_t rows, shown;
  double to;                 /* time of the last row */
  double *low, *high, *most; /* nq, nq, nq + nv: ranges of the positions, sizes of the columns */
  double *u;                 /* nq + n_state + nv: a row for varied curves */
} film;

static pawl_status tell(film *f, int64_t rows, int64_t all) {
  bool stop = f->opts.progress != NULL && f->opts.progress(f->opts.payload, rows, all) != 0;
  return stop ? PAWL_E_FILE : PAWL_OK;
}

/* ---- the first pass ---- */

static pawl_status measure(void *payload, const pw_chunk_view *chunk) {
  film *f = payload;
  int columns = pw_shape_columns(chunk->shape), state = f->m->nq + f->m->nv;
  for (int64_t k = 0; k < chunk->n_row; k++) {
    const double *x = chunk->rows + (ptrdiff_t)k * columns + 1;
    for (int i = 0; i < state; i++) {
      f->most[i] = pw_max(f->most[i], fabs(x[i]));
    }
    for (int i = 0; i < f->m->nq; i++) {
      f->low[i] = f->rows == 0 ? x[i] : pw_min(f->low[i], x[i]);
      f->high[i] = f->rows == 0 ? x[i] : pw_max(f->high[i], x[i]);
    }
    f->rows++;
    f->to = x[-1];
  }
  return tell(f, f->rows, 0);
}

/* ---- the second pass ---- */

/* Curves are varied between rows. */
static void vary(film *f, const double *row) {
  pawl_certifier *c = f->c;
  const pw_system *s = c->sys;
  const double *q = row + 1, *u = q + f->m->nq, *force = u + s->nv;
  double *to = f->u, *body = to + s->nq;
  memcpy(to, q, (size_t)f->m->nq * sizeof *to);
  for (int k = 0; k < s->n_state; k++) {
    to[f->m->nq + k] = force[s->row_of[s->state_row[k]]];
  }
  memcpy(body, u, (size_t)s->nv * sizeof *to);
  pw_motion_into_body(f->m, to, body);
  c->vary->near = pw_zero_scale(c, 0, 0).position;
  if (pw_vary_put(c->vary, row[0], to, body) != PAWL_OK) {
    pawl_vary_free(c->vary);
    c->vary = NULL;
  }
}

static pawl_status show(void *payload, const pw_chunk_view *chunk) {
  film *f = payload;
  int columns = pw_shape_columns(chunk->shape);
  pawl_status status = PAWL_OK;
  pw_own_chunk(f->c, chunk);
  for (int64_t k = 0; k < chunk->n_row && status == PAWL_OK; k++) {
    const double *row = chunk->rows + (ptrdiff_t)k * columns;
    if (f->c->vary != NULL) {
      vary(f, row);
    }
    if (f->events.c != NULL) {
      status = pw_events_row(&f->events, row[0], row + 1);
    }
  }
  f->shown += chunk->n_row;
  return status == PAWL_OK ? tell(f, f->shown, f->rows) : status;
}

static pawl_status begin(film *f) {
  const pw_shape *s = f->motion.shape;
  f->opts.from = s->from;
  f->opts.to = s->to;
  f->opts.noise = s->tol;
  f->opts.method = s->method;
  pawl_status status = pawl_certify_new(f->system, &f->opts, &f->c);
  if (status != PAWL_OK || f->c->over || f->c->scenes.scene != NULL) {
    return status;
  }
  if (f->opts.variations && f->rows <= PW_MOST_VARIED && f->rows > 1) {
    status = pw_vary_new(f->system, 0, &f->c->vary);
    for (int i = 0; i < f->m->nq; i++) {
      f->u[i] = f->high[i] - f->low[i];
    }
    if (status == PAWL_OK) {
      status = pw_family_add(&f->c->family, f->c->vary, s->from, s->to, f->u);
    }
  }
  if (status == PAWL_OK && f->opts.events != NULL) {
    pw_scale_extent(f->c, f->low, f->high);
    f->c->scale.extent = 0; /* places are judged as they were when the run was made */
    f->c->opts.to = f->to;  /* where a run stops early its last event may be */
    status =
        pw_events_open(&f->events, f->c, f->opts.events, f->opts.events_json, f->most, f->diags);
  }
  return status;
}

static pawl_status judge(film *f) {
  pawl_status status = pw_motion_visit(&f->motion, f->motion.end, measure, f);
  if (status == PAWL_OK) {
    status = begin(f);
  }
  if (status == PAWL_OK && !f->c->over) {
    status = pw_motion_visit(&f->motion, f->motion.end, show, f);
  }
  if (status == PAWL_OK && !f->c->over) {
    if (f->events.c != NULL) {
      pw_events_end(&f->events);
    }
    pawl_certify_finish(f->c);
  }
  pw_events_close(&f->events);
  return status;
}

/* ---- the file ---- */

/* The motion is one of this model: as many columns, of the same names. */
static bool is_of(const film *f) {
  const pw_shape *s = f->motion.shape;
  bool same = s->nq == f->m->nq && s->nv == f->m->nv && s->n_law == f->m->rows.n;
  for (int i = 0; same && i < s->n_law; i++) {
    same = strcmp(s->law[i], f->m->rows.items[i].name) == 0;
  }
  return same;
}

static bool make_room(film *f) {
  size_t nq = (size_t)f->m->nq, nv = (size_t)f->m->nv, laws = (size_t)f->m->rows.n;
  double *x = calloc(4 * nq + 2 * nv + laws + 1, sizeof *x);
  f->low = x;
  f->high = x == NULL ? NULL : x + nq;
  f->most = x == NULL ? NULL : x + 2 * nq;
  f->u = x == NULL ? NULL : x + 3 * nq + nv;
  return x != NULL;
}

static pawl_status open_motion(film *f, const char *dir) {
  size_t size = strlen(dir) + sizeof "/" PW_MOTION_NAME;
  char *path = malloc(size);
  int reason = 0;
  if (path == NULL) {
    return PAWL_E_MEMORY;
  }
  snprintf(path, size, "%s/" PW_MOTION_NAME, dir);
  pw_motion_fault fault = pw_motion_open(&f->motion, path, &reason);
  int64_t end = 0;
  if (fault == PW_MOTION_FINE && (pw_file_size(&f->motion.file, &end) != 0 || !is_of(f))) {
    pw_motion_close(&f->motion);
    fault = PW_MOTION_FOREIGN;
  }
  f->motion.end = end;
  pawl_status status = pw_motion_refuse(path, fault, reason, f->diags);
  free(path);
  return status;
}

pawl_status pawl_certify_motion(const pawl_system *system, const char *dir,
                                const pawl_certify_opts *opts, pawl_diags *diags,
                                pawl_certifier **out) {
  if (out != NULL) {
    *out = NULL;
  }
  if (system == NULL || dir == NULL || out == NULL) {
    return PAWL_E_ARGUMENT;
  }
  film f = {.system = system, .m = system->model, .diags = diags};
  f.opts = opts == NULL ? (pawl_certify_opts){0} : *opts;
  pawl_status status = open_motion(&f, dir);
  if (status != PAWL_OK) {
    return status;
  }
  status = make_room(&f) ? judge(&f) : PAWL_E_MEMORY;
  pw_motion_close(&f.motion);
  free(f.low);
  if (status != PAWL_OK) {
    pawl_certify_free(f.c);
    return status;
  }
  *out = f.c;
  return PAWL_OK;
}
