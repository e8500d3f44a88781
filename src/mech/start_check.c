// SPDX-License-Identifier: MIT
/* Each law at the start: 0 <= g, and where g = 0 also 0 <= g'; 0 <= f; restitution in 0..1; a
 * gradient where a force may be needed. Values count as zero with the tolerance of the start. */
#include "mech/start_check.h"

#include <math.h>

#include "base/real.h"
#include "law/zero.h"
#include "linalg/dense.h"
#include "mech/law_report.h"
#include "mech/start_solve.h"
#include "mech/work.h"

typedef struct looked { /* one law at the start */
  const pw_row *row;
  int index;        /* of the row */
  pw_law_row law;   /* numbers */
  pw_law_sign sign; /* by the tolerance of the start */
} looked;

static looked look(const pw_law_state *x, int i) {
  const pw_system *s = x->m->sys;
  const struct pw_mech_work *w = x->m->w;
  pw_law_view view = {.contact = w->tape.contact.out, .clause = w->tape.clause.out};
  looked k = {.row = &s->model->rows.items[s->row_of[s->nc + i]],
              .index = s->nc + i,
              .law = pw_view_law(s, view, i)};

  double *place = w->v;
  const double *sum = pw_program_terms(x->m, &w->tape.contact);
  double of_value = sum[pw_view_law_at(s, i, PW_VIEW_VALUE)];
  double of_rate = sum[pw_view_law_at(s, i, PW_VIEW_RATE)];
  bool velocity = k.law.form->on_velocity;
  pw_start_place(x->m, x->q, place);
  pw_law_room room = {.rate = pw_zero_room_of_start(k.law.J, x->u, s->nv, of_rate)};
  room.value = velocity ? room.rate : pw_zero_room_of_start(k.law.J, place, s->nv, of_value);
  k.sign = pw_law_sign_of(&k.law, room);
  return k;
}

/* g'' without any contact. */
static double opens_with(const pw_mech *m, const looked *k) {
  return k->law.zeta + pw_dot(k->law.J, m->a, m->sys->nv);
}

static bool has_gradient(const pw_law_state *x, const looked *k) {
  return pw_norm2(k->law.J, x->m->sys->nv) != 0;
}

static bool check_unilateral(const pw_law_state *x, const looked *k, pw_start_laws *laws) {
  if (k->sign.value != 0) {
    return k->sign.value > 0 || pw_report_penetration(x, k->row);
  }
  if (!has_gradient(x, k)) {
    return pw_report_gradient(x, k->row);
  }
  if (k->sign.rate >= 0) {
    return true;
  }
  laws->strikes = true;
  return x->rules->impacts || pw_report_inward(x, k->row);
}

static bool check_one_sided(const pw_law_state *x, const looked *k) {
  if (k->sign.value != 0) {
    return k->sign.value > 0 || pw_report_violation(x, k->row);
  }
  return has_gradient(x, k) || pw_report_gradient(x, k->row);
}

static bool check_servo(const pw_law_state *x, const looked *k, pw_start_laws *laws) {
  bool one_sided = k->row->stmt->u.law.rel.op != PW_REL_EQ;
  return !one_sided ||
         (k->law.form->on_velocity ? check_one_sided(x, k) : check_unilateral(x, k, laws));
}

/* One-sided laws have multipliers that are not negative, and zero off the constraint if they are
 * complementary. */
static bool check_multiplier(const pw_law_state *x, const looked *k) {
  const pw_system *s = x->m->sys;
  int state = pw_state_of(s->model, s->row_of[k->index]);
  double lambda = x->q[s->model->nq + state];
  bool off = k->sign.value != 0 && k->law.form->complementary;
  return (lambda >= 0 && !(off && lambda > 0)) || pw_report_multiplier(x, k->row, lambda);
}

/* A rough contact that is closed and pressed together cannot slip. */
static bool check_rough(const pw_law_state *x, const looked *k) {
  const pw_system *s = x->m->sys;
  looked on = look(x, s->law[k->index - s->nc].contact);
  bool closed = on.sign.at_kink && opens_with(x->m, &on) < 0;
  return k->sign.value == 0 || !closed || pw_report_slip(x, k->row, on.row);
}

/* A vertical end of a graph is a wall: value = sign*(argument - shift) >= 0. */
static bool check_graph(const pw_law_state *x, const looked *k) {
  const pw_law_form *form = k->law.form;
  bool beyond = form->wall && k->sign.value < 0;
  return !beyond || pw_report_wall(x, k->row, form->shift, form->unit, k->law.value);
}

/* One that depends on the state matters only where the contact is hit. */
static bool check_restitution(const pw_law_state *x, int i, const pw_start_laws *laws) {
  const pw_system *s = x->m->sys;
  const pw_row *row = &s->model->rows.items[s->row_of[s->nc + i]];
  double e = x->m->w->tape.clause.out[pw_view_restitution_at(i)];
  bool fits = e >= 0 && (e <= 1 || (x->rules->above_one && isfinite(e)));
  bool matters = row->clause.restitution >= 0 &&
                 (laws->touching[i] || pw_is_const(s->model->dag, row->clause.restitution));
  return !matters || fits || pw_report_restitution(x, row, e);
}

static bool check_law(const pw_law_state *x, int i, pw_start_laws *laws) {
  looked k = look(x, i);
  laws->touching[i] = k.sign.value == 0;
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

pawl_status pw_start_multipliers(pw_mech *m, double t, const double *q, const double *u,
                                 const double *side, pawl_diags *diags) {
  const pw_system *s = m->sys;
  pw_start_rules rules = {.as_stated = true};
  pw_law_state x = {m, t, q, u, side, &rules, diags};
  bool ok = true;
  pw_law_evaluate(&x);
  for (int k = 0; k < s->n_state; k++) {
    if (s->state_row[k] >= s->nc) {
      looked law = look(&x, s->state_row[k] - s->nc);
      ok = check_multiplier(&x, &law) && ok;
    }
  }
  return ok ? PAWL_OK : PAWL_E_START;
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

  /* every law must have a value at the start */
  pawl_status status = pw_mech_rates(m, t, q, u, side);
  pw_law_evaluate(&x);
  for (int i = 0; status == PAWL_OK && i < s->ni; i++) {
    if (!pw_all_finite(pw_mech_law(m, s->nc + i), s->nv + PW_VIEW_HEAD)) {
      status = pw_mech_fail(m, PAWL_E_NAN, -1, s->nc + i, NAN);
    }
  }
  if (status != PAWL_OK) {
    pw_mech_report(m, &m->fault, t, true, diags);
    return status;
  }

  /* each law on its own, then shapes that cross each other */
  bool ok = true;
  for (int i = 0; i < s->ni; i++) {
    ok = check_law(&x, i, laws) && ok;
    ok = check_restitution(&x, i, laws) && ok;
  }
  double depth;
  int crossed = ok ? pw_mech_crossed(m, t, q, u, side, &depth) : -1;
  if (crossed >= 0) {
    pw_report_crossed(&x, &s->model->touches.items[crossed], depth);
  }
  return ok && crossed < 0 ? PAWL_OK : PAWL_E_START;
}
