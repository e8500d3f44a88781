// SPDX-License-Identifier: MIT
/* Misuse of studies: NULL, indices out of range, options that make no sense. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "pawl/pawl.h"

static int swallow(void *payload, const char *bytes, unsigned long count) {
  (void)payload;
  (void)bytes;
  (void)count;
  return 0;
}

static int refuse(void *payload) {
  (void)payload;
  return 1;
}

static const char text[] = "coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\n"
                           "constraint rod: x^2 + y^2 = 1\nstart x = 1, y = 0, y' = 1\nrun 0..1\n";

static void nothing(void) {
  pawl_study *s = (pawl_study *)&s;
  CHECK_INT(pawl_converge_new(NULL, NULL, NULL, &s), PAWL_E_ARGUMENT);
  CHECK(s == NULL);
  CHECK_INT(pawl_realise_new(NULL, "rod", NULL, NULL, &s), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_study_count(NULL), 0);
  CHECK(pawl_study_get(NULL, 0).name == NULL && isnan(pawl_study_get(NULL, 0).order_end));
  CHECK(isnan(pawl_study_row_get(NULL, 0, 0).value));
  CHECK(isnan(pawl_study_floor(NULL)));
  CHECK(pawl_study_against(NULL) == NULL);
  CHECK_INT(pawl_study_json(NULL, swallow, NULL), PAWL_E_ARGUMENT);
  pawl_study_free(NULL);
}

static void wrong_values(void) {
  pawl_model *model = NULL;
  pawl_study *s = NULL;
  CHECK(pawl_model_parse(text, strlen(text), NULL, NULL, &model) == PAWL_OK);
  CHECK_INT(pawl_converge_new(model, NULL, NULL, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_realise_new(model, NULL, NULL, NULL, &s), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_converge_new(model, &(pawl_study_opts){.method = (pawl_method)99}, NULL, &s),
            PAWL_E_ARGUMENT);
  CHECK_INT(pawl_converge_new(model, &(pawl_study_opts){.n_override = 1}, NULL, &s),
            PAWL_E_ARGUMENT);
  CHECK_INT(pawl_converge_new(model, &(pawl_study_opts){.ask = refuse}, NULL, &s), PAWL_E_TIME);
  CHECK(s == NULL);

  pawl_study_opts one = {.one_method = 1, .method = PAWL_METHOD_DP5};
  CHECK_INT(pawl_converge_new(model, &one, NULL, &s), PAWL_OK);
  static const int out[] = {-1, 1, 1000000};
  for (int k = 0; k < 3; k++) {
    CHECK(pawl_study_get(s, out[k]).name == NULL);
    CHECK(isnan(pawl_study_row_get(s, out[k], 0).end));
    CHECK(isnan(pawl_study_row_get(s, 0, out[k] == 1 ? 100 : out[k]).positions));
  }
  CHECK_INT(pawl_study_json(s, NULL, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_study_json(s, swallow, NULL), PAWL_OK);
  pawl_study_free(s);
  pawl_model_free(model);
}

CHECK_MAIN({"nothing", nothing}, {"wrong_values", wrong_values})
