// SPDX-License-Identifier: MIT
/* The instant: a jump of the velocities by the impulses of one problem. */
#include <math.h>
#include <string.h>

#include "law/scale_sim.h"
#include "sim/instant.h"

enum { MAX_BENDS = 50 };

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

pawl_status pw_instant_jump(pw_contacts *c, pw_jump_problem solve, const unsigned char *hold) {
  pw_stepper *s = c->watch.s;
  size_t bytes = (size_t)s->nv * sizeof(double);
  memcpy(c->now.base, c->now.frame.c_velocity, bytes);
  memcpy(c->now.rate_before, c->now.frame.rate, (size_t)c->now.frame.m * sizeof(double));
  pw_carry_begin(c);
  for (int k = 0; k < MAX_BENDS; k++) {
    if (solve(&c->impact, &c->now.frame, hold) != PW_SOLVED) {
      pawl_status status = pw_instant_fail(c, PW_TROUBLE_IMPACT, c->impact.failed);
      c->halt.proved = c->impact.proved;
      return status;
    }
    memcpy(s->y + s->nq, c->impact.velocity, bytes);
    pw_frame_back(&c->now.frame, s->y + s->nq);
    pw_carry_take(c);
    pawl_status status = pw_instant_look(c);
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
  return pw_instant_fail(c, PW_TROUBLE_IMPACT, c->impact.failed);
}
