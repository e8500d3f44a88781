// SPDX-License-Identifier: MIT
/* The forces a law can have at a position, a velocity, an acceleration: the lexicographic sign of
 * (s, s', s'') cut after each level selects the part of its graph (Glocker 1998, (6.2), (6.10),
 * (6.11)). Laws on velocities have no potential of the position; in its place stands their set at
 * rest, which is the same for laws that have one, (6.4). */
#include <math.h>

#include "linalg/dense.h"
#include "linalg/qr.h"
#include "static/gauss.h"

static pawl_interval point(double x) {
  return (pawl_interval){x, x};
}

double pw_static_tiny(const pawl_gauss *g, int row) {
  return 1e-9 * g->scale * g->f.length[row];
}

/* At the kink: all of it, or with the larger bound while it sticks. */
static pawl_interval kink(const pw_static_row *r) {
  double lo = r->limit > 0 ? -r->limit : r->lo, hi = r->limit > 0 ? r->limit : r->hi;
  return (pawl_interval){fmin(lo, hi), fmax(lo, hi)};
}

static pawl_interval beside(const pw_static_row *r) {
  return point(pw_static_side_force(r, pw_static_side_of(r, PAWL_RIGHT)));
}

static pawl_interval set_of(const pawl_gauss *g, int i, pawl_level level,
                            const pw_static_solution *x) {
  const pw_static_row *r = &g->row[i];
  if (level == PAWL_DISPLACEMENT && r->velocity && !r->equality) {
    bool stuck = r->limit > 0 && r->limit > r->rest_hi;
    return stuck ? kink(r) : (pawl_interval){r->rest_lo, r->rest_hi};
  }
  if (level != PAWL_DISPLACEMENT && r->wall && !r->velocity && r->zero && r->rate_sign < 0) {
    return point(NAN); /* a velocity that no motion goes on with */
  }
  if (level == PAWL_DISPLACEMENT ? !r->zero : !r->at_kink) {
    return beside(r);
  }
  if (level != PAWL_ACCELERATION || r->equality || x == NULL) {
    return kink(r);
  }
  double tiny = pw_static_tiny(g, i);
  if (r->plane >= 0) { /* the whole disk, or the point of its border against the slip to come */
    double normal = r->coulomb ? x->lambda[r->on] : 1;
    bool slides = hypot(x->y[r->plane], x->y[r->plane + 1]) > tiny;
    return slides && normal > 0 ? point(x->lambda[i] / normal) : kink(r);
  }
  return x->y[i] > tiny ? point(r->lo) : x->y[i] < -tiny ? point(r->hi) : kink(r);
}

/* Friction and rough laws on a contact: per normal force, or nothing without one. */
static pawl_interval on_contact(const pawl_gauss *g, int i, pawl_level level, pawl_interval contact,
                                const pw_static_solution *x) {
  const pw_static_row *r = &g->row[i];
  if (isnan(contact.lo) || (contact.lo == 0 && contact.hi == 0)) {
    return contact;
  }
  if (r->rough) {
    return (pawl_interval){-INFINITY, INFINITY};
  }
  double normal = x == NULL ? contact.hi : x->lambda[r->on];
  pawl_interval per = set_of(g, i, level, x);
  double lo = per.lo == 0 ? 0 : per.lo * normal, hi = per.hi == 0 ? 0 : per.hi * normal;
  return x == NULL ? (pawl_interval){fmin(lo, 0), fmax(hi, 0)} : (pawl_interval){lo, hi};
}

static void fill(pawl_gauss *g, const pw_static_solution *x, pawl_interval **set) {
  const pw_system *s = g->sys;
  for (int level = 0; level < PW_LEVELS; level++) {
    set[level] = PW_TAKE(&g->arena, s->nr + 1, pawl_interval);
    for (int i = 0; i < s->nr; i++) {
      set[level][i] = set_of(g, i, (pawl_level)level, x);
    }
    for (int i = 0; i < s->nr; i++) {
      if (g->row[i].on >= 0) {
        set[level][i] = on_contact(g, i, (pawl_level)level, set[level][g->row[i].on], x);
      }
    }
  }
  for (int i = 0; x == NULL && i < s->nr; i++) {
    set[PAWL_ACCELERATION][i] = (pawl_interval){NAN, NAN};
  }
}

