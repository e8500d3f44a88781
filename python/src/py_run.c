// SPDX-License-Identifier: MIT
/* `run`: rows and events are gathered while the run goes on, without the GIL. */
#include <math.h>
#include <stdlib.h>

#include "py_base.h"

typedef struct table { /* of numbers by rows, that grows */
  double *data;
  size_t rows, room;
  int columns;
} table;

typedef struct event_texts {
  const char *kind, *at, *flag; /* borrowed from the run */
  size_t tied;                  /* the first of its impulses in collector.tied, */
  int n_tied;                   /* and how many */
} event_texts;

enum { T, CLUSTER, IMPULSE, DE, RATE_BEFORE, RATE_AFTER, FORCE, N_FIXED };

typedef struct collector {
  table rows, events; /* events: N_FIXED numbers, state before, state after */
  event_texts *texts;
  size_t text_room;
  pawl_tied *tied;
  size_t n_tied, tied_room;
  int nq, nv;
  bool failed; /* out of memory */
  py_watch watch;
} collector;

/* Room for one more row, or NULL. */
static double *next_row(table *t) {
  if (t->rows == t->room) {
    size_t room = 2 * t->room + 256;
    double *more = realloc(t->data, room * (size_t)t->columns * sizeof *more);
    if (more == NULL) {
      return NULL;
    }
    t->data = more;
    t->room = room;
  }
  return t->data + t->rows++ * (size_t)t->columns;
}

static void on_row(void *payload, const double *values) {
  collector *c = payload;
  double *row = c->failed ? NULL : next_row(&c->rows);
  c->failed = row == NULL;
  for (int i = 0; row != NULL && i < c->rows.columns; i++) {
    row[i] = values[i];
  }
}

static double *copy(double *to, const double *from, int n) {
  for (int i = 0; i < n; i++) {
    to[i] = from != NULL ? from[i] : (double)NAN;
  }
  return to + n;
}

/* One number for an impulse: of several components their norm, as in the arrays of files. */
static double impulse_of(const pawl_event *e) {
  double sum = 0;
  for (int i = 0; i < e->n_impulse; i++) {
    sum = hypot(sum, e->impulse[i]);
  }
  return e->n_impulse == 0 ? NAN : e->n_impulse == 1 ? e->impulse[0] : sum;
}

static bool keep_texts(collector *c, const pawl_event *e) {
  if (c->events.rows > c->text_room) {
    size_t room = 2 * c->text_room + 256;
    event_texts *more = realloc(c->texts, room * sizeof *more);
    if (more == NULL) {
      return false;
    }
    c->texts = more;
    c->text_room = room;
  }
  c->texts[c->events.rows - 1] = (event_texts){e->kind, e->at, e->flag, c->n_tied, e->n_tied};
  return true;
}

static bool keep_tied(collector *c, const pawl_event *e) {
  size_t n = c->n_tied + (size_t)e->n_tied;
  if (n > c->tied_room) {
    size_t room = 2 * n + 256;
    pawl_tied *more = realloc(c->tied, room * sizeof *more);
    if (more == NULL) {
      return false;
    }
    c->tied = more;
    c->tied_room = room;
  }
  for (int i = 0; i < e->n_tied; i++) {
    c->tied[c->n_tied++] = e->tied[i];
  }
  return true;
}

static void on_event(void *payload, const pawl_run_event *event) {
  collector *c = payload;
  const pawl_event *e = &event->event;
  double *row = c->failed ? NULL : next_row(&c->events);
  if (row == NULL || !keep_texts(c, e) || !keep_tied(c, e)) {
    c->failed = true;
    return;
  }
  row[T] = e->t;
  row[CLUSTER] = (double)e->cluster;
  row[IMPULSE] = impulse_of(e);
  row[DE] = e->dE;
  row[RATE_BEFORE] = e->rate_before;
  row[RATE_AFTER] = e->rate_after;
  row[FORCE] = e->force;
  double *at = copy(row + N_FIXED, event->q_before, c->nq);
  at = copy(at, event->u_before, c->nv);
  at = copy(at, event->q_after, c->nq);
  copy(at, event->u_after, c->nv);
}

