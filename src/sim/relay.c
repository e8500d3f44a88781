// SPDX-License-Identifier: MIT
#include "sim/relay.h"

#include <math.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_scene.h"
#include "sim/sim_state.h"

/* ---- which kind of steps ---- */

/* The stepper makes steps of the present kind. */
static void wire(pawl_sim *sim) {
  pw_stepper *s = &sim->stepper;
  pw_step_range *range = &s->range;
  pw_choice *choice = &s->choice;
  bool steps = sim->relay.steps;
  pw_sim_use(sim, steps ? &pw_heap_method : pw_method_of(PAWL_METHOD_AUTO));
  range->fixed = steps ? sim->opts.step : 0;
  choice->open = !steps;
  if (steps) {
    pw_stepper_make(s, &pw_hermite);
    pw_stepper_map(s, pw_heap_step, &sim->heap);
  } else {
    pw_stepper_use(s, s->choice.pair);
  }
}

static void add_part(pw_relay *x, double t) {
  if (x->parts < PAWL_PARTS_KEPT) {
    x->part[x->parts] = (pw_relay_part){t, x->steps};
  }
  x->parts++;
  x->since = t;
}

void pw_relay_begin(pawl_sim *sim, double t) {
  pw_relay *x = &sim->relay;
  *x = (pw_relay){.on = x->on, .wait = PW_SCALE(TURNS_QUIET)};
  if (x->on) {
    wire(sim);
    add_part(x, t);
  }
}

void pw_relay_resume(pawl_sim *sim) {
  if (sim->relay.on) {
    wire(sim);
  }
}

/* ---- events are too many ---- */

void pw_relay_note(pawl_sim *sim) {
  pw_relay *x = &sim->relay;
  const pw_instant *now = &sim->contacts.now;
  if (!x->on || x->steps) {
    return;
  }
  int struck = 0, law = -1;
  for (int i = 0; i < now->n_log; i++) {
    bool hit = now->log[i].kind == PW_IMPACT;
    law = hit && struck == 0 ? now->log[i].law : law;
    struck += hit;
  }
  if (struck > 0) {
    x->when[x->next] = sim->stepper.t;
    x->where[x->next] = struck > 1 ? -1 : law;
    x->next = (x->next + 1) % PW_RELAY_IMPACTS;
    x->impacts = x->impacts < PW_RELAY_IMPACTS ? x->impacts + 1 : x->impacts;
  }
}

/* stepping (T12): the last impacts are of several contacts and lie within a few steps. The bounces
 * of a single contact have an end that the event method finds. */
static bool is_storm(const pawl_sim *sim) {
  const pw_relay *x = &sim->relay;
  bool several = false;
  for (int i = 0; i < x->impacts; i++) {
    several = several || x->where[i] < 0 || x->where[i] != x->where[0];
  }
  return several && x->impacts == PW_RELAY_IMPACTS &&
         sim->stepper.t - x->when[x->next] < PW_SCALE(TURNS_STORM) * sim->opts.step;
}

/* stepping (T14): events that are given up sooner than the quiet steps before them were worth. */
static void wait_longer(pw_relay *x) {
  x->wait *= 2;
}

/* All laws open: the pile has their forces. */
static pawl_status to_steps(pawl_sim *sim) {
  pw_stepper *s = &sim->stepper;
  pw_step_range *range = &s->range;
  pw_relay *x = &sim->relay;
  if (s->t - x->since < x->wait * sim->opts.step) {
    wait_longer(x);
  }
  x->steps = true;
  x->quiet = 0;
  pw_contacts_release(&sim->contacts);
  wire(sim);
  range->start = s->t;
  pawl_status status = pw_stepper_restart(s);
  if (status == PAWL_OK) {
    status = pw_heap_take_up(&sim->heap, s->t, s->y, s->y + s->nq, sim->opts.step);
  }
  return status;
}

/* ---- back to events ---- */

typedef struct meeting { /* what the pile knows of two shapes */
  bool closed, slides;
  double size; /* of the smaller one */
} meeting;

static double size_of(const pw_heap *x, const int shape[2]) {
  double a = x->shape[shape[0]].solid->size, b = x->shape[shape[1]].solid->size;
  return a > 0 && b > 0 ? fmin(a, b) : fmax(a, b); /* a plane has none */
}

static bool is_pair(const pw_heap *x, const pw_heap_known *k, const pw_touch *touch) {
  const char *name = pw_heap_name(x, 0, k->pile, k->shape, 0);
  size_t n = strlen(touch->contact);
  return strncmp(name, touch->contact, n) == 0 && name[n] == ':' &&
         strcmp(name + n + 1, touch->pair) == 0;
}

