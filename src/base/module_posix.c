// SPDX-License-Identifier: MIT
#define _DEFAULT_SOURCE /* memory that is no file: POSIX has it since 2024 only */
#include "base/module.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
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

/* ---- pages ---- */

/* Each block begins with its size, if it has pages of its own, or 0. Blocks of less than MANY bytes
 * are not worth them. Sanitizers know what calloc gave. */
enum { HEAD = 64, MANY = 1 << 20 };

#if defined(__SANITIZE_ADDRESS__)
static const bool maps = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
static const bool maps = false;
#else
static const bool maps = true;
#endif
#else
static const bool maps = true;
#endif

void *pw_pages_new(size_t size) {
  if (size > SIZE_MAX - HEAD) {
    return NULL;
  }
  size += HEAD;
  if (!maps || size < MANY) {
    unsigned char *block = calloc(1, size);
    return block == NULL ? NULL : block + HEAD;
  }
  unsigned char *block =
      mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED) {
    return NULL;
  }
  memcpy(block, &size, sizeof size);
  return block + HEAD;
}

void pw_pages_free(void *memory) {
  if (memory == NULL) {
    return;
  }
  unsigned char *block = (unsigned char *)memory - HEAD;
  size_t size;
  memcpy(&size, block, sizeof size);
  if (size == 0) {
    free(block);
  } else {
    munmap(block, size);
  }
}
