// SPDX-License-Identifier: MIT
/* The instant: a jump of the velocities by the impulses of one problem. */
#include <math.h>
#include <string.h>

#include "law/scale_sim.h"
#include "sim/instant.h"

enum { MAX_BENDS = 100, MAX_STRETCHES = 30 };

static const pw_system *system_of(const pw_contacts *c) {
  return c->watch.s->mech->sys;
}

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

/* ---- one problem until it stays ---- */

/* From the velocities at which the rows were taken to those that were found, or a part of the way:
 * the whole may lead to velocities at which the model is not defined. */
static pawl_status move(pw_contacts *c, double *part) {
  pw_stepper *s = c->watch.s;
  int n = s->nv, states = system_of(c)->n_state;
  double *u = s->y + s->nq, *lambda = u - states, *to = c->now.momentum + n;
  memcpy(u, c->impact.velocity, (size_t)n * sizeof *u);
  pw_frame_back(&c->now.frame, u);
  pw_carry_take(c);
  memcpy(to, u, (size_t)n * sizeof *to);
  memcpy(c->now.goal, lambda, (size_t)states * sizeof *lambda);
  pawl_status status = PAWL_E_NAN;
  for (*part = 1; status != PAWL_OK; *part /= 2) {
    for (int i = 0; i < n; i++) {
      u[i] = *part == 1 ? to[i] : c->now.from[i] + *part * (to[i] - c->now.from[i]);
    }
    for (int k = 0; k < states && *part < 1; k++) {
      lambda[k] = c->now.from[n + k] + *part * (c->now.goal[k] - c->now.from[n + k]);
    }
    status = pw_instant_look(c);
    bool outside = status == PAWL_E_NAN || status == PAWL_E_INERTIA;
    if (!outside || !pw_system_jumps_by_momenta(system_of(c)) ||
        *part < PW_SCALE(LEAST_PART_OF_JUMP)) {
      return status;
    }
  }
  return status;
}

static void note_from(pw_contacts *c) {
  const pw_stepper *s = c->watch.s;
  int states = system_of(c)->n_state;
  const double *u = s->y + s->nq;
  memcpy(c->now.from, u, (size_t)s->nv * sizeof *u);
  memcpy(c->now.from + s->nv, u - states, (size_t)states * sizeof *u);
}

static bool is_linear(const pw_contacts *c) {
  return !is_bent(c) && !pw_system_jumps_by_momenta(system_of(c));
}

static pawl_status settle(pw_contacts *c, pw_jump_problem solve, const unsigned char *hold) {
  const pw_stepper *s = c->watch.s;
  for (int k = 0; k < MAX_BENDS; k++) {
    if (solve(&c->impact, &c->now.frame, hold) != PW_SOLVED) {
      pawl_status status = pw_instant_fail(c, PW_TROUBLE_IMPACT, c->impact.failed);
      c->halt.proved = c->impact.proved;
      return status;
    }
    double part;
    note_from(c);
    pawl_status status = move(c, &part);
    bool stays = k == 0 ? is_linear(c)
                        : part == 1 && distance(c->now.bend, c->impact.velocity, s->nv) <=
                                           PW_SCALE(NOISE) * c->size.speed;
    if (status != PAWL_OK || stays) {
      return status;
    }
    memcpy(c->now.bend, c->impact.velocity, (size_t)s->nv * sizeof(double));
    pw_carry_rebase(c);
  }
  return pw_instant_fail(c, PW_TROUBLE_IMPACT, c->impact.failed);
}

/* ---- restitution where T is not quadratic in the velocities ---- */

/* H+ - H- without the work of moving walls. */
static double change_of_energy(const pw_contacts *c) {
  double change = pw_carry_energy(c) - c->now.energy;
  for (int i = 0; i < system_of(c)->nr; i++) {
    change -= c->impact.work[i];
  }
  return change;
}

/* The share of the energy of the compression that comes back, potentials (P8): e^2, in the mean
 * over what each contact takes. 0: nothing is to be found, or friction has a part in it. */
static double share_back(const pw_contacts *c) {
  const pw_system *s = system_of(c);
  double whole = 0, back = 0;
  for (int i = 0; i < s->ni; i++) {
    const pw_impact_law *law = &c->impact.law[i];
    double x = c->impact.impulse[s->nc + i];
    if (x != 0 && (pw_is_contact_slip(&s->law[i]) || !pw_impact_is_by_rates(s->law[i].impact))) {
      return 0;
    }
    double takes = law->touches ? fabs(x * c->now.rate_before[s->nc + i]) : 0;
    whole += takes;
    back += takes * c->now.e[i] * c->now.e[i];
  }
  return whole > 0 ? back / whole : 0;
}

/* The same problem with restitutions s e, from where the last one ended. */
static pawl_status again(pw_contacts *c, pw_jump_problem solve, const unsigned char *hold,
                         double stretch) {
  c->now.stretch = stretch;
  memcpy(c->now.bend, c->impact.velocity, (size_t)c->watch.s->nv * sizeof(double));
  pw_carry_rebase(c);
  return settle(c, solve, hold);
}

/* potentials (P8): rates after the impact are -s e times those before, with the one s that gives
 * back the share of the energy. It rises with s; where T is quadratic s is 1. */
static pawl_status give_back(pw_contacts *c, pw_jump_problem solve, const unsigned char *hold) {
  double share = share_back(c), change[2] = {change_of_energy(c), 0}, s[2] = {1, 0};
  if (!system_of(c)->trait.curved || !(share > 0)) {
    return PAWL_OK;
  }
  pawl_status status = again(c, solve, hold, 0);
  double plastic = change_of_energy(c), goal = plastic * (1 - share);
  change[1] = plastic;
  double enough = PW_SCALE(NOISE) * (fabs(plastic) + PW_SCALE(NOISE) * fabs(c->now.energy));
  for (int k = 0; k < MAX_STRETCHES && status == PAWL_OK; k++) {
    int far = fabs(change[0] - goal) > fabs(change[1] - goal) ? 0 : 1;
    /* rates are like roots of energies: the secant is that of s^2 */
    double a = s[0] * s[0], b = s[1] * s[1];
    double next = sqrt(fmax(a + (goal - change[0]) * (b - a) / (change[1] - change[0]), 0));
    status = again(c, solve, hold, isfinite(next) ? next : 1);
    s[far] = c->now.stretch;
    change[far] = change_of_energy(c);
    if (!(fabs(change[far] - goal) > enough) || change[0] == change[1]) {
      break;
    }
  }
  c->now.stretch = 1;
  return status;
}

pawl_status pw_instant_jump(pw_contacts *c, pw_jump_problem solve, const unsigned char *hold) {
  const pw_stepper *s = c->watch.s;
  memcpy(c->now.base, c->now.frame.c_velocity, (size_t)s->nv * sizeof(double));
  memcpy(c->now.rate_before, c->now.frame.rate, (size_t)c->now.frame.m * sizeof(double));
  c->now.stretch = 1;
  c->impact.first_rate = NULL;
  pw_carry_begin(c);
  pawl_status status = settle(c, solve, hold);
  if (status == PAWL_OK && solve == pw_jump_by_impact) {
    status = give_back(c, solve, hold);
  }
  c->impact.first_rate = NULL;
  if (status == PAWL_OK) {
    forget_fired_velocities(c);
    pw_carry_end(c);
    pw_jump_log_settle(c->impact.log);
    pw_strokes_settle(c->impact.strokes);
    book(c);
  }
  return status;
}
