// SPDX-License-Identifier: MIT
#include <dlfcn.h>

#include "base/module.h"

void *pw_module_open(const char *file) {
  return dlopen(file, RTLD_NOW | RTLD_LOCAL);
}

void *pw_module_symbol(void *module, const char *name) {
  return dlsym(module, name);
}
