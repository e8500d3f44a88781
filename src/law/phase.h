// SPDX-License-Identifier: MIT
/* Impact laws as data. An impact is a sequence of phases; in each one the rates after it and the
 * impulses of it are complementary (theory (56)-(58)):
 *   0 <= rate+ + shift rate-   _|_   impulse - least >= 0,
 * where rate- is the rate before the whole impact, shift is a multiple of the restitution and
 * `least` a multiple of the impulse of the phase before. Newton's law (Moreau's form) has one
 * phase, Poisson's a compression and an expansion. A projection ends impacts that leave a rate
 * inward. */
#ifndef PW_LAW_PHASE_H
#define PW_LAW_PHASE_H

#include <stdbool.h>

typedef enum pw_phase {
  PW_PHASE_NEWTON,
  PW_PHASE_COMPRESSION,
  PW_PHASE_EXPANSION,
  PW_PHASE_PROJECTION,
  PW_PHASE_COUNT
} pw_phase;

/* Multiples of a contact's restitution e, and of the restitution of its slip. */
typedef struct pw_phase_rule {
  double rate_shift;    /* of e: multiple of the rate before that is added to the rate after */
  double least_impulse; /* of e: least impulse per impulse of the phase before */
  double slip_shift;    /* of the restitution of the slip */
  bool slips;           /* friction and rough rows take part */
  bool bounds;          /* so do one-sided constraints on velocities */
} pw_phase_rule;

pw_phase_rule pw_phase_rule_of(pw_phase phase);

enum { PW_IMPACT_PHASES = 3 }; /* most phases of an impact, its projection included */

/* Impact laws: each is a row of the table in phase.c. */
typedef enum pw_impact_kind { PW_IMPACT_NEWTON, PW_IMPACT_POISSON, PW_IMPACT_KINDS } pw_impact_kind;

/* The clause that states it. */
const char *pw_impact_word(pw_impact_kind law);
/* The phases of an impact by this law; returns how many. */
int pw_impact_phases(pw_impact_kind law, pw_phase *out);
/* The law of a problem over contacts of both: that with more phases. */
pw_impact_kind pw_impact_joined(pw_impact_kind a, pw_impact_kind b);
/* The rate of a contact after an impact follows from that before, whatever its impulses were. */
bool pw_impact_is_by_rates(pw_impact_kind law);

/* Most impacts of single contacts, one after the other, among n that touch: a chain of n passes an
 * impulse on n^2 times. Then all are struck together. */
static inline int pw_impact_most_hits(int n) {
  return 10 * n * n + 100;
}

#endif
