// SPDX-License-Identifier: MIT
/* The public reader: an index of the chunks, and the chunk read last. */
#include "pawl/traj.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "traj/motion_file.h"

typedef struct place { /* of a chunk with segments */
  int64_t offset;
  double from, to; /* of its segments */
} place;

struct pawl_traj {
  pw_motion motion;
  place *places;
  int64_t n_place, room;
  int64_t rows, events, segments;
  double from, to; /* of the rows */
  double joined;   /* segments follow each other without a gap until then */
  bool gap;        /* and no longer */
  double gyro;     /* 2T - p.u at the start */
  bool has_gyro;
  int64_t loaded;      /* the place whose chunk is in motion.block, or -1 */
  pw_chunk_view ahead; /* after its segments that end before `passed` */
  double passed;
  pw_chunk_view view;
  double *value; /* pw_shape_values: a sample */
  double *shown; /* nv: velocities as shown */
  double *force; /* n_law */
  double *works; /* n_work */
};

/* ---- opening ---- */

static bool add_place(pawl_traj *x, int64_t offset) {
  if (x->n_place == x->room) {
    int64_t room = 2 * x->room + 16;
    place *more = realloc(x->places, (size_t)room * sizeof *more);
    if (more == NULL) {
      return false;
    }
    x->places = more;
    x->room = room;
  }
  x->places[x->n_place++] = (place){offset, INFINITY, -INFINITY};
  return true;
}

static void note_rows(pawl_traj *x, const pw_chunk_view *view) {
  int n = pw_shape_columns(view->shape);
  if (view->n_row > 0) {
    x->from = x->rows == 0 ? view->rows[0] : x->from;
    x->to = view->rows[(view->n_row - 1) * n];
  }
  x->rows += view->n_row;
  x->events += view->n_event;
  x->segments += view->n_segment;
}

static bool note_segments(pawl_traj *x, pw_chunk_view view) {
  pw_segment s;
  place *p = &x->places[x->n_place - 1];
  while (pw_chunk_next_segment(&view, &s)) {
    p->from = fmin(p->from, s.from);
    p->to = fmax(p->to, s.to);
    x->gap = x->gap || (x->has_gyro && s.from > x->joined);
    x->joined = x->gap ? x->joined : s.to;
    if (!x->has_gyro) {
      x->gyro = s.value[pw_shape_values(view.shape) - 1];
      x->has_gyro = true;
    }
  }
  return !view.segments.bad;
}

static pawl_status look_through(pawl_traj *x) {
  pw_motion *m = &x->motion;
  int64_t size = 0, offset = m->first;
  if (pw_file_size(&m->file, &size) != 0) {
    return PAWL_E_FILE;
  }
  while (offset < size) {
    int64_t at = offset;
    pw_chunk_view view;
    if (!pw_motion_next(m, &offset, &view)) {
      return m->block.failed ? PAWL_E_MEMORY : PAWL_E_FILE;
    }
    note_rows(x, &view);
    if (view.n_segment > 0 && !add_place(x, at)) {
      return PAWL_E_MEMORY;
    }
    if (view.n_segment > 0 && !note_segments(x, view)) {
      return PAWL_E_FILE;
    }
  }
  m->end = offset;
  return PAWL_OK;
}

static pawl_status make_room(pawl_traj *x) {
  const pw_shape *s = x->motion.shape;
  x->loaded = -1;
  x->value = calloc((size_t)pw_shape_values(s), sizeof *x->value);
  x->shown = calloc((size_t)s->nv + 1, sizeof *x->shown);
  x->force = calloc((size_t)s->n_law + 1, sizeof *x->force);
  x->works = calloc((size_t)s->n_work + 1, sizeof *x->works);
  bool whole = x->value != NULL && x->shown != NULL && x->force != NULL && x->works != NULL;
  return whole ? PAWL_OK : PAWL_E_MEMORY;
}

pawl_status pawl_traj_open(const char *dir, pawl_diags *diags, pawl_traj **out) {
  if (dir == NULL || out == NULL) {
    return PAWL_E_ARGUMENT;
  }
  *out = NULL;
  size_t size = strlen(dir) + sizeof "/" PW_MOTION_NAME;
  char *path = malloc(size);
  pawl_traj *x = calloc(1, sizeof *x);
  pawl_status status = path == NULL || x == NULL ? PAWL_E_MEMORY : PAWL_OK;
  if (status == PAWL_OK) {
    int reason;
    snprintf(path, size, "%s/%s", dir, PW_MOTION_NAME);
    pw_motion_fault fault = pw_motion_open(&x->motion, path, &reason);
    status = fault == PW_MOTION_FINE ? make_room(x) : pw_motion_refuse(path, fault, reason, diags);
    if (status == PAWL_OK) {
      status = look_through(x);
      status = status == PAWL_E_FILE ? pw_motion_refuse(path, PW_MOTION_FOREIGN, 0, diags) : status;
    }
  }
  free(path);
  if (status != PAWL_OK) {
    pawl_traj_free(x);
    x = NULL;
  }
  *out = x;
  return status;
}

