// SPDX-License-Identifier: MIT
/* Corners and tips of gaps that are no rows: where the second difference of a gap along a
 * coordinate shrinks with the step and not with its square, potentials (P16), its gradient jumps
 * here, and no normal is determined. */
#include <math.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_model.h"
#include "law/scale_static.h"
#include "mech/start.h"
#include "static/gauss.h"

typedef struct probe {
  pawl_gauss *g;
  double *q, *side, *scratch; /* of a neighbour */
  double *gap[5];             /* ni each: at -2, -1, 0, 1 and 2 steps */
} probe;

static bool gaps_at(probe *p, int coord, double step, double *gap) {
  pawl_gauss *g = p->g;
  memcpy(p->q, g->q, (size_t)g->sys->nq * sizeof *p->q);
  p->q[coord] += step;
  bool ok = pw_start_sides(g->mech, g->t, p->q, g->u, p->side, p->scratch) == PAWL_OK;
  pw_mech_gaps(g->mech, g->t, p->q, g->u, p->side, gap);
  return ok;
}

static bool jumps(const probe *p, int i, double size) {
  double here = p->gap[2][i];
  double near = p->gap[1][i] + p->gap[3][i] - 2 * here;
  double far = p->gap[0][i] + p->gap[4][i] - 2 * here;
  bool seen = fabs(near) > PW_SCALE(CORNER_SEEN) * size;
  return seen && fabs(log2(fabs(far) / fabs(near)) - 1) < PW_SCALE(KINK_ORDER);
}

static bool is_contact(const pw_law_form *form) {
  return pw_law_is_wall(form) && !form->on_velocity && form->face < 0;
}

bool *pw_static_corners(pawl_gauss *g) {
  const pw_system *s = g->sys;
  bool *corner = PW_TAKE(&g->arena, s->ni + 1, bool);
  probe p = {.g = g, .q = PW_TAKE(&g->arena, s->nq + 1, double)};
  p.side = PW_TAKE(&g->arena, s->n_switch + 1, double);
  p.scratch = PW_TAKE(&g->arena, 3 * s->n_sides + 1, double);
  for (int k = 0; k < 5; k++) {
    p.gap[k] = PW_TAKE(&g->arena, s->ni + 1, double);
  }

  /* Sizes of the positions; a corner at the origin shows no other length than 1. */
  double size = 0;
  for (int i = 0; i < s->model->nq; i++) {
    size = fmax(size, fabs(g->q[i]));
  }
  size = size > 0 ? size : 1;
  for (int i = 0; i < s->model->nq; i++) {
    bool known = true;
    for (int k = -2; k <= 2; k++) {
      known = gaps_at(&p, i, k * PW_SCALE(CORNER_STEP) * size, p.gap[k + 2]) && known;
    }
    for (int k = 0; k < s->ni && known; k++) {
      corner[k] = corner[k] || (is_contact(&s->law[k]) && jumps(&p, k, size));
    }
  }
  return corner;
}
