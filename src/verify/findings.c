// SPDX-License-Identifier: MIT
#include "verify/findings.h"

#include <math.h>

#include "base/real.h"
#include "law/scale_verify.h"

static const char *const finding_names[PW_FINDINGS] = {
#define FINDING_NAME(name, text) text,
    PW_FINDING_LIST(FINDING_NAME)
#undef FINDING_NAME
};

static const char *const rule_names[PW_RULES] = {
#define RULE_NAME(name, text) text,
    PW_RULE_LIST(RULE_NAME)
#undef RULE_NAME
};

pw_verify_found pw_found_none(void) {
  return (pw_verify_found){.t = NAN, .law = -1, .tolerance = 1};
}

pw_record pw_record_new(double tol) {
  pw_record r = {.tol = tol};
  for (int i = 0; i < PW_FINDINGS; i++) {
    r.found[i] = pw_found_none();
  }
  return r;
}

const char *pw_finding_name(pw_finding_kind kind) {
  return finding_names[kind];
}

const char *pw_rule_name(pw_rule rule) {
  return rule_names[rule];
}

void pw_found_renew(const pw_record *r, pw_verify_found *f) {
  double now = f->own + r->size[f->to];
  if (f->to == PW_SIZE_FIXED || !(now > f->whole)) {
    return;
  }
  double part = f->whole / now;
  f->value *= part;
  f->tolerance = r->tol + part * (f->tolerance - r->tol);
  f->whole = now;
}

void pw_found_note(pw_record *r, pw_finding_kind kind, pw_verify_found f) {
  pw_verify_found *worst = &r->found[kind];
  pw_found_renew(r, worst);
  bool worse = f.value * worst->tolerance > worst->value * f.tolerance;
  if (isnan(worst->t) || isnan(f.value) || worse) {
    *worst = f;
    worst->value = isnan(f.value) ? INFINITY : f.value;
  }
}

bool pw_found_fits(const pw_record *r, double value, double floor) {
  return value <= r->tol + PW_SCALE(CERT_MARGIN) * floor;
}

bool pw_found_is_blind(double floor) {
  return !(PW_SCALE(CERT_MARGIN) * floor <= PW_SCALE(CERT_SEEN));
}

void pw_found_judge(pw_record *r, pw_finding_kind kind, pw_verify_found f, double floor) {
  f.tolerance = r->tol + PW_SCALE(CERT_MARGIN) * floor;
  if (!(floor <= PW_SCALE(CERT_BLIND))) {
    return;
  }
  if (!(f.value <= f.tolerance) || !pw_found_is_blind(floor)) {
    pw_found_note(r, kind, f);
  }
}

void pw_reason_note(pw_record *r, pw_rule rule, double t, double value) {
  pw_reason *reason = &r->reason[rule];
  if (reason->count++ == 0) {
    *reason = (pw_reason){1, t, value};
  }
  reason->value = pw_max(reason->value, value);
}

void pw_record_rubs(pw_record *r, bool acts) {
  r->rubs = r->rubs || acts;
}

void pw_record_hide(pw_record *r, double part, double t) {
  if (part > r->hidden) {
    r->hidden = part;
    r->hidden_t = t;
  }
}
