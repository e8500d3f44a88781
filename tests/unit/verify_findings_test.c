// SPDX-License-Identifier: MIT
/* verify/findings.c: the worst of each kind, floors, and the rules that decided. */
#include "verify/findings.h"

#include "check.h"

static pw_verify_found value(double x, double tolerance, double t) {
  return pw_found(x, tolerance, t, 3, PW_RULE_WEAK_FORM);
}

static void the_worst_stays(void) {
  pw_record r = pw_record_new(1e-6);
  CHECK(isnan(r.found[PW_FINDING_GAUSS].t));
  pw_found_note(&r, PW_FINDING_GAUSS, value(2e-6, 1e-5, 1));
  pw_found_note(&r, PW_FINDING_GAUSS, value(3e-6, 3e-5, 2)); /* larger, but less of its tolerance */
  CHECK_NEAR(r.found[PW_FINDING_GAUSS].t, 1, 0);
  pw_found_note(&r, PW_FINDING_GAUSS, value(1e-6, 2e-6, 3));
  CHECK_NEAR(r.found[PW_FINDING_GAUSS].t, 3, 0);
  CHECK_INT(r.found[PW_FINDING_GAUSS].rule, PW_RULE_WEAK_FORM);
  pw_found_note(&r, PW_FINDING_GAUSS, value(NAN, 1, 4));
  CHECK(isinf(r.found[PW_FINDING_GAUSS].value));
}

/* tol 1e-6: the tolerance is 1e-6 + 10 floor. */
static void floors_widen_the_tolerance(void) {
  pw_record r = pw_record_new(1e-6);
  CHECK(pw_found_fits(&r, 1.1e-5, 1e-6));
  CHECK(!pw_found_fits(&r, 1.2e-5, 1e-6));
  pw_found_judge(&r, PW_FINDING_FORCE, value(5e-6, 0, 1), 1e-6);
  CHECK_NEAR(r.found[PW_FINDING_FORCE].tolerance, 1.1e-5, 1e-20);
}

/* An error of 1e-3 shows up to a floor of 1e-4; a floor above 3e-2 shows nothing at all. */
static void blind_instants_find_nothing(void) {
  pw_record r = pw_record_new(1e-6);
  CHECK(!pw_found_is_blind(0.99e-4));
  CHECK(pw_found_is_blind(1.01e-4));
  pw_found_judge(&r, PW_FINDING_FORCE, value(1e-4, 0, 1), 1e-3); /* within, and not seen */
  CHECK(isnan(r.found[PW_FINDING_FORCE].t));
  pw_found_judge(&r, PW_FINDING_FORCE, value(1, 0, 2), 3.1e-2);
  CHECK(isnan(r.found[PW_FINDING_FORCE].t));
  pw_found_judge(&r, PW_FINDING_FORCE, value(1, 0, 3), 2.9e-2);
  CHECK_NEAR(r.found[PW_FINDING_FORCE].t, 3, 0);
}

static void reasons_are_counted(void) {
  pw_record r = pw_record_new(1e-6);
  pw_reason_note(&r, PW_RULE_SAMPLE_ERROR, 0.5, 1e-4);
  pw_reason_note(&r, PW_RULE_SAMPLE_ERROR, 0.7, 3e-4);
  pw_reason_note(&r, PW_RULE_SAMPLE_ERROR, 0.9, 2e-4);
  CHECK_INT(r.reason[PW_RULE_SAMPLE_ERROR].count, 3);
  CHECK_NEAR(r.reason[PW_RULE_SAMPLE_ERROR].t, 0.5, 0);
  CHECK_NEAR(r.reason[PW_RULE_SAMPLE_ERROR].value, 3e-4, 0);
  CHECK_INT(r.reason[PW_RULE_DIRECT].count, 0);
  CHECK_STR(pw_rule_name(PW_RULE_SAMPLE_ERROR), "sample error");
  CHECK_STR(pw_finding_name(PW_FINDING_BREAK), "smoothness");
}

static void the_largest_hidden_part_stays(void) {
  pw_record r = pw_record_new(1e-6);
  pw_record_hide(&r, 0.02, 1);
  pw_record_hide(&r, 0.01, 2);
  CHECK_NEAR(r.hidden, 0.02, 0);
  CHECK_NEAR(r.hidden_t, 1, 0);
}

CHECK_MAIN({"the worst stays", the_worst_stays},
           {"floors widen the tolerance", floors_widen_the_tolerance},
           {"blind instants find nothing", blind_instants_find_nothing},
           {"reasons are counted", reasons_are_counted},
           {"the largest hidden part stays", the_largest_hidden_part_stays})
