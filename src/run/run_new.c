// SPDX-License-Identifier: MIT
/* Making a run, freeing it, and what can be asked about it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "lang/text_model.h"
#include "law/law_name.h"
#include "run/run.h"
#include "tangent/gradient.h"

static char *copy_text(const char *text) {
  size_t size = strlen(text) + 1;
  char *copy = malloc(size);
  return copy == NULL ? NULL : memcpy(copy, text, size);
}

static bool copy_overrides(pawl_run *run, const pawl_run_opts *opts) {
  int n = opts->n_override;
  if (n <= 0) {
    return true;
  }
  pawl_override *copy = calloc((size_t)n, sizeof *copy);
  run->opts.overrides = copy;
  run->opts.n_override = copy == NULL ? 0 : n;
  for (int i = 0; i < run->opts.n_override; i++) {
    copy[i].name = copy_text(opts->overrides[i].name);
    copy[i].value = copy_text(opts->overrides[i].value);
    if (copy[i].name == NULL || copy[i].value == NULL) {
      return false;
    }
  }
  return copy != NULL;
}

static void free_overrides(pawl_run *run) {
  for (int i = 0; i < run->opts.n_override; i++) {
    free((void *)(uintptr_t)run->opts.overrides[i].name);
    free((void *)(uintptr_t)run->opts.overrides[i].value);
  }
  free((void *)(uintptr_t)run->opts.overrides);
}

static char *force_column(pawl_law_info law) {
  pw_buf name = {0};
  pw_force_column(&name, law.column, law.component, law.components);
  char *copy = name.failed ? NULL : copy_text(name.text);
  pw_buf_free(&name);
  return copy;
}

static bool name_columns(pawl_run *run) {
  int n = 0;
  run->column[n++] = copy_text("t");
  for (int i = 0; i < run->nq; i++) {
    run->column[n++] = copy_text(pawl_position_name(run->sys, i));
  }
  for (int i = 0; i < run->nv; i++) {
    run->column[n++] = copy_text(pawl_velocity_name(run->sys, i));
  }
  for (int i = 0; i < run->n_law; i++) {
    run->column[n++] = force_column(pawl_law_get(run->sys, i));
  }
  for (int i = 0; i < run->n_out; i++) {
    run->column[n++] = copy_text(pawl_output_name(run->sys, i));
  }
  for (int i = 0; i < n; i++) {
    if (run->column[i] == NULL) {
      return false;
    }
  }
  return true;
}

static double *reals(int n) {
  return calloc((size_t)n + 1, sizeof(double));
}

static bool make_room(pawl_run *run) {
  run->nq = pawl_system_positions(run->sys);
  run->nv = pawl_system_velocities(run->sys);
  run->n_law = pawl_system_laws(run->sys);
  run->n_out = pawl_system_outputs(run->sys);
  run->n_expect = pawl_system_expectations(run->sys);
  run->n_state = run->nq + run->nv;
  run->n_col = 1 + run->n_state + run->n_law + run->n_out;
  run->column = calloc((size_t)run->n_col, sizeof *run->column);
  run->row = reals(run->n_col);
  run->before = reals(run->n_state);
  run->after = reals(run->n_state);
  run->works = reals(pawl_system_works(run->sys));
  run->result.works = run->works;
  run->nan_from = reals(run->n_out);
  for (int i = 0; i < run->n_out && run->nan_from != NULL; i++) {
    run->nan_from[i] = NAN;
  }
  run->expect = calloc((size_t)run->n_expect + 1, sizeof *run->expect);
  return run->column != NULL && run->row != NULL && run->before != NULL && run->after != NULL &&
         run->works != NULL && run->nan_from != NULL && run->expect != NULL &&
         pw_expect_plan_new(run) && name_columns(run);
}

/* The limit of time, and what the caller asks for himself. */
static int is_over_time(void *payload) {
  const pawl_run *run = payload;
  return pw_clock() - run->clock > run->opts.max_seconds ||
         (run->asker.ask != NULL && run->asker.ask(run->asker.payload) != 0);
}

/* The system of the model; a method that is given makes the pairs of its contacts, too. */
static pawl_status make_system(pawl_run *run, const pawl_run_opts *opts, pawl_diags *diags) {
  int n = opts->n_override;
  if (n < 0 || (n > 0 && opts->overrides == NULL)) {
    return PAWL_E_ARGUMENT;
  }
  pawl_override *all = calloc((size_t)n + 1, sizeof *all);
  if (all == NULL) {
    return PAWL_E_MEMORY;
  }
  if (n > 0) {
    memcpy(all, opts->overrides, (size_t)n * sizeof *all);
  }
  const char *method = pawl_method_name(opts->sim.method);
  bool given = method != NULL && (opts->use_method || opts->sim.method != PAWL_METHOD_AUTO);
  all[n] = (pawl_override){"run method", method};
  pawl_system_opts system = {
      .overrides = all, .n_override = n + given, .no_native = opts->native == PAWL_NATIVE_OFF};
  pawl_status status = pawl_system_new(run->model, &system, diags, &run->sys);
  free(all);
  return status;
}

