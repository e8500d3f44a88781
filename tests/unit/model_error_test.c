// SPDX-License-Identifier: MIT
/* Mistakes: each gives exactly its own error, once, and nothing after it. */
#include "unit/model_support.h"

#define HEAD "parameter m = 1\ncoordinates x, y\nkinetic T = m*(x'^2 + y'^2)\n"

typedef struct mistake {
  const char *text, *code;
  int line, column;
} mistake;

static const mistake mistakes[] = {
    {"potential V = zz\n", "E0101", 4, 15},
    {"potential V = sine(x)\n", "E0101", 4, 15},
    {"potential V = b*x\nparameter b = 1\n", "E0102", 4, 15},
    {"let x = 1\n", "E0103", 4, 5},
    {"let a = x + (1, 2)\n", "E0105", 4, 9},
    {"let a = (1, 2) + (1, 2, 3)\n", "E0106", 4, 9},
    {"let a = (1, 2)[3]\n", "E0107", 4, 16},
    {"let a = sin(1, 2)\n", "E0108", 4, 9},
    {"let a = x.q\n", "E0109", 4, 11},
    {"parameter a = 1/0\n", "E0110", 4, 15},
    {"parameter a = inf\n", "E0110", 4, 15},
    {"let a = x''\n", "E0111", 4, 9},
    {"output a = x'''\n", "E0111", 4, 12},
    {"constraint c: x = 0\nlet a = force(c)\n", "E0112", 5, 9},
    {"coordinates z[1..1000000000]\n", "E0113", 4, 15},
    {"coordinates z[3..1]\n", "E0113", 4, 15},
    {"let a = sum(i in 1..1.5: i)\n", "E0113", 4, 21},
    {"let a = sum(i in 1..10000: sum(j in 1..10000: sum(k in 1..10000: i*j*k)))\n", "E0114", 4, 1},
    {"parameter a = 2 in 0..1\n", "E0115", 4, 15},
    {"potential V = T\n", "E0116", 4, 15},
    {"constraint c: m = t\n", "E0201", 4, 15},
    {"constraint c: x >= 0\n", "E0202", 4, 12},
    {"constraint c: x = 0, restitution 0\n", "E0203", 4, 22},
    {"constraint c: x' = 0, vakonomic, viscous 1\n", "E0204", 4, 34},
    {"constraint c: x >= 0, restitution -2\n", "E0205", 4, 35},
    {"constraint c: x' >= 0\nfriction f: slip y', mu 1 on c\n", "E0206", 5, 30},
    {"constraint c: sign(x) = 0\n", "E0207", 4, 15},
    {"friction f: slip y, bound 1\n", "E0208", 4, 18},
    {"law l: stretch y, graph (0, 1)(1, 0)\n", "E0209", 4, 31},
    {"spring s: stretch y, stiffness 1, play 1..-1\n", "E0209", 4, 35},
    {"force x: -m*sign(x')\n", "E0210", 4, 13},
    {"kinetic K = abs(x')\n", "E0211", 4, 13},
    {"let s = max(x', 0)\nkinetic K = s^2\n", "E0211", 5, 13},
    {"potential V = x'\n", "E0212", 4, 15},
    {"dissipation D = x\n", "E0213", 4, 17},
    {"force x': 1\n", "E0215", 4, 7},
    {"spring s: stretch x, play 0..1\n", "E0217", 4, 8},
    {"servo s: x = 0, by (x: 0)\n", "E0218", 4, 17},
    {"start m = 1\n", "E0300", 4, 7},
    {"start x = 1, x = 2\n", "E0304", 4, 14},
    {"constraint c: x = 0\nstart c closed\n", "E0306", 5, 7},
    {"constraint c: x = 0\nstart force(c) = 1\n", "E0307", 5, 7},
    {"rotation R\nkinetic K = dot(R.W, R.W)\nstart R = axis(0, 0, 0, 1)\n", "E0308", 6, 11},
    {"coordinates z\n", "E0320", 4, 13},
    {"event e: every 0\n", "E0401", 4, 16},
    {"draw circle (0, 0)\n", "E0402", 4, 6},
    {"run 1..0\n", "E0403", 4, 5},
    {"run 0..1, tool 1\n", "E0404", 4, 11},
    {"expect x = 1 +- 0\n", "E0405", 4, 17},
    {"run 0..1\nrun 0..1\n", "E0406", 5, 1}};

static void each_mistake_has_its_code(void) {
  for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
    char text[1024];
    bench b;
    snprintf(text, sizeof text, "%s%s", HEAD, mistakes[i].text);
    bench_open_with(&b, text, NULL, 0);
    CHECK(!b.ok);
    if (CHECK_INT(pawl_diags_errors(b.diags), 1)) {
      const pawl_diag *d = pawl_diags_get(b.diags, 0);
      CHECK_STR(d->code, mistakes[i].code);
      CHECK_INT(d->at.line, mistakes[i].line);
      CHECK_INT(d->at.column, mistakes[i].column);
      CHECK(pawl_explain(d->code) != NULL);
    } else {
      printf("  text %s", mistakes[i].text);
    }
    bench_close(&b);
  }
}

