// SPDX-License-Identifier: MIT
/* Energy and reversibility of a law: whether it changes the energy, and whether the motion could
 * run backwards. */
#include "mech/handle.h"

/* By kind: without and with an entry of work in the ledger. NULL: as without. */
static const char *const costs[PW_KIND_COUNT][2] = {
    [PW_KIND_HOLONOMIC] = {"no work, reversible", NULL},
    [PW_KIND_RHEONOMIC] = {"no work, reversible",
                           "its drive does work; reversible with the drive run backwards"},
    [PW_KIND_NONHOLONOMIC] = {"no work, reversible",
                              "does work, as it is not homogeneous; irreversible"},
    [PW_KIND_UNILATERAL] = {"no work between impacts, which lose energy for a restitution below 1 "
                            "and are irreversible then",
                            "it moves and does work; impacts lose energy for a restitution below "
                            "1 and are irreversible then"},
    [PW_KIND_ONE_SIDED_VELOCITY] = {"no work; letting go and gripping is irreversible",
                                    "does work; letting go and gripping is irreversible"},
    [PW_KIND_FRICTION] = {"loses energy, irreversible", NULL},
    [PW_KIND_ROUGH] = {"no work between impacts; reversible where they keep the energy", NULL},
    [PW_KIND_SPRING] = {"stores energy, reversible", NULL},
    [PW_KIND_LAW] =
        {"energy by its graph: stored over a stretch, lost over a slip, which is irreversible",
         NULL},
    [PW_KIND_KINK] = {"its energy is part of the potential; of a dissipation it is lost, which is "
                      "irreversible",
                      NULL},
    [PW_KIND_SERIES] = {"loses energy, irreversible", NULL},
    [PW_KIND_TOUCH] = {"no work; what stops has no inertia and loses nothing", "it moves and does "
                                                                               "work"},
    [PW_KIND_SERVO] = {"the control force does work; reversible if its target is", NULL},
    [PW_KIND_VAKONOMIC] = {"multiplier is a state; no work, reversible with its sign turned",
                           "multiplier is a state; does work; reversible if its target is"},
    [PW_KIND_INERTIA] =
        {"multiplier is a state; its control does work; reversible if target and phi are", NULL},
};

/* Servos that can go slack are described separately. */
static const char *cost_of_switched(const pw_row *row) {
  switch (row->kind) {
  case PW_KIND_SERVO:
    return row->clause.one_way
               ? "the control force does work, pushes one way only and else is slack: irreversible"
               : "the control force does work; lets go where its sign would turn: irreversible";
  case PW_KIND_VAKONOMIC:
    return "multiplier is a state >= 0; from a start there is in general no way on: see `pawl bvp`";
  case PW_KIND_INERTIA:
    return pw_is_complementary(row) ? "multiplier is a state >= 0, zero off the constraint; its "
                                      "control does work; irreversible"
                                    : "multiplier is a state >= 0, constant off the constraint; "
                                      "its control does work; irreversible";
  default: return NULL;
  }
}

/* A constant restitution determines the energy lost in impacts. */
static const char *cost_of_impacts(const pw_model *model, const pw_row *row) {
  pw_node e = row->clause.restitution;
  if (row->kind != PW_KIND_UNILATERAL || e < 0 || !pw_is_const(model->dag, e)) {
    return NULL;
  }
  double value = pw_node_value(model->dag, e);
  return value == 1  ? "no work, impacts keep the energy, reversible"
         : value < 1 ? "no work between impacts, which lose energy: irreversible"
                     : "no work between impacts, which gain energy: irreversible";
}

static const char *cost_of_viscous(const pw_row *row) {
  bool both = row->stmt->u.law.rel.op == PW_REL_EQ;
  if (!row->on_velocity) {
    return both
               ? "gives way to both sides; loses energy, irreversible; stores some in its stiffness"
               : "gives way; loses energy, irreversible; stores some in its stiffness";
  }
  return both ? "gives way to both sides; loses energy, irreversible; within O(1/N) of the ideal "
                "constraint"
              : "gives way; loses energy, irreversible; within O(1/N) of the ideal constraint";
}

const char *pw_law_cost(const pw_system *sys, const pw_model *model, int row) {
  const pw_row *r = &model->rows.items[row];
  const char *const *cost = costs[r->kind], *switched = NULL;
  if (!pw_row_is_equality(r)) {
    switched = cost_of_switched(r);
  }
  bool works = false;
  for (int k = 0; sys != NULL && k < sys->n_work; k++) {
    const pw_work *w = &sys->work[k];
    works = works || (w->row >= 0 && !w->lost && sys->row_of[w->row] == row);
  }
  if (switched != NULL) {
    return switched;
  }
  if (r->kind == PW_KIND_VISCOUS) {
    return cost_of_viscous(r);
  }
  if (!works && cost_of_impacts(model, r) != NULL) {
    return cost_of_impacts(model, r);
  }
  return works && cost[1] != NULL ? cost[1] : cost[0];
}
