// SPDX-License-Identifier: MIT
/* Laws that forget have no motion backward: it goes while there is one past. */
#include "run_backward.h"

#include <math.h>
#include <stdlib.h>

static void print_state(const pawl_system *s, double from, double to, const double *q,
                        const double *u, const double *force, bool json) {
  int nq = pawl_system_positions(s), nv = pawl_system_velocities(s);
  if (json) {
    printf("{\"ending\":\"end\",\"direction\":\"backward\",\"from\":%.17g,\"t\":%.17g,\"state\":{",
           from, to);
  } else {
    printf("backward     from t = %.9g s to %.9g s: one past at every instant\nstate        ", from,
           to);
  }
  for (int i = 0; i < nq + nv; i++) {
    const char *name = i < nq ? pawl_position_name(s, i) : pawl_velocity_name(s, i - nq);
    double x = i < nq ? q[i] : u[i - nq];
    printf(json ? "%s\"%s\":%.17g" : "%s%s = %.9g", i == 0 ? "" : json ? "," : ", ", name, x);
  }
  for (int i = 0, shown = 0; i < pawl_system_laws(s); i++) { /* multipliers that are states */
    if (!isnan(force[i])) {
      const char *before = json ? (shown == 0 ? "},\"force\":{" : ",") : ", ";
      printf(json ? "%s\"%s\":%.17g" : "%sforce(%s) = %.9g", before, pawl_law_get(s, i).name,
             force[i]);
      shown++;
    }
  }
  printf(json ? "}}\n" : "\n");
}

int run_backward(const cli_args *args, const cli_changes *changes, double from, double to,
                 bool json) {
  pawl_diags *diags = cli_diags();
  pawl_model *model = NULL;
  pawl_system *system = NULL;
  int shown = 0;
  pawl_system_opts opts = {.overrides = changes->items, .n_override = changes->n};
  pawl_status status = cli_load(args->words[0], diags, &model);
  if (model != NULL) {
    status = pawl_system_new(model, &opts, diags, &system);
  }
  double *q = cli_enough(calloc((size_t)pawl_system_positions(system) + 1, sizeof *q));
  double *u = cli_enough(calloc((size_t)pawl_system_velocities(system) + 1, sizeof *u));
  double *force = cli_enough(calloc((size_t)pawl_system_laws(system) + 1, sizeof *force));
  if (status == PAWL_OK) {
    status = pawl_past_state(system, from, to, diags, q, u, force);
  }
  cli_show(diags, args, &shown);
  int code = status == PAWL_E_NO_MOTION ? CLI_EARLY : CLI_DONE;
  if (status == PAWL_OK && !args->quiet) {
    print_state(system, from, to, q, u, force, json);
  } else if (status != PAWL_OK && status != PAWL_E_NO_MOTION) {
    code = cli_fail(status, diags);
  }
  free(q);
  free(u);
  free(force);
  pawl_system_free(system);
  pawl_model_free(model);
  pawl_diags_free(diags);
  return code;
}
