// SPDX-License-Identifier: MIT
#include "sim/impact.h"

#include <math.h>
#include <string.h>

#include "linalg/dense.h"

size_t pw_impact_doubles(const pw_system *sys) {
  return pw_local_doubles(sys) + 4 * (size_t)sys->nr + (size_t)sys->nv + 8;
}

size_t pw_impact_ints(const pw_system *sys) {
  return pw_local_ints(sys);
}

size_t pw_impact_bytes(const pw_system *sys) {
  return (size_t)sys->ni * (sizeof(pw_impact_law) + 1) + 16;
}

void pw_impact_init(pw_impact *p, const pw_system *sys, double *real, int *whole, void *bytes) {
  *p = (pw_impact){.sys = sys, .law = bytes};
  p->rough_off = (unsigned char *)(p->law + sys->ni);
  pw_local_init(&p->local, sys, real, whole);
  real += pw_local_doubles(sys);
  p->impulse = real;
  p->rate = p->impulse + sys->nr;
  p->part = p->rate + sys->nr;
  p->before = p->part + sys->nr;
  p->velocity = p->before + sys->nr;
}

static pw_impact_law *law_of(const pw_impact *p, int row) {
  return &p->law[row - p->sys->nc];
}

static bool closes(const pw_impact *p, const pw_frame *f, int row, const double *rate) {
  return f->length[row] > 0 && rate[row] / f->length[row] < -p->speed;
}

bool pw_impact_needed(const pw_impact *p, const pw_frame *f, const double *rate) {
  for (int i = p->sys->nc; i < p->sys->nr; i++) {
    if (law_of(p, i)->touches && closes(p, f, i, rate)) {
      return true;
    }
  }
  return false;
}

/* ---- one problem ---- */

typedef enum phase { NEWTON, COMPRESSION, EXPANSION, PROJECTION } phase;

static void take_equalities(pw_impact *p, const double *rate) {
  for (int i = 0; i < p->sys->nc; i++) {
    pw_local_take(&p->local, i, rate[i], -INFINITY, INFINITY);
  }
}

/* Newton: rate+ + e rate- >= 0, complementary to the impulse. Expansion gives at least e times the
 * impulse of the compression. */
static void take_contact(pw_impact *p, int row, const double *rate, phase ph) {
  const pw_impact_law *law = law_of(p, row);
  double shift = ph == NEWTON ? law->e * p->before[row] : 0;
  double least = ph == EXPANSION ? law->e * p->impulse[row] * p->local.frame->length[row] : 0;
  pw_local_take(&p->local, row, rate[row] + shift, least, INFINITY);
}

/* The slip of a rough contact: slip+ = -e slip-. */
static void take_rough(pw_impact *p, int row, const double *rate, phase ph) {
  const pw_impact_law *law = law_of(p, row);
  bool joins = law->is_rough && !p->rough_off[row - p->sys->nc] &&
               p->law[law->on].touches;
  if (joins) {
    double shift = ph == NEWTON || ph == EXPANSION ? law->e * p->before[row] : 0;
    pw_local_take(&p->local, row, rate[row] + shift, -INFINITY, INFINITY);
  }
}

/* Adds the solution to impulses, rates and velocity. */
static void add_solution(pw_impact *p, const pw_frame *f) {
  pw_local_forces(&p->local, p->part);
  for (int k = 0; k < f->n; k++) {
    p->local.moved[k] -= p->local.c[k];
  }
  for (int i = 0; i < f->m; i++) {
    p->impulse[i] += p->part[i];
    p->rate[i] +=
        f->length[i] * pw_dot(f->A + (size_t)i * (size_t)f->n, p->local.moved, f->n);
  }
  pw_axpy(1, p->local.moved, p->velocity, f->n);
}

/* A rough contact without normal impulse cannot hold its slip: it is taken out. */
static bool drop_idle_rough(pw_impact *p) {
  bool dropped = false;
  for (int k = 0; k < p->local.k; k++) {
    int row = p->local.row[k];
    const pw_impact_law *law = row < p->sys->nc ? NULL : law_of(p, row);
    if (law != NULL && law->is_rough && p->local.x[k] != 0) {
      bool pressed = false;
      for (int j = 0; j < p->local.k; j++) {
        pressed = pressed || (p->local.row[j] == p->sys->nc + law->on && p->local.x[j] > 0);
      }
      if (!pressed) {
        p->rough_off[row - p->sys->nc] = 1;
        dropped = true;
      }
    }
  }
  return dropped;
}

