// SPDX-License-Identifier: MIT
/* What fixed the impulses of a problem that was just solved, for a log of jumps. */
#include <math.h>

#include "law/scale_sim.h"
#include "linalg/dense.h"
#include "sim/impact.h"

static bool is_taken(const pw_impact *p, int row) {
  return pw_local_place(&p->local, row) >= 0;
}

/* A slip on a contact that carries the impulse `normal`. */
static pw_jump_rule slip_rule(const pw_impact *p, int row, double normal, double *heading) {
  double most = p->law[row - p->sys->nc].mu * normal, x = p->scratch.part[row];
  if (!(normal > 0)) {
    return PW_JUMP_NONE;
  }
  if (fabs(x) < most * (1 - PW_SCALE(SAME_FORCE))) {
    return PW_JUMP_RATE;
  }
  *heading = x != 0 ? -x / most : p->rate[row] < 0 ? -1 : 1;
  return PW_JUMP_SLIDE;
}

static pw_jump_rule contact_rule(const pw_impact *p, int row, const pw_phase_rule *rule) {
  double e = rule->least_impulse == 0 ? 0 : rule->least_impulse * p->law[row - p->sys->nc].e;
  double least = e == 0 ? 0 : e * p->scratch.squeeze[row], x = p->scratch.part[row];
  bool more = fabs(x) > fabs(least) * (1 + PW_SCALE(SAME_FORCE));
  return more ? PW_JUMP_RATE : least != 0 ? PW_JUMP_LEAST : PW_JUMP_NONE;
}

static void note_disks(const pw_impact *p, pw_jump_slot *to) {
  for (int i = 0; i < p->n_disk; i++) {
    const pw_disk *d = &p->disk[i];
    bool acts = p->scratch.part[d->normal] > 0;
    for (int k = 0; k < d->width; k++) {
      to->rule[d->row + k] = !acts ? PW_JUMP_NONE : d->slides ? PW_JUMP_SLIDE : PW_JUMP_RATE;
      to->heading[d->row + k] = d->slides ? d->d[k] : 0;
    }
  }
}

static void note_phase(const pw_impact *p, pw_phase phase, pw_jump_slot *to) {
  pw_phase_rule rule = pw_phase_rule_of(phase);
  for (int i = p->sys->nc; i < p->sys->nr; i++) {
    const pw_law_form *form = &p->sys->law[i - p->sys->nc];
    if (!is_taken(p, i) || pw_in_plane(form)) {
      continue;
    }
    if (pw_is_coulomb(form)) {
      to->rule[i] =
          (unsigned char)slip_rule(p, i, p->scratch.part[p->sys->nc + form->on], &to->heading[i]);
    } else if (pw_is_rough(form)) {
      to->rule[i] = PW_JUMP_RATE;
    } else {
      to->rule[i] = (unsigned char)contact_rule(p, i, &rule);
    }
  }
  note_disks(p, to);
}

static void note_hold(const pw_impact *p, const unsigned char *hold, pw_jump_slot *to) {
  for (int i = p->sys->nc; i < p->sys->nr; i++) {
    int law = i - p->sys->nc, on = p->sys->law[law].on;
    if (hold[law] == PW_HOLD_AT || (hold[law] == PW_HOLD_ABOVE && p->scratch.part[i] != 0)) {
      to->rule[i] = PW_JUMP_RATE;
    } else if (on >= 0 && hold[on] == PW_HOLD_AT && hold[law] == PW_HOLD_NOT) {
      to->rule[i] = PW_JUMP_SLIDE;
      to->heading[i] = p->law[law].heading;
    }
  }
}

void pw_impact_note(pw_impact *p, const pw_frame *f, pw_phase phase, const unsigned char *hold) {
  pw_jump_slot to;
  struct pw_jump_head head = {.phase = phase,
                              .holds = hold != NULL,
                              .anew = phase != PW_PHASE_EXPANSION && phase != PW_PHASE_PROJECTION};
  if (p->log == NULL || !pw_jump_log_add(p->log, head, &to)) {
    return;
  }
  pw_copy(to.after, p->velocity, f->n);
  pw_copy(to.before, p->velocity, f->n);
  pw_axpy(-1, p->local.moved, to.before, f->n);
  pw_frame_back(f, to.after);
  pw_frame_back(f, to.before);
  pw_copy(to.impulse, p->scratch.part, f->m);
  for (int i = 0; i < p->sys->nc; i++) {
    to.rule[i] = PW_JUMP_RATE;
  }
  if (hold != NULL) {
    note_hold(p, hold, &to);
  } else {
    note_phase(p, phase, &to);
  }
}
