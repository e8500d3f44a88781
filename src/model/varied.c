// SPDX-License-Identifier: MIT
/* Parameters that stay variables of the graph: where their values are needed all the same. */
#include <math.h>

#include "model/check.h"

static double parameter_value(void *payload, int var) {
  const pw_model *m = payload;
  bool known = pw_var_kind(var) == PW_VAR_PARAMETER;
  return known ? m->parameters.items[pw_var_index(var)].value : (double)NAN;
}

double pw_value_now(pw_check *ck, pw_node node) {
  return pw_eval(ck->dag, node, parameter_value, ck->m);
}

static bool is_parameter(void *payload, int var) {
  (void)payload;
  return pw_var_kind(var) == PW_VAR_PARAMETER;
}

bool pw_contains_parameter(pw_check *ck, pw_node node) {
  return ck->vary != NULL && pw_depends(ck->dag, node, is_parameter, NULL);
}

bool pw_is_known_now(pw_check *ck, pw_node node) {
  return pw_is_const(ck->dag, node) || (pw_contains_parameter(ck, node) && pw_has(ck, node) == 0);
}

static bool is_this_one(void *payload, int var) {
  return var == *(int *)payload;
}

/* A parameter, the span, periods of events and what is only compared are followed in other ways. */
static bool shapes_the_model(const pw_check *ck) {
  pw_stmt_kind kind = ck->stmt->kind;
  return kind != PW_ST_PARAMETER && kind != PW_ST_RUN && kind != PW_ST_EXPECT &&
         kind != PW_ST_EVENT;
}

void pw_note_use_by_value(pw_check *ck, pw_node node, pw_span span) {
  if (!shapes_the_model(ck) || !pw_contains_parameter(ck, node)) {
    return;
  }
  for (int i = 0; i < ck->m->parameters.n; i++) {
    pw_parameter *p = &ck->m->parameters.items[i];
    int var = pw_var_of(PW_VAR_PARAMETER, i);
    if (p->varied && p->fixed.file < 0 && pw_depends(ck->dag, node, is_this_one, &var)) {
      p->fixed = span;
    }
  }
}
