// SPDX-License-Identifier: MIT
#include "static/still.h"

#include <math.h>
#include <string.h>

#include "base/real.h"
#include "mech/start.h"

enum { ROW_HEAD = 3 }; /* value, rate, zeta before J in the contact tape */

static size_t largest(size_t a, int b) {
  return a > (size_t)b ? a : (size_t)b;
}

static const pw_row *stated(const pw_system *s, int row) {
  return &s->model->rows.items[s->row_of[row]];
}

static void describe_rows(pw_still *x) {
  const pw_system *s = x->sys;
  for (int i = 0; i < s->nr; i++) {
    const pw_row *row = stated(s, i);
    int law = i - s->nc;
    pw_still_row *r = &x->row[i];
    *r = (pw_still_row){.equality = law < 0, .velocity = row->on_velocity, .on = -1, .group = -1};
    if (law < 0) {
      continue;
    }
    r->rough = row->kind == PW_KIND_ROUGH;
    r->wall = s->law[law].wall && !r->rough;
    r->on = r->rough              ? s->index_of[row->clause.on]
            : s->law[law].on >= 0 ? s->nc + s->law[law].on
                                  : -1;
    r->group = s->law[law].group >= 0 ? s->nc + s->law[law].group : -1;
  }
}

pw_still *pw_still_new(pw_arena *arena, const pw_system *s, pw_mech *mech, double t) {
  pw_still *x = PW_NEW(arena, pw_still);
  size_t nv = (size_t)s->nv, nr = (size_t)s->nr;
  const pw_tape *all[] = {s->motion, s->position, s->velocity, s->contact,
                          s->graph,  s->clause,   s->by};
  size_t work = 0, out = 0;
  for (int k = 0; k < (int)(sizeof all / sizeof *all); k++) {
    work = largest(work, pw_tape_registers(all[k]));
    out += 2 * (size_t)pw_tape_outputs(all[k]) + 2;
  }
  x->sys = s;
  x->mech = mech;
  x->t = t;
  x->q = PW_TAKE(arena, s->nq + 1, double);
  x->u = PW_TAKE(arena, nv + 1, double);
  x->side = PW_TAKE(arena, s->n_switch + 1, double);
  x->h = PW_TAKE(arena, nv + 1, double);
  x->M = PW_TAKE(arena, nv * nv + 1, double);
  x->row = PW_TAKE(arena, nr + 1, pw_still_row);
  x->J = PW_TAKE(arena, nv * nr + 1, double);
  x->phi = PW_TAKE(arena, nv * nr + 1, double);
  x->dh = PW_TAKE(arena, 2 * nv * nv + 1, double);
  x->dphi = PW_TAKE(arena, 2 * nv * nv * nr + 1, double);
  x->dvalue = PW_TAKE(arena, 2 * nv * nr + 1, double);
  x->dlo = PW_TAKE(arena, 2 * nv * nr + 1, double);
  x->dhi = PW_TAKE(arena, 2 * nv * nr + 1, double);
  x->v = PW_TAKE(arena, nv + 1, double);
  x->in = PW_TAKE(arena, 2 * s->n_in + 2, double);
  x->work = PW_TAKE(arena, 2 * work + 16, double);
  x->out = PW_TAKE(arena, out, double);
  x->scratch = PW_TAKE(arena, 3 * s->n_switch + 3, double);
  x->dq = PW_TAKE(arena, s->nq + 1, double);
  describe_rows(x);
  return x;
}

/* ---- one run of the tapes, with a direction or without ---- */

typedef struct found { /* outputs as pairs: value, derivative */
  const double *motion, *position, *velocity, *contact, *graph, *clause, *by;
} found;

static const double *run(pw_still *x, const pw_tape *tape, double **at) {
  double *out = *at;
  pw_tape_jet(tape, 1, x->in, x->work, out);
  *at += 2 * pw_tape_outputs(tape) + 2;
  return out;
}

