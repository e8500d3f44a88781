// SPDX-License-Identifier: MIT
/* How well the impulse of the forces over a stretch is known. */
#include <math.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_verify.h"
#include "linalg/chol.h"
#include "linalg/dense.h"
#include "verify/stretch.h"

/* f'' of the accelerations through the three instants, in the spare room; its size. */
static double bend_of(pw_stretch *x) {
  int n = x->c->sys->nv;
  double *d = x->spare, p = x->before, r = x->after, unit = -2 / (p * r);
  memset(d, 0, (size_t)n * sizeof *d);
  pw_axpy(unit, x->at[1].acc, d, n);
  pw_axpy(-unit * r / (p + r), x->at[0].acc, d, n);
  pw_axpy(-unit * p / (p + r), x->at[2].acc, d, n);
  return pw_stretch_size(x, d);
}

/* f'' may vanish at one place. So it counts as the largest of the stretches that are no further
 * back than twice the present one is long, and as k^-1 |f'''|, with that from it and the f''
 * before. */
static double bend_about(pw_stretch *x, double k) {
  pw_bend_past *past = &x->c->past;
  int n = x->c->sys->nv;
  double here = bend_of(x), *d = x->spare, most = here;
  double reach = 2 * (x->before + x->after), t = x->t - (x->before + 2 * x->after) / 3;
  if (!x->again && (!(fabs(x->t - past->bend_t) <= reach) || here >= past->bend)) {
    past->bend = here;
    past->bend_t = x->t;
  }
  most = fabs(x->t - past->bend_t) <= reach ? pw_max(most, past->bend) : most;
  double since = fabs(t - past->last_bend_t);
  if (since > 0 && since <= reach) {
    pw_axpy(-1, past->last_bend, d, n);
    most = pw_max(most, pw_stretch_size(x, d) / since / k);
    pw_axpy(1, past->last_bend, d, n);
  }
  if (!x->again) {
    memcpy(past->last_bend, d, (size_t)n * sizeof *d);
    past->last_bend_t = t;
  }
  return most;
}

static double rate_of(const pw_stretch *x) {
  return sqrt(20) / (x->before + x->after);
}

/* With |f'''| <= k |f''| and |f''''| <= k^2 |f''| for k^2 = 20/span^2: rows that far apart show no
 * more. */
double pw_stretch_rule(const pw_stretch *x) {
  double p = x->before, r = x->after, k = rate_of(x);
  double three = x->exact[0] - x->weight[2] * pow(r, 3) + x->weight[0] * pow(p, 3);
  double four = x->exact[1] - x->weight[2] * pow(r, 4) - x->weight[0] * pow(p, 4);
  return k * (fabs(three) / 6 + k * fabs(four) / 24);
}

/* How well the integral of h is known. Where contacts or surfaces are met the inner instant is no
 * sample of the motion. */
static double quadrature_floor(pw_stretch *x, bool broken) {
  int n = x->c->sys->nv;
  double bend = bend_about(x, rate_of(x)), *d = x->spare;
  double floor = bend * pw_stretch_rule(x);
  if (broken || x->turned) {
    for (int i = 0; i < 3; i += 2) {
      memcpy(d, x->at[1].acc, (size_t)n * sizeof *d);
      pw_axpy(-1, x->at[i].acc, d, n);
      floor = pw_max(floor, x->whole * pw_stretch_size(x, d));
    }
  }
  return floor;
}

/* Of a push: what its directions at the ends differ by, or the middle from their mean. */
static double turn_of(pw_stretch *x, int i, bool second) {
  int n = x->c->sys->nv;
  size_t at = (size_t)i * (size_t)n;
  double *d = x->spare;
  memcpy(d, x->at[second ? 1 : 2].push + at, (size_t)n * sizeof *d);
  pw_axpy(second ? -0.5 : -1, x->at[0].push + at, d, n);
  pw_axpy(second ? -0.5 : 0, x->at[2].push + at, d, n);
  return pw_stretch_size(x, d);
}

/* The directions of forces turn on the way: what that does to those of unknown size. One that sets
 * in or ends has the direction of any instant; one that lasts changes with its direction, so that
 * both are of second order. */
