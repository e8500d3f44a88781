// SPDX-License-Identifier: MIT
/* Slips in the plane: friction acts along d = s/|s|, which is 0/0 where sliding starts. There d is the
 * heading found with the modes. A step that looks beyond the end of a slip sees the force go on as
 * it was before: d is turned round where s points against the heading. */
#include <math.h>
#include <string.h>

#include "mech/work.h"

static const double no_direction = 1e-9; /* of the terms that a slip is a difference of */

void pw_mech_head(pw_mech *m, const double *heading) {
  memcpy(m->heading, heading, (size_t)m->sys->ni * sizeof *heading);
}

/* sum |J_j u_j| of both rows. */
static double terms_of(const pw_mech *m, int law) {
  const pw_system *s = m->sys;
  const double *u = m->w->in + s->offset[PW_VAR_U];
  double sum = 0;
  for (int k = 0; k < 2; k++) {
    const double *J = pw_mech_law(m, s->nc + law + k) + PW_ROW_HEAD;
    for (int j = 0; j < s->nv; j++) {
      sum += fabs(J[j] * u[j]);
    }
  }
  return sum;
}

typedef enum aim { AHEAD, BACK, NOWHERE } aim;

static aim aim_of(const pw_mech *m, int law) {
  double s0 = pw_mech_law(m, m->sys->nc + law)[PW_ROW_VALUE];
  double s1 = pw_mech_law(m, m->sys->nc + law + 1)[PW_ROW_VALUE];
  if (hypot(s0, s1) <= no_direction * terms_of(m, law)) {
    return NOWHERE;
  }
  return s0 * m->heading[law] + s1 * m->heading[law + 1] < 0 ? BACK : AHEAD;
}

void pw_mech_aim(pw_mech *m) {
  for (int i = 0; i < m->sys->ni; i++) {
    aim to = m->sys->group[i] == i ? aim_of(m, i) : AHEAD;
    for (int k = i; to != AHEAD && k < i + 2; k++) {
      double *side = m->w->graph.out + 2 * k; /* -radius, radius d */
      side[1] = to == BACK ? -side[1] : -side[0] * m->heading[k];
    }
  }
}

void pw_mech_aim_series(const pw_mech *m, int order, double *graph) {
  size_t n = (size_t)order + 1;
  for (int i = 0; i < m->sys->ni; i++) {
    aim to = m->sys->group[i] == i ? aim_of(m, i) : AHEAD;
    for (int k = i; to != AHEAD && k < i + 2; k++) {
      double *left = graph + 2 * (size_t)k * n, *right = left + n;
      for (size_t j = 0; j < n; j++) {
        double straight = isfinite(left[j]) ? -left[j] * m->heading[k] : 0;
        right[j] = to == BACK ? -right[j] : straight;
      }
    }
  }
}
