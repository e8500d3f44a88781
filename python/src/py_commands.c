// SPDX-License-Identifier: MIT
/* The other commands: their results are the JSON texts, tables and pictures of the library. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "py_base.h"

/* (status, diagnostics, text). */
static PyObject *text_answer(pawl_status status, const pawl_diags *diags, py_text *text) {
  PyObject *result = NULL;
  if (status == PAWL_OK) {
    result = py_text_take(text, false);
  } else {
    free(text->bytes);
  }
  return py_answer(status, diags, result);
}

/* check(source, changes, strict): strict compiles it for a run. */
PyObject *py_check(PyObject *module, PyObject *args) {
  PyObject *source, *changes;
  int strict;
  py_job job;
  py_text text = {0};
  (void)module;
  if (!PyArg_ParseTuple(args, "OOp", &source, &changes, &strict) ||
      !py_job_begin(&job, source, changes)) {
    return NULL;
  }
  pawl_status status;
  Py_BEGIN_ALLOW_THREADS status = py_job_compile(&job, &(pawl_system_opts){.check_only = !strict});
  if (status == PAWL_OK) {
    status = pawl_check_json(job.system, job.path != NULL ? job.path : job.name, job.diags,
                             py_text_sink, &text);
  }
  Py_END_ALLOW_THREADS PyObject *out = text_answer(status, job.diags, &text);
  py_job_end(&job);
  return out;
}

/* ---- one instant, and equilibria ---- */

static int on_progress(void *payload, const pawl_progress *now) {
  double values[] = {now->t, now->from, now->to, (double)now->rows, (double)now->events};
  return py_watch_look(payload, values, 5);
}

/* Goes to the instant with the options of the run statement. */
static pawl_status gauss_at(py_job *job, double t, py_watch *watch, pawl_run **run) {
  double from = pawl_start_time(job->system);
  pawl_run_opts to = {.overrides = job->changes,
                      .n_override = job->n_change,
                      .no_certificate = 1,
                      .sim = {.use_span = 1, .from = from, .to = t},
                      .progress = on_progress,
                      .payload = watch};
  pawl_status status = pawl_run_new(job->model, &to, NULL, run); /* warnings were given */
  status = status != PAWL_OK ? status : pawl_run_go(*run, job->diags);
  return status;
}

/* gauss(source, changes, at or None, past) */
PyObject *py_gauss(PyObject *module, PyObject *args) {
  PyObject *source, *changes, *when;
  pawl_gauss_opts opts = {0};
  py_job job;
  py_text text = {0};
  py_watch watch = {0};
  (void)module;
  if (!PyArg_ParseTuple(args, "OOOp", &source, &changes, &when, &opts.past)) {
    return NULL;
  }
  double t = when == Py_None ? 0 : PyFloat_AsDouble(when);
  if (PyErr_Occurred() != NULL || !py_job_begin(&job, source, changes)) {
    return NULL;
  }
  pawl_gauss *gauss = NULL;
  pawl_run *run = NULL;
  pawl_status status;
  Py_BEGIN_ALLOW_THREADS status = py_job_compile(&job, &(pawl_system_opts){0});
  if (status == PAWL_OK && when != Py_None && t != pawl_start_time(job.system)) {
    status = gauss_at(&job, t, &watch, &run);
  }
  if (status == PAWL_OK && !watch.stopped) {
    pawl_sim *sim = run == NULL ? NULL : pawl_run_sim(run);
    status = pawl_gauss_reached(job.system, sim, &opts, job.diags, &gauss);
  }
  if (status == PAWL_OK && gauss != NULL) {
    status = pawl_gauss_json(gauss, py_text_sink, &text);
  }
  Py_END_ALLOW_THREADS PyObject *out = NULL;
  if (py_watch_end(&watch)) {
    out = text_answer(status, job.diags, &text);
  } else {
    free(text.bytes);
  }
  pawl_gauss_free(gauss);
  pawl_run_free(run);
  py_job_end(&job);
  return out;
}

/* equilibria(source, changes, at or None, starts) */
PyObject *py_equilibria(PyObject *module, PyObject *args) {
  PyObject *source, *changes, *when;
  pawl_equilibria_opts opts = {0};
  py_job job;
  py_text text = {0};
  (void)module;
  if (!PyArg_ParseTuple(args, "OOOi", &source, &changes, &when, &opts.starts)) {
    return NULL;
  }
  opts.freeze = when != Py_None;
  opts.t = opts.freeze ? PyFloat_AsDouble(when) : 0;
  if (PyErr_Occurred() != NULL || !py_job_begin(&job, source, changes)) {
    return NULL;
  }
  pawl_equilibria *list = NULL;
  pawl_status status;
  Py_BEGIN_ALLOW_THREADS status = py_job_compile(&job, &(pawl_system_opts){0});
  if (status == PAWL_OK) {
    status = pawl_equilibria_new(job.system, &opts, job.diags, &list);
  }
  if (status == PAWL_OK) {
    status = pawl_equilibria_json(list, py_text_sink, &text);
  }
  Py_END_ALLOW_THREADS PyObject *out = text_answer(status, job.diags, &text);
  pawl_equilibria_free(list);
  py_job_end(&job);
  return out;
}