/* Everything after the empty struct; what fails half way is freed by the caller. */
static pawl_status fill(pawl_run *run, const pawl_run_opts *opts, pawl_diags *diags) {
  run->partial.motion.file = run->partial.folder = PW_FILE_CLOSED;
  run->opts = *opts;
  run->opts.overrides = NULL;
  run->opts.n_override = 0;
  if ((opts->save & ~(unsigned)(PAWL_SAVE_NPZ | PAWL_SAVE_H5)) != 0) {
    pw_error(diags, "E0603", PW_NO_SPAN, "run option `save` is %u, but must be a sum of formats",
             opts->save);
    return PAWL_E_ARGUMENT;
  }
  if ((opts->save & PAWL_SAVE_H5) != 0 && !pw_can_write_h5()) {
    pw_diag_ref ref = pw_error(diags, "E0604", PW_NO_SPAN, "this build cannot write HDF5 files");
    pw_help(ref, "save `npz` instead, or build with the package libhdf5-dev installed");
    return PAWL_E_UNSUPPORTED;
  }
  if (!pw_run_copy_names(&run->opts, opts)) {
    return PAWL_E_MEMORY;
  }
  pawl_status status = make_system(run, opts, diags);
  if (status == PAWL_OK) {
    status =
        pw_gradient_check(run->sys, &opts->sim, run->opts.gradient, run->opts.n_gradient, diags);
  }
  if (status == PAWL_OK && (!copy_overrides(run, opts) ||
                            (opts->dir != NULL && (run->dir = copy_text(opts->dir)) == NULL))) {
    status = PAWL_E_MEMORY;
  }
  if (status == PAWL_OK) {
    status = pw_run_options(run->sys, &run->opts, diags);
  }
  if (status == PAWL_OK) {
    status = make_room(run) ? PAWL_OK : PAWL_E_MEMORY;
  }
  if (status == PAWL_OK && run->opts.max_seconds > 0) {
    run->asker.ask = run->opts.sim.ask;
    run->asker.payload = run->opts.sim.payload;
    run->opts.sim.ask = is_over_time;
    run->opts.sim.payload = run;
  }
  if (status == PAWL_OK) {
    status = pawl_sim_new(run->sys, &run->opts.sim, diags, &run->sim);
    status = status == PAWL_E_ARGUMENT ? PAWL_E_MODEL : status; /* legal, but not for this model */
  }
  if (status == PAWL_OK && (run->dir != NULL || !run->opts.no_certificate)) {
    status = pw_partial_shape(run) ? PAWL_OK : PAWL_E_MEMORY;
  }
  if (status == PAWL_OK) {
    status = pw_certify_begin(run);
  }
  run->result.from = run->result.t = run->opts.sim.from;
  run->result.to = run->opts.sim.to;
  run->result.every = run->opts.every;
  return status;
}

pawl_status pw_run_create(const pawl_model *model, const pawl_run_opts *opts, pawl_diags *diags,
                          pawl_run **out) {
  pawl_run *run = calloc(1, sizeof *run);
  *out = NULL;
  if (run == NULL) {
    return PAWL_E_MEMORY;
  }
  run->model = pw_model_keep(model);
  pawl_status status = fill(run, opts, diags);
  if (status != PAWL_OK) {
    pawl_run_free(run);
    return status;
  }
  *out = run;
  return PAWL_OK;
}

pawl_status pawl_run_new(const pawl_model *model, const pawl_run_opts *opts, pawl_diags *diags,
                         pawl_run **out) {
  if (out != NULL) {
    *out = NULL;
  }
  bool no_names = opts != NULL && opts->n_gradient > 0 && opts->gradient == NULL;
  bool no_name = opts != NULL && opts->dir != NULL && opts->dir[0] == '\0';
  if (model == NULL || out == NULL || no_name || no_names) {
    return PAWL_E_ARGUMENT;
  }
  return pw_run_create(model, opts == NULL ? &(pawl_run_opts){0} : opts, diags, out);
}

void pawl_run_free(pawl_run *run) {
  if (run == NULL) {
    return;
  }
  pw_partial_close(run);
  pawl_certify_free(run->certifier);
  pawl_sim_free(run->sim);
  pawl_system_free(run->sys);
  pw_model_drop(run->model);
  free_overrides(run);
  pw_run_free_names(&run->opts);
  pawl_gradient_free(run->gradient);

  for (int i = 0; i < run->n_col && run->column != NULL; i++) {
    free(run->column[i]);
  }
  free(run->column);
  free(run->row);
  free(run->before);
  free(run->after);
  free(run->works);
  free(run->nan_from);
  free(run->expect);
  pw_expect_plan_free(run);

  free(run->dir);
  free(run->name);
  free(run->recorder.value);
  free(run->recorder.mode);
  free(run->recorder.force);
  free(run->recorder.kick);
  pw_buf_free(&run->strokes.bytes);
  pw_buf_free(&run->event_lines);
  pw_buf_free(&run->error);
  pw_buf_free(&run->keep.waiting);
  free(run);
}

pawl_run_result pawl_run_result_get(const pawl_run *run) {
  if (run == NULL) {
    return (pawl_run_result){.reason = "", .t = NAN, .from = NAN, .to = NAN, .every = NAN};
  }
  pawl_run_result result = run->result;
  result.reason = run->reason;
  return result;
}

const pawl_system *pawl_run_system(const pawl_run *run) {
  return run == NULL ? NULL : run->sys;
}

pawl_sim *pawl_run_sim(pawl_run *run) {
  return run == NULL ? NULL : run->sim;
}

const char *pawl_run_dir(const pawl_run *run) {
  return run == NULL ? NULL : run->dir;
}

int pawl_run_columns(const pawl_run *run) {
  return run == NULL ? 0 : run->n_col;
}

const char *pawl_run_column(const pawl_run *run, int i) {
  return i >= 0 && i < pawl_run_columns(run) ? run->column[i] : NULL;
}
