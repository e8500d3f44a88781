// SPDX-License-Identifier: MIT
/* The examples of the language, and values of what they state against formulas written in C. */
#include "unit/model_support.h"

static char *read_example(int number) {
  char path[512];
  snprintf(path, sizeof path, "%s/tests/models/lang/%02d.pawl", PW_SOURCE_DIR, number);
  FILE *file = fopen(path, "rb");
  char *text = calloc(1, 65536);
  if (CHECK(file != NULL) && text != NULL) {
    CHECK(fread(text, 1, 65535, file) > 0);
    fclose(file);
  }
  return text;
}

static void open_example(bench *b, int number) {
  char *text = read_example(number);
  bench_open(b, text);
  free(text);
}

static void kind_is(bench *b, const char *row, pw_kind kind) {
  const pw_row *r = bench_row(b, row);
  if (CHECK(r != NULL)) {
    CHECK_STR(pw_kind_name(r->kind), pw_kind_name(kind));
  }
}

static void examples_have_their_kinds(void) {
  static const struct {
    int example;
    const char *row;
    pw_kind kind;
  } expected[] = {{1, "stop", PW_KIND_UNILATERAL},
                  {2, "floor", PW_KIND_UNILATERAL},
                  {3, "rollx", PW_KIND_NONHOLONOMIC},
                  {3, "rolly", PW_KIND_NONHOLONOMIC},
                  {4, "blade", PW_KIND_ONE_SIDED_VELOCITY},
                  {5, "belt", PW_KIND_FRICTION},
                  {6, "s", PW_KIND_SPRING},
                  {7, "floor", PW_KIND_UNILATERAL},
                  {7, "grip", PW_KIND_ROUGH},
                  {8, "hold", PW_KIND_SERVO},
                  {9, "blade", PW_KIND_VAKONOMIC},
                  {10, "beak", PW_KIND_UNILATERAL},
                  {10, "fupper", PW_KIND_FRICTION},
                  {11, "loopx", PW_KIND_HOLONOMIC},
                  {11, "drive", PW_KIND_RHEONOMIC},
                  {12, "link[8]", PW_KIND_UNILATERAL},
                  {12, "table[1]", PW_KIND_UNILATERAL},
                  {12, "rub[8]", PW_KIND_FRICTION},
                  {13, "floor", PW_KIND_UNILATERAL},
                  {13, "grip[2]", PW_KIND_ROUGH}};
  static const int sizes[14][3] = {{0}, /* nq, nv, rows */
                                   {1, 1, 1}, {1, 1, 1},    {5, 5, 2}, {3, 3, 1}, {1, 1, 1},
                                   {1, 1, 1}, {3, 3, 2},    {2, 2, 1}, {3, 3, 1}, {3, 3, 6},
                                   {3, 3, 3}, {16, 16, 23}, {7, 6, 3}};
  for (int i = 1; i <= 13; i++) {
    bench b;
    open_example(&b, i);
    CHECK_INT(b.m->nq, sizes[i][0]);
    CHECK_INT(b.m->nv, sizes[i][1]);
    CHECK_INT(b.m->rows.n, sizes[i][2]);
    CHECK(b.m->run.given);
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
      if (expected[k].example == i) {
        kind_is(&b, expected[k].row, expected[k].kind);
      }
    }
    CHECK_INT(pawl_diags_errors(b.diags), 0);
    bench_close(&b);
  }
}

/* Example 3 at random states: the kinetic energy and the rolling conditions. */
static void rolling_disk_values(void) {
  bench b;
  open_example(&b, 3);
  for (uint64_t seed = 1; seed <= 20; seed++) {
    bench_shake(&b, seed);
    double th = b.q[2], ph = b.q[3];
    double dx = b.u[0], dy = b.u[1], dth = b.u[2], dph = b.u[3], dps = b.u[4];
    double R = 0.5, w3 = dps + dph * cos(th), dh = R * cos(th) * dth;
    double T = 0.5 * (dx * dx + dy * dy + dh * dh) +
               0.125 * R * R * (dth * dth + dph * dph * sin(th) * sin(th)) + 0.25 * R * R * w3 * w3;
    CHECK_NEAR(bench_energy(&b, PW_ST_KINETIC), T, 1e-14);
    CHECK_NEAR(bench_energy(&b, PW_ST_POTENTIAL), 9.81 * R * sin(th), 1e-14);
    double fx = dx - R * (dth * sin(th) * sin(ph) - w3 * cos(ph));
    double fy = dy - R * (-dth * sin(th) * cos(ph) - w3 * sin(ph));
    CHECK_NEAR(bench_eval(&b, bench_row(&b, "rollx")->value), fx, 1e-14);
    CHECK_NEAR(bench_eval(&b, bench_row(&b, "rolly")->value), fy, 1e-14);
  }
  bench_close(&b);
}

