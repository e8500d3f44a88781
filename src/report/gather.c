// SPDX-License-Identifier: MIT
#include "report/gather.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "pawl/eval.h"
#include "pawl/traj.h"

/* Numbers that a page may hold, so that it stays below 5 MB even if deflate gains nothing. */
enum { MOST_NUMBERS = 550000, MOST_EVENTS = 5000 };

typedef struct late_rows { /* rows at the end of a chunk whose segment comes with the next one */
  pw_buf bytes;
  int64_t n;
} late_rows;

typedef struct gatherer {
  pw_gathered *out;
  const pw_shape *shape;
  const pawl_system *system;
  pawl_eval *eval;
  int64_t all, seen; /* rows of the trajectory; rows visited */

  pw_segment now; /* the segment of the last row; nodes 0: none yet */
  pw_buf kept;    /* its bytes, if it belongs to an earlier chunk */
  double *value;  /* pw_shape_values: a sample */
  double gyro;    /* 2T - p.u at the start */
  late_rows late;
  int64_t jumps, singles; /* instants with several rows, and with one, so far */
  bool pair, broken;      /* the rows of the last jump are shown; a jump was left out since a row */
  double *picture;        /* plots and drawings of a row */

  int64_t events_seen;
  double next_event; /* time of the next event of the chunk, or a bound below it */
  double *impulse;   /* of every law, of its last jump */
  int *law_of;       /* first law of a place, or -1; n_law_of entries are filled in */
  int n_law_of, law_room;
  unsigned char *closed; /* laws */
} gatherer;

/* ---- tables ---- */

static void lay_out(pw_gathered *g, const pw_shape *s, const pawl_system *system) {
  int curves = system == NULL ? 0 : pawl_system_plots(system);
  g->energy = pw_shape_columns(s);
  g->work = g->energy + 2;
  g->mode = g->work + s->n_work;
  g->plot = g->mode + s->n_law;
  g->draw = g->plot + 2 * curves;
  g->columns = g->draw + (system == NULL ? 0 : pawl_draw_numbers(system));
}

/* Only every k-th of n items is shown, so that at most `most` are. Returns k. */
static int64_t stride_of(int64_t n, int64_t most) {
  return n <= most ? 1 : most <= 1 ? n : (n + most - 1) / most;
}

/* ---- segments ---- */

/* The segment that a row lies in: of two that meet there the first one on the side before a jump,
 * else the last one. */
static void find_segment(gatherer *x, pw_chunk_view *view, double t, bool before) {
  for (;;) {
    pw_chunk_view ahead = *view;
    pw_segment next;
    bool enough = x->now.nodes > 0 && before && x->now.to >= t;
    if (enough || !pw_chunk_next_segment(&ahead, &next) || (x->now.nodes > 0 && next.from > t)) {
      return;
    }
    if (!x->out->has_segments) {
      x->gyro = next.value[pw_shape_values(x->shape) - 1];
      x->out->has_segments = true;
    }
    x->now = next;
    *view = ahead;
  }
}

/* The segment at the end of a chunk is needed for the next one. */
static bool keep_segment(gatherer *x) {
  pw_buf fresh = {0};
  if (x->now.nodes == 0) {
    return true;
  }
  pw_segment_put(&fresh, x->shape, &x->now);
  pw_buf_free(&x->kept);
  x->kept = fresh;
  if (fresh.failed) {
    return false;
  }
  pw_reader in = {.at = fresh.text, .end = fresh.text + fresh.len};
  return pw_segment_get(&in, x->shape, &x->now);
}

/* ---- rows ---- */

static void put(gatherer *x, int first, const double *values, int n) {
  pw_report_table *t = &x->out->rows;
  for (int i = 0; i < n; i++) {
    pw_report_column(t, first + i)[t->n] = values[i];
  }
}

