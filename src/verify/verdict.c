// SPDX-License-Identifier: MIT
/* What follows from all that was found. */
#include <math.h>
#include <stdio.h>

#include "base/real.h"
#include "verify/checker.h"

static const char *const names[PW_FINDINGS] = {
#define FINDING_NAME(name, text) text,
    PW_FINDING_LIST(FINDING_NAME)
#undef FINDING_NAME
};

const char *pawl_verdict_text(pawl_verdict verdict) {
  switch (verdict) {
  case PAWL_STRONG: return "STRONG";
  case PAWL_WEAK: return "WEAK";
  case PAWL_NOT_A_MOTION: return "NOT A MOTION";
  case PAWL_UNDECIDED: return "UNDECIDED";
  case PAWL_NOT_CHECKED: break;
  }
  return "NOT CHECKED";
}

/* Distances and speeds become relative to the size of the motion; where nothing moves, to places,
 * which are exact only to rounding. */
static void settle_scales(pawl_certifier *c) {
  static const pw_finding_kind absolute[] = {PW_FINDING_GAP, PW_FINDING_POSITION,
                                             PW_FINDING_VELOCITY};
  double distance = pw_max(c->L0, 1e-8 * pw_verify_place(c));
  for (int i = 0; i < 3; i++) {
    pw_verify_found *f = &c->found[absolute[i]];
    double whole = absolute[i] == PW_FINDING_VELOCITY ? c->V0 : distance;
    f->value = f->value == 0 ? 0 : f->value / whole;
    f->tolerance = pw_max(c->opts.tol, 1e3 * c->opts.noise);
  }
}

static int worst_of(const pawl_certifier *c) {
  int worst = -1;
  double most = -1;
  for (int i = 0; i < PW_FINDINGS; i++) {
    double ratio = isnan(c->found[i].t) ? -1 : c->found[i].value / c->found[i].tolerance;
    if (ratio > most || isnan(ratio)) {
      most = ratio;
      worst = i;
    }
  }
  return worst;
}

static const char *law_name(const pawl_certifier *c, int law) {
  return law < 0 ? "" : c->sys->model->rows.items[law].name;
}

/* What it means that a finding of this kind is too large. */
static const char *meaning(pw_finding_kind kind) {
  switch (kind) {
  case PW_FINDING_GAP: return "the constraint is violated";
  case PW_FINDING_POSITION: return "the positions do not satisfy the constraint";
  case PW_FINDING_VELOCITY: return "the velocities do not satisfy the constraint";
  case PW_FINDING_KINEMATIC: return "the velocities are not the rates of the positions";
  case PW_FINDING_ALEMBERT: return "no force that the laws allow makes this acceleration";
  case PW_FINDING_JOURDAIN:
    return "no force that the laws allow at this velocity makes this "
           "acceleration";
  case PW_FINDING_GAUSS: return "another acceleration would be less constrained";
  case PW_FINDING_FORCE: return "the forces given are not those that make this acceleration";
  case PW_FINDING_SET: return "the law cannot have the force given";
  case PW_FINDING_BREAK: return "the motion has a break where no event is";
  case PW_FINDING_MOMENTUM:
    return "no impulse that the laws allow makes the velocities of this row from those before it";
  case PW_FINDING_HOLD: return "the law lets go, or does not take hold, where it can hold";
  case PW_FINDING_ENERGY: return "energy has come from nowhere, or gone";
  case PW_FINDING_CONTINUITY: return "the positions jump";
  case PW_FINDING_IMPULSE: return "no impulse that the laws allow makes this jump";
  case PW_FINDING_IMPACT: return "the velocities after the impact are not those of its law";
  case PW_FINDING_EVENT:
  case PW_FINDINGS: break;
  }
  return "";
}

/* Ten rows of somebody else's show little more than a polynomial through them. */
static bool has_few_rows(const pawl_certifier *c) {
  return c->find_noise && c->n_rows <= 10;
}

static void say_undecided(pawl_certifier *c) {
  size_t room = sizeof c->sentence;
  if (has_few_rows(c)) {
    snprintf(c->sentence, room, "%ld rows are too few to tell", c->n_rows);
    return;
  }
  if (c->sys->n_state > 0 && !c->has_state && c->n_instant > 0) {
    const char *law = law_name(c, c->sys->row_of[c->sys->state_row[0]]);
    snprintf(c->sentence, room,
             "the multiplier of `%s` is a state that is not given, and the motion does not tell it "
             "well enough%s: add the column force(%s)",
             law, c->hidden > PW_BLIND ? " at impacts" : "", law);
    return;
  }
  if (!isnan(c->no_numbers)) {
    snprintf(c->sentence, room, "the row at t = %.9g has values that are not finite numbers",
             c->no_numbers);
    return;
  }
  if (!isnan(c->unjudged)) {
    const char *law = law_name(c, c->unjudged_law);
    snprintf(c->sentence, room,
             "at t = %.9g%s%s%s so many contacts are struck that their law was not followed to "
             "the end",
             c->unjudged, *law ? " with `" : "", law, *law ? "`" : "");
    return;
  }
  if (c->hidden > PW_BLIND && c->seen_time > c->blind_time) {
    snprintf(c->sentence, room,
             "too little is known about what happens at t = %.9g: %.2g of the momentum could come "
             "from nowhere",
             c->hidden_t, c->hidden);
    return;
  }
  snprintf(c->sentence, room,
           c->n_instant == 0 ? "there are too few rows to tell"
                             : "the rows are too far apart, or too rough: at %ld of %ld instants "
                               "an error of a thousandth would not show",
           c->n_undecided, c->n_instant);
}

