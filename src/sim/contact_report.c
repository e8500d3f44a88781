// SPDX-License-Identifier: MIT
/* Why the laws that open and close cannot be satisfied at an instant: which of them, when, and what
 * to look at. */
#include "sim/sim_state.h"

static pw_diag_ref report_force(const pw_row *row, double t, pawl_diags *diags) {
  pw_diag_ref ref = pw_error(diags, "E0502", row->span,
                             "no forces keep `%s` and the other laws at t = %.9g", row->name, t);
  pw_label(ref, "no acceleration satisfies it together with the others");
  pw_help(ref, "laws that leave no room for any motion: make one of them weaker, or move it");
  return ref;
}

/* The clause that makes the friction too large. */
static pw_span mu_of(const pw_row *row) {
  for (int i = 0; i < row->stmt->u.law.n; i++) {
    const pw_clause *c = &row->stmt->u.law.items[i];
    if (c->kind == PW_CL_MU) {
      return (pw_span){c->span.file, c->span.begin, c->ex->span.end};
    }
  }
  return row->span;
}

static pw_diag_ref report_paradox(const pawl_sim *sim, const pw_row *row, double t,
                                  pawl_diags *diags) {
  const char *contact = sim->model->rows.items[row->clause.on].name;
  pw_diag_ref ref =
      pw_error(diags, "E0501", mu_of(row),
               "no motion satisfies the laws at t = %.9g (Painleve paradox at `%s`)", t, contact);
  if (sim->contacts.paradox.singular) {
    pw_label(ref, "while it slides, force(%s) grows without bound up to here", contact);
    pw_note(ref,
            "the friction takes all mobility from the contact: a point of Genot and Brogliato");
  } else if (row->kind == PW_KIND_ROUGH) {
    pw_label(ref, "closed and without slip, the contact would have to pull; open, it would close");
  } else {
    pw_label(ref, "with this friction the normal force would have to be negative");
  }
  if (sim->contacts.halt.ends) {
    pw_note(ref, "up to here force(%s) was positive", contact);
  } else if (sim->contacts.halt.proved) {
    pw_note(ref, "proved: each combination of open, closed, sticking and sliding contacts leads to "
                 "a contradiction");
  }
  return ref;
}

/* Nothing was found, and nothing was proved. */
static pw_diag_ref report_not_found(const pw_row *row, double t, bool impact, pawl_diags *diags) {
  pw_diag_ref ref = pw_error(diags, "E0509", row->span,
                             impact ? "no velocities after the impact were found at t = %.9g"
                                    : "no motion that satisfies the laws was found at t = %.9g",
                             t);
  pw_label(ref, "together with the other laws that act here; that there is none is not proved");
  pw_help(ref, "fewer contacts at once, less friction, or `method moreau`, which does not need to "
               "decide");
  return ref;
}

static bool is_open(const pw_contacts *c) {
  bool paradox = c->halt.trouble == PW_TROUBLE_PARADOX && !c->paradox.singular;
  return (paradox || c->halt.trouble == PW_TROUBLE_IMPACT) && !c->halt.proved && !c->halt.ends;
}

static bool is_several(const pw_contacts *c) {
  return c->halt.trouble == PW_TROUBLE_SEVERAL || c->halt.trouble == PW_TROUBLE_CONTINUUM;
}

/* What the motions are, by the contact: its mode and force. */
static void note_branches(const pawl_sim *sim, int contact, pw_diag_ref ref) {
  int last = pawl_sim_paradoxes(sim) - 1;
  pawl_several several = pawl_sim_paradox(sim, last);
  const char *name = sim->model->rows.items[contact].name;
  for (int b = 0; b < several.branches; b++) {
    pw_note(ref, "motion %d: `%s` %s, force(%s) = %.9g", b + 1, name,
            pawl_sim_branch_mode(sim, last, b, contact), name,
            pawl_sim_branch(sim, last, b).force[contact]);
  }
  if (!several.complete) {
    pw_note(ref, "INCOMPLETE: too many laws take part to try all; there may be others");
  }
}

