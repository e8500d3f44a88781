// SPDX-License-Identifier: MIT
/* Overrides as changes of the text: the changed text, checked alone, gives the same model. */
#include "base/buf.h"
#include "unit/model_support.h"

/* As pawl_system_text puts it together. */
static void changed_text(const bench *b, pw_buf *out) {
  pw_write_text(out, &b->ast, b->m->edits.items, b->m->edits.n);
  if (b->m->added_text != NULL) {
    pw_buf_puts(out, out->len > 0 && out->text[out->len - 1] != '\n' ? "\n" : "");
    pw_buf_puts(out, b->m->added_text);
  }
}

static bool same_values(const pw_value *a, const pw_value *b, int n) {
  bool same = true;
  for (int i = 0; i < n; i++) {
    same = same && CHECK_INT(a[i].mode, b[i].mode) && CHECK_NEAR(a[i].value, b[i].value, 0);
  }
  return same;
}

static bool same_model(const pw_model *a, const pw_model *b) {
  bool same = CHECK_INT(a->parameters.n, b->parameters.n) && CHECK_INT(a->nq, b->nq) &&
              CHECK_INT(a->nv, b->nv) && CHECK_INT(a->rows.n, b->rows.n);
  for (int i = 0; same && i < a->parameters.n; i++) {
    const pw_parameter *p = &a->parameters.items[i], *r = &b->parameters.items[i];
    same = CHECK_STR(p->name, r->name) && CHECK_NEAR(p->value, r->value, 0) &&
           CHECK_NEAR(p->lo, r->lo, 0) && CHECK_NEAR(p->hi, r->hi, 0);
  }
  for (int i = 0; same && i < a->rows.n; i++) {
    double f = a->rows.items[i].start_force, g = b->rows.items[i].start_force;
    same = CHECK(f == g || (isnan(f) && isnan(g))) &&
           CHECK_INT(a->rows.items[i].start_closed, b->rows.items[i].start_closed);
  }
  return same && same_values(a->q_start, b->q_start, a->nq) &&
         same_values(a->u_start, b->u_start, a->nv);
}

static void show_errors(const bench *b) {
  for (int i = 0; i < pawl_diags_count(b->diags); i++) {
    (void)!pawl_diag_write(pawl_diags_get(b->diags, i), 0, bench_show, NULL);
  }
}

/* Compares the two models, and the text with `wanted` unless that is NULL. */
static void round_trip(const char *text, const pw_override *o, int n, const char *wanted) {
  bench a, b;
  pw_buf out = {0};
  bench_open_with(&a, text, o, n);
  if (!CHECK(a.ok)) {
    show_errors(&a);
    bench_close(&a);
    return;
  }
  changed_text(&a, &out);
  bench_open_with(&b, out.text, NULL, 0);
  bool good = CHECK(b.ok) && same_model(a.m, b.m);
  good = (wanted == NULL || CHECK_STR(out.text, wanted)) && good;
  if (!good) {
    for (int i = 0; i < n; i++) {
      printf("  override %s=%s\n", o[i].name, o[i].value);
    }
    printf("%s----\n", out.text);
    show_errors(&b);
  }
  bench_close(&b);
  bench_close(&a);
  pw_buf_free(&out);
}

static void one(const char *text, const char *name, const char *value, const char *wanted) {
  round_trip(text, &(pw_override){name, value}, 1, wanted);
}

#define MOVES "coordinates x, y\nkinetic T = x'^2 + y'^2\n"

static void parameters_are_replaced(void) {
  one("parameter a = 1, b = 2 in 0..9 # two\n" MOVES, "b", "3",
      "parameter a = 1, b = 3 in 0..9 # two\n" MOVES);
  one("parameter a = 1, b = (1 + (2))in 0..9\n" MOVES, "b", "2*a",
      "parameter a = 1, b = 2*a in 0..9\n" MOVES);
  one("parameter a=(1+2)*3,b=2\n" MOVES, "a", " (1 + 2)*(3) # why",
      "parameter a=(1 + 2)*(3),b=2\n" MOVES);
  one("parameter # = 5\n a # = 4\n  = # = 3\n  2 # = 1\n  , b = 7\n" MOVES, "a", "1/3",
      "parameter # = 5\n a # = 4\n  = # = 3\n  1/3 # = 1\n  , b = 7\n" MOVES);
  one("parameter a = ((1, 2) + (3, 4))[2]\n" MOVES, "a", "5", "parameter a = 5\n" MOVES);
}

