// SPDX-License-Identifier: MIT
/* Making a sweep, running it, and what can be asked about it. */
#include "sweep/sweep.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "lang/text_model.h"

/* ---- copies ---- */

static char *copy_text(const char *text) {
  size_t size = strlen(text) + 1;
  char *copy = malloc(size);
  return copy == NULL ? NULL : memcpy(copy, text, size);
}

static bool copy_to(const char *text, const char **out) {
  *out = text == NULL ? NULL : copy_text(text);
  return text == NULL || *out != NULL;
}

static bool copy_overrides(pawl_sweep *s, const pawl_run_opts *run) {
  int n = run->n_override > 0 ? run->n_override : 0;
  pawl_override *copy = calloc((size_t)n + 1, sizeof *copy);
  bool ok = copy != NULL;
  s->opts.run.overrides = copy;
  s->opts.run.n_override = ok ? n : 0;
  for (int i = 0; ok && i < n; i++) {
    ok = copy_to(run->overrides[i].name, &copy[i].name) &&
         copy_to(run->overrides[i].value, &copy[i].value);
  }
  return ok;
}

static bool copy_names(pawl_sweep *s, const pawl_run_opts *run) {
  int n = run->n_gradient > 0 ? run->n_gradient : 0;
  const char **copy = calloc((size_t)n + 1, sizeof *copy);
  bool ok = copy != NULL;
  s->opts.run.gradient = copy;
  s->opts.run.n_gradient = ok ? n : 0;
  for (int i = 0; ok && i < n; i++) {
    ok = copy_to(run->gradient[i], &copy[i]) && copy[i] != NULL;
  }
  return ok;
}

static bool copy_options(pawl_sweep *s, const pawl_sweep_opts *opts) {
  s->opts = *opts;
  s->opts.vary = NULL;
  s->opts.record = NULL; /* both are read from the caller's */
  s->opts.path = s->opts.at = NULL;
  s->opts.run.overrides = NULL; /* copied below; nothing of the caller's is ever freed */
  s->opts.run.n_override = 0;
  s->opts.run.gradient = NULL;
  s->opts.run.n_gradient = 0;
  s->opts.run.dir = NULL;
  s->opts.run.save = 0;
  s->opts.run.keep_events = 0;
  s->opts.run.progress = NULL;
  return copy_overrides(s, &opts->run) && copy_names(s, &opts->run) &&
         copy_to(opts->path, &s->opts.path) && copy_to(opts->at, &s->opts.at);
}

static void drop_text(const char *text) {
  free((void *)(uintptr_t)text);
}

static void drop_options(pawl_sweep *s) {
  for (int i = 0; i < s->opts.run.n_override; i++) {
    drop_text(s->opts.run.overrides[i].name);
    drop_text(s->opts.run.overrides[i].value);
  }
  free((void *)(uintptr_t)s->opts.run.overrides);
  for (int i = 0; i < s->opts.run.n_gradient; i++) {
    drop_text(s->opts.run.gradient[i]);
  }
  free((void *)(uintptr_t)s->opts.run.gradient);
  drop_text(s->opts.path);
  drop_text(s->opts.at);
}

/* ---- the model with the design ---- */

/* What is wrong with the word of a design, whatever its value: an unknown name, an index that is
 * out of range, a number for a vector. */
static bool is_of_name(const pawl_diag *d) {
  static const char *const unknown[] = {"E0117", "E0680"}, *const misfit[] = {"E0106", "E0107"};
  bool of_name = false;
  for (int k = 0; k < 2; k++) {
    bool in_word = d->at.file != NULL && strcmp(d->at.file, "command line") == 0;
    of_name =
        of_name || strcmp(d->code, unknown[k]) == 0 || (in_word && strcmp(d->code, misfit[k]) == 0);
  }
  return of_name;
}

static bool name_fails(const pawl_diags *diags) {
  bool fails = false;
  for (int i = 0; i < pawl_diags_count(diags); i++) {
    fails = fails || is_of_name(pawl_diags_get(diags, i));
  }
  return fails;
}

/* A run that can be made: it knows the names. Members may fail, so several are tried: the first,
 * the last, the model as it stands, and some in between. A name that fails at both ends, where
 * sizes of families may differ, fails in all of them. The diagnostics are those of the first. */
static pawl_status try_members(pawl_sweep *s, pw_worker *w, pawl_diags *diags, pawl_run **out) {
  enum { TRIES = 64, ENDS = 2, AS_IT_STANDS = 2 };
  int64_t last = s->design.members - 1;
  pawl_status first = PAWL_OK;
  int misnamed = 0;
  for (int i = 0; i < TRIES && misnamed < ENDS; i++) {
    double part = i == 1 ? 1 : (double)i / TRIES;
    pawl_run_opts opts = pw_member_opts(w, (int64_t)(part * (double)last));
    opts.n_override -= i == AS_IT_STANDS ? s->design.n_axis : 0;
    pawl_status status =
        w->failed ? PAWL_E_MEMORY : pawl_run_new(s->model, &opts, i < ENDS ? w->diags : NULL, out);
    if (status == PAWL_OK || status == PAWL_E_MEMORY) {
      return status;
    }
    first = i == 0 ? status : first;
    misnamed += i < ENDS && name_fails(w->diags);
    pawl_diags_clear(w->diags);
  }
  pawl_run_opts opts = pw_member_opts(w, 0);
  return pawl_run_new(s->model, &opts, diags, out) == PAWL_OK ? PAWL_OK : first;
}

