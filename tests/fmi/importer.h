// SPDX-License-Identifier: MIT
/* What both importers need: checks, and functions of a shared object. */
#ifndef FMI_IMPORTER_H
#define FMI_IMPORTER_H

#include <dlfcn.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int passed, failed, messages;
static char last_message[1200];

static void check(bool ok, const char *what, int line) {
  if (!ok) {
    printf("line %d: FAILED %s\n", line, what);
  }
  passed += ok;
  failed += !ok;
}
#define CHECK(x) check((x), #x, __LINE__)
#define NEAR(x, wanted, tol) check(fabs((x) - (wanted)) <= (tol), #x " is " #wanted, __LINE__)

static void *open_unit(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    printf("FAILED: %s\n", dlerror());
    exit(1);
  }
  return library;
}

static void *symbol(void *library, const char *name) {
  void *found = dlsym(library, name);
  if (found == NULL) {
    printf("FAILED: no function %s\n", name);
    exit(1);
  }
  return found;
}

#endif
