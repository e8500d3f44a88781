// SPDX-License-Identifier: MIT
/* The verdict, and its sentence. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_verify.h"
#include "verify/checker.h"

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
  double distance = pw_max(c->scale.L0, PW_SCALE(CERT_UNMOVED) * c->scale.place);
  pw_hand_show_events(c);
  for (int i = 0; i < 3 && !c->hand.steps; i++) { /* of piles: relative to the sizes of shapes */
    pw_verify_found *f = &c->record.found[absolute[i]];
    double whole = absolute[i] == PW_FINDING_VELOCITY ? pw_scale_velocity(c) : distance;
    f->value = f->value == 0 ? 0 : f->value / whole;
    f->tolerance = pw_max(c->opts.tol, PW_SCALE(CERT_NOISE_SUM) * c->data.noise);
  }
  pw_hand_merge(c);
}

static int worst_of(const pawl_certifier *c) {
  int worst = -1;
  double most = -1;
  for (int i = 0; i < PW_FINDINGS; i++) {
    double ratio =
        isnan(c->record.found[i].t) ? -1 : c->record.found[i].value / c->record.found[i].tolerance;
    if (ratio > most || isnan(ratio)) {
      most = ratio;
      worst = i;
    }
  }
  return worst;
}

pw_rule pw_worst_rule(const pawl_certifier *c) {
  int worst = worst_of(c);
  return worst < 0 ? PW_RULE_DIRECT : c->record.found[worst].rule;
}

static const char *law_name(const pawl_certifier *c, int law) {
  return law < 0 ? "" : c->sys->model->rows.items[law].name;
}

/* The meaning of a finding beyond its tolerance. */
static const char *meaning(pw_finding_kind kind) {
  switch (kind) {
  case PW_FINDING_GAP: return "the constraint is violated";
  case PW_FINDING_POSITION: return "the positions do not satisfy the constraint";
  case PW_FINDING_VELOCITY: return "the velocities do not satisfy the constraint";
  case PW_FINDING_KINEMATIC: return "the velocities are not the rates of the positions";
  case PW_FINDING_ALEMBERT: return "no force that the laws allow makes this acceleration";
  case PW_FINDING_JOURDAIN:
    return "no force that the laws allow at this velocity makes this acceleration";
  case PW_FINDING_GAUSS: return "another acceleration would be less constrained";
  case PW_FINDING_FORCE: return "the forces given are not those that make this acceleration";
  case PW_FINDING_SET: return "the law cannot have the force given";
  case PW_FINDING_BREAK: return "the motion has a break where no event is";
  case PW_FINDING_MOMENTUM:
    return "no impulse that the laws allow makes the velocities of this row from those before it";
  case PW_FINDING_HOLD: return "the law lets go, or does not take hold, where it can hold";
  case PW_FINDING_ENERGY: return "the energy is not balanced";
  case PW_FINDING_CONTINUITY: return "the positions jump";
  case PW_FINDING_SIGNAL: return "a state, a sample or a delay is not what the model says";
  case PW_FINDING_IMPULSE: return "no impulse that the laws allow makes this jump";
  case PW_FINDING_IMPACT: return "the velocities after the impact are not those of its law";
  case PW_FINDING_EVENT:
  case PW_FINDINGS: break;
  }
  return "";
}

/* Ten rows of another program show little more than a polynomial through them. */
static bool has_few_rows(const pawl_certifier *c) {
  return c->data.find_noise && c->count.n_rows <= 10;
}

/* Rows of a table do not show what inputs, states, samples and delays did between them: pulses that
 * push and pull back leave no trace in any row. What rows can show all the same: violated
 * constraints, velocities that are not the rates of the positions, and a list of events that has
 * other states than the rows, or impulses that do not make their jumps. Forces are not among it: at
 * an instant where a law switches a row has those of one side only. */
