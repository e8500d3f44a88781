// SPDX-License-Identifier: MIT
/* Mass matrix, forces and accelerations of a model at its start and nearby, without a motion. */
#include <pawl/pawl.h>
#include <stdio.h>
#include <stdlib.h>

enum { K = 3 };

/* K states: the start, and the same with the first coordinate moved a little. */
static int evaluate(const pawl_system *system, pawl_eval *eval, double *memory) {
  int nq = pawl_system_positions(system), nv = pawl_system_velocities(system);
  double *t = memory, *q = t + K, *u = q + K * nq, *M = u + K * nv, *a = M + K * nv * nv;
  for (int k = 0; k < K; k++) {
    t[k] = pawl_start_time(system);
    for (int i = 0; i < nq; i++) {
      q[k * nq + i] = pawl_start_positions(system)[i] + (i == 0 ? 0.01 * k : 0);
    }
    for (int i = 0; i < nv; i++) {
      u[k * nv + i] = pawl_start_velocities(system)[i];
    }
  }
  pawl_eval_in in = {.k = K, .t = t, .q = q, .u = u};
  pawl_eval_out out = {.M = M, .a = a};
  if (pawl_eval_at(eval, &in, &out) != PAWL_OK) {
    return 1;
  }
  for (int k = 0; k < K; k++) {
    printf("%s = %-9.6g M[1][1] = %-9.6g %s' changes by %.9g per second\n",
           pawl_position_name(system, 0), q[k * nq], M[k * nv * nv], pawl_position_name(system, 0),
           a[k * nv]);
  }
  return 0;
}

int main(int argc, char **argv) {
  pawl_model *model = NULL;
  pawl_system *system = NULL;
  pawl_eval *eval = NULL;
  if (argc != 2) {
    fprintf(stderr, "usage: evaluate MODEL.pawl\n");
    return 2;
  }
  int failed = pawl_model_load(argv[1], NULL, &model) ||
               pawl_system_new(model, NULL, NULL, &system) || pawl_eval_new(system, &eval);
  size_t nq = (size_t)pawl_system_positions(system), nv = (size_t)pawl_system_velocities(system);
  double *memory = failed ? NULL : calloc(K * (1 + nq + 2 * nv + nv * nv), sizeof *memory);
  failed = failed || memory == NULL || evaluate(system, eval, memory);
  free(memory);
  pawl_eval_free(eval);
  pawl_system_free(system);
  pawl_model_free(model);
  return failed;
}