void pawl_traj_free(pawl_traj *x) {
  if (x == NULL) {
    return;
  }
  pw_motion_close(&x->motion);
  free(x->places);
  free(x->value);
  free(x->shown);
  free(x->force);
  free(x->works);
  free(x);
}

/* ---- properties ---- */

pawl_traj_info pawl_traj_info_get(const pawl_traj *x) {
  if (x == NULL) {
    return (pawl_traj_info){.method = ""};
  }
  const pw_shape *s = x->motion.shape;
  return (pawl_traj_info){.from = x->from,
                          .to = x->to,
                          .tol = s->tol,
                          .method = s->method,
                          .positions = s->nq,
                          .velocities = s->nv,
                          .multipliers = s->n_more,
                          .laws = s->n_law,
                          .outputs = s->n_out,
                          .works = s->n_work,
                          .rows = x->rows,
                          .events = x->events,
                          .segments = x->segments,
                          .whole_until = x->gap ? x->joined : x->to};
}

static const char *name_at(const char *const *names, int n, int i) {
  return i < 0 || i >= n ? NULL : names[i];
}

const char *pawl_traj_column(const pawl_traj *x, int i) {
  const pw_shape *s = x == NULL ? NULL : x->motion.shape;
  return s == NULL ? NULL : name_at(s->column, pw_shape_columns(s), i);
}

const char *pawl_traj_law(const pawl_traj *x, int i) {
  const pw_shape *s = x == NULL ? NULL : x->motion.shape;
  return s == NULL ? NULL : name_at(s->law, s->n_law, i);
}

const char *pawl_traj_work(const pawl_traj *x, int i) {
  const pw_shape *s = x == NULL ? NULL : x->motion.shape;
  return s == NULL ? NULL : name_at(s->work, s->n_work, i);
}

/* ---- samples ---- */

static pawl_status load(pawl_traj *x, int64_t i) {
  if (x->loaded == i) {
    return PAWL_OK;
  }
  int64_t offset = x->places[i].offset;
  x->loaded = -1;
  if (!pw_motion_next(&x->motion, &offset, &x->view)) {
    return x->motion.block.failed ? PAWL_E_MEMORY : PAWL_E_FILE;
  }
  x->loaded = i;
  x->ahead = x->view;
  x->passed = -INFINITY;
  return PAWL_OK;
}

/* The view at the first segment of the loaded chunk that does not end before t: times that grow
 * cost one pass over the segments in all. */
static pw_chunk_view from_time(pawl_traj *x, double t) {
  pw_segment s;
  pw_chunk_view next = x->ahead = t >= x->passed ? x->ahead : x->view;
  x->passed = t;
  while (pw_chunk_next_segment(&next, &s) && s.to < t) {
    x->ahead = next;
  }
  return x->ahead;
}

/* The first place that reaches t. */
static int64_t place_of(const pawl_traj *x, double t) {
  int64_t low = 0, high = x->n_place;
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    if (x->places[middle].to < t) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/* The first segment at t belongs to the side before a jump there, the last one to that after it. */
static pawl_status find(pawl_traj *x, double t, pawl_side side, pw_segment *out, bool *found) {
  *found = false;
  for (int64_t i = place_of(x, t); i < x->n_place && x->places[i].from <= t; i++) {
    pawl_status status = load(x, i);
    if (status != PAWL_OK) {
      return status;
    }
    pw_chunk_view view = from_time(x, t);
    pw_segment s;
    while (pw_chunk_next_segment(&view, &s) && s.from <= t) {
      if (t <= s.to) {
        *out = s;
        *found = true;
        if (side == PAWL_BEFORE) {
          return PAWL_OK;
        }
      }
    }
    if (view.segments.bad) {
      return PAWL_E_FILE;
    }
    if (*found && i + 1 < x->n_place && x->places[i + 1].from <= t) {
      *found = false; /* its bytes go with the next chunk, which has another one at t */
    }
  }
  return PAWL_OK;
}

/* Rotations: unit quaternions, and rates in space R(q) W from rates in the body, R W = W + 2 s x ×
 * W + 2 x × (x × W) with q = (s, x). */
static void show_rotation(double *q, const double *W, double *w) {
  double size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), a[3], b[3];
  for (int i = 0; i < 4; i++) {
    q[i] /= size;
  }
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    a[i] = q[1 + j] * W[k] - q[1 + k] * W[j];
  }
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    b[i] = q[1 + j] * a[k] - q[1 + k] * a[j];
  }
  for (int i = 0; i < 3; i++) {
    w[i] = W[i] + 2 * q[0] * a[i] + 2 * b[i];
  }
}

