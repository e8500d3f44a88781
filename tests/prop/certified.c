// SPDX-License-Identifier: MIT
#include "certified.h"

#include <stdio.h>

enum { ROWS_PER_INSTANT = 3 };

pawl_certifier *certified_begin(const pawl_system *system, double span) {
  pawl_certify_opts opts = {.to = span, .instants = ROWS_PER_INSTANT};
  pawl_certifier *c = NULL;
  return pawl_certify_new(system, &opts, &c) == PAWL_OK ? c : NULL;
}

void certified_row(pawl_certifier *c, pawl_sim *sim, pawl_side side) {
  pawl_point p;
  if (c != NULL && pawl_sim_point(sim, side, &p) == PAWL_OK) {
    (void)!pawl_certify_row(c, p.t, p.q, p.u, p.force);
  }
}

void certified_end(pawl_certifier *c, char *sentence, size_t room) {
  sentence[0] = '\0';
  if (c != NULL) {
    pawl_certify_finish(c);
    pawl_certificate found = pawl_certify_get(c);
    snprintf(sentence, room, "%s", found.verdict == PAWL_NOT_A_MOTION ? found.sentence : "");
  }
  pawl_certify_free(c);
}
