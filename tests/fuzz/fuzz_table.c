// SPDX-License-Identifier: MIT
/* Any bytes are a table by somebody else, for a model with a position, a contact and friction: it
 * is judged, or refused with a diagnostic. */
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "pawl/verify.h"

static const char text[] =
    "coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\npotential V = 10*y\n"
    "constraint floor: y >= 0, restitution 0.5\nfriction rub: slip x', mu 0.3 on floor\n";

static pawl_system *system_of(pawl_diags *diags, pawl_model **model) {
  pawl_system *system = NULL;
  pawl_system_opts opts = {.no_start = 1};
  FUZZ_REQUIRE(pawl_model_parse(text, sizeof text - 1, NULL, diags, model) == PAWL_OK);
  FUZZ_REQUIRE(pawl_system_new(*model, &opts, diags, &system) == PAWL_OK);
  return system;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char path[] = "/tmp/fuzz_table_XXXXXX";
  int file = mkstemp(path);
  pawl_diags *diags = NULL;
  if (file < 0 || pawl_diags_new(&diags) != PAWL_OK) {
    return 0;
  }
  bool written = write(file, data, size) == (ssize_t)size;
  close(file);
  pawl_model *model = NULL;
  pawl_system *system = system_of(diags, &model);
  pawl_certifier *certifier = NULL;
  pawl_certify_opts opts = {.variations = 1, .events = size % 2 == 1 ? path : NULL};
  pawl_status status =
      written ? pawl_certify_file(system, path, &opts, diags, &certifier) : PAWL_E_FILE;
  FUZZ_REQUIRE(!written || status == PAWL_OK || pawl_diags_errors(diags) > 0);
  FUZZ_REQUIRE((status == PAWL_OK) == (certifier != NULL));
  if (certifier != NULL) {
    pawl_certificate c = pawl_certify_get(certifier);
    FUZZ_REQUIRE(c.sentence != NULL && strlen(c.sentence) > 0);
  }
  unlink(path);
  pawl_certify_free(certifier);
  pawl_system_free(system);
  pawl_model_free(model);
  pawl_diags_free(diags);
  return 0;
}
