// SPDX-License-Identifier: MIT
#include "solve/prox_newton.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/real.h"
#include "base/strip.h"
#include "law/scale_solve.h"
#include "linalg/dense.h"
#include "solve/friction_prox.h"

typedef struct newton {
  const pw_friction *p;
  const pw_block_plan *plan;
  pw_newton_map map;
  double alpha, rho;
  double *centre; /* 3 nc, as the other vectors */
  double *x, *y;  /* force and velocity of the regularised problem */
  double *G, *dx; /* map and step */
  double *trial;  /* force */
  double *best;   /* force of the least residual so far */
  double *C;      /* 9 nc: derivative of the projected force by the velocity */
  double *B;      /* 9 per block: Jacobian */
  double *slip;   /* nc: those that are held; NULL: none */
  double *factor;
} newton;

static void lay_out(newton *w, int nc, size_t blocks, pw_strip *to) {
  double **vector[] = {&w->centre, &w->x, &w->y, &w->G, &w->dx, &w->trial, &w->best};
  for (size_t k = 0; k < sizeof vector / sizeof *vector; k++) {
    *vector[k] = pw_strip_real(to, 3 * (size_t)nc);
  }
  w->slip = pw_strip_real(to, (size_t)nc);
  w->C = pw_strip_real(to, 9 * (size_t)nc);
  w->B = pw_strip_real(to, 9 * blocks);
  w->factor = pw_strip_real(to, 0); /* the rest, pw_block_factor_doubles */
}

size_t pw_prox_newton_doubles(int nc, size_t blocks, size_t fill) {
  newton w;
  pw_strip to = {0};
  lay_out(&w, nc, blocks, &to);
  return to.n_real + pw_block_factor_doubles(nc, fill);
}

/* ---- the map of one contact ---- */

/* z <- force projected from r - rho u; D: its derivative by z. u_T shifts the normal. */
static void alart(const pw_contact *c, double *z, double *D) {
  double mu = c->bound, normal = z[0], t = hypot(z[1], z[2]), radius = mu * normal;
  memset(D, 0, 9 * sizeof *D);
  if (!(normal > 0)) {
    z[0] = isnan(normal) ? normal : 0;
    z[1] = z[2] = 0;
    return;
  }
  D[0] = 1;
  if (t <= radius) {
    D[4] = c->dim > 1 ? 1 : 0;
    D[8] = c->dim > 2 ? 1 : 0;
    return;
  }
  double d[3] = {0, z[1] / t, z[2] / t};
  for (int i = 1; i < c->dim; i++) {
    D[3 * i] = mu * d[i];
    for (int j = 1; j < c->dim && c->dim == 3; j++) {
      D[3 * i + j] = radius / t * ((i == j ? 1 : 0) - d[i] * d[j]);
    }
    z[i] = radius * d[i];
  }
  for (int i = c->dim; i < 3; i++) {
    z[i] = 0;
  }
}

/* g = r - proj(r - rho u'); with C: dg = (I - D) dr + C du, and D is written. */
static void contact_map(const newton *w, int i, const double *r, const double *u, double *g,
                        double *D, double *C) {
  const pw_contact *c = &w->p->contact[i];
  double z[3], slip = w->slip != NULL ? w->slip[i] : hypot(u[1], u[2]),
               mu = c->kind == PW_CONTACT && c->dim > 1 ? c->bound : 0;
  bool shift = w->map == PW_MAP_NATURAL && mu > 0;
  for (int j = 0; j < 3; j++) {
    z[j] = r[j] - w->rho * u[j];
  }
  if (shift) {
    z[0] -= w->rho * mu * slip;
  }
  if (w->map == PW_MAP_ALART && c->kind == PW_CONTACT) {
    alart(c, z, D);
  } else {
    pw_contact_project(c, 1, z, D);
  }
  for (int j = 0; j < 3; j++) {
    g[j] = r[j] - z[j];
  }
  if (C == NULL) {
    return;
  }
  for (int j = 0; j < 9; j++) {
    C[j] = w->rho * D[j];
  }
  for (int j = 0; j < 3 && shift && w->slip == NULL && slip > 0; j++) { /* columns of D (e_N t^T) */
    C[3 * j + 1] += w->rho * D[3 * j] * mu * u[1] / slip;
    C[3 * j + 2] += w->rho * D[3 * j] * mu * u[2] / slip;
  }
}

/* y = W x + q + alpha (x - centre) */
static void regular_velocity(const newton *w, const double *x, double *y) {
  pw_friction_velocity(w->p, x, y);
  for (int i = 0; i < 3 * w->p->nc; i++) {
    y[i] += w->alpha * (x[i] - w->centre[i]);
  }
}

/* |G|^2 / 2 at x; y and G are written. */
static double evaluate(newton *w, const double *x) {
  double D[9];
  regular_velocity(w, x, w->y);
  for (int i = 0; i < w->p->nc; i++) {
    contact_map(w, i, x + 3 * i, w->y + 3 * i, w->G + 3 * i, D, NULL);
  }
  return 0.5 * pw_dot(w->G, w->G, 3 * w->p->nc);
}

/* B = (I - D) + C (W + alpha I), block by block. */
static void assemble(newton *w, double extra) {
  const pw_friction *p = w->p;
  for (int i = 0; i < p->nc; i++) {
    double g[3], D[9], *C = w->C + 9 * (size_t)i;
    contact_map(w, i, w->x + 3 * i, w->y + 3 * i, g, D, C);
    for (int k = p->start[i]; k < p->start[i + 1]; k++) {
      const double *W = p->W + 9 * (size_t)k;
      double *B = w->B + 9 * (size_t)k;
      for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) {
          B[3 * a + b] = C[3 * a] * W[b] + C[3 * a + 1] * W[3 + b] + C[3 * a + 2] * W[6 + b];
        }
      }
      if (p->col[k] == i) {
        for (int a = 0; a < 9; a++) {
          B[a] += w->alpha * C[a] - D[a] + (a % 4 == 0 ? 1 + extra : 0);
        }
      }
    }
  }
}

