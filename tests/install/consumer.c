// SPDX-License-Identifier: MIT
/* A program of somebody else: half a swing of x'' = -x, so x(pi) = -x(0). */
#include <math.h>
#include <pawl/pawl.h>
#include <stdio.h>
#include <string.h>

static const char text[] = "coordinates x\n"
                           "kinetic T = 1/2*x'^2\n"
                           "potential V = 1/2*x^2\n"
                           "start x = 1, x' = 0\n"
                           "run 0..10\n";

static int print(void *stream, const char *bytes, unsigned long count) {
  return fwrite(bytes, 1, count, stream) != count;
}

static int failed(pawl_status status, const pawl_diags *diags) {
  fprintf(stderr, "%s\n", pawl_status_text(status));
  for (int i = 0; i < pawl_diags_count(diags); i++) {
    if (pawl_diag_write(pawl_diags_get(diags, i), 0, print, stderr) != PAWL_OK) {
      break;
    }
  }
  return 1;
}

int main(void) {
  const double half = 3.14159265358979323846;
  pawl_diags *diags = NULL;
  pawl_model *model = NULL;
  pawl_system *system = NULL;
  pawl_sim *sim = NULL;
  pawl_stop why;
  pawl_point end;
  pawl_status s = pawl_diags_new(&diags);
  if (s == PAWL_OK) {
    s = pawl_model_parse(text, strlen(text), NULL, diags, &model);
  }
  if (s == PAWL_OK) {
    s = pawl_system_new(model, NULL, diags, &system);
  }
  if (s == PAWL_OK) {
    s = pawl_sim_new(system, NULL, diags, &sim);
  }
  if (s == PAWL_OK) {
    s = pawl_sim_advance(sim, half, diags, &why);
  }
  if (s == PAWL_OK) {
    s = pawl_sim_point(sim, PAWL_AFTER, &end);
  }
  int wrong = s != PAWL_OK ? failed(s, diags) : !(fabs(end.q[0] + 1) < 1e-7);
  if (s == PAWL_OK) {
    printf("pawl %s: x(pi) = %.10f\n", PAWL_VERSION, end.q[0]);
  }
  pawl_sim_free(sim);
  pawl_system_free(system);
  pawl_model_free(model);
  pawl_diags_free(diags);
  return wrong;
}
