// SPDX-License-Identifier: MIT
/* Signals along a stored motion: states move at the rates that the model states (signals (I1)),
 * samples change at instants only, to what the model says of the state just before (I7), and the
 * pieces of delays are the past (I8), as far as the instants looked at tell. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/assert.h"
#include "base/real.h"
#include "law/scale_verify.h"
#include "system/view.h"
#include "verify/checker.h"
#include "verify/curve.h"

void pw_signal_watch_lay(pw_signal_watch *w, const pw_system *s, pw_layout *l) {
  size_t n = (size_t)s->model->signals.n, ticks = (size_t)s->tick.n;
  *w = (pw_signal_watch){0};
  w->size = PW_LAY(l, n, double);
  w->rate = PW_LAY(l, n, double);
  w->reg = PW_LAY(l, pw_tape_registers(s->tape.signal), double);
  w->value = PW_LAY(l, ticks, double);
  w->past_t = PW_LAY(l, ticks > 0 ? PW_SIGNAL_PAST : 0, double);
  w->past = PW_LAY(l, ticks * PW_SIGNAL_PAST, double);
  if (w->reg != NULL) {
    pw_tape_prepare(s->tape.signal, w->reg);
  }
}

static void note(pawl_certifier *c, double off, double whole, double floor, double t) {
  if (whole > 0) {
    pw_verify_found f = pw_found(off / whole, 0, t, -1, PW_RULE_DIRECT);
    pw_found_judge(&c->record, PW_FINDING_SIGNAL, f, floor / whole);
  }
}

/* What samples and delays are of, now; kept for later. */
static void keep(pawl_certifier *c, double t) {
  const pw_system *s = c->sys;
  pw_signal_watch *w = &c->signals;
  if (s->tick.n == 0) {
    return;
  }
  size_t at = (size_t)(w->count++ % PW_SIGNAL_PAST);
  pw_tape_run(s->tape.signal, c->probe.in, w->reg, w->value);
  w->past_t[at] = t;
  memcpy(w->past + at * (size_t)s->tick.n, w->value, (size_t)s->tick.n * sizeof *w->value);
}

/* Largest difference between the rates of states and what the model says of them at the state that
 * was looked at last, as part of the larger one. */
static double misfit_of(const pawl_certifier *c, const double *rate) {
  const pw_system *s = c->sys;
  const double *stated = pw_view_motion(s, c->probe.tape.motion.out).q_rate;
  double most = 0;
  for (int k = 0; k < s->model->signals.n; k++) {
    const pw_signal *z = &s->model->signals.items[k];
    double size = pw_max(pw_max(fabs(rate[z->q]), fabs(stated[z->q])), c->signals.rate[k]);
    bool state = z->kind == PW_SIGNAL_STATE && size > 0;
    most = state ? pw_max(most, fabs(rate[z->q] - stated[z->q]) / size) : most;
  }
  return most;
}

bool pw_signal_probe(pawl_certifier *c, const pw_row_view *row, double ahead, double moment) {
  bool known = pw_probe_row(c, row, ahead);
  if (!known || c->sys->n_switch == 0 || misfit_of(c, row->v) <= c->opts.tol) {
    return known;
  }
  double at[3] = {ahead, moment, -moment}, least = INFINITY, best = ahead;
  for (int k = 0; k < 3; k++) {
    double off = pw_probe_row(c, row, at[k]) ? misfit_of(c, row->v) : INFINITY;
    best = off < least ? at[k] : best;
    least = pw_min(least, off);
  }
  return pw_probe_row(c, row, best);
}

bool pw_signal_probe_end(pawl_certifier *c, const pw_curve *x, const pw_row_view *row) {
  const pw_segment *s = x->segment;
  double *q = c->own.value, *rate = c->own.rate, middle = (s->from + s->to) / 2;
  PW_ASSERT(row->q == q);
  pw_curve_at(x, 0.5, q, rate);
  bool known = pw_probe_at(&c->probe, middle, q, q + c->sys->nq);
  pw_curve_at(x, row->t == s->from ? 0 : 1, q, rate);
  return known && pw_probe_kept(&c->probe, row->t, row->q, row->u);
}

