// SPDX-License-Identifier: MIT
#include "gradient_table.h"

#include <math.h>
#include <string.h>

int gradient_names_read(gradient_names *names, const char *text) {
  names->n = 0;
  if (strlen(text) >= sizeof names->text) {
    return 1;
  }
  strcpy(names->text, text);
  char *at = names->text;
  while (at != NULL && names->n < GRADIENT_MOST) {
    char *comma = strchr(at, ',');
    if (comma != NULL) {
      *comma = '\0';
    }
    if (at[0] == '\0') {
      return 1;
    }
    names->name[names->n++] = at;
    at = comma == NULL ? NULL : comma + 1;
  }
  return at != NULL;
}

static void print_one(const pawl_gradient *g, int i, FILE *to) {
  const pawl_system *sys = pawl_gradient_system(g);
  const double *end = pawl_gradient_end(g, i);
  int nq = pawl_system_positions(sys), nv = pawl_system_velocities(sys);
  int n = nq + nv + pawl_system_outputs(sys);
  if (end == NULL) {
    double since = pawl_gradient_since(g, i);
    fprintf(to, "d/d %s  not defined: %s", pawl_gradient_name(g, i), pawl_gradient_why(g, i));
    fprintf(to, isnan(since) ? "\n" : ", t = %.6g\n", since);
    return;
  }
  fprintf(to, "d/d %s ", pawl_gradient_name(g, i));
  for (int k = 0; k < n; k++) {
    const char *name = k < nq        ? pawl_position_name(sys, k)
                       : k < nq + nv ? pawl_velocity_name(sys, k - nq)
                                     : pawl_output_name(sys, k - nq - nv);
    fprintf(to, " %s %.9g", name, end[k]);
  }
  fprintf(to, "\n");
}

void gradient_print(const pawl_gradient *g, FILE *to) {
  for (int i = 0; i < pawl_gradient_count(g); i++) {
    print_one(g, i, to);
  }
}
