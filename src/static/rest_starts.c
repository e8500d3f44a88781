// SPDX-License-Identifier: MIT
/* Where to search for equilibria: scales of the coordinates from the model itself, cyclic and
 * periodic coordinates, and a sequence of positions that fills the space evenly (Halton's, the same
 * on every run). */
#include <math.h>
#include <string.h>

#include "base/pi.h"
#include "law/scale_static.h"
#include "linalg/chol.h"
#include "linalg/dense.h"
#include "mech/handle.h"
#include "static/equilibria.h"

enum { SAMPLES = 9 };
static const int primes[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53};

/* Halton's point k, in -1 .. 1; beyond the primes a shifted sequence. */
static double halton(int k, int dimension) {
  int count = (int)(sizeof primes / sizeof *primes);
  int base = primes[dimension % count], index = k + 7 * (dimension / count);
  double value = 0, part = 1;
  for (; index > 0; index /= base) {
    part /= base;
    value += part * (index % base);
  }
  return 2 * value - 1;
}

/* Every other round takes the size of a parameter, or an end of its range, in place of the scale
 * of the coordinate. */
static double reach(const pawl_equilibria *e, int k, int velocity) {
  const pw_model *m = e->sys->model;
  int round = k / 4;
  if (e->periodic[velocity]) {
    return PW_PI;
  }
  if (k % 2 == 0 || m->parameters.n == 0) {
    return e->scale[velocity] * (k % 4 == 0 ? 1 : 5);
  }
  const pw_parameter *p = &m->parameters.items[round % m->parameters.n];
  double size = fabs(p->value);
  if (p->lo <= p->hi && round / m->parameters.n % 2 == 1) {
    size = fmax(fabs(p->lo), fabs(p->hi));
  }
  return size > 0 && isfinite(size) ? size * (k % 4 == 1 ? 1 : 3) : e->scale[velocity];
}

void pw_rest_start(const pawl_equilibria *e, int k, double *q) {
  const pw_system *s = e->sys;
  memcpy(q, e->system->start.q, (size_t)s->nq * sizeof *q);
  for (int c = 0; k > 0 && c < s->model->coords.n; c++) {
    const pw_coord *x = &s->model->coords.items[c];
    if (!x->is_rotation) {
      q[x->q] += e->cyclic[x->u] ? 0 : halton(k, x->u) * reach(e, k, x->u);
      continue;
    }
    double size = 0, p[4];
    for (int i = 0; i < 4; i++) {
      p[i] = i < 3 ? halton(k, x->u + i) : halton(k + 3, x->u);
      size += p[i] * p[i];
    }
    for (int i = 0; size > 0 && i < 4; i++) {
      q[x->q + i] = p[i] / sqrt(size);
    }
  }
}

/* ---- scales ---- */

static void raise(double *scale, double value) {
  if (isfinite(value) && value > *scale && value < PW_SCALE(LARGEST_SCALE)) {
    *scale = value;
  }
}

/* The start, the distance to the kinks, and the deflection of a spring under forces of this
 * size. */
static double scale_of(const pw_still *x, int j) {
  int nv = x->sys->nv, nr = x->sys->nr, q = pw_still_position(x->sys, j);
  double scale = 0, stiff = fabs(x->dh[(size_t)j * (size_t)(nv + 1)]);
  if (q < 0) {
    return 1;
  }
  raise(&scale, fabs(x->q[q]));
  raise(&scale, fabs(x->h[j]) / stiff);
  for (int i = 0; i < nr; i++) {
    const pw_still_row *r = &x->row[i];
    double J = fabs(x->J[(size_t)i * (size_t)nv + (size_t)j]);
    if (!r->law.form->on_velocity && J > 0) {
      raise(&scale, fabs(r->law.value) / J);
    }
    raise(&scale, fmax(pw_still_largest(x, i), r->law.limit) * J / stiff);
  }
  return scale > 0 ? scale : 1;
}

/* ---- symmetries ---- */

static bool unchanged(const pw_still *x, int k) {
  int nv = x->sys->nv, nr = x->sys->nr;
  size_t d = (size_t)k;
  for (int j = 0; j < nv; j++) {
    if (x->dh[d * (size_t)nv + (size_t)j] != 0) {
      return false;
    }
  }
  for (int i = 0; i < nr; i++) {
    size_t at = d * (size_t)nr + (size_t)i;
    if (x->dvalue[at] != 0 || x->dlo[at] != 0 || x->dhi[at] != 0) {
      return false;
    }
    for (int j = 0; j < nv; j++) {
      if (x->dphi[at * (size_t)nv + (size_t)j] != 0) {
        return false;
      }
    }
  }
  return true;
}

/* All numbers that equilibrium depends on, in a row; those of a wall that it is away from do not
 * matter if not `walls`. */
static int numbers(const pw_still *x, bool walls, double *out) {
  int nv = x->sys->nv, nr = x->sys->nr, n = 0;
  for (int j = 0; j < nv; j++) {
    out[n++] = x->h[j];
  }
  for (int i = 0; i < nr; i++) {
    const pw_still_row *r = &x->row[i];
    pw_law_set ends = pw_law_set_extent(&r->set, 0);
    out[n++] = walls || !r->law.form->wall ? r->law.value : 0;
    out[n++] = isfinite(ends.lo) ? ends.lo : 0;
    out[n++] = isfinite(ends.hi) ? ends.hi : 0;
    for (int j = 0; j < nv; j++) {
      out[n++] = x->phi[(size_t)i * (size_t)nv + (size_t)j];
    }
  }
  return n;
}

