// SPDX-License-Identifier: MIT
#include "system/view.h"

#include <math.h>

#include "linalg/dense.h"

/* Output number `at` of a tape with `count` coefficients per output. */
static double coefficient(const double *out, int at, int count, int j) {
  return out == NULL ? NAN : out[(size_t)at * (size_t)count + (size_t)j];
}

pw_law_row pw_view_law_series(const pw_system *sys, pw_law_view view, int law, int order, int j) {
  int n = order + 1;
  return (pw_law_row){
      .form = &sys->law[law],
      .value = coefficient(view.contact, pw_view_law_at(sys, law, PW_VIEW_VALUE), n, j),
      .rate = coefficient(view.contact, pw_view_law_at(sys, law, PW_VIEW_RATE), n, j),
      .zeta = coefficient(view.contact, pw_view_law_at(sys, law, PW_VIEW_ZETA), n, j),
      .left = coefficient(view.graph, pw_view_graph_at(law, false), n, j),
      .right = coefficient(view.graph, pw_view_graph_at(law, true), n, j),
      .restitution = coefficient(view.clause, pw_view_restitution_at(law), n, j),
      .limit = coefficient(view.clause, pw_view_limit_at(sys, law), n, j),
  };
}

pw_law_row pw_view_law(const pw_system *sys, pw_law_view view, int law) {
  pw_law_row row = pw_view_law_series(sys, view, law, 0, 0);
  row.J = view.contact == NULL ? NULL : view.contact + pw_view_law_at(sys, law, PW_VIEW_HEAD);
  return row;
}

void pw_view_no_direction(const pw_system *sys, double *graph) {
  for (int i = 0; i < sys->ni; i++) {
    double *above = &graph[pw_view_graph_at(i, true)];
    *above = sys->law[i].group >= 0 && isnan(*above) ? 0 : *above;
  }
}

const double *pw_view_slope_whole(const pw_system *sys, const double *J, int row, double *room) {
  pw_slope_view x = pw_view_slope(sys, J, row);
  if (x.at == NULL) {
    return x.value;
  }
  pw_zero(room, sys->nv);
  for (int i = 0; i < x.n; i++) {
    room[x.at[i]] = x.value[i];
  }
  return room;
}

double pw_view_slope_dot(pw_slope_view slope, const double *v) {
  if (slope.at == NULL) {
    return pw_dot(slope.value, v, slope.n);
  }
  double sum = 0;
  for (int i = 0; i < slope.n; i++) {
    sum += slope.value[i] * v[slope.at[i]];
  }
  return sum;
}
