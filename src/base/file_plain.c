// SPDX-License-Identifier: MIT
/* Files without POSIX: uses the C library, and refuses everything else. */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "base/file.h"

bool pw_file_is_missing(int reason) {
  (void)reason;
  return false; /* the C library does not provide it */
}

bool pw_file_exists_already(int reason) {
  (void)reason;
  return false;
}

bool pw_file_is_not_empty(int reason) {
  (void)reason;
  return false;
}

static int open_stream(const char *path, const char *mode, FILE **out) {
  errno = 0;
  *out = fopen(path, mode);
  return *out == NULL ? pw_file_last_error() : 0;
}

int pw_file_stream(const char *path, FILE **out) {
  return open_stream(path, "rb", out);
}

int pw_file_stream_out(const char *path, FILE **out) {
  return open_stream(path, "wb", out);
}

int pw_file_stream_close(FILE *stream, bool lasting) {
  (void)lasting;
  errno = 0;
  return fclose(stream) == 0 ? 0 : pw_file_last_error();
}

bool pw_file_same(const char *a, const char *b) {
  return strcmp(a, b) == 0;
}

bool pw_file_is_open(const pw_file *f) {
  (void)f;
  return false;
}

void pw_file_close(pw_file *f) {
  f->fd = -1;
}

int pw_file_open(const char *path, pw_file_mode mode, pw_file *out) {
  (void)path;
  (void)mode;
  out->fd = -1;
  return PW_FILE_UNSUPPORTED;
}

int pw_file_size(const pw_file *f, int64_t *out) {
  (void)f;
  *out = 0;
  return PW_FILE_UNSUPPORTED;
}

int pw_file_write_at(const pw_file *f, const void *bytes, size_t count, int64_t at) {
  (void)f;
  (void)bytes;
  (void)count;
  (void)at;
  return PW_FILE_UNSUPPORTED;
}

int pw_file_read_at(const pw_file *f, void *bytes, size_t count, int64_t at) {
  (void)f;
  (void)bytes;
  (void)count;
  (void)at;
  return PW_FILE_UNSUPPORTED;
}

int pw_file_cut(const pw_file *f, int64_t size) {
  (void)f;
  (void)size;
  return PW_FILE_UNSUPPORTED;
}

int pw_file_sync(const pw_file *f) {
  (void)f;
  return PW_FILE_UNSUPPORTED;
}

int pw_file_lock(const pw_file *f) {
  (void)f;
  return PW_FILE_UNSUPPORTED;
}

int pw_path_remove(const char *path) {
  (void)path;
  return PW_FILE_UNSUPPORTED;
}

int pw_dir_make(const char *path) {
  (void)path;
  return PW_FILE_UNSUPPORTED;
}

int pw_dir_remove(const char *path) {
  (void)path;
  return PW_FILE_UNSUPPORTED;
}

int pw_dir_check_writable(const char *path) {
  (void)path;
  return PW_FILE_UNSUPPORTED;
}

int pw_dir_lock(const char *path, pw_file *out) {
  (void)path;
  *out = PW_FILE_CLOSED;
  return PW_FILE_UNSUPPORTED;
}

int pw_dir_each(const char *path, bool (*each)(void *payload, const char *name), void *payload) {
  (void)path;
  (void)each;
  (void)payload;
  return PW_FILE_UNSUPPORTED;
}

pw_path_kind pw_path_look(const char *path) {
  (void)path;
  return PW_PATH_NONE;
}

pw_path_kind pw_path_target(const char *path, int *reason) {
  (void)path;
  if (reason != NULL) {
    *reason = PW_FILE_UNSUPPORTED;
  }
  return PW_PATH_NONE;
}

double pw_clock_seconds(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