static void empty_models(void) {
  static const mistake models[] = {{"parameter m = 1\n", "E0322", 1, 1},
                                   {"coordinates x\n", "E0323", 1, 1}};
  for (int i = 0; i < 2; i++) {
    bench b;
    bench_open_with(&b, models[i].text, NULL, 0);
    CHECK_INT(pawl_diags_errors(b.diags), 1);
    CHECK_STR(pawl_diags_get(b.diags, 0)->code, models[i].code);
    bench_close(&b);
  }
}

/* One wrong name spoils what depends on it without further messages. */
static void one_mistake_one_message(void) {
  bench b;
  bench_open_with(
      &b,
      "parameter m = missing\ncoordinates x\nlet a = m*x\nlet f(z) = a*z\n"
      "kinetic T = a*x'^2 + f(x)\nconstraint c: a = 0\nfriction g: slip x'*a, mu m on c\n"
      "start x = m\noutput o = force(c), p = o\nplot p, T\nexpect p = o +- m\n"
      "event e: o = 1\nexpect x = 1 +- 1 at user 1 of e\nrun 0..m, tol m\n",
      NULL, 0);
  CHECK_INT(pawl_diags_errors(b.diags), 1);
  bench_close(&b);
}

static void several_mistakes_several_messages(void) {
  bench b;
  bench_open_with(&b, "coordinates x\nkinetic T = x'^2\nlet a = u1 + u2\npotential V = sin(1, 2)\n",
                  NULL, 0);
  CHECK_INT(pawl_diags_errors(b.diags), 3);
  bench_close(&b);
}

static void advice_is_code(void) {
  bench b;
  bench_open_with(&b, HEAD "parameter mu = 1, g = 9\nforce x: -mu*m*g*sign(x')\n", NULL, 0);
  CHECK_STR(pawl_diags_get(b.diags, 0)->help[0],
            "replace the line by   friction rub: slip x', bound mu*m*g");
  bench_close(&b);
  bench_open_with(&b, "parameter length = 1\ncoordinates x\nkinetic T = lenght*x'^2\n", NULL, 0);
  CHECK_STR(pawl_diags_get(b.diags, 0)->help[0], "did you mean `length` (parameter, line 1)?");
  bench_close(&b);
}

/* An error inside a function names the call that led there, and comes once. */
static void functions_tell_their_call(void) {
  bench b;
  bench_open_with(&b, HEAD "let f(a) = a''\noutput o = f(x), p = f(x'), q = f(y')\n", NULL, 0);
  if (CHECK_INT(pawl_diags_errors(b.diags), 1)) {
    CHECK_STR(pawl_diags_get(b.diags, 0)->code, "E0111");
    CHECK_STR(pawl_diags_get(b.diags, 0)->note[0], "in the call `f(x')`, line 5");
  }
  bench_close(&b);
}

static void wrong_overrides(void) {
  static const struct {
    const char *name, *value, *code;
  } wrong[] = {{"mm", "1", "E0117"},     {"m", "nan", "E0101"}, {"m", "1/0", "E0110"},
               {"m", "x", "E0102"},      {"m", "7", "E0115"},   {"y", "t", "E0110"},
               {"x", "(1, 2)", "E0106"}, {"x''", "1", "E0300"}, {"T", "1", "E0117"}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    pw_override o = {wrong[i].name, wrong[i].value};
    bench b;
    bench_open_with(&b, "parameter m = 1 in 0..2\ncoordinates x, y\nkinetic T = m*(x'^2 + y'^2)\n",
                    &o, 1);
    CHECK(!b.ok);
    if (CHECK_INT(pawl_diags_errors(b.diags), 1)) {
      CHECK_STR(pawl_diags_get(b.diags, 0)->code, wrong[i].code);
      CHECK_STR(pawl_diags_get(b.diags, 0)->at.file, "command line");
    }
    bench_close(&b);
  }
}

static char *repeat(const char *head, const char *part, int n, const char *tail) {
  size_t size = strlen(head) + (size_t)n * strlen(part) + strlen(tail) + 1;
  char *text = malloc(size);
  if (text != NULL) {
    char *end = text + sprintf(text, "%s", head);
    for (int i = 0; i < n; i++) {
      end += sprintf(end, "%s", part);
    }
    sprintf(end, "%s", tail);
  }
  return text;
}

/* A sum of any length is fine: it needs no stack. */
static void long_sums(void) {
  char *text = repeat("coordinates x\nkinetic T = x'^2", " + x*x'", 100000, "\n");
  bench b;
  if (CHECK(text != NULL)) {
    bench_open(&b, text);
    bench_shake(&b, 1);
    double T = b.u[0] * b.u[0] + 100000 * b.q[0] * b.u[0];
    CHECK_NEAR(bench_energy(&b, PW_ST_KINETIC), T, 1e-6);
    bench_close(&b);
  }
  free(text);
}

CHECK_MAIN({"each_mistake_has_its_code", each_mistake_has_its_code}, {"empty_models", empty_models},
           {"one_mistake_one_message", one_mistake_one_message},
           {"several_mistakes_several_messages", several_mistakes_several_messages},
           {"advice_is_code", advice_is_code},
           {"functions_tell_their_call", functions_tell_their_call},
           {"wrong_overrides", wrong_overrides}, {"long_sums", long_sums})
