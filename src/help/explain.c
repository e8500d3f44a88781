// SPDX-License-Identifier: MIT
/* `pawl explain`: the tables of all layers together. */
#include "base/explain.h"

#include <stddef.h>
#include <string.h>

#include "pawl/diag.h"

static const pw_explanation *const tables[] = {
    pw_explain_base,   pw_explain_lang,  pw_explain_units, pw_explain_signal,  pw_explain_model,
    pw_explain_mech,   pw_explain_traj,  pw_explain_sim,   pw_explain_verify,  pw_explain_static,
    pw_explain_bvp,    pw_explain_run,   pw_explain_plot,  pw_explain_export,  pw_explain_fmu,
    pw_explain_sweep,  pw_explain_vary,  pw_explain_past,  pw_explain_tangent, pw_explain_orbit,
    pw_explain_import, pw_explain_study, pw_explain_play};
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

/* The codes in their order: the tables are by layer, so each code is the least above the last. */
const char *pawl_explain_code(int i) {
  const char *code = i < 0 ? NULL : "";
  for (; code != NULL && i >= 0; i--) {
    const char *next = NULL;
    for (int k = 0; k < N_TABLE; k++) {
      for (const pw_explanation *e = tables[k]; e->code != NULL; e++) {
        if (strcmp(e->code, code) > 0 && (next == NULL || strcmp(e->code, next) < 0)) {
          next = e->code;
        }
      }
    }
    code = next;
  }
  return code;
}
