// SPDX-License-Identifier: MIT
/* The driver: statements one after the other, errors skipped to the next column 1, and files
 * included in place of their include statement. */
#include "lang/parse.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "lang/parser.h"

typedef struct open_file { /* a file being parsed and the one that includes it */
  const struct open_file *from;
  const char *name;
  int depth;
} open_file;

/* `root` is the tree of the whole model; `ast` receives the statements: the same tree, or that of a
 * part. Included files and errors are recorded in the root. */
static int parse_text(pw_parse *env, int file, const open_file *from, pw_ast *root, pw_ast *ast);

/* ---- include ---- */

static void write_chain(const open_file *file, char *out, size_t size) {
  if (file->from != NULL) {
    write_chain(file->from, out, size); /* at most PW_MAX_INCLUDE_DEPTH calls */
  }
  size_t used = strlen(out);
  snprintf(out + used, size - used, "`%s` includes ", file->name);
}

static int fail_cycle(pw_parse *env, const open_file *from, pw_span at, const char *name) {
  char chain[1000] = "";
  write_chain(from, chain, sizeof chain);
  pw_diag_ref ref = pw_error(env->diags, "E0027", at, "the file `%s` includes itself", name);
  pw_label(ref, "closes the circle");
  pw_note(ref, "%s`%s`", chain, name);
  pw_help(ref, "remove one of these include statements");
  return 1;
}

static int fail_load(pw_parse *env, pw_span at, const char *path, const char *why) {
  pw_diag_ref ref = pw_error(env->diags, "E0028", at, "cannot include `%s`", path);
  pw_label(ref, "%s", why);
  pw_help(ref, "the path is relative to the file with the include statement");
  return 1;
}

static int fail_data(pw_parse *env, pw_span at, const char *path, const char *why) {
  pw_diag_ref ref = pw_error(env->diags, "E0650", at, "cannot read the numbers in `%s`", path);
  pw_label(ref, "%s", why);
  pw_help(ref, "the path is relative to the file with this statement");
  return 1;
}

static int fail_limits(pw_parse *env, pw_span at, const char *path) {
  pw_diag_ref ref = pw_error(env->diags, "E0029", at, "too many included files at `%s`", path);
  pw_label(ref, "at most %d files, nested at most %d deep", PW_MAX_FILES, PW_MAX_INCLUDE_DEPTH);
  pw_help(ref, "include fewer files, or join some of them");
  return 1;
}

typedef struct loaded {
  char *text, *shown;
  size_t len;
} loaded;

static void release(const pw_loader *loader, loaded *l) {
  if (l->text != NULL) {
    loader->release(loader->payload, l->text);
  }
  if (l->shown != NULL) {
    loader->release(loader->payload, l->shown);
  }
}

/* Copies a loaded file into the sources and gives its memory back, also when the arena jumps. */
static int adopt(pw_parse *env, loaded *l) {
  jmp_buf here;
  jmp_buf *outer = env->arena->on_fail;
  if (setjmp(here) != 0) {
    env->arena->on_fail = outer;
    release(env->loader, l);
    longjmp(*outer, 1);
  }
  env->arena->on_fail = &here;
  int file = pw_sources_add(env->arena, env->sources, l->shown, l->text, (int)l->len);
  env->arena->on_fail = outer;
  release(env->loader, l);
  return file;
}

static bool is_open(const pw_loader *loader, const open_file *file, const char *name) {
  for (; file != NULL; file = file->from) {
    if (strcmp(file->name, name) == 0 ||
        (loader->same != NULL && loader->same(loader->payload, file->name, name))) {
      return true;
    }
  }
  return false;
}

/* A text that was not read may have defined any name. */
static void excuse_all(pw_ast *ast) {
  ast->broken = ast->broken_names = true;
  ast->broken_kinds = ~0u;
}