static void members_are_set(void) {
  static const pw_override some[] = {{"k[3]", "7"}, {"a", "(4, 5)"}, {"a[1]", "6 [mm]"}};
  round_trip("parameter k[i in 1..3] = 2 [N/m]*i in 0..9, k[2] = 5, a = (1 [cm], 2 [m])\n" MOVES,
             some, 3,
             "parameter k[i in 1..3] = 2 [N/m]*i in 0..9, k[3] = 7, k[2] = 5, "
             "a = (4 [m], 5 [m]), a[1] = 6 [mm]\n" MOVES);
  one("parameter k[i in 1..3] = i, k[2] = 5\n" MOVES, "k", "4",
      "parameter k[i in 1..3] = 4, k[2] = 4\n" MOVES);
  one("parameter a = (1, 2), a[2] = 5\n" MOVES, "a", "3*(1, 2)",
      "parameter a = 3*(1, 2), a[2] = (3*(1, 2))[2]\n" MOVES);
}

static void units_are_kept(void) {
  one("parameter m = 5 [g]\n" MOVES, "m", "2", "parameter m = 2 [kg]\n" MOVES);
  one("parameter m = 5 [g]\n" MOVES, "m", "-2e-3 [kg]", "parameter m = -2e-3 [kg]\n" MOVES);
  one("parameter a = 30 [deg]\n" MOVES, "a", "0.5", "parameter a = 0.5 [1]\n" MOVES);
  one("parameter F = 3 [kN]\n" MOVES, "F", "2", "parameter F = 2 [N]\n" MOVES);
  one(MOVES "start x = 3 [mm], x' ~ 2 [km/h]\n", "x'", "4",
      MOVES "start x = 3 [mm], x' = 4 [m/s]\n");
}

static void starts_are_replaced(void) {
  one(MOVES "start x = 1, y ~ 1 # guess\n", "y", "2", MOVES "start x = 1, y = 2 # guess\n");
  one(MOVES "start x = (1), # first\n  y' ~ 1\n", "x", "2 [m]",
      MOVES "start x = 2 [m], # first\n  y' ~ 1\n");
  one(MOVES "start x = 1", "d.y", "-2", MOVES "start x = 1\nstart y' = -2\n");
  one(MOVES "start x = 1\nparameter h = 3\n", "x", "h + 1",
      MOVES "\nparameter h = 3\nstart x = h + 1\n");
  one(MOVES "start x = 1, y = 2\nparameter h = 3\n", "x", "h",
      MOVES "start y = 2\nparameter h = 3\nstart x = h\n");
  one(MOVES "parameter h = 3\nstart x = 1\n", "x", "h", MOVES "parameter h = 3\nstart x = h\n");
  pw_override twice[] = {{"x", "1"}, {"x", "5"}, {"x'", "6"}};
  round_trip(MOVES "start x ~ 0\n", twice, 3, MOVES "start x = 5\nstart x' = 6\n");
}

#define FAMILY "parameter m = 1\ncoordinates x[1..5]\nkinetic T = m*sum(i in 1..5: x[i]'^2)\n"

static void families_are_split(void) {
  one(FAMILY "start x = 1\n", "x[2]", "3",
      FAMILY "start x[1] = 1, x[i in 3..5] = 1\nstart x[2] = 3\n");
  one("parameter i = 4\n" FAMILY "start x ~ i\n", "x[5]", "3",
      "parameter i = 4\n" FAMILY "start x[i1 in 1..4] ~ i\nstart x[5] = 3\n");
  one(FAMILY "start x[j in 2..4]' ~ j^2, x' [1] = 7\n", "x[3]'", "0",
      FAMILY "start x'[j in 2..2] ~ j^2, x'[j in 4..4] ~ j^2, x' [1] = 7\nstart x[3]' = 0\n");
  one(FAMILY "start x[j in 1..5] = j\n", "x", "2", FAMILY "start x = 2\n");
  one(FAMILY "start x[1] = 3, x[2] ~ 4\n", "x", "(1, 2, 3, 4, 5)",
      FAMILY "\nstart x = (1, 2, 3, 4, 5)\n");
  one(FAMILY "start x = (1, 2*(3 + 1), 3, 4 [m], 5)\n", "x[1]", "0 [m]",
      FAMILY "start x[2] = 2*(3 + 1), x[3] = 3, x[4] = 4 [m], x[5] = 5\nstart x[1] = 0 [m]\n");
  pw_override both[] = {{"x", "2"}, {"x[4]", "9"}};
  round_trip(FAMILY "start x = 1\n", both, 2,
             FAMILY "\nstart x[i in 1..3] = 2, x[5] = 2\nstart x[4] = 9\n");
}

