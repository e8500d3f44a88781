// SPDX-License-Identifier: MIT
/* Going along a motion: steps, the events in them and the points asked for. The sequence of steps
 * depends on model and options alone, not on the targets. */
#include <math.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_mech.h"
#include "law/scale_sim.h"
#include "sim/sim_state.h"

static double total_size(const pawl_sim *sim, const double energy[3]) {
  return fabs(energy[0]) + fabs(energy[1] - sim->energy.potential);
}

static void keep_before(pawl_sim *sim) {
  const pw_stepper *s = &sim->stepper;
  struct {
    const double *from;
    int n;
  } parts[] = {{sim->y, s->n},
               {sim->at.a, s->nv},
               {sim->at.force, sim->model->rows.n},
               {sim->at.u_shown, s->nv},
               {sim->at.output, sim->sys->n_out}};
  double *to = sim->at.before;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    memcpy(to, parts[i].from, (size_t)parts[i].n * sizeof *to);
    to += parts[i].n;
  }
}

/* ---- the start ---- */

static void reset(pawl_sim *sim, double t) {
  const pw_stepper *s = &sim->stepper;
  sim->opts.from = sim->t = t;
  sim->pace = (pw_pace){.t = t};
  memcpy(sim->y, s->y, (size_t)s->n * sizeof *s->y);
  sim->at_event = sim->at_contact = sim->start_jump = sim->jumped = false;
  sim->driven = false;
  sim->must_seek = sim->stopped = sim->ended = sim->at.ready = false;
  sim->failed = sim->due = PAWL_OK;
  sim->clusters = sim->n_event = sim->row_evaluations = 0;
  sim->energy.total = s->energy[0] + s->energy[1];
  sim->energy.potential = s->energy[1];
  sim->energy.gyro = s->energy[2];
  sim->energy.scale = total_size(sim, s->energy);
}

/* Modes of the laws. An impact at the start is kept back as the first event: until it is reported
 * the current point is the state before it. */
static pawl_status begin_contacts(pawl_sim *sim, bool strikes) {
  pw_stepper *s = &sim->stepper;
  pawl_status status = PAWL_OK;
  if (strikes) {
    status = pw_sim_ready(sim);
    keep_before(sim);
  }
  if (status == PAWL_OK) {
    status = pw_contacts_begin(&sim->contacts, sim->touching);
  }
  sim->start_jump = strikes && sim->contacts.now.n_log > 0;
  if (!sim->start_jump) {
    memcpy(sim->y, s->y, (size_t)s->n * sizeof *s->y);
    sim->at.ready = false;
  }
  return status;
}

pawl_status pw_sim_begin(pawl_sim *sim, double t, bool as_stated, pawl_diags *diags) {
  pw_stepper *s = &sim->stepper;
  pw_start_rules rules = {.impacts = sim->opts.start_impact,
                          .above_one = sim->opts.restitution_above_one,
                          .as_stated = as_stated};
  pw_start_laws laws = {.touching = sim->touching};
  memset(s->y + s->nq + s->nv, 0, (size_t)sim->sys->nz * sizeof *s->y);
  s->range.span = sim->opts.to - t;
  pw_relay_begin(sim, t);
  pw_mech_close(sim->mech, NULL);
  sim->mech->lenient = true; /* until modes are chosen */
  (void)pw_mech_settle(sim->mech, t, s->y, s->y + s->nq, s->side);
  pawl_status status = pw_stepper_begin(s, t);
  if (status != PAWL_OK) {
    sim->mech->lenient = false;
    pw_mech_report(sim->mech, &s->fault, t, true, diags);
    return status;
  }
  status = pw_start_check(sim->mech, t, s->y, s->y + s->nq, s->side, &rules, &laws, diags);
  sim->mech->lenient = false;
  if (status != PAWL_OK) {
    return status;
  }
  if (sim->method == &pw_heap_method || sim->relay.on) {
    status = pw_heap_begin(&sim->heap, t, s->y, diags);
  }
  if (status != PAWL_OK) {
    return status;
  }
  reset(sim, t);
  status = begin_contacts(sim, laws.strikes || sim->opts.paradox == PAWL_PARADOX_IWC);
  if (status != PAWL_OK) {
    if (!pw_contact_report(sim, true, diags)) {
      pw_mech_report(sim->mech, &sim->mech->fault, t, true, diags);
    }
    return status;
  }
  pw_surfaces_reset(&sim->surfaces);
  pw_events_reset(&sim->events, t, sim->opts.to);
  return PAWL_OK;
}

