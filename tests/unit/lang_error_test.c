// SPDX-License-Identifier: MIT
/* Syntax errors: code and exact place of each, recovery at column 1, and an explanation for all. */
#include "base/explain.h"
#include "lang_support.h"

typedef struct mistake {
  const char *text, *code;
  int line, column, length;
} mistake;

static void check_mistake(const mistake *m) {
  world *w = parse_string(m->text);
  const pawl_diag *d = pawl_diags_get(w->diags, 0);
  int ok = CHECK_INT(pawl_diags_errors(w->diags), 1) && CHECK_STR(d->code, m->code) &&
           CHECK_INT(d->at.line, m->line) && CHECK_INT(d->at.column, m->column) &&
           CHECK_INT(d->at.length, m->length);
  CHECK_INT(w->errors, 1);
  ok = ok && CHECK(d->n_help > 0) && CHECK(d->at.label[0] != '\0') &&
       CHECK(pawl_explain(d->code) != NULL);
  if (!ok) {
    printf("  in \"%s\"\n", m->text);
    show_errors(w);
  }
  world_free(w);
}

static void places_lexical_errors(void) {
  static const mistake table[] = {{"let a = \xC3\xA4 \xC3\x97 b", "E0003", 1, 11, 1},
                                  {"let a = 1\nlet b = $", "E0003", 2, 9, 1},
                                  {"$", "E0003", 1, 1, 1},
                                  {"model \"abc\nlet a = 1", "E0004", 1, 7, 4},
                                  {"let a = x\"", "E0004", 1, 10, 1},
                                  {"model \"a\\qb\"", "E0005", 1, 9, 2},
                                  {"parameter a = 2*1e999", "E0006", 1, 17, 5},
                                  {"parameter a = 1e-999", "E0006", 1, 15, 6},
                                  {"let a = b +- c", "E0007", 1, 11, 2},
                                  {"let a = \xC2\xB1 c", "E0007", 1, 9, 1},
                                  {"let a = 1 \x01", "E0002", 1, 11, 1},
                                  {"let a = \xFF\nlet b = \xFF\n$$$", "E0001", 1, 9, 1}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    check_mistake(&table[i]);
  }
}

static void places_line_errors(void) {
  static const mistake table[] = {{"kinetik T = 1", "E0010", 1, 1, 7},
                                  {"  let a = 1\nlet b = 2", "E0011", 1, 3, 3},
                                  {"# c\n\n  let a = 1\n    + 2\nlet b = 2", "E0011", 3, 3, 3},
                                  {"let a = 1\n+ 2", "E0012", 2, 1, 1},
                                  {"coordinates x\n  kinetic T = 1", "E0013", 2, 3, 7},
                                  {"parameter a = 1,\n  let b = 2", "E0013", 2, 3, 3},
                                  {"let a = 1 +\nlet b = 2", "E0014", 1, 12, 1},
                                  {"let a =", "E0014", 1, 8, 1},
                                  {"parameter a = 1,\nb = 2\nlet c = 3", "E0014", 1, 17, 1},
                                  {"let a = (b +\nc)\nlet d = 3", "E0014", 1, 13, 1},
                                  {"let", "E0014", 1, 4, 1}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    check_mistake(&table[i]);
  }
}

static void places_expression_errors(void) {
  static const mistake table[] = {{"let a = (b + c", "E0016", 1, 9, 1},
                                  {"let a = b[c", "E0016", 1, 10, 1},
                                  {"let a = sin(b, c\nlet d = 1", "E0016", 1, 12, 1},
                                  {"let a = b)", "E0016", 1, 10, 1},
                                  {"let a = (b]", "E0016", 1, 9, 1},
                                  {"let a = 2 b", "E0017", 1, 11, 1},
                                  {"let a = 2(b)", "E0017", 1, 10, 1},
                                  {"let a = (b)(c)", "E0017", 1, 12, 1},
                                  {"let a = b' c", "E0017", 1, 12, 1},
                                  {"let a = b c", "E0017", 1, 11, 1},
                                  {"plot b c", "E0015", 1, 8, 1},
                                  {"let a = --b", "E0018", 1, 10, 1},
                                  {"let a = b ** c", "E0009", 1, 11, 2},
                                  {"let a = b > c", "E0019", 1, 11, 1},
                                  {"let a = sin(b >= c)", "E0019", 1, 15, 2},
                                  {"let a = if(b > 0, c < d, 1)", "E0019", 1, 21, 1},
                                  {"let a = (b > c)", "E0019", 1, 12, 1},
                                  {"let a = if(b < c < d, 1, 2)", "E0020", 1, 18, 1},
                                  {"let a = if(b, 1, 2)", "E0034", 1, 12, 1},
                                  {"let a = if(b = c, 1, 2)", "E0034", 1, 14, 1},
                                  {"let a = 2'", "E0030", 1, 10, 1},
                                  {"let a = 2 [m]'", "E0030", 1, 14, 1},
                                  {"let a = [b, c]", "E0015", 1, 9, 1},
                                  {"let a = ()", "E0015", 1, 10, 1},
                                  {"let a = f()", "E0015", 1, 11, 1},
                                  {"let a = b.", "E0014", 1, 11, 1},
                                  {"let a = in", "E0015", 1, 9, 2},
                                  {"let a = \"b\"", "E0015", 1, 9, 3},
                                  {"let a = b, c", "E0015", 1, 10, 1},
                                  {"let a = sum(i in 1..N x)", "E0015", 1, 23, 1},
                                  {"let a = sum(i in 1: x)", "E0015", 1, 19, 1},
                                  {"let a = 3 [m s]", "E0025", 1, 14, 1},
                                  {"let a = 3 [m/(s)]", "E0025", 1, 14, 1},
                                  {"let a = 3 [2*m]", "E0025", 1, 12, 1},
                                  {"let a = 3 [m^1.5]", "E0025", 1, 14, 3},
                                  {"let a = 3 [m^99]", "E0025", 1, 14, 2},
                                  {"let a = 3 []", "E0025", 1, 12, 1},
                                  {"let a = 3 [m", "E0016", 1, 11, 1}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    check_mistake(&table[i]);
  }
}