static bool is_hidden_by_signals(const pawl_certifier *c) {
  static const pw_finding_kind shown[] = {PW_FINDING_GAP,        PW_FINDING_POSITION,
                                          PW_FINDING_VELOCITY,   PW_FINDING_KINEMATIC,
                                          PW_FINDING_CONTINUITY, PW_FINDING_EVENT};
  bool broken = false;
  for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
    const pw_verify_found *f = &c->record.found[shown[i]];
    broken = broken || (!isnan(f->t) && !(f->value <= f->tolerance));
  }
  return pw_first_signal(c->sys->model) != NULL && c->own.number == 0 && !broken;
}

typedef enum doubt {
  HIDDEN_SIGNAL,
  FEW_ROWS,
  NO_NUMBERS,
  UNKNOWN_STATE,
  UNJUDGED_IMPACT,
  UNSEEN,
  HIDDEN_MOMENTUM,
  COARSE_ROWS
} doubt;

/* Why nothing is decided. */
static doubt doubt_of(const pawl_certifier *c) {
  if (c->result.signals_hide) {
    return HIDDEN_SIGNAL;
  }
  if (has_few_rows(c)) {
    return FEW_ROWS;
  }
  if (!isnan(c->stream.no_numbers)) {
    return NO_NUMBERS;
  }
  if (c->count.n_instant == 0) {
    return FEW_ROWS;
  }
  if (c->sys->n_state > 0 && !c->stream.has_state) {
    return UNKNOWN_STATE;
  }
  if (!isnan(c->jumps.unjudged)) {
    return UNJUDGED_IMPACT;
  }
  if (c->opts.unseen > 0) {
    return UNSEEN;
  }
  bool seen = c->count.seen_time > c->count.blind_time;
  return c->record.hidden > PW_SCALE(CERT_BLIND) && seen ? HIDDEN_MOMENTUM : COARSE_ROWS;
}

static const char *state_law(const pawl_certifier *c) {
  return law_name(c, c->sys->row_of[c->sys->state_row[0]]);
}

static void say_undecided(pawl_certifier *c, doubt why) {
  size_t room = sizeof c->result.sentence;
  char *to = c->result.sentence;

  /* Each doubt has a sentence: what is missing, and where that shows first. */
  switch (why) {
  case HIDDEN_SIGNAL:
    snprintf(to, room,
             "could not be decided: the rows do not show what the signals of the model did between "
             "them");
    break;
  case FEW_ROWS:
    snprintf(to, room, "could not be decided: %" PRId64 " row%s too few", c->count.n_rows,
             c->count.n_rows == 1 ? " is" : "s are");
    break;
  case NO_NUMBERS:
    snprintf(to, room, "the row at t = %.9g has values that are not finite numbers",
             c->stream.no_numbers);
    break;
  case UNKNOWN_STATE:
    snprintf(to, room,
             "could not be decided: the multiplier of `%s` is a state that is not given, and the "
             "motion does not determine it well enough%s",
             state_law(c), c->record.hidden > PW_SCALE(CERT_BLIND) ? " at impacts" : "");
    break;
  case UNJUDGED_IMPACT: {
    const char *law = law_name(c, c->jumps.unjudged_law);
    snprintf(to, room,
             "could not be decided: the impact at t = %.9g%s%s%s has too many contacts to follow "
             "all outcomes of its law",
             c->jumps.unjudged, *law ? " with `" : "", law, *law ? "`" : "");
    break;
  }
  case UNSEEN:
    snprintf(to, room,
             "could not be decided: something short may have been missed in %d interval%s of time, "
             "%s t = %.9g",
             c->opts.unseen, c->opts.unseen == 1 ? "" : "s",
             c->opts.unseen == 1 ? "at" : "first at", c->opts.unseen_t);
    break;
  case HIDDEN_MOMENTUM:
    snprintf(to, room,
             "could not be decided: %.2g %% of the momentum change at t = %.9g is unexplained",
             100 * pw_min(c->record.hidden, 1), c->record.hidden_t);
    break;
  case COARSE_ROWS:
    snprintf(to, room,
             "could not be decided at %" PRId64 " of %" PRId64
             " instants: %s, to show an error of 0.1 %%",
             c->count.n_undecided, c->count.n_instant,
             c->own.number > 0 ? "the steps are too inexact"
                               : "the rows are too far apart, or too inexact");
  }
}

