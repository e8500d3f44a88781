// SPDX-License-Identifier: MIT
/* delay(e, T) and noise(seed, bandwidth). */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/pi.h"
#include "model/signal.h"

/* ---- in print ---- */

static pw_val spell(pw_check *ck, pw_spelled x) {
  int k = 0;
  while (k < ck->m->spelled.n &&
         (ck->m->spelled.items[k].noise != x.noise || ck->m->spelled.items[k].value != x.value ||
          ck->m->spelled.items[k].lag != x.lag || ck->m->spelled.items[k].seed != x.seed)) {
    k++;
  }
  if (k == ck->m->spelled.n) {
    PW_PUSH(ck->arena, &ck->m->spelled, x);
  }
  return pw_scalar_val(pw_var(ck->dag, pw_var_of(PW_VAR_PARAMETER, PW_SPELLED + k)));
}

/* ---- delay ---- */

/* A piece of the past as a polynomial of s = (t - MIDDLE) SCALE, -1 <= s <= 1: signals (I8). */
static pw_node delayed(pw_check *ck, int signal) {
  pw_dag *dag = ck->dag;
  pw_node t = pw_var(dag, pw_var_of(PW_VAR_TIME, 0));
  pw_node middle = pw_signal_slot(ck, signal, PW_DELAY_MIDDLE);
  pw_node scale = pw_signal_slot(ck, signal, PW_DELAY_SCALE);
  pw_node away = pw_sub(dag, t, middle);
  pw_node s = pw_mul(dag, away, scale);
  pw_node sum = pw_signal_slot(ck, signal, PW_DELAY_C0 + PW_DELAY_DEGREE);
  for (int k = PW_DELAY_DEGREE - 1; k >= 0; k--) {
    pw_node product = pw_mul(dag, sum, s);
    pw_node c = pw_signal_slot(ck, signal, PW_DELAY_C0 + k);
    sum = pw_add(dag, product, c);
  }
  return sum;
}

static int find_delay(const pw_check *ck, pw_node value, double T) {
  for (int i = 0; i < ck->m->signals.n; i++) {
    const pw_signal *s = &ck->m->signals.items[i];
    if (s->kind == PW_SIGNAL_DELAY && s->value == value && s->period == T) {
      return i;
    }
  }
  return -1;
}

static bool check_delay(pw_check *ck, const pw_ex *ex, pw_node value, double T) {
  if (!(T > 0)) {
    pw_diag_ref d = pw_elab_error(ck, "E0237", ex->arg[2]->span, "a delay must be positive");
    pw_label(d, "this is %s", pw_format_real(ck, T));
    return false;
  }
  if ((pw_has(ck, value) & (PW_HAS_A | PW_HAS_RESULT)) != 0) {
    pw_diag_ref d = pw_elab_error(ck, "E0237", ex->arg[1]->span,
                                  "accelerations, forces and integrals cannot be delayed");
    pw_label(d, "they are known only at each instant");
    return false;
  }
  return true;
}

pw_val pw_call_delay(pw_check *ck, const pw_ex *ex) {
  pw_node value;
  double T;

  /* What is delayed, and by how much: a positive constant. */
  unsigned site = ck->site & (PW_NO_SIGN | PW_NO_KINK);
  bool ok = pw_elab_scalar_at(ck, ex->arg[1], site, "a delay", &value);
  ok = pw_elab_const(ck, ex->arg[2], 0, "the time of a delay", &T) && ok;
  if (!ok || !check_delay(ck, ex, value, T)) {
    return PW_BAD_VAL;
  }

  /* A constant is the same at all times. */
  if (pw_is_const(ck->dag, value)) {
    return pw_scalar_val(value);
  }

  /* Equations in print keep the lag as it is written. */
  if (ck->symbols) {
    pw_node lag;
    return pw_elab_scalar(ck, ex->arg[2], "the time of a delay", &lag)
               ? spell(ck, (pw_spelled){.span = ex->span, .value = value, .lag = lag})
               : PW_BAD_VAL;
  }

  /* Delays of the same value by the same time share one signal. */
  int k = find_delay(ck, value, T);
  if (k < 0) {
    int n = 1;
    for (int i = 0; i < ck->m->signals.n; i++) {
      n += ck->m->signals.items[i].kind == PW_SIGNAL_DELAY;
    }
    pw_name name = {pw_intern_format(ck->names, "delay%d", n), ex->span};
    k = pw_add_signal(ck, name, PW_SIGNAL_DELAY, PW_DELAY_SLOTS);
    ck->m->signals.items[k].value = value;
    ck->m->signals.items[k].known = true;
    ck->m->signals.items[k].period = T;
  }
  return pw_scalar_val(delayed(ck, k));
}

/* ---- noise ---- */

/* splitmix64 (Steele, Lea, Flood 2014): the same numbers on every machine. */
static uint64_t scramble(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static double uniform(uint64_t *state) {
  return ldexp((double)(scramble(state) >> 11), -53);
}

/* signals (I9): a sum of waves with frequencies spread over the band and random phases. */
static pw_node waves(pw_check *ck, double seed, double bandwidth) {
  enum { WAVES = 32 };
  static const double turn = 2 * PW_PI;
  pw_dag *dag = ck->dag;
  uint64_t state = (uint64_t)(int64_t)seed * UINT64_C(0xd1342543de82ef95) + 1;
  pw_node t = pw_var(dag, pw_var_of(PW_VAR_TIME, 0)), sum = pw_const(dag, 0);
  for (int k = 0; k < WAVES; k++) {
    double place = uniform(&state), phase = turn * uniform(&state);
    pw_node rate = pw_const(dag, turn * bandwidth * (k + place) / WAVES);
    pw_node angle = pw_mul(dag, rate, t);
    pw_node start = pw_const(dag, phase);
    pw_node shifted = pw_add(dag, angle, start);
    pw_node wave = pw_apply1(dag, PW_OP_COS, shifted);
    sum = pw_add(dag, sum, wave);
  }
  pw_node size = pw_const(dag, sqrt(2.0 / WAVES));
  return pw_mul(dag, size, sum);
}

pw_val pw_call_noise(pw_check *ck, const pw_ex *ex) {
  double seed, bandwidth;
  if (!pw_elab_const(ck, ex->arg[1], 0, "the seed of a noise", &seed) ||
      !pw_elab_const(ck, ex->arg[2], 0, "the bandwidth of a noise", &bandwidth)) {
    return PW_BAD_VAL;
  }
  bool whole = seed == floor(seed) && fabs(seed) <= 1e15;
  if (!whole || !(bandwidth > 0)) {
    const pw_ex *bad = whole ? ex->arg[2] : ex->arg[1];
    pw_diag_ref d = pw_elab_error(ck, "E0238", bad->span,
                                  whole ? "the bandwidth of a noise must be positive"
                                        : "the seed of a noise must be a whole number");
    pw_label(d, "this is %s", pw_format_real(ck, whole ? bandwidth : seed));
    return PW_BAD_VAL;
  }
  pw_node band;
  if (ck->symbols) {
    return pw_elab_scalar(ck, ex->arg[2], "the bandwidth of a noise", &band)
               ? spell(ck,
                       (pw_spelled){.span = ex->span, .noise = true, .value = band, .seed = seed})
               : PW_BAD_VAL;
  }
  return pw_scalar_val(waves(ck, seed, bandwidth));
}
