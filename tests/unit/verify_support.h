// SPDX-License-Identifier: MIT
/* A certifier for the text of a model, to be fed with rows. */
#ifndef PW_TESTS_VERIFY_SUPPORT_H
#define PW_TESTS_VERIFY_SUPPORT_H

#include <stdlib.h>

#include "check.h"
#include "pawl/pawl.h"

typedef struct judged {
  pawl_diags *diags;
  pawl_model *model;
  pawl_system *system;
  pawl_certifier *c;
} judged;

static inline judged judged_open(const char *text) {
  judged j = {0};
  CHECK(pawl_diags_new(&j.diags) == PAWL_OK);
  if (!CHECK(pawl_model_parse(text, strlen(text), NULL, j.diags, &j.model) == PAWL_OK) ||
      !CHECK(pawl_system_new(j.model, NULL, j.diags, &j.system) == PAWL_OK) ||
      !CHECK(pawl_certify_new(j.system, NULL, &j.c) == PAWL_OK)) {
    puts(text);
    exit(1);
  }
  return j;
}

static inline void judged_close(judged *j) {
  pawl_certify_free(j->c);
  pawl_system_free(j->system);
  pawl_model_free(j->model);
  pawl_diags_free(j->diags);
}

#endif
