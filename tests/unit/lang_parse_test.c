// SPDX-License-Identifier: MIT
/* Trees and places that the parser gives. */
#include "lang_statements.h"
#include "lang_support.h"
#include "print_stmt.h"

/* The dump of the value of `let a = TEXT`. */
static const char *tree_of(const char *text) {
  static char out[2000];
  char line[1000];
  snprintf(line, sizeof line, "let a = %s\n", text);
  world *w = parse_string(line);
  if (w->errors != 0) {
    show_errors(w);
  }
  pw_buf buf = {0};
  pw_dump_ast(&buf, &w->ast);
  const char *value = buf.text == NULL ? NULL : strstr(buf.text, "value ");
  snprintf(out, sizeof out, "%s", value == NULL ? "(nothing)" : value + 6);
  out[strcspn(out, "\n")] = '\0';
  pw_buf_free(&buf);
  world_free(w);
  return out;
}

static void binds_operators(void) {
  static const char *const table[][2] = {
      {"-x^2", "(neg (^ x 2))"},
      {"x^y^z", "(^ x (^ y z))"},
      {"x^-y^-z", "(^ x (neg (^ y (neg z))))"},
      {"a - b - c", "(- (- a b) c)"},
      {"a/b/c*d", "(* (/ (/ a b) c) d)"},
      {"a + b*c", "(+ a (* b c))"},
      {"a*-b", "(* a (neg b))"},
      {"1/2*m", "(* (/ 1 2) m)"},
      {"2 - -3", "(- 2 (neg 3))"},
      {"a\xC2\xB7"
       "b",
       "(* a b)"},
      {"+a", "(pos a)"},
      {"((a))", "a"},
      {"(a, (b, c), d)", "(vector a (vector b c) d)"},
      {"x[i]'", "(' (index x i))"},
      {"x'[i]", "(index (' x) i)"},
      {"x'^2", "(^ (' x) 2)"},
      {"(x*cos(th))''", "(' (' (* x (call cos th))))"},
      {"ball.p'[1]", "(index (' (. p ball)) 1)"},
      {"R.w[2]", "(index (. w R) 2)"},
      {"5 [mm]", "5 [mm]"},
      {"5 [m/s^2]^2", "(^ 5 [m/s^2] 2)"},
      {"atan2(y, x)", "(call atan2 y x)"},
      {"sum(i in 1..N: x[i])", "(call sum (each i 1 N (index x i)))"},
      {"if(a > b and c < d or e >= f, 1, 2)", "(call if (or (and (> a b) (< c d)) (>= e f)) 1 2)"},
      {"if(a \xE2\x89\xA5 b, 1, 2)", "(call if (>= a b) 1 2)"},
      {"force(floor)[1]", "(index (call force floor) 1)"},
      {"t*pi*inf", "(* (* t pi) inf)"},
      {"(a,b)'[1]", "(index (' (vector a b)) 1)"}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    CHECK_STR(tree_of(table[i][0]), table[i][1]);
  }
}

static void reads_every_statement(void) {
  for (int i = 0; i < N_STATEMENT; i++) {
    world *w = parse_string(all_statements[i]);
    if (!CHECK(w->errors == 0 && w->ast.n == 1)) {
      show_errors(w);
    } else {
      CHECK_STR(
          pw_keywords[w->ast.items[0]->kind],
          pw_keywords[pw_keyword_find(all_statements[i], (int)strcspn(all_statements[i], " "))]);
    }
    world_free(w);
  }
}

static void reads_the_examples(void) {
  static const int statements[] = {10, 7, 10, 7, 7, 9, 8, 8, 7, 14, 9, 9, 7};
  for (int i = 1; i <= 13; i++) {
    char name[20];
    snprintf(name, sizeof name, "%02d.pawl", i);
    char *text = read_model("tests/models/lang", name);
    world *w = parse_string(text);
    if (!CHECK_INT(w->errors, 0)) {
      show_errors(w);
    }
    CHECK_INT(w->ast.n, statements[i - 1]);
    world_free(w);
    free(text);
  }
}

static void continues_in_indented_lines(void) {
  world *w = parse_string(
      "# head\nlet a = 1\n# comment in column 1\n\n  + 2 # more\r\n\t+ 3\r\nlet b = a");
  CHECK_INT(w->errors, 0);
  if (CHECK_INT(w->ast.n, 2)) {
    pw_buf out = {0};
    print_stmt(&out, w->ast.items[0]);
    CHECK_STR(out.text, "let a = 1 + 2 + 3");
    pw_buf_free(&out);
  }
  world_free(w);
}

static void check_span(const char *text, pw_span at, const char *wanted) {
  char found[200];
  snprintf(found, sizeof found, "%.*s", at.end - at.begin, text + at.begin);
  CHECK_STR(found, wanted);
}