/* Example 12: families, and the orientation of <=. */
static void chain_values(void) {
  bench b;
  open_example(&b, 12);
  bench_shake(&b, 7);
  double T = 0, V = 0;
  for (int i = 0; i < 8; i++) {
    T += 0.5 * 0.05 * (b.u[i] * b.u[i] + b.u[8 + i] * b.u[8 + i]);
    V += 0.05 * 9.81 * b.q[8 + i];
  }
  CHECK_NEAR(bench_energy(&b, PW_ST_KINETIC), T, 1e-14);
  CHECK_NEAR(bench_energy(&b, PW_ST_POTENTIAL), V, 1e-14);
  double dx = b.q[2] - b.q[1], dy = b.q[10] - b.q[9];
  CHECK_NEAR(bench_eval(&b, bench_row(&b, "link[3]")->value), 0.01 - dx * dx - dy * dy, 1e-14);
  CHECK_NEAR(bench_eval(&b, bench_row(&b, "table[4]")->value), b.q[11], 0);
  CHECK_NEAR(bench_eval(&b, bench_row(&b, "rub[2]")->value), b.u[1], 0);
  CHECK_STR(b.m->q_name[15], "y[8]");
  CHECK_STR(b.m->u_name[0], "x[1]'");
  CHECK_NEAR(b.m->q_start[2].value, 0.27, 1e-16);
  CHECK_INT(b.m->u_start[15].mode, PW_FIXED);
  bench_close(&b);
}

static void constraint_kinds(void) {
  bench b;
  bench_open(&b, "coordinates x, y\nkinetic T = x'^2 + y'^2\n"
                 "constraint a: (x, x' + y') = (1, 2)\n"
                 "constraint b: y' = t\n"
                 "constraint c: x' <= 1\n"
                 "constraint d: y >= 0, viscous 2, stiffness 3\n"
                 "constraint e: x'*y = 1, inertia x'\n"
                 "constraint f: x' - x >= 0, viscous 10\n"
                 "constraint g: y >= x*t, poisson 0.3\n");
  kind_is(&b, "a[1]", PW_KIND_HOLONOMIC);
  kind_is(&b, "a[2]", PW_KIND_NONHOLONOMIC);
  kind_is(&b, "b", PW_KIND_NONHOLONOMIC);
  kind_is(&b, "c", PW_KIND_ONE_SIDED_VELOCITY);
  kind_is(&b, "d", PW_KIND_VISCOUS);
  kind_is(&b, "e", PW_KIND_INERTIA);
  kind_is(&b, "f", PW_KIND_VISCOUS);
  kind_is(&b, "g", PW_KIND_UNILATERAL);
  bench_shake(&b, 3);
  CHECK_NEAR(bench_eval(&b, bench_row(&b, "c")->value), 1 - b.u[0], 1e-15);
  CHECK(bench_row(&b, "a[2]")->on_velocity);
  CHECK(!bench_row(&b, "a[1]")->on_velocity);
  bench_close(&b);
}

