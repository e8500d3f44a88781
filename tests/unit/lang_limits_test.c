// SPDX-License-Identifier: MIT
/* Texts made to exhaust the parser: each gives one clear error or is read, with memory in
 * proportion to its length; printing and dumping long sums does not recurse along them. */
#include "lang_support.h"
#include "print_stmt.h"

enum { MANY = 100000 };

/* prefix, MANY times unit, middle, MANY times tail, end */
static char *repeat(const char *prefix, const char *unit, const char *middle, const char *tail,
                    size_t *len) {
  size_t size = strlen(prefix) + strlen(middle) + MANY * (strlen(unit) + strlen(tail)) + 2;
  char *text = malloc(size);
  if (text == NULL) {
    abort();
  }
  char *at = text;
  at += sprintf(at, "%s", prefix);
  for (int i = 0; i < MANY; i++, at += strlen(unit)) {
    memcpy(at, unit, strlen(unit));
  }
  at += sprintf(at, "%s", middle);
  for (int i = 0; i < MANY; i++, at += strlen(tail)) {
    memcpy(at, tail, strlen(tail));
  }
  *at = '\0';
  *len = (size_t)(at - text);
  return text;
}

static void limits_nesting(void) {
  static const struct {
    const char *prefix, *unit, *middle, *tail, *code;
  } table[] = {{"let a = ", "(", "x", ")", "E0024"},
               {"let a = ", "x[", "1", "]", "E0024"},
               {"let a = ", "sin(", "1", ")", "E0024"},
               {"let a = ", "x^", "x", "", "E0024"},
               {"let a = ", "x^-", "x", "", "E0024"},
               {"let a = x", "'", "", "", "E0024"},
               {"let a = x", ".p", "", "", "E0024"},
               {"let a = x", "[1]", "", "", "E0024"},
               {"let a = ", "-", "x", "", "E0018"},
               {"let a = ", "- ", "x", "", "E0018"},
               {"let a = ", "(-", "x", ")", "E0024"},
               {"let a = ", "f(x, (1, ", "x", "))", "E0024"},
               {"start x", "'", " = 1", "", "E0024"},
               {"let a = ", "(", "", "", "E0024"},
               {"let a = ", "sum(i in ", "1", "", "E0024"},
               {"let a = ", "if(", "1", "", "E0024"},
               {"constraint c[i in 1..", "(", "", "", "E0024"},
               {"let ", "a", " = 1", "", "E0008"},
               {"run 0..1, ", "a-", "a 1", "", "E0008"}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    size_t len;
    char *text = repeat(table[i].prefix, table[i].unit, table[i].middle, table[i].tail, &len);
    world *w = parse_bytes(text, len);
    CHECK_INT(w->errors, 1);
    if (CHECK(pawl_diags_count(w->diags) == 1)) {
      CHECK_STR(pawl_diags_get(w->diags, 0)->code, table[i].code);
    }
    CHECK(w->arena.total < 20 * len + 100000);
    world_free(w);
    free(text);
  }
}

static void allows_what_the_limit_allows(void) {
  for (int n = 190; n <= 210; n++) {
    char text[1000] = "let a = ";
    int at = 8;
    for (int i = 0; i < n; i++) {
      text[at++] = '(';
    }
    text[at++] = 'x';
    for (int i = 0; i < n; i++) {
      text[at++] = ')';
    }
    world *w = parse_bytes(text, (size_t)at);
    CHECK_INT(w->errors, n >= 200);
    world_free(w);
  }
}

/* A tower of primes on parentheses on primes: no single rule nests deeply, the tree would. */
static void limits_the_height_of_trees(void) {
  char text[4000] = "let a = ";
  size_t at = strlen(text);
  at += (size_t)snprintf(text + at, sizeof text - at, "((((((x");
  for (int i = 0; i < 6; i++) {
    at += (size_t)snprintf(text + at, sizeof text - at,
                           "''''''''''''''''''''''''''''''''''''''''''''''''''''''''''''''''''')");
  }
  world *w = parse_string(text);
  CHECK_INT(w->errors, 1);
  CHECK_STR(pawl_diags_get(w->diags, 0)->code, "E0024");
  world_free(w);
}

static void check_long(const char *prefix, const char *unit, const char *middle) {
  size_t len;
  char *text = repeat(prefix, unit, middle, "", &len);
  world *w = parse_bytes(text, len);
  CHECK_INT(w->errors, 0);
  if (CHECK_INT(w->ast.n, 1)) {
    pw_buf out = {0}, dump = {0};
    print_stmt(&out, w->ast.items[0]);
    pw_dump_ast(&dump, &w->ast);
    CHECK(!dump.failed && dump.len > len / 2);
    world *again = parse_bytes(out.text, out.len);
    CHECK(same_ast(&w->ast, &again->ast));
    world_free(again);
    pw_buf_free(&out);
    pw_buf_free(&dump);
  }
  CHECK(w->arena.total < 200 * len + 100000);
  world_free(w);
  free(text);
}

static void reads_long_statements(void) {
  check_long("let a = x", " + x", "");
  check_long("let a = x", " - x*2", "");
  check_long("let a = x", "*x", "");
  check_long("let a = x", "\n + x # c", "\n");
  check_long("let a = (", "x, ", "x)");
  check_long("let a = f(", "x, ", "x)");
  check_long("let a = if(x > 1", " and x > 1", ", 1, 2)");
  check_long("let a = if(x > 1", " or x > 1", ", 1, 2)");
  check_long("coordinates y", ", x[1..2]", "");
  check_long("let a = 1 [m", "*s", "]");
  check_long("law l: slip x, graph (0, 0)", "(1, 2)", "");
  check_long("run 0..1, tol a", "-a", "");
}

static void survives_garbage(void) {
  size_t len = 2000000;
  char *text = malloc(len);
  if (text == NULL) {
    abort();
  }
  static const char letters[] = "abcxyz()[]+-*/^'\"#.,:=<>~ \n0123456789";
  unsigned state = 1;
  for (size_t i = 0; i < len; i++) {
    state = state * 1664525u + 1013904223u;
    text[i] = letters[(state >> 16) % (sizeof letters - 1)];
  }
  world *w = parse_bytes(text, len);
  CHECK(pawl_diags_count(w->diags) == 20);
  CHECK(w->errors >= 20 && w->errors <= PW_MAX_FILE_ERRORS + 20);
  world_free(w);
  for (size_t i = 0; i < len; i++) {
    state = state * 1664525u + 1013904223u;
    text[i] = (char)(state >> 24);
  }
  w = parse_bytes(text, len);
  CHECK_INT(w->errors, 1);
  CHECK_STR(pawl_diags_get(w->diags, 0)->code, "E0001");
  world_free(w);
  free(text);
}

static void counts_many_clauses_once(void) {
  size_t len;
  char *text = repeat("constraint c: x = 0", ", vakonomic", "", "", &len);
  world *w = parse_bytes(text, len);
  CHECK_INT(w->errors, MANY - 1);
  CHECK_INT(pawl_diags_count(w->diags), 20);
  world_free(w);
  free(text);
}

CHECK_MAIN({"limits nesting", limits_nesting},
           {"allows what the limit allows", allows_what_the_limit_allows},
           {"limits the height of trees", limits_the_height_of_trees},
           {"reads long statements", reads_long_statements}, {"survives garbage", survives_garbage},
           {"counts many clauses once", counts_many_clauses_once})