static meeting meeting_of(const pawl_sim *sim, const pw_touch *touch) {
  const pw_heap *x = &sim->heap;
  meeting m = {0};
  for (int i = 0; i < *x->n_known; i++) {
    const pw_heap_known *k = &x->known[i];
    if (k->closed && is_pair(x, k, touch)) {
      m = (meeting){true, m.slides || k->slides, size_of(x, k->shape)};
    }
  }
  return m;
}

/* Each contact that presses in the pile touches at a row of its pair. */
static bool has_all(const pawl_sim *sim) {
  const pw_heap *x = &sim->heap;
  const pw_model *m = sim->model;
  bool all = true;
  for (int i = 0; i < *x->n_known && all; i++) {
    const pw_heap_known *k = &x->known[i];
    bool found = !k->closed || !(k->force[0] > 0);
    for (int j = 0; j < m->touches.n && !found; j++) {
      const pw_touch *touch = &m->touches.items[j];
      found = sim->touching[sim->sys->index_of[touch->row] - sim->sys->nc] && is_pair(x, k, touch);
    }
    all = found;
  }
  return all;
}

/* stepping (T13): contacts of the pile that are closed, as laws, and slips on them that have ended.
 * False: one that presses is not where its row is zero. */
static bool find_closed(pawl_sim *sim) {
  const pw_stepper *s = &sim->stepper;
  const pw_system *sys = sim->sys;
  const pw_model *m = sim->model;
  double *value = sim->contacts.value;
  unsigned char *touching = sim->touching;
  pw_mech_gaps(sim->mech, s->t, s->y, s->y + s->nq, s->side, value);
  memset(touching, 0, (size_t)sys->ni);
  for (int i = 0; i < m->touches.n; i++) {
    const pw_touch *touch = &m->touches.items[i];
    meeting k = meeting_of(sim, touch);
    int law = sys->index_of[touch->row] - sys->nc;
    bool touches = k.closed && fabs(value[law]) <= PW_SCALE(TURNS_TOUCH) * k.size;
    touching[law] = touches;
    for (int j = 1; j <= touch->n_slip; j++) {
      touching[law + j] = touches && !k.slides;
    }
  }
  return has_all(sim);
}

/* What touches is put on its contact, with velocities along it. The pile's losses take what that
 * changes of the energy. */
static pawl_status settle(pawl_sim *sim) {
  pw_stepper *s = &sim->stepper;
  pw_contacts *c = &sim->contacts;
  double energy[3], *z = s->y + s->nq + s->nv;
  pw_mech_energy(sim->mech, s->t, s->y, s->y + s->nq, s->side, energy);
  unsigned char *mode = c->mode;
  for (int i = 0; i < sim->sys->ni; i++) {
    mode[i] = sim->touching[i] ? PW_CLOSED : PW_OPEN;
  }
  pw_contacts_impose(c);
  pawl_status status = pw_stepper_settle(s);
  double gained = s->energy[0] + s->energy[1] - energy[0] - energy[1];
  for (int k = 0; k < sim->sys->n_work; k++) {
    bool takes = sim->sys->work[k].pile == 1 && sim->sys->work[k].lost;
    z[1 + k] -= takes ? gained : 0;
  }
  return status;
}

/* Velocities along contacts that turn are those of the middle of the last step. A jump that shows
 * is no hand-over. */
static bool is_smooth(const pawl_sim *sim, const double *before) {
  const pw_stepper *s = &sim->stepper;
  double sum = 0, speed = sqrt(2 * sim->energy.scale);
  for (int k = 0; k < s->nv; k++) {
    double du = s->y[s->nq + k] - before[s->nq + k];
    sum += sim->mech->mass[k] * du * du;
  }
  return sqrt(sum) <= PW_SCALE(TURNS_JUMP) * speed;
}

static pawl_status to_events(pawl_sim *sim) {
  pw_stepper *s = &sim->stepper;
  pw_relay *x = &sim->relay;
  double *y = s->y, *back = sim->at.before; /* as large as a state at least */
  size_t bytes = (size_t)s->n * sizeof *back;
  x->quiet = 0;
  if (!find_closed(sim)) {
    wait_longer(x);
    return PAWL_OK;
  }
  memcpy(back, y, bytes);
  x->steps = false;
  x->impacts = x->next = 0;
  wire(sim);
  pawl_status status = settle(sim);
  status = status == PAWL_OK && !is_smooth(sim, back) ? PAWL_E_STEP : status;
  if (status == PAWL_OK) {
    pw_surfaces_reset(&sim->surfaces);
    status = pw_contacts_begin(&sim->contacts, sim->touching);
  }
  if (status == PAWL_OK && sim->contacts.now.n_log == 0) {
    pw_stepper_propose(s, sim->opts.step);
    return PAWL_OK;
  }

  /* velocities would jump, or no forces were found that hold the contacts: steps go on */
  memcpy(y, back, bytes);
  x->since = s->t;
  return to_steps(sim);
}

