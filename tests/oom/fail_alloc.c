// SPDX-License-Identifier: MIT
/* Preloaded into a program it refuses one allocation, or all from one on:
 *   LD_PRELOAD=liboom_fail.so OOM_AT=17 OOM_ALL=0 OOM_LOG=file pawl ...
 * Calls of the program and of the C library count, from main on (with OOM_OURS those of the program
 * alone: HDF5 does not survive a C library without memory). At the end the log holds the number of
 * calls and the place of the one refused. */
#define _GNU_SOURCE
#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

typedef struct range { /* addresses of the code of one library */
  uintptr_t begin, end;
} range;

static range ours[2]; /* the program, the C library */
static uintptr_t base;
static long first;
static int all, armed, libraries = 1;
static const char *log_path;
static atomic_long calls;
static atomic_uintptr_t refused;

static int look(struct dl_phdr_info *info, size_t size, void *payload) {
  (void)size;
  int *number = payload;
  int is_program = (*number)++ == 0, is_libc = strstr(info->dlpi_name, "/libc.so") != NULL;
  for (int i = 0; (is_program || is_libc) && i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    if (part->p_type == PT_LOAD && (part->p_flags & PF_X) != 0) {
      uintptr_t begin = info->dlpi_addr + part->p_vaddr;
      ours[is_libc] = (range){begin, begin + part->p_memsz};
    }
  }
  if (is_program) {
    base = info->dlpi_addr;
  }
  return 0;
}

__attribute__((constructor)) static void arm(void) {
  const char *at = getenv("OOM_AT"), *from = getenv("OOM_ALL");
  log_path = getenv("OOM_LOG");
  if (at != NULL && log_path != NULL) {
    first = atol(at);
    all = from != NULL && from[0] == '1';
    libraries = getenv("OOM_OURS") == NULL ? 2 : 1;
    int number = 0;
    dl_iterate_phdr(look, &number);
    armed = 1;
  }
}

__attribute__((destructor)) static void report(void) {
  if (armed) {
    armed = 0;
    FILE *log = fopen(log_path, "w");
    if (log != NULL) {
      fprintf(log, "%ld %#lx\n", calls, (unsigned long)refused);
      fclose(log);
    }
  }
}

static int refuse(void *from) {
  uintptr_t caller = (uintptr_t)from;
  int counts = 0;
  for (int i = 0; armed && i < libraries; i++) {
    counts |= caller >= ours[i].begin && caller < ours[i].end;
  }
  long number = counts ? ++calls : 0;
  if (first > 0 && (number == first || (all && number > first))) {
    refused = refused != 0 ? refused : caller - base;
    errno = ENOMEM;
    return 1;
  }
  return 0;
}

void *malloc(size_t size) {
  return refuse(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  return refuse(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
  return refuse(__builtin_return_address(0)) ? NULL : __libc_realloc(old, size);
}
