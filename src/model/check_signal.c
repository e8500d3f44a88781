// SPDX-License-Identifier: MIT
/* Inputs, states and samples. Their expressions are given a meaning after the last statement, so
 * that states may name each other, or when something needs the rate of one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lang/data_text.h"
#include "model/edits.h"
#include "model/signal.h"

/* ---- slots ---- */

int pw_add_signal(pw_check *ck, pw_name name, pw_signal_kind kind, int slots) {
  pw_signal s = {.name = name.text,
                 .span = name.span,
                 .kind = kind,
                 .stmt = ck->stmt,
                 .q = ck->draft.q_names.n,
                 .slots = slots,
                 .value = -1};
  for (int i = 0; i < slots; i++) {
    const char *label =
        slots == 1 ? name.text : pw_intern_format(ck->names, "%s.%d", name.text, i + 1);
    PW_PUSH(ck->arena, &ck->draft.q_names, label);
    PW_PUSH(ck->arena, &ck->draft.q_starts, ((pw_value){.mode = PW_UNSET, .span = PW_NO_SPAN}));
    PW_PUSH(ck->arena, &ck->draft.q_ends, ((pw_value){.mode = PW_UNSET, .span = PW_NO_SPAN}));
    PW_PUSH(ck->arena, &ck->draft.of_q, -1);
  }
  ck->m->nq = ck->draft.q_names.n;
  PW_PUSH(ck->arena, &ck->m->signals, s);
  return ck->m->signals.n - 1;
}

void pw_start_signal(pw_check *ck, int signal, double value, pw_span span) {
  pw_draft_start(&ck->draft, ck->m->signals.items[signal].q,
                 (pw_value){.mode = PW_FIXED, .value = value, .span = span});
}

pw_node pw_signal_slot(pw_check *ck, int signal, int slot) {
  return pw_var(ck->dag, pw_var_of(PW_VAR_Q, ck->m->signals.items[signal].q + slot));
}

/* NULL after an error. */
static pw_signal *define_slot(pw_check *ck, pw_name name, pw_signal_kind kind) {
  pw_symbol *sym = pw_define_name(ck, name);
  if (sym == NULL) {
    return NULL;
  }
  int k = pw_add_signal(ck, name, kind, 1);
  sym->val = pw_scalar_val(pw_signal_slot(ck, k, 0));
  return &ck->m->signals.items[k];
}

/* ---- inputs ---- */

typedef struct column_places {
  const pw_check *ck;
  const pw_numbers *numbers;
} column_places;

static pw_span row_span(const void *ctx, int i) {
  const column_places *c = ctx;
  return pw_number_row(c->ck, c->numbers, i);
}

static int column_of(const pw_numbers *x, const char *name) {
  int k = x->head == NULL ? -1 : x->columns - 1;
  while (k >= 0 && x->head[k] != name) {
    k--;
  }
  return k;
}

static bool report_column(pw_check *ck, pw_span at, const char *name, const pw_numbers *x) {
  pw_diag_ref d = pw_error(ck->diags, "E0653", at, "the file has no column `%s`", name);
  const char *known = "";
  for (int i = 0; x->head != NULL && i < x->columns && i < 8; i++) {
    known = pw_format_text(ck, "%s%s`%s`", known, i > 0 ? ", " : "", x->head[i]);
  }
  if (x->head == NULL) {
    pw_label(d, "its first line names no columns");
  } else {
    pw_label(d, "its columns are %s", known);
  }
  pw_help(d, "the first line names the time `t` and the inputs: `t, %s`",
          strcmp(name, "t") == 0 ? "F" : name);
  return false;
}

/* A name that stands twice in the first line says nothing. */
static bool is_single(pw_check *ck, pw_span at, const char *name, const pw_numbers *x) {
  int n = 0;
  for (int k = 0; k < x->columns; k++) {
    n += x->head[k] == name;
  }
  if (n > 1) {
    pw_diag_ref d = pw_error(ck->diags, "E0653", at, "the file has %d columns `%s`", n, name);
    pw_label(d, "which of them is meant?");
    pw_help(d, "name each column once in the first line");
  }
  return n <= 1;
}

/* One row is a constant: two points of the same value. */
static int at_least_two(double *t, double *value, int n) {
  if (n == 1) {
    t[1] = t[0] + fmax(1, fabs(t[0]));
    value[1] = value[0];
  }
  return n == 1 ? 2 : n;
}

