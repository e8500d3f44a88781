// SPDX-License-Identifier: MIT
/* One instant: impacts until no contact closes, the end of an accumulation of impacts, modes, and
 * velocities that the modes allow (theory, section 21). */
#include <math.h>
#include <string.h>

#include "law/scale_mech.h"
#include "law/scale_sim.h"
#include "linalg/dense.h"
#include "sim/instant.h"

enum { MAX_CASCADE = 5000, MAX_BENDS = 50, MAX_STOPS = 20 };
/* Of the span: with this step the motion begins again after an impact without collision, before
 * which large forces have made steps short. */
static const double jam_step = 1e-4;

static const pw_system *system_of(const pw_contacts *c) {
  return c->watch.s->mech->sys;
}

static pawl_status fail(pw_contacts *c, pw_trouble trouble, int row) {
  c->halt.trouble = trouble;
  c->halt.culprit = row;
  bool endless = trouble == PW_TROUBLE_CASCADE || trouble == PW_TROUBLE_GROWTH;
  return endless ? PAWL_E_EVENTS : PAWL_E_NO_MOTION;
}

/* ---- the rows ---- */

/* A slip is a difference of velocities, which impulses that balance each other have changed. */
static bool is_small(const pw_contacts *c, int law) {
  int row = system_of(c)->nc + law;
  double rounding = PW_SCALE(ROUNDED) * c->now.frame.length[row] * c->size.speed;
  double room = pw_contacts_row(c, law)->on_velocity ? rounding : 0;
  return fabs(c->now.frame.value[row]) <= pw_contacts_zero(c, law) + room;
}

static bool is_zero(const pw_contacts *c, int law) {
  bool below = system_of(c)->law[law].wall && c->now.frame.value[system_of(c)->nc + law] < 0;
  return c->fired[law] || is_small(c, law) || below;
}

bool pw_instant_is_still(const pw_contacts *c, int row) {
  return c->now.frame.length[row] == 0 ||
         fabs(c->now.frame.rate[row]) <= pw_impact_still(&c->impact, &c->now.frame, row);
}

/* Closed, just reached, or zero; what is open takes part in an impact unless it separates: it has
 * left then. In a cascade nothing that separates does, so that no energy can be gained. */
static bool touches(const pw_contacts *c, int law) {
  int row = system_of(c)->nc + law;
  bool separates = c->now.frame.rate[row] > pw_impact_still(&c->impact, &c->now.frame, row);
  bool met = c->mode[law] != PW_OPEN || c->fired[law];
  return separates ? met && c->now.hits == 0 : met || is_zero(c, law);
}

/* Coefficient of friction at the present slip. */
static double friction_of(const pw_contacts *c, int law) {
  pw_law_row row = pw_contacts_law(c, law);
  int side = c->now.frame.value[system_of(c)->nc + law] < 0 ? -1 : 1;
  return pw_in_plane(row.form) ? pw_law_radius(&row, false)
                               : -side * pw_law_force_beside(&row, side);
}

static void describe_laws(pw_contacts *c) {
  const pw_system *s = system_of(c);
  for (int i = 0; i < s->ni; i++) {
    const pw_law_form *form = &s->law[i];
    c->impact.law[i] = (pw_impact_law){.touches = pw_is_contact(form) && touches(c, i),
                                       .jumped = c->now.jumped[i],
                                       .e = c->now.e[i],
                                       .mu = pw_is_coulomb(form) ? friction_of(c, i) : 0};
  }
}

