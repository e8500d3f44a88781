// SPDX-License-Identifier: MIT
#include "tangent/gradient.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/suggest.h"
#include "sim/trial.h"
#include "tangent/tangent_motion.h"
#include "tangent/variation.h"

typedef struct told { /* an event */
  double t;
  const char *why; /* of all names; NULL: each number is as it is */
} told;

struct pawl_gradient {
  const pawl_system *system;
  char **names;
  int n, size; /* size: nq + nv + outputs + laws */
  pw_by_name *by;
  double *start;        /* n x (nq + nv) */
  double *period;       /* n x events */
  double *end;          /* n x size */
  bool ended, at_start; /* at_start: the motion has no length */
  const char *why;      /* of all names */
  double since;
  told *event;
  double *time; /* events x n */
  int n_event, cap;
};

/* ---- names ---- */

static void unknown_name(const pawl_system *system, const char *name, pawl_diags *diags) {
  const pw_model *m = system->model;
  pw_suggest s = pw_suggest_begin(name);
  for (int i = 0; i < m->parameters.n; i++) {
    pw_suggest_try(&s, m->parameters.items[i].name);
  }
  for (int i = 0; i < m->nq; i++) {
    pw_suggest_try(&s, m->q_name[i]);
  }
  for (int i = 0; i < m->nv; i++) {
    pw_suggest_try(&s, m->u_name[i]);
  }
  pw_diag_ref d =
      pw_error(diags, "E0680", PW_NO_SPAN, "`%s` is not a parameter or start value", name);
  if (s.best != NULL) {
    pw_help(d, "did you mean `%s`?", s.best);
  } else {
    pw_help(d, "derivatives are by names of parameters, positions and velocities");
  }
}

pawl_status pw_gradient_check(const pawl_system *system, const pawl_sim_opts *opts,
                              const char *const *names, int n, pawl_diags *diags) {
  pw_by_name v;
  for (int i = 0; i < n; i++) {
    if (names[i] == NULL || !pw_variation_find(system, names[i], &v)) {
      unknown_name(system, names[i] == NULL ? "" : names[i], diags);
      return PAWL_E_ARGUMENT;
    }
  }
  return n > 0 ? pw_tangent_possible(system, opts, diags) : PAWL_OK;
}

static pawl_status find_names(pawl_gradient *g, const pawl_model *model,
                              const pawl_system_opts *opts, const pawl_sim_opts *sim,
                              pawl_diags *diags) {
  int nx = g->system->sys->nq + g->system->sys->nv;
  pawl_status status =
      pw_gradient_check(g->system, sim, (const char *const *)g->names, g->n, diags);
  for (int i = 0; i < g->n && status == PAWL_OK; i++) {
    pw_by_name *v = &g->by[i];
    (void)pw_variation_find(g->system, g->names[i], v);
    v->start = g->start + (size_t)i * (size_t)nx;
    v->period = g->period + (size_t)i * (size_t)g->system->model->events.n;
    bool fixed =
        v->parameter >= 0 && g->system->model->parameters.items[v->parameter].fixed.file >= 0;
    if (fixed) {
      v->why = "its value decides the form of the model";
    } else {
      status = pw_variation_start(model, opts, g->system, g->names[i], v);
    }
  }
  return status;
}

/* ---- memory ---- */

static char *copy_text(const char *text) {
  size_t n = strlen(text) + 1;
  char *copy = malloc(n);
  return copy == NULL ? NULL : memcpy(copy, text, n);
}

static bool make_room(pawl_gradient *g, const char *const *names) {
  const pw_system *s = g->system->sys;
  size_t n = (size_t)g->n;
  g->size = s->model->nq + s->nv + s->n_out + s->model->rows.n;
  g->names = calloc(n + 1, sizeof *g->names);
  g->by = calloc(n + 1, sizeof *g->by);
  g->start = calloc(n * (size_t)(s->nq + s->nv) + 1, sizeof *g->start);
  g->period = calloc(n * (size_t)s->model->events.n + 1, sizeof *g->period);
  g->end = calloc(n * (size_t)g->size + 1, sizeof *g->end);
  bool ok =
      g->names != NULL && g->by != NULL && g->start != NULL && g->period != NULL && g->end != NULL;
  for (int i = 0; i < g->n && ok; i++) {
    g->names[i] = copy_text(names[i]);
    ok = g->names[i] != NULL;
  }
  return ok;
}

void pawl_gradient_free(pawl_gradient *g) {
  if (g == NULL) {
    return;
  }
  for (int i = 0; g->names != NULL && i < g->n; i++) {
    free(g->names[i]);
  }
  free(g->names);
  free(g->by);
  free(g->start);
  free(g->period);
  free(g->end);
  free(g->event);
  free(g->time);
  pw_system_drop(g->system);
  free(g);
}

/* ---- the motion ---- */

static bool room_for_event(pawl_gradient *g) {
  if (g->n_event < g->cap) {
    return true;
  }
  size_t cap = 2 * (size_t)g->cap + 16;
  told *event = realloc(g->event, cap * sizeof *event);
  g->event = event != NULL ? event : g->event;
  double *time = realloc(g->time, cap * (size_t)(g->n + 1) * sizeof *time);
  g->time = time != NULL ? time : g->time;
  bool ok = event != NULL && time != NULL;
  g->cap = ok ? (int)cap : g->cap;
  return ok;
}

