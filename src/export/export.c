// SPDX-License-Identifier: MIT
/* `pawl export --latex`, `--typst`: a document with the mathematics of a model. The equations of
 * motion come from the same derivatives as the compiled ones, with parameters as symbols. */
#include "pawl/export.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/plain_names.h"
#include "export/unprintable.h"
#include "export/used.h"
#include "export/write_c.h"
#include "export/write_signal.h"
#include "lang/text_model.h"
#include "system/lagrange.h"

/* Letters of a line after which the next one begins, that a line holds, and of a factor that is
 * written out. */
enum { LINE = 64, WIDEST = 76, LONGEST = 400 };
static const size_t max_memory = (size_t)2 << 30;

typedef struct document {
  pw_export x;
  pw_equations eq;
  pw_switches switches;
  size_t line, term;  /* where the line of the equation begins in the text, and its last term */
  bool has_gradients; /* some have letters */
} document;

/* ---- parts ---- */

static void heading(document *d, const char *text) {
  pw_math(&d->x.to, "\n\\subsection*{", "\n== ");
  pw_buf_puts(d->x.to.out, text);
  pw_math(&d->x.to, "}\n", "\n");
}

static void begin_math(document *d) {
  pw_math(&d->x.to, "\\begin{align*}\n", "$\n");
}

static void end_math(document *d) {
  pw_math(&d->x.to, "\n\\end{align*}\n", "\n$\n");
}

static void next_row(document *d, bool *begun) {
  if (*begun) {
    pw_math(&d->x.to, " \\\\\n", " \\\n");
  }
  *begun = true;
}

static void equals(document *d) {
  pw_math(&d->x.to, " &= ", " &= ");
}

/* "kg*m^2/s^3": upright letters, thin spaces for products, exponents raised. In Typst letters are
 * strings: one ends before an exponent, and the next begins after it. */
static void write_unit(document *d, const char *unit) {
  bool raised = false; /* the last sign was an exponent */
  pw_math(&d->x.to, "\\,\\mathrm{", " thin upright(\"");
  for (const char *at = unit; *at != '\0'; at++) {
    raised = *at == '^';
    if (*at == '*') {
      pw_math(&d->x.to, "\\,", " ");
    } else if (*at == '^') {
      size_t len = at[1] == '(' ? strcspn(at + 1, ")") + 1 : strspn(at + 1, "-0123456789.");
      pw_math(&d->x.to, "^{", "\"^(");
      pw_buf_add(d->x.to.out, at + 1, len);
      at += len;
      pw_math(&d->x.to, "}", at[1] == '\0' ? ")" : ") \"");
    } else {
      pw_buf_add(d->x.to.out, at, 1);
    }
  }
  pw_math(&d->x.to, "}", raised ? ")" : "\")");
}

static void write_parameters(document *d) {
  const pw_model *m = d->x.model;
  if (m->parameters.n == 0) {
    return;
  }
  pw_math(&d->x.to, "\n\\noindent Parameters: $", "\nParameters: $");
  for (int i = 0; i < m->parameters.n; i++) {
    const pw_parameter *p = &m->parameters.items[i];
    bool unit = p->unit != NULL && strcmp(p->unit, "1") != 0;
    pw_math(&d->x.to, i == 0 ? "" : "$, $", i == 0 ? "" : "$, $");
    pw_math_name(&d->x.to, p->name, 0);
    pw_buf_puts(d->x.to.out, p->value < 0 ? " = -" : " = ");
    pw_math_number(&d->x.to, p->value);
    if (unit) {
      write_unit(d, p->unit);
    }
  }
  pw_math(&d->x.to, "$.\n", "$.\n");
}

