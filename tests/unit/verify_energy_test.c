// SPDX-License-Identifier: MIT
/* verify/energy.c: the balance of energy between rows, with numbers known beforehand. */
#include "verify/checker.h"

#include "verify_support.h"

static const char free_body[] = "coordinates x\nkinetic T = 1/2*x'^2\nstart x = 0\nrun 0..1\n";

/* x' = 1 + rise t on 101 rows. */
static pw_verify_found energy_of(const char *text, double rise, pawl_verdict *verdict, long *rule) {
  judged j = judged_open(text);
  for (int k = 0; k <= 100; k++) {
    double t = 0.01 * k, q = t + rise * t * t / 2, u = 1 + rise * t;
    CHECK(pawl_certify_row(j.c, t, &q, &u, NULL) == PAWL_OK);
  }
  pawl_certify_finish(j.c);
  pw_verify_found f = j.c->record.found[PW_FINDING_ENERGY];
  *verdict = pawl_certify_get(j.c).verdict;
  *rule = j.c->record.reason[PW_RULE_ENERGY_BALANCE].count;
  judged_close(&j);
  return f;
}

static void energy_from_nowhere(void) {
  pawl_verdict verdict;
  long balances;
  pw_verify_found f = energy_of(free_body, 0, &verdict, &balances);
  CHECK(f.value < 1e-15 && verdict == PAWL_STRONG && balances > 90);
  f = energy_of(free_body, 1e-3, &verdict, &balances);
  CHECK_NEAR(f.value, (1.001 * 1.001 - 1) / 2 / (1.001 * 1.001), 1e-9); /* of V0^2 */
  CHECK_INT(f.rule, PW_RULE_ENERGY_BALANCE);
  CHECK(f.value > f.tolerance && verdict == PAWL_NOT_A_MOTION);
}

/* The same motion under a force that does the work; without one the energy falls short. */
static void work_is_counted(void) {
  pawl_verdict verdict;
  long balances;
  const char *pulled =
      "coordinates x\nkinetic T = 1/2*x'^2\nforce x: 1e-3\nstart x = 0\nrun 0..1\n";
  pw_verify_found f = energy_of(pulled, 1e-3, &verdict, &balances);
  CHECK(f.value <= f.tolerance && f.value < 1e-9 && verdict == PAWL_STRONG);
  f = energy_of(pulled, 0, &verdict, &balances);
  CHECK_NEAR(f.value, 1e-3, 1e-9);
}

CHECK_MAIN({"energy from nowhere", energy_from_nowhere}, {"work is counted", work_is_counted})
