// SPDX-License-Identifier: MIT
/* The instant: what is known before anything jumps. */
#include <math.h>

#include "law/scale_mech.h"
#include "law/scale_sim.h"
#include "linalg/dense.h"
#include "sim/instant.h"

static const pw_system *system_of(const pw_contacts *c) {
  return c->watch.s->mech->sys;
}

bool pw_instant_is_small(const pw_contacts *c, int law) {
  int row = system_of(c)->nc + law;
  double rounding = PW_SCALE(ROUNDED) * c->now.frame.length[row] * c->size.speed;
  double room = pw_contacts_row(c, law)->on_velocity ? rounding : 0;
  return fabs(c->now.frame.value[row]) <= pw_contacts_zero(c, law) + room;
}

bool pw_instant_is_zero(const pw_contacts *c, int law) {
  bool below = system_of(c)->law[law].wall && c->now.frame.value[system_of(c)->nc + law] < 0;
  return c->fired[law] || pw_instant_is_small(c, law) || below;
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
  double value = c->now.frame.value[row];
  bool reached = value <= pw_contacts_touch(c, law); /* also a little behind */
  return separates ? met && c->now.hits == 0 : met || reached;
}

/* Coefficient of friction at the present slip. */
static double friction_of(const pw_contacts *c, int law) {
  pw_law_row row = pw_contacts_law(c, law);
  int side = c->now.frame.value[system_of(c)->nc + law] < 0 ? -1 : 1;
  return pw_in_plane(row.form) ? pw_law_radius(&row, false)
                               : -side * pw_law_force_beside(&row, side);
}

void pw_instant_describe(pw_contacts *c) {
  const pw_system *s = system_of(c);
  for (int i = 0; i < s->ni; i++) {
    const pw_law_form *form = &s->law[i];
    c->impact.law[i] = (pw_impact_law){.touches = pw_is_contact(form) && touches(c, i),
                                       .jumped = c->now.jumped[i],
                                       .e = c->now.e[i],
                                       .mu = pw_is_coulomb(form) ? friction_of(c, i) : 0};
  }
}

pawl_status pw_instant_look(pw_contacts *c) {
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
    double flight = s->t - fmax(c->left[i], c->size.met[i]); /* NAN: its first */
    c->size.recent[i] = fmax(c->size.recent[i], fabs(rate) * fmax(c->size.step, flight));
    c->size.slowest[i] = fmin(c->size.slowest[i], rate);
    c->size.fastest[i] = fmax(c->size.fastest[i], rate);
    double most = fmax(-c->size.slowest[i], c->size.fastest[i]) * pw_contacts_slope(c, i);
    c->impact.drift[system_of(c)->nc + i] =
        pw_contacts_row(c, i)->on_velocity ? 0 : c->conditions.still * most;
  }
  return status;
}

/* The cosine between the force of a row and its gradient is not zero. */
static bool is_controllable(const pw_frame *f, int row) {
  size_t column = (size_t)row * (size_t)f->n;
  return f->phi == NULL || fabs(pw_dot(f->A + column, f->phi + column, f->n)) > PW_SCALE(GRIP);
}

pawl_status pw_instant_check_gradients(pw_contacts *c) {
  const pw_system *s = system_of(c);
  for (int i = 0; i < s->ni; i++) {
    double length = c->now.frame.length[s->nc + i];
    bool acts =
        c->impact.law[i].touches || (pw_is_one_sided(&s->law[i]) && pw_instant_is_zero(c, i));
    c->size.steepest[i] = fmax(c->size.steepest[i], length);
    if (acts && !(length > PW_SCALE(NO_GRADIENT) * c->size.steepest[i])) {
      return pw_instant_fail(c, PW_TROUBLE_GRADIENT, s->nc + i);
    }
    if (acts && !is_controllable(&c->now.frame, s->nc + i)) {
      return pw_instant_fail(c, PW_TROUBLE_CONTROL, s->nc + i);
    }
    if (acts) { /* accelerations are known to a part of what keeps to a curved wall, too */
      c->modes.scale = fmax(c->modes.scale, fabs(c->now.frame.zeta[s->nc + i]) / length);
    }
  }
  return PAWL_OK;
}
