// SPDX-License-Identifier: MIT
/* verify/check_instant.c, check_forces.c, check_corner.c, check_impact.c, stream.c, verdict.c:
 * which rule accepts or refuses, and what the certificate says. */
#include "verify/checker.h"

#include "verify_support.h"

static const char swing[] = "coordinates x\nkinetic T = 1/2*x'^2\npotential V = 2*x^2\n"
                            "start x = 1\nrun 0..2\n";

static long count(const judged *j, pw_rule rule) {
  return j->c->record.reason[rule].count;
}

/* x = cos w t, and with `force` what a law is said to do. */
static judged swung(const char *text, double w, int rows, double dt) {
  judged j = judged_open(text);
  for (int k = 0; k < rows; k++) {
    double t = k * dt, q = cos(w * t), u = -w * sin(w * t);
    CHECK(pawl_certify_row(j.c, t, &q, &u, NULL) == PAWL_OK);
  }
  pawl_certify_finish(j.c);
  return j;
}

static void right_rows_are_accepted_directly(void) {
  judged j = swung(swing, 2, 101, 0.02);
  CHECK_INT(count(&j, PW_RULE_DIRECT), 101);
  CHECK_INT(j.c->count.n_instant, 101);
  CHECK_INT(j.c->count.n_undecided, 0);
  CHECK_NEAR(j.c->count.seen_time, 4, 1e-12); /* twice the span: before and after each row */
  CHECK_STR(pawl_certify_get(j.c).sentence, "a motion");
  judged_close(&j);
}

/* w^2 = 4.4 in place of 4: force off by 0.4 |x| of |h| + |a| + ..., at x = 1: 0.4/(4 + 4.4 + ...).
 */
static void wrong_forces_are_found(void) {
  judged j = swung(swing, sqrt(4.4), 101, 0.02);
  pw_verify_found f = j.c->record.found[PW_FINDING_GAUSS];
  CHECK(f.value > 0.03 && f.value < 0.4 / 8.4);
  CHECK(f.value > f.tolerance && pawl_certify_get(j.c).verdict == PAWL_NOT_A_MOTION);
  CHECK(strstr(pawl_certify_get(j.c).sentence, "relative error 0.045") != NULL);
  CHECK(strstr(pawl_certify_get(j.c).sentence, "limit 2e-06") != NULL);
  judged_close(&j);
}

/* A block that friction 1 stops at t = 1: beside that instant the windows of fits are short, and
 * their floors high. */
static void windows_end_at_kinks(void) {
  judged j = judged_open("coordinates x\nkinetic T = 1/2*x'^2\n"
                         "friction rub: slip x', bound 1\nstart x = 0, x' = 1\nrun 0..2\n");
  for (int k = 0; k <= 66; k++) {
    double t = 0.03 * k, s = t < 1 ? t : 1, q = s - s * s / 2, u = 1 - s;
    CHECK(pawl_certify_row(j.c, t, &q, &u, NULL) == PAWL_OK);
  }
  pawl_certify_finish(j.c);
  pawl_certificate k = pawl_certify_get(j.c);
  CHECK(k.verdict == PAWL_WEAK);
  CHECK_STR(k.sentence, "a motion; friction acts");
  CHECK_INT(count(&j, PW_RULE_DIRECT), 67);
  CHECK(count(&j, PW_RULE_BLIND) >= 1 && count(&j, PW_RULE_BLIND) <= 10);
  CHECK_INT(count(&j, PW_RULE_BLIND), k.undecided);
  CHECK_NEAR(j.c->record.reason[PW_RULE_BLIND].t, 0.9, 0.1);
  judged_close(&j);
}

/* A velocity off by 1e-3 at one row fits nowhere; the balance of momentum is asked last. */
static void the_weak_form_refuses(void) {
  judged j = judged_open(swing);
  for (int k = 0; k <= 100; k++) {
    double t = 0.02 * k, q = cos(2 * t), u = -2 * sin(2 * t) + (k == 50 ? 1e-3 : 0);
    CHECK(pawl_certify_row(j.c, t, &q, &u, NULL) == PAWL_OK);
  }
  pawl_certify_finish(j.c);
  CHECK(pawl_certify_get(j.c).verdict == PAWL_NOT_A_MOTION);
  pw_verify_found f = j.c->record.found[PW_FINDING_KINEMATIC];
  CHECK_NEAR(f.t, 1, 1e-12);
  CHECK_INT(f.rule, PW_RULE_WEAK_FORM);
  judged_close(&j);
}

