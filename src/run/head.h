// SPDX-License-Identifier: MIT
/* The head of motion.pwt: model text and options, all that is needed to take up a killed run. */
#ifndef PW_RUN_HEAD_H
#define PW_RUN_HEAD_H

#include "run/run.h"

typedef struct pw_head { /* texts point into the bytes it was made from */
  const char *file, *text;
  size_t text_len;
  pawl_override *overrides;
  char *input; /* path of the copy of a file that the run was given; NULL: none */
  pawl_run_opts opts;
} pw_head;

/* The payload of the first block. */
PAWL_NODISCARD pawl_status pw_head_put(const pawl_run *run, pw_buf *out);
/* `dir`: the folder of the run. PAWL_E_FILE: made by another version of the program, or damaged. */
PAWL_NODISCARD pawl_status pw_head_get(const void *bytes, size_t count, const char *dir,
                                       pw_head *out);
void pw_head_free(pw_head *head);

#endif
