// SPDX-License-Identifier: MIT
#include "law/phase.h"

#include "check.h"

static void newton_has_one_phase(void) {
  pw_phase phase[PW_IMPACT_PHASES];
  CHECK_INT(pw_impact_phases(PW_IMPACT_NEWTON, phase), 1);
  pw_phase_rule rule = pw_phase_rule_of(phase[0]);
  CHECK_NEAR(rule.rate_shift, 1, 0);
  CHECK_NEAR(rule.least_impulse, 0, 0);
  CHECK(rule.slips && !rule.bounds);
}

static void poisson_compresses_then_expands(void) {
  pw_phase phase[PW_IMPACT_PHASES];
  CHECK_INT(pw_impact_phases(PW_IMPACT_POISSON, phase), 2);
  pw_phase_rule squeeze = pw_phase_rule_of(phase[0]), expand = pw_phase_rule_of(phase[1]);
  CHECK_NEAR(squeeze.rate_shift, 0, 0);
  CHECK_NEAR(squeeze.slip_shift, 0, 0);
  CHECK_NEAR(squeeze.least_impulse, 0, 0);
  CHECK_NEAR(expand.rate_shift, 0, 0);
  CHECK_NEAR(expand.least_impulse, 1, 0);
  CHECK_NEAR(expand.slip_shift, 1, 0);
}

/* Every law has phases, a word and room for the projection; the longer law wins, in either order.
 */
static void laws_are_rows_of_a_table(void) {
  for (int a = 0; a < PW_IMPACT_KINDS; a++) {
    pw_phase phase[PW_IMPACT_PHASES];
    int n = pw_impact_phases((pw_impact_kind)a, phase);
    CHECK(n >= 1 && n < PW_IMPACT_PHASES);
    CHECK(pw_impact_is_by_rates((pw_impact_kind)a) == (n == 1));
    CHECK(pw_impact_word((pw_impact_kind)a) != NULL);
    CHECK(pw_impact_joined((pw_impact_kind)a, PW_IMPACT_POISSON) == PW_IMPACT_POISSON);
    CHECK(pw_impact_joined(PW_IMPACT_POISSON, (pw_impact_kind)a) == PW_IMPACT_POISSON);
  }
  CHECK(pw_impact_joined(PW_IMPACT_NEWTON, PW_IMPACT_NEWTON) == PW_IMPACT_NEWTON);
}

static void projections_leave_slips_alone(void) {
  pw_phase_rule rule = pw_phase_rule_of(PW_PHASE_PROJECTION);
  CHECK(!rule.slips && rule.bounds);
  CHECK_NEAR(rule.rate_shift + rule.least_impulse + rule.slip_shift, 0, 0);
}

CHECK_MAIN({"newton_has_one_phase", newton_has_one_phase},
           {"poisson_compresses_then_expands", poisson_compresses_then_expands},
           {"laws_are_rows_of_a_table", laws_are_rows_of_a_table},
           {"projections_leave_slips_alone", projections_leave_slips_alone})
