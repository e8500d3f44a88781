// SPDX-License-Identifier: MIT
/* A trajectory in a file, with columns by name: `t`, all positions; velocities and forces if they
 * are there. Read twice, row by row: for its extent, and for the certificate. */
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/real.h"
#include "base/suggest.h"
#include "law/law_name.h"
#include "law/scale_verify.h"
#include "verify/check_events.h"
#include "verify/digits.h"
#include "verify/samples.h"
#include "verify/table.h"
#include "verify/turns.h"

static const double most_instants = 2e5;
static const int64_t most_tried = 4000;
enum { ROWS_TOLD = 10000 };

typedef struct reader {
  const pawl_system *system;
  const pw_model *m;
  pw_table table;
  pawl_diags *diags;
  int *column; /* t, positions, velocities, forces */
  char **field;
  double *row;
  double *factor; /* of each column: units that are tried */
  pw_turn_count turns;
  int64_t limit; /* rows that are shown; 0: all */
  int n;         /* columns read */
  bool has_velocity, has_force;
  pawl_certify_opts opts;
  /* extent */
  int64_t rows;
  double from, to;
  double unit, first;      /* of the last digit of the times; distance of the first rows */
  bool even;               /* rows are this far apart */
  double *low, *high;      /* nq */
  pw_digits *digits;       /* of each column */
  double *most;            /* of each column but t: largest size */
  pw_verify_events events; /* c NULL: none */
  bool no_memory;          /* for the name of a column */
} reader;

/* ---- columns ---- */

static pawl_status missing(const reader *r, const char *name) {
  pw_diag_ref ref =
      pw_error(r->diags, "E0621", PW_NO_SPAN, "`%s` has no column `%s`", r->table.path, name);
  pw_suggest near = pw_suggest_begin(name);
  for (int i = 0; i < r->table.n_col; i++) {
    pw_suggest_try(&near, r->table.name[i]);
  }
  if (near.best != NULL) {
    pw_help(ref, "is it the column `%s`?", near.best);
  } else {
    pw_help(ref, "the first line must name `t` and every position as the model does");
  }
  return PAWL_E_FILE;
}

/* All columns of a group, or none: an incomplete group is reported and not used. */
static bool find_group(reader *r, int count, const char *(*name)(reader *, int, char *),
                       const char *what) {
  char text[512];
  int found = 0, at = r->n;
  for (int i = 0; i < count; i++) {
    r->column[at + i] = pw_table_column(&r->table, name(r, i, text));
    found += r->column[at + i] >= 0;
  }
  if (found > 0 && found < count) {
    pw_diag_ref ref =
        pw_warning(r->diags, "W0624", PW_NO_SPAN, "`%s` has %d of %d %s: none of them is used",
                   r->table.path, found, count, what);
    for (int i = 0; i < count; i++) {
      if (r->column[at + i] < 0) {
        pw_help(ref, "the first that is missing is `%s`", name(r, i, text));
        break;
      }
    }
  }
  bool all = found == count && count > 0;
  r->n += all ? count : 0;
  return all;
}

static const char *velocity_name(reader *r, int i, char *text) {
  (void)text;
  return r->m->u_name[i];
}

static const char *law_force_name(reader *r, int i, char *text) {
  const pw_row *row = &r->m->rows.items[i];
  pw_buf name = {0};
  bool slip = pw_acts_as_one(row->kind);
  pw_force_column(&name, row->column, i - row->first + 1, slip ? row->count : 1);
  r->no_memory = r->no_memory || name.failed;
  snprintf(text, 512, "%s", name.failed ? "" : name.text);
  pw_buf_free(&name);
  return text;
}

typedef enum meaning { NOTHING, OUTPUT, READ } meaning;

