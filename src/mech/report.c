// SPDX-License-Identifier: MIT
/* Faults of the mechanics as diagnostics: which coordinate or law, when, what to do. */
#include <math.h>
#include <stdio.h>

#include <string.h>

#include "base/buf.h"
#include "lang/print.h"
#include "law/scale_mech.h"
#include "mech/work.h"

static pw_span place(const pw_mech *m, const pw_fault *f) {
  if (f->coord >= 0) {
    return m->sys->model->coords.items[f->coord].span;
  }
  return f->row >= 0 ? m->sys->model->rows.items[m->sys->row_of[f->row]].span : PW_NO_SPAN;
}

static const char *culprit(const pw_mech *m, const pw_fault *f) {
  if (f->coord >= 0) {
    return m->sys->model->coords.items[f->coord].name;
  }
  return f->row >= 0 ? m->sys->model->rows.items[m->sys->row_of[f->row]].name : "the model";
}

/* The state whose rate is not a number where the motion was looked at last, or NULL. */
static const pw_signal *undefined_state(const pw_mech *m) {
  const pw_model *model = m->sys->model;
  const double *rate = pw_view_motion(m->sys, m->w->tape.motion.out).q_rate;
  for (int k = 0; k < model->signals.n; k++) {
    const pw_signal *z = &model->signals.items[k];
    if (z->kind == PW_SIGNAL_STATE && !isfinite(rate[z->q])) {
      return z;
    }
  }
  return NULL;
}

pw_diag_ref pw_mech_report_signal(const pw_signal *z, const char *when, bool at_start,
                                  pawl_diags *diags) {
  pw_diag_ref ref = pw_error(
      diags, at_start ? "E0340" : "E0512", z->span, "%s `%s` is not a number %s",
      z->kind == PW_SIGNAL_STATE ? "the rate of the state" : "the value of", z->name, when);
  pw_label(ref, "a term divides by zero, or takes a root or logarithm outside its range");
  return ref;
}

static pw_diag_ref report_nan(const pw_mech *m, const pw_fault *f, const char *when, bool at_start,
                              pawl_diags *diags) {
  const pw_signal *state = f->coord < 0 && f->row < 0 ? undefined_state(m) : NULL;
  if (state != NULL) {
    return pw_mech_report_signal(state, when, at_start, diags);
  }
  if (f->coord < 0 && f->row < 0) {
    pw_diag_ref far = pw_error(diags, at_start ? "E0340" : "E0512", PW_NO_SPAN,
                               "the motion leaves the range of numbers %s", when);
    pw_help(far, "its energy or accelerations are too large to be computed: look at the sizes of "
                 "parameters and start values, or choose other units");
    return far;
  }
  bool law = f->row >= m->sys->nc && f->coord < 0;
  pw_kind kind = law ? m->sys->model->rows.items[m->sys->row_of[f->row]].kind : PW_KIND_HOLONOMIC;
  const char *what = f->coord >= 0              ? "the equation of motion for"
                     : kind == PW_KIND_FRICTION ? "the friction"
                     : kind == PW_KIND_SPRING   ? "the spring"
                     : kind == PW_KIND_LAW      ? "the law"
                     : kind == PW_KIND_KINK     ? "the kink"
                                                : "the constraint";
  pw_diag_ref ref = pw_error(diags, at_start ? "E0340" : "E0512", place(m, f),
                             "%s `%s` is not a number %s", what, culprit(m, f), when);
  pw_label(ref, "a term divides by zero, or takes a root or logarithm outside its range");
  if (at_start) {
    pw_help(ref, "start at another point, or write the expression so that it is defined there");
  }
  return ref;
}

static pw_diag_ref report_inertia(const pw_mech *m, const pw_fault *f, const char *when,
                                  bool at_start, pawl_diags *diags) {
  pw_diag_ref ref =
      pw_error(diags, "E0321", place(m, f), "the mass matrix is not positive definite %s", when);
  if (f->value > 0) {
    pw_label(ref, "`%s` has no inertia of its own here", culprit(m, f));
  } else {
    pw_label(ref, "the inertia of `%s` is %.3g here", culprit(m, f), f->value);
  }
  if (m->sys->trait.bends) {
    pw_note(ref, "multipliers that are states are part of it: T + lambda*phi");
  }
  pw_help(ref, at_start ? "check the kinetic energy: every rate must carry inertia of its own"
               : m->sys->trait.bends
                   ? "start with another value of the multiplier, `start force(c) = ...`"
               : m->sys->trait.curved
                   ? "T must be convex in the velocities: look at the speed reached here"
                   : "the coordinates are singular here: choose others, or a `rotation`");
  return ref;
}

/* ---- servos ---- */

static const pw_clause *clause_of(const pw_row *row, pw_clause_kind kind) {
  const pw_stmt *s = row->stmt;
  int i = 0;
  while (s->u.law.items[i].kind != kind) {
    i++;
  }
  return &s->u.law.items[i];
}

/* Kozlov 2019, sec. 7: lambda' acts on f only if df/du (M + lambda phi_uu)^-1 dphi/du is not 0. */
static pw_diag_ref report_flywheel(const pw_mech *m, const pw_fault *f, const char *when,
                                   bool at_start, pawl_diags *diags) {
  const pw_row *row = &m->sys->model->rows.items[m->sys->row_of[f->row]];
  const pw_clause *c = clause_of(row, PW_CL_INERTIA);
  pw_diag_ref ref =
      pw_error(diags, "E0317", c->ex->span, "constraint `%s` cannot be realised by this inertia %s",
               row->name, when);
  pw_label(ref, "a change of its multiplier does not act on the constraint: sigma2 = "
                "grad f*M^-1*grad phi = 0");
  pw_second(ref, row->stmt->u.law.rel.span, "%s", "");
  pw_help(ref, at_start ? "choose another phi, or start where it acts on the constraint"
                        : "choose a phi that keeps acting on the constraint along the motion");
  return ref;
}

