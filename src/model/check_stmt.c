// SPDX-License-Identifier: MIT
/* The check of a model: statements in order, then what can be said only of the whole. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "model/check.h"
#include "model/edits.h"
#include "model/part.h"
#include "model/unit_asks.h"

/* ---- texts ---- */

int pw_check_errors(const pw_check *ck) {
  return pawl_diags_errors(ck->diags) + pawl_diags_dropped(ck->diags);
}

int pw_line_of(const pw_check *ck, pw_span span) {
  int line = 0, column;
  if (span.file >= 0) {
    pw_source_locate(&ck->sources->items[span.file], span.begin, &line, &column);
  }
  return line;
}

const char *pw_where(pw_check *ck, pw_span span) {
  if (span.file >= 0 && ck->stmt != NULL && span.file != ck->stmt->span.file) {
    return pw_format_text(ck, " %s line %d", ck->sources->items[span.file].name,
                          pw_line_of(ck, span));
  }
  return pw_format_text(ck, " line %d", pw_line_of(ck, span));
}

const char *pw_format_text(pw_check *ck, const char *fmt, ...) {
  char small[512];
  va_list args;
  va_start(args, fmt);
  int len = vsnprintf(small, sizeof small, fmt, args);
  va_end(args);
  if (len < 0) {
    return "";
  }
  char *text = PW_TAKE(ck->arena, (size_t)len + 1, char);
  if ((size_t)len < sizeof small) {
    memcpy(text, small, (size_t)len);
    return text;
  }
  va_start(args, fmt);
  vsnprintf(text, (size_t)len + 1, fmt, args);
  va_end(args);
  return text;
}

const char *pw_format_real(pw_check *ck, double x) {
  return pw_format_text(ck, "%.10g", x);
}

const char *pw_text_of(pw_check *ck, pw_span span) {
  if (span.file < 0) {
    return "";
  }
  const char *from = ck->sources->items[span.file].text + span.begin;
  const char *end = ck->sources->items[span.file].text + span.end;
  char *text = PW_TAKE(ck->arena, span.end - span.begin + 1, char);
  int n = 0;
  for (bool quoted = false; from < end; from++) {
    quoted = quoted != (*from == '"' && (n == 0 || text[n - 1] != '\\'));
    if (*from == '#' && !quoted) {
      while (from + 1 < end && from[1] != '\n') {
        from++;
      }
      continue;
    }
    bool space = *from == ' ' || *from == '\t' || *from == '\n' || *from == '\r';
    if (!space) {
      text[n++] = *from;
    } else if (n > 0 && text[n - 1] != ' ') {
      text[n++] = ' ';
    }
  }
  return text;
}

pw_diag_ref pw_elab_error(pw_check *ck, const char *code, pw_span at, const char *fmt, ...) {
  char text[512];
  va_list args;
  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  pw_diag_ref d = pw_error(ck->diags, code, at, "%s", text);
  if (ck->call.file >= 0) {
    pw_note(d, "in the call `%s`,%s", pw_text_of(ck, ck->call), pw_where(ck, ck->call));
  }
  return d;
}

/* ---- limits ---- */

bool pw_spend(pw_check *ck, int64_t steps) {
  ck->spent.steps += steps;
  if (ck->spent.too_large) {
    return false;
  }
  if (ck->spent.steps <= PW_MAX_STEPS && pw_dag_size(ck->dag) <= PW_MAX_NODES) {
    return true;
  }
  ck->spent.too_large = true;
  pw_diag_ref d = pw_error(ck->diags, "E0114", ck->stmt->span, "the model is too large");
  pw_label(d, "it grows beyond all limits in this statement");
  pw_note(d, "limits: %d expressions written out, %d different ones", PW_MAX_STEPS, PW_MAX_NODES);
  return false;
}

/* ---- names ---- */