void pw_sim_use(pawl_sim *sim, const pw_method *method) {
  sim->method = method;
}

void pw_sim_break(pawl_sim *sim) {
  sim->jumped = true;
  sim->at.ready = false;
}

/* ---- steps ---- */

/* Ends the step at the first law that acts or surface that is crossed. */
static pawl_status cut_step(pawl_sim *sim, bool *again) {
  pw_stepper *s = &sim->stepper;
  if (sim->method->after != NULL) {
    *again = false;
    return sim->method->after(sim);
  }
  pawl_status status = pw_contacts_after(&sim->contacts, again);
  if (status != PAWL_OK || *again) {
    *again = false; /* an instant at the start of the step is treated before the next one */
    return status;
  }
  double end = s->t;
  status = pw_surfaces_after(&sim->surfaces, again);
  if (s->t < end) {
    pw_contacts_forget(&sim->contacts);
  }
  return status == PAWL_OK && !*again
             ? pw_contacts_check_step(&sim->contacts, pw_surfaces_due(&sim->surfaces))
             : status;
}

/* The caller's wish, asked before every step and every point: events may be closer than steps. */
static bool is_to_end(const pawl_sim *sim) {
  return sim->opts.ask != NULL && sim->opts.ask(sim->opts.payload) != 0;
}

/* At the pace of the last steps the rest would need many times the steps allowed. */
static bool is_stuck(pawl_sim *sim) {
  const pw_stepper *s = &sim->stepper;
  pw_pace *p = &sim->pace;
  if (s->count.taken - p->steps < PW_PACE_STEPS) {
    return false;
  }
  double left = (sim->opts.to - s->t) / (s->t - p->t) * (double)(s->count.taken - p->steps);
  p->stuck = !(left <= PW_SCALE(HOPELESS) * (double)sim->opts.max_steps);
  p->steps = s->count.taken;
  p->t = s->t;
  return p->stuck;
}

/* Sides that are due change. *turned: event functions may jump with them, and were looked at with
 * the sides that were; at the start of the motion they choose their sides. Methods with a map of
 * their own change sides in their steps. */
static pawl_status change_sides(pawl_sim *sim, bool *turned) {
  pw_stepper *s = &sim->stepper;
  bool watched = sim->sys->root.n > 0 && s->t > sim->opts.from;
  bool by_map = sim->method->after != NULL && sim->sys->n_switch > 0;
  pawl_status status = PAWL_OK;
  if (watched && !*turned && (by_map || pw_surfaces_due(&sim->surfaces))) {
    *turned = true;
    status = pw_events_before_jump(&sim->events, s->t, s->y);
  }
  if (by_map) {
    pw_signals_count(&sim->surfaces.signals);
  }
  return status == PAWL_OK ? pw_surfaces_before(&sim->surfaces) : status;
}

static pawl_status one_step(pawl_sim *sim) {
  pw_stepper *s = &sim->stepper;
  bool again = true, joined = !sim->jumped, struck = sim->jumped, turned = false;
  sim->jumped = false;
  bool goes_on = s->count.taken < sim->opts.max_steps && !is_stuck(sim);
  pawl_status status = goes_on ? PAWL_OK : PAWL_E_STEPS;
  if (status == PAWL_OK && is_to_end(sim)) {
    status = PAWL_E_TIME;
  }

  /* until a step ends where nothing acts in it, or where the first thing does */
  while (again && status == PAWL_OK) {
    int repeats = sim->surfaces.repeats;
    status = pw_crossing_look(&sim->surfaces, &sim->contacts, &sim->contacts.pending);
    if (sim->contacts.pending) { /* the instant comes first */
      return status;
    }
    if (status == PAWL_OK) {
      status = change_sides(sim, &turned);
    }
    joined = joined && !turned && sim->surfaces.repeats == repeats;
    if (status == PAWL_OK) {
      status = pw_stepper_next(s, sim->opts.to);
    }
    if (status == PAWL_E_STEP && pw_margin_jams(&sim->contacts)) {
      return PAWL_OK;
    }
    if (status == PAWL_OK) {
      status = cut_step(sim, &again);
    }
  }
  if (status == PAWL_OK && sim->method->after == NULL) {
    status = pw_sim_look_for_flat(sim);
  }
  if (status != PAWL_OK) {
    return status;
  }
  pw_stepper_note(s);
  sim->energy.scale = pw_max(sim->energy.scale, total_size(sim, s->energy));
  status = pw_events_step(&sim->events, joined, turned);
  if (status == PAWL_OK && !sim->events.found) {
    status = pw_events_seek(&sim->events);
  }
  sim->surfaces.signals.broken = sim->surfaces.signals.broken || struck;
  status = status == PAWL_OK ? pw_signals_keep(&sim->surfaces.signals) : status;
  return status == PAWL_OK ? pw_sim_record_step(sim) : status;
}

