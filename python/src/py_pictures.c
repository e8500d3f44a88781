// SPDX-License-Identifier: MIT
/* Sweeps, figures, reports, printed equations: results that are tables and documents. */
#include <stdlib.h>
#include <string.h>

#include "py_base.h"

/* ---- lists of texts ---- */

/* n texts that live as long as the list; NULL with an exception. */
static const char **texts_of(PyObject *list, int *n) {
  Py_ssize_t count = PyList_Size(list);
  const char **out = count < 0 ? NULL : calloc((size_t)count + 1, sizeof *out);
  if (out == NULL) {
    return (const char **)(PyErr_Occurred() != NULL ? NULL : PyErr_NoMemory());
  }
  for (Py_ssize_t i = 0; i < count; i++) {
    out[i] = PyUnicode_AsUTF8AndSize(PyList_GetItem(list, i), NULL);
    if (out[i] == NULL) {
      free(out);
      return NULL;
    }
  }
  *n = (int)count;
  return out;
}

/* ---- sweeps ---- */

typedef struct sweeping {
  py_watch watch;
  py_text text;
} sweeping;

static int on_progress(void *payload, const pawl_sweep_progress *now) {
  sweeping *s = payload;
  double values[] = {(double)now->done, (double)now->members, (double)now->failed};
  return py_watch_look(&s->watch, values, 3);
}

static int on_text(void *payload, const char *bytes, unsigned long count) {
  sweeping *s = payload;
  return py_text_sink(&s->text, bytes, count);
}

static bool read_sweep(PyObject *dict, pawl_sweep_opts *o) {
  const char *design;
  PyObject *after;
  if (!PyArg_ParseTuple(dict, "lsKpzOlziO&", &o->samples, &design, &o->seed, &o->follow, &o->at,
                        &after, &o->last, &o->record, &o->threads, py_path, &o->path)) {
    return false;
  }
  if (strcmp(design, "sobol") != 0 && strcmp(design, "random") != 0) {
    PyErr_Format(PyExc_ValueError, "design needs `sobol` or `random`, not `%s`", design);
    return false;
  }
  o->design = strcmp(design, "sobol") == 0 ? PAWL_DESIGN_SOBOL : PAWL_DESIGN_RANDOM;
  o->use_after = after != Py_None;
  o->after = o->use_after ? PyFloat_AsDouble(after) : 0;
  return PyErr_Occurred() == NULL;
}

static pawl_status sweep_go(py_job *job, pawl_sweep_opts *opts, pawl_sweep **sweep) {
  opts->run.overrides = job->changes;
  opts->run.n_override = job->n_change;
  pawl_status status = py_job_load(job);
  status = status != PAWL_OK ? status : pawl_sweep_new(job->model, opts, job->diags, sweep);
  return status != PAWL_OK ? status : pawl_sweep_go(*sweep, job->diags);
}

static PyObject *sweep_result(sweeping *s, pawl_sweep *sweep, pawl_status *status) {
  pawl_sweep_result r = pawl_sweep_result_get(sweep);
  py_text svg = {0};
  if (!r.interrupted && pawl_sweep_svg(sweep, py_text_sink, &svg) == PAWL_E_MEMORY) {
    *status = PAWL_E_MEMORY;
  }
  return Py_BuildValue("{s:N,s:N,s:l,s:l,s:l,s:l,s:i}", "csv", py_text_take(&s->text, false), "svg",
                       py_text_take(&svg, false), "members", r.members, "done", r.done, "failed",
                       r.failed, "not_a_motion", r.not_a_motion, "interrupted", r.interrupted);
}

/* sweep(source, changes, vary, options, span, (samples, design, seed, follow, at, after, last,
 * record, threads, path), progress): (answer, what was raised) */
