// SPDX-License-Identifier: MIT
#include "mech/frame.h"

#include <string.h>

#include "base/real.h"
#include "linalg/chol.h"
#include "linalg/dense.h"
#include "mech/work.h"

size_t pw_frame_doubles(const pw_system *sys) {
  size_t n = (size_t)sys->nv, m = (size_t)sys->nr;
  return n * m + 5 * m + 2 * n + 1 + (sys->n_by > 0 ? n * m + m : 0);
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
  *rate = m->w->velocity.out[i];
  *value = i < s->np ? m->w->position.out[i] : *rate;
  *zeta = x->zeta[i];
}

/* What the value of each row is a sum of. */
static void find_terms(pw_mech *m, double *terms) {
  const pw_system *s = m->sys;
  size_t size = sizeof *terms;
  if (s->nc > s->np) {
    memcpy(terms, pw_program_terms(m, &m->w->velocity), (size_t)s->nc * size);
  }
  if (s->np > 0) {
    memcpy(terms, pw_program_terms(m, &m->w->position), (size_t)s->np * size);
  }
  if (s->ni > 0) {
    memcpy(terms + s->nc, pw_program_terms(m, &m->w->gap), (size_t)s->ni * size);
  }
}

static void unit_column(const pw_mech *m, const double *J, double *col, double *length) {
  int n = m->sys->nv;
  pw_copy(col, J, n);
  pw_chol_forward(m->w->L, n, col);
  *length = pw_norm2(col, n);
  for (int k = 0; *length != 0 && k < n; k++) {
    col[k] /= *length;
  }
}

pawl_status pw_mech_frame(pw_mech *m, double t, const double *q, const double *u,
                          const double *side, double *memory, pw_frame *out) {
  const pw_system *s = m->sys;
  int n = s->nv, rows = s->nr;
  pawl_status status = pw_mech_rates(m, t, q, u, side);
  if (status != PAWL_OK && status != PAWL_E_CONTRADICTION) { /* rows held so far, after a jump */
    return status;
  }
  pw_program_run(m, &m->w->position);
  pw_program_run(m, &m->w->velocity);
  pw_program_run(m, &m->w->contact);
  if (s->n_by > 0) {
    pw_mech_orient_servos(m);
  }
  double *A = memory, *length = A + (size_t)n * (size_t)rows;
  double *value = length + rows, *rate = value + rows, *zeta = rate + rows;
  double *terms = zeta + rows, *c_force = terms + rows, *c_velocity = c_force + n;
  const pw_motion_view x = pw_view_motion(s, m->w->motion.out);
  for (int i = 0; i < rows; i++) {
    const double *J = pw_mech_row(m, x.J, i);
    unit_column(m, J, A + (size_t)i * (size_t)n, &length[i]);
    row_numbers(m, &x, i, &value[i], &rate[i], &zeta[i]);
  }
  find_terms(m, terms);
  pw_copy(c_force, x.h, n);
  status = pw_mech_add_segments(m, c_force);
  if (status != PAWL_OK) {
    return status;
  }
  pw_chol_forward(m->w->L, n, c_force);
  for (int i = 0; i < n; i++) {
    c_velocity[i] = pw_dot(m->w->L + (size_t)i * (size_t)n + i, u + i, n - i);
  }
  double *phi = s->n_by > 0 ? c_velocity + n : NULL;
  double *phi_length = s->n_by > 0 ? phi + (size_t)n * (size_t)rows : NULL;
  for (int i = 0; i < rows && phi != NULL; i++) {
    unit_column(m, pw_mech_direction(m, x.J, i), phi + (size_t)i * (size_t)n, &phi_length[i]);
  }
  *out = (pw_frame){.phi = phi,
                    .phi_length = phi_length,
                    .n = n,
                    .m = rows,
                    .A = A,
                    .length = length,
                    .value = value,
                    .zeta = zeta,
                    .rate = rate,
                    .terms = terms,
                    .c_force = c_force,
                    .c_velocity = c_velocity,
                    .L = m->w->L};
  bool finite = pw_all_finite(memory, (int)(pw_frame_doubles(s) - 1));
  return finite ? PAWL_OK : pw_mech_fail(m, PAWL_E_NAN, -1, rows > 0 ? s->nc : -1, NAN);
}

void pw_frame_move(pw_frame *f, const double *c) {
  for (int i = 0; i < f->m; i++) {
    const double *a = f->A + (size_t)i * (size_t)f->n;
    f->rate[i] += f->length[i] * (pw_dot(a, c, f->n) - pw_dot(a, f->c_velocity, f->n));
  }
  pw_copy(f->c_velocity, c, f->n);
}

double pw_frame_free(const pw_frame *f, int row) {
  const double *a = f->A + (size_t)row * (size_t)f->n;
  return f->zeta[row] + f->length[row] * pw_dot(a, f->c_force, f->n);
}

void pw_frame_back(const pw_frame *f, double *x) {
  pw_chol_backward(f->L, f->n, x);
}
