// SPDX-License-Identifier: MIT
/* Sizes of the motion at contacts, and what is zero against them. */
#include "sim/contact.h"

#include <math.h>

#include "law/scale_mech.h"
#include "law/scale_sim.h"
#include "law/scale_static.h"

bool pw_is_beside(const pw_contacts *c, int law) {
  return c->mode[law] == PW_OPEN || c->mode[law] == PW_BELOW;
}

/* A slip whose force has no step, as that of a damper with two rates: nothing holds it at its kink,
 * so the rounding of forces that balance each other moves it there. */
static bool has_bend(const pw_contacts *c, int law) {
  return c->watch.s->mech->sys->law[law].bend && pw_contacts_row(c, law)->on_velocity;
}

void pw_contacts_note_load(pw_contacts *c) {
  const pw_stepper *s = c->watch.s;
  bool any = false;
  for (int i = 0; i < s->mech->sys->ni && !any; i++) {
    any = has_bend(c, i);
  }
  c->size.load = any ? pw_mech_force_terms(s->mech) : 0;
  c->size.drift = fmax(c->size.drift, c->size.load * (s->t - s->rk.t));
}

/* Rounding of a value, of what forces that balance each other leave in a step, and of all the
 * velocities: between bodies that hang or move side by side it has no other size. */
static double rounding(const pw_contacts *c, int law, double step, double terms, double length) {
  bool velocity = pw_contacts_row(c, law)->on_velocity;
  double gain = c->watch.s->mech->pull * step + (has_bend(c, law) ? c->size.drift : 0);
  double moved = length * (gain + c->size.speed) * (velocity ? 1 : step);
  double rounded = PW_SCALE(ROUNDED);
  double sums = fmax(rounded, PW_SCALE(ROUNDED_SUM) * c->watch.s->nv); /* solved for velocities */
  return rounded * terms + sums * moved;
}

double pw_contacts_rounding(const pw_contacts *c, int law, double step) {
  return rounding(c, law, step, c->size.terms[law], c->size.steepest[law]);
}

void pw_contacts_noisy(void *owner, pw_stepper *s, double t, const double *y, double *noise) {
  pw_contacts *c = owner;
  const pw_system *sys = s->mech->sys;
  bool known = pw_mech_frame(s->mech, t, y, y + s->nq, s->side, c->now.frame_memory,
                             &c->now.frame) == PAWL_OK;
  const pw_frame *f = &c->now.frame;
  for (int k = 0; k < c->watch.scan.m; k++) {
    int law = k % sys->ni, row = sys->nc + law;
    bool local = known && k < sys->ni && pw_is_beside(c, law);
    double here =
        local ? rounding(c, law, s->t - s->rk.t, f->terms[row], f->length[row]) : INFINITY;
    noise[k] = fmax(noise[k], here);
  }
}

/* The same of the force of a law that is held by its row: constraints, friction on a contact. One
 * that a derivative has just closed was zero up to what counts as zero there. */
static double rounding_of_row(const pw_contacts *c, int law) {
  double length = c->size.steepest[law];
  bool faint = c->begins[law] && c->left[law] == c->watch.s->rk.t;
  double part = faint ? PW_SCALE(NEGLIGIBLE) : PW_SCALE(NOISE);
  return length > 0 ? part * c->modes.scale / length : 0;
}

double pw_contacts_force_rounding(const pw_contacts *c, int law) {
  const pw_law_form *form = &c->watch.s->mech->sys->law[law];
  if (form->on < 0 || pw_in_plane(form)) {
    return form->wall ? rounding_of_row(c, law) : 0;
  }
  double lo, hi;
  pw_contacts_bounds(c, law, &lo, &hi);
  return rounding_of_row(c, law) + fmax(-lo, hi) * rounding_of_row(c, form->on);
}

static double zero_part(const pw_contacts *c) {
  return fmin(PW_SCALE(ZERO_VALUE), PW_SCALE(ZERO_OF_TOL) * c->tol);
}

double pw_contacts_touch(const pw_contacts *c, int law) {
  double step = fmax(c->size.step, c->watch.s->rk.h);
  return zero_part(c) * c->size.recent[law] + pw_contacts_rounding(c, law, step) +
         PW_SCALE(TOUCH_LEFT) * c->size.residue[law];
}

double pw_contacts_zero(const pw_contacts *c, int law) {
  bool velocity = pw_contacts_row(c, law)->on_velocity;
  double step = velocity ? c->size.step : fmax(c->size.step, c->watch.s->rk.h);
  return zero_part(c) * c->size.largest[law] + pw_contacts_rounding(c, law, step);
}

double pw_contacts_slope(const pw_contacts *c, int law) {
  double length = c->now.frame.length[c->watch.s->mech->sys->nc + law];
  return length < c->size.steepest[law] ? length / c->size.steepest[law] : 1;
}

void pw_contacts_note_sizes(pw_contacts *c) {
  pw_stepper *s = c->watch.s;
  pw_mech_gaps(s->mech, s->t, s->y, s->y + s->nq, s->side, c->value);
  for (int i = 0; i < s->mech->sys->ni; i++) {
    c->size.largest[i] = fmax(c->size.largest[i], fabs(c->value[i]));
    c->size.recent[i] = fmax(c->size.recent[i], fabs(c->value[i]));
    c->size.terms[i] = fmax(c->size.terms[i], fabs(c->value[i]));
  }
  c->size.speed = fmax(c->size.speed, sqrt(2 * fmax(s->energy[0], 0)));
  c->size.step = s->t - s->rk.t;
  c->modes.scale = fmax(c->modes.scale, fmax(s->mech->pull, s->mech->reaction));
}