/* The meaning of a column name in the model; `near` collects the most similar name. */
static meaning meaning_of(reader *r, const char *name, pw_suggest *near, char *nearest) {
  char text[512];
  const pw_model *m = r->m;
  if (strcmp(name, "t") == 0) {
    return READ;
  }
  for (int i = 0; i < m->nq + m->nv + m->rows.n; i++) {
    const char *known = i < m->nq           ? m->q_name[i]
                        : i < m->nq + m->nv ? m->u_name[i - m->nq]
                                            : law_force_name(r, i - m->nq - m->nv, text);
    if (strcmp(name, known) == 0) {
      return READ;
    }
    int before = near->best == NULL ? INT_MAX : near->distance;
    if (pw_table_column(&r->table, known) < 0) {
      pw_suggest_try(near, known);
    }
    if (near->best != NULL && near->distance < before) {
      snprintf(nearest, 512, "%s", known);
    }
  }
  for (int i = 0; i < m->outputs.n; i++) {
    if (strcmp(name, m->outputs.items[i].name) == 0) {
      return OUTPUT;
    }
  }
  return NOTHING;
}

/* Other ways to write the velocity y': `d.y` on a command line, `vy`, `y_dot`. */
static bool is_velocity(const reader *r, const char *name, char *nearest) {
  static const char *const front[] = {"d.", "v_", "v", "d"}, *const back[] = {"_dot", "dot"};
  for (int i = 0; i < r->m->nv; i++) {
    const char *known = r->m->u_name[i];
    size_t n = strlen(known), m = strlen(name);
    bool found = false;
    for (size_t k = 0; n > 1 && known[n - 1] == '\'' && k < 4; k++) {
      size_t p = strlen(front[k]);
      found = found || (m == p + n - 1 && strncmp(name, front[k], p) == 0 &&
                        strncmp(name + p, known, n - 1) == 0);
      found = found || (k < 2 && m == n - 1 + strlen(back[k]) && strncmp(name, known, n - 1) == 0 &&
                        strcmp(name + n - 1, back[k]) == 0);
    }
    if (found) {
      snprintf(nearest, 512, "%s", known);
      return true;
    }
  }
  return false;
}

static pw_diag_ref tell_strange(reader *r, int count) {
  char nearest[512];
  int k = 0;
  pw_suggest near = pw_suggest_begin(r->table.name[0]);
  while (meaning_of(r, r->table.name[k], &near, nearest) != NOTHING) {
    k++;
  }
  return pw_warning(r->diags, "W0625", PW_NO_SPAN,
                    "`%s`: %d column%s named by the model and not read: `%.80s`%s", r->table.path,
                    count, count == 1 ? " is not" : "s are not", r->table.name[k],
                    count == 1 ? "" : " and others");
}

/* Reports columns that are not read, with the names that some of them may have meant. */
static void check_names(reader *r) {
  char nearest[512] = "";
  pw_diag_ref ref = {0};
  int count = 0, told = 0;
  for (int pass = 0; pass < 2; pass++) {
    for (int k = 0; k < r->table.n_col; k++) {
      const char *name = r->table.name[k];
      pw_suggest near = pw_suggest_begin(name);
      if (meaning_of(r, name, &near, nearest) != NOTHING) {
        continue;
      }
      count += pass == 0;
      bool meant = is_velocity(r, name, nearest) || near.best != NULL;
      if (pass == 1 && meant && told++ < 5) {
        pw_help(ref, "should `%.80s` be `%.80s`?", name, nearest);
      }
    }
    if (count == 0 || r->no_memory) {
      return;
    }
    if (pass == 0) {
      ref = tell_strange(r, count);
    }
  }
}

