// SPDX-License-Identifier: MIT
/* An instant at which velocities jump. The jump of the momentum must lie in the normal cone of the
 * constraints that are met (Leine and Aeberhard, theorem 2), the energy must be what moving walls
 * leave it (theorem 1, extended to walls in motion: certificates (C7)), and the velocities after
 * must obey the impact law that the model states. */
#include <math.h>
#include <string.h>

#include "base/real.h"
#include "linalg/dense.h"
#include "verify/checker.h"

typedef struct jump {
  pawl_certifier *c;
  double t;
  const double *before; /* nr: rates before; those after are in the probe */
  double *impulse;      /* nr */
  double *dp;           /* nv: L^-1 of the jump of the momentum */
  double size, speed;   /* |dp|; larger |L^T u| of both sides */
} jump;

static bool is_wall(const pw_system *s, int i) {
  return i >= s->nc && s->wall[i - s->nc] && pw_row_kind(s, i) != PW_KIND_ROUGH;
}

/* A unilateral constraint that is met. */
static bool touches(const pawl_certifier *c, int i) {
  const pw_probe *p = &c->probe;
  double near = 10 * pw_max(c->opts.noise, 1e-13) * c->L0;
  return is_wall(c->sys, i) && !pw_row_on_velocity(c->sys, i) && p->value[i] <= near * p->length[i];
}

/* Beyond rounding it may also be met a moment later, as one of a quick series. */
static bool touches_exactly(const pawl_certifier *c, int i) {
  return c->probe.value[i] <= 1e-13 * c->L0 * c->probe.length[i];
}

static bool is_struck(const pawl_certifier *c, int i) {
  const pw_system *s = c->sys;
  if (i < s->nc || is_wall(s, i)) {
    return i < s->nc || touches(c, i) || pw_row_on_velocity(s, i);
  }
  int contact = pw_row_contact(s, i);
  return contact >= 0 && touches(c, contact);
}

/* ---- the impulse ---- */

static double *add(jump *x, int i, double lo, double hi) {
  double *col = pw_reach_add(&x->c->reach, lo, hi);
  if (col != NULL) {
    int n = x->c->sys->nv;
    memcpy(col, x->c->probe.A + (size_t)i * (size_t)n, (size_t)n * sizeof *col);
  }
  return col;
}

/* Columns of a contact with friction: the cone by its edges (planes: twelve of them, lenient by
 * taking the polygon outside the disk). */
static void add_contact(jump *x, int i) {
  const pw_system *s = x->c->sys;
  const pw_probe *p = &x->c->probe;
  int n = s->nv, first = x->c->reach.k;
  add(x, i, 0, INFINITY);
  for (int k = 0; k < s->ni; k++) {
    int row = s->nc + k, last = x->c->reach.k;
    if (pw_row_contact(s, row) != i || pw_row_kind(s, row) == PW_KIND_ROUGH) {
      continue;
    }
    double mu = pw_max(fabs(p->left[2 * k]), p->limit[k]);
    bool plane = s->group[k] >= 0;
    if (plane && s->group[k] != k) {
      continue;
    }
    int edges = plane ? 12 : 2;
    for (int j = first; j < last; j++) {
      for (int e = 0; e < edges; e++) {
        double angle = 2 * acos(-1) * e / edges, wide = plane ? mu / cos(acos(-1) / edges) : mu;
        double *col = add(x, i, 0, INFINITY);
        if (col != NULL) {
          memcpy(col, x->c->reach.A + (size_t)j * (size_t)n, (size_t)n * sizeof *col);
          pw_axpy(wide * cos(angle), p->A + (size_t)row * (size_t)n, col, n);
          pw_axpy(plane ? wide * sin(angle) : 0, p->A + (size_t)(row + plane) * (size_t)n, col, n);
        }
      }
    }
  }
}

static void cone(jump *x) {
  const pw_system *s = x->c->sys;
  pw_reach_begin(&x->c->reach);
  for (int i = 0; i < s->nr; i++) {
    if (!is_struck(x->c, i)) {
      continue;
    }
    bool servo = pw_row_kind(s, i) == PW_KIND_SERVO;
    if (i < s->nc || pw_row_kind(s, i) == PW_KIND_ROUGH || servo) {
      add(x, i, -INFINITY, INFINITY);
    } else if (is_wall(s, i)) {
      add_contact(x, i);
    }
  }
  pw_reach_solve(&x->c->reach, x->dp);
}

/* Impulses of single rows, for the impact law: as if no law bounded them. Smallest where they are
 * not unique. */
