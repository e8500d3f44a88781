// SPDX-License-Identifier: MIT
/* What errors of the samples make of forces that are steep functions of the state: h and the forces
 * of laws beside their kinks move by (dr/du) du + (dr/dq) dq. A steep law, N J^T J say, moves them
 * most along its own direction, which is that of a residual it is to blame for. Slow slips turn,
 * and so do the forces of equalities where these are about to depend on each other. */
#include <math.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_verify.h"
#include "linalg/chol.h"
#include "linalg/dense.h"
#include "verify/estimate.h"

/* Forces of a law on both sides of its kink that are functions of the state. */
typedef struct sides {
  double left, right;
} sides;

static sides sides_of(const pw_probe *p, int law) {
  const pw_system *s = p->sys;
  pw_law_row row = pw_probe_law(p, s->nc + law);
  bool given = !row.form->wall && row.form->on < 0 && row.form->group < 0;
  return given ? (sides){pw_law_force_beside(&row, -1), pw_law_force_beside(&row, 1)}
               : (sides){0, 0};
}

/* How far forces move from h and their sides before with the state moved by dq and du along `way`.
 * The jump of a law at its kink is no steepness: what counts is how the side that is moved to
 * changes. */
static double moved(pawl_certifier *c, const pw_row_view *row, const double *way, const double *h,
                    double dq, double du) {
  const pw_model *m = c->sys->model;
  const pw_probe *p = &c->probe;
  int nv = c->sys->nv, nq = c->sys->nq;
  double *q = c->room.moved + nv, *u = q + nq, *there = u + nv;
  memcpy(q, row->q, (size_t)nq * sizeof *q);
  memcpy(u, row->u, (size_t)nv * sizeof *u);
  pw_axpy(du, way, u, nv);
  for (int k = 0; k < m->coords.n; k++) {
    const pw_coord *x = &m->coords.items[k];
    q[x->q] += x->is_rotation ? 0 : dq * way[x->u];
  }
  if (!pw_probe_at(&c->probe, row->t, q, u)) {
    return INFINITY;
  }
  memcpy(there, p->h, (size_t)nv * sizeof *there);
  pw_axpy(-1, h, there, nv);
  for (int law = 0; law < c->sys->ni; law++) {
    int i = c->sys->nc + law;
    sides before = {c->room.beside[2 * law], c->room.beside[2 * law + 1]}, now = sides_of(p, law);
    double change = p->value[i] > 0 ? now.right - before.right : now.left - before.left;
    pw_axpy(change, p->A + (size_t)i * (size_t)nv, there, nv);
  }
  return pw_norm2(there, nv);
}

/* The same with multiplier k, which is a state, moved by the noise of its column. */
static double state_moved(pawl_certifier *c, const pw_row_view *row, const double *h, int k) {
  const pw_system *s = c->sys;
  double *q = c->room.moved + s->nv, *there = q + s->nq + s->nv;
  double noise = c->data.force_noise[s->row_of[s->state_row[k]]];
  memcpy(q, row->q, (size_t)s->nq * sizeof *q);
  q[s->model->nq + k] += noise;
  if (!(noise > 0) || !pw_probe_at(&c->probe, row->t, q, row->u)) {
    return 0;
  }
  memcpy(there, c->probe.h, (size_t)s->nv * sizeof *there);
  pw_axpy(-1, h, there, s->nv);
  return pw_norm2(there, s->nv);
}

/* The direction of a slip in the plane is known up to (error of the velocity)/slip. */
static double turned(const pawl_certifier *c, double du) {
  const pw_system *s = c->sys;
  const pw_probe *p = &c->probe;
  double sum = 0;
  for (int k = 0; k < s->ni; k++) {
    int i = s->nc + k, contact = pw_row_contact(s, i);
    if (s->law[k].group != k) {
      continue;
    }
    int n = s->law[k].width;
    double slip = pw_length(p->value + i, n), length = pw_norm_inf(p->length + i, n);
    double force = pw_probe_bound(p, i, false) * pw_norm_inf(p->reach + i, n);
    if (contact >= 0) { /* per normal force, which is bounded by the applied forces */
      force *= p->reach[contact] > 0 ? 2 * p->pull / p->reach[contact] : 0;
    }
    sum += slip > 0 ? force * fmin(1, du * length / slip) : 0;
  }
  return sum;
}