static pawl_status look(pw_contacts *c) {
  pw_stepper *s = c->watch.s;
  pw_contacts_graphs(c, s->t, s->y, s->y + s->nq);
  pawl_status status =
      pw_mech_frame(s->mech, s->t, s->y, s->y + s->nq, s->side, c->now.frame_memory, &c->now.frame);
  if (status != PAWL_OK) {
    return status;
  }
  pw_copy(c->sense, s->mech->sense, c->now.frame.m);
  c->size.speed = fmax(c->size.speed, pw_norm2(c->now.frame.c_velocity, c->now.frame.n));
  c->impact.speed =
      c->conditions.still * c->size.speed + PW_SCALE(ROUNDED) * s->mech->pull * c->size.step;
  for (int i = 0; i < system_of(c)->ni; i++) {
    double rate = c->now.frame.rate[system_of(c)->nc + i];
    c->size.terms[i] = c->now.frame.terms[system_of(c)->nc + i];
    c->size.slowest[i] = fmin(c->size.slowest[i], rate);
    c->size.fastest[i] = fmax(c->size.fastest[i], rate);
    c->impact.drift[system_of(c)->nc + i] =
        pw_contacts_row(c, i)->on_velocity
            ? 0
            : c->conditions.still * fmax(-c->size.slowest[i], c->size.fastest[i]);
  }
  return status;
}

/* The cosine between the force of a row and its gradient is not zero. */
static bool is_controllable(const pw_frame *f, int row) {
  size_t column = (size_t)row * (size_t)f->n;
  return f->phi == NULL || fabs(pw_dot(f->A + column, f->phi + column, f->n)) > PW_SCALE(GRIP);
}

/* A law that acts must have a gradient: without one it has no direction to push in. */
static pawl_status check_gradients(pw_contacts *c) {
  const pw_system *s = system_of(c);
  for (int i = 0; i < s->ni; i++) {
    double length = c->now.frame.length[s->nc + i];
    bool acts = c->impact.law[i].touches || (pw_is_one_sided(&s->law[i]) && is_zero(c, i));
    c->size.steepest[i] = fmax(c->size.steepest[i], length);
    if (acts && !(length > PW_SCALE(NO_GRADIENT) * c->size.steepest[i])) {
      return fail(c, PW_TROUBLE_GRADIENT, s->nc + i);
    }
    if (acts && !is_controllable(&c->now.frame, s->nc + i)) {
      return fail(c, PW_TROUBLE_CONTROL, s->nc + i);
    }
    if (acts) { /* accelerations are known to a part of what keeps to a curved wall, too */
      c->modes.scale = fmax(c->modes.scale, fabs(c->now.frame.zeta[s->nc + i]) / length);
    }
  }
  return PAWL_OK;
}

/* ---- jumps of the velocities ---- */

/* What the impulses of the last problem lost, and what moving walls added. */
static void book(pw_contacts *c) {
  pw_stepper *s = c->watch.s;
  const pw_system *sys = system_of(c);
  double *z = s->y + s->nq + s->nv;
  for (int i = 0; i < sys->nr; i++) {
    c->growth.gain += c->impact.impulse[i] != 0 ? c->impact.energy[i] + c->impact.work[i] : 0;
  }
  for (int k = 0; k < sys->n_work; k++) {
    const pw_work *w = &sys->work[k];
    for (int row = w->row; row >= 0 && row < w->row + w->rows; row++) {
      if (c->impact.impulse[row] != 0 || c->impact.energy[row] != 0) {
        z[1 + k] += w->lost ? -c->impact.energy[row] : c->impact.work[row];
      }
    }
  }
}

/* Rows that are not linear in the velocities: their values after the jump miss the tangents. */
static bool is_bent(const pw_contacts *c) {
  const pw_system *s = system_of(c);
  for (int i = 0; i < s->nr; i++) {
    bool velocity = s->model->rows.items[s->row_of[i]].on_velocity;
    double off = fabs(c->now.frame.rate[i] - c->impact.rate[i]);
    double rounding = PW_SCALE(ROUNDED) * c->now.frame.terms[i];
    if (velocity && off > PW_SCALE(NOISE) * c->now.frame.length[i] * c->size.speed + rounding) {
      return true;
    }
  }
  return false;
}

/* Velocities and slips that had just reached zero have other values after a jump. */
static void forget_fired_velocities(pw_contacts *c) {
  for (int i = 0; i < system_of(c)->ni; i++) {
    c->fired[i] = c->fired[i] && !pw_contacts_row(c, i)->on_velocity;
  }
}

static double distance(const double *a, const double *b, int n) {
  double far = 0;
  for (int i = 0; i < n; i++) {
    far = fmax(far, fabs(a[i] - b[i]));
  }
  return far;
}

