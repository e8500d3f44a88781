// SPDX-License-Identifier: MIT
/* What the campaign draws. Numbers have few decimals, so that the text says exactly what the
 * checks compute with. */
#include <math.h>
#include <string.h>

#include "scene.h"

static double short_number(double x) {
  return round(x * 1e6) / 1e6;
}

static void times_u(term *t, int i) {
  term_times(t, (factor){FACTOR_U, i, 1, 0});
}

static void times_q(term *t, int i, double shift, int power) {
  term_times(t, (factor){FACTOR_Q, i, power, shift});
}

/* ---- energies ---- */

/* Diagonally dominant for all q: diagonal 1/2 (0.6..3), the rest sums up to less than 0.5. */
static void draw_kinetic(scene *s, dice *d) {
  int varies = dice_chance(d, 0.5);
  for (int i = 0; i < s->n; i++) {
    term *t = poly_add(&s->T, dice_range(d, 0.3, 1.5, 2));
    term_times(t, (factor){FACTOR_U, i, 2, 0});
    if (varies && dice_chance(d, 0.6)) {
      t = poly_add(&s->T, dice_range(d, -0.1, 0.1, 2));
      term_times(t, (factor){FACTOR_U, i, 2, 0});
      term_times(t, (factor){FACTOR_COS_Q, dice_below(d, s->n), 1, 0});
    }
    for (int j = 0; j < i; j++) {
      double c = dice_range(d, -0.13, 0.13, 2);
      if (c != 0 && dice_chance(d, 0.6)) {
        t = poly_add(&s->T, c);
        times_u(t, i);
        times_u(t, j);
        if (varies) {
          term_times(t, (factor){dice_chance(d, 0.5) ? FACTOR_SIN_Q : FACTOR_COS_Q, i, 1, 0});
          term_times(t, (factor){FACTOR_COS_Q, j, 1, 0});
        }
      }
    }
  }
}

static void draw_potential(scene *s, dice *d) {
  for (int i = 0; i < s->n; i++) {
    if (dice_chance(d, 0.6)) {
      times_q(poly_add(&s->V, dice_range(d, -3, 10, 2)), i, 0, 1);
    }
    if (dice_chance(d, 0.4)) {
      times_q(poly_add(&s->V, dice_range(d, 0.2, 15, 2)), i, dice_range(d, -1, 1, 1), 2);
    }
    if (dice_chance(d, 0.2)) { /* with a quartic one that keeps it bounded */
      times_q(poly_add(&s->V, dice_range(d, -1, 1, 2)), i, 0, 3);
      times_q(poly_add(&s->V, 0.5), i, 0, 4);
    }
  }
  if (dice_chance(d, 0.2)) {
    term_times(poly_add(&s->D, dice_range(d, 0.05, 1, 2)),
               (factor){FACTOR_U, dice_below(d, s->n), 2, 0});
  }
  if (dice_chance(d, 0.15)) {
    term_times(poly_add(&s->push, dice_range(d, 0.5, 5, 1)),
               (factor){FACTOR_COS_T, 0, 1, dice_range(d, 1, 8, 1)});
  }
}

/* ---- laws ---- */

/* A constant so that f is `gap` at the start. */
static void offset(scene *s, poly *f, double gap) {
  place at = {0, s->q0, s->u0};
  double c = short_number(gap - poly_at(f, at));
  if (c != 0) {
    poly_add(f, c);
  }
}

static void draw_plane(scene *s, poly *f, dice *d) {
  int k = dice_below(d, s->n);
  for (int i = 0; i < s->n; i++) {
    double c = i == k ? (dice_chance(d, 0.5) ? 1 : dice_range(d, -2, 2, 1))
                      : (dice_chance(d, 0.4) ? dice_range(d, -1, 1, 1) : 0);
    if (i == k && fabs(c) < 0.3) {
      c = -1;
    }
    if (c != 0) {
      times_q(poly_add(f, c), i, 0, 1);
    }
  }
}

