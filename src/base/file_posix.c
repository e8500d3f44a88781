// SPDX-License-Identifier: MIT
/* Files by POSIX; with thread_posix.c the only source of the library that includes its headers. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"

static int last_error(void) {
  return errno == ENOMEM ? PW_FILE_MEMORY : pw_file_last_error();
}

bool pw_file_is_missing(int reason) {
  return reason == ENOENT;
}

bool pw_file_exists_already(int reason) {
  return reason == EEXIST;
}

bool pw_file_is_not_empty(int reason) {
  return reason == ENOTEMPTY || reason == EEXIST;
}

/* ---- opening ---- */

static int refuse_special(mode_t mode) {
  return S_ISREG(mode)                    ? 0
         : S_ISDIR(mode)                  ? EISDIR
         : S_ISFIFO(mode)                 ? PW_FILE_PIPE
         : S_ISSOCK(mode)                 ? PW_FILE_SOCKET
         : S_ISCHR(mode) || S_ISBLK(mode) ? PW_FILE_DEVICE
                                          : PW_FILE_STRANGE;
}

/* O_NONBLOCK: opening a pipe without a writer does not wait. The kind of the path is checked first,
 * because opening some devices has side effects, and then again for the open file. */
static int open_regular(const char *path, int flags, int *fd) {
  struct stat info;
  *fd = -1;
  bool known = stat(path, &info) == 0;
  int reason = known ? refuse_special(info.st_mode) : errno == ENOENT ? 0 : last_error();
  if (reason != 0) {
    return reason;
  }
  int opened = open(path, flags | O_CLOEXEC | O_NONBLOCK, 0666);
  if (opened < 0) {
    return errno == ELOOP && (flags & O_NOFOLLOW) != 0 ? PW_FILE_LINK : last_error();
  }
  reason = fstat(opened, &info) != 0 ? last_error() : refuse_special(info.st_mode);
  if (reason != 0) {
    close(opened);
    return reason;
  }
  *fd = opened;
  return 0;
}

static int stream_on(int fd, const char *mode, FILE **out) {
  errno = 0;
  *out = fdopen(fd, mode);
  if (*out == NULL) {
    int reason = last_error();
    close(fd);
    return reason;
  }
  return 0;
}

int pw_file_stream(const char *path, FILE **out) {
  int fd;
  *out = NULL;
  int reason = open_regular(path, O_RDONLY, &fd);
  return reason != 0 ? reason : stream_on(fd, "rb", out);
}

int pw_file_open(const char *path, pw_file_mode mode, pw_file *out) {
  static const int flags[] = {[PW_FILE_READ] = O_RDONLY,
                              [PW_FILE_CHANGE] = O_RDWR | O_NOFOLLOW,
                              [PW_FILE_KEEP] = O_RDWR | O_CREAT | O_NOFOLLOW,
                              [PW_FILE_EMPTY] = O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW};
  return open_regular(path, flags[mode], &out->fd);
}

int pw_file_stream_out(const char *path, FILE **out) {
  pw_file file;
  *out = NULL;
  int reason = pw_file_open(path, PW_FILE_EMPTY, &file);
  return reason != 0 ? reason : stream_on(file.fd, "wb", out);
}

int pw_file_stream_close(FILE *stream, bool lasting) {
  errno = 0;
  bool done = fflush(stream) == 0 && (!lasting || fsync(fileno(stream)) == 0);
  int reason = done ? 0 : last_error();
  if (fclose(stream) != 0 && reason == 0) {
    reason = last_error();
  }
  return reason;
}

bool pw_file_is_open(const pw_file *f) {
  return f->fd >= 0;
}

void pw_file_close(pw_file *f) {
  if (f->fd >= 0) {
    close(f->fd);
  }
  f->fd = -1;
}

