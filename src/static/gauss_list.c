// SPDX-License-Identifier: MIT
/* All accelerations of one side of the instant. Two laws are not monotone by themselves and are
 * tried both ways: friction with a larger bound while it sticks (sticking or not), and a contact
 * with a rough law (closed with it or open without it). */
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/real.h"
#include "law/scale_static.h"
#include "linalg/chol.h"
#include "linalg/dense.h"
#include "static/gauss_problem.h"

enum { MOST_CHOICES = 8 };

typedef struct search {
  pw_static_problem p;
  int choice[MOST_CHOICES]; /* rows that are tried both ways */
  int choices;
  unsigned mask; /* bit set: sticks, or is closed */
  int slips;     /* rough row that slips and would have to be closed, -1: none */
  pw_static_side *out;
} search;

/* ---- choices ---- */

static bool has_rough(const pawl_gauss *g, int row) {
  for (int i = g->sys->nc; i < g->sys->nr; i++) {
    if (pw_law_is_rough(&g->sys->row[i]) && g->row[i].on == row) {
      return true;
    }
  }
  return false;
}

static void find_choices(search *s) {
  const pawl_gauss *g = s->p.g;
  for (int i = g->sys->nc; i < g->sys->nr; i++) {
    const pw_static_row *r = &g->row[i];
    bool second = r->plane >= 0 && r->plane != i; /* goes with the first */
    bool rough = pw_law_is_wall(r->law.form) && has_rough(g, i);
    bool open = r->sign.at_kink && !second && (r->law.limit > 0 || rough);
    if (open && s->choices == MOST_CHOICES) {
      s->out->complete = false;
    } else if (open) {
      s->choice[s->choices++] = i;
    }
  }
}

/* -1: no choice, 0 or 1: the choice made. */
static int chosen(const search *s, int row) {
  int plane = s->p.g->row[row].plane;
  row = plane >= 0 ? plane : row;
  for (int k = 0; k < s->choices; k++) {
    if (s->choice[k] == row) {
      return (int)(s->mask >> k & 1u);
    }
  }
  return -1;
}

/* A rough contact that slips cannot be closed. */
static bool possible(search *s) {
  const pawl_gauss *g = s->p.g;
  for (int i = g->sys->nc; i < g->sys->nr; i++) {
    const pw_static_row *r = &g->row[i];
    if (pw_law_is_rough(r->law.form) && r->sign.value != 0 && chosen(s, r->on) == 1) {
      s->slips = i;
      return false;
    }
  }
  return true;
}

/* ---- one problem ---- */

static int place_of(const pw_static_problem *p, int row) {
  for (int k = 0; k < p->k; k++) {
    if (p->row[k] == row) {
      return k;
    }
  }
  return -1;
}

static int take(pw_static_problem *p, int row, pw_law_set forces) {
  const pawl_gauss *g = p->g;
  int n = g->f.n, k = p->k;
  if (!(g->f.length[row] > 0) || !(pw_static_unit(g, row) > 0)) {
    return -1;
  }
  const double *a = pw_static_column(g, row);
  memcpy(p->A + (size_t)k * (size_t)n, a, (size_t)n * sizeof *a);
  memcpy(p->B + (size_t)k * (size_t)n, pw_static_push(g, row), (size_t)n * sizeof *a);
  p->coupled = p->coupled || g->sys->row[row].by >= 0;
  p->row[k] = row;
  p->disks = p->disks || (g->row[row].plane >= 0 && g->row[row].sign.at_kink);
  p->z[k] = g->f.zeta[row] / g->f.length[row] + pw_dot(a, p->c, n);
  p->lo[k] = forces.lo * g->f.length[row];
  p->hi[k] = forces.hi * g->f.length[row];
  p->normal[k] = -1;
  p->mu[k] = p->x[k] = 0;
  const pw_law_form *form = &g->sys->row[row];
  p->reversed[k] = p->when == PAWL_LEFT && form->on_velocity && !form->equality &&
                   !pw_law_is_rough(form) && forces.lo < forces.hi;
  p->any_reversed = p->any_reversed || p->reversed[k];
  return p->k++;
}

