// SPDX-License-Identifier: MIT
/* What a law costs: whether it changes the energy, and whether the motion could run backwards. */
#include "mech/handle.h"

/* By kind: without and with an entry of work in the ledger. NULL: as without. */
static const char *const costs[PW_KIND_COUNT][2] = {
    [PW_KIND_HOLONOMIC] = {"no work, reversible", NULL},
    [PW_KIND_RHEONOMIC] = {"no work, reversible", "its drive does work"},
    [PW_KIND_NONHOLONOMIC] = {"no work, reversible", "does work, as it is not homogeneous"},
    [PW_KIND_UNILATERAL] = {"no work between impacts, which lose energy for a restitution below 1",
                            "it moves and does work"},
    [PW_KIND_ONE_SIDED_VELOCITY] = {"no work; letting go and gripping is irreversible",
                                    "does work; letting go and gripping is irreversible"},
    [PW_KIND_FRICTION] = {"loses energy, irreversible", NULL},
    [PW_KIND_ROUGH] = {"no work between impacts", NULL},
    [PW_KIND_SPRING] = {"stores energy, reversible", NULL},
    [PW_KIND_LAW] = {"energy by its graph: stored over a stretch, lost over a slip", NULL},
    [PW_KIND_SERVO] = {"the control force does work", NULL},
    [PW_KIND_VAKONOMIC] = {"multiplier is a state; no work, reversible with its sign turned",
                           "multiplier is a state; does work"},
    [PW_KIND_INERTIA] = {"multiplier is a state; its control does work", NULL},
    [PW_KIND_VISCOUS] = {"loses energy, irreversible; within O(1/N) of the ideal constraint", NULL},
};

const char *pw_law_cost(const pw_system *sys, const pw_model *model, int row) {
  const char *const *cost = costs[model->rows.items[row].kind];
  bool works = false;
  for (int k = 0; sys != NULL && k < sys->n_work; k++) {
    const pw_work *w = &sys->work[k];
    works = works || (w->row >= 0 && !w->lost && sys->row_of[w->row] == row);
  }
  return works && cost[1] != NULL ? cost[1] : cost[0];
}