/* A family of vector laws: c[i][k] is component k of member i. */
static void families_of_vectors(void) {
  bench b;
  bench_open(&b, "coordinates x[1..3]\nkinetic T = sum(i in 1..3: x'[i]^2)\n"
                 "constraint c[i in 1..2]: (x[i], x[i+1]) >= (0, i), restitution 0\n"
                 "friction f: slip x[1]', mu 0.3 on c[2][1]\n"
                 "output a = force(c[2]), k = impulse(c[1][2])\n"
                 "expect a[1] = 1 +- 1 at impact 1 of c[2]\n"
                 "start x = (1, 2, 3), c closed, x'[2] ~ 5\n");
  CHECK_STR(b.m->rows.items[2].name, "c[2][1]");
  bench_shake(&b, 9);
  CHECK_NEAR(bench_eval(&b, b.m->rows.items[3].value), b.q[2] - 2, 1e-15);
  CHECK_NEAR(bench_output(&b, "a[2]"), 1000 * PW_VAR_FORCE + 3, 0);
  CHECK_NEAR(bench_output(&b, "k"), 1000 * PW_VAR_IMPULSE + 1, 0);
  CHECK_STR(b.m->expectations.items[0].of, "c[2]");
  CHECK_NEAR(b.m->q_start[2].value, 3, 0);
  CHECK_INT(b.m->u_start[1].mode, PW_GUESS);
  bench_close(&b);
}

/* ---- functions, sums, conditions ---- */

static void function_values(void) {
  bench b;
  bench_open(
      &b,
      "parameter k = 3\ncoordinates x, y\nkinetic T = x'^2 + y'^2\n"
      "let f(a, b) = k*a - b^2\n"
      "output f1 = f(y, x + 1), m1 = min(x, y, 0.1), m2 = max(x, y), h = hypot(x, y),\n"
      "  d = dot((x, y, 1), (2, 3, 4)), c2 = cross((x, y), (y, x)), n = norm((x, y)),\n"
      "  c3 = cross((1, 0, x), (0, y, 1)), s = sum(i in 1..4: i*x), e = sum(i in 2..1: x),\n"
      "  i1 = if(x > 0 and y > 0 or x < -0.5, 1, 2), p = -x^2, a = atan2(y, x), v = 2*(x, y)/4\n");
  for (uint64_t seed = 1; seed <= 50; seed++) {
    bench_shake(&b, seed);
    double x = b.q[0], y = b.q[1];
    CHECK_NEAR(bench_output(&b, "f1"), 3 * y - (x + 1) * (x + 1), 1e-14);
    CHECK_NEAR(bench_output(&b, "m1"), fmin(fmin(x, y), 0.1), 0);
    CHECK_NEAR(bench_output(&b, "m2"), fmax(x, y), 0);
    CHECK_NEAR(bench_output(&b, "h"), hypot(x, y), 1e-15);
    CHECK_NEAR(bench_output(&b, "d"), 2 * x + 3 * y + 4, 1e-14);
    CHECK_NEAR(bench_output(&b, "c2"), x * x - y * y, 1e-14);
    CHECK_NEAR(bench_output(&b, "n"), hypot(x, y), 1e-15);
    CHECK_NEAR(bench_output(&b, "c3[1]"), -x * y, 1e-15);
    CHECK_NEAR(bench_output(&b, "c3[2]"), -1, 1e-15);
    CHECK_NEAR(bench_output(&b, "c3[3]"), y, 1e-15);
    CHECK_NEAR(bench_output(&b, "s"), 10 * x, 1e-14);
    CHECK_NEAR(bench_output(&b, "e"), 0, 0);
    bool yes = (x > 0 && y > 0) || x < -0.5;
    CHECK_SEED(bench_output(&b, "i1") == (yes ? 1 : 2), seed);
    CHECK_NEAR(bench_output(&b, "p"), -x * x, 1e-15);
    CHECK_NEAR(bench_output(&b, "a"), atan2(y, x), 0);
    CHECK_NEAR(bench_output(&b, "v[2]"), y / 2, 1e-15);
  }
  bench_close(&b);
}

/* ---- starts and overrides ---- */

static void overrides_replace_values(void) {
  static const pw_override o[] = {{"m", "2 [g]"}, {"d.x", "-3"}, {"y", "7"}, {"w", "2*m"}};
  bench b;
  bench_open_with(&b,
                  "parameter m = 1 [kg], k = 10*m, w = 5 in 0..1\n"
                  "coordinates x, y\nkinetic T = m*(x'^2 + y'^2)\nstart x = 1, x' = 4\n",
                  o, 4);
  if (CHECK(b.ok)) {
    CHECK_NEAR(b.m->parameters.items[0].value, 0.002, 1e-18);
    CHECK(b.m->parameters.items[0].overridden);
    CHECK_NEAR(b.m->parameters.items[1].value, 0.02, 1e-17);
    CHECK_NEAR(b.m->parameters.items[2].value, 0.004, 1e-17);
    CHECK_NEAR(b.m->u_start[0].value, -3, 0);
    CHECK(b.m->u_start[0].overridden && !b.m->q_start[0].overridden);
    CHECK_INT(b.m->q_start[1].mode, PW_FIXED);
    CHECK_NEAR(b.m->q_start[1].value, 7, 0);
    CHECK_INT(b.m->u_start[1].mode, PW_UNSET);
  }
  bench_close(&b);
}