static void set_inputs(pw_still *x) {
  const pw_system *s = x->sys;
  memset(x->in, 0, 2 * (size_t)s->n_in * sizeof *x->in);
  x->in[2 * s->offset[PW_VAR_TIME]] = x->t;
  for (int i = 0; i < s->nq; i++) {
    x->in[2 * (s->offset[PW_VAR_Q] + i)] = x->q[i];
  }
  for (int i = 0; i < s->nv; i++) {
    x->in[2 * (s->offset[PW_VAR_U] + i)] = x->u[i];
  }
  for (int i = 0; i < s->n_switch; i++) {
    x->in[2 * (s->offset[PW_VAR_MODE] + i)] = x->side[i];
  }
}

/* k < nv: positions, else velocities; -1: none, -2: time. */
static void set_direction(pw_still *x, int k) {
  const pw_system *s = x->sys;
  for (int i = 0; i < s->n_in; i++) {
    x->in[2 * i + 1] = 0;
  }
  if (k == -2) {
    x->in[2 * s->offset[PW_VAR_TIME] + 1] = 1;
  } else if (k >= s->nv) {
    x->in[2 * (s->offset[PW_VAR_U] + k - s->nv) + 1] = 1;
  } else if (k >= 0) {
    memset(x->v, 0, (size_t)s->nv * sizeof *x->v);
    x->v[k] = 1;
    pw_mech_to_q(x->mech, x->q, x->v, x->dq);
    for (int i = 0; i < s->nq; i++) {
      x->in[2 * (s->offset[PW_VAR_Q] + i) + 1] = x->dq[i];
    }
  }
}

static found run_all(pw_still *x, int direction) {
  const pw_system *s = x->sys;
  double *at = x->out;
  set_direction(x, direction);
  found f;
  f.motion = run(x, s->motion, &at);
  f.position = run(x, s->position, &at);
  f.velocity = run(x, s->velocity, &at);
  f.contact = run(x, s->contact, &at);
  f.graph = run(x, s->graph, &at);
  f.clause = run(x, s->clause, &at);
  f.by = run(x, s->by, &at);
  return f;
}

/* Gradient (along 0) or direction of the force (along 1) of a row, part 0 or 1 of the pairs. */
static double entry(const pw_still *x, const found *f, int row, int k, bool force, int part) {
  const pw_system *s = x->sys;
  int nv = s->nv;
  if (force && s->row[row].by >= 0) {
    return f->by[2 * (s->row[row].by * nv + k) + part];
  }
  if (row < s->nc) {
    return f->motion[2 * (nv * (nv + 1) / 2 + nv + row * nv + k) + part];
  }
  return f->contact[2 * ((row - s->nc) * (nv + ROW_HEAD) + ROW_HEAD + k) + part];
}

static double value_of(const pw_still *x, const found *f, int row, int part) {
  const pw_system *s = x->sys;
  if (row >= s->nc) {
    return f->contact[2 * ((row - s->nc) * (s->nv + ROW_HEAD)) + part];
  }
  return row < s->np ? f->position[2 * row + part] : f->velocity[2 * row + part];
}

/* The radius of a slip in the plane stands on its left side. */
static void bounds_of(const pw_still *x, const found *f, int row, int part, double *lo,
                      double *hi) {
  const pw_still_row *r = &x->row[row];
  int law = row - x->sys->nc;
  if (r->equality || r->rough) {
    *lo = part == 0 ? -INFINITY : 0;
    *hi = part == 0 ? INFINITY : 0;
    return;
  }
  double left = -f->graph[2 * (2 * law) + part], right = -f->graph[2 * (2 * law + 1) + part];
  *hi = r->wall ? (part == 0 ? INFINITY : 0) : left;
  *lo = r->group >= 0 ? -left : right;
}

