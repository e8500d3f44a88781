// SPDX-License-Identifier: MIT
#include "solve/cone_point.h"

#include <math.h>
#include <string.h>

#include "base/real.h"
#include "base/strip.h"
#include "law/scale_solve.h"
#include "linalg/dense.h"
#include "solve/prox_newton.h"

typedef enum cone_kind {
  NO_CONE, /* u = 0 */
  HALF_LINE,
  ROUND /* z_0 >= |(z_1, z_2)|; two components leave the last zero */
} cone_kind;

typedef struct path {
  const pw_friction *p;
  const pw_block_plan *plan;
  double *x, *w;        /* 3 nc each: forces and velocities, inside of their cones */
  double *dx, *dw;      /* a step */
  double *off;          /* W x + q + |w_T| e - w */
  double *turn;         /* what the step adds to lambda o lambda = nu e, to second order */
  double *scaling;      /* 4 nc: beta and the axis of Nesterov and Todd's scaling */
  double *E;            /* 9 nc: (I - Phi) S^-2 */
  double *B, *work, *r; /* 9 per block; 3 nc; 3 nc in units of friction.h */
  double *factor;
} path;

static void lay_out(path *a, int nc, size_t blocks, pw_strip *to) {
  double **vector[] = {&a->x, &a->w, &a->dx, &a->dw, &a->off, &a->turn, &a->work, &a->r};
  for (size_t k = 0; k < sizeof vector / sizeof *vector; k++) {
    *vector[k] = pw_strip_real(to, 3 * (size_t)nc);
  }
  a->scaling = pw_strip_real(to, 4 * (size_t)nc);
  a->E = pw_strip_real(to, 9 * (size_t)nc);
  a->B = pw_strip_real(to, 9 * blocks);
  a->factor = pw_strip_real(to, 0); /* the rest, pw_block_factor_doubles */
}

size_t pw_cone_point_doubles(int nc, size_t blocks, size_t fill) {
  path a;
  pw_strip to = {0};
  lay_out(&a, nc, blocks, &to);
  return to.n_real + pw_block_factor_doubles(nc, fill);
}

bool pw_cone_point_takes(const pw_friction *p) {
  bool all = true;
  for (int i = 0; i < p->nc; i++) {
    all = all && (p->contact[i].kind == PW_CONTACT || isinf(p->contact[i].bound));
  }
  return all;
}

static cone_kind kind_of(const pw_contact *c) {
  return c->kind == PW_BALL ? NO_CONE : c->dim == 1 || c->bound == 0 ? HALF_LINE : ROUND;
}

/* r = (p_0 unit, p_T), u' = (w_0 / unit, w_T) */
static double unit_of(const pw_contact *c) {
  return kind_of(c) == ROUND ? 1 / c->bound : 1;
}

/* ---- the algebra of one round cone ---- */

