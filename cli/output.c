// SPDX-License-Identifier: MIT
/* A file that is written as a whole: a temporary one beside it takes its place at the end. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

bool cli_is_same(const char *command, const char *input, const char *output) {
  struct stat x, y;
  bool same = output != NULL && stat(input, &x) == 0 && stat(output, &y) == 0 &&
              S_ISREG(x.st_mode) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
  if (same) {
    cli_usage_error(command, "writing `%s` would replace a file that is read", output);
  }
  return same;
}

bool cli_is_input(const char *command, const pawl_model *model, const char *path) {
  const char *input;
  bool same = false;
  for (int i = 0; !same && (input = pawl_model_file(model, i)) != NULL; i++) {
    same = cli_is_same(command, input, path);
  }
  return same;
}

void cli_file_drop(cli_file *file) {
  if (file->stream != NULL) {
    fclose(file->stream);
  }
  if (file->temporary != NULL) {
    unlink(file->temporary);
  }
  free(file->temporary);
}

static bool fail(cli_file *file) {
  fprintf(stderr, "error: cannot write `%s`: %s\n", file->path, strerror(errno));
  cli_file_drop(file);
  return false;
}

static mode_t usual_mode(void) {
  mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

bool cli_file_begin(cli_file *file, const char *path) {
  struct stat info;
  *file = (cli_file){.path = path};
  if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
    errno = EISDIR;
    return fail(file);
  }
  if (cli_is_special(path)) { /* a device or a pipe stays what it is */
    file->stream = fopen(path, "wb");
    return file->stream != NULL || fail(file);
  }
  size_t room = strlen(path) + sizeof ".XXXXXX";
  char *name = cli_enough(malloc(room));
  snprintf(name, room, "%s.XXXXXX", path);
  int fd = mkstemp(name);
  if (fd < 0) {
    int why = errno;
    free(name);
    errno = why;
    return fail(file);
  }
  file->temporary = name;
  file->stream = fdopen(fd, "wb");
  return (file->stream != NULL && fchmod(fd, usual_mode()) == 0) || fail(file);
}

bool cli_file_end(cli_file *file, pawl_status status) {
  if (status == PAWL_E_MEMORY) {
    errno = ENOMEM;
  }
  if (status != PAWL_OK || fflush(file->stream) != 0 || ferror(file->stream)) {
    return fail(file);
  }
  int closed = fclose(file->stream);
  file->stream = NULL;
  if (closed != 0 || (file->temporary != NULL && rename(file->temporary, file->path) != 0)) {
    return fail(file);
  }
  free(file->temporary);
  return true;
}