#define BODY                                        \
  "body b: mass 1, inertia (1, 2, 3)\nrotation R\n" \
  "kinetic T = R.W[1]^2 + R.W[2]^2 + R.W[3]^2\n"

static void bodies_are_split(void) {
  one(BODY "start b.p = (1, 2, 3)\n", "b.p[2]", "5",
      BODY "start b.p[1] = 1, b.p[3] = 3\nstart b.p[2] = 5\n");
  one(BODY "start b.p' ~ 2*(1, 2, 3)\n", "d.b.p[2]", "5",
      BODY "start b.p'[1] ~ 2, b.p'[3] ~ 6\nstart b.p[2]' = 5\n");
  one(BODY "start b.w ~ (1, 2, 3)\n", "b.w[1]", "5",
      BODY "start b.w[2] = 2, b.w[3] = 3\nstart b.w[1] = 5\n");
  one(BODY "start b.w ~ (1, 2, 3), b.R = axis(1, 2, 0, 1)\n", "b.W[1]", "5",
      BODY "start b.R = axis(1, 2, 0, 1)\nstart b.W[1] = 5\n");
  one(BODY "start b.w[1] ~ 3, b.w[2] = 4\n", "b.w[2]", "5", BODY "start b.w[1] = 3, b.w[2] = 5\n");
  one(BODY "start R = axis(0, 0, 1, 2)\nparameter a = 2\n", "R", "axis(1, 1, a, 0.25)",
      BODY "\nparameter a = 2\nstart R = axis(1, 1, a, 0.25)\n");
  one(BODY "start R = axis(0, 0, 1, 2)\n", "R", "axis(1, 1, 0, 30 [deg])",
      BODY "start R = axis(1, 1, 0, 30 [deg])\n");
}

static void laws_in_the_start_stay(void) {
  one(MOVES "constraint c: x >= 0, restitution 0\nconstraint v: y' = x*x', vakonomic\n"
            "parameter h = 2\nstart c closed, x ~ 1, force(v) = 3\n",
      "x", "0",
      MOVES "constraint c: x >= 0, restitution 0\nconstraint v: y' = x*x', vakonomic\n"
            "parameter h = 2\nstart c closed, x = 0, force(v) = 3\n");
}

/* Several overrides in any order, of everything there is. */
static const pw_override pool[] = {{"m", "3"},
                                   {"k", "h"},
                                   {"k[2]", "7"},
                                   {"k[3]", "h/2"},
                                   {"a", "(3, (4) )"},
                                   {"a[2]", "6 [mm]"},
                                   {"g", "(h, 8)"},
                                   {"g[1]", "3*(1, 2)"},
                                   {"g[1][2]", "-5"},
                                   {"g[0][1]", "1/N"},
                                   {"m", "700 [g]"},
                                   {"h", "0.1"},
                                   {"h", "1/N"},
                                   {"x", "5"},
                                   {"x[2]", "late"},
                                   {"x[4]", "0.1"},
                                   {"x'", "(1, 2, 3, h)"},
                                   {"d.x[3]", "m*2"},
                                   {"y", "2"},
                                   {"y'", "h*late"},
                                   {"z'", "1e-300"},
                                   {"z", "-0.3"},
                                   {"b[1].p", "(4, 5, 6)"},
                                   {"b[1].p[3]", "9"},
                                   {"b[2].p[2]", "8"},
                                   {"d.b[1].p", "(0, late, 0)"},
                                   {"d.b[1].p[1]", "7"},
                                   {"b[1].w[2]", "4"},
                                   {"b[1].W", "(1, 1, 1)"},
                                   {"b[1].W[1]", "h"},
                                   {"b[2].w", "(h, h, late)"},
                                   {"b[2].w[3]", "6"},
                                   {"b[2].R", "axis(1, 2, 3, late)"},
                                   {"R", "axis(1, 0, 0, h)"},
                                   {"R.W[2]", "0.5"},
                                   {"R.w", "(3, 2, 1)"},
                                   {"b[1].R", "axis(0, 1, 1, 2)"},
                                   {"late", "0.6"},
                                   {"x[1]", "1 + 2*h"}};

