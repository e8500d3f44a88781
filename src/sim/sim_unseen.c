// SPDX-License-Identifier: MIT
/* What enclosures left undecided, as the user sees it. */
#include <math.h>

#include "sim/sim_state.h"

int pawl_sim_unseen_count(const pawl_sim *sim) {
  return sim == NULL ? 0 : sim->stepper.sight.unseen.n;
}

static const char *kind_name(pw_unseen_kind kind) {
  static const char *const names[] = {[PW_UNSEEN_COORD] = "force",
                                      [PW_UNSEEN_ROW] = "law",
                                      [PW_UNSEEN_SURFACE] = "switch",
                                      [PW_UNSEEN_EVENT] = "event"};
  return names[kind];
}

static const char *name_of(const pawl_sim *sim, const pw_unseen_place *p, pw_span *span) {
  const pw_model *m = sim->model;
  switch (p->kind) {
  case PW_UNSEEN_COORD:
    *span = m->coords.items[p->index].span;
    return m->coords.items[p->index].name;
  case PW_UNSEEN_ROW: {
    const pw_row *row = &m->rows.items[sim->sys->row_of[p->index]];
    *span = row->span;
    return row->law;
  }
  case PW_UNSEEN_SURFACE:
    *span = sim->sys->surface[p->index].span;
    return sim->sys->surface[p->index].word;
  default: {
    const pw_event_def *d = &m->events.items[sim->sys->root.of[p->index]];
    *span = d->span;
    return d->name;
  }
  }
}

pawl_unseen pawl_sim_unseen(const pawl_sim *sim, int i) {
  if (i < 0 || i >= pawl_sim_unseen_count(sim)) {
    return (pawl_unseen){.from = NAN, .to = NAN};
  }
  const pw_unseen_place *p = &sim->stepper.sight.unseen.place[i];
  pw_span span;
  const char *name = name_of(sim, p, &span);
  return (pawl_unseen){.from = p->from, .to = p->to, .kind = kind_name(p->kind), .at = name};
}

static bool was_told(const pw_unseen *u, int i) {
  for (int k = 0; k < i; k++) {
    if (u->place[k].kind == u->place[i].kind && u->place[k].index == u->place[i].index) {
      return true;
    }
  }
  return false;
}

void pw_unseen_announce(pawl_sim *sim, pawl_diags *diags) {
  pw_unseen *u = &sim->stepper.sight.unseen;
  for (; u->told < u->n; u->told++) {
    const pw_unseen_place *p = &u->place[u->told];
    if (was_told(u, u->told)) {
      continue;
    }
    pw_span span;
    const char *name = name_of(sim, p, &span);
    pw_diags_use_sources(diags, &sim->system->sources);
    pw_diag_ref ref = pw_warning(diags, "W0502", span,
                                 "something short may have been missed at t = %.9g (%s `%s`)",
                                 p->from, kind_name(p->kind), name);
    pw_label(ref, "no enclosure tells what it does there for a time of %.0e", p->to - p->from);
    pw_help(
        ref,
        "write the expression so that it is defined and smooth there, see `pawl explain W0502`");
    pw_diags_use_sources(diags, NULL);
  }
}
