// SPDX-License-Identifier: MIT
#include "mech/frame.h"

#include <string.h>

#include "base/real.h"
#include "base/strip.h"
#include "linalg/chol.h"
#include "linalg/dense.h"
#include "mech/work.h"

typedef struct arrays { /* of a frame, to be written */
  double *A, *length, *value, *rate, *zeta, *terms, *c_force, *c_velocity, *phi, *phi_length, *L;
} arrays;

static arrays lay_out(const pw_system *sys, pw_strip *to) {
  size_t n = (size_t)sys->nv, m = (size_t)sys->nr;
  bool by = sys->n_by > 0;
  return (arrays){.A = pw_strip_real(to, n * m),
                  .length = pw_strip_real(to, m),
                  .value = pw_strip_real(to, m),
                  .rate = pw_strip_real(to, m),
                  .zeta = pw_strip_real(to, m),
                  .terms = pw_strip_real(to, m),
                  .c_force = pw_strip_real(to, n),
                  .c_velocity = pw_strip_real(to, n),
                  .phi = by ? pw_strip_real(to, n * m) : NULL,
                  .phi_length = by ? pw_strip_real(to, m) : NULL,
                  .L = sys->pattern.sparse == NULL ? NULL : pw_strip_real(to, n * n)};
}

size_t pw_frame_doubles(const pw_system *sys) {
  pw_strip to = {0};
  (void)lay_out(sys, &to);
  return to.n_real;
}

static void row_numbers(const pw_mech *m, const pw_motion_view *x, int i, double *value,
                        double *rate, double *zeta) {
  const pw_system *s = m->sys;
  if (i >= s->nc) {
    const double *law = pw_mech_law(m, i);
    *value = law[PW_VIEW_VALUE];
    *rate = law[PW_VIEW_RATE];
    *zeta = law[PW_VIEW_ZETA];
    return;
  }
  *rate = m->w->tape.velocity.out[i];
  *value = i < s->np ? m->w->tape.position.out[i] : *rate;
  *zeta = x->zeta[i];
}

/* Size of the terms that add up to the value of each row. */
static void find_terms(pw_mech *m, double *terms) {
  const pw_system *s = m->sys;
  size_t size = sizeof *terms;
  if (s->nc > s->np) {
    memcpy(terms, pw_program_terms(m, &m->w->tape.velocity), (size_t)s->nc * size);
  }
  if (s->np > 0) {
    memcpy(terms, pw_program_terms(m, &m->w->tape.position), (size_t)s->np * size);
  }
  if (s->ni > 0) {
    memcpy(terms + s->nc, pw_program_terms(m, &m->w->tape.gap), (size_t)s->ni * size);
  }
}

/* A frame is dense: for a sparse system it has a separate factor. */
static const double *dense_factor(const pw_mech *m, const pw_motion_view *x, double *L) {
  const pw_system *s = m->sys;
  size_t n = (size_t)s->nv;
  if (s->pattern.sparse == NULL) {
    return m->w->L;
  }
  memset(L, 0, n * n * sizeof *L);
  for (int j = 0; j < s->nv; j++) {
    const pw_pattern *p = &s->pattern.sparse->mass;
    for (int e = p->start[j]; e < p->start[j + 1]; e++) {
      L[(size_t)j * n + (size_t)p->index[e]] = x->M[e];
    }
  }
  return pw_chol(L, s->nv) == 0 ? L : NULL;
}

static double unit_column(const double *L, int n, const double *J, double *col) {
  pw_copy(col, J, n);
  return pw_chol_unit(L, n, col);
}

/* The column of a row, of length 0 if the row is omitted. */
static double row_column(const pw_mech *m, const double *L, int row, const double *eq_J,
                         double *col) {
  int n = m->sys->nv;
  if (m->skip != NULL && row >= m->sys->nc && m->skip[row - m->sys->nc]) {
    pw_zero(col, n);
    return 0;
  }
  const double *J = pw_mech_row(m, eq_J, row);
  return m->sys->pattern.sparse == NULL ? pw_mech_unit_row(m, L, row, J, col)
                                        : unit_column(L, n, J, col);
}

pawl_status pw_mech_frame(pw_mech *m, double t, const double *q, const double *u,
                          const double *side, double *memory, pw_frame *out) {
  pawl_status status = pw_mech_rates_tentative(m, t, q, u, side);
  if (status != PAWL_OK && status != PAWL_E_CONTRADICTION) { /* rows held so far, after a jump */
    return status;
  }
  return pw_mech_frame_here(m, u, memory, out);
}