/* What may help. */
static void advise(pawl_certifier *c, doubt why) {
  size_t room = sizeof c->result.advice;
  char *to = c->result.advice;
  double every = c->opts.every > 0     ? c->opts.every
                 : c->count.n_rows > 1 ? c->scale.whole / (double)(c->count.n_rows - 1)
                                       : c->scale.whole;
  switch (why) {
  case HIDDEN_SIGNAL:
    snprintf(to, room, "judge the results folder of a run, which keeps the motion between rows");
    break;
  case NO_NUMBERS: snprintf(to, room, "remove the row, or correct its values"); break;
  case UNKNOWN_STATE: snprintf(to, room, "add the column force(%s)", state_law(c)); break;
  case UNJUDGED_IMPACT:
    snprintf(to, room, "let the contacts close at different times, or check fewer of them");
    break;
  case UNSEEN:
    snprintf(to, room,
             "write the expression that W0502 names so that it is defined and smooth there");
    break;
  case FEW_ROWS:
  case HIDDEN_MOMENTUM:
  case COARSE_ROWS:
    if (c->steps.longest > 0) {
      snprintf(to, room, "try --step %.1g", c->steps.longest / 10);
    } else if (c->own.number > 0) { /* the steps of the run are what is looked at */
      snprintf(to, room, "try --tol %.1g", c->data.noise / 100);
    } else if (c->data.table && c->data.find_noise) {
      snprintf(to, room, "write rows at most %.2g apart, with all digits", every / 10);
    } else {
      snprintf(to, room, "try --every %.2g", every / 10);
    }
  }
}

static void say(pawl_certifier *c, int worst) {
  const pw_verify_found *f = worst < 0 ? NULL : &c->record.found[worst];
  size_t room = sizeof c->result.sentence, used;
  switch (c->result.verdict) {
  case PAWL_NOT_A_MOTION: {
    if (worst == PW_FINDING_EVENT) {
      snprintf(c->result.sentence, room, "at t = %.9g the list of events is wrong: %s", f->t,
               c->result.event_note);
      break;
    }
    const char *law = law_name(c, f->law);
    snprintf(c->result.sentence, room, "at t = %.9g%s%s%s %s: relative error %.2g, limit %.2g",
             f->t, *law ? " `" : "", law, *law ? "`:" : "", meaning((pw_finding_kind)worst),
             f->value, f->tolerance);
    break;
  }
  case PAWL_UNDECIDED:
    say_undecided(c, doubt_of(c));
    advise(c, doubt_of(c));
    used = strlen(c->result.sentence);
    snprintf(c->result.sentence + used, room - used, "; %s", c->result.advice);
    break;
  case PAWL_WEAK:
    snprintf(c->result.sentence, room, "a motion; %s",
             c->jumps.gained > c->opts.tol ? "some impact gains energy"
             : c->jumps.lost > c->opts.tol ? "impacts lose energy"
                                           : "friction acts");
    break;
  case PAWL_STRONG:
    snprintf(c->result.sentence, room,
             c->jumps.n_corner > 0 ? "a motion; every impact keeps the energy" : "a motion");
    break;
  case PAWL_NOT_CHECKED: break;
  }

  /* Where any impact law was allowed, the sentence says so. */
  if (c->opts.any_impact_law &&
      (c->result.verdict == PAWL_WEAK || c->result.verdict == PAWL_STRONG)) {
    used = strlen(c->result.sentence);
    snprintf(c->result.sentence + used, room - used, "; the impact law is left open");
  }
}