/* "at th = 1.5708 ", if the servo's target is a single coordinate. */
static void print_place(const pw_mech *m, const pw_ex *target, pw_buf *out) {
  const pw_model *model = m->sys->model;
  for (int c = 0; c < model->coords.n; c++) {
    const pw_coord *k = &model->coords.items[c];
    if (target->kind == PW_EX_NAME && !k->is_rotation && strcmp(target->name, k->name) == 0) {
      double at = m->w->in[m->sys->offset[PW_VAR_Q] + k->q];
      pw_buf_printf(out, "at %s = %.5g ", k->name, at);
    }
  }
}

static pw_diag_ref report_servo(const pw_mech *m, const pw_fault *f, const char *when,
                                bool at_start, pawl_diags *diags) {
  const pw_row *row = &m->sys->model->rows.items[m->sys->row_of[f->row]];
  const pw_clause *by = clause_of(row, PW_CL_BY);
  const pw_ex *target = row->stmt->u.law.rel.left;
  pw_span at = pw_span_join(by->by.items[0].ref->span, by->by.items[by->by.n - 1].ref->span);
  pw_buf along = {0}, what = {0}, place_text = {0};
  for (int i = 0; i < by->by.n; i++) {
    pw_buf_puts(&along, i == 0 ? "" : ", ");
    pw_print_ex(&along, by->by.items[i].ref);
  }
  pw_print_ex(&what, target);
  print_place(m, target, &place_text);
  if (along.failed || what.failed || place_text.failed) {
    (void)pw_no_memory(diags);
  }
  pw_diag_ref ref =
      pw_error(diags, "E0310", at, "servo `%s` cannot be realised by a force along %s %s",
               row->name, along.text == NULL ? "" : along.text, when);
  if (fabs(f->value) > PW_SCALE(GRIP_SLIPPERY)) { /* it does reach its own target */
    pw_label(ref, "the laws do not determine this force: independent targets need independent "
                  "forces");
  } else {
    pw_label(ref, "%sthis force does not accelerate %s: Phi*M^-1*grad f = 0",
             place_text.text == NULL ? "" : place_text.text, what.text == NULL ? "" : what.text);
  }
  pw_second(ref, row->stmt->u.law.rel.span, "%s", "");
  pw_help(ref, at_start ? "drive another coordinate with `by`, or start where the force acts on "
                          "the target"
                        : "drive another coordinate with `by`, or choose a target that stays where "
                          "the force acts on it");
  pw_buf_free(&along);
  pw_buf_free(&what);
  pw_buf_free(&place_text);
  return ref;
}

static pw_diag_ref report_contradiction(const pw_mech *m, const pw_fault *f, const char *when,
                                        bool at_start, pawl_diags *diags) {
  if (f->row >= 0 && m->sys->row[f->row].by >= 0) {
    const char *instant = at_start ? "at the start" : when;
    bool flywheel = m->sys->model->rows.items[m->sys->row_of[f->row]].kind == PW_KIND_INERTIA;
    return flywheel ? report_flywheel(m, f, instant, at_start, diags)
                    : report_servo(m, f, instant, at_start, diags);
  }
  pw_diag_ref ref = pw_error(diags, "E0331", place(m, f),
                             "constraint `%s` contradicts the others %s", culprit(m, f), when);
  pw_label(ref, "no acceleration satisfies it together with the others");
  return ref;
}

/* Friction on equalities: their forces are not unique (the row is one of them), or they and the
 * friction do not determine each other. */
static pw_diag_ref report_loads(const pw_mech *m, const pw_fault *f, const char *when,
                                pawl_diags *diags) {
  if (f->row < m->sys->nc) {
    pw_diag_ref ref = pw_error(diags, "E0269", place(m, f),
                               "the force of `%s`, which bounds a friction, is not unique %s",
                               culprit(m, f), when);
    pw_label(ref, "other constraints hold the same: how they share the load is not determined");
    pw_help(ref, "remove what is redundant, or give the bound yourself: `bound F`");
    return ref;
  }
  pw_diag_ref ref = pw_error(diags, "E0268", place(m, f),
                             "friction `%s` and the forces that bound it have no common solution "
                             "%s",
                             culprit(m, f), when);
  pw_label(ref, "it changes them by more than itself, so that it would lock or run away");
  pw_help(ref, "a smaller `mu`, or a larger lever of the joint against this friction");
  return ref;
}

pw_diag_ref pw_mech_report(const pw_mech *m, const pw_fault *f, double t, bool at_start,
                           pawl_diags *diags) {
  char when[64];
  (void)snprintf(when, sizeof when, at_start ? "at the start (t = %.9g)" : "at t = %.9g", t);
  pw_diag_ref ref;
  switch (f->status) {
  case PAWL_E_NAN: return report_nan(m, f, when, at_start, diags);
  case PAWL_E_INERTIA: return report_inertia(m, f, when, at_start, diags);
  case PAWL_E_NO_MOTION: return report_loads(m, f, when, diags);
  case PAWL_E_CONTRADICTION: return report_contradiction(m, f, when, at_start, diags);
  case PAWL_E_DRIFT:
    ref = pw_error(diags, at_start ? "E0301" : "E0514", place(m, f),
                   "constraint `%s` cannot be held %s", culprit(m, f), when);
    pw_label(ref, "violation %.3g after projection", f->value);
    return ref;
  default: return pw_error(diags, "E0301", place(m, f), "%s %s", pawl_status_text(f->status), when);
  }
}
