// SPDX-License-Identifier: MIT
#include "mech/handle.h"

#include <stdint.h>
#include <stdlib.h>

#include "lang/text_model.h"
#include "mech/stiff.h"
#include "model/realise.h"

static const size_t max_memory = (size_t)8 << 30;

/* ---- making ---- */

/* Overrides that do not change the text. */
static int keep_values(const pawl_system_opts *opts, pw_override *out) {
  int n = 0;
  for (int i = 0; i < opts->n_override; i++) {
    pw_override o = {opts->overrides[i].name, opts->overrides[i].value};
    out[n] = o;
    n += !pw_changes_text(&o);
  }
  return n;
}

static bool change_texts(pawl_system *s, const pawl_system_opts *opts, pw_values given,
                         pawl_diags *diags) {
  for (int i = 0; i < opts->n_override; i++) {
    pw_override o = {opts->overrides[i].name, opts->overrides[i].value};
    if (pw_changes_text(&o) &&
        !pw_change_text(&s->arena, &s->names, &s->sources, &s->ast, &o, given, diags)) {
      return false;
    }
  }
  return true;
}

/* In boundary value problems multipliers are unknowns; multipliers of one-sided laws are not
 * negative. */
static void raise_multipliers(pawl_system *s) {
  const pw_system *sys = s->sys;
  for (int k = 0; k < sys->n_state; k++) {
    double *lambda = &s->start.q[sys->model->nq + k];
    *lambda = sys->state_row[k] >= sys->nc && *lambda < 0 ? 0 : *lambda;
  }
}

static bool check(pawl_system *s, const pawl_system_opts *opts, const pw_override *overrides, int n,
                  pawl_diags *diags, pw_model **out) {
  pw_kept_names vary = {opts->vary, opts->n_vary};
  return vary.n > 0
             ? pw_model_check_varied(&s->arena, &s->names, &s->ast, &s->sources, overrides, n,
                                     &vary, diags, out)
             : pw_model_check(&s->arena, &s->names, &s->ast, &s->sources, overrides, n, diags, out);
}

static pawl_status check_and_build(pawl_system *s, const pawl_system_opts *opts,
                                   pawl_diags *diags) {
  pw_model *model = NULL;
  pw_override *overrides = PW_TAKE(&s->arena, opts->n_override + 1, pw_override);
  int n = keep_values(opts, overrides);
  if (!change_texts(s, opts, (pw_values){overrides, n}, diags) ||
      !check(s, opts, overrides, n, diags, &model)) {
    return pw_input_file_fails(overrides, n) ? PAWL_E_FILE : PAWL_E_MODEL;
  }

  s->model = model;
  if (!opts->no_start) {
    pw_warn_multipliers(model, opts->between != 0, diags);
  }

  /* equations, and a place for numbers */
  s->sys = pw_system_build(model);
  if (!opts->no_native && !opts->no_start) { /* else little is computed */
    s->native = pw_native_new(s->sys->compiled.items, s->sys->compiled.n);
  }
  pawl_status status = pw_mech_new(s->sys, &s->mech);
  if (status != PAWL_OK) {
    return status;
  }
  if (opts->no_start) {
    s->start.dependent = PW_TAKE(&s->arena, s->sys->nr + 1, bool);
    return PAWL_OK;
  }

  /* the start, and its values as shown */
  if (!pw_start_solve(s->mech, diags, &s->start)) {
    return PAWL_E_START;
  }
  if (opts->between) {
    raise_multipliers(s);
  }
  pw_warn_stiff(s->mech, &s->start, diags);
  const double none[PW_QUAD_NAMED] = {0};
  double *outputs = PW_TAKE(&s->arena, s->sys->n_out + 1, double);
  s->u_shown = PW_TAKE(&s->arena, s->sys->nv + 1, double);
  pw_mech_outputs(s->mech, s->start.t, s->start.q, s->start.u, s->start.side, none, s->u_shown,
                  outputs);
  return PAWL_OK;
}

static bool overrides_given(const pawl_override *overrides, int n) {
  bool given = n == 0 || (n > 0 && overrides != NULL);
  for (int i = 0; given && i < n; i++) {
    given = overrides[i].name != NULL && overrides[i].value != NULL;
  }
  return given;
}

static bool names_given(const char *const *names, int n) {
  bool given = n == 0 || (n > 0 && names != NULL);
  for (int i = 0; given && i < n; i++) {
    given = names[i] != NULL;
  }
  return given;
}