static pw_diag_ref report_several(const pawl_sim *sim, const pw_row *row, double t,
                                  pawl_diags *diags) {
  const char *contact = sim->model->rows.items[row->clause.on].name;
  pw_diag_ref ref = pw_error(diags, "E0506", row->span,
                             "several motions satisfy the laws at t = %.9g (Painleve paradox at "
                             "`%s`)",
                             t, contact);
  if (sim->contacts.halt.trouble == PW_TROUBLE_CONTINUUM) {
    pw_label(ref, "with this friction forces are not unique, and the motion depends on them");
    return ref;
  }
  pw_label(ref, "with this friction the contact may both stay closed and open");
  note_branches(sim, row->clause.on, ref);
  return ref;
}

void pw_paradox_announce(pawl_sim *sim, pawl_diags *diags) {
  pw_paradox *p = &sim->contacts.paradox;
  if (!p->due) {
    return;
  }
  p->due = false;
  const pw_row *row = &sim->model->rows.items[sim->sys->row_of[sim->sys->nc + p->law]];
  const char *contact = sim->model->rows.items[row->clause.on].name;
  pw_diags_use_sources(diags, &sim->system->sources);
  pw_diag_ref ref = pw_warning(diags, "W0501", row->span,
                               "the motion comes close to a Painleve paradox at t = %.9g (at `%s`)",
                               p->when, contact);
  pw_label(ref, "its friction takes %.3g of the mobility of `%s`, and more with time", 1 - p->at,
           contact);
  pw_note(ref,
          "where it takes all, the force has no bound, and beyond no motion exists, or several");
  pw_diags_use_sources(diags, NULL);
}

static pw_diag_ref report_servo(const pw_row *row, double t, pawl_diags *diags) {
  pw_diag_ref ref =
      pw_error(diags, "E0530", row->span, "no admissible force of servo `%s` keeps it at t = %.9g",
               row->name, t);
  pw_label(ref, row->clause.one_way ? "`one-way` allows forces along +Phi alone, and those would "
                                      "drive it the wrong way"
                                    : "together with the other laws that act here");
  pw_help(ref, row->clause.one_way
                   ? "turn the sign of the covector in `by`, or delete `one-way`"
                   : "drive the targets by forces that act more on their own than on the others");
  return ref;
}

static pw_diag_ref report_servos(const pw_row *row, double t, pawl_diags *diags) {
  pw_diag_ref ref =
      pw_error(diags, "E0531", row->span, "several motions satisfy the servos at t = %.9g", t);
  pw_label(ref, "`%s` may both hold and let go", row->name);
  pw_help(ref, "the matrix of controllabilities is not a P-matrix: drive the targets by forces "
               "that act\nmore on their own than on the others");
  return ref;
}

static pw_diag_ref report_saturated(const pw_row *row, double t, double sigma, pawl_diags *diags) {
  pw_diag_ref ref =
      pw_error(diags, "E0532", row->span,
               "the multiplier of `%s` is used up at t = %.9g (SATURATED)", row->name, t);
  pw_label(ref, "force(%s) is 0 and would have to fall to keep the constraint; sigma2 = %.3g",
           row->name, sigma);
  pw_help(ref,
          "start with a larger `force(%s)`, turn the sign of phi, or use `=`, which allows "
          "negative ones",
          row->name);
  return ref;
}

static pw_diag_ref report_no_way_on(const pw_row *row, double t, double sigma, pawl_diags *diags) {
  pw_diag_ref ref =
      pw_error(diags, "E0533", row->span,
               "no motion goes on from `%s` at t = %.9g (NO_CONTINUATION)", row->name, t);
  pw_label(ref,
           "sigma2 = grad f*(M + lambda*phi'')^-1*grad phi = %.3g is %s: force(%s), zero off the "
           "constraint, would\nhave to become negative on it",
           sigma, sigma > 0 ? "positive" : "negative", row->name);
  pw_help(ref,
          row->kind == PW_KIND_VAKONOMIC
              ? "a one-sided vakonomic law has in general no motion from given start values: it "
                "is a\nboundary value problem, `pawl bvp`"
              : "`reservoir` instead of `complementary`, another phi, or the boundary value "
                "problem: `pawl bvp`");
  return ref;
}

