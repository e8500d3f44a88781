// SPDX-License-Identifier: MIT
#include "model/realise.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "lang/parse.h"

typedef struct rewriter {
  pw_arena *arena;
  pw_interner *names;
  pw_sources *sources;
  pw_ast *ast;
  pw_values given;
  pawl_diags *diags;
  PW_LIST(pw_edit) edits;
  pw_span law, how; /* in the text of the command line */
  const char *name; /* of the law */
  bool one;         /* only a member of a family: */
  int member;
} rewriter;

/* How a constraint can be realised: the clause that says it, and what follows the word. */
enum { NOTHING, ONE, TWO, FAR = 1000000000 };
static const struct {
  const char *word;
  int values;
  const char *clause, *second; /* before the first and the second value */
  bool keeps, state;           /* impact laws stay; the multiplier is a state */
  const char *keyword;
} ways[] = {{"nonholonomic", NOTHING, "", "", true, false, "constraint"},
            {"ideal", NOTHING, "", "", true, false, "constraint"},
            {"vakonomic", NOTHING, ", vakonomic", "", false, true, "constraint"},
            {"viscous", TWO, ", viscous ", ", stiffness ", false, false, "constraint"},
            {"inertia", ONE, ", inertia ", "", false, true, "constraint"},
            {"servo", ONE, ", by ", "", false, false, "servo"},
            {"friction", ONE, ", bound ", "", false, false, "friction"}};
enum { N_WAYS = sizeof ways / sizeof *ways };

static const char *piece(rewriter *r, const char *text, size_t len) {
  char *copy = PW_TAKE(r->arena, len + 1, char);
  memcpy(copy, text, len);
  return copy;
}

static const char *join(rewriter *r, const char *a, const char *b) {
  size_t n = strlen(a), m = strlen(b);
  char *both = PW_TAKE(r->arena, n + m + 1, char);
  memcpy(both, a, n);
  memcpy(both + n, b, m);
  return both;
}

static const char *text_of(rewriter *r, pw_span span) {
  return piece(r, r->sources->items[span.file].text + span.begin, (size_t)(span.end - span.begin));
}

/* The span of an expression leaves out parentheses around it. */
static int behind(const rewriter *r, pw_span span) {
  const pw_source *s = &r->sources->items[span.file];
  int end = span.end;
  for (int i = end; i < s->len && strchr(" \t\r\n)", s->text[i]) != NULL; i++) {
    end = s->text[i] == ')' ? i + 1 : end;
  }
  return end;
}

static void edit(rewriter *r, pw_span span, const char *text) {
  PW_PUSH(r->arena, &r->edits, ((pw_edit){span, text}));
}

/* ---- the law ---- */

static bool is_realised(const pw_stmt *s) {
  return s->kind == PW_ST_CONSTRAINT || s->kind == PW_ST_SERVO;
}

static bool is_law(const pw_stmt *s) {
  return is_realised(s) || s->kind == PW_ST_FRICTION || s->kind == PW_ST_SPRING ||
         s->kind == PW_ST_LAW;
}

static bool is_named(const pw_stmt *s, const char *name) {
  return is_law(s) && strcmp(s->u.law.label.name.text, name) == 0;
}

static const pw_stmt *find_law(const rewriter *r) {
  for (int i = 0; i < r->ast->n; i++) {
    if (is_named(r->ast->items[i], r->name)) {
      return r->ast->items[i];
    }
  }
  return NULL;
}

static bool report_law(const rewriter *r, const pw_stmt *other) {
  pw_diag_ref d =
      pw_error(r->diags, "E0118", r->law,
               other == NULL ? "there is no constraint `%s`" : "`%s` is not a constraint", r->name);
  if (other != NULL) {
    pw_label(d, "only constraints and servos can be realised in other ways");
    pw_second(d, other->u.law.label.name.span, "%s", "");
    return false;
  }
  pw_suggest near = pw_suggest_begin(r->name);
  const char *first = NULL;
  for (int i = r->ast->n - 1; i >= 0; i--) {
    if (is_realised(r->ast->items[i])) {
      first = r->ast->items[i]->u.law.label.name.text;
      pw_suggest_try(&near, first);
    }
  }
  pw_label(d, "no law of this name in the model");
  if (near.best != NULL) {
    pw_help(d, "did you mean `%s`?", near.best);
  } else if (first != NULL) {
    pw_help(d, "the model has for example `%s`", first);
  }
  return false;
}

