// SPDX-License-Identifier: MIT
/* The options of a run: those given count, then those of the run statement, then the defaults. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/diag.h"
#include "run/run.h"
#include "sim/places.h"

static const double most_rows = 1e9;

static const pawl_run_option *find_option(const pawl_system *sys, const char *word,
                                          pawl_run_option *out) {
  for (int i = 0; i < pawl_run_options(sys); i++) {
    *out = pawl_run_option_get(sys, i);
    if (strcmp(out->word, word) == 0) {
      return out;
    }
  }
  return NULL;
}

static void default_number(const pawl_system *sys, const char *word, double *value) {
  pawl_run_option option;
  if (*value == 0 && find_option(sys, word, &option) != NULL && option.choice == NULL) {
    *value = option.value;
  }
}

static void default_count(const pawl_system *sys, const char *word, long *value) {
  double number = 0;
  default_number(sys, word, &number);
  if (*value == 0 && number >= 1) {
    *value = number < INT32_MAX ? (long)number : INT32_MAX; /* the same on every system */
  }
}

static bool is_chosen(const pawl_system *sys, const char *word, const char *choice) {
  pawl_run_option option;
  return find_option(sys, word, &option) != NULL && option.choice != NULL &&
         strcmp(option.choice, choice) == 0;
}

static void choose_impacts(const pawl_system *sys, pawl_sim_opts *sim) {
  if (sim->impacts == PAWL_IMPACTS_AUTO) {
    sim->impacts = is_chosen(sys, "impacts", "sequential") ? PAWL_IMPACTS_SEQUENTIAL
                                                           : PAWL_IMPACTS_SIMULTANEOUS;
  }
  if (sim->energy_gain == PAWL_GAIN_AUTO) {
    sim->energy_gain = is_chosen(sys, "energy-gain", "stop") ? PAWL_GAIN_STOP : PAWL_GAIN_ALLOW;
  }
  if (sim->paradox == PAWL_PARADOX_AUTO) {
    sim->paradox = is_chosen(sys, "paradox", "iwc")         ? PAWL_PARADOX_IWC
                   : is_chosen(sys, "paradox", "enumerate") ? PAWL_PARADOX_ENUMERATE
                                                            : PAWL_PARADOX_STRICT;
  }
  if (is_chosen(sys, "start-impact", "allow")) {
    sim->start_impact = 1;
  }
  if (is_chosen(sys, "restitution-above-one", "allow")) {
    sim->restitution_above_one = 1;
  }
}

static pawl_status choose_method(pawl_run *run, pawl_diags *diags) {
  pawl_run_option option;
  pawl_sim_opts *sim = &run->opts.sim;
  if (run->opts.use_method || sim->method != PAWL_METHOD_AUTO ||
      find_option(run->sys, "method", &option) == NULL || option.choice == NULL) {
    return PAWL_OK;
  }
  const char *name;
  for (int i = 0; (name = pawl_method_name((pawl_method)i)) != NULL; i++) {
    if (strcmp(option.choice, name) == 0) {
      sim->method = (pawl_method)i;
      return PAWL_OK;
    }
  }
  pw_diag_ref ref = pw_error(diags, "E0603", pw_place_of_option(run->sys, "method"),
                             "method `%s` is not available", option.choice);
  pw_help(ref, "the methods are `event` (chosen by the tolerance), `dp5`, `dop853`, `moreau` and "
               "`variational`");
  return PAWL_E_MODEL;
}

static pawl_status choose_span(pawl_run *run, pawl_diags *diags) {
  pawl_sim_opts *sim = &run->opts.sim;
  if (!sim->use_span && !pawl_run_span(run->sys, &sim->from, &sim->to)) {
    pw_diag_ref ref = pw_error(diags, "E0601", pw_place_of_end(run->sys),
                               "the model does not say how long to run");
    pw_label(ref, "the model ends here, without `run`");
    pw_help(ref, "add a line such as `run 0..10`, or give the span with `-t 0..10`");
    return PAWL_E_MODEL;
  }
  sim->use_span = 1;
  if (!(isfinite(sim->from) && isfinite(sim->to) && sim->from < sim->to)) {
    pw_diag_ref ref = pw_error(diags, "E0602", PW_NO_SPAN, "the run %.9g..%.9g has no length",
                               sim->from, sim->to);
    pw_help(ref, "the first number must be smaller than the second, and both finite");
    return PAWL_E_MODEL;
  }
  return PAWL_OK;
}

/* An option that was given is a mistake of the caller's, one of the run statement the model's. */
static pawl_status bad_number(const pawl_run *run, pawl_diags *diags, const char *word,
                              double value, const char *legal) {
  pawl_run_option option;
  const pawl_run_option *stated = find_option(run->sys, word, &option);
  bool in_model = stated != NULL && stated->value == value;
  pw_error(diags, "E0603", in_model ? pw_place_of_option(run->sys, word) : PW_NO_SPAN,
           "run option `%s` is %.9g, but must be %s", word, value, legal);
  return in_model ? PAWL_E_MODEL : PAWL_E_ARGUMENT;
}

static pawl_status check_numbers(const pawl_run *run, pawl_diags *diags) {
  const pawl_sim_opts *sim = &run->opts.sim;
  double every = run->opts.every;
  if (!(sim->tol >= PAWL_TOL_LEAST && sim->tol <= PAWL_TOL_MOST)) {
    return bad_number(run, diags, "tol", sim->tol, "between 1e-14 and 1e-2");
  }
  if (!(every > 0 && isfinite(every))) {
    return bad_number(run, diags, "every", every, "above 0");
  }
  if ((sim->to - sim->from) / every > most_rows) {
    return bad_number(run, diags, "every", every, "large enough for at most 1e9 rows");
  }
  if (!(sim->max_step >= 0)) {
    return bad_number(run, diags, "step", sim->max_step, "above 0");
  }
  if (!(run->opts.max_seconds >= 0)) {
    return bad_number(run, diags, "max-seconds", run->opts.max_seconds, "above 0");
  }
  if (sim->max_steps < 0 || sim->max_events < 0) {
    return bad_number(run, diags, sim->max_steps < 0 ? "max-steps" : "max-events",
                      (double)(sim->max_steps < 0 ? sim->max_steps : sim->max_events),
                      "at least 1");
  }
  return PAWL_OK;
}

static pawl_status complete(pawl_run *run, pawl_diags *diags) {
  pawl_sim_opts *sim = &run->opts.sim;
  pawl_status status = choose_span(run, diags);
  if (status == PAWL_OK) {
    status = choose_method(run, diags);
  }
  if (status != PAWL_OK) {
    return status;
  }
  choose_impacts(run->sys, sim);
  default_number(run->sys, "tol", &sim->tol);
  default_number(run->sys, "step", &sim->max_step);
  sim->step = sim->step == 0 ? sim->max_step : sim->step;
  default_number(run->sys, "every", &run->opts.every);
  default_number(run->sys, "max-seconds", &run->opts.max_seconds);
  default_count(run->sys, "max-steps", &sim->max_steps);
  default_count(run->sys, "max-events", &sim->max_events);
  if (sim->tol == 0) {
    sim->tol = 1e-9;
  }
  if (run->opts.every == 0) {
    run->opts.every = (sim->to - sim->from) / 2000;
  }
  return check_numbers(run, diags);
}

pawl_status pw_run_options(pawl_run *run, pawl_diags *diags) {
  pw_places_use(run->sys, diags);
  pawl_status status = complete(run, diags);
  pw_places_use(NULL, diags);
  return status;
}
