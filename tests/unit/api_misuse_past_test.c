// SPDX-License-Identifier: MIT
/* Misuse of pasts; see api_misuse_test.c. */
#include <math.h>
#include <pawl/pawl.h>

#include "check.h"

static int swallow(void *payload, const char *bytes, unsigned long count) {
  (void)bytes;
  *(unsigned long *)payload += count;
  return 0;
}

static void misuse(void) {
  static const char text[] = "coordinates x\nkinetic T = x'^2\nstart x' = 1\nrun 0..1\n";
  pawl_past *past = (pawl_past *)&past;
  pawl_model *model = NULL;
  pawl_system *system = NULL;
  unsigned long n = 0;
  double q[1], u[1];
  CHECK_INT(pawl_model_parse(text, sizeof text - 1, NULL, NULL, &model), PAWL_OK);
  CHECK_INT(pawl_system_new(model, NULL, NULL, &system), PAWL_OK);
  CHECK_INT(pawl_past_new(NULL, NULL, NULL, &past), PAWL_E_ARGUMENT);
  CHECK(past == NULL);
  CHECK_INT(pawl_past_new(system, NULL, NULL, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_past_state(NULL, 1, 0, NULL, q, u, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_past_state(system, 0, 1, NULL, q, u, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_past_state(system, 1, 0, NULL, NULL, u, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_past_state(system, NAN, 0, NULL, q, u, NULL), PAWL_E_ARGUMENT);
  pawl_past_free(NULL);
  CHECK_INT(pawl_past_count(NULL), 0);
  CHECK(isnan(pawl_past_get(NULL, 0).t) && pawl_past_complete(NULL) == 0);
  CHECK(pawl_past_why(NULL)[0] == '\0');
  CHECK_INT(pawl_past_json(NULL, swallow, &n), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_past_new(system, NULL, NULL, &past), PAWL_OK);
  CHECK_INT(pawl_past_json(past, NULL, NULL), PAWL_E_ARGUMENT);
  CHECK(isnan(pawl_past_get(past, -1).t) && isnan(pawl_past_get(past, 99).t));
  pawl_system_free(system);
  pawl_model_free(model);
  CHECK_INT(pawl_past_json(past, swallow, &n), PAWL_OK);
  CHECK(n > 50);
  pawl_past_free(past);
}

CHECK_MAIN({"misuse", misuse})
