// SPDX-License-Identifier: MIT
/* Velocities with which a motion may start: u0 + U s, with columns of U orthonormal in the metric
 * of M, so that |s|^2/2 is a kinetic energy. A basis comes from projecting the unit velocities on
 * the constraints, the largest remainder first. Multipliers of vakonomic laws are as free. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bvp/shoot.h"
#include "law/scale_bvp.h"
#include "linalg/dense.h"
#include "linalg/qr.h"
#include "mech/frame.h"

typedef struct work {
  pw_mech *mech;
  pw_frame frame;
  double *memory; /* of the frame */
  double *P;      /* nv x nv: projected unit velocities, in the metric: L^T u */
  double *moved;  /* nv */
  const double *q, *side;
  double t;
} work;

/* ---- a basis ---- */

static pawl_status project(work *w, double *u) {
  return pw_mech_project_u(w->mech, w->t, w->q, u, w->side, 0, w->moved);
}

/* L^T u in place. */
static void into_metric(const pw_frame *f, double *u) {
  for (int i = 0; i < f->n; i++) {
    u[i] = pw_dot(f->L + (size_t)i * (size_t)f->n + i, u + i, f->n - i);
  }
}

static pawl_status unit_velocities(work *w, const double *u0) {
  int n = w->frame.n;
  for (int k = 0; k < n; k++) {
    double *p = w->P + (size_t)k * (size_t)n;
    memcpy(p, u0, (size_t)n * sizeof *p);
    p[k] += 1;
    pawl_status status = project(w, p);
    if (status != PAWL_OK) {
      return status;
    }
    pw_axpy(-1, u0, p, n);
    into_metric(&w->frame, p);
  }
  return PAWL_OK;
}

static int longest(const work *w, double *length) {
  int n = w->frame.n, best = 0;
  *length = -1;
  for (int k = 0; k < n; k++) {
    double size = pw_norm2(w->P + (size_t)k * (size_t)n, n);
    if (size > *length) {
      *length = size;
      best = k;
    }
  }
  return best;
}

/* Gram and Schmidt, taking the longest remainder; a direction is given the sign that makes its
 * largest component positive. */
static int orthonormalise(work *w, double *U) {
  int n = w->frame.n, d = 0;
  double first = 0, length;
  for (; d < n; d++) {
    int k = longest(w, &length);
    first = d == 0 ? length : first;
    if (!(length > PW_SCALE(BVP_DIRECTION) * first)) {
      break;
    }
    double *b = U + (size_t)d * (size_t)n, *p = w->P + (size_t)k * (size_t)n;
    for (int i = 0; i < n; i++) {
      b[i] = p[i] / length;
    }
    for (int j = 0; j < n; j++) {
      double *other = w->P + (size_t)j * (size_t)n;
      for (int pass = 0; pass < 2; pass++) {
        pw_axpy(-pw_dot(b, other, n), b, other, n);
      }
    }
  }
  for (int k = 0; k < d; k++) {
    pw_frame_back(&w->frame, U + (size_t)k * (size_t)n);
  }
  return d;
}

/* ---- how fast ---- */

/* Distances in the metric of M: to the end, and to contacts that are open. Without any, lengths of
 * 1 are as good as others. */
static double reach_of(const pw_shoot *x, const work *w) {
  const pw_model *model = x->sys->model;
  double time = x->to - x->from, far = 0, unit = 0, force = pw_norm2(w->frame.c_force, w->frame.n);
  for (int c = 0; c < model->coords.n; c++) {
    const pw_coord *k = &model->coords.items[c];
    double mass = pw_norm2(w->frame.L + (size_t)k->u * (size_t)w->frame.n, w->frame.n);
    double step = k->is_rotation ? 1 : fabs(model->q_end[k->q].value - w->q[k->q]);
    far += mass * step;
    unit += mass;
  }
  for (int i = x->sys->nc; i < x->sys->nr; i++) {
    bool contact = x->sys->row[i].kind == PW_KIND_UNILATERAL;
    bool away = contact && w->frame.length[i] > 0;
    far = away ? fmax(far, 2 * fabs(w->frame.value[i]) / w->frame.length[i]) : far;
  }
  return far > 0 || force > 0 ? far / time + force * time : unit / time;
}