static int on_progress(void *payload, const pawl_progress *now) {
  collector *c = payload;
  double values[] = {now->t, now->from, now->to, (double)now->rows, (double)now->events};
  return c->failed || py_watch_look(&c->watch, values, 5);
}

/* ---- the result ---- */

/* The table by columns; its rows are freed. */
static PyObject *take_table(PyObject *module, table *t) {
  size_t n = t->rows, columns = (size_t)t->columns;
  double *data = malloc((n * columns + 1) * sizeof *data);
  if (data == NULL) {
    return PyErr_NoMemory();
  }
  for (size_t i = 0; i < n; i++) {
    for (size_t k = 0; k < columns; k++) {
      data[k * n + i] = t->data[i * columns + k];
    }
  }
  free(t->data);
  t->data = NULL;
  return py_columns(module, data, t->columns, (Py_ssize_t)n);
}

static PyObject *text_column(const collector *c, int which) {
  PyObject *list = PyList_New((Py_ssize_t)c->events.rows);
  for (size_t i = 0; list != NULL && i < c->events.rows; i++) {
    const event_texts *e = &c->texts[i];
    const char *text = which == 0 ? e->kind : which == 1 ? e->at : e->flag;
    PyObject *item = PyUnicode_InternFromString(text == NULL ? "" : text);
    if (item == NULL || PyList_SetItem(list, (Py_ssize_t)i, item) != 0) {
      Py_CLEAR(list);
    }
  }
  return list;
}

static PyObject *tied_column(const collector *c, const pawl_system *system) {
  PyObject *list = PyList_New((Py_ssize_t)c->events.rows);
  for (size_t i = 0; list != NULL && i < c->events.rows; i++) {
    const event_texts *e = &c->texts[i];
    PyObject *item = py_tied(system, c->tied + e->tied, e->n_tied);
    if (item == NULL || PyList_SetItem(list, (Py_ssize_t)i, item) != 0) {
      Py_CLEAR(list);
    }
  }
  return list;
}

/* Derivatives of the times of the events: [(name, [numbers]), ...]. */
static PyObject *event_gradients(const pawl_run *run) {
  const pawl_gradient *g = pawl_run_gradient(run);
  int n = pawl_gradient_count(g), events = pawl_gradient_events(g);
  PyObject *list = PyList_New(n);
  for (int i = 0; list != NULL && i < n; i++) {
    PyObject *times = PyList_New(events);
    for (int k = 0; times != NULL && k < events; k++) {
      PyList_SetItem(times, k, PyFloat_FromDouble(pawl_gradient_event(g, k, i)));
    }
    PyObject *item = Py_BuildValue("(sN)", pawl_gradient_name(g, i), times);
    if (item == NULL || PyList_SetItem(list, i, item) != 0) {
      Py_CLEAR(list);
    }
  }
  return list;
}

static PyObject *column_names(const pawl_run *run) {
  int n = pawl_run_columns(run);
  PyObject *list = PyList_New(n);
  for (int i = 0; list != NULL && i < n; i++) {
    PyObject *name = PyUnicode_FromString(pawl_run_column(run, i));
    if (name == NULL || PyList_SetItem(list, i, name) != 0) {
      Py_CLEAR(list);
    }
  }
  return list;
}

static PyObject *as_json(const pawl_run *run, const pawl_diags *diags, bool certificate) {
  py_text text = {0};
  const pawl_certifier *certifier = pawl_run_certifier(run);
  if (certificate && certifier == NULL) {
    Py_RETURN_NONE;
  }
  pawl_status status = certificate ? pawl_certify_json(certifier, 0, py_text_sink, &text)
                                   : pawl_run_json(run, diags, py_text_sink, &text);
  if (status != PAWL_OK) {
    free(text.bytes);
    return PyErr_NoMemory();
  }
  return py_text_take(&text, false);
}