static int on_ask(void *payload) {
  return py_watch_look(payload, NULL, 0);
}

/* ---- periodic motions, and variations of one ---- */

/* orbit(source, changes, period, at, returns, along, begin, end, exponents, tol) */
PyObject *py_orbit(PyObject *module, PyObject *args) {
  PyObject *source, *changes;
  pawl_orbit_opts opts = {.ask = on_ask};
  py_job job;
  py_text text = {0};
  py_watch watch = {0};
  (void)module;
  if (!PyArg_ParseTuple(args, "OOdzizddid", &source, &changes, &opts.period, &opts.at,
                        &opts.returns, &opts.along, &opts.begin, &opts.end, &opts.exponents,
                        &opts.tol) ||
      !py_job_begin(&job, source, changes)) {
    return NULL;
  }
  opts.payload = &watch;
  opts.overrides = job.changes;
  opts.n_override = job.n_change;
  pawl_orbit *orbit = NULL;
  pawl_status status;
  Py_BEGIN_ALLOW_THREADS status = py_job_load(&job);
  status = status != PAWL_OK ? status : pawl_orbit_new(job.model, &opts, job.diags, &orbit);
  status = status != PAWL_OK ? status : pawl_orbit_json(orbit, py_text_sink, &text);
  Py_END_ALLOW_THREADS PyObject *out = NULL;
  if (py_watch_end(&watch)) {
    out = text_answer(status, job.diags, &text);
  } else {
    free(text.bytes);
  }
  pawl_orbit_free(orbit);
  py_job_end(&job);
  return out;
}

/* vary(source, changes, options, span, by or None, shift or None, free) */
PyObject *py_vary(PyObject *module, PyObject *args) {
  PyObject *source, *changes, *options, *span;
  pawl_lab_opts opts = {0};
  pawl_run_opts run = {.progress = on_progress};
  py_job job;
  py_text text = {0};
  py_watch watch = {0};
  (void)module;
  if (!PyArg_ParseTuple(args, "OOOOzzp", &source, &changes, &options, &span, &opts.by, &opts.shift,
                        &opts.free_ends) ||
      !py_options(options, &run) || !py_span(span, &run.sim) ||
      !py_job_begin(&job, source, changes)) {
    return NULL;
  }
  run.payload = &watch;
  run.overrides = job.changes;
  run.n_override = job.n_change;
  pawl_lab *lab = NULL;
  pawl_status status;
  Py_BEGIN_ALLOW_THREADS status = py_job_load(&job);
  status = status != PAWL_OK ? status : pawl_lab_run(job.model, &run, &opts, job.diags, &lab);
  status = status != PAWL_OK ? status : pawl_lab_json(lab, py_text_sink, &text);
  Py_END_ALLOW_THREADS PyObject *out = NULL;
  if (py_watch_end(&watch)) {
    out = text_answer(status, job.diags, &text);
  } else {
    free(text.bytes);
  }
  pawl_lab_free(lab);
  py_job_end(&job);
  return out;
}

/* ---- motions between two points ---- */

static PyObject *solutions(pawl_bvp *bvp, pawl_status *status) {
  PyObject *tables = PyList_New(0);
  py_text json = {0};
  for (int i = 0; tables != NULL && *status == PAWL_OK && i < pawl_bvp_count(bvp); i++) {
    py_text text = {0};
    *status = pawl_bvp_csv(bvp, i, py_text_sink, &text);
    PyObject *table = py_text_take(&text, false);
    if (table == NULL || PyList_Append(tables, table) != 0) {
      Py_CLEAR(tables);
    }
    Py_XDECREF(table);
  }
  if (*status == PAWL_OK) {
    *status = pawl_bvp_json(bvp, py_text_sink, &json);
  }
  PyObject *text = py_text_take(&json, false);
  if (tables == NULL) {
    Py_XDECREF(text);
    return NULL;
  }
  return Py_BuildValue("(NN)", text, tables);
}

/* bvp(source, changes, span, bounces or None, (all, mesh, degree, converge, natural, free time)) */
PyObject *py_bvp(PyObject *module, PyObject *args) {
  PyObject *source, *changes, *span, *bounces, *out = NULL;
  pawl_bvp_opts opts = {0};
  pawl_sim_opts between = {0};
  py_job job;
  py_watch watch = {0};
  (void)module;
  if (!PyArg_ParseTuple(args, "OOOO(piippp)", &source, &changes, &span, &bounces, &opts.all,
                        &opts.mesh, &opts.degree, &opts.converge, &opts.natural, &opts.free_time) ||
      !py_span(span, &between)) {
    return NULL;
  }
  opts.use_span = between.use_span;
  opts.from = between.from;
  opts.to = between.to;
  opts.use_bounces = bounces != Py_None;
  if ((bounces != Py_None && !PyArg_ParseTuple(bounces, "ii", &opts.least, &opts.most)) ||
      !py_job_begin(&job, source, changes)) {
    return NULL;
  }
  opts.ask = on_ask;
  opts.payload = &watch;
  pawl_bvp *bvp = NULL;
  pawl_status status;
  Py_BEGIN_ALLOW_THREADS status = py_job_compile(&job, &(pawl_system_opts){.between = 1});
  if (status == PAWL_OK) {
    status = pawl_bvp_new(job.system, &opts, job.diags, &bvp);
  }
  Py_END_ALLOW_THREADS if (py_watch_end(&watch)) {
    PyObject *found = status == PAWL_OK ? solutions(bvp, &status) : NULL;
    out = py_answer(status, job.diags, found);
  }
  pawl_bvp_free(bvp);
  py_job_end(&job);
  return out;
}