static void any_combination(void) {
  static const char text[] =
      "parameter N = 4, m = 2 [kg], h = 1/3 in 0..1\n"
      "parameter k[i in 1..3] = 2*i in 0..100, k[2] = 5, a = (1 [cm], 2 [m])\n"
      "parameter g[i in 0..1] = (i, h) # pairs\n  , g[1] = (3, 4), g[0][2] = 7, f = k[2]*g[1][2]\n"
      "coordinates x[1..N], y, z\n"
      "body b[k in 1..2]: mass m, inertia (1, 2, 3)\n"
      "rotation R\n"
      "let c = m*h # twice\n"
      "kinetic T = sum(i in 1..N: x[i]'^2) + y'^2 + z'^2 + R.W[1]^2 + R.W[2]^2 + R.W[3]^2\n"
      "start x[i in 1..3] = i*h, x[4] ~ 0, x' ~ 2 # some\n"
      "start y = h, z' ~ 3,\n  b[1].p = (1, h, 3), b[1].p' = h*(3, 2, 1)\n"
      "start b[1].w = (1, 2, 3), b[2].w[1] ~ 2, b[2].w[3] = 1, b[2].R = axis(1, h, 0, 0.3)\n"
      "parameter late = 0.7\n"
      "start R.W ~ (h, 2, late), R = axis(0, 0, 1, late)\n";
  enum { POOL = sizeof pool / sizeof *pool };
  for (int i = 0; i < POOL; i++) {
    round_trip(text, &pool[i], 1, NULL);
  }
  uint64_t seed = 20;
  for (int trial = 0; trial < 600 && check_failures == 0; trial++) {
    pw_override o[8];
    int n = 2 + (int)(3 * (bench_random(&seed) + 1));
    for (int i = 0; i < n; i++) {
      o[i] = pool[(int)(POOL / 2.0 * (bench_random(&seed) + 1))];
    }
    round_trip(text, o, n, NULL);
  }
}

static void without_overrides_nothing_changes(void) {
  static const char text[] = "parameter a = (1) # one\n" MOVES "start x ~ (a)";
  bench b;
  bench_open(&b, text);
  pw_buf out = {0};
  changed_text(&b, &out);
  CHECK_STR(out.text, text);
  CHECK(b.m->added_text == NULL);
  CHECK_INT(b.m->edits.n, 0);
  pw_buf_free(&out);
  bench_close(&b);
}

static void reports(const char *text, const char *name, const char *value, const char *code,
                    const char *message) {
  bench b;
  bench_open_with(&b, text, &(pw_override){name, value}, name != NULL);
  CHECK(!b.ok);
  if (CHECK(pawl_diags_count(b.diags) >= 1)) {
    CHECK_STR(pawl_diags_get(b.diags, 0)->code, code);
    CHECK_STR(pawl_diags_get(b.diags, 0)->message, message);
  }
  bench_close(&b);
}

static void wrong_units_are_reported(void) {
  reports("parameter m = 5 [g]\n" MOVES, "m", "2 [s]", "E0158",
          "the value of `m` has dimension s, must be kg");
  reports(MOVES "start x = 3 [mm]\n", "x'", "4 [m]", "E0158",
          "the start value has dimension m, must be m/s");
}

static void sizes_have_limits(void) {
  reports("coordinates x[1..8001]\nkinetic T = sum(i in 1..8001: x[i]'^2)\n", NULL, NULL, "E0191",
          "the model has too many coordinates to be computed");
  reports("coordinates y\nbody b[k in 1..1334]: mass 1, inertia 1\nkinetic T = y'^2\n", NULL, NULL,
          "E0191", "the model has too many coordinates to be computed");
  reports("coordinates x[1..5000]\nkinetic T = sum(i in 1..5000: x[i]'^2)\n"
          "constraint c[i in 1..25001]: x[1] >= -i, restitution 0\n",
          NULL, NULL, "E0191", "the model has too many laws to be computed");
}

static void methods_are_known(void) {
  static const char *const good[] = {"event", "dp5", "dop853", "moreau", "variational"};
  char text[200];
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    bench b;
    snprintf(text, sizeof text, MOVES "run 0..1, method %s\n", good[i]);
    bench_open(&b, text);
    CHECK_STR(b.m->run.options[0].choice, good[i]);
    bench_close(&b);
  }
  reports(MOVES "run 0..1, method moreou\n", NULL, NULL, "E0404",
          "`moreou` is not a choice for `method`");
}

CHECK_MAIN({"parameters are replaced", parameters_are_replaced},
           {"members are set", members_are_set}, {"units are kept", units_are_kept},
           {"starts are replaced", starts_are_replaced}, {"families are split", families_are_split},
           {"bodies are split", bodies_are_split},
           {"laws in the start stay", laws_in_the_start_stay}, {"any combination", any_combination},
           {"without overrides nothing changes", without_overrides_nothing_changes},
           {"wrong units are reported", wrong_units_are_reported},
           {"sizes have limits", sizes_have_limits}, {"methods are known", methods_are_known})
