// SPDX-License-Identifier: MIT
#include "mech/law_report.h"

#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "law/scale_mech.h"
#include "mech/start_report.h"
#include "mech/work.h"

void pw_law_evaluate(const pw_law_state *x) {
  pw_mech_input(x->m, x->t, x->q, x->u, x->side);
  pw_program_run(x->m, &x->m->w->tape.contact);
  pw_program_run(x->m, &x->m->w->tape.clause);
}

static const double *law_of(const pw_law_state *x, const pw_row *row) {
  const pw_system *s = x->m->sys;
  return pw_mech_law(x->m, s->index_of[row - s->model->rows.items]);
}

/* ---- the start value to blame ---- */

static const pw_value *value_of(const pw_law_state *x, const pw_coord *k, bool velocity) {
  const pw_model *m = x->m->sys->model;
  return velocity ? &m->u_start[k->u] : &m->q_start[k->q];
}

static const char *name_of(const pw_law_state *x, const pw_coord *k, bool velocity) {
  const pw_model *m = x->m->sys->model;
  return velocity ? m->u_name[k->u] : m->q_name[k->q];
}

/* The scalar value with the largest share in the row; stated ones come first. NULL: none. */
static const pw_coord *blame(const pw_law_state *x, const pw_row *row, bool velocity) {
  const pw_model *m = x->m->sys->model;
  const double *J = law_of(x, row) + PW_VIEW_HEAD;
  const pw_coord *found = NULL;
  double most = 0;
  bool stated = false;
  for (int c = 0; c < m->coords.n && x->rules->as_stated; c++) {
    const pw_coord *k = &m->coords.items[c];
    bool now = value_of(x, k, velocity)->mode != PW_UNSET;
    double share = k->is_rotation ? 0 : fabs(J[k->u]);
    if (share > 0 && (now > stated || (now == stated && share > most))) {
      most = share;
      found = k;
      stated = now;
    }
  }
  return found;
}

static pw_span place(const pw_law_state *x, const pw_row *row, const pw_coord *k, bool velocity) {
  bool stated = k != NULL && value_of(x, k, velocity)->mode != PW_UNSET;
  return stated ? value_of(x, k, velocity)->span : row->rel_span;
}

static void label(pw_diag_ref ref, const pw_row *row, bool rate, double value) {
  pw_buf text = {0};
  pw_print_residual(&text, row);
  const char *body = text.text == NULL ? row->name : text.text;
  pw_label(ref, rate ? "d/dt(%s) = %.4g, must not be negative" : "%s = %.4g, must not be negative",
           body, value);
  pw_buf_free(&text);
}

/* Where the row vanishes if the blamed value alone changes, by one step of Newton's method; false
 * if the row is not linear in it. */
static bool zero_at(const pw_law_state *x, const pw_row *row, const pw_coord *k, bool velocity,
                    double *out) {
  const pw_system *s = x->m->sys;
  int which = velocity ? PW_VIEW_RATE : PW_VIEW_VALUE;
  double slope = law_of(x, row)[PW_VIEW_HEAD + k->u], was = law_of(x, row)[which];
  double *in = x->m->w->in + (velocity ? s->offset[PW_VAR_U] + k->u : s->offset[PW_VAR_Q] + k->q);
  double given = *in;
  *out = given - was / slope;
  *in = *out;
  pw_program_run(x->m, &x->m->w->tape.contact);
  bool linear = fabs(law_of(x, row)[which]) <= PW_SCALE(START_LINEAR) * fabs(was);
  *in = given;
  pw_program_run(x->m, &x->m->w->tape.contact);
  *out = fabs(*out) <= PW_SCALE(START_SHOWN) * fabs(given - *out) ? 0 : *out;
  return linear;
}

static void offer_limit(const pw_law_state *x, const pw_row *row, const pw_coord *k, bool velocity,
                        pw_diag_ref ref) {
  double limit;
  bool rises = law_of(x, row)[PW_VIEW_HEAD + k->u] > 0;
  if (zero_at(x, row, k, velocity, &limit)) {
    pw_help(ref, "with the other values as they are, %s must be at %s %.9g",
            name_of(x, k, velocity), rises ? "least" : "most", limit);
  }
}

bool pw_report_wall(const pw_law_state *x, const pw_row *row, double at, double sign,
                    double value) {
  pw_buf text = {0};
  pw_print_residual(&text, row);
  pw_diag_ref ref = pw_error(x->diags, row->on_velocity ? "E0313" : "E0311", row->rel_span,
                             "the start violates `%s` by %.3g", row->name, -value);
  pw_label(ref, "%s = %.4g, must be at %s %.4g", text.text == NULL ? row->name : text.text,
           at + sign * value, sign > 0 ? "least" : "most", at);
  pw_help(ref, "the graph ends there with a force without bound: start on its other side");
  pw_buf_free(&text);
  return false;
}

/* ---- positions ---- */

bool pw_report_penetration(const pw_law_state *x, const pw_row *row) {
  double g = law_of(x, row)[PW_VIEW_VALUE];
  const pw_coord *k = blame(x, row, false);
  pw_diag_ref ref = pw_error(x->diags, "E0311", place(x, row, k, false),
                             "the start violates `%s` by %.3g", row->name, -g);
  label(ref, row, false, g);
  if (k != NULL) {
    offer_limit(x, row, k, false, ref);
  }
  if (k != NULL && row->stmt->kind != PW_ST_CONTACT) {
    pw_help(ref, "to start in contact, write `%s ~ %.6g, %s closed`", name_of(x, k, false),
            x->q[k->q], row->name);
  }
  return false;
}