/* d.x is x', also where the model has a parameter d. */
static void rates_without_quoting(void) {
  static const pw_override o[] = {{"d.x", "-3"}, {"d", "2"}};
  bench b;
  bench_open_with(&b, "parameter d = 1\ncoordinates x\nkinetic T = d*x'^2\nstart x' = 4\n", o, 2);
  if (CHECK(b.ok)) {
    CHECK_NEAR(b.m->parameters.items[0].value, 2, 0);
    CHECK_NEAR(b.m->u_start[0].value, -3, 0);
  }
  bench_close(&b);
}

static void results_refer_to_the_model(void) {
  bench b;
  bench_open(&b, "coordinates x, y\nkinetic T = 2*x'^2 + y'^2\npotential V = 3*x\n"
                 "constraint c[i in 1..2]: x*i + y' = 0\n"
                 "output E = energy.total, F = force(c[2]), a = x'', s = action, again = E + T\n"
                 "event up: x >= 1, stop\nevent both: x = 1\nevent tick: every 0.5\n"
                 "event down: y <= 2, falling\n"
                 "expect x = 1 +- 1e-3 at user 2 of up\nexpect E =  3 +- 1\n"
                 "plot x', y vs x # comment\ndraw line (0, 0), (x, y)\n"
                 "run 0..2, tol 1e-7, method moreau\n");
  bench_shake(&b, 5);
  double E = 2 * b.u[0] * b.u[0] + b.u[1] * b.u[1] + 3 * b.q[0];
  CHECK_NEAR(bench_output(&b, "E"), E, 1e-15);
  CHECK_NEAR(bench_output(&b, "F"), 1000 * PW_VAR_FORCE + 1, 0);
  CHECK_NEAR(bench_output(&b, "a"), b.a[0], 0);
  CHECK_NEAR(bench_output(&b, "again"), E + 2 * b.u[0] * b.u[0] + b.u[1] * b.u[1], 1e-14);
  const pw_event_def *e = b.m->events.items;
  CHECK(e[0].rising && !e[0].falling && e[0].stop);
  CHECK(e[1].rising && e[1].falling && !e[1].stop);
  CHECK(e[2].every && e[2].period == 0.5);
  CHECK(!e[3].rising && e[3].falling);
  CHECK_NEAR(bench_eval(&b, e[3].w), 2 - b.q[1], 0);
  CHECK_STR(b.m->plots.items[0].y_text, "x'");
  CHECK_STR(b.m->plots.items[1].x_text, "x");
  CHECK_STR(b.m->expectations.items[0].of, "up");
  CHECK_STR(b.m->expectations.items[1].text, "E = 3 +- 1");
  CHECK_INT(b.m->expectations.items[0].count, 2);
  CHECK_STR(b.m->run.options[1].choice, "moreau");
  CHECK_NEAR(b.m->run.options[0].value, 1e-7, 0);
  CHECK_STR(pw_model_var_name(b.m, pw_var_of(PW_VAR_FORCE, 1)), "force(c[2])");
  CHECK_STR(pw_model_var_name(b.m, pw_var_of(PW_VAR_A, 1)), "y''");
  bench_close(&b);
}

CHECK_MAIN({"examples_have_their_kinds", examples_have_their_kinds},
           {"rolling_disk_values", rolling_disk_values}, {"chain_values", chain_values},
           {"constraint_kinds", constraint_kinds}, {"families_of_vectors", families_of_vectors},
           {"function_values", function_values},
           {"overrides_replace_values", overrides_replace_values},
           {"rates_without_quoting", rates_without_quoting},
           {"results_refer_to_the_model", results_refer_to_the_model})
