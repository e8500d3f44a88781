// SPDX-License-Identifier: MIT
/* ISO C knows no libraries and no machine code. */
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

bool pw_machine_code_new(const void *bytes, size_t size, pw_machine_code *out) {
  (void)bytes;
  (void)size;
  *out = (pw_machine_code){0};
  return false;
}

void pw_machine_code_free(pw_machine_code *code) {
  *code = (pw_machine_code){0};
}
