// SPDX-License-Identifier: MIT
/* How far a set of equilibria extends in each coordinate: the coordinate is pinned to values ever
 * further away, the others follow; where that ends, bisection finds the last value. */
#include <math.h>
#include <string.h>

#include "base/pi.h"
#include "base/real.h"
#include "law/scale_static.h"
#include "static/equilibria.h"

enum { BISECTIONS = 50, LONG = 24, BEND = 6 };
typedef struct walk {
  pawl_equilibria *e;
  pw_balance *b;
  int coord, q;        /* velocity and position index */
  pw_spot good;        /* the last one reached */
  pawl_interval *seen; /* nq: all that were reached */
  signed char *fixed;
} walk;

static pw_spot spot_of(const pw_rest *x) {
  return (pw_spot){x->q, x->u, x->lambda};
}

static void store(walk *w) {
  pw_spot_copy(w->e->sys, w->good, pw_balance_spot(w->b));
  for (int i = 0; i < w->e->sys->nq; i++) {
    w->seen[i].lo = fmin(w->seen[i].lo, w->good.q[i]);
    w->seen[i].hi = fmax(w->seen[i].hi, w->good.q[i]);
  }
}

static void load(const walk *w) {
  pw_spot_copy(w->e->sys, pw_balance_spot(w->b), w->good);
}

/* True and stored if there is a balance near the last one with the coordinate at this value. */
static bool reaches(walk *w, double value) {
  load(w);
  w->b->x->q[w->q] = value;
  pw_balance_task task = {.pinned = true, .pin = w->coord, .goal = value};
  bool ok = pw_balance_solve(w->b, task) && w->b->residual <= PW_SCALE(BALANCED_WELL);
  if (ok) {
    store(w);
  }
  return ok;
}

/* -1, 1: the force of row i is at its lower or upper bound, or the friction of several components
 * is at its circle or sphere; 0: neither. */
static signed char bound_of(const walk *w, int i) {
  const pw_still_row *r = &w->b->x->row[i];
  double unit = w->b->len[i] / w->b->force, room = PW_SCALE(AT_BOUND);
  pw_law_set set = pw_still_forces(w->b->x, i, w->good.lambda, true);
  double force = w->good.lambda[i];
  if (r->plane >= 0) {
    set = pw_law_set_extent(&set, 0);
    force = pw_length(w->good.lambda + i, r->law.form->width);
  }
  return fabs(force - set.lo) * unit < room ? -1 : fabs(force - set.hi) * unit < room ? 1 : 0;
}

/* Some force has reached a bound, or some gap closed: there the set may end. */
static bool at_border(const walk *w) {
  const pw_still *x = w->b->x;
  load(w);
  if (!pw_still_look(w->b->x, false)) {
    return false;
  }
  for (int i = x->sys->nc; i < x->sys->nr; i++) {
    const pw_still_row *r = &x->row[i];
    double room = PW_SCALE(AT_BOUND) * w->b->length * w->b->g_len[i];
    bool beside = !r->law.form->on_velocity && fabs(r->law.value) > room;
    bool first = r->plane < 0 || r->plane == i;
    if (!beside && first && !pw_law_is_rough(r->law.form) && bound_of(w, i) != 0) {
      return true;
    }
  }
  return false;
}

/* The last value from `from` on in direction sign; infinite if it does not end. */
static double end_of(walk *w, double from, int sign) {
  double scale = w->e->scale[w->coord], step = scale / 64, at = from,
         most = PW_SCALE(SET_FAR) * scale;
  if (!reaches(w, from + sign * PW_SCALE(SET_STEP) * scale)) {
    return from;
  }
  at += sign * PW_SCALE(SET_STEP) * scale;
  bool round = w->e->periodic[w->coord];
  for (bool more = true; more;) {
    more = reaches(w, at + sign * step);
    if (more) {
      at += sign * step;
      double far = fabs(at - from);
      if (far > (round ? 2 * PW_PI : most)) {
        return sign < 0 ? -INFINITY : INFINITY;
      }
      step = far > LONG * scale && !round ? 2 * step : fmin(2 * step, scale / 8);
    }
  }
  for (int k = 0; k < BISECTIONS && step > PW_SCALE(SET_END) * fmax(fabs(at), scale); k++) {
    step /= 2;
    if (reaches(w, at + sign * step)) {
      at += sign * step;
    }
  }
  return at;
}

