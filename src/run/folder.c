// SPDX-License-Identifier: MIT
/* The results folder: made or cleared at the first step; at the end its files are written beside
 * the blocks and then renamed into place, summary.json last. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "run/head.h"
#include "traj/block.h"

typedef pawl_status (*record_writer)(const pw_record *record, pw_writer *out);
typedef pawl_status (*run_writer)(const pawl_run *run, pw_writer *out);

static const struct named_file {
  const char *name;
  record_writer write; /* a format of the trajectory */
  run_writer tell;     /* about the run; both NULL: see pw_write_h5, or a file of another command */
  unsigned save;       /* 0: always written */
} files[] = {{"trajectory.csv", pw_write_trajectory_csv, NULL, 0},
             {"trajectory.npz", pw_write_npz, NULL, PAWL_SAVE_NPZ},
             {"trajectory.h5", NULL, NULL, PAWL_SAVE_H5},
             {"events.csv", pw_write_events_csv, NULL, 0},
             {"events.jsonl", pw_write_events_jsonl, NULL, 0},
             {"certificate.json", NULL, pw_write_certificate, 0},
             {"model.pawl", NULL, pw_write_model, 0},
             {"report.html", NULL, NULL, ~0u},
             {"summary.json", NULL, pw_write_summary, 0}};
enum { N_FILES = sizeof files / sizeof *files };

static bool is_wanted(const pawl_run *run, int i) {
  return files[i].save == 0 || (files[i].save != ~0u && (run->opts.save & files[i].save) != 0);
}

char *pw_folder_path(const char *dir, bool partial, const char *name) {
  size_t size = strlen(dir) + strlen(name) + sizeof "/.partial/";
  char *path = malloc(size);
  if (path != NULL) {
    snprintf(path, size, "%s/%s%s", dir, partial ? ".partial/" : "", name);
  }
  return path;
}

static pawl_status fail(pawl_diags *diags, const char *what, const char *path, int reason) {
  pw_error(diags, "E0610", PW_NO_SPAN, "cannot %s `%s`: %s", what, path, strerror(reason));
  return PAWL_E_FILE;
}

static pawl_status holds(const char *dir, const char *name, bool *found) {
  struct stat info;
  char *path = pw_folder_path(dir, false, name);
  *found = path != NULL && lstat(path, &info) == 0;
  free(path);
  return path == NULL ? PAWL_E_MEMORY : PAWL_OK;
}

/* The nearest folder above that exists must be writable; the missing ones are made later. */
static pawl_status check_parent(const char *dir, pawl_diags *diags) {
  char *path = pw_folder_path(dir, false, "");
  if (path == NULL) {
    return PAWL_E_MEMORY;
  }
  pawl_status status = PAWL_OK;
  for (;;) {
    size_t len = strlen(path);
    while (len > 0 && path[len - 1] == '/') {
      len--;
    }
    while (len > 0 && path[len - 1] != '/') {
      len--;
    }
    path[len] = '\0';
    const char *parent = len == 0 ? "." : path;
    struct stat info;
    if (stat(parent, &info) == 0) {
      if (!S_ISDIR(info.st_mode)) {
        status = fail(diags, "make a folder in", parent, ENOTDIR);
      } else if (access(parent, W_OK | X_OK) != 0) {
        status = fail(diags, "make a folder in", parent, errno);
      }
      break;
    }
    if (errno != ENOENT || len == 0) {
      status = fail(diags, "make a folder in", parent, errno);
      break;
    }
  }
  free(path);
  return status;
}

/* Another process that still writes there holds a lock on the blocks. */
static pawl_status check_lock(const char *dir, pawl_diags *diags) {
  char *path = pw_folder_path(dir, true, "blocks");
  if (path == NULL) {
    return PAWL_E_MEMORY;
  }
  int fd = open(path, O_RDWR | O_CLOEXEC);
  free(path);
  bool ours = fd < 0 || pw_partial_lock(fd);
  if (fd >= 0) {
    close(fd);
  }
  if (!ours) {
    pw_error(diags, "E0613", PW_NO_SPAN, "another run is writing to `%s`", dir);
    return PAWL_E_FILE;
  }
  return PAWL_OK;
}

pawl_status pw_folder_check(const char *dir, pawl_diags *diags) {
  struct stat info;
  if (stat(dir, &info) != 0) {
    return errno == ENOENT ? check_parent(dir, diags) : fail(diags, "write to", dir, errno);
  }
  bool done, begun;
  if (holds(dir, "summary.json", &done) != PAWL_OK || holds(dir, ".partial", &begun) != PAWL_OK) {
    return PAWL_E_MEMORY;
  }
  if (!S_ISDIR(info.st_mode) || (!done && !begun)) {
    pw_diag_ref ref =
        pw_error(diags, "E0611", PW_NO_SPAN, "`%s` is there already and is no results folder", dir);
    pw_help(ref, "choose another folder with `-o DIR`");
    return PAWL_E_FILE;
  }
  if (access(dir, W_OK | X_OK) != 0) {
    return fail(diags, "write to", dir, errno);
  }
  return check_lock(dir, diags);
}

static int make_path(char *path) {
  for (char *at = path + 1; *at != '\0'; at++) {
    if (*at == '/' && at[1] != '\0') {
      *at = '\0';
      int made = mkdir(path, 0777);
      *at = '/';
      if (made != 0 && errno != EEXIST) {
        return errno;
      }
    }
  }
  return mkdir(path, 0777) == 0 || errno == EEXIST ? 0 : errno;
}

