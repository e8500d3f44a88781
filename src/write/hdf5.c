// SPDX-License-Identifier: MIT
/* trajectory.h5: one data set per column. Object times are not stored, so equal runs give equal
 * bytes. Without HDF5 in the build there is a clear refusal instead. */
#include "write/arrays.h"

#ifdef PW_HAVE_HDF5

#include <errno.h>
#include <hdf5.h>

bool pw_can_write_h5(void) {
  return true;
}

static hid_t stored_type(const pw_column *c) {
  if (c->type == PW_COLUMN_TEXT) {
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, (size_t)c->width);
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    return type;
  }
  return H5Tcopy(c->type == PW_COLUMN_INT ? H5T_NATIVE_LLONG : H5T_NATIVE_DOUBLE);
}

static pawl_status put_set(void *payload, const pw_column *c) {
  hid_t file = *(const hid_t *)payload;
  hsize_t count = (hsize_t)c->count;
  hid_t type = stored_type(c);
  hid_t space = H5Screate_simple(1, &count, NULL);
  hid_t create = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_obj_track_times(create, 0);
  hid_t set = H5Dcreate2(file, c->name, type, space, H5P_DEFAULT, create, H5P_DEFAULT);
  herr_t done = set < 0 ? -1 : 0;
  if (set >= 0 && count > 0) {
    done = H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, c->data);
  }
  if (set >= 0) {
    H5Dclose(set);
  }
  H5Pclose(create);
  H5Sclose(space);
  H5Tclose(type);
  return done < 0 ? PAWL_E_FILE : PAWL_OK;
}

pawl_status pw_write_h5(const pw_record *record, const char *path) {
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* its own messages would go to standard error */
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  if (file < 0) {
    return PAWL_E_FILE;
  }
  pawl_status status = pw_columns_each(record, put_set, &file);
  if (H5Fclose(file) < 0 && status == PAWL_OK) {
    errno = EIO;
    status = PAWL_E_FILE;
  }
  return status;
}

#else

bool pw_can_write_h5(void) {
  return false;
}

pawl_status pw_write_h5(const pw_record *record, const char *path) {
  (void)record;
  (void)path;
  return PAWL_E_UNSUPPORTED;
}

#endif
