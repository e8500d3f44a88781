// SPDX-License-Identifier: MIT
#include "verify/turns.h"

#include <math.h>
#include <stdlib.h>

#include "linalg/dense.h"

pawl_status pw_turns_begin(pw_turn_count *x, const pw_system *sys) {
  size_t registers = (size_t)pw_tape_registers(sys->tape.signal);
  *x = (pw_turn_count){.sys = sys};
  x->in =
      calloc((size_t)sys->n_in + registers + (size_t)(sys->tick.n + sys->nq) + 1, sizeof *x->in);
  x->absent = calloc((size_t)sys->nq + 1, sizeof *x->absent);
  if (x->in == NULL || x->absent == NULL) {
    return PAWL_E_MEMORY;
  }
  x->reg = x->in + sys->n_in;
  x->value = x->reg + registers;
  x->turns = x->value + sys->tick.n;
  pw_tape_prepare(sys->tape.signal, x->reg);
  return PAWL_OK;
}

void pw_turns_end(pw_turn_count *x) {
  free(x->in);
  free(x->absent);
}

bool pw_turns_count(pw_turn_count *x, int i) {
  int k = pw_signal_of(x->sys->model, i);
  x->absent[i] = k >= 0 && x->sys->model->signals.items[k].kind == PW_SIGNAL_TURNS;
  return x->absent[i];
}

void pw_turns_restart(pw_turn_count *x) {
  pw_zero(x->turns, x->sys->nq);
  pw_zero(x->in, x->sys->n_in);
}

/* The positions as inputs of the tape; q and -q are one orientation: the nearer to the last row. */
static void follow(pw_turn_count *x, const double *q) {
  const pw_model *m = x->sys->model;
  double *in = x->in + x->sys->offset[PW_VAR_Q];
  for (int c = 0; c < m->coords.n; c++) {
    const pw_coord *k = &m->coords.items[c];
    int n = k->is_rotation ? 4 : 1;
    double sign = n == 4 && pw_dot(in + k->q, q + k->q, 4) < 0 ? -1 : 1;
    for (int i = k->q; i < k->q + n; i++) {
      in[i] = sign * q[i];
    }
  }
  for (int i = 0; i < m->nq; i++) {
    in[i] = x->absent[i] ? q[i] : in[i];
  }
}

void pw_turns_fill(pw_turn_count *x, double *q) {
  const pw_system *s = x->sys;
  bool any = false;
  for (int i = 0; i < s->model->nq; i++) {
    any = any || x->absent[i];
    q[i] = x->absent[i] ? x->turns[i] : q[i];
  }
  if (!any) {
    return;
  }
  follow(x, q);
  pw_tape_run(s->tape.signal, x->in, x->reg, x->value);
  for (int k = 0; k < s->tick.n; k++) {
    int i = s->model->signals.items[s->tick.of[k]].q;
    if (x->absent[i] && fabs(x->value[k]) >= PW_TURNS_LIMIT) {
      q[i] = x->turns[i] = pw_turns_next(x->turns[i], x->value[k]);
    }
  }
}