/* The end exactly: the forces that reach their bounds stay there, the coordinate is free. */
static double polish(walk *w, double end) {
  signed char *fixed = w->fixed;
  const pw_still *x = w->b->x;
  double room = PW_SCALE(SET_SAME) * w->e->scale[w->coord];
  load(w);
  if (!pw_balance_metric(w->b)) {
    return end;
  }
  int found = 0;
  for (int i = 0; i < x->sys->nr; i++) {
    bool slip = pw_law_is_slip(x->row[i].law.form) && x->row[i].plane < 0;
    fixed[i] = slip ? bound_of(w, i) : 0;
    found += fixed[i] != 0;
  }
  if (found == 0) {
    return end;
  }
  bool ok = pw_balance_solve(w->b, (pw_balance_task){.fixed = fixed}) &&
            w->b->residual <= PW_SCALE(BALANCED_WELL);
  double value = w->b->x->q[w->q];
  return ok && fabs(value - end) <= room ? value : end;
}

/* From a spot of the set; ends[2] are where it ends. */
static pawl_interval range_from(walk *w, const pw_spot *from, pw_spot *ends) {
  double here = from->q[w->q], end[2], small = PW_SCALE(SET_SMALL) * w->e->scale[w->coord];
  bool closed = true;
  for (int k = 0; k < 2; k++) {
    pw_spot_copy(w->e->sys, w->good, *from);
    end[k] = end_of(w, here, k == 0 ? -1 : 1);
    pw_spot_copy(w->e->sys, ends[k], w->good);
    if (isfinite(end[k]) && fabs(end[k] - here) > 0) {
      closed = closed && (at_border(w) || fabs(end[k] - here) > small);
      end[k] = polish(w, end[k]);
    }
  }
  double width = end[1] - end[0];
  bool point =
      !(width > PW_SCALE(SET_POINT) * w->e->scale[w->coord]) || (!closed && width < 2 * small);
  return point ? (pawl_interval){here, here} : (pawl_interval){end[0], end[1]};
}

static pawl_interval join(pawl_interval a, pawl_interval b) {
  return (pawl_interval){fmin(a.lo, b.lo), fmax(a.hi, b.hi)};
}

/* The extreme values reached during the search, where they lie further out by more than
 * rounding. */
static void widen(pawl_interval *r, pawl_interval seen, double room) {
  r->lo = seen.lo < r->lo - room ? seen.lo : r->lo;
  r->hi = seen.hi > r->hi + room ? seen.hi : r->hi;
}

/* From x for all coordinates, then again from all ends: sets bend. */
static void walk_all(walk *w, pw_rest *x, pw_spot *ends) {
  const pw_model *m = w->e->sys->model;
  int n = m->coords.n;
  pw_arena *arena = &w->e->arena;
  pw_spot from = spot_of(x);
  pw_spot other[2] = {pw_spot_new(arena, w->e->sys), pw_spot_new(arena, w->e->sys)};
  for (int round = 0; round < (n > 1 && n <= BEND && x->is_set ? 1 + 2 * n : 1); round++) {
    for (int c = 0; c < n; c++) {
      const pw_coord *k = &m->coords.items[c];
      if (k->is_rotation || w->e->cyclic[k->u] || (round > 0 && (round - 1) / 2 == c)) {
        continue;
      }
      w->coord = k->u;
      w->q = k->q;
      pawl_interval r = range_from(w, round == 0 ? &from : &ends[round - 1],
                                   round == 0 ? &ends[2 * (size_t)c] : other);
      x->range[k->q] = r.lo < r.hi ? join(x->range[k->q], r) : x->range[k->q];
      x->is_set = x->is_set || r.lo < r.hi;
    }
  }
}

static double apart(const pawl_equilibria *e, const double *p, const double *q) {
  double far = 0;
  const pw_model *m = e->sys->model;
  for (int c = 0; c < m->coords.n; c++) {
    const pw_coord *k = &m->coords.items[c];
    if (k->is_rotation) { /* q and -q are one rotation */
      double dot = 0;
      for (int i = 0; i < 4; i++) {
        dot += p[k->q + i] * q[k->q + i];
      }
      far = fmax(far, sqrt(fmax(0, 1 - dot * dot)));
    } else {
      double d = fabs(p[k->q] - q[k->q]) / e->scale[k->u];
      d = e->periodic[k->u] ? fabs(remainder(d * e->scale[k->u], 2 * PW_PI)) : d;
      far = fmax(far, e->cyclic[k->u] ? 0 : d);
    }
  }
  return far;
}