static void keeps_places(void) {
  const char *text = "let a = (b + c)*d'\nconstraint e[i in 1..2]: f >= 3 [m], restitution 0.5\n";
  world *w = parse_string(text);
  if (!CHECK_INT(w->ast.n, 2)) {
    return;
  }
  const pw_ex *product = w->ast.items[0]->u.let.ex;
  check_span(text, w->ast.items[0]->span, "let a = (b + c)*d'");
  check_span(text, w->ast.items[0]->keyword, "let");
  check_span(text, w->ast.items[0]->u.let.label.name.span, "a");
  check_span(text, product->span, "(b + c)*d'");
  check_span(text, product->mark, "*");
  check_span(text, product->arg[0]->span, "b + c");
  check_span(text, product->arg[1]->span, "d'");
  check_span(text, product->arg[1]->mark, "'");
  const pw_stmt *law = w->ast.items[1];
  check_span(text, law->u.law.label.name.span, "e");
  check_span(text, law->u.law.label.index.span, "i");
  check_span(text, law->u.law.rel.span, "f >= 3 [m]");
  check_span(text, law->u.law.rel.mark, ">=");
  check_span(text, law->u.law.rel.right->unit->span, "[m]");
  check_span(text, law->u.law.items[0].span, "restitution 0.5");
  check_span(text, law->u.law.items[0].mark, "restitution");
  world_free(w);
}

static void keeps_both_readings_of_an_option(void) {
  world *w = parse_string(
      "run 0..1, method moreau, tol mytol, energy-gain allow, odd a-b, tol a - b, tol 2*c");
  if (!CHECK_INT(w->ast.n, 1)) {
    return;
  }
  const pw_stmt *s = w->ast.items[0];
  static const char *const words[] = {"method", "tol", "energy-gain", "odd", "tol", "tol"};
  static const char *const choices[] = {"moreau", "mytol", "allow", "a-b", NULL, NULL};
  static const pw_ex_kind kinds[] = {PW_EX_NAME, PW_EX_NAME, PW_EX_NAME,
                                     PW_EX_SUB,  PW_EX_SUB,  PW_EX_MUL};
  CHECK_INT(s->u.run.n, 6);
  for (int i = 0; i < s->u.run.n; i++) {
    CHECK_STR(s->u.run.items[i].word.text, words[i]);
    CHECK_STR(s->u.run.items[i].choice.text, choices[i]);
    CHECK_INT(s->u.run.items[i].ex->kind, kinds[i]);
  }
  world_free(w);
}

static void reads_start_values(void) {
  world *w = parse_string(
      "start x'[i in 1..N] = 1, y[i in 1..3]'' ~ 2, z' = 0, floor closed, force(c) = 3");
  if (!CHECK_INT(w->ast.n, 1)) {
    return;
  }
  const pw_stmt *s = w->ast.items[0];
  CHECK_INT(s->u.start.n, 5);
  const pw_init *init = s->u.start.items;
  CHECK_STR(init[0].label.name.text, "x");
  CHECK_STR(init[0].label.index.text, "i");
  CHECK_INT(init[0].primes, 1);
  CHECK(init[0].ref == NULL);
  CHECK_INT(init[1].primes, 2);
  CHECK_INT(init[1].mode, PW_INIT_GUESS);
  CHECK(init[2].label.name.text == NULL);
  CHECK_INT(init[2].ref->kind, PW_EX_PRIME);
  CHECK_INT(init[3].mode, PW_INIT_CLOSED);
  CHECK(init[3].value == NULL);
  CHECK(init[4].is_force);
  CHECK_STR(init[4].ref->name, "c");
  world_free(w);
}

static void reads_units(void) {
  world *w = parse_string("parameter a = 1 [m/s*kg/N^2*V^-3]");
  if (!CHECK_INT(w->ast.n, 1)) {
    return;
  }
  const pw_unit *unit = w->ast.items[0]->u.parameter.items[0].value->unit;
  static const struct {
    const char *name;
    int power;
  } wanted[] = {{"m", 1}, {"s", -1}, {"kg", 1}, {"N", -2}, {"V", -3}};
  CHECK_INT(unit->n, 5);
  for (int i = 0; i < unit->n; i++) {
    CHECK_STR(unit->items[i].name, wanted[i].name);
    CHECK_INT(unit->items[i].power, wanted[i].power);
  }
  world_free(w);
}

static pw_ex *expression_of(world *w, const char *text) {
  pw_parse env = world_env(w, NULL);
  int file = pw_sources_add(&w->arena, &w->sources, "value", text, (int)strlen(text));
  return pw_parse_expression(&env, file);
}

static void reads_a_single_expression(void) {
  world *w = world_new();
  CHECK(expression_of(w, "2*x") != NULL);
  CHECK(expression_of(w, "  -0.5 [mm]") != NULL);
  CHECK_INT(pawl_diags_errors(w->diags), 0);
  static const char *const bad[] = {"", "2*", "2 3", "x y", "x\ny", "x > 1", "$", "1e999", "(x"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    pawl_diags_clear(w->diags);
    CHECK(expression_of(w, bad[i]) == NULL);
    CHECK_INT(pawl_diags_errors(w->diags), 1);
  }
  world_free(w);
}

CHECK_MAIN({"binds operators", binds_operators}, {"reads every statement", reads_every_statement},
           {"reads the examples", reads_the_examples},
           {"continues in indented lines", continues_in_indented_lines},
           {"keeps places", keeps_places},
           {"keeps both readings of an option", keeps_both_readings_of_an_option},
           {"reads start values", reads_start_values}, {"reads units", reads_units},
           {"reads a single expression", reads_a_single_expression})
