// SPDX-License-Identifier: MIT
/* motion.pwt: a file of blocks. The first one is the head: format, shape, and bytes of the program
 * that made the run. Each other block is a chunk. */
#ifndef PW_TRAJ_MOTION_FILE_H
#define PW_TRAJ_MOTION_FILE_H

#include "traj/block.h"
#include "traj/chunk.h"

#define PW_MOTION_NAME "motion.pwt"

typedef struct pw_motion { /* open for reading; closed: file.fd -1 */
  pw_file file;
  int64_t first, end; /* start of the chunks; end of the last complete block */
  pw_buf head, block; /* bytes of the head; of the current chunk */
  pw_shape *shape;    /* points into the head */
  const void *own;    /* bytes of the program */
  size_t own_size;
} pw_motion;

typedef enum pw_motion_fault {
  PW_MOTION_FINE,
  PW_MOTION_UNREADABLE, /* see the reason */
  PW_MOTION_FOREIGN,    /* no such file, another version, or damaged at its head */
  PW_MOTION_NO_MEMORY
} pw_motion_fault;

/* The payload of the first block. */
void pw_motion_put_head(pw_buf *out, const pw_shape *shape, const void *own, size_t own_size);

/* Opens the file and reads its head; *reason of base/file.h if it is unreadable. */
pw_motion_fault pw_motion_open(pw_motion *m, const char *path, int *reason);
/* The same with a file that is open; `file` stays the caller's, who closes it. */
pw_motion_fault pw_motion_begin(pw_motion *m, pw_file file);
void pw_motion_close(pw_motion *m);
/* Frees the memory and leaves the file open. */
void pw_motion_forget(pw_motion *m);

/* E0614 or E0615 for a file with this fault. */
pawl_status pw_motion_refuse(const char *path, pw_motion_fault fault, int reason,
                             pawl_diags *diags);

/* The chunk at `*offset` (m->first: the first one), which moves on; false: no whole one there. */
bool pw_motion_next(pw_motion *m, int64_t *offset, pw_chunk_view *out);
/* Calls `each` for every chunk before `end` until it returns other than PAWL_OK. A chunk that is
 * not whole: PAWL_E_FILE. */
typedef pawl_status (*pw_each_chunk)(void *payload, const pw_chunk_view *view);
PAWL_NODISCARD pawl_status pw_motion_visit(pw_motion *m, int64_t end, pw_each_chunk each,
                                           void *payload);

#endif