double pw_shaken_forces(pawl_certifier *c, const pw_row_view *row, double dq, double du) {
  int nv = c->sys->nv;
  double *way = c->room.residual, *h = c->room.moved, *beside = c->room.beside;
  double size = pw_norm2(way, nv);
  if (!(size > 0)) {
    return 0;
  }
  for (int i = 0; i < nv; i++) {
    way[i] /= size;
  }
  pw_probe_backward(&c->probe, way);
  memcpy(h, c->probe.h, (size_t)nv * sizeof *h);
  for (int law = 0; law < c->sys->ni; law++) {
    sides now = sides_of(&c->probe, law);
    beside[2 * law] = now.left;
    beside[2 * law + 1] = now.right;
  }
  /* either way: on one of them a law may leave its kink for the side where it has no force */
  double doubt = turned(c, du);
  doubt += pw_max(moved(c, row, way, h, 0, du), moved(c, row, way, h, 0, -du));
  doubt += pw_max(moved(c, row, way, h, dq, 0), moved(c, row, way, h, -dq, 0));
  for (int k = 0; k < c->sys->n_state && c->stream.has_state; k++) {
    doubt += state_moved(c, row, h, k);
  }
  return pw_probe_row(c, row, 0) ? doubt : INFINITY;
}

double pw_estimate_shaken(pawl_certifier *c, int j) {
  pw_row_view row = pw_row_at(c, j);
  return pw_shaken_forces(c, &row, c->data.noise * c->scale.L0, c->data.noise * c->scale.V0);
}

/* Unit vectors along the forces of the equalities at the probe, decomposed. */
static pw_qr directions_here(pawl_certifier *c) {
  const pw_probe *p = &c->probe;
  int n = c->sys->nv, nc = c->sys->nc;
  pw_qr qr;
  pw_qr_init(&qr, n, nc, c->room.reach.qr_real, c->room.reach.qr_int);
  for (int i = 0; i < nc; i++) {
    double *unit = qr.A + (size_t)i * (size_t)n;
    memset(unit, 0, (size_t)n * sizeof *unit);
    pw_axpy(p->reach[i] > 0 ? 1 / p->reach[i] : 0, p->A + (size_t)i * (size_t)n, unit, n);
  }
  qr.rank = pw_qr_factor(qr.A, n, nc, qr.tau, qr.perm, qr.work, PW_SCALE(CERT_RANK_ROWS));
  return qr;
}

static pw_qr directions(pawl_certifier *c, int j) {
  pw_row_view row = pw_row_at(c, j);
  return pw_probe_row(c, &row, 0) ? directions_here(c) : (pw_qr){0};
}

/* The last pivot of the directions, where neighbours have this rank. */
static double last_pivot(const pw_qr *here, int n, int rank) {
  return here->rank < rank ? 0 : rank > 0 ? fabs(here->A[(size_t)(rank - 1) * (size_t)(n + 1)]) : 1;
}

double pw_rank_doubt(pawl_certifier *c, int *rank) {
  if (c->sys->nc == 0) {
    return 0;
  }
  pw_qr here = directions_here(c);
  int beside = *rank;
  *rank = here.rank;
  return c->data.noise / last_pivot(&here, c->sys->nv, beside > here.rank ? beside : here.rank);
}

double pw_estimate_rank(pawl_certifier *c, int j) {
  int rank = 0, n = c->sys->nv;
  if (c->sys->nc == 0) {
    return 0;
  }
  for (int k = j - 1; k <= j + 1; k += 2) {
    int beside = k >= 0 && k < c->stream.n_row ? directions(c, k).rank : 0;
    rank = beside > rank ? beside : rank;
  }
  pw_qr here = directions(c, j);
  return c->data.noise / last_pivot(&here, n, rank);
}
