// SPDX-License-Identifier: MIT
#include "lang/spine.h"

#include <stdlib.h>

bool pw_ex_is_binary(const pw_ex *ex) {
  switch (ex->kind) {
  case PW_EX_ADD:
  case PW_EX_SUB:
  case PW_EX_MUL:
  case PW_EX_DIV:
  case PW_EX_AND:
  case PW_EX_OR: return true;
  default: return false;
  }
}

bool pw_spine_init(pw_spine *spine, const pw_ex *ex) {
  size_t n = 0;
  for (const pw_ex *e = ex; pw_ex_is_binary(e); e = e->arg[0]) {
    n++;
  }
  bool is_short = n <= sizeof spine->few / sizeof *spine->few;
  spine->items = is_short ? spine->few : malloc(n * sizeof *spine->items);
  spine->n = 0;
  if (spine->items == NULL) {
    return false;
  }
  for (const pw_ex *e = ex; pw_ex_is_binary(e); e = e->arg[0]) {
    spine->items[spine->n++] = e;
  }
  return true;
}

void pw_spine_free(pw_spine *spine) {
  if (spine->items != spine->few) {
    free(spine->items);
  }
  spine->items = NULL;
}
