// SPDX-License-Identifier: MIT
/* Misuse of sweeps; see api_misuse_test.c. */
#include <limits.h>
#include <pawl/pawl.h>

#include "check.h"

static const int wrong[] = {-1, INT_MIN, 1000, INT_MAX};
static const char fall[] = "parameter g = 1\ncoordinates y\nkinetic T = 1/2*y'^2\n"
                           "potential V = g*y\nstart y = 1\nrun 0..1\n";

static int swallow(void *payload, const char *bytes, unsigned long count) {
  (void)payload;
  (void)bytes;
  (void)count;
  return 0;
}

static int refuse(void *payload, const char *bytes, unsigned long count) {
  return !swallow(payload, bytes, count);
}

static void no_sweep(void) {
  pawl_sweep *s = (pawl_sweep *)&s;
  pawl_model *model = NULL;
  static const char *const vary[] = {"g=1:2:3"};
  pawl_sweep_opts opts = {.vary = vary, .n_vary = 1, .sink = swallow};
  CHECK_INT(pawl_model_parse(fall, sizeof fall - 1, NULL, NULL, &model), PAWL_OK);
  CHECK_INT(pawl_sweep_new(NULL, &opts, NULL, &s), PAWL_E_ARGUMENT);
  CHECK(s == NULL);
  CHECK_INT(pawl_sweep_new(model, NULL, NULL, &s), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_sweep_new(model, &opts, NULL, NULL), PAWL_E_ARGUMENT);
  opts.resume = 1; /* of what? */
  CHECK_INT(pawl_sweep_new(model, &opts, NULL, &s), PAWL_E_ARGUMENT);
  opts = (pawl_sweep_opts){.vary = vary, .n_vary = 1};
  CHECK_INT(pawl_sweep_new(model, &opts, NULL, &s), PAWL_E_ARGUMENT);
  opts = (pawl_sweep_opts){.sink = swallow};
  CHECK_INT(pawl_sweep_new(model, &opts, NULL, &s), PAWL_E_ARGUMENT);
  opts = (pawl_sweep_opts){.sink = swallow, .n_vary = 2};
  CHECK_INT(pawl_sweep_new(model, &opts, NULL, &s), PAWL_E_ARGUMENT);
  opts = (pawl_sweep_opts){.vary = vary, .n_vary = 1, .sink = swallow, .shard = 3, .shards = 2};
  CHECK_INT(pawl_sweep_new(model, &opts, NULL, &s), PAWL_E_ARGUMENT);
  pawl_model_free(model);
  pawl_sweep_free(NULL);
  CHECK_INT(pawl_sweep_go(NULL, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_sweep_result_get(NULL).members, 0);
  CHECK_INT(pawl_sweep_columns(NULL), 0);
  CHECK(pawl_sweep_column(NULL, 0) == NULL);
  CHECK_INT(pawl_sweep_varied(NULL), 0);
  CHECK_INT(pawl_sweep_members(NULL), 0);
  CHECK(isnan(pawl_sweep_value(NULL, 0, 0)));
  CHECK_INT(pawl_sweep_svg(NULL, swallow, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_sweep_png(NULL, swallow, NULL), PAWL_E_ARGUMENT);
}

static void out_of_range(void) {
  pawl_sweep *s = NULL;
  pawl_model *model = NULL;
  static const char *const vary[] = {"g=1:2:3"};
  pawl_sweep_opts opts = {.vary = vary, .n_vary = 1, .sink = swallow};
  CHECK_INT(pawl_model_parse(fall, sizeof fall - 1, NULL, NULL, &model), PAWL_OK);
  CHECK_INT(pawl_sweep_new(model, &opts, NULL, &s), PAWL_OK);
  for (int i = 0; i < 4; i++) {
    CHECK(pawl_sweep_column(s, wrong[i]) == NULL);
    CHECK(isnan(pawl_sweep_value(s, 0, wrong[i])));
    CHECK(isnan(pawl_sweep_value(s, wrong[i], 0)));
  }
  CHECK_INT(pawl_sweep_columns(s), 5);
  CHECK_STR(pawl_sweep_column(s, 4), "y'");
  CHECK(pawl_sweep_value(s, 1, 0) == 1.5);
  CHECK_INT(pawl_sweep_svg(s, swallow, NULL), PAWL_E_ARGUMENT); /* too early */
  CHECK_INT(pawl_sweep_go(s, NULL), PAWL_OK);
  CHECK_INT(pawl_sweep_go(s, NULL), PAWL_E_ARGUMENT);           /* once */
  CHECK_INT(pawl_sweep_svg(s, swallow, NULL), PAWL_E_ARGUMENT); /* the rows are gone */
  CHECK_INT(pawl_sweep_png(s, swallow, NULL), PAWL_E_ARGUMENT);
  pawl_sweep_free(s);
  opts.keep_rows = 1;
  CHECK_INT(pawl_sweep_new(model, &opts, NULL, &s), PAWL_OK);
  CHECK_INT(pawl_sweep_go(s, NULL), PAWL_OK);
  CHECK_INT(pawl_sweep_svg(s, NULL, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_sweep_svg(s, refuse, NULL), PAWL_E_FILE);
  CHECK_INT(pawl_sweep_svg(s, swallow, NULL), PAWL_OK);
  CHECK_INT(pawl_sweep_png(s, swallow, NULL), PAWL_OK);
  pawl_sweep_free(s);
  opts.sink = refuse;
  CHECK_INT(pawl_sweep_new(model, &opts, NULL, &s), PAWL_OK);
  CHECK_INT(pawl_sweep_go(s, NULL), PAWL_E_FILE);
  pawl_sweep_free(s);
  pawl_model_free(model);
}

CHECK_MAIN({"no_sweep", no_sweep}, {"out_of_range", out_of_range})