static void draw_circle(scene *s, poly *f, double sign, dice *d) {
  int i = dice_below(d, s->n), j = dice_below(d, s->n);
  double away = dice_range(d, 0.4, 1.5, 1) * (dice_chance(d, 0.5) ? 1 : -1);
  times_q(poly_add(f, sign), i, short_number(s->q0[i] + away), 2);
  if (j != i) {
    times_q(poly_add(f, sign), j, short_number(s->q0[j] + dice_range(d, -0.8, 0.8, 1)), 2);
  }
}

static void shake(poly *f, dice *d) {
  term_times(poly_add(f, dice_range(d, 0.05, 0.3, 2)),
             (factor){FACTOR_SIN_T, 0, 1, dice_range(d, 1, 10, 1)});
}

static double draw_restitution(dice *d) {
  switch (dice_below(d, 4)) {
  case 0: return 0;
  case 1: return 1;
  default: return dice_range(d, 0, 0.95, 2);
  }
}

static void draw_unilateral(scene *s, law *l, dice *d) {
  *l = (law){.kind = UNILATERAL, .ideal = 1, .linear = 1};
  int shape = dice_below(d, 10);
  if (shape < 5) {
    draw_plane(s, &l->f, d);
  } else {
    draw_circle(s, &l->f, shape < 7 ? 1 : -1, d);
  }
  if (dice_chance(d, 0.15)) {
    shake(&l->f, d);
    l->ideal = 0;
  }
  double gap = dice_range(d, 0.05, shape == 5 ? 0.3 : 1, 2);
  if (dice_chance(d, 0.25)) {
    l->start = dice_chance(d, 0.8) ? START_CLOSED : START_LEAVING;
    gap = 0;
  }
  offset(s, &l->f, gap);
  l->e = draw_restitution(d);
  l->says_closed = l->start == START_CLOSED && dice_chance(d, 0.5);
}

/* sin(q_k) u_i - cos(q_k) u_j: a blade; with one coordinate only its own rate. */
static void draw_blade(scene *s, poly *f, dice *d) {
  int i = dice_below(d, s->n), j = (i + 1) % s->n, k = dice_below(d, s->n);
  if (s->n == 1) {
    times_u(poly_add(f, 1), 0);
    return;
  }
  term *t = poly_add(f, 1);
  times_u(t, i);
  term_times(t, (factor){FACTOR_SIN_Q, k, 1, 0});
  t = poly_add(f, -1);
  times_u(t, j);
  term_times(t, (factor){FACTOR_COS_Q, k, 1, 0});
}

static void draw_rates(scene *s, poly *f, dice *d) {
  for (int i = 0; i < s->n; i++) {
    double c = dice_range(d, -1, 1, 1);
    if (c != 0) {
      times_u(poly_add(f, c), i);
    }
  }
  if (f->n == 0) {
    times_u(poly_add(f, 1), 0);
  }
}

static void draw_speed(scene *s, poly *f, dice *d) {
  int i = dice_below(d, s->n), j = dice_below(d, s->n);
  double sign = dice_chance(d, 0.7) ? -1 : 1;
  term_times(poly_add(f, sign), (factor){FACTOR_U, i, 2, 0});
  if (j != i) {
    term_times(poly_add(f, sign), (factor){FACTOR_U, j, 2, 0});
  }
  poly_add(f, -sign * dice_range(d, 0.2, 4, 2));
}

static void draw_one_sided(scene *s, law *l, dice *d) {
  *l = (law){.kind = ONE_SIDED, .ideal = 1, .linear = 1};
  int shape = dice_below(d, 10);
  if (shape < 4) {
    draw_blade(s, &l->f, d);
  } else if (shape < 8) {
    draw_rates(s, &l->f, d);
  } else {
    draw_speed(s, &l->f, d);
    l->ideal = l->linear = 0;
  }
  if (shape == 7) {
    poly_add(&l->f, dice_range(d, -0.5, 2, 1));
    l->ideal = 0;
  }
  l->start = shape < 8 && dice_chance(d, 0.3) ? START_CLOSED : START_APART;
}

