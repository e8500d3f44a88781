// SPDX-License-Identifier: MIT
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include <dlfcn.h>
#include <string.h>
#include <sys/mman.h>

#include "base/module.h"

void *pw_module_open(const char *file) {
  return dlopen(file, RTLD_NOW | RTLD_LOCAL);
}

void *pw_module_symbol(void *module, const char *name) {
  return dlsym(module, name);
}

bool pw_machine_code_new(const void *bytes, size_t size, pw_machine_code *out) {
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  *out = (pw_machine_code){0};
  if (memory == MAP_FAILED) {
    return false;
  }
  memcpy(memory, bytes, size);
  if (mprotect(memory, size, PROT_READ | PROT_EXEC) != 0) {
    munmap(memory, size);
    return false;
  }
  *out = (pw_machine_code){memory, size};
  return true;
}

void pw_machine_code_free(pw_machine_code *code) {
  if (code->memory != NULL) {
    munmap(code->memory, code->size);
  }
  *code = (pw_machine_code){0};
}
