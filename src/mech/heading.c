// SPDX-License-Identifier: MIT
/* Slips in the plane: friction acts along d = s/|s|, which is 0/0 where sliding starts, and noise
 * close to it. With the heading e found with the modes, d = (s + b e)/|s + b e| is the direction of
 * the same motion begun with the slip b e; as friction brings motions together, both differ by no
 * more than b. A step that looks beyond the end of a slip sees the force go on as it was: d is
 * turned round where it points against the heading. */
#include <math.h>
#include <string.h>

#include "mech/work.h"

static const double no_direction = 1e-9; /* of the terms that a slip is a difference of */

void pw_mech_head(pw_mech *m, const double *heading, const double *blur) {
  memcpy(m->heading, heading, (size_t)m->sys->ni * sizeof *heading);
  memcpy(m->blur, blur, (size_t)m->sys->ni * sizeof *blur);
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

/* False: the slip is zero to rounding, d is the heading. */
static bool direction_of(const pw_mech *m, int law, double d[2]) {
  double length = 0, ahead = 0;
  const double *e = m->heading + law;
  for (int k = 0; k < 2; k++) {
    d[k] = pw_mech_law(m, m->sys->nc + law + k)[PW_ROW_VALUE] + m->blur[law] * e[k];
    length = hypot(length, d[k]);
    ahead += d[k] * e[k];
  }
  bool known = length > no_direction * terms_of(m, law);
  for (int k = 0; k < 2; k++) {
    d[k] = !known ? e[k] : ahead < 0 ? -d[k] / length : d[k] / length;
  }
  return known;
}

void pw_mech_aim(pw_mech *m) {
  for (int i = 0; i < m->sys->ni; i++) {
    double d[2];
    if (m->sys->group[i] == i) {
      (void)direction_of(m, i, d);
      for (int k = 0; k < 2; k++) {
        double *side = m->w->graph.out + 2 * (i + k); /* -radius, radius s/|s| */
        side[1] = -side[0] * d[k];
      }
    }
  }
}

void pw_mech_aim_series(const pw_mech *m, int order, double *graph) {
  size_t n = (size_t)order + 1;
  for (int i = 0; i < m->sys->ni; i++) {
    double d[2];
    if (m->sys->group[i] != i || direction_of(m, i, d)) {
      continue;
    }
    for (size_t k = 0; k < 2; k++) { /* straight on at first */
      double *left = graph + 2 * ((size_t)i + k) * n, *right = left + n;
      for (size_t j = 0; j < n; j++) {
        right[j] = isfinite(left[j]) ? -left[j] * d[k] : 0;
      }
    }
  }
}