static void say(pawl_certifier *c, int worst) {
  const pw_verify_found *f = worst < 0 ? NULL : &c->found[worst];
  size_t room = sizeof c->sentence;
  switch (c->verdict) {
  case PAWL_NOT_A_MOTION: {
    if (worst == PW_FINDING_EVENT) {
      snprintf(c->sentence, room, "at t = %.9g the list of events is wrong: %s", f->t,
               c->event_note);
      break;
    }
    const char *law = law_name(c, f->law);
    snprintf(c->sentence, room,
             "at t = %.9g%s%s%s %s: off by %.2g of what it is compared with, "
             "more than %.2g",
             f->t, *law ? " `" : "", law, *law ? "`:" : "", meaning((pw_finding_kind)worst),
             f->value, f->tolerance);
    break;
  }
  case PAWL_UNDECIDED: say_undecided(c); break;
  case PAWL_WEAK:
    snprintf(c->sentence, room, "a motion; %s",
             c->gained > c->opts.tol ? "some impact gains energy"
             : c->lost > c->opts.tol ? "impacts lose energy"
                                     : "friction acts");
    break;
  case PAWL_STRONG:
    snprintf(c->sentence, room,
             c->n_corner > 0 ? "a motion; every impact keeps the energy" : "a motion");
    break;
  case PAWL_NOT_CHECKED: break;
  }
}

void pw_verify_verdict(pawl_certifier *c) {
  settle_scales(c);
  pw_energy_settle(c);
  int worst = worst_of(c);
  bool broken = worst >= 0 && !(c->found[worst].value <= c->found[worst].tolerance);
  bool gains = c->gained > c->opts.tol, loses = c->lost > c->opts.tol;
  if (broken) {
    c->verdict = PAWL_NOT_A_MOTION;
  } else if (!(c->seen_time > c->blind_time) || c->hidden > PW_BLIND || has_few_rows(c) ||
             !isnan(c->unjudged) || !isnan(c->no_numbers)) {
    c->verdict = PAWL_UNDECIDED;
  } else {
    c->verdict = gains || loses || c->rubs ? PAWL_WEAK : PAWL_STRONG;
    c->subclass = c->verdict == PAWL_STRONG ? "" : gains ? "energy-gaining" : "dissipative";
  }
  say(c, worst);
}

/* ---- what is asked ---- */

const double *pawl_certify_direction(const pawl_certifier *c, double *t) {
  const pw_verify_found *f = c == NULL ? NULL : &c->found[PW_FINDING_ALEMBERT];
  bool any = f != NULL && !isnan(c->against_t) && f->value > f->tolerance;
  if (t != NULL) {
    *t = any ? c->against_t : NAN;
  }
  return any ? c->against : NULL;
}

const pawl_vary *pawl_certify_variations(const pawl_certifier *c) {
  return c == NULL ? NULL : c->vary;
}

int pawl_certify_findings(const pawl_certifier *c) {
  return c == NULL ? 0 : PW_FINDINGS;
}

pawl_finding pawl_certify_finding(const pawl_certifier *c, int i) {
  if (c == NULL || i < 0 || i >= PW_FINDINGS) {
    return (pawl_finding){"", "", NAN, NAN, NAN};
  }
  const pw_verify_found *f = &c->found[i];
  return (pawl_finding){names[i], law_name(c, f->law), f->t, f->value, f->tolerance};
}

pawl_certificate pawl_certify_get(const pawl_certifier *c) {
  if (c == NULL) {
    return (pawl_certificate){.subclass = "", .sentence = "", .worst = {"", "", NAN, NAN, NAN}};
  }
  pawl_certificate out = {.verdict = c->verdict,
                          .subclass = c->subclass,
                          .sentence = c->sentence,
                          .worst = pawl_certify_finding(c, worst_of(c)),
                          .rows = c->n_rows,
                          .instants = c->n_instant,
                          .corners = c->n_corner,
                          .undecided = c->n_undecided};
  return out;
}