/* The columns of time and of one input as a table of the time. */
static bool input_table(pw_check *ck, const char *name, const char *column, int file, pw_span asked,
                        int *table) {
  pw_numbers x;

  /* The numbers may be at hand already: several inputs can share a file. */
  if (file == ck->input.file && ck->input.numbers != NULL) {
    x = *ck->input.numbers;
  } else if (!pw_read_numbers(ck, file, asked, &x)) {
    return false;
  }

  /* The columns are found by their names. */
  int t = column_of(&x, pw_intern(ck->names, "t", 1)), k = column_of(&x, column);
  if (t < 0 || k < 0) {
    return report_column(ck, asked, t < 0 ? "t" : column, &x);
  }
  if (!is_single(ck, asked, x.head[t], &x) || !is_single(ck, asked, column, &x)) {
    return false;
  }
  double *time = PW_TAKE(ck->arena, x.rows + 1, double);
  double *value = PW_TAKE(ck->arena, x.rows + 1, double);
  for (int i = 0; i < x.rows; i++) {
    time[i] = x.value[(size_t)i * (size_t)x.columns + (size_t)t];
    value[i] = x.value[(size_t)i * (size_t)x.columns + (size_t)k];
  }

  /* Times must increase; the same time twice is a jump. */
  column_places places = {ck, &x};
  pw_points p = {.x = time,
                 .y = value,
                 .n = at_least_two(time, value, x.rows),
                 .what = pw_format_text(ck, "input `%s`", name),
                 .name = name,
                 .at = row_span,
                 .ctx = &places,
                 .jumps = true};
  if (!pw_spend(ck, x.rows) || !pw_check_points(ck, &p, asked)) {
    return false;
  }

  /* Between two rows the input is linear in time. */
  return pw_add_table(ck, &p, &(pw_manner){.kind = PW_LUT_LINEAR}, table);
}

/* Whether a file given with the run names this input. */
static bool is_in_file(pw_check *ck, pw_inputs_file *input, const char *name) {
  if (input->file >= 0 && input->numbers == NULL) {
    pw_numbers *x = PW_NEW(ck->arena, pw_numbers);
    pw_span asked = input->outside ? PW_NO_SPAN : input->stated->u.input.all.span;
    if (pw_read_numbers(ck, input->file, asked, x)) {
      input->numbers = x;
    } else {
      input->file = -1; /* said once */
    }
  }
  bool found = input->file >= 0 && column_of(input->numbers, name) >= 0;
  input->used = input->used || found;
  return found;
}

static void define_course(pw_check *ck, const pw_input *in, bool ok, int table) {
  pw_symbol *sym = pw_define_name(ck, in->name);
  if (!ok || sym == NULL) {
    return;
  }
  pw_node t = pw_var(ck->dag, pw_var_of(PW_VAR_TIME, 0));
  sym->val = pw_scalar_val(pw_lut_node(ck->dag, table, 0, t));
  PW_PUSH(ck->arena, &ck->m->filed,
          ((pw_filed){in->name.text, in->name.span, table, sym->val.node}));
}

static void filed_input(pw_check *ck, const pw_input *in, const char *column, int file,
                        pw_span asked) {
  int table = -1;
  bool ok = input_table(ck, in->name.text, column, file, asked, &table);
  define_course(ck, in, ok, table);
}

static pw_span point_span(const void *ctx, int i) {
  const pw_input *in = ctx;
  return in->points.items[i]->span;
}

static void written_input(pw_check *ck, const pw_input *in) {
  double *t = PW_TAKE(ck->arena, in->points.n + 1, double);
  double *value = PW_TAKE(ck->arena, in->points.n + 1, double);
  int table = -1;
  bool ok = pw_spend(ck, in->points.n);
  for (int i = 0; ok && i < in->points.n; i++) {
    const pw_ex *point = in->points.items[i];
    ok = pw_elab_const(ck, point->arg[0], 0, "the time of a point", &t[i]) &&
         pw_elab_const(ck, point->arg[1], 0, "the value at a point", &value[i]);
  }
  pw_points p = {.x = t,
                 .y = value,
                 .n = at_least_two(t, value, in->points.n),
                 .what = pw_format_text(ck, "input `%s`", in->name.text),
                 .name = in->name.text,
                 .at = point_span,
                 .ctx = in,
                 .jumps = true};
  ok = ok && pw_check_points(ck, &p, in->name.span) &&
       pw_add_table(ck, &p, &(pw_manner){.kind = PW_LUT_LINEAR}, &table);
  define_course(ck, in, ok, table);
}

