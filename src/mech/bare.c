// SPDX-License-Identifier: MIT
/* Accelerations where nothing is imposed: M a = h, with the forces of laws beside their kinks, and
 * M = U D U^T, U a lower triangle with unit diagonal, in code of a fixed size. One division per
 * column and no root stand in the way from M to a; the factor L = U D^(1/2) of accel.c is made
 * where somebody may ask for the metric. */
#include <math.h>

#include "linalg/chol.h"
#include "linalg/dense.h"
#include "mech/work.h"

enum { MOST = PW_BARE_MOST };

/* The compiler sees n as a number and writes all loops out. */
#define FIXED static inline __attribute__((always_inline))

/* From the lower triangle of M by columns. Column j of U D is that of M minus the earlier columns
 * of U D times U_jk. False: not positive. */
FIXED bool factor(int n, const double *restrict M, pw_bare *restrict b) {
  double W[MOST * MOST]; /* U D */
  for (int j = 0; j < n; j++) {
    double *col = W + j * n, diagonal = M[0];
    for (int i = j; i < n; i++) {
      col[i] = *M++;
      for (int k = 0; k < j; k++) {
        col[i] -= W[k * n + i] * b->U[k * n + j];
      }
    }
    if (!pw_chol_pivot_ok(col[j], diagonal)) {
      return false;
    }
    b->D[j] = col[j];
    b->U[j * n + j] = 1 / col[j];
    for (int i = j + 1; i < n; i++) {
      b->U[j * n + i] = col[i] * b->U[j * n + j];
    }
  }
  return true;
}

FIXED void solve(int n, pw_bare *restrict b, const double *restrict h, double *restrict a) {
  for (int i = 0; i < n; i++) {
    b->c[i] = h[i];
    for (int k = 0; k < i; k++) {
      b->c[i] -= b->U[k * n + i] * b->c[k];
    }
  }
  for (int j = n - 1; j >= 0; j--) {
    a[j] = b->c[j] * b->U[j * n + j];
    for (int i = n - 1; i > j; i--) {
      a[j] -= b->U[j * n + i] * a[i];
    }
  }
}

FIXED bool factor_and_solve(int n, const pw_motion_view *x, pw_bare *b, double *a) {
  b->valid = b->valid || factor(n, x->M, b);
  if (b->valid) {
    solve(n, b, x->h, a);
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

/* L, c = L^-1 h, and the masses on the diagonal of M. */
static void write_metric(const pw_bare *b, int n, const double *M, double *L, double *c,
                         double *mass) {
  for (int j = 0, e = 0; j < n; e += n - j, j++) {
    double root = sqrt(b->D[j]);
    L[j * n + j] = root;
    for (int i = j + 1; i < n; i++) {
      L[j * n + i] = b->U[j * n + i] * root;
    }
    mass[j] = M[e];
    c[j] = b->c[j] / root;
  }
}

bool pw_bare_rates(pw_mech *m) {
  const pw_system *s = m->sys;
  pw_motion_view x = run_motion(m);
  if (!accelerations(s, &m->w->bare, &x, m->a) || !are_numbers(m->a, s->nv)) {
    return false;
  }
  write_metric(&m->w->bare, s->nv, x.M, m->w->L, m->w->c, m->mass);
  m->pull = pw_norm2(m->w->c, s->nv);
  m->margin = 1;
  m->reaction = 0;
  pw_copy(m->load, x.h, s->nv);
  pw_zero(m->lambda, s->nr);
  pw_copy(m->q_rate, x.q_rate, s->nq);
  pw_copy(m->z_rate, x.z_rate, s->nz);
  return true;
}
