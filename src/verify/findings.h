// SPDX-License-Identifier: MIT
/* The findings of a certificate, and the rules that accepted or refused its rows. */
#ifndef PW_VERIFY_FINDINGS_H
#define PW_VERIFY_FINDINGS_H

#include <stdbool.h>
#include <stdint.h>

/* Name and printed name. Values are relative: to the size of the motion, of the forces, of the
 * jump. */
#define PW_FINDING_LIST(F)           \
  F(GAP, "gap")                      \
  F(POSITION, "position constraint") \
  F(VELOCITY, "velocity constraint") \
  F(KINEMATIC, "velocity")           \
  F(ALEMBERT, "d'Alembert")          \
  F(JOURDAIN, "Jourdain")            \
  F(GAUSS, "Gauss")                  \
  F(FORCE, "force")                  \
  F(SET, "force law")                \
  F(BREAK, "smoothness")             \
  F(MOMENTUM, "momentum")            \
  F(ENERGY, "energy")                \
  F(HOLD, "hold")                    \
  F(CONTINUITY, "continuity")        \
  F(IMPULSE, "impulse")              \
  F(IMPACT, "impact law")            \
  F(EVENT, "events")                 \
  F(SIGNAL, "signals")

typedef enum pw_finding_kind {
#define PW_FINDING_ENUM(name, text) PW_FINDING_##name,
  PW_FINDING_LIST(PW_FINDING_ENUM)
#undef PW_FINDING_ENUM
      PW_FINDINGS
} pw_finding_kind;

/* The rules by which instants, jumps and intervals are accepted or refused: printed name. The table
 * of docs/certificates.md explains them. */
#define PW_RULE_LIST(R)                         \
  R(DIRECT, "direct")                           \
  R(FIT_ERROR, "fit error")                     \
  R(SAMPLE_ERROR, "sample error")               \
  R(FEWER_ROWS, "fewer rows")                   \
  R(BETWEEN_ROWS, "between rows")               \
  R(WEAK_FORM, "weak form")                     \
  R(IMPACT_NEAR, "impact near")                 \
  R(KINK_NEAR, "kink near")                     \
  R(UNRESOLVED, "unresolved")                   \
  R(BLIND, "blind")                             \
  R(NO_FIT, "no fit")                           \
  R(INTERVAL, "interval")                       \
  R(INTERVAL_UNRESOLVED, "interval unresolved") \
  R(ENERGY_BALANCE, "energy balance")           \
  R(ENERGY_UNRESOLVED, "energy unresolved")     \
  R(CONE, "normal cone")                        \
  R(CONE_PULLS, "normal cone, rough pull")      \
  R(CONE_RESTS, "normal cone, short bounces")   \
  R(BOUNCES_FADE, "bounces fade")               \
  R(BOUNCES_STOP, "bounces stop")               \
  R(IMPACT_PLAIN, "impact, closed form")        \
  R(IMPACT_RESIDUAL, "impact, residual")        \
  R(IMPACT_MODES, "impact, search of modes")    \
  R(IMPACT_STEPS, "impact, step by step")       \
  R(IMPACT_ENDS, "impact ends bounces")         \
  R(IMPACT_OWED, "impact missing")              \
  R(IMPACT_UNKNOWN, "impact undetermined")      \
  R(STEP, "step")                               \
  R(STEP_LOCKED, "step locked by friction")

typedef enum pw_rule {
#define PW_RULE_ENUM(name, text) PW_RULE_##name,
  PW_RULE_LIST(PW_RULE_ENUM)
#undef PW_RULE_ENUM
      PW_RULES
} pw_rule;

/* Sizes of the motion that findings are relative to. They grow while the motion goes on, and what
 * was large at its faint beginning may be nothing in the end. */
typedef enum pw_size_kind {
  PW_SIZE_FIXED,
  PW_SIZE_FORCE,
  PW_SIZE_SPEED,
  PW_SIZE_PLACE
} pw_size_kind;

typedef struct pw_verify_found { /* the worst of its kind */
  double value, tolerance, t;    /* t NAN: nothing yet */
  int law;                       /* model row, or -1 */
  pw_rule rule;                  /* the rule that value and tolerance come from */
  pw_size_kind to;               /* what it is relative to; */
  double own, whole;             /* its own size there; the same with that of the motion so far */
} pw_verify_found;

static inline pw_verify_found pw_found(double value, double tolerance, double t, int law,
                                       pw_rule rule) {
  return (pw_verify_found){value, tolerance, t, law, rule, PW_SIZE_FIXED, 0, 0};
}

typedef struct pw_reason { /* how often a rule decided */
  int64_t count;
  double t, value; /* first time; largest value */
} pw_reason;

typedef struct pw_record {        /* written by findings.c only */
  double tol;                     /* relative error above which a check fails */
  double size[PW_SIZE_PLACE + 1]; /* of the motion so far */
  pw_verify_found found[PW_FINDINGS];
  pw_reason reason[PW_RULES];
  double hidden, hidden_t; /* largest part of the momentum that no row explains; when */
  bool rubs;               /* some dry friction had a force */
} pw_record;

pw_record pw_record_new(double tol);
pw_verify_found pw_found_none(void);
const char *pw_finding_name(pw_finding_kind kind);
const char *pw_rule_name(pw_rule rule);

/* Makes a finding relative to the present size of the motion. */
void pw_found_renew(const pw_record *r, pw_verify_found *f);
/* Keeps the worst of its kind, by value / tolerance. */
void pw_found_note(pw_record *r, pw_finding_kind kind, pw_verify_found f);
/* The same where numbers are known up to a floor (f.tolerance is not used): the tolerance is that
 * much larger, and an error that the floor hides is no finding. */
void pw_found_judge(pw_record *r, pw_finding_kind kind, pw_verify_found f, double floor);
/* value is at most the tolerance that belongs to a floor. */
bool pw_found_fits(const pw_record *r, double value, double floor);
/* The floor is too high to show an error that must be seen. */
bool pw_found_is_blind(double floor);

/* A rule decided at time t about this value. */
void pw_reason_note(pw_record *r, pw_rule rule, double t, double value);
/* Some dry friction has a force, or none has. */
void pw_record_rubs(pw_record *r, bool acts);
/* A part of the momentum that impacts between rows could have changed. */
void pw_record_hide(pw_record *r, double part, double t);

#endif
