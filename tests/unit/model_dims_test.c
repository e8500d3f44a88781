// SPDX-License-Identifier: MIT
#include "model/dims.h"

#include <stdint.h>
#include <stdlib.h>

#include "check.h"
#include "lang/parse.h"
#include "model/units.h"

typedef struct verdict {
  bool parsed, ok;
  int errors, notes;
  char code[8], message[400];
  int line, column, length; /* of the first diagnostic */
} verdict;

static verdict judge(const char *text, int len) {
  verdict v = {0};
  pw_arena arena;
  pw_interner names;
  pw_sources sources = {0};
  pawl_diags *diags = NULL;
  jmp_buf fail;
  pw_arena_init(&arena, 0);
  arena.on_fail = &fail;
  if (setjmp(fail) != 0 || pawl_diags_new(&diags) != PAWL_OK) {
    abort();
  }
  pw_interner_init(&names, &arena);
  pw_diags_use_sources(diags, &sources);
  int file = pw_sources_add(&arena, &sources, "m.pawl", text, len);
  pw_ast ast = {.sources = &sources};
  pw_parse parse = {&arena, &names, &sources, diags, NULL};
  pw_parse_file(&parse, file, &ast);
  v.parsed = pawl_diags_count(diags) == 0;
  v.ok = v.parsed && pw_check_dimensions(&arena, &ast, NULL, 0, diags, NULL, 0);
  v.errors = pawl_diags_errors(diags);
  v.notes = pawl_diags_count(diags) - v.errors;
  const pawl_diag *d = pawl_diags_get(diags, 0);
  if (d != NULL) {
    snprintf(v.code, sizeof v.code, "%s", d->code);
    snprintf(v.message, sizeof v.message, "%s", d->message);
    v.line = d->at.line;
    v.column = d->at.column;
    v.length = d->at.length;
  }
  pawl_diags_free(diags);
  pw_arena_free(&arena);
  return v;
}

/* Before every text below. x and y are lengths, th is an angle, u has no known dimension. */
static const char prelude[] =
    "parameter m = 1 [kg], l = 0.5 [m], g = 9.81 [m/s^2], k = 10 [N/m], w0 = 2 [rad/s], e = 0.5\n"
    "parameter c = 4 [N*s/m], J0 = 2 [kg*m^2], b0 = 3, n = 2\n"
    "coordinates x, y, th, u, q[1..3]\n"
    "body b: mass m, inertia J0\n"
    "body s: mass b0, inertia b0\n"
    "rotation R\n"
    "constraint floor: y >= 0, restitution e\n"
    "start x = 1 [m], y' = 0.2 [m/s], th = 20 [deg], u = 0.3, q[2] = 4 [mm]\n";
enum { PRELUDE_LINES = 8 };

static verdict judge_after_prelude(const char *text) {
  char whole[4000];
  int n = snprintf(whole, sizeof whole, "%s%s", prelude, text);
  return judge(whole, n);
}

