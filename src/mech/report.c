// SPDX-License-Identifier: MIT
/* Faults of the mechanics as diagnostics: which coordinate or law, when, what to do. */
#include <stdio.h>

#include "mech/mech.h"

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

static void report_nan(const pw_mech *m, const pw_fault *f, const char *when, bool at_start,
                       pawl_diags *diags) {
  const char *what = f->coord >= 0 ? "the equation of motion for" : "the constraint";
  pw_diag_ref ref = pw_error(diags, at_start ? "E0340" : "E0512", place(m, f),
                             "%s `%s` is not a number %s", what, culprit(m, f), when);
  pw_label(ref, "a term divides by zero, or takes a root or logarithm outside its range");
  if (at_start) {
    pw_help(ref, "start at another point, or write the expression so that it is defined there");
  }
}

static void report_inertia(const pw_mech *m, const pw_fault *f, const char *when, bool at_start,
                           pawl_diags *diags) {
  pw_diag_ref ref =
      pw_error(diags, "E0321", place(m, f), "the mass matrix is not positive definite %s", when);
  if (f->value > 0) {
    pw_label(ref, "`%s` has no inertia of its own here", culprit(m, f));
  } else {
    pw_label(ref, "the inertia of `%s` is %.3g here", culprit(m, f), f->value);
  }
  pw_help(ref, at_start ? "check the kinetic energy: every rate must carry inertia of its own"
                        : "the coordinates are singular here: choose others, or a `rotation`");
}

void pw_mech_report(const pw_mech *m, const pw_fault *f, double t, bool at_start,
                    pawl_diags *diags) {
  char when[64];
  (void)snprintf(when, sizeof when, at_start ? "at the start (t = %.9g)" : "at t = %.9g", t);
  pw_diag_ref ref;
  switch (f->status) {
  case PAWL_E_NAN: report_nan(m, f, when, at_start, diags); break;
  case PAWL_E_INERTIA: report_inertia(m, f, when, at_start, diags); break;
  case PAWL_E_CONTRADICTION:
    ref = pw_error(diags, "E0331", place(m, f), "constraint `%s` contradicts the others %s",
                   culprit(m, f), when);
    pw_label(ref, "no acceleration satisfies it together with the others");
    break;
  case PAWL_E_DRIFT:
    ref = pw_error(diags, at_start ? "E0301" : "E0514", place(m, f),
                   "constraint `%s` cannot be held %s", culprit(m, f), when);
    pw_label(ref, "violation %.3g after projection", f->value);
    break;
  default: pw_error(diags, "E0301", place(m, f), "%s %s", pawl_status_text(f->status), when); break;
  }
}
