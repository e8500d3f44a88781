// SPDX-License-Identifier: MIT
/* Files, folders and the clock of the system. file_posix.c and thread_posix.c are the only sources
 * of the library that include POSIX headers. A build without POSIX (PAWL_POSIX=OFF) takes
 * file_plain.c in its place and reads files through the C library; the functions for folders, locks
 * and random access then return PW_FILE_UNSUPPORTED.
 *
 * Functions that can fail return 0 or a reason: a positive errno of the system or one of the
 * negative values below. pw_file_reason turns it into words. */
#ifndef PW_BASE_FILE_H
#define PW_BASE_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/buf.h"

enum {
  PW_FILE_UNSUPPORTED = -1, /* this build has no POSIX */
  PW_FILE_LOCKED = -2,      /* another process holds the lock */
  PW_FILE_TOO_LARGE = -3,   /* above the limit of the caller */
  PW_FILE_PIPE = -4,        /* the four kinds that are no regular file and no folder */
  PW_FILE_SOCKET = -5,
  PW_FILE_DEVICE = -6,
  PW_FILE_STRANGE = -7,
  PW_FILE_LINK = -8, /* a symbolic link where none is followed */
  PW_FILE_MEMORY = -9,
  PW_FILE_FAILED = -10 /* the system gives no reason */
};

/* Words after "cannot read `...`: ". */
const char *pw_file_reason(int reason);
bool pw_file_is_missing(int reason);
bool pw_file_exists_already(int reason);
bool pw_file_is_not_empty(int reason); /* a folder that was to be removed */
int pw_file_last_error(void);          /* of the last call to the C library that failed */
/* PAWL_E_MEMORY, PAWL_E_UNSUPPORTED or PAWL_E_FILE; PAWL_OK for 0. */
pawl_status pw_file_status(int reason);

/* ---- reading ---- */

/* Opens a regular file as a stream. A pipe, socket, device or folder is refused and never waited
 * for. The caller calls fclose. */
PAWL_NODISCARD int pw_file_stream(const char *path, FILE **out);
/* Appends a regular file of at most `most` bytes to the buffer; it is then NUL-terminated. */
PAWL_NODISCARD int pw_file_read_all(const char *path, size_t most, pw_buf *out);
/* Whether two paths name one file that exists. */
bool pw_file_same(const char *a, const char *b);

/* ---- random access ---- */

typedef struct pw_file {
  int fd; /* -1: not open */
} pw_file;
#define PW_FILE_CLOSED ((pw_file){-1})

typedef enum pw_file_mode {
  PW_FILE_READ,   /* an existing file */
  PW_FILE_CHANGE, /* an existing file, to read and write */
  PW_FILE_KEEP,   /* to read and write, made if it is missing */
  PW_FILE_EMPTY   /* to read and write, made or emptied */
} pw_file_mode;

/* Regular files only. A symbolic link as the last part of the path is refused, except for
 * PW_FILE_READ: nothing outside of the folder may be changed through it. */
PAWL_NODISCARD int pw_file_open(const char *path, pw_file_mode mode, pw_file *out);
bool pw_file_is_open(const pw_file *f);
void pw_file_close(pw_file *f); /* also if it is not open */
PAWL_NODISCARD int pw_file_size(const pw_file *f, int64_t *out);
PAWL_NODISCARD int pw_file_write_at(const pw_file *f, const void *bytes, size_t count, int64_t at);
/* All of the bytes, or a reason; the end of the file is one. */
PAWL_NODISCARD int pw_file_read_at(const pw_file *f, void *bytes, size_t count, int64_t at);
/* Makes the file `size` bytes long. */
PAWL_NODISCARD int pw_file_cut(const pw_file *f, int64_t size);
/* Returns after the disk has the data. */
PAWL_NODISCARD int pw_file_sync(const pw_file *f);
/* Locks the file against other processes, without waiting; released by pw_file_close. A file system
 * without locks gives 0. */
PAWL_NODISCARD int pw_file_lock(const pw_file *f);

/* A stream for writing: the file is made or emptied; links and special files as pw_file_open. */
PAWL_NODISCARD int pw_file_stream_out(const char *path, FILE **out);
/* Flushes the stream and closes it, in any case; `lasting`: waits for the disk before. */
PAWL_NODISCARD int pw_file_stream_close(FILE *stream, bool lasting);

/* ---- names and folders ---- */

typedef enum pw_path_kind {
  PW_PATH_NONE, /* missing, or it cannot be examined */
  PW_PATH_FILE,
  PW_PATH_FOLDER,
  PW_PATH_LINK,
  PW_PATH_OTHER
} pw_path_kind;

/* Kind of the path itself; a link is PW_PATH_LINK. */
pw_path_kind pw_path_look(const char *path);
/* Kind of its target, through links; *reason (may be NULL) is why it is PW_PATH_NONE. */
pw_path_kind pw_path_target(const char *path, int *reason);
PAWL_NODISCARD int pw_path_rename(const char *from, const char *to);
PAWL_NODISCARD int pw_path_remove(const char *path); /* a file or a link */
PAWL_NODISCARD int pw_dir_make(const char *path);    /* one folder; its parent exists */
PAWL_NODISCARD int pw_dir_remove(const char *path);  /* an empty folder */
/* 0: files can be made in this folder. */
PAWL_NODISCARD int pw_dir_check_writable(const char *path);
/* Locks the folder against all others, threads of this process too, without waiting; as
 * pw_file_lock. */
PAWL_NODISCARD int pw_dir_lock(const char *path, pw_file *out);
/* Calls `each` for every name but `.` and `..`, in no order; false from it ends the loop. */
PAWL_NODISCARD int pw_dir_each(const char *path, bool (*each)(void *payload, const char *name),
                               void *payload);

/* Seconds since some instant; never set back (without POSIX: time of day). */
double pw_clock_seconds(void);

#endif