static const struct {
  const char *text, *code;
  int column, length; /* of the error, in the first line of the text */
} wrong[] = {
    {"let a = x + x'\n", "E0151", 13, 2},
    {"let a = x - th\n", "E0151", 13, 2},
    {"let a = 1 + x\n", "E0151", 9, 1},
    {"let a = x + 1\n", "E0151", 13, 1},
    {"let a = l + 2*m\n", "E0151", 13, 3},
    {"let a = x + y + t\n", "E0151", 17, 1},
    {"let a = min(x, 2)\n", "E0151", 16, 1},
    {"let a = max(x, th, y)\n", "E0151", 16, 2},
    {"let a = hypot(x, y')\n", "E0151", 18, 2},
    {"let a = atan2(y, m)\n", "E0151", 18, 1},
    {"let a = if(x > 1, x, y)\n", "E0151", 16, 1},
    {"let a = if(x > 1 [m], x, 3)\n", "E0151", 26, 1},
    {"let a = if(x > 0 and th < l, x, y)\n", "E0151", 27, 1},
    {"let a = sin(x)\n", "E0152", 13, 1},
    {"let a = exp(-c*x'/k)\n", "E0152", 13, 7},
    {"let a = cos(w0)\n", "E0152", 13, 2},
    {"let a = log(k/m)\n", "E0152", 13, 3},
    {"let a = sin(w0*t + l)\n", "E0151", 20, 1},
    {"let a = 2^l\n", "E0153", 11, 1},
    {"let a = (1 + th)^(x/t)\n", "E0153", 19, 3},
    {"let a = sqrt(k/m) + 1 [s]\n", "E0151", 21, 5},
    {"let a = (x, y) + (l, m)\n", "E0151", 22, 1},
    {"let a = dot((x, y), (l, m))\n", "E0151", 25, 1},
    {"let a = norm((x, th))\n", "E0151", 18, 2},
    {"let a = cross((x, y, 0), (1, m, x))\n", "E0151", 26, 9},
    {"let a = sum(i in 1..3: q[i] + i)\n", "E0151", 31, 1},
    {"let a = R*(x, y, 1)\n", "E0151", 18, 1},
    {"let a = b.p + b.w\n", "E0151", 15, 3},
    {"let a = b.p[1] + b.p'[1]\n", "E0151", 18, 7},
    {"let a = R.w[1] + 1\n", "E0151", 18, 1},
    {"let a = (l*sin(th))' - l*th\n", "E0151", 24, 4},
    {"let a = w0*t + x/l*m\n", "E0151", 16, 5},
    {"kinetic T = 1/2*m*x'\n", "E0154", 13, 8},
    {"potential V = m*g\n", "E0154", 15, 3},
    {"potential V = m*g*x + 1/2*k*x\n", "E0151", 23, 7},
    {"dissipation D = 1/2*c*x^2\n", "E0154", 17, 9},
    {"force x: k*x^2\n", "E0155", 10, 5},
    {"force th: k*x\n", "E0155", 11, 3},
    {"force x: 3\n", "E0155", 10, 1},
    {"force b.p: (1 [N], 0, 2 [J])\n", "E0155", 23, 5},
    {"force b.w: (1 [N], 0, 2 [J])\n", "E0155", 13, 5},
    {"force at (x, y): (k*x, l)\n", "E0155", 24, 1},
    {"constraint c1: x = 0.1\n", "E0156", 20, 3},
    {"constraint c1: x' = l*th\n", "E0156", 21, 4},
    {"constraint c1: (x, y) = (l, th)\n", "E0156", 29, 2},
    {"constraint c1: x >= 0, restitution l\n", "E0157", 36, 1},
    {"friction f1: slip x', mu m on floor\n", "E0157", 26, 1},
    {"friction f1: slip x', mu 0.3 on floor, static 2 [N]\n", "E0157", 47, 5},
    {"friction f1: slip x', bound c\n", "E0157", 29, 1},
    {"friction f1: slip x', bound c*slip*slip\n", "E0157", 29, 11},
    {"friction f1: slip th', bound 2 [N]\n", "E0157", 30, 5},
    {"spring s1: stretch x - l, stiffness c\n", "E0157", 37, 1},
    {"spring s1: stretch x, stiffness k, play -1 [mm]..2\n", "E0157", 50, 1},
    {"spring s1: stretch x, stiffness k, preload k\n", "E0157", 44, 1},
    {"law l1: slip x', graph (-inf, -c) (0, 0) (inf, 2 [N])\n", "E0157", 31, 2},
    {"constraint c1: x >= 0, viscous c, stiffness c\n", "E0157", 45, 1},
    {"servo s1: th = 0, by (x: 1, th: 1)\n", "E0157", 33, 1},
    {"start y = 2 [s]\n", "E0158", 11, 5},
    {"start x' = 2*l\n", "E0158", 12, 3},
    {"start q[i in 1..3] = i*m\n", "E0158", 22, 3},
    {"start b.p = (0, 1 [m], 1 [s])\n", "E0158", 24, 5},
    {"start force(floor) = 2 [J]\n", "E0158", 22, 5},
    {"parameter z = 2 [m] in 0..3 [s]\n", "E0158", 27, 5},
    {"event hit: x = 1 [s]\n", "E0156", 16, 5},
    {"event tick: every 2*l\n", "E0159", 19, 3},
    {"run 0..3 [m]\n", "E0159", 8, 5},
    {"run 0..3, every 1 [Hz]\n", "E0159", 17, 6},
    {"run 0..3, tol 1 [m]\n", "E0159", 15, 5},
    {"expect x = 1 [kg] +- 1e-6\n", "E0159", 12, 6},
    {"expect x = 1 [m] +- 1 [s]\n", "E0159", 21, 5},
    {"expect x = 1 +- 1e-6 at t = 2 [m]\n", "E0159", 29, 5},
    {"expect energy.total = 2 [N] +- 1\n", "E0159", 23, 5},
    {"output a = force(floor) + m\n", "E0151", 27, 1},
    {"output a = impulse(floor) + 1 [N]\n", "E0151", 29, 5},
    {"output a = x'' + g*t\n", "E0151", 18, 3},
    {"plot x + th vs x\n", "E0151", 10, 2},
    {"body z: mass l, inertia J0\n", "E0155", 14, 1},
    {"body z: mass m, inertia (J0, J0, m)\n", "E0155", 34, 1},
};

