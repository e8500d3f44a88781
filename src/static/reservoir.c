// SPDX-License-Identifier: MIT
/* The forces a law can have at a position, a velocity, an acceleration: the lexicographic sign of
 * (s, s', s'') cut after each level selects the part of its graph (Glocker 1998, (6.2), (6.10),
 * (6.11)). Laws on velocities have no potential of the position; their set at rest is used instead,
 * which is the same for laws that have one, (6.4). */
#include <math.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_mech.h"
#include "law/scale_static.h"
#include "linalg/dense.h"
#include "linalg/qr.h"
#include "static/gauss.h"

double pw_static_tiny(const pawl_gauss *g, int row) {
  return PW_SCALE(NEGLIGIBLE) * g->scale * g->f.length[row];
}

/* At the kink: all of it, or with the larger bound while it sticks. */
static pw_law_set kink(const pw_static_row *r) {
  pw_law_hold hold = r->hold;
  hold.sticks = true;
  return r->spent ? r->set : pw_law_set_at_kink(&r->law, hold);
}

/* A velocity law at a position: its set at rest, or the larger one while it sticks. */
static pw_law_set at_position(const pw_static_row *r) {
  pw_law_set stuck = kink(r);
  return r->law.limit > 0 && pw_law_set_is_larger(&stuck, &r->rest) ? stuck : r->rest;
}

/* At the accelerations of a solution. */
static pw_law_set at_solution(const pawl_gauss *g, int i, const pw_static_solution *x) {
  const pw_static_row *r = &g->row[i];
  double tiny = pw_static_tiny(g, i);
  if (r->plane >= 0) { /* the whole disk, or the point of its border against the slip to come */
    double normal = r->law.form->on >= 0 ? x->lambda[r->on] : 1;
    bool slides = pw_length(x->y + r->plane, r->law.form->width) > tiny;
    return slides && normal > 0 ? pw_law_point(x->lambda[i] / normal) : kink(r);
  }
  return x->y[i] > tiny    ? pw_law_point(r->set.lo)
         : x->y[i] < -tiny ? pw_law_point(r->set.hi)
                           : kink(r);
}

static pw_law_set set_of(const pawl_gauss *g, int i, pawl_level level,
                         const pw_static_solution *x) {
  const pw_static_row *r = &g->row[i];
  const pw_law_form *form = r->law.form;
  bool position = level == PAWL_DISPLACEMENT, zero = r->sign.value == 0;
  if (position && form->on_velocity && !form->equality) {
    return at_position(r);
  }
  if (!position && pw_law_is_wall(form) && !form->on_velocity && zero && r->sign.rate < 0) {
    return pw_law_point(NAN); /* a velocity that no motion can continue with */
  }
  if (position ? !zero : !r->sign.at_kink) {
    return pw_law_point(pw_static_beside(r, PAWL_RIGHT));
  }
  return level != PAWL_ACCELERATION || form->equality || x == NULL ? kink(r) : at_solution(g, i, x);
}

/* Friction and rough laws on a contact: per normal force, or nothing without one. */
static pw_law_set on_contact(const pawl_gauss *g, int i, pawl_level level, pw_law_set contact,
                             const pw_static_solution *x) {
  const pw_static_row *r = &g->row[i];
  if (isnan(contact.lo) || (contact.lo == 0 && contact.hi == 0)) {
    return contact;
  }
  if (pw_law_is_rough(r->law.form)) {
    return pw_law_line();
  }
  pw_law_set per = set_of(g, i, level, x);
  if (x != NULL) {
    return pw_law_set_scaled(per, fmax(x->lambda[r->on], 0));
  }
  /* of all normal forces, zero among them */
  return pw_law_set_with_zero(pw_law_set_scaled(per, contact.hi));
}

void pw_static_fill_sets(pawl_gauss *g, const pw_static_solution *x, pw_law_set **set) {
  const pw_system *s = g->sys;
  for (int level = 0; level < PW_LEVELS; level++) {
    set[level] = PW_TAKE(&g->arena, s->nr + 1, pw_law_set);
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
    set[PAWL_ACCELERATION][i] = pw_law_point(NAN);
  }
  if (x != NULL) {
    pw_static_highest_piece(g, x->y, set[PAWL_ACCELERATION]);
  }
}