void pw_signal_look(pawl_certifier *c, const pw_signal_point *p) {
  const pw_system *s = c->sys;
  pw_signal_watch *w = &c->signals;
  const double *stated = pw_view_motion(s, c->probe.tape.motion.out).q_rate;
  for (int k = 0; k < s->model->signals.n; k++) {
    const pw_signal *z = &s->model->signals.items[k];
    w->size[k] = pw_max(w->size[k], fabs(p->value[z->q]));
    w->rate[k] = pw_max(w->rate[k], fabs(stated[z->q]));
    if (z->kind == PW_SIGNAL_STATE) {
      double tail = pw_max(fabs(p->term[z->q]), fabs(p->term[p->stride + z->q]));
      double doubt = p->steep * (tail + c->data.noise * w->size[k]);
      note(c, fabs(p->rate[z->q] - stated[z->q]), w->rate[k], doubt, p->t);
    }
  }
  keep(c, p->t);
}

/* A new piece of a delay against the instants of the past that it is to repeat. */
static void check_piece(pawl_certifier *c, int tick, double t, const double *slot) {
  const pw_system *s = c->sys;
  const pw_signal_watch *w = &c->signals;
  int k = s->tick.of[tick];
  const pw_signal *d = &s->model->signals.items[k];
  int64_t n = w->count < PW_SIGNAL_PAST ? w->count : PW_SIGNAL_PAST;
  double size = 0;
  for (int i = 0; i <= PW_DELAY_DEGREE; i++) {
    size = pw_max(size, fabs(slot[PW_DELAY_C0 + i]));
  }
  for (int64_t i = 0; i < n; i++) {
    double now = w->past_t[i] + d->period;
    double x = (now - slot[PW_DELAY_MIDDLE]) * slot[PW_DELAY_SCALE], sum = 0;
    if (now > t && now < slot[PW_DELAY_END]) {
      for (int j = PW_DELAY_DEGREE; j >= 0; j--) {
        sum = sum * x + slot[PW_DELAY_C0 + j];
      }
      double was = w->past[(size_t)i * (size_t)s->tick.n + (size_t)tick];
      note(c, fabs(sum - was), size, c->data.noise * size, now);
    }
  }
}

void pw_signal_join(pawl_certifier *c, double t, const double *before, const double *after) {
  const pw_system *s = c->sys;
  pw_signal_watch *w = &c->signals;
  if (s->model->signals.n == 0) {
    return;
  }
  pw_probe_state_beside(&c->probe, t, before, before + s->nq,
                        -PW_SCALE(CERT_AHEAD) * pw_max(fabs(t), DBL_MIN));
  if (s->tick.n > 0) {
    pw_tape_run(s->tape.signal, c->probe.in, w->reg, w->value);
  }
  for (int k = 0, tick = 0; k < s->model->signals.n; k++) {
    const pw_signal *z = &s->model->signals.items[k];
    bool ticks = tick < s->tick.n && s->tick.of[tick] == k;
    double off = fabs(after[z->q] - before[z->q]);
    w->size[k] = pw_max(w->size[k], fabs(after[z->q]));
    bool turns = z->kind == PW_SIGNAL_TURNS;
    if ((z->kind == PW_SIGNAL_SAMPLE || turns) && ticks) {
      double value = turns ? pw_turns_next(before[z->q], w->value[tick]) : w->value[tick];
      off = fmin(off, fabs(after[z->q] - value));
    } else if (z->kind == PW_SIGNAL_DELAY && ticks && off > 0) {
      check_piece(c, tick, t, after + z->q);
    }
    if (z->kind != PW_SIGNAL_DELAY && z->kind != PW_SIGNAL_INPUT) {
      note(c, off, w->size[k], c->data.noise * w->size[k], t);
    }
    tick += ticks;
  }
}
