// SPDX-License-Identifier: MIT
/* Hash-consing, simplification and printing. The table reads prefix text: operands of + - * / ^
 * are x y z, numbers and (op a b). */
#include "expr_support.h"

#include <ctype.h>

#include "expr/dag_impl.h"

static pw_op read_op(const char *word) {
  if (strcmp(word, "^") == 0) {
    return PW_OP_POW;
  }
  for (int op = PW_OP_ADD; op < PW_OP_COUNT; op++) {
    if (strcmp(word, pw_op_text((pw_op)op)) == 0) {
      return (pw_op)op;
    }
  }
  printf("unknown operation %s\n", word);
  abort();
}

static pw_node read_prefix(pw_dag *dag, const char **text) {
  char word[32];
  int used = 0;
  while (isspace((unsigned char)**text)) {
    *text += 1;
  }
  if (**text != '(') {
    sscanf(*text, "%31[^ ()]%n", word, &used);
    *text += used;
    bool letter = word[1] == '\0' && strchr("xyz", word[0]) != NULL;
    return letter ? pw_var(dag, word[0] - 'x') : pw_const(dag, strtod(word, NULL));
  }
  *text += 1;
  sscanf(*text, "%31[^ ()]%n", word, &used);
  *text += used;
  pw_op op = read_op(word);
  pw_node arg[3];
  for (int i = 0; i < pw_op_arity(op); i++) {
    arg[i] = read_prefix(dag, text);
  }
  *text += strcspn(*text, ")") + 1;
  switch (pw_op_arity(op)) {
  case 1: return pw_apply1(dag, op, arg[0]);
  case 2: return pw_apply2(dag, op, arg[0], arg[1]);
  default: return pw_select(dag, arg[0], arg[1], arg[2]);
  }
}

/* Infix text of what the prefix text builds in a graph where x, y, z are nodes 0, 1, 2. */
static void expect(const char *prefix, const char *infix) {
  lab l;
  lab_open(&l, 0);
  for (int i = 0; i < 3; i++) {
    pw_var(l.dag, i);
  }
  const char *at = prefix;
  pw_node f = read_prefix(l.dag, &at);
  pw_buf text = {0};
  pw_node_print(&text, l.dag, f, lab_name, NULL);
  if (!CHECK_STR(text.text, infix)) {
    printf("  from %s\n", prefix);
  }
  pw_buf_free(&text);
  lab_close(&l);
}

static void zeros_and_ones(void) {
  expect("(+ x 0)", "x");
  expect("(+ 0 x)", "x");
  expect("(- x 0)", "x");
  expect("(- 0 x)", "-x");
  expect("(- x x)", "0");
  expect("(* x 1)", "x");
  expect("(* 1 x)", "x");
  expect("(* x 0)", "0");
  expect("(* 0 x)", "0");
  expect("(* -1 x)", "-x");
  expect("(/ x 1)", "x");
  expect("(/ x -1)", "-x");
  expect("(/ 0 x)", "0");
  expect("(/ x 4)", "0.25*x");
  expect("(/ x 3)", "x/3");
  expect("(/ x x)", "x/x");
  expect("(min x x)", "x");
  expect("(select x y y)", "y");
  expect("(select 1 x y)", "x");
  expect("(select 0 x y)", "x");
  expect("(select -1 x y)", "y");
  expect("(abs (abs x))", "abs(x)");
}

static void signs(void) {
  expect("(neg (neg x))", "x");
  expect("(+ x (neg y))", "x - y");
  expect("(+ (neg x) y)", "y - x");
  expect("(+ (neg x) (neg y))", "-(x + y)");
  expect("(- x (neg y))", "x + y");
  expect("(- (neg x) y)", "-(x + y)");
  expect("(- (neg x) (neg y))", "y - x");
  expect("(+ x -2)", "x - 2");
  expect("(- x -2)", "x + 2");
  expect("(- -2 x)", "-2 - x");
  expect("(* (neg x) y)", "-x*y");
  expect("(* (neg x) (neg y))", "x*y");
  expect("(* -2 x)", "-2*x");
  expect("(+ y (* -2 x))", "y - 2*x");
  expect("(/ (neg x) y)", "-x/y");
  expect("(/ (neg x) (neg y))", "x/y");
  expect("(sin (neg x))", "-sin(x)");
  expect("(cos (neg x))", "cos(x)");
  expect("(atan (neg x))", "-atan(x)");
  expect("(abs (neg x))", "abs(x)");
  expect("(^ (neg x) 3)", "-x^3");
  expect("(^ (neg x) 4)", "x^4");
  expect("(exp (neg x))", "exp(-x)");
}

