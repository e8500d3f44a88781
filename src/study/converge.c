// SPDX-License-Identifier: MIT
/* Methods against the exact motion: rows at smaller and smaller tolerances or steps. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/study.h"

enum { TOLS = 8, STEPS = 7 };

/* The first step of a series, in parts of the span: of methods with steps of one size, whose errors
 * are larger, and of the others. */
static const double first_fixed = 1.0 / 125, first_free = 1.0 / 8;

static double span_of(const pawl_system *system, const pawl_study_opts *opts) {
  double from = opts->from, to = opts->to;
  if (!opts->use_span && !pawl_run_span(system, &from, &to)) {
    return NAN;
  }
  return to - from;
}

/* Row k: options, the value shown, and the variable against which the order is fitted (0: the mean
 * step). */
static pawl_sim_opts row_of(pawl_method method, bool by_step, double span, int k, double *value,
                            double *h) {
  bool fixed = pawl_method_is_fixed(method);
  pawl_sim_opts how = {.method = method};
  *h = 0;
  if (!by_step) {
    how.tol = *value = pow(10, -3 - k);
    return how;
  }
  *value = *h = ldexp(fixed ? first_fixed : first_free, -k) * span;
  if (fixed) {
    how.step = *h;
  } else {
    how.max_step = *h;
    how.tol = PAWL_TOL_MOST;
  }
  return how;
}

static pawl_status study_method(pawl_study *s, const pawl_system *system,
                                const pawl_study_opts *opts, pawl_method method) {
  bool fixed = pawl_method_is_fixed(method);
  bool by_step = fixed || opts->by == PAWL_BY_STEP;
  double span = span_of(system, opts), value, h;
  pw_study_line *line = pw_study_begin(s, pawl_method_name(method), by_step ? "step" : "tol");
  pawl_status status = PAWL_OK;
  for (int k = 0; line != NULL && k < (by_step ? STEPS : TOLS) && status == PAWL_OK; k++) {
    pawl_sim_opts how = row_of(method, by_step, span, k, &value, &h);
    status = pw_study_add(s, line, system, opts, &how, value, h);
    bool nothing = status == PAWL_OK && k == 0 && line->row[0].steps == 0;
    if (nothing) { /* it does not take the model */
      memcpy(line->refused, line->row[0].why, sizeof line->refused);
      line->n = 0;
      return PAWL_OK;
    }
  }
  if (line != NULL && status == PAWL_OK) {
    pw_study_fit(s, line);
  }
  return status;
}

static pawl_status study_methods(pawl_study *s, const pawl_system *system,
                                 const pawl_study_opts *opts) {
  static const pawl_method all[] = {PAWL_METHOD_AUTO,  PAWL_METHOD_DP5,    PAWL_METHOD_DOP853,
                                    PAWL_METHOD_RADAU, PAWL_METHOD_MOREAU, PAWL_METHOD_VARIATIONAL};
  if (opts->one_method) {
    return study_method(s, system, opts, pawl_method_for(system, opts->method));
  }
  pawl_status status = PAWL_OK;
  for (size_t i = 0; i < sizeof all / sizeof *all && status == PAWL_OK; i++) {
    status = study_method(s, system, opts, all[i]);
  }
  return status;
}

pawl_status pawl_converge_new(const pawl_model *model, const pawl_study_opts *opts,
                              pawl_diags *diags, pawl_study **out) {
  pawl_study_opts none = {0};
  pawl_system *system = NULL;
  pawl_study *s = NULL;
  opts = opts == NULL ? &none : opts;
  if (out != NULL) {
    *out = NULL;
  }
  if (model == NULL || out == NULL || pawl_method_name(opts->method) == NULL ||
      (opts->n_override > 0 && opts->overrides == NULL)) {
    return PAWL_E_ARGUMENT;
  }

  /* The limit: events at the smallest tolerance that can be reached. */
  pawl_status status = pw_study_system(model, opts, NULL, diags, &system);
  if (status == PAWL_OK) {
    status = pw_study_make(pawl_system_file(system), &s);
  }
  if (status == PAWL_OK) {
    s->against = "event at the smallest tolerance";
    status = pw_study_limit(s, system, opts, NULL, diags);
  }

  /* Each method against it, at falling tolerances or steps. */
  if (status == PAWL_OK) {
    status = study_methods(s, system, opts);
  }

  /* After a failure the caller has no object. */
  pawl_system_free(system);
  if (status != PAWL_OK) {
    pawl_study_free(s);
    s = NULL;
  }
  *out = s;
  return status;
}