static pw_outcome collide(pw_impact *p, const pw_frame *f, const unsigned char *hold) {
  (void)hold;
  return pw_impact_solve(p, f);
}

pawl_status pw_instant_jump(pw_contacts *c, pw_jump_problem solve, const unsigned char *hold) {
  pw_stepper *s = c->watch.s;
  size_t bytes = (size_t)s->nv * sizeof(double);
  memcpy(c->now.base, c->now.frame.c_velocity, bytes);
  memcpy(c->now.rate_before, c->now.frame.rate, (size_t)c->now.frame.m * sizeof(double));
  pw_carry_begin(c);
  for (int k = 0; k < MAX_BENDS; k++) {
    if (solve(&c->impact, &c->now.frame, hold) != PW_SOLVED) {
      return fail(c, PW_TROUBLE_IMPACT, c->impact.failed);
    }
    memcpy(s->y + s->nq, c->impact.velocity, bytes);
    pw_frame_back(&c->now.frame, s->y + s->nq);
    pw_carry_take(c);
    pawl_status status = look(c);
    bool stays = k == 0 ? !is_bent(c) && !system_of(c)->bends
                        : distance(c->now.bend, c->impact.velocity, s->nv) <=
                              PW_SCALE(NOISE) * c->size.speed;
    if (status != PAWL_OK || stays) {
      forget_fired_velocities(c);
      pw_carry_end(c);
      book(c);
      return status;
    }
    memcpy(c->now.bend, c->impact.velocity, bytes);
    pw_carry_rebase(c);
  }
  return fail(c, PW_TROUBLE_IMPACT, c->impact.failed);
}

static pawl_status impacts(pw_contacts *c) {
  pw_cascade cascade = {.n = 0};
  for (int hits = 0; hits < MAX_CASCADE; hits++) {
    describe_laws(c);
    pawl_status status = check_gradients(c);
    if (status != PAWL_OK || !pw_impact_needed(&c->impact, &c->now.frame, c->now.frame.rate)) {
      return status;
    }
    int undefined = pw_impact_undefined(&c->impact);
    status = undefined < 0 ? pw_instant_jump(c, collide, NULL)
                           : fail(c, PW_TROUBLE_RESTITUTION, undefined);
    if (status != PAWL_OK) {
      return status;
    }
    c->now.hits++;
    pw_axpy(1, c->impact.impulse, c->now.kick, c->now.frame.m);
    pw_instant_log_impacts(c, false);
    status = pw_instant_collapse(c, &cascade);
    if (status != PAWL_OK) {
      return status;
    }
  }
  return fail(c, PW_TROUBLE_CASCADE, system_of(c)->nc + c->now.log[0].law);
}

/* ---- modes ---- */

/* Where a law with forces on both sides goes on: by its value or, at the kink, by its rate. */
static pw_mode side_of(const pw_contacts *c, int law) {
  int row = system_of(c)->nc + law;
  bool by_rate = is_zero(c, law) && !pw_contacts_row(c, law)->on_velocity;
  double x = by_rate ? c->now.frame.rate[row] : c->now.frame.value[row];
  bool above = system_of(c)->law[law].wall || system_of(c)->law[law].group >= 0 || x >= 0;
  return above ? PW_OPEN : PW_BELOW;
}

static void name_candidates(pw_contacts *c) {
  pw_stepper *s = c->watch.s;
  const pw_system *sys = system_of(c);
  pw_contacts_graphs(c, s->t, s->y, s->y + s->nq);
  for (int i = 0; i < sys->ni; i++) {
    pw_law_row row = pw_contacts_law(c, i);
    const pw_law_form *form = row.form;
    bool still = pw_instant_is_still(c, sys->nc + i), one_sided = pw_is_one_sided(form);
    bool at_kink = !form->wall && is_zero(c, i) && (form->on_velocity || still);
    pw_candidate *k = &c->modes.candidate[i];
    *k = (pw_candidate){.may_close = at_kink || (c->impact.law[i].touches && still) ||
                                     (one_sided && (still || is_zero(c, i))),
                        .base = pw_mech_side_force(s->mech, i),
                        .side = side_of(c, i),
                        .arrives =
                            one_sided && c->fired[i] && c->repeats > 0 && c->mode[i] == PW_OPEN};
    k->beside = form->wall ? 0 : pw_law_force_beside(&row, k->side == PW_BELOW ? -1 : 1);
    if (form->group == i) {
      pw_slip_describe(c, i, &k->disk);
    }
    pw_contacts_bounds(c, i, &k->lo, &k->hi);
  }
}