/* The number of errors; all memory of the loader is given back. */
static int try_include(pw_parse *env, pw_stmt *s, const open_file *from, pw_ast *root,
                       pw_ast *ast) {
  pw_st_string *string = &s->u.string;
  const char *path = string->text;
  pw_span at = string->span;

  /* Text that is not from a file has no folder for includes. Nesting is limited. */
  if (env->loader == NULL) {
    return fail_load(env, at, path,
                     "this text was not read from a file, so nothing can be included");
  }
  if (from->depth >= PW_MAX_INCLUDE_DEPTH || env->sources->n >= PW_MAX_FILES) {
    return fail_limits(env, at, path);
  }

  /* The loader gives the text and the name to show. */
  loaded l = {0};
  const char *why =
      env->loader->load(env->loader->payload, from->name, path, &l.text, &l.len, &l.shown);
  bool is_there = why == NULL && l.text != NULL && l.shown != NULL;

  /* Plain text joins the statements round it; a part keeps its own. */
  if (is_there && l.len < INT_MAX / 2 && !is_open(env->loader, from, l.shown)) {
    int file = adopt(env, &l);
    pw_lang_part *part = string->part;
    PW_PUSH(
        env->arena, &root->includes,
        ((pw_include){.span = part == NULL ? s->span : at, .file = file, .part = part != NULL}));
    if (part == NULL) {
      return parse_text(env, file, from, root, ast);
    }
    pw_ast *body = PW_NEW(env->arena, pw_ast);
    body->sources = env->sources;
    part->body = body;
    return parse_text(env, file, from, root, body);
  }

  /* Otherwise the file is missing, too large, or includes itself. */
  int errors = !is_there ? fail_load(env, at, path, why != NULL ? why : "out of memory")
               : l.len >= INT_MAX / 2 ? fail_load(env, at, path, "the file is too large")
                                      : fail_cycle(env, from, at, l.shown);
  release(env->loader, &l);
  PW_PUSH(env->arena, &root->includes,
          ((pw_include){.span = s->span, .file = -1, .part = string->part != NULL}));
  return errors;
}

static int include_file(pw_parse *env, pw_stmt *s, const open_file *from, pw_ast *root,
                        pw_ast *ast) {
  int before = env->sources->n;
  if (s->u.string.part != NULL) {
    PW_PUSH(env->arena, ast, s);
  }
  int errors = try_include(env, s, from, root, ast);
  if (env->sources->n == before) {
    excuse_all(root);
  }
  return errors;
}

/* ---- files of numbers ---- */

/* Adds the text to the sources; semantic analysis reads it. */
static int load_data(pw_parse *env, const open_file *from, pw_data_file *data, const char *column,
                     pw_ast *ast) {
  loaded l = {0};
  if (data->path == NULL) {
    return 0;
  }
  if (env->loader == NULL) {
    return fail_data(env, data->span, data->path, "this model was not read from a file");
  }
  if (env->sources->n >= PW_MAX_FILES) {
    return fail_limits(env, data->span, data->path);
  }
  const char *why =
      env->loader->load(env->loader->payload, from->name, data->path, &l.text, &l.len, &l.shown);
  bool is_there = why == NULL && l.text != NULL && l.shown != NULL && l.len < INT_MAX / 2;
  if (is_there) {
    data->file = adopt(env, &l);
    env->sources->items[data->file].is_data = true;
  } else {
    release(env->loader, &l);
  }
  PW_PUSH(env->arena, &ast->includes,
          ((pw_include){.span = data->span, .file = data->file, .data = true, .column = column}));
  return is_there ? 0 : fail_data(env, data->span, data->path, why != NULL ? why : "too large");
}

static int load_numbers(pw_parse *env, pw_stmt *s, const open_file *from, pw_ast *ast) {
  int errors = 0;
  if (s->kind == PW_ST_TABLE) {
    return load_data(env, from, &s->u.table.data, NULL, ast);
  }
  if (s->kind == PW_ST_INPUT) {
    errors += load_data(env, from, &s->u.input.all, NULL, ast);
  }
  for (int i = 0; s->kind == PW_ST_INPUT && i < s->u.input.n; i++) {
    pw_input *in = &s->u.input.items[i];
    errors += load_data(env, from, &in->data, in->name.text, ast);
  }
  return errors;
}

/* ---- statements ---- */

static pw_parser parser_on(pw_parse *env, int file) {
  pw_parser p = {.env = env, .file = file, .source = &env->sources->items[file]};
  p.lexer = pw_lexer_on(p.source);
  return p;
}