/* Energies, ledger and modes; returns energy.lost. */
static double put_segment(gatherer *x, double t) {
  const pw_shape *s = x->shape;
  pw_gathered *g = x->out;
  double lost = 0;
  pw_segment_sample(&x->now, pw_shape_values(s), t, x->value);
  double *z = x->value + s->nq + s->n_more + s->nv, *energy = z + 1 + s->n_work;
  put(x, g->energy, energy, 2);
  for (int i = 0; i < s->n_work; i++) {
    double work = z[1 + i] + (s->time[i] ? energy[2] - x->gyro : 0);
    lost += s->lost[i] ? work : 0;
    put(x, g->work + i, &work, 1);
  }
  for (int i = 0; i < s->n_law; i++) {
    double mode = x->now.mode[i];
    put(x, g->mode + i, &mode, 1);
    x->closed[i] = x->now.mode[i] == PAWL_LAW_HELD;
  }
  return lost;
}

/* A state that cannot be evaluated shows as NaN. */
static void put_picture(gatherer *x, const double *row, double action, double lost) {
  const pw_shape *s = x->shape;
  pw_gathered *g = x->out;
  int n = g->columns - g->plot;
  const double integrals[] = {action, lost};
  const pawl_eval_in in = {.k = 1,
                           .t = row,
                           .q = row + 1,
                           .u = row + 1 + s->nq,
                           .multipliers = x->value + s->nq,
                           .closed = x->closed,
                           .force = row + 1 + s->nq + s->nv,
                           .impulse = x->impulse,
                           .integrals = integrals};
  const pawl_eval_out out = {.plot = x->picture, .draw = x->picture + (g->draw - g->plot)};
  if (pawl_eval_at(x->eval, &in, &out) != PAWL_OK) {
    for (int i = 0; i < n; i++) {
      x->picture[i] = NAN;
    }
  }
  put(x, g->plot, x->picture, n);
}

static void take_row(gatherer *x, const double *row) {
  pw_gathered *g = x->out;
  const pw_shape *s = x->shape;
  double lost = NAN;
  put(x, 0, row, pw_shape_columns(s));
  if (g->has_segments) {
    lost = put_segment(x, row[0]);
  }
  if (x->eval != NULL) {
    double action = g->has_segments ? x->value[s->nq + s->n_more + s->nv] : NAN;
    put_picture(x, row, action, lost);
  }
  g->rows.n++;
}

/* Whether a row is shown: all rows of every n-th jump, of the others every n-th; the first and the
 * last one always. */
static bool wants_row(gatherer *x, bool before, bool after) {
  pw_gathered *g = x->out;
  int64_t left = x->all - ++x->seen;
  if (!before && !after) {
    return x->singles++ % g->row_stride == 0 || left == 0;
  }
  if (!after) {
    x->pair = x->jumps++ % g->jump_stride == 0 || left <= 1;
    x->broken = x->broken || !x->pair;
  }
  return x->pair;
}

/* The rows before which a jump was omitted, as differences of indices. */
static void note_break(gatherer *x) {
  pw_gathered *g = x->out;
  if (x->broken) {
    pw_buf_printf(&g->breaks, "%s%" PRId64, g->breaks.len > 0 ? "," : "",
                  g->rows.n - g->last_break);
    g->last_break = g->rows.n;
    x->broken = false;
  }
}

static bool show_row(gatherer *x, const double *row, bool before, bool after) {
  bool wanted = wants_row(x, before, after);
  if (!wanted || x->out->rows.n == x->out->rows.room) {
    return false;
  }
  note_break(x);
  take_row(x, row);
  return true;
}

/* ---- events ---- */

/* The first law that an event is about; impulses of a vector belong to the laws that follow. */
static int find_law(const gatherer *x, const char *at) {
  for (int i = 0; i < x->shape->n_law; i++) {
    pawl_law_info law = pawl_law_get(x->system, i);
    bool group = law.law != NULL && strcmp(law.law, at) == 0;
    if (group || strcmp(x->shape->law[i], at) == 0) {
      return i;
    }
  }
  return -1;
}