/* Entries of the ledger that are no losses are works of forces, motors and walls that move; those
 * at impacts alone are seen at the impacts. Own runs say how much they are, tables only that there
 * are some. */
static bool has_works(const pawl_certifier *c, bool lost) {
  const pw_system *s = c->sys;
  double least = c->opts.tol * c->scale.V0 * c->scale.V0;
  bool any = false;
  for (int k = 0; k < s->n_work; k++) {
    bool acts = c->own.number > 0 ? c->own.works[k] > least : s->work[k].row < 0;
    any = any || (s->work[k].lost == lost && acts);
  }
  return any;
}

static void weigh(pawl_certifier *c, bool gains) {
  const char *law = gains ? law_name(c, c->jumps.gained_law) : "";
  const char *kind = has_works(c, false)                                    ? "driven"
                     : c->result.verdict == PAWL_WEAK || has_works(c, true) ? "dissipative"
                                                                            : "conservative";
  snprintf(c->result.balance, sizeof c->result.balance, "%s%s", gains ? "gaining energy at " : kind,
           gains ? (*law ? law : "an impact") : "");
}

void pw_verify_verdict(pawl_certifier *c) {
  for (int i = 0; i < PW_FINDINGS; i++) {
    pw_found_renew(&c->record, &c->record.found[i]);
  }
  settle_scales(c);
  pw_energy_settle(c);
  int worst = worst_of(c);
  bool broken = worst >= 0 && !(c->record.found[worst].value <= c->record.found[worst].tolerance);
  bool gains = c->jumps.gained > c->opts.tol, loses = c->jumps.lost > c->opts.tol;
  c->result.signals_hide = broken && is_hidden_by_signals(c);
  if (broken && !c->result.signals_hide) {
    c->result.verdict = PAWL_NOT_A_MOTION;
  } else if (c->result.signals_hide || !(c->count.seen_time > c->count.blind_time) ||
             c->record.hidden > PW_SCALE(CERT_BLIND) || has_few_rows(c) ||
             !isnan(c->jumps.unjudged) || !isnan(c->stream.no_numbers) || c->opts.unseen > 0) {
    c->result.verdict = PAWL_UNDECIDED;
  } else {
    c->result.verdict = gains || loses || c->record.rubs ? PAWL_WEAK : PAWL_STRONG;
    c->result.subclass = c->result.verdict == PAWL_STRONG ? ""
                         : gains                          ? "energy-gaining"
                                                          : "dissipative";
    weigh(c, gains);
  }
  say(c, worst);
}

/* ---- access ---- */

const double *pawl_certify_direction(const pawl_certifier *c, double *t) {
  const pw_verify_found *f = c == NULL ? NULL : &c->record.found[PW_FINDING_ALEMBERT];
  bool any = f != NULL && !isnan(c->against.t) && f->value > f->tolerance;
  if (t != NULL) {
    *t = any ? c->against.t : NAN;
  }
  return any ? c->against.way : NULL;
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
  const pw_verify_found *f = &c->record.found[i];
  return (pawl_finding){pw_finding_name((pw_finding_kind)i), law_name(c, f->law), f->t, f->value,
                        f->tolerance};
}

pawl_certificate pawl_certify_get(const pawl_certifier *c) {
  if (c == NULL) {
    return (pawl_certificate){
        .subclass = "", .balance = "", .sentence = "", .worst = {"", "", NAN, NAN, NAN}};
  }
  pawl_certificate out = {.verdict = c->result.verdict,
                          .subclass = c->result.subclass,
                          .balance = c->result.balance,
                          .sentence = c->result.sentence,
                          .worst = pawl_certify_finding(c, worst_of(c)),
                          .rows = c->count.n_rows,
                          .instants = c->count.n_instant,
                          .corners = c->jumps.n_corner,
                          .undecided = c->count.n_undecided,
                          .order = pw_steps_order(&c->steps),
                          .step = c->steps.longest,
                          .slack = pw_steps_slack(&c->steps)};
  return out;
}
