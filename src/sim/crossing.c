// SPDX-License-Identifier: MIT
#include "sim/crossing.h"
#include "law/scale_sim.h"
#include "law/scale_static.h"
#include "sim/instant.h"

#include <math.h>
#include <string.h>

static pawl_status frame_here(pw_contacts *c) {
  pw_stepper *s = c->watch.s;
  return pw_mech_frame(s->mech, s->t, s->y, s->y + s->nq, s->side, c->now.frame_memory,
                       &c->now.frame);
}

/* Values are zero to this: their rounding, and that of the time of the change. */
static double room(const pw_contacts *c, int law) {
  const pw_stepper *s = c->watch.s;
  int row = s->mech->sys->nc + law;
  double rate = fmax(fabs(c->now.frame.rate[row]), fabs(c->now.rate_before[row]));
  double moved = pw_contacts_row(c, law)->on_velocity ? 0 : rate * fmax(fabs(s->t), c->size.step);
  return pw_contacts_zero(c, law) + PW_SCALE(ROUNDED) * (c->now.frame.terms[row] + moved);
}

static bool rate_jumps(const pw_contacts *c, int law) {
  const pw_stepper *s = c->watch.s;
  int row = s->mech->sys->nc + law;
  double speed =
      c->conditions.still * c->size.speed + PW_SCALE(ROUNDED) * s->mech->pull * c->size.step;
  double jump = c->now.frame.rate[row] - c->now.rate_before[row];
  return fabs(jump) > c->now.frame.length[row] * speed;
}

/* At its kink before or after, or on the other side of it. */
static bool is_concerned(const pw_contacts *c, int law) {
  const pw_system *sys = c->watch.s->mech->sys;
  double value = c->now.frame.value[sys->nc + law];
  bool beside = c->mode[law] == PW_OPEN    ? value > room(c, law)
                : c->mode[law] == PW_BELOW ? value < -room(c, law)
                                           : false;
  return !beside || sys->law[law].group >= 0;
}

/* A law that rests on others is left by them: the forces of the new pieces, or a measure that turns
 * with them, accelerate it away from its kink. Its value would show that only later.
 * c->now.frame: after the change. */
static bool is_left(pw_contacts *c) {
  const pw_mech *m = c->watch.s->mech;
  const pw_frame *f = &c->now.frame;
  const pw_system *sys = m->sys;
  double tiny = PW_SCALE(NEGLIGIBLE) * fmax(c->modes.scale, fmax(m->pull, m->reaction));
  bool left = false, any = memchr(c->mode, PW_RESTING, (size_t)sys->ni) != NULL;
  if (any) {
    pw_frame_lift(f, m->a, c->now.fall);
  }
  for (int i = 0; any && i < sys->ni && !left; i++) {
    int row = sys->nc + i;
    double away = f->length[row] * pw_frame_dot(f, row, c->now.fall) + f->zeta[row];
    left = c->mode[i] == PW_RESTING && !pw_is_rough(&sys->law[i]) &&
           fabs(away) > tiny * f->length[row];
  }
  return left;
}

/* A slip that stands at its kink without sticking, as that of a damper with two rates at rest: the
 * forces of the new pieces decide to which side it goes. */
static bool waits_at_kink(const pw_contacts *c, int law) {
  bool beside = c->mode[law] == PW_OPEN || c->mode[law] == PW_BELOW;
  bool slip = pw_contacts_row(c, law)->on_velocity && !c->watch.s->mech->sys->law[law].wall;
  return slip && beside && c->watch.s->mech->sys->law[law].group < 0 && is_concerned(c, law);
}

/* c->now.frame: after the change; c->value and c->now.rate_before: before it. */
static pawl_status compare(pw_surfaces *f, pw_contacts *c, bool *acts) {
  const pw_system *sys = c->watch.s->mech->sys;
  for (int i = 0; i < sys->ni; i++) {
    const pw_row *row = pw_contacts_row(c, i);
    double value = c->now.frame.value[sys->nc + i];
    bool jumps = fabs(value - c->value[i]) > room(c, i);
    if (pw_is_rough(&sys->law[i])) { /* follows its contact */
      continue;
    }
    if (jumps && sys->law[i].wall && !row->on_velocity && value < -room(c, i)) {
      f->row = sys->nc + i;
      f->energy_jump = 0;
      f->depth = -value;
      f->value_jumps = true;
      return PAWL_E_JUMP;
    }
    c->now.jumped[i] = jumps;
    *acts = *acts || waits_at_kink(c, i) ||
            (is_concerned(c, i) && (jumps || (!row->on_velocity && rate_jumps(c, i))));
  }
  *acts = *acts || is_left(c);
  return PAWL_OK;
}

/* engineering (E8): whoever comes to a face that stands does not pass the surface.
 * c->now.frame: before the change. */
static void meet_faces(pw_surfaces *f, const pw_contacts *c, bool *acts) {
  const pw_system *sys = c->watch.s->mech->sys;
  for (int i = 0; i < sys->ni; i++) {
    int face = sys->law[i].face;
    if (face >= 0 && f->flip[face] && c->now.frame.value[sys->nc + i] <= room(c, i)) {
      pw_surfaces_stay(f, face);
      *acts = true;
    }
  }
}

/* Whether a law on coordinates without inertia changes its phase with the sides. */
static bool phase_changes(pw_surfaces *f, pw_contacts *c) {
  const pw_stepper *s = c->watch.s;
  const pw_system *sys = s->mech->sys;
  double *was = c->now.phase, *is = was + sys->ni;
  bool changes = false;
  pw_mech_phases(s->mech, s->t, s->y, s->y + s->nq, s->side, was);
  pw_surfaces_turn(f);
  pw_mech_phases(s->mech, s->t, s->y, s->y + s->nq, s->side, is);
  pw_surfaces_turn(f);
  for (int i = 0; i < sys->ni; i++) {
    changes = changes || was[i] != is[i];
  }
  return changes;
}

