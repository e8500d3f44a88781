// SPDX-License-Identifier: MIT
/* Why a motion ended early: what, where in the model, when. */
#include <inttypes.h>
#include <stdio.h>

#include "law/scale_sim.h"
#include "sim/sim_state.h"
#include "sim/tube.h"

enum { MOST_SHOWN = 120 }; /* letters of an expression in a message */

/* The coordinate whose error is the largest; NULL: none. */
static const pw_coord *worst_coord(const pawl_sim *sim) {
  const pw_stepper *s = &sim->stepper;
  int u = s->worst >= s->nv ? s->worst - s->nv : s->worst;
  const pw_coord *at = NULL;
  for (int c = 0; c < sim->model->coords.n; c++) {
    const pw_coord *k = &sim->model->coords.items[c];
    at = u >= k->u && u < k->u + (k->is_rotation ? 3 : 1) ? k : at;
  }
  return at;
}

/* Steps become too short before a pole: the first expression that would be zero if the motion went
 * on as it does for a little while, in ever longer times. */
static void name_pole(pawl_sim *sim, pw_diag_ref ref) {
  enum { TIMES = 24 };
  pw_stepper *s = &sim->stepper;
  if (sim->sys->tape.guards.n == 0) {
    return;
  }
  double near = pw_stepper_least(s);
  for (int k = 0; k < TIMES && near < s->range.span; k++, near *= 4) {
    pw_tube_around(s, near);
    int pole = pw_mech_pole(s->mech);
    if (pole >= 0) {
      pw_buf text = {0};
      pw_mech_pole_text(s->mech, pole, &text);
      if (!text.failed && text.len > 0 && text.len < MOST_SHOWN) {
        pw_note(ref, "`%s` comes to zero here, where the force is singular", text.text);
      }
      pw_buf_free(&text);
      return;
    }
  }
}

/* The component whose error could not be made small. */
static void report_error(pawl_sim *sim, pawl_diags *diags) {
  const pw_stepper *s = &sim->stepper;
  const pw_signal *state = pw_stepper_worst_signal(s);
  bool velocity = state == NULL && s->worst >= s->nv;
  const pw_coord *at = worst_coord(sim);
  pw_span place = state != NULL ? state->span : at == NULL ? PW_NO_SPAN : at->span;
  pw_diag_ref ref = pw_error(diags, "E0510", place,
                             "the step size fell below the resolution of time at t = %.9g", s->t);
  if (at != NULL || state != NULL) {
    pw_label(ref, "the error of %s cannot be made small here", velocity ? "its rate" : "this");
  }
  pw_help(ref, "look for a jump or a pole of a force near this time, or raise the tolerance");
  name_pole(sim, ref);
}

static void report_step(pawl_sim *sim, pawl_diags *diags) {
  const pw_stepper *s = &sim->stepper;
  if (s->fault.status == PAWL_OK) {
    report_error(sim, diags);
  } else if (s->fault.status == PAWL_E_MEMORY) {
    (void)pw_no_memory(diags);
  } else if (s->fault.status == PAWL_E_STEP) {
    pw_diag_ref ref = pw_error(diags, "E0515", PW_NO_SPAN,
                               "the equations of a step could not be solved at t = %.9g", s->t);
    if (s->range.fixed > 0) {
      pw_help(ref, "make the step of method `%s` smaller than %.3g", sim->method->name,
              s->range.fixed);
    } else {
      pw_help(ref, "leave the choice of steps to `method event`");
    }
  } else {
    (void)pw_mech_report(sim->mech, &s->fault, s->t, false, diags);
  }
}

/* The time went to events, not to steps. */
static void report_slow_events(const pawl_sim *sim, pawl_diags *diags) {
  pw_diag_ref ref =
      pw_error(diags, "E0519", PW_NO_SPAN,
               "the time allowed is used up at t = %.9g, after %" PRId64 " events and %" PRId64 " "
               "steps",
               sim->t, sim->n_event, sim->stepper.count.taken);
  pw_help(ref, "give an event with `every` a longer period, or raise the limit of seconds");
}

