// SPDX-License-Identifier: MIT
/* The values of the clauses of laws, against formulas written in C at random states. */
#include "unit/model_support.h"

static const char head[] = "parameter m = 2, e = 0.5, k = 30\n"
                           "coordinates x, y, z[1..3]\n"
                           "kinetic T = 1/2*m*(x'^2 + y'^2 + sum(i in 1..3: z[i]'^2))\n";

static void open_laws(bench *b, const char *laws) {
  char text[4096];
  snprintf(text, sizeof text, "%s%s", head, laws);
  bench_open(b, text);
}

static const pw_row *row_of(const bench *b, const char *name) {
  const pw_row *r = bench_row(b, name);
  if (!CHECK(r != NULL)) {
    printf("  no row %s\n", name);
    exit(1);
  }
  return r;
}

static double known(bench *b, pw_node node) {
  return CHECK(node >= 0) ? bench_eval(b, node) : (double)NAN;
}

static void nothing_but(const pw_clauses *c, const pw_clauses *given) {
  CHECK_INT(c->restitution >= 0, given->restitution);
  CHECK_INT(c->mu >= 0, given->mu);
  CHECK_INT(c->bound >= 0, given->bound);
  CHECK_INT(c->static_bound >= 0, given->static_bound);
  CHECK_INT(c->stiffness >= 0, given->stiffness);
  CHECK_INT(c->preload >= 0, given->preload);
  CHECK_INT(c->play_lo >= 0, given->play_lo);
  CHECK_INT(c->play_hi >= 0, given->play_hi);
  CHECK_INT(c->viscous >= 0, given->viscous);
  CHECK_INT(c->phi >= 0, given->phi);
  CHECK_INT(c->on >= 0, given->on);
  CHECK(c->on == -1 || given->on != 0);
}

static void equalities_have_no_clauses(void) {
  bench b;
  open_laws(&b, "constraint rod: x^2 + y^2 = 1\nconstraint two: (x, z[1]) = (1, 2)\n");
  const pw_row *rod = row_of(&b, "rod"), *two = row_of(&b, "two[1]");
  nothing_but(&rod->clause, &(pw_clauses){0});
  CHECK(rod->clause.by == NULL && rod->clause.graph == NULL);
  CHECK_INT(rod->first, 0);
  CHECK_INT(rod->count, 1);
  CHECK_INT(two[0].first, 1);
  CHECK_INT(two[1].first, 1);
  CHECK_INT(two[1].count, 2);
  CHECK(!rod->start_closed && isnan(rod->start_force));
  bench_close(&b);
}

static void contacts_have_restitution(void) {
  bench b;
  open_laws(&b, "constraint a: y >= 0, restitution e*cos(x)^2\n"
                "constraint w[i in 1..3]: z[i] <= i, poisson i/10\n"
                "constraint v: (x, y) >= (-9, -9), restitution 0.25\n"
                "start a closed, w[2] closed\n");
  bench_shake(&b, 3);
  const pw_row *a = row_of(&b, "a"), *w = row_of(&b, "w[1]"), *v = row_of(&b, "v[1]");
  nothing_but(&a->clause, &(pw_clauses){.restitution = 1});
  CHECK_NEAR(known(&b, a->clause.restitution), 0.5 * cos(b.q[0]) * cos(b.q[0]), 1e-15);
  CHECK(a->clause.impact == PW_IMPACT_NEWTON && a->start_closed);
  for (int i = 0; i < 3; i++) {
    CHECK(w[i].clause.impact == PW_IMPACT_POISSON);
    CHECK_NEAR(known(&b, w[i].clause.restitution), (i + 1) / 10.0, 1e-16);
    CHECK_INT(w[i].start_closed, i == 1);
    CHECK_INT(w[i].first, 1 + i);
    CHECK_INT(w[i].count, 1);
  }
  CHECK_NEAR(known(&b, v[1].clause.restitution), 0.25, 0);
  CHECK_INT(v[1].first, 4);
  CHECK(!v[0].start_closed);
  bench_close(&b);
}

static void a_family_is_closed_as_a_whole(void) {
  bench b;
  open_laws(&b, "constraint w[i in 1..3]: z[i] >= 0, restitution 0\n"
                "constraint v: (x, y) >= (0, 0), restitution 0\n"
                "start w closed, v[2] closed\n");
  for (int i = 0; i < 3; i++) {
    CHECK(b.m->rows.items[i].start_closed);
  }
  CHECK(!row_of(&b, "v[1]")->start_closed);
  CHECK(row_of(&b, "v[2]")->start_closed);
  bench_close(&b);
}

