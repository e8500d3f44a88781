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

int pw_impact_phases(bool any_poisson, pw_phase *out) {
  int n = 0;
  out[n++] = any_poisson ? PW_PHASE_COMPRESSION : PW_PHASE_NEWTON;
  if (any_poisson) {
    out[n++] = PW_PHASE_EXPANSION;
  }
  return n;
}
