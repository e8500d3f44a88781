// SPDX-License-Identifier: MIT
/* Accelerations where nothing is imposed: M a = h, with the forces of laws beside their kinks, and
 * M = L L^T in code of a fixed size. Operations and their order are those of accel.c and
 * linalg/chol.c, so that both ways give the same numbers. */
#include <math.h>
#include <string.h>

#include "linalg/chol.h"
#include "linalg/dense.h"
#include "mech/work.h"

enum { MOST = PW_BARE_MOST };

/* The compiler sees n as a number and writes all loops out. */
#define FIXED static inline __attribute__((always_inline))

/* L by columns from the lower triangle of M by columns. False: not positive. */
FIXED bool factor(int n, const double *restrict M, double *restrict L) {
  for (int j = 0; j < n; j++) {
    double *col = L + j * n, diagonal = M[0];
    for (int i = j; i < n; i++) {
      col[i] = *M++;
      for (int k = 0; k < j; k++) {
        col[i] -= L[k * n + j] * L[k * n + i];
      }
    }
    if (!pw_chol_pivot_ok(col[j], diagonal)) {
      return false;
    }
    col[j] = sqrt(col[j]);
    for (int i = j + 1; i < n; i++) {
      col[i] /= col[j];
    }
  }
  return true;
}

/* c = L^-1 h, a = L^-T c. */
FIXED void solve(int n, const double *restrict L, const double *restrict h, double *restrict c,
                 double *restrict a) {
  for (int i = 0; i < n; i++) {
    c[i] = h[i];
    for (int k = 0; k < i; k++) {
      c[i] -= c[k] * L[k * n + i];
    }
    c[i] /= L[i * n + i];
  }
  for (int j = n - 1; j >= 0; j--) {
    double sum = 0;
    for (int i = j + 1; i < n; i++) {
      sum += L[j * n + i] * a[i];
    }
    a[j] = (c[j] - sum) / L[j * n + j];
  }
}

FIXED bool factor_and_solve(int n, const pw_motion_view *x, pw_bare *b, double *a) {
  b->valid = b->valid || factor(n, x->M, b->L);
  if (b->valid) {
    solve(n, b->L, x->h, b->c, a);
  }
  return b->valid;
}

static bool accelerations(const pw_system *s, pw_bare *b, const pw_motion_view *x, double *a) {
  b->valid = b->valid && s->trait.constant_mass;
  switch (s->nv) {
  case 1: return factor_and_solve(1, x, b, a);
  case 2: return factor_and_solve(2, x, b, a);
  case 3: return factor_and_solve(3, x, b, a);
  case 4: return factor_and_solve(4, x, b, a);
  case 5: return factor_and_solve(5, x, b, a);
  default: return factor_and_solve(MOST, x, b, a);
  }
}

bool pw_bare_fits(const pw_mech *m) {
  const pw_system *s = m->sys;
  const struct pw_mech_work *w = m->w;
  return w->n_act == 0 && !w->has_planes && s->load.n == 0 && s->n_state == 0 &&
         s->pattern.sparse == NULL && s->nv > 0 && s->nv <= MOST;
}

/* x - x is zero for a number alone. */
static bool are_numbers(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    sum += x[i] - x[i];
  }
  return sum == 0;
}

static pw_motion_view run_motion(pw_mech *m) {
  const pw_program *p = &m->w->tape.motion;
  m->evaluations++;
  (p->steady ? pw_tape_update : pw_tape_run)(p->tape, m->w->in, p->reg, p->out);
  return pw_view_motion(m->sys, p->out);
}

/* h with the forces of laws beside their kinks, whose powers are added to the works. */
static bool add_laws(pw_mech *m, const double *u, double *h, double *works) {
  pw_motion_view x = pw_view_motion(m->sys, m->w->tape.motion.out);
  pw_program_run(m, &m->w->tape.contact);
  pw_copy(h, x.h, m->sys->nv);
  pw_zero(m->lambda, m->sys->nr);
  bool fine = pw_mech_add_segments(m, h) == PAWL_OK;
  if (fine) {
    pw_mech_row_powers(m, &x, u, works);
  }
  return fine;
}

bool pw_mech_slopes(pw_mech *m, double t, const double *q, const double *u, const double *side,
                    double *dy) {
  const pw_system *s = m->sys;
  if (!m->w->bare.on) {
    return false;
  }
  pw_mech_input(m, t, q, u, side);
  pw_motion_view x = run_motion(m);
  double *works = dy + s->nq + s->nv, h[MOST];
  for (int i = 0; i < s->nz; i++) {
    works[i] = x.z_rate[i];
  }
  if (m->w->has_segments) {
    x.h = h;
    if (!add_laws(m, u, h, works)) {
      return false;
    }
  }
  if (!accelerations(s, &m->w->bare, &x, dy + s->nq)) {
    return false;
  }
  for (int i = 0; i < s->nq; i++) {
    dy[i] = x.q_rate[i];
  }
  return are_numbers(dy, s->nq + s->nv + s->nz);
}

bool pw_bare_rates(pw_mech *m) {
  const pw_system *s = m->sys;
  pw_motion_view x = run_motion(m);
  if (!accelerations(s, &m->w->bare, &x, m->a) || !are_numbers(m->a, s->nv)) {
    return false;
  }
  memcpy(m->w->L, m->w->bare.L, (size_t)(s->nv * s->nv) * sizeof *m->w->L);
  for (int j = 0, e = 0; j < s->nv; e += s->nv - j, j++) {
    m->mass[j] = x.M[e];
  }
  m->pull = pw_norm2(m->w->bare.c, s->nv);
  m->margin = 1;
  m->reaction = 0;
  pw_copy(m->load, x.h, s->nv);
  pw_zero(m->lambda, s->nr);
  pw_copy(m->q_rate, x.q_rate, s->nq);
  pw_copy(m->z_rate, x.z_rate, s->nz);
  return true;
}
