// SPDX-License-Identifier: MIT
/* The worst weak variation. Bumps b(t) e cover the motion; the steepest e of each, in the metric of
 * the masses, follows from the values along the coordinates, for -delta s is linear in w. Each bump
 * is projected onto the displacements that the constraints allow. The next, smaller bumps are
 * placed where the value relative to its tolerance is most negative. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/real.h"
#include "vary/lab.h"
#include "verify/checker.h"

enum { LEVELS = 4, BUMPS = 9, MOST_SUMS = 240, SHORT = 5000 }; /* rows */

typedef struct probe_bump { /* b(t) e */
  double from, step;
  double *e; /* n */
  int n;
} probe_bump;

typedef struct search {
  const pawl_lab *lab;
  pw_lab_entry *worst; /* so far */
  int n, bumps;
  probe_bump *along; /* bumps x n, then the steepest ones: bumps */
  double *e;         /* of all of them */
  double from, to;   /* the part being searched */
} search;

static void bump_at(double t, void *payload, double *w, double *rate) {
  const probe_bump *b = payload;
  double value, slope;
  pw_spline((t - b->from) / b->step, &value, &slope);
  for (int i = 0; i < b->n; i++) {
    w[i] = b->e[i] * value;
    rate[i] = b->e[i] * slope / b->step;
  }
}

static void place(const search *s, int k, probe_bump *b) {
  b->step = (s->to - s->from) / (s->bumps + 3);
  b->from = s->from + k * b->step;
}

/* Values along every coordinate: e_i = -(-delta s)_i / |b e_i|^2. */
static pawl_status find_steepest(search *s) {
  pawl_vary *v = NULL;
  pawl_status status = pw_lab_sums(s->lab, &v);
  int n = s->n;
  for (int k = 0; k < s->bumps * n && status == PAWL_OK; k++) {
    place(s, k / n, &s->along[k]);
    status = pawl_vary_add(v, PAWL_VARY_WEAK, bump_at, &s->along[k]);
  }
  if (status == PAWL_OK) {
    status = pw_lab_pass(s->lab, v);
  }
  for (int k = 0; k < s->bumps * n && status == PAWL_OK; k++) {
    const pw_variation *x = &v->item[k];
    double *e = s->along[s->bumps * n + k / n].e;
    e[k % n] = x->size > 0 ? (x->by_formula + x->own) / x->size : 0;
  }
  pawl_vary_free(v);
  for (int k = 0; k < s->bumps && status == PAWL_OK; k++) {
    double *e = s->along[s->bumps * n + k].e, most = 0;
    double narrow = 4 * s->along[k * n].step / s->lab->span; /* rates are unchanged */
    for (int i = 0; i < n; i++) {
      most = pw_max(most, fabs(e[i]) / s->lab->family.height[i]);
    }
    for (int i = 0; i < n; i++) {
      e[i] = narrow * (most > 0 ? e[i] / most : s->lab->family.height[i]);
    }
  }
  return status;
}

static void name_direction(const pawl_lab *l, const double *e, char *text, size_t room) {
  double most = 0;
  text[0] = '\0';
  for (int i = 0; i < l->sys->nv; i++) {
    most = pw_max(most, fabs(e[i]));
  }
  for (int i = 0; i < l->sys->nv; i++) {
    char name[PW_LAB_NAME];
    size_t used = strlen(text);
    double part = most > 0 ? e[i] / most : 0;
    pw_certify_name(l->sys->model, i, name, sizeof name);
    if (fabs(part) >= 0.005) { /* two digits are shown */
      snprintf(text + used, room - used, "%s%+.2f %s", used == 0 ? "" : " ", part, name);
    }
  }
}

/* The steepest directions, projected; keeps the worst and the next part to search. */
static pawl_status try_steepest(search *s) {
  pawl_vary *v = NULL;
  pawl_status status = pw_lab_sums(s->lab, &v);
  probe_bump *steepest = s->along + s->bumps * s->n;

  /* Each bump along its steepest direction, projected onto the allowed displacements. */
  for (int k = 0; k < s->bumps && status == PAWL_OK; k++) {
    place(s, k, &steepest[k]);
    status = pawl_vary_add(v, PAWL_VARY_PROJECTED, bump_at, &steepest[k]);
  }
  if (status == PAWL_OK) {
    status = pw_lab_pass(s->lab, v);
  }

  /* The value over its tolerance: below -1 it refutes the motion, and the least value determines
   * where to continue. */
  double least = INFINITY, from = s->from, to = s->to;
  for (int k = 0; k < s->bumps && status == PAWL_OK; k++) {
    pw_lab_entry x = {.family = {.kind = "weak"}};
    pw_lab_judge(s->lab, v, k, &x);
    double value = x.family.tolerance > 0 ? x.family.value / x.family.tolerance : 0;
    x.family.from = steepest[k].from;
    x.family.to = steepest[k].from + 4 * steepest[k].step;
    if (value < least) {
      least = value;
      from = x.family.from;
      to = x.family.to;
    }

    /* The worst of all rounds is reported. */
    const pawl_lab_family *w = &s->worst->family;
    if (w->kind == NULL || value < w->value / w->tolerance) {
      name_direction(s->lab, steepest[k].e, x.along, sizeof x.along);
      *s->worst = x;
    }
  }

  /* The next round searches the support of the least. */
  s->from = from;
  s->to = to;
  pawl_vary_free(v);
  return status;
}

static bool make_room(search *s) {
  size_t n = (size_t)s->n, all = (size_t)s->bumps * (n + 1);
  s->along = calloc(all + 1, sizeof *s->along);
  s->e = calloc(all * n + 1, sizeof *s->e);
  for (size_t k = 0; s->along != NULL && s->e != NULL && k < all; k++) {
    s->along[k].e = s->e + k * n;
    s->along[k].n = s->n;
    if (k < (size_t)s->bumps * n) {
      s->along[k].e[k % n] = 1;
    }
  }
  return s->along != NULL && s->e != NULL;
}

pawl_status pw_lab_search(const pawl_lab *l, pw_lab_entry *worst) {
  search s = {.lab = l, .worst = worst, .n = l->sys->nv, .from = l->rows[0]};
  s.to = l->rows[(ptrdiff_t)(l->n - 1) * l->stride];
  s.bumps = s.n == 0 ? 0 : MOST_SUMS / s.n < BUMPS ? MOST_SUMS / s.n : BUMPS;
  s.bumps = s.bumps < 1 ? 1 : s.bumps;
  pawl_status status = make_room(&s) ? PAWL_OK : PAWL_E_MEMORY;
  int64_t levels = SHORT * LEVELS / l->n; /* a long motion has many parts as it is */
  levels = levels > LEVELS ? LEVELS : levels < 1 ? 1 : levels;
  for (int level = 0; level < levels && s.n > 0 && status == PAWL_OK; level++) {
    status = find_steepest(&s);
    if (status == PAWL_OK) {
      status = try_steepest(&s);
    }
  }
  free(s.along);
  free(s.e);
  return status;
}