bool pw_file_same(const char *a, const char *b) {
  struct stat x, y;
  return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* ---- random access ---- */

int pw_file_size(const pw_file *f, int64_t *out) {
  struct stat info;
  if (fstat(f->fd, &info) != 0) {
    return last_error();
  }
  *out = (int64_t)info.st_size;
  return 0;
}

/* Whether the type of file offsets of this system can hold the end of the range. */
static bool has_offset(int64_t at, size_t count) {
  const int64_t most = sizeof(off_t) < sizeof(int64_t) ? INT32_MAX : INT64_MAX;
  return at >= 0 && at <= most && (uint64_t)count <= (uint64_t)(most - at);
}

int pw_file_write_at(const pw_file *f, const void *bytes, size_t count, int64_t at) {
  const char *from = bytes;
  if (!has_offset(at, count)) {
    return EFBIG;
  }
  while (count > 0) {
    ssize_t n = pwrite(f->fd, from, count, (off_t)at);
    if (n < 0 && errno == EINTR) {
      continue;
    }
    if (n <= 0) {
      return n < 0 ? last_error() : PW_FILE_FAILED;
    }
    from += n;
    at += n;
    count -= (size_t)n;
  }
  return 0;
}

int pw_file_read_at(const pw_file *f, void *bytes, size_t count, int64_t at) {
  char *to = bytes;
  if (!has_offset(at, count)) {
    return EFBIG;
  }
  while (count > 0) {
    ssize_t n = pread(f->fd, to, count, (off_t)at);
    if (n < 0 && errno == EINTR) {
      continue;
    }
    if (n <= 0) {
      return n < 0 ? last_error() : PW_FILE_FAILED;
    }
    to += n;
    at += n;
    count -= (size_t)n;
  }
  return 0;
}

int pw_file_cut(const pw_file *f, int64_t size) {
  if (!has_offset(size, 0)) {
    return EFBIG;
  }
  return ftruncate(f->fd, (off_t)size) == 0 ? 0 : last_error();
}

int pw_file_sync(const pw_file *f) {
  return fsync(f->fd) == 0 ? 0 : last_error();
}

int pw_file_lock(const pw_file *f) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  bool held = fcntl(f->fd, F_SETLK, &lock) != 0 && (errno == EACCES || errno == EAGAIN);
  return held ? PW_FILE_LOCKED : 0;
}

/* ---- names and folders ---- */

static pw_path_kind kind_of(mode_t mode) {
  return S_ISREG(mode)   ? PW_PATH_FILE
         : S_ISDIR(mode) ? PW_PATH_FOLDER
         : S_ISLNK(mode) ? PW_PATH_LINK
                         : PW_PATH_OTHER;
}

pw_path_kind pw_path_look(const char *path) {
  struct stat info;
  return lstat(path, &info) == 0 ? kind_of(info.st_mode) : PW_PATH_NONE;
}

pw_path_kind pw_path_target(const char *path, int *reason) {
  struct stat info;
  bool found = stat(path, &info) == 0;
  if (reason != NULL) {
    *reason = found ? 0 : last_error();
  }
  return found ? kind_of(info.st_mode) : PW_PATH_NONE;
}

int pw_path_remove(const char *path) {
  return unlink(path) == 0 ? 0 : last_error();
}

int pw_dir_make(const char *path) {
  return mkdir(path, 0777) == 0 ? 0 : last_error();
}

int pw_dir_remove(const char *path) {
  return rmdir(path) == 0 ? 0 : last_error();
}

int pw_dir_check_writable(const char *path) {
  struct stat info;
  if (stat(path, &info) != 0) {
    return last_error();
  }
  if (!S_ISDIR(info.st_mode)) {
    return ENOTDIR;
  }
  return access(path, W_OK | X_OK) == 0 ? 0 : last_error();
}

int pw_dir_lock(const char *path, pw_file *out) {
  *out = PW_FILE_CLOSED;
  int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) {
    return last_error();
  }
  if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    close(fd);
    return PW_FILE_LOCKED;
  }
  out->fd = fd;
  return 0;
}

int pw_dir_each(const char *path, bool (*each)(void *payload, const char *name), void *payload) {
  DIR *list = opendir(path);
  if (list == NULL) {
    return last_error();
  }
  bool more = true;
  for (struct dirent *d = NULL; more && (d = readdir(list)) != NULL;) {
    if (strcmp(d->d_name, ".") != 0 && strcmp(d->d_name, "..") != 0) {
      more = each(payload, d->d_name);
    }
  }
  closedir(list);
  return 0;
}

double pw_clock_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