static pawl_status try_model(pawl_sweep *s, pawl_diags *diags, pawl_run **out) {
  pw_worker w;
  pawl_status status = pw_worker_init(&w, s) ? try_members(s, &w, diags, out) : PAWL_E_MEMORY;
  pw_worker_free(&w);
  return status;
}

/* The model without the names that vary, for the ranges of parameters; NULL: it has errors that
 * the names that vary may mend. */
static pawl_status plain_system(const pawl_sweep *s, pawl_system **out) {
  pawl_system_opts opts = {.overrides = s->opts.run.overrides,
                           .n_override = s->opts.run.n_override,
                           .check_only = 1,
                           .no_start = 1};
  pawl_status status = pawl_system_new(s->model, &opts, NULL, out);
  return status == PAWL_E_MEMORY ? status : PAWL_OK;
}

/* ---- columns ---- */

/* A record of the name of a column that varies says where its value is from. */
static void record_column(const pawl_sweep *s, int i, char *text, size_t room) {
  const pw_sweep_record *r = &s->records.item[i];
  pw_record_text(r, text, room);
  for (int k = 0; k < s->design.n_axis; k++) {
    if (strcmp(s->design.axis[k].name, text) == 0) {
      snprintf(text, room, "%s(%s)", s->opts.at != NULL ? "at" : "end", r->name);
      return;
    }
  }
}

static pawl_status name_columns(pawl_sweep *s) {
  int n = s->design.n_axis + 2 + s->records.n, at = 0;
  s->column = calloc((size_t)n, sizeof *s->column);
  if (s->column == NULL) {
    return PAWL_E_MEMORY;
  }
  s->n_column = n;
  for (int i = 0; i < s->design.n_axis; i++) {
    s->column[at++] = copy_text(s->design.axis[i].name);
  }
  s->column[at++] = copy_text("verdict");
  s->column[at++] = copy_text("ending");
  for (int i = 0; i < s->records.n; i++) {
    char text[256];
    record_column(s, i, text, sizeof text);
    s->column[at++] = copy_text(text);
  }
  for (int i = 0; i < n; i++) {
    if (s->column[i] == NULL) {
      return PAWL_E_MEMORY;
    }
  }
  return PAWL_OK;
}

/* ---- making ---- */

static pawl_status choose_tasks(pawl_sweep *s, pawl_diags *diags) {
  int64_t tasks = s->design.members / s->design.chain;
  int shards = s->opts.shards == 0 ? 1 : s->opts.shards,
      shard = s->opts.shards == 0 ? 1 : s->opts.shard;
  if (shards < 1 || shard < 1 || shard > shards) {
    pw_diag_ref ref = pw_error(diags, "E0810", PW_NO_SPAN, "there is no shard %d of %d",
                               s->opts.shard, s->opts.shards);
    pw_help(ref, "shards are counted from 1: `--shard 1/4` to `--shard 4/4`");
    return PAWL_E_ARGUMENT;
  }
  s->first = (int64_t)((int64_t)tasks * (shard - 1) / shards);
  s->end = (int64_t)((int64_t)tasks * shard / shards);
  return PAWL_OK;
}

static pawl_status fill(pawl_sweep *s, const pawl_sweep_opts *opts, pawl_diags *diags) {
  s->store.file = PW_FILE_CLOSED;
  if (!copy_options(s, opts)) {
    return PAWL_E_MEMORY;
  }
  pawl_system *plain = NULL;
  pawl_status status = plain_system(s, &plain);
  status = status == PAWL_OK ? pw_design_read(&s->design, opts, plain, diags) : status;
  pawl_system_free(plain);
  status = status == PAWL_OK ? choose_tasks(s, diags) : status;
  pawl_run *run = NULL;
  status = status == PAWL_OK ? try_model(s, diags, &run) : status;
  if (status == PAWL_OK && opts->at != NULL) {
    status = pw_event_known(run, opts->at, "E0805", diags);
  }
  status = status == PAWL_OK ? pw_records_read(&s->records, opts, run, diags) : status;
  status = status == PAWL_OK ? pw_records_add_slopes(&s->records, opts, run, diags) : status;
  pawl_run_free(run);
  return status == PAWL_OK ? name_columns(s) : status;
}

static bool names_given(const pawl_run_opts *run) {
  for (int i = 0; i < run->n_gradient; i++) {
    if (run->gradient == NULL || run->gradient[i] == NULL) {
      return false;
    }
  }
  return true;
}

