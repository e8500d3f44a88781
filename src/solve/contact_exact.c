// SPDX-License-Identifier: MIT
#include "solve/contact_exact.h"

#include <math.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_solve.h"
#include "linalg/dense.h"
#include "solve/friction_prox.h"

enum { SPHERE_STEPS = 100 };

/* The contact in common units: A has mean diagonal 1, r and u of the same size as b. */
typedef struct local {
  pw_contact c;
  double A[9], b[3], s;
  pw_contact_solution *out;
  int count;
} local;

static double unit_of(const double *A, int dim) {
  double s = sqrt((fabs(A[0]) + fabs(A[4]) + fabs(A[8])) / dim);
  return s > 0 ? s : 1;
}

static void local_init(local *p, const pw_contact *c, const double *A, const double *b,
                       pw_contact_solution *out) {
  double s = unit_of(A, c->dim);
  p->c = *c;
  p->s = s;
  p->c.bound = c->kind == PW_BALL ? c->bound * s : c->dim > 1 ? c->bound : 0;
  for (int i = 0; i < 9; i++) {
    p->A[i] = A[i] / (s * s);
  }
  for (int i = 0; i < 3; i++) {
    p->b[i] = b[i] / s;
  }
  p->out = out;
  p->count = 0;
}

static void velocity(const local *p, const double *r, double *u) {
  for (int i = 0; i < 3; i++) {
    u[i] = p->b[i] + (p->A[3 * i] * r[0] + p->A[3 * i + 1] * r[1] + p->A[3 * i + 2] * r[2]);
  }
}

/* Natural map, relative to the larger of b and r; u is written. */
static double local_residual(const local *p, const double *r, double *u) {
  velocity(p, r, u);
  double z[3] = {r[0] - u[0], r[1] - u[1], r[2] - u[2]};
  if (p->c.kind == PW_CONTACT) {
    z[0] -= p->c.bound * hypot(u[1], u[2]);
  }
  pw_contact_project(&p->c, 1, z, NULL);
  double d[3] = {r[0] - z[0], r[1] - z[1], r[2] - z[2]};
  double size = pw_max(pw_norm2(p->b, 3), pw_norm2(r, 3));
  return size > 0 ? pw_norm2(d, 3) / size : pw_norm2(d, 3);
}

/* Keeps r if it is a solution that is not there yet. */
static void offer(local *p, pw_contact_mode mode, const double *r) {
  pw_contact_solution new = {.mode = mode};
  memcpy(new.r, r, sizeof new.r);
  new.residual = local_residual(p, r, new.u);
  if (!(new.residual <= PW_SCALE(LCP_SOLVED)) || p->count == PW_EXACT_MOST) {
    return;
  }
  for (int k = 0; k < p->count; k++) {
    const double *old = p->out[k].r;
    double d[3] = {r[0] - old[0], r[1] - old[1], r[2] - old[2]};
    if (pw_norm2(d, 3) <= PW_SCALE(SAME_CONTACT) * (pw_norm2(r, 3) + pw_norm2(p->b, 3))) {
      return;
    }
  }
  p->out[p->count++] = new;
}

/* A r = -b by elimination with complete pivoting; unknowns without a pivot become zero. */
static void solve_stick(const local *p, double *r) {
  double M[3][4];
  int n = p->c.dim, row[3] = {0, 1, 2}, order[3] = {0, 1, 2}, rank = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      M[i][j] = p->A[3 * i + j];
    }
    M[i][3] = -p->b[i];
  }

  /* eliminate, the largest entry first */
  for (; rank < n; rank++) {
    int bi = rank, bj = rank;
    for (int i = rank; i < n; i++) {
      for (int j = rank; j < n; j++) {
        if (fabs(M[row[i]][order[j]]) > fabs(M[row[bi]][order[bj]])) {
          bi = i;
          bj = j;
        }
      }
    }
    int ri = row[bi], oj = order[bj];
    row[bi] = row[rank];
    row[rank] = ri;
    order[bj] = order[rank];
    order[rank] = oj;
    if (!(fabs(M[ri][oj]) > PW_SCALE(STICK_PIVOT))) {
      break;
    }
    for (int i = rank + 1; i < n; i++) {
      double f = M[row[i]][oj] / M[ri][oj];
      for (int j = 0; j < 4; j++) {
        M[row[i]][j] -= j < n || j == 3 ? f * M[ri][j] : 0;
      }
    }
  }

  /* substitute back */
  r[0] = r[1] = r[2] = 0;
  for (int k = rank - 1; k >= 0; k--) {
    double sum = M[row[k]][3];
    for (int j = k + 1; j < rank; j++) {
      sum -= M[row[k]][order[j]] * r[order[j]];
    }
    r[order[k]] = sum / M[row[k]][order[k]];
  }
}

