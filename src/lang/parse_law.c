// SPDX-License-Identifier: MIT
/* The laws: constraint, friction, spring, law, servo, joint, and their clauses. */
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/suggest.h"
#include "lang/parser.h"

typedef struct clause_set { /* the clauses allowed at one place */
  const char *of;           /* "a constraint" */
  const char *words[8];     /* NULL-terminated */
} clause_set;

const char *pw_clause_word(pw_clause_kind kind) {
#define WORD(name, word) word,
  static const char *const words[] = {PW_CLAUSE_LIST(WORD)};
#undef WORD
  PW_ASSERT((int)kind >= 0 && (int)kind < PW_CLAUSES);
  return words[kind];
}

/* The kind with this word; PW_CLAUSES if there is none. */
static int kind_of(const char *text) {
  int kind = 0;
  while (kind < PW_CLAUSES && strcmp(pw_clause_word((pw_clause_kind)kind), text) != 0) {
    kind++;
  }
  return kind;
}

bool pw_is_clause_word(const char *text) {
  return kind_of(text) != PW_CLAUSES;
}

/* Clauses of other laws, and what to write instead. */
static const struct {
  const char *word, *servo; /* servo NULL: for every law */
  const char *help;
} misplaced[] = {
    {"reservoir", NULL, "it stands behind phi without a comma: `inertia phi reservoir`"},
    {"complementary", NULL, "it stands behind phi without a comma: `inertia phi complementary`"},
    {"by", NULL, "a force along given coordinates makes a servo: write `servo` for `constraint`"},
    {"one-way", NULL, "it belongs to `servo`; a constraint that acts on one side has `>=` or `<=`"},
    {"vakonomic", "a servo", "a servo has its force by `by`; write `constraint` for this clause"},
    {"inertia", "a servo", "a servo has its force by `by`; write `constraint` for this clause"},
    {"viscous", "a servo", "a servo has its force by `by`; write `constraint` for this clause"},
    {"restitution", "a servo", "a servo holds its condition without impacts of its own"},
    {"poisson", "a servo", "a servo holds its condition without impacts of its own"}};

static const char *help_for(const char *word, const clause_set *set) {
  for (size_t i = 0; i < sizeof misplaced / sizeof *misplaced; i++) {
    bool here = misplaced[i].servo == NULL || strcmp(misplaced[i].servo, set->of) == 0;
    if (here && strcmp(misplaced[i].word, word) == 0) {
      return misplaced[i].help;
    }
  }
  return NULL;
}

static void fail_clause(pw_parser *p, pw_name word, const clause_set *set) {
  char list[120] = "";
  size_t used = 0;
  pw_suggest nearest = pw_suggest_begin(word.text);
  for (int i = 0; set->words[i] != NULL; i++) {
    pw_suggest_try(&nearest, set->words[i]);
    used += (size_t)snprintf(list + used, sizeof list - used, "%s`%s`", i == 0 ? "" : ", ",
                             set->words[i]);
  }
  pw_diag_ref ref =
      pw_fail(p, "E0022", word.span, "`%.*s` is not a clause of %s", PW_SHOWN, word.text, set->of);
  pw_label(ref, set->words[1] == NULL ? "expected %s" : "expected one of %s", list);
  if (help_for(word.text, set) != NULL) {
    pw_help(ref, "%s", help_for(word.text, set));
  } else if (nearest.best != NULL) {
    pw_help(ref, "did you mean `%s`?", nearest.best);
  } else {
    pw_help(ref, "a clause is a word with its value; `pawl explain E0022` lists them for each law");
  }
}

/* Reads a clause word of the set into *kind. */
static bool rule_clause_word(pw_parser *p, const clause_set *set, pw_clause *clause) {
  clause->mark = pw_token_span(p, p->tok);
  if (!pw_at(p, PW_TOK_NAME)) {
    pw_unexpected(p, "a clause", set->words);
    return false;
  }
  bool hyphen = pw_at_word(p, "one"); /* elsewhere `-` begins the value: `bound-x` */
  pw_name word = hyphen ? pw_take_word(p) : pw_take_name(p);
  clause->mark = word.span;
  for (int i = 0; set->words[i] != NULL; i++) {
    if (strcmp(set->words[i], word.text) == 0) {
      clause->kind = (pw_clause_kind)kind_of(word.text);
      return true;
    }
  }
  fail_clause(p, word, set);
  return false;
}

/* "(" ref {"," ref} ")" */
static pw_ex *rule_refs(pw_parser *p, const char *what) {
  pw_token open = p->tok;
  struct {
    pw_ex **items;
    int n, cap;
  } list = {0};
  pw_expect(p, PW_TOK_LPAREN, what);
  do {
    pw_ex *ref = pw_rule_ref(p, what);
    PW_PUSH(p->env->arena, &list, ref);
  } while (pw_accept(p, PW_TOK_COMMA));
  pw_expect_close(p, open);
  if (list.n == 1) { /* brackets around one name */
    return list.items[0];
  }
  pw_ex *ex = pw_new_ex(p, PW_EX_VECTOR, open.begin, list.n);
  memcpy(ex->arg, list.items, (size_t)list.n * sizeof *list.items);
  return ex;
}

