// SPDX-License-Identifier: MIT
#include "mech/discrete.h"

#include <string.h>

#include "base/real.h"
#include "base/strip.h"
#include "law/scale_mech.h"
#include "linalg/chol.h"
#include "linalg/dense.h"
#include "mech/work.h"

enum { MAX_NEWTON = 20, ORDER = 1 }; /* ORDER: of the jets, see discrete_step.c */

static void lay_out(pw_discrete *d, const pw_system *s, pw_strip *to) {
  size_t in = (size_t)s->n_in, reg = (size_t)pw_tape_registers(s->tape.momentum),
         nv = (size_t)s->nv;
  d->in = pw_strip_real(to, in);
  d->reg = pw_strip_real(to, reg);
  d->p = pw_strip_real(to, nv); /* one after the other: the output of the tape */
  d->push = pw_strip_real(to, nv);
  d->jet = pw_strip_real(to, (ORDER + 1) * in);
  d->work = pw_strip_real(to, (ORDER + 1) * (reg + 3));
  d->jet_out = pw_strip_real(to, (ORDER + 1) * 2 * nv);
}

size_t pw_discrete_doubles(const pw_system *sys) {
  pw_discrete d;
  pw_strip to = {0};
  lay_out(&d, sys, &to);
  return to.n_real;
}

void pw_discrete_init(pw_discrete *d, pw_mech *m, double *memory) {
  *d = (pw_discrete){.mech = m};
  lay_out(d, m->sys, &(pw_strip){.real = memory});
  pw_tape_prepare(m->sys->tape.momentum, d->reg);
}

bool pw_discrete_at(pw_discrete *d, double t, const double *q, const double *u,
                    const double *side) {
  const pw_system *s = d->mech->sys;
  d->in[s->offset[PW_VAR_TIME]] = t;
  memcpy(d->in + s->offset[PW_VAR_Q], q, (size_t)s->nq * sizeof *q);
  memcpy(d->in + s->offset[PW_VAR_U], u, (size_t)s->nv * sizeof *u);
  if (s->n_switch > 0) {
    memcpy(d->in + s->offset[PW_VAR_MODE], side, (size_t)s->n_switch * sizeof *side);
  }
  pw_tape_run(s->tape.momentum, d->in, d->reg, d->p);
  return pw_all_finite(d->p, 2 * s->nv);
}

/* Newton's method with M = dp/du: at once if the kinetic energy is quadratic. */
pawl_status pw_discrete_velocity(pw_discrete *d, double t, const double *q, const double *side,
                                 const double *p, double *u) {
  pw_mech *m = d->mech;
  int n = m->sys->nv;
  double *step = m->w->v, before = INFINITY, first = 0;
  for (int k = 0; k < MAX_NEWTON; k++) {
    pawl_status status = pw_mech_rates(m, t, q, u, side);
    if (status != PAWL_OK) {
      return status;
    }
    if (!pw_discrete_at(d, t, q, u, side)) {
      break;
    }

    /* u <- u + M^-1 (p - p(u)), M = L L^T; its size in the metric is |L^-1 (p - p(u))| */
    for (int i = 0; i < n; i++) {
      step[i] = p[i] - d->p[i];
    }
    pw_mech_forward(m, step);
    double size = pw_norm2(step, n);
    first = k == 0 ? size : first;
    pw_mech_backward(m, step);
    pw_axpy(1, step, u, n);

    /* done when the correction is rounding of the momenta, or no longer shrinks */
    memcpy(step, p, (size_t)n * sizeof *step);
    pw_mech_forward(m, step);
    if (size <= PW_SCALE(ROUNDED_SUM) * (pw_norm2(step, n) + first) || (k > 1 && size >= before)) {
      return PAWL_OK;
    }
    before = size;
  }
  return pw_mech_fail(m, PAWL_E_NAN, -1, -1, NAN);
}

void pw_discrete_rows(pw_discrete *d, double t, const double *q, const double *u,
                      const double *side, double *value, double *J) {
  pw_mech *m = d->mech;
  struct pw_mech_work *w = m->w;
  const pw_system *s = m->sys;
  pw_mech_input(m, t, q, u, side);
  pw_program_run(m, &w->tape.position);
  if (w->n_act > s->nc) {
    pw_program_run(m, &w->tape.contact);
  }
  for (int k = 0; k < w->n_act_q; k++) {
    int row = w->act[k];
    value[k] = row < s->np ? w->tape.position.out[row] : pw_mech_law(m, row)[PW_VIEW_VALUE];
    memcpy(J + (size_t)k * (size_t)s->nv, pw_mech_row(m, w->tape.position.out + s->np, row),
           (size_t)s->nv * sizeof *J);
  }
}

/* ---- laws ---- */

bool pw_discrete_has_laws(const pw_discrete *d) {
  const struct pw_mech_work *w = d->mech->w;
  bool any = w->n_act > w->n_act_q || d->mech->sys->n_by > 0;
  for (int i = 0; i < d->mech->sys->ni && !any; i++) {
    any = pw_mech_on_segment(d->mech, i) || pw_mech_slides(d->mech, i);
  }
  return any;
}

void pw_discrete_forces(const pw_discrete *d, double *f) {
  const pw_mech *m = d->mech;
  const pw_system *s = m->sys;
  for (int i = 0; i < s->ni; i++) {
    if (pw_mech_on_segment(m, i)) {
      pw_axpy(m->lambda[s->nc + i], pw_mech_law(m, s->nc + i) + PW_VIEW_HEAD, f, s->nv);
    }
  }
}

void pw_discrete_reactions(const pw_discrete *d, double *phi) {
  const pw_mech *m = d->mech;
  const pw_system *s = m->sys;
  pw_motion_view x = pw_view_motion(s, m->w->tape.motion.out);
  for (int k = 0; k < m->w->n_act; k++) {
    double *to = phi + (size_t)k * (size_t)s->nv;
    int row = m->w->act[k];
    pw_copy(to, pw_mech_direction(m, x.J, row), s->nv);
    for (int i = 0; i < s->ni; i++) {
      if (pw_mech_slides(m, i) && s->nc + s->law[i].on == row) {
        pw_axpy(pw_mech_ratio(m, i), pw_mech_law(m, s->nc + i) + PW_VIEW_HEAD, to, s->nv);
      }
    }
  }
}

void pw_discrete_rates(pw_discrete *d, int first, double *value, double *J) {
  pw_mech *m = d->mech;
  pw_motion_view x = pw_view_motion(m->sys, m->w->tape.motion.out);
  pw_program_run(m, &m->w->tape.velocity);
  for (int k = first; k < m->w->n_act; k++) {
    int row = m->w->act[k];
    value[k] = pw_mech_rate_of(m, row);
    pw_copy(J + (size_t)k * (size_t)m->sys->nv, pw_mech_row(m, x.J, row), m->sys->nv);
  }
}
