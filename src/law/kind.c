// SPDX-License-Identifier: MIT
#include "law/kind.h"

#include <stddef.h>

static const struct {
  const char *name, *about;
  bool equality;
} kinds[] = {
#define KIND_ROW(name, text, about, equality) {text, about, equality},
    PW_KIND_LIST(KIND_ROW)
#undef KIND_ROW
};

const char *pw_kind_name(pw_kind kind) {
  return kinds[kind].name;
}

const char *pw_kind_about(pw_kind kind) {
  return kinds[kind].about;
}

bool pw_kind_is_equality(pw_kind kind) {
  return kinds[kind].equality;
}
