// SPDX-License-Identifier: MIT
/* The contents of a system for users of the library. Indices out of range and a NULL system return
 * nothing: NULL, 0 or NaN. */
#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "lang/text_model.h"
#include "mech/handle.h"

/* ---- counts and names ---- */

int pawl_system_positions(const pawl_system *s) {
  return s == NULL ? 0 : s->model->nq;
}

int pawl_system_velocities(const pawl_system *s) {
  return s == NULL ? 0 : s->model->nv;
}

int pawl_system_laws(const pawl_system *s) {
  return s == NULL ? 0 : s->model->rows.n;
}

int pawl_system_outputs(const pawl_system *s) {
  return s == NULL ? 0 : s->model->outputs.n;
}

int pawl_system_events(const pawl_system *s) {
  return s == NULL ? 0 : s->model->events.n;
}

int pawl_system_parameters(const pawl_system *s) {
  return s == NULL ? 0 : s->model->parameters.n;
}

int pawl_system_expectations(const pawl_system *s) {
  return s == NULL ? 0 : s->model->expectations.n;
}

int pawl_system_works(const pawl_system *s) {
  return s == NULL || s->sys == NULL ? 0 : s->sys->n_work;
}

const char *pawl_system_title(const pawl_system *s) {
  return s == NULL ? NULL : s->model->title;
}

const char *pawl_system_file(const pawl_system *s) {
  return s == NULL ? NULL : s->sources.items[0].name;
}

static bool is_one_of(int i, int n) {
  return i >= 0 && i < n;
}

const char *pawl_position_name(const pawl_system *s, int i) {
  return is_one_of(i, pawl_system_positions(s)) ? s->model->q_name[i] : NULL;
}

/* The signal that is input i, or -1. */
static int input_of(const pw_model *m, int i) {
  int k = 0;
  while (k < m->signals.n && (m->signals.items[k].kind != PW_SIGNAL_INPUT || i-- > 0)) {
    k++;
  }
  return k < m->signals.n ? k : -1;
}

int pawl_system_inputs(const pawl_system *s) {
  int n = 0;
  while (s != NULL && input_of(s->model, n) >= 0) {
    n++;
  }
  return n;
}

const char *pawl_input_name(const pawl_system *s, int i) {
  int k = s == NULL || i < 0 ? -1 : input_of(s->model, i);
  return k < 0 ? NULL : s->model->signals.items[k].name;
}

double pawl_input_start(const pawl_system *s, int i) {
  int k = s == NULL || i < 0 ? -1 : input_of(s->model, i);
  return k < 0 ? NAN : s->model->q_start[s->model->signals.items[k].q].value;
}

int pawl_input_position(const pawl_system *s, int i) {
  int k = s == NULL || i < 0 ? -1 : input_of(s->model, i);
  return k < 0 ? -1 : s->model->signals.items[k].q;
}

const char *pawl_velocity_name(const pawl_system *s, int i) {
  return is_one_of(i, pawl_system_velocities(s)) ? s->model->u_name[i] : NULL;
}

const char *pawl_output_name(const pawl_system *s, int i) {
  return is_one_of(i, pawl_system_outputs(s)) ? s->model->outputs.items[i].name : NULL;
}

const char *pawl_event_name(const pawl_system *s, int i) {
  return is_one_of(i, pawl_system_events(s)) ? s->model->events.items[i].name : NULL;
}

/* The coordinate that position (or velocity) i belongs to. */
static const pw_coord *coordinate_of(const pw_model *m, int i, bool velocity) {
  int c = m->coords.n - 1;
  while (c > 0 && (velocity ? m->coords.items[c].u : m->coords.items[c].q) > i) {
    c--;
  }
  return &m->coords.items[c];
}

const char *pawl_position_unit(const pawl_system *s, int i) {
  if (!is_one_of(i, pawl_system_positions(s))) {
    return NULL;
  }
  int signal = pw_signal_of(s->model, i);
  return signal >= 0 ? s->model->signals.items[signal].unit
                     : coordinate_of(s->model, i, false)->q_unit;
}

const char *pawl_velocity_unit(const pawl_system *s, int i) {
  return is_one_of(i, pawl_system_velocities(s)) ? coordinate_of(s->model, i, true)->u_unit : NULL;
}

const char *pawl_output_unit(const pawl_system *s, int i) {
  return is_one_of(i, pawl_system_outputs(s)) ? s->model->outputs.items[i].unit : NULL;
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
  for (int k = 0; s->sys != NULL && s->start.q != NULL && k < s->sys->n_state; k++) {
    if (s->sys->row_of[s->sys->state_row[k]] == law) {
      return s->start.q[s->model->nq + k];
    }
  }
  return NAN;
}

