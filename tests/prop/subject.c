// SPDX-License-Identifier: MIT
#include "subject.h"

#include <stdio.h>
#include <string.h>

pawl_status subject_open(subject *s, const char *text, const pawl_sim_opts *opts) {
  *s = (subject){0};
  pawl_status status = pawl_diags_new(&s->diags);
  if (status == PAWL_OK) {
    status = pawl_model_parse(text, strlen(text), NULL, s->diags, &s->model);
  }
  if (status == PAWL_OK) {
    status = pawl_system_new(s->model, NULL, s->diags, &s->system);
  }
  if (status == PAWL_OK) {
    status = pawl_sim_new(s->system, opts, s->diags, &s->sim);
  }
  return status;
}

void subject_close(subject *s) {
  pawl_sim_free(s->sim);
  pawl_system_free(s->system);
  pawl_model_free(s->model);
  pawl_diags_free(s->diags);
}

void subject_why(const subject *s, char *why, size_t room) {
  int count = pawl_diags_count(s->diags);
  if (count == 0) {
    snprintf(why, room, "no diagnosis");
    return;
  }
  const pawl_diag *last = pawl_diags_get(s->diags, count - 1);
  snprintf(why, room, "%s %s", last->code, last->message);
}