static bool comes_round(pawl_equilibria *e, int q, bool walls, double *a, double *b) {
  pw_still *x = e->still;
  for (int k = 1; k <= 3; k++) {
    pw_rest_start(e, k, x->q);
    if (!pw_still_look(x, false)) {
      return false;
    }
    int n = numbers(x, walls, a);
    double size = pw_norm2(a, n);
    x->q[q] += 2 * PW_PI;
    if (!pw_still_look(x, false)) {
      return false;
    }
    numbers(x, walls, b);
    for (int i = 0; i < n; i++) {
      if (!(fabs(a[i] - b[i]) <= PW_SCALE(PERIODIC) * size)) {
        return false;
      }
    }
  }
  return true;
}

static void find_symmetries(pawl_equilibria *e) {
  const pw_system *s = e->sys;
  pw_still *x = e->still;
  int room = s->nv + s->nr * (s->nv + 3) + 1;
  double *a = PW_TAKE(&e->arena, room, double), *b = PW_TAKE(&e->arena, room, double);
  bool *cyclic = PW_TAKE(&e->arena, s->nv + 1, bool);
  for (int j = 0; j < s->nv; j++) {
    cyclic[j] = pw_still_position(s, j) >= 0;
  }

  /* cyclic: nothing changes with the coordinate at some states */
  for (int k = 0; k < 4; k++) {
    pw_rest_start(e, k, x->q);
    for (int j = 0; j < s->nv; j++) { /* velocities: a mass that depends on it shows */
      x->u[j] = k == 0 ? 0 : halton(k + 5, j) / e->scale[j];
    }
    bool known = pw_still_look(x, true);
    for (int j = 0; j < s->nv; j++) {
      cyclic[j] = cyclic[j] && known && unchanged(x, j);
    }
  }
  memset(x->u, 0, (size_t)s->nv * sizeof *x->u);

  /* periodic: nothing changes after a whole turn */
  for (int j = 0; j < s->nv; j++) {
    int q = pw_still_position(s, j);
    e->periodic[j] = q >= 0 && !cyclic[j] && comes_round(e, q, true, a, b);
    e->winds[j] = q >= 0 && !cyclic[j] && !e->periodic[j] && comes_round(e, q, false, a, b);
  }
  for (int j = 0; j < s->nv; j++) {
    e->cyclic[j] = cyclic[j];
    if (cyclic[j]) {
      e->cyclics[e->n_cyclic++] = j;
    }
  }
}

/* ---- units ---- */

static double largest_force(const pw_balance *b, double *c) {
  const pw_still *x = b->x;
  int nv = x->sys->nv;
  memcpy(c, x->h, (size_t)nv * sizeof *c);
  pw_chol_forward(b->L, nv, c);
  double most = pw_norm2(c, nv);
  for (int i = x->sys->nc; i < x->sys->nr; i++) {
    if (x->sys->row[i].wall || x->row[i].on >= 0) {
      continue;
    }
    memcpy(c, x->phi + (size_t)i * (size_t)nv, (size_t)nv * sizeof *c);
    pw_chol_forward(b->L, nv, c);
    most = fmax(most, pw_norm2(c, nv) * pw_still_largest(x, i));
  }
  return most;
}

/* The median over some starts. */
static double typical_force(pawl_equilibria *e) {
  double size[SAMPLES], *c = PW_TAKE(&e->arena, e->sys->nv + 1, double);
  int n = 0;
  for (int k = 0; k < SAMPLES; k++) {
    pw_rest_start(e, k, e->still->q);
    double f = pw_balance_metric(&e->rest) ? largest_force(&e->rest, c) : NAN;
    if (!(f > 0) || !isfinite(f)) {
      continue;
    }
    int at = n++;
    for (; at > 0 && size[at - 1] > f; at--) {
      size[at] = size[at - 1];
    }
    size[at] = f;
  }
  return n == 0 ? 1 : size[n / 2];
}

bool pw_rest_scales(pawl_equilibria *e) {
  const pw_system *s = e->sys;
  pw_still *x = e->still;
  memcpy(x->q, e->system->start.q, (size_t)s->nq * sizeof *x->q);
  if (!pw_still_look(x, true)) {
    return false;
  }
  double square = 0;
  for (int j = 0; j < s->nv; j++) {
    e->scale[j] = scale_of(x, j);
    square += x->M[(size_t)j * (size_t)(s->nv + 1)] * e->scale[j] * e->scale[j];
  }
  find_symmetries(e);
  for (int j = 0; j < s->nv; j++) {
    e->scale[j] = e->periodic[j] ? 1 : e->scale[j];
  }
  e->rest.length = square > 0 ? sqrt(square) : 1;
  e->rest.force = typical_force(e);
  e->rest.speed = sqrt(e->rest.length * e->rest.force);
  return true;
}
