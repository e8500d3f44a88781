// SPDX-License-Identifier: MIT
/* Where three and more pieces p_1, ..., p_n of a maximum meet, -force is a convex combination of
 * their gradients, potentials (P9). With p_k on top the law of each pair (k, i) has a weight w_i in
 * [0, 1]; the weight 1 - sum w_i of p_k itself is not negative for one k at least. */
#include <math.h>

#include "law/scale_static.h"
#include "static/gauss.h"

static const pw_clauses *clauses(const pawl_gauss *g, int row) {
  return &g->sys->model->rows.items[g->sys->row_of[row]].clause;
}

/* Sum of the forces of the pairs of the maximum that begins with row `first`, over its slope. */
static double weights(const pawl_gauss *g, int first, int *top) {
  const pw_static_solution *x = &g->when[PAWL_RIGHT].item[0];
  double sum = 0, slope = 0;
  for (int i = g->sys->nc; i < g->sys->nr; i++) {
    const pw_clauses *c = clauses(g, i);
    const pw_law_row *row = &g->row[i].law;
    if (c->several != first || !g->row[i].sign.at_kink || row->left == row->right) {
      continue;
    }
    *top = row->left < 0 ? c->piece[0] : c->piece[1];
    slope = fmax(slope, row->right - row->left);
    sum += fabs(x->lambda[i]);
  }
  return slope > 0 ? sum / slope : 0;
}

/* The next of the pieces that meet comes on top of all others. */
static void turn(pawl_gauss *g, int first, int top) {
  const pw_system *s = g->sys;
  int next = -1, least = -1;
  for (int i = s->nc; i < s->nr; i++) {
    const pw_clauses *c = clauses(g, i);
    for (int k = 0; k < 2 && c->several == first && g->row[i].sign.at_kink; k++) {
      int piece = c->piece[k];
      next = piece > top && (next < 0 || piece < next) ? piece : next;
      least = least < 0 || piece < least ? piece : least;
    }
  }
  next = next < 0 ? least : next;
  for (int i = 0; i < s->n_switch; i++) {
    int row = s->surface[i].law < 0 ? -1 : s->nc + s->surface[i].law;
    const pw_clauses *c = row < 0 ? NULL : clauses(g, row);
    if (c != NULL && c->several == first && g->row[row].sign.at_kink) {
      g->forced[i] = c->piece[0] == next ? 1 : c->piece[1] == next ? -1 : g->side[i];
    }
  }
}

bool pw_static_turn_top(pawl_gauss *g) {
  const pw_system *s = g->sys;
  if (g->when[PAWL_RIGHT].count == 0 || g->turns > s->ni) {
    return false;
  }
  for (int i = s->nc; i < s->nr; i++) {
    int first = clauses(g, i)->several, top = -1;
    if (first == s->row_of[i] && weights(g, first, &top) > 1 + PW_SCALE(SAME_MOTION)) {
      if (g->forced == NULL) {
        g->forced = PW_TAKE(&g->arena, s->n_switch + 1, double);
        for (int k = 0; k < s->n_switch; k++) {
          g->forced[k] = 0;
        }
      }
      g->turns++;
      turn(g, first, top);
      return true;
    }
  }
  return false;
}
