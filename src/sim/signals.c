// SPDX-License-Identifier: MIT
#include "sim/signals.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/pi.h"
#include "base/real.h"
#include "law/scale_sim.h"

static const pw_system *system_of(const pw_signals *x) {
  return x->s->mech->sys;
}

static const pw_signal *signal_of(const pw_signals *x, int tick) {
  const pw_system *sys = system_of(x);
  return &sys->model->signals.items[sys->tick.of[tick]];
}

static int delays_of(const pw_system *sys) {
  int n = 0;
  for (int k = 0; k < sys->tick.n; k++) {
    n += sys->model->signals.items[sys->tick.of[k]].kind == PW_SIGNAL_DELAY;
  }
  return n;
}

void pw_signals_lay_out(pw_signals *x, const pw_system *sys, pw_layout *l) {
  size_t n = (size_t)delays_of(sys), steps = n > 0 ? PW_PAST_STEPS : 0;
  x->value = PW_LAY(l, sys->tick.n, double);
  x->first = PW_LAY(l, sys->tick.n, double);
  x->slots = PW_LAY(l, sys->tick.n > 0 ? sys->nq : 0, double);
  x->due = PW_LAY(l, sys->tick.n, unsigned char);
  x->y = PW_LAY(l, sys->tick.n > 0 ? sys->nq + sys->nv + sys->nz : 0, double);
  x->past.n = (int)n;
  x->past.tick = PW_LAY(l, n, int);
  x->past.from = PW_LAY(l, steps, double);
  x->past.to = PW_LAY(l, steps, double);
  x->past.value = PW_LAY(l, steps * n * PW_PAST_NODES, double);
  x->past.breaks = PW_LAY(l, steps, unsigned char);
}

void pw_signals_init(pw_signals *x, pw_stepper *s) {
  x->s = s;
  for (int k = 0, i = 0; k < system_of(x)->tick.n; k++) {
    if (signal_of(x, k)->kind == PW_SIGNAL_DELAY) {
      x->past.tick[i++] = k;
    }
  }
}

static void values_at(pw_signals *x, double t, const double *y, double *out) {
  pw_stepper *s = x->s;
  pw_mech_signals(s->mech, t, y, y + s->nq, s->side, out);
}

void pw_signals_begin(pw_signals *x) {
  x->past.first = x->past.count = 0;
  x->start = x->s->t;
  x->broken = true;
  x->lost = x->undefined = -1;
  if (system_of(x)->tick.n > 0) {
    values_at(x, x->s->t, x->s->y, x->first);
  }
}

/* ---- the past ---- */

static double node(int j, int n) { /* 0 .. 1 */
  return 0.5 * (1 - cos(PW_PI * j / (n - 1)));
}

static double *stored(const pw_past *p, int64_t step, int delay) {
  return p->value + ((size_t)(step % PW_PAST_STEPS) * (size_t)p->n + (size_t)delay) * PW_PAST_NODES;
}

/* Drops steps that no delay reaches back to any more. */
static void forget(pw_signals *x) {
  pw_past *p = &x->past;
  double longest = 0;
  for (int i = 0; i < p->n; i++) {
    longest = fmax(longest, signal_of(x, p->tick[i])->period);
  }
  while (p->count > 0 && p->to[p->first % PW_PAST_STEPS] < x->s->t - 2 * longest) {
    p->first++;
    p->count--;
  }
  if (p->count == PW_PAST_STEPS) {
    p->first++;
    p->count--;
  }
}

pawl_status pw_signals_keep(pw_signals *x) {
  pw_past *p = &x->past;
  pw_stepper *s = x->s;
  if (p->n == 0 || !(s->t > s->rk.t)) {
    return PAWL_OK;
  }
  forget(x);
  int64_t step = p->first + p->count;
  size_t at = (size_t)(step % PW_PAST_STEPS);
  p->from[at] = s->rk.t;
  p->to[at] = s->t;
  p->breaks[at] = x->broken;
  for (int j = 0; j < PW_PAST_NODES; j++) {
    double part = node(j, PW_PAST_NODES);
    pawl_status status = pw_stepper_at(s, part, x->y);
    if (status != PAWL_OK) {
      return status;
    }
    values_at(x, s->rk.t + part * s->rk.h, x->y, x->value);
    for (int i = 0; i < p->n; i++) {
      stored(p, step, i)[j] = x->value[p->tick[i]];
    }
  }
  p->count++;
  x->broken = false;
  return PAWL_OK;
}