static void find_impulses(jump *x) {
  const pw_system *s = x->c->sys;
  int k = 0;
  pw_reach_begin(&x->c->reach);
  for (int i = 0; i < s->nr; i++) {
    if (is_struck(x->c, i)) {
      add(x, i, -INFINITY, INFINITY);
    }
  }
  pw_reach_solve(&x->c->reach, x->dp);
  for (int i = 0; i < s->nr; i++) {
    x->impulse[i] = is_struck(x->c, i) ? x->c->reach.x[k++] : 0;
  }
}

/* ---- the impact law ---- */

static void law_broken(jump *x, double value, int i) {
  double noise = (100 * x->c->opts.noise * x->c->V0 + 10 * x->c->slack) / x->speed;
  pw_found_note(x->c, PW_FINDING_IMPACT, value / x->speed, x->c->opts.tol + noise, x->t,
                x->c->sys->row_of[i]);
}

/* The rate after, as a speed in the metric. */
static double after(const jump *x, int i) {
  return x->c->probe.rate[i] / x->c->probe.length[i];
}

static double before(const jump *x, int i) {
  return x->before[i] / x->c->probe.length[i];
}

/* Accumulated impacts end in one that leaves the contact closed. */
static bool comes_to_rest(const jump *x, int i) {
  return before(x, i) > -1e-3 * x->c->V0 && fabs(after(x, i)) <= 1e-9 * x->c->V0;
}

static bool all_rest(const jump *x) {
  bool any = false;
  for (int i = x->c->sys->nc; i < x->c->sys->nr; i++) {
    if (touches(x->c, i)) {
      any = true;
      if (!comes_to_rest(x, i)) {
        return false;
      }
    }
  }
  return any && x->size <= 1e-3 * x->c->V0;
}

/* How many contacts are met, and whether all follow Newton's law in one problem. */
static int contacts(const jump *x, bool *newton) {
  const pw_system *s = x->c->sys;
  int n = 0;
  bool others = false;
  int opening = 0; /* these are struck by the others, and again: a series of impacts */
  int apart = 0;
  for (int i = s->nc; i < s->nr; i++) {
    if (touches(x->c, i)) {
      n++;
      apart += !touches_exactly(x->c, i) || after(x, i) < -1e-9 * x->c->V0;
      others = others || s->model->rows.items[s->row_of[i]].clause.poisson;
      others = others || comes_to_rest(x, i);
      opening += before(x, i) > 1e-9 * x->c->V0;
    } else if (is_wall(s, i) && pw_row_on_velocity(s, i)) {
      others = others || after(x, i) <= 1e-6 * x->c->V0;
    } else if (is_struck(x->c, i)) {
      others = others || n != 1; /* friction and rough rows: one contact only */
    }
  }
  *newton = !others && (n == 1 || (opening + apart == 0 && !x->c->opts.sequential));
  return n;
}

/* Newton's law in Moreau's form: xi = rate+ + e rate- >= 0, and 0 where there is an impulse. */
static void newton_law(jump *x, int i) {
  double e = x->c->probe.restitution[i - x->c->sys->nc];
  double xi = after(x, i) + e * before(x, i);
  double force = x->impulse[i] * x->c->probe.reach[i];
  law_broken(x, pw_max(-xi, 0), i);
  law_broken(x, pw_min(fabs(xi), pw_max(force, 0)), i);
}

/* A slip on one contact: sticks, or slides against the friction. */
static void slip_law(jump *x, int i, int contact) {
  const pw_system *s = x->c->sys;
  const pw_probe *p = &x->c->probe;
  int k = i - s->nc;
  double normal = x->impulse[contact], e = p->restitution[k];
  double xi = after(x, i) + e * before(x, i);
  if (pw_row_kind(s, i) == PW_KIND_ROUGH) {
    law_broken(x, normal * p->reach[contact] > 1e-9 * x->size ? fabs(xi) : 0, i);
    return;
  }
  double most = fabs(p->left[2 * k]) * normal, sliding = xi > 0 ? -most : most;
  law_broken(x, pw_min(fabs(xi), fabs(x->impulse[i] - sliding) * p->reach[i]), i);
}

static void impact_law(jump *x) {
  const pw_system *s = x->c->sys;
  bool newton;
  int n = contacts(x, &newton), only = -1;
  for (int i = s->nc; i < s->nr; i++) {
    if (is_wall(s, i) && is_struck(x->c, i)) {
      only = pw_row_on_velocity(s, i) ? only : i;
      if (n == 1 || pw_row_on_velocity(s, i)) { /* of several, one may be next in a series */
        law_broken(x, pw_max(-after(x, i), 0), i);
      }
      if (newton && touches(x->c, i)) {
        newton_law(x, i);
      }
    }
  }
  for (int i = s->nc; i < s->nr && newton && n == 1; i++) {
    if (!is_wall(s, i) && is_struck(x->c, i) && s->group[i - s->nc] < 0) {
      slip_law(x, i, only);
    }
  }
}

/* ---- the energy ---- */