static void write_definitions(document *d) {
  const pw_ast *ast = d->x.model->ast;
  const bool *used = pw_used_definitions(d->x.model->arena, ast);
  bool begun = false;
  for (int i = 0; i < ast->n; i++) {
    const pw_stmt *s = ast->items[i];
    if (!used[i]) {
      continue;
    }
    if (!begun) {
      heading(d, "Definitions");
      begin_math(d);
    }
    next_row(d, &begun);
    pw_write_defined(&d->x, &s->u.let);
    equals(d);
    pw_write_ex(&d->x, s->u.let.ex);
    pw_write_indices(&d->x, &s->u.let.label);
  }
  if (begun) {
    end_math(d);
  }
}

static void write_body(document *d, const pw_stmt *s) {
  const char *name = s->u.body.label.name.text;
  pw_math(&d->x.to, "\\text{body ", "\"body ");
  pw_math_text(&d->x.to, name);
  pw_math(&d->x.to, "}", "\"");
  pw_math(&d->x.to, " &: \\quad \\text{mass } ", " &: quad \"mass \" ");
  pw_write_ex(&d->x, s->u.body.mass);
  pw_math(&d->x.to, ", \\text{ inertia } ", ", \" inertia \" ");
  pw_write_ex(&d->x, s->u.body.inertia);
}

/* Energies and forces as the model states them. */
static void write_energies(document *d) {
  const pw_ast *ast = d->x.model->ast;
  bool begun = false;
  heading(d, "Energies and forces");
  begin_math(d);
  for (int i = 0; i < ast->n; i++) {
    const pw_stmt *s = ast->items[i];
    bool energy =
        s->kind == PW_ST_KINETIC || s->kind == PW_ST_POTENTIAL || s->kind == PW_ST_DISSIPATION;
    if (energy) {
      next_row(d, &begun);
      pw_math_name(&d->x.to, s->u.energy.name.text, 0);
      equals(d);
      pw_write_ex(&d->x, s->u.energy.ex);
    } else if (s->kind == PW_ST_FORCE) {
      next_row(d, &begun);
      pw_math(&d->x.to, s->u.force.at ? "F\\left(" : "Q_{", s->u.force.at ? "F(" : "Q_(");
      pw_write_ex(&d->x, s->u.force.target);
      pw_math(&d->x.to, s->u.force.at ? "\\right)" : "}", ")");
      equals(d);
      pw_write_ex(&d->x, s->u.force.ex);
    } else if (s->kind == PW_ST_BODY) {
      next_row(d, &begun);
      write_body(d, s);
    }
  }
  end_math(d);
}

/* ---- the equations of motion ---- */

static bool is_wider(const document *d, size_t most) {
  const pw_buf *out = d->x.to.out;
  return !out->failed && pw_math_width(out->text + d->line, out->len - d->line) > most;
}

static void break_line(document *d) {
  pw_math(&d->x.to, " \\\\\n & \\qquad ", " \\\n & quad quad ");
  d->line = d->x.to.out->len;
}

/* The last term moves to a line of its own if the line cannot hold it. Typst writes letters as
 * words, which count for more than they are wide. */
static void settle_term(document *d) {
  pw_buf *out = d->x.to.out, moved = {0};
  if (d->term <= d->line || !pw_is_latex(&d->x.to) || !is_wider(d, WIDEST)) {
    return;
  }
  pw_buf_add(&moved, out->text + d->term, out->len - d->term);
  out->failed = out->failed || moved.failed;
  if (!out->failed) {
    out->len = d->term;
    break_line(d);
    pw_buf_add(out, moved.text, moved.len);
  }
  pw_buf_free(&moved);
}

/* A long equation continues in the next line. */
static void maybe_break(void *payload) {
  document *d = payload;
  settle_term(d);
  if (is_wider(d, LINE)) {
    break_line(d);
  }
  d->term = d->x.to.out->len;
}

static pw_node mass_at(const document *d, int i, int j) {
  int n = d->x.model->nv, low = i < j ? i : j, high = i < j ? j : i;
  int column = low * n - low * (low - 1) / 2;
  return d->eq.M[column + high - low];
}