static void take_monotone(search *s, int i) {
  pw_static_problem *p = &s->p;
  const pw_static_row *r = &p->g->row[i];
  int choice = chosen(s, i);
  const pw_law_set any = pw_law_line(), none = pw_law_point(0);
  if (pw_law_is_rough(r->law.form)) {
    if (chosen(s, r->on) == 1) {
      take(p, i, any);
    }
  } else if (!r->sign.at_kink) {
    return;
  } else if (choice >= 0 && pw_law_is_wall(r->law.form)) {
    take(p, i, choice == 1 ? any : none);
  } else {
    take(p, i, pw_static_extent(r, i, choice == 1));
  }
}

static void take_coulomb(search *s, int i) {
  pw_static_problem *p = &s->p;
  const pawl_gauss *g = p->g;
  const pw_static_row *r = &g->row[i];
  int contact = place_of(p, r->on);
  if (contact < 0 || !(g->f.length[i] > 0)) {
    return;
  }
  double per = g->f.length[i] / g->f.length[r->on];
  p->coupled = true;
  if (!r->sign.at_kink) {
    double ratio = pw_static_beside(r, p->when);
    pw_axpy(ratio * per, pw_static_column(g, i), p->B + (size_t)contact * (size_t)g->f.n, g->f.n);
    return;
  }
  pw_law_set forces = pw_static_extent(r, i, chosen(s, i) == 1);
  int k = take(p, i, forces);
  p->normal[k] = contact;
  p->mu[k] = forces.hi * per;
}

static bool on_segment(const pw_static_row *r) {
  const pw_law_form *form = r->law.form;
  return !form->equality && !form->wall && form->on < 0 && !r->sign.at_kink;
}

static void silence(pw_static_problem *p) {
  double *scale = &p->g->scale;
  *scale = fmax(*scale, pw_norm2(p->c, p->g->f.n));
  for (int k = 0; k < p->k; k++) {
    *scale = fmax(*scale, fabs(p->z[k]));
  }
  for (int k = 0; k < p->k; k++) {
    p->z[k] = fabs(p->z[k]) <= PW_SCALE(FREE_NOISE) * *scale ? 0 : p->z[k];
  }
}

void pw_static_free(const pawl_gauss *g, pawl_when when, double *c) {
  memcpy(c, g->c0, (size_t)g->f.n * sizeof *c);
  for (int i = g->sys->nc; i < g->sys->nr; i++) {
    if (on_segment(&g->row[i])) {
      double force = pw_static_beside(&g->row[i], when);
      pw_axpy(force * g->f.length[i], pw_static_column(g, i), c, g->f.n);
    }
  }
}

static void build(search *s) {
  pw_static_problem *p = &s->p;
  const pawl_gauss *g = p->g;
  p->k = 0;
  p->coupled = p->any_reversed = p->disks = false;
  pw_static_free(g, p->when, p->c);
  for (int i = 0; i < g->sys->nr; i++) {
    if (g->sys->row[i].on < 0) {
      take_monotone(s, i);
    }
  }
  for (int i = g->sys->nc; i < g->sys->nr; i++) {
    if (g->sys->row[i].on >= 0) {
      take_coulomb(s, i);
    }
  }
  silence(p);
}

/* ---- solutions ---- */

/* The conditions of the choices: sticking, closed and pressed, open and not approaching. */
static bool keeps_choices(const search *s, double tiny) {
  const pw_static_problem *p = &s->p;
  for (int k = 0; k < p->k; k++) {
    int choice = chosen(s, p->row[k]);
    bool wall = pw_law_is_wall(&p->g->sys->row[p->row[k]]);
    if ((choice == 1 && !wall && !(fabs(p->y[k]) <= tiny)) ||
        (choice == 1 && wall && !(p->x[k] >= -tiny)) ||
        (choice == 0 && wall && !(p->y[k] >= -tiny))) {
      return false;
    }
  }
  return true;
}

