// SPDX-License-Identifier: MIT
/* The dense output of a step, and the method that it belongs to. */
#include <string.h>

#include "law/scale_sim.h"
#include "sim/radau.h"
#include "sim/step.h"

void pw_stepper_use(pw_stepper *s, pw_pair pair) {
  static const pw_rk_method *const tables[PW_PAIRS] = {&pw_dp5, &pw_dop853, &pw_radau_table};
  s->choice.now = s->choice.open ? pair : s->choice.pair;
  if (s->choice.open && tables[pair] != s->method) {
    pw_stepper_make(s, tables[pair]);
    pw_stepper_map(s, pair == PW_PAIR_IMPLICIT ? pw_radau_step : NULL, s->radau);
  }
}

void pw_stepper_make(pw_stepper *s, const pw_rk_method *method) {
  s->method = method;
  pw_rk_change(&s->rk, method);
  pw_rk_change(&s->probe, method);
}

bool pw_stepper_is_delicate(const pw_stepper *s) {
  bool begins = !s->smooth && s->count.taken > 0;
  bool weak = begins && s->hold.weakest[0] < PW_SCALE(WEAKLY_HELD);
  return weak || pw_mech_is_blurred(s->mech);
}

/* Implicit steps do not know how a slip in the plane turns as it ends. */
pw_pair pw_stepper_pair(const pw_stepper *s) {
  bool turns = s->choice.pair == PW_PAIR_IMPLICIT && pw_mech_slides_in_plane(s->mech);
  bool low = turns || (s->choice.pair == PW_PAIR_HIGH && pw_stepper_is_delicate(s));
  return low ? PW_PAIR_LOW : s->choice.pair;
}

/* theory (31), and (32) where the end was projected. */
pawl_status pw_stepper_at(pw_stepper *s, double theta, double *y) {
  if (theta >= 1) {
    memcpy(y, s->y, (size_t)s->n * sizeof *y);
    return PAWL_OK;
  }
  pawl_status status = s->pass.on ? PAWL_OK : pw_rk_dense(&s->rk);
  if (status != PAWL_OK) {
    return status;
  }
  if (s->pass.on) {
    pw_pass_eval(&s->pass, theta * s->rk.h / s->pass.length, s->rk.y0, y);
  } else {
    pw_rk_eval(&s->rk, theta, y);
  }
  if (s->projects) {
    double blend = theta * theta * (3 - 2 * theta);
    for (int i = 0; i < s->n; i++) {
      y[i] += blend * s->delta[i];
    }
  }
  return PAWL_OK;
}

void pw_stepper_quad(const pw_stepper *s, const double *y, double quad[PW_QUAD_NAMED]) {
  const pw_system *sys = s->mech->sys;
  const double *z = y + s->nq + s->nv;
  quad[PW_QUAD_ACTION] = z[0];
  quad[PW_QUAD_LOST] = 0;
  for (int k = 0; k < sys->n_work; k++) {
    quad[PW_QUAD_LOST] += sys->work[k].lost ? z[1 + k] : 0;
  }
}