static double dot3(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Units are such that nothing overflows; hypot takes three times as long. */
static double across(const double *a) {
  return sqrt(a[1] * a[1] + a[2] * a[2]);
}

/* a_0^2 - |a_T|^2 */
static double height(const double *a) {
  double t = across(a);
  return (a[0] - t) * (a[0] + t);
}

static void circle(const double *a, const double *b, double *out) {
  double normal = dot3(a, b);
  out[1] = a[0] * b[1] + b[0] * a[1];
  out[2] = a[0] * b[2] + b[0] * a[2];
  out[0] = normal;
}

/* lambda o out = g */
static void divide(const double *lambda, const double *g, double *out) {
  double x = (lambda[0] * g[0] - lambda[1] * g[1] - lambda[2] * g[2]) / height(lambda);
  out[1] = (g[1] - x * lambda[1]) / lambda[0];
  out[2] = (g[2] - x * lambda[2]) / lambda[0];
  out[0] = x;
}

/* The scaling S with S w = S^-1 x: beta (2 v v^T - J), v = (a + e) / sqrt(2 (a_0 + 1)), and
 * S^2 = beta^2 (2 a a^T - J). `to`: beta and a. */
static void scale_round(const double *x, const double *w, double *to) {
  double hx = sqrt(height(x)), hw = sqrt(height(w)), n[3], m[3];
  for (int k = 0; k < 3; k++) {
    n[k] = x[k] / hx;
    m[k] = w[k] / hw;
  }
  double twice = 2 * sqrt((1 + dot3(n, m)) / 2);
  to[0] = sqrt(hx / hw);
  to[1] = (n[0] + m[0]) / twice;
  to[2] = (n[1] - m[1]) / twice;
  to[3] = (n[2] - m[2]) / twice;
}

/* out = S z, or S^-1 z */
static void apply(const double *scaling, bool inverse, const double *z, double *out) {
  double beta = inverse ? 1 / scaling[0] : scaling[0], sign = inverse ? -1 : 1;
  double f = 1 / sqrt(2 * (scaling[1] + 1));
  double v[3] = {(scaling[1] + 1) * f, sign * scaling[2] * f, sign * scaling[3] * f};
  double along = 2 * dot3(v, z);
  out[0] = beta * (along * v[0] - z[0]);
  out[1] = beta * (along * v[1] + z[1]);
  out[2] = beta * (along * v[2] + z[2]);
}

/* Largest t <= 1 with z + t d in the cone. */
static double round_step(const double *z, const double *d) {
  double a = d[0] * d[0] - d[1] * d[1] - d[2] * d[2];
  double b = z[0] * d[0] - z[1] * d[1] - z[2] * d[2], c = height(z), t = 1;
  double disc = b * b - a * c;
  if (disc >= 0) { /* a t^2 + 2 b t + c = 0, the root that does not cancel */
    double s = b > 0 ? -(b + sqrt(disc)) : -b + sqrt(disc);
    double one = a != 0 ? s / a : -1, two = s != 0 ? c / s : -1;
    t = one > 0 ? fmin(t, one) : t;
    t = two > 0 ? fmin(t, two) : t;
  }
  return d[0] < 0 ? fmin(t, -z[0] / d[0]) : t;
}

static double line_step(double z, double d) {
  return d < 0 ? fmin(1, -z / d) : 1;
}

/* ---- the path ---- */

static void start(path *a) {
  for (int i = 0; i < a->p->nc; i++) {
    cone_kind kind = kind_of(&a->p->contact[i]);
    for (int k = 0; k < 3; k++) {
      a->x[3 * i + k] = a->w[3 * i + k] = kind != NO_CONE && k == 0 ? 1 : 0;
    }
  }
}

static void to_forces(const path *a) {
  memcpy(a->r, a->x, 3 * (size_t)a->p->nc * sizeof *a->r);
  for (int i = 0; i < a->p->nc; i++) {
    a->r[3 * i] *= unit_of(&a->p->contact[i]);
  }
}

/* off = W x + q + |w_T| e - w; needs r */
static void measure(path *a) {
  pw_friction_velocity(a->p, a->r, a->off);
  for (int i = 0; i < a->p->nc; i++) {
    const pw_contact *c = &a->p->contact[i];
    cone_kind kind = kind_of(c);
    double *off = a->off + 3 * i, *w = a->w + 3 * i;
    off[0] *= unit_of(c);
    for (int k = 0; k < 3; k++) {
      off[k] -= kind == NO_CONE || (kind == HALF_LINE && k > 0) ? 0 : w[k];
    }
    off[0] += kind == ROUND ? across(w) : 0;
    for (int k = kind == HALF_LINE ? 1 : c->dim; k < 3; k++) {
      off[k] = 0;
    }
  }
}

/* Mean of x.w over the cones. */
static double centre_of(const path *a) {
  double sum = 0;
  int n = 0;
  for (int i = 0; i < a->p->nc; i++) {
    if (kind_of(&a->p->contact[i]) != NO_CONE) {
      sum += dot3(a->x + 3 * i, a->w + 3 * i);
      n++;
    }
  }
  return n > 0 ? sum / n : 0;
}

/* E = (I - Phi) S^-2 with Phi = e_N d^T, d = w_T / |w_T|; rows without a force get 1. */
static void scale_contact(const path *a, int i) {
  const pw_contact *c = &a->p->contact[i];
  cone_kind kind = kind_of(c);
  const double *x = a->x + 3 * i, *w = a->w + 3 * i;
  double *s = a->scaling + 4 * i, *E = a->E + 9 * i;
  memset(E, 0, 9 * sizeof *E);
  for (int k = kind == HALF_LINE ? 1 : c->dim; k < 3; k++) {
    E[4 * k] = 1;
  }
  if (kind == HALF_LINE) {
    E[0] = w[0] / x[0];
  }
  if (kind != ROUND) {
    return;
  }
  scale_round(x, w, s);
  double b = 1 / (s[0] * s[0]), axis[3] = {s[1], -s[2], -s[3]}, slip = across(w);
  for (int k = 0; k < c->dim; k++) {
    for (int j = 0; j < c->dim; j++) {
      E[3 * k + j] = b * (2 * axis[k] * axis[j] + (k != j ? 0 : k == 0 ? -1 : 1));
    }
  }
  for (int j = 0; j < c->dim && slip > 0; j++) {
    E[j] -= (w[1] * E[3 + j] + w[2] * E[6 + j]) / slip;
  }
}

static bool factor(path *a) {
  const pw_friction *p = a->p;
  for (int i = 0; i < p->nc; i++) {
    double unit = unit_of(&p->contact[i]);
    bool line = kind_of(&p->contact[i]) == HALF_LINE;
    scale_contact(a, i);
    for (int e = p->start[i]; e < p->start[i + 1]; e++) {
      int j = p->col[e];
      bool other = kind_of(&p->contact[j]) == HALF_LINE;
      const double *W = p->W + 9 * (size_t)e;
      double *B = a->B + 9 * (size_t)e;
      for (int k = 0; k < 9; k++) {
        bool none = (line && k >= 3) || (other && k % 3 > 0);
        B[k] = none ? 0 : W[k] * (k < 3 ? unit : 1) * (k % 3 == 0 ? unit_of(&p->contact[j]) : 1);
        B[k] += i == j ? a->E[9 * i + k] : 0;
      }
    }
  }
  return pw_block_factor(p, a->plan, a->B, a->factor) == 0;
}

/* S^-1 (lambda \ (nu e - lambda o lambda - turn)): what the step should change in x and w. */
static void wanted(const path *a, int i, double nu, double *g) {
  const double *w = a->w + 3 * i, *x = a->x + 3 * i, *turn = a->turn + 3 * i;
  double lambda[3], square[3];
  g[1] = g[2] = 0;
  if (kind_of(&a->p->contact[i]) == HALF_LINE) {
    g[0] = (nu - x[0] * w[0] - turn[0]) / x[0];
    return;
  }
  apply(a->scaling + 4 * i, false, w, lambda);
  circle(lambda, lambda, square);
  for (int k = 0; k < 3; k++) {
    square[k] = (k == 0 ? nu : 0) - square[k] - turn[k];
  }
  divide(lambda, square, g);
  memcpy(square, g, sizeof square);
  apply(a->scaling + 4 * i, true, square, g);
}

/* [W + (I - Phi) S^-2] dx = (I - Phi) S^-1 g - off,  dw = S^-1 g - S^-2 dx */
static void find_step(path *a, double nu) {
  const pw_friction *p = a->p;

  /* right-hand side: products of the path, less what the equation misses */
  for (int i = 0; i < p->nc; i++) {
    double g[3] = {0, 0, 0}, *dx = a->dx + 3 * i, *w = a->w + 3 * i;
    cone_kind kind = kind_of(&p->contact[i]);
    if (kind != NO_CONE) {
      wanted(a, i, nu, g);
    }
    memcpy(a->dw + 3 * i, g, sizeof g);
    double slip = kind == ROUND ? across(w) : 0;
    g[0] -= slip > 0 ? (w[1] * g[1] + w[2] * g[2]) / slip : 0;
    for (int k = 0; k < 3; k++) {
      dx[k] = g[k] - a->off[3 * i + k];
    }
  }
  pw_block_solve(a->plan, a->factor, a->dx, a->work);

  /* velocities that belong to the change of the forces */
  for (int i = 0; i < p->nc; i++) {
    double *dx = a->dx + 3 * i, *dw = a->dw + 3 * i, one[3], two[3];
    switch (kind_of(&p->contact[i])) {
    case ROUND:
      apply(a->scaling + 4 * i, true, dx, one);
      apply(a->scaling + 4 * i, true, one, two);
      for (int k = 0; k < p->contact[i].dim; k++) {
        dw[k] -= two[k];
      }
      break;
    case HALF_LINE:
      dw[0] -= a->w[3 * i] / a->x[3 * i] * dx[0];
      dx[1] = dx[2] = 0;
      break;
    default: memset(dw, 0, 3 * sizeof *dw);
    }
  }
}

static double longest(const path *a) {
  double t = 1;
  for (int i = 0; i < a->p->nc; i++) {
    const double *x = a->x + 3 * i, *w = a->w + 3 * i, *dx = a->dx + 3 * i, *dw = a->dw + 3 * i;
    cone_kind kind = kind_of(&a->p->contact[i]);
    if (kind == ROUND) {
      t = fmin(t, fmin(round_step(x, dx), round_step(w, dw)));
    } else if (kind == HALF_LINE) {
      t = fmin(t, fmin(line_step(x[0], dx[0]), line_step(w[0], dw[0])));
    }
  }
  return t;
}

/* Mehrotra's second-order term of the step that aims at the solution itself. */
static void find_turn(path *a) {
  for (int i = 0; i < a->p->nc; i++) {
    double one[3], two[3], *turn = a->turn + 3 * i;
    cone_kind kind = kind_of(&a->p->contact[i]);
    if (kind == ROUND) {
      apply(a->scaling + 4 * i, true, a->dx + 3 * i, one);
      apply(a->scaling + 4 * i, false, a->dw + 3 * i, two);
      circle(one, two, turn);
    } else if (kind == HALF_LINE) {
      turn[0] = a->dx[3 * i] * a->dw[3 * i];
    }
  }
}

/* One step along the path; false if it cannot be made. */
static bool walk(path *a) {
  static const double short_of_border = 0.99;
  int n = 3 * a->p->nc;
  double nu = centre_of(a);
  if (!factor(a)) {
    return false;
  }
  memset(a->turn, 0, (size_t)n * sizeof *a->turn);
  find_step(a, 0);
  double reach = longest(a);
  find_turn(a);
  find_step(a, pow(1 - reach, 3) * nu);
  if (!pw_all_finite(a->dx, n) || !pw_all_finite(a->dw, n)) {
    return false;
  }
  reach = longest(a);
  double t = reach < 1 ? short_of_border * reach : 1;
  pw_axpy(t, a->dx, a->x, n);
  pw_axpy(t, a->dw, a->w, n);
  return true;
}

pw_outcome pw_cone_point(const pw_friction *p, const pw_block_plan *plan, double tol, double *r,
                         double *real, pw_cone_point_info *info) {
  enum { MOST_STEPS = 40 };
  path a = {.p = p, .plan = plan};
  lay_out(&a, p->nc, (size_t)p->start[p->nc], &(pw_strip){.real = real});
  *info = (pw_cone_point_info){.residual = (double)INFINITY};
  start(&a);
  for (bool goes = true; goes && info->steps <= MOST_STEPS; info->steps++) {
    to_forces(&a);
    double residual = pw_natural_map(p, a.r, a.work);
    if (residual < info->residual) {
      info->residual = residual;
      memcpy(r, a.r, 3 * (size_t)p->nc * sizeof *r);
    }
    measure(&a);
    goes = !(info->residual <= tol || centre_of(&a) <= PW_SCALE(PATH_END)) && walk(&a);
  }
  return info->residual <= tol ? PW_SOLVED : PW_MAX_ITER;
}