/* H+ - H- + sum Lambda g_t, with g_t = rate - J u the speed of the wall: certificates (C7). */
static double energy(const jump *x, const double *c_before, const double *c_after) {
  const pw_system *s = x->c->sys;
  const pw_probe *p = &x->c->probe;
  double sum = 0;
  for (int i = 0; i < s->nv; i++) {
    sum += (c_after[i] - c_before[i]) * (c_after[i] + c_before[i]) / 2;
  }
  for (int i = 0; i < s->nr; i++) {
    if (x->impulse[i] != 0 && s->by_of[i] < 0) {
      double own = pw_dot(p->A + (size_t)i * (size_t)s->nv, c_after, s->nv);
      sum += x->impulse[i] * (p->rate[i] - own);
    }
  }
  return sum;
}

static void keep_corner(jump *x, double gain, double missed) {
  pawl_certifier *c = x->c;
  pw_corner k = {.t = x->t,
                 .loss = -gain / (x->speed * x->speed),
                 .impulse = missed,
                 .restitution = NAN,
                 .law = -1};
  double fastest = 0;
  for (int i = c->sys->nc; i < c->sys->nr; i++) {
    if (touches(c, i) && before(x, i) < fastest) {
      fastest = before(x, i);
      k.restitution = -x->c->probe.rate[i] / x->before[i];
      k.law = c->sys->row_of[i];
    }
  }
  c->gained = pw_max(c->gained, -k.loss);
  c->lost = pw_max(c->lost, k.loss);
  if (c->n_corner < PW_CORNERS_KEPT) {
    c->corner[c->n_corner] = k;
  }
  c->n_corner++;
}

static void continuity(pawl_certifier *c, const pw_row_view *b, const pw_row_view *a) {
  double far = 0;
  for (int k = 0; k < c->sys->model->coords.n; k++) {
    const pw_coord *x = &c->sys->model->coords.items[k];
    double mass = c->probe.L[(size_t)x->u * (size_t)c->sys->nv + (size_t)x->u];
    for (int i = 0; i < (x->is_rotation ? 4 : 1); i++) {
      far += pow(mass * (a->q[x->q + i] - b->q[x->q + i]), 2);
    }
  }
  double whole = c->L0 > 0 ? c->L0 : 1;
  pw_found_note(c, PW_FINDING_CONTINUITY, sqrt(far) / whole, c->opts.tol, a->t, -1);
}

/* With switching surfaces on the side where they are before (-1) or after the instant (1). */
static bool probe_side(pawl_certifier *c, const pw_row_view *row, int when) {
  c->probe.ahead = when * 1e-9 * c->span;
  bool fine = pw_probe_at(&c->probe, row->t, row->q, row->u);
  c->probe.ahead = 0;
  return fine;
}

void pw_verify_corner(pawl_certifier *c, const pw_row_view *b, const pw_row_view *a) {
  const pw_system *s = c->sys;
  int n = s->nv;
  double *rates = c->work, *c_before = rates + s->nr, *c_after = c_before + n, *dp = c_after + n;
  if (!probe_side(c, b, -1)) {
    return;
  }
  pw_verify_scales(c, b);
  pw_verify_admissible(c, b);
  if (c->sys->n_switch > 0 && !probe_side(c, b, 1)) { /* a wall that sets off now strikes */
    return;
  }
  memcpy(rates, c->probe.rate, (size_t)s->nr * sizeof *rates);
  memcpy(c_before, c->probe.speed, (size_t)n * sizeof *c_before);
  if (!probe_side(c, a, 1)) {
    return;
  }
  pw_verify_scales(c, a);
  pw_verify_admissible(c, a);
  continuity(c, b, a);
  memcpy(c_after, c->probe.speed, (size_t)n * sizeof *c_after);
  for (int i = 0; i < n; i++) {
    dp[i] = c_after[i] - c_before[i];
  }
  jump x = {.c = c, .t = a->t, .before = rates, .impulse = dp + n, .dp = dp};
  x.size = pw_norm2(dp, n);
  x.speed = pw_max(pw_norm2(c_before, n), pw_norm2(c_after, n));
  if (!(x.size > 1e-9 * c->V0)) {
    return; /* velocities go on: forces may jump */
  }
  cone(&x);
  double missed = c->reach.distance;
  double scale = x.size + 1e-3 * c->opts.tol * c->V0;
  if (!all_rest(&x)) {
    pw_found_note(c, PW_FINDING_IMPULSE, missed / scale,
                  c->opts.tol + (100 * c->opts.noise * c->V0 + 10 * c->slack) / scale, a->t, -1);
  }
  find_impulses(&x);
  if (!c->opts.any_impact_law) {
    impact_law(&x);
  }
  keep_corner(&x, energy(&x, c_before, c_after), missed / scale);
}