static void wrong_models_are_located(void) {
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    verdict v = judge_after_prelude(wrong[i].text);
    int ok = CHECK(v.parsed || v.errors > 0) && CHECK_INT(v.errors, 1) && CHECK(!v.ok) &&
             CHECK_STR(v.code, wrong[i].code) && CHECK_INT(v.line, PRELUDE_LINES + 1) &&
             CHECK_INT(v.column, wrong[i].column) && CHECK_INT(v.length, wrong[i].length);
    if (!ok) {
      printf("  in %s  %s\n", wrong[i].text, v.message);
    }
  }
}

static const struct {
  const char *text;
  int notes;
} right[] = {
    {"kinetic T = 1/2*m*(x'^2 + y'^2) + 1/2*J0*th'^2\n", 0},
    {"potential V = m*g*y + 1/2*k*(x - l)^2\n", 0},
    {"dissipation D = 1/2*c*x'^2\n", 0},
    {"let P = (l*sin(th), x, y, 1)\nlet a = P[2] + P[3]\nlet c2 = P[4] + 1\n", 0},
    {"let a = x + 0 - inf\n", 0},
    {"let a = sin(3*t) + exp(-t/2) + sin(2*pi*t + 0.3)\n", 0}, /* bare factors of t are rates */
    {"constraint c1: th = 0.3*t\n", 0},
    {"constraint c1: th = w0*t\n", 0},
    {"constraint c1: x' - l*th' = 0\n", 0},
    {"constraint c1: x >= 2 [mm], restitution 0.5\n", 0},
    {"constraint c1: x >= 0, viscous c, stiffness k\n", 0},
    {"constraint c1: x' >= 0, viscous c\n", 0},
    {"friction f1: slip x', mu 0.3 on floor, static 0.4\n", 0},
    {"friction f1: slip th', mu 0.3*l on floor\n", 0},
    {"friction f1: slip x', bound c*abs(slip) + 1 [N]*exp(-abs(slip)/1 [m/s])\n", 0},
    {"friction f1: slip (x', y'), bound 3 [N]\noutput a = force(f1)[1] + 1 [N]\n", 0},
    {"spring s1: stretch x - l, stiffness k, play -1 [mm]..2 [cm], preload 2 [N]\n", 0},
    {"law l1: slip x', graph (-inf, -2 [N]) (0, 0) (inf, 2 [N])\n", 0},
    {"law l1: stretch th, graph (-1, -2 [J]) (1, 2 [N*m])\n", 0},
    {"servo s1: th = 0, by (x: 1, th: -l)\noutput a = force(s1) + 1 [N]\n", 0},
    {"force x: -k*x\nforce th: 2 [N*m]*sin(th)\n", 0},
    {"force b.p: (0, 0, -m*g)\nforce b.W: J0*b.W/1 [s]\n", 0},
    {"force at b.p + b.R*(l, 0, 0): (1 [N], 0, 0)\n", 0},
    {"let f(a) = a + a\nlet a1 = f(x)\nlet a2 = f(m)\n", 0},
    {"let f(a, b1) = a*b1\nlet a1 = f(x, y) + l^2 + f(m, l)/m*l\n", 0},
    {"let a = sum(i in 1..3: q[i]^2*i) + l^2\n", 0},
    {"let a = sqrt(x^2 + y^2) + l^(1/2)*l^0.5\n", 0},
    {"start y = 3, x' = 4, th' = 0\n", 0}, /* bare start values are SI */
    {"start R = axis(0, 0, 1, 30 [deg]), b.w = (0, 5, 1 [rpm])\n", 0},
    {"run 0..10, every 0.01, tol 1e-9\n", 0},
    {"run 0 [s]..1 [min], every 10 [ms]\n", 0},
    {"expect x = 1.25 +- 1e-6 at t = 2\nexpect t = 0.4 +- 1e-6 at impact 1 of floor\n", 0},
    {"expect energy.total = 3 +- 1e-8\n", 0},
    {"event strobe: every 2*pi/w0\nevent hit: th = 1, stop\n", 0},
    {"output a = force(floor)*y + m*g*x + energy.kinetic, b1 = action/t + a\n", 0},
    {"parameter z = 2*l in 0..3, r = l/2\n", 0},
    {"let a = (1 - e)*x + n*y\n", 1}, /* unknown in a sum of lengths */
    {"let a = e + 1\n", 0},           /* a bare number is the usual pure number */
    {"constraint c1: u >= l, restitution e\n", 1},
    {"kinetic T = 1/2*b0*u'^2\n", 1},
    {"let a = x^n + y\n", 1},
    {"let a = s.p[1] + l\n", 1},
};

