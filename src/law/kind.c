// SPDX-License-Identifier: MIT
#include "law/kind.h"

#include <stddef.h>

static const struct {
  const char *name, *about;
  pw_imposed imposed;
} kinds[] = {
#define KIND_ROW(name, text, about, imposed) {text, about, PW_IMPOSED_##imposed},
    PW_KIND_LIST(KIND_ROW)
#undef KIND_ROW
};

const char *pw_kind_name(pw_kind kind) {
  return kinds[kind].name;
}

const char *pw_kind_about(pw_kind kind) {
  return kinds[kind].about;
}

pw_imposed pw_kind_imposed(pw_kind kind) {
  return kinds[kind].imposed;
}