/* A rotation that stays turned by a small angle about some axis. */
static bool turns(walk *w, const pw_rest *x, const pw_coord *k) {
  const double angle = PW_SCALE(SET_TURN);
  for (int axis = 0; axis < 3; axis++) {
    pw_spot_copy(w->e->sys, pw_balance_spot(w->b), spot_of(x));
    double *v = w->b->moved;
    memset(v, 0, (size_t)w->e->sys->nv * sizeof *v);
    v[k->u + axis] = angle;
    pw_still_move(w->b->x, v);
    if (pw_balance_solve(w->b, (pw_balance_task){0}) && apart(w->e, x->q, w->b->x->q) > angle / 8) {
      return true;
    }
  }
  return false;
}

void pw_rest_ranges(pawl_equilibria *e, pw_balance *b, pw_rest *x) {
  const pw_system *s = e->sys;
  int n = s->model->coords.n;
  walk w = {.e = e, .b = b, .good = pw_spot_new(&e->arena, s)};
  pw_spot *ends = PW_TAKE(&e->arena, 2 * n + 1, pw_spot);
  w.fixed = PW_TAKE(&e->arena, s->nr + 1, signed char);
  w.seen = PW_TAKE(&e->arena, s->nq + 1, pawl_interval);
  for (int k = 0; k < 2 * n; k++) {
    ends[k] = pw_spot_new(&e->arena, s);
    pw_spot_copy(s, ends[k], spot_of(x));
  }
  for (int i = 0; i < s->nq; i++) {
    w.seen[i] = x->range[i] = (pawl_interval){x->q[i], x->q[i]};
  }

  /* along all coordinates and rotations */
  walk_all(&w, x, ends);
  for (int c = 0; c < n; c++) {
    const pw_coord *k = &s->model->coords.items[c];
    x->is_set = x->is_set || (k->is_rotation && turns(&w, x, k));
  }

  /* ranges as they are shown */
  for (int c = 0; c < n; c++) {
    const pw_coord *k = &s->model->coords.items[c];
    bool wide =
        !k->is_rotation && w.seen[k->q].hi - w.seen[k->q].lo > PW_SCALE(SET_SAME) * e->scale[k->u];
    if (!k->is_rotation && e->cyclic[k->u]) {
      x->range[k->q] = (pawl_interval){-INFINITY, INFINITY};
      x->is_set = true;
    } else if (x->is_set && wide) {
      widen(&x->range[k->q], w.seen[k->q], PW_SCALE(SET_POINT) * e->scale[k->u]);
    }
    if (!k->is_rotation) {
      double tiny = PW_SCALE(SET_POINT) * e->scale[k->u];
      pawl_interval *r = &x->range[k->q];
      r->lo = fabs(r->lo) < tiny && r->lo < r->hi ? 0 : r->lo;
      r->hi = fabs(r->hi) < tiny && r->lo < r->hi ? 0 : r->hi;
    }
  }
}

/* ---- one set or two ---- */

static bool inside(const pawl_equilibria *e, const pw_rest *x, const double *q) {
  const pw_model *m = e->sys->model;
  for (int c = 0; c < m->coords.n; c++) {
    const pw_coord *k = &m->coords.items[c];
    double room = k->is_rotation ? 0 : PW_SCALE(SET_SAME) * e->scale[k->u];
    if (!k->is_rotation &&
        (q[k->q] < x->range[k->q].lo - room || q[k->q] > x->range[k->q].hi + room)) {
      return false;
    }
  }
  return true;
}

static double rates_apart(const pawl_equilibria *e, const pw_rest *x, const pw_rest *y) {
  double far = 0, size = 0;
  for (int j = 0; j < e->sys->nv; j++) {
    far = fmax(far, fabs(x->u[j] - y->u[j]));
    size = fmax(size, fmax(fabs(x->u[j]), fabs(y->u[j])));
  }
  return size > 0 ? far / size : 0;
}

