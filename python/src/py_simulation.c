// SPDX-License-Identifier: MIT
/* A simulation that goes on step by step. Two threads cannot use one at the same time: the second
 * gets an exception. */
#include <stdlib.h>
#include <string.h>

#include "py_base.h"

typedef struct simulation {
  PyObject_HEAD pawl_sim *sim;
  pawl_system *system;
  bool busy;   /* some thread is inside, without the GIL */
  void *begun; /* the simulation as it was at the beginning of the last advance */
  py_watch watch;
} simulation;

/* ---- the object ---- */

static int on_ask(void *payload) {
  simulation *x = payload;
  return py_watch_look(&x->watch, NULL, 0);
}

/* simulation(source, changes, options, span) */
PyObject *py_simulation(PyObject *module, PyObject *args) {
  PyObject *source, *changes, *options, *span;
  pawl_run_opts opts = {0};
  py_job job;
  if (!PyArg_ParseTuple(args, "OOOO", &source, &changes, &options, &span) ||
      !py_options(options, &opts) || !py_span(span, &opts.sim)) {
    return NULL;
  }
  PyTypeObject *type = py_types_of(module)->simulation;
  allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  simulation *x = (simulation *)allocate(type, 0);
  if (x == NULL || !py_job_begin(&job, source, changes)) {
    Py_XDECREF((PyObject *)x);
    return NULL;
  }
  opts.sim.ask = on_ask;
  opts.sim.payload = x;
  pawl_status status;
  Py_BEGIN_ALLOW_THREADS status = py_job_compile(&job, &(pawl_system_opts){0});
  x->system = job.system;
  job.system = NULL;
  if (status == PAWL_OK) {
    status = pawl_sim_new(x->system, &opts.sim, job.diags, &x->sim);
  }
  if (status == PAWL_OK) {
    x->begun = malloc(pawl_sim_save_size(x->sim));
    status = x->begun == NULL ? PAWL_E_MEMORY : PAWL_OK;
  }
  Py_END_ALLOW_THREADS PyObject *out = NULL;
  if (status == PAWL_OK) {
    out = Py_NewRef((PyObject *)x);
  }
  out = py_watch_end(&x->watch) ? py_answer(status, job.diags, out) : NULL;
  Py_DECREF((PyObject *)x);
  py_job_end(&job);
  return out;
}

static void simulation_free(PyObject *self) {
  simulation *x = (simulation *)self;
  PyTypeObject *type = Py_TYPE(self);
  pawl_sim_free(x->sim);
  free(x->begun);
  pawl_system_free(x->system);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(self);
  Py_DECREF(type);
}

static simulation *enter(PyObject *self) {
  simulation *x = (simulation *)self;
  if (x->busy) {
    PyErr_SetString(PyExc_RuntimeError, "another thread is using this simulation");
    return NULL;
  }
  return x;
}

/* ---- going on ---- */

/* A simulation that was interrupted cannot go on, but it can go back to where the call began. */
static pawl_status go_on(simulation *x, double target, pawl_diags *diags, pawl_stop *why) {
  unsigned long size = pawl_sim_save_size(x->sim);
  pawl_status status = pawl_sim_save(x->sim, x->begun, size);
  status = status != PAWL_OK ? status : pawl_sim_advance(x->sim, target, diags, why);
  if (x->watch.stopped) {
    status = pawl_sim_restore(x->sim, x->begun, size);
  }
  return status;
}

static PyObject *advance(PyObject *self, PyObject *args) {
  simulation *x = enter(self);
  double target;
  pawl_diags *diags = NULL;
  if (x == NULL || !PyArg_ParseTuple(args, "d", &target)) {
    return NULL;
  }
  if (pawl_diags_new(&diags) != PAWL_OK) {
    return PyErr_NoMemory();
  }
  pawl_stop why = PAWL_AT_TARGET;
  pawl_status status;
  x->watch = (py_watch){0};
  x->busy = true;
  Py_BEGIN_ALLOW_THREADS status = go_on(x, target, diags, &why);
  Py_END_ALLOW_THREADS x->busy = false;
  PyObject *out =
      py_watch_end(&x->watch) ? py_answer(status, diags, PyLong_FromLong((long)why)) : NULL;
  pawl_diags_free(diags);
  return out;
}