/* The step of the past that contains t, or the nearest one; -1: none is kept. */
static int64_t step_at(const pw_past *p, double t) {
  int64_t lo = 0, hi = p->count;
  while (hi - lo > 1) {
    int64_t mid = lo + (hi - lo) / 2;
    if (p->from[(p->first + mid) % PW_PAST_STEPS] <= t) {
      lo = mid;
    } else {
      hi = mid;
    }
  }
  return p->count == 0 ? -1 : p->first + lo;
}

/* Barycentric interpolation at the Chebyshev points of a step. */
static double past_value(const pw_past *p, int64_t step, int delay, double t) {
  size_t at = (size_t)(step % PW_PAST_STEPS);
  double part = (t - p->from[at]) / (p->to[at] - p->from[at]), above = 0, below = 0;
  const double *v = stored(p, step, delay);
  for (int j = 0; j < PW_PAST_NODES; j++) {
    double away = part - node(j, PW_PAST_NODES);
    double weight = (j % 2 == 0 ? 1 : -1) * (j == 0 || j == PW_PAST_NODES - 1 ? 0.5 : 1);
    if (away == 0) {
      return v[j];
    }
    above += weight / away * v[j];
    below += weight / away;
  }
  return above / below;
}

/* At t, as seen from `inside`, beside it: at an instant where the past jumps two steps meet. */
static double signal_past(const pw_signals *x, int delay, double t, double inside) {
  const pw_past *p = &x->past;
  if (inside <= x->start || p->count == 0) {
    return x->first[p->tick[delay]];
  }
  return past_value(p, step_at(p, inside), delay, t);
}

/* ---- pieces of delays ---- */

/* The first instant after t where the past is not smooth, or `most`. */
static double next_break(const pw_signals *x, double t, double most) {
  const pw_past *p = &x->past;
  double until = t < x->start ? fmin(x->start, most) : most;
  for (int64_t k = step_at(p, t); k >= 0 && k < p->first + p->count; k++) {
    size_t at = (size_t)(k % PW_PAST_STEPS);
    if (p->from[at] >= until) {
      break;
    }
    if (p->breaks[at] && p->from[at] > t) {
      until = p->from[at];
    }
  }
  return until;
}

/* Coefficients of the powers of s in -1..1 of the polynomial through Chebyshev points. */
static void powers_of(const double *v, double *c) {
  enum { N = PW_DELAY_DEGREE };
  double before[N + 1] = {1}, now[N + 1] = {0, 1}, next[N + 1];
  memset(c, 0, (N + 1) * sizeof *c);
  for (int k = 0; k <= N; k++) {
    double sum = 0;
    for (int j = 0; j <= N; j++) {
      double ends = j == 0 || j == N ? 0.5 : 1;
      sum += ends * v[j] * cos(PW_PI * k * (N - j) / N);
    }
    sum *= (k == 0 || k == N ? 1.0 : 2.0) / N;
    const double *T = k == 0 ? before : now;
    for (int i = 0; i <= N; i++) {
      c[i] += sum * T[i];
    }
    if (k > 0) { /* T_{k+1} = 2 s T_k - T_{k-1} */
      for (int i = 0; i <= N; i++) {
        next[i] = (i > 0 ? 2 * now[i - 1] : 0) - before[i];
      }
      memcpy(before, now, sizeof before);
      memcpy(now, next, sizeof now);
    }
  }
}

/* Fits the past over [from, from + length], whose ends are known to `least`; returns how far it
 * misses between the points, in parts of the largest value. */