/* Part of the way from p to q; of the two quaternions of a rotation the nearer one. */
static void between(const pawl_equilibria *e, const double *p, const double *q, double part,
                    double *out) {
  const pw_model *m = e->sys->model;
  for (int c = 0; c < m->coords.n; c++) {
    const pw_coord *k = &m->coords.items[c];
    int count = k->is_rotation ? 4 : 1;
    double dot = 0, size = 0;
    for (int i = k->q; i < k->q + count; i++) {
      dot += p[i] * q[i];
    }
    for (int i = k->q; i < k->q + count; i++) {
      out[i] = (1 - part) * p[i] + (k->is_rotation && dot < 0 ? -part : part) * q[i];
      size += out[i] * out[i];
    }
    for (int i = k->q; k->is_rotation && size > 0 && i < k->q + count; i++) {
      out[i] /= sqrt(size);
    }
  }
}

static bool near(double a, double b, double scale) {
  return a == b || fabs(a - b) <= PW_SCALE(SET_SAME) * scale;
}

/* Sets of one extent, in all coordinates, are taken for one. */
static bool same_extent(const pawl_equilibria *e, const pw_rest *x, const pw_rest *y) {
  const pw_model *m = e->sys->model;
  for (int c = 0; c < m->coords.n; c++) {
    const pw_coord *k = &m->coords.items[c];
    if (k->is_rotation || !near(x->range[k->q].lo, y->range[k->q].lo, e->scale[k->u]) ||
        !near(x->range[k->q].hi, y->range[k->q].hi, e->scale[k->u])) {
      return false;
    }
  }
  return x->is_set && y->is_set;
}

/* y with angles that come round counted from the middle of x. */
static void unwind(const pawl_equilibria *e, const pw_rest *x, const pw_rest *y, pw_rest *out) {
  const pw_model *m = e->sys->model;
  for (int i = 0; i < e->sys->nq; i++) {
    out->q[i] = y->q[i];
    out->range[i] = y->range[i];
  }
  for (int c = 0; c < m->coords.n; c++) {
    const pw_coord *k = &m->coords.items[c];
    if (k->is_rotation || !e->periodic[k->u]) {
      continue;
    }
    double middle = (x->range[k->q].lo + x->range[k->q].hi) / 2;
    middle = isfinite(middle) && x->is_set ? middle : x->q[k->q];
    double turns = 2 * PW_PI * round((y->q[k->q] - middle) / (2 * PW_PI));
    out->q[k->q] -= turns;
    out->range[k->q].lo -= turns;
    out->range[k->q].hi -= turns;
  }
}

/* Are all equilibria between x and y near the straight line? */
static bool way_between(pawl_equilibria *e, pw_balance *b, const pw_rest *x, const pw_rest *y,
                        double far) {
  enum { STEPS = 4 };
  const pw_system *s = e->sys;
  double *from = PW_TAKE(&e->arena, s->nq + 1, double);
  for (int k = 1; k < STEPS; k++) {
    double part = (double)k / STEPS;
    between(e, x->q, y->q, part, b->x->q);
    for (int i = 0; i < s->nr; i++) {
      b->lambda[i] = (1 - part) * x->lambda[i] + part * y->lambda[i];
    }
    memcpy(b->x->u, x->u, (size_t)s->nv * sizeof(double));
    memcpy(from, b->x->q, (size_t)s->nq * sizeof *from);
    if (!pw_balance_solve(b, (pw_balance_task){0}) ||
        apart(e, from, b->x->q) > PW_SCALE(SET_STRAIGHT) * far) {
      return false;
    }
  }
  return true;
}

bool pw_rest_joined(pawl_equilibria *e, pw_balance *b, const pw_rest *x, const pw_rest *y) {
  if (x->steady != y->steady || rates_apart(e, x, y) > PW_SCALE(SET_SAME)) {
    return false;
  }
  pw_rest near_x = *y;
  near_x.q = PW_TAKE(&e->arena, e->sys->nq + 1, double);
  near_x.range = PW_TAKE(&e->arena, e->sys->nq + 1, pawl_interval);
  unwind(e, x, y, &near_x);
  double far = apart(e, x->q, y->q);
  if (far <= PW_SCALE(SET_TWICE) || same_extent(e, x, &near_x)) {
    return true;
  }
  bool possible = x->is_set ? inside(e, x, near_x.q)
                            : far <= PW_SCALE(SET_SMALL); /* flat: a point found twice */
  return possible && way_between(e, b, x, &near_x, far);
}
