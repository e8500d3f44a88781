// SPDX-License-Identifier: MIT
/* One instant of a smooth piece. The reaction r = M u' - h that the trajectory itself asks for must
 * come out of the sets of the laws: rho = min |r - Phi lambda| in the metric of M^-1 is the largest
 * violation of the principles of d'Alembert, Jourdain and Gauss over variations of unit length
 * (certificates (C1)-(C3)), and the extra force of which the trajectory would be the exact motion.
 */
#include <math.h>

#include "base/real.h"
#include "law/scale_verify.h"
#include "linalg/dense.h"
#include "verify/glimpse.h"

void pw_instant_unseen(pawl_certifier *c, double t, double weight) {
  pw_reason_note(&c->record, PW_RULE_NO_FIT, t, NAN);
  pw_coverage_add(&c->count, false, weight);
}

/* Alone; or no motion and no force. */
static void judge_nothing(pawl_certifier *c, const pw_glimpse *g) {
  pw_reason_note(&c->record, g->known ? PW_RULE_DIRECT : PW_RULE_NO_FIT, g->row.t,
                 g->known ? 0 : NAN);
  pw_coverage_add(&c->count, g->known, g->known ? g->weight : 0);
}

static pw_residuals find_residuals(pawl_certifier *c, const pw_glimpse *g, double scale) {
  double speed = c->scale.V0, far = c->scale.L0;
  pw_residuals r = {.velocity = g->slip / speed,
                    .velocity_floor = g->slip_floor / speed,
                    .place = g->miss / far,
                    .place_floor = g->miss_floor / far,
                    .floor = g->turn / scale,
                    .force_law = -1};
  if (g->grows) {
    pw_scale_record(c);
    r.own = scale - c->record.size[PW_SIZE_FORCE];
    r.whole = scale;
  }
  pw_set_scale zero = pw_zero_scale(c, scale, g->turn);
  r.fit = g->from->kinks(c, g, scale, &zero) / scale;
  pw_residual_principles(c, g->a, &zero, g->row.t, scale, &r);
  g->from->forces(c, g, &zero, scale, &r);
  return r;
}

static void ask_doubts(pawl_certifier *c, const pw_glimpse *g, double scale, double off,
                       pw_residuals *r) {
  for (int k = 0; off > 0 && g->from->doubts[k] != NULL; k++) {
    pw_rule rule = g->from->doubts[k](c, g, scale, r);
    off = rule != PW_RULES ? pw_residual_applied(c, g->row.t, rule, off, r) : off;
  }
}

/* Before a violation is reported, each possible source of uncertainty has its say: once, of the
 * instant itself or of what is judged in its place. */
static void raise_floors(pawl_certifier *c, const pw_glimpse *g, double scale, pw_residuals *r) {
  double t = g->row.t, off = pw_residual_misfit(c, r);
  if (off == 0) {
    pw_reason_note(&c->record, PW_RULE_DIRECT, t, r->rho[PW_SET_ACCELERATION]);
  }
  ask_doubts(c, g, scale, off, r);
  if (g->from->blind != NULL && g->weight > 0 && pw_found_is_blind(g->turn / scale)) {
    pw_rule rule = g->from->blind(c, g, scale, r);
    double left = pw_residual_applied(c, t, rule, off, r);
    ask_doubts(c, g, scale, off == 0 ? left : 0, r);
  }
}

void pw_instant_judge(pawl_certifier *c, const pw_glimpse *g) {
  double own = c->probe.pull;
  double scale = g->known ? pw_scale_force(c, own, pw_verify_size(&c->probe, g->a), g->turn) : 0;
  if (!(scale > 0 && c->scale.V0 > 0 && c->scale.L0 > 0)) {
    judge_nothing(c, g);
    return;
  }
  pw_residuals r = find_residuals(c, g, scale);
  raise_floors(c, g, scale, &r);
  pw_residual_judge(c, g->row.t, g->weight, &r);
}