static void check_input(pw_check *ck, const pw_input *in) {
  double value = 0;
  const pw_ex *given = pw_override_of(ck, in->name.text);
  bool ok = pw_elab_const(ck, in->value, 0, "an input", &value);
  ok = (given == NULL || pw_elab_const(ck, given, 0, "an input", &value)) && ok;
  const char *scope = ck->stmt->scope;
  if (is_in_file(ck, &ck->input, in->name.text)) {
    filed_input(ck, in, in->name.text, ck->input.file, in->name.span);
    return;
  }
  if (in->data.path != NULL) {
    if (in->data.file >= 0) { /* a part sees its own names */
      const char *own = in->name.text + (scope == NULL ? 0 : strlen(scope));
      filed_input(ck, in, pw_intern(ck->names, own, (int)strlen(own)), in->data.file,
                  in->data.span);
    }
    return;
  }
  if (in->points.n > 0) {
    written_input(ck, in);
    return;
  }
  if (given != NULL) {
    pw_par par = {.label.name = in->name, .value = in->value};
    if (scope != NULL) {
      pw_edit_setting(ck, &par, given);
    } else {
      pw_edit_parameter(ck, &par, given, pw_value_extent(ck, in->name.span.end, in->value), 0);
    }
  }
  const pw_signal *s = define_slot(ck, in->name, PW_SIGNAL_INPUT);
  if (ok && s != NULL) {
    pw_start_signal(ck, (int)(s - ck->m->signals.items), value, in->name.span);
  }
}

/* ---- numbers for all inputs ---- */

void pw_find_input_file(pw_inputs_file *input, const pw_ast *ast) {
  for (int i = 0; i < ast->n && input->stated == NULL; i++) {
    if (ast->items[i]->kind == PW_ST_INPUT && ast->items[i]->u.input.all.path != NULL) {
      input->stated = ast->items[i];
      input->file = input->outside ? input->file : ast->items[i]->u.input.all.file;
    }
  }
}

void pw_edit_input_file(pw_check *ck, pw_span *place, const char **text) {
  char name[PW_ATTACHED_NAME];
  *text = NULL;
  if (ck->input.outside && ck->input.file >= 0) {
    bool stated = ck->input.stated != NULL;
    pw_data_name(&ck->sources->items[ck->input.file], name);
    *place = stated ? ck->input.stated->u.input.all.span : PW_NO_SPAN;
    *text = pw_format_text(ck, stated ? "\"%s\"" : "input from \"%s\"\n", name);
  }
}

/* `input from "drive.csv"`: one for the whole model. */
static void check_all_from(pw_check *ck) {
  pw_span at = ck->stmt->u.input.all.span;
  if (ck->stmt->scope != NULL) {
    pw_diag_ref d = pw_error(ck->diags, "E0240", at, "a part cannot read numbers for all inputs");
    pw_label(d, "its columns would be those of the model");
    pw_help(d, "write `from` behind the inputs of the part: `input F = 0 from \"drive.csv\"`");
  } else if (ck->stmt != ck->input.stated) {
    pw_diag_ref d = pw_error(ck->diags, "E0240", at, "a second file with numbers for all inputs");
    pw_label(d, "one has to have them all");
    pw_second(d, ck->input.stated->u.input.all.span, "the first one");
  }
}

void pw_check_input(pw_check *ck) {
  if (ck->stmt->u.input.all.path != NULL) {
    check_all_from(ck);
  }
  for (int i = 0; i < ck->stmt->u.input.n; i++) {
    check_input(ck, &ck->stmt->u.input.items[i]);
  }
}

/* ---- states and samples ---- */

void pw_check_state(pw_check *ck) {
  for (int i = 0; i < ck->stmt->u.output.n; i++) {
    pw_signal *s = define_slot(ck, ck->stmt->u.output.items[i].name, PW_SIGNAL_STATE);
    if (s != NULL) {
      s->ex = ck->stmt->u.output.items[i].ex;
    }
  }
}

void pw_check_sample(pw_check *ck) {
  const pw_stmt *s = ck->stmt;
  double period = 0;
  bool ok = pw_elab_const(ck, s->u.sample.every, 0, "the period of a sample", &period);
  if (ok && !(period > 0)) {
    pw_diag_ref d = pw_error(ck->diags, "E0236", s->u.sample.every->span,
                             "the period of a sample must be positive");
    pw_label(d, "this is %s", pw_format_real(ck, period));
    ok = false;
  }
  pw_signal *signal = define_slot(ck, s->u.sample.name, PW_SIGNAL_SAMPLE);
  if (signal != NULL) {
    signal->ex = s->u.sample.ex;
    signal->period = ok ? period : 1;
  }
}