/* Newton's direction; a singular Jacobian is moved away from it, first by the root of rounding, at
 * which half of the digits are left, then further until it can be factored. */
static bool direction(newton *w) {
  double extra = 0;
  for (int k = 0; k < 6; k++) {
    assemble(w, extra);
    if (pw_block_factor(w->p, w->plan, w->B, w->factor) == 0) {
      for (int i = 0; i < 3 * w->p->nc; i++) {
        w->dx[i] = -w->G[i];
      }
      pw_block_solve(w->plan, w->factor, w->dx, w->trial);
      if (pw_all_finite(w->dx, 3 * w->p->nc)) {
        return true;
      }
    }
    extra = extra == 0 ? PW_SCALE(PROX_SHIFT) : PW_SCALE(PROX_SHIFT_GROWS) * extra;
  }
  return false;
}

/* Armijo's rule on |G|^2. False: no step of at least 2^-12 gives descent. */
static bool search(newton *w, double *merit) {
  double t = 1, old = *merit;
  int n = 3 * w->p->nc;
  for (int k = 0; k < 12; k++, t *= 0.5) {
    for (int i = 0; i < n; i++) {
      w->trial[i] = w->x[i] + t * w->dx[i];
    }
    double now = evaluate(w, w->trial);
    if (now <= (1 - PW_SCALE(PROX_DESCENT) * t) * old) {
      memcpy(w->x, w->trial, (size_t)n * sizeof *w->x);
      *merit = now;
      return true;
    }
  }
  *merit = evaluate(w, w->x);
  return false;
}

double pw_natural_map(const pw_friction *p, const double *r, double *u) {
  newton w = {.p = p, .rho = 1};
  double worst = 0, D[9], g[3];
  pw_friction_velocity(p, r, u);
  for (int i = 0; i < p->nc; i++) {
    contact_map(&w, i, r + 3 * i, u + 3 * i, g, D, NULL);
    worst = pw_max(worst, pw_norm2(g, 3));
  }
  return worst;
}

/* Solves for one centre until |G| is below goal; returns Newton steps, negative if it stalled. */
static int solve_centre(newton *w, double goal, int most, bool *stalled) {
  double merit = evaluate(w, w->x);
  int steps = 0;
  *stalled = false;
  while (!(sqrt(2 * merit) <= goal) && steps < most) {
    steps++;
    if (!direction(w) || !search(w, &merit)) {
      *stalled = true;
      return steps;
    }
  }
  *stalled = !(sqrt(2 * merit) <= goal);
  return steps;
}

/* Velocities are those of the force, without the centre. */
static void hold_slips(const newton *w) {
  for (int i = 0; i < w->p->nc; i++) {
    w->slip[i] = hypot(w->y[3 * i + 1], w->y[3 * i + 2]);
  }
}

/* A weaker pull to the centre while Newton's method follows. */
static double next_alpha(const pw_prox_newton_opts *opts, double alpha, bool stalled) {
  double least = opts->least > 0 ? opts->least : PW_SCALE(PROX_LEAST);
  if (stalled) {
    return pw_min(10 * alpha, 10);
  }
  return opts->held ? alpha : pw_max(PW_SCALE(PROX_FALLS) * alpha, least);
}

pw_outcome pw_prox_newton(const pw_friction *p, const pw_block_plan *plan,
                          const pw_prox_newton_opts *opts, double *r, double *real,
                          pw_prox_newton_info *info) {
  newton w = {.p = p, .plan = plan, .map = opts->map};
  int outer = opts->outer > 0 ? opts->outer : 40, inner = opts->inner > 0 ? opts->inner : 30;
  size_t bytes = 3 * (size_t)p->nc * sizeof *r;
  lay_out(&w, p->nc, (size_t)p->start[p->nc], &(pw_strip){.real = real});
  w.slip = opts->held ? w.slip : NULL;
  w.rho = opts->rho > 0 ? opts->rho : 5;
  w.alpha = opts->alpha > 0 ? opts->alpha : PW_SCALE(PROX_FIRST);

  /* from the given forces, which are the best so far */
  *info = (pw_prox_newton_info){0};
  memcpy(w.x, r, bytes);
  memcpy(w.best, r, bytes);
  double residual = info->residual = pw_natural_map(p, r, w.y);
  while (info->outer < outer && !(info->residual <= opts->tol) &&
         (opts->most == 0 || info->newton < opts->most)) {
    bool stalled;
    info->outer++;
    memcpy(w.centre, w.x, bytes);
    if (opts->held) {
      hold_slips(&w);
    }
    double goal = PW_SCALE(PROX_GOAL) * pw_max(pw_min(residual, w.alpha), opts->tol);
    info->newton += solve_centre(&w, goal, inner, &stalled);
    residual = pw_natural_map(p, w.x, w.y);
    if (residual < info->residual) {
      info->residual = residual;
      memcpy(w.best, w.x, bytes);
    }
    w.alpha = next_alpha(opts, w.alpha, stalled);
  }

  memcpy(r, opts->held ? w.x : w.best, bytes);
  info->residual = opts->held ? residual : info->residual;
  return info->residual <= opts->tol ? PW_SOLVED
         : isnan(info->residual)     ? PW_BREAKDOWN
                                     : PW_MAX_ITER;
}
