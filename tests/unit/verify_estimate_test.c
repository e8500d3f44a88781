// SPDX-License-Identifier: MIT
/* verify/estimate.c, shaken.c and resolve.c on x'' = -w^2 x: accelerations from samples with their
 * floors, the change of forces with errors of the samples, and rows that do not resolve a motion.
 */
#include "verify/estimate.h"

#include "verify_support.h"

static const char swing[] = "coordinates x\nkinetic T = 1/2*x'^2\npotential V = 2*x^2\n"
                            "start x = 1\nrun 0..4\n";

/* Rows of x = cos 2t every dt; positions off by `error` with alternating sign. */
static judged fed(const char *text, int rows, double dt, double error) {
  judged j = judged_open(text);
  for (int k = 0; k < rows; k++) {
    double t = k * dt, q = cos(2 * t) + (k % 2 == 0 ? error : -error), u = -2 * sin(2 * t);
    CHECK(pawl_certify_row(j.c, t, &q, &u, NULL) == PAWL_OK);
  }
  return j;
}

static pw_estimate at(judged *j, int row) {
  pw_row_view r = pw_row_at(j->c, row);
  CHECK(pw_probe_at(&j->c->probe, r.t, r.q, r.u));
  return pw_estimate_at(j->c, row);
}

static void floors_hold_the_error(void) {
  static const double errors[] = {0, 1e-9, 1e-7};
  double last = 0;
  for (int i = 0; i < 3; i++) {
    judged j = fed(swing, 81, 0.05, errors[i]);
    pw_estimate e = at(&j, 40);
    double off = fabs(e.a[0] + 4 * cos(4));
    CHECK(e.ok && e.inside && off <= 10 * e.floor);
    CHECK(e.floor < (i == 0 ? 1e-6 : 1e-2) && e.floor >= last);
    last = e.floor;
    judged_close(&j);
  }
}

/* Two rows are one window: the slope of the velocity is all there is to compare with. */
static void two_rows_are_few(void) {
  judged j = fed(swing, 2, 0.05, 0);
  pw_estimate e = at(&j, 0);
  CHECK(e.ok && e.few && !e.inside);
  CHECK(fabs(e.a[0] + 4) <= 10 * e.floor && e.floor > 1e-5 * 4);
  judged_close(&j);
}

/* h = -1000 x' - 4 x: errors 1e-9 of the largest speed V0 and distance L0 move it by
 * 1e-9 (1000 V0 + 4 L0) along the residual. */
static void steep_forces_shake(void) {
  judged j = fed("coordinates x\nkinetic T = 1/2*x'^2\npotential V = 2*x^2\n"
                 "dissipation D = 500*x'^2\nstart x = 1\nrun 0..4\n",
                 9, 0.05, 0);
  pawl_certifier *c = j.c;
  pw_row_view r = pw_row_at(c, 4);
  CHECK(pw_probe_at(&c->probe, r.t, r.q, r.u));
  c->room.residual[0] = -7;
  double wanted = 1e-9 * (1000 * c->scale.V0 + 4 * c->scale.L0);
  CHECK_NEAR(pw_estimate_shaken(c, 4), wanted, 1e-6 * wanted);
  CHECK_NEAR(pw_estimate_rank(c, 4), 0, 0); /* no equalities */
  c->room.residual[0] = 0;
  CHECK_NEAR(pw_estimate_shaken(c, 4), 0, 0);
  judged_close(&j);
}

/* One equality: its last pivot is 1, its force is known to the noise. */
static void dependent_equalities(void) {
  judged j = judged_open("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\n"
                         "constraint rod: x = y\nstart x = 0, y = 0, x' = 1, y' = 1\nrun 0..1\n");
  for (int k = 0; k < 5; k++) {
    double t = 0.1 * k, q[2] = {t, t}, u[2] = {1, 1};
    CHECK(pawl_certify_row(j.c, t, q, u, NULL) == PAWL_OK);
  }
  CHECK_NEAR(pw_estimate_rank(j.c, 2), 1e-9, 1e-15);
  judged_close(&j);
}

/* At x = 0, x' = 1 with w = 2: a = 0, a' = -4, largest speed 1: dt |a| + dt^2 |a'| <= 1 up to 1/2.
 */
static void rows_far_apart_do_not_resolve(void) {
  judged j = judged_open(swing);
  double q = 0, u = 1;
  CHECK(pawl_certify_row(j.c, 0, &q, &u, NULL) == PAWL_OK);
  pw_row_view r = pw_row_at(j.c, 0);
  CHECK(pw_verify_resolves(j.c, &r, 10)); /* steps are not known */
  pawl_certify_steps(j.c, 3.9);
  CHECK(pw_verify_resolves(j.c, &r, 10)); /* few of them */
  pawl_certify_steps(j.c, 4);
  CHECK(pw_verify_resolves(j.c, &r, 0.499));
  CHECK(!pw_verify_resolves(j.c, &r, 0.501));
  judged_close(&j);
}

CHECK_MAIN({"floors hold the error", floors_hold_the_error}, {"two rows are few", two_rows_are_few},
           {"steep forces shake", steep_forces_shake},
           {"dependent equalities", dependent_equalities},
           {"rows far apart do not resolve", rows_far_apart_do_not_resolve})