static double turning_floor(pw_stretch *x) {
  const pw_system *s = x->c->sys;
  double floor = 0, force = 0;
  for (int k = 0; k < x->c->room.reach.k; k++) {
    force = pw_max(force, fabs(x->c->room.reach.x[k]));
  }
  for (int i = 0; i < s->nr; i++) {
    bool lasts = i < s->nc || (s->row[i].wall && pw_stretch_lasts(x, i));
    double size = x->c->probe.reach[i], first = size > 0 ? turn_of(x, i, false) / size : 0;
    double rise = x->pull * first + fabs(x->at[2].bend[i] - x->at[0].bend[i]), carried;
    double push = pw_stretch_carried(x, i, &carried) ? fabs(carried) : force;
    floor +=
        lasts ? push * turn_of(x, i, true) + x->whole * rise * first / 12 : push * size * first / 2;
  }
  return floor;
}

double pw_stretch_floor(pw_stretch *x, bool broken) {
  double floor = quadrature_floor(x, broken);
  return floor + turning_floor(x);
}

/* M^-1 h at the present probe. */
static void free_acceleration(const pawl_certifier *c, double *a) {
  memcpy(a, c->probe.h, (size_t)c->sys->nv * sizeof *a);
  pw_probe_backward(&c->probe, a);
}

/* Each coordinate by itself. */
double pw_stretch_blur(pw_stretch *x, int k, const pw_row_view *row) {
  pawl_certifier *c = x->c;
  int n = c->sys->nv;
  double *u = c->room.scratch, *d = x->spare, *from = d + n, sum = 0;
  if (!(row->doubt > 0) || !pw_probe_row(c, row, 0)) {
    return 0;
  }
  free_acceleration(c, from);
  memcpy(u, row->u, (size_t)n * sizeof *u);
  for (int i = 0; i < n; i++) {
    u[i] += row->doubt / c->scale.mass[i];
    if (!pw_probe_at(&c->probe, row->t, row->q, u)) {
      return INFINITY;
    }
    u[i] = row->u[i];
    free_acceleration(c, d);
    pw_axpy(-1, from, d, n);
    sum += pow(pw_stretch_size(x, d), 2);
  }
  return fabs(x->weight[k]) * sqrt(sum);
}

/* certificates (C28): coordinates whose forces answer a change of velocity within less time than
 * there is between the rows. */
double pw_stretch_stiff(pawl_certifier *c, const pw_row_view *a, const pw_row_view *b) {
  int nv = c->sys->nv, nq = c->sys->nq;
  double *now = c->room.moved, *moved = now + nv, *q = moved + nv, dt = b->t - a->t, sum = 0;
  for (int i = 0; i < nq; i++) {
    q[i] = b->q[i] - (i < c->sys->model->nq ? dt * (b->v[i] - a->v[i]) : 0);
  }
  if (!pw_probe_at(&c->probe, b->t, q, a->u)) {
    return 0;
  }
  free_acceleration(c, moved);
  if (!pw_probe_at(&c->probe, b->t, b->q, b->u)) {
    return 0;
  }
  free_acceleration(c, now);
  for (int i = 0; i < nv; i++) {
    double answer = dt * fabs(now[i] - moved[i]);
    bool stiff = answer > PW_SCALE(CERT_STIFF) * fabs(b->u[i] - a->u[i]);
    sum = hypot(sum, stiff ? c->scale.mass[i] * answer : 0);
  }
  return sum;
}

/* certificates (C29): the sum over many instants less that of Simpson's rule, the state held. */
double pw_stretch_pulse(pawl_certifier *c, const pw_row_view *a, const pw_row_view *b) {
  enum { PARTS = 64 };
  int n = c->sys->nv;
  double *acc = c->room.moved, *sum = acc + n, dt = b->t - a->t;
  memset(sum, 0, (size_t)n * sizeof *sum);
  for (int k = 0; k <= PARTS; k++) {
    bool end = k % PARTS == 0;
    double simpson = end ? 1.0 / 6 : k == PARTS / 2 ? 2.0 / 3 : 0;
    double weight = (end ? 0.5 : 1.0) / PARTS - simpson;
    if (!pw_probe_at(&c->probe, a->t + dt * k / PARTS, b->q, b->u)) {
      return INFINITY;
    }
    free_acceleration(c, acc);
    pw_axpy(weight * dt, acc, sum, n);
  }
  return pw_probe_at(&c->probe, b->t, b->q, b->u) ? pw_verify_size(&c->probe, sum) : INFINITY;
}