pawl_law_info pawl_law_get(const pawl_system *s, int i) {
  if (!is_one_of(i, pawl_system_laws(s))) {
    return (pawl_law_info){.start = NAN};
  }
  const pw_row *stated = &s->model->rows.items[i];
  int row = s->sys == NULL ? -1 : s->sys->index_of[i];
  bool slip = pw_acts_as_one(stated->kind);
  return (pawl_law_info){.name = stated->name,
                         .kind = pw_kind_name(stated->kind),
                         .about = pw_kind_about(stated->kind),
                         .cost = pw_law_cost(s->sys, s->model, i),
                         .nature =
                             row >= 0 && s->sys->nature[row] != NULL ? s->sys->nature[row] : "",
                         .start = start_force(s, i),
                         .law = stated->law,
                         .component = slip ? i - stated->first + 1 : 1,
                         .components = slip ? stated->count : 1,
                         .unit = stated->unit,
                         .column = stated->column,
                         .line = line_of(s, stated->span),
                         .redundant = row >= 0 && s->start.dependent[row]};
}

pawl_parameter_info pawl_parameter_get(const pawl_system *s, int i) {
  if (!is_one_of(i, pawl_system_parameters(s))) {
    return (pawl_parameter_info){.value = NAN, .lo = NAN, .hi = NAN};
  }
  const pw_parameter *p = &s->model->parameters.items[i];
  return (pawl_parameter_info){p->name, p->value, p->lo, p->hi, p->unit};
}

pawl_work_info pawl_work_get(const pawl_system *s, int i) {
  return is_one_of(i, pawl_system_works(s))
             ? (pawl_work_info){s->sys->work[i].name, s->sys->work[i].lost}
             : (pawl_work_info){NULL, 0};
}

pawl_expectation_info pawl_expectation_get(const pawl_system *s, int i) {
  if (!is_one_of(i, pawl_system_expectations(s))) {
    return (pawl_expectation_info){.tol = NAN, .time = NAN};
  }
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
  return s == NULL ? 0 : s->start.q == NULL ? s->model->nv : s->start.dof;
}

int pawl_system_rank(const pawl_system *s) {
  return s == NULL ? 0 : s->start.rank;
}

/* ---- start and run ---- */

const double *pawl_start_positions(const pawl_system *s) {
  return s == NULL ? NULL : s->start.q;
}

const double *pawl_start_velocities(const pawl_system *s) {
  return s == NULL ? NULL : s->u_shown;
}

double pawl_start_time(const pawl_system *s) {
  return s == NULL ? NAN : s->start.t;
}

int pawl_run_span(const pawl_system *s, double *from, double *to) {
  bool given = s != NULL && s->model->run.given;
  if (from != NULL) {
    *from = given ? s->model->run.from : NAN;
  }
  if (to != NULL) {
    *to = given ? s->model->run.to : NAN;
  }
  return given;
}

int pawl_run_options(const pawl_system *s) {
  return s == NULL ? 0 : s->model->run.n_option;
}

pawl_run_option pawl_run_option_get(const pawl_system *s, int i) {
  if (!is_one_of(i, pawl_run_options(s))) {
    return (pawl_run_option){.value = NAN};
  }
  const struct pw_run_option *o = &s->model->run.options[i];
  return (pawl_run_option){o->word, o->choice, o->value};
}

/* ---- texts ---- */

pawl_status pawl_system_text(const pawl_system *s, pawl_sink sink, void *payload) {
  if (s == NULL || sink == NULL) {
    return PAWL_E_ARGUMENT;
  }
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

pawl_status pawl_system_attached(const pawl_system *s, int i, char name[PAWL_FILE_NAME],
                                 pawl_sink sink, void *payload) {
  if (s == NULL || i < 0 || name == NULL || sink == NULL) {
    return PAWL_E_ARGUMENT;
  }
  pw_buf text = {0};
  bool there = pw_attached_text(&s->ast, s->model->input_file, i, name, &text);
  pawl_status status = there ? pw_buf_flush(&text, sink, payload) : PAWL_E_ARGUMENT;
  pw_buf_free(&text);
  return status;
}

pawl_status pawl_system_dump(const pawl_system *s, pawl_stage stage, pawl_sink sink,
                             void *payload) {
  if (s == NULL || sink == NULL) {
    return PAWL_E_ARGUMENT;
  }
  if (s->sys == NULL) {
    return PAWL_E_UNSUPPORTED;
  }
  pw_buf text = {0};
  if (stage == PAWL_SYSTEM) {
    pw_system_dump(&text, s->sys);
  } else if (stage == PAWL_TAPE) {
    pw_tape_dump(&text, s->sys->tape.motion);
  } else if (stage == PAWL_DAG) {
    pw_system_dump_dag(&text, s->sys);
  } else {
    return PAWL_E_ARGUMENT;
  }
  pawl_status status = pw_buf_flush(&text, sink, payload);
  pw_buf_free(&text);
  return status;
}