static pw_diag_ref report_negative(const pw_row *row, double t, pawl_diags *diags) {
  bool coulomb = row->clause.on >= 0;
  pw_diag_ref ref =
      pw_error(diags, "E0507", row->span, "the %s of friction `%s` is negative at t = %.9g",
               coulomb ? "coefficient" : "bound", row->name, t);
  pw_label(ref, "friction cannot push");
  pw_help(ref, "write it so that it stays at or above zero, for example with `max(..., 0)`");
  return ref;
}

static pw_diag_ref report_reentrant(const pw_row *row, double t, pawl_diags *diags) {
  pw_diag_ref ref = pw_error(diags, "E0534", row->rel_span,
                             "the motion reaches a re-entrant kink of `%s` at t = %.9g",
                             row->stmt->u.energy.name.text, t);
  pw_label(ref, "its slope falls across the kink `%s`: no force is determined there", row->name);
  pw_help(ref, "a ridge is no force law: round it, or state what happens on it as a `law`");
  return ref;
}

static pw_diag_ref report_weak(const pw_row *row, double t, pawl_diags *diags) {
  pw_diag_ref ref =
      pw_error(diags, "E0508", row->span,
               "`static` of friction `%s` falls below its sliding value at t = %.9g", row->name, t);
  pw_label(ref, "it would let go and be held again at once");
  pw_help(ref, "keep it at or above the sliding value, for example `static max(..., F)`");
  return ref;
}

static pw_diag_ref report_jump(const pw_row *row, double t, pawl_diags *diags) {
  pw_diag_ref ref =
      pw_error(diags, "E0503", row->span, "no velocities after the impact satisfy `%s` at t = %.9g",
               row->name, t);
  pw_label(ref, "it contradicts the other laws that act at this instant");
  pw_note(ref, "proved: each combination of open, closed, sticking and sliding contacts leads to a "
               "contradiction");
  pw_help(ref, "contacts that move towards each other, or velocities that none of the laws allows");
  return ref;
}

static pw_diag_ref report_gradient(const pw_row *row, double t, pawl_diags *diags) {
  const char *by = row->on_velocity ? "velocities" : "coordinates";
  pw_diag_ref ref = pw_error(diags, "E0504", row->span,
                             "`%s` has no direction to push in at t = %.9g", row->name, t);
  pw_label(ref, "all its derivatives by the %s vanish here", by);
  pw_help(ref, "state it by a function whose gradient does not vanish where it is zero, for "
               "example\nnot a square but its root");
  return ref;
}

static pw_diag_ref report_flat(const pw_row *row, double t, pawl_diags *diags) {
  pw_diag_ref ref = pw_error(diags, "E0504", row->span,
                             "`%s` has no direction to act in at t = %.9g", row->name, t);
  pw_label(ref, "all its derivatives by the velocities vanish there");
  pw_help(ref, "no force can hold it there, and what follows is not determined: end the run "
               "before, or\nstate a condition whose gradient does not vanish on the way");
  return ref;
}

static pw_diag_ref report_passed(const pw_row *row, double t, pawl_diags *diags) {
  pw_diag_ref ref =
      pw_error(diags, "E0518", row->span,
               "`%s` becomes negative after t = %.9g without having been zero", row->name, t);
  pw_label(ref, "it has a pole or a jump that the motion would pass");
  pw_help(ref, "state it by a function that is continuous: `x >= 0`, not `1/x >= 0`; let a wall "
               "move\nin a finite time");
  return ref;
}

static pw_diag_ref report_restitution(const pw_row *row, double t, pawl_diags *diags) {
  pw_diag_ref ref =
      pw_error(diags, "E0521", row->span,
               "the restitution of `%s` is not a number at the impact at t = %.9g", row->name, t);
  pw_label(ref, "must lie in 0..1");
  pw_help(ref, "look for a division by zero, or a root or logarithm outside its range");
  return ref;
}

static pw_diag_ref report_growth(const pw_row *row, double limit, pawl_diags *diags) {
  pw_diag_ref ref =
      pw_error(diags, "E0511", row->span,
               "impacts without end before t = %.9g: speeds grow beyond all bounds", limit);
  pw_label(ref, "each impact here, or at contacts in turn with it, gives more energy sooner");
  pw_help(ref, "walls that close on a body: let them stop before they meet, or lower the "
               "restitution");
  return ref;
}

