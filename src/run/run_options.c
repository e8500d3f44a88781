// SPDX-License-Identifier: MIT
/* The options of a run: those given count, then those of the run statement, then the defaults. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/diag.h"
#include "base/option_table.h"
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

static pawl_status choose_span(const pawl_system *sys, pawl_sim_opts *sim, pawl_diags *diags) {
  if (!sim->use_span && !pawl_run_span(sys, &sim->from, &sim->to)) {
    pw_diag_ref ref =
        pw_error(diags, "E0601", pw_place_of_end(sys), "the model does not say how long to run");
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
static pawl_status bad_option(const pawl_system *sys, pawl_diags *diags, const char *word,
                              double value, const char *legal) {
  pawl_run_option option;
  const pawl_run_option *stated = find_option(sys, word, &option);
  bool in_model = stated != NULL && stated->value == value;
  pw_error(diags, "E0603", in_model ? pw_place_of_option(sys, word) : PW_NO_SPAN,
           "run option `%s` is %.9g, but must be %s", word, value, legal);
  return in_model ? PAWL_E_MODEL : PAWL_E_ARGUMENT;
}

static pawl_status check_numbers(const pawl_system *sys, const pawl_run_opts *opts,
                                 pawl_diags *diags) {
  const pawl_sim_opts *sim = &opts->sim;
  double value = 0;
  const pawl_option *wrong = pw_options_wrong(opts, &value);
  if (wrong != NULL) {
    char legal[160];
    pawl_option_legal(wrong, legal, sizeof legal);
    return bad_option(sys, diags, wrong->word, value, legal);
  }
  if ((sim->to - sim->from) / opts->every > most_rows) {
    return bad_option(sys, diags, "every", opts->every, "large enough for at most 1e9 rows");
  }
  return PAWL_OK;
}

static pawl_status complete(const pawl_system *sys, pawl_run_opts *opts, pawl_diags *diags) {
  pawl_sim_opts *sim = &opts->sim;
  pawl_status status = choose_span(sys, sim, diags);
  if (status != PAWL_OK) {
    return status;
  }
  for (int i = 0; i < pawl_run_options(sys); i++) {
    pawl_run_option o = pawl_run_option_get(sys, i);
    pw_option_state(opts, o.word, o.choice, o.value);
  }
  pw_options_default(opts);
  sim->method = pawl_method_for(sys, sim->method);
  sim->step = sim->step == 0 ? sim->max_step : sim->step;
  if (opts->every == 0) {
    opts->every = (sim->to - sim->from) / PAWL_DEFAULT_ROWS;
  }
  return check_numbers(sys, opts, diags);
}

pawl_status pw_run_options(const pawl_system *sys, pawl_run_opts *opts, pawl_diags *diags) {
  pw_places_use(sys, diags);
  pawl_status status = complete(sys, opts, diags);
  pw_places_use(NULL, diags);
  return status;
}
