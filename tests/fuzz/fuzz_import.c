// SPDX-License-Identifier: MIT
/* Any bytes are a robot: it is written as a model that can be parsed, or refused with a diagnostic.
 */
#include <string.h>

#include "base/buf.h"
#include "fuzz.h"
#include "pawl/import.h"
#include "pawl/model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  pawl_diags *diags = NULL;
  if (pawl_diags_new(&diags) != PAWL_OK) {
    return 0;
  }
  pw_buf out = {0};
  pawl_status status =
      pawl_import_text("robot", (const char *)data, size, diags, pw_buf_sink, &out);
  FUZZ_REQUIRE(status == PAWL_OK || pawl_diags_errors(diags) > 0);
  FUZZ_REQUIRE(status == PAWL_OK || out.len == 0);
  if (status == PAWL_OK) {
    pawl_model *model = NULL;
    FUZZ_REQUIRE(pawl_model_parse(out.text, out.len, NULL, diags, &model) == PAWL_OK);
    pawl_model_free(model);
  }
  pw_buf_free(&out);
  pawl_diags_free(diags);
  return 0;
}