static bool know_place(gatherer *x, int place, const char *at) {
  if (place >= x->law_room) {
    int room = 2 * x->law_room + 16;
    int *law_of = realloc(x->law_of, (size_t)room * sizeof *law_of);
    if (law_of != NULL) {
      x->law_of = law_of;
    }
    int64_t(*count)[PW_MOST_KINDS] =
        law_of == NULL ? NULL : realloc(x->out->count, (size_t)room * sizeof *count);
    if (count == NULL) {
      return false;
    }
    x->out->count = count;
    x->law_room = room;
  }
  if (place >= x->n_law_of) {
    x->law_of[place] = find_law(x, at);
    memset(x->out->count[place], 0, sizeof *x->out->count);
    x->n_law_of = place + 1;
  }
  return true;
}

static double length_of(const pawl_event *e) {
  double sum = 0;
  for (int i = 0; i < e->n_impulse; i++) {
    sum = hypot(sum, e->impulse[i]);
  }
  return e->n_impulse == 1 ? e->impulse[0] : e->n_impulse == 0 ? NAN : sum;
}

static pawl_status show_event(gatherer *x, const pawl_event *e) {
  pw_gathered *g = x->out;
  int kind = pw_words_find(&g->kinds, e->kind), at = pw_words_find(&g->places, e->at);
  int flag = e->flag == NULL ? 0 : pw_words_find(&g->flags, e->flag) + 1;
  if (kind < 0 || at < 0 || (e->flag != NULL && flag == 0) || !know_place(x, at, e->at)) {
    return PAWL_E_MEMORY;
  }
  g->count[at][kind < PW_MOST_KINDS ? kind : PW_MOST_KINDS - 1]++;
  for (int i = 0; x->law_of[at] >= 0 && i < e->n_impulse; i++) {
    if (x->law_of[at] + i < x->shape->n_law) {
      x->impulse[x->law_of[at] + i] = e->impulse[i];
    }
  }
  if (x->events_seen++ % g->event_stride == 0 && g->events.n < g->events.room) {
    const double values[PW_EVENT_COLUMNS] = {
        e->t,          kind,     at,  (double)e->cluster, length_of(e), e->dE, e->rate_before,
        e->rate_after, e->force, flag};
    for (int i = 0; i < PW_EVENT_COLUMNS; i++) {
      pw_report_column(&g->events, i)[g->events.n] = values[i];
    }
    g->events.n++;
  }
  return PAWL_OK;
}

/* Those up to the time of a row on the side after them; their impulses are known then. */
static pawl_status show_events(gatherer *x, pw_chunk_view *view, double t, bool before) {
  pawl_status status = PAWL_OK;
  while (status == PAWL_OK && (t > x->next_event || (!before && t == x->next_event))) {
    pw_chunk_view ahead = *view;
    pawl_run_event e;
    bool more = pw_chunk_next_event(&ahead, &e);
    x->next_event = more ? e.event.t : INFINITY;
    if (!more || e.event.t > t || (before && e.event.t == t)) {
      return ahead.events.bad ? PAWL_E_FILE : PAWL_OK;
    }
    status = show_event(x, &e.event);
    *view = ahead;
  }
  return status;
}

/* ---- points at which shapes press ---- */

/* Those of the i-th row of the chunk, which is the last one shown if it is shown at all. Steps with
 * such points have one row at an instant, so no row of theirs waits for its twin. */