/* Removes what is in .partial; it holds nothing but files. */
static pawl_status clear_partial(const char *dir) {
  char *path = pw_folder_path(dir, false, ".partial");
  DIR *list = path == NULL ? NULL : opendir(path);
  bool enough = path != NULL && (list != NULL || errno != ENOMEM);
  for (struct dirent *d = NULL; list != NULL && (d = readdir(list)) != NULL;) {
    char *inside = pw_folder_path(dir, true, d->d_name);
    enough = enough && inside != NULL;
    if (inside != NULL && strcmp(d->d_name, ".") != 0 && strcmp(d->d_name, "..") != 0) {
      unlink(inside);
    }
    free(inside);
  }
  if (list != NULL) {
    closedir(list);
  }
  free(path);
  return enough ? PAWL_OK : PAWL_E_MEMORY;
}

/* Files of an earlier run go; anything else in the folder is not ours. */
static pawl_status clear_folder(const char *dir) {
  pawl_status status = clear_partial(dir);
  for (int i = 0; i < N_FILES && status == PAWL_OK; i++) {
    char *path = pw_folder_path(dir, false, files[i].name);
    if (path == NULL) {
      return PAWL_E_MEMORY;
    }
    unlink(path);
    free(path);
  }
  return status;
}

/* .partial is made before anything is removed: at every instant this is a results folder. */
pawl_status pw_folder_open(pawl_run *run, pawl_diags *diags) {
  char *path = pw_folder_path(run->dir, false, ".partial");
  if (path == NULL) {
    return PAWL_E_MEMORY;
  }
  int reason = make_path(path);
  pawl_status status = reason == 0 ? PAWL_OK : fail(diags, "make the folder", path, reason);
  free(path);
  if (status == PAWL_OK) {
    status = clear_folder(run->dir);
  }
  if (status == PAWL_OK) {
    status = pw_head_write(run, diags);
  }
  return status == PAWL_OK ? pw_partial_create(run, diags) : status;
}

static int to_file(void *payload, const char *bytes, unsigned long count) {
  return fwrite(bytes, 1, count, payload) != count;
}

static pawl_status write_stream(const pawl_run *run, int i, const char *path) {
  FILE *file = fopen(path, "wb");
  if (file == NULL) {
    return PAWL_E_FILE;
  }
  pw_writer out = {.sink = to_file, .payload = file};
  pw_record record = pw_run_record(run);
  pawl_status status =
      files[i].write != NULL ? files[i].write(&record, &out) : files[i].tell(run, &out);
  if (status == PAWL_OK) {
    status = pw_buf_flush(&out.buf, out.sink, out.payload);
  }
  if (status == PAWL_OK && (fflush(file) != 0 || fsync(fileno(file)) != 0)) {
    status = PAWL_E_FILE;
  }
  int reason = errno;
  pw_buf_free(&out.buf);
  if (fclose(file) != 0 && status == PAWL_OK) {
    return PAWL_E_FILE;
  }
  errno = reason;
  return status;
}

static pawl_status write_file(const pawl_run *run, int i, pawl_diags *diags) {
  char *path = pw_folder_path(run->dir, true, files[i].name);
  if (path == NULL) {
    return PAWL_E_MEMORY;
  }
  bool is_stream = files[i].write != NULL || files[i].tell != NULL;
  pw_record record = pw_run_record(run);
  pawl_status status = is_stream ? write_stream(run, i, path) : pw_write_h5(&record, path);
  if (status != PAWL_OK) {
    int reason = errno;
    pw_error(diags, "E0610", PW_NO_SPAN, "cannot write `%s`: %s", path,
             status == PAWL_E_FILE ? strerror(reason) : pawl_status_text(status));
  }
  free(path);
  return status;
}

static pawl_status put_in_place(const pawl_run *run, int i, pawl_diags *diags) {
  char *from = pw_folder_path(run->dir, true, files[i].name);
  char *to = pw_folder_path(run->dir, false, files[i].name);
  pawl_status status = from == NULL || to == NULL ? PAWL_E_MEMORY : PAWL_OK;
  if (status == PAWL_OK && rename(from, to) != 0) {
    status = fail(diags, "write", to, errno);
  }
  free(from);
  free(to);
  return status;
}

static pawl_status remove_partial(const pawl_run *run) {
  char *path = pw_folder_path(run->dir, false, ".partial");
  pawl_status status = path == NULL ? PAWL_E_MEMORY : clear_partial(run->dir);
  if (status == PAWL_OK) {
    rmdir(path);
  }
  free(path);
  return status;
}

pawl_status pw_folder_finish(pawl_run *run, pawl_diags *diags) {
  pawl_status status = pw_partial_sync(run, diags);
  for (int i = 0; i < N_FILES && status == PAWL_OK; i++) {
    status = is_wanted(run, i) ? write_file(run, i, diags) : PAWL_OK;
  }
  for (int i = 0; i < N_FILES && status == PAWL_OK; i++) {
    status = is_wanted(run, i) ? put_in_place(run, i, diags) : PAWL_OK;
  }
  if (status == PAWL_OK) {
    status = remove_partial(run);
    pw_partial_close(run);
  }
  return status;
}
