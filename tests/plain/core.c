// SPDX-License-Identifier: MIT
/* The library built without POSIX: a run in memory has its events, expectations and certificate; a
 * results folder is refused; files are read through the C library. */
#include <pawl/pawl.h>
#include <stdio.h>
#include <string.h>

static const char text[] = "coordinates y\n"
                           "kinetic T = 1/2*y'^2\n"
                           "potential V = 10*y\n"
                           "constraint floor: y >= 0, restitution 0.5\n"
                           "start y = 5\n"
                           "run 0..2\n"
                           "expect t = 1 +- 1e-9 at impact 1 of floor\n";

static int failures;

static void check(int ok, const char *what) {
  printf("%s %s\n", ok ? "ok    " : "FAILED", what);
  failures += !ok;
}

static pawl_status run_to(const pawl_model *model, const char *dir, pawl_run_result *result) {
  pawl_run *run = NULL;
  pawl_diags *diags = NULL;
  pawl_run_opts opts = {.dir = dir};
  pawl_status s = pawl_diags_new(&diags);
  s = s == PAWL_OK ? pawl_run_new(model, &opts, diags, &run) : s;
  s = s == PAWL_OK ? pawl_run_go(run, diags) : s;
  if (s == PAWL_OK) {
    *result = pawl_run_result_get(run);
  }
  pawl_run_free(run);
  pawl_diags_free(diags);
  return s;
}

int main(void) {
  pawl_diags *diags = NULL;
  pawl_model *model = NULL, *none = NULL;
  pawl_run_result result;
  if (pawl_diags_new(&diags) != PAWL_OK ||
      pawl_model_parse(text, strlen(text), NULL, diags, &model) != PAWL_OK) {
    return 1;
  }
  check(run_to(model, NULL, &result) == PAWL_OK && result.events >= 1, "a run without a folder");
  check(run_to(model, "plain.out", &result) == PAWL_E_UNSUPPORTED, "a results folder is refused");
  check(pawl_model_load("no-such-file.pawl", diags, &none) == PAWL_E_FILE, "a missing file");
  pawl_model_free(model);
  pawl_model_free(none);
  pawl_diags_free(diags);
  printf("%d passed, %d failed\n", 3 - failures, failures);
  return failures != 0;
}
