// SPDX-License-Identifier: MIT
/* Friction bounded by forces of equalities, engineering (E1): F = mu |lambda|, and lambda follows
 * from the accelerations, in which F acts where the slip slides. The accelerations are computed
 * again until the forces that went into the bounds come out of them. Where friction changes the
 * forces by less than itself there is one such state; else there may be none. */
#include <math.h>

#include "law/scale_mech.h"
#include "linalg/dense.h"
#include "mech/work.h"

enum { MAX_GUESSES = 60 };

static double force_of(const pw_mech *m, int k) {
  int row = m->sys->load.row[k];
  return pw_law_force(&m->sys->row[row], m->lambda[row]);
}

static void put(pw_mech *m, int k, double force) {
  m->w->in[m->sys->offset[PW_VAR_FORCE] + m->sys->row_of[m->sys->load.row[k]]] = force;
}

/* A law away from its kink whose force depends on the loads, or -1. */
static int sliding(const pw_mech *m) {
  for (int i = 0; i < m->sys->ni; i++) {
    if (m->sys->law[i].loaded && pw_mech_on_segment(m, i)) {
      return i;
    }
  }
  return -1;
}

bool pw_mech_slides_loaded(const pw_mech *m) {
  return sliding(m) >= 0;
}

void pw_mech_forget_loads(pw_mech *m) {
  pw_zero(m->w->loads.x, m->sys->load.n);
  for (int k = 0; k < m->sys->load.n; k++) {
    put(m, k, 0);
  }
}

void pw_mech_spoil_loads(pw_mech *m) {
  for (int k = 0; k < m->sys->load.n; k++) {
    put(m, k, NAN);
  }
}

/* The largest of these forces, or the force that would hold the whole load: a scale for forces near
 * zero, which are small differences. */
double pw_mech_load_size(const pw_mech *m) {
  const struct pw_mech_work *w = m->w;
  double size = 0;
  for (int k = 0; k < m->sys->load.n; k++) {
    size = fmax(size, fabs(force_of(m, k)));
    for (int i = 0; i < w->n_act; i++) {
      bool own = w->act[i] == m->sys->load.row[k] && w->length[i] > 0;
      size = own ? fmax(size, m->pull / w->length[i]) : size;
    }
  }
  return size;
}

bool pw_mech_guess_loads(pw_mech *m, int pass, bool lenient, pawl_status *status) {
  pw_broyden *b = &m->w->loads;
  double size = pw_mech_load_size(m);
  int law = sliding(m);
  for (int k = 0; k < b->n; k++) {
    b->F[k] = force_of(m, k) - b->x[k];
  }
  double far = pw_broyden_worst(b->F, b->n), before = pw_broyden_worst(b->old_F, b->n);
  bool rounding = pass > 1 && far <= PW_SCALE(LOAD_HOPELESS) * size && far >= before;
  if (law < 0 || pass > MAX_GUESSES || far <= PW_SCALE(LOAD_SETTLED) * size || rounding) {
    for (int k = 0; k < b->n; k++) {
      put(m, k, force_of(m, k));
    }
    return false;
  }
  if (lenient && pass == MAX_GUESSES) { /* once more, without the frictions */
    pw_mech_forget_loads(m);
    return true;
  }
  if (pass == MAX_GUESSES || !isfinite(far)) {
    *status = pw_mech_fail(m, PAWL_E_NO_MOTION, -1, m->sys->nc + law, far / size);
    return false;
  }
  if (pass == 0) {
    pw_broyden_begin(b);
  } else {
    pw_broyden_improve(b);
  }
  pw_broyden_step(b, (double)INFINITY);
  for (int k = 0; k < b->n; k++) {
    put(m, k, b->x[k]);
  }
  return true;
}

double pw_mech_approach_loads(pw_mech *m, const double *lambda, double scale, double part) {
  double far = 0, size = 0;
  for (int k = 0; k < m->sys->load.n; k++) {
    int row = m->sys->load.row[k];
    double force = pw_law_force(&m->sys->row[row], scale * lambda[row]);
    double old = m->w->in[m->sys->offset[PW_VAR_FORCE] + m->sys->row_of[row]];
    far = fmax(far, fabs(force - old));
    size = fmax(size, fabs(force));
    put(m, k, part < 1 ? old + part * (force - old) : force);
  }
  return far > PW_SCALE(LOAD_SETTLED) * size ? far : 0;
}

void pw_mech_swap_loads(pw_mech *m, double *x) {
  for (int k = 0; k < m->sys->load.n; k++) {
    int row = m->sys->load.row[k];
    double old = m->w->in[m->sys->offset[PW_VAR_FORCE] + m->sys->row_of[row]];
    put(m, k, x[k]);
    x[k] = old;
  }
}

bool pw_mech_take_loads(pw_mech *m, const double *lambda, double scale) {
  return pw_mech_approach_loads(m, lambda, scale, 1) > 0;
}

pawl_status pw_mech_check_loads(pw_mech *m) {
  const pw_system *s = m->sys;
  if (s->load.n == 0 || m->rank == m->w->n_act) {
    return PAWL_OK;
  }
  pw_mech_find_dependent(m);
  for (int k = 0; k < s->load.n; k++) {
    if (m->dependent[s->load.row[k]]) {
      return pw_mech_fail(m, PAWL_E_NO_MOTION, -1, s->load.row[k], NAN);
    }
  }
  return PAWL_OK;
}