PyObject *py_sweep(PyObject *module, PyObject *args) {
  PyObject *source, *changes, *vary, *options, *span, *more;
  sweeping s = {0};
  pawl_sweep_opts opts = {.keep_rows = 1, .progress = on_progress, .sink = on_text, .payload = &s};
  py_job job;
  (void)module;
  if (!PyArg_ParseTuple(args, "OOOOOOO", &source, &changes, &vary, &options, &span, &more,
                        &s.watch.progress) ||
      !py_options(options, &opts.run) || !py_span(span, &opts.run.sim) ||
      !read_sweep(more, &opts)) {
    return NULL;
  }
  const char **names = texts_of(vary, &opts.n_vary);
  if (names == NULL || !py_job_begin(&job, source, changes)) {
    free(names);
    return NULL;
  }
  opts.vary = names;
  pawl_sweep *sweep = NULL;
  pawl_status status;
  Py_BEGIN_ALLOW_THREADS status = sweep_go(&job, &opts, &sweep);
  Py_END_ALLOW_THREADS PyObject *result =
      status == PAWL_OK ? sweep_result(&s, sweep, &status) : NULL;
  PyObject *out = py_answer(status, job.diags, result);
  free(s.text.bytes);
  free(names);
  pawl_sweep_free(sweep);
  py_job_end(&job);
  PyObject *raised = s.watch.error != NULL ? s.watch.error : Py_NewRef(Py_None);
  if (out == NULL) {
    Py_DECREF(raised);
    return NULL;
  }
  return Py_BuildValue("(NN)", out, raised);
}

/* ---- figures ---- */

static PyObject *curve(PyObject *module, const pawl_curve *c) {
  size_t n = (size_t)c->n;
  double *data = malloc((3 * n + 1) * sizeof *data);
  if (data == NULL) {
    return PyErr_NoMemory();
  }
  memcpy(data, c->ts, n * sizeof *data);
  memcpy(data + n, c->xs, n * sizeof *data);
  memcpy(data + 2 * n, c->ys, n * sizeof *data);
  return Py_BuildValue("(szzziN)", c->y, c->x, c->y_unit, c->x_unit, c->panel,
                       py_columns(module, data, 3, c->n));
}

static PyObject *figure_result(PyObject *module, const pawl_figure *figure, pawl_status *status) {
  py_text svg = {0}, png = {0}, plain = {0};
  int n = pawl_figure_curves(figure);
  PyObject *curves = PyList_New(n);
  for (int i = 0; curves != NULL && i < n; i++) {
    pawl_curve c = pawl_figure_curve(figure, i);
    PyObject *item = curve(module, &c);
    if (item == NULL || PyList_SetItem(curves, i, item) != 0) {
      Py_CLEAR(curves);
    }
  }
  *status = pawl_figure_svg(figure, py_text_sink, &svg);
  *status = *status != PAWL_OK ? *status : pawl_figure_png(figure, py_text_sink, &png);
  *status = *status != PAWL_OK ? *status : pawl_figure_text(figure, 0, 0, py_text_sink, &plain);
  return Py_BuildValue("(NNNN)", py_text_take(&svg, false), py_text_take(&png, true),
                       py_text_take(&plain, false), curves);
}

/* figure(dir, plots, span) */
PyObject *py_figure(PyObject *module, PyObject *args) {
  const char *dir;
  PyObject *plots, *span;
  pawl_figure_opts opts = {0};
  pawl_sim_opts between = {0};
  pawl_diags *diags = NULL;
  if (!PyArg_ParseTuple(args, "O&OO", py_path, &dir, &plots, &span) || !py_span(span, &between)) {
    return NULL;
  }
  opts.use_span = between.use_span;
  opts.from = between.from;
  opts.to = between.to;
  const char **texts = texts_of(plots, &opts.n_plot);
  if (texts == NULL || pawl_diags_new(&diags) != PAWL_OK) {
    free(texts);
    return PyErr_Occurred() != NULL ? NULL : PyErr_NoMemory();
  }
  opts.plots = texts;
  pawl_figure *figure = NULL;
  pawl_status status;
  Py_BEGIN_ALLOW_THREADS status = pawl_figure_new(dir, &opts, diags, &figure);
  Py_END_ALLOW_THREADS PyObject *result =
      status == PAWL_OK ? figure_result(module, figure, &status) : NULL;
  PyObject *out = py_answer(status, diags, result);
  free(texts);
  pawl_figure_free(figure);
  pawl_diags_free(diags);
  return out;
}