void pw_static_sets(pawl_gauss *g) {
  const pw_static_side *right = &g->when[PAWL_RIGHT];
  for (int k = 0; k < right->count; k++) {
    fill(g, &right->item[k], g->set[k]);
  }
  fill(g, NULL, g->set[PW_MOST_SOLUTIONS]);
}

/* ---- what is asked ---- */

static pawl_interval *sets_for(const pawl_gauss *g, int solution, pawl_level level) {
  bool known = solution >= 0 && solution < g->when[PAWL_RIGHT].count;
  return g->set[known ? solution : PW_MOST_SOLUTIONS][level];
}

static bool is_asked_well(const pawl_gauss *g, int law, pawl_level level) {
  return g != NULL && law >= 0 && (law == 0 || law < g->sys->model->rows.n) && (int)level >= 0 &&
         (int)level < PW_LEVELS;
}

/* A law may consist of several rows, written the other way round where its wall is above. */
pawl_interval pawl_gauss_set(const pawl_gauss *g, int solution, int law, pawl_level level) {
  if (!is_asked_well(g, law, level)) {
    return (pawl_interval){NAN, NAN};
  }
  pawl_interval sum = {0, 0};
  const pawl_interval *set = sets_for(g, solution, level);
  for (int i = 0; i < g->sys->nr; i++) {
    if (g->sys->row_of[i] == law) {
      const pw_law_form *form = &g->sys->row[i];
      bool turned = form->unit < 0;
      sum.lo += pw_law_force(form, turned ? set[i].hi : set[i].lo);
      sum.hi += pw_law_force(form, turned ? set[i].lo : set[i].hi);
    }
  }
  sum.lo = sum.lo == 0 ? 0 : sum.lo; /* no -0 */
  sum.hi = sum.hi == 0 ? 0 : sum.hi;
  return sum;
}

pawl_disk pawl_gauss_disk(const pawl_gauss *g, int solution, int law, pawl_level level) {
  if (!is_asked_well(g, law, level)) {
    return (pawl_disk){NAN, {NAN, NAN}};
  }
  const pawl_interval *set = sets_for(g, solution, level);
  for (int i = g->sys->nc; i < g->sys->nr; i++) {
    int first = g->row[i].plane;
    if (g->sys->row_of[i] == law && first >= 0) {
      return (pawl_disk){.radius = (set[first].hi - set[first].lo) / 2,
                         .centre = {(set[first].lo + set[first].hi) / 2,
                                    (set[first + 1].lo + set[first + 1].hi) / 2}};
    }
  }
  return (pawl_disk){NAN, {NAN, NAN}};
}

/* Rank of the rows whose sets are more than a point. */
int pawl_gauss_size(const pawl_gauss *g, int solution, pawl_level level) {
  if (!is_asked_well(g, 0, level)) {
    return 0;
  }
  return g->size[solution >= 0 && solution < g->when[PAWL_RIGHT].count ? solution
                                                                       : PW_MOST_SOLUTIONS][level];
}

static int rank_of(pawl_gauss *g, const pawl_interval *set) {
  int n = g->f.n, m = g->sys->nr, count = 0;
  pw_qr qr;
  double *real = PW_TAKE(&g->arena, pw_qr_doubles(n, m) + 1, double);
  int *whole = PW_TAKE(&g->arena, pw_qr_ints(n, m) + 1, int);
  for (int i = 0; i < m; i++) {
    count += set[i].lo < set[i].hi;
  }
  pw_qr_init(&qr, n, count, real, whole);
  count = 0;
  for (int i = 0; i < m; i++) {
    for (int j = 0; set[i].lo < set[i].hi && j < n; j++) {
      qr.A[(size_t)count * (size_t)n + (size_t)j] = pw_static_push(g, i)[j];
    }
    count += set[i].lo < set[i].hi;
  }
  return count == 0 ? 0 : pw_qr_decompose(&qr, 1e-9);
}

void pw_static_sizes(pawl_gauss *g) {
  for (int k = 0; k <= PW_MOST_SOLUTIONS; k++) {
    for (int level = 0; level < PW_LEVELS && g->set[k][level] != NULL; level++) {
      g->size[k][level] = rank_of(g, g->set[k][level]);
    }
  }
}