static pawl_status make(const pawl_model *model, const pawl_system_opts *opts, pawl_diags *diags,
                        pawl_system **out) {
  pawl_system *s = calloc(1, sizeof *s);
  if (s == NULL) {
    return PAWL_E_MEMORY;
  }

  /* whatever runs out of memory below comes back here */
  atomic_init(&s->owners, 1);
  pw_arena_init(&s->arena, max_memory);
  jmp_buf failed;
  s->arena.on_fail = &failed;
  if (setjmp(failed) != 0) {
    pawl_status why = s->arena.failure;
    pw_diags_use_sources(diags, NULL);
    if (why == PAWL_E_LIMIT) {
      pw_error(diags, "E0190", PW_NO_SPAN, "the model is too large to be compiled");
    }
    pawl_system_free(s);
    return why;
  }

  /* the model is parsed again into separate memory, then checked and compiled */
  pw_interner_init(&s->names, &s->arena);
  pw_model_reparse(model, &s->arena, &s->names, &s->sources, &s->ast);
  pw_diags_use_sources(diags, &s->sources);
  pawl_status status = check_and_build(s, opts, diags);
  pw_diags_use_sources(diags, NULL);
  if (s->ast.broken) {
    pw_diags_sort(diags);
  }

  /* the work space that found the start is not kept */
  s->arena.on_fail = NULL;
  pw_mech_free(s->mech);
  s->mech = NULL;
  if (status != PAWL_OK) {
    pawl_system_free(s);
    return status;
  }
  *out = s;
  return PAWL_OK;
}

pawl_status pawl_system_new(const pawl_model *model, const pawl_system_opts *opts,
                            pawl_diags *diags, pawl_system **out) {
  if (out != NULL) {
    *out = NULL;
  }
  const pawl_system_opts none = {0}, *use = opts == NULL ? &none : opts;
  if (model == NULL || out == NULL || !overrides_given(use->overrides, use->n_override) ||
      !names_given(use->vary, use->n_vary)) {
    return PAWL_E_ARGUMENT;
  }
  if (diags != NULL) {
    return make(model, use, diags, out);
  }
  pawl_diags *own = NULL; /* errors are counted where they are reported */
  pawl_status status = pawl_diags_new(&own);
  status = status == PAWL_OK ? make(model, use, own, out) : status;
  pawl_diags_free(own);
  return status;
}

/* ---- owners ---- */

/* The count of owners changes also in systems that are const to their users. */
static pawl_system *mutable_of(const pawl_system *s) {
  return (pawl_system *)(uintptr_t)s;
}

const pawl_system *pw_system_keep(const pawl_system *s) {
  atomic_fetch_add(&mutable_of(s)->owners, 1);
  return s;
}

void pw_system_drop(const pawl_system *s) {
  if (s != NULL && atomic_fetch_sub(&mutable_of(s)->owners, 1) == 1) {
    pawl_system *last = mutable_of(s);
    pw_mech_free(last->mech);
    pw_native_free(last->native);
    pw_arena_free(&last->arena);
    free(last);
  }
}

void pawl_system_free(pawl_system *system) {
  pw_system_drop(system);
}

bool pw_system_refuses_signals(const pawl_system *s, const char *what, pawl_diags *diags) {
  const pw_signal *first = pw_first_signal(s->model);
  if (first == NULL) {
    return false;
  }
  pw_diags_use_sources(diags, &s->sources);
  pw_diag_ref ref = pw_error(diags, "E0561", first->span, "%s cannot treat signals", what);
  pw_label(ref, "`%s` belongs to a motion from a given start", first->name);
  pw_help(ref, "put a parameter or an expression in its place");
  pw_diags_use_sources(diags, NULL);
  return true;
}

pawl_status pw_system_needs_pairs(const pawl_system *s, const char *what, pawl_diags *diags) {
  if (pw_model_has_pairs(s->model)) {
    return PAWL_OK;
  }
  const pw_pile *pile = &s->model->piles.items[0];
  pw_diags_use_sources(diags, &s->sources);
  pw_diag_ref d = pw_error(diags, "E0273", pile->span,
                           "%s needs the pairs of contact `%s` written out", what, pile->name);
  pw_label(d, "the `run` line of the model takes fixed steps, which find pairs on the way");
  pw_help(d, "write `method event` into the `run` line, where few shapes touch");
  pw_diags_use_sources(diags, NULL);
  return PAWL_E_ARGUMENT;
}

pawl_status pw_system_needs_start(const pawl_system *s, pawl_diags *diags) {
  if (s->start.q != NULL) {
    return PAWL_OK;
  }
  pw_diag_ref ref =
      pw_error(diags, "E0420", PW_NO_SPAN, "the system was made without start values");
  pw_help(ref, "make it without `no_start`");
  return PAWL_E_ARGUMENT;
}