pawl_status pw_mech_frame_here(pw_mech *m, const double *u, double *memory, pw_frame *out) {
  const pw_system *s = m->sys;
  int n = s->nv, rows = s->nr;
  pw_program_run(m, &m->w->tape.position);
  pw_program_run(m, &m->w->tape.velocity);
  pw_program_run(m, &m->w->tape.contact);
  if (s->n_by > 0) {
    pw_mech_orient_servos(m);
  }

  /* rows: gradients in the metric, values, rates */
  pw_strip to = {.real = memory};
  const arrays x = lay_out(s, &to);
  const pw_motion_view motion = pw_view_motion(s, m->w->tape.motion.out);
  const double *L = dense_factor(m, &motion, x.L);
  if (L == NULL) {
    return pw_mech_fail(m, PAWL_E_INERTIA, 0, -1, NAN);
  }
  for (int i = 0; i < rows; i++) {
    x.length[i] = row_column(m, L, i, motion.J, x.A + (size_t)i * (size_t)n);
    row_numbers(m, &motion, i, &x.value[i], &x.rate[i], &x.zeta[i]);
  }
  find_terms(m, x.terms);
  for (int i = 0; i < rows && x.phi != NULL; i++) {
    const double *Phi = pw_mech_direction(m, motion.J, i);
    x.phi_length[i] = unit_column(L, n, Phi, x.phi + (size_t)i * (size_t)n);
  }

  /* forces and velocities in the metric */
  pw_copy(x.c_force, motion.h, n);
  pawl_status status = pw_mech_add_segments(m, x.c_force);
  if (status != PAWL_OK) {
    return status;
  }
  pw_chol_forward_in(L, n, pw_moved_extent(s), x.c_force);
  pw_chol_lift_in(L, n, pw_moved_extent(s), u, x.c_velocity);

  *out = (pw_frame){.sys = s,
                    .phi = x.phi,
                    .phi_length = x.phi_length,
                    .n = n,
                    .m = rows,
                    .A = x.A,
                    .length = x.length,
                    .value = x.value,
                    .zeta = x.zeta,
                    .rate = x.rate,
                    .terms = x.terms,
                    .c_force = x.c_force,
                    .c_velocity = x.c_velocity,
                    .L = L};
  /* a column that has an entry that is no number has no length */
  bool finite = pw_all_finite(x.length, (int)(x.c_velocity + n - x.length)) &&
                (x.phi == NULL || pw_all_finite(x.phi_length, rows));
  return finite ? PAWL_OK : pw_mech_fail(m, PAWL_E_NAN, -1, rows > 0 ? s->nc : -1, NAN);
}

void pw_frame_move(pw_frame *f, const double *c) {
  for (int i = 0; i < f->m; i++) {
    f->rate[i] += f->length[i] * (pw_frame_dot(f, i, c) - pw_frame_dot(f, i, f->c_velocity));
  }
  pw_copy(f->c_velocity, c, f->n);
}

double pw_frame_dot(const pw_frame *f, int row, const double *v) {
  const double *a = f->A + (size_t)row * (size_t)f->n;
  return f->sys == NULL ? pw_dot(a, v, f->n) : pw_moved_dot(f->sys, row, a, v);
}

double pw_frame_free(const pw_frame *f, int row) {
  return f->zeta[row] + f->length[row] * pw_frame_dot(f, row, f->c_force);
}

static const int *extent_of(const pw_frame *f) {
  return f->sys == NULL ? NULL : pw_moved_extent(f->sys);
}

void pw_frame_lift(const pw_frame *f, const double *v, double *out) {
  pw_chol_lift_in(f->L, f->n, extent_of(f), v, out);
}

void pw_frame_back(const pw_frame *f, double *x) {
  pw_chol_backward_in(f->L, f->n, extent_of(f), x);
}

double pw_mech_force_terms(pw_mech *m) {
  const double *terms = pw_program_terms(m, &m->w->tape.motion) + pw_view_places(m->sys).h;
  double sum = 0;
  for (int i = 0; i < m->sys->nv; i++) {
    sum += m->mass[i] > 0 ? terms[i] * terms[i] / m->mass[i] : 0;
  }
  return sqrt(sum);
}