pw_symbol *pw_define_name(pw_check *ck, pw_name name) {
  pw_symbol *sym = pw_env_find(&ck->env, name.text);
  if (sym->span.begin != name.span.begin || sym->span.file != name.span.file) {
    pw_diag_ref d = pw_error(ck->diags, "E0103", name.span, "`%s` is defined twice", name.text);
    const char *kind = pw_symbol_kind_name(sym);
    pw_label(d, "already %s %s", strchr("aeiou", kind[0]) != NULL ? "an" : "a", kind);
    pw_second(d, sym->span, "first defined here");
    if (sym->kind == PW_SYM_ENERGY && ck->stmt->kind == sym->stmt->kind) {
      pw_help(d, "several such lines add up; give each its own name");
    } else if (sym->val.kind == PW_V_LAW && sym->val.is_family) {
      pw_help(d, "a family goes on in the next statement with the next index, which is %d here",
              sym->val.lo + sym->val.n);
    } else {
      pw_help(d, "choose another name for one of them");
    }
    return NULL;
  }
  sym->defined = true;
  sym->val = PW_BAD_VAL;
  return sym;
}

/* ---- statements ---- */

static void check_title(pw_check *ck) {
  if (ck->m->title != NULL) {
    pw_diag_ref d = pw_error(ck->diags, "E0406", ck->stmt->span, "the model has two titles");
    pw_label(d, "the second one");
    pw_help(d, "delete one of the `model` lines");
    return;
  }
  ck->m->title = ck->stmt->u.string.text;
}

/* Equations in print need no start and no results. */
static bool is_result(const pw_stmt *s) {
  return s->kind >= PW_ST_START;
}

static void check_statement(pw_check *ck) {
  if (ck->symbols && is_result(ck->stmt)) {
    return;
  }
  switch (ck->stmt->kind) {
  /* Names, numbers and coordinates. */
  case PW_ST_MODEL: check_title(ck); break;
  case PW_ST_INCLUDE: pw_check_part(ck); break;
  case PW_ST_PARAMETER: pw_check_parameter(ck); break;
  case PW_ST_COORDINATES: pw_check_coordinates(ck); break;
  case PW_ST_ROTATION: pw_check_rotation(ck); break;
  case PW_ST_BODY: pw_check_body(ck); break;
  case PW_ST_LET: pw_check_let(ck); break;

  /* Energies and forces: the smooth part of the motion. */
  case PW_ST_KINETIC:
  case PW_ST_POTENTIAL:
  case PW_ST_DISSIPATION: pw_check_energy(ck); break;
  case PW_ST_FORCE: pw_check_force(ck); break;

  /* Laws, many of them with inequalities, and the shapes they need. */
  case PW_ST_CONSTRAINT: pw_check_constraint(ck); break;
  case PW_ST_FRICTION: pw_check_friction(ck); break;
  case PW_ST_SPRING: pw_check_spring(ck); break;
  case PW_ST_LAW: pw_check_graph(ck); break;
  case PW_ST_SERVO: pw_check_servo(ck); break;
  case PW_ST_JOINT: pw_check_joint(ck); break;
  case PW_ST_SHAPE: pw_check_shape(ck); break;
  case PW_ST_CONTACT: pw_check_contact(ck); break;

  /* Signals: functions of time, curves, and values with a memory. */
  case PW_ST_INPUT: pw_check_input(ck); break;
  case PW_ST_TABLE: pw_check_table(ck); break;
  case PW_ST_STATE: pw_check_state(ck); break;
  case PW_ST_SAMPLE: pw_check_sample(ck); break;

  /* Where the motion starts, what is asked of it, and how it is shown. */
  case PW_ST_START:
  case PW_ST_END: pw_check_start(ck); break;
  case PW_ST_EVENT: pw_check_event(ck); break;
  case PW_ST_OUTPUT: pw_check_output(ck); break;
  case PW_ST_PLOT: pw_check_plot(ck); break;
  case PW_ST_DRAW: pw_check_draw(ck); break;
  case PW_ST_RUN: pw_check_run(ck); break;
  case PW_ST_EXPECT: pw_check_expect(ck); break;
  }
}

