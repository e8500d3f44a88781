// SPDX-License-Identifier: MIT
/* Where a motion is sampled. The rows that a run has stored are exact: states are projected, forces
 * computed there. A figure takes them all if they are not too many, and always both rows of an
 * instant; where they are far apart, points of the polynomial are inserted between them. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "law/law_name.h"
#include "plot/figure.h"
#include "verify/table.h"

enum { MOST_ROWS = 100000, MOST_NUMBERS = 8 << 20, LEAST_POINTS = 1000 };

bool pw_span_has(const pawl_figure_opts *opts, double t) {
  return !opts->use_span || (t >= opts->from && t <= opts->to);
}

void pw_sampling_free(pw_sampling *s) {
  free(s->items);
  free(s->numbers);
}

static bool grow(void **items, int64_t *cap, size_t size) {
  int64_t more = 2 * *cap + 256;
  void *next = realloc(*items, (size_t)more * size);
  if (next != NULL) {
    *items = next;
    *cap = more;
  }
  return next != NULL;
}

/* While the array may still be moved, a state is referred to by its index. */
bool pw_sampling_add(pw_sampling *s, double t, pawl_side side, const double *state) {
  size_t size = (size_t)s->width * sizeof *state;
  if ((s->n == s->cap && !grow((void **)&s->items, &s->cap, sizeof *s->items)) ||
      (state != NULL && s->n_state == s->state_cap &&
       !grow((void **)&s->numbers, &s->state_cap, size + sizeof *state))) {
    return false;
  }
  if (state != NULL) {
    memcpy(s->numbers + s->n_state * s->width, state, size);
    s->n_state++;
  }
  s->items[s->n++] = (pw_plot_point){.t = t, .side = side};
  return true;
}

/* Every sample so far has its own state. */
static void settle(pw_sampling *s) {
  for (int64_t i = 0; i < s->n; i++) {
    s->items[i].state = s->numbers + i * s->width;
    bool first = i + 1 < s->n && s->items[i + 1].t == s->items[i].t;
    s->items[i].side = first ? PAWL_BEFORE : PAWL_AFTER;
  }
}

/* ---- a stored motion ---- */

typedef struct reading {
  pawl_figure *figure;
  const pawl_figure_opts *opts;
  pw_sampling *samples;
  double *last; /* the row before, in case its time comes again */
  bool has_last, kept_last;
  int64_t number, stride;
  bool pairs; /* both sides of every instant are kept */
  bool failed;
} reading;

static bool keep(reading *r, const double *row) {
  return !pw_span_has(r->opts, row[0]) || pw_sampling_add(r->samples, row[0], PAWL_AFTER, row + 1);
}

static int on_row(void *payload, const double *row) {
  reading *r = payload;
  bool again = r->has_last && row[0] == r->last[0];
  bool wanted = r->number % r->stride == 0 || (again && (r->pairs || r->kept_last));
  if (again && wanted && !r->kept_last && !keep(r, r->last)) {
    r->failed = true;
  }
  if (wanted && !keep(r, row)) {
    r->failed = true;
  }
  memcpy(r->last, row, (size_t)(1 + r->samples->width) * sizeof *row);
  r->has_last = true;
  r->kept_last = wanted;
  r->number++;
  return r->failed;
}

static void tally(pawl_figure *f, const pawl_event *e) {
  f->events++;
  for (int i = 0; i < f->n_tally; i++) {
    if (strcmp(f->tally[i].kind, e->kind) == 0 && strcmp(f->tally[i].at, e->at) == 0) {
      f->tally[i].count++;
      return;
    }
  }
  if (f->n_tally == PW_MOST_TALLIES || strlen(e->at) >= sizeof f->tally->at ||
      strlen(e->kind) >= sizeof f->tally->kind) {
    f->others++;
    return;
  }
  pw_tally *new = &f->tally[f->n_tally++];
  strcpy(new->kind, e->kind);
  strcpy(new->at, e->at);
  new->count = 1;
}

