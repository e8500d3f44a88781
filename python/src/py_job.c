// SPDX-License-Identifier: MIT
/* Models, options, diagnostics, signals and text: what every function of the module needs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "py_base.h"

/* ---- models ---- */

int py_path(PyObject *path, const char **out) {
  bool bytes = path != Py_None && PyBytes_Check(path);
  *out = path == Py_None ? NULL
         : bytes         ? PyBytes_AsString(path)
                         : PyUnicode_AsUTF8AndSize(path, NULL);
  return path == Py_None || *out != NULL;
}

/* Item i of a list, a pair of texts; false with an exception. */
static bool pair_of(PyObject *list, Py_ssize_t i, const char **first, const char **second) {
  PyObject *pair = PyList_GetItem(list, i);
  if (pair != NULL && !PyTuple_Check(pair)) {
    PyErr_SetString(PyExc_TypeError, "a list of pairs (name, value) is needed");
  }
  return PyErr_Occurred() == NULL && PyArg_ParseTuple(pair, "sO&", first, py_path, second) != 0;
}

/* Takes n pairs of texts, which `kept` keeps alive. */
static bool read_changes(py_job *job, PyObject *list) {
  Py_ssize_t n = PyList_Size(list);
  if (n < 0) {
    return false;
  }
  job->changes = calloc((size_t)n + 1, sizeof *job->changes);
  if (job->changes == NULL) {
    PyErr_NoMemory();
    return false;
  }
  for (Py_ssize_t i = 0; i < n; i++) {
    if (!pair_of(list, i, &job->changes[i].name, &job->changes[i].value)) {
      return false;
    }
  }
  job->n_change = (int)n;
  return true;
}

bool py_job_begin(py_job *job, PyObject *source, PyObject *changes) {
  *job = (py_job){0};
  if (!PyTuple_Check(source) || !PyList_Check(changes)) {
    PyErr_SetString(PyExc_TypeError, "a source is (path, text, name), changes are a list");
    return false;
  }
  if (!PyArg_ParseTuple(source, "O&z#s", py_path, &job->path, &job->text, &job->size, &job->name)) {
    return false;
  }
  job->kept = PyTuple_Pack(2, source, changes);
  if (job->kept == NULL || !read_changes(job, changes)) {
    py_job_end(job);
    return false;
  }
  if (pawl_diags_new(&job->diags) != PAWL_OK) {
    py_job_end(job);
    PyErr_NoMemory();
    return false;
  }
  return true;
}

void py_job_end(py_job *job) {
  pawl_system_free(job->system);
  pawl_model_free(job->model);
  pawl_diags_free(job->diags);
  free(job->changes);
  Py_XDECREF(job->kept);
  *job = (py_job){0};
}

pawl_status py_job_load(py_job *job) {
  pawl_model_opts opts = {.name = job->name};
  pawl_status status = job->path != NULL ? pawl_model_load(job->path, job->diags, &job->model)
                                         : pawl_model_parse(job->text, (unsigned long)job->size,
                                                            &opts, job->diags, &job->model);
  return job->model != NULL ? PAWL_OK : status;
}

pawl_status py_job_compile(py_job *job, const pawl_system_opts *opts) {
  pawl_system_opts with = *opts;
  with.overrides = job->changes;
  with.n_override = job->n_change;
  pawl_status status = py_job_load(job);
  return status != PAWL_OK ? status : pawl_system_new(job->model, &with, job->diags, &job->system);
}

/* ---- options ---- */

static bool set_option(const char *word, const char *text, pawl_run_opts *out) {
  const pawl_option *option = pawl_option_find(word);
  char legal[160];
  if (option == NULL) {
    PyErr_Format(PyExc_TypeError, "there is no option `%s`", word);
    return false;
  }
  if (strcmp(word, "certify") == 0 && (strcmp(text, "on") == 0 || strcmp(text, "off") == 0)) {
    out->no_certificate = strcmp(text, "off") == 0;
    return true;
  }
  if (pawl_option_set(option, text, out) == PAWL_OK) {
    return true;
  }
  pawl_option_legal(option, legal, sizeof legal);
  PyErr_Format(PyExc_ValueError, "%s needs %s, not `%s`", word, legal, text);
  return false;
}

