// SPDX-License-Identifier: MIT
#include "study/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/real.h"
#include "law/scale_run.h"

/* ---- motions ---- */

pawl_status pw_study_system(const pawl_model *model, const pawl_study_opts *opts,
                            const pawl_override *more, pawl_diags *diags, pawl_system **out) {
  int n = opts->n_override;
  pawl_override *all = calloc((size_t)n + 1, sizeof *all);
  if (all == NULL) {
    return PAWL_E_MEMORY;
  }
  int first = more != NULL;
  if (more != NULL) { /* realisations precede the values of their parameters */
    all[0] = *more;
  }
  for (int i = 0; i < n; i++) {
    all[first + i] = opts->overrides[i];
  }
  pawl_system_opts how = {.overrides = all, .n_override = n + first};
  pawl_status status = pawl_system_new(model, &how, diags, out);
  free(all);
  return status;
}

void pw_study_reason(const pawl_diags *diags, char why[PW_STUDY_TEXT]) {
  why[0] = '\0';
  for (int i = 0; i < pawl_diags_count(diags) && why[0] == '\0'; i++) {
    const pawl_diag *d = pawl_diags_get(diags, i);
    if (d->severity == PAWL_ERROR) {
      snprintf(why, PW_STUDY_TEXT, "%s", d->message);
    }
  }
  if (why[0] == '\0') {
    snprintf(why, PW_STUDY_TEXT, "the motion could not be computed");
  }
}

void pw_course_free(pw_course *s) {
  free(s->q);
  free(s->u);
  *s = (pw_course){0};
}

/* Whether a name is that of the studied law, or of a member of that family. */
static bool is_named(const char *name, const char *law) {
  size_t n = strlen(law);
  return strncmp(name, law, n) == 0 && (name[n] == '\0' || name[n] == '[');
}

static bool is_law(const pawl_system *system, int i, const char *law) {
  return is_named(pawl_law_get(system, i).name, law);
}

static pawl_status take(pawl_sim *sim, const pawl_system *system, const char *law, pw_course *out) {
  pawl_point p;
  pawl_energy e;
  pawl_status status = pawl_sim_point(sim, PAWL_AFTER, &p);
  if (status == PAWL_OK) {
    status = pawl_sim_energy(sim, &e, NULL);
  }
  if (status != PAWL_OK) {
    return status;
  }
  memcpy(out->q + (size_t)out->n * (size_t)out->nq, p.q, (size_t)out->nq * sizeof *p.q);
  memcpy(out->u + (size_t)out->n * (size_t)out->nv, p.u, (size_t)out->nv * sizeof *p.u);
  out->n++;
  out->energy = fmax(out->energy, e.kinetic);
  for (int i = 0; law != NULL && i < pawl_system_laws(system); i++) {
    out->force = is_law(system, i, law) ? fmax(out->force, fabs(p.force[i])) : out->force;
  }
  return PAWL_OK;
}

/* The first impact of the studied law. */
static void note_impact(const pawl_sim *sim, const char *law, pw_course *out) {
  for (int i = 0; law != NULL && !out->struck && i < pawl_sim_events(sim); i++) {
    pawl_event e = pawl_sim_event(sim, i);
    if (strcmp(e.kind, "impact") == 0 && is_named(e.at, law) && e.n_impulse > 0) {
      out->struck = true;
      out->before = e.rate_before;
      out->after = e.rate_after;
      out->impulse = e.impulse[0];
    }
  }
}

/* To all times of the samples, over events. */
static pawl_status follow(pawl_sim *sim, const pawl_system *system, const char *law,
                          pawl_diags *diags, pw_course *out) {
  pawl_sim_stats s = pawl_sim_statistics(sim);
  pawl_status status = take(sim, system, law, out);
  pawl_stop stop = PAWL_AT_TARGET;
  for (int k = 1; k < PW_STUDY_SAMPLES && status == PAWL_OK && stop != PAWL_AT_END; k++) {
    double t =
        k == PW_STUDY_SAMPLES - 1 ? s.to : s.from + (s.to - s.from) * k / (PW_STUDY_SAMPLES - 1);
    do {
      status = pawl_sim_advance(sim, t, diags, &stop);
      note_impact(sim, law, out);
    } while (status == PAWL_OK && stop == PAWL_AT_EVENT);
    if (status == PAWL_OK) {
      status = take(sim, system, law, out);
    }
  }
  s = pawl_sim_statistics(sim);
  out->steps = s.steps;
  out->events = s.events;
  return status;
}

