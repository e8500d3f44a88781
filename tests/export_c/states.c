// SPDX-License-Identifier: MIT
/* states MODEL STATES ANSWERS: random states of a model, one per line, and the accelerations that
 * pawl_eval_at finds there. The program that `pawl export --c` writes must find the same. */
#include <pawl/pawl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 64, STATES = 40 };

static double number(unsigned *seed) { /* in -1..1 */
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / (double)(1 << 23) - 1;
}

int main(int argc, char **argv) {
  pawl_model *model = NULL;
  pawl_system *system = NULL;
  pawl_eval *eval = NULL;
  if (argc != 4 || pawl_model_load(argv[1], NULL, &model) != PAWL_OK ||
      pawl_system_new(model, &(pawl_system_opts){0}, NULL, &system) != PAWL_OK ||
      pawl_eval_new(system, &eval) != PAWL_OK) {
    return 2;
  }
  FILE *states = fopen(argv[2], "w"), *answers = fopen(argv[3], "w");
  int nq = pawl_system_positions(system), nv = pawl_system_velocities(system), found = 0;
  if (states == NULL || answers == NULL || nq > MOST || nv > MOST) {
    return 2;
  }
  unsigned seed = 12345;
  for (int k = 0; k < STATES; k++) {
    double t = number(&seed), q[MOST], u[MOST], a[MOST];
    for (int i = 0; i < nq; i++) {
      q[i] = pawl_start_positions(system)[i] + 0.3 * number(&seed);
    }
    for (int i = 0; i < nv; i++) {
      u[i] = pawl_start_velocities(system)[i] + number(&seed);
    }
    pawl_eval_in in = {.k = 1, .t = &t, .q = q, .u = u};
    if (pawl_eval_at(eval, &in, &(pawl_eval_out){.a = a}) != PAWL_OK) {
      continue;
    }
    found++;
    fprintf(states, "%.17g", t);
    for (int i = 0; i < nq; i++) {
      fprintf(states, " %.17g", q[i]);
    }
    for (int i = 0; i < nv; i++) {
      fprintf(states, " %.17g", u[i]);
      fprintf(answers, "%.17g ", a[i]);
    }
    fprintf(states, "\n");
    fprintf(answers, "\n");
  }
  bool written = fclose(states) == 0 && fclose(answers) == 0;
  pawl_eval_free(eval);
  pawl_system_free(system);
  pawl_model_free(model);
  return !written || found < STATES / 2;
}