static void draw_equality(scene *s, law *l, dice *d) {
  *l = (law){.kind = HOLONOMIC, .ideal = 1, .linear = 1, .start = START_CLOSED};
  switch (dice_below(d, 6)) {
  case 0:
  case 1: draw_plane(s, &l->f, d); break;
  case 2:
  case 3: draw_circle(s, &l->f, 1, d); break;
  default:
    l->kind = NONHOLONOMIC;
    draw_blade(s, &l->f, d);
    break;
  }
  if (l->kind == HOLONOMIC) {
    if (dice_chance(d, 0.2)) {
      shake(&l->f, d);
      l->ideal = 0;
    }
    offset(s, &l->f, 0);
  } else if (dice_chance(d, 0.15)) {
    poly_add(&l->f, dice_range(d, -1, 1, 1));
    l->ideal = 0;
  }
}

/* ---- friction, springs, graphs: laws with bounded forces ---- */

static void draw_rub(scene *s, law *l, dice *d) {
  int contact = -1;
  *l = (law){.kind = FRICTION, .ideal = 1, .linear = 1, .on = -1};
  for (int i = 0; i < s->m; i++) {
    int taken = 0;
    for (int k = 0; k < s->m; k++) {
      taken = taken || (s->law[k].kind == FRICTION && s->law[k].on == i);
    }
    contact = s->law[i].kind == UNILATERAL && !taken ? i : contact;
  }
  switch (dice_below(d, 5)) {
  case 0:
    l->kind = SPRING;
    draw_plane(s, &l->f, d);
    l->play = dice_range(d, 0, 0.5, 1);
    l->preload = dice_chance(d, 0.7) ? dice_range(d, 0.1, 4, 1) : 0;
    l->stiffness = dice_range(d, 1, 40, 0);
    return;
  case 1:
    l->kind = GRAPH;
    l->high = dice_range(d, 0, 4, 1);
    l->low = -dice_range(d, 0, 4, 1);
    break;
  case 2: l->mu = dice_range(d, 0.2, 5, 1); break;
  default:
    l->on = s->n > 1 ? contact : -1;
    l->mu = l->on < 0 ? dice_range(d, 0.2, 5, 1) : dice_range(d, 0.05, 0.8, 2);
  }
  if (dice_chance(d, 0.3)) {
    draw_blade(s, &l->f, d);
  } else {
    draw_rates(s, &l->f, d);
  }
}

/* ---- the start ---- */

/* Newton with minimum-norm steps on the rates of all laws that start with rate 0; a law whose
 * gradient depends on those before it is marked in `bad`. */
static void solve_rates(scene *s, int *bad) {
  for (int pass = 0; pass < 30; pass++) {
    double basis[SCENE_LAWS][POLY_VARS], step[POLY_VARS] = {0};
    int k = 0;
    place at = {0, s->q0, s->u0};
    for (int i = 0; i < s->m; i++) {
      double w[POLY_VARS], rest = -law_rate(&s->law[i], s->n, at), length = 0, size = 0;
      if (s->law[i].start != START_CLOSED || bad[i]) {
        continue;
      }
      law_gradient(&s->law[i], s->n, at, w);
      for (int c = 0; c < s->n; c++) {
        rest -= w[c] * step[c];
        size += w[c] * w[c];
      }
      for (int b = 0; b < k; b++) {
        double dot = 0;
        for (int c = 0; c < s->n; c++) {
          dot += basis[b][c] * w[c];
        }
        for (int c = 0; c < s->n; c++) {
          w[c] -= dot * basis[b][c];
        }
      }
      for (int c = 0; c < s->n; c++) {
        length += w[c] * w[c];
      }
      if (k == s->n || !(length > 0.01 * size) || size < 0.01) {
        bad[i] = 1;
        continue;
      }
      for (int c = 0; c < s->n; c++) {
        step[c] += rest * w[c] / length;
        basis[k][c] = w[c] / sqrt(length);
      }
      k++;
    }
    for (int c = 0; c < s->n; c++) {
      s->u0[c] += step[c];
    }
  }
}