/* Terms one by one, so that lines can end between them. */
static bool write_terms(document *d, const pw_poly *a, double sign, bool more) {
  pw_poly none = {0}, signed_one = pw_poly_sum(&d->x.polys, &none, a, sign);
  if (signed_one.n == 0) {
    return more;
  }
  d->x.before_term = maybe_break;
  d->x.payload = d;
  pw_write_sum(&d->x, &signed_one, more);
  d->x.before_term = NULL;
  return true;
}

static void write_accelerations(document *d, int i, bool *more) {
  pw_dag *dag = d->x.polys.dag;
  for (int j = 0; j < d->x.model->nv; j++) {
    const pw_poly *M = pw_poly_of(&d->x.polys, mass_at(d, i, j));
    if (M->n > 0) {
      maybe_break(d);
      pw_write_factor(&d->x, M, *more);
      pw_write_node(&d->x, pw_var(dag, pw_var_of(PW_VAR_A, j)));
      *more = true;
    }
  }
}

/* The contribution of the law to the right side: its multiplier times a gradient. */
static pw_node direction_of(document *d, const pw_row *row, int i) {
  const pw_model *m = d->x.model;
  if (row->clause.by != NULL) {
    return row->clause.by[i];
  }
  bool state = row->kind == PW_KIND_VAKONOMIC || row->kind == PW_KIND_INERTIA;
  pw_node value = state ? row->clause.phi : row->value, out;
  bool on_velocity = row->on_velocity || state;
  if (on_velocity) {
    int var = pw_var_of(PW_VAR_U, i);
    pw_gradient(m->dag, value, &var, 1, &out);
    return out;
  }
  pw_node *grad = PW_TAKE(m->arena, m->nq + 1, pw_node);
  pw_node *pulled = PW_TAKE(m->arena, m->nv + 1, pw_node);
  pw_gradient(m->dag, value, pw_var_list(m, PW_VAR_Q, m->nq), m->nq, grad);
  pw_pull_back(m, grad, pulled);
  return pulled[i];
}

/* All pairs of a contact as one sum, if one of them acts on velocity i. */
static bool write_contacts(document *d, int i, bool more) {
  const pw_model *m = d->x.model;
  const pw_stmt *last = NULL;
  for (int r = 0; r < m->rows.n; r++) {
    const pw_row *row = &m->rows.items[r];
    bool seen = row->stmt->kind != PW_ST_CONTACT || row->stmt == last;
    if (!seen && !pw_is_value(m->dag, direction_of(d, row, i), 0)) {
      last = row->stmt;
      maybe_break(d);
      pw_buf_puts(d->x.to.out, more ? " + " : "");
      pw_write_contact_sum(&d->x, row->stmt, pw_var(m->dag, pw_var_of(PW_VAR_U, i)));
      more = true;
    }
  }
  return more;
}

/* A gradient that is too long to write out has a letter: J with the law and the number of the
 * velocity. */
static void write_gradient(document *d, const pw_row *row, int i, const pw_poly *J, bool more) {
  pw_buf *out = d->x.to.out;
  size_t begin = out->len;
  pw_write_factor(&d->x, J, more);
  if (out->failed || pw_math_width(out->text + begin, out->len - begin) <= LONGEST) {
    return;
  }
  char name[160];
  out->len = begin;
  out->text[begin] = '\0';
  snprintf(name, sizeof name, "%s[%d]", row->name, i + 1);
  pw_buf_puts(out, more ? " + " : "");
  pw_write_gradient(&d->x, name);
  pw_buf_puts(out, " ");
  d->has_gradients = true;
}

static bool write_reactions(document *d, int i, bool more) {
  const pw_model *m = d->x.model;
  for (int r = 0; r < m->rows.n; r++) {
    const pw_row *row = &m->rows.items[r];
    if (row->stmt->kind == PW_ST_CONTACT) {
      continue;
    }
    bool state = row->kind == PW_KIND_VAKONOMIC || row->kind == PW_KIND_INERTIA;
    pw_poly none = {0};
    const pw_poly *J = pw_poly_of(&d->x.polys, direction_of(d, row, i));
    pw_poly shown = pw_poly_sum(&d->x.polys, &none, J, state ? -1 : 1);
    if (shown.n > 0) {
      maybe_break(d);
      write_gradient(d, row, i, &shown, more);
      pw_write_lambda(&d->x, row->name, state);
      more = true;
    }
  }
  return more;
}

