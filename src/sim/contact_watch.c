// SPDX-License-Identifier: MIT
/* What is watched of the laws along a step, theory (65). */
#include <math.h>
#include <string.h>

#include "law/scale_sim.h"
#include "sim/contact.h"
#include "sim/top.h"

/* The force of a law at its kink against its bounds, and the multiplier that a law holds. */
static void watch_force(const pw_contacts *c, int i, const double *y, double *w) {
  const pw_mech *m = c->watch.s->mech;
  int ni = m->sys->ni;
  double lo, hi, force = m->lambda[m->sys->nc + i];
  pw_contacts_bounds(c, i, &lo, &hi);
  pw_top_bounds(c, i, &lo, &hi);
  if (m->sys->law[i].on >= 0) { /* bounds are per normal force */
    double normal = m->lambda[m->sys->nc + m->sys->law[i].on];
    lo *= normal;
    hi *= normal;
  }
  w[i] = isinf(lo) ? 1 : force - lo;
  w[ni + i] = isinf(hi) ? 1 : hi - force;
  if (m->sys->law[i].wall &&
      pw_contacts_carries_slip(c, i)) { /* the product stays smooth where forces grow */
    w[ni + i] = c->paradox.side * m->margin;
    w[i] *= w[ni + i];
  }
  int state = pw_carry_state(c, i);
  if (state >= 0) {
    bool follows = pw_is_complementary(pw_contacts_row(c, i));
    w[follows ? i : ni + i] = pw_carry_watch(c, state, y);
  }
}

/* Value of a law that rests on others, in parts of what counts as zero. */
static double part_of_room(const pw_contacts *c, int law, double value) {
  double room = pw_contacts_zero(c, law);
  return room > 0 ? fabs(value) / room : 0;
}

/* w: values of the laws at a state inside of the step. Those that rest on others are as wrong there
 * as the interpolation, which is a part of the tolerance and more than what counts as zero: where
 * one seems to leave its kink, the values of the state that is put on the imposed rows decide. */
static pawl_status settle_resting(pw_contacts *c, double t, const double *y, double *w) {
  pw_stepper *s = c->watch.s;
  int ni = s->mech->sys->ni;
  double *state = c->settled, *value = c->settled + s->n;
  bool seems = false;
  for (int i = 0; i < ni && !seems; i++) {
    seems = c->mode[i] == PW_RESTING && part_of_room(c, i, w[i]) > PW_SCALE(RESTING_SEEN);
  }
  if (!seems || !(t > s->rk.t && t < s->t)) {
    return PAWL_OK;
  }
  memcpy(state, y, (size_t)s->n * sizeof *state);
  pawl_status status = pw_stepper_project(s, t, state);
  if (status != PAWL_OK) {
    return status;
  }
  pw_mech_gaps(s->mech, t, state, state + s->nq, s->side, value);
  for (int i = 0; i < ni; i++) {
    w[i] = c->mode[i] == PW_RESTING ? value[i] : w[i];
  }
  return PAWL_OK;
}

/* theory (65): distance of a law from its kink; at the kink, of its force from the bounds (two
 * functions): all are positive until it acts. A law that rests on others has a value of zero until
 * it no longer depends on them. */
static pawl_status functions(void *owner, pw_stepper *s, double t, const double *y, double *w) {
  pw_contacts *c = owner;
  pw_mech *m = s->mech;
  int ni = m->sys->ni;

  /* open laws: gap or slip, turned so that it is positive */
  pw_mech_gaps(m, t, y, y + s->nq, s->side, w);
  pawl_status status = settle_resting(c, t, y, w);
  for (int i = 0; i < ni; i++) {
    int plane = m->sys->law[i].group;
    if (isnan(w[i])) { /* it would never be seen to act */
      m->fault = (pw_fault){PAWL_E_NAN, -1, m->sys->nc + i, w[i]};
      return PAWL_E_NAN;
    }
    w[ni + i] = 1;
    if (plane >= 0 ||
        pw_is_rough(&m->sys->law[i])) { /* not watched, but for the first row of a plane */
      w[i] = plane == i && c->mode[i] == PW_OPEN ? pw_slip_watch(c, i, w) : 1;
      continue;
    }
    w[i] = c->mode[i] == PW_BELOW ? -w[i] : w[i];
    if (c->mode[i] == PW_RESTING) {
      double part = part_of_room(c, i, w[i]);
      w[i] = 1 - part * part;
    }
  }

  /* closed ones: the room that their force has, which needs forces */
  if (m->imposed == m->sys->nc || status != PAWL_OK) {
    return status;
  }
  int keeper = pw_load_keeper(c);
  status = keeper >= 0 ? pw_load_margin(c, t, y, &w[keeper])
                       : pw_mech_rates(m, t, y, y + s->nq, s->side);
  if (status == PAWL_OK) {
    pw_slip_share(c);
  }
  pw_contacts_graphs(c, t, y, y + s->nq);

  for (int i = 0; status == PAWL_OK && i < ni; i++) {
    if (c->share[i] == PW_LOAD_SHARED && c->mode[i] == PW_CLOSED && m->sys->law[i].group < 0) {
      w[i] = i == keeper ? w[i] : 1;
      continue;
    }
    if (m->sys->law[i].group == i && c->mode[i] == PW_CLOSED) {
      w[i] = pw_slip_watch(c, i, w);
    } else if (c->mode[i] == PW_CLOSED && m->sys->law[i].group < 0 &&
               !pw_is_rough(&m->sys->law[i])) {
      watch_force(c, i, y, w);
    }
  }
  return status;
}

/* Values of laws beside their kinks, and bounds of those that stick: their forces are as smooth as
 * the motion, which was looked at. */
static void hides(void *owner, pw_stepper *s, unsigned wild, unsigned char *out) {
  const pw_contacts *c = owner;
  const pw_system *sys = s->mech->sys;
  const pw_form *f = (wild & PW_OF_GAP) != 0 ? pw_mech_enclose(s->mech, PW_OF_GAP) : NULL;
  for (int i = 0; f != NULL && i < sys->ni; i++) {
    out[i] = pw_is_beside(c, i) && pw_watch_is_open(&f[i]);
  }
  f = (wild & PW_OF_GRAPH) != 0 ? pw_mech_enclose(s->mech, PW_OF_GRAPH) : NULL;
  for (int k = 0; f != NULL && k < 2 * sys->ni; k++) {
    double size = pw_form_size(f[k]);
    bool aimed = k % 2 == 1 && sys->law[k / 2].group >= 0;
    if (c->mode[k / 2] == PW_CLOSED && !aimed && f[k].blur > c->tol * size) {
      out[k / 2] = out[sys->ni + k / 2] = 1;
    }
  }
}

/* Nothing is closed, and every law is watched by its value. */
static bool is_plain(const void *owner, const pw_stepper *s) {
  const pw_contacts *c = owner;
  const pw_system *sys = s->mech->sys;
  bool plain = s->mech->imposed == sys->nc;
  for (int i = 0; plain && i < sys->ni; i++) {
    plain = pw_is_beside(c, i) && sys->law[i].group < 0 && !pw_is_rough(&sys->law[i]);
  }
  return plain;
}

void pw_contacts_watch(pw_contacts *c, pw_stepper *s) {
  pw_watch_init(&c->watch, s, functions, c, PW_UNSEEN_ROW);
  pw_watch_see(&c->watch, PW_OF_GAP | PW_OF_GRAPH, hides);
  pw_watch_clear(&c->watch, PW_OF_GAP, s->mech->sys->ni, is_plain);
}