static const char *why_not(const pw_tangent *x, const pawl_event *e, double time) {
  const char *why = pw_tangent_why(x, NULL);
  bool rest = strcmp(e->kind, "rest") == 0;
  why = why == NULL ? pw_tangent_untimed(x) : why;
  return why != NULL   ? why
         : isnan(time) ? rest ? "the end of an accumulation of impacts"
                              : "grazing: what acts touches without crossing"
                       : NULL;
}

/* Event i at the current point, if it happens every so often: its time is a number of periods after
 * the start. */
static double strobe_shift(const pawl_gradient *g, const pw_tangent *x, int i, int k) {
  const int *which;
  const pw_model *m = g->system->model;
  int n = pw_trial_events(pw_tangent_sim(x), &which);
  if (i >= n || !m->events.items[which[i]].every) {
    return 0;
  }
  pawl_sim_stats stats = pawl_sim_statistics(pw_tangent_sim(x));
  double t = pawl_sim_event(pw_tangent_sim(x), i).t - stats.from;
  return g->by[k].from + g->by[k].period[which[i]] * round(t / m->events.items[which[i]].period);
}

static pawl_status keep_events(pawl_gradient *g, const pw_tangent *x) {
  const pawl_sim *sim = pw_tangent_sim(x);
  for (int i = 0; i < pawl_sim_events(sim); i++) {
    if (!room_for_event(g)) {
      return PAWL_E_MEMORY;
    }
    pawl_event e = pawl_sim_event(sim, i);
    double *time = g->time + (size_t)g->n_event * (size_t)g->n;
    told *to = &g->event[g->n_event++];
    *to = (told){.t = e.t};
    for (int k = 0; k < g->n; k++) {
      time[k] = pw_tangent_time(x, i, k) + strobe_shift(g, x, i, k);
      to->why = to->why == NULL ? why_not(x, &e, time[k]) : to->why;
    }
  }
  return PAWL_OK;
}

/* By how much the time of the last point moves: the end of the run, or a stop event. */
static double shift_of(const pawl_gradient *g, const pw_tangent *x, int k, bool stopped) {
  return g->at_start ? 0
         : stopped   ? g->time[(size_t)(g->n_event - 1) * (size_t)g->n + (size_t)k]
         : pawl_sim_statistics(pw_tangent_sim(x)).to == g->system->model->run.to ? g->by[k].to
                                                                                 : 0;
}

static pawl_status keep_end(pawl_gradient *g, pw_tangent *x, bool stopped) {
  pawl_status status = PAWL_OK;
  g->why = pw_tangent_why(x, &g->since);
  for (int k = 0; k < g->n && status == PAWL_OK && g->why == NULL; k++) {
    double *to = g->end + (size_t)k * (size_t)g->size;
    status = pw_tangent_results(x, k, shift_of(g, x, k, stopped), to);
  }
  g->ended = status == PAWL_OK;
  return status;
}

/* The start at the time at which the motion starts: a start that comes later has fallen behind. */
static pawl_status start_columns(pawl_gradient *g, pw_tangent *x, double *columns,
                                 double *parameters) {
  int nx = pw_tangent_size(x), np = g->system->model->parameters.n;
  double *rate = calloc((size_t)nx + 1, sizeof *rate);
  if (rate == NULL) {
    return PAWL_E_MEMORY;
  }
  for (int k = 0; k < g->n; k++) {
    memcpy(columns + (size_t)k * (size_t)nx, g->by[k].start, (size_t)nx * sizeof *columns);
    if (g->by[k].parameter >= 0) {
      parameters[(size_t)k * (size_t)np + (size_t)g->by[k].parameter] = 1;
    }
  }
  pw_tangent_begin(x, columns, parameters);
  pawl_status status = pw_tangent_rate(x, rate);
  for (int k = 0; k < g->n && status == PAWL_OK; k++) {
    for (int i = 0; i < nx && g->by[k].from != 0; i++) {
      columns[(size_t)k * (size_t)nx + (size_t)i] -= rate[i] * g->by[k].from;
    }
  }
  pw_tangent_set(x, columns);
  free(rate);
  return status;
}

static pawl_status follow(pawl_gradient *g, pw_tangent *x, pawl_diags *diags) {
  pawl_stop why = PAWL_AT_TARGET;
  bool stopped = false;
  pawl_status status = PAWL_OK;
  while (status == PAWL_OK && why != PAWL_AT_END) {
    status = pw_tangent_advance(x, INFINITY, diags, &why);
    if (status == PAWL_OK && why == PAWL_AT_EVENT) {
      status = keep_events(g, x);
      int last = pawl_sim_events(pw_tangent_sim(x)) - 1;
      stopped = last >= 0 && strcmp(pawl_sim_event(pw_tangent_sim(x), last).kind, "stop") == 0;
    }
  }
  if (status == PAWL_OK) {
    return keep_end(g, x, stopped);
  }
  g->why = "the motion ends early";
  g->since = pw_tangent_sim(x) == NULL ? NAN : pawl_sim_statistics(pw_tangent_sim(x)).to;
  return status == PAWL_E_MEMORY ? status : PAWL_OK;
}