static void powers(void) {
  expect("(^ x 0)", "1");
  expect("(^ x 1)", "x");
  expect("(^ x 2)", "x^2");
  expect("(^ x 3)", "x^3");
  expect("(^ x -1)", "1/x");
  expect("(^ x -3)", "x^-3");
  expect("(^ x 0.5)", "sqrt(x)");
  expect("(^ x -0.5)", "1/sqrt(x)");
  expect("(^ x 1.5)", "x^1.5");
  expect("(^ x 5000)", "x^5000");
  expect("(^ 1 x)", "1");
  expect("(^ 2 x)", "2^x");
  expect("(^ 2 10)", "1024");
}

static void constants(void) {
  expect("(+ 2 3)", "5");
  expect("(* 2 (* 3 x))", "6*x");
  expect("(* -0.5 (* 2 x))", "-x");
  expect("(sqrt 4)", "2");
  expect("(max 2 3)", "3");
  expect("(sign -7)", "-1");
  expect("(hypot 3 4)", "5");
  expect("(neg inf)", "-inf");
  expect("(+ inf 1)", "inf");
  expect("(* 1e-200 (* 1e-200 x))", "1e-200*(1e-200*x)"); /* would underflow */
}

static void singular_constants_stay(void) {
  expect("(/ 1 0)", "1/0");
  expect("(/ 0 0)", "0/0");
  expect("(log 0)", "log(0)");
  expect("(sqrt -1)", "sqrt(-1)");
  expect("(asin 2)", "asin(2)");
  expect("(^ 0 -1)", "1/0");
  expect("(- inf inf)", "inf - inf");
  expect("(* 1e300 1e299)", "1e+299*1e+300");
  expect("(+ x (/ 1 0))", "x + 1/0");
}

static void brackets(void) {
  expect("(* (+ x y) z)", "z*(x + y)");
  expect("(- x (- y z))", "x - (y - z)");
  expect("(- (- x y) z)", "x - y - z");
  expect("(/ x (* y z))", "x/(y*z)");
  expect("(* (/ x y) z)", "z*(x/y)");
  expect("(/ (/ x y) z)", "x/y/z");
  expect("(^ (+ x y) 2)", "(x + y)^2");
  expect("(^ (^ x 3) 3)", "(x^3)^3");
  expect("(^ x (neg y))", "x^-y");
  expect("(^ x (+ y z))", "x^(y + z)");
  expect("(neg (+ x y))", "-(x + y)");
  expect("(^ -2 x)", "(-2)^x");
  expect("(atan2 (+ x y) z)", "atan2(x + y, z)");
  expect("(select x (neg y) z)", "select(x, -y, z)");
}

static void equal_expressions_are_one_node(void) {
  lab l;
  lab_open(&l, 0);
  pw_node x = pw_var(l.dag, 0);
  pw_node y = pw_var(l.dag, 1);
  CHECK_INT(pw_var(l.dag, 0), x);
  CHECK_INT(pw_add(l.dag, x, y), pw_add(l.dag, y, x));
  CHECK_INT(pw_mul(l.dag, x, y), pw_mul(l.dag, y, x));
  CHECK_INT(pw_apply2(l.dag, PW_OP_MIN, x, y), pw_apply2(l.dag, PW_OP_MIN, y, x));
  CHECK(pw_apply2(l.dag, PW_OP_ATAN2, x, y) != pw_apply2(l.dag, PW_OP_ATAN2, y, x));
  CHECK_INT(pw_const(l.dag, 0.0), pw_const(l.dag, -0.0));
  CHECK_INT(pw_const(l.dag, NAN), pw_const(l.dag, -NAN));
  CHECK(pw_const(l.dag, 0.1) != pw_const(l.dag, 0.1 + 1e-17 * 4));
  pw_node d = pw_sub(l.dag, x, y);
  CHECK_INT(pw_sub(l.dag, y, x), pw_neg(l.dag, d));
  int before = pw_dag_size(l.dag);
  for (int i = 0; i < 1000; i++) {
    CHECK_INT(pw_sub(l.dag, x, y), d);
  }
  CHECK_INT(pw_dag_size(l.dag), before);
  lab_close(&l);
}

static void many_nodes_are_found_again(void) {
  lab l;
  lab_open(&l, 0);
  enum { N = 100000 };
  pw_node x = pw_var(l.dag, 0);
  pw_node first = pw_add(l.dag, x, pw_const(l.dag, 1));
  for (int i = 2; i < N; i++) {
    pw_add(l.dag, x, pw_const(l.dag, i));
  }
  int size = pw_dag_size(l.dag);
  CHECK_INT(size, 2 * N - 1);
  CHECK_INT(pw_add(l.dag, x, pw_const(l.dag, 1)), first);
  for (int i = 1; i < N; i++) {
    pw_add(l.dag, x, pw_const(l.dag, i));
  }
  CHECK_INT(pw_dag_size(l.dag), size);
  lab_close(&l);
}

