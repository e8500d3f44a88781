// SPDX-License-Identifier: MIT
/* Misuse of the laboratory for variations; see api_misuse_test.c. */
#include <math.h>
#include <pawl/pawl.h>

#include "check.h"

static const double pi = 3.14;

static int swallow(void *payload, const char *bytes, unsigned long count) {
  (void)bytes;
  *(unsigned long *)payload += count;
  return 0;
}

static void misuse(void) {
  static const char text[] = "coordinates x\nkinetic T = x'^2\nstart x' = 1\nrun 0..1\n";
  pawl_lab *lab = (pawl_lab *)&lab;
  pawl_model *model = NULL;
  pawl_system *system = NULL;
  unsigned long n = 0;
  char name[8] = "?";
  CHECK_INT(pawl_model_parse(text, sizeof text - 1, NULL, NULL, &model), PAWL_OK);
  CHECK_INT(pawl_system_new(model, NULL, NULL, &system), PAWL_OK);
  CHECK_INT(pawl_lab_new(NULL, ".", NULL, NULL, &lab), PAWL_E_ARGUMENT);
  CHECK(lab == NULL);
  CHECK_INT(pawl_lab_new(system, NULL, NULL, NULL, &lab), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_lab_new(system, ".", NULL, NULL, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_lab_new(system, "/no/such/folder", NULL, NULL, &lab), PAWL_E_FILE);
  CHECK_INT(pawl_lab_run(NULL, NULL, NULL, NULL, &lab), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_lab_run(model, NULL, NULL, NULL, NULL), PAWL_E_ARGUMENT);
  pawl_lab_free(NULL);
  CHECK(isnan(pawl_lab_info_get(NULL).action) && isnan(pawl_lab_energy(NULL, 0)));
  CHECK_INT(pawl_lab_families(NULL), 0);
  CHECK(isnan(pawl_lab_family_get(NULL, 0).value) && isnan(pawl_lab_worst(NULL).value));
  CHECK(pawl_lab_momentum(NULL, 0) == NULL);
  CHECK_INT(pawl_lab_json(NULL, swallow, &n), PAWL_E_ARGUMENT);
  pawl_symmetries *sym = (pawl_symmetries *)&sym;
  CHECK_INT(pawl_symmetries_new(NULL, &sym), PAWL_E_ARGUMENT);
  CHECK(sym == NULL);
  CHECK_INT(pawl_symmetries_new(system, NULL), PAWL_E_ARGUMENT);
  pawl_symmetries_free(NULL);
  CHECK(pawl_symmetries_count(NULL) == 0 && pawl_symmetry_text(NULL, 0)[0] == '\0');
  CHECK(isnan(pawl_symmetry_value(NULL, 0, 0, &pi, &pi)));
  CHECK(pawl_lab_conserved_count(NULL) == 0 && isnan(pawl_lab_conserved_get(NULL, 0).start));
  pawl_lab_name(NULL, 0, NULL, 0);
  pawl_lab_name(NULL, 0, name, sizeof name);
  CHECK(name[0] == '\0');
  CHECK_INT(pawl_lab_run(model, NULL, NULL, NULL, &lab), PAWL_OK);
  CHECK_INT(pawl_lab_json(lab, NULL, NULL), PAWL_E_ARGUMENT);
  CHECK(isnan(pawl_lab_family_get(lab, -1).value) && isnan(pawl_lab_family_get(lab, 1000).value));
  CHECK(pawl_lab_momentum(lab, 2) == NULL && isnan(pawl_lab_energy(lab, -1)));
  pawl_system_free(system);
  pawl_model_free(model);
  CHECK_INT(pawl_lab_json(lab, swallow, &n), PAWL_OK);
  CHECK(n > 100);
  pawl_lab_free(lab);
}

CHECK_MAIN({"misuse", misuse})