static void right_models_pass(void) {
  for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
    verdict v = judge_after_prelude(right[i].text);
    /* The mass of body s is a bare parameter: always one note. */
    if (!CHECK_INT(v.errors, 0) || !CHECK(v.ok) || !CHECK_INT(v.notes, 1) ||
        !CHECK_STR(v.code, "N0150")) {
      printf("  in %s  %s\n", right[i].text, v.message);
    }
    static const char alone[] = "dimensions were checked only in part: `b0` has no unit";
    if (right[i].notes == 0 && !CHECK_STR(v.message, alone)) {
      printf("  in %s", right[i].text);
    }
    if (right[i].notes == 1 && strstr(right[i].text, "b0") == NULL) {
      CHECK(strcmp(v.message, alone) != 0);
    }
  }
}

static void note_names_what_has_no_unit(void) {
  static const char text[] = "parameter m = 1 [kg], k = 10, e = 0.7 in 0..1, z = 3\n"
                             "coordinates x, y\n"
                             "kinetic T = 1/2*m*x'^2\n"
                             "potential V = 1/2*k*y^2\n"
                             "constraint c: x >= 0, restitution e\n"
                             "start x = 1 [m], y = 2\n";
  verdict v = judge(text, sizeof text - 1);
  CHECK(v.ok && v.errors == 0);
  CHECK_INT(v.notes, 1);
  CHECK_STR(v.message, "dimensions were checked only in part: `k`, `y` have no unit");
  CHECK_INT(v.line, 1);
  CHECK_INT(v.column, 23);
}

static void models_without_units_are_left_alone(void) {
  static const char *const texts[] = {
      "coordinates x, th\nkinetic T = 1/2*x' + x + t\nstart x = 1\nrun 0..1\n",
      "coordinates th\nkinetic T = 1/2*th'^2\nstart th = 30 [deg]\nrun 0..1\n",
      "",
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    verdict v = judge(texts[i], (int)strlen(texts[i]));
    CHECK(v.ok);
    CHECK_INT(v.errors + v.notes, 0);
  }
}

