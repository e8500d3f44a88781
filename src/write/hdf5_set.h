// SPDX-License-Identifier: MIT
/* HDF5, which is loaded when a file is written: it and the libraries it depends on would take most
 * of the time of a small run. Data sets of its files. Included where PW_HAVE_HDF5 is defined. */
#ifndef PW_WRITE_HDF5_SET_H
#define PW_WRITE_HDF5_SET_H

#include <hdf5.h>

#include "write/arrays.h"

/* Constants of HDF5 call these first, by name; pw_h5_load has opened the library. */
#undef H5CHECK
#define H5CHECK
#undef H5OPEN
#define H5OPEN

#define PW_H5_FUNCTIONS(USE) \
  USE(Aclose);               \
  USE(Acreate2);             \
  USE(Awrite);               \
  USE(Dclose);               \
  USE(Dcreate2);             \
  USE(Dget_space);           \
  USE(Dwrite);               \
  USE(Eset_auto2);           \
  USE(Fclose);               \
  USE(Fcreate);              \
  USE(Pclose);               \
  USE(Pcreate);              \
  USE(Pset_obj_track_times); \
  USE(Sclose);               \
  USE(Screate);              \
  USE(Screate_simple);       \
  USE(Sselect_hyperslab);    \
  USE(Tclose);               \
  USE(Tcopy);                \
  USE(Tset_size);            \
  USE(Tset_strpad);          \
  USE(open)

typedef struct pw_h5 {
#define PW_H5_MEMBER(name) __typeof__(H5##name) *name
  PW_H5_FUNCTIONS(PW_H5_MEMBER);
#undef PW_H5_MEMBER
  hid_t text, whole, real, data_set; /* types, and the class of properties of a data set */
} pw_h5;

/* Loads the library. PAWL_E_UNSUPPORTED: it is not there, or another one. */
PAWL_NODISCARD pawl_status pw_h5_load(pw_h5 *h5);

hid_t pw_h5_type(const pw_h5 *h5, const pw_column *c); /* the caller closes it */
/* A data set of c->count numbers or texts, without them. The caller closes it. */
hid_t pw_h5_set(const pw_h5 *h5, hid_t file, const pw_column *c);

#endif