pawl_status pw_study_sample(const pawl_system *system, const pawl_study_opts *opts,
                            const pawl_sim_opts *how, const char *law, pw_course *out,
                            char why[PW_STUDY_TEXT]) {
  pawl_sim_opts all = *how;
  pawl_diags *diags = NULL;
  pawl_sim *sim = NULL;
  why[0] = '\0';

  /* Span and interrupt function come from the study. */
  all.use_span = opts->use_span;
  all.from = opts->from;
  all.to = opts->to;
  all.ask = opts->ask;
  all.payload = opts->payload;

  /* A sample of all positions and velocities at each of the times. */
  *out = (pw_course){.nq = pawl_system_positions(system), .nv = pawl_system_velocities(system)};
  out->q = calloc((size_t)PW_STUDY_SAMPLES * (size_t)out->nq + 1, sizeof *out->q);
  out->u = calloc((size_t)PW_STUDY_SAMPLES * (size_t)out->nv + 1, sizeof *out->u);
  pawl_status status = out->q == NULL || out->u == NULL ? PAWL_E_MEMORY : pawl_diags_new(&diags);

  /* A run that fails is a result with a reason; only memory and time end the study. */
  if (status == PAWL_OK) {
    status = pawl_sim_new(system, &all, diags, &sim);
  }
  if (status == PAWL_OK) {
    status = follow(sim, system, law, diags, out);
  }
  status = diags != NULL && pw_diags_lost(diags) ? PAWL_E_MEMORY : status;
  if (status != PAWL_OK && status != PAWL_E_MEMORY && status != PAWL_E_TIME) {
    pw_study_reason(diags, why);
    status = PAWL_OK;
  }

  /* The samples belong to the caller, unless there is an error. */
  pawl_sim_free(sim);
  pawl_diags_free(diags);
  if (status != PAWL_OK) {
    pw_course_free(out);
  }
  return status;
}

/* ---- differences ---- */

/* How large component i is along the samples: its way from the start, else its size, else 1. */
static double size_of(const double *x, int samples, int n, int i, bool way) {
  double moved = 0, size = 0;
  for (int k = 0; k < samples; k++) {
    double value = x[(size_t)k * (size_t)n + (size_t)i];
    moved = fmax(moved, fabs(value - x[i]));
    size = fmax(size, fabs(value));
  }
  double unit = way && moved > PW_SCALE(STUDY_NO_WAY) * size ? moved : size;
  return unit > 0 ? unit : 1;
}

static double difference(const double *a, const double *b, int samples, int n, bool mean) {
  double most = 0;
  for (int i = 0; i < n; i++) {
    double unit = size_of(a, samples, n, i, !mean), largest = 0, sum = 0;
    for (int k = 0; k < samples; k++) {
      size_t at = (size_t)k * (size_t)n + (size_t)i;
      double apart = fabs(a[at] - b[at]) / unit;
      largest = pw_max(largest, apart);
      sum += apart / samples;
    }
    most = pw_max(most, mean ? sum : largest);
  }
  return most;
}

static double difference_at_end(const double *a, const double *b, int samples, int n, bool way) {
  double most = 0;
  for (int i = 0; i < n; i++) {
    size_t at = (size_t)(samples - 1) * (size_t)n + (size_t)i;
    most = pw_max(most, fabs(a[at] - b[at]) / size_of(a, samples, n, i, way));
  }
  return most;
}

void pw_study_errors(const pw_course *limit, const pw_course *s, double error[PW_STUDY_ERRORS]) {
  bool whole = s->n == limit->n && s->nq == limit->nq && s->nv == limit->nv;
  if (!whole) {
    error[0] = error[1] = error[2] = NAN;
    return;
  }
  error[PW_STUDY_POSITIONS] = difference(limit->q, s->q, s->n, s->nq, false);
  error[PW_STUDY_VELOCITIES] = difference(limit->u, s->u, s->n, s->nv, true);
  error[PW_STUDY_END] = pw_max(difference_at_end(limit->q, s->q, s->n, s->nq, true),
                               difference_at_end(limit->u, s->u, s->n, s->nv, false));
}

pawl_status pw_study_limit(pawl_study *s, const pawl_system *system, const pawl_study_opts *opts,
                           const char *law, pawl_diags *diags) {
  const double first = PW_SCALE(STUDY_TIGHTEST),
               tol[] = {first, 10 * first, 100 * first, 1e3 * first, 1e4 * first};
  enum { N = sizeof tol / sizeof *tol };
  char why[PW_STUDY_TEXT] = "", other_why[PW_STUDY_TEXT];
  pawl_status status = PAWL_OK;
  for (int i = 0; i + 1 < N; i++) {
    pw_course other = {0};
    pw_course_free(&s->limit);
    status = pw_study_sample(system, opts, &(pawl_sim_opts){.tol = tol[i]}, law, &s->limit, why);
    if (status == PAWL_OK && why[0] == '\0') {
      status = pw_study_sample(system, opts, &(pawl_sim_opts){.tol = tol[i + 1]}, law, &other,
                               other_why);
      pw_study_errors(&s->limit, &other, s->floor);
    }
    pw_course_free(&other);
    if (status != PAWL_OK || (why[0] == '\0' && s->floor[0] == s->floor[0])) {
      return status;
    }
  }
  pw_diag_ref ref = pw_error(diags, "E0540", PW_NO_SPAN,
                             "the motion to compare with could not be computed to its end: %s",
                             why[0] != '\0' ? why : other_why);
  pw_help(ref, "shorten the run with -t, or look at `pawl run` first");
  return PAWL_E_STEP;
}

