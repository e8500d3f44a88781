// SPDX-License-Identifier: MIT
/* The formatter: normal spacing, the same tokens and comments, and nothing more to do the second
 * time. */
#include "lang_random.h"
#include "lang_statements.h"
#include "print_stmt.h"

static bool format_text(pw_buf *out, const char *text, size_t len, int *errors) {
  world *w = world_new();
  int file = pw_sources_add(&w->arena, &w->sources, "t", text, (int)len);
  bool ok = pw_format(out, &w->sources, file, w->diags);
  *errors = pawl_diags_errors(w->diags);
  world_free(w);
  return ok;
}

static void check_format(const char *text, const char *wanted) {
  pw_buf out = {0};
  int errors;
  CHECK(format_text(&out, text, strlen(text), &errors));
  CHECK_STR(out.text == NULL ? "" : out.text, wanted);
  pw_buf_free(&out);
}

/* Both texts have the same tokens and comments, in lines that start alike. */
static bool same_tokens(const char *a, size_t na, const char *b, size_t nb) {
  pw_source left = {.text = a, .len = (int)na}, right = {.text = b, .len = (int)nb};
  pw_lexer lx = pw_lexer_on(&left), ly = pw_lexer_on(&right);
  lx.keep_comments = ly.keep_comments = true;
  for (;;) {
    pw_token x = pw_lex(&lx), y = pw_lex(&ly);
    if (x.kind == PW_TOK_END || y.kind == PW_TOK_END) {
      return x.kind == y.kind;
    }
    if (x.kind != y.kind || x.end - x.begin != y.end - y.begin || x.in_column_1 != y.in_column_1 ||
        x.first_on_line != y.first_on_line ||
        memcmp(a + x.begin, b + y.begin, (size_t)(x.end - x.begin)) != 0) {
      return false;
    }
  }
}

static void check_stable(const char *text, size_t len, unsigned long long seed) {
  pw_buf once = {0}, twice = {0};
  int errors;
  bool ok = format_text(&once, text, len, &errors);
  CHECK_SEED(ok == (errors == 0), seed);
  if (ok && once.text != NULL) {
    CHECK_SEED(same_tokens(text, len, once.text, once.len), seed);
    CHECK_SEED(format_text(&twice, once.text, once.len, &errors), seed);
    if (!CHECK_SEED(once.len == twice.len && strcmp(once.text, twice.text) == 0, seed)) {
      printf("---- text\n%.2000s\n---- once\n%.2000s\n---- twice\n%.2000s\n", text, once.text,
             twice.text);
    }
  }
  pw_buf_free(&once);
  pw_buf_free(&twice);
}

static void spaces_tokens(void) {
  static const char *const table[][2] = {
      {"let   a=b+c*d ^2-e/f", "let a = b + c*d^2 - e/f\n"},
      {"let a = - b*( c+ -d )'", "let a = -b*(c + -d)'\n"},
      {"let P=(l*sin( th ),-l * cos(th))", "let P = (l*sin(th), -l*cos(th))\n"},
      {"parameter m=1[kg],a = 0.2 [ rad ] in -1 .. 1",
       "parameter m = 1 [kg], a = 0.2 [rad] in -1..1\n"},
      {"parameter c=3 [ N * m / rad ^ -2 ]", "parameter c = 3 [N*m/rad^-2]\n"},
      {"constraint link[ i in 2 .. N ]:x [i]-x[i -1]<=l^2,restitution -0",
       "constraint link[i in 2..N]: x[i] - x[i - 1] <= l^2, restitution -0\n"},
      {"friction f:slip -x',mu (0.3)on table [i]", "friction f: slip -x', mu (0.3) on table[i]\n"},
      {"spring s:stretch x,play -b..b", "spring s: stretch x, play -b..b\n"},
      {"law l: slip w,graph(0,-inf)(0 , 0)", "law l: slip w, graph (0, -inf)(0, 0)\n"},
      {"include \"w.pawl\"as left,r=0.2,m=2*k", "include \"w.pawl\" as left, r = 0.2, m = 2*k\n"},
      {"include \"w.pawl\"as l[i in 1..3],m=i,l[2].m=3,l[1].toe[2].k[3]=2*k,foot.r=1",
       "include \"w.pawl\" as l[i in 1..3], m = i, l[2].m = 3, l[1].toe[2].k[3] = 2*k, foot.r = "
       "1\n"},
      {"joint k[i in 1..N]:revolute,b[i]at(0,0,-l),ground at(1,0,0),axis(0,1,0)",
       "joint k[i in 1..N]: revolute, b[i] at (0, 0, -l), ground at (1, 0, 0), axis (0, 1, 0)\n"},
      {"servo s:th=c-d,by(x:a,y:-b),one-way", "servo s: th = c - d, by (x: a, y: -b), one-way\n"},
      {"start x~-1,lower   closed,force( c )=2", "start x ~ -1, lower closed, force(c) = 2\n"},
      {"run 0 .. 10,tol 1e-9,energy-gain  allow,odd a-b,tol a - b,step -1",
       "run 0..10, tol 1e-9, energy-gain allow, odd a-b, tol a - b, step -1\n"},
      {"expect x=1 +-1e-6 at impact 1 of floor", "expect x = 1 +- 1e-6 at impact 1 of floor\n"},
      {"draw box C,size(w,h),angle -a", "draw box C, size (w, h), angle -a\n"},
      {"draw line(0,0),P", "draw line (0, 0), P\n"},
      {"force at(0,1):(1,2)", "force at (0, 1): (1, 2)\n"},
      {"let a=sum(i in 1..N:x[i])+if(a<b and(c)>d,1,-2)",
       "let a = sum(i in 1..N: x[i]) + if(a < b and (c) > d, 1, -2)\n"},
      {"plot (a) vs -b", "plot (a) vs -b\n"},
      {"event e:every -a", "event e: every -a\n"},
      {"event e:mu -a=0", "event e: mu - a = 0\n"},
      {"let a = 1. ..2", "let a = 1. ..2\n"},
      {"let a = + -b", "let a = + -b\n"},
      {"let a\xE2\x89\xA5"
       "b\xC2\xB7"
       "c",
       "let a \xE2\x89\xA5 b\xC2\xB7"
       "c\n"}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    check_format(table[i][0], table[i][1]);
  }
}