/* ---- meanings ---- */

/* "z -> y -> z" of the states whose rates are being looked for. */
static const char *chain_of(pw_check *ck, int signal) {
  const char *text = "";
  bool within = false;
  for (int i = 0; i < ck->chain.n; i++) {
    within = within || ck->chain.items[i] == signal;
    if (within) {
      text =
          pw_format_text(ck, "%s`%s` needs ", text, ck->m->signals.items[ck->chain.items[i]].name);
    }
  }
  return pw_format_text(ck, "%s`%s`", text, ck->m->signals.items[signal].name);
}

static bool report_loop(pw_check *ck, int signal) {
  const pw_signal *s = &ck->m->signals.items[signal];
  pw_diag_ref d = pw_error(ck->diags, "E0233", s->span, "the rate of `%s` needs itself", s->name);
  pw_label(d, "an algebraic loop");
  pw_note(d, "in order: the rate of %s", chain_of(ck, signal));
  pw_help(d, "break the loop: name the state itself, not its rate, in one of them");
  return false;
}

/* Elaborates the expression of a signal as if it stood at the end of the model. */
static bool find_value(pw_check *ck, int signal) {
  pw_signal *s = &ck->m->signals.items[signal];
  pw_node node = -1;
  pw_stand before = pw_stand_in(ck, s->stmt);
  PW_PUSH(ck->arena, &ck->chain, signal);
  bool ok = pw_elab_scalar(ck, s->ex,
                           s->kind == PW_SIGNAL_STATE ? "the rate of a state" : "a sample", &node);
  pw_chain_drop(&ck->chain);
  pw_stand_back(ck, &before);
  s = &ck->m->signals.items[signal];
  s->value = ok ? node : pw_const(ck->dag, 0);
  s->known = true;
  return ok;
}

bool pw_signal_rate(pw_check *ck, int signal) {
  const pw_signal *s = &ck->m->signals.items[signal];
  if (s->known || s->kind != PW_SIGNAL_STATE) {
    return true;
  }
  for (int i = 0; i < ck->chain.n; i++) {
    if (ck->chain.items[i] == signal) {
      return report_loop(ck, signal);
    }
  }
  return find_value(ck, signal);
}

/* ---- samples that need each other ---- */

typedef struct dependence {
  pw_check *ck;
  bool *on; /* signals */
} dependence;

static void note_signal(void *payload, pw_node node) {
  dependence *d = payload;
  pw_dag *dag = d->ck->dag;
  if (pw_node_op(dag, node) == PW_OP_VAR && pw_var_kind(pw_node_var(dag, node)) == PW_VAR_Q) {
    int k = pw_signal_of(d->ck->m, pw_var_index(pw_node_var(dag, node)));
    if (k >= 0) {
      d->on[k] = true;
    }
  }
}

static bool starts_given(const pw_check *ck, const pw_signal *s) {
  return ck->symbols || ck->draft.q_starts.items[s->q].mode != PW_UNSET;
}

/* The first value of a sample follows from those of the samples that it names. */
static bool order_sample(pw_check *ck, int k, unsigned char *seen) {
  const pw_signal *s = &ck->m->signals.items[k];
  if (seen[k] == 2 || s->kind != PW_SIGNAL_SAMPLE || starts_given(ck, s)) {
    return true;
  }
  if (seen[k] == 1) {
    pw_diag_ref d =
        pw_error(ck->diags, "E0233", s->span, "the first value of `%s` needs itself", s->name);
    pw_label(d, "an algebraic loop of samples at the start");
    pw_note(d, "in order: %s", chain_of(ck, k));
    pw_help(d, "give the value before the first instant: `start %s = 0`", s->name);
    return false;
  }
  seen[k] = 1;
  dependence d = {ck, PW_TAKE(ck->arena, ck->m->signals.n + 1, bool)};
  pw_dag_walk(ck->dag, &s->value, 1, note_signal, &d);
  PW_PUSH(ck->arena, &ck->chain, k);
  bool ok = true;
  for (int i = 0; i < ck->m->signals.n && ok; i++) {
    ok = !d.on[i] || order_sample(ck, i, seen);
  }
  pw_chain_drop(&ck->chain);
  seen[k] = 2;
  return ok;
}

