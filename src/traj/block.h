// SPDX-License-Identifier: MIT
/* A file of checksummed blocks: what was written before a crash can be told from what was torn. */
#ifndef PW_TRAJ_BLOCK_H
#define PW_TRAJ_BLOCK_H

#include "traj/bytes.h"

/* Appends the payload at `*offset`, waits until the disk has it and moves the offset on. */
PAWL_NODISCARD pawl_status pw_block_append(int fd, long long *offset, const pw_buf *payload);

/* Reads the block at `*offset` into the buffer and moves on; false: none there that is whole. */
bool pw_block_read(int fd, long long *offset, pw_buf *payload);

#endif