static void coulomb_friction_knows_its_contact(void) {
  bench b;
  open_laws(&b, "constraint floor: y >= 0, restitution 0\n"
                "constraint w[i in 1..3]: z[i] >= 0, restitution 0\n"
                "friction rub: slip x' - 1, mu 0.2 + 0.1*exp(-abs(slip)) on floor, static 0.5\n"
                "friction g[i in 1..3]: slip x', mu i/4 on w[i], restitution 0.5\n"
                "friction d: slip (x', z[1]' + x), mu 0.3*norm(slip) + slip[2] on w[3]\n"
                "let pair = (0.2*x^2, 0.1*x^2)\n"
                "friction el: slip (x', z[1]'), mu (0.5*(1 + abs(slip[2])), 0.25*(1 + "
                "abs(slip[2]))) on floor\n"
                "friction named: slip (x', y'), mu pair on w[1], restitution 0.2\n"
                "friction round: slip (x', y'), mu (0.3, 0.3) on w[2]\n");
  bench_shake(&b, 5);
  const pw_clauses *rub = &row_of(&b, "rub")->clause;
  nothing_but(rub, &(pw_clauses){.mu = 1, .static_bound = 1, .on = 1});
  CHECK_INT(rub->on, 0);
  CHECK_NEAR(known(&b, rub->mu), 0.2 + 0.1 * exp(-fabs(b.u[0] - 1)), 1e-15);
  CHECK_NEAR(known(&b, rub->static_bound), 0.5, 0);
  const pw_row *g = row_of(&b, "g[1]");
  for (int i = 0; i < 3; i++) {
    CHECK_INT(g[i].clause.on, 1 + i);
    CHECK_NEAR(known(&b, g[i].clause.mu), (i + 1) / 4.0, 0);
    CHECK_NEAR(known(&b, g[i].clause.restitution), 0.5, 0);
  }
  const pw_row *d = row_of(&b, "d[1]");
  double s1 = b.u[0], s2 = b.u[2] + b.q[0];
  for (int i = 0; i < 2; i++) {
    CHECK_INT(d[i].clause.on, 3);
    CHECK_INT(d[i].first, (int)(d - b.m->rows.items));
    CHECK_INT(d[i].count, 2);
    CHECK_NEAR(known(&b, d[i].clause.mu), 0.3 * sqrt(s1 * s1 + s2 * s2) + s2, 1e-15);
  }
  const pw_row *el = row_of(&b, "el[1]"), *named = row_of(&b, "named[1]");
  for (int i = 0; i < 2; i++) { /* both rows know the whole ellipse */
    nothing_but(&el[i].clause, &(pw_clauses){.mu = 1, .on = 1});
    CHECK_NEAR(known(&b, el[i].clause.mu), 0.5 * (1 + fabs(b.u[2])), 1e-15);
    CHECK_NEAR(el[i].clause.mu_ratio, 0.5, 0);
    nothing_but(&named[i].clause, &(pw_clauses){.mu = 1, .on = 1, .restitution = 1});
    CHECK_NEAR(named[i].clause.mu_ratio, 0.5, 1e-15);
  }
  nothing_but(&row_of(&b, "round[1]")->clause, &(pw_clauses){.mu = 1, .on = 1});
  CHECK_NEAR(row_of(&b, "round[1]")->clause.mu_ratio, 1, 0); /* a disk */
  bench_close(&b);
}

static void friction_with_bound_and_rough(void) {
  bench b;
  open_laws(&b, "constraint c: (x, y) >= (0, 0), restitution 0\n"
                "friction f: slip x' - 2*t, bound 3 + slip^2, static 9\n"
                "friction r: slip (x', y'), rough on c[2], restitution 1\n"
                "friction s: slip x', rough on c[1]\n");
  bench_shake(&b, 7);
  const pw_clauses *f = &row_of(&b, "f")->clause;
  double slip = b.u[0] - 2 * b.t;
  nothing_but(f, &(pw_clauses){.bound = 1, .static_bound = 1});
  CHECK_NEAR(known(&b, f->bound), 3 + slip * slip, 1e-14);
  CHECK_NEAR(known(&b, f->static_bound), 9, 0);
  nothing_but(&row_of(&b, "r[2]")->clause, &(pw_clauses){.restitution = 1, .on = 1});
  CHECK_INT(row_of(&b, "r[2]")->clause.on, 1);
  CHECK_NEAR(known(&b, row_of(&b, "r[1]")->clause.restitution), 1, 0);
  nothing_but(&row_of(&b, "s")->clause, &(pw_clauses){.on = 1});
  CHECK_INT(row_of(&b, "s")->clause.on, 0);
  bench_close(&b);
}

