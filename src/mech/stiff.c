// SPDX-License-Identifier: MIT
/* The cost of realising a constraint by a force. An explicit step is stable while h rho is below
 * about 4, where rho is the fastest rate of the force: rho = N D for a viscous one and
 * max(N D, sqrt(K D)) with a stiffness, D = J M^-1 J^T. */
#include "mech/stiff.h"

#include <math.h>
#include <string.h>

#include "linalg/chol.h"
#include "linalg/dense.h"
#include "mech/work.h"

static const double steps_per_rate = 0.25, many = 2e5;

/* A coefficient that does not depend on the state; 0 for others. */
static double constant(const pw_model *model, pw_node a) {
  return a >= 0 && pw_node_op(model->dag, a) == PW_OP_CONST ? pw_node_value(model->dag, a) : 0;
}

static double rate_of(pw_mech *m, int row) {
  const pw_model *model = m->sys->model;
  const pw_clauses *k = &model->rows.items[m->sys->row_of[row]].clause;
  int n = m->sys->nv;
  memcpy(m->w->v, pw_mech_law(m, row) + PW_ROW_HEAD, (size_t)n * sizeof *m->w->v);
  pw_chol_forward(m->w->L, n, m->w->v);
  double D = pw_dot(m->w->v, m->w->v, n);
  return fmax(constant(model, k->viscous) * D, sqrt(constant(model, k->stiffness) * D));
}

void pw_warn_stiff(pw_mech *m, const pw_start *start, pawl_diags *diags) {
  const pw_system *s = m->sys;
  double span = fabs(s->model->run.to - s->model->run.from);
  if (!s->model->run.given ||
      pw_mech_rates(m, start->t, start->q, start->u, start->side) != PAWL_OK) {
    return;
  }
  pw_program_run(m, &m->w->contact);
  for (int i = s->nc; i < s->nr; i++) {
    const pw_row *row = &s->model->rows.items[s->row_of[i]];
    double rate = row->kind == PW_KIND_VISCOUS ? rate_of(m, i) : 0;
    double steps = steps_per_rate * rate * span;
    if (steps > many) {
      pw_diag_ref ref = pw_warning(diags, "W0341", row->span,
                                   "constraint `%s` is stiff: a run over %.3g s takes about %.1g "
                                   "steps",
                                   row->name, span, steps);
      pw_label(ref, "its force changes within %.2g s", 1 / rate);
      pw_help(ref,
              "take a smaller coefficient, or delete `viscous`: the ideal constraint is the limit");
    }
  }
}
