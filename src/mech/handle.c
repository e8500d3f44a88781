// SPDX-License-Identifier: MIT
#include "mech/handle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
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

/* Between two positions multipliers are looked for; those of one-sided laws are not negative. */
static void raise_multipliers(pawl_system *s) {
  const pw_system *sys = s->sys;
  for (int k = 0; k < sys->n_state; k++) {
    double *lambda = &s->start.q[sys->model->nq + k];
    *lambda = sys->state_row[k] >= sys->nc && *lambda < 0 ? 0 : *lambda;
  }
}

static pawl_status check_and_build(pawl_system *s, const pawl_system_opts *opts,
                                   pawl_diags *diags) {
  pw_model *model = NULL;
  pw_override *overrides = PW_TAKE(&s->arena, opts->n_override + 1, pw_override);
  int n = keep_values(opts, overrides);
  if (!change_texts(s, opts, (pw_values){overrides, n}, diags) ||
      !pw_model_check(&s->arena, &s->names, &s->ast, &s->sources, overrides, n, diags, &model)) {
    return PAWL_E_MODEL;
  }
  s->model = model;
  if (!opts->no_start) {
    pw_warn_multipliers(model, opts->between != 0, diags);
  }
  bool can_run = pw_model_refuse(model, opts->check_only ? NULL : diags);
  if (!can_run) {
    return opts->check_only ? PAWL_OK : PAWL_E_MODEL;
  }
  s->sys = pw_system_build(model);
  pawl_status status = pw_mech_new(s->sys, &s->mech);
  if (status != PAWL_OK) {
    return status;
  }
  if (opts->no_start) {
    s->start.dependent = PW_TAKE(&s->arena, s->sys->nr + 1, bool);
    return PAWL_OK;
  }
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

pawl_status pawl_system_new(const pawl_model *model, const pawl_system_opts *opts,
                            pawl_diags *diags, pawl_system **out) {
  if (model == NULL || out == NULL) {
    return PAWL_E_ARGUMENT;
  }
  *out = NULL;
  pawl_system_opts none = {0};
  pawl_system *s = calloc(1, sizeof *s);
  if (s == NULL) {
    return PAWL_E_MEMORY;
  }
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
  pw_interner_init(&s->names, &s->arena);
  pw_model_reparse(model, &s->arena, &s->names, &s->sources, &s->ast);
  pw_diags_use_sources(diags, &s->sources);
  pawl_status status = check_and_build(s, opts == NULL ? &none : opts, diags);
  pw_diags_use_sources(diags, NULL);
  if (s->ast.broken) {
    pw_diags_sort(diags);
  }
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

void pawl_system_free(pawl_system *system) {
  if (system != NULL) {
    pw_mech_free(system->mech);
    pw_arena_free(&system->arena);
    free(system);
  }
}

/* ---- counts and names ---- */

int pawl_system_positions(const pawl_system *s) {
  return s->model->nq;
}

int pawl_system_velocities(const pawl_system *s) {
  return s->model->nv;
}

int pawl_system_laws(const pawl_system *s) {
  return s->model->rows.n;
}

int pawl_system_outputs(const pawl_system *s) {
  return s->model->outputs.n;
}

int pawl_system_events(const pawl_system *s) {
  return s->model->events.n;
}

int pawl_system_parameters(const pawl_system *s) {
  return s->model->parameters.n;
}

int pawl_system_expectations(const pawl_system *s) {
  return s->model->expectations.n;
}

int pawl_system_works(const pawl_system *s) {
  return s->sys == NULL ? 0 : s->sys->n_work;
}

const char *pawl_system_title(const pawl_system *s) {
  return s->model->title;
}

const char *pawl_system_file(const pawl_system *s) {
  return s->sources.items[0].name;
}

const char *pawl_position_name(const pawl_system *s, int i) {
  return s->model->q_name[i];
}

const char *pawl_velocity_name(const pawl_system *s, int i) {
  return s->model->u_name[i];
}

const char *pawl_output_name(const pawl_system *s, int i) {
  return s->model->outputs.items[i].name;
}

const char *pawl_event_name(const pawl_system *s, int i) {
  return s->model->events.items[i].name;
}

static int line_of(const pawl_system *s, pw_span span) {
  int line = 0, column = 0;
  if (span.file >= 0) {
    pw_source_locate(&s->sources.items[span.file], span.begin, &line, &column);
  }
  return line;
}

/* The start of a multiplier that is a state. */
static double start_force(const pawl_system *s, int law) {
  for (int k = 0; s->sys != NULL && k < s->sys->n_state; k++) {
    if (s->sys->row_of[s->sys->state_row[k]] == law) {
      return s->start.q[s->model->nq + k];
    }
  }
  return NAN;
}

pawl_law_info pawl_law_get(const pawl_system *s, int i) {
  const pw_row *stated = &s->model->rows.items[i];
  int row = s->sys == NULL ? -1 : s->sys->index_of[i];
  bool slip = pw_is_slip(stated->kind);
  return (pawl_law_info){.name = stated->name,
                         .kind = pw_kind_name(stated->kind),
                         .about = pw_kind_about(stated->kind),
                         .cost = pw_law_cost(s->sys, s->model, i),
                         .start = start_force(s, i),
                         .law = stated->law,
                         .component = slip ? i - stated->first + 1 : 1,
                         .components = slip ? stated->count : 1,
                         .line = line_of(s, stated->span),
                         .redundant = row >= 0 && s->start.dependent[row]};
}

pawl_parameter_info pawl_parameter_get(const pawl_system *s, int i) {
  const pw_parameter *p = &s->model->parameters.items[i];
  return (pawl_parameter_info){p->name, p->value, p->lo, p->hi};
}

pawl_work_info pawl_work_get(const pawl_system *s, int i) {
  return (pawl_work_info){s->sys->work[i].name, s->sys->work[i].lost};
}

pawl_expectation_info pawl_expectation_get(const pawl_system *s, int i) {
  const pw_expectation *e = &s->model->expectations.items[i];
  return (pawl_expectation_info){.text = e->text,
                                 .line = line_of(s, e->span),
                                 .tol = e->tol,
                                 .at = e->at,
                                 .time = e->time,
                                 .kind = e->kind,
                                 .of = e->of,
                                 .count = e->count};
}

int pawl_system_dof(const pawl_system *s) {
  return s->sys == NULL ? s->model->nv : s->start.dof;
}

int pawl_system_rank(const pawl_system *s) {
  return s->sys == NULL ? 0 : s->start.rank;
}

/* ---- start and run ---- */

const double *pawl_start_positions(const pawl_system *s) {
  return s->start.q;
}

const double *pawl_start_velocities(const pawl_system *s) {
  return s->u_shown;
}

double pawl_start_time(const pawl_system *s) {
  return s->start.t;
}

int pawl_run_span(const pawl_system *s, double *from, double *to) {
  *from = s->model->run.from;
  *to = s->model->run.to;
  return s->model->run.given;
}

int pawl_run_options(const pawl_system *s) {
  return s->model->run.n_option;
}

pawl_run_option pawl_run_option_get(const pawl_system *s, int i) {
  const struct pw_run_option *o = &s->model->run.options[i];
  return (pawl_run_option){o->word, o->choice, o->value};
}

/* ---- texts ---- */

pawl_status pawl_system_text(const pawl_system *s, pawl_sink sink, void *payload) {
  pw_buf text = {0};
  pw_write_text(&text, &s->ast, s->model->edits.items, s->model->edits.n);
  if (s->model->added_text != NULL) {
    pw_buf_puts(&text, text.len > 0 && text.text[text.len - 1] != '\n' ? "\n" : "");
    pw_buf_puts(&text, s->model->added_text);
  }
  pawl_status status = pw_buf_flush(&text, sink, payload);
  pw_buf_free(&text);
  return status;
}

pawl_status pawl_system_dump(const pawl_system *s, pawl_stage stage, pawl_sink sink,
                             void *payload) {
  if (s->sys == NULL) {
    return PAWL_E_UNSUPPORTED;
  }
  pw_buf text = {0};
  if (stage == PAWL_SYSTEM) {
    pw_system_dump(&text, s->sys);
  } else if (stage == PAWL_TAPE) {
    pw_tape_dump(&text, s->sys->motion);
  } else if (stage == PAWL_DAG) {
    pw_system_dump_dag(&text, s->sys);
  } else {
    return PAWL_E_ARGUMENT;
  }
  pawl_status status = pw_buf_flush(&text, sink, payload);
  pw_buf_free(&text);
  return status;
}