static PyObject *result(PyObject *module, collector *c, const pawl_run *run,
                        const pawl_diags *diags) {
  static const char *const endings[] = {"", "end", "event", "early", "interrupted"};
  pawl_run_result r = pawl_run_result_get(run);
  const pawl_system *system = pawl_run_system(run);
  return Py_BuildValue(
      "{s:N,s:N,s:(NN),s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:s,s:s,s:O,s:d}", "columns",
      column_names(run), "data", take_table(module, &c->rows), "states",
      py_names(system, c->nq, pawl_position_name), py_names(system, c->nv, pawl_velocity_name),
      "events", take_table(module, &c->events), "kind", text_column(c, 0), "at", text_column(c, 1),
      "flag", text_column(c, 2), "tied", tied_column(c, system), "gradients", event_gradients(run),
      "json", as_json(run, diags, false), "certificate", as_json(run, diags, true), "ending",
      endings[r.ending], "reason", r.reason == NULL ? "" : r.reason, "saved",
      r.saved ? Py_True : Py_False, "wall", r.wall);
}

/* ---- the call ---- */

static pawl_status go(py_job *job, pawl_run_opts *opts, collector *c, pawl_run **run) {
  opts->overrides = job->changes;
  opts->n_override = job->n_change;
  opts->row = on_row;
  opts->event = on_event;
  opts->progress = on_progress;
  opts->payload = c;
  opts->keep_events = 0;
  pawl_status status = py_job_load(job);
  status = status != PAWL_OK ? status : pawl_run_new(job->model, opts, job->diags, run);
  if (status == PAWL_OK) {
    const pawl_system *system = pawl_run_system(*run);
    c->nq = pawl_system_positions(system);
    c->nv = pawl_system_velocities(system);
    c->rows.columns = pawl_run_columns(*run);
    c->events.columns = N_FIXED + 2 * (c->nq + c->nv);
    status = pawl_run_go(*run, job->diags);
  }
  return status;
}

/* run(source, changes, options, span, dir, force, report, progress, gradient):
 * (answer, what a signal or the function has raised) */
PyObject *py_run(PyObject *module, PyObject *args) {
  PyObject *source, *changes, *options, *span, *names, *out = NULL;
  collector c = {0};
  pawl_run_opts opts = {0};
  py_job job;
  int report;
  if (!PyArg_ParseTuple(args, "OOOOO&ppOO", &source, &changes, &options, &span, py_path, &opts.dir,
                        &opts.force, &report, &c.watch.progress, &names) ||
      !py_options(options, &opts) || !py_span(span, &opts.sim)) {
    return NULL;
  }
  const char **by = py_words(names, &opts.n_gradient);
  if (by == NULL || !py_job_begin(&job, source, changes)) {
    free(by);
    return NULL;
  }
  opts.gradient = by;
  opts.no_report = !report;
  pawl_run *run = NULL;
  pawl_status status;
  Py_BEGIN_ALLOW_THREADS status = go(&job, &opts, &c, &run);
  Py_END_ALLOW_THREADS if (c.failed) {
    PyErr_NoMemory();
  }
  else {
    out = run == NULL || pawl_run_result_get(run).ending == PAWL_NOT_ENDED
              ? NULL
              : result(module, &c, run, job.diags);
  }
  out = py_answer(status, job.diags, out);
  free(c.rows.data);
  free(c.events.data);
  free(c.texts);
  free(c.tied);
  free(by);
  pawl_run_free(run);
  py_job_end(&job);
  PyObject *raised = c.watch.error != NULL ? c.watch.error : Py_NewRef(Py_None);
  if (out == NULL) {
    Py_DECREF(raised);
    return NULL;
  }
  return Py_BuildValue("(NN)", out, raised);
}