static void fill(pawl_traj *x, const pw_segment *segment, double t, pawl_traj_point *out) {
  const pw_shape *s = x->motion.shape;
  double *q = x->value, *u = q + s->nq + s->n_more, *z = u + s->nv, *energy = z + 1 + s->n_work;
  pw_segment_sample(segment, pw_shape_values(s), t, x->value);

  memcpy(x->shown, u, (size_t)s->nv * sizeof *u);
  for (int i = 0; i < s->n_rotation; i++) {
    show_rotation(q + s->rotation[2 * i], u + s->rotation[2 * i + 1],
                  x->shown + s->rotation[2 * i + 1]);
  }
  double part =
      segment->to > segment->from ? (t - segment->from) / (segment->to - segment->from) : 0;
  for (int i = 0; i < s->n_law; i++) {
    double first = segment->force[i], last = segment->force[s->n_law + i];
    x->force[i] = first + part * (last - first);
  }
  for (int i = 0; i < s->n_work; i++) {
    x->works[i] = z[1 + i] + (s->time[i] ? energy[2] - x->gyro : 0);
  }
  *out = (pawl_traj_point){.t = t,
                           .q = q,
                           .u = x->shown,
                           .multiplier = q + s->nq,
                           .mode = segment->mode,
                           .force = x->force,
                           .kinetic = energy[0],
                           .potential = energy[1],
                           .action = z[0],
                           .works = x->works};
}

pawl_status pawl_traj_at(pawl_traj *x, double t, pawl_side side, pawl_traj_point *out) {
  if (x == NULL || out == NULL || !(t >= x->from && t <= x->to) ||
      (side != PAWL_BEFORE && side != PAWL_AFTER)) {
    return PAWL_E_ARGUMENT;
  }
  pw_segment segment;
  bool found;
  pawl_status status = find(x, t, side, &segment, &found);
  if (status == PAWL_OK) {
    status = found ? PAWL_OK : x->gap && t > x->joined ? PAWL_E_GAP : PAWL_E_FILE;
  }
  if (status == PAWL_OK) {
    fill(x, &segment, t, out);
  }
  return status;
}

/* ---- one pass ---- */

typedef struct tour {
  const pawl_traj_visitor *visitor;
  const pawl_traj *of;
  bool over;
} tour;

/* The part after the end of the motion, at a `stop` event, is not shown. */
static void show_segment(tour *x, const pw_segment *s) {
  pawl_traj_segment shown = {
      .from = s->from, .to = fmin(s->to, x->of->to), .degree = s->nodes - 1, .mode = s->mode};
  x->over = shown.from <= x->of->to && x->visitor->segment(x->visitor->payload, &shown) != 0;
}

static pawl_status show_chunk(void *payload, const pw_chunk_view *chunk) {
  tour *x = payload;
  const pawl_traj_visitor *v = x->visitor;
  pw_chunk_view view = *chunk;
  pw_segment segment;
  pawl_run_event event;
  while (v->segment != NULL && !x->over && pw_chunk_next_segment(&view, &segment)) {
    show_segment(x, &segment);
  }
  int n = pw_shape_columns(view.shape);
  for (int64_t i = 0; v->row != NULL && !x->over && i < view.n_row; i++) {
    x->over = v->row(v->payload, view.rows + i * n) != 0;
  }
  while (v->event != NULL && !x->over && pw_chunk_next_event(&view, &event)) {
    x->over = v->event(v->payload, &event) != 0;
  }
  bool bad = view.segments.bad || view.events.bad;
  return bad ? PAWL_E_FILE : x->over ? PAWL_E_STATE : PAWL_OK;
}

pawl_status pawl_traj_visit(pawl_traj *x, const pawl_traj_visitor *visitor) {
  if (x == NULL || visitor == NULL) {
    return PAWL_E_ARGUMENT;
  }
  tour t = {.visitor = visitor, .of = x};
  x->loaded = -1;
  pawl_status status = pw_motion_visit(&x->motion, x->motion.end, show_chunk, &t);
  return t.over ? PAWL_OK : status;
}