static void springs_and_graphs(void) {
  bench b;
  open_laws(&b, "spring s: stretch x - y, stiffness k*(1 + stretch^2), play -0.1..inf, preload 4\n"
                "spring p: stretch z[1], preload 1 + t^2\n"
                "law l: stretch x, graph (-inf, -1)(0, -1)(0, 2*e)(3, 7)\n"
                "law c: slip x', graph (0, -inf)(0, 0)(inf, 0)\n");
  bench_shake(&b, 11);
  double d = b.q[0] - b.q[1];
  const pw_clauses *s = &row_of(&b, "s")->clause, *p = &row_of(&b, "p")->clause;
  const pw_clauses *l = &row_of(&b, "l")->clause, *c = &row_of(&b, "c")->clause;
  nothing_but(s, &(pw_clauses){.stiffness = 1, .preload = 1, .play_lo = 1, .play_hi = 1});
  CHECK_NEAR(known(&b, s->stiffness), 30 * (1 + d * d), 1e-13);
  CHECK_NEAR(known(&b, s->preload), 4, 0);
  CHECK_NEAR(known(&b, s->play_lo), -0.1, 0);
  CHECK(known(&b, s->play_hi) == (double)INFINITY);
  CHECK(!s->on_slip);
  nothing_but(p, &(pw_clauses){.preload = 1});
  CHECK_NEAR(known(&b, p->preload), 1 + b.t * b.t, 1e-15);
  static const double points[4][2] = {{(double)-INFINITY, -1}, {0, -1}, {0, 1}, {3, 7}};
  if (CHECK_INT(l->n_graph, 4)) {
    for (int i = 0; i < 4; i++) {
      CHECK(l->graph[i].x == points[i][0] && l->graph[i].f == points[i][1]);
    }
  }
  CHECK(!l->on_slip && c->on_slip);
  CHECK_INT(c->n_graph, 3);
  CHECK(c->graph[0].f == (double)-INFINITY && c->graph[2].x == (double)INFINITY);
  bench_close(&b);
}

static void replaced_constraints(void) {
  bench b;
  open_laws(&b, "constraint v: x' = y*y', vakonomic\n"
                "constraint i: (x', y') >= (0, 1), inertia (x'*y, x*y'^2) complementary\n"
                "constraint r: z[1]' >= 0, inertia z[1]'\n"
                "constraint n: x' >= 0, viscous 5 + x^2\n"
                "constraint kv[j in 1..2]: z[j] >= 0, viscous j, stiffness 100*j\n"
                "start force(v) = 3*e, force(i) = (4, 5)\n");
  bench_shake(&b, 13);
  const pw_row *v = row_of(&b, "v"), *i = row_of(&b, "i[1]"), *k = row_of(&b, "kv[1]");
  nothing_but(&v->clause, &(pw_clauses){.phi = 1});
  CHECK_INT(v->clause.phi, v->value);
  CHECK_NEAR(v->start_force, 1.5, 0);
  CHECK_NEAR(known(&b, i[0].clause.phi), b.u[0] * b.q[1], 1e-16);
  CHECK_NEAR(known(&b, i[1].clause.phi), b.q[0] * b.u[1] * b.u[1], 1e-16);
  CHECK(i[0].clause.complementary && i[1].clause.complementary);
  CHECK_NEAR(i[0].start_force, 4, 0);
  CHECK_NEAR(i[1].start_force, 5, 0);
  CHECK(!row_of(&b, "r")->clause.complementary);
  CHECK(isnan(row_of(&b, "r")->start_force));
  nothing_but(&row_of(&b, "n")->clause, &(pw_clauses){.viscous = 1});
  CHECK_NEAR(known(&b, row_of(&b, "n")->clause.viscous), 5 + b.q[0] * b.q[0], 1e-15);
  for (int j = 0; j < 2; j++) {
    CHECK_NEAR(known(&b, k[j].clause.viscous), j + 1, 0);
    CHECK_NEAR(known(&b, k[j].clause.stiffness), 100 * (j + 1), 0);
  }
  bench_close(&b);
}