static void check_input_file(pw_check *ck) {
  if (ck->input.file < 0 || ck->input.used) {
    return;
  }
  pw_diag_ref d = pw_error(ck->diags, "E0653", (pw_span){ck->input.file, 0, 0},
                           "the file names no input of this model");
  const char *known = "";
  for (int i = 0, n = 0; i < ck->env.all.n && n < 8; i++) {
    if (ck->env.all.items[i]->kind == PW_SYM_INPUT) {
      known =
          pw_format_text(ck, "%s%s`%s`", known, n++ > 0 ? ", " : "", ck->env.all.items[i]->name);
    }
  }
  pw_label(d, "its first line has to name `t` and inputs");
  if (known[0] != '\0') {
    pw_help(d, "the inputs of the model are %s", known);
  } else {
    pw_help(d, "the model has no `input` statement");
  }
}

/* A run that goes on behind the last row. */
static void warn_of_ends(pw_check *ck) {
  const pw_model *m = ck->m;
  for (int i = 0; i < m->filed.n && m->run.given; i++) {
    const pw_lut *t = pw_dag_table(ck->dag, m->filed.items[i].table);
    bool constant = t->n == 2 && t->first == t->last;
    if (t->x[t->n - 1] < m->run.to && !constant) {
      pw_diag_ref d = pw_warning(ck->diags, "W0230", m->filed.items[i].span,
                                 "input `%s` ends before the run", m->filed.items[i].name);
      pw_label(d, "its last row is at t = %s, the run goes to %s; it stays constant in between",
               pw_format_real(ck, t->x[t->n - 1]), pw_format_real(ck, m->run.to));
    }
  }
}

void pw_finish_signals(pw_check *ck) {
  bool ok = true;
  for (int i = 0; i < ck->m->signals.n; i++) {
    const pw_signal *s = &ck->m->signals.items[i];
    if (s->ex != NULL && !s->known && s->kind != PW_SIGNAL_DELAY) {
      ok = find_value(ck, i) && ok;
    }
  }
  unsigned char *seen = PW_TAKE(ck->arena, ck->m->signals.n + 1, unsigned char);
  for (int i = 0; i < ck->m->signals.n && ok; i++) {
    ok = order_sample(ck, i, seen);
  }
  check_input_file(ck);
  warn_of_ends(ck);
}

/* ---- where signals may not stand ---- */

bool pw_refuse_signal(pw_check *ck, pw_node node, pw_span at, const char *what) {
  if ((pw_has(ck, node) & (PW_HAS_STATE | PW_HAS_HELD)) == 0) {
    return true;
  }
  pw_diag_ref d = pw_error(ck->diags, "E0230", at, "%s cannot depend on a signal", what);
  pw_label(d, "an input, a state, a sample or a delay has no part in the energy");
  pw_help(d, "let it act as a force: `force x: ...`");
  return false;
}

typedef struct velocity_search {
  pw_check *ck;
  int found;
} velocity_search;

static void look_at_rate(void *payload, pw_node node) {
  velocity_search *v = payload;
  pw_dag *dag = v->ck->dag;
  if (pw_node_op(dag, node) != PW_OP_VAR || pw_var_kind(pw_node_var(dag, node)) != PW_VAR_Q) {
    return;
  }
  int k = pw_signal_of(v->ck->m, pw_var_index(pw_node_var(dag, node)));
  if (k >= 0 && pw_signal_rate(v->ck, k) && v->ck->m->signals.items[k].kind == PW_SIGNAL_STATE &&
      (pw_has(v->ck, v->ck->m->signals.items[k].value) & PW_HAS_U) != 0) {
    v->found = k;
  }
}

bool pw_check_place_signals(pw_check *ck, pw_node node, pw_span at) {
  unsigned has = pw_has(ck, node);
  pw_diag_ref d;
  if ((has & PW_HAS_U) != 0 || (has & (PW_HAS_STATE | PW_HAS_HELD)) == 0) {
    return true;
  }
  if ((has & PW_HAS_HELD) != 0) {
    d = pw_error(ck->diags, "E0231", at, "a law on positions cannot follow a value that is held");
    pw_label(d, "an input, a sample or a delay may jump, positions do not");
    pw_help(d, "smooth it by a state: `state z' = (u - z)/tau`");
    return false;
  }
  velocity_search v = {ck, -1};
  pw_dag_walk(ck->dag, &node, 1, look_at_rate, &v);
  if (v.found < 0) {
    return true;
  }
  d = pw_error(ck->diags, "E0232", at, "a law on positions cannot follow the state `%s`",
               ck->m->signals.items[v.found].name);
  pw_label(d, "its rate contains velocities, which the force of this law would change");
  pw_second(d, ck->m->signals.items[v.found].span, "the state");
  pw_help(d, "state the law for velocities, or let the rate depend on positions and time alone");
  return false;
}