static void fail_keyword(pw_parser *p) {
  char shown[PW_SHOWN + 8];
  pw_show(p, p->tok, shown, sizeof shown);
  pw_span at = pw_token_span(p, p->tok);
  if (p->tok.kind != PW_TOK_NAME) {
    pw_diag_ref ref = pw_fail(p, "E0012", at, "a line that starts with %s", shown);
    pw_label(ref, "a statement starts with a word");
    pw_help(ref, "indent the line if it continues the statement above");
    return;
  }
  pw_suggest nearest = pw_suggest_begin(pw_token_text(p, p->tok));
  for (int i = 0; pw_keywords[i] != NULL; i++) {
    pw_suggest_try(&nearest, pw_keywords[i]);
  }
  pw_diag_ref ref = pw_fail(p, "E0010", at, "%s does not start a statement", shown);
  pw_label(ref, "not a keyword");
  if (strcmp(shown, "`when`") == 0 || strcmp(shown, "`reinit`") == 0) {
    pw_help(ref, "the state is never assigned; state the law that makes it jump: "
                 "`constraint floor: y >= 0, restitution 0.8`");
  } else if (nearest.best != NULL) {
    pw_help(ref, "did you mean `%s`?", nearest.best);
  } else {
    pw_help(ref, "start with a keyword such as `parameter`, `let` or `constraint`; indent the line "
                 "if it continues the statement above");
  }
}

/* Could the statement continue with `,`? */
static bool takes_commas(const pw_stmt *s) {
  switch (s->kind) {
  case PW_ST_MODEL:
  case PW_ST_INCLUDE:
  case PW_ST_BODY:
  case PW_ST_LET:
  case PW_ST_KINETIC:
  case PW_ST_POTENTIAL:
  case PW_ST_DISSIPATION:
  case PW_ST_FORCE:
  case PW_ST_LAW:
  case PW_ST_SAMPLE:
  case PW_ST_EXPECT: return false;
  case PW_ST_PLOT: return s->u.plot.vs == NULL;
  default: return true;
  }
}

/* The whole statement whose first token is `tok`; NULL after an error. */
static pw_stmt *parse_statement(pw_parser *p) {
  const char *text = p->source->text + p->tok.begin;
  int kind = p->tok.kind == PW_TOK_NAME ? pw_keyword_find(text, p->tok.end - p->tok.begin) : -1;
  if (p->tok.kind == PW_TOK_ERROR) {
    pw_lex_report(p->env->diags, p->source, p->file, p->tok);
    pw_count_error(p);
    return NULL;
  }
  if (kind < 0) {
    fail_keyword(p);
    return NULL;
  }
  pw_stmt *s = PW_NEW(p->env->arena, pw_stmt);
  s->kind = (pw_stmt_kind)kind;
  p->keyword = kind;
  s->keyword = pw_token_span(p, p->tok);
  int begin = p->tok.begin;
  pw_next(p);
  pw_rule_statement(p, s);
  s->span = pw_span_from(p, begin);
  if (!p->failed && !pw_at(p, PW_TOK_END)) {
    pw_unexpected(p, takes_commas(s) ? PW_STATEMENT_END : PW_ONLY_END, NULL);
  }
  return p->failed || p->spoilt ? NULL : s;
}

/* Records the names that the erroneous statement from offset `begin` on may have defined. */
static void excuse_statement(pw_parser *p, int begin, pw_ast *ast) {
  int end = p->pending.kind == PW_TOK_END ? p->source->len : p->pending.begin;
  pw_lexer lexer = pw_lexer_on(p->source);
  lexer.pos = begin;
  ast->broken = true;
  ast->broken_kinds |= p->keyword < 0 ? ~0u : 1u << p->keyword;
  for (pw_token tok; (tok = pw_lex(&lexer)).kind != PW_TOK_END && tok.begin < end;) {
    if (tok.kind == PW_TOK_NAME) {
      const char *name = pw_intern(p->env->names, p->source->text + tok.begin, tok.end - tok.begin);
      PW_PUSH(p->env->arena, &ast->excused, name);
    }
  }
}

