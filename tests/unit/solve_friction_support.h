// SPDX-License-Identifier: MIT
/* Generated friction problems: boxes on the ground, side by side or stacked, four corners each, so
 * that twelve force components meet six freedoms; and a solver call with its memory. */
#ifndef PW_TESTS_SOLVE_FRICTION_SUPPORT_H
#define PW_TESTS_SOLVE_FRICTION_SUPPORT_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "solve/friction_solve.h"
#include "unit/solve_support.h"

enum { MOST_CONTACTS = 64, MOST_ROWS = 3 * MOST_CONTACTS };

typedef struct generated {
  int nc, n; /* contacts, rows */
  pw_contact contact[MOST_CONTACTS];
  double W[MOST_ROWS * MOST_ROWS]; /* n x n */
  double q[MOST_ROWS];             /* n */
  int start[MOST_CONTACTS + 1], col[MOST_CONTACTS * MOST_CONTACTS];
  double blocks[9 * MOST_CONTACTS * MOST_CONTACTS], q3[MOST_ROWS];
} generated;

/* The packed form of contact, W and q. */
static inline pw_friction packed(generated *g) {
  g->n = pw_friction_rows(g->contact, g->nc);
  pw_friction_pack(g->contact, g->nc, g->W, g->start, g->col, g->blocks);
  pw_friction_spread(g->contact, g->nc, g->q, g->q3);
  return (pw_friction){g->nc, g->contact, g->start, g->col, g->blocks, g->q3};
}

/* W = J M^-1 J^T and q = J v for J (n x dof, row-major) and a diagonal M. */
static inline void reduce(generated *g, int n, int dof, const double *J, const double *mass,
                          const double *v) {
  for (int i = 0; i < n; i++) {
    g->q[i] = pw_dot(J + i * dof, v, dof);
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < dof; k++) {
        sum += J[i * dof + k] * J[j * dof + k] / mass[k];
      }
      g->W[j * n + i] = sum;
    }
  }
}

/* Rows of a contact at the point p relative to a body's centre: v + omega x p along three axes
 * (normal z first), added with a sign. */
static inline void contact_rows(double *J, int dof, int row, int body, const double *p,
                                double sign) {
  static const int axis[3] = {2, 0, 1};
  for (int k = 0; k < 3; k++) {
    int a = axis[k], b = (a + 1) % 3, c = (a + 2) % 3;
    double *r = J + (row + k) * dof + 6 * body;
    r[a] += sign;
    r[3 + b] += sign * p[c]; /* (omega x p)_a = omega_b p_c - omega_c p_b */
    r[3 + c] -= sign * p[b];
  }
}

/* boxes <= 16, at most `floors` on each other; random sizes, masses, friction and velocities. */
static inline void random_boxes(generated *g, uint64_t seed, int boxes, int floors, double mu) {
  enum { MOST_DOF = 96 };
  static double J[MOST_ROWS * MOST_DOF];
  double mass[MOST_DOF], v[MOST_DOF], top = 0;
  uint64_t s = seed;
  int dof = 6 * boxes;
  memset(J, 0, sizeof J);
  for (int b = 0; b < boxes; b++) {
    double half[3], m = 1 + 0.9 * random_real(&s);
    half[0] = 1 + 0.3 * random_real(&s);
    half[1] = 1 + 0.3 * random_real(&s);
    half[2] = 0.5 + 0.3 * random_real(&s);
    for (int k = 0; k < 3; k++) {
      int i = (k + 1) % 3, j = (k + 2) % 3;
      mass[6 * b + k] = m;
      mass[6 * b + 3 + k] = m / 3 * (half[i] * half[i] + half[j] * half[j]);
      v[6 * b + k] = 0.3 * random_real(&s) - (k == 2 ? 1 : 0);
      v[6 * b + 3 + k] = 0.3 * random_real(&s);
    }
    bool ground = b % floors == 0;
    for (int c = 0; c < 4; c++) {
      double x = (c & 1 ? 1 : -1) * half[0], y = (c & 2 ? 1 : -1) * half[1];
      double p[3] = {x, y, -half[2]}, below[3] = {x, y, top};
      contact_rows(J, dof, 3 * (4 * b + c), b, p, 1);
      if (!ground) {
        contact_rows(J, dof, 3 * (4 * b + c), b - 1, below, -1);
      }
      g->contact[4 * b + c] = (pw_contact){PW_CONTACT, 3, mu * (1 + 0.5 * random_real(&s))};
    }
    top = half[2];
  }
  g->nc = 4 * boxes;
  reduce(g, 12 * boxes, dof, J, mass, v);
}

/* Contacts between random directions of a system with `dof` freedoms: full rank if dof >= rows. */
static inline void random_contacts(generated *g, uint64_t seed, int nc, int dim, int dof,
                                   double mu) {
  static double J[MOST_ROWS * 256];
  double mass[256], v[256];
  uint64_t s = seed;
  for (int i = 0; i < dim * nc * dof; i++) {
    J[i] = random_real(&s);
  }
  for (int i = 0; i < dof; i++) {
    mass[i] = 1 + 0.5 * random_real(&s);
    v[i] = random_real(&s);
  }
  for (int i = 0; i < nc; i++) {
    g->contact[i] = (pw_contact){PW_CONTACT, dim, mu};
  }
  g->nc = nc;
  reduce(g, dim * nc, dof, J, mass, v);
}

static inline pw_outcome solve_with_memory(const pw_friction *p, pw_friction_opts opts, double *r,
                                           pw_friction_info *info) {
  size_t blocks = p->nc > 0 ? (size_t)p->start[p->nc] : 0;
  size_t fill = (size_t)p->nc * (size_t)p->nc / 2;
  pw_friction_memory m = {
      malloc(((size_t)p->nc + 1) * sizeof *m.contact),
      malloc((pw_friction_solve_doubles(p->nc, blocks, fill) + 1) * sizeof *m.real),
      malloc((pw_friction_solve_ints(p->nc, blocks, fill) + 1) * sizeof *m.whole)};
  opts.fill = fill;
  pw_outcome outcome = pw_friction_solve(p, &opts, r, &m, info);
  free(m.contact);
  free(m.real);
  free(m.whole);
  return outcome;
}

#endif
