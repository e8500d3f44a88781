// SPDX-License-Identifier: MIT
#include "held.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- energies ---- */

static void times_u(term *t, int i) {
  term_times(t, (factor){FACTOR_U, i, 1, 0});
}

static factor wave(int i, dice *d) {
  return (factor){dice_chance(d, 0.5) ? FACTOR_SIN_Q : FACTOR_COS_Q, i, 1, 0};
}

void hold_energies(hold *h, uint64_t seed, dice *d) {
  memset(h, 0, sizeof *h);
  scene *s = &h->s;
  s->seed = seed;
  s->n = 2 + dice_below(d, 3);
  s->span = 2;
  for (int i = 0; i < s->n; i++) { /* diagonally dominant for all q */
    term_times(poly_add(&s->T, dice_range(d, 0.4, 1.5, 2)), (factor){FACTOR_U, i, 2, 0});
    for (int j = 0; j < i; j++) {
      term *t = poly_add(&s->T, dice_range(d, -0.12, 0.12, 2));
      times_u(t, i);
      times_u(t, j);
      if (dice_chance(d, 0.5)) {
        term_times(t, (factor){FACTOR_COS_Q, dice_below(d, s->n), 1, 0});
      }
    }
    term_times(poly_add(&s->V, dice_range(d, 0.1, 4, 2)), (factor){FACTOR_Q, i, 2, 0});
    term_times(poly_add(&s->V, dice_range(d, -3, 3, 2)), (factor){FACTOR_COS_Q, i, 1, 0});
    s->q0[i] = dice_range(d, -1, 1, 2);
    s->u0[i] = dice_range(d, -1.5, 1.5, 2);
  }
  if (dice_chance(d, 0.3)) {
    term_times(poly_add(&s->push, dice_range(d, 0.5, 3, 1)),
               (factor){FACTOR_COS_T, 0, 1, dice_range(d, 1, 5, 1)});
  }
}

/* ---- functions ---- */

void hold_function(const hold *h, poly *g, dice *d) {
  int n = h->s.n, main = dice_below(d, n);
  g->n = 0;
  for (int i = 0; i < n; i++) {
    double c = i == main ? 1 : dice_range(d, -0.6, 0.6, 1);
    term_times(poly_add(g, c), (factor){FACTOR_Q, i, 1, 0});
    if (dice_chance(d, 0.5)) {
      term_times(poly_add(g, dice_range(d, -0.3, 0.3, 1)), wave(i, d));
    }
  }
  if (dice_chance(d, 0.4)) {
    term *t = poly_add(g, dice_range(d, -0.2, 0.2, 1));
    term_times(t, (factor){FACTOR_SIN_Q, main, 1, 0});
    term_times(t, (factor){FACTOR_COS_Q, (main + 1) % n, 1, 0});
  }
}

void hold_moving(const hold *h, poly *g, dice *d) {
  double w = dice_range(d, 0.5, 3, 1);
  term *t = poly_add(g, dice_range(d, -0.5, 0.5, 1));
  term_times(t, (factor){FACTOR_SIN_T, 0, 1, w});
  if (dice_chance(d, 0.5)) {
    term_times(t, wave(dice_below(d, h->s.n), d));
  }
}

void hold_rate(const poly *g, int n, poly *f) {
  poly by_time;
  f->n = 0;
  poly_diff(g, VAR_T, 0, &by_time);
  for (int k = 0; k < by_time.n; k++) {
    *poly_add(f, 0) = by_time.t[k];
  }
  for (int i = 0; i < n; i++) {
    poly d;
    poly_diff(g, VAR_Q, i, &d);
    for (int k = 0; k < d.n; k++) {
      term *t = poly_add(f, 0);
      *t = d.t[k];
      times_u(t, i);
    }
  }
}

/* A form: linear in the velocities, in general not the rate of a function. */
static void draw_form(const hold *h, poly *f, dice *d) {
  int n = h->s.n, main = dice_below(d, n);
  f->n = 0;
  for (int i = 0; i < n; i++) {
    times_u(poly_add(f, i == main ? 1 : dice_range(d, -0.5, 0.5, 1)), i);
    if (dice_chance(d, 0.5)) {
      term *t = poly_add(f, dice_range(d, -0.4, 0.4, 1));
      term_times(t, wave(dice_below(d, n), d));
      times_u(t, i);
    }
  }
}

static void gradient(const poly *f, variable v, int n, place at, double *w) {
  for (int i = 0; i < n; i++) {
    w[i] = poly_slope(f, v, i, at);
  }
}

/* Onto one after the other until all hold: they are planes. */
void hold_project(hold *h) {
  int n = h->s.n;
  place at = {0, h->s.q0, h->s.u0};
  for (int round = 0; round < 2000; round++) {
    for (int k = 0; k < h->m; k++) {
      const held *l = &h->law[k];
      double w[POLY_VARS], size = 0;
      double off = l->positional ? poly_rate(&l->f, n, at) : poly_at(&l->f, at);
      gradient(&l->f, l->positional ? VAR_Q : VAR_U, n, at, w);
      for (int i = 0; i < n; i++) {
        size += w[i] * w[i];
      }
      for (int i = 0; i < n; i++) {
        h->s.u0[i] -= off * w[i] / size;
      }
    }
  }
}

/* ---- laws ---- */