static pawl_status go(pawl_gradient *g, const pawl_sim_opts *opts, pawl_diags *diags) {
  pw_tangent *x = NULL;
  pawl_sim_opts with = opts == NULL ? (pawl_sim_opts){0} : *opts;
  g->at_start = with.use_span && with.to == with.from;
  with.to += g->at_start ? 1 : 0; /* no step is made */
  pawl_status status = pw_tangent_new(g->system, &with, g->n, diags, &x);
  if (status != PAWL_OK) {
    return status;
  }
  size_t n = (size_t)g->n + 1;
  double *columns = calloc(n * (size_t)(pw_tangent_size(x) + 1), sizeof *columns);
  double *parameters = calloc(n * (size_t)(g->system->model->parameters.n + 1), sizeof *parameters);
  status = columns == NULL || parameters == NULL ? PAWL_E_MEMORY
                                                 : start_columns(g, x, columns, parameters);
  status = status != PAWL_OK ? status : g->at_start ? keep_end(g, x, false) : follow(g, x, diags);
  free(columns);
  free(parameters);
  pw_tangent_free(x);
  return status;
}

static bool arguments_given(const char *const *names, int n) {
  bool given = n > 0 && names != NULL;
  for (int i = 0; given && i < n; i++) {
    given = names[i] != NULL;
  }
  return given;
}

pawl_status pawl_gradient_new(const pawl_model *model, const pawl_system_opts *system,
                              const pawl_sim_opts *sim, const char *const *names, int n,
                              pawl_diags *diags, pawl_gradient **out) {
  if (out != NULL) {
    *out = NULL;
  }
  if (model == NULL || out == NULL || !arguments_given(names, n)) {
    return PAWL_E_ARGUMENT;
  }

  /* the names stay parameters of the system: they are not folded into its equations */
  pawl_system_opts opts = {0};
  if (system != NULL) {
    opts.overrides = system->overrides;
    opts.n_override = system->n_override;
  }
  opts.vary = names;
  opts.n_vary = n;
  pawl_gradient *g = calloc(1, sizeof *g);
  if (g == NULL) {
    return PAWL_E_MEMORY;
  }

  /* the system, then room for one column per name */
  pawl_system *varied = NULL;
  pawl_status status = pawl_system_new(model, &opts, diags, &varied);
  g->system = varied;
  g->n = n;
  g->since = NAN;
  if (status == PAWL_OK) {
    status = make_room(g, names) ? find_names(g, model, &opts, sim, diags) : PAWL_E_MEMORY;
  }

  /* the motion and its variations */
  status = status == PAWL_OK ? go(g, sim, diags) : status;
  if (status != PAWL_OK) {
    pawl_gradient_free(g);
    return status;
  }
  *out = g;
  return PAWL_OK;
}

/* ---- looking at it ---- */

static bool has(const pawl_gradient *g, int i) {
  return g != NULL && i >= 0 && i < g->n;
}

int pawl_gradient_count(const pawl_gradient *g) {
  return g == NULL ? 0 : g->n;
}

const char *pawl_gradient_name(const pawl_gradient *g, int i) {
  return has(g, i) ? g->names[i] : NULL;
}

const pawl_system *pawl_gradient_system(const pawl_gradient *g) {
  return g == NULL ? NULL : g->system;
}

const char *pawl_gradient_why(const pawl_gradient *g, int i) {
  return !has(g, i) ? NULL : g->by[i].why != NULL ? g->by[i].why : g->why != NULL ? g->why : "";
}

double pawl_gradient_since(const pawl_gradient *g, int i) {
  return has(g, i) && g->by[i].why == NULL && g->why != NULL ? g->since : (double)NAN;
}

const double *pawl_gradient_end(const pawl_gradient *g, int i) {
  bool defined = has(g, i) && g->ended && g->why == NULL && g->by[i].why == NULL;
  return defined ? g->end + (size_t)i * (size_t)g->size : NULL;
}

int pawl_gradient_events(const pawl_gradient *g) {
  return g == NULL ? 0 : g->n_event;
}

static bool has_event(const pawl_gradient *g, int event) {
  return g != NULL && event >= 0 && event < g->n_event;
}

double pawl_gradient_event_time(const pawl_gradient *g, int event) {
  return has_event(g, event) ? g->event[event].t : (double)NAN;
}

double pawl_gradient_event(const pawl_gradient *g, int event, int i) {
  bool defined = has_event(g, event) && has(g, i) && g->by[i].why == NULL;
  return defined ? g->time[(size_t)event * (size_t)g->n + (size_t)i] : (double)NAN;
}

const char *pawl_gradient_event_why(const pawl_gradient *g, int event, int i) {
  return !has_event(g, event) || !has(g, i) ? NULL
         : g->by[i].why != NULL             ? g->by[i].why
         : g->event[event].why != NULL      ? g->event[event].why
                                            : "";
}