static void take_values(pw_still *x, const found *f) {
  const pw_system *s = x->sys;
  int nv = s->nv, at = 0;
  for (int j = 0; j < nv; j++) {
    for (int i = j; i < nv; i++) {
      x->M[(size_t)j * (size_t)nv + (size_t)i] = f->motion[2 * at++];
    }
    x->h[j] = f->motion[2 * (nv * (nv + 1) / 2 + j)];
  }
  for (int i = 0; i < s->nr; i++) {
    pw_still_row *r = &x->row[i];
    r->value = value_of(x, f, i, 0);
    r->rate = i < s->nc ? f->velocity[2 * i] : f->contact[2 * ((i - s->nc) * (nv + ROW_HEAD) + 1)];
    bounds_of(x, f, i, 0, &r->lo, &r->hi);
    r->only = r->lo > r->hi ? (r->value > 0 ? 1 : -1) : 0;
    r->lo = r->only < 0 ? r->hi : r->lo;
    r->hi = r->only > 0 ? r->lo : r->hi;
    r->limit = i < s->nc ? -1 : f->clause[2 * (s->ni + i - s->nc)];
    for (int k = 0; k < nv; k++) {
      x->J[(size_t)i * (size_t)nv + (size_t)k] = entry(x, f, i, k, false, 0);
      x->phi[(size_t)i * (size_t)nv + (size_t)k] = entry(x, f, i, k, true, 0);
    }
  }
}

static void take_derivatives(pw_still *x, const found *f, int direction) {
  const pw_system *s = x->sys;
  size_t nv = (size_t)s->nv, nr = (size_t)s->nr, d = (size_t)direction;
  for (size_t j = 0; j < nv; j++) {
    x->dh[d * nv + j] = f->motion[2 * (nv * (nv + 1) / 2 + j) + 1];
  }
  for (int i = 0; i < s->nr; i++) {
    size_t at = d * nr + (size_t)i;
    x->dvalue[at] = value_of(x, f, i, 1);
    bounds_of(x, f, i, 1, &x->dlo[at], &x->dhi[at]);
    x->dlo[at] = x->row[i].only < 0 ? x->dhi[at] : x->dlo[at];
    x->dhi[at] = x->row[i].only > 0 ? x->dlo[at] : x->dhi[at];
    for (int k = 0; k < s->nv; k++) {
      x->dphi[at * nv + (size_t)k] = entry(x, f, i, k, true, 1);
    }
  }
}

static bool finite_rows(const pw_still *x) {
  for (int i = 0; i < x->sys->nr; i++) {
    const pw_still_row *r = &x->row[i];
    if (!isfinite(r->value) || isnan(r->lo) || isnan(r->hi)) {
      return false;
    }
  }
  size_t n = (size_t)x->sys->nv;
  return pw_all_finite(x->h, x->sys->nv) && pw_all_finite(x->J, (int)n * x->sys->nr);
}

bool pw_still_look(pw_still *x, bool derivatives) {
  if (pw_start_sides(x->mech, x->t, x->q, x->u, x->side, x->scratch) != PAWL_OK) {
    return false;
  }
  set_inputs(x);
  found f = run_all(x, -1);
  take_values(x, &f);
  if (!finite_rows(x)) {
    return false;
  }
  for (int k = 0; derivatives && k < 2 * x->sys->nv; k++) {
    f = run_all(x, k);
    take_derivatives(x, &f, k);
  }
  return true;
}

bool pw_still_in_time(pw_still *x, int *row) {
  const pw_system *s = x->sys;
  if (!pw_still_look(x, false)) {
    return false;
  }
  found f = run_all(x, -2);
  for (int i = 0; i < s->nr; i++) {
    double lo, hi;
    bounds_of(x, &f, i, 1, &lo, &hi);
    *row = i;
    if (value_of(x, &f, i, 1) != 0 || (lo != 0 && !isnan(lo)) || (hi != 0 && !isnan(hi))) {
      return true;
    }
  }
  *row = -1;
  for (int j = 0; j < s->nv; j++) {
    if (f.motion[2 * (s->nv * (s->nv + 1) / 2 + j) + 1] != 0) {
      return true;
    }
  }
  return false;
}

void pw_still_move(pw_still *x, const double *v) {
  const pw_system *s = x->sys;
  pw_mech_to_q(x->mech, x->q, v, x->dq);
  for (int i = 0; i < s->nq; i++) {
    x->q[i] += x->dq[i];
  }
  for (int c = 0; c < s->model->coords.n; c++) {
    const pw_coord *k = &s->model->coords.items[c];
    if (k->is_rotation) {
      double *p = x->q + k->q;
      double len = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
      for (int i = 0; i < 4; i++) {
        p[i] /= len;
      }
    }
  }
}