/* What its expressions may contain. */
static unsigned site_of(const pw_stmt *s) {
  switch (s->kind) {
  case PW_ST_KINETIC: return PW_NO_KINK;
  case PW_ST_EVENT:
  case PW_ST_OUTPUT:
  case PW_ST_PLOT:
  case PW_ST_EXPECT: return PW_IN_RESULT;
  case PW_ST_DRAW: return PW_MAY_FORCE | PW_MAY_RESULT;
  default: return 0;
  }
}

pw_stand pw_stand_in(pw_check *ck, const pw_stmt *stmt) {
  pw_stand before = {ck->stmt, ck->site, ck->call, ck->env.floor};
  ck->stmt = stmt;
  ck->site = site_of(stmt);
  ck->call = PW_NO_SPAN;
  ck->env.floor = ck->env.locals.n;
  return before;
}

pw_stand pw_stand_in_call(pw_check *ck, pw_span call) {
  pw_stand before = {ck->stmt, ck->site, ck->call, ck->env.floor};
  ck->call = call;
  ck->env.floor = ck->env.locals.n;
  return before;
}

void pw_stand_back(pw_check *ck, const pw_stand *before) {
  ck->stmt = before->stmt;
  ck->site = before->site;
  ck->call = before->call;
  ck->env.floor = before->floor;
}

/* The statement joins the list of those that make the model, in which parts are written out. */
void pw_check_next(pw_check *ck, pw_stmt *stmt) {
  PW_PUSH(ck->arena, ck->flat, stmt);
  ck->stmt = stmt;
  ck->site = site_of(stmt);
  check_statement(ck);
}

void pw_check_brought(pw_check *ck, const pw_stmt *include, pw_stmt *const *list, int n,
                      const char *scope) {
  const pw_stmt *outer = ck->part;
  ck->part = include;
  for (int i = 0; i < n && !ck->spent.too_large; i++) {
    int errors = pw_check_errors(ck);
    pw_check_next(ck, list[i]);
    if (pw_check_errors(ck) > errors) {
      pw_note(pw_last_error(ck->diags), "in the part `%.*s`,%s", (int)strlen(scope) - 1, scope,
              pw_where(ck, include->span));
    }
  }
  ck->stmt = include;
  ck->part = outer;
}

static void find_energies(pw_check *ck, const pw_ast *ast) {
  for (int i = 0; i < ast->n; i++) {
    const pw_stmt *s = ast->items[i];
    bool part = s->kind == PW_ST_INCLUDE; /* may bring both */
    if (part || s->kind == PW_ST_KINETIC || s->kind == PW_ST_BODY) {
      ck->energy.last[0] = s;
    }
    if (part || s->kind == PW_ST_POTENTIAL) {
      ck->energy.last[1] = s;
    }
  }
}

/* Whether a statement of this kind may have been left out for its syntax. */
static bool may_be_broken(const pw_ast *ast, pw_stmt_kind kind) {
  return (ast->broken_kinds >> kind & 1u) != 0;
}

static void check_whole(pw_check *ck, const pw_ast *ast) {
  bool body = may_be_broken(ast, PW_ST_BODY);
  const pw_stmt *moving = NULL;
  for (int i = 0; i < ast->n && moving == NULL; i++) {
    pw_stmt_kind kind = ast->items[i]->kind;
    bool moves = kind == PW_ST_COORDINATES || kind == PW_ST_ROTATION || kind == PW_ST_BODY;
    moving = moves ? ast->items[i] : NULL;
  }
  if (moving == NULL && (body || may_be_broken(ast, PW_ST_COORDINATES) ||
                         may_be_broken(ast, PW_ST_ROTATION) || (ast->broken && ast->n == 0))) {
    return;
  }
  if (moving == NULL) {
    pw_span last = ast->n > 0 ? ast->items[ast->n - 1]->span
                              : (pw_span){0, ck->sources->items[0].len, ck->sources->items[0].len};
    pw_diag_ref d = pw_error(ck->diags, "E0322", last, "the model has no coordinates");
    pw_label(d, "the model ends here, and nothing in it can move");
    pw_help(d, "name what moves: `coordinates x, y`, `rotation R` or `body b: ...`");
  } else if (ck->energy.last[0] == NULL && !body && !may_be_broken(ast, PW_ST_KINETIC)) {
    pw_diag_ref d = pw_error(ck->diags, "E0323", moving->span, "the model has no kinetic energy");
    pw_label(d, "without inertia the motion is undetermined");
    pw_help(d, "add it: `kinetic T = 1/2*m*x'^2`");
  }
}