/* ---- documents ---- */

/* report(dir, path or None) */
PyObject *py_report(PyObject *module, PyObject *args) {
  const char *dir, *path;
  pawl_diags *diags = NULL;
  (void)module;
  if (!PyArg_ParseTuple(args, "O&O&", py_path, &dir, py_path, &path)) {
    return NULL;
  }
  if (pawl_diags_new(&diags) != PAWL_OK) {
    return PyErr_NoMemory();
  }
  pawl_status status;
  Py_BEGIN_ALLOW_THREADS status = pawl_report_write(dir, path, diags);
  Py_END_ALLOW_THREADS PyObject *out = py_answer(status, diags, NULL);
  pawl_diags_free(diags);
  return out;
}

/* export(source, changes, format) */
PyObject *py_export(PyObject *module, PyObject *args) {
  PyObject *source, *changes;
  const char *format;
  py_job job;
  py_text text = {0};
  (void)module;
  if (!PyArg_ParseTuple(args, "OOs", &source, &changes, &format) ||
      !py_job_begin(&job, source, changes)) {
    return NULL;
  }
  pawl_export_opts opts = {.format = strcmp(format, "latex") == 0 ? PAWL_LATEX : PAWL_TYPST,
                           .overrides = job.changes,
                           .n_override = job.n_change};
  pawl_status status;
  Py_BEGIN_ALLOW_THREADS status = py_job_load(&job);
  if (status == PAWL_OK) {
    status = pawl_model_export(job.model, &opts, job.diags, py_text_sink, &text);
  }
  Py_END_ALLOW_THREADS PyObject *document = py_text_take(&text, false);
  PyObject *out = py_answer(status, job.diags, document);
  py_job_end(&job);
  return out;
}

/* format(text, name) */
PyObject *py_format(PyObject *module, PyObject *args) {
  const char *text, *name;
  Py_ssize_t size;
  pawl_diags *diags = NULL;
  py_text written = {0};
  (void)module;
  if (!PyArg_ParseTuple(args, "s#s", &text, &size, &name)) {
    return NULL;
  }
  if (pawl_diags_new(&diags) != PAWL_OK) {
    return PyErr_NoMemory();
  }
  pawl_status status = pawl_format(text, (unsigned long)size, name, diags, py_text_sink, &written);
  PyObject *out = py_answer(status, diags, py_text_take(&written, false));
  pawl_diags_free(diags);
  return out;
}

PyObject *py_explain(PyObject *module, PyObject *args) {
  const char *code;
  (void)module;
  return PyArg_ParseTuple(args, "s", &code) ? Py_BuildValue("z", pawl_explain(code)) : NULL;
}

/* Words of the options that take a value: of numbers, counts and choices. */
PyObject *py_option_words(PyObject *module, PyObject *args) {
  PyObject *list = PyList_New(0);
  const pawl_option *o;
  (void)module;
  (void)args;
  for (int i = 0; list != NULL && (o = pawl_option_get(i)) != NULL; i++) {
    if (o->type != PAWL_OPTION_NUMBER && o->type != PAWL_OPTION_COUNT &&
        o->type != PAWL_OPTION_CHOICE) {
      continue;
    }
    PyObject *word = Py_BuildValue("(ss)", o->word, o->help);
    if (word == NULL || PyList_Append(list, word) != 0) {
      Py_CLEAR(list);
    }
    Py_XDECREF(word);
  }
  return list;
}

PyObject *py_status_text(PyObject *module, PyObject *args) {
  int status;
  (void)module;
  return PyArg_ParseTuple(args, "i", &status)
             ? PyUnicode_FromString(pawl_status_text((pawl_status)status))
             : NULL;
}