static pw_diag_ref too_many_steps(const pawl_sim *sim, pw_span place, pawl_diags *diags) {
  const pw_stepper *s = &sim->stepper;
  return sim->pace.stuck
             ? pw_error(diags, "E0513", place,
                        "steps without progress at t = %.9g, after %" PRId64
                        " of them; the last one was "
                        "%.3g long",
                        s->t, s->count.taken, s->h)
             : pw_error(diags, "E0513", place,
                        "more than %" PRId64 " steps, at t = %.9g; the last one was %.3g long",
                        sim->opts.max_steps, s->t, s->h);
}

/* The time went into events, not into steps. */
static bool is_all_events(const pawl_sim *sim) {
  double steps = (double)(sim->stepper.count.taken + 1);
  return (double)sim->n_event >= PW_SCALE(EVENTS_PER_STEP) * steps;
}

/* Too many steps, or too much time: what makes them short. */
static void report_slow(const pawl_sim *sim, bool time, pawl_diags *diags) {
  const pw_stepper *s = &sim->stepper;
  if (time && is_all_events(sim)) {
    report_slow_events(sim, diags);
    return;
  }
  const pw_coord *at = s->range.fixed > 0 || s->count.taken == 0 ? NULL : worst_coord(sim);
  pw_span place = at == NULL ? PW_NO_SPAN : at->span;
  pw_diag_ref ref = time ? pw_error(diags, "E0519", place,
                                    "the time allowed is used up at t = %.9g, after %" PRId64
                                    " steps; the last one was "
                                    "%.3g long",
                                    s->t, s->count.taken, s->h)
                         : too_many_steps(sim, place, diags);
  if (at != NULL) {
    pw_label(ref, "the error of `%s` limits the last step", at->name);
  }
  pw_help(ref, "raise the tolerance or the limit of %s; a stiff force wants tiny steps",
          time ? "seconds" : "steps");
}

/* The contact in whose relation this stands, or NULL. */
static const pw_row *contact_with(const pawl_sim *sim, pw_span at) {
  for (int i = 0; i < sim->model->rows.n; i++) {
    const pw_row *row = &sim->model->rows.items[i];
    pw_span in = row->rel_span;
    bool inside = in.file == at.file && in.begin <= at.begin && at.end <= in.end;
    if (row->kind == PW_KIND_UNILATERAL && inside) {
      return row;
    }
  }
  return NULL;
}

static void report_events(pawl_sim *sim, pawl_diags *diags) {
  pw_diag_ref ref;
  if (sim->at_event) {
    /* too many events that the model defines */
    const pw_event_def *d = &sim->model->events.items[sim->events.now[0]];
    ref = pw_error(diags, "E0511", d->span, "more than %" PRId64 " events at t = %.9g",
                   sim->opts.max_events, sim->t);
    pw_label(ref, "the last one");
    pw_help(ref, "raise the limit of events if you want this many");
  } else if (sim->at_contact) {
    /* too many events of contacts and laws */
    const pw_row *row = pw_contacts_row(&sim->contacts, sim->contacts.now.log[0].law);
    ref = pw_error(diags, "E0511", row->span, "more than %" PRId64 " events at t = %.9g",
                   sim->opts.max_events, sim->t);
    pw_label(ref, "the last one");
    pw_help(ref, "raise the limit of events if you want this many");
  } else if (sim->surfaces.signals.undefined >= 0) {
    /* the value of a sample */
    char when[64];
    (void)snprintf(when, sizeof when, "at t = %.9g", sim->stepper.t);
    (void)pw_mech_report_signal(&sim->model->signals.items[sim->surfaces.signals.undefined], when,
                                false, diags);
  } else if (sim->surfaces.signals.lost >= 0) {
    /* a delay reaches beyond what is kept */
    const pw_signal *d = &sim->model->signals.items[sim->surfaces.signals.lost];
    ref = pw_error(diags, "E0560", d->span, "the past that `delay` needs at t = %.9g is not kept",
                   sim->stepper.t);
    pw_label(ref, "more than %d steps within %.9g s", PW_PAST_STEPS, d->period);
    pw_help(ref, "a larger tolerance needs fewer steps");
  } else {
    /* a surface that is crossed back and forth: no side of it leads away */
    const pw_surface_origin *at = &sim->sys->surface[sim->surfaces.culprit];
    ref = pw_error(diags, "E0511", at->span,
                   "`%s` switches back and forth at t = %.9g (sliding mode)", at->word,
                   sim->stepper.t);
    const pw_row *corner = contact_with(sim, at->span);
    if (corner != NULL) {
      pw_label(ref, "the body rests in a corner of `%s`", corner->name);
      pw_help(ref,
              "write a constraint for each side of the corner: for `y >= abs(x)` both `y >= x` "
              "and `y >= -x`");
    } else {
      pw_help(ref, "both sides push towards the surface: state this as a law, or smooth it");
    }
  }
}