void pw_check_size(pw_check *ck) {
  const pw_model *m = ck->m;
  int nv = ck->draft.u_names.n, rows = m->rows.n;
  int most = nv > 0 ? PW_MAX_ENTRIES / nv : rows;
  pw_diag_ref d;
  if (nv > PW_MAX_VELOCITIES) {
    const pw_coord *c = m->coords.items;
    while (c->u + (c->is_rotation ? 3 : 1) <= PW_MAX_VELOCITIES) {
      c++;
    }
    d = pw_error(ck->diags, "E0191", c->span, "the model has too many coordinates to be computed");
    pw_label(d, "%s is beyond the limit of %d velocities; the model has %d", c->name,
             PW_MAX_VELOCITIES, nv);
    pw_note(d, "the inertia matrix is kept as a whole, with %d x %d numbers", nv, nv);
  } else if (rows > most) {
    const pw_row *r = &m->rows.items[most];
    d = pw_error(ck->diags, "E0191", r->span, "the model has too many laws to be computed");
    pw_label(d, "%s is beyond the limit of %d laws for %d velocities; the model has %d", r->name,
             most, nv, rows);
    pw_note(d, "the gradients are kept as a whole, with %d x %d numbers", rows, nv);
  } else {
    return;
  }
  ck->spent.too_large = true;
}

/* Velocities as tables show them: those of a rotation in space axes. */
static void set_shown(pw_check *ck) {
  pw_model *m = ck->m;
  m->u_shown = PW_TAKE(ck->arena, m->nv, pw_node);
  for (int c = 0; c < m->coords.n; c++) {
    const pw_coord *coord = &m->coords.items[c];
    int n = coord->is_rotation ? 3 : 1;
    pw_node *u = &m->u_shown[coord->u];
    for (int i = 0; i < n; i++) {
      u[i] = pw_var(ck->dag, pw_var_of(PW_VAR_U, coord->u + i));
    }
    if (coord->is_rotation) {
      pw_node W[3] = {u[0], u[1], u[2]};
      pw_rotate(ck, c, W, false, u);
    }
  }
}

/* Drawings of shapes are for models that draw nothing. */
static void choose_drawings(pw_model *m) {
  int own = 0;
  for (int i = 0; i < m->draws.n; i++) {
    own += !m->draws.items[i].of_shape;
  }
  int kept = 0;
  for (int i = 0; i < m->draws.n; i++) {
    if (own == 0 || !m->draws.items[i].of_shape) {
      m->draws.items[kept++] = m->draws.items[i];
    }
  }
  m->draws.n = kept;
}

void pw_adopt_names(pw_check *ck) {
  pw_model *m = ck->m;
  m->nq = ck->draft.q_names.n;
  m->nv = ck->draft.u_names.n;
  m->q_name = ck->draft.q_names.items;
  m->u_name = ck->draft.u_names.items;
  m->q_start = ck->draft.q_starts.items;
  m->q_end = ck->draft.q_ends.items;
  m->u_start = ck->draft.u_starts.items;
}

static void finish(pw_check *ck) {
  choose_drawings(ck->m);
  pw_adopt_names(ck);
  set_shown(ck);
  pw_finish_starts(ck);
  pw_finish_forces(ck);
  pw_finish_servos(ck);
}