static void keeps_lines_and_comments(void) {
  check_format(
      "\n\n#  head  \n\n\n\nlet a=1# one\n      +2\n\n\n   # inside\n # more\n\t+3\r\n\n\n",
      "#  head\n\nlet a = 1  # one\n  + 2\n\n  # inside\n  # more\n  + 3\n");
  check_format("", "");
  check_format("   \n\n", "");
  check_format("\xEF\xBB\xBFlet a=1", "let a = 1\n");
}

static void formats_examples_stably(void) {
  for (int i = 1; i <= 13; i++) {
    char name[20];
    snprintf(name, sizeof name, "%02d.pawl", i);
    char *text = read_model("tests/models/lang", name);
    check_stable(text, strlen(text), (unsigned long long)i);
    free(text);
  }
}

/* What the printer writes is in normal form already. */
static void agrees_with_the_printer(void) {
  for (int i = 0; i < N_STATEMENT; i++) {
    char wanted[600];
    snprintf(wanted, sizeof wanted, "%s\n", all_statements[i]);
    check_format(all_statements[i], wanted);
  }
}

/* Formatting does not change the tree. */
static void keeps_random_trees(void) {
  for (uint64_t seed = 1; seed <= 1500 && check_failures == 0; seed++) {
    world *w = world_new();
    dice d = {seed, &w->arena};
    pw_stmt *s = random_stmt(&d);
    pw_buf text = {0}, out = {0};
    int errors;
    print_stmt(&text, s);
    check_stable(text.text, text.len, seed);
    CHECK_SEED(format_text(&out, text.text, text.len, &errors), seed);
    world *again = parse_string(out.text);
    CHECK_SEED(again->ast.n == 1 && same_stmt(s, again->ast.items[0]), seed);
    pw_buf_free(&text);
    pw_buf_free(&out);
    world_free(again);
    world_free(w);
  }
}

static void keeps_any_tokens(void) {
  static const char *const parts[] = {
      "let", "run", "x",    "one",  "way",   "1",    "2.", ".5", "1e3", "\"s\"", "+",
      "-",   "*",   "/",    "^",    "'",     "(",    ")",  "[",  "]",   ",",     ":",
      ".",   "..",  "=",    ">",    "<",     ">=",   "<=", "~",  "+-",  " ",     "  ",
      "\n",  "\n ", "#c\n", "\r\n", "servo", "draw", "mu", "in"};
  for (uint64_t seed = 1; seed <= 20000 && check_failures == 0; seed++) {
    dice d = {seed, NULL};
    char text[200] = "";
    size_t len = 0;
    for (int i = roll(&d, 25); i >= 0; i--) {
      const char *part = parts[roll(&d, sizeof parts / sizeof *parts)];
      len += (size_t)snprintf(text + len, sizeof text - len, "%s", part);
    }
    check_stable(text, len, seed);
  }
}

static void refuses_lexical_errors(void) {
  static const char *const bad[] = {"let a = $", "model \"a", "let a = \x01 1", "\xFF"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    pw_buf out = {0};
    int errors;
    CHECK(!format_text(&out, bad[i], strlen(bad[i]), &errors));
    CHECK_INT(errors, 1);
    CHECK_INT((long long)out.len, 0);
    pw_buf_free(&out);
  }
}

CHECK_MAIN({"spaces tokens", spaces_tokens}, {"keeps lines and comments", keeps_lines_and_comments},
           {"formats examples stably", formats_examples_stably},
           {"agrees with the printer", agrees_with_the_printer},
           {"keeps random trees", keeps_random_trees}, {"keeps any tokens", keeps_any_tokens},
           {"refuses lexical errors", refuses_lexical_errors})