static pawl_status find_columns(reader *r) {
  size_t most = 1 + (size_t)r->m->nq + (size_t)r->m->nv + (size_t)r->m->rows.n;
  r->column = calloc(most, sizeof *r->column);
  r->row = calloc(most, sizeof *r->row);
  r->factor = calloc(most, sizeof *r->factor);
  r->field = calloc((size_t)r->table.n_col + 1, sizeof *r->field);
  r->low = calloc(2 * (size_t)r->m->nq + most, sizeof *r->low);
  r->digits = calloc(most, sizeof *r->digits);
  if (r->column == NULL || r->row == NULL || r->factor == NULL || r->field == NULL ||
      r->low == NULL || r->digits == NULL) {
    return PAWL_E_MEMORY;
  }
  for (size_t i = 0; i < most; i++) { /* in the units of the model */
    r->factor[i] = 1;
  }
  r->high = r->low + r->m->nq;
  r->most = r->high + r->m->nq;
  r->column[r->n++] = pw_table_column(&r->table, "t");
  if (r->column[0] < 0) {
    return missing(r, "t");
  }
  for (int i = 0; i < r->m->nq; i++) { /* no position may be missing; turns are counted */
    int at = pw_table_column(&r->table, r->m->q_name[i]);
    if (at < 0 && !pw_turns_count(&r->turns, i)) {
      return missing(r, r->m->q_name[i]);
    }
    r->column[r->n++] = at < 0 ? r->column[0] : at;
  }
  r->has_velocity = find_group(r, r->m->nv, velocity_name, "velocities");
  r->has_force = find_group(r, r->m->rows.n, law_force_name, "forces");
  check_names(r);
  return r->no_memory ? PAWL_E_MEMORY : pw_table_no_twins(&r->table, r->column, r->n, r->diags);
}

/* ---- rows ---- */

static pawl_status next_row(reader *r, bool *more) {
  pawl_status status = pw_table_row(&r->table, r->column, r->n, r->field, r->row, more, r->diags);
  for (int i = 0; i < r->n && status == PAWL_OK && *more; i++) {
    r->row[i] *= r->factor[i];
  }
  if (status == PAWL_OK && *more) {
    pw_turns_fill(&r->turns, r->row + 1);
  }
  return status;
}

/* Tells now and then how far it is; all 0: not known yet. */
static pawl_status tell(const reader *r, int64_t rows, int64_t all) {
  bool now = r->opts.progress != NULL && rows % ROWS_TOLD == 0;
  return now && r->opts.progress(r->opts.payload, rows, all) != 0 ? PAWL_E_FILE : PAWL_OK;
}

static pawl_status time_runs_back(const reader *r, double before) {
  pw_diag_ref ref = pw_error(r->diags, "E0623", PW_NO_SPAN,
                             "line %" PRId64 " of `%s`: t = %.9g comes after t = %.9g",
                             r->table.number, r->table.path, r->row[0], before);
  pw_help(ref, "rows must be in order of time; two rows at one time are the two sides of a jump");
  return PAWL_E_FILE;
}

static void count_digits(reader *r) {
  for (int i = 0; i < r->n; i++) {
    pw_digits_note(&r->digits[i], r->row[i], r->field[r->column[i]]);
  }
  for (int i = 0; i < r->n - 1; i++) {
    r->most[i] = pw_max(r->most[i], fabs(r->row[1 + i]));
  }
}

/* Half of the last digit of the times, the latest of which may show fewer behind the point; those
 * of rows at even distance are exact. */
static double time_error(const reader *r) {
  const pw_digits *d = &r->digits[0];
  double single = d->wide ? 0 : PW_SINGLE * pw_max(fabs(r->from), fabs(r->to));
  double shown = pw_digits_tell(d) ? pw_digits_error(d) * r->factor[0] : 0;
  return r->even ? 0 : pw_max(pw_max(r->unit / 2, shown), single);
}

/* What missing digits may leave out of numbers of column i but t: of one that varies, or of one
 * that does not. */
static void round_column(const reader *r, int i, double *varies, double *still) {
  const pw_digits *d = r->digits + 1;
  bool tells = pw_digits_tell(&d[i]);
  double error = tells ? pw_digits_error(&d[i]) : pw_digits_still(d, r->n - 1, i);
  *varies = pw_max(*varies, tells ? error * r->factor[1 + i] : 0);
  *still = pw_max(*still, tells ? 0 : error * r->factor[1 + i]);
}

