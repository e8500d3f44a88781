// SPDX-License-Identifier: MIT
/* Derivatives of a run: its motion is computed once more, with the derivatives along with it. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "run/run.h"
#include "tangent/gradient.h"

bool pw_run_copy_names(pawl_run_opts *to, const pawl_run_opts *opts) {
  int n = opts->n_gradient;
  to->gradient = NULL;
  to->n_gradient = 0;
  if (n <= 0) {
    return true;
  }
  char **copy = calloc((size_t)n, sizeof *copy);
  to->gradient = (const char *const *)copy;
  for (int i = 0; i < n && copy != NULL; i++) {
    size_t size = strlen(opts->gradient[i]) + 1;
    copy[i] = malloc(size);
    if (copy[i] == NULL) {
      return false;
    }
    memcpy(copy[i], opts->gradient[i], size);
    to->n_gradient = i + 1;
  }
  return copy != NULL;
}

void pw_run_free_names(const pawl_run_opts *opts) {
  for (int i = 0; i < opts->n_gradient; i++) {
    free((void *)(uintptr_t)opts->gradient[i]);
  }
  free((void *)(uintptr_t)opts->gradient);
}

pawl_status pw_run_differentiate(pawl_run *run, pawl_diags *diags) {
  const pawl_run_opts *o = &run->opts;
  pawl_system_opts system = {.overrides = o->overrides,
                             .n_override = o->n_override,
                             .no_native = o->native == PAWL_NATIVE_OFF};
  if (o->n_gradient == 0) {
    return PAWL_OK;
  }
  return pawl_gradient_new(run->model, &system, &o->sim, o->gradient, o->n_gradient, diags,
                           &run->gradient);
}

const pawl_gradient *pawl_run_gradient(const pawl_run *run) {
  return run == NULL ? NULL : run->gradient;
}
