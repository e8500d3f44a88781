// SPDX-License-Identifier: MIT
/* The instant: the modes after it, and what a policy says where there is no motion or several. */
#include <math.h>
#include <string.h>

#include "law/scale_sim.h"
#include "law/scale_static.h"
#include "linalg/dense.h"
#include "sim/instant.h"
#include "sim/top.h"

enum { MAX_STOPS = 20 };

static const pw_system *system_of(const pw_contacts *c) {
  return c->watch.s->mech->sys;
}

/* Where a law with forces on both sides goes on: by its value or, at the kink, by its rate. */
static pw_mode side_of(const pw_contacts *c, int law) {
  int row = system_of(c)->nc + law;
  bool by_rate = pw_instant_is_zero(c, law) && !pw_contacts_row(c, law)->on_velocity;
  double x = by_rate ? c->now.frame.rate[row] : c->now.frame.value[row];
  bool above = system_of(c)->law[law].wall || system_of(c)->law[law].group >= 0 || x >= 0;
  return above ? PW_OPEN : PW_BELOW;
}

/* theory, section 19: a slip that an impact has left at a rough contact lasts, without any force,
 * until the contact is hit again or opens. */
static void find_smooth(pw_contacts *c) {
  const pw_system *s = system_of(c);
  for (int i = 0; i < s->ni; i++) {
    c->smooth[i] = c->smooth[i] && c->now.kick[s->nc + i] == 0;
  }
  for (int i = 0; i < s->ni; i++) {
    int on = s->law[i].contact;
    bool left = pw_is_rough(&s->law[i]) && c->now.kick[s->nc + on] != 0;
    if (left && !pw_instant_is_still(c, s->nc + i)) {
      c->smooth[on] = 1;
    }
  }
}

/* An impact knows slips no better than rates: where it leaves a contact at rest within STILL, a
 * slip within STILL may be at rest too. Else a body that is stopped would slide at one contact. The
 * same of a slip whose way is hidden. */
static void find_stopped(pw_contacts *c) {
  const pw_system *s = system_of(c);
  for (int i = 0; i < s->ni; i++) {
    int on = s->law[i].on;
    bool alone = on >= 0 && s->law[i].group < 0 && !pw_instant_is_zero(c, i);
    bool left = alone && c->now.hits > 0 && c->impact.law[on].touches &&
                pw_instant_is_still(c, s->nc + on) && pw_instant_is_still(c, s->nc + i);
    c->now.stopped[i] = left || (alone && pw_slip_is_hidden(c, i));
  }
}

/* It is at rest only if it sticks: one that would slide to its other side has slid to this one. */
static bool any_slides_back(pw_contacts *c) {
  bool any = false;
  for (int i = 0; i < system_of(c)->ni; i++) {
    unsigned char mode = c->modes.mode[i];
    bool slides = mode == PW_OPEN || mode == PW_BELOW;
    if (c->now.stopped[i] && slides && mode != side_of(c, i)) {
      c->now.stopped[i] = 0;
      any = true;
    }
  }
  return any;
}

/* Its force ends here, again and again. */
static bool is_turning(const pw_contacts *c, int law) {
  return c->fired[law] && c->repeats > PW_FEW_INSTANTS && c->mode[law] == PW_CLOSED &&
         system_of(c)->law[law].wall;
}

enum { UNLOADED_BEFORE = 1, UNLOADED_NOW = 2 };

/* Where slips tilt the forces of contacts that share a load, the shares decide the motion, and no
 * law decides the shares. One that has come to zero stays there as long as the others carry the
 * load: a box on four feet goes on on three. */
static void find_unloaded(pw_contacts *c) {
  for (int i = 0; i < system_of(c)->ni; i++) {
    bool slides = pw_is_contact(&system_of(c)->law[i]) && pw_contacts_carries_slip(c, i);
    c->now.unloaded[i] = slides && c->mode[i] == PW_RESTING ? UNLOADED_BEFORE : 0;
  }
}

static bool is_sliding(const pw_contacts *c, int law) {
  const pw_patterns *p = &system_of(c)->pattern;
  bool slides = false;
  for (int i = p->rider[law]; i >= 0; i = p->next_rider[i]) {
    slides = slides || c->modes.mode[i] == PW_OPEN || c->modes.mode[i] == PW_BELOW;
  }
  return slides;
}

