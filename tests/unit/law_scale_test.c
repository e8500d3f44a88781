// SPDX-License-Identifier: MIT
#include "law/scale.h"

#include <stdbool.h>

#include "check.h"
#include "law/scale_scene.h"
#include "law/scale_sim.h"
#include "law/scale_verify.h"

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

/* Numbers that the manual promises: docs/stepping.md, docs/certificates.md. */
static void the_manual_states_these(void) {
  CHECK_NEAR(PW_SCALE(STEP_LOOSEST), 1e-3, 0);
  CHECK_NEAR(PW_SCALE(HEAP_FAIR), 1e-5, 0);
  CHECK_NEAR(PW_SCALE(HEAP_LOOSEST), 1e-2, 0);
  CHECK_NEAR(PW_SCALE(CERT_TOL_RUN), 1e-6, 0);
  CHECK_NEAR(PW_SCALE(CERT_TOL_TABLE), 1e-5, 0);
}

CHECK_MAIN({"the_manual_states_these", the_manual_states_these},
           {"every_entry_has_a_reason", every_entry_has_a_reason},
           {"names_are_unique", names_are_unique},
           {"accessors_agree_with_the_table", accessors_agree_with_the_table})
