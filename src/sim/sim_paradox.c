// SPDX-License-Identifier: MIT
/* The instants with several motions, as the user sees them. */
#include <math.h>

#include "sim/sim_state.h"

static const pw_several *point_of(const pawl_sim *sim, int i) {
  bool there = sim != NULL && i >= 0 && i < sim->contacts.paradox.count;
  return there ? &sim->contacts.paradox.point[i] : NULL;
}

static bool has_branch(const pawl_sim *sim, int i, int branch) {
  const pw_several *p = point_of(sim, i);
  return p != NULL && branch >= 0 && branch < p->count;
}

int pawl_sim_paradoxes(const pawl_sim *sim) {
  return sim == NULL ? 0 : sim->contacts.paradox.count;
}

pawl_several pawl_sim_paradox(const pawl_sim *sim, int i) {
  const pw_several *p = point_of(sim, i);
  if (p == NULL) {
    return (pawl_several){.t = NAN, .chosen = -1};
  }
  int row = sim->sys->row_of[sim->sys->nc + p->law];
  return (pawl_several){.t = p->t,
                        .at = sim->model->rows.items[row].law,
                        .branches = p->count,
                        .complete = p->complete,
                        .chosen = p->chosen};
}

pawl_branch pawl_sim_branch(const pawl_sim *sim, int i, int branch) {
  if (!has_branch(sim, i, branch)) {
    return (pawl_branch){0};
  }
  size_t at = (size_t)(i * PW_PARADOX_BRANCHES + branch);
  const pw_paradox *p = &sim->contacts.paradox;
  return (pawl_branch){.a = p->a + at * (size_t)sim->sys->nv,
                       .force = p->force + at * (size_t)sim->model->rows.n};
}

const char *pawl_sim_branch_mode(const pawl_sim *sim, int i, int branch, int law) {
  static const char *const names[] = {NULL, "open", "closed", "stick", "slip"};
  if (!has_branch(sim, i, branch) || law < 0 || law >= sim->model->rows.n) {
    return NULL;
  }
  size_t at = (size_t)(i * PW_PARADOX_BRANCHES + branch);
  return names[sim->contacts.paradox.mode[at * (size_t)sim->model->rows.n + (size_t)law]];
}