/* The contact that would have to pull most for its share, or whose share has just come to zero. */
static bool unload_one(pw_contacts *c) {
  const pw_mech *m = c->watch.s->mech;
  const pw_system *sys = m->sys;
  double tiny = PW_SCALE(NEGLIGIBLE) * c->modes.scale, least = INFINITY;
  int which = -1;
  for (int i = 0; i < sys->ni; i++) {
    double share = m->lambda[sys->nc + i] * c->now.frame.length[sys->nc + i];
    bool ends = c->fired[i] && c->now.was[i] == PW_CLOSED && share <= tiny;
    bool shares = c->modes.mode[i] == PW_CLOSED && pw_is_contact(&sys->law[i]) && is_sliding(c, i);
    if (shares && (ends || share < -tiny) && share < least) {
      least = share;
      which = i;
    }
  }
  if (which >= 0) {
    c->now.unloaded[which] = UNLOADED_NOW;
  }
  return which >= 0;
}

/* A slip that begins here goes back with the least shares: it began with those that were found. */
static bool any_turns_back(const pw_contacts *c) {
  pw_mech *m = c->watch.s->mech;
  const pw_frame *f = &c->now.frame;
  double tiny = PW_SCALE(NEGLIGIBLE) * c->modes.scale;
  bool any = false;
  pw_frame_lift(f, m->a, c->now.fall);
  for (int i = 0; i < m->sys->ni && !any; i++) {
    int row = m->sys->nc + i;
    const double *d = c->modes.heading + i;
    if (m->sys->law[i].group != i || c->modes.mode[i] != PW_OPEN ||
        c->modes.candidate[i].disk.fixed) {
      continue;
    }
    double along = 0, steepest = 0;
    for (int k = 0; k < m->sys->law[i].width; k++) {
      const double *column = f->A + (size_t)(row + k) * (size_t)f->n;
      along += d[k] * (f->length[row + k] * pw_dot(column, c->now.fall, f->n) + f->zeta[row + k]);
      steepest = fmax(steepest, f->length[row + k]);
    }
    any = along < -tiny * steepest;
  }
  return any;
}

/* The motion with the least shares, where it depends on them: what of it the laws forbid is chosen
 * otherwise. False: nothing. */
static bool share_otherwise(pw_contacts *c, bool loaded) {
  pw_stepper *s = c->watch.s;
  if (!c->modes.shared || c->modes.several ||
      pw_mech_rates(s->mech, s->t, s->y, s->y + s->nq, s->side) != PAWL_OK) {
    return false;
  }
  if (!loaded && unload_one(c)) {
    return true;
  }
  bool turns = !c->modes.keeps && any_turns_back(c);
  c->modes.keeps = c->modes.keeps || turns;
  return turns;
}

/* The others do not carry all: those that had no share before may have one now; if that does not
 * help, all may. False: nothing is to be tried. */
static bool load_again(pw_contacts *c, pawl_status status) {
  const pw_system *s = system_of(c);
  bool fails = status == PAWL_E_CONTRADICTION || c->modes.several;
  for (int i = 0; i < s->ni && status == PAWL_OK; i++) {
    fails = fails || (c->modes.candidate[i].unloaded && c->modes.mode[i] != PW_RESTING);
  }
  bool before = memchr(c->now.unloaded, UNLOADED_BEFORE, (size_t)s->ni) != NULL;
  bool now = memchr(c->now.unloaded, UNLOADED_NOW, (size_t)s->ni) != NULL;
  for (int i = 0; i < s->ni && fails; i++) {
    c->now.unloaded[i] = before && c->now.unloaded[i] == UNLOADED_NOW ? UNLOADED_NOW : 0;
  }
  return fails && (before || now);
}