bool py_options(PyObject *list, pawl_run_opts *out) {
  Py_ssize_t n = PyList_Size(list);
  for (Py_ssize_t i = 0; i < n; i++) {
    const char *word, *text;
    if (!pair_of(list, i, &word, &text) || !set_option(word, text, out)) {
      return false;
    }
  }
  return n >= 0;
}

bool py_span(PyObject *span, pawl_sim_opts *out) {
  if (span == Py_None) {
    return true;
  }
  if (!PyTuple_Check(span)) {
    PyErr_SetString(PyExc_TypeError, "a span is (begin, end) or None");
    return false;
  }
  out->use_span = 1;
  return PyArg_ParseTuple(span, "dd", &out->from, &out->to) != 0;
}

/* ---- diagnostics ---- */

/* Messages quote what they complain of: bytes that are no UTF-8 are shown as U+FFFD. */
static PyObject *shown(const char *text) {
  return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

static PyObject *texts(const char *const *items, int n) {
  PyObject *list = PyList_New(n);
  for (int i = 0; list != NULL && i < n; i++) {
    PyObject *text = shown(items[i]);
    if (text == NULL || PyList_SetItem(list, i, text) != 0) {
      Py_CLEAR(list);
    }
  }
  return list;
}

static PyObject *place(const pawl_place *p) {
  if (p->line == 0) {
    Py_RETURN_NONE;
  }
  return Py_BuildValue("(NiiiNN)", PyUnicode_DecodeFSDefault(p->file), p->line, p->column,
                       p->length, shown(p->source), shown(p->label));
}

static PyObject *diagnostic(const pawl_diag *d) {
  static const char *const severities[] = {"error", "warning", "note"};
  py_text text = {0};
  if (pawl_diag_write(d, 0, py_text_sink, &text) != PAWL_OK) {
    free(text.bytes);
    return PyErr_NoMemory();
  }
  return Py_BuildValue("(ssNNNNNN)", severities[d->severity], d->code, shown(d->message),
                       place(&d->at), place(&d->second), texts(d->help, d->n_help),
                       texts(d->note, d->n_note), py_text_take(&text, false));
}

static PyObject *diagnostics(const pawl_diags *diags) {
  int n = diags == NULL ? 0 : pawl_diags_count(diags);
  PyObject *list = PyList_New(n);
  for (int i = 0; list != NULL && i < n; i++) {
    PyObject *item = diagnostic(pawl_diags_get(diags, i));
    if (item == NULL || PyList_SetItem(list, i, item) != 0) {
      Py_CLEAR(list);
    }
  }
  return list;
}

PyObject *py_answer(pawl_status status, const pawl_diags *diags, PyObject *result) {
  if (result == NULL && PyErr_Occurred() != NULL) {
    return NULL;
  }
  if (result == NULL) {
    result = Py_None;
    Py_INCREF(result);
  }
  return Py_BuildValue("(iNN)", (int)status, diagnostics(diags), result);
}

/* ---- signals and progress ---- */

static const double seconds_between_looks = 0.05;

static double now(void) {
  struct timespec t;
  return timespec_get(&t, TIME_UTC) == 0 ? 0 : (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static PyObject *tell(PyObject *function, const double *values, int n) {
  PyObject *tuple = PyTuple_New(n);
  for (int i = 0; tuple != NULL && i < n; i++) {
    PyObject *value = PyFloat_FromDouble(values[i]);
    if (value == NULL || PyTuple_SetItem(tuple, i, value) != 0) {
      Py_CLEAR(tuple);
    }
  }
  PyObject *said = tuple == NULL ? NULL : PyObject_Call(function, tuple, NULL);
  Py_XDECREF(tuple);
  return said;
}

bool py_watch_look(py_watch *w, const double *values, int n) {
  double t = now();
  if (w->stopped || (t - w->last >= 0 && t - w->last < seconds_between_looks)) {
    return w->stopped;
  }
  w->last = t;
  PyGILState_STATE state = PyGILState_Ensure();
  bool raised = PyErr_CheckSignals() != 0;
  if (!raised && w->progress != NULL && w->progress != Py_None && n > 0) {
    PyObject *said = tell(w->progress, values, n);
    raised = said == NULL;
    w->stopped = said == Py_False;
    Py_XDECREF(said);
  }
  if (raised) {
    PyObject *type, *trace;
    PyErr_Fetch(&type, &w->error, &trace);
    PyErr_NormalizeException(&type, &w->error, &trace);
    Py_XDECREF(type);
    Py_XDECREF(trace);
    w->stopped = true;
  }
  PyGILState_Release(state);
  return w->stopped;
}

bool py_watch_end(py_watch *w) {
  if (w->error == NULL) {
    return true;
  }
  PyErr_SetObject((PyObject *)Py_TYPE(w->error), w->error);
  Py_CLEAR(w->error);
  return false;
}

/* ---- text ---- */

int py_text_sink(void *payload, const char *bytes, unsigned long count) {
  py_text *t = payload;
  if (count > t->room - t->count) {
    size_t room = 2 * (t->count + count) + 256;
    char *more = realloc(t->bytes, room);
    if (more == NULL) {
      return 1;
    }
    t->bytes = more;
    t->room = room;
  }
  memcpy(t->bytes + t->count, bytes, count);
  t->count += count;
  return 0;
}

PyObject *py_text_take(py_text *text, bool as_bytes) {
  const char *from = text->bytes == NULL ? "" : text->bytes;
  PyObject *out = as_bytes ? PyBytes_FromStringAndSize(from, (Py_ssize_t)text->count)
                           : PyUnicode_DecodeUTF8(from, (Py_ssize_t)text->count, "replace");
  free(text->bytes);
  *text = (py_text){0};
  return out;
}

/* ---- names ---- */

PyObject *py_names(const pawl_system *system, int n,
                   const char *(*name)(const pawl_system *, int)) {
  PyObject *list = PyList_New(n);
  for (int i = 0; list != NULL && i < n; i++) {
    PyObject *text = PyUnicode_FromString(name(system, i));
    if (text == NULL || PyList_SetItem(list, i, text) != 0) {
      Py_CLEAR(list);
    }
  }
  return list;
}

static PyObject *law_column(const pawl_system *system, int i) {
  pawl_law_info law = pawl_law_get(system, i);
  return law.components > 1 ? PyUnicode_FromFormat("force(%s)[%d]", law.law, law.component)
                            : PyUnicode_FromFormat("force(%s)", law.name);
}

PyObject *py_point_names(const pawl_system *system) {
  int nl = pawl_system_laws(system);
  PyObject *laws = PyList_New(nl);
  for (int i = 0; laws != NULL && i < nl; i++) {
    PyObject *name = law_column(system, i);
    if (name == NULL || PyList_SetItem(laws, i, name) != 0) {
      Py_CLEAR(laws);
    }
  }
  return Py_BuildValue("(NNNN)",
                       py_names(system, pawl_system_positions(system), pawl_position_name),
                       py_names(system, pawl_system_velocities(system), pawl_velocity_name), laws,
                       py_names(system, pawl_system_outputs(system), pawl_output_name));
}

PyObject *py_tied(const pawl_system *system, const pawl_tied *tied, int n) {
  PyObject *out = PyDict_New();
  for (int i = 0; out != NULL && i < n; i++) {
    pawl_law_info law = pawl_law_get(system, (int)tied[i].law);
    PyObject *name = law.components > 1 ? PyUnicode_FromFormat("%s[%d]", law.column, law.component)
                                        : PyUnicode_FromString(law.name == NULL ? "" : law.name);
    PyObject *value = PyFloat_FromDouble(tied[i].impulse);
    if (name == NULL || value == NULL || PyDict_SetItem(out, name, value) != 0) {
      Py_CLEAR(out);
    }
    Py_XDECREF(name);
    Py_XDECREF(value);
  }
  return out;
}

/* ---- lists of names ---- */

const char **py_words(PyObject *list, int *n) {
  Py_ssize_t size = PyList_Check(list) ? PyList_Size(list) : 0;
  const char **words = calloc((size_t)size + 1, sizeof *words);
  if (words == NULL) {
    PyErr_NoMemory();
  }
  for (Py_ssize_t i = 0; words != NULL && i < size; i++) {
    words[i] = PyUnicode_AsUTF8AndSize(PyList_GetItem(list, i), NULL);
    if (words[i] == NULL) {
      free(words);
      words = NULL;
    }
  }
  *n = (int)size;
  return words;
}