/* input(i, value): from the current point on. */
static PyObject *input(PyObject *self, PyObject *args) {
  simulation *x = enter(self);
  int i;
  double value;
  if (x == NULL || !PyArg_ParseTuple(args, "id", &i, &value)) {
    return NULL;
  }
  return py_answer(pawl_sim_input(x->sim, i, value), NULL, NULL);
}

/* [(name, position), ...] */
static PyObject *inputs(PyObject *self, PyObject *args) {
  simulation *x = enter(self);
  int n = x == NULL ? 0 : pawl_system_inputs(x->system);
  (void)args;
  PyObject *list = x == NULL ? NULL : PyList_New(n);
  for (int i = 0; list != NULL && i < n; i++) {
    PyObject *item =
        Py_BuildValue("(si)", pawl_input_name(x->system, i), pawl_input_position(x->system, i));
    if (item == NULL || PyList_SetItem(list, i, item) != 0) {
      Py_CLEAR(list);
    }
  }
  return list;
}

static PyObject *events(PyObject *self, PyObject *args) {
  simulation *x = enter(self);
  int n = x == NULL ? 0 : pawl_sim_events(x->sim);
  (void)args;
  PyObject *list = x == NULL ? NULL : PyList_New(n);
  for (int i = 0; list != NULL && i < n; i++) {
    pawl_event e = pawl_sim_event(x->sim, i);
    PyObject *impulse = PyTuple_New(e.n_impulse);
    for (int k = 0; impulse != NULL && k < e.n_impulse; k++) {
      PyTuple_SetItem(impulse, k, PyFloat_FromDouble(e.impulse[k]));
    }
    PyObject *item = Py_BuildValue("(dsslNdsdddN)", e.t, e.kind, e.at, e.cluster, impulse, e.dE,
                                   e.flag == NULL ? "" : e.flag, e.rate_before, e.rate_after,
                                   e.force, py_tied(x->system, e.tied, e.n_tied));
    if (item == NULL || PyList_SetItem(list, i, item) != 0) {
      Py_CLEAR(list);
    }
  }
  return list;
}

/* ---- the current point ---- */

static PyObject *floats(const double *values, int n) {
  PyObject *tuple = PyTuple_New(n);
  for (int i = 0; tuple != NULL && i < n; i++) {
    PyObject *value = PyFloat_FromDouble(values[i]);
    if (value == NULL || PyTuple_SetItem(tuple, i, value) != 0) {
      Py_CLEAR(tuple);
    }
  }
  return tuple;
}

static PyObject *point(PyObject *self, PyObject *args) {
  simulation *x = enter(self);
  int before = 0;
  pawl_point p;
  if (x == NULL || !PyArg_ParseTuple(args, "p", &before)) {
    return NULL;
  }
  pawl_status status = pawl_sim_point(x->sim, before ? PAWL_BEFORE : PAWL_AFTER, &p);
  if (status != PAWL_OK) {
    return py_answer(status, NULL, NULL);
  }
  const pawl_system *s = x->system;
  return py_answer(status, NULL,
                   Py_BuildValue("(dNNNNN)", p.t, floats(p.q, pawl_system_positions(s)),
                                 floats(p.u, pawl_system_velocities(s)),
                                 floats(p.force, pawl_system_laws(s)),
                                 floats(p.output, pawl_system_outputs(s)),
                                 floats(p.a, pawl_system_velocities(s))));
}

static PyObject *energy(PyObject *self, PyObject *args) {
  simulation *x = enter(self);
  (void)args;
  if (x == NULL) {
    return NULL;
  }
  int n = pawl_system_works(x->system);
  double *works = calloc((size_t)n + 1, sizeof *works);
  pawl_energy e;
  if (works == NULL) {
    return PyErr_NoMemory();
  }
  pawl_status status = pawl_sim_energy(x->sim, &e, works);
  PyObject *entries = PyList_New(n);
  for (int i = 0; entries != NULL && i < n; i++) {
    pawl_work_info w = pawl_work_get(x->system, i);
    PyList_SetItem(entries, i, Py_BuildValue("(sid)", w.name, w.lost, works[i]));
  }
  free(works);
  return py_answer(status, NULL,
                   Py_BuildValue("(dddddddN)", e.kinetic, e.potential, e.start, e.lost, e.scale,
                                 e.unexplained, e.action, entries));
}

