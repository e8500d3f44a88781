// SPDX-License-Identifier: MIT
#include "model/hertz.h"

#include <string.h>

bool pw_has_unit(const pw_ex *ex, const char *name) {
  for (int i = 0; ex->kind == PW_EX_NUM && ex->unit != NULL && i < ex->unit->n; i++) {
    const char *factor = ex->unit->items[i].name, *at = strstr(factor, name);
    if (at != NULL && strcmp(at, name) == 0) {
      return true;
    }
  }
  return false;
}

static bool is_angular(const pw_ex *ex) {
  static const char *const units[] = {"rad", "deg", "rev", "rpm"};
  for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
    if (pw_has_unit(ex, units[i])) {
      return true;
    }
  }
  return false;
}

bool pw_is_hertz_for_turns(const pw_ex *stated, const pw_ex *given) {
  return is_angular(stated) && pw_has_unit(given, "Hz");
}

typedef struct search {
  pw_parameter_value value_of;
  void *ctx;
  const pw_ex *hertz;
  bool angle;
} search;

static void look(search *s, const pw_ex *ex) {
  const pw_ex *value = ex->kind == PW_EX_NAME ? s->value_of(s->ctx, ex->name) : ex;
  bool pi = ex->kind == PW_EX_NAME && strcmp(ex->name, "pi") == 0;
  s->angle = s->angle || pi || (value != NULL && is_angular(value));
  s->hertz = s->hertz == NULL && value != NULL && pw_has_unit(value, "Hz") ? ex : s->hertz;
  for (int i = 0; i < ex->n_arg; i++) {
    look(s, ex->arg[i]);
  }
}

const pw_ex *pw_hertz_in_angle(const pw_ex *ex, pw_parameter_value value_of, void *ctx) {
  search s = {.value_of = value_of, .ctx = ctx};
  look(&s, ex);
  return s.angle ? NULL : s.hertz;
}