pawl_status pawl_sweep_new(const pawl_model *model, const pawl_sweep_opts *opts, pawl_diags *diags,
                           pawl_sweep **out) {
  if (out != NULL) {
    *out = NULL;
  }
  if (model == NULL || opts == NULL || out == NULL || (opts->path == NULL && opts->sink == NULL) ||
      (opts->path != NULL && opts->path[0] == '\0') || (opts->path == NULL && opts->resume) ||
      (opts->n_vary > 0 && opts->vary == NULL) || !names_given(&opts->run)) {
    return PAWL_E_ARGUMENT;
  }
  pawl_sweep *s = calloc(1, sizeof *s);
  if (s == NULL) {
    return PAWL_E_MEMORY;
  }
  atomic_init(&s->stops, false);
  s->model = pw_model_keep(model);
  pawl_status status = fill(s, opts, diags);
  if (status != PAWL_OK) {
    pawl_sweep_free(s);
    return status == PAWL_E_MEMORY ? pw_no_memory(diags) : status;
  }
  *out = s;
  return PAWL_OK;
}

void pawl_sweep_free(pawl_sweep *s) {
  if (s == NULL) {
    return;
  }
  pw_store_close(&s->store);
  pw_design_free(&s->design);
  pw_records_free(&s->records);
  pw_state_free(&s->at.state);
  for (int i = 0; i < s->n_column; i++) {
    free(s->column[i]);
  }
  free(s->column);
  drop_options(s);
  pw_model_drop(s->model);
  free(s);
}

/* ---- running ---- */

/* Every process of a team comes here, whatever became of its own part. */
static pawl_status agree(const pawl_sweep *s, pawl_status status, pawl_diags *diags) {
  const pawl_team *team = s->opts.team;
  pawl_status all = status;
  if (team == NULL) {
    return status;
  }
  int64_t first = s->at.task + (s->at.step > 0);
  if (team->begin(team->payload, &all, first) != 0) {
    pw_error(diags, "E0811", PW_NO_SPAN, "the processes of the sweep cannot reach each other");
    return PAWL_E_FILE;
  }
  if (status == PAWL_OK && all != PAWL_OK && team->rank == 0) {
    pw_error(diags, "E0811", PW_NO_SPAN, "another process of the sweep cannot begin: %s",
             pawl_status_text(all));
  }
  return all;
}

pawl_status pawl_sweep_go(pawl_sweep *s, pawl_diags *diags) {
  if (s == NULL || s->started) {
    return PAWL_E_ARGUMENT;
  }
  bool writes = s->opts.team == NULL || s->opts.team->rank == 0;
  double began = pw_clock_seconds();
  s->started = true;
  s->at.task = s->first;
  pawl_status opened = writes ? pw_store_open(s, diags) : PAWL_OK;
  pawl_status status = agree(s, opened, diags);
  if (status == PAWL_OK) {
    s->before = (int64_t)s->at.tally.members;
    status = pw_pool_run(s, diags);
  }
  if (writes && opened == PAWL_OK) { /* else what is there is not touched */
    bool complete = status == PAWL_OK && s->at.task >= s->end;
    pawl_status saved = pw_store_finish(s, complete, status == PAWL_OK ? diags : NULL);
    status = status == PAWL_OK ? saved : status;
  }
  s->wall = pw_clock_seconds() - began;
  return status == PAWL_E_MEMORY ? pw_no_memory(diags) : status;
}

/* ---- asking ---- */

pawl_sweep_result pawl_sweep_result_get(const pawl_sweep *s) {
  if (s == NULL) {
    return (pawl_sweep_result){.wall = NAN};
  }
  return (pawl_sweep_result){.members = (s->end - s->first) * s->design.chain,
                             .done = (int64_t)s->at.tally.members,
                             .before = s->before,
                             .rows = (int64_t)s->at.tally.rows,
                             .failed = (int64_t)s->at.tally.failed,
                             .not_a_motion = (int64_t)s->at.tally.not_a_motion,
                             .interrupted = s->interrupted,
                             .wall = s->wall};
}

int pawl_sweep_columns(const pawl_sweep *s) {
  return s == NULL ? 0 : s->n_column;
}

const char *pawl_sweep_column(const pawl_sweep *s, int i) {
  return i >= 0 && i < pawl_sweep_columns(s) ? s->column[i] : NULL;
}

int pawl_sweep_varied(const pawl_sweep *s) {
  return s == NULL ? 0 : s->design.n_axis;
}

int64_t pawl_sweep_members(const pawl_sweep *s) {
  return s == NULL ? 0 : s->design.members;
}

double pawl_sweep_value(const pawl_sweep *s, int64_t member, int name) {
  double few[16], *value = few;
  if (name < 0 || name >= pawl_sweep_varied(s) || member < 0 || member >= s->design.members) {
    return NAN;
  }
  int n = s->design.n_axis;
  value = n > 16 ? malloc((size_t)n * sizeof *value) : few;
  if (value == NULL) {
    return NAN;
  }
  pw_design_values(&s->design, member, value);
  double x = value[name];
  if (value != few) {
    free(value);
  }
  return x;
}