static pw_node y_for_x(void *payload, pw_dag *dag, pw_node node, const pw_node *arg) {
  (void)arg;
  bool is_x = pw_node_op(dag, node) == PW_OP_VAR && pw_node_var(dag, node) == 0;
  return is_x ? *(const pw_node *)payload : -1;
}

static bool is_var(void *payload, int var) {
  return var == *(const int *)payload;
}

static void rewrite_and_depends(void) {
  lab l;
  lab_open(&l, 0);
  const char *text = "(+ (* x (sin x)) (^ z 3))";
  pw_node f = read_prefix(l.dag, &text);
  pw_node y = pw_var(l.dag, 1);
  pw_node g;
  pw_rewrite(l.dag, &f, 1, y_for_x, &y, &g);
  const char *wanted = "(+ (* y (sin y)) (^ z 3))";
  CHECK_INT(g, read_prefix(l.dag, &wanted));
  CHECK(pw_depends(l.dag, f, is_var, &(int){0}));
  CHECK(!pw_depends(l.dag, f, is_var, &(int){1}));
  CHECK(pw_depends(l.dag, g, is_var, &(int){1}));
  CHECK(!pw_depends(l.dag, g, is_var, &(int){0}));
  pw_node same;
  pw_rewrite(l.dag, &g, 1, y_for_x, &y, &same);
  CHECK_INT(same, g);
  lab_close(&l);
}

typedef struct visitor {
  pw_dag *dag;
  int seen[64];
  int count, early, nested;
} visitor;

static void count_node(void *payload, pw_node node) {
  (void)node;
  *(int *)payload += 1;
}

/* Walks again from inside the walk and builds, as callbacks may. */
static void visit(void *payload, pw_node node) {
  visitor *v = payload;
  for (int i = 0; i < pw_op_arity(pw_node_op(v->dag, node)); i++) {
    v->early += !v->seen[pw_node_arg(v->dag, node, i)];
  }
  v->seen[node]++;
  v->count++;
  pw_const(v->dag, 1000 + v->count);
  pw_dag_walk(v->dag, &node, 1, count_node, &v->nested);
}

static void walk_visits_operands_first(void) {
  lab l;
  lab_open(&l, 0);
  const char *text = "(+ (* (sin x) (sin x)) (/ y (sin x)))";
  pw_node f[2];
  f[0] = read_prefix(l.dag, &text);
  f[1] = pw_node_arg(l.dag, f[0], 0);
  visitor v = {.dag = l.dag};
  pw_dag_walk(l.dag, f, 2, visit, &v);
  CHECK_INT(v.count, 6); /* x, sin x, its square, y, the quotient, the sum */
  CHECK_INT(v.early, 0);
  CHECK_INT(v.nested, 1 + 2 + 3 + 1 + 4 + 6);
  for (int i = 0; i < 6; i++) {
    CHECK_INT(v.seen[i], 1);
  }
  lab_close(&l);
}

static void shared_text_is_cut(void) {
  lab l;
  lab_open(&l, 0);
  pw_node f = pw_var(l.dag, 0);
  pw_node y = pw_var(l.dag, 1);
  for (int i = 0; i < 100; i++) { /* 2^100 leaves */
    pw_node s = pw_apply1(l.dag, PW_OP_SIN, f);
    f = pw_add(l.dag, f, pw_mul(l.dag, s, y));
  }
  pw_buf text = {0};
  pw_node_print(&text, l.dag, f, lab_name, NULL);
  CHECK(!text.failed && text.len < 200 * 1024);
  CHECK(strstr(text.text, "...") != NULL);
  pw_buf_free(&text);
  lab_close(&l);
}

static void limit_is_reported(void) {
  lab l;
  lab_prepare(&l, 1 << 20, 0);
  l.arena.on_fail = &l.jump;
  if (setjmp(l.jump) == 0) {
    l.dag = pw_dag_new(&l.arena);
    for (int i = 0; i < 1000000; i++) {
      pw_var(l.dag, i);
    }
    CHECK(pw_dag_size(l.dag) == 0); /* a million nodes do not fit into a megabyte */
  }
  CHECK_INT(l.arena.failure, PAWL_E_LIMIT);
  lab_close(&l);
}

CHECK_MAIN({"zeros and ones", zeros_and_ones}, {"signs", signs}, {"powers", powers},
           {"constants", constants}, {"singular constants stay", singular_constants_stay},
           {"brackets", brackets}, {"equal expressions", equal_expressions_are_one_node},
           {"many nodes", many_nodes_are_found_again}, {"rewrite and depends", rewrite_and_depends},
           {"walk", walk_visits_operands_first}, {"shared text is cut", shared_text_is_cut},
           {"limit is reported", limit_is_reported})