static PyObject *names(PyObject *self, PyObject *args) {
  simulation *x = enter(self);
  (void)args;
  return x == NULL ? NULL : py_point_names(x->system);
}

/* Where an input was set, a look at the point decides the modes that it leads to. */
static bool look(simulation *x) {
  pawl_point p;
  return x != NULL &&
         (pawl_sim_point(x->sim, PAWL_AFTER, &p) != PAWL_E_MEMORY || PyErr_NoMemory() != NULL);
}

static PyObject *closed(PyObject *self, PyObject *args) {
  simulation *x = enter(self);
  int law = 0;
  if (x == NULL || !PyArg_ParseTuple(args, "i", &law) || !look(x)) {
    return NULL;
  }
  return PyBool_FromLong(pawl_sim_closed(x->sim, law));
}

static PyObject *dof(PyObject *self, PyObject *args) {
  simulation *x = enter(self);
  (void)args;
  return look(x) ? PyLong_FromLong(pawl_sim_dof(x->sim)) : NULL;
}

/* ---- saving, and other starts ---- */

static PyObject *save(PyObject *self, PyObject *args) {
  simulation *x = enter(self);
  (void)args;
  if (x == NULL) {
    return NULL;
  }
  unsigned long size = pawl_sim_save_size(x->sim);
  PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
  if (bytes == NULL) {
    return NULL;
  }
  pawl_status status = pawl_sim_save(x->sim, PyBytes_AsString(bytes), size);
  return py_answer(status, NULL, bytes);
}

static PyObject *restore(PyObject *self, PyObject *args) {
  simulation *x = enter(self);
  Py_buffer view;
  if (x == NULL || !PyArg_ParseTuple(args, "y*", &view)) {
    return NULL;
  }
  pawl_status status = pawl_sim_restore(x->sim, view.buf, (unsigned long)view.len);
  PyBuffer_Release(&view);
  return py_answer(status, NULL, NULL);
}

/* start(t, q, u): buffers of doubles of the right lengths. */
static PyObject *start(PyObject *self, PyObject *args) {
  simulation *x = enter(self);
  double t;
  Py_buffer q, u;
  if (x == NULL || !PyArg_ParseTuple(args, "dy*y*", &t, &q, &u)) {
    return NULL;
  }
  PyObject *out = NULL;
  pawl_diags *diags = NULL;
  size_t size = sizeof(double);
  if (q.len != (Py_ssize_t)((size_t)pawl_system_positions(x->system) * size) ||
      u.len != (Py_ssize_t)((size_t)pawl_system_velocities(x->system) * size)) {
    PyErr_SetString(PyExc_ValueError, "a start needs all positions and all velocities");
  } else if (pawl_diags_new(&diags) != PAWL_OK) {
    PyErr_NoMemory();
  } else {
    out = py_answer(pawl_sim_start(x->sim, t, q.buf, u.buf, diags), diags, NULL);
  }
  pawl_diags_free(diags);
  PyBuffer_Release(&q);
  PyBuffer_Release(&u);
  return out;
}

static PyMethodDef methods[] = {{"advance", advance, METH_VARARGS, NULL},
                                {"events", events, METH_NOARGS, NULL},
                                {"input", input, METH_VARARGS, NULL},
                                {"inputs", inputs, METH_NOARGS, NULL},
                                {"point", point, METH_VARARGS, NULL},
                                {"energy", energy, METH_NOARGS, NULL},
                                {"names", names, METH_NOARGS, NULL},
                                {"closed", closed, METH_VARARGS, NULL},
                                {"dof", dof, METH_NOARGS, NULL},
                                {"save", save, METH_NOARGS, NULL},
                                {"restore", restore, METH_VARARGS, NULL},
                                {"start", start, METH_VARARGS, NULL},
                                {NULL, NULL, 0, NULL}};
static PyType_Slot slots[] = {
    {Py_tp_dealloc, (void *)simulation_free}, {Py_tp_methods, methods}, {0, NULL}};
PyType_Spec py_simulation_spec = {"pawl._pawl.Simulation", sizeof(simulation), 0,
                                  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
