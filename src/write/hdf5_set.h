// SPDX-License-Identifier: MIT
/* Data sets of HDF5 files. Included where PW_HAVE_HDF5 is defined. */
#ifndef PW_WRITE_HDF5_SET_H
#define PW_WRITE_HDF5_SET_H

#include <hdf5.h>

#include "write/arrays.h"

hid_t pw_h5_type(const pw_column *c); /* the caller closes it */
/* A data set of c->count numbers or texts, without them. The caller closes it. */
hid_t pw_h5_set(hid_t file, const pw_column *c);

#endif
