// SPDX-License-Identifier: MIT
/* Each law at the start: 0 <= g, and where g = 0 also 0 <= g'; 0 <= f; restitution in 0..1; a
 * gradient where a force may be needed. Values count as zero with the tolerance of the start. */
#include "mech/start_check.h"

#include <math.h>

#include "base/real.h"
#include "linalg/dense.h"
#include "mech/law_report.h"
#include "mech/start_solve.h"
#include "mech/work.h"

typedef struct looked { /* one law at the start */
  const pw_row *row;
  const double *law; /* value, rate, zeta, J */
  int index;         /* of the row */
  bool zero, still;  /* value and rate count as zero */
} looked;

static looked look(const pw_law_state *x, int i) {
  const pw_system *s = x->m->sys;
  int n = s->nv;
  looked k = {.row = &s->model->rows.items[s->row_of[s->nc + i]],
              .index = s->nc + i,
              .law = pw_mech_law(x->m, s->nc + i)};
  const double *J = k.law + PW_ROW_HEAD;
  double *place = x->m->w->v;
  pw_mech_to_v(x->m, x->q, x->q, place); /* zero for rotations */
  double small = pw_start_tolerance(J, x->u, n);
  k.still = fabs(k.law[PW_ROW_RATE]) <= small;
  double near = k.row->on_velocity ? small : pw_start_tolerance(J, place, n);
  k.zero = fabs(k.law[PW_ROW_VALUE]) <= near;
  return k;
}

/* g'' without any contact. */
static double opens_with(const pw_mech *m, const looked *k) {
  return k->law[PW_ROW_ZETA] + pw_dot(k->law + PW_ROW_HEAD, m->a, m->sys->nv);
}

static bool check_unilateral(const pw_law_state *x, const looked *k, pw_start_laws *laws) {
  bool no_gradient = pw_norm2(k->law + PW_ROW_HEAD, x->m->sys->nv) == 0;
  if (!k->zero) {
    return k->law[PW_ROW_VALUE] > 0 || pw_report_penetration(x, k->row);
  }
  if (no_gradient) {
    return pw_report_gradient(x, k->row);
  }
  if (k->still || k->law[PW_ROW_RATE] > 0) {
    return true;
  }
  laws->strikes = true;
  return x->rules->impacts || pw_report_inward(x, k->row);
}

static bool check_one_sided(const pw_law_state *x, const looked *k) {
  if (!k->zero) {
    return k->law[PW_ROW_VALUE] > 0 || pw_report_violation(x, k->row);
  }
  bool no_gradient = pw_norm2(k->law + PW_ROW_HEAD, x->m->sys->nv) == 0;
  return !no_gradient || pw_report_gradient(x, k->row);
}

static bool check_servo(const pw_law_state *x, const looked *k, pw_start_laws *laws) {
  bool one_sided = k->row->stmt->u.law.rel.op != PW_REL_EQ;
  return !one_sided || (k->row->on_velocity ? check_one_sided(x, k) : check_unilateral(x, k, laws));
}

/* One-sided laws have multipliers that are not negative, and zero off the constraint if they are
 * complementary. */
static bool check_multiplier(const pw_law_state *x, const looked *k) {
  const pw_system *s = x->m->sys;
  int state = pw_state_of(s->model, s->row_of[k->index]);
  double lambda = x->q[s->model->nq + state];
  bool off = !k->zero && pw_is_complementary(k->row);
  return (lambda >= 0 && !(off && lambda > 0)) || pw_report_multiplier(x, k->row, lambda);
}

/* A rough contact that is closed and pressed together cannot slip. */
static bool check_rough(const pw_law_state *x, const looked *k) {
  const pw_system *s = x->m->sys;
  looked on = look(x, s->index_of[k->row->clause.on] - s->nc);
  bool closed = on.zero && on.still && opens_with(x->m, &on) < 0;
  return k->zero || !closed || pw_report_slip(x, k->row, on.row);
}

/* A vertical end of a graph is a wall: value = sign*(argument - shift) >= 0. */
static bool check_graph(const pw_law_state *x, const looked *k) {
  const pw_system *s = x->m->sys;
  double value = k->law[PW_ROW_VALUE];
  bool beyond = s->law[k->index - s->nc].wall && !k->zero && value < 0;
  return !beyond || pw_report_wall(x, k->row, s->row[k->index].shift, s->row[k->index].unit, value);
}

/* One that depends on the state matters only where the contact is hit. */
static bool check_restitution(const pw_law_state *x, int i, const pw_start_laws *laws) {
  const pw_system *s = x->m->sys;
  const pw_row *row = &s->model->rows.items[s->row_of[s->nc + i]];
  double e = x->m->w->clause.out[i];
  bool fits = e >= 0 && (e <= 1 || (x->rules->above_one && isfinite(e)));
  bool matters = row->clause.restitution >= 0 &&
                 (laws->touching[i] || pw_is_const(s->model->dag, row->clause.restitution));
  return !matters || fits || pw_report_restitution(x, row, e);
}

static bool check_law(const pw_law_state *x, int i, pw_start_laws *laws) {
  looked k = look(x, i);
  laws->touching[i] = k.zero;
  switch (k.row->kind) {
  case PW_KIND_UNILATERAL: return check_unilateral(x, &k, laws);
  case PW_KIND_ONE_SIDED_VELOCITY: return check_one_sided(x, &k);
  case PW_KIND_SERVO: return check_servo(x, &k, laws);
  case PW_KIND_VAKONOMIC:
  case PW_KIND_INERTIA: return check_servo(x, &k, laws) && check_multiplier(x, &k);
  case PW_KIND_ROUGH: return check_rough(x, &k);
  case PW_KIND_LAW: return check_graph(x, &k);
  default: return true;
  }
}

pawl_status pw_start_check(pw_mech *m, double t, const double *q, const double *u,
                           const double *side, const pw_start_rules *rules, pw_start_laws *laws,
                           pawl_diags *diags) {
  const pw_system *s = m->sys;
  pw_law_state x = {m, t, q, u, side, rules, diags};
  laws->strikes = false;
  if (s->ni == 0) {
    return PAWL_OK;
  }
  pawl_status status = pw_mech_rates(m, t, q, u, side);
  pw_law_evaluate(&x);
  for (int i = 0; status == PAWL_OK && i < s->ni; i++) {
    if (!pw_all_finite(pw_mech_law(m, s->nc + i), s->nv + PW_ROW_HEAD)) {
      status = pw_mech_fail(m, PAWL_E_NAN, -1, s->nc + i, NAN);
    }
  }
  if (status != PAWL_OK) {
    pw_mech_report(m, &m->fault, t, true, diags);
    return status;
  }
  bool ok = true;
  for (int i = 0; i < s->ni; i++) {
    ok = check_law(&x, i, laws) && ok;
    ok = check_restitution(&x, i, laws) && ok;
  }
  return ok ? PAWL_OK : PAWL_E_START;
}