static pw_diag_ref report_storm(const pw_row *row, double t, const char *what, const char *code,
                                pawl_diags *diags) {
  pw_diag_ref ref = pw_error(diags, code, row->span, "%s `%s` at t = %.9g", what, row->name, t);
  pw_label(ref, "acts again and again without progress in time");
  pw_help(ref, "look for laws that act against each other here");
  return ref;
}

/* begins: no step has been taken, and there is nothing to save. */
/* Where the rest is saved is known to those who save it. */
static void note_saved(pw_diag_ref ref, bool begins, const char *ways_out) {
  if (begins) {
    pw_note(ref, "the motion ends where it begins: nothing is saved");
  }
  if (ways_out != NULL) {
    pw_note(ref, "`pawl explain %s` shows the ways out", ways_out);
  }
}

static pw_diag_ref report_trouble(const pawl_sim *sim, int law, pawl_diags *diags) {
  const pw_contacts *c = &sim->contacts;
  const pw_row *row = &sim->model->rows.items[sim->sys->row_of[law]];
  double t = sim->stepper.t;

  /* A search that ended without an answer is no contradiction. */
  if (is_open(c)) {
    return report_not_found(row, t, c->halt.trouble == PW_TROUBLE_IMPACT, diags);
  }

  /* Each kind of trouble has its own message; the rest are events without end. */
  switch (c->halt.trouble) {
  case PW_TROUBLE_FORCE: return report_force(row, t, diags);
  case PW_TROUBLE_PARADOX: return report_paradox(sim, row, t, diags);
  case PW_TROUBLE_SEVERAL:
  case PW_TROUBLE_CONTINUUM: return report_several(sim, row, t, diags);
  case PW_TROUBLE_SERVO: return report_servo(row, t, diags);
  case PW_TROUBLE_SERVO_SEVERAL: return report_servos(row, t, diags);
  case PW_TROUBLE_CONTROL:
    return pw_mech_report(sim->stepper.mech, &(pw_fault){PAWL_E_CONTRADICTION, -1, law, 0}, t,
                          false, diags);
  case PW_TROUBLE_SATURATED: return report_saturated(row, t, c->halt.sigma, diags);
  case PW_TROUBLE_NO_WAY_ON: return report_no_way_on(row, t, c->halt.sigma, diags);
  case PW_TROUBLE_NEGATIVE: return report_negative(row, t, diags);
  case PW_TROUBLE_REENTRANT: return report_reentrant(row, t, diags);
  case PW_TROUBLE_WEAK: return report_weak(row, t, diags);
  case PW_TROUBLE_IMPACT: return report_jump(row, t, diags);
  case PW_TROUBLE_GRADIENT: return report_gradient(row, t, diags);
  case PW_TROUBLE_FLAT: return report_flat(row, c->halt.flat_time, diags);
  case PW_TROUBLE_PASSED: return report_passed(row, t, diags);
  case PW_TROUBLE_RESTITUTION: return report_restitution(row, t, diags);
  case PW_TROUBLE_GROWTH: return report_growth(row, c->growth.limit, diags);
  case PW_TROUBLE_CASCADE: return report_storm(row, t, "impacts without end at", "E0505", diags);
  default: return report_storm(row, t, "events without end at", "E0511", diags);
  }
}

bool pw_contact_report(pawl_sim *sim, bool begins, pawl_diags *diags) {
  const pw_contacts *c = &sim->contacts;
  if (c->halt.trouble == PW_TROUBLE_NONE) {
    return false;
  }
  int law = c->halt.culprit >= 0 ? c->halt.culprit : sim->sys->nc;
  pw_diag_ref ref = report_trouble(sim, law, diags);
  note_saved(ref, begins,
             is_open(c)                              ? "E0509"
             : c->halt.trouble == PW_TROUBLE_PARADOX ? "E0501"
             : is_several(c)                         ? "E0506"
                                                     : NULL);
  return true;
}