void pw_crossing_log(pw_contacts *c) {
  const pw_stepper *s = c->watch.s;
  const pw_system *sys = s->mech->sys;
  double *was = c->now.phase, *is = was + sys->ni;
  pw_mech_phases(s->mech, s->t, s->y, s->y + s->nq, s->side, is);
  for (int i = 0; i < sys->ni; i++) {
    bool contact = sys->law[i].kind == PW_KIND_TOUCH;
    pw_contact_kind kind = contact       ? (is[i] != 0 ? PW_CLOSE : PW_LIFTOFF)
                           : is[i] == 0  ? PW_STICK
                           : was[i] == 0 ? PW_SLIP
                                         : PW_REVERSE;
    if (was[i] != is[i]) {
      pw_instant_log(c, (pw_contact_event){.kind = kind, .law = i, .t = s->t});
    }
  }
}

pawl_status pw_crossing_look(pw_surfaces *f, pw_contacts *c, bool *acts) {
  const pw_system *sys = c->watch.s->mech->sys;
  *acts = false;
  if (sys->ni == 0 || !pw_surfaces_due(f)) {
    return PAWL_OK;
  }
  memset(c->now.jumped, 0, (size_t)sys->ni);
  pawl_status status = frame_here(c);
  if (status == PAWL_OK) {
    memcpy(c->value, c->now.frame.value + sys->nc, (size_t)sys->ni * sizeof *c->value);
    memcpy(c->now.rate_before, c->now.frame.rate, (size_t)sys->nr * sizeof *c->now.rate_before);
    meet_faces(f, c, acts);
    pw_surfaces_turn(f);
    status = frame_here(c);
    if (status == PAWL_OK) {
      status = compare(f, c, acts);
    }
    pw_surfaces_turn(f);
  }
  *acts = *acts || (sys->trait.phases && phase_changes(f, c));
  return status;
}

/* Its value jumps away, or the wall ends and the body goes on. */
static bool leaves(const pw_contacts *c, int law) {
  const pw_system *sys = c->watch.s->mech->sys;
  bool contact = sys->law[law].wall && !pw_contacts_row(c, law)->on_velocity;
  bool ends = rate_jumps(c, law) && c->now.frame.rate[sys->nc + law] > 0;
  bool away = c->now.jumped[law] && c->now.frame.value[sys->nc + law] > room(c, law);
  return contact && (away || (ends && !c->now.jumped[law]));
}

pawl_status pw_crossing_make(pw_surfaces *f, pw_contacts *c) {
  const pw_system *sys = c->watch.s->mech->sys;
  if (!pw_surfaces_due(f)) {
    return PAWL_OK;
  }
  bool acts;
  pawl_status status = pw_crossing_look(f, c, &acts);
  if (status != PAWL_OK) {
    return status;
  }
  memcpy(c->now.was, c->mode, (size_t)sys->ni);
  c->now.crossed = true;
  for (int i = 0; i < sys->ni; i++) {
    if (leaves(c, i)) {
      c->mode[i] = PW_OPEN;
    }
  }
  pw_contacts_impose(c);
  return pw_surfaces_before(f);
}

/* ---- changes of sign that are no roots ---- */

/* The step is taken back: what it says is not part of the motion. */
static pawl_status passed(pw_contacts *c, int law, bool *shorter, double *h) {
  *shorter = pw_contacts_approach(c, law, h);
  if (*shorter) {
    return PAWL_OK;
  }
  pw_stepper_undo(c->watch.s);
  c->halt.trouble = PW_TROUBLE_PASSED;
  c->halt.culprit = c->watch.s->mech->sys->nc + law;
  return PAWL_E_NO_MOTION;
}

pawl_status pw_crossing_pole(pw_contacts *c, int which, bool *shorter, double *h) {
  const pw_scan *scan = &c->watch.scan;
  int ni = c->watch.s->mech->sys->ni;
  double most = 0;
  if (c->watch.s->mech->sys->law[which % ni].group >=
      0) { /* slips in the plane: linear, no poles */
    return PAWL_OK;
  }
  for (int j = 0; j < PW_ROOT_SAMPLES; j++) {
    most = fmax(most, fabs(scan->w[(ptrdiff_t)j * scan->m + which]));
  }
  /* values that count as zero, all of one size, are rounding: bounces that end */
  double size = fabs(c->watch.values[which]);
  bool pole =
      c->mode[which % ni] == PW_OPEN && size > most && size > pw_contacts_zero(c, which % ni);
  return pole ? passed(c, which % ni, shorter, h) : PAWL_OK;
}

pawl_status pw_crossing_passed(pw_contacts *c, bool *shorter, double *h) {
  const pw_system *sys = c->watch.s->mech->sys;
  for (int i = 0; i < sys->ni; i++) {
    bool wall = sys->law[i].wall && !pw_is_rough(&sys->law[i]);
    double start = c->watch.scan.w[i], way = c->size.steepest[i] * c->size.speed * c->size.step;
    bool was_open = start > PW_SCALE(PASSED_PART) * way &&
                    start > PW_SCALE(PASSED_ZERO) * pw_contacts_zero(c, i);
    if (wall && c->mode[i] == PW_OPEN && was_open && c->value[i] < -PW_SCALE(PASSED_PART) * start) {
      return passed(c, i, shorter, h);
    }
  }
  return PAWL_OK;
}
