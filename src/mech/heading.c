// SPDX-License-Identifier: MIT
/* Slips in the plane: friction acts along d = s/|s|, which is 0/0 where sliding starts, and
 * rounding or stiff close to it: there d is the heading found with the modes. As friction brings
 * motions together, this costs no more than the size of slip up to which it is done. A step that
 * looks beyond the end of a slip sees the force go on as it was: s is turned round where it points
 * against the heading. */
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

/* False: the slip has no direction of its own, d is the heading. */
static bool direction_of(const pw_mech *m, int law, double d[2]) {
  const double *e = m->heading + law;
  double s[2] = {pw_mech_law(m, m->sys->nc + law)[PW_ROW_VALUE],
                 pw_mech_law(m, m->sys->nc + law + 1)[PW_ROW_VALUE]};
  double size = hypot(s[0], s[1]), side = s[0] * e[0] + s[1] * e[1] < 0 ? -1 : 1;
  double b = m->blur[law], x = b > 0 ? fmin(size / b - 1, 1) : 1;
  bool known = x > 0 && size > no_direction * terms_of(m, law);
  double own = known ? x * x * (3 - 2 * x) : 0, length = 0;
  for (int k = 0; k < 2; k++) { /* smoothly between b and 2 b */
    d[k] = (1 - own) * e[k] + (known ? own * side * s[k] / size : 0);
    length = hypot(length, d[k]);
  }
  for (int k = 0; k < 2 && length > 0; k++) {
    d[k] /= length;
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