/* A force given as 1 where 2 x is needed and made, and a friction force outside its set. */
static void given_forces(void) {
  judged j = judged_open("coordinates x\nkinetic T = 1/2*x'^2\nforce x: 0.5\n"
                         "friction rub: slip x', bound 1\nstart x = 0\nrun 0..1\n");
  for (int k = 0; k <= 20; k++) {
    double q = 0, u = 0, force = k == 10 ? -0.6 : -0.5;
    CHECK(pawl_certify_row(j.c, 0.05 * k, &q, &u, &force) == PAWL_OK);
  }
  pawl_certify_finish(j.c);
  pw_verify_found f = j.c->record.found[PW_FINDING_FORCE];
  CHECK_NEAR(f.t, 0.5, 1e-12);
  CHECK(f.value > f.tolerance && f.value > 0.1);
  CHECK(j.c->record.found[PW_FINDING_SET].value == 0); /* 0.6 < 1 */
  judged_close(&j);
}

/* ---- jumps ---- */

static judged struck(const char *law, const char *more, double after) {
  char text[400];
  snprintf(text, sizeof text,
           "coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\npotential V = 10*y\n"
           "constraint floor: y >= 0, %s\n%sstart x = 0, y = 1\nrun 0..1\n",
           law, more);
  judged j = judged_open(text);
  double before[2][2] = {{0, 0}, {0, -4}}, later[2] = {0, after};
  CHECK(pawl_certify_row(j.c, 0.4, before[0], before[1], NULL) == PAWL_OK);
  CHECK(pawl_certify_row(j.c, 0.4, before[0], later, NULL) == PAWL_OK);
  pawl_certify_finish(j.c);
  return j;
}

static void impacts_name_their_rule(void) {
  judged j = struck("restitution 0.5", "", 2);
  CHECK_INT(count(&j, PW_RULE_CONE), 1);
  CHECK_INT(count(&j, PW_RULE_IMPACT_PLAIN), 1);
  CHECK(j.c->record.found[PW_FINDING_IMPACT].value < 1e-12);
  CHECK_NEAR(j.c->jumps.corner[0].restitution, 0.5, 1e-12);
  judged_close(&j);

  j = struck("restitution 0.5", "", 1); /* 1/4 in place of 1/2 */
  pw_verify_found f = j.c->record.found[PW_FINDING_IMPACT];
  CHECK_NEAR(f.value, 1 / sqrt(2) / 4, 1e-6); /* nearest in impulse and rate, of the speed 4 */
  CHECK(f.value > f.tolerance && f.law == 0);
  judged_close(&j);

  j = struck("poisson 0.5", "friction rub: slip x', mu 0.3 on floor\n", 2);
  CHECK_INT(count(&j, PW_RULE_IMPACT_MODES), 1);
  CHECK(j.c->record.found[PW_FINDING_IMPACT].value < 1e-9);
  judged_close(&j);
}

/* ---- what it says ---- */

static void undecided_gives_advice(void) {
  judged j = judged_open(swing);
  double q = 1, u = 0;
  CHECK(pawl_certify_row(j.c, 0, &q, &u, NULL) == PAWL_OK);
  pawl_certify_finish(j.c);
  CHECK_STR(pawl_certify_get(j.c).sentence,
            "could not be decided at 1 of 1 instants: the rows are too far apart, or too inexact, "
            "to show an error of 0.1 %; try --every 0.2");
  CHECK_STR(j.c->result.advice, "try --every 0.2");
  CHECK_INT(count(&j, PW_RULE_NO_FIT), 1);
  judged_close(&j);
}

CHECK_MAIN({"right rows are accepted directly", right_rows_are_accepted_directly},
           {"wrong forces are found", wrong_forces_are_found},
           {"windows end at kinks", windows_end_at_kinks},
           {"the weak form refuses", the_weak_form_refuses}, {"given forces", given_forces},
           {"impacts name their rule", impacts_name_their_rule},
           {"undecided gives advice", undecided_gives_advice})
