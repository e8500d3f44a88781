// SPDX-License-Identifier: MIT
#include "base/explain.h"

#include <stddef.h>
#include <string.h>

#include "pawl/diag.h"

static const pw_explanation *const tables[] = {pw_explain_syntax, pw_explain_units,
                                               pw_explain_model, pw_explain_run};
enum { N_TABLE = sizeof tables / sizeof *tables };

const char *pawl_explain(const char *code) {
  for (int k = 0; code != NULL && k < N_TABLE; k++) {
    for (const pw_explanation *e = tables[k]; e->code != NULL; e++) {
      if (strcmp(e->code, code) == 0) {
        return e->text;
      }
    }
  }
  return NULL;
}

const char *pawl_explain_code(int i) {
  for (int k = 0; i >= 0 && k < N_TABLE; k++) {
    for (const pw_explanation *e = tables[k]; e->code != NULL; e++) {
      if (i-- == 0) {
        return e->code;
      }
    }
  }
  return NULL;
}