/* NAME, or NAME[k] with a whole number k. */
static bool read_name(rewriter *r, const char *text) {
  size_t len = strcspn(text, "[");
  r->name = piece(r, text, len);
  if (text[len] == '\0') {
    return true;
  }
  char *end;
  int64_t k = strtol(text + len + 1, &end, 10);
  r->one = end > text + len + 1 && strcmp(end, "]") == 0 && k > -FAR && k < FAR;
  r->member = r->one ? (int)k : 0;
  if (!r->one) {
    pw_diag_ref d = pw_error(r->diags, "E0118", r->law, "`%s` is not the name of a law", text);
    pw_label(d, "a member of a family is written with a number, as `%s[2]`", r->name);
  }
  return r->one;
}

static bool report_member(const rewriter *r, const pw_stmt *s) {
  const pw_heading *label = &s->u.law.label;
  bool family = label->index.text != NULL;
  pw_diag_ref d = pw_error(r->diags, "E0118", r->law,
                           family ? "`%s` has no member %d" : "`%s` is not a family of laws",
                           r->name, r->member);
  pw_label(d, family ? "the index is out of range" : "there are no members to choose from");
  pw_second(d, family ? pw_span_join(label->from->span, label->to->span) : label->name.span, "%s",
            family ? "the members" : "");
  if (!family) {
    pw_help(d,
            "`%s` without an index changes the whole law; components of a vector that are held "
            "in different ways are written as constraints of their own",
            r->name);
  }
  return false;
}

/* ---- the way ---- */

static int report_way(const rewriter *r, const char *word) {
  pw_diag_ref d =
      pw_error(r->diags, "E0118", r->how, "a constraint cannot be realised as `%s`", word);
  pw_suggest near = pw_suggest_begin(word);
  for (int i = 0; i < N_WAYS; i++) {
    pw_suggest_try(&near, ways[i].word);
  }
  pw_label(d, "not a way to realise a constraint");
  if (near.best != NULL) {
    pw_help(d, "did you mean `%s`?", near.best);
  } else {
    pw_help(d, "`nonholonomic` or `ideal`, `vakonomic`, `viscous:N`, `viscous:N:K`, `inertia:PHI`, "
               "`servo:x` or `friction:BOUND`");
  }
  return -1;
}

static int report_values(const rewriter *r, int way, bool missing) {
  const char *word = ways[way].word;
  pw_diag_ref d = pw_error(r->diags, "E0118", r->how,
                           missing ? "`%s` needs a value" : "`%s` takes no value", word);
  pw_label(d, "%s", missing ? "the clause is not complete" : "nothing may follow the word");
  if (missing) {
    pw_help(d, "write it behind a colon: `%s:%s`", word, strcmp(word, "servo") == 0 ? "x" : "100");
  }
  return -1;
}

/* The text of the clauses; *way is its row of the table. NULL after an error. */
static const char *clauses(rewriter *r, const char *how, int *way) {
  size_t len = strcspn(how, ":");
  const char *word = piece(r, how, len), *value = how[len] == ':' ? how + len + 1 : "";
  for (*way = 0; *way < N_WAYS && strcmp(ways[*way].word, word) != 0; ++*way) {
  }
  if (*way == N_WAYS) {
    *way = report_way(r, word);
    return NULL;
  }
  if ((ways[*way].values == NOTHING) != (value[0] == '\0')) {
    *way = report_values(r, *way, value[0] == '\0');
    return NULL;
  }
  size_t first = ways[*way].values == TWO ? strcspn(value, ":") : strlen(value);
  const char *text = join(r, ways[*way].clause, piece(r, value, first));
  return value[first] == ':' ? join(r, join(r, text, ways[*way].second), value + first + 1) : text;
}