static void places_statement_errors(void) {
  static const mistake table[] = {
      {"model pendulum", "E0026", 1, 7, 8},
      {"include 3", "E0026", 1, 9, 1},
      {"parameter t = 1", "E0023", 1, 11, 1},
      {"coordinates sin", "E0023", 1, 13, 3},
      {"let f(pi) = 1", "E0023", 1, 7, 2},
      {"constraint in: x = 0", "E0023", 1, 12, 2},
      {"parameter a 1", "E0015", 1, 13, 1},
      {"parameter a = 1 in 0", "E0014", 1, 21, 1},
      {"parameter a = 1 im 0..1", "E0017", 1, 17, 2},
      {"coordinates x[1]", "E0015", 1, 16, 1},
      {"body b: mas 1, inertia 2", "E0015", 1, 9, 3},
      {"body b: mass 1", "E0014", 1, 15, 1},
      {"force 3: 1", "E0015", 1, 7, 1},
      {"constraint: x = 0", "E0015", 1, 11, 1},
      {"constraint c x = 0", "E0015", 1, 14, 1},
      {"constraint c: x > 0", "E0021", 1, 17, 1},
      {"constraint c: x", "E0021", 1, 16, 1},
      {"constraint c: x == 0", "E0009", 1, 17, 2},
      {"constraint c: x => 0", "E0009", 1, 17, 2},
      {"constraint c: 0 <= x <= 1", "E0020", 1, 22, 2},
      {"constraint c: x >= 0, restituton 1", "E0022", 1, 23, 10},
      {"constraint c: x >= 0, mu 1 on d", "E0022", 1, 23, 2},
      {"constraint c: x >= 0, poisson 1, poisson 2", "E0035", 1, 34, 7},
      {"constraint c[i]: x = 0", "E0031", 1, 13, 1},
      {"friction c: x', bound 1", "E0015", 1, 13, 1},
      {"friction c: slip x'", "E0014", 1, 20, 1},
      {"friction c: slip x', rough on d, static 1", "E0022", 1, 34, 6},
      {"friction c: slip x', bound 1, restitution 1", "E0022", 1, 31, 11},
      {"friction c: slip x', mu 1 onn d", "E0015", 1, 27, 3},
      {"spring c: stretch x, play 1", "E0014", 1, 28, 1},
      {"law c: x, graph (0, 0)", "E0015", 1, 8, 1},
      {"law c: slip x, graph (0, 0, 0)", "E0015", 1, 27, 1},
      {"servo c: x = 0", "E0014", 1, 15, 1},
      {"servo c: x = 0, by y, oneway", "E0022", 1, 23, 6},
      {"servo c: x = 0, by (y 1)", "E0015", 1, 23, 1},
      {"start x", "E0014", 1, 8, 1},
      {"start x clsed", "E0015", 1, 9, 5},
      {"start 3 = x", "E0015", 1, 7, 1},
      {"event e: x = 0, sotp", "E0015", 1, 17, 4},
      {"event e: x = 0, stop, stop", "E0035", 1, 23, 4},
      {"output a 1", "E0015", 1, 10, 1},
      {"draw", "E0014", 1, 5, 1},
      {"run 10", "E0014", 1, 7, 1},
      {"run 0..1, tol = 1", "E0032", 1, 15, 1},
      {"run 0..1, 3", "E0015", 1, 11, 1},
      {"expect x = 1", "E0033", 1, 13, 1},
      {"expect x = 1 at t = 2", "E0033", 1, 14, 2},
      {"expect x = 1 +- 1 at impact 1 on c", "E0015", 1, 31, 2}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    check_mistake(&table[i]);
  }
}