/* only >= 0: that contact alone. */
static pw_outcome solve_phase(pw_impact *p, const pw_frame *f, phase ph, int only) {
  memset(p->rough_off, 0, (size_t)p->sys->ni);
  for (;;) {
    pw_local_begin(&p->local, f, p->velocity);
    take_equalities(p, p->rate);
    for (int i = p->sys->nc; i < p->sys->nr; i++) {
      const pw_impact_law *law = law_of(p, i);
      bool wanted = only < 0 || i == only || (law->is_rough && p->sys->nc + law->on == only);
      if (wanted && law->touches) {
        take_contact(p, i, p->rate, ph);
      } else if (wanted && law->is_rough) {
        take_rough(p, i, p->rate, ph);
      } else if (ph == PROJECTION && law->one_sided) {
        pw_local_take(&p->local, i, p->rate[i], 0, INFINITY);
      }
    }
    pw_outcome o = pw_local_solve(&p->local);
    if (o != PW_SOLVED) {
      return o;
    }
    if (!drop_idle_rough(p)) {
      add_solution(p, f);
      return PW_SOLVED;
    }
  }
}

/* ---- laws ---- */

static pw_outcome poisson(pw_impact *p, const pw_frame *f) {
  pw_outcome o = solve_phase(p, f, COMPRESSION, -1);
  return o == PW_SOLVED ? solve_phase(p, f, EXPANSION, -1) : o;
}

/* Most negative rate first; every hit is an impact of one contact with the equalities. */
static pw_outcome sequential(pw_impact *p, const pw_frame *f) {
  int touching = 0;
  for (int i = 0; i < p->sys->ni; i++) {
    touching += p->law[i].touches;
  }
  int most = 10 * touching * touching + 100;
  for (p->hits = 0; p->hits < most; p->hits++) {
    int worst = -1;
    double fastest = -p->speed;
    for (int i = p->sys->nc; i < p->sys->nr; i++) {
      double speed = f->length[i] > 0 ? p->rate[i] / f->length[i] : 0;
      if (law_of(p, i)->touches && speed < fastest) {
        fastest = speed;
        worst = i;
      }
    }
    if (worst < 0) {
      return PW_SOLVED;
    }
    memcpy(p->before, p->rate, (size_t)f->m * sizeof *p->before);
    pw_outcome o = solve_phase(p, f, law_of(p, worst)->poisson ? COMPRESSION : NEWTON, worst);
    if (o != PW_SOLVED) {
      return o;
    }
  }
  memcpy(p->before, p->rate, (size_t)f->m * sizeof *p->before);
  return solve_phase(p, f, NEWTON, -1);
}

static bool one_sided_violated(const pw_impact *p, const pw_frame *f) {
  for (int i = p->sys->nc; i < p->sys->nr; i++) {
    if (law_of(p, i)->one_sided && closes(p, f, i, p->rate)) {
      return true;
    }
  }
  return false;
}

/* One-sided velocity rows take no part in the impact of contacts, because together they can gain
 * energy; the result is then projected on all admissible velocities, which never gains any
 * (numerics C.2). */
pw_outcome pw_impact_solve(pw_impact *p, const pw_frame *f) {
  bool any_poisson = false;
  for (int i = 0; i < p->sys->ni; i++) {
    any_poisson = any_poisson || (p->law[i].touches && p->law[i].poisson);
  }
  memset(p->impulse, 0, (size_t)f->m * sizeof *p->impulse);
  memcpy(p->rate, f->rate, (size_t)f->m * sizeof *p->rate);
  memcpy(p->before, f->rate, (size_t)f->m * sizeof *p->before);
  memcpy(p->velocity, f->c_velocity, (size_t)f->n * sizeof *p->velocity);
  pw_outcome o = p->sequential ? sequential(p, f)
                 : any_poisson ? poisson(p, f)
                               : solve_phase(p, f, NEWTON, -1);
  if (o == PW_SOLVED && one_sided_violated(p, f)) {
    o = solve_phase(p, f, PROJECTION, -1);
  }
  return o;
}
