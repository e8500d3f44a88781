// SPDX-License-Identifier: MIT
#include "sim/jump_log.h"

#include <stdlib.h>
#include <string.h>

void pw_jump_log_free(pw_jump_log *log) {
  if (log != NULL) {
    free(log->head);
    free(log->number);
    free(log->rule);
    *log = (pw_jump_log){.nv = log->nv, .nr = log->nr};
  }
}

void pw_jump_log_clear(pw_jump_log *log) {
  if (log != NULL) {
    log->n = log->kept = 0;
    log->lost = log->blurred = false;
  }
}

void pw_jump_log_retry(pw_jump_log *log) {
  if (log != NULL) {
    log->n = log->kept;
  }
}

void pw_jump_log_settle(pw_jump_log *log) {
  if (log != NULL) {
    log->kept = log->n;
  }
}

static size_t numbers(const pw_jump_log *log) {
  return 2 * (size_t)(log->nv + log->nr);
}

static bool make_room(pw_jump_log *log) {
  if (log->n < log->cap) {
    return true;
  }
  size_t cap = 2 * (size_t)log->cap + 4;
  struct pw_jump_head *head = realloc(log->head, cap * sizeof *head);
  log->head = head != NULL ? head : log->head;
  double *number = realloc(log->number, cap * numbers(log) * sizeof *number);
  log->number = number != NULL ? number : log->number;
  unsigned char *rule = realloc(log->rule, cap * (size_t)(log->nr + 1));
  log->rule = rule != NULL ? rule : log->rule;
  bool ok = head != NULL && number != NULL && rule != NULL;
  log->cap = ok ? (int)cap : log->cap;
  return ok;
}

bool pw_jump_log_add(pw_jump_log *log, struct pw_jump_head head, pw_jump_slot *out) {
  if (log == NULL || !make_room(log)) {
    if (log != NULL) {
      log->lost = true;
    }
    return false;
  }
  double *number = log->number + (size_t)log->n * numbers(log);
  log->head[log->n] = head;
  *out = (pw_jump_slot){.before = number,
                        .after = number + log->nv,
                        .impulse = number + 2 * log->nv,
                        .heading = number + 2 * log->nv + log->nr,
                        .rule = log->rule + (size_t)log->n * (size_t)(log->nr + 1)};
  memset(out->heading, 0, (size_t)log->nr * sizeof *out->heading);
  memset(out->rule, PW_JUMP_NONE, (size_t)log->nr);
  log->n++;
  return true;
}

pw_jump_piece pw_jump_log_get(const pw_jump_log *log, int i) {
  const double *number = log->number + (size_t)i * numbers(log);
  return (pw_jump_piece){.phase = log->head[i].phase,
                         .holds = log->head[i].holds,
                         .anew = log->head[i].anew,
                         .before = number,
                         .after = number + log->nv,
                         .impulse = number + 2 * log->nv,
                         .heading = number + 2 * log->nv + log->nr,
                         .rule = log->rule + (size_t)i * (size_t)(log->nr + 1)};
}
