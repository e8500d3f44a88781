// SPDX-License-Identifier: MIT
/* Forces of laws that are not at their kink: -force = left(s) or right(s), system/kinks.h. They are
 * functions of the state and are added to h. */
#include <math.h>

#include "linalg/dense.h"
#include "mech/work.h"

bool pw_mech_on_segment(const pw_mech *m, int law) {
  int state = m->w->state[law];
  return !m->sys->law[law].wall && m->sys->law[law].on < 0 && state != PW_AT_KINK &&
         state != PW_IMPLIED;
}

pawl_status pw_mech_add_segments(pw_mech *m, double *h) {
  const pw_system *s = m->sys;
  if (!m->w->has_segments) {
    return PAWL_OK;
  }
  pw_program_run(m, &m->w->tape.graph);
  pw_mech_aim(m);
  for (int i = 0; i < s->ni; i++) {
    if (pw_mech_on_segment(m, i)) {
      double force = pw_view_force_beside(m->w->tape.graph.out, i, m->w->state[i] == PW_ABOVE_KINK);
      if (isnan(force)) {
        return pw_mech_fail(m, PAWL_E_NAN, -1, s->nc + i, force);
      }
      m->lambda[s->nc + i] = force;
      pw_axpy(force, pw_mech_law(m, s->nc + i) + PW_VIEW_HEAD, h, s->nv);
    }
  }
  return PAWL_OK;
}