static void one_start_force_for_a_family(void) {
  bench b;
  open_laws(&b, "constraint v[i in 1..3]: z[i]' = x*y', vakonomic\nstart force(v) = 2\n");
  for (int i = 0; i < 3; i++) {
    CHECK_NEAR(b.m->rows.items[i].start_force, 2, 0);
  }
  bench_close(&b);
}

/* The covector has an entry for coordinates declared behind the servo too. */
static void servos_have_their_covector(void) {
  bench b;
  open_laws(&b, "servo one: x + y = 0, by x\n"
                "servo two: y' >= 1, by (x: 1 + cos(y), z[2]: 3), one-way\n"
                "coordinates late\nkinetic T2 = late'^2\n"
                "body B: mass 1, inertia (1, 2, 3)\n"
                "servo spin: late = 0, by B.w[3]\n");
  bench_shake(&b, 17);
  const pw_clauses *one = &row_of(&b, "one")->clause, *two = &row_of(&b, "two")->clause;
  const pw_clauses *spin = &row_of(&b, "spin")->clause;
  CHECK(!one->one_way && two->one_way);
  CHECK_INT(b.m->nv, 12);
  double wanted[3][12] = {{1}, {1 + cos(b.q[1]), 0, 0, 3}};
  const double *q = &b.q[9]; /* a torque along e3 of space is R^T e3 in the body */
  wanted[2][9] = 2 * (q[1] * q[3] - q[0] * q[2]);
  wanted[2][10] = 2 * (q[2] * q[3] + q[0] * q[1]);
  wanted[2][11] = q[0] * q[0] - q[1] * q[1] - q[2] * q[2] + q[3] * q[3];
  for (int i = 0; i < 12; i++) {
    CHECK_NEAR(known(&b, one->by[i]), wanted[0][i], 1e-15);
    CHECK_NEAR(known(&b, two->by[i]), wanted[1][i], 1e-15);
    CHECK_NEAR(known(&b, spin->by[i]), wanted[2][i], 1e-15);
  }
  bench_close(&b);
}

static void reports(const char *laws, const char *code, const char *message, const char *help) {
  char text[4096];
  bench b;
  snprintf(text, sizeof text, "%s%s", head, laws);
  bench_open_with(&b, text, NULL, 0);
  CHECK(!b.ok);
  if (CHECK_INT(pawl_diags_count(b.diags), 1)) {
    const pawl_diag *d = pawl_diags_get(b.diags, 0);
    CHECK_STR(d->code, code);
    CHECK_STR(d->message, message);
    CHECK(help == NULL || (d->n_help == 1 && strstr(d->help[0], help) != NULL));
  }
  bench_close(&b);
}

static void mistakes_are_reported(void) {
  reports("friction f: slip (x', y'), bound abs(slip)\n", "E0105",
          "expected a number as argument of `abs`, found a vector of 2", "norm");
  reports("constraint v: x' = y*y', vakonomic\nstart force(v) = 1, force(v) = 2\n", "E0304",
          "the start of `force(v)` is given twice", NULL);
  reports("servo s: y' = 1, by (x: cos(y), z[2]: 3, x: 1)\n", "E0218", "`by` names `x` twice",
          "the sum of both");
  reports("constraint c: x = y\nstart c closed\n", "E0306",
          "`c` cannot be closed: it is not a one-sided constraint", NULL);
}

CHECK_MAIN({"equalities have no clauses", equalities_have_no_clauses},
           {"contacts have restitution", contacts_have_restitution},
           {"a family is closed as a whole", a_family_is_closed_as_a_whole},
           {"coulomb friction knows its contact", coulomb_friction_knows_its_contact},
           {"friction with bound and rough", friction_with_bound_and_rough},
           {"springs and graphs", springs_and_graphs},
           {"replaced constraints", replaced_constraints},
           {"one start force for a family", one_start_force_for_a_family},
           {"servos have their covector", servos_have_their_covector},
           {"mistakes are reported", mistakes_are_reported})