enum { MOST_ALIGNED = 16000 }; /* bytes: TeX holds a block as a whole before it prints any of it */

static void write_motion(document *d) {
  bool begun = false;
  heading(d, "Equations of motion");
  begin_math(d);
  size_t first = d->x.to.out->len;
  for (int i = 0; i < d->x.model->nv; i++) {
    bool more = false;
    if (begun && d->x.to.out->len - first > MOST_ALIGNED) {
      end_math(d);
      begin_math(d);
      first = d->x.to.out->len;
      begun = false;
    }
    next_row(d, &begun);
    pw_math(&d->x.to, "& ", "& ");
    d->line = d->x.to.out->len;
    write_accelerations(d, i, &more);
    const pw_poly *h = pw_poly_of(&d->x.polys, d->eq.h[i]);
    more = write_terms(d, h, -1, more);
    pw_buf_puts(d->x.to.out, more ? " = " : "0 = ");
    if (!write_contacts(d, i, write_reactions(d, i, false))) {
      pw_buf_puts(d->x.to.out, "0");
    }
    settle_term(d);
  }
  end_math(d);
}

static void write_letters(document *d) {
  if (d->has_gradients) {
    pw_math(
        &d->x.to,
        "\\noindent Here $J_{c,i}$ is the derivative of the measure of law $c$ by the $i$-th "
        "velocity $u_{i}$: $J_{c,i} = \\partial \\dot{s}_{c} / \\partial u_{i}$ with $s_{c}$ the "
        "difference of its two sides, or $J_{c,i} = \\partial v_{c} / \\partial u_{i}$ for a law "
        "on "
        "velocities.\n",
        "Here $J_(c,i)$ is the derivative of the measure of law $c$ by the $i$-th velocity $u_i$: "
        "$J_(c,i) = diff dot(s)_c \\/ diff u_i$ with $s_c$ the difference of its two sides, or "
        "$J_(c,i) = diff v_c \\/ diff u_i$ for a law on velocities.\n");
  }
}

/* Names may lead to more names: the list grows while it is written. */
static void write_names(document *d) {
  pw_polys *p = &d->x.polys;
  if (p->named.n == 0) {
    return;
  }
  pw_math(&d->x.to, "\\noindent with\n", "with\n");
  begin_math(d);
  bool begun = false;
  for (int i = 0; i < p->named.n; i++) {
    next_row(d, &begun);
    d->line = d->x.to.out->len;
    pw_buf_printf(d->x.to.out, pw_is_latex(&d->x.to) ? "E_{%d} &= " : "E_(%d) &= ", i + 1);
    write_terms(d, pw_poly_inside(p, p->named.items[i]), 1, false);
    settle_term(d);
  }
  end_math(d);
}

static void write_laws(document *d) {
  const pw_model *m = d->x.model;
  const pw_stmt *last = NULL;
  bool begun = false;
  for (int i = 0; i < m->rows.n; i++) {
    const pw_row *row = &m->rows.items[i];
    bool stated = row->is_face || (row->stmt == last && row->kind != PW_KIND_KINK);
    if (stated || (row->kind == PW_KIND_KINK && row->first != i)) {
      continue;
    }
    last = row->stmt;
    if (!begun) {
      heading(d, "Constraints and laws");
      begin_math(d);
    }
    next_row(d, &begun);
    pw_write_law(&d->x, row);
  }
  if (begun) {
    end_math(d);
  }
}

typedef struct list { /* lines below a heading, which is written with the first of them */
  document *d;
  const char *title;
  bool begun;
} list;

