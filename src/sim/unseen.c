// SPDX-License-Identifier: MIT
#include "sim/unseen.h"

#include <math.h>

#include "law/scale_sim.h"
#include "sim/radau.h"
#include "sim/step.h"
#include "sim/tube.h"

enum {
  SEEN_LEVEL = 1,    /* halves of a step contain stages */
  MOST_PIECES = 4096 /* of one step; what is left of it becomes the next */
};

void pw_unseen_note(pw_stepper *s, pw_unseen_kind kind, int index, double from, double to) {
  pw_unseen *u = &s->sight.unseen;
  for (int i = u->n - 1; i >= 0; i--) {
    pw_unseen_place *p = &u->place[i];
    if (p->kind == kind && p->index == index && from <= p->to && to >= p->from) {
      p->from = fmin(p->from, from);
      p->to = fmax(p->to, to);
      return;
    }
  }
  if (u->n < PW_MOST_UNSEEN) {
    u->place[u->n++] = (pw_unseen_place){kind, index, from, to};
  }
  u->count++;
}

double pw_unseen_finest(const pw_stepper *s) {
  return PW_SCALE(ROUNDED) * fmax(fabs(s->rk.t), s->rk.h) / s->rk.h;
}

typedef struct look {
  pw_stepper *s;
  double *allowed, *a; /* nv each: of accelerations; their size */
  int pieces;
} look;

/* theory (110): accelerations that add up to the error allowed in the step. */
static void set_limits(look *l) {
  pw_stepper *s = l->s;
  const double *k_end = s->rk.k + (ptrdiff_t)s->method->stages * s->n;
  for (int j = 0; j < s->nv; j++) {
    l->allowed[j] = PW_SCALE(UNSEEN) * s->control.weight_u[j] / s->rk.h;
    l->a[j] = fmax(fabs(s->rk.k[s->nq + j]), fabs(k_end[s->nq + j]));
  }
}

/* The right-hand side at a point of the dense output is not the derivative of it. */
static bool deviates(look *l, double theta) {
  pw_stepper *s = l->s;
  double *y = s->work.error;
  if (pw_stepper_at(s, theta, y) != PAWL_OK) {
    return true;
  }
  pawl_status status = pw_mech_rates(s->mech, s->rk.t + theta * s->rk.h, y, y + s->nq, s->side);
  pw_tube_rates(s, theta, y);
  for (int j = 0; j < s->nq + s->nv; j++) {
    y[j] = (j < s->nq ? s->mech->q_rate[j] : s->mech->a[j - s->nq]) - y[j];
  }
  if (s->method == &pw_radau_table) {
    pw_radau_filter(s->radau, y);
  }
  for (int j = 0; status == PAWL_OK && j < s->nv; j++) {
    if (!(fabs(y[s->nq + j]) <= l->allowed[j])) {
      return true;
    }
  }
  return status != PAWL_OK;
}

typedef enum verdict { CLEAR, DIVIDE, FOUND } verdict;

static verdict judge(look *l, int level, double from, double to) {
  pw_stepper *s = l->s;
  unsigned tapes = pw_mech_force_tapes(s->mech);
  bool tame = (pw_tube_wild(s, from, to) & tapes) == 0;
  if (!tame) {
    pw_tube_fill(s, from, to);
    pw_murk murk = pw_mech_murk(s->mech, l->allowed, l->a);
    bool short_lived = murk.most * (to - from) <= 1 / PW_SCALE(UNSEEN);
    bool last = to - from <= 2 * pw_unseen_finest(s);
    if (murk.most > 1 && !short_lived && !last) {
      return DIVIDE;
    }
    if (murk.most > 1 && !short_lived && !deviates(l, 0.5 * (from + to))) {
      pw_unseen_note(s, murk.coord >= 0 ? PW_UNSEEN_COORD : PW_UNSEEN_ROW,
                     murk.coord >= 0 ? murk.coord : murk.row, s->rk.t + from * s->rk.h,
                     s->rk.t + to * s->rk.h);
      return CLEAR;
    }
  }
  return level > SEEN_LEVEL && deviates(l, 0.5 * (from + to)) ? FOUND : CLEAR;
}

pw_hidden pw_unseen_look(pw_stepper *s) {
  pw_hidden none = {0};
  if (!pw_tube_exists(s) || (pw_tube_wild(s, 0, 1) & pw_mech_force_tapes(s->mech)) == 0) {
    return none;
  }
  look l = {.s = s, .allowed = s->work.flow, .a = s->work.flow + s->nv};
  set_limits(&l);
  unsigned long long index = 0;
  for (int level = 0;; l.pieces++) {
    double from = ldexp((double)index, -level), to = ldexp((double)(index + 1), -level);
    verdict v = judge(&l, level, from, to);
    if (v == FOUND || l.pieces > MOST_PIECES) {
      double length = (to - from) * s->rk.h;
      return (pw_hidden){fmax(from * s->rk.h, length), length};
    }
    if (v == DIVIDE) {
      level++;
      index *= 2;
      continue;
    }
    for (index++; level > 0 && index % 2 == 0; level--) {
      index /= 2;
    }
    if (level == 0 && index > 0) {
      return none;
    }
  }
}
