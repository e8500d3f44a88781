// SPDX-License-Identifier: MIT
/* One instant: its phases in their order (theory, section 21). */
#include "sim/instant.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "law/scale_sim.h"
#include "linalg/dense.h"
#include "sim/surface.h"
#include "sim/top.h"

pawl_status pw_instant_fail(pw_contacts *c, pw_trouble trouble, int row) {
  c->halt.trouble = trouble;
  c->halt.culprit = row;
  c->halt.proved = c->halt.ends = false;
  bool endless = trouble == PW_TROUBLE_CASCADE || trouble == PW_TROUBLE_GROWTH;
  return endless ? PAWL_E_EVENTS : PAWL_E_NO_MOTION;
}

static void begin(pw_contacts *c) {
  const pw_system *sys = c->watch.s->mech->sys;
  c->halt.trouble = PW_TROUBLE_NONE;
  c->halt.culprit = -1;
  c->paradox.settled = false;
  c->now.n_log = 0;
  c->now.hits = 0;
  c->now.collapsed = false;
  pw_jump_log_clear(c->impact.log);
  pw_strokes_clear(c->impact.strokes);
  pw_zero(c->now.kick, sys->nr);
  if (!c->now.crossed) {
    memcpy(c->now.was, c->mode, (size_t)sys->ni);
  }
}

/* Restitutions at the state before; from some instant on there may be none (conditions). */
static pawl_status restitutions(pw_contacts *c) {
  pw_stepper *s = c->watch.s;
  pw_mech_restitution(s->mech, s->t, s->y, s->y + s->nq, s->side, c->now.e);
  if (c->conditions.soft_from > 0 && c->struck + 1 >= c->conditions.soft_from) {
    pw_zero(c->now.e, s->mech->sys->ni);
  }
  return PAWL_OK;
}

static void measure_sides(pw_contacts *c, double *sides) {
  pw_stepper *s = c->watch.s;
  pw_mech_all_sides(s->mech, s->t, s->y, s->y + s->nq, s->side, sides);
}

/* A jump of the velocities carries switching functions across their surfaces: the forces that
 * decide the modes after it are those of the pieces in which it ends. */
static void jump_surfaces(pw_contacts *c, const double *before, const double *after) {
  pw_stepper *s = c->watch.s;
  const pw_system *sys = s->mech->sys;
  for (int i = 0; i < sys->n_switch; i++) {
    double noise = PW_SCALE(CLEAR_OF_ROUNDING) * DBL_EPSILON * fabs(after[i] - before[i]);
    double right = after[i] * pw_surface_sign(sys, i, s->side[i]);
    if (sys->surface[i].law < 0 && noise > 0 && right < -noise) {
      pw_stepper_turn(s, i, pw_surface_side(sys, i, after));
    }
  }
}

static pawl_status impacts(pw_contacts *c) {
  const pw_system *sys = c->watch.s->mech->sys;
  double *before = c->now.sides, *after = before + sys->n_sides;
  bool turns = sys->n_switch > 0 && !sys->trait.sides_use_forces;
  if (turns) {
    measure_sides(c, before);
  }
  pawl_status status = pw_instant_strike(c);
  if (turns && status == PAWL_OK && c->now.hits > 0) {
    measure_sides(c, after);
    jump_surfaces(c, before, after);
  }
  c->struck += c->now.hits > 0;
  return status;
}

static pawl_status ridges(pw_contacts *c) {
  const pw_system *s = c->watch.s->mech->sys;
  for (int i = 0; i < s->ni; i++) {
    pw_law_row row = pw_contacts_law(c, i);
    if (pw_law_is_reentrant(&row) && pw_instant_is_zero(c, i)) {
      return pw_instant_fail(c, PW_TROUBLE_REENTRANT, s->nc + i);
    }
  }
  return PAWL_OK;
}

/* Impacts that give energy ever faster end the motion. */
static pawl_status growth(pw_contacts *c) {
  bool grows = c->now.hits > 0 && pw_growth_hit(&c->growth, c->watch.s->t);
  int first = c->watch.s->mech->sys->nc + c->now.log[0].law;
  return grows ? pw_instant_fail(c, PW_TROUBLE_GROWTH, first) : PAWL_OK;
}

static bool is_idle(const pw_contacts *c, int law) {
  pw_law_row row = pw_contacts_law(c, law);
  return row.left == row.right && pw_instant_is_still(c, c->watch.s->mech->sys->nc + law) &&
         pw_instant_is_small(c, law);
}

/* Surfaces on which a kink lies are on the side of its mode; where others keep it and it has no
 * force, as two pieces below the top that meet it, the side stays. */
static void turn_surfaces(pw_contacts *c) {
  pw_stepper *s = c->watch.s;
  for (int i = 0; i < s->mech->sys->n_switch; i++) {
    int law = s->mech->sys->surface[i].law;
    if (law >= 0 && !is_idle(c, law) && (c->mode[law] == PW_OPEN || c->mode[law] == PW_BELOW)) {
      (void)pw_surface_turn_law(s, law, c->mode[law] == PW_OPEN ? 1 : -1);
    }
  }
}

/* The motion that follows: its forces, and how they are watched. */
static pawl_status go_on(pw_contacts *c) {
  pw_stepper *s = c->watch.s;
  turn_surfaces(c);
  pw_top_end(c);
  pawl_status status = pw_stepper_settle(s);
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

pawl_status pw_contacts_instant(pw_contacts *c) {
  static const struct {
    pawl_status (*run)(pw_contacts *c);
    pw_instant_phase phase;
  } phases[] = {{pw_instant_look, PW_AFTER_LOOK},
                {ridges, PW_AFTER_LOOK},
                {restitutions, PW_AFTER_LOOK},
                {impacts, PW_AFTER_IMPACTS},
                {growth, PW_AFTER_IMPACTS},
                {pw_instant_lift, PW_AFTER_IMPACTS},
                {pw_instant_accumulate, PW_AFTER_REST},
                {pw_instant_modes, PW_AFTER_MODES},
                {pw_instant_calm, PW_AFTER_MODES}};
  pawl_status status = PAWL_OK;
  begin(c);
  c->watch.s->mech->lenient = true; /* of modes that do not last */
  for (size_t i = 0; i < sizeof phases / sizeof *phases && status == PAWL_OK; i++) {
    status = phases[i].run(c);
    PW_ASSERT(status != PAWL_OK || pw_instant_holds(c, phases[i].phase));
  }

  c->watch.s->mech->lenient = false;

  /* also of an instant that failed: it is reported */
  pw_instant_revise_rest(c);
  pw_instant_keep_impulses(c);
  pw_instant_note_begins(c);
  return status == PAWL_OK ? go_on(c) : status;
}
