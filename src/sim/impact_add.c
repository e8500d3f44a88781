// SPDX-License-Identifier: MIT
/* What a solution does to rates, velocity and energies. Impulses of few contacts change the rates
 * of few rows, those that move the same velocities: no others are looked at. */
#include "base/entries.h"
#include "linalg/dense.h"
#include "sim/impact.h"
#include "system/moved.h"

/* Work of an impulse along a covector Phi: Lambda Phi (u- + u+)/2. */
static double driven_work(const pw_impact *p, const pw_frame *f, int row) {
  const double *phi = f->phi + (size_t)row * (size_t)f->n;
  double twice = 2 * pw_dot(phi, p->velocity, f->n) + pw_dot(phi, p->local.moved, f->n);
  return p->scratch.part[row] * f->phi_length[row] * twice / 2;
}

/* One row. */
static void add_to_row(pw_impact *p, const pw_frame *f, int i) {
  double old = p->rate[i];
  p->rate[i] += f->length[i] * pw_frame_dot(f, i, p->local.moved);
  if (p->sys->row[i].by >= 0) {
    p->impulse[i] += p->scratch.part[i];
    p->work[i] += driven_work(p, f, i);
  } else if (p->scratch.part[i] != 0) {
    double still = f->rate[i] - f->length[i] * pw_frame_dot(f, i, f->c_velocity);
    p->impulse[i] += p->scratch.part[i];
    p->energy[i] += p->scratch.part[i] * (old + p->rate[i]) / 2;
    p->work[i] -= p->scratch.part[i] * still;
  }
}

/* Lists the rows that move one of the velocities that row i moves. */
static void list_near(pw_impact *p, const pw_system *sys, int i) {
  pw_moved_list moves = pw_moved_by(sys, i);
  for (int v = 0; v < moves.n; v++) {
    pw_moved_list rows = pw_moved_movers(sys, moves.at[v]);
    for (int e = 0; e < rows.n; e++) {
      p->scratch.near[p->scratch.n_near] = rows.at[e];
      p->scratch.n_near += !p->scratch.met[rows.at[e]];
      p->scratch.met[rows.at[e]] = 1;
    }
  }
}

/* Rows whose rates the impulses p->scratch.part change: p->scratch.near. */
static void find_near(pw_impact *p, const pw_frame *f) {
  bool known = f->sys != NULL && f->sys->pattern.moved != NULL;
  p->scratch.n_near = 0;
  for (int i = 0; i < f->m && !known; i++) {
    p->scratch.near[p->scratch.n_near++] = i;
  }
  for (int i = pw_next_entry(p->scratch.part, 0, f->m); i < f->m && known;
       i = pw_next_entry(p->scratch.part, i + 1, f->m)) {
    list_near(p, f->sys, i);
  }
}

void pw_impact_add(pw_impact *p, const pw_frame *f) {
  pw_axpy(-1, p->local.c, p->local.moved, f->n);
  find_near(p, f);
  for (int k = 0; k < p->scratch.n_near; k++) {
    add_to_row(p, f, p->scratch.near[k]);
    p->scratch.met[p->scratch.near[k]] = 0;
  }
  for (int k = 0; k < p->local.k; k++) {
    p->scratch.shared[p->local.row[k]] |= p->local.shared[k] != 0;
  }
  pw_axpy(1, p->local.moved, p->velocity, f->n);
}