/* ---- all of it ---- */

static pawl_status change(pawl_sim *sim, pawl_status (*to)(pawl_sim *sim)) {
  pw_stepper *s = &sim->stepper;
  bool was = sim->relay.steps;
  pawl_status status = pw_events_before_jump(&sim->events, s->t, s->y);
  status = status == PAWL_OK ? to(sim) : status;
  if (status != PAWL_OK || sim->relay.steps == was) {
    return status;
  }
  add_part(&sim->relay, s->t);
  pw_sim_break(sim);
  return pw_events_after_jump(&sim->events, s->t, s->y);
}

pawl_status pw_relay_look(pawl_sim *sim) {
  pw_relay *x = &sim->relay;
  bool busy = sim->events.found || sim->contacts.pending || sim->start_jump;
  if (!x->on || busy) {
    return PAWL_OK;
  }
  if (!x->steps && is_storm(sim)) {
    pw_rests *rest = &sim->contacts.rest;
    double t = sim->stepper.t;
    if (isfinite(rest->time) && rest->put_off != t) { /* rests that are due are told first */
      rest->time = t;
      return PAWL_OK;
    }
    return change(sim, to_steps);
  }
  if (!x->steps) {
    return PAWL_OK;
  }
  x->quiet = *sim->heap.n_log > 0 ? 0 : x->quiet + 1;
  return x->quiet > x->wait ? change(sim, to_events) : PAWL_OK;
}

/* ---- events that find no way on ---- */

/* No forces or impulses satisfy the laws, or steps between events become too small. Limits of the
 * user, memory and values that are no numbers are not for steps to mend. */
static bool is_of_events(pawl_status status) {
  return status == PAWL_E_NO_MOTION || status == PAWL_E_STEP || status == PAWL_E_CONTRADICTION ||
         status == PAWL_E_DRIFT;
}

pawl_status pw_relay_rescue(pawl_sim *sim, pawl_status status) {
  pw_relay *x = &sim->relay;
  pw_stepper *s = &sim->stepper;
  if (!x->on || x->steps || !is_of_events(status)) {
    return status;
  }

  /* an instant that has failed may have left velocities half-way */
  double *y = s->y;
  if (sim->t == s->t) {
    memcpy(y, sim->y, (size_t)s->n * sizeof *y);
  }
  (void)pw_stepper_fail(s, (pw_fault){0});
  pawl_status steps = change(sim, to_steps);
  if (steps != PAWL_OK) {
    return steps;
  }
  if (x->lost == PAWL_OK) {
    x->lost = status;
    x->lost_at = s->t;
  }
  return PAWL_OK;
}

void pw_relay_announce(pawl_sim *sim, pawl_diags *diags) {
  pw_relay *x = &sim->relay;
  if (x->lost == PAWL_OK || x->told) {
    return;
  }
  const pw_pile *pile = &sim->model->piles.items[0];
  pw_diag_ref ref =
      pw_warning(diags, "W0551", pile->span,
                 "steps take over at t = %.9g, where events find no way on", x->lost_at);
  pw_label(ref, "%s", pawl_status_text(x->lost));
  pw_help(ref, "`method event` ends there and says more");
  x->told = true;
}

int pawl_sim_parts(const pawl_sim *sim) {
  return sim == NULL || !sim->relay.on ? 0 : sim->relay.parts;
}

pawl_part pawl_sim_part(const pawl_sim *sim, int i) {
  int n = pawl_sim_parts(sim), kept = n < PAWL_PARTS_KEPT ? n : PAWL_PARTS_KEPT;
  if (i < 0 || i >= kept) {
    return (pawl_part){.from = NAN, .to = NAN};
  }
  const pw_relay_part *x = &sim->relay.part[i];
  return (pawl_part){.from = x->from,
                     .to = i + 1 == n     ? sim->stepper.t
                           : i + 1 < kept ? x[1].from
                                          : sim->relay.since,
                     .method = x->steps ? PAWL_METHOD_MOREAU : PAWL_METHOD_AUTO};
}