static int law_of(const pawl_system *s, const char *name) {
  for (int i = 0; i < pawl_system_laws(s); i++) {
    if (strcmp(pawl_law_get(s, i).law, name) == 0) {
      return i;
    }
  }
  return -1;
}

static int on_event(void *payload, const pawl_run_event *event) {
  reading *r = payload;
  pawl_figure *f = r->figure;
  const pawl_event *e = &event->event;
  int law = e->n_impulse > 0 ? law_of(f->system, e->at) : -1;
  for (int i = 0; law >= 0 && i < e->n_impulse; i++) {
    if (f->n_jump == f->jump_cap && !grow((void **)&f->jumps, &f->jump_cap, sizeof *f->jumps)) {
      r->failed = true;
      return 1;
    }
    f->jumps[f->n_jump++] = (pw_plot_jump){e->t, law + i, e->impulse[i]};
  }
  if (!pw_span_has(r->opts, e->t)) {
    return 0;
  }
  tally(f, e);
  if (f->n_mark > 0 && f->marks[f->n_mark - 1].t == e->t) {
    f->marks[f->n_mark - 1].events++;
    return 0;
  }
  if (f->n_mark == f->mark_cap && !grow((void **)&f->marks, &f->mark_cap, sizeof *f->marks)) {
    r->failed = true;
    return 1;
  }
  f->marks[f->n_mark++] = (pw_plot_mark){e->t, 1};
  return 0;
}

/* Points of the polynomial from the last sample of `whole` up to t, not more than `pace` apart. */
static bool walk_to(pw_sampling *whole, double t, double pace) {
  double from = whole->items[whole->n - 1].t, gap = t - from;
  int more = gap > pace * (1 + DBL_EPSILON * LEAST_POINTS) ? (int)ceil(gap / pace) - 1 : 0;
  bool ok = true;
  for (int k = 1; ok && k <= more; k++) {
    ok = pw_sampling_add(whole, from + gap * k / (more + 1), PAWL_AFTER, NULL);
  }
  return ok;
}

/* The rows in `s`, and between them, and from `low` and to `high`, points of the polynomial. */
static bool fill_gaps(pw_sampling *s, double low, double high) {
  pw_sampling whole = {.width = s->width, .numbers = s->numbers, .n_state = s->n_state};
  double pace = (high - low) / LEAST_POINTS;
  bool ok = true;
  if (s->n == 0 || s->items[0].t > low) {
    ok = pw_sampling_add(&whole, low, PAWL_AFTER, NULL);
  }
  for (int64_t i = 0; ok && i < s->n; i++) {
    ok = whole.n == 0 || walk_to(&whole, s->items[i].t, pace);
    ok = ok && pw_sampling_add(&whole, s->items[i].t, s->items[i].side, NULL);
    if (ok) {
      whole.items[whole.n - 1].state = s->items[i].state;
    }
  }
  if (ok && whole.items[whole.n - 1].t < high) {
    ok = walk_to(&whole, high, pace) && pw_sampling_add(&whole, high, PAWL_AFTER, NULL);
  }
  free(s->items);
  *s = whole;
  return ok;
}

pawl_status pw_sampling_read(pawl_figure *f, pawl_traj *traj, const pawl_figure_opts *opts,
                             pw_sampling *out) {
  pawl_traj_info info = pawl_traj_info_get(traj);
  out->width = info.positions + info.velocities + info.laws;
  int64_t most = MOST_NUMBERS / (out->width + 1);
  most = most < MOST_ROWS ? most : MOST_ROWS;
  reading r = {.figure = f,
               .opts = opts,
               .samples = out,
               .stride = 1 + info.rows / most,
               .pairs = 2 * info.events <= most,
               .last = calloc((size_t)out->width + 1, sizeof(double))};
  if (r.last == NULL) {
    return PAWL_E_MEMORY;
  }
  const pawl_traj_visitor visitor = {.row = on_row, .event = on_event, .payload = &r};
  pawl_status status = pawl_traj_visit(traj, &visitor);
  free(r.last);
  if (status != PAWL_OK || r.failed) {
    return r.failed ? PAWL_E_MEMORY : status;
  }
  settle(out);
  double low = opts->use_span ? fmax(opts->from, info.from) : info.from;
  double high = opts->use_span ? fmin(opts->to, info.to) : info.to;
  return !(low <= high) || fill_gaps(out, low, high) ? PAWL_OK : PAWL_E_MEMORY;
}

