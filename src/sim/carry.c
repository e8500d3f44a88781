// SPDX-License-Identifier: MIT
/* Multipliers that are states jump at impacts, theory (83): the momenta p = dL/du + lambda phi_u
 * change by the impulses of the contacts alone. The impulse of the law itself is minus the jump of
 * lambda. Where phi is not linear in the velocities, or L not quadratic in them, this is solved by
 * Newton's method:
 *   M(u_k) (u - u_k) + phi_u (lambda - lambda_k) = p- - p(u_k, lambda_k) + J^T Lambda. */
#include <math.h>
#include <string.h>

#include "law/scale_sim.h"
#include "law/scale_static.h"
#include "linalg/chol.h"
#include "linalg/dense.h"
#include "sim/contact.h"

static double *multipliers(const pw_contacts *c) {
  const pw_stepper *s = c->watch.s;
  return s->y + s->nq - s->mech->sys->n_state;
}

static void momenta(const pw_contacts *c, double *p) {
  pw_stepper *s = c->watch.s;
  pw_mech_momenta(s->mech, s->t, s->y, s->y + s->nq, s->side, p);
}

/* H = p.u - L of the energies. */
double pw_carry_energy(const pw_contacts *c) {
  pw_stepper *s = c->watch.s;
  double e[3];
  pw_mech_energy(s->mech, s->t, s->y, s->y + s->nq, s->side, e);
  return e[0] + e[1] - e[2];
}

void pw_carry_begin(pw_contacts *c) {
  const pw_system *sys = c->watch.s->mech->sys;
  memcpy(c->now.carried, multipliers(c), (size_t)sys->n_state * sizeof *c->now.carried);
  if (pw_system_jumps_by_momenta(sys)) {
    momenta(c, c->now.momentum);
    c->now.energy = pw_carry_energy(c);
  }
}

void pw_carry_take(pw_contacts *c) {
  const pw_system *sys = c->watch.s->mech->sys;
  double *lambda = multipliers(c);
  for (int k = 0; k < sys->n_state; k++) {
    int row = sys->state_row[k];
    lambda[k] = c->now.carried[k] - c->sense[row] * c->impact.impulse[row];
  }
}

/* The rates before the jump are not those of the base any more, and Newton's law is about the
 * former. */
static void restore_restitution(pw_contacts *c) {
  c->impact.first_rate = c->now.rate_before;
  for (int i = 0; i < c->watch.s->mech->sys->ni; i++) {
    c->impact.law[i].e = c->now.stretch * c->now.e[i];
  }
}

static void new_base(pw_contacts *c) {
  const pw_system *sys = c->watch.s->mech->sys;
  int n = sys->nv;
  double *p = c->now.momentum + n;
  momenta(c, p);
  for (int i = 0; i < n; i++) {
    p[i] = c->now.momentum[i] - p[i];
  }
  pw_chol_forward(c->now.frame.L, n, p);
  memcpy(c->now.base, c->now.frame.c_velocity, (size_t)n * sizeof *c->now.base);
  pw_axpy(1, p, c->now.base, n);
  memcpy(c->now.carried, multipliers(c), (size_t)sys->n_state * sizeof *c->now.carried);
}

void pw_carry_rebase(pw_contacts *c) {
  bool momenta_decide = pw_system_jumps_by_momenta(c->watch.s->mech->sys);
  if (momenta_decide) {
    new_base(c);
  }
  pw_frame_move(&c->now.frame, c->now.base);
  if (momenta_decide) {
    restore_restitution(c);
  }
}

/* Where M changes with multipliers or velocities, impulse times mean rate is the energy of the last
 * iteration only: the laws share what was really lost. */
void pw_carry_end(pw_contacts *c) {
  const pw_system *sys = c->watch.s->mech->sys;
  double sum = 0;
  for (int i = sys->nc; pw_system_jumps_by_momenta(sys) && i < sys->nr; i++) {
    sum += c->impact.energy[i];
  }
  double change = sum != 0 ? pw_carry_energy(c) - c->now.energy : 0;
  for (int i = sys->nc; sum != 0 && i < sys->nr; i++) {
    change -= c->impact.work[i];
  }
  for (int i = sys->nc; sum != 0 && i < sys->nr; i++) {
    c->impact.energy[i] *= change / sum;
  }
}

/* ---- one-sided laws, theory (84), (85) ---- */

int pw_carry_state(const pw_contacts *c, int law) {
  const pw_system *sys = c->watch.s->mech->sys;
  int k = sys->n_state - 1;
  while (k >= 0 && sys->state_row[k] != sys->nc + law) {
    k--;
  }
  return k;
}

/* A multiplier this small is zero: what the tolerance leaves of it. */
static double zero_of(const pw_contacts *c, int state) {
  const pw_stepper *s = c->watch.s;
  double carries = s->mech->carries[state];
  return carries > 0 ? PW_SCALE(MULTIPLIER_ZERO) * c->tol * c->size.speed / carries : 0;
}

double pw_carry_watch(const pw_contacts *c, int state, const double *y) {
  const pw_stepper *s = c->watch.s;
  return y[s->nq - s->mech->sys->n_state + state] + zero_of(c, state);
}

bool pw_carry_above(const pw_contacts *c, int state) {
  return multipliers(c)[state] > zero_of(c, state);
}

/* grad f (M + lambda phi_uu)^-1 grad phi */
static double sigma_of(const pw_contacts *c, int row) {
  const pw_frame *f = &c->now.frame;
  size_t column = (size_t)row * (size_t)f->n;
  const double *phi = f->phi == NULL ? f->A : f->phi;
  const double *length = f->phi == NULL ? f->length : f->phi_length;
  return c->sense[row] * f->length[row] * length[row] * pw_dot(f->A + column, phi + column, f->n);
}

static pawl_status cannot(pw_contacts *c, pw_trouble trouble, int row) {
  c->halt.trouble = trouble;
  c->halt.culprit = row;
  c->halt.sigma = sigma_of(c, row);
  return PAWL_E_NO_MOTION;
}

pawl_status pw_carry_check(pw_contacts *c) {
  pw_stepper *s = c->watch.s;
  const pw_system *sys = s->mech->sys;
  for (int k = 0; k < sys->n_state; k++) {
    int row = sys->state_row[k], law = row - sys->nc;
    double *lambda = &multipliers(c)[k];
    if (law < 0 || pw_carry_above(c, k)) {
      continue;
    }
    bool follows = pw_is_complementary(pw_contacts_row(c, law));
    double fall = -s->f[s->nq - sys->n_state + k];
    double least = PW_SCALE(NEGLIGIBLE) * s->mech->pull;
    if (c->mode[law] == PW_CLOSED && fall * s->mech->carries[k] > least) {
      return cannot(c, follows ? PW_TROUBLE_NO_WAY_ON : PW_TROUBLE_SATURATED, row);
    }
    *lambda = fmax(*lambda, 0);
  }
  return PAWL_OK;
}
