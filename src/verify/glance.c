// SPDX-License-Identifier: MIT
/* A quick look at an instant of a model without laws, multipliers and signals: all that there is to
 * compare is the acceleration of the polynomial with that of the forces, and the rates of the
 * positions with the velocities. Where both agree to a small part of the tolerance, nothing that
 * the polynomial may be off by could change the verdict, so that it is not estimated. */
#include <math.h>

#include "law/scale_verify.h"
#include "linalg/dense.h"
#include "verify/glimpse.h"

bool pw_glance_is_enough(const pw_system *s) {
  return s->nr == 0 && s->n_state == 0 && s->model->signals.n == 0 && s->load.n == 0;
}

bool pw_glance(pawl_certifier *c, const pw_glimpse *g) {
  const pw_probe *p = &c->probe;
  int n = c->sys->nv;
  double size = 0, rest = 0, close = PW_SCALE(CERT_INNER) * c->opts.tol;
  for (int i = 0; i < n; i++) { /* L^T a, and what is left of it without L^-1 h */
    double z = pw_dot(p->L + (size_t)i * (size_t)n + i, g->a + i, n - i), off = z - p->h[i];
    size += z * z;
    rest += off * off;
  }
  size = sqrt(size);
  rest = sqrt(rest);
  bool agrees = rest <= close * (size + p->pull) && g->slip <= close * c->scale.V0;
  if (!agrees || !(c->scale.V0 > 0 && c->scale.L0 > 0)) {
    return false;
  }
  double scale = pw_scale_force(c, p->pull, size, 0);
  pw_scale_record(c);
  pw_residuals r = {.velocity = g->slip / c->scale.V0,
                    .own = scale - c->record.size[PW_SIZE_FORCE],
                    .whole = scale,
                    .force_law = -1};
  for (int level = 0; level <= PW_SET_ACCELERATION; level++) {
    r.rho[level] = rest / scale;
    r.law[level] = -1;
  }
  pw_reason_note(&c->record, PW_RULE_DIRECT, g->row.t, r.rho[PW_SET_ACCELERATION]);
  pw_residual_judge(c, g->row.t, g->weight, &r);
  return true;
}
