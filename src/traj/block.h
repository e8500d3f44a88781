// SPDX-License-Identifier: MIT
/* A file of checksummed blocks: blocks written completely before a crash can be distinguished from
 * torn ones. */
#ifndef PW_TRAJ_BLOCK_H
#define PW_TRAJ_BLOCK_H

#include "base/file.h"
#include "traj/bytes.h"

/* Appends the payload at `*offset` and moves the offset on; 0 or a reason (base/file.h). */
PAWL_NODISCARD int pw_block_append(const pw_file *file, int64_t *offset, const pw_buf *payload);

/* Reads the block at `*offset` into the buffer and moves on; false: none there that is whole. */
bool pw_block_read(const pw_file *file, int64_t *offset, pw_buf *payload);

#endif