void pw_report_crossed(const pw_law_state *x, const pw_touch *touch, double depth) {
  const pw_row *row = &x->m->sys->model->rows.items[touch->row];
  pw_diag_ref ref = pw_error(x->diags, "E0311", row->span, "the start violates `%s:%s` by %.3g",
                             touch->contact, touch->pair, depth);
  pw_label(ref, "these shapes cross each other at the start");
  pw_help(ref, "start them apart from each other by %.3g more", depth);
}

bool pw_report_inward(const pw_law_state *x, const pw_row *row) {
  double rate = law_of(x, row)[PW_VIEW_RATE];
  const pw_coord *k = blame(x, row, true);
  pw_diag_ref ref =
      pw_error(x->diags, "E0312", place(x, row, k, true),
               "`%s` is touched at the start and approached with velocity %.3g", row->name, -rate);
  label(ref, row, true, rate);
  bool turns = row->clause.restitution >= 0;
  pw_help(ref,
          "if it starts with an impact, write `run ..., start-impact allow`: %s%s%s`%s` then %s "
          "this velocity",
          turns ? "`" : "", turns ? pw_impact_word(row->clause.impact) : "", turns ? "` of " : "",
          row->name, turns ? "turns" : "stops");
  if (k != NULL) {
    pw_help(ref, "to start with the contact closed, write `%s ~ %.6g, %s closed`",
            name_of(x, k, true), x->u[k->u], row->name);
  }
  return false;
}

/* ---- velocities ---- */

bool pw_report_violation(const pw_law_state *x, const pw_row *row) {
  double f = law_of(x, row)[PW_VIEW_VALUE];
  const pw_coord *k = blame(x, row, true);
  pw_diag_ref ref = pw_error(x->diags, "E0313", place(x, row, k, true),
                             "the start velocity violates `%s` by %.3g", row->name, -f);
  label(ref, row, false, f);
  if (k != NULL) {
    offer_limit(x, row, k, true, ref);
    if (row->kind == PW_KIND_ONE_SIDED_VELOCITY) {
      pw_help(ref, "to start on its edge, write `%s ~ %.6g, %s closed`", name_of(x, k, true),
              x->u[k->u], row->name);
    }
  }
  pw_note(ref, "a one-sided constraint on velocities has no impact that could restore it");
  return false;
}

bool pw_report_slip(const pw_law_state *x, const pw_row *row, const pw_row *on) {
  double slip = law_of(x, row)[PW_VIEW_RATE];
  const pw_coord *k = blame(x, row, true);
  pw_diag_ref ref =
      pw_error(x->diags, "E0316", place(x, row, k, true),
               "the start slips at `%s`, but `%s` is closed and rough", row->name, on->name);
  pw_label(ref, "slip %.4g, must be 0", slip);
  if (k != NULL) {
    pw_help(ref, "write `%s ~ %.6g, %s closed`, and the slip is solved to 0", name_of(x, k, true),
            x->u[k->u], on->name);
  }
  return false;
}

/* ---- the law itself ---- */

bool pw_report_gradient(const pw_law_state *x, const pw_row *row) {
  pw_diag_ref ref =
      pw_error(x->diags, "E0315", row->rel_span,
               "`%s` has no gradient at the start, where a force of it may be needed", row->name);
  pw_label(ref, "its derivative with respect to every %s is zero here",
           row->on_velocity ? "velocity" : "coordinate");
  pw_help(ref, "start elsewhere, or state the same condition with a gradient (`x >= 0`, not "
               "`x^3 >= 0`)");
  return false;
}

static pw_span restitution_span(const pw_row *row) {
  const pw_stmt *s = row->stmt;
  for (int i = 0; i < s->u.law.n; i++) {
    const pw_clause *c = &s->u.law.items[i];
    if (c->kind == PW_CL_RESTITUTION || c->kind == PW_CL_POISSON) {
      return c->ex->span;
    }
  }
  return row->span;
}

bool pw_report_restitution(const pw_law_state *x, const pw_row *row, double e) {
  pw_diag_ref ref =
      pw_error(x->diags, "E0314", restitution_span(row),
               "the restitution of `%s` is %.6g at the start, outside 0..1", row->name, e);
  if (e > 1) {
    pw_label(ref, "above 1 every impact gains energy");
    pw_help(ref, "if that is meant, write `run ..., restitution-above-one allow`");
  } else {
    pw_label(ref, e < 0 ? "below 0 the impact would go on inward" : "this is not a number");
  }
  return false;
}

bool pw_report_multiplier(const pw_law_state *x, const pw_row *row, double lambda) {
  pw_diag_ref ref = pw_error(x->diags, "E0318", row->span,
                             "the multiplier of `%s` cannot start at %.9g", row->name, lambda);
  if (lambda < 0) {
    pw_label(ref, "that of a law with `>=` is never negative");
  } else {
    pw_label(ref, "the start is off the constraint, where it is zero");
  }
  pw_help(ref, "write `start force(%s) = 0`%s", row->name,
          lambda < 0 ? ", or `=` instead of `>=` in the constraint" : "");
  return false;
}