int pw_contacts_friction(const pw_contacts *c) {
  const pw_system *s = system_of(c);
  for (int i = 0; i < s->ni; i++) {
    if (s->law[i].on >= 0 && c->impact.law[s->law[i].on].touches) {
      return s->nc + i;
    }
  }
  return -1;
}

/* The friction on the contact whose margin vanished, else the first that touches. */
static int paradox_friction(const pw_contacts *c) {
  const pw_system *s = system_of(c);
  for (int i = 0; i < s->ni && c->paradox.fires; i++) {
    if (s->law[i].on >= 0 && c->fired[s->law[i].on]) {
      return s->nc + i;
    }
  }
  return pw_contacts_friction(c);
}

/* The servo that may be at fault where the matrix of the rows is not symmetric, or -1. */
static int servo_at_fault(const pw_contacts *c) {
  const pw_system *s = system_of(c);
  for (int i = s->nr - 1; i >= 0; i--) {
    if (s->row[i].by >= 0 && (i < s->nc || c->modes.candidate[i - s->nc].may_close)) {
      return i;
    }
  }
  return -1;
}

/* Modes that the laws contradict, or that they leave open. */
static pawl_status no_modes(pw_contacts *c, int friction, bool several) {
  int servo = servo_at_fault(c);
  if (friction >= 0 && c->forces.friction.used) {
    return fail(c, several ? PW_TROUBLE_SEVERAL : PW_TROUBLE_PARADOX, friction);
  }
  if (servo >= 0) {
    return fail(c, several ? PW_TROUBLE_SERVO_SEVERAL : PW_TROUBLE_SERVO, servo);
  }
  return fail(c, PW_TROUBLE_FORCE, c->modes.failed);
}

/* A servo that acts one way cannot keep its row from falling. */
static int fallen(const pw_contacts *c) {
  const pw_system *s = system_of(c);
  for (int i = 0; i < s->ni; i++) {
    if (s->law[i].wall && c->modes.mode[i] == PW_BELOW) {
      return s->nc + i;
    }
  }
  return -1;
}

static pawl_status choose_modes(pw_contacts *c) {
  pw_stepper *s = c->watch.s;
  pw_paradox *p = &c->paradox;
  describe_laws(c);
  name_candidates(c);
  int friction = paradox_friction(c);
  if (p->fires) {
    p->singular = true;
    return fail(c, PW_TROUBLE_PARADOX, friction);
  }
  pawl_status status = pw_modes_select(&c->modes, &c->now.frame, s->t, s->y, s->y + s->nq, s->side);
  bool several = status == PAWL_OK && c->modes.several && !c->modes.settle;
  if (several && friction >= 0) {
    pw_paradox_keep(p, &c->modes, &c->now.frame, s->t, friction - system_of(c)->nc);
  }
  if (status == PAWL_E_CONTRADICTION || several) {
    return no_modes(c, friction, several);
  }
  if (status == PAWL_OK && fallen(c) >= 0) {
    return fail(c, PW_TROUBLE_SERVO, fallen(c));
  }
  if (status == PAWL_OK) {
    memcpy(c->mode, c->modes.mode, (size_t)system_of(c)->ni);
  }
  return status;
}

/* One of several motions, that with the least forces, goes on. */
static pawl_status settle_for_least(pw_contacts *c) {
  c->halt.trouble = PW_TROUBLE_NONE;
  c->modes.settle = true;
  pw_paradox_choose(&c->paradox, 0);
  c->paradox.settled = true;
  pawl_status status = choose_modes(c);
  c->modes.settle = false;
  return status;
}

