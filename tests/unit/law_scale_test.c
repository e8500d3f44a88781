// SPDX-License-Identifier: MIT
#include "law/scale.h"

#include <stdbool.h>

#include "check.h"
#include "law/scale_sim.h"

static void every_entry_has_a_reason(void) {
  for (int i = 0; i < pw_scale_count(); i++) {
    pw_scale_entry e = pw_scale_at(i);
    CHECK(e.value > 0 && isfinite(e.value));
    CHECK(strlen(e.reason) > 20);
  }
}

static void names_are_unique(void) {
  for (int i = 0; i < pw_scale_count(); i++) {
    for (int k = 0; k < i; k++) {
      CHECK(strcmp(pw_scale_at(i).name, pw_scale_at(k).name) != 0);
    }
  }
}

static void accessors_agree_with_the_table(void) {
  bool found = false;
  for (int i = 0; i < pw_scale_count(); i++) {
    if (strcmp(pw_scale_at(i).name, "STILL") == 0) {
      found = true;
      CHECK_NEAR(pw_scale_at(i).value, PW_SCALE(STILL), 0);
    }
  }
  CHECK(found);
}

CHECK_MAIN({"every_entry_has_a_reason", every_entry_has_a_reason},
           {"names_are_unique", names_are_unique},
           {"accessors_agree_with_the_table", accessors_agree_with_the_table})
