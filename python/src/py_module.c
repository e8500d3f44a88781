// SPDX-License-Identifier: MIT
/* The extension module `pawl._pawl`: its functions and types. */
#include "py_base.h"

py_types *py_types_of(PyObject *module) {
  return PyModule_GetState(module);
}

static int add_type(PyObject *module, PyType_Spec *spec, const char *name, PyTypeObject **out) {
  PyObject *type = PyType_FromModuleAndSpec(module, spec, NULL);
  *out = (PyTypeObject *)type;
  return type == NULL ? -1 : PyModule_AddObjectRef(module, name, type);
}

static int begin(PyObject *module) {
  py_types *types = py_types_of(module);
  if (add_type(module, &py_numbers_spec, "Numbers", &types->numbers) != 0 ||
      add_type(module, &py_simulation_spec, "Simulation", &types->simulation) != 0 ||
      add_type(module, &py_motion_spec, "Motion", &types->motion) != 0) {
    return -1;
  }
  return PyModule_AddStringConstant(module, "version", PAWL_VERSION);
}

static void end(void *module) {
  py_types *types = py_types_of(module);
  Py_CLEAR(types->numbers);
  Py_CLEAR(types->simulation);
  Py_CLEAR(types->motion);
}

static PyMethodDef methods[] = {{"run", py_run, METH_VARARGS, NULL},
                                {"sweep", py_sweep, METH_VARARGS, NULL},
                                {"simulation", py_simulation, METH_VARARGS, NULL},
                                {"motion", py_motion, METH_VARARGS, NULL},
                                {"check", py_check, METH_VARARGS, NULL},
                                {"gauss", py_gauss, METH_VARARGS, NULL},
                                {"equilibria", py_equilibria, METH_VARARGS, NULL},
                                {"bvp", py_bvp, METH_VARARGS, NULL},
                                {"certify", py_certify, METH_VARARGS, NULL},
                                {"orbit", py_orbit, METH_VARARGS, NULL},
                                {"vary", py_vary, METH_VARARGS, NULL},
                                {"compare", py_compare, METH_VARARGS, NULL},
                                {"distance", py_distance, METH_VARARGS, NULL},
                                {"figure", py_figure, METH_VARARGS, NULL},
                                {"report", py_report, METH_VARARGS, NULL},
                                {"export", py_export, METH_VARARGS, NULL},
                                {"format", py_format, METH_VARARGS, NULL},
                                {"explain", py_explain, METH_VARARGS, NULL},
                                {"option_words", py_option_words, METH_NOARGS, NULL},
                                {"status_text", py_status_text, METH_VARARGS, NULL},
                                {NULL, NULL, 0, NULL}};
static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)begin}, {0, NULL}};
static PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                                 .m_name = "pawl._pawl",
                                 .m_doc = "The library of Pawl; see the package pawl.",
                                 .m_size = sizeof(py_types),
                                 .m_methods = methods,
                                 .m_slots = slots,
                                 .m_free = end};

PyMODINIT_FUNC PyInit__pawl(void) {
  return PyModuleDef_Init(&definition);
}