void pw_static_sets(pawl_gauss *g) {
  const pw_static_side *right = &g->when[PAWL_RIGHT];
  for (int k = 0; k < right->count; k++) {
    pw_static_fill_sets(g, &right->item[k], g->set[k]);
  }
  pw_static_fill_sets(g, NULL, g->set[PW_MOST_SOLUTIONS]);
}

/* ---- results ---- */

pw_law_set pw_static_range(const pawl_gauss *g, const pw_law_set *set, int i) {
  bool plane = pw_law_set_dimension(&set[i]) > 1;
  return pw_law_set_extent(&set[i], plane ? i - g->row[i].plane : 0);
}

static pw_law_set *sets_for(const pawl_gauss *g, int solution, pawl_level level) {
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
  const pw_law_set *set = sets_for(g, solution, level);
  for (int i = 0; i < g->sys->nr; i++) {
    if (g->sys->row_of[i] == law) {
      const pw_law_form *form = &g->sys->row[i];
      pw_law_set range = pw_static_range(g, set, i);
      double sense = g->row[i].sense;
      bool turned = sense * form->unit < 0;
      sum.lo += sense * pw_law_force(form, turned ? range.hi : range.lo);
      sum.hi += sense * pw_law_force(form, turned ? range.lo : range.hi);
    }
  }
  sum.lo = sum.lo == 0 ? 0 : sum.lo; /* no -0 */
  sum.hi = sum.hi == 0 ? 0 : sum.hi;
  return sum;
}

pawl_disk pawl_gauss_disk(const pawl_gauss *g, int solution, int law, pawl_level level) {
  pawl_disk out = {{NAN, NAN, NAN}, {NAN, NAN, NAN}};
  if (!is_asked_well(g, law, level)) {
    return out;
  }
  const pw_law_set *set = sets_for(g, solution, level);
  for (int i = g->sys->nc; i < g->sys->nr; i++) {
    int first = g->row[i].plane;
    if (g->sys->row_of[i] != law || first < 0) {
      continue;
    }
    for (int k = 0; k < PW_LAW_MOST; k++) {
      bool known = k < g->sys->row[first].width;
      pw_law_set range = known ? pw_static_range(g, set, first + k) : pw_law_point(0);
      const pw_law_form *f = &g->sys->row[known ? first + k : first];
      out.axis[k] = pw_law_force(f, (range.hi - range.lo) / 2);
      out.centre[k] = pw_law_force(f, (range.lo + range.hi) / 2);
    }
    return out;
  }
  return out;
}

/* Rank of the rows whose sets are more than a point. */
int pawl_gauss_size(const pawl_gauss *g, int solution, pawl_level level) {
  if (!is_asked_well(g, 0, level)) {
    return 0;
  }
  return g->size[solution >= 0 && solution < g->when[PAWL_RIGHT].count ? solution
                                                                       : PW_MOST_SOLUTIONS][level];
}

static int rank_of(pawl_gauss *g, const pw_law_set *set) {
  int n = g->f.n, m = g->sys->nr, count = 0;
  pw_qr qr;
  double *real = PW_TAKE(&g->arena, pw_qr_doubles(n, m) + 1, double);
  int *whole = PW_TAKE(&g->arena, pw_qr_ints(n, m) + 1, int);
  double *A = PW_TAKE(&g->arena, n * m + 1, double);

  for (int i = 0; i < m; i++) {
    pw_law_set range = pw_static_range(g, set, i);
    if (range.lo < range.hi) {
      memcpy(A + (size_t)count++ * (size_t)n, pw_static_push(g, i), (size_t)n * sizeof *A);
    }
  }
  pw_qr_init(&qr, n, count, real, whole);
  memcpy(qr.A, A, (size_t)n * (size_t)count * sizeof *A);
  return count == 0 ? 0 : pw_qr_decompose(&qr, PW_SCALE(RANK_ROWS));
}

void pw_static_sizes(pawl_gauss *g, int size[][PW_LEVELS]) {
  for (int k = 0; k <= PW_MOST_SOLUTIONS; k++) {
    for (int level = 0; level < PW_LEVELS && g->set[k][level] != NULL; level++) {
      size[k][level] = rank_of(g, g->set[k][level]);
    }
  }
}