/* ---- places on the way ---- */

static void move(pawl_sim *sim, double t, const double *y) {
  sim->t = t;
  sim->at.ready = false;
  if (y != sim->y) {
    memcpy(sim->y, y, (size_t)sim->stepper.n * sizeof *y);
  }
}

static pawl_status to_target(pawl_sim *sim, double target) {
  pw_stepper *s = &sim->stepper;
  if (target == sim->t) {
    return PAWL_OK;
  }
  if (target == s->t) {
    move(sim, target, s->y);
    return PAWL_OK;
  }
  pawl_status status = pw_stepper_at(s, (target - s->rk.t) / s->rk.h, sim->y);
  if (status == PAWL_OK) {
    status = pw_stepper_project(s, target, sim->y);
  }
  move(sim, target, sim->y);
  return status;
}

static pawl_status to_event(pawl_sim *sim) {
  pw_events *e = &sim->events;
  move(sim, e->t, e->y);
  e->found = false;
  sim->must_seek = true;
  sim->at_event = true;
  sim->clusters++;
  sim->n_event += e->n_now;
  for (int i = 0; i < e->n_now; i++) {
    sim->stopped = sim->stopped || sim->model->events.items[e->now[i]].stop;
  }
  return sim->n_event > sim->opts.max_events ? PAWL_E_EVENTS : PAWL_OK;
}

int pw_sim_misfit(const pawl_sim *sim, int law) {
  const pw_contacts *c = &sim->contacts;
  for (int i = 0; i < sim->sys->ni; i++) {
    bool of_it = i == law || sim->sys->law[i].contact == law;
    bool fits = c->now.e[i] >= 0 && (c->now.e[i] <= 1 || sim->opts.restitution_above_one);
    if (of_it && !fits) {
      return i;
    }
  }
  return -1;
}

bool pw_sim_forbids(const pawl_sim *sim, const pw_contact_event *e) {
  return e->kind == PW_IMPACT &&
         (pw_sim_misfit(sim, e->law) >= 0 || (e->gains && sim->opts.energy_gain == PAWL_GAIN_STOP));
}

static pawl_status count_contacts(pawl_sim *sim) {
  sim->at_contact = pw_sim_logged(sim) > 0;
  sim->clusters += sim->at_contact;
  sim->n_event += pw_sim_logged(sim);
  for (int i = 0; i < sim->contacts.now.n_log; i++) {
    sim->due = pw_sim_forbids(sim, &sim->contacts.now.log[i]) ? PAWL_E_IMPACT : sim->due;
  }
  return sim->n_event > sim->opts.max_events ? PAWL_E_EVENTS : PAWL_OK;
}

static pawl_status to_start_jump(pawl_sim *sim) {
  sim->start_jump = false;
  sim->jumped = true;
  move(sim, sim->stepper.t, sim->stepper.y);
  return count_contacts(sim);
}

/* Without a jump the force is that of the new modes on both sides of an input that is set: the
 * modes of the last step, with the new input, were those of no motion. */
static pawl_status after_input(pawl_sim *sim) {
  const pw_stepper *s = &sim->stepper;
  size_t size = (size_t)(s->nq + s->nv) * sizeof *s->y;
  if (!sim->driven || memcmp(sim->at.before, sim->y, size) != 0) {
    return PAWL_OK;
  }
  pawl_status status = pw_sim_ready(sim);
  keep_before(sim);
  return status;
}

