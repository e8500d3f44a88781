// SPDX-License-Identifier: MIT
/* Restitution where T is not quadratic in the velocities, potentials (P8). The velocities of a
 * plastic impact follow from the momenta before it, by Newton's method with
 *   M (u+ - u) - J^T Lambda = p- - p(u),     J u+ + g_t = 0
 * for the contacts that have an impulse; the part e^2 of the energy that it takes comes back. */
#include <math.h>
#include <string.h>

#include "law/scale_verify.h"
#include "linalg/chol.h"
#include "linalg/dense.h"
#include "verify/jump.h"

enum { MOST_STEPS = 100 };

typedef struct plastic {
  pw_jump *x;
  const pw_row_view *at; /* state after the jump; its positions count */
  double *p;             /* nv: momenta before */
  double *u, *last, *y;  /* nv: velocities; scratch */
  double *S, *impulse;   /* k x k; k */
  int *row, k;           /* rows with an impulse */
} plastic;

static bool look(plastic *s) {
  pawl_certifier *c = s->x->c;
  double ahead = PW_SCALE(CERT_AHEAD) * c->scale.span;
  return pw_probe_beside(&c->probe, s->at->t, s->at->q, s->u, ahead);
}

/* One step; its length in the metric, NAN: the rows depend on each other. */
static double step(plastic *s) {
  pw_probe *p = &s->x->c->probe;
  int n = s->x->c->sys->nv, k = s->k;
  const double *now = pw_probe_momenta(p);
  for (int i = 0; i < n; i++) {
    s->y[i] = s->p[i] - now[i];
  }
  pw_probe_forward(p, s->y);
  for (int j = 0; j < k; j++) {
    const double *a = p->A + (size_t)s->row[j] * (size_t)n;
    s->impulse[j] = -p->rate[s->row[j]] - pw_dot(a, s->y, n);
    for (int i = j; i < k; i++) {
      s->S[(size_t)j * (size_t)k + (size_t)i] = pw_dot(a, p->A + (size_t)s->row[i] * (size_t)n, n);
    }
  }
  if (pw_chol(s->S, k) != 0) {
    return NAN;
  }
  pw_chol_forward(s->S, k, s->impulse);
  pw_chol_backward(s->S, k, s->impulse);
  for (int j = 0; j < k; j++) {
    pw_axpy(s->impulse[j], p->A + (size_t)s->row[j] * (size_t)n, s->y, n);
  }
  double size = pw_norm2(s->y, n);
  pw_probe_backward(p, s->y);
  memcpy(s->last, s->u, (size_t)n * sizeof *s->u);
  pw_axpy(1, s->y, s->u, n);
  return size;
}

/* H of the probe, and what moving walls took by the impulses. */
static double energy_of(plastic *s) {
  pw_probe *p = &s->x->c->probe;
  int n = s->x->c->sys->nv;
  const double *e = pw_probe_energies(p);
  double sum = e[0] + e[1] - e[2];
  for (int j = 0; j < s->k; j++) {
    double own = pw_dot(p->A + (size_t)s->row[j] * (size_t)n, p->speed, n);
    sum += s->impulse[j] * (p->rate[s->row[j]] - own);
  }
  return sum;
}

/* NAN: not found. */
static double plastic_energy(plastic *s) {
  int n = s->x->c->sys->nv;
  double enough = PW_SCALE(CERT_SUM) * s->x->speed;
  memcpy(s->u, s->at->u, (size_t)n * sizeof *s->u);
  memcpy(s->last, s->u, (size_t)n * sizeof *s->u);
  for (int i = 0; i < MOST_STEPS; i++) {
    if (!look(s)) { /* half of the way back */
      for (int j = 0; j < n; j++) {
        s->u[j] = (s->u[j] + s->last[j]) / 2;
      }
      continue;
    }
    double size = step(s);
    if (!(size > enough)) {
      return isnan(size) || !look(s) ? NAN : energy_of(s);
    }
  }
  return NAN;
}

/* Rows with an impulse; false: friction or Poisson's law has a part in it. *share: e^2, in the mean
 * over what the contacts take. */
static bool take_rows(plastic *s, double *share) {
  const pw_jump *x = s->x;
  const pw_system *sys = x->c->sys;
  double whole = 0, back = 0;
  for (int i = 0; i < sys->nr; i++) {
    bool contact = i >= sys->nc && pw_jump_touches(x, i);
    if (x->impulse[i] == 0) {
      continue;
    }
    if (i >= sys->nc &&
        (!contact || !pw_impact_is_by_rates(sys->row[i].impact) || !(x->impulse[i] > 0))) {
      return false;
    }
    double takes = contact ? fabs(x->impulse[i] * x->before[i]) : 0;
    double e = contact ? x->e[i - sys->nc] : 0;
    whole += takes;
    back += takes * e * e;
    s->row[s->k++] = i;
  }
  *share = whole > 0 ? back / whole : 0;
  return whole > 0 && *share > 0;
}

void pw_jump_give_back(pw_jump *x, const pw_row_view *a, double gain) {
  pawl_certifier *c = x->c;
  const pw_system *sys = c->sys;
  pw_jump_room *r = &c->room.jump;
  int n = sys->nv;
  plastic s = {.x = x, .at = a, .p = r->bent, .row = r->struck};
  s.u = s.p + n;
  s.last = s.u + n;
  s.y = s.last + n;
  s.impulse = s.y + n;
  s.S = s.impulse + sys->nr;
  double share, before = x->energy;
  if (!take_rows(&s, &share)) {
    return;
  }
  memcpy(s.p, r->momenta, (size_t)n * sizeof *s.p);
  double lost = plastic_energy(&s) - before;
  s.k = 0;
  memcpy(s.u, a->u, (size_t)n * sizeof *s.u);
  (void)look(&s); /* the probe stands behind the jump again */
  (void)pw_probe_terms(&c->probe);
  double most = 0, stretch = 1;
  for (int i = sys->nc; i < sys->nr; i++) {
    double e = x->e[i - sys->nc], meets = -x->before[i] * e;
    if (pw_jump_touches(x, i) && x->impulse[i] > 0 && meets / c->probe.length[i] > most) {
      most = meets / c->probe.length[i];
      stretch = c->probe.rate[i] / meets;
    }
  }
  double goal = lost * (1 - share), room = x->tiny * x->speed + c->opts.tol * fabs(lost);
  for (int i = 0; i < sys->ni && fabs(gain - goal) <= room && stretch >= 0; i++) {
    x->e[i] *= stretch;
  }
}
