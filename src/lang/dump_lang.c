// SPDX-License-Identifier: MIT
/* Dumps of the first two stages: one line per token; one block per statement, its expressions in
 * prefix form, (+ (* 2 x) 1), so that the tree shows without any rule of binding. */
#include "base/glyph.h"
#include "lang/print.h"
#include "lang/spine.h"
#include "lang/token.h"

/* ---- tokens ---- */

static void dump_text(pw_buf *out, const char *text, int len) {
  for (int i = 0, n; i < len; i += n) {
    int32_t code;
    n = pw_glyph_next(text + i, text + len, &code);
    if (code >= 0x20 && code != 0x7F) {
      pw_buf_add(out, text + i, (size_t)n);
    } else {
      pw_buf_printf(out, "\\x%02X", (unsigned)(unsigned char)text[i]);
    }
  }
}

void pw_dump_tokens(pw_buf *out, const pw_source *source) {
  pw_lexer lexer = pw_lexer_on(source);
  int line = 1, column = 1, pos = 0;
  for (pw_token tok = pw_lex(&lexer); tok.kind != PW_TOK_END; tok = pw_lex(&lexer)) {
    for (; pos < tok.begin; pos++) { /* counted incrementally: a line may hold millions of tokens */
      bool new_line = source->text[pos] == '\n';
      line += new_line;
      column = new_line ? 1 : column + (((unsigned char)source->text[pos] & 0xC0) != 0x80);
    }
    pw_buf_printf(out, "%d:%d %s ", line, column, pw_token_kind_name(tok.kind));
    dump_text(out, source->text + tok.begin, tok.end - tok.begin);
    pw_buf_puts(out, "\n");
  }
}

/* ---- expressions ---- */

static void dump_ex(pw_buf *out, const pw_ex *ex);

static const char *head_of(const pw_ex *ex) {
  static const char *const heads[] = {
      [PW_EX_NEG] = "neg",   [PW_EX_POS] = "pos",   [PW_EX_ADD] = "+",
      [PW_EX_SUB] = "-",     [PW_EX_MUL] = "*",     [PW_EX_DIV] = "/",
      [PW_EX_POW] = "^",     [PW_EX_PRIME] = "'",   [PW_EX_INDEX] = "index",
      [PW_EX_FIELD] = ".",   [PW_EX_CALL] = "call", [PW_EX_VECTOR] = "vector",
      [PW_EX_EACH] = "each", [PW_EX_GT] = ">",      [PW_EX_GE] = ">=",
      [PW_EX_LT] = "<",      [PW_EX_LE] = "<=",     [PW_EX_AND] = "and",
      [PW_EX_OR] = "or"};
  return heads[ex->kind];
}

static void dump_binary(pw_buf *out, const pw_ex *ex) {
  pw_spine spine;
  if (!pw_spine_init(&spine, ex)) {
    out->failed = true;
    return;
  }
  for (int i = 0; i < spine.n; i++) {
    pw_buf_printf(out, "(%s ", head_of(spine.items[i]));
  }
  dump_ex(out, spine.items[spine.n - 1]->arg[0]);
  for (int i = spine.n - 1; i >= 0; i--) {
    pw_buf_puts(out, " ");
    dump_ex(out, spine.items[i]->arg[1]);
    pw_buf_puts(out, ")");
  }
  pw_spine_free(&spine);
}

static void dump_ex(pw_buf *out, const pw_ex *ex) {
  if (pw_ex_is_binary(ex)) {
    dump_binary(out, ex);
  } else if (ex->kind == PW_EX_NUM || ex->kind == PW_EX_NAME) {
    pw_print_ex(out, ex);
  } else {
    pw_buf_printf(out, "(%s", head_of(ex));
    if (ex->name != NULL) {
      pw_buf_printf(out, " %s", ex->name);
    }
    for (int i = 0; i < ex->n_arg; i++) {
      pw_buf_puts(out, " ");
      dump_ex(out, ex->arg[i]);
    }
    pw_buf_puts(out, ")");
  }
}

/* ---- statements ---- */

