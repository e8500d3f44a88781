// SPDX-License-Identifier: MIT
/* Numbers of the library as an object with the buffer protocol. */
#include <stdlib.h>

#include "py_base.h"

typedef struct numbers {
  PyObject_HEAD void *data;
  Py_ssize_t n, size;
  char format[2];
  PyObject *owner; /* NULL: the data is its own */
} numbers;

PyObject *py_numbers(PyObject *module, void *data, Py_ssize_t n, char format, PyObject *owner) {
  PyTypeObject *type = py_types_of(module)->numbers;
  allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  numbers *x = (numbers *)allocate(type, 0);
  if (x == NULL) {
    if (owner == NULL) {
      free(data);
    }
    return NULL;
  }
  x->data = data;
  x->n = n;
  x->size = 8;
  x->format[0] = format;
  x->format[1] = '\0';
  x->owner = owner;
  Py_XINCREF(owner);
  return (PyObject *)x;
}

PyObject *py_columns(PyObject *module, double *data, int columns, Py_ssize_t rows) {
  PyObject *block = py_numbers(module, data, columns * rows, 'd', NULL);
  PyObject *list = block == NULL ? NULL : PyList_New(columns);
  for (int i = 0; list != NULL && i < columns; i++) {
    PyObject *column = py_numbers(module, rows > 0 ? data + i * rows : data, rows, 'd', block);
    if (column == NULL || PyList_SetItem(list, i, column) != 0) {
      Py_CLEAR(list);
    }
  }
  Py_XDECREF(block);
  return list;
}

static void numbers_free(PyObject *self) {
  numbers *x = (numbers *)self;
  PyTypeObject *type = Py_TYPE(self);
  if (x->owner == NULL) {
    free(x->data);
  }
  Py_XDECREF(x->owner);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(self);
  Py_DECREF(type);
}

static int numbers_buffer(PyObject *self, Py_buffer *view, int flags) {
  numbers *x = (numbers *)self;
  if ((flags & PyBUF_WRITABLE) == PyBUF_WRITABLE) {
    PyErr_SetString(PyExc_BufferError, "numbers of a result cannot be changed; copy them first");
    view->obj = NULL;
    return -1;
  }
  Py_INCREF(self);
  *view = (Py_buffer){.obj = self,
                      .buf = x->data,
                      .len = x->n * x->size,
                      .itemsize = x->size,
                      .readonly = 1,
                      .ndim = 1,
                      .format = (flags & PyBUF_FORMAT) == PyBUF_FORMAT ? x->format : NULL,
                      .shape = (flags & PyBUF_ND) == PyBUF_ND ? &x->n : NULL,
                      .strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? &x->size : NULL};
  return 0;
}

static Py_ssize_t numbers_length(PyObject *self) {
  return ((numbers *)self)->n;
}

static PyType_Slot slots[] = {{Py_tp_dealloc, (void *)numbers_free},
                              {Py_bf_getbuffer, (void *)numbers_buffer},
                              {Py_sq_length, (void *)numbers_length},
                              {Py_tp_doc, (void *)"Numbers of a result; memoryview and NumPy read "
                                                  "them without a copy."},
                              {0, NULL}};
PyType_Spec py_numbers_spec = {"pawl._pawl.Numbers", sizeof(numbers), 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