/* No motion, or several: what the policy says. *again: velocities have jumped. */
static pawl_status resolve_paradox(pw_contacts *c, pawl_status status, bool *again) {
  pw_stepper *s = c->watch.s;
  pw_trouble trouble = c->halt.trouble;
  int culprit = c->halt.culprit;
  bool several = trouble == PW_TROUBLE_SEVERAL;
  *again = false;
  if (c->paradox.policy == PAWL_PARADOX_IWC) {
    *again = pw_instant_jump(c, pw_impact_jam, NULL) == PAWL_OK;
    c->halt.trouble = *again ? PW_TROUBLE_NONE : trouble;
    c->halt.culprit = *again ? -1 : culprit;
  }
  if (*again && several) {
    pw_paradox_choose(&c->paradox, PAWL_CHOSEN_IMPACT);
  }
  if (*again) {
    c->paradox.fires = c->paradox.singular = false;
    s->h_next = fmax(s->h_next, jam_step * s->span);
    pw_axpy(1, c->impact.impulse, c->now.kick, c->now.frame.m);
    pw_instant_log_impacts(c, true);
    return impacts(c);
  }
  return several && c->paradox.policy != PAWL_PARADOX_STRICT ? settle_for_least(c) : status;
}

/* Rough contacts that stay closed must not slip; what slips is stopped by an impact of its own. */
static bool mark_slips(pw_contacts *c) {
  const pw_system *s = system_of(c);
  bool any = false;
  for (int i = 0; i < s->ni; i++) {
    const pw_law_form *form = &s->law[i];
    bool grips = pw_is_rough(form) && c->mode[i] != PW_OPEN;
    bool above = c->impact.law[i].touches || pw_is_one_sided(form);
    any = any || (grips && !pw_instant_is_still(c, s->nc + i));
    c->now.hold[i] = grips ? PW_HOLD_AT : above ? PW_HOLD_ABOVE : PW_HOLD_NOT;
  }
  return any;
}

static pawl_status modes_and_slips(pw_contacts *c) {
  for (int k = 0; k < MAX_STOPS; k++) {
    bool again = false;
    pawl_status status = choose_modes(c);
    if (c->halt.trouble == PW_TROUBLE_PARADOX || c->halt.trouble == PW_TROUBLE_SEVERAL) {
      status = resolve_paradox(c, status, &again);
    }
    if (status == PAWL_OK && again) {
      continue;
    }
    if (status != PAWL_OK || !mark_slips(c)) {
      return status;
    }
    status = pw_instant_jump(c, pw_impact_hold, c->now.hold);
    if (status == PAWL_OK) {
      pw_axpy(1, c->impact.impulse, c->now.kick, c->now.frame.m);
      pw_instant_log_impacts(c, false);
      status = impacts(c);
    }
    if (status != PAWL_OK) {
      return status;
    }
  }
  return fail(c, PW_TROUBLE_CASCADE, system_of(c)->nc);
}

/* ---- the instant ---- */

/* impulse(c) is that of the last jump of c, whether it was hit or hit along with others. */
static void keep_impulses(pw_contacts *c) {
  const pw_system *s = system_of(c);
  bool jumped = false;
  for (int i = 0; i < s->nr; i++) {
    jumped = jumped || c->now.kick[i] != 0;
  }
  for (int i = 0; jumped && i < s->nr; i++) {
    if (i < s->nc || c->now.kick[i] != 0) { /* equalities take part in every jump */
      c->impulse[s->row_of[i]] = fabs(s->row[i].unit) * c->watch.s->mech->sense[i] * c->now.kick[i];
    }
  }
  if (jumped) {
    pw_mech_impulses(c->watch.s->mech, c->impulse);
  }
}

/* A contact that opens again does not come to rest; one that nothing pushes either way does. */
static void revise_rest(pw_contacts *c) {
  bool any = false;
  for (int i = 0; i < system_of(c)->ni; i++) {
    if (c->rest.due[i] && c->mode[i] == PW_OPEN && !pw_contacts_indifferent(c, i)) {
      pw_instant_add_rest(c, i);
      c->rest.due[i] = 0;
    }
    any = any || c->rest.due[i];
  }
  c->rest.time = any ? c->rest.time : INFINITY;
}