static const char *kept_clauses(rewriter *r, const pw_stmt *s) {
  const char *text = "";
  for (int i = 0; i < s->u.law.n; i++) {
    const pw_clause *c = &s->u.law.items[i];
    if (c->kind == PW_CL_RESTITUTION || c->kind == PW_CL_POISSON) {
      pw_span whole = {c->span.file, c->span.begin, behind(r, c->span)};
      text = join(r, join(r, text, ", "), text_of(r, whole));
    }
  }
  return text;
}

/* ---- starts of the multiplier ---- */

static bool names_law(rewriter *r, const pw_init *init) {
  const pw_ex *ref = init->is_force ? init->ref : NULL;
  if (ref != NULL && r->one) { /* that of another member stays */
    bool number = ref->kind == PW_EX_INDEX && ref->arg[1]->kind == PW_EX_NUM;
    if (!number || ref->arg[1]->value != r->member) {
      return false;
    }
  }
  while (ref != NULL && ref->kind == PW_EX_INDEX) {
    ref = ref->arg[0];
  }
  return ref != NULL && ref->kind == PW_EX_NAME && strcmp(ref->name, r->name) == 0;
}

/* `start` without the multiplier of a law that has none any more. */
static void drop_starts(rewriter *r) {
  for (int i = 0; i < r->ast->n; i++) {
    const pw_stmt *s = r->ast->items[i];
    bool drops = false;
    const char *text = "";
    for (int k = 0; s->kind == PW_ST_START && k < s->u.start.n; k++) {
      const pw_init *init = &s->u.start.items[k];
      if (names_law(r, init)) {
        drops = true;
        continue;
      }
      pw_span whole = {init->span.file, init->span.begin, behind(r, init->span)};
      text = join(r, join(r, text, text[0] == '\0' ? "start " : ", "), text_of(r, whole));
    }
    if (drops) {
      pw_span last = s->u.start.items[s->u.start.n - 1].span;
      edit(r, (pw_span){s->span.file, s->span.begin, behind(r, last)}, text);
    }
  }
}

/* force(LAW) = value, in place of a value that is there or as a line of its own. */
static const char *set_start(rewriter *r, const char *name, const char *value) {
  size_t len = strlen(name);
  const char *law = piece(r, name + 6, len > 7 ? len - 7 : 0);
  const char *text = join(r, join(r, name, " = "), value);
  for (int i = 0; i < r->ast->n; i++) {
    const pw_stmt *s = r->ast->items[i];
    for (int k = 0; s->kind == PW_ST_START && k < s->u.start.n; k++) {
      const pw_init *init = &s->u.start.items[k];
      if (init->is_force && strcmp(text_of(r, init->ref->span), law) == 0) {
        edit(r, (pw_span){init->span.file, init->span.begin, behind(r, init->span)}, text);
        return "";
      }
    }
  }
  return join(r, join(r, "start ", text), "\n");
}

/* ---- the text ---- */

static bool is_friction(int way) {
  return strcmp(ways[way].keyword, "friction") == 0;
}

/* What a constraint holds at zero as the slip of a friction. */
static const char *slip_of(rewriter *r, const pw_stmt *s) {
  const pw_rel *rel = &s->u.law.rel;
  pw_span left = {rel->span.file, rel->span.begin, rel->mark.begin};
  pw_span right = {rel->span.file, rel->mark.end, rel->span.end};
  const char *text = join(r, join(r, "slip (", text_of(r, left)), ") - (");
  return join(r, join(r, text, text_of(r, right)), ")");
}

/* The statement with other clauses. */
static void change_statement(rewriter *r, const pw_stmt *s, int way, const char *text) {
  pw_span rel = s->u.law.rel.span;
  int begin = behind(r, rel), n = s->u.law.n;
  int end = n > 0 ? behind(r, s->u.law.items[n - 1].span) : begin;
  edit(r, s->keyword, ways[way].keyword);
  if (is_friction(way)) {
    edit(r, rel, slip_of(r, s));
  }
  edit(r, (pw_span){rel.file, begin, end}, ways[way].keeps ? kept_clauses(r, s) : text);
}