/* Nothing is reported if no mode changed. */
pawl_status pw_sim_instant(pawl_sim *sim) {
  pw_stepper *s = &sim->stepper;
  move(sim, s->t, s->y);
  if (sim->method == &pw_heap_method) { /* the step has made the jumps */
    sim->contacts.pending = false;
    sim->jumped = true;
    return count_contacts(sim);
  }

  /* the side before: with the pieces and the input that were */
  bool turned = pw_surfaces_recall(&sim->surfaces);
  sim->at.ready = sim->at.ready && !sim->driven;
  pawl_status status = pw_sim_ready(sim);
  if (status == PAWL_OK) {
    keep_before(sim);
    status = pw_events_before_jump(&sim->events, s->t, s->y);
  }
  if (turned) {
    (void)pw_surfaces_recall(&sim->surfaces);
    sim->at.ready = false;
  }
  bool crossed = status == PAWL_OK && sim->sys->trait.phases && pw_surfaces_due(&sim->surfaces);
  if (status == PAWL_OK) {
    status = pw_crossing_make(&sim->surfaces, &sim->contacts);
  }
  if (status == PAWL_OK) {
    status = pw_surfaces_settle(&sim->surfaces);
  }
  if (status == PAWL_OK) {
    status =
        sim->method->handle != NULL ? sim->method->handle(sim) : pw_contacts_handle(&sim->contacts);
  }
  if (status == PAWL_OK && crossed) {
    pw_crossing_log(&sim->contacts);
  }
  if (status == PAWL_OK) {
    status = pw_events_after_jump(&sim->events, s->t, s->y);
  }
  if (status != PAWL_OK) {
    return status;
  }

  sim->jumped = true;
  pw_surfaces_pass(&sim->surfaces);
  move(sim, s->t, s->y);
  pw_relay_note(sim);
  status = after_input(sim);
  sim->driven = false;
  return status == PAWL_OK ? count_contacts(sim) : status;
}

static pawl_status to_rest(pawl_sim *sim) {
  pawl_status status = to_target(sim, sim->contacts.rest.time);
  if (status == PAWL_OK) {
    status = pw_sim_ready(sim);
  }
  keep_before(sim);
  pw_contacts_rest(&sim->contacts);
  return status == PAWL_OK ? count_contacts(sim) : status;
}

static pawl_status go(pawl_sim *sim, double target, pawl_stop *why) {
  pw_stepper *s = &sim->stepper;
  pawl_status status = sim->due;
  if (sim->start_jump) {
    *why = PAWL_AT_EVENT;
    return to_start_jump(sim);
  }
  if (sim->must_seek && !sim->stopped) {
    sim->must_seek = false;
    status = pw_events_seek(&sim->events);
  }
  while (status == PAWL_OK) {
    if (sim->stopped || (sim->ended && !sim->events.found)) {
      *why = PAWL_AT_END;
      return PAWL_OK;
    }
    if (sim->events.found && sim->events.t <= target) {
      *why = PAWL_AT_EVENT;
      return to_event(sim);
    }

    /* a rest comes before the instant that may end it */
    pw_rests *rest = &sim->contacts.rest;
    bool put_off = rest->put_off == s->t;
    if (sim->contacts.pending && isfinite(rest->time) && !put_off) {
      rest->time = fmin(rest->time, s->t); /* it comes before what may end it */
    }
    if (rest->time <= fmin(target, s->t)) {
      *why = PAWL_AT_EVENT;
      status = to_rest(sim);
      if (status != PAWL_OK || sim->at_contact) {
        return status;
      }
      continue;
    }
    if (sim->contacts.pending && s->t <= target) {
      *why = PAWL_AT_EVENT;
      status = pw_relay_rescue(sim, pw_sim_instant(sim));
      if (status != PAWL_OK || sim->at_contact) {
        return status;
      }
      continue;
    }

    /* inside of the step; else one more */
    if (target <= s->t && target < sim->opts.to) {
      *why = PAWL_AT_TARGET;
      return to_target(sim, target);
    }
    if (s->t >= sim->opts.to && !sim->contacts.pending) {
      sim->ended = true;
      move(sim, s->t, s->y);
    } else {
      status = pw_relay_look(sim);
      bool first = sim->events.found || rest->time <= s->t;
      status = status == PAWL_OK && !first ? pw_relay_rescue(sim, one_step(sim)) : status;
    }
  }
  return status;
}

/* Steps become too small where a servo loses its hold: the force, and with it the motion, has a
 * pole there, which is not reached. Then that is the reason. */
static void blame_grip(pawl_sim *sim, pawl_status status) {
  pw_stepper *s = &sim->stepper;
  if (status != PAWL_E_STEP || s->fault.status != PAWL_OK) {
    return;
  }
  pawl_status now = pw_mech_rates(sim->mech, s->t, s->y, s->y + s->nq, s->side);
  if (now == PAWL_E_CONTRADICTION) {
    s->fault = sim->mech->fault;
  } else if (now == PAWL_OK) {
    (void)pw_mech_loses_hold(sim->mech, PW_SCALE(GRIP_SLIPPERY), &s->fault);
  }
}

