// SPDX-License-Identifier: MIT
/* The certificate of a solution: its motion, row by row, before the judge of src/verify, which
 * knows neither how it was found nor computed. */
#include <math.h>

#include "bvp/shoot.h"

enum { ROWS = 1000 };

static pawl_status give(pawl_sim *sim, pawl_side side, pawl_certifier *judge) {
  pawl_point p;
  pawl_status status = pawl_sim_point(sim, side, &p);
  return status == PAWL_OK ? pawl_certify_row(judge, p.t, p.q, p.u, p.force) : status;
}

/* Rows at equal times, and both sides of each event. */
static pawl_status give_all(pw_shoot *x, pawl_certifier *judge) {
  pawl_status status = give(x->fine, PAWL_AFTER, judge);
  for (int k = 1; k <= ROWS && status == PAWL_OK; k++) {
    double t = k == ROWS ? x->to : x->from + (x->to - x->from) * k / ROWS;
    pawl_stop why = PAWL_AT_EVENT;
    while (status == PAWL_OK && why == PAWL_AT_EVENT) {
      status = pawl_sim_advance(x->fine, t, NULL, &why);
      if (status == PAWL_OK && why == PAWL_AT_EVENT) {
        status = give(x->fine, PAWL_BEFORE, judge);
      }
      if (status == PAWL_OK) {
        status = give(x->fine, PAWL_AFTER, judge);
      }
    }
  }
  return status;
}

pawl_certificate pw_shoot_certify(pw_shoot *x, const double *s) {
  pawl_certificate out = {.verdict = PAWL_NOT_CHECKED, .subclass = ""};
  pawl_certifier *judge = NULL;
  pawl_certify_opts opts = {.noise = 1e-12, .from = x->from, .to = x->to};
  (void)pw_shoot_fly(x, s, true); /* sets x->u */
  pawl_status status = pw_shoot_begin(x, x->fine);
  if (status == PAWL_OK) {
    status = pawl_certify_new(x->system, &opts, &judge);
  }
  if (status == PAWL_OK) {
    status = give_all(x, judge);
  }
  if (status == PAWL_OK) {
    pawl_certify_finish(judge);
    out = pawl_certify_get(judge);
    out.sentence = NULL; /* belongs to the judge */
  }
  pawl_certify_free(judge);
  return out;
}