/* The start must allow the law; a homogeneous velocity law is turned round if need be. */
static int fits(scene *s, law *l) {
  place at = {0, s->q0, s->u0};
  double rate = law_rate(l, s->n, at);
  if (l->start == START_CLOSED) {
    return fabs(rate) < 1e-13;
  }
  if (l->kind == UNILATERAL) {
    return l->start == START_APART || rate > 0.05;
  }
  if (rate < 0 && l->linear) {
    poly_scale(&l->f, -1);
    rate = -rate;
  }
  return rate > 0.02;
}

static void keep(scene *s, const int *bad) {
  int m = 0;
  for (int i = 0; i < s->m; i++) {
    if (!bad[i] && fits(s, &s->law[i])) {
      s->law[m++] = s->law[i];
    }
  }
  s->m = m;
}

/* Sometimes a contact is there twice, written with another factor: dependent rows. */
static void add_twin(scene *s, dice *d) {
  int i = s->m == 0 ? 0 : dice_below(d, s->m);
  if (s->m > 0 && s->m < SCENE_MOST && dice_chance(d, 0.1) && s->law[i].kind == UNILATERAL) {
    s->law[s->m] = s->law[i];
    poly_scale(&s->law[s->m++].f, 2);
  }
}

void scene_draw(scene *s, uint64_t seed) {
  dice d = {seed * 0xD1342543DE82EF95u + 1};
  memset(s, 0, sizeof *s);
  s->seed = seed;
  s->n = 1 + dice_below(&d, POLY_VARS);
  s->n = seed >= SCENE_RUBS && s->n == 1 && dice_chance(&d, 0.7) ? 3 : s->n;
  int moves = dice_chance(&d, 0.8);
  for (int i = 0; i < s->n; i++) {
    s->q0[i] = dice_range(&d, -1, 1, 1);
    s->u0[i] = moves ? dice_range(&d, -2, 2, 1) : 0;
  }
  draw_kinetic(s, &d);
  draw_potential(s, &d);
  int rubs = seed >= SCENE_RUBS ? 1 + dice_below(&d, 2) : 0;
  int equalities = dice_chance(&d, rubs > 0 ? 0.15 : 0.35) ? 1 + dice_below(&d, 2) : 0;
  int one_sided = rubs == 0 && dice_chance(&d, 0.4) ? 1 + dice_below(&d, 2) : 0;
  int contacts = 1 + dice_below(&d, 3) - (one_sided > 0 && dice_chance(&d, 0.5));
  contacts = rubs > 0 && contacts > 2 ? 2 : contacts;
  double poisson = rubs > 0 ? 0 : dice_chance(&d, 0.25) ? 1 : dice_chance(&d, 0.1) ? 0.5 : 0;
  for (int i = 0; i < equalities && s->m < s->n - 1; i++) {
    draw_equality(s, &s->law[s->m++], &d);
  }
  for (int i = 0; i < contacts && s->m < SCENE_MOST; i++) {
    draw_unilateral(s, &s->law[s->m], &d);
    s->law[s->m++].poisson = dice_chance(&d, poisson);
  }
  for (int i = 0; i < one_sided && s->m < SCENE_MOST; i++) {
    draw_one_sided(s, &s->law[s->m++], &d);
  }
  if (rubs == 0) {
    add_twin(s, &d);
  }
  s->span = dice_range(&d, 1, 3, 1);
  s->sequential = rubs == 0 && dice_chance(&d, 0.25);
  int bad[SCENE_LAWS] = {0};
  solve_rates(s, bad);
  for (int i = 0; i < s->n; i++) {
    s->u0[i] = fabs(s->u0[i]) < 1e-14 ? 0 : s->u0[i];
  }
  keep(s, bad);
  for (int i = 0; i < rubs && s->m < SCENE_LAWS; i++) {
    draw_rub(s, &s->law[s->m], &d);
    s->m++;
  }
}