/* A velocity as far below zero as the tolerance of the start allows. */
static bool is_slow(const pw_contacts *c, int law) {
  int row = system_of(c)->nc + law;
  bool below = system_of(c)->law[law].wall && c->now.frame.value[row] < 0;
  return below && pw_contacts_row(c, law)->on_velocity && pw_instant_is_still(c, row);
}

/* What is watched from here on begins at zero: the value of a law that opened, or a force that its
 * derivative has decided. */
static void note_begins(pw_contacts *c) {
  for (int i = 0; i < system_of(c)->ni; i++) {
    bool beside = c->mode[i] == PW_OPEN || c->mode[i] == PW_BELOW;
    int plane = system_of(c)->law[i].group;
    bool small = plane >= 0 ? pw_slip_is_small(c, plane) : is_small(c, i) || is_slow(c, i);
    c->begins[i] = beside ? small : c->modes.faint[i];
  }
}

/* Contacts a little below zero, because another law acted first, are put on it: from
 * below they would not be seen to close again. */
static pawl_status lift(pw_contacts *c) {
  pw_stepper *s = c->watch.s;
  const pw_system *sys = system_of(c);
  bool any = false;
  for (int i = 0; i < sys->ni; i++) {
    int row = sys->nc + i;
    bool low = sys->law[i].wall && !pw_contacts_row(c, i)->on_velocity &&
               c->now.frame.value[row] < -pw_contacts_rounding(c, i, c->size.step);
    c->modes.closed[i] = low ? PW_AT_KINK : pw_mode_state(c->mode[i]);
    any = any || low;
  }
  if (!any) {
    return PAWL_OK;
  }
  pw_mech_close(s->mech, c->modes.closed);
  pawl_status status = pw_mech_project_q(s->mech, s->t, s->y, s->side, 0, s->e_x);
  pw_contacts_impose(c);
  return status == PAWL_OK ? look(c) : status;
}

pawl_status pw_contacts_instant(pw_contacts *c) {
  pw_stepper *s = c->watch.s;
  const pw_system *sys = system_of(c);
  c->now.n_log = 0;
  c->halt.culprit = -1;
  c->halt.trouble = PW_TROUBLE_NONE;
  c->now.hits = 0;
  c->now.collapsed = false;
  if (!c->now.crossed) {
    memcpy(c->now.was, c->mode, (size_t)sys->ni);
  }
  c->paradox.settled = false;
  pw_zero(c->now.kick, sys->nr);
  pawl_status status = look(c);
  if (status == PAWL_OK) {
    pw_mech_restitution(s->mech, s->t, s->y, s->y + s->nq, s->side, c->now.e);
    if (c->conditions.soft_from > 0 && c->struck + 1 >= c->conditions.soft_from) {
      pw_zero(c->now.e, sys->ni);
    }
    status = impacts(c);
    c->struck += c->now.hits > 0;
  }
  if (status == PAWL_OK && c->now.hits > 0 && pw_growth_hit(&c->growth, s->t)) {
    status = fail(c, PW_TROUBLE_GROWTH, sys->nc + c->now.log[0].law);
  }
  if (status == PAWL_OK) {
    status = lift(c);
  }
  if (status == PAWL_OK) {
    status = pw_instant_accumulate(c);
  }
  if (status == PAWL_OK) {
    status = modes_and_slips(c);
  }
  if (status == PAWL_OK) {
    status = pw_instant_calm(c);
  }
  revise_rest(c);
  keep_impulses(c);
  note_begins(c);
  if (status == PAWL_OK) {
    status = pw_stepper_settle(s);
  }
  if (status == PAWL_OK) {
    status = pw_carry_check(c);
  }
  if (status == PAWL_OK) {
    pw_load_note(c);
    pw_slip_anchor(c);
    c->paradox.side = s->mech->margin < 0 ? -1 : 1;
    c->paradox.last = NAN;
    pw_instant_limit_step(c);
  }
  return status;
}
