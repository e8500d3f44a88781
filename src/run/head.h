// SPDX-License-Identifier: MIT
/* DIR/.partial/head: model text and options, all that is needed to take up a killed run. */
#ifndef PW_RUN_HEAD_H
#define PW_RUN_HEAD_H

#include "run/run.h"

typedef struct pw_head { /* texts point into `bytes` */
  pw_buf bytes;
  const char *file, *text;
  size_t text_len;
  pawl_override *overrides;
  pawl_run_opts opts;
} pw_head;

PAWL_NODISCARD pawl_status pw_head_write(const pawl_run *run, pawl_diags *diags);
PAWL_NODISCARD pawl_status pw_head_read(const char *dir, pawl_diags *diags, pw_head *out);
void pw_head_free(pw_head *head);

#endif
