// SPDX-License-Identifier: MIT
/* ISO C loads no libraries. */
#include <stddef.h>

#include "base/module.h"

void *pw_module_open(const char *file) {
  (void)file;
  return NULL;
}

void *pw_module_symbol(void *module, const char *name) {
  (void)module;
  (void)name;
  return NULL;
}
