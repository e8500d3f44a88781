// SPDX-License-Identifier: MIT
/* ISO C loads no libraries, and runs no code that is data. */
#include "base/module.h"

#include <stdlib.h>

void *pw_module_open(const char *file) {
  (void)file;
  return NULL;
}

void *pw_module_symbol(void *module, const char *name) {
  (void)module;
  (void)name;
  return NULL;
}

void *pw_pages_new(size_t size) {
  return calloc(1, size);
}

void pw_pages_free(void *memory) {
  free(memory);
}

void *pw_code_map(const unsigned char *bytes, size_t count) {
  (void)bytes;
  (void)count;
  return NULL;
}

void pw_code_unmap(void *code, size_t count) {
  (void)code;
  (void)count;
}
