// SPDX-License-Identifier: MIT
/* Accelerations where nothing is imposed: M a = h, with the forces of laws away from their kinks,
 * and M = L D L^T (Golub and Van Loan, Matrix Computations, 4.1.2) in code of a fixed size. */
#include <math.h>
#include <string.h>

#include "linalg/chol.h"
#include "linalg/dense.h"
#include "mech/work.h"

enum { MOST = PW_BARE_MOST };

/* The compiler sees n as a number and writes all loops out. */
#define FIXED static inline __attribute__((always_inline))

/* M = L D L^T, L with a unit diagonal, from the lower triangle of M by columns: one division for
 * each column, no root. V = L D is stored as well. False: not positive. */
FIXED bool factor(int n, const double *restrict M, pw_bare_factor *restrict b) {
  double V[MOST * MOST];
  for (int j = 0; j < n; j++) {
    double *col = V + j * n, diagonal = M[0];
    for (int i = j; i < n; i++) {
      col[i] = *M++;
      for (int k = 0; k < j; k++) {
        col[i] -= b->L[k * n + j] * V[k * n + i];
      }
    }
    if (!pw_chol_pivot_ok(col[j], diagonal)) {
      return false;
    }
    b->D[j] = col[j];
    b->inverse[j] = 1 / col[j];
    for (int i = j + 1; i < n; i++) {
      b->L[j * n + i] = col[i] * b->inverse[j];
    }
  }
  return true;
}

/* c = L^-1 h, a = L^-T D^-1 c. */
FIXED void solve(int n, pw_bare_factor *restrict b, const double *restrict h, double *restrict a) {
  double c[MOST];
  for (int i = 0; i < n; i++) {
    c[i] = h[i];
    for (int k = 0; k < i; k++) {
      c[i] -= c[k] * b->L[k * n + i];
    }
    b->c[i] = c[i];
  }
  for (int j = n - 1; j >= 0; j--) {
    double sum = c[j] * b->inverse[j];
    for (int i = j + 1; i < n; i++) {
      sum -= b->L[j * n + i] * a[i];
    }
    a[j] = sum;
  }
}

FIXED bool factor_and_solve(int n, const double *M, const double *h, pw_bare_factor *b, double *a) {
  b->valid = b->valid || factor(n, M, b);
  if (b->valid) {
    solve(n, b, h, a);
  }
  return b->valid;
}

/* The factor L D^(1/2) of Cholesky, by columns, and the length of D^(-1/2) c. */
static double write_factor(const pw_bare_factor *b, int n, double *L) {
  double square = 0;
  for (int j = 0; j < n; j++) {
    double root = sqrt(b->D[j]);
    L[j * n + j] = root;
    for (int i = j + 1; i < n; i++) {
      L[j * n + i] = b->L[j * n + i] * root;
    }
    square += b->c[j] * b->c[j] * b->inverse[j];
  }
  return sqrt(square);
}

/* M a = h. */
static bool accelerations(const pw_system *s, pw_bare_factor *b, const double *M, const double *h,
                          double *a) {
  b->valid = b->valid && s->trait.constant_mass;
  switch (s->nv) {
  case 1: return factor_and_solve(1, M, h, b, a);
  case 2: return factor_and_solve(2, M, h, b, a);
  case 3: return factor_and_solve(3, M, h, b, a);
  case 4: return factor_and_solve(4, M, h, b, a);
  case 5: return factor_and_solve(5, M, h, b, a);
  default: return factor_and_solve(MOST, M, h, b, a);
  }
}

bool pw_bare_may_fit(const pw_mech *m) {
  const pw_system *s = m->sys;
  return !m->w->has_planes && s->load.n == 0 && s->n_state == 0 && s->pattern.sparse == NULL &&
         s->nv > 0 && s->nv <= MOST;
}

bool pw_bare_fits(const pw_mech *m) {
  return m->w->n_act == 0 && pw_bare_may_fit(m);
}

/* x - x is zero for a number alone; two sums, which do not wait for each other. */
static bool are_numbers(const double *x, int n) {
  double even = 0, odd = 0;
  int i = 0;
  for (; i + 2 <= n; i += 2) {
    even += x[i] - x[i];
    odd += x[i + 1] - x[i + 1];
  }
  if (i < n) {
    even += x[i] - x[i];
  }
  return even + odd == 0;
}

static inline const pw_motion_view *run_motion(pw_mech *m) {
  const pw_program *p = &m->w->tape.motion;
  m->evaluations++;
  (p->steady ? pw_tape_update : pw_tape_run)(p->tape, m->w->in, p->reg, p->out);
  return &m->w->bare.view;
}

/* h with the forces of laws away from their kinks, whose powers are added to the works. */
static bool add_laws(pw_mech *m, const double *u, double *h, double *works) {
  const pw_motion_view *x = &m->w->bare.view;
  pw_program_run(m, &m->w->tape.contact);
  pw_copy(h, x->h, m->sys->nv);
  pw_zero(m->lambda, m->sys->nr);
  bool fine = pw_mech_add_segments(m, h) == PAWL_OK;
  if (fine) {
    pw_mech_row_powers(m, x, u, works);
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
  const pw_motion_view *x = run_motion(m);
  double *works = dy + s->nq + s->nv, with_laws[MOST];
  const double *h = x->h;
  pw_copy(works, x->z_rate, s->nz);
  if (m->w->has_segments) {
    h = with_laws;
    if (!add_laws(m, u, with_laws, works)) {
      return false;
    }
  }
  if (!accelerations(s, &m->w->bare, x->M, h, dy + s->nq)) {
    return false;
  }
  pw_copy(dy, x->q_rate, s->nq);
  return are_numbers(dy, s->nq + s->nv + s->nz);
}

/* Length of h in the metric, h (n) first through L^-1. */
static double length_of(const pw_bare_factor *b, int n, double *h) {
  double square = 0;
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < i; k++) {
      h[i] -= h[k] * b->L[k * n + i];
    }
    square += h[i] * h[i] * b->inverse[i];
  }
  return sqrt(square);
}

bool pw_bare_rates(pw_mech *m, const double *u) {
  const pw_system *s = m->sys;
  const pw_motion_view *x = run_motion(m);
  double h[MOST];
  pw_copy(m->load, x->h, s->nv);
  pw_copy(m->z_rate, x->z_rate, s->nz);
  pw_zero(m->lambda, s->nr);
  if (m->w->has_segments && !add_laws(m, u, h, m->z_rate)) {
    return false;
  }
  if (!accelerations(s, &m->w->bare, x->M, m->w->has_segments ? h : x->h, m->a) ||
      !are_numbers(m->a, s->nv)) {
    return false;
  }

  /* the other results of accel.c */
  for (int j = 0, e = 0; j < s->nv; e += s->nv - j, j++) {
    m->mass[j] = x->M[e];
  }
  m->pull = write_factor(&m->w->bare, s->nv, m->w->L);
  if (m->w->has_segments) {
    pw_copy(h, m->load, s->nv);
    m->pull = fmax(m->pull, length_of(&m->w->bare, s->nv, h));
  }
  m->margin = 1;
  m->reaction = 0;
  pw_copy(m->q_rate, x->q_rate, s->nq);
  return true;
}
