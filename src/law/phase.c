// SPDX-License-Identifier: MIT
#include "law/phase.h"

static const pw_phase_rule rules[PW_PHASE_COUNT] = {
    [PW_PHASE_NEWTON] = {.rate_shift = 1, .slip_shift = 1, .slips = true},
    [PW_PHASE_COMPRESSION] = {.slips = true},
    [PW_PHASE_EXPANSION] = {.least_impulse = 1, .slip_shift = 1, .slips = true},
    [PW_PHASE_PROJECTION] = {.bounds = true},
};

pw_phase_rule pw_phase_rule_of(pw_phase phase) {
  return rules[phase];
}

static const struct impact_law {
  const char *word;
  int n; /* phases, not counting the projection */
  pw_phase phase[PW_IMPACT_PHASES - 1];
} laws[PW_IMPACT_KINDS] = {
    [PW_IMPACT_NEWTON] = {"restitution", 1, {PW_PHASE_NEWTON}},
    [PW_IMPACT_POISSON] = {"poisson", 2, {PW_PHASE_COMPRESSION, PW_PHASE_EXPANSION}},
};

const char *pw_impact_word(pw_impact_kind law) {
  return laws[law].word;
}

int pw_impact_phases(pw_impact_kind law, pw_phase *out) {
  for (int k = 0; k < laws[law].n; k++) {
    out[k] = laws[law].phase[k];
  }
  return laws[law].n;
}

pw_impact_kind pw_impact_joined(pw_impact_kind a, pw_impact_kind b) {
  return laws[b].n > laws[a].n ? b : a;
}

bool pw_impact_is_by_rates(pw_impact_kind law) {
  return laws[law].n == 1;
}