/* "on" ref; of friction that is not rough also a list: "on" "(" ref {"," ref} ")" */
static pw_ex *rule_on(pw_parser *p, bool list) {
  const char *what = "the name of a constraint";
  pw_expect_word(p, "on");
  return list && pw_at(p, PW_TOK_LPAREN) ? rule_refs(p, what) : pw_rule_ref(p, what);
}

/* "mu" expr "on" ref; of a contact it acts on itself */
static void rule_mu(pw_parser *p, pw_clause *clause) {
  clause->ex = pw_rule_expr(p);
  clause->on = p->keyword == PW_ST_CONTACT ? NULL : rule_on(p, true);
}

static void rule_rough(pw_parser *p, pw_clause *clause) {
  clause->on = p->keyword == PW_ST_CONTACT ? NULL : rule_on(p, false);
}

/* "inertia" expr ["reservoir" | "complementary"] */
static void rule_inertia(pw_parser *p, pw_clause *clause) {
  clause->ex = pw_rule_expr(p);
  if (pw_at_word(p, "reservoir") || pw_at_word(p, "complementary")) {
    clause->word = pw_take_name(p).text;
  }
}

/* point = "(" expr "," expr ")" */
static pw_ex *rule_point(pw_parser *p) {
  pw_token open = p->tok;
  pw_expect(p, PW_TOK_LPAREN, "a point `(x, f)`");
  pw_ex *x = pw_rule_expr(p);
  pw_expect(p, PW_TOK_COMMA, "`,` and the second value of the point");
  pw_ex *f = pw_rule_expr(p);
  pw_expect_close(p, open);
  pw_ex *ex = pw_new_ex(p, PW_EX_VECTOR, open.begin, 2);
  ex->arg[0] = x;
  ex->arg[1] = f;
  return ex;
}

/* "graph" point {point} */
static void rule_graph(pw_parser *p, pw_clause *clause) {
  do {
    pw_ex *point = rule_point(p);
    PW_PUSH(p->env->arena, &clause->points, point);
  } while (pw_at(p, PW_TOK_LPAREN));
}

/* "by" (ref | "(" ref ":" expr {"," ref ":" expr} ")") */
static void rule_by(pw_parser *p, pw_clause *clause) {
  const char *what = "a coordinate, or `(x: a, y: b)`";
  pw_token open = p->tok;
  if (!pw_accept(p, PW_TOK_LPAREN)) {
    pw_by by = {.ref = pw_rule_ref(p, what)};
    PW_PUSH(p->env->arena, &clause->by, by);
    return;
  }
  do {
    pw_by by = {.ref = pw_rule_ref(p, what)};
    pw_expect(p, PW_TOK_COLON, "`:` and the component of the force");
    by.factor = pw_rule_expr(p);
    PW_PUSH(p->env->arena, &clause->by, by);
  } while (pw_accept(p, PW_TOK_COMMA));
  pw_expect_close(p, open);
}

static void rule_clause_body(pw_parser *p, pw_clause *clause) {
  switch (clause->kind) {
  case PW_CL_VAKONOMIC:
  case PW_CL_ONE_WAY: break;
  case PW_CL_INERTIA: rule_inertia(p, clause); break;
  case PW_CL_MU: rule_mu(p, clause); break;
  case PW_CL_ROUGH: rule_rough(p, clause); break;
  case PW_CL_PULL:
    pw_expect_word(p, "allow");
    clause->word = "allow";
    break;
  case PW_CL_PLAY: pw_rule_range(p, &clause->ex, &clause->ex2); break;
  case PW_CL_GRAPH: rule_graph(p, clause); break;
  case PW_CL_BY: rule_by(p, clause); break;
  default: clause->ex = pw_rule_expr(p); break;
  }
}

static void fail_twice(pw_parser *p, const pw_clause *clause, const pw_clause *before) {
  pw_diag_ref ref =
      pw_blame(p, "E0035", clause->mark, "`%.*s` is given twice",
               clause->mark.end - clause->mark.begin, p->source->text + clause->mark.begin);
  pw_label(ref, "the second time");
  pw_second(ref, before->mark, "the first time");
  pw_help(ref, "delete one of them");
}

/* One clause of the set, added to the law; NULL after an error. The pointer is valid until the
 * next clause is added. */
static const pw_clause *rule_clause(pw_parser *p, pw_st_law *law, const clause_set *set) {
  pw_clause clause = {.kind = PW_CL_RESTITUTION};
  int begin = p->tok.begin;
  if (!rule_clause_word(p, set, &clause)) {
    return NULL;
  }
  bool is_new = true;
  for (int i = 0; i < law->n && is_new; i++) {
    is_new = law->items[i].kind != clause.kind;
    if (!is_new) {
      fail_twice(p, &clause, &law->items[i]);
    }
  }
  rule_clause_body(p, &clause);
  clause.span = pw_span_from(p, begin);
  if (!is_new || p->failed) {
    return NULL;
  }
  PW_PUSH(p->env->arena, law, clause);
  return &law->items[law->n - 1];
}