static void reports_all_errors_of_a_file(void) {
  world *w = parse_string("let a = 1 +\nlet b = 2\nlett c = 3\n  + 4 * / 5\nlet d = )\n"
                          "parameter sin = 1, cos = 2, e = 1e999\nlet f = 5\n");
  static const struct {
    const char *code;
    int line;
  } wanted[] = {{"E0014", 1}, {"E0010", 3}, {"E0015", 5}, {"E0023", 6}, {"E0023", 6}, {"E0006", 6}};
  CHECK_INT(w->errors, 6);
  CHECK_INT(w->ast.n, 2);
  for (int i = 0; i < 6 && i < pawl_diags_count(w->diags); i++) {
    CHECK_STR(pawl_diags_get(w->diags, i)->code, wanted[i].code);
    CHECK_INT(pawl_diags_get(w->diags, i)->at.line, wanted[i].line);
  }
  world_free(w);
}

static void keeps_twenty_errors(void) {
  char text[40 * 12 + 1] = "";
  for (int i = 0; i < 40; i++) {
    memcpy(text + 12 * i, "let a = 1 +\n", 13);
  }
  world *w = parse_string(text);
  CHECK_INT(pawl_diags_count(w->diags), 20);
  CHECK_INT(pawl_diags_dropped(w->diags), 20);
  CHECK_INT(w->errors, 40);
  world_free(w);
}

static void suggests_words(void) {
  static const char *const table[][2] = {
      {"kinetik T = 1", "did you mean `kinetic`?"},
      {"Parameter a = 1", "did you mean `parameter`?"},
      {"constriant c: x = 0", "did you mean `constraint`?"},
      {"constraint c: x >= 0, restituton 1", "did you mean `restitution`?"},
      {"start x clsed", "did you mean `closed`?"},
      {"friction c: slipp x', bound 1", "did you mean `slip`?"},
      {"constraint c: x == 0", "write a single `=`"},
      {"let a = b \xC3\x97 c", "write `*` for a product"},
      {"let a = x\"", "a second time derivative is written with two single quotes: `x''`"},
      {"let a = b ** 2", "write `^` for a power"},
      {"  let a = 1",
       "delete the spaces in front of it; indented lines continue the statement above"},
      {"friction c: x', bound 1", "for example: `friction rub: slip x', mu 0.3 on floor`"}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    world *w = parse_string(table[i][0]);
    const pawl_diag *d = pawl_diags_get(w->diags, 0);
    if (CHECK(d != NULL && d->n_help > 0)) {
      CHECK_STR(d->help[0], table[i][1]);
    }
    world_free(w);
  }
}

static void works_without_diagnostics(void) {
  world *w = world_new();
  pw_parse env = {&w->arena, &w->names, &w->sources, NULL, NULL};
  const char *text = "let a = (\nlet b = 2\n$\nlet sin = 1e999\ninclude \"x\"";
  int file = pw_sources_add(&w->arena, &w->sources, "t", text, (int)strlen(text));
  CHECK_INT(pw_parse_file(&env, file, &w->ast), 5);
  CHECK_INT(w->ast.n, 1);
  world_free(w);
}

static void explains_every_code(void) {
  int n = 0;
  for (const pw_explanation *e = pw_explain_lang; e->code != NULL; e++, n++) {
    bool own = strncmp(e->code, "E00", 3) == 0; /* kinds of joints have a code among joints */
    CHECK_STR(own ? pawl_explain_code(n) : e->code, e->code);
    CHECK_STR(pawl_explain(e->code), e->text);
    CHECK(strlen(e->code) == 5 && (own || strcmp(e->code, "E0260") == 0));
    CHECK(e->text[strlen(e->text) - 1] == '\n');
    CHECK(n == 0 || strcmp(e[-1].code, e->code) < 0);
  }
  CHECK(n >= 35);
  CHECK(pawl_explain("E9999") == NULL);
  CHECK(pawl_explain(NULL) == NULL);
  CHECK(pawl_explain_code(-1) == NULL);
  CHECK(pawl_explain_code(100000) == NULL);
}

CHECK_MAIN({"places lexical errors", places_lexical_errors},
           {"places line errors", places_line_errors},
           {"places expression errors", places_expression_errors},
           {"places statement errors", places_statement_errors},
           {"reports all errors of a file", reports_all_errors_of_a_file},
           {"keeps twenty errors", keeps_twenty_errors}, {"suggests words", suggests_words},
           {"works without diagnostics", works_without_diagnostics},
           {"explains every code", explains_every_code})