/* The coordinate's dimension comes from whichever start has a unit first. */
static void starts_give_dimensions(void) {
  static const char *const starts[] = {
      "x = 1 [m]",    "x' = 2 [m/s]",         "x ~ 3 [cm]", "x = 2*l",
      "x' = l/1 [s]", "x = 0, x' = 1 [km/h]", "x = L",      "x[1] = 2*L",
  };
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
    for (int bad = 0; bad < 2; bad++) {
      char text[400];
      bool family = strchr(starts[i], '[') == starts[i] + 1;
      int n = snprintf(text, sizeof text,
                       "parameter l = 2 [m]\nlet L = 3*l\ncoordinates x%s\nlet a = x%s + %s\n"
                       "start %s\n",
                       family ? "[1..2]" : "", family ? "[2]" : "", bad ? "1 [s]" : "l", starts[i]);
      verdict v = judge(text, n);
      CHECK(v.parsed || v.errors > 0);
      if (!CHECK_INT(v.errors, bad) || !CHECK_INT(v.notes, 0)) {
        printf("  start %s: %s\n", starts[i], v.message);
      }
    }
  }
}

static void call_is_shown_beside_the_mistake(void) {
  verdict v = judge_after_prelude("let a = 1\nlet f(z) = z + l\nlet a1 = f(x)\nlet a2 = f(m)\n");
  CHECK_INT(v.errors, 1);
  CHECK_INT(v.line, PRELUDE_LINES + 2);
  CHECK_INT(v.column, 16);
}

static void examples_of_the_language_pass(void) {
  for (int i = 1; i <= 13; i++) {
    char path[64];
    static char text[20000];
    snprintf(path, sizeof path, "tests/models/lang/%02d.pawl", i);
    FILE *file = fopen(path, "r");
    if (!CHECK(file != NULL)) {
      continue;
    }
    size_t n = fread(text, 1, sizeof text, file);
    fclose(file);
    verdict v = judge(text, (int)n);
    if (!CHECK(v.parsed || v.notes > 0) || !CHECK(v.ok) || !CHECK_INT(v.errors + v.notes, 0)) {
      printf("  %s: %s\n", path, v.message);
    }
  }
}

/* ---- random expressions of a wanted dimension m^a s^b, with one planted mistake ---- */

typedef struct writer {
  char text[60000];
  int len;
  uint64_t state;
  int plant;      /* the sum to spoil, counted down; negative: none */
  int bad_column; /* of the spoilt operand; 0: not planted */
} writer;

static int pick(writer *o, int n) {
  o->state = o->state * 6364136223846793005u + 1442695040888963407u;
  return (int)((o->state >> 33) % (uint64_t)n);
}

static void put(writer *o, const char *text) {
  o->len += snprintf(o->text + o->len, sizeof o->text - (size_t)o->len, "%s", text);
}

static void put_literal(writer *o, int a, int b) {
  pw_dim dim = {{a, 0, b}};
  char unit[64], number[100];
  pw_dim_print(&dim, unit, sizeof unit);
  snprintf(number, sizeof number, "%d.5 [%s]", 1 + pick(o, 9), unit);
  put(o, number);
}

static void put_expression(writer *o, int a, int b, int depth);

static void put_call(writer *o, const char *open, int a, int b, int depth, const char *close) {
  put(o, open);
  put_expression(o, a, b, depth - 1);
  put(o, close);
}

static void put_sum(writer *o, int a, int b, int depth, const char *sign) {
  put_call(o, "(", a, b, depth, sign);
  bool spoil = o->plant-- == 0;
  if (spoil) {
    o->bad_column = o->len + 1;
    put_literal(o, a + 1, b);
  } else {
    put_expression(o, a, b, depth - 1);
  }
  put(o, ")");
}