/* ---- series ---- */

pw_study_line *pw_study_begin(pawl_study *s, const char *name, const char *by) {
  if (s->n == PW_STUDY_MOST_SERIES) {
    return NULL;
  }
  pw_study_line *line = &s->line[s->n++];
  *line = (pw_study_line){.by = by, .order = {NAN, NAN, NAN}};
  snprintf(line->name, sizeof line->name, "%s", name);
  return line;
}

pawl_status pw_study_add(pawl_study *s, pw_study_line *line, const pawl_system *system,
                         const pawl_study_opts *opts, const pawl_sim_opts *how, double value,
                         double h) {
  pw_course samples;
  if (line->n == PW_STUDY_MOST_ROWS) {
    return PAWL_OK;
  }
  int k = line->n;
  pawl_status status = pw_study_sample(system, opts, how, NULL, &samples, line->row[k].why);
  if (status != PAWL_OK) {
    return status;
  }
  line->n++;
  line->row[k].value = value;
  line->row[k].steps = samples.steps;
  line->row[k].events = samples.events;
  line->row[k].h = h > 0 ? h : samples.steps > 0 ? 1.0 / (double)samples.steps : NAN;
  pw_study_errors(&s->limit, &samples, line->row[k].error);
  pw_course_free(&samples);
  return PAWL_OK;
}

/* Slope of the logarithms by least squares, over the last rows that are above the floor: the first
 * may be too coarse to show the order. */
static double slope_of(const pawl_study *s, const pw_study_line *line, int which) {
  enum { LAST = 4, FEWEST = 3 };
  double x[LAST], y[LAST], mean_x = 0, mean_y = 0, up = 0, down = 0;
  int n = 0;
  double least = fmax(PW_SCALE(STUDY_ABOVE_FLOOR) * s->floor[which], PW_SCALE(STUDY_ROUNDING));
  for (int k = line->n - 1; k >= 0 && n < LAST; k--) {
    double e = line->row[k].error[which], h = line->row[k].h;
    if (e > least && h > 0) {
      x[n] = log(h);
      y[n] = log(e);
      mean_x += x[n];
      mean_y += y[n];
      n++;
    }
  }
  for (int k = 0; k < n; k++) {
    up += (x[k] - mean_x / n) * (y[k] - mean_y / n);
    down += (x[k] - mean_x / n) * (x[k] - mean_x / n);
  }
  return n >= FEWEST && down > 0 ? up / down : NAN;
}

void pw_study_fit(const pawl_study *s, pw_study_line *line) {
  for (int i = 0; i < PW_STUDY_ERRORS; i++) {
    line->order[i] = slope_of(s, line, i);
  }
}

/* ---- life and questions ---- */

pawl_status pw_study_make(const char *file, pawl_study **out) {
  pawl_study *s = calloc(1, sizeof *s);
  size_t n = strlen(file) + 1;
  if (s != NULL && (s->file = malloc(n)) == NULL) {
    free(s);
    s = NULL;
  }
  if (s == NULL) {
    return PAWL_E_MEMORY;
  }
  memcpy(s->file, file, n);
  *out = s;
  return PAWL_OK;
}

void pawl_study_free(pawl_study *s) {
  if (s != NULL) {
    pw_course_free(&s->limit);
    free(s->file);
    free(s);
  }
}

int pawl_study_count(const pawl_study *s) {
  return s == NULL ? 0 : s->n;
}

pawl_study_series pawl_study_get(const pawl_study *s, int i) {
  if (s == NULL || i < 0 || i >= s->n) {
    return (pawl_study_series){.order_positions = NAN, .order_velocities = NAN, .order_end = NAN};
  }
  const pw_study_line *l = &s->line[i];
  return (pawl_study_series){.name = l->name,
                             .by = l->by,
                             .refused = l->refused,
                             .rows = l->n,
                             .order_positions = l->order[0],
                             .order_velocities = l->order[1],
                             .order_end = l->order[2]};
}

pawl_study_row pawl_study_row_get(const pawl_study *s, int i, int row) {
  if (s == NULL || i < 0 || i >= s->n || row < 0 || row >= s->line[i].n) {
    return (pawl_study_row){.value = NAN, .positions = NAN, .velocities = NAN, .end = NAN};
  }
  const pw_study_line *l = &s->line[i];
  return (pawl_study_row){.value = l->row[row].value,
                          .steps = l->row[row].steps,
                          .events = l->row[row].events,
                          .positions = l->row[row].error[0],
                          .velocities = l->row[row].error[1],
                          .end = l->row[row].error[2],
                          .why = l->row[row].why};
}

double pawl_study_floor(const pawl_study *s) {
  return s == NULL ? NAN : s->floor[PW_STUDY_POSITIONS];
}

const char *pawl_study_against(const pawl_study *s) {
  return s == NULL ? NULL : s->against;
}