/* The same of positions, their rates and forces; how fast the motion is. */
static void round_columns(const reader *r, pawl_certifier *c) {
  int nq = r->m->nq, nv = r->has_velocity ? r->m->nv : 0;
  double fastest = 0;
  for (int k = 0; k < r->m->coords.n; k++) {
    const pw_coord *x = &r->m->coords.items[k];
    int n = x->is_rotation ? 4 : 1;
    for (int i = x->q; i < x->q + n; i++) {
      round_column(r, i, &c->data.digit[i], &c->data.still_digit[i]);
    }
    for (int i = x->u; i < x->u + (n == 4 ? 3 : 1) && nv > 0; i++) {
      fastest += pow(c->scale.mass[x->u] * r->most[nq + i], 2);
      for (int j = x->q; j < x->q + n; j++) { /* of a rotation q' = q w/2: no more than w itself */
        round_column(r, nq + i, &c->data.digit[nq + j], &c->data.still_digit[nq + j]);
      }
    }
  }
  for (int i = 0; r->has_force && i < r->m->rows.n; i++) {
    round_column(r, nq + nv + i, &c->data.digit[2 * nq + i], &c->data.still_digit[2 * nq + i]);
  }
  c->scale.fastest = sqrt(fastest);
}

static void measure_time(reader *r, double t) {
  double unit = pw_table_unit(r->field[r->column[0]]), dt = t - r->to;
  if (r->rows == 0) {
    r->from = t;
    r->unit = unit;
    r->even = true;
  } else {
    r->first = r->first > 0 ? r->first : dt;
    r->even = r->even && (dt == 0 || fabs(dt - r->first) <= 2 * pw_min(r->unit, unit));
    r->unit = pw_min(r->unit, unit);
  }
  r->to = t;
}

static pawl_status measure(reader *r) {
  bool more = true;
  pawl_status status = PAWL_OK;
  while (status == PAWL_OK) {
    status = next_row(r, &more);
    if (status != PAWL_OK || !more) {
      break;
    }
    double t = r->row[0];
    if (r->rows > 0 && !(t >= r->to)) {
      return time_runs_back(r, r->to);
    }
    measure_time(r, t);
    for (int i = 0; i < r->m->nq; i++) {
      double x = r->row[1 + i];
      r->low[i] = r->rows == 0 ? x : pw_min(r->low[i], x);
      r->high[i] = r->rows == 0 ? x : pw_max(r->high[i], x);
    }
    count_digits(r);
    r->rows++;
    status = tell(r, r->rows, 0);
  }
  return status;
}

static pawl_status show_rows(reader *r, pw_samples *s) {
  bool more = true;
  int64_t rows = 0;
  pw_turns_restart(&r->turns);
  pawl_status status = pw_table_rewind(&r->table, r->diags);
  for (int64_t i = 0; status == PAWL_OK && (r->limit == 0 || i < r->limit); i++) {
    status = next_row(r, &more);
    if (status != PAWL_OK || !more) {
      break;
    }
    const double *q = r->row + 1, *u = q + r->m->nq;
    const double *force = r->has_velocity ? u + r->m->nv : u;
    pw_samples_row(s, r->row[0], q, r->has_velocity ? u : NULL, r->has_force ? force : NULL);
    if (r->events.c != NULL) {
      status = pw_events_row(&r->events, r->row[0], q);
    }
    status = status == PAWL_OK ? tell(r, ++rows, r->rows) : status;
  }
  return status;
}

/* Models whose curves cannot be varied so have none. */
static pawl_status begin_variations(reader *r, pawl_certifier *c) {
  bool told = c->sys->n_state == 0 || r->has_force;
  if (!c->opts.variations || r->rows > PW_MOST_VARIED || !(r->to > r->from) || !told) {
    return PAWL_OK;
  }
  if (pw_vary_new(r->system, 0, &c->vary) != PAWL_OK) {
    return PAWL_E_MEMORY;
  }
  for (int i = 0; i < r->m->nq; i++) { /* the row has been read */
    r->row[i] = r->high[i] - r->low[i];
  }
  return pw_family_add(&c->family, c->vary, r->from, r->to, r->row);
}