static void report_jump(const pawl_sim *sim, pawl_diags *diags) {
  const pw_surfaces *f = &sim->surfaces;
  const pw_surface_origin *at = &sim->sys->surface[f->culprit];
  pw_diag_ref ref;
  if (f->energy_jump != 0) {
    ref = pw_error(diags, "E0516", at->span,
                   "the energy jumps by %.6g where `%s` changes its piece at t = %.9g",
                   f->energy_jump, at->word, sim->stepper.t);
    pw_label(ref, "no finite force does the work of this jump");
    pw_help(ref, "let both pieces have the same value there, or state a force or a law instead");
  } else {
    const pw_row *row = &sim->model->rows.items[sim->sys->row_of[f->row]];
    ref = pw_error(diags, "E0517", row->span,
                   "constraint `%s` has %s where `%s` changes its piece "
                   "at t = %.9g",
                   row->name, f->value_jumps ? "a jump" : "a corner", at->word, sim->stepper.t);
    if (f->depth > 0) {
      pw_label(ref, "it jumps past the body, which is then %.6g on the wrong side", f->depth);
      pw_help(ref, "let it move there in a finite time, or jump while the body is out of its way");
    } else {
      pw_label(ref, f->value_jumps ? "its value jumps here; positions would have to jump"
                                   : "its direction jumps here; velocities would have to jump");
      pw_help(ref, "round the corner off, or state what happens there as contacts (`>=`) with a "
                   "law of impact");
    }
  }
}

static void report_one_impact(const pawl_sim *sim, const pw_contact_event *e, pawl_diags *diags) {
  const pw_row *row = &sim->model->rows.items[sim->sys->row_of[sim->sys->nc + e->law]];
  int misfit = pw_sim_misfit(sim, e->law);
  pw_diag_ref ref;
  if (misfit < 0) {
    ref = pw_error(diags, "E0520", row->span, "the impact at `%s` gains energy at t = %.9g",
                   row->name, e->t);
    pw_label(ref, "energy after minus before: %.6g", e->dE);
    pw_help(ref, "with `energy-gain allow` the run goes on and flags such events");
  } else {
    double restitution = sim->contacts.now.e[misfit];
    row = &sim->model->rows.items[sim->sys->row_of[sim->sys->nc + misfit]];
    ref = pw_error(diags, "E0521", row->span,
                   "the restitution of `%s` is %.6g at the impact at t = %.9g, outside 0..1",
                   row->name, restitution, e->t);
    pw_label(ref, restitution > 1 ? "above 1 every impact gains energy" : "must lie in 0..1");
    if (restitution > 1) {
      pw_help(ref, "if that is meant, write `run ..., restitution-above-one allow`");
    }
  }
}

static void report_impact(const pawl_sim *sim, pawl_diags *diags) {
  for (int i = 0; i < sim->contacts.now.n_log; i++) {
    if (pw_sim_forbids(sim, &sim->contacts.now.log[i])) {
      report_one_impact(sim, &sim->contacts.now.log[i], diags);
      return;
    }
  }
}

void pw_sim_report(pawl_sim *sim, pawl_status status, pawl_diags *diags) {
  pw_diags_use_sources(diags, &sim->system->sources);
  if (pw_contact_report(sim, false, diags)) {
    pw_diags_use_sources(diags, NULL);
    return;
  }
  switch (status) {
  case PAWL_E_STEP: report_step(sim, diags); break;
  case PAWL_E_EVENTS: report_events(sim, diags); break;
  case PAWL_E_IMPACT: report_impact(sim, diags); break;
  case PAWL_E_JUMP: report_jump(sim, diags); break;
  case PAWL_E_STEPS: report_slow(sim, false, diags); break;
  case PAWL_E_TIME: report_slow(sim, true, diags); break;
  default: (void)pw_mech_report(sim->mech, &sim->mech->fault, sim->stepper.t, false, diags); break;
  }
  pw_diags_use_sources(diags, NULL);
}