static bool is_known(const pw_static_side *out, const double *c, int n, double scale) {
  for (int s = 0; s < out->count; s++) {
    double far = 0;
    for (int i = 0; i < n; i++) {
      far = fmax(far, fabs(c[i] - out->item[s].c[i]));
    }
    if (far <= PW_SCALE(SAME_MOTION) * scale) {
      return true;
    }
  }
  return false;
}

static pw_static_solution blank(pawl_gauss *g) {
  int n = g->f.n + 1, m = g->sys->nr + 1;
  return (pw_static_solution){.a = PW_TAKE(&g->arena, n, double),
                              .c = PW_TAKE(&g->arena, n, double),
                              .lambda = PW_TAKE(&g->arena, m, double),
                              .y = PW_TAKE(&g->arena, m, double),
                              .least = PW_TAKE(&g->arena, m, double),
                              .largest = PW_TAKE(&g->arena, m, double)};
}

/* Forces of the rows that are not unknowns. */
static void known_forces(const pw_static_problem *p, pw_static_solution *x) {
  const pawl_gauss *g = p->g;
  for (int i = g->sys->nc; i < g->sys->nr; i++) {
    const pw_static_row *r = &g->row[i];
    if (on_segment(r)) {
      x->lambda[i] = x->least[i] = x->largest[i] = pw_static_beside(r, p->when);
    } else if (r->law.form->on >= 0 && !r->sign.at_kink) {
      double ratio = pw_static_beside(r, p->when);
      double a = ratio * x->least[r->on], b = ratio * x->largest[r->on];
      x->lambda[i] = x->lambda[r->on] == 0 ? 0 : ratio * x->lambda[r->on];
      x->least[i] = ratio == 0 ? 0 : fmin(a, b);
      x->largest[i] = ratio == 0 ? 0 : fmax(a, b);
    }
  }
}

/* Accelerations at the rounding level of c = O(scale): a_i = (row i of L^-T) c. */
static void drop_noise(pawl_gauss *g, double *a) {
  int n = g->f.n;
  double *e = PW_TAKE(&g->arena, n + 1, double);
  for (int i = 0; i < n; i++) {
    memset(e, 0, (size_t)n * sizeof *e);
    e[i] = 1;
    pw_chol_forward(g->f.L, n, e);
    a[i] = fabs(a[i]) <= PW_SCALE(SHOWN_NOISE) * g->scale * pw_norm2(e, n) ? 0 : a[i];
  }
}

static void fill(pw_static_problem *p, pw_static_solution *x) {
  pawl_gauss *g = p->g;
  int n = g->f.n;
  double *least = PW_TAKE(&g->arena, p->k + 1, double);
  double *largest = PW_TAKE(&g->arena, p->k + 1, double);
  x->outer = !pw_static_ranges(p, least, largest);
  for (int k = 0; k < p->k; k++) {
    double unit = pw_static_unit(g, p->row[k]);
    x->lambda[p->row[k]] = p->x[k] / unit;
    x->least[p->row[k]] = least[k] / unit;
    x->largest[p->row[k]] = largest[k] / unit;
  }
  known_forces(p, x);
  for (int i = 0; i < g->sys->nr; i++) {
    x->y[i] = g->f.zeta[i] + g->f.length[i] * pw_dot(pw_static_column(g, i), x->c, n);
  }
  memcpy(x->a, x->c, (size_t)n * sizeof *x->a);
  pw_frame_back(&g->f, x->a);
  drop_noise(g, x->a);
  pw_static_turn(g, 1, x->a);
}

