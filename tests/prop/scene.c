// SPDX-License-Identifier: MIT
#include "scene.h"

#include <math.h>
#include <stdlib.h>

int law_is_equality(const law *l) {
  return l->kind == HOLONOMIC || l->kind == NONHOLONOMIC;
}

int law_is_positional(const law *l) {
  return l->kind == UNILATERAL || l->kind == HOLONOMIC || l->kind == SPRING;
}

int law_is_rub(const law *l) {
  return l->kind == FRICTION || l->kind == SPRING || l->kind == GRAPH;
}

/* -force of a spring beside its kinks; side: from which side a kink is approached. */
static double pull_of(const law *l, double x) {
  double over = fabs(x) - l->play;
  return over <= 0 ? 0 : (l->preload + l->stiffness * over) * (x < 0 ? -1 : 1);
}

void law_forces(const law *l, double value, double normal, double near, double *lo, double *hi) {
  if (l->kind == SPRING) { /* monotone: the ends of the neighbourhood bound it */
    *lo = -pull_of(l, value + near);
    *hi = -pull_of(l, value - near);
    return;
  }
  double bound = l->mu * (l->on < 0 ? 1 : normal);
  double high = l->kind == GRAPH ? l->high : bound, low = l->kind == GRAPH ? l->low : -bound;
  *lo = value < -near ? -low : -high;
  *hi = value > near ? -high : -low;
}

double scene_stored(const scene *s, place at) {
  double sum = 0;
  for (int i = 0; i < s->m; i++) {
    const law *l = &s->law[i];
    if (l->kind == SPRING) {
      double over = fmax(fabs(poly_at(&l->f, at)) - l->play, 0);
      sum += l->preload * over + l->stiffness * over * over / 2;
    }
  }
  return sum;
}

void law_gradient(const law *l, int n, place at, double *w) {
  for (int i = 0; i < n; i++) {
    w[i] = poly_slope(&l->f, law_is_positional(l) ? VAR_Q : VAR_U, i, at);
  }
}

double law_rate(const law *l, int n, place at) {
  return law_is_positional(l) ? poly_rate(&l->f, n, at) : poly_at(&l->f, at);
}

int scene_is_passive(const scene *s) {
  int passive = s->push.n == 0;
  for (int i = 0; i < s->m; i++) {
    passive = passive && s->law[i].ideal;
  }
  return passive;
}

/* ---- mechanics ---- */

void scene_mass(const scene *s, place at, double mass[POLY_VARS][POLY_VARS]) {
  poly p;
  for (int i = 0; i < s->n; i++) {
    poly_diff(&s->T, VAR_U, i, &p);
    for (int j = 0; j < s->n; j++) {
      mass[i][j] = poly_slope(&p, VAR_U, j, at);
    }
  }
}

/* d/dt dT/du - dT/dq + dV/dq + dD/du - push. */
double scene_balance(const scene *s, int k, place at, const double *a, double *size) {
  poly p;
  poly_diff(&s->T, VAR_U, k, &p);
  double parts[4 + 2 * POLY_VARS];
  int n = 0;
  for (int j = 0; j < s->n; j++) {
    parts[n++] = poly_slope(&p, VAR_U, j, at) * a[j];
    parts[n++] = poly_slope(&p, VAR_Q, j, at) * at.u[j];
  }
  parts[n++] = -poly_slope(&s->T, VAR_Q, k, at);
  parts[n++] = poly_slope(&s->V, VAR_Q, k, at);
  parts[n++] = poly_slope(&s->D, VAR_U, k, at);
  parts[n++] = k == 0 ? -poly_at(&s->push, at) : 0;
  double sum = 0;
  *size = 0;
  for (int j = 0; j < n; j++) {
    sum += parts[j];
    *size += fabs(parts[j]);
  }
  return sum;
}

/* ---- text ---- */

static double scale_of(const variant *v, int i) {
  return v->scaled == i ? 10 : 1;
}

/* The function times its scale has the force divided by it. */
static void write_rub(const scene *s, int i, const variant *v, FILE *out) {
  const law *l = &s->law[i];
  double c = scale_of(v, i);
  static const char *const words[] = {"friction", "spring", "law"};
  fprintf(out, "%s c%d: %s %.10g*(", words[l->kind - FRICTION], i + 1,
          l->kind == SPRING ? "stretch" : "slip", c);
  poly_write(&l->f, out);
  fputc(')', out);
  if (l->kind == SPRING) {
    fprintf(out, ", stiffness %.17g, play %.17g..%.17g, preload %.17g\n", l->stiffness / (c * c),
            -l->play * c, l->play * c, l->preload / c);
  } else if (l->kind == GRAPH) {
    fprintf(out, ", graph (-inf, %.17g)(0, %.17g)(0, %.17g)(inf, %.17g)\n", l->low / c, l->low / c,
            l->high / c, l->high / c);
  } else if (l->on < 0) {
    fprintf(out, ", bound %.17g\n", l->mu / c);
  } else {
    fprintf(out, ", mu %.17g on c%d\n", l->mu * scale_of(v, l->on) / c, l->on + 1);
  }
}

static void write_law(const scene *s, int i, const variant *v, FILE *out) {
  const law *l = &s->law[i];
  if (law_is_rub(l)) {
    write_rub(s, i, v, out);
    return;
  }
  fprintf(out, "constraint c%d: %s", i + 1, v->scaled == i ? "10*(" : "");
  poly_write(&l->f, out);
  fprintf(out, "%s %s 0", v->scaled == i ? ")" : "", law_is_equality(l) ? "=" : ">=");
  if (l->kind == UNILATERAL) {
    fprintf(out, ", %s %.10g", l->poisson ? "poisson" : "restitution", l->e);
  }
  fputc('\n', out);
}

static void write_start(const scene *s, FILE *out) {
  for (int i = 0; i < s->n; i++) {
    fprintf(out, "%s q%d = %.10g, q%d' ~ %.17g", i == 0 ? "start" : ",", i + 1, s->q0[i], i + 1,
            s->u0[i]);
  }
  for (int i = 0; i < s->m; i++) {
    if (s->law[i].says_closed) {
      fprintf(out, ", c%d closed", i + 1);
    }
  }
  fputc('\n', out);
}

static void write_energy(const char *what, const poly *p, FILE *out) {
  if (p->n > 0) {
    fprintf(out, "%s", what);
    poly_write(p, out);
    fputc('\n', out);
  }
}

char *scene_text(const scene *s, const variant *v) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (out == NULL) {
    abort();
  }
  fprintf(out, "coordinates q1");
  for (int i = 1; i < s->n; i++) {
    fprintf(out, ", q%d", i + 1);
  }
  write_energy("\nkinetic T = ", &s->T, out);
  write_energy("potential V = ", &s->V, out);
  write_energy("dissipation D = ", &s->D, out);
  write_energy("force q1: ", &s->push, out);
  for (int i = 0; i < 2 * s->m; i++) { /* friction after what it rubs on */
    int k = v->order[i % s->m];
    if ((s->law[k].kind == FRICTION && s->law[k].on >= 0) == (i >= s->m)) {
      write_law(s, k, v, out);
    }
  }
  write_start(s, out);
  for (int i = 0; i < s->m; i++) {
    fprintf(out, "output p%d = impulse(c%d)\n", i + 1, i + 1);
  }
  fprintf(out, "run 0..%.10g%s\n", s->span, s->sequential ? ", impacts sequential" : "");
  if (fclose(out) != 0) {
    abort();
  }
  return text;
}
