// SPDX-License-Identifier: MIT
#define _DEFAULT_SOURCE /* memory that is no file: POSIX has it since 2024 only */
#include "base/module.h"

#include <dlfcn.h>
#include <string.h>
#include <sys/mman.h>

void *pw_module_open(const char *file) {
  return dlopen(file, RTLD_NOW | RTLD_LOCAL);
}

void *pw_module_symbol(void *module, const char *name) {
  return dlsym(module, name);
}

void *pw_code_map(const unsigned char *bytes, size_t count) {
  void *code = mmap(NULL, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (code == MAP_FAILED) {
    return NULL;
  }
  memcpy(code, bytes, count);
  if (mprotect(code, count, PROT_READ | PROT_EXEC) != 0) {
    munmap(code, count);
    return NULL;
  }
  return code;
}

void pw_code_unmap(void *code, size_t count) {
  if (code != NULL) {
    munmap(code, count);
  }
}