/* Events are compared with rows that have all velocities. */
static pawl_status begin_events(reader *r, pawl_certifier *c) {
  if (c->opts.events == NULL || !r->has_velocity) {
    return PAWL_OK;
  }
  return pw_events_open(&r->events, c, c->opts.events, c->opts.events_json, r->most, r->diags);
}

static pawl_status judge(reader *r, const pawl_certify_opts *given, pawl_certifier **out) {
  pawl_certify_opts opts = given == NULL ? (pawl_certify_opts){0} : *given;
  double span = r->to - r->from;
  bool spans =
      span > 0 && isfinite(span); /* times may be anything here; the rows tell of wrong ones */
  opts.from = spans ? r->from : 0;
  opts.to = spans ? r->to : 0;
  opts.every = spans && r->rows > 1 ? span / (double)(r->rows - 1) : 0;
  opts.tol = opts.tol > 0 ? opts.tol : PW_SCALE(CERT_TOL_TABLE);
  bool find_noise = !(opts.noise > 0);
  opts.noise = find_noise ? PW_SCALE(CERT_NOISE) : opts.noise;
  opts.instants =
      opts.instants > 0 ? opts.instants : 1 + (int64_t)((double)r->rows / most_instants);
  pawl_status status = pawl_certify_new(r->system, &opts, out);
  if (status == PAWL_OK && !(*out)->over && (*out)->hand.steps) {
    pw_certify_leave(*out);
  }
  if (status != PAWL_OK || (*out)->over) {
    return status;
  }
  pw_samples s;
  (*out)->data.find_noise = find_noise;
  if (!find_noise && opts.instants < PAWL_ROWS_PER_INSTANT) {
    (*out)->count.counts = PAWL_ROWS_PER_INSTANT;
  }
  status = pw_samples_begin(&s, *out, r->has_velocity, r->has_force);
  if (status == PAWL_OK) {
    status = begin_variations(r, *out);
  }
  if (status == PAWL_OK) {
    pw_scale_extent(*out, r->low, r->high);
    round_columns(r, *out);
    (*out)->data.spacing = r->first;
    (*out)->data.time_error = time_error(r);
    (*out)->data.jitters = !r->even && !r->digits[0].wide;
    status = begin_events(r, *out);
  }
  if (status == PAWL_OK) {
    status = show_rows(r, &s);
  }
  if (status == PAWL_OK) {
    if (r->events.c != NULL) {
      pw_events_end(&r->events);
    }
    pw_samples_end(&s);
    pawl_certify_finish(*out);
  }
  pw_samples_free(&s);
  pw_events_close(&r->events);
  return status;
}

/* ---- other units ---- */

typedef struct unit {
  const char *words;
  double factor;
  enum { ALL, EACH, TIME } of;
} unit;

/* As if the columns of coordinate k (-1: of all), or the times, were in another unit. */
static void rescale(reader *r, const unit *u, int k, double factor) {
  if (u->of == TIME) {
    r->factor[0] *= factor;
    r->from *= factor;
    r->to *= factor;
    r->unit *= factor;
    r->first *= factor;
    return;
  }
  for (int c = 0; c < r->m->coords.n; c++) {
    const pw_coord *x = &r->m->coords.items[c];
    if (x->is_rotation || (k >= 0 && c != k)) {
      continue;
    }
    r->low[x->q] *= factor;
    r->high[x->q] *= factor;
    r->most[x->q] *= factor;
    r->factor[1 + x->q] *= factor;
    if (r->has_velocity) {
      r->most[r->m->nq + x->u] *= factor;
      r->factor[1 + r->m->nq + x->u] *= factor;
    }
  }
}

/* Whether the rows would be a motion then; forces may be in any unit. */
static bool would_fit(reader *r, const pawl_certify_opts *given, const unit *u, int k) {
  pawl_certify_opts opts = given == NULL ? (pawl_certify_opts){0} : *given;
  pawl_certifier *c = NULL;
  bool has_force = r->has_force;
  opts.variations = false;
  opts.events = NULL;
  r->has_force = false;
  rescale(r, u, k, u->factor);
  bool fits = judge(r, &opts, &c) == PAWL_OK && c->over &&
              (c->result.verdict == PAWL_STRONG || c->result.verdict == PAWL_WEAK);
  rescale(r, u, k, 1 / u->factor);
  r->has_force = has_force;
  pawl_certify_free(c);
  return fits;
}

