// SPDX-License-Identifier: MIT
/* Rows of one maximum of three and more pieces share their weights, potentials (P9): with the piece
 * p_k on top, row i has -force c w_i with w_i >= 0, sum w_i <= 1. The set of all of them is the
 * polytope with the corners 0 and c e_i, so that its support function is not a sum over rows:
 *   sup f.d = max(0, max_i c d_i). */
#include <math.h>

#include "static/gauss.h"

static int maximum_of(const pawl_gauss *g, int row) {
  return row < g->sys->nc ? -1 : g->sys->model->rows.items[g->sys->row_of[row]].clause.several;
}

int pw_static_next_coupled(const pawl_gauss *g, int row) {
  int which = maximum_of(g, row);
  for (int i = row + 1; i < g->sys->nr && which >= 0; i++) {
    if (maximum_of(g, i) == which) {
      return i;
    }
  }
  return -1;
}

bool pw_static_leads(const pawl_gauss *g, int row) {
  int which = maximum_of(g, row);
  for (int i = g->sys->nc; i < row && which >= 0; i++) {
    if (maximum_of(g, i) == which) {
      return false;
    }
  }
  return true;
}

/* The far end of an interval with zero as its other end; 0 of a point, which has no weight left. */
static double far_end(const pw_law_set *set) {
  if (set->lo == set->hi) {
    return 0;
  }
  return fabs(set->lo) > fabs(set->hi) ? set->lo : set->hi;
}

/* Nearest x with x_i = C_i w_i, w in the polytope: w_i = max(0, z_i - m/C_i)/C_i. Rows whose w
 * would be negative leave one after the other (Michelot). */
void pw_static_project_coupled(const pawl_gauss *g, const pw_law_set *set, int row, double *x) {
  for (;;) {
    double above = -1, weight = 0;
    for (int i = row; i >= 0; i = pw_static_next_coupled(g, i)) {
      double C = far_end(&set[i]);
      x[i] = C == 0 ? set[i].lo : x[i] / C < 0 ? 0 : x[i];
      if (C != 0 && x[i] != 0) {
        above += x[i] / C;
        weight += 1 / (C * C);
      }
    }
    if (!(above > 0)) {
      return;
    }
    bool leaves = false;
    for (int i = row; i >= 0; i = pw_static_next_coupled(g, i)) {
      double C = far_end(&set[i]), down = above / weight / C;
      leaves = leaves || (C != 0 && x[i] != 0 && x[i] / C <= down / C);
    }
    for (int i = row; i >= 0; i = pw_static_next_coupled(g, i)) {
      double C = far_end(&set[i]), down = above / weight / C;
      bool gone = C != 0 && x[i] != 0 && x[i] / C <= down / C;
      x[i] = gone ? 0 : leaves || C == 0 || x[i] == 0 ? x[i] : x[i] - down;
    }
    if (!leaves) {
      return;
    }
  }
}

/* By how much the force of a piece would grow the potential of accelerations. */
static double lift(const pawl_gauss *g, const double *y, int i) {
  return g->row[i].sign.at_kink ? -far_end(&g->row[i].set) * y[i] : 0;
}

/* Pieces that rise as the highest one does. */
static int count_highest(const pawl_gauss *g, const double *y, int row, double most, double room) {
  int count = 0;
  for (int i = row; i >= 0; i = pw_static_next_coupled(g, i)) {
    count += lift(g, y, i) >= most - room;
  }
  return count;
}

void pw_static_highest_piece(const pawl_gauss *g, const double *y, pw_law_set *set) {
  for (int row = g->sys->nc; row < g->sys->nr; row++) {
    double most = 0, room = 0;
    if (pw_static_next_coupled(g, row) < 0 || !pw_static_leads(g, row)) {
      continue;
    }
    for (int i = row; i >= 0; i = pw_static_next_coupled(g, i)) {
      most = fmax(most, lift(g, y, i));
      room = fmax(room, pw_static_tiny(g, i) * fabs(far_end(&g->row[i].set)));
    }
    int count = most > room ? count_highest(g, y, row, most, room) : 0;
    for (int i = row; i >= 0 && count > 0; i = pw_static_next_coupled(g, i)) {
      bool highest = lift(g, y, i) >= most - room;
      set[i] = !highest ? pw_law_point(0) : count > 1 ? g->row[i].set : set[i];
    }
  }
}
