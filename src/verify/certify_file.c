// SPDX-License-Identifier: MIT
/* A trajectory in a file, with columns by name: `t`, all positions; velocities and forces if they
 * are there. Read twice, row by row: for its extent, and for the certificate. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/law_name.h"
#include "base/real.h"
#include "base/suggest.h"
#include "verify/samples.h"
#include "verify/table.h"

static const double most_instants = 2e5;
static const long most_varied = 20000;

typedef struct reader {
  const pawl_system *system;
  const pw_model *m;
  pw_table table;
  pawl_diags *diags;
  int *column; /* t, positions, velocities, forces */
  char **field;
  double *row;
  int n; /* columns read */
  bool has_velocity, has_force;
  /* extent */
  long rows;
  double from, to;
  double unit, first; /* of the last digit of the times; distance of the first rows */
  bool even;          /* rows are this far apart */
  double *low, *high; /* nq */
  int *digits;        /* of each column but t: most of any number */
  double *most;       /* of each column but t: largest size */
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

/* Two columns of one name: which is meant is not known. */
static pawl_status find_twins(const reader *r) {
  for (int i = 0; i < r->n; i++) {
    const char *name = r->table.name[r->column[i]];
    for (int k = 0; k < r->table.n_col; k++) {
      if (k != r->column[i] && strcmp(r->table.name[k], name) == 0) {
        pw_diag_ref ref = pw_error(r->diags, "E0621", PW_NO_SPAN, "`%s` has two columns `%s`",
                                   r->table.path, name);
        pw_help(ref, "give every column a name of its own");
        return PAWL_E_FILE;
      }
    }
  }
  return PAWL_OK;
}

/* All of a group, or none of it: what is there in part is told and not used. */
static bool find_group(reader *r, int count, const char *(*name)(const reader *, int, char *),
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

static const char *velocity_name(const reader *r, int i, char *text) {
  (void)text;
  return r->m->u_name[i];
}

static const char *law_force_name(const reader *r, int i, char *text) {
  const pw_row *row = &r->m->rows.items[i];
  pw_buf name = {0};
  bool slip = pw_is_slip(row->kind);
  pw_force_column(&name, row->law, i - row->first + 1, slip ? row->count : 1);
  snprintf(text, 512, "%s", name.failed ? "" : name.text);
  pw_buf_free(&name);
  return text;
}

typedef enum meaning { NOTHING, OUTPUT, READ } meaning;

/* What a column of this name means to the model; the nearest of its names on the way. */
static meaning meaning_of(const reader *r, const char *name, pw_suggest *near, char *nearest) {
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
    int before = near->distance;
    pw_suggest_try(near, known);
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

/* `d.y` is how the velocity y' is written on a command line. */
static bool is_velocity(const reader *r, const char *name, char *nearest) {
  if (strncmp(name, "d.", 2) != 0) {
    return false;
  }
  snprintf(nearest, 512, "%.500s'", name + 2);
  for (int i = 0; i < r->m->nv; i++) {
    if (strcmp(nearest, r->m->u_name[i]) == 0) {
      return true;
    }
  }
  return false;
}

/* Columns that are not read. */
static void check_names(reader *r) {
  char nearest[512] = "", first_near[512] = "";
  int strange = -1, count = 0;
  for (int k = 0; k < r->table.n_col; k++) {
    const char *name = r->table.name[k];
    pw_suggest near = pw_suggest_begin(name);
    meaning what = meaning_of(r, name, &near, nearest);
    if (what == NOTHING) {
      bool meant = is_velocity(r, name, nearest) || near.best != NULL;
      if (strange < 0 || (meant && first_near[0] == '\0')) {
        strange = k;
        snprintf(first_near, sizeof first_near, "%s", meant ? nearest : "");
      }
      count++;
    }
  }
  if (strange >= 0) {
    pw_diag_ref ref = pw_warning(r->diags, "W0625", PW_NO_SPAN,
                                 "`%s`: %d column%s named by the model and not read: `%.80s`%s",
                                 r->table.path, count, count == 1 ? " is not" : "s are not",
                                 r->table.name[strange], count == 1 ? "" : " and others");
    if (first_near[0] != '\0') {
      pw_help(ref, "should it be `%.80s`?", first_near);
    }
  }
}

static pawl_status find_columns(reader *r) {
  size_t most = 1 + (size_t)r->m->nq + (size_t)r->m->nv + (size_t)r->m->rows.n;
  r->column = calloc(most, sizeof *r->column);
  r->row = calloc(most, sizeof *r->row);
  r->field = calloc((size_t)r->table.n_col + 1, sizeof *r->field);
  r->low = calloc(2 * (size_t)r->m->nq + most, sizeof *r->low);
  r->digits = calloc(most, sizeof *r->digits);
  if (r->column == NULL || r->row == NULL || r->field == NULL || r->low == NULL ||
      r->digits == NULL) {
    return PAWL_E_MEMORY;
  }
  r->high = r->low + r->m->nq;
  r->most = r->high + r->m->nq;
  r->column[r->n++] = pw_table_column(&r->table, "t");
  if (r->column[0] < 0) {
    return missing(r, "t");
  }
  for (int i = 0; i < r->m->nq; i++) {
    r->column[r->n++] = pw_table_column(&r->table, r->m->q_name[i]);
    if (r->column[r->n - 1] < 0) {
      return missing(r, r->m->q_name[i]);
    }
  }
  r->has_velocity = find_group(r, r->m->nv, velocity_name, "velocities");
  r->has_force = find_group(r, r->m->rows.n, law_force_name, "forces");
  check_names(r);
  return find_twins(r);
}

/* ---- rows ---- */

static pawl_status next_row(reader *r, bool *more) {
  return pw_table_row(&r->table, r->column, r->n, r->field, r->row, more, r->diags);
}

static pawl_status time_runs_back(const reader *r, double before) {
  pw_diag_ref ref =
      pw_error(r->diags, "E0623", PW_NO_SPAN, "line %ld of `%s`: t = %.9g comes after t = %.9g",
               r->table.number, r->table.path, r->row[0], before);
  pw_help(ref, "rows must be in order of time; two rows at one time are the two sides of a jump");
  return PAWL_E_FILE;
}

static void count_digits(reader *r) {
  for (int i = 0; i < r->n - 1; i++) {
    int digits = pw_table_digits(r->field[r->column[1 + i]]);
    r->digits[i] = digits > r->digits[i] ? digits : r->digits[i];
    r->most[i] = pw_max(r->most[i], fabs(r->row[1 + i]));
  }
}

/* Half of the last digit of the largest number. */
static double last_digit(const reader *r, int i) {
  return r->most[i] * pow(10, 1 - r->digits[i]) / 2;
}

static void round_forces(const reader *r, pawl_certifier *c) {
  int first = r->n - 1 - r->m->rows.n;
  for (int i = 0; r->has_force && i < r->m->rows.n; i++) {
    c->force_error[i] = last_digit(r, first + i);
  }
}

/* The error of numbers with so many digits, relative to the size of the motion. */
static double rounding(const reader *r, const pawl_certifier *c) {
  double place = 0, speed = 0, fastest = 0;
  for (int k = 0; k < r->m->coords.n; k++) {
    const pw_coord *x = &r->m->coords.items[k];
    double mass = c->mass[x->u];
    for (int i = x->q; i < x->q + (x->is_rotation ? 4 : 1); i++) {
      place = pw_max(place, mass * last_digit(r, i));
    }
    for (int i = x->u; r->has_velocity && i < x->u + (x->is_rotation ? 3 : 1); i++) {
      double most = mass * r->most[r->m->nq + i];
      speed = pw_max(speed, mass * last_digit(r, r->m->nq + i));
      fastest += most * most;
    }
  }
  return pw_max(c->L0 > 0 ? place / c->L0 : 0, fastest > 0 ? speed / sqrt(fastest) : 0);
}

/* Times of rows at even distance are exact, others no better than their last digit. */
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
  }
  return status;
}