static pawl_status show_meetings(gatherer *x, pw_chunk_view *view, int64_t i, bool shown) {
  pw_gathered *g = x->out;
  pawl_status status = PAWL_OK;
  while (status == PAWL_OK) {
    pw_chunk_view ahead = *view;
    pw_touch_row touch;
    if (!pw_chunk_next_touch(&ahead, &touch) || touch.row > i) {
      return ahead.touches.bad ? PAWL_E_FILE : PAWL_OK;
    }
    *view = ahead;
    g->meetings.all += shown;
    if (touch.row == i && shown && pw_meetings_want(&g->meetings, g->rows.n - 1)) {
      const char *name = pw_meeting_name(&g->meetings, &touch);
      int place = name == NULL ? -1 : pw_words_find(&g->places, name);
      status = place < 0 || !know_place(x, place, name)
                   ? PAWL_E_MEMORY
                   : pw_meetings_add(&g->meetings, g->rows.n - 1, place, &touch);
    }
  }
  return status;
}

/* ---- chunks ---- */

/* After a jump at the end of what was recorded the state is that of the next segment. */
static bool is_late(const gatherer *x, const pw_chunk_view *view, double t, bool after) {
  pw_chunk_view ahead = *view;
  pw_segment next;
  return after && x->now.nodes > 0 && x->now.from < t && x->now.to <= t &&
         !pw_chunk_next_segment(&ahead, &next);
}

/* late: the first row has waited for its segment; last: no other segment will come. */
static pawl_status take_rows(gatherer *x, pw_chunk_view *view, const double *rows, int64_t n,
                             bool late, bool last) {
  int width = pw_shape_columns(x->shape);
  pawl_status status = PAWL_OK;
  x->next_event = -INFINITY; /* not read yet */
  for (int64_t i = 0; i < n && status == PAWL_OK; i++) {
    const double *row = rows + i * width;
    bool before = i + 1 < n && row[width] == row[0];
    bool after = i > 0 ? row[-width] == row[0] : late;
    find_segment(x, view, row[0], before);
    if (!last && is_late(x, view, row[0], after)) {
      pw_buf_add(&x->late.bytes, (const char *)row, (size_t)(n - i) * (size_t)width * sizeof *row);
      x->late.n = n - i;
      return x->late.bytes.failed ? PAWL_E_MEMORY : PAWL_OK;
    }
    status = show_events(x, view, row[0], before);
    bool shown = show_row(x, row, before, after);
    status = status == PAWL_OK && !late ? show_meetings(x, view, i, shown) : status;
  }
  return status;
}

static pawl_status take_late(gatherer *x, pw_chunk_view *view, bool last) {
  late_rows late = x->late;
  x->late = (late_rows){0};
  const double *rows = (const double *)(const void *)late.bytes.text;
  pawl_status status = take_rows(x, view, rows, late.n, true, last);
  pw_buf_free(&late.bytes);
  return status;
}

static pawl_status take_chunk(void *payload, const pw_chunk_view *chunk) {
  gatherer *x = payload;
  pw_chunk_view view = *chunk;
  pawl_status status = PAWL_OK;
  if (x->late.n > 0) {
    status = take_late(x, &view, false);
  }
  if (status == PAWL_OK && x->late.n > 0) { /* this chunk has no segment either */
    size_t size = (size_t)view.n_row * (size_t)pw_shape_columns(x->shape) * sizeof(double);
    pw_buf_add(&x->late.bytes, (const char *)view.rows, size);
    x->late.n += view.n_row;
  } else if (status == PAWL_OK) {
    status = take_rows(x, &view, view.rows, view.n_row, false, false);
  }
  status = status == PAWL_OK ? show_events(x, &view, INFINITY, false) : status;
  if (status == PAWL_OK && view.segments.bad) {
    status = PAWL_E_FILE;
  }
  return status == PAWL_OK && !keep_segment(x) ? PAWL_E_MEMORY : status;
}

/* ---- all of it ---- */

typedef struct jump_count {
  int64_t jumps, rows; /* instants with several rows, and those rows */
  int width;
} jump_count;

/* No chunk ends between the rows of an instant. */
static pawl_status count_jumps(void *payload, const pw_chunk_view *view) {
  jump_count *c = payload;
  for (int64_t i = 1; i < view->n_row; i++) {
    const double *row = view->rows + i * c->width;
    bool twin = row[-c->width] == row[0];
    bool first = twin && !(i > 1 && row[-2 * c->width] == row[0]);
    c->jumps += first;
    c->rows += twin + first;
  }
  return PAWL_OK;
}

