// SPDX-License-Identifier: MIT
/* What the parts of the extension module `pawl._pawl` share. It is written against the limited API
 * of Python 3.11, so that one binary serves all later versions. The module is plain: its functions
 * return (status, diagnostics, result), and the package in Python makes exceptions and objects of
 * them. Nothing here keeps state between calls. */
#ifndef PY_BASE_H
#define PY_BASE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <pawl/pawl.h>
#include <stdbool.h>

typedef struct py_types { /* state of the module */
  PyTypeObject *numbers, *simulation, *motion;
} py_types;
py_types *py_types_of(PyObject *module);

/* ---- numbers that NumPy sees without a copy ---- */

/* An object with the buffer protocol over n numbers of `format` ('d' or 'q'), read-only. It takes
 * `data` (of malloc) and frees it, even on failure; with an owner it borrows from it instead. */
PyObject *py_numbers(PyObject *module, void *data, Py_ssize_t n, char format, PyObject *owner);
extern PyType_Spec py_numbers_spec;

/* A list of n columns of a table that is stored by columns, all views of one block. It takes
 * `data` (of malloc). */
PyObject *py_columns(PyObject *module, double *data, int columns, Py_ssize_t rows);

/* ---- a model with its changes ---- */

typedef struct py_job {
  const char *path; /* a file; NULL: the text below */
  const char *text, *name;
  Py_ssize_t size;
  pawl_override *changes;
  int n_change;
  PyObject *kept; /* what the strings above live in */
  pawl_diags *diags;
  pawl_model *model;
  pawl_system *system;
} py_job;

/* A converter for "O&": a path as bytes of the file system, a text, or None (NULL). Borrowed. */
int py_path(PyObject *path, const char **out);
/* From the arguments (path, text, name) and [(name, value), ...]. False: an exception is set. */
bool py_job_begin(py_job *job, PyObject *source, PyObject *changes);
void py_job_end(py_job *job);
/* Without the GIL: reads the model; a broken one is there too, so that all errors are found. */
pawl_status py_job_load(py_job *job);
/* Without the GIL: reads and compiles. */
pawl_status py_job_compile(py_job *job, const pawl_system_opts *opts);

/* Sets options of a run from [(word, value), ...]. False: an exception is set. */
bool py_options(PyObject *list, pawl_run_opts *out);
/* A span (from, to), or None. False: an exception is set. */
bool py_span(PyObject *span, pawl_sim_opts *out);

/* (status, diagnostics, result); takes the reference to the result, which may be NULL if the status
 * says why. If the result is missing and an exception is set, NULL. */
PyObject *py_answer(pawl_status status, const pawl_diags *diags, PyObject *result);

/* ---- signals and progress ---- */

typedef struct py_watch {
  PyObject *progress; /* called with numbers; NULL or None: nobody is */
  double last;        /* time of the last look */
  PyObject *error;    /* what a signal or the function has raised */
  bool stopped;
} py_watch;

/* True: stop. At most twenty times a second it takes the GIL, looks for signals and calls the
 * function with `values`. */
bool py_watch_look(py_watch *w, const double *values, int n);
/* False: something was raised, and is raised again. */
bool py_watch_end(py_watch *w);

/* ---- text that a call writes ---- */

typedef struct py_text {
  char *bytes;
  size_t count, room;
} py_text;
int py_text_sink(void *payload, const char *bytes, unsigned long count); /* a pawl_sink */
/* The text as str (or bytes), and its memory is freed. */
PyObject *py_text_take(py_text *text, bool as_bytes);

/* ---- functions of the module ---- */

PyObject *py_run(PyObject *module, PyObject *args);
PyObject *py_sweep(PyObject *module, PyObject *args);
PyObject *py_simulation(PyObject *module, PyObject *args);
PyObject *py_motion(PyObject *module, PyObject *args);
PyObject *py_check(PyObject *module, PyObject *args);
PyObject *py_gauss(PyObject *module, PyObject *args);
PyObject *py_equilibria(PyObject *module, PyObject *args);
PyObject *py_bvp(PyObject *module, PyObject *args);
PyObject *py_certify(PyObject *module, PyObject *args);
PyObject *py_orbit(PyObject *module, PyObject *args);
PyObject *py_vary(PyObject *module, PyObject *args);
PyObject *py_compare(PyObject *module, PyObject *args);
PyObject *py_distance(PyObject *module, PyObject *args);
PyObject *py_figure(PyObject *module, PyObject *args);
PyObject *py_report(PyObject *module, PyObject *args);
PyObject *py_export(PyObject *module, PyObject *args);
PyObject *py_format(PyObject *module, PyObject *args);
PyObject *py_explain(PyObject *module, PyObject *args);
PyObject *py_option_words(PyObject *module, PyObject *args);
PyObject *py_status_text(PyObject *module, PyObject *args);

extern PyType_Spec py_simulation_spec, py_motion_spec;

/* Impulses that go with that of an event: {law: impulse}. */
PyObject *py_tied(const pawl_system *system, const pawl_tied *tied, int n);

/* The strings of a list of str, which they live in, to be freed. NULL: an exception is set. */
const char **py_words(PyObject *list, int *n);

/* Names of a system as a list of str. */
PyObject *py_names(const pawl_system *system, int n, const char *(*name)(const pawl_system *, int));
/* Columns of a row of a run, without t: positions, velocities, forces, outputs. */
PyObject *py_point_names(const pawl_system *system);

#endif