static void begin_line(void *payload) {
  list *l = payload;
  if (!l->begun) {
    heading(l->d, l->title);
    begin_math(l->d);
  }
  next_row(l->d, &l->begun);
}

static void write_signal_part(document *d) {
  list l = {.d = d, .title = "Signals"};
  pw_write_signals(&d->x, begin_line, &l);
  if (l.begun) {
    end_math(d);
  }
}

/* Shapes without a contact are only drawn. */
static void write_shapes(document *d) {
  const pw_ast *ast = d->x.model->ast;
  list l = {.d = d, .title = "Shapes"};
  for (int i = 0; i < ast->n && d->x.model->touches.n > 0; i++) {
    if (ast->items[i]->kind == PW_ST_SHAPE) {
      begin_line(&l);
      pw_write_shape(&d->x, ast->items[i]);
    }
  }
  if (l.begun) {
    end_math(d);
  }
}

static void write_head(document *d) {
  const pw_model *m = d->x.model;
  const char *title = m->title != NULL ? m->title : m->ast->sources->items[0].name;
  pw_math(&d->x.to,
          "\\documentclass[11pt]{article}\n\\usepackage[utf8]{inputenc}\n"
          "\\usepackage[T1]{fontenc}\n"
          "\\IfFileExists{lmodern.sty}{\\usepackage{lmodern}}{\\usepackage{ae}} % no bitmaps\n"
          "\\usepackage{amsmath,amssymb}\n"
          "\\usepackage[margin=22mm]{geometry}\n\\pagestyle{empty}\n\\allowdisplaybreaks\n"
          "\\begin{document}\n\\section*{",
          "#set page(margin: 22mm)\n#set text(size: 11pt)\n= ");
  pw_math_words(&d->x.to, title);
  pw_math(&d->x.to, "}\n\\noindent Coordinates: $", "\n\nCoordinates: $");
  for (int c = 0; c < m->coords.n; c++) {
    pw_math(&d->x.to, c == 0 ? "" : "$, $", c == 0 ? "" : "$, $");
    pw_math_name(&d->x.to, m->coords.items[c].name, 0);
  }
  pw_math(&d->x.to, "$.\n", "$.\n");
}

static void write_document(document *d) {
  write_head(d);
  write_parameters(d);
  write_definitions(d);
  write_energies(d);
  write_signal_part(d);
  write_motion(d);
  write_names(d);
  write_letters(d);
  write_shapes(d);
  write_laws(d);
  pw_math(&d->x.to, "\\end{document}\n", "");
}

/* ---- the call ---- */

/* Messages that the second check suppresses were not shown before. */
static int laws_of(const pw_model *m) {
  int n = 0;
  for (int i = 0; i < m->rows.n; i++) {
    n += i == m->rows.items[i].first;
  }
  return n;
}

static bool is_same(const pw_model *a, const pw_model *b) {
  return a->nv == b->nv && laws_of(a) == laws_of(b) && a->energies.n == b->energies.n &&
         a->forces.n == b->forces.n;
}