/* The servo whose force no longer moves its row, or -1. */
static int lost_servo(const pawl_sim *sim) {
  const pw_contacts *c = &sim->contacts;
  const pw_fault *f = &sim->stepper.fault;
  int row = c->halt.trouble == PW_TROUBLE_CONTROL ? c->halt.culprit
            : f->status == PAWL_E_CONTRADICTION   ? f->row
                                                  : -1;
  return row >= 0 && sim->sys->row[row].by >= 0 ? row : -1;
}

/* Loss of control is an event; the motion ends behind it. */
static bool to_lost_control(pawl_sim *sim, pawl_status status) {
  int row = lost_servo(sim);
  if (sim->due != PAWL_OK || sim->at_event || sim->at_contact || row < 0) {
    return false;
  }
  move(sim, sim->stepper.t, sim->stepper.y);
  if (pw_sim_ready(sim) != PAWL_OK) {
    return false;
  }
  keep_before(sim);
  sim->contacts.now.log[0] =
      (pw_contact_event){.kind = PW_LOST, .law = row - sim->sys->nc, .t = sim->t};
  sim->contacts.now.n_log = 1;
  sim->due = status;
  return count_contacts(sim) == PAWL_OK;
}

/* What fixed steps had to accept. */
static void announce_steps(pawl_sim *sim, pawl_diags *diags) {
  pw_diags_use_sources(diags, &sim->system->sources);
  if (sim->method == &pw_heap_method) {
    pw_heap_announce(&sim->heap, diags);
  } else if (sim->method == &pw_moreau_method) {
    pw_moreau_announce(&sim->moreau, diags);
  }
  pw_relay_announce(sim, diags);
  pw_diags_use_sources(diags, NULL);
}

pawl_status pawl_sim_advance(pawl_sim *sim, double target, pawl_diags *diags, pawl_stop *why) {
  if (sim == NULL || why == NULL || isnan(target) || target < sim->t) {
    return PAWL_E_ARGUMENT;
  }
  if (sim->failed != PAWL_OK) {
    return sim->failed;
  }
  if (is_to_end(sim)) {
    sim->failed = PAWL_E_TIME;
    pw_sim_report(sim, PAWL_E_TIME, diags);
    return PAWL_E_TIME;
  }

  /* the way to the target, and its warnings */
  sim->at_event = sim->at_contact = false;
  pawl_status status = go(sim, target, why);
  pw_paradox_announce(sim, diags);
  pw_unseen_announce(sim, diags);
  announce_steps(sim, diags);
  blame_grip(sim, status);
  if (status != PAWL_OK && to_lost_control(sim, status)) {
    *why = PAWL_AT_EVENT;
    return PAWL_OK;
  }
  if (status != PAWL_OK) {
    sim->failed = status;
    if (!sim->at_event && !sim->at_contact) {
      pw_stepper *s = &sim->stepper;
      if (s->t > sim->t) {
        move(sim, s->t, s->y);
      }
    }
    pw_sim_report(sim, status, diags);
  }
  return status;
}

/* Steps with each pair; of the methods with fixed steps none. */
static pawl_method method_of(const pawl_sim *sim) {
  static const pawl_method name[PW_PAIRS] = {PAWL_METHOD_DP5, PAWL_METHOD_DOP853,
                                             PAWL_METHOD_RADAU};
  const pw_choice *c = &sim->stepper.choice;
  pw_pair most = c->made[PW_PAIR_HIGH] >= c->made[PW_PAIR_LOW] ? PW_PAIR_HIGH : PW_PAIR_LOW;
  most = c->made[PW_PAIR_IMPLICIT] > c->made[most] ? PW_PAIR_IMPLICIT : most;
  bool one = sim->relay.on ? sim->relay.parts < 2 : sim->opts.method == PAWL_METHOD_AUTO;
  return one ? name[c->made[most] > 0 ? most : c->pair] : sim->opts.method;
}

pawl_sim_stats pawl_sim_statistics(const pawl_sim *sim) {
  if (sim == NULL) {
    return (pawl_sim_stats){.step = NAN, .tol = NAN, .from = NAN, .to = NAN};
  }
  const pw_stepper *s = &sim->stepper;
  return (pawl_sim_stats){.steps = s->count.taken,
                          .rejected = s->count.rejected,
                          .evaluations = sim->mech->evaluations,
                          .events = sim->n_event,
                          .step = s->h,
                          .method = method_of(sim),
                          .steps_dp5 = s->choice.made[0],
                          .steps_dop853 = s->choice.made[1],
                          .steps_radau = s->choice.made[2],
                          .tol = sim->opts.tol,
                          .from = sim->opts.from,
                          .to = sim->opts.to,
                          .redundant = s->hold.redundant,
                          .row_evaluations = sim->row_evaluations};
}