static void line_ex(pw_buf *out, const char *what, const pw_ex *ex) {
  if (ex != NULL) {
    pw_buf_printf(out, "  %s ", what);
    dump_ex(out, ex);
    pw_buf_puts(out, "\n");
  }
}

static void line_text(pw_buf *out, const char *what, const char *text) {
  if (text != NULL) {
    pw_buf_printf(out, "  %s %s\n", what, text);
  }
}

static void line_unit(pw_buf *out, const char *what, const pw_unit *unit) {
  if (unit != NULL) {
    pw_buf_printf(out, "  %s ", what);
    pw_print_unit(out, unit);
    pw_buf_puts(out, "\n");
  }
}

static void line_label(pw_buf *out, const pw_heading *label) {
  line_text(out, "name", label->name.text);
  line_text(out, "index", label->index.text);
  line_ex(out, "from", label->from);
  line_ex(out, "to", label->to);
  line_text(out, "second index", label->second.text);
  line_ex(out, "from", label->from2);
  line_ex(out, "to", label->to2);
}

static void line_rel(pw_buf *out, const pw_rel *rel) {
  static const char *const signs[] = {"=", ">=", "<="};
  if (rel->left != NULL) {
    line_ex(out, "left", rel->left);
    line_text(out, "relation", signs[rel->op]);
    line_ex(out, "right", rel->right);
  }
}

static void dump_clause(pw_buf *out, const pw_clause *clause) {
  line_text(out, "clause", pw_clause_word(clause->kind));
  line_ex(out, "  value", clause->ex);
  line_ex(out, "  to", clause->ex2);
  line_ex(out, "  on", clause->on);
  line_text(out, "  word", clause->word);
  for (int i = 0; i < clause->points.n; i++) {
    line_ex(out, "  point", clause->points.items[i]);
  }
  for (int i = 0; i < clause->by.n; i++) {
    line_ex(out, "  by", clause->by.items[i].ref);
    line_ex(out, "  factor", clause->by.items[i].factor);
  }
}

static void dump_law(pw_buf *out, const pw_stmt *s) {
  line_label(out, &s->u.law.label);
  line_rel(out, &s->u.law.rel);
  line_ex(out, s->u.law.is_slip ? "slip" : "stretch", s->u.law.measure);
  for (int i = 0; i < s->u.law.shapes.n; i++) {
    line_ex(out, "shape", s->u.law.shapes.items[i]);
  }
  for (int i = 0; i < s->u.law.n; i++) {
    dump_clause(out, &s->u.law.items[i]);
  }
}

static void dump_args(pw_buf *out, const pw_darg *items, int n) {
  for (int i = 0; i < n; i++) {
    line_text(out, "word", items[i].word);
    line_ex(out, "argument", items[i].ex);
    line_text(out, "text", items[i].text);
  }
}

static void dump_shape(pw_buf *out, const pw_stmt *s) {
  line_label(out, &s->u.shape.label);
  line_text(out, "shape", s->u.shape.kind.text);
  dump_args(out, s->u.shape.items, s->u.shape.n);
  for (int i = 0; i < s->u.shape.corners.n; i++) {
    line_ex(out, "corner", s->u.shape.corners.items[i]);
  }
}

static void dump_start(pw_buf *out, const pw_stmt *s) {
  static const char *const modes[] = {"fixed", "guess", "closed"};
  for (int i = 0; i < s->u.start.n; i++) {
    const pw_init *init = &s->u.start.items[i];
    line_text(out, init->is_force ? "init force" : "init", modes[init->mode]);
    line_label(out, &init->label);
    if (init->primes > 0) {
      pw_buf_printf(out, "  primes %d\n", init->primes);
    }
    line_ex(out, "ref", init->ref);
    line_ex(out, "value", init->value);
  }
}

static void dump_event(pw_buf *out, const pw_stmt *s) {
  line_text(out, "name", s->u.event.name.text);
  line_ex(out, "every", s->u.event.every);
  line_rel(out, &s->u.event.rel);
  line_text(out, "flag", s->u.event.stop ? "stop" : NULL);
  line_text(out, "flag", s->u.event.rising ? "rising" : NULL);
  line_text(out, "flag", s->u.event.falling ? "falling" : NULL);
}