static pawl_status show_rows(reader *r, pw_samples *s) {
  bool more = true;
  pawl_status status = pw_table_rewind(&r->table, r->diags);
  while (status == PAWL_OK) {
    status = next_row(r, &more);
    if (status != PAWL_OK || !more) {
      break;
    }
    const double *q = r->row + 1, *u = q + r->m->nq;
    const double *force = r->has_velocity ? u + r->m->nv : u;
    pw_samples_row(s, r->row[0], q, r->has_velocity ? u : NULL, r->has_force ? force : NULL);
  }
  return status;
}

/* Models whose curves cannot be varied so have none. */
static pawl_status begin_variations(reader *r, pawl_certifier *c) {
  bool told = c->sys->n_state == 0 || r->has_force;
  if (!c->opts.variations || r->rows > most_varied || !(r->to > r->from) || !told) {
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

static pawl_status judge(reader *r, const pawl_certify_opts *given, pawl_certifier **out) {
  pawl_certify_opts opts = given == NULL ? (pawl_certify_opts){0} : *given;
  opts.from = r->from;
  opts.to = r->to;
  opts.tol = opts.tol > 0 ? opts.tol : 1e-5;
  bool find_noise = !(opts.noise > 0);
  opts.noise = find_noise ? 1e-9 : opts.noise;
  opts.instants = opts.instants > 0 ? opts.instants : 1 + (long)((double)r->rows / most_instants);
  pawl_status status = pawl_certify_new(r->system, &opts, out);
  if (status != PAWL_OK || (*out)->over) {
    return status;
  }
  pw_samples s;
  (*out)->find_noise = find_noise;
  status = pw_samples_begin(&s, *out, r->has_velocity, r->has_force);
  if (status == PAWL_OK) {
    status = begin_variations(r, *out);
  }
  if (status == PAWL_OK) {
    pw_certify_extent(*out, r->low, r->high);
    (*out)->places = rounding(r, *out);
    (*out)->spacing = r->first;
    (*out)->time_error = r->even ? 0 : r->unit / 2;
    round_forces(r, *out);
    status = show_rows(r, &s);
  }
  if (status == PAWL_OK) {
    pw_samples_end(&s);
    pawl_certify_finish(*out);
  }
  pw_samples_free(&s);
  return status;
}

static void free_reader(reader *r) {
  pw_table_close(&r->table);
  free(r->column);
  free(r->row);
  free(r->field);
  free(r->low);
  free(r->digits);
}

pawl_status pawl_certify_file(const pawl_system *system, const char *path,
                              const pawl_certify_opts *opts, pawl_diags *diags,
                              pawl_certifier **out) {
  if (system == NULL || path == NULL || out == NULL) {
    return PAWL_E_ARGUMENT;
  }
  *out = NULL;
  reader r = {.system = system, .m = system->model, .diags = diags};
  pawl_status status = pw_table_open(&r.table, path, diags);
  if (status == PAWL_OK) {
    status = find_columns(&r);
  }
  if (status == PAWL_OK) {
    status = measure(&r);
  }
  if (status == PAWL_OK) {
    status = judge(&r, opts, out);
  }
  free_reader(&r);
  if (status != PAWL_OK) {
    pawl_certify_free(*out);
    *out = NULL;
  }
  return status;
}
