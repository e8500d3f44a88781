// SPDX-License-Identifier: MIT
/* Runs a model and prints its first coordinate twice a second and at every event. */
#include <pawl/pawl.h>
#include <stdio.h>

int main(int argc, char **argv) {
  pawl_diags *diags = NULL;
  pawl_model *model = NULL;
  pawl_system *system = NULL;
  pawl_sim *sim = NULL;
  pawl_stop why = PAWL_AT_TARGET;
  pawl_point now;
  if (argc != 2) {
    fprintf(stderr, "usage: embed MODEL.pawl\n");
    return 2;
  }
  int failed = pawl_diags_new(&diags) || pawl_model_load(argv[1], diags, &model) ||
               pawl_system_new(model, NULL, diags, &system) ||
               pawl_sim_new(system, NULL, diags, &sim);
  double target = failed ? 0 : pawl_start_time(system);
  while (!failed && why != PAWL_AT_END) {
    failed = pawl_sim_advance(sim, target, diags, &why) || pawl_sim_point(sim, PAWL_AFTER, &now);
    if (!failed) {
      printf("t = %-9.6f %s = %-12.9f %s\n", now.t, pawl_position_name(system, 0), now.q[0],
             why == PAWL_AT_EVENT ? pawl_sim_event(sim, 0).at : "");
    }
    target += why == PAWL_AT_EVENT ? 0 : 0.5; /* after an event go on to the same target */
  }
  for (int i = 0; i < pawl_diags_count(diags); i++) {
    fprintf(stderr, "%s\n", pawl_diags_get(diags, i)->message);
  }
  pawl_sim_free(sim);
  pawl_system_free(system);
  pawl_model_free(model);
  pawl_diags_free(diags);
  return failed;
}
