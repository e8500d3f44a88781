// SPDX-License-Identifier: MIT
/* Printing: parse(print(x)) == x, for the examples, for every statement and for random trees. */
#include "lang_random.h"
#include "lang_statements.h"
#include "print_stmt.h"

static void print_ast(pw_buf *out, const pw_ast *ast) {
  for (int i = 0; i < ast->n; i++) {
    print_stmt(out, ast->items[i]);
    pw_buf_puts(out, "\n");
  }
}

static void check_round_trip(const pw_ast *ast, unsigned long long seed) {
  pw_buf out = {0};
  print_ast(&out, ast);
  world *again = parse_string(out.text);
  if (!CHECK_SEED(again->errors == 0 && same_ast(ast, &again->ast), seed)) {
    printf("%.3000s", out.text);
    show_errors(again);
  }
  world_free(again);
  pw_buf_free(&out);
}

static void prints_the_examples(void) {
  for (int i = 1; i <= 13; i++) {
    char name[20];
    snprintf(name, sizeof name, "%02d.pawl", i);
    char *text = read_model("tests/models/lang", name);
    world *w = parse_string(text);
    CHECK_INT(w->errors, 0);
    check_round_trip(&w->ast, (unsigned long long)i);
    world_free(w);
    free(text);
  }
}

static void prints_statements_as_written(void) {
  for (int i = 0; i < N_STATEMENT; i++) {
    world *w = parse_string(all_statements[i]);
    if (CHECK_INT(w->ast.n, 1)) {
      pw_buf out = {0};
      print_stmt(&out, w->ast.items[0]);
      CHECK_STR(out.text, all_statements[i]);
      pw_buf_free(&out);
    }
    world_free(w);
  }
}

static void uses_few_parentheses(void) {
  static const char *const table[][2] = {{"((a)) + (b*c)", "a + b*c"},
                                         {"(a + b) + c", "a + b + c"},
                                         {"a + (b + c)", "a + (b + c)"},
                                         {"a*(b/c)", "a*(b/c)"},
                                         {"(a*b)/c", "a*b/c"},
                                         {"(a^b)^c", "(a^b)^c"},
                                         {"a^(b^c)", "a^b^c"},
                                         {"(-a)^2", "(-a)^2"},
                                         {"-(a^2)", "-a^2"},
                                         {"(-a)*b", "-a*b"},
                                         {"a*(-b)", "a*-b"},
                                         {"-(a*b)", "-(a*b)"},
                                         {"(2)'", "(2)'"},
                                         {"(x)'", "x'"},
                                         {"(x + y)'[(1)]", "(x + y)'[1]"},
                                         {"((x, y))[1]", "(x, y)[1]"},
                                         {"(((a + b)*c - d)*e + f)/g", "(((a + b)*c - d)*e + f)/g"},
                                         {"1e3 + 0.10", "1000 + 0.1"},
                                         {"sin ( x )", "sin(x)"},
                                         {"5[ mm ]", "5 [mm]"},
                                         {"3[m*s^-1]", "3 [m/s]"}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    char line[200];
    snprintf(line, sizeof line, "let a = %s", table[i][0]);
    world *w = parse_string(line);
    if (CHECK_INT(w->ast.n, 1)) {
      pw_buf out = {0};
      pw_print_ex(&out, w->ast.items[0]->u.let.ex);
      CHECK_STR(out.text, table[i][1]);
      pw_buf_free(&out);
    }
    world_free(w);
  }
}

static void prints_random_trees(void) {
  for (uint64_t seed = 1; seed <= 3000; seed++) {
    world *w = world_new();
    dice d = {seed, &w->arena};
    for (int i = 0; i < 5; i++) {
      pw_stmt *s = random_stmt(&d);
      PW_PUSH(&w->arena, &w->ast, s);
    }
    check_round_trip(&w->ast, seed);
    world_free(w);
    if (check_failures > 0) {
      return;
    }
  }
}

/* The comparison itself must see every difference that the generator makes. */
static void tells_trees_apart(void) {
  int same = 0;
  for (uint64_t seed = 1; seed <= 500; seed++) {
    world *w = world_new();
    dice d = {seed, &w->arena};
    pw_stmt *a = random_stmt(&d);
    pw_stmt *b = random_stmt(&d);
    pw_buf left = {0}, right = {0};
    print_stmt(&left, a);
    print_stmt(&right, b);
    CHECK_SEED(same_stmt(a, b) == (strcmp(left.text, right.text) == 0), seed);
    CHECK_SEED(same_stmt(a, a), seed);
    same += same_stmt(a, b);
    pw_buf_free(&left);
    pw_buf_free(&right);
    world_free(w);
  }
  CHECK(same < 20);
}

static void dumps_statements(void) {
  world *w = parse_string("friction f[i in 1..N]: slip x[i]', mu 0.4 on table[i], static 1\n"
                          "start x ~ -1, force(c) = 2, f closed\nrun 0..1, method moreau\n");
  pw_buf out = {0};
  pw_dump_ast(&out, &w->ast);
  CHECK_STR(out.text, "test.pawl:1 friction\n  name f\n  index i\n  from 1\n  to N\n"
                      "  slip (' (index x i))\n  clause mu\n    value 0.4\n"
                      "    on (index table i)\n  clause static\n    value 1\n"
                      "test.pawl:2 start\n  init guess\n  ref x\n  value (neg 1)\n"
                      "  init force fixed\n  ref c\n  value 2\n  init closed\n  ref f\n"
                      "test.pawl:3 run\n  from 0\n  to 1\n  option method\n    choice moreau\n"
                      "    value moreau\n");
  pw_buf_free(&out);
  world_free(w);
}

static void dumps_every_statement(void) {
  for (int i = 0; i < N_STATEMENT; i++) {
    world *w = parse_string(all_statements[i]);
    pw_buf out = {0};
    pw_dump_ast(&out, &w->ast);
    CHECK(!out.failed && out.text != NULL && strchr(out.text, '\n') != strrchr(out.text, '\n'));
    pw_buf_free(&out);
    world_free(w);
  }
}

CHECK_MAIN({"prints the examples", prints_the_examples},
           {"prints statements as written", prints_statements_as_written},
           {"uses few parentheses", uses_few_parentheses},
           {"prints random trees", prints_random_trees}, {"tells trees apart", tells_trees_apart},
           {"dumps statements", dumps_statements}, {"dumps every statement", dumps_every_statement})
