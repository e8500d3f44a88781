// SPDX-License-Identifier: MIT
/* Instants at which the fits fail, as where a law sets in between two rows: the time from the row
 * before and to the row after is judged as a whole, which needs no smoothness. */
#include <math.h>
#include <string.h>

#include "base/real.h"
#include "verify/momentum.h"

/* Largest difference of the mean accelerations of two neighbouring stretches, by masses. */
static double bend(const pawl_certifier *c, int k) {
  const pw_model *m = c->sys->model;
  double sum = 0;
  if (k < 1 || k + 1 >= c->stream.n_row) {
    return 0;
  }
  pw_row_view a = pw_row_at(c, k - 1), b = pw_row_at(c, k), d = pw_row_at(c, k + 1);
  for (int i = 0; i < m->coords.n; i++) {
    const pw_coord *x = &m->coords.items[i];
    for (int p = x->q; p < x->q + (x->is_rotation ? 4 : 1); p++) {
      double e = (d.v[p] - b.v[p]) / (d.t - b.t) - (b.v[p] - a.v[p]) / (b.t - a.t);
      sum += pow(c->scale.mass[x->u] * e, 2);
    }
  }
  return sqrt(sum);
}

/* |q2 - q1 - dt (v1 + v2)/2| from row k on is at most dt^2/8 times the spread of accelerations, or
 * dt/2 times a jump of the velocity. */
static void way(const pawl_certifier *c, int k, pw_weak *out) {
  pw_row_view a = pw_row_at(c, k), b = pw_row_at(c, k + 1);
  double dt = b.t - a.t, turn;
  double miss = pw_motion_miss(c->sys->model, c->scale.mass, &a, &b, &turn);
  double spread = bend(c, k) + bend(c, k + 1);
  spread = spread > 0 ? spread : turn / dt;
  out->way = pw_max(out->way, miss / dt);
  double share = out->kick ? 1.0 / 4 : 1.0 / 8; /* dt^2/8 |a|, dt/2 half the jump */
  out->way_floor = pw_max(out->way_floor, dt * spread * share);
  out->place_floor = pw_max(out->place_floor, dt * dt * spread * share);
}

/* What a kink of the forces given, of one law each, makes of their mean from row k on. */
static double force_kink(const pawl_certifier *c, int k) {
  const pw_system *s = c->sys;
  double sum = 0;
  for (int at = k; at <= k + 1; at++) {
    if (at < 1 || at + 1 >= c->stream.n_row) {
      continue;
    }
    pw_row_view a = pw_row_at(c, at - 1), b = pw_row_at(c, at), d = pw_row_at(c, at + 1);
    for (int i = 0; i < s->nr; i++) {
      int law = s->row_of[i];
      double one = (b.force[law] - a.force[law]) / (b.t - a.t);
      double two = (d.force[law] - b.force[law]) / (d.t - b.t);
      bool force = s->index_of[law] == i && pw_row_state(s, i) < 0;
      sum += force ? fabs(two - one) * c->probe.reach[i] : 0;
    }
  }
  return sum * pow(c->stream.times[k + 1] - c->stream.times[k], 2) / 8;
}

static void take(const pw_verify_momentum *x, bool force, pw_weak *out) {
  double *value = force ? &out->force : &out->momentum;
  double *floor = force ? &out->force_floor : &out->momentum_floor;
  if (!(x->value <= *value)) {
    *value = x->value;
    *(force ? &out->force_law : &out->law) = x->law;
  }
  *floor = pw_max(*floor, x->floor);
  out->noise = pw_max(out->noise, x->noise);
  out->share = pw_max(out->share, x->share);
  out->hidden = pw_max(out->hidden, x->hidden);
  out->kick = out->kick || x->kick;
}

static bool beside(pawl_certifier *c, int k, bool force, pw_weak *out) {
  pw_row_view a = pw_row_at(c, k), b = pw_row_at(c, k + 1);
  pw_verify_momentum x;
  if (!pw_balance_step(c, &a, &b, force, true, &x)) {
    return false;
  }
  x.floor += force ? force_kink(c, k) / (x.share * c->scale.V0) : 0;
  take(&x, force, out);
  return true;
}

bool pw_weak_at(pawl_certifier *c, int j, pw_weak *out) {
  *out = (pw_weak){.law = -1, .force_law = -1};
  for (int pass = 0; pass < (c->stream.has_force ? 2 : 1); pass++) {
    if (c->data.derived) {
      pw_verify_momentum x;
      int at = j < 1 ? 1 : j + 1 < c->stream.n_row ? j : c->stream.n_row - 2;
      if (c->stream.n_row < 3) {
        return false;
      }
      pw_row_view a = pw_row_at(c, at - 1), m = pw_row_at(c, at), b = pw_row_at(c, at + 1);
      if (!pw_balance_hat(c, &a, &m, &b, pass == 1, true, &x)) {
        return false;
      }
      x.floor += pass == 1 ? 4 * force_kink(c, at) / (x.share * c->scale.V0) : 0;
      take(&x, pass == 1, out);
      continue;
    }
    for (int k = j - 1; k <= j; k++) {
      bool there = k >= 0 && k + 1 < c->stream.n_row;
      if (there && !beside(c, k, pass == 1, out)) {
        return false;
      }
      if (there && pass == 0) {
        way(c, k, out);
      }
    }
  }
  return true;
}
