// SPDX-License-Identifier: MIT
/* Any text goes the whole way: parsed, checked, compiled, and a few steps of motion. An error must
 * come with a diagnostic. */
#include "fuzz.h"
#include "pawl/sim.h"

static int discard(void *payload, const char *bytes, unsigned long count) {
  *(unsigned long *)payload += count + (bytes[0] == '\0');
  return 0;
}

static int no_files(void *payload, const char *from, const char *path, char **text,
                    unsigned long *count, char **shown) {
  (void)payload, (void)from, (void)path, (void)text, (void)count, (void)shown;
  return 1;
}

static void move(const pawl_system *system, pawl_diags *diags) {
  pawl_sim *sim = NULL;
  pawl_stop why = PAWL_AT_TARGET;
  pawl_sim_opts opts = {
      .use_span = 1, .from = 0, .to = 0.1, .tol = 1e-4, .max_steps = 50, .max_events = 50};
  pawl_status status = pawl_sim_new(system, &opts, diags, &sim);
  for (int i = 0; status == PAWL_OK && i < 60 && why != PAWL_AT_END; i++) {
    status = pawl_sim_advance(sim, 0.1, diags, &why);
    if (why == PAWL_AT_TARGET) {
      break;
    }
  }
  FUZZ_REQUIRE(status == PAWL_OK || pawl_diags_errors(diags) > 0);
  pawl_sim_free(sim);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  pawl_diags *diags = NULL;
  pawl_model *model = NULL;
  pawl_system *system = NULL;
  pawl_model_opts opts = {.name = "fuzz.pawl", .include = no_files};
  if (pawl_diags_new(&diags) != PAWL_OK) {
    return 0;
  }
  pawl_status status = pawl_model_parse((const char *)data, size, &opts, diags, &model);
  if (model != NULL) {
    status = pawl_system_new(model, NULL, diags, &system);
  }
  FUZZ_REQUIRE(status == PAWL_OK || pawl_diags_errors(diags) > 0);
  if (status == PAWL_OK) {
    move(system, diags);
  }
  unsigned long written = 0;
  for (int i = 0; i < pawl_diags_count(diags); i++) {
    FUZZ_REQUIRE(pawl_diag_write(pawl_diags_get(diags, i), 1, discard, &written) == PAWL_OK);
  }
  pawl_system_free(system);
  pawl_model_free(model);
  pawl_diags_free(diags);
  return 0;
}
