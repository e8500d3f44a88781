// SPDX-License-Identifier: MIT
/* Runs a fuzz target on files and on all files of folders, and on damaged forms of each: cut short,
 * and with single bytes changed. A crash ends the program; arriving at the end is success. Of the
 * damaged forms a sample is tried, other ones of each file; all with PAWL_CAMPAIGN in the
 * environment
 * (`make campaign`). */
#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz.h"

enum { LARGEST = 1 << 20, CUTS = 16, CHANGES = 32, SHARE = 24 };

static int files;
static size_t share = SHARE; /* one in so many damaged forms is tried */

/* The same for the same name, wherever the file is. */
static size_t number_of(const char *path) {
  const char *name = strrchr(path, '/');
  size_t sum = 0;
  for (name = name == NULL ? path : name + 1; *name != '\0'; name++) {
    sum = 31 * sum + (unsigned char)*name;
  }
  return sum;
}

static void run_damaged(const uint8_t *data, size_t size, size_t first) {
  static const uint8_t bytes[] = {0, '\n', '(', ')', '\'', '"', ',', '[', 0xC3, 0xFF, '9', '^'};
  uint8_t *copy = malloc(size + 1);
  if (copy == NULL) {
    return;
  }
  for (size_t k = first % share; k < CUTS; k += share) {
    LLVMFuzzerTestOneInput(data, size * k / CUTS);
  }
  for (size_t k = first % share; k < CHANGES && size > 0; k += share) {
    memcpy(copy, data, size);
    copy[size * k / CHANGES] = bytes[k % sizeof bytes];
    LLVMFuzzerTestOneInput(copy, size);
  }
  free(copy);
}

static void run_file(const char *path) {
  FILE *f = fopen(path, "rb");
  uint8_t *data = f == NULL ? NULL : malloc(LARGEST);
  if (data != NULL) {
    size_t size = fread(data, 1, LARGEST, f);
    LLVMFuzzerTestOneInput(data, size);
    run_damaged(data, size, number_of(path));
    files++;
  }
  free(data);
  if (f != NULL) {
    fclose(f);
  }
}

static void run_path(const char *path) {
  struct stat info;
  if (stat(path, &info) != 0) {
    return;
  }
  if (!S_ISDIR(info.st_mode)) {
    run_file(path);
    return;
  }
  DIR *folder = opendir(path);
  for (struct dirent *e; folder != NULL && (e = readdir(folder)) != NULL;) {
    char inner[4096];
    int len = snprintf(inner, sizeof inner, "%s/%s", path, e->d_name);
    if (e->d_name[0] != '.' && len > 0 && (size_t)len < sizeof inner) {
      run_file(inner);
    }
  }
  if (folder != NULL) {
    closedir(folder);
  }
}

int main(int argc, char **argv) {
  share = getenv("PAWL_CAMPAIGN") == NULL ? SHARE : 1;
  LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
  for (int i = 1; i < argc; i++) {
    run_path(argv[i]);
  }
  printf("%d files replayed\n1 passed, 0 failed\n", files);
  return 0;
}