static void say_unit(const reader *r, const unit *u, int k, pawl_certifier *c) {
  size_t used = strlen(c->result.sentence);
  char of[100];
  snprintf(of, sizeof of, "`%.80s`", k >= 0 ? r->m->coords.items[k].name : "");
  snprintf(c->result.sentence + used, sizeof c->result.sentence - used,
           "; with %s times %.6g (%s) the%s rows are a motion",
           u->of == TIME ? "t"
           : k >= 0      ? of
                         : "positions and velocities",
           u->factor, u->words, r->rows > most_tried ? " first" : "");
}

static bool stands_still(const reader *r) {
  bool still = true;
  for (int i = 0; i < r->m->nq; i++) {
    still = still && !(r->low[i] < r->high[i]);
  }
  return still;
}

/* A table that is no motion may be one in another unit: the model is in SI and radians. Where the
 * fault comes late its first rows say nothing about that. */
static void try_units(reader *r, const pawl_certify_opts *opts, pawl_certifier *c) {
  static const unit units[] = {{"millimetres", 1e-3, ALL},
                               {"centimetres", 1e-2, ALL},
                               {"degrees", 0.017453292519943295, ALL},
                               {"degrees", 0.017453292519943295, EACH},
                               {"milliseconds", 1e-3, TIME}};
  double part = r->rows > most_tried ? (double)most_tried / (double)r->rows : 1;
  double t = pawl_certify_get(c).worst.t;
  int most = r->m->coords.n > 6 ? 6 : r->m->coords.n;
  if (c->result.verdict != PAWL_NOT_A_MOTION || c->sys->n_state > 0 || !c->data.find_noise ||
      stands_still(r) || !(t <= r->from + part * (r->to - r->from))) {
    return;
  }
  r->limit = most_tried;
  const unit as_it_is = {"", 1, ALL};
  if (r->has_force && would_fit(r, opts, &as_it_is, -1)) { /* the forces are at fault */
    return;
  }
  for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
    bool each = units[i].of == EACH;
    for (int k = each ? 0 : -1; k < (each ? (most > 1 ? most : 0) : 0); k++) {
      if (would_fit(r, opts, &units[i], k)) {
        say_unit(r, &units[i], k, c);
        return;
      }
    }
  }
}

static void free_reader(reader *r) {
  pw_table_close(&r->table);
  free(r->factor);
  pw_events_close(&r->events);
  free(r->column);
  free(r->row);
  free(r->field);
  free(r->low);
  free(r->digits);
  pw_turns_end(&r->turns);
}

pawl_status pawl_certify_file(const pawl_system *system, const char *path,
                              const pawl_certify_opts *opts, pawl_diags *diags,
                              pawl_certifier **out) {
  if (out != NULL) {
    *out = NULL;
  }
  if (system == NULL || path == NULL || out == NULL) {
    return PAWL_E_ARGUMENT;
  }
  reader r = {.system = system, .m = system->model, .diags = diags};
  r.opts = opts == NULL ? (pawl_certify_opts){0} : *opts;
  pawl_status status = pw_system_needs_pairs(system, "`certify`", diags);
  status = status == PAWL_OK ? pw_table_open(&r.table, path, diags) : status;
  status = status == PAWL_OK ? pw_turns_begin(&r.turns, system->sys) : status;
  status = status == PAWL_OK ? find_columns(&r) : status;
  status = status == PAWL_OK ? measure(&r) : status;
  if (status == PAWL_OK) {
    status = judge(&r, opts, out);
  }
  if (status == PAWL_OK) {
    try_units(&r, opts, *out);
  }
  free_reader(&r);
  if (status != PAWL_OK) {
    pawl_certify_free(*out);
    *out = NULL;
  }
  return status;
}
