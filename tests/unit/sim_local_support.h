// SPDX-License-Identifier: MIT
/* A local problem over columns that a test gives, without a model behind it. */
#ifndef PW_TESTS_SIM_LOCAL_SUPPORT_H
#define PW_TESTS_SIM_LOCAL_SUPPORT_H

#include <stdlib.h>

#include "check.h"
#include "sim/split.h"

typedef struct workbench {
  pw_system sys;
  pw_frame frame;
  pw_local local;
  pw_part part;
  void *memory;
} workbench;

static inline void lay_out(workbench *b, pw_layout *l) {
  pw_local_lay_out(&b->local, &b->sys, l);
  pw_part_lay_out(&b->part, &b->sys, pw_coupled_rows(&b->sys), l);
}

/* Rows with columns `A` (n x rows, unit) and lengths in a frame without forces. */
static inline void set_up(workbench *b, const pw_system *sys, const double *A,
                          const double *length) {
  *b = (workbench){.sys = *sys};
  b->frame = (pw_frame){.n = sys->nv, .m = sys->nr, .A = A, .length = length};
  pw_layout l = {0};
  lay_out(b, &l);
  b->memory = calloc(1, l.size);
  l = pw_layout_in(b->memory);
  lay_out(b, &l);
  b->local.part = &b->part;
}

static inline void tear_down(workbench *b) {
  free(b->memory);
}

#endif