/* The number that a parameter is given as, here or in the model; NAN: it is more than that. */
static double parameter_value(const rewriter *r, const char *name) {
  for (int i = 0; i < r->given.n; i++) {
    if (strcmp(r->given.items[i].name, name) == 0) {
      char *end;
      double x = strtod(r->given.items[i].value, &end);
      return *end == '\0' && end > r->given.items[i].value ? x : NAN;
    }
  }
  for (int i = 0; i < r->ast->n; i++) {
    const pw_stmt *s = r->ast->items[i];
    for (int k = 0; s->kind == PW_ST_PARAMETER && k < s->u.parameter.n; k++) {
      const pw_par *p = &s->u.parameter.items[k];
      if (p->at.n == 0 && strcmp(p->label.name.text, name) == 0) {
        return p->value->kind == PW_EX_NUM ? p->value->value : NAN;
      }
    }
  }
  return NAN;
}

/* A bound of a family that is a number, or the name of one; false: it has to be computed. */
static bool bound_of(const rewriter *r, const pw_ex *x, int *out) {
  const pw_ex *inner = x->kind == PW_EX_NEG ? x->arg[0] : x;
  double value = inner->kind == PW_EX_NUM    ? inner->value
                 : inner->kind == PW_EX_NAME ? parameter_value(r, inner->name)
                                             : NAN;
  value = x->kind == PW_EX_NEG ? -value : value;
  *out = isfinite(value) && fabs(value) < FAR ? (int)value : 0;
  return *out == value;
}

static bool has_member(const rewriter *r, const pw_stmt *s) {
  const pw_heading *label = &s->u.law.label;
  int lo, hi;
  bool above = !bound_of(r, label->from, &lo) || r->member >= lo;
  return above && (!bound_of(r, label->to, &hi) || r->member <= hi);
}

static const char *number(rewriter *r, int x) {
  char text[32];
  return piece(r, text, (size_t)snprintf(text, sizeof text, "%d", x));
}

/* "KEYWORD NAME[i in FROM..TO]REST" */
static const char *part(rewriter *r, const char *keyword, const pw_heading *label, const char *from,
                        const char *to, const char *rest) {
  const char *text = join(r, join(r, keyword, " "), label->name.text);
  text = join(r, join(r, join(r, text, "["), label->index.text), " in ");
  text = join(r, join(r, join(r, text, from), ".."), to);
  return join(r, join(r, text, "]"), rest);
}

/* The family in three: the members before, the one that changes, the members behind it. */
static void split_family(rewriter *r, const pw_stmt *s, int way, const char *clauses) {
  const pw_heading *label = &s->u.law.label;
  pw_span rel = s->u.law.rel.span;
  int begin = behind(r, rel), n = s->u.law.n, bound;
  int end = n > 0 ? behind(r, s->u.law.items[n - 1].span) : begin;
  pw_span head = {rel.file, behind(r, label->to->span), begin};
  while (r->sources->items[head.file].text[head.begin++] != ']') {
  }
  const char *held = text_of(r, head), *old = text_of(r, (pw_span){rel.file, begin, end});
  const char *keyword = text_of(r, s->keyword), *text = "";
  if (!bound_of(r, label->from, &bound) || bound < r->member) {
    const char *to = number(r, r->member - 1);
    text = part(r, keyword, label, text_of(r, label->from->span), to, join(r, held, old));
    text = join(r, text, "\n");
  }
  const char *own = ways[way].keeps ? kept_clauses(r, s) : clauses;
  text = join(r, text,
              part(r, ways[way].keyword, label, number(r, r->member), number(r, r->member),
                   join(r, held, own)));
  if (!bound_of(r, label->to, &bound) || bound > r->member) {
    const char *from = number(r, r->member + 1);
    text = join(r, text, "\n");
    text = join(r, text,
                part(r, keyword, label, from, text_of(r, label->to->span), join(r, held, old)));
  }
  edit(r, (pw_span){rel.file, s->span.begin, end}, text);
}