static pawl_status make(const pawl_model *model, const pawl_export_opts *opts, pw_arena *arena,
                        pawl_diags *diags, pawl_diags *scratch, pw_buf *out) {
  pw_interner names;
  pw_sources sources = {0};
  pw_ast ast = {0};
  pw_model *checked = NULL;
  pw_interner_init(&names, arena);
  pw_model_reparse(model, arena, &names, &sources, &ast);
  pw_diags_use_sources(diags, &sources);
  pw_override *overrides = PW_TAKE(arena, opts->n_override + 1, pw_override);
  for (int i = 0; i < opts->n_override; i++) {
    overrides[i] = (pw_override){opts->overrides[i].name, opts->overrides[i].value};
  }
  if (!pw_model_check(arena, &names, &ast, &sources, overrides, opts->n_override, diags,
                      &checked) ||
      pw_is_too_large(checked, diags) || (opts->format == PAWL_C && !pw_is_c(checked, diags))) {
    return PAWL_E_MODEL;
  }
  pw_model *symbols = NULL;
  bool known = pw_model_check_symbols(arena, &names, &ast, &sources, overrides, opts->n_override,
                                      scratch, &symbols);
  pw_diags_use_sources(scratch, NULL);
  if (pw_diags_lost(scratch)) {
    return PAWL_E_MEMORY;
  }
  bool rows = opts->format != PAWL_C || symbols == NULL || checked->rows.n == symbols->rows.n;
  known = known && rows && is_same(checked, symbols);
  checked =
      known ? symbols : checked; /* else some check needs the numbers: then they are printed */
  if (opts->format != PAWL_C && !pw_is_printable(checked, known, diags)) {
    return PAWL_E_MODEL;
  }
  if (opts->format == PAWL_C) {
    return pw_has_no_states(checked, diags) ? (pw_write_c(out, checked), PAWL_OK) : PAWL_E_MODEL;
  }
  document *d = PW_NEW(arena, document);
  d->switches.model = checked;
  d->switches.keep_tables = true;
  pw_lagrange_motion(checked, &d->switches, &d->eq);
  d->x = (pw_export){.to = {.out = out, .format = opts->format},
                     .model = checked,
                     .polys = {.arena = arena, .dag = checked->dag},
                     .switches = &d->switches};
  pw_plain_names(checked, arena, &d->x.to);
  write_document(d);
  return PAWL_OK;
}

static bool is_complete(const pawl_export_opts *o) {
  bool given = (o->format == PAWL_LATEX || o->format == PAWL_TYPST || o->format == PAWL_C) &&
               o->n_override >= 0 && (o->n_override == 0 || o->overrides != NULL);
  for (int i = 0; given && i < o->n_override; i++) {
    given = o->overrides[i].name != NULL && o->overrides[i].value != NULL;
  }
  return given;
}

/* Memory that runs out comes back here. */
static pawl_status guarded(const pawl_model *model, const pawl_export_opts *opts, pawl_diags *diags,
                           pawl_diags *scratch, pw_buf *out) {
  pw_arena arena;
  pw_arena_init(&arena, max_memory);
  jmp_buf failed;
  arena.on_fail = &failed;
  pawl_status status;
  if (setjmp(failed) != 0) {
    status = arena.failure;
  } else {
    status = make(model, opts, &arena, diags, scratch, out);
  }
  pw_diags_use_sources(diags, NULL);
  pw_diags_use_sources(scratch, NULL);
  pw_arena_free(&arena);
  return status;
}

const char *pawl_export_name(const pawl_model *model, char *name, unsigned long size) {
  char whole[PW_C_NAME] = "";
  if (name == NULL || size == 0) {
    return "";
  }
  if (model != NULL) {
    pw_c_name(model->sources.items[0].name, whole);
  }
  snprintf(name, size, "%s", whole);
  return name;
}

pawl_status pawl_model_export(const pawl_model *model, const pawl_export_opts *opts,
                              pawl_diags *diags, pawl_sink sink, void *payload) {
  const pawl_export_opts none = {0}, *use = opts == NULL ? &none : opts;
  if (model == NULL || sink == NULL || !is_complete(use)) {
    return PAWL_E_ARGUMENT;
  }
  pw_buf out = {0};
  pawl_diags *own = NULL, *scratch = NULL; /* checks count messages even if they are not shown */
  pawl_status status = pawl_diags_new(&own);
  if (status == PAWL_OK) {
    status = pawl_diags_new(&scratch);
  }
  if (status == PAWL_OK) {
    status = guarded(model, use, diags == NULL ? own : diags, scratch, &out);
  }
  if (status == PAWL_OK) {
    status = pw_buf_flush(&out, sink, payload);
  }
  pawl_diags_free(own);
  pawl_diags_free(scratch);
  pw_buf_free(&out);
  return status;
}
