// SPDX-License-Identifier: MIT
#include "law/scale.h"

#include "law/scale_bvp.h"
#include "law/scale_export.h"
#include "law/scale_mech.h"
#include "law/scale_model.h"
#include "law/scale_run.h"
#include "law/scale_scene.h"
#include "law/scale_sim.h"
#include "law/scale_solve.h"
#include "law/scale_static.h"
#include "law/scale_tangent.h"
#include "law/scale_verify.h"

#define ENTRY(NAME, value, ORIGIN, reason) {#NAME, (value), PW_SCALE_##ORIGIN, reason},

// clang-format off
static const pw_scale_entry table[] = {
    PW_SCALES_MODEL(ENTRY)
    PW_SCALES_MECH(ENTRY)
    PW_SCALES_SOLVE(ENTRY)
    PW_SCALES_STATIC(ENTRY)
    PW_SCALES_SIM(ENTRY)
    PW_SCALES_VERIFY(ENTRY)
    PW_SCALES_BVP(ENTRY)
    PW_SCALES_RUN(ENTRY)
    PW_SCALES_SCENE(ENTRY)
    PW_SCALES_TANGENT(ENTRY)
    PW_SCALES_EXPORT(ENTRY)
};
// clang-format on

int pw_scale_count(void) {
  return (int)(sizeof table / sizeof *table);
}

pw_scale_entry pw_scale_at(int i) {
  return table[i];
}

#ifdef PW_SCALES_MUTABLE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double pw_scale_factor(const char *name) {
  const char *change = getenv("PAWL_MUTATE"), *list = getenv("PAWL_SCALES_READ");
  size_t n = strlen(name);
  FILE *file = list == NULL ? NULL : fopen(list, "a");
  if (file != NULL) {
    fprintf(file, "%s\n", name);
    fclose(file);
  }
  return change != NULL && strncmp(change, name, n) == 0 && change[n] == ':'
             ? strtod(change + n + 1, NULL)
             : 1;
}
#endif