static void skip_statement(pw_parser *p) {
  p->failed = true;
  while (p->tok.kind != PW_TOK_END) {
    pw_next(p);
  }
  p->failed = false;
}

static void begin_statement(pw_parser *p) {
  p->tok = p->pending;
  p->last = p->pending;
  p->depth = p->height = 0;
  p->spoilt = false;
  p->keyword = -1;
}

static bool at_unindented_rest(const pw_parser *p) {
  return p->swallow &&
         (p->tok.kind != PW_TOK_NAME ||
          pw_keyword_find(p->source->text + p->tok.begin, p->tok.end - p->tok.begin) < 0);
}

static void fail_first_indented(pw_parser *p) {
  pw_diag_ref ref =
      pw_fail(p, "E0011", pw_token_span(p, p->tok), "the first statement is indented");
  pw_label(ref, "a statement starts in column 1");
  pw_help(ref, "delete the spaces in front of it; indented lines continue the statement above");
}

static int parse_text(pw_parse *env, int file, const open_file *from, pw_ast *root, pw_ast *ast) {
  pw_parser p = parser_on(env, file);
  open_file here = {from, p.source->name, from == NULL ? 0 : from->depth + 1};

  /* A file that is not text may hide any name, so none is reported as unknown. */
  if (!pw_text_check(env->diags, p.source, file, &p.errors)) {
    excuse_all(root);
    return p.errors;
  }

  /* Indented lines continue a statement, so the first one must not be indented. */
  p.pending = pw_lex(&p.lexer);
  if (p.pending.kind != PW_TOK_END && !p.pending.in_column_1) {
    begin_statement(&p);
    int begin = p.tok.begin;
    fail_first_indented(&p);
    skip_statement(&p);
    excuse_statement(&p, begin, root);
  }

  /* After a syntax error continues with the next statement; names in the bad one are not reported
   * as unknown. */
  while (p.pending.kind != PW_TOK_END && p.errors < PW_MAX_FILE_ERRORS) {
    begin_statement(&p);
    int begin = p.tok.begin;
    bool rest = at_unindented_rest(&p);
    p.swallow = false;
    pw_stmt *s = rest ? NULL : parse_statement(&p);
    skip_statement(&p);
    if (s == NULL) {
      excuse_statement(&p, begin, root);
    }

    /* The statements of an included file replace the include. */
    if (s != NULL && s->kind == PW_ST_INCLUDE) {
      p.errors += include_file(env, s, &here, root, ast);
    } else if (s != NULL) {
      p.errors += load_numbers(env, s, &here, root);
      PW_PUSH(env->arena, ast, s);
    }
  }

  /* If unread text may define names, no name is reported as unknown. */
  if (p.errors >= PW_MAX_FILE_ERRORS || (p.errors > 0 && !root->broken)) {
    excuse_all(root);
  }
  return p.errors;
}

int pw_parse_file(pw_parse *p, int file, pw_ast *ast) {
  pw_diags_use_sources(p->diags, p->sources);
  ast->sources = p->sources;
  return parse_text(p, file, NULL, ast, ast);
}

pw_ex *pw_parse_expression(pw_parse *p, int file) {
  pw_diags_use_sources(p->diags, p->sources);
  pw_parser parser = parser_on(p, file);
  if (!pw_text_check(p->diags, parser.source, file, &parser.errors)) {
    return NULL;
  }
  parser.pending = pw_lex(&parser.lexer);
  begin_statement(&parser);
  if (parser.tok.kind == PW_TOK_ERROR) {
    pw_lex_report(p->diags, parser.source, file, parser.tok);
    pw_count_error(&parser);
    return NULL;
  }
  pw_ex *ex = pw_rule_expr(&parser);
  if (!parser.failed && (!pw_at(&parser, PW_TOK_END) || parser.pending.kind != PW_TOK_END)) {
    parser.tok = pw_at(&parser, PW_TOK_END) ? parser.pending : parser.tok;
    pw_unexpected(&parser, "the end of the value", NULL);
  }
  return parser.failed || parser.spoilt ? NULL : ex;
}
