// SPDX-License-Identifier: MIT
/* The method of models with piles: `moreau`, with rows that are found on the way. */
#include <string.h>

#include "sim/sim_state.h"

static bool refuses(const pw_system *sys, pawl_diags *diags) {
  const pw_pile *pile = &sys->model->piles.items[0];
  const char *why = pw_model_other_rows(sys->model) > 0   ? "no other laws may stand beside it"
                    : sys->n_state > 0                    ? "multipliers that are states"
                    : pw_first_signal(sys->model) != NULL ? "signals"
                    : sys->model->piles.n > PW_MOST_PILES ? "there are more than 64 contacts"
                                                          : NULL;
  if (why == NULL) {
    return false;
  }
  pw_diag_ref d = pw_error(diags, "E0272", pile->span,
                           "method `moreau` cannot step contact `%s` in this model", pile->name);
  pw_label(d, "%s", why);
  pw_help(d, "`method event` treats contacts together with all other laws");
  return true;
}

static void lay_out(pawl_sim *sim, pw_layout *l) {
  pw_heap_lay_out(&sim->heap, sim->sys, l);
}

static void init(pawl_sim *sim) {
  pw_stepper *s = &sim->stepper;
  pw_stepper_map(s, pw_heap_step, &sim->heap);
}

static pawl_status after(pawl_sim *sim) {
  sim->contacts.pending = *sim->heap.n_log > 0;
  return PAWL_OK;
}

static pawl_status handle(pawl_sim *sim) {
  sim->contacts.pending = false;
  return PAWL_OK;
}

static void forces(pawl_sim *sim) {
  if (*sim->heap.length > 0) {
    memcpy(sim->mech->a, sim->heap.mean, (size_t)sim->sys->nv * sizeof *sim->heap.mean);
  }
}

bool pw_sim_is_heap(const pawl_sim *sim) {
  return sim->method == &pw_heap_method;
}

int pawl_sim_meetings(const pawl_sim *sim) {
  return sim == NULL || sim->method != &pw_heap_method ? 0 : *sim->heap.n_known;
}

pawl_meeting pawl_sim_meeting(const pawl_sim *sim, int i) {
  if (i < 0 || i >= pawl_sim_meetings(sim)) {
    return (pawl_meeting){0};
  }
  const pw_heap_known *k = &sim->heap.known[i];
  pawl_meeting out = {.contact = sim->model->piles.items[k->pile].name,
                      .first = sim->sys->scene->shape[k->shape[0]].name,
                      .second = sim->sys->scene->shape[k->shape[1]].name,
                      .point = k->point,
                      .force = k->force[0],
                      .mode = !k->closed  ? PAWL_MEETS_LEAVES
                              : k->slides ? PAWL_MEETS_SLIDES
                                          : PAWL_MEETS_STICKS};
  for (int c = 0; c < 3; c++) {
    out.x[c] = k->x[c];
    out.normal[c] = k->normal[c];
    out.across[c] = k->force[1] * k->tangent[0][c] + k->force[2] * k->tangent[1][c];
  }
  return out;
}

const pw_method pw_heap_method = {.name = "moreau",
                                  .rk = &pw_hermite,
                                  .fixed = true,
                                  .together = true,
                                  .refuses = refuses,
                                  .lay_out = lay_out,
                                  .init = init,
                                  .after = after,
                                  .handle = handle,
                                  .forces = forces};