static void line_par(pw_buf *out, const pw_par *par) {
  line_ex(out, "of", par->of);
  line_label(out, &par->label);
  for (int i = 0; i < par->at.n; i++) {
    line_ex(out, "member", par->at.items[i]);
  }
  line_ex(out, "value", par->value);
}

static void dump_lists(pw_buf *out, const pw_stmt *s) {
  for (int i = 0; s->kind == PW_ST_PARAMETER && i < s->u.parameter.n; i++) {
    const pw_par *par = &s->u.parameter.items[i];
    line_par(out, par);
    line_ex(out, "from", par->lo);
    line_ex(out, "to", par->hi);
  }
  for (int i = 0; s->kind == PW_ST_COORDINATES && i < s->u.coordinates.n; i++) {
    line_text(out, "name", s->u.coordinates.items[i].name.text);
    line_ex(out, "from", s->u.coordinates.items[i].from);
    line_ex(out, "to", s->u.coordinates.items[i].to);
  }
  for (int i = 0; s->kind == PW_ST_ROTATION && i < s->u.rotation.n; i++) {
    line_text(out, "name", s->u.rotation.items[i].text);
  }
  bool pairs = s->kind == PW_ST_OUTPUT || s->kind == PW_ST_STATE;
  for (int i = 0; pairs && i < s->u.output.n; i++) {
    line_text(out, "name", s->u.output.items[i].name.text);
    line_unit(out, "unit", s->u.output.items[i].unit);
    line_ex(out, "value", s->u.output.items[i].ex);
  }
  for (int i = 0; s->kind == PW_ST_PLOT && i < s->u.plot.n; i++) {
    line_ex(out, "value", s->u.plot.items[i]);
  }
  line_ex(out, "vs", s->kind == PW_ST_PLOT ? s->u.plot.vs : NULL);
}

static void dump_table(pw_buf *out, const pw_stmt *s) {
  line_text(out, "name", s->u.table.name.text);
  line_text(out, "argument", s->u.table.arg.text);
  line_unit(out, "argument unit", s->u.table.arg_unit);
  line_unit(out, "unit", s->u.table.unit);
  line_text(out, "file", s->u.table.data.path);
  for (int i = 0; i < s->u.table.points.n; i++) {
    line_ex(out, "point", s->u.table.points.items[i]);
  }
  for (int i = 0; i < s->u.table.words.n; i++) {
    line_text(out, "word", s->u.table.words.items[i].text);
  }
}

static void dump_signal(pw_buf *out, const pw_stmt *s) {
  line_text(out, "file", s->kind == PW_ST_INPUT ? s->u.input.all.path : NULL);
  for (int i = 0; s->kind == PW_ST_INPUT && i < s->u.input.n; i++) {
    line_text(out, "name", s->u.input.items[i].name.text);
    line_ex(out, "value", s->u.input.items[i].value);
    line_text(out, "file", s->u.input.items[i].data.path);
    for (int k = 0; k < s->u.input.items[i].points.n; k++) {
      line_ex(out, "point", s->u.input.items[i].points.items[k]);
    }
  }
  if (s->kind == PW_ST_SAMPLE) {
    line_text(out, "name", s->u.sample.name.text);
    line_ex(out, "value", s->u.sample.ex);
    line_ex(out, "every", s->u.sample.every);
  }
}

static void dump_let(pw_buf *out, const pw_stmt *s) {
  line_label(out, &s->u.let.label);
  for (int i = 0; i < s->u.let.n_arg; i++) {
    line_text(out, "argument", s->u.let.args[i].text);
  }
  line_ex(out, "value", s->u.let.ex);
}

static void dump_joint(pw_buf *out, const pw_stmt *s) {
  const pw_joint *joint = s->u.law.joint;
  line_label(out, &s->u.law.label);
  line_text(out, "kind", pw_joint_word(joint->kind));
  for (int i = 0; i < 2; i++) {
    line_ex(out, "body", joint->end[i].body);
    line_ex(out, "  at", joint->end[i].at);
  }
  line_ex(out, "axis", joint->axis[0]);
  line_ex(out, "axis", joint->axis[1]);
}

