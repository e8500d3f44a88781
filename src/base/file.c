// SPDX-License-Identifier: MIT
/* The part that needs the C library only. */
#include "base/file.h"

#include <errno.h>
#include <string.h>

/* ---- reasons ---- */

const char *pw_file_reason(int reason) {
  switch (reason) {
  case PW_FILE_UNSUPPORTED: return "this build of Pawl has no access to folders";
  case PW_FILE_LOCKED: return "another process is writing to it";
  case PW_FILE_TOO_LARGE: return "it is too large";
  case PW_FILE_PIPE: return "it is a pipe, not a regular file";
  case PW_FILE_SOCKET: return "it is a socket, not a regular file";
  case PW_FILE_DEVICE: return "it is a device, not a regular file";
  case PW_FILE_STRANGE: return "it is not a regular file";
  case PW_FILE_LINK: return "it is a symbolic link";
  case PW_FILE_MEMORY: return "out of memory";
  case PW_FILE_FAILED: return "the system gives no reason";
  default: return strerror(reason);
  }
}

int pw_file_last_error(void) {
  return errno != 0 ? errno : PW_FILE_FAILED;
}

pawl_status pw_file_status(int reason) {
  return reason == 0                     ? PAWL_OK
         : reason == PW_FILE_MEMORY      ? PAWL_E_MEMORY
         : reason == PW_FILE_UNSUPPORTED ? PAWL_E_UNSUPPORTED
                                         : PAWL_E_FILE;
}

static int read_stream(FILE *file, size_t most, pw_buf *out) {
  char block[16384];
  size_t n;
  while ((n = fread(block, 1, sizeof block, file)) > 0) {
    if (n > most) {
      return PW_FILE_TOO_LARGE;
    }
    most -= n;
    pw_buf_add(out, block, n);
    if (out->failed) {
      return PW_FILE_MEMORY;
    }
  }
  if (ferror(file)) {
    return pw_file_last_error();
  }
  pw_buf_add(out, "", 0);
  return out->failed ? PW_FILE_MEMORY : 0;
}

int pw_file_read_all(const char *path, size_t most, pw_buf *out) {
  FILE *file;
  int reason = pw_file_stream(path, &file);
  if (reason != 0) {
    return reason;
  }
  reason = read_stream(file, most, out);
  fclose(file);
  return reason;
}

int pw_path_rename(const char *from, const char *to) {
  errno = 0;
  return rename(from, to) == 0 ? 0 : pw_file_last_error();
}