static void keep(void *payload, pw_static_problem *p) {
  search *s = payload;
  pawl_gauss *g = p->g;
  pw_static_side *out = s->out;
  int n = g->f.n;
  for (int k = 0; k < p->k; k++) {
    g->scale = fmax(g->scale, fabs(p->x[k]));
  }
  pw_static_solution x = blank(g);
  pw_gemv(p->B, n, p->k, p->x, x.c);
  x.measure = pw_dot(x.c, x.c, n) / 2;
  pw_axpy(1, p->c, x.c, n);
  PW_ASSERT(pw_all_finite(x.c, n));
  if (!keeps_choices(s, PW_SCALE(NEGLIGIBLE) * g->scale) || is_known(out, x.c, n, g->scale)) {
    return;
  }
  if (out->count == PW_MOST_SOLUTIONS) {
    out->complete = false;
    return;
  }
  fill(p, &x);
  int at = out->count++;
  for (; at > 0 && out->item[at - 1].measure > x.measure; at--) {
    out->item[at] = out->item[at - 1];
  }
  out->item[at] = x;
}

/* ---- one side ---- */

/* A contact that the velocity leads into has an impact after the instant; one that it leads out of
 * had one before. */
static int struck(const pawl_gauss *g, pawl_when when) {
  int bad = when == PAWL_LEFT ? 1 : -1;
  for (int i = g->sys->nc; i < g->sys->nr; i++) {
    const pw_static_row *r = &g->row[i];
    bool contact = pw_law_is_wall(r->law.form) && !r->law.form->on_velocity;
    if (contact && r->sign.value == 0 && r->sign.rate == bad) {
      return i;
    }
  }
  return -1;
}

static void allocate(pw_static_problem *p) {
  pawl_gauss *g = p->g;
  size_t n = (size_t)g->f.n, m = (size_t)g->sys->nr + 1;
  p->A = PW_TAKE(&g->arena, n * m, double);
  p->B = PW_TAKE(&g->arena, n * m, double);
  p->c = PW_TAKE(&g->arena, n + 1, double);
  p->z = PW_TAKE(&g->arena, m, double);
  p->lo = PW_TAKE(&g->arena, m, double);
  p->hi = PW_TAKE(&g->arena, m, double);
  p->mu = PW_TAKE(&g->arena, m, double);
  p->x = PW_TAKE(&g->arena, m, double);
  p->y = PW_TAKE(&g->arena, m, double);
  p->row = PW_TAKE(&g->arena, m, int);
  p->normal = PW_TAKE(&g->arena, m, int);
  p->reversed = PW_TAKE(&g->arena, m, bool);
}

static void judge(search *s, bool undecided, int failed) {
  pw_static_side *out = s->out;
  if (out->count > 0) {
    out->why = PAWL_GAUSS_SOLVED;
  } else if (s->slips >= 0) {
    out->why = PAWL_GAUSS_IMPACT;
    out->row = s->slips;
  } else {
    out->why = undecided || !out->complete ? PAWL_GAUSS_UNDECIDED : PAWL_GAUSS_NONE;
    out->row = failed;
  }
}

/* Without a certificate: the friction that takes part. */
static int first_coulomb(const pawl_gauss *g) {
  for (int i = g->sys->nc; i < g->sys->nr; i++) {
    if (g->sys->row[i].on >= 0 && g->row[g->row[i].on].sign.at_kink) {
      return i;
    }
  }
  return -1;
}

void pw_static_list(pawl_gauss *g, pawl_when when) {
  pw_static_side *out = &g->when[when];
  search s = {.p = {.g = g, .when = when}, .slips = -1, .out = out};
  out->complete = true;
  out->row = struck(g, when);
  if (out->row >= 0) {
    out->why = PAWL_GAUSS_IMPACT;
    return;
  }
  bool undecided = false;
  int failed = first_coulomb(g);
  allocate(&s.p);
  find_choices(&s);
  for (s.mask = 0; s.mask < 1u << s.choices; s.mask++) {
    if (!possible(&s)) {
      continue;
    }
    build(&s);
    pw_static_answer answer = pw_static_solve(&s.p, keep, &s);
    out->complete = out->complete && answer.complete;
    undecided = undecided || answer.outcome == PW_MAX_ITER || answer.outcome == PW_BREAKDOWN;
    failed = answer.failed >= 0 ? answer.failed : failed;
  }
  judge(&s, undecided, failed);
}
