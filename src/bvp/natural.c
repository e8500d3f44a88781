// SPDX-License-Identifier: MIT
/* Ends that are free, variations (V6), Leine and Aeberhard (24): the action is stationary also if
 * the end is varied, so that there, with w of the coordinates that `~` leaves free and tau of a
 * time that is free, p . w - H tau = 0 for all w, tau: p_i = 0, H = p u - L = 0. These residuals
 * follow those of the end positions, theory (86). The time is one more unknown, to = from + span
 * exp(s / reach). */
#include <math.h>

#include "bvp/bvp.h"
#include "linalg/dense.h"

static bool is_free(const pw_shoot *x, int c) {
  const pw_coord *k = &x->sys->model->coords.items[c];
  return x->opts->natural && !pw_end_is_fixed(x->sys, k);
}

int pw_natural_count(const pw_shoot *x) {
  int n = x->opts->free_time ? 1 : 0;
  for (int c = 0; c < x->sys->model->coords.n; c++) {
    n += is_free(x, c);
  }
  return n;
}

static bool is_state(const pw_system *s, int row) {
  bool state = false;
  for (int k = 0; k < s->n_state; k++) {
    state = state || s->state_row[k] == row;
  }
  return state;
}

bool pw_natural_refuses(const pw_shoot *x, pawl_diags *diags) {
  const pw_system *s = x->sys;
  const pw_model *m = s->model;
  bool any = false;
  for (int c = 0; c < m->coords.n; c++) {
    const pw_coord *k = &m->coords.items[c];
    any = any || is_free(x, c);
    if (k->is_rotation && (x->opts->natural || x->opts->free_time)) {
      pw_diag_ref d =
          pw_error(diags, "E0713", k->span,
                   "free ends and times are not for a model with rotation `%s`", k->name);
      pw_help(d, "describe it by coordinates");
      return true;
    }
  }
  for (int i = 0; any && i < s->nc; i++) {
    const pw_row *row = &m->rows.items[s->row_of[i]];
    if (!is_state(s, i)) {
      pw_diag_ref d = pw_error(diags, "E0713", row->span,
                               "`%s` ties the coordinates that are free at the end", row->name);
      pw_help(d, "take coordinates that satisfy it by themselves");
      return true;
    }
  }
  return false;
}

/* Scales: momenta by the reach sqrt(2T), the energy by its square. */
void pw_natural_lengths(pw_shoot *x, double *length) {
  const pw_system *s = x->sys;
  const pawl_system *start = x->system;
  bool known =
      pw_mech_rates(x->free.mech, x->from, start->start.q, x->u0, start->start.side) == PAWL_OK;
  double reach = x->reach > 0 ? x->reach : 1;
  for (int c = 0; c < s->model->coords.n; c++) {
    double mass = known ? x->free.mech->mass[s->model->coords.items[c].u] : 1;
    if (is_free(x, c)) {
      *length++ = reach * sqrt(mass > 0 ? mass : 1);
    }
  }
  if (x->opts->free_time) {
    *length = reach * reach;
  }
}

void pw_natural_residuals(pw_shoot *x, double t, const double *q, const double *u, double *r) {
  const pw_system *s = x->sys;
  const double *side = x->system->start.side;
  double energy[3];
  pw_mech_momenta(x->free.mech, t, q, u, side, x->free.p);
  for (int c = 0; c < s->model->coords.n; c++) {
    if (is_free(x, c)) {
      *r++ = x->free.p[s->model->coords.items[c].u];
    }
  }
  if (x->free.time) {
    pw_mech_energy(x->free.mech, t, q, u, side, energy);
    *r = energy[0] + energy[1] - energy[2];
  }
}

void pw_natural_set_time(pw_shoot *x, const double *s) {
  if (x->free.time) {
    x->to = x->from + x->free.span * exp(s[x->d - 1] / (x->reach > 0 ? x->reach : 1));
  }
}

/* The last unknown and the last residual belong to the time. */
pw_shoot pw_shoot_timed(const pw_shoot *x, const double *s) {
  pw_shoot timed = *x;
  if (x->free.time) {
    pw_natural_set_time(&timed, s);
    timed.free.time = false;
    timed.d--;
    timed.m--;
  }
  return timed;
}
