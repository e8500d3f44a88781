// SPDX-License-Identifier: MIT
#include "write/formats.h"

#ifdef PW_HAVE_HDF5

#include <string.h>

#include "base/module.h"
#include "write/hdf5_set.h"

/* ISO C converts no address of an object to one of a function; POSIX guarantees that they are
 * alike. */
static bool find(void *module, const char *name, void *function, size_t size) {
  void *address = pw_module_symbol(module, name);
  memcpy(function, &address, size);
  return address != NULL;
}

static hid_t number(void *module, const char *name) {
  const hid_t *at = pw_module_symbol(module, name);
  return at == NULL ? -1 : *at;
}

pawl_status pw_h5_load(pw_h5 *h5) {
  *h5 = (pw_h5){0};
  void *module = pw_module_open(PW_HDF5_SONAME);
  bool ok = module != NULL;
#define FIND(name) ok = ok && find(module, "H5" #name, &h5->name, sizeof h5->name)
  PW_H5_FUNCTIONS(FIND);
#undef FIND
  if (!ok || h5->open() < 0) {
    return PAWL_E_UNSUPPORTED;
  }
  h5->text = number(module, "H5T_C_S1_g");
  h5->whole = number(module, "H5T_NATIVE_LLONG_g");
  h5->real = number(module, "H5T_NATIVE_DOUBLE_g");
  h5->data_set = number(module, "H5P_CLS_DATASET_CREATE_ID_g");
  bool known = h5->text >= 0 && h5->whole >= 0 && h5->real >= 0 && h5->data_set >= 0;
  return known ? PAWL_OK : PAWL_E_UNSUPPORTED;
}

bool pw_can_write_h5(void) {
  pw_h5 h5;
  return pw_h5_load(&h5) == PAWL_OK;
}

#else

bool pw_can_write_h5(void) {
  return false;
}

#endif
