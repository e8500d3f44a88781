// SPDX-License-Identifier: MIT
/* The cost of realising a constraint by a force. Where it is damped, implicit steps need not follow
 * it. An oscillation, N^2 D < 4 K with D = J M^-1 J^T, is to be resolved, which at the usual
 * tolerance takes about nine steps for a radian. */
#include "mech/stiff.h"

#include <math.h>
#include <string.h>

#include "law/scale_mech.h"
#include "linalg/chol.h"
#include "linalg/dense.h"
#include "mech/work.h"

/* A coefficient that does not depend on the state; 0 for others. */
static double constant(const pw_model *model, pw_node a) {
  return a >= 0 && pw_node_op(model->dag, a) == PW_OP_CONST ? pw_node_value(model->dag, a) : 0;
}

/* Steps for a unit of time; *rate: of the force. */
static double steps_of(pw_mech *m, int row, double *rate) {
  const pw_model *model = m->sys->model;
  const pw_clauses *k = &model->rows.items[m->sys->row_of[row]].clause;
  int n = m->sys->nv;
  memcpy(m->w->v, pw_mech_law(m, row) + PW_VIEW_HEAD, (size_t)n * sizeof *m->w->v);
  pw_mech_forward(m, m->w->v);
  double D = pw_dot(m->w->v, m->w->v, n);
  double damping = constant(model, k->viscous) * D, swing = sqrt(constant(model, k->stiffness) * D);
  *rate = fmax(damping, swing);
  return damping < 2 * swing ? PW_SCALE(STIFF_RESOLVED) * swing : 0;
}

void pw_warn_stiff(pw_mech *m, const pw_start *start, pawl_diags *diags) {
  const pw_system *s = m->sys;
  double span = fabs(s->model->run.to - s->model->run.from);
  if (!s->model->run.given ||
      pw_mech_rates(m, start->t, start->q, start->u, start->side) != PAWL_OK) {
    return;
  }
  pw_program_run(m, &m->w->tape.contact);
  for (int i = s->nc; i < s->nr; i++) {
    const pw_row *row = &s->model->rows.items[s->row_of[i]];
    double rate = 0, steps = row->kind == PW_KIND_VISCOUS ? span * steps_of(m, i, &rate) : 0;
    if (steps > PW_SCALE(STIFF_MANY)) {
      bool both = row->stmt->u.law.rel.op == PW_REL_EQ;
      pw_diag_ref ref = pw_warning(diags, "W0341", row->span,
                                   "constraint `%s` is stiff: a run over %.3g s takes %s %.1g "
                                   "steps",
                                   row->name, span, both ? "about" : "up to", steps);
      pw_label(ref, "its force swings within %.2g s", 1 / rate);
      pw_help(ref, "take a larger `viscous` (from 2 sqrt(K m) on nothing swings), a smaller "
                   "stiffness, or delete "
                   "both: the ideal constraint is the limit");
    }
  }
}