void pw_instant_candidates(pw_contacts *c) {
  pw_stepper *s = c->watch.s;
  const pw_system *sys = system_of(c);
  pw_contacts_graphs(c, s->t, s->y, s->y + s->nq);
  for (int i = 0; i < sys->ni; i++) {
    pw_law_row row = pw_contacts_law(c, i);
    const pw_law_form *form = row.form;
    bool still = pw_instant_is_still(c, sys->nc + i), one_sided = pw_is_one_sided(form);
    bool zero = pw_instant_is_zero(c, i) || c->now.stopped[i];
    bool at_kink = !form->wall && zero && (form->on_velocity || still);
    pw_candidate *k = &c->modes.candidate[i];
    bool touches = at_kink || (c->impact.law[i].touches && still) ||
                   (one_sided && (still || pw_instant_is_zero(c, i)));
    *k = (pw_candidate){.may_close = touches && !c->now.unloaded[i],
                        .unloaded = touches && c->now.unloaded[i],
                        .base = pw_mech_side_force(s->mech, i),
                        .side = side_of(c, i),
                        .smooth = c->smooth[i],
                        .leaves = is_turning(c, i) && c->modes.faint[i],
                        .arrives =
                            one_sided && c->fired[i] && c->repeats > 0 && c->mode[i] == PW_OPEN};
    k->beside = form->wall ? 0 : pw_law_force_beside(&row, k->side == PW_BELOW ? -1 : 1);
    if (form->group == i) {
      pw_slip_describe(c, i, &k->disk);
    }
    pw_contacts_bounds(c, i, &k->lo, &k->hi);
    if (form->loaded && k->lo > k->hi) { /* |lambda| of a force with the other sign than before */
      double hi = k->lo;
      k->lo = k->hi;
      k->hi = hi;
      k->beside = -k->beside;
    }
    if (form->bend && form->on_velocity && !form->wall) { /* apart only as far as the slip is off */
      k->lo = k->hi = (k->lo + k->hi) / 2;
    }
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

/* The first rough row on a contact that touches, or -1. */
static int rough_at_fault(const pw_contacts *c) {
  const pw_system *s = system_of(c);
  for (int i = 0; i < s->ni; i++) {
    if (pw_is_rough(&s->law[i]) && c->modes.candidate[s->law[i].contact].may_close) {
      return s->nc + i;
    }
  }
  return -1;
}

/* Modes that the laws contradict, or that they leave open. */
static pawl_status no_modes(pw_contacts *c, int friction, bool several) {
  bool grips = c->modes.joint || c->modes.ends;
  int servo = servo_at_fault(c), rough = grips ? rough_at_fault(c) : -1;
  pawl_status status;
  if (rough >= 0 && !several) {
    status = pw_instant_fail(c, PW_TROUBLE_PARADOX, rough);
  } else if (friction >= 0 && c->forces.friction.used) {
    status = pw_instant_fail(c, several ? PW_TROUBLE_SEVERAL : PW_TROUBLE_PARADOX, friction);
  } else if (servo >= 0) {
    status = pw_instant_fail(c, several ? PW_TROUBLE_SERVO_SEVERAL : PW_TROUBLE_SERVO, servo);
  } else {
    status = pw_instant_fail(c, PW_TROUBLE_FORCE, c->modes.failed);
  }
  c->halt.proved = c->modes.proved;
  c->halt.ends = c->modes.ends;
  return status;
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

static pawl_status frame_again(pw_contacts *c) {
  pw_stepper *s = c->watch.s;
  return pw_mech_frame(s->mech, s->t, s->y, s->y + s->nq, s->side, c->now.frame_memory,
                       &c->now.frame);
}

static pawl_status select_modes(pw_contacts *c, bool settle) {
  pw_stepper *s = c->watch.s;
  return pw_modes_select(&c->modes, &c->now.frame, s->t, s->y, s->y + s->nq, s->side, settle);
}

/* Where pieces of a maximum are tied, one of them on top after the other. */
static pawl_status select_top(pw_contacts *c, bool settle) {
  pawl_status status = select_modes(c, settle);
  for (int32_t k = 0; status == PAWL_OK && !pw_top_holds(c) && pw_top_take(c, k); k++) {
    status = frame_again(c);
    if (status == PAWL_OK) {
      pw_instant_candidates(c);
      status = select_modes(c, settle);
    }
  }
  return status;
}

/* The same, with slips at rest that stick and contacts without a share that others carry. */
static pawl_status select_loaded(pw_contacts *c, bool settle) {
  pawl_status status = select_top(c, settle);
  for (bool again = true, loaded = false; again;) {
    again = load_again(c, status);
    loaded = loaded || again;
    if (!again && status == PAWL_OK) {
      again = any_slides_back(c) || share_otherwise(c, loaded);
    }
    if (again) {
      pw_instant_candidates(c);
      status = select_top(c, settle);
    }
  }
  return status;
}

static pawl_status choose_once(pw_contacts *c, bool settle) {
  pw_stepper *s = c->watch.s;
  pw_paradox *p = &c->paradox;
  pawl_status status = pw_top_begin(c) ? frame_again(c) : PAWL_OK;
  if (status != PAWL_OK) {
    return status;
  }

  /* What touches, where a slip left by an impact lasts, and which rows may change. */
  pw_instant_describe(c);
  find_smooth(c);
  find_stopped(c);
  find_unloaded(c);
  c->modes.keeps = false;
  c->modes.delay = c->now.crossed ? PW_SCALE(ROUNDED) * fmax(fabs(s->t), c->size.step) : 0;
  c->modes.doubt = PW_SCALE(ROUNDED) * c->size.load;
  pw_instant_candidates(c);
  int friction = paradox_friction(c);

  /* The margin vanished: the next acceleration is a policy, not mechanics (theory, section 26). */
  if (p->fires) {
    p->singular = true;
    return pw_instant_fail(c, PW_TROUBLE_PARADOX, friction);
  }

  /* Modes with complementary forces and accelerations; with friction several may be kept. */
  status = select_loaded(c, settle);
  bool several = status == PAWL_OK && c->modes.several && !settle;
  if (several && friction >= 0) {
    pw_paradox_keep(p, &c->modes, &c->now.frame, s->t, friction - system_of(c)->nc);
  }
  if (status == PAWL_E_CONTRADICTION || several) {
    return no_modes(c, friction, several);
  }

  /* A servo that acts one way may fail to hold its row. */
  if (status == PAWL_OK && fallen(c) >= 0) {
    return pw_instant_fail(c, PW_TROUBLE_SERVO, fallen(c));
  }

  /* A slip without force ends where its contact opens. */
  if (status == PAWL_OK) {
    memcpy(c->mode, c->modes.mode, (size_t)system_of(c)->ni);
    for (int i = 0; i < system_of(c)->ni; i++) {
      c->smooth[i] = c->smooth[i] && c->mode[i] != PW_OPEN;
    }
  }
  return status;
}

/* Where the force of an equality has jumped through zero, |lambda| goes on with its other piece. */
static pawl_status turn_loads(pw_contacts *c) {
  pw_stepper *s = c->watch.s;
  const pw_system *sys = system_of(c);
  pawl_status status = PAWL_OK;
  bool any = sys->trait.sides_use_forces;
  for (int k = 0; k <= sys->n_switch && any && status == PAWL_OK; k++) {
    any = false;
    pw_mech_all_sides(s->mech, s->t, s->y, s->y + s->nq, s->side, c->now.sides);
    double faint = PW_SCALE(NEGLIGIBLE) * pw_mech_load_size(s->mech);
    for (int i = 0; i < sys->n_switch; i++) {
      double right = c->now.sides[i] * pw_surface_sign(sys, i, s->side[i]);
      if (sys->surface[i].of_force && right < -faint) {
        pw_stepper_turn(s, i, pw_surface_side(sys, i, c->now.sides));
        any = true;
      }
    }
    status = any ? frame_again(c) : status;
  }
  return status;
}

/* Forces that bound frictions were those of other modes: the frame in the modes just found. */
static pawl_status look_again(pw_contacts *c) {
  memcpy(c->now.loaded, c->mode, (size_t)system_of(c)->ni);
  pawl_status status = frame_again(c);
  status = status == PAWL_OK ? turn_loads(c) : status;
  if (status == PAWL_OK) {
    pw_load_bounds(c);
  }
  return status;
}

/* Modes and the forces that bound frictions in them, engineering (E1): chosen again until the modes
 * stay. */
static pawl_status choose_modes(pw_contacts *c, bool settle) {
  const pw_system *sys = system_of(c);
  memcpy(c->now.loaded, c->mode, (size_t)sys->ni);
  pw_load_bounds(c);
  pawl_status status = choose_once(c, settle);
  for (int k = 0; status == PAWL_OK && sys->load.n > 0; k++) {
    if (memcmp(c->now.loaded, c->mode, (size_t)sys->ni) == 0) {
      break;
    }
    if (k == MAX_STOPS) {
      int law = 0;
      while (!sys->law[law].loaded) {
        law++;
      }
      return pw_instant_fail(c, PW_TROUBLE_PARADOX, sys->nc + law);
    }
    status = look_again(c);
    if (status == PAWL_OK) {
      status = choose_once(c, settle);
    }
  }
  return status;
}

/* One of several motions, that with the least forces, goes on. */
static pawl_status settle_for_least(pw_contacts *c) {
  c->halt.trouble = PW_TROUBLE_NONE;
  pw_paradox_choose(&c->paradox, 0);
  c->paradox.settled = true;
  return choose_modes(c, true);
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
    pw_stepper_propose(s, fmax(s->h_next, PW_SCALE(JAM_STEP) * s->range.span));
    pw_axpy(1, c->impact.impulse, c->now.kick, c->now.frame.m);
    pw_instant_log_impacts(c, true);
    return pw_instant_strike(c);
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

pawl_status pw_instant_modes(pw_contacts *c) {
  for (int k = 0; k < MAX_STOPS; k++) {
    bool again = false;
    pawl_status status = choose_modes(c, false);
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
      status = pw_instant_strike(c);
    }
    if (status != PAWL_OK) {
      return status;
    }
  }
  return pw_instant_fail(c, PW_TROUBLE_CASCADE, system_of(c)->nc);
}