/* A vakonomic law that is one-sided and open has the multiplier 0, theory (91); joining it would
 * change the energy, theory (92), so the law is not joined during the motion. */
static void free_multipliers(pw_shoot *x, const work *w, const unsigned char *on) {
  const pw_system *s = x->sys;
  for (int k = 0; k < s->n_state; k++) {
    int row = s->state_row[k];
    bool vakonomic = s->row[row].kind == PW_KIND_VAKONOMIC;
    bool holds = row < s->nc || (on != NULL && on[row - s->nc]);
    double length = w->frame.length[row];
    x->lambda[k] = vakonomic ? 0 : x->system->start.q[s->model->nq + k];
    x->unit[k] = length > 0 ? 1 / length : 1;
    if (vakonomic && holds) {
      x->state[x->d++ - x->n_u] = k;
    }
  }
}

static pawl_status look(pw_shoot *x, work *w, const unsigned char *on) {
  int nv = x->sys->nv;
  pw_mech_close(w->mech, on);
  pawl_status status = pw_mech_frame(w->mech, w->t, w->q, x->u0, w->side, w->memory, &w->frame);
  if (status == PAWL_OK) {
    memcpy(x->gap, w->frame.value + x->sys->nc, (size_t)x->sys->ni * sizeof *x->gap);
    memset(x->u0, 0, (size_t)nv * sizeof *x->u0);
    status = project(w, x->u0);
  }
  if (status == PAWL_OK) {
    status = unit_velocities(w, x->u0);
  }
  if (status == PAWL_OK) {
    x->to = x->from + x->free.span;
    x->reach = reach_of(x, w);
    x->n_u = x->d = orthonormalise(w, x->U);
    free_multipliers(x, w, on);
    x->d += x->free.time;
  }
  return status;
}

pawl_status pw_shoot_directions(pw_shoot *x, const unsigned char *on) {
  size_t nv = (size_t)x->sys->nv;
  work w = {.q = x->system->start.q, .side = x->system->start.side, .t = x->from};
  pawl_status status = pw_mech_new(x->sys, &w.mech);
  if (status != PAWL_OK) {
    return status;
  }
  w.memory = calloc(pw_frame_doubles(x->sys) + nv * nv + nv + 1, sizeof *w.memory);
  if (w.memory != NULL) {
    w.P = w.memory + pw_frame_doubles(x->sys);
    w.moved = w.P + nv * nv;
    status = look(x, &w, on);
  }
  status = w.memory == NULL ? PAWL_E_MEMORY : status;
  free(w.memory);
  pw_mech_free(w.mech);
  return status;
}

bool pw_shoot_unknowns(const pw_shoot *x, const double *v, double *s) {
  int nv = x->sys->nv, n = x->n_u;
  double *real = malloc((pw_qr_doubles(nv, n) + (size_t)nv + 1) * sizeof *real);
  int *whole = malloc((pw_qr_ints(nv, n) + 1) * sizeof *whole);
  bool ok = real != NULL && whole != NULL;
  if (ok) {
    pw_qr f;
    double *c = real + pw_qr_doubles(nv, n);
    pw_qr_init(&f, nv, n, real, whole);
    memcpy(f.A, x->U, (size_t)nv * (size_t)n * sizeof *f.A);
    for (int i = 0; i < nv; i++) {
      c[i] = v[i] - x->u0[i];
    }
    (void)pw_qr_decompose(&f, PW_SCALE(BVP_BASIS));
    pw_qr_least_squares(&f, c, s);
  }
  free(real);
  free(whole);
  return ok;
}
