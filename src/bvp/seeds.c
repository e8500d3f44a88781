// SPDX-License-Identifier: MIT
/* Starts that the problem itself proposes: straight to the end, each rotation about its axis by the
 * angle to the end and by whole turns more. Gravity and walls change them; therefore lines through
 * them along each unknown are sampled, and samples that end nearer than their neighbours are
 * improved. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bvp/direct.h"
#include "bvp/search.h"
#include "law/scale_bvp.h"

enum {
  TURNS = 2,         /* whole turns more, each way */
  ON_LINE = 321,     /* samples of a line */
  REACHES = 2,       /* to which it goes, both ways */
  MAX_COST = 400000, /* evaluations */
  THOROUGH = 8       /* times as many in a thorough search */
};

/* Rates in the axes of U: of a rotation those of the body, `turns` about the axis to the end, or
 * about its axis `third` if it ends as it starts. */
static void straight(const pw_shoot *x, int turns, int third, double *v) {
  const pw_model *model = x->sys->model;
  const double *start = pawl_start_positions(x->system);
  double time = x->to - x->from;
  for (int c = 0; c < model->coords.n; c++) {
    const pw_coord *k = &model->coords.items[c];
    const pw_value *end = &model->q_end[k->q];
    bool fixed = pw_end_is_fixed(x->sys, k);
    if (!k->is_rotation) {
      v[k->u] = fixed ? (end->value - start[k->q]) / time : 0;
      continue;
    }
    double e[4] = {end[0].value, end[1].value, end[2].value, end[3].value}, turn[3];
    pw_turn_between(start + k->q, e, turn);
    double angle = sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]);
    for (int i = 0; i < 3; i++) {
      double axis = angle > PW_SCALE(BVP_NO_TURN) ? turn[i] / angle : i == third;
      v[k->u + i] = fixed ? (turn[i] + turns * 2 * acos(-1) * axis) / time : 0;
    }
  }
}

static bool start_at(const pw_shoot *x, const double *v, double *s) {
  memset(s, 0, (size_t)x->d * sizeof *s);
  return pw_shoot_unknowns(x, v, s);
}

static bool improve(pw_shoot *x, const double *from, double *s, pw_bvp_found *found) {
  memcpy(s, from, (size_t)x->d * sizeof *s);
  return pw_improve(x, s, found);
}

/* The motion without anything in its way is found by itself, since trials that hit something on the
 * way there do not lead to it. */
static bool improve_line(pw_shoot *x, const double *from, double *s, pw_bvp_found *found) {
  if (x->landing > 0 || x->free.time) {
    return true;
  }
  double *answer = malloc(((size_t)x->d + (size_t)x->sys->nv + 2) * sizeof *answer);
  bool solved = false, ok = answer != NULL && pw_direct_line(x, from, answer, &solved);
  ok = ok && (!solved || improve(x, answer, s, found));
  free(answer);
  return ok;
}

/* Denser near zero. */
static double on_line(const pw_shoot *x, int i) {
  double z = 2.0 * i / (ON_LINE - 1) - 1;
  return REACHES * x->reach * z * fabs(z);
}

/* Along unknown k through `seed`. */
static bool search_line(pw_shoot *x, double *seed, int k, double *s, int64_t most,
                        pw_bvp_found *found) {
  double miss[ON_LINE], centre = seed[k];
  bool ok = true;
  for (int i = 0; i < ON_LINE; i++) {
    seed[k] = centre + on_line(x, i);
    miss[i] = pw_shoot_fly(x, seed, false).ok ? 0 : INFINITY;
    for (int j = 0; j < x->m; j++) {
      miss[i] += x->r[j] * x->r[j];
    }
  }
  for (int i = 1; i < ON_LINE - 1 && ok && !x->tally->stopped && x->tally->cost < most; i++) {
    if (isfinite(miss[i]) && miss[i] <= miss[i - 1] && miss[i] <= miss[i + 1]) {
      seed[k] = centre + on_line(x, i);
      ok = improve(x, seed, s, found);
    }
  }
  seed[k] = centre;
  return ok;
}

static bool has_rotation(const pw_model *m) {
  bool has = false;
  for (int c = 0; c < m->coords.n; c++) {
    has = has || m->coords.items[c].is_rotation;
  }
  return has;
}

/* Without the whole turns first; each has its part of the cost. */
bool pw_seeds(pw_shoot *x, bool thorough, pw_bvp_found *found) {
  size_t nv = (size_t)x->sys->nv, d = (size_t)x->d;
  double *v = calloc(nv + 2 * d + 1, sizeof *v);
  double *seed = v + nv, *s = seed + d;
  int turns = has_rotation(x->sys->model) ? TURNS : 0;
  int64_t part = (thorough ? THOROUGH : INT64_C(1)) * MAX_COST / (1 + 2 * turns);
  bool ok = v != NULL;
  for (int i = 0; ok && i <= 2 * turns && !x->tally->stopped; i++) {
    int turn = i % 2 == 0 ? i / 2 : -(i + 1) / 2;
    int64_t most = x->tally->cost + part;
    for (int third = 0; ok && third < (turn == 0 ? 1 : 3); third++) {
      straight(x, turn, third, v);
      ok = start_at(x, v, seed) && improve(x, seed, s, found) && improve_line(x, seed, s, found);
    }
    for (int k = 0; ok && k < x->d && x->tally->cost < most; k++) {
      ok = search_line(x, seed, k, s, most, found);
    }
  }
  free(v);
  return ok;
}