/* ---- slip ---- */

/* r on the border of the cone in direction d with u_N = 0; false if r_N would not be positive. */
static bool slip_force(const local *p, double c, double s, double *r) {
  double mu = p->c.bound, v = p->A[0] + mu * (p->A[1] * c + p->A[2] * s);
  double normal = -p->b[0] / v;
  if (!(normal > 0) || !isfinite(normal)) {
    return false;
  }
  r[0] = normal;
  r[1] = mu * normal * c;
  r[2] = mu * normal * s;
  return true;
}

/* cross(g, d) for g = g0 + g1 c + g2 s, components x, y */
static void cross_quadratic(const double x[3], const double y[3], double k[5]) {
  k[0] = -y[0];
  k[1] = x[0];
  k[2] = -y[1];
  k[3] = x[1] - y[2];
  k[4] = x[2];
}

/* u_T times v_N(d) = A_NN + mu A_NT.d is  b_T v_N(d) - b_N v_T(d). */
static void slip_quadratic(const local *p, double k[5]) {
  const double *A = p->A, *b = p->b;
  double mu = p->c.bound, x[3], y[3];
  for (int j = 0; j < 3; j++) {
    double f = j == 0 ? 1 : mu;
    x[j] = f * (b[1] * A[j] - b[0] * A[3 + j]);
    y[j] = f * (b[2] * A[j] - b[0] * A[6 + j]);
  }
  cross_quadratic(x, y, k);
}

static void disk_quadratic(const local *p, double k[5]) {
  const double *A = p->A, *b = p->b;
  double a = p->c.bound, x[3] = {b[0], a * A[0], a * A[1]}, y[3] = {b[1], a * A[3], a * A[4]};
  cross_quadratic(x, y, k);
}

static void offer_slips(local *p) {
  double k[5], angle[PW_CIRCLE_MOST], r[3];
  slip_quadratic(p, k);
  int roots = pw_circle_roots(k, angle);
  for (int i = 0; i < roots; i++) {
    if (slip_force(p, cos(angle[i]), sin(angle[i]), r)) {
      offer(p, PW_CONTACT_SLIP, r);
    }
  }
}

static void contact_all(local *p) {
  double r[3] = {0, 0, 0};
  if (p->b[0] >= 0) {
    offer(p, PW_CONTACT_OPEN, r);
  }
  if (p->c.dim > 1) {
    solve_stick(p, r);
    offer(p, PW_CONTACT_STICK, r);
  }
  if (p->c.dim == 3 && p->c.bound > 0) {
    offer_slips(p);
  } else if (slip_force(p, 1, 0, r)) { /* planar: d = 1 and -1; without friction: one of them */
    offer(p, PW_CONTACT_SLIP, r);
  }
  if (p->c.dim == 2 && p->c.bound > 0 && slip_force(p, -1, 0, r)) {
    offer(p, PW_CONTACT_SLIP, r);
  }
}

/* r = -(A + s I)^-1 b with |r| = R: the slip u = -s r is opposite to the force. Of a symmetric A
 * that is not negative |r(s)| falls, and 1/|r| is nearly a line: Newton's method on it (More and
 * Sorensen 1983) within the bracket of what is known. */
static void sphere_slip(local *p) {
  double R = p->c.bound, low = 0, high = pw_norm2(p->b, 3) / R + pw_norm2(p->A, 9), s = 0, r[3];
  for (int k = 0; k < SPHERE_STEPS; k++) {
    local moved = *p, across;
    for (int i = 0; i < 3; i++) {
      moved.A[4 * i] += s;
    }
    solve_stick(&moved, r);
    double size = pw_norm2(r, 3), slope[3];
    across = moved;
    for (int i = 0; i < 3; i++) {
      across.b[i] = -r[i];
    }
    solve_stick(&across, slope);
    low = size > R ? s : low;
    high = size > R ? high : s;
    double next = s + size * size / pw_dot(r, slope, 3) * (size - R) / R;
    next = next > low && next < high ? next : (low + high) / 2;
    if (!(fabs(next - s) > PW_SCALE(STEP_NOISE) * next)) {
      break;
    }
    s = next;
  }
  double size = pw_norm2(r, 3);
  for (int i = 0; i < 3; i++) {
    r[i] *= size > 0 ? R / size : 0;
  }
  offer(p, PW_CONTACT_SLIP, r);
}