/* Friction holds both ways, and a whole law: E0118 otherwise. */
static bool can_rub(const rewriter *r, const pw_stmt *s) {
  if (s->u.law.rel.op == PW_REL_EQ && !r->one) {
    return true;
  }
  pw_diag_ref d =
      pw_error(r->diags, "E0118", r->how, "`%s` cannot be realised by friction", r->name);
  pw_label(d, "%s",
           r->one ? "friction takes the place of whole families"
                  : "friction acts both ways, this constraint on one side");
  pw_second(d, s->u.law.rel.span, "%s", "");
  return false;
}

static bool change_law(rewriter *r, const char *name, const char *how) {
  int way;
  if (!read_name(r, name)) {
    return false;
  }
  const pw_stmt *first = find_law(r);
  if (first == NULL || !is_realised(first)) {
    return report_law(r, first);
  }
  const char *text = clauses(r, how, &way);
  if (text == NULL || (is_friction(way) && !can_rub(r, first))) {
    return false;
  }
  bool found = false;
  for (int i = 0; i < r->ast->n && !(found && r->one); i++) { /* a family may have several parts */
    const pw_stmt *s = r->ast->items[i];
    if (is_named(s, r->name) && !r->one) {
      change_statement(r, s, way, text);
      found = true;
    } else if (is_named(s, r->name) && s->u.law.label.index.text != NULL &&
               s->u.law.label.second.text == NULL && has_member(r, s)) {
      split_family(r, s, way, text);
      found = true;
    }
  }
  if (!found) {
    return report_member(r, first);
  }
  if (!ways[way].state) {
    drop_starts(r);
  }
  return true;
}

/* Written twice: the buffer must be free while the arena gives memory, which may jump away. */
static char *changed_text(rewriter *r, const char *added, size_t *len) {
  char *text = NULL;
  for (int pass = 0; pass < 2; pass++) {
    pw_buf buf = {0};
    pw_write_text(&buf, r->ast, r->edits.items, r->edits.n);
    pw_buf_puts(&buf, added[0] != '\0' && buf.len > 0 && buf.text[buf.len - 1] != '\n' ? "\n" : "");
    pw_buf_puts(&buf, added);
    bool failed = buf.failed;
    if (pass == 1 && !failed && buf.len > 0) {
      memcpy(text, buf.text, buf.len);
    }
    *len = buf.len;
    pw_buf_free(&buf);
    if (failed) {
      pw_arena_fail(r->arena, PAWL_E_MEMORY);
    }
    text = pass == 0 ? PW_TAKE(r->arena, *len + 1, char) : text;
  }
  return text;
}

bool pw_changes_text(const pw_override *o) {
  return strncmp(o->name, PW_REALISE, strlen(PW_REALISE)) == 0 ||
         strncmp(o->name, "force(", 6) == 0;
}

bool pw_change_text(pw_arena *arena, pw_interner *names, pw_sources *sources, pw_ast *ast,
                    const pw_override *o, pw_values given, pawl_diags *diags) {
  /* The errors of a broken text are reported already. */
  if (ast->broken) {
    return true;
  }
  rewriter r = {.arena = arena,
                .names = names,
                .sources = sources,
                .ast = ast,
                .given = given,
                .diags = diags};

  /* `force(LAW)` is a start value; the others change how a law is realised. */
  const char *added = "";
  if (o->name[0] == 'f') {
    added = set_start(&r, o->name, o->value);
  } else {
    const char *law = o->name + strlen(PW_REALISE);
    const char *shown = join(&r, join(&r, law, "="), o->value);
    int n = (int)strlen(law), whole = (int)strlen(shown);
    int file = pw_sources_add(arena, sources, "command line", shown, whole);
    r.law = (pw_span){file, 0, n};
    r.how = (pw_span){file, n + 1, whole};
    if (!change_law(&r, law, o->value)) {
      return false;
    }
  }

  /* The changed text is parsed anew, as if it had been written so. */
  size_t len;
  char *text = changed_text(&r, added, &len);
  const char *name = sources->items[0].name;
  *sources = (pw_sources){0};
  *ast = (pw_ast){0};
  int file = pw_sources_add(arena, sources, name, text, (int)len);
  pw_parse p = {arena, names, sources, diags, NULL};
  return pw_parse_file(&p, file, ast) == 0;
}