static void put_expression(writer *o, int a, int b, int depth) {
  static const char *const pure[] = {"sin(", "cos(", "exp(", "atan("};
  int da = pick(o, 3) - 1, db = pick(o, 3) - 1;
  if (depth <= 0 || o->len > 50000) {
    put_literal(o, a, b);
    return;
  }
  switch (pick(o, 8)) {
  case 0:
  case 1: put_sum(o, a, b, depth, pick(o, 2) ? " + " : " - "); break;
  case 2:
    put_call(o, "(", da, db, depth, "*");
    put_call(o, "", a - da, b - db, depth, ")");
    break;
  case 3:
    put_call(o, "(", a + da, b + db, depth, ")/(");
    put_call(o, "", da, db, depth, ")");
    break;
  case 4:
    if (a % 2 == 0 && b % 2 == 0) {
      put_call(o, "(", a / 2, b / 2, depth, ")^2");
    } else {
      put_call(o, "sqrt((", a, b, depth, ")^2)");
    }
    break;
  case 5: put_call(o, "(", a, b + 1, depth, ")'"); break;
  case 6: put_call(o, "abs(", a, b, depth, ")"); break;
  default:
    if (a == 0 && b == 0) {
      put_call(o, pure[pick(o, 4)], 0, 0, depth, ")");
    } else {
      put_call(o, "-", a, b, 0, "");
    }
  }
}

static void random_expressions(void) {
  static writer o;
  int planted = 0;
  for (uint64_t seed = 1; seed <= 600; seed++) {
    o.len = o.bad_column = 0;
    o.state = seed;
    o.plant = seed % 2 ? -1 : (int)(seed / 2 % 5);
    int a = (int)(seed % 3), b = (int)(seed / 3 % 3) - 1;
    put(&o, "let v = ");
    put_expression(&o, a, b, 4);
    put(&o, " + ");
    put_literal(&o, a, b);
    put(&o, "\n");
    verdict v = judge(o.text, o.len);
    bool bad = o.bad_column != 0;
    planted += bad;
    if (!CHECK_SEED(v.parsed || v.errors > 0, seed) || !CHECK_SEED(v.errors == bad, seed) ||
        !CHECK_SEED(!bad || v.column == o.bad_column, seed)) {
      printf("%s  %s\n", o.text, v.message);
    }
  }
  CHECK(planted > 100);
}

static void large_models_end_soon(void) {
  enum { TERMS = 50000 };
  static char text[20 * TERMS];
  int n = snprintf(text, sizeof text, "%slet a = x", prelude);
  for (int i = 0; i < TERMS; i++) {
    n += snprintf(text + n, sizeof text - (size_t)n, "%s", i % 2 ? " + l" : "\n - y");
  }
  n += snprintf(text + n, sizeof text - (size_t)n, " + m\n");
  verdict v = judge(text, n);
  CHECK_INT(v.errors, 1);
  CHECK_STR(v.code, "E0151");
  /* 2^40 calls if each were walked through */
  n = snprintf(text, sizeof text, "%slet f0(z) = z + z\n", prelude);
  for (int i = 1; i <= 40; i++) {
    n += snprintf(text + n, sizeof text - (size_t)n, "let f%d(z) = f%d(z) + f%d(z)\n", i, i - 1,
                  i - 1);
  }
  n += snprintf(text + n, sizeof text - (size_t)n, "let a = f40(x)\n");
  v = judge(text, n);
  CHECK_INT(v.errors, 0);
}

CHECK_MAIN({"wrong_models_are_located", wrong_models_are_located},
           {"right_models_pass", right_models_pass},
           {"note_names_what_has_no_unit", note_names_what_has_no_unit},
           {"models_without_units_are_left_alone", models_without_units_are_left_alone},
           {"starts_give_dimensions", starts_give_dimensions},
           {"call_is_shown_beside_the_mistake", call_is_shown_beside_the_mistake},
           {"examples_of_the_language_pass", examples_of_the_language_pass},
           {"random_expressions", random_expressions},
           {"large_models_end_soon", large_models_end_soon})