static void ball_all(local *p) {
  double r[3], a = p->c.bound;
  solve_stick(p, r);
  offer(p, PW_CONTACT_STICK, r);
  if (!isfinite(a)) {
    return;
  }
  if (p->c.dim == 1) {
    offer(p, PW_CONTACT_SLIP, (double[3]){a, 0, 0});
    offer(p, PW_CONTACT_SLIP, (double[3]){-a, 0, 0});
    return;
  }
  if (p->c.dim == 3 || a == 0) {
    if (a > 0) {
      sphere_slip(p);
    } else {
      offer(p, PW_CONTACT_SLIP, (double[3]){0, 0, 0});
    }
    return;
  }
  double k[5], angle[PW_CIRCLE_MOST];
  disk_quadratic(p, k);
  int roots = pw_circle_roots(k, angle);
  for (int i = 0; i < roots; i++) {
    offer(p, PW_CONTACT_SLIP, (double[3]){a * cos(angle[i]), a * sin(angle[i]), 0});
  }
  if (roots == 0) { /* u is along d everywhere */
    offer(p, PW_CONTACT_SLIP, (double[3]){a, 0, 0});
  }
}

int pw_contact_exact(const pw_contact *c, const double *A, const double *b,
                     pw_contact_solution out[PW_EXACT_MOST]) {
  local p;
  local_init(&p, c, A, b, out);
  if (!pw_all_finite(p.A, 9) || !pw_all_finite(p.b, 3)) {
    return 0;
  }
  if (c->kind == PW_CONTACT) {
    contact_all(&p);
  } else {
    ball_all(&p);
  }
  for (int i = 0; i < p.count; i++) {
    for (int j = 0; j < 3; j++) {
      out[i].r[j] /= p.s;
      out[i].u[j] *= p.s;
    }
  }
  return p.count;
}

/* ---- continuation ---- */

static bool accept(local *p, const double *r, double *result) {
  double u[3];
  if (!(local_residual(p, r, u) <= PW_SCALE(EXACT_CONTINUED))) {
    return false;
  }
  for (int j = 0; j < 3; j++) {
    result[j] = r[j] / p->s;
  }
  return true;
}

/* Open where no other solution can be: r_N (A_NN - mu |A_NT|) >= 0 contradicts b_N > 0. */
static bool continue_open(local *p, double *r) {
  bool alone = p->c.bound * hypot(p->A[1], p->A[2]) <= p->A[0];
  bool was_open = r[0] == 0 && r[1] == 0 && r[2] == 0;
  if (p->b[0] >= 0 && (alone || was_open)) {
    r[0] = r[1] = r[2] = 0;
    return true;
  }
  return false;
}

static bool continue_slip(local *p, double *r) {
  double k[5], slip[3], angle = atan2(r[2], r[1]);
  slip_quadratic(p, k);
  return pw_circle_polish(k, &angle) && slip_force(p, cos(angle), sin(angle), slip) &&
         accept(p, slip, r);
}

bool pw_contact_closest(const pw_contact *c, const double *A, const double *b, double *r) {
  pw_contact_solution all[PW_EXACT_MOST];
  if (c->kind == PW_CONTACT && c->dim == 3 && c->bound > 0) {
    local p;
    double stick[3], force = hypot(r[1], r[2]);
    local_init(&p, c, A, b, all);
    if (continue_open(&p, r)) {
      return true;
    }
    if (r[0] > 0 && force < c->bound * r[0] * (1 - PW_SCALE(STICKS_INSIDE))) {
      solve_stick(&p, stick);
      if (accept(&p, stick, r)) {
        return true;
      }
    } else if (r[0] > 0 && continue_slip(&p, r)) {
      return true;
    }
  }

  /* all solutions, and of them the nearest */
  int count = pw_contact_exact(c, A, b, all), best = -1;
  double least = (double)INFINITY;
  for (int i = 0; i < count; i++) {
    double d[3] = {all[i].r[0] - r[0], all[i].r[1] - r[1], all[i].r[2] - r[2]};
    double distance = pw_norm2(d, 3);
    if (distance < least) {
      least = distance;
      best = i;
    }
  }
  if (best >= 0) {
    memcpy(r, all[best].r, sizeof all[best].r);
  }
  return best >= 0;
}
