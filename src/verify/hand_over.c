// SPDX-License-Identifier: MIT
/* A motion in which events and steps take turns: each part is judged as its method asks, and the
 * state at which one hands over to the other must be the same, certificates section 13. */
#include <math.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_verify.h"
#include "verify/checker.h"

/* Findings that are distances in parts with events, and parts of the sizes of shapes in steps. */
static const pw_finding_kind apart[PW_HAND_FINDINGS] = {PW_FINDING_GAP, PW_FINDING_POSITION,
                                                        PW_FINDING_VELOCITY};

/* Those of the other kind of part come to the front. */
static void swap_findings(pw_hand *x, pw_verify_found *found) {
  for (int i = 0; i < PW_HAND_FINDINGS; i++) {
    pw_verify_found *f = &found[apart[i]], other = x->aside[i];
    x->aside[i] = *f;
    *f = other;
  }
}

/* Where one part ends the next one begins, up to what the hand-over puts right. */
static void judge_hand_over(pawl_certifier *c, double t, const double *state) {
  const pw_system *s = c->sys;
  const pw_own *o = &c->own;
  if (!o->any || !(c->scale.V0 > 0 && c->scale.L0 > 0)) {
    return;
  }
  double *du = c->room.scratch, tol = PW_SCALE(CERT_STEP), sum = 0;
  double far = pw_verify_distance(s->model, c->scale.mass, state, o->end);
  pw_found_note(&c->record, PW_FINDING_CONTINUITY,
                pw_found(far / c->scale.L0, tol, t, -1, PW_RULE_STEP));
  pw_verify_jump_of(s, state + s->nq, o->end + s->nq, du);
  for (int i = 0; i < s->nv; i++) {
    sum += c->scale.mass[i] * du[i] * c->scale.mass[i] * du[i];
  }
  pw_found_note(&c->record, PW_FINDING_BREAK,
                pw_found(sqrt(sum) / c->scale.V0, tol, t, -1, PW_RULE_STEP));
}

void pw_hand_begin(pawl_certifier *c) {
  pw_hand *x = &c->hand;
  bool scene = c->scenes.scene != NULL;
  x->both = scene && pw_model_has_pairs(c->sys->model);
  x->steps = scene && !x->both;
  for (int i = 0; i < PW_HAND_FINDINGS; i++) {
    x->aside[i] = pw_found_none();
  }
}

void pw_hand_to(pawl_certifier *c, const pw_segment *g) {
  pw_hand *x = &c->hand;
  pw_owed *owed = &c->jumps.owed;
  if (!x->both || x->steps == g->by_steps) {
    return;
  }
  owed->value = 0; /* an impact that is due comes by the other method */
  pw_energy_cut(c);
  if (!(g->from > c->own.to)) { /* else the time between is not stored */
    judge_hand_over(c, g->from, g->value);
  }
  pw_own_restart(c, g->value);
  x->steps = g->by_steps;
  pw_steps_take(&c->steps, g->by_steps ? PW_SCHEME_MOREAU : PW_SCHEME_EVENTS);
  pw_scenes_forget(&c->scenes);
  swap_findings(x, c->record.found);
}

void pw_hand_show_events(pawl_certifier *c) {
  pw_hand *x = &c->hand;
  if (x->both && x->steps) {
    swap_findings(x, c->record.found);
    x->steps = false;
  }
}

void pw_hand_merge(pawl_certifier *c) {
  for (int i = 0; i < PW_HAND_FINDINGS; i++) {
    if (!isnan(c->hand.aside[i].t)) {
      pw_found_note(&c->record, apart[i], c->hand.aside[i]);
    }
  }
}
