// SPDX-License-Identifier: MIT
/* Misuse of figures; see api_misuse_test.c. */
#include <pawl/pawl.h>

#include "check.h"

static int swallow(void *payload, const char *bytes, unsigned long count) {
  (void)bytes;
  *(unsigned long *)payload += count;
  return 0;
}

static void misuse(void) {
  pawl_figure *f = (pawl_figure *)&f;
  unsigned long n = 0;
  const char *const nothing[] = {NULL};
  CHECK_INT(pawl_figure_new(NULL, NULL, NULL, &f), PAWL_E_ARGUMENT);
  CHECK(f == NULL);
  CHECK_INT(pawl_figure_new("/no/such/folder", NULL, NULL, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_figure_new("/no/such/folder", NULL, NULL, &f), PAWL_E_FILE);
  CHECK_INT(pawl_figure_new(".", &(pawl_figure_opts){.plots = nothing, .n_plot = 1}, NULL, &f),
            PAWL_E_ARGUMENT);
  CHECK_INT(pawl_figure_new(".", &(pawl_figure_opts){.n_plot = 1}, NULL, &f), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_figure_new(".", &(pawl_figure_opts){.use_span = 1, .from = 1}, NULL, &f),
            PAWL_E_ARGUMENT);
  pawl_figure_free(NULL);
  CHECK_INT(pawl_figure_curves(NULL), 0);
  CHECK_INT(pawl_figure_curve(NULL, 0).n, 0);
  CHECK_INT(pawl_figure_svg(NULL, swallow, &n), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_figure_png(NULL, swallow, &n), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_figure_text(NULL, 0, 0, swallow, &n), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_figure_new(PW_SOURCE_DIR "/tests/reject/plot.dir", NULL, NULL, &f), PAWL_OK);
  CHECK(pawl_figure_curve(f, 2).ys == NULL && pawl_figure_curve(f, -1).ys == NULL);
  CHECK_INT(pawl_figure_svg(f, NULL, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_figure_png(f, NULL, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_figure_text(f, -1, 0, swallow, &n), PAWL_E_ARGUMENT);
  CHECK_INT(n, 0);
  CHECK_INT(pawl_figure_text(f, 1, 0, swallow, &n), PAWL_OK); /* narrow: the least there is */
  CHECK(n > 100);
  pawl_figure_free(f);
}

CHECK_MAIN({"misuse", misuse})