static void check_dimensions(pw_check *ck) {
  pw_replaced *replaced = PW_TAKE(ck->arena, ck->n_given, pw_replaced);
  for (int i = 0; i < ck->n_given; i++) {
    replaced[i] = (pw_replaced){ck->given[i].target, ck->given[i].value};
  }
  pw_unit_asks asks = pw_unit_asks_of(ck->m);
  pw_check_dimensions(ck->arena, ck->m->ast, replaced, ck->n_given, ck->diags, asks.items, asks.n);
}

static bool check_model(bool symbols, const pw_kept_names *vary, pw_arena *arena,
                        pw_interner *names, const pw_ast *ast, pw_sources *sources,
                        const pw_override *overrides, int n_override, pawl_diags *diags,
                        pw_model **out) {
  pw_check *ck = PW_NEW(arena, pw_check);
  pw_model *m = PW_NEW(arena, pw_model);
  pw_ast *flat = PW_NEW(arena, pw_ast);
  *flat = *ast;
  flat->items = NULL;
  flat->n = flat->cap = 0;
  *m = (pw_model){.arena = arena, .names = names, .ast = flat, .input_file = -1};
  m->dag = pw_dag_new(arena);
  *ck = (pw_check){.symbols = symbols,
                   .vary = vary,
                   .m = m,
                   .whole = ast,
                   .flat = flat,
                   .arena = arena,
                   .names = names,
                   .dag = m->dag,
                   .diags = diags,
                   .sources = sources,
                   .call = PW_NO_SPAN,
                   .input.file = -1};
  int before = pw_check_errors(ck);
  pw_diags_use_sources(diags, sources);
  pw_env_init(&ck->env, arena, ast);
  pw_read_overrides(ck, overrides, n_override);
  pw_find_input_file(&ck->input, ast);
  find_energies(ck, ast);
  ck->energy.kinetic_unknown = may_be_broken(ast, PW_ST_KINETIC) || may_be_broken(ast, PW_ST_BODY);
  for (int i = 0; i < ast->n && !ck->spent.too_large; i++) {
    pw_check_next(ck, ast->items[i]);
  }
  ck->site = 0; /* behind all statements */
  if (!ck->spent.too_large) {
    pw_finish_signals(ck);
  }
  check_whole(ck, ck->flat);
  if (pw_check_errors(ck) == before) {
    pw_check_size(ck);
  }
  if (!ck->spent.too_large && ast->n > 0) {
    pw_apply_start_overrides(ck);
    finish(ck);
    if (!ck->energy.kinetic_unknown && ck->energy.last[0] != NULL) {
      pw_check_inertia(ck);
    }
  }
  if (pw_check_errors(ck) == before && !ast->broken) {
    check_dimensions(ck);
  }
  if (pw_check_errors(ck) == before && !ast->broken && n_override > 0) {
    pw_edit_starts(ck);
  }
  *out = m;
  return pw_check_errors(ck) == before && !ast->broken;
}

bool pw_model_check(pw_arena *arena, pw_interner *names, const pw_ast *ast, pw_sources *sources,
                    const pw_override *overrides, int n_override, pawl_diags *diags,
                    pw_model **out) {
  return check_model(false, NULL, arena, names, ast, sources, overrides, n_override, diags, out);
}

bool pw_model_check_varied(pw_arena *arena, pw_interner *names, const pw_ast *ast,
                           pw_sources *sources, const pw_override *overrides, int n_override,
                           const pw_kept_names *vary, pawl_diags *diags, pw_model **out) {
  return check_model(false, vary, arena, names, ast, sources, overrides, n_override, diags, out);
}

bool pw_model_check_symbols(pw_arena *arena, pw_interner *names, const pw_ast *ast,
                            pw_sources *sources, const pw_override *overrides, int n_override,
                            pawl_diags *diags, pw_model **out) {
  return check_model(true, NULL, arena, names, ast, sources, overrides, n_override, diags, out);
}