/* Jumps come first: their rows may be 5/4 of `most`, and 3/2 of it those of both kinds. The rows
 * between the jumps share the remainder. *rows: an upper bound of the rows shown. */
static pawl_status choose_strides(gatherer *x, const pw_report_source *source, int64_t *rows) {
  pw_gathered *g = x->out;
  int64_t most = MOST_NUMBERS / g->columns;
  g->row_stride = g->jump_stride = 1;
  *rows = source->rows;
  if (source->rows <= most) {
    return PAWL_OK;
  }
  jump_count c = {.width = pw_shape_columns(x->shape)};
  pawl_status status = pw_motion_visit(source->motion, source->end, count_jumps, &c);
  g->jump_stride = stride_of(c.rows, most + most / 4);
  int64_t paired = c.rows / g->jump_stride + 4, left = most + most / 2 - paired;
  g->row_stride = stride_of(source->rows - c.rows, left < most / 2 ? left : most / 2);
  g->jumps = c.jumps;
  *rows = paired + (source->rows - c.rows) / g->row_stride + 2;
  return status;
}

static pawl_status begin(gatherer *x, const pw_report_source *source) {
  pw_gathered *g = x->out;
  const pw_shape *s = x->shape;
  lay_out(g, s, x->system);
  int64_t rows;
  pawl_status status = choose_strides(x, source, &rows);
  g->event_stride = stride_of(source->events, MOST_EVENTS);
  if (status == PAWL_OK) {
    status = pw_report_table_make(&g->rows, g->columns, rows + 2);
  }
  if (status == PAWL_OK) {
    status =
        pw_report_table_make(&g->events, PW_EVENT_COLUMNS, source->events / g->event_stride + 1);
  }
  x->value = calloc((size_t)pw_shape_values(s) + 1, sizeof *x->value);
  x->picture = calloc((size_t)(g->columns - g->plot) + 1, sizeof *x->picture);
  x->impulse = calloc((size_t)s->n_law + 1, sizeof *x->impulse);
  x->closed = calloc((size_t)s->n_law + 1, 1);
  if (x->value == NULL || x->picture == NULL || x->impulse == NULL || x->closed == NULL) {
    return PAWL_E_MEMORY;
  }
  bool shows = x->system != NULL && g->columns > g->plot;
  return status == PAWL_OK && shows ? pawl_eval_new(x->system, &x->eval) : status;
}

static void finish(gatherer *x) {
  pawl_eval_free(x->eval);
  pw_buf_free(&x->kept);
  pw_buf_free(&x->late.bytes);
  free(x->value);
  free(x->picture);
  free(x->impulse);
  free(x->law_of);
  free(x->closed);
}

pawl_status pw_gather(const pw_report_source *source, const pawl_system *system, pw_gathered *out) {
  *out = (pw_gathered){0};
  gatherer x = {.out = out, .shape = source->motion->shape, .system = system, .all = source->rows};
  pawl_status status = begin(&x, source);
  if (status == PAWL_OK) {
    status = pw_motion_visit(source->motion, source->end, take_chunk, &x);
  }
  if (status == PAWL_OK && x.late.n > 0) {
    pw_chunk_view none = {.shape = x.shape};
    status = take_late(&x, &none, true);
  }
  finish(&x);
  return status == PAWL_OK && out->breaks.failed ? PAWL_E_MEMORY : status;
}

void pw_gathered_free(pw_gathered *g) {
  free(g->rows.cell);
  free(g->events.cell);
  free(g->count);
  pw_buf_free(&g->breaks);
  pw_meetings_free(&g->meetings);
  pw_words_free(&g->kinds);
  pw_words_free(&g->places);
  pw_words_free(&g->flags);
  *g = (pw_gathered){0};
}