/* ---- certificates ---- */

static int on_rows(void *payload, long rows, long all) {
  double values[] = {(double)rows, (double)all};
  return py_watch_look(payload, values, 2);
}

static pawl_status judge(py_job *job, const char *dir, const char *file, int fixed,
                         const pawl_certify_opts *opts, pawl_certifier **out) {
  pawl_status status = py_job_compile(job, &(pawl_system_opts){.no_start = 1});
  if (status != PAWL_OK) {
    return status;
  }
  return fixed         ? pawl_certify_new(job->system, opts, out)
         : dir != NULL ? pawl_certify_motion(job->system, dir, opts, job->diags, out)
                       : pawl_certify_file(job->system, file, opts, job->diags, out);
}

/* certify(source, changes, dir or None, file, fixed, (tol, noise, steps, sequential, variations,
 * unseen, unseen_t, events, events_json, tables, any impact law)) */
PyObject *py_certify(PyObject *module, PyObject *args) {
  PyObject *source, *changes, *options;
  const char *dir, *file;
  int fixed;
  pawl_certify_opts opts = {0};
  py_job job;
  py_watch watch = {0};
  py_text text = {0};
  (void)module;
  if (!PyArg_ParseTuple(args, "OOO&O&pO", &source, &changes, py_path, &dir, py_path, &file, &fixed,
                        &options) ||
      !PyArg_ParseTuple(options, "dddppidO&O&zp", &opts.tol, &opts.noise, &opts.steps,
                        &opts.sequential, &opts.variations, &opts.unseen, &opts.unseen_t, py_path,
                        &opts.events, py_path, &opts.events_json, &opts.tables,
                        &opts.any_impact_law) ||
      !py_job_begin(&job, source, changes)) {
    return NULL;
  }
  opts.progress = on_rows;
  opts.payload = &watch;
  pawl_certifier *certifier = NULL;
  pawl_status status;
  Py_BEGIN_ALLOW_THREADS status = judge(&job, dir, file, fixed, &opts, &certifier);
  if (status == PAWL_OK) {
    status = pawl_certify_json(certifier, 0, py_text_sink, &text);
  }
  Py_END_ALLOW_THREADS PyObject *out = NULL;
  if (py_watch_end(&watch)) {
    out = text_answer(status, job.diags, &text);
  } else {
    free(text.bytes);
  }
  pawl_certify_free(certifier);
  py_job_end(&job);
  return out;
}

/* compare(dir): (known, trajectory, events, damaged) */
PyObject *py_compare(PyObject *module, PyObject *args) {
  const char *dir;
  pawl_traj_match m = {0};
  (void)module;
  if (!PyArg_ParseTuple(args, "O&", py_path, &dir)) {
    return NULL;
  }
  pawl_status status = pawl_traj_compare(dir, &m);
  return py_answer(status, NULL,
                   Py_BuildValue("(iiii)", m.known, m.trajectory, m.events, m.damaged));
}

/* distance(dir, dir, from, to), NAN for all of the time that both have */
PyObject *py_distance(PyObject *module, PyObject *args) {
  const char *dir[2];
  double from, to;
  py_text text = {0};
  (void)module;
  if (!PyArg_ParseTuple(args, "O&O&dd", py_path, &dir[0], py_path, &dir[1], &from, &to)) {
    return NULL;
  }
  pawl_diags *diags = NULL;
  if (pawl_diags_new(&diags) != PAWL_OK) {
    return PyErr_NoMemory();
  }
  pawl_traj *of[2] = {NULL, NULL};
  pawl_distance *apart = NULL;
  pawl_status status = PAWL_OK;
  Py_BEGIN_ALLOW_THREADS for (int i = 0; i < 2 && status == PAWL_OK; i++) {
    status = pawl_traj_open(dir[i], diags, &of[i]);
  }
  if (status == PAWL_OK) {
    status = pawl_distance_new(of[0], of[1], from, to, diags, &apart);
  }
  if (status == PAWL_OK) {
    status = pawl_distance_json(apart, py_text_sink, &text);
  }
  Py_END_ALLOW_THREADS PyObject *out = text_answer(status, diags, &text);
  pawl_distance_free(apart);
  pawl_traj_free(of[0]);
  pawl_traj_free(of[1]);
  pawl_diags_free(diags);
  return out;
}