static void dump_string(pw_buf *out, const pw_stmt *s) {
  const pw_lang_part *part = s->kind == PW_ST_INCLUDE ? s->u.string.part : NULL;
  line_text(out, "text", s->u.string.text);
  if (part != NULL) {
    line_label(out, &part->label);
    for (int i = 0; i < part->settings.n; i++) {
      pw_buf_puts(out, "  set\n");
      line_par(out, &part->settings.items[i]);
    }
  }
}

static void dump_draw(pw_buf *out, const pw_stmt *s) {
  line_text(out, "shape", s->u.draw.shape.text);
  for (int i = 0; i < s->u.draw.n; i++) {
    const pw_darg *arg = &s->u.draw.items[i];
    line_text(out, "text", arg->text);
    line_ex(out, arg->word == NULL ? "value" : arg->word, arg->ex);
  }
}

static void dump_run(pw_buf *out, const pw_stmt *s) {
  line_ex(out, "from", s->u.run.from);
  line_ex(out, "to", s->u.run.to);
  for (int i = 0; i < s->u.run.n; i++) {
    line_text(out, "option", s->u.run.items[i].word.text);
    line_text(out, "  choice", s->u.run.items[i].choice.text);
    line_ex(out, "  value", s->u.run.items[i].ex);
  }
}

static void dump_expect(pw_buf *out, const pw_stmt *s) {
  line_ex(out, "left", s->u.expect.left);
  line_ex(out, "right", s->u.expect.right);
  line_ex(out, "tolerance", s->u.expect.tol);
  line_ex(out, "at t", s->u.expect.time);
  line_text(out, "at", s->u.expect.kind.text);
  line_ex(out, "count", s->u.expect.count);
  line_ex(out, "of", s->u.expect.of);
}

static void dump_stmt(pw_buf *out, const pw_stmt *s) {
  switch (s->kind) {
  /* Titles, names and definitions. */
  case PW_ST_MODEL:
  case PW_ST_INCLUDE: dump_string(out, s); break;
  case PW_ST_BODY:
    line_label(out, &s->u.body.label);
    line_ex(out, "mass", s->u.body.mass);
    line_ex(out, "inertia", s->u.body.inertia);
    break;
  case PW_ST_LET: dump_let(out, s); break;

  /* Energies and forces: a name or a target, and an expression. */
  case PW_ST_KINETIC:
  case PW_ST_POTENTIAL:
  case PW_ST_DISSIPATION:
    line_text(out, "name", s->u.energy.name.text);
    line_ex(out, "value", s->u.energy.ex);
    break;
  case PW_ST_FORCE:
    line_ex(out, s->u.force.at ? "at" : "target", s->u.force.target);
    line_ex(out, "value", s->u.force.ex);
    break;

  /* Laws and shapes. */
  case PW_ST_CONSTRAINT:
  case PW_ST_FRICTION:
  case PW_ST_SPRING:
  case PW_ST_LAW:
  case PW_ST_SERVO:
  case PW_ST_CONTACT: dump_law(out, s); break;
  case PW_ST_SHAPE: dump_shape(out, s); break;
  case PW_ST_JOINT: dump_joint(out, s); break;

  /* Start values, events, signals and results. */
  case PW_ST_START:
  case PW_ST_END: dump_start(out, s); break;
  case PW_ST_EVENT: dump_event(out, s); break;
  case PW_ST_TABLE: dump_table(out, s); break;
  case PW_ST_INPUT:
  case PW_ST_SAMPLE: dump_signal(out, s); break;
  case PW_ST_DRAW: dump_draw(out, s); break;
  case PW_ST_RUN: dump_run(out, s); break;
  case PW_ST_EXPECT: dump_expect(out, s); break;

  /* The others are lists of items. */
  default: dump_lists(out, s); break;
  }
}

void pw_dump_ast(pw_buf *out, const pw_ast *ast) {
  for (int i = 0; i < ast->n; i++) {
    const pw_stmt *s = ast->items[i];
    const pw_source *source = &ast->sources->items[s->span.file];
    int line, column;
    pw_source_locate(source, s->span.begin, &line, &column);
    pw_buf_printf(out, "%s:%d %s\n", source->name, line, pw_keywords[s->kind]);
    dump_stmt(out, s);
  }
}