static double fit(const pw_signals *x, int delay, double from, double length, double least,
                  double *c) {
  enum { N = PW_DELAY_DEGREE };
  double v[N + 1], size = 0, off = 0, edge = fmin(least, 0.5 * length);
  for (int j = 0; j <= N; j++) {
    double t = from + node(j, N + 1) * length;
    v[j] = signal_past(x, delay, t, fmin(fmax(t, from + edge), from + length - edge));
    size = fmax(size, fabs(v[j]));
  }
  powers_of(v, c);
  for (int j = 0; j < N; j++) {
    double part = 0.5 * (node(j, N + 1) + node(j + 1, N + 1)), s = 2 * part - 1, sum = 0;
    for (int i = N; i >= 0; i--) {
      sum = sum * s + c[i];
    }
    double t = from + part * length;
    off = fmax(off, fabs(sum - signal_past(x, delay, t, t)));
  }
  return size > 0 ? off / size : 0;
}

/* The piece of a delay that begins now: as long as the past is smooth and a polynomial follows it
 * to the tolerance. False: that past is not kept. */
static bool next_piece(pw_signals *x, int delay) {
  const pw_past *p = &x->past;
  pw_stepper *s = x->s;
  const pw_signal *d = signal_of(x, p->tick[delay]);
  double from = s->t - d->period, *slot = x->slots + d->q, miss;
  if (p->first > 0 && p->count > 0 && from < p->from[p->first % PW_PAST_STEPS]) {
    x->lost = system_of(x)->tick.of[p->tick[delay]];
    return false;
  }
  double least = PW_SCALE(NO_TIME) * fmax(fabs(s->t), d->period);
  double length = next_break(x, from + least, s->t) - from;
  int64_t step = step_at(p, from + least);
  if (step >= 0) {
    size_t at = (size_t)(step % PW_PAST_STEPS);
    length = fmin(length, fmax(8 * (p->to[at] - p->from[at]), p->to[at] - from));
  }
  for (int tries = 0; tries < 40; tries++) {
    miss = fit(x, delay, from, length, least, slot + PW_DELAY_C0);
    if (miss <= PW_SCALE(DELAY_FIT) * s->control.tol || length < 16 * least) {
      break;
    }
    length /= 2;
  }
  slot[PW_DELAY_END] = s->t + length;
  slot[PW_DELAY_MIDDLE] = s->t + 0.5 * length;
  slot[PW_DELAY_SCALE] = 2 / length;
  return true;
}

/* ---- instants ---- */

bool pw_signals_find(pw_signals *x, const unsigned char *flip) {
  const pw_system *sys = system_of(x);
  pw_stepper *s = x->s;
  bool any = false, known = true;
  for (int k = 0; k < sys->tick.n; k++) {
    x->due[k] = flip[sys->tick.surface[k]] != 0;
    any = any || x->due[k];
  }
  if (!any) {
    return true;
  }
  values_at(x, s->t, s->y, x->value);
  for (int k = 0, delay = 0; k < sys->tick.n; k++) {
    const pw_signal *d = signal_of(x, k);
    bool is_delay = d->kind == PW_SIGNAL_DELAY;
    if (x->due[k] && is_delay) {
      known = next_piece(x, delay) && known;
    } else if (x->due[k]) {
      bool turns = d->kind == PW_SIGNAL_TURNS;
      x->slots[d->q] = turns ? pw_turns_next(s->y[d->q], x->value[k]) : x->value[k];
      x->undefined = isfinite(x->value[k]) ? x->undefined : sys->tick.of[k];
    }
    delay += is_delay;
  }
  return known;
}

void pw_signals_count(pw_signals *x) {
  pw_stepper *s = x->s;
  const pw_system *sys = system_of(x);
  if (sys->tick.n > 0) {
    values_at(x, s->t, s->y, x->value);
  }
  for (int k = 0; k < sys->tick.n; k++) {
    const pw_signal *d = signal_of(x, k);
    if (d->kind == PW_SIGNAL_TURNS && fabs(x->value[k]) >= PW_TURNS_LIMIT) {
      pw_stepper_set(s, d->q, pw_turns_next(s->y[d->q], x->value[k]));
    }
  }
}

void pw_signals_turn(pw_signals *x) {
  for (int k = 0; k < system_of(x)->tick.n; k++) {
    const pw_signal *d = signal_of(x, k);
    for (int i = d->q; x->due[k] && i < d->q + d->slots; i++) {
      double now = x->s->y[i];
      pw_stepper_set(x->s, i, x->slots[i]);
      x->slots[i] = now;
    }
  }
}
