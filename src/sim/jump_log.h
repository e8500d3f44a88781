// SPDX-License-Identifier: MIT
/* The jumps of an instant one by one, each the solution of one problem of impulses, with what fixed
 * each impulse: from these an instant can be differentiated (gradients (D4)). Nobody keeps a log
 * unless he asks for it (sim/trial.h). */
#ifndef PW_SIM_JUMP_LOG_H
#define PW_SIM_JUMP_LOG_H

#include <stdbool.h>

#include "law/phase.h"

/* What fixes the impulse of a row in one problem. */
typedef enum pw_jump_rule {
  PW_JUMP_NONE,  /* it has no part in it */
  PW_JUMP_RATE,  /* rate+ + shift rate- = 0 */
  PW_JUMP_SLIDE, /* impulse = -mu heading times the impulse of its contact */
  PW_JUMP_LEAST  /* impulse = e times that of the phase before */
} pw_jump_rule;

typedef struct pw_jump_piece {
  pw_phase phase; /* of an impact; */
  bool holds;     /* or rates become zero, without restitution */
  bool anew;      /* rate- is that before this piece; else of the last piece that is anew */
  const double *before, *after; /* nv: velocities */
  const double *impulse;        /* nr */
  const double *heading;        /* nr: of what slides: sign, or component of the unit vector */
  const unsigned char *rule;    /* nr: pw_jump_rule */
} pw_jump_piece;

typedef struct pw_jump_log {
  int nv, nr;
  int n, kept, cap; /* pieces; those of jumps that are settled; room */
  bool lost;        /* out of memory: the log is not complete */
  bool blurred;     /* some impulse is fixed by none of these rules */
  struct pw_jump_head {
    pw_phase phase;
    bool holds, anew;
  } * head;
  double *number;      /* cap x (2 nv + 2 nr) */
  unsigned char *rule; /* cap x nr */
} pw_jump_log;

void pw_jump_log_free(pw_jump_log *log);
/* Forgets everything; what is not settled; settles. All take NULL for nobody's log. */
void pw_jump_log_clear(pw_jump_log *log);
void pw_jump_log_retry(pw_jump_log *log);
void pw_jump_log_settle(pw_jump_log *log);

/* Room for one more piece, to be filled in; false: nobody wants it, or there is no memory. */
typedef struct pw_jump_slot {
  double *before, *after, *impulse, *heading;
  unsigned char *rule;
} pw_jump_slot;
bool pw_jump_log_add(pw_jump_log *log, struct pw_jump_head head, pw_jump_slot *out);

pw_jump_piece pw_jump_log_get(const pw_jump_log *log, int i);

#endif