static void draw_servo(hold *h, held *l, dice *d) {
  place at = {0, h->s.q0, h->s.u0};
  l->positional = dice_chance(d, 0.3);
  if (l->positional) { /* rests at its target for the start */
    hold_function(h, &l->f, d);
    poly_add(&l->f, -round(poly_at(&l->f, at) * 1e8) / 1e8);
  } else {
    draw_form(h, &l->f, d);
    l->one_sided = dice_chance(d, 0.4);
    l->one_way = !l->one_sided && dice_chance(d, 0.3);
  }
  if (dice_chance(d, 0.5)) { /* sin^2 and sin are 0 at the start, the first with its rate */
    term_times(poly_add(&l->f, dice_range(d, -0.4, 0.4, 1)),
               (factor){FACTOR_SIN_T, 0, l->positional ? 2 : 1, l->positional ? 1.0 : 2.0});
  }
  double w[POLY_VARS];
  gradient(&l->f, l->positional ? VAR_Q : VAR_U, h->s.n, at, w);
  for (int i = 0; i < h->s.n; i++) { /* near the gradient: controllable at the start */
    l->by[i] = round(10 * w[i]) / 10 + dice_range(d, -0.5, 0.5, 1);
  }
}

static void draw_law(hold *h, held *l, way how, dice *d) {
  l->way = how;
  if (how == SERVO) {
    draw_servo(h, l, d);
    return;
  }
  draw_form(h, &l->f, d);
  l->lambda = dice_chance(d, 0.3) ? 0 : dice_range(d, -1, 1, 1);
  l->phi = l->f;
  if (how == INERTIA) {
    draw_form(h, &l->phi, d);
    l->one_sided = dice_chance(d, 0.4);
    if (l->one_sided && dice_chance(d, 0.5)) { /* sigma2 < 0: raising lambda raises f */
      l->phi = l->f;
      poly_scale(&l->phi, -1);
    }
    l->complementary = l->one_sided && dice_chance(d, 0.5);
    l->lambda = l->complementary ? 0 : l->one_sided ? fabs(l->lambda) : l->lambda;
  }
  if (how == VISCOUS) {
    l->one_sided = dice_chance(d, 0.5);
    l->N = pow(10, dice_below(d, 3));
  }
}

void hold_draw(hold *h, uint64_t seed) {
  dice d = {seed};
  hold_energies(h, seed, &d);
  way how = (way)dice_below(&d, IDEAL);
  int m = h->s.n > 2 && dice_chance(&d, 0.5) ? 2 : 1;
  for (int k = 0; k < m; k++) { /* the second may be an ordinary constraint */
    draw_law(h, &h->law[k], k > 0 && dice_chance(&d, 0.4) ? IDEAL : how, &d);
  }
  h->m = m;
  hold_project(h);
}

/* ---- text ---- */

static void write_law(const hold *h, int k, writing v, FILE *out) {
  const held *l = &h->law[k];
  double scale = v.scaled == k ? 10 : 1;
  fprintf(out, "%s c%d: %.10g*(", l->way == SERVO ? "servo" : "constraint", k + 1, scale);
  poly_write(&l->f, out);
  fprintf(out, ") %s 0", l->one_sided ? ">=" : "=");
  if (l->way == SERVO) {
    for (int i = 0; i < h->s.n; i++) {
      fprintf(out, "%s q%d: %.10g", i == 0 ? ", by (" : ",", i + 1, l->by[i]);
    }
    fprintf(out, ")%s", l->one_way ? ", one-way" : "");
  } else if (l->way == VAKONOMIC) {
    fprintf(out, ", vakonomic");
  } else if (l->way == INERTIA) {
    fprintf(out, ", inertia ");
    poly_write(&l->phi, out);
    fprintf(out, "%s", l->complementary ? " complementary" : "");
  } else if (l->way == VISCOUS) {
    fprintf(out, ", viscous %.17g", l->N / (scale * scale));
  }
  fputc('\n', out);
}

static void write_energies(const hold *h, FILE *out) {
  fprintf(out, "coordinates q1");
  for (int i = 1; i < h->s.n; i++) {
    fprintf(out, ", q%d", i + 1);
  }
  fprintf(out, "\nkinetic T = ");
  poly_write(&h->s.T, out);
  fprintf(out, "\npotential V = ");
  poly_write(&h->s.V, out);
  if (h->s.push.n > 0) {
    fprintf(out, "\nforce q1: ");
    poly_write(&h->s.push, out);
  }
  fputc('\n', out);
}

static void write_start(const hold *h, writing v, FILE *out) {
  int positional = 0;
  for (int k = 0; k < h->m; k++) {
    positional = positional || h->law[k].positional;
  }
  for (int i = 0; i < h->s.n; i++) {
    fprintf(out, "%s q%d %c %.10g, q%d' ~ %.17g", i == 0 ? "start" : ",", i + 1,
            positional ? '~' : '=', h->s.q0[i], i + 1, h->s.u0[i]);
  }
  for (int k = 0; k < h->m; k++) {
    const held *l = &h->law[k];
    if (l->way == VAKONOMIC || l->way == INERTIA) { /* inertia: phi is not scaled */
      int tenth = l->way == VAKONOMIC && v.scaled == k;
      fprintf(out, ", force(c%d) = %.10g", k + 1, tenth ? l->lambda / 10 : l->lambda);
    }
  }
  fprintf(out, "\nrun 0..%.10g\n", h->s.span);
}

char *hold_text(const hold *h, writing v) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (out == NULL) {
    abort();
  }
  write_energies(h, out);
  for (int k = 0; k < h->m; k++) {
    write_law(h, v.turned ? h->m - 1 - k : k, v, out);
  }
  write_start(h, v, out);
  if (fclose(out) != 0) {
    abort();
  }
  return text;
}