/* ---- a table ---- */

static void name_column(const pawl_system *s, int i, pw_buf *out) {
  int nq = pawl_system_positions(s), nv = pawl_system_velocities(s);
  out->len = 0;
  if (i == 0) {
    pw_buf_puts(out, "t");
  } else if (i <= nq) {
    pw_buf_puts(out, pawl_position_name(s, i - 1));
  } else if (i <= nq + nv) {
    pw_buf_puts(out, pawl_velocity_name(s, i - 1 - nq));
  } else {
    pawl_law_info law = pawl_law_get(s, i - 1 - nq - nv);
    pw_force_column(out, law.column, law.component, law.components);
  }
}

static pawl_status find_columns(const pawl_system *s, const pw_table *table, int *column, int n,
                                pawl_diags *diags) {
  pw_buf name = {0};
  pawl_status status = PAWL_OK;
  for (int i = 0; i < n && status == PAWL_OK; i++) {
    name_column(s, i, &name);
    column[i] = name.failed ? -1 : pw_table_column(table, name.text);
    if (name.failed) {
      status = PAWL_E_MEMORY;
    } else if (column[i] < 0) {
      pw_error(diags, "E0632", PW_NO_SPAN, "`%s` has no column `%s`", table->path, name.text);
      status = PAWL_E_FILE;
    }
  }
  pw_buf_free(&name);
  return status;
}

static pawl_status read_rows(pw_table *table, const int *column, const pawl_figure_opts *opts,
                             pawl_diags *diags, pw_sampling *out) {
  char **field = calloc((size_t)table->n_col + 1, sizeof *field);
  double *row = calloc((size_t)out->width + 1, sizeof *row);
  pawl_status status = field == NULL || row == NULL ? PAWL_E_MEMORY : PAWL_OK;
  for (bool more = true; status == PAWL_OK && more;) {
    status = pw_table_row(table, column, out->width + 1, field, row, &more, diags);
    if (status == PAWL_OK && more && pw_span_has(opts, row[0])) {
      status = pw_sampling_add(out, row[0], PAWL_AFTER, row + 1) ? PAWL_OK : PAWL_E_MEMORY;
    }
    if (status == PAWL_OK && out->n_state * (out->width + 1) > MOST_NUMBERS) {
      pw_error(diags, "E0632", PW_NO_SPAN, "`%s` is too long to be plotted without motion.pwt",
               table->path);
      status = PAWL_E_LIMIT;
    }
  }
  free(field);
  free(row);
  return status;
}

pawl_status pw_sampling_table(pawl_figure *f, const char *dir, const pawl_figure_opts *opts,
                              pawl_diags *diags, pw_sampling *out) {
  const pawl_system *s = f->system;
  out->width = pawl_system_positions(s) + pawl_system_velocities(s) + pawl_system_laws(s);
  pw_buf path = {0};
  pw_table table = {0};
  pw_buf_printf(&path, "%s/trajectory.csv", dir);
  int *column = calloc((size_t)out->width + 1, sizeof *column);
  pawl_status status = path.failed || column == NULL ? PAWL_E_MEMORY : PAWL_OK;
  if (status == PAWL_OK) {
    status = pw_table_open(&table, path.text, diags);
  }
  if (status == PAWL_OK) {
    status = find_columns(s, &table, column, out->width + 1, diags);
  }
  if (status == PAWL_OK) {
    status = read_rows(&table, column, opts, diags, out);
  }
  pw_table_close(&table);
  free(column);
  pw_buf_free(&path);
  settle(out);
  return status;
}
