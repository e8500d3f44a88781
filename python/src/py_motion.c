// SPDX-License-Identifier: MIT
/* The stored motion of a results folder at any time, from its dense output. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "py_base.h"

typedef struct motion {
  PyObject_HEAD pawl_traj *traj;
  pawl_system *system; /* of the model in the folder */
  pawl_eval *eval;
  unsigned char *closed; /* laws */
  bool busy;
} motion;

/* motion(dir, source, changes) */
PyObject *py_motion(PyObject *module, PyObject *args) {
  PyObject *source, *changes, *out = NULL;
  const char *dir;
  py_job job;
  if (!PyArg_ParseTuple(args, "O&OO", py_path, &dir, &source, &changes)) {
    return NULL;
  }
  PyTypeObject *type = py_types_of(module)->motion;
  allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  motion *x = (motion *)allocate(type, 0);
  if (x == NULL || !py_job_begin(&job, source, changes)) {
    Py_XDECREF((PyObject *)x);
    return NULL;
  }
  pawl_status status = py_job_compile(&job, &(pawl_system_opts){.no_start = 1});
  x->system = job.system;
  job.system = NULL;
  status = status != PAWL_OK ? status : pawl_eval_new(x->system, &x->eval);
  status = status != PAWL_OK ? status : pawl_traj_open(dir, job.diags, &x->traj);
  if (status == PAWL_OK) {
    pawl_traj_info info = pawl_traj_info_get(x->traj);
    x->closed = calloc((size_t)info.laws + 1, 1);
    bool same = info.positions == pawl_system_positions(x->system) &&
                info.velocities == pawl_system_velocities(x->system) &&
                info.laws == pawl_system_laws(x->system) &&
                info.works == pawl_system_works(x->system);
    status = x->closed == NULL ? PAWL_E_MEMORY : same ? PAWL_OK : PAWL_E_STATE;
  }
  if (status == PAWL_OK) {
    out = Py_NewRef((PyObject *)x);
  }
  out = py_answer(status, job.diags, out);
  Py_DECREF((PyObject *)x);
  py_job_end(&job);
  return out;
}

static void motion_free(PyObject *self) {
  motion *x = (motion *)self;
  PyTypeObject *type = Py_TYPE(self);
  pawl_traj_free(x->traj);
  pawl_eval_free(x->eval);
  pawl_system_free(x->system);
  free(x->closed);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(self);
  Py_DECREF(type);
}

/* ---- points ---- */

typedef struct wanted { /* numbers of one point, in this order */
  int nq, nv, nl, no, nw, all;
} wanted;

static wanted sizes(const motion *x) {
  const pawl_system *s = x->system;
  wanted w = {pawl_system_positions(s), pawl_system_velocities(s), pawl_system_laws(s),
              pawl_system_outputs(s),   pawl_system_works(s),      0};
  w.all = w.nq + w.nv + w.nl + w.no + 3 + w.nw + w.nl; /* energies, works, modes */
  return w;
}

/* Outputs are evaluated with the stored forces; impulses of past jumps count as zero. */
static pawl_status outputs(motion *x, const pawl_traj_point *p, double *out) {
  wanted w = sizes(x);
  double integrals[2] = {p->action, 0};
  for (int i = 0; i < w.nw; i++) {
    integrals[1] += pawl_work_get(x->system, i).lost ? p->works[i] : 0;
  }
  for (int i = 0; i < w.nl; i++) {
    x->closed[i] = p->mode[i] == PAWL_LAW_HELD;
  }
  pawl_eval_in in = {.k = 1,
                     .t = &p->t,
                     .q = p->q,
                     .u = p->u,
                     .multipliers = p->multiplier,
                     .closed = x->closed,
                     .force = p->force,
                     .integrals = integrals};
  return w.no == 0 ? PAWL_OK : pawl_eval_at(x->eval, &in, &(pawl_eval_out){.output = out});
}