/* {"," clause} */
static void rule_clauses(pw_parser *p, pw_st_law *law, const clause_set *set) {
  while (pw_accept(p, PW_TOK_COMMA)) {
    rule_clause(p, law, set);
  }
}

/* rel {"," claw} */
static void rule_constraint(pw_parser *p, pw_st_law *law) {
  static const clause_set claw = {
      "a constraint",
      {"restitution", "poisson", "vakonomic", "inertia", "viscous", "stiffness", NULL}};
  law->rel = pw_rule_rel(p, "a constraint");
  rule_clauses(p, law, &claw);
}

/* "slip" expr "," flaw;  flaw = "mu" expr "on" ref {"," ("restitution" expr | "static" expr)}
 *   | "rough" "on" ref ["," "restitution" expr] | "bound" expr ["," "static" expr] */
static void rule_friction(pw_parser *p, pw_st_law *law) {
  static const clause_set first = {"friction", {"mu", "rough", "bound", NULL}};
  static const clause_set behind_mu = {"friction with `mu`", {"restitution", "static", NULL}};
  static const clause_set behind_rough = {"friction with `rough`", {"restitution", NULL}};
  static const clause_set behind_bound = {"friction with `bound`", {"static", NULL}};
  pw_expect_word(p, "slip");
  law->is_slip = true;
  law->measure = pw_rule_expr(p);
  pw_expect(p, PW_TOK_COMMA, "`,` and `mu ... on ...`, `rough on ...` or `bound ...`");
  const pw_clause *clause = rule_clause(p, law, &first);
  if (clause != NULL) {
    rule_clauses(p, law,
                 clause->kind == PW_CL_MU      ? &behind_mu
                 : clause->kind == PW_CL_ROUGH ? &behind_rough
                                               : &behind_bound);
  }
}

/* "stretch" expr {"," sclause} */
static void rule_spring(pw_parser *p, pw_st_law *law) {
  static const clause_set sclause = {"a spring",
                                     {"stiffness", "play", "preload", "damping", "pull", NULL}};
  pw_expect_word(p, "stretch");
  law->measure = pw_rule_expr(p);
  rule_clauses(p, law, &sclause);
}

/* ("stretch" | "slip") expr "," "graph" point {point} ["," "damping" expr] */
static void rule_graph_law(pw_parser *p, pw_st_law *law) {
  static const clause_set graph = {"a law", {"graph", NULL}};
  static const clause_set behind_graph = {"a law with its graph", {"damping", NULL}};
  static const char *const measures[] = {"stretch", "slip", NULL};
  law->is_slip = pw_accept_word(p, "slip");
  if (!law->is_slip && !pw_accept_word(p, "stretch")) {
    pw_unexpected(p, "`stretch` or `slip`", measures);
  }
  law->measure = pw_rule_expr(p);
  pw_expect(p, PW_TOK_COMMA, "`, graph` and its points");
  rule_clause(p, law, &graph);
  rule_clauses(p, law, &behind_graph);
}

/* rel "," "by" (...) [ "," "one-way" ] */
static void rule_servo(pw_parser *p, pw_st_law *law) {
  static const clause_set by = {"a servo", {"by", NULL}};
  static const clause_set one_way = {"a servo", {"one-way", NULL}};
  law->rel = pw_rule_rel(p, "a servo");
  pw_expect(p, PW_TOK_COMMA, "`, by` and the direction of the force");
  rule_clause(p, law, &by);
  rule_clauses(p, law, &one_way);
}

void pw_rule_law(pw_parser *p, pw_stmt_kind kind, pw_st_law *law) {
  static const struct {
    const char *what;
    void (*rule)(pw_parser *, pw_st_law *);
  } rules[] = {{"a constraint", rule_constraint}, {"a friction law", rule_friction},
               {"a spring", rule_spring},         {"a law", rule_graph_law},
               {"a servo", rule_servo},           {"a joint", pw_rule_joint}};
  int which = (int)kind - (int)PW_ST_CONSTRAINT;
  law->label = pw_rule_label(p, rules[which].what, true);
  pw_expect(p, PW_TOK_COLON, "`:` behind the name");
  rules[which].rule(p, law);
}

/* ---- shapes and contacts ---- */

/* "contact" NAME ":" ref {"," ref} {"," clause} */
void pw_rule_contact(pw_parser *p, pw_st_law *law) {
  static const clause_set touch = {
      "a contact", {"restitution", "poisson", "mu", "rough", "static", "roll", "spin", NULL}};
  law->label.name = pw_define(p, "a contact");
  law->rel.op = PW_REL_GE;
  pw_expect(p, PW_TOK_COLON, "`:` and the shapes that may touch");
  bool more = true;
  for (; more && !(pw_at(p, PW_TOK_NAME) && pw_is_clause_word(pw_token_text(p, p->tok)));) {
    pw_ex *ref = pw_rule_ref(p, "the name of a shape");
    PW_PUSH(p->env->arena, &law->shapes, ref);
    more = pw_accept(p, PW_TOK_COMMA);
  }
  while (more) {
    rule_clause(p, law, &touch);
    more = pw_accept(p, PW_TOK_COMMA);
  }
}