/* One point into column `i` of n. */
static pawl_status put(motion *x, double t, pawl_side side, double *point) {
  pawl_traj_point p;
  wanted w = sizes(x);
  pawl_status status = pawl_traj_at(x->traj, t, side, &p);
  if (status != PAWL_OK) {
    return status;
  }
  double *at = point;
  memcpy(at, p.q, (size_t)w.nq * sizeof *at);
  memcpy(at += w.nq, p.u, (size_t)w.nv * sizeof *at);
  memcpy(at += w.nv, p.force, (size_t)w.nl * sizeof *at);
  double *output = at += w.nl;
  at += w.no;
  *at++ = p.kinetic;
  *at++ = p.potential;
  *at++ = p.action;
  memcpy(at, p.works, (size_t)w.nw * sizeof *at);
  at += w.nw;
  for (int i = 0; i < w.nl; i++) {
    at[i] = p.mode[i];
  }
  return outputs(x, &p, output);
}

static pawl_status put_all(motion *x, const double *times, Py_ssize_t n, pawl_side side,
                           double *data, double *point) {
  int all = sizes(x).all;
  pawl_status status = PAWL_OK;
  for (Py_ssize_t i = 0; status == PAWL_OK && i < n; i++) {
    status = put(x, times[i], side, point);
    for (int k = 0; status == PAWL_OK && k < all; k++) {
      data[k * n + i] = point[k];
    }
  }
  return status;
}

/* at(module, times, before): columns over the times, a buffer of doubles. */
static PyObject *at(PyObject *self, PyObject *args) {
  motion *x = (motion *)self;
  PyObject *module;
  Py_buffer times;
  int before;
  if (!PyArg_ParseTuple(args, "Oy*p", &module, &times, &before)) {
    return NULL;
  }
  Py_ssize_t n = times.len / (Py_ssize_t)sizeof(double);
  int all = sizes(x).all;
  double *data = malloc(((size_t)n * (size_t)all + 1) * sizeof *data);
  double *point = calloc((size_t)all + 1, sizeof *point);
  PyObject *out = NULL;
  if (x->busy) {
    PyErr_SetString(PyExc_RuntimeError, "another thread is reading this motion");
  } else if (data == NULL || point == NULL) {
    PyErr_NoMemory();
  } else {
    pawl_status status;
    x->busy = true;
    Py_BEGIN_ALLOW_THREADS status =
        put_all(x, times.buf, n, before ? PAWL_BEFORE : PAWL_AFTER, data, point);
    Py_END_ALLOW_THREADS x->busy = false;
    PyObject *columns = NULL;
    if (status == PAWL_OK) {
      columns = py_columns(module, data, all, n);
      data = NULL;
    }
    out = py_answer(status, NULL, columns);
  }
  free(data);
  free(point);
  PyBuffer_Release(&times);
  return out;
}

static PyObject *info(PyObject *self, PyObject *args) {
  motion *x = (motion *)self;
  pawl_traj_info i = pawl_traj_info_get(x->traj);
  (void)args;
  PyObject *works = PyList_New(i.works);
  for (int k = 0; works != NULL && k < i.works; k++) {
    pawl_work_info w = pawl_work_get(x->system, k);
    PyList_SetItem(works, k, Py_BuildValue("(si)", w.name, w.lost));
  }
  return Py_BuildValue("{s:d,s:d,s:d,s:l,s:N,s:N}", "from", i.from, "to", i.to, "whole_until",
                       i.whole_until, "segments", i.segments, "works", works, "names",
                       py_point_names(x->system));
}

static PyMethodDef methods[] = {
    {"at", at, METH_VARARGS, NULL}, {"info", info, METH_NOARGS, NULL}, {NULL, NULL, 0, NULL}};
static PyType_Slot slots[] = {
    {Py_tp_dealloc, (void *)motion_free}, {Py_tp_methods, methods}, {0, NULL}};
PyType_Spec py_motion_spec = {"pawl._pawl.Motion", sizeof(motion), 0,
                              Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
