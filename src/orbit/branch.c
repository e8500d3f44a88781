// SPDX-License-Identifier: MIT
/* A branch of orbits along a parameter: steps along its tangent, and where a multiplier leaves the
 * unit circle or the order of events changes, orbits (O5). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "law/scale_tangent.h"
#include "orbit/orbit.h"

/* ---- what is watched ---- */

typedef struct tests {
  double fold; /* rate of the parameter along the branch */
  double flip; /* product of 1 + multiplier */
  double ns;   /* |z| - 1 of one complex pair; NAN: there is none */
  int outside; /* complex pairs outside */
  int below;   /* real multipliers below -1 */
} tests;

/* pair: which complex pair is watched, the largest is 0. Multipliers come in the order of their
 * sizes. */
static tests tests_of(const pw_orbit_point *p, int n, int pair) {
  tests t = {.fold = p->slope[n], .flip = 1, .ns = NAN};
  int pairs = 0;
  for (int i = 0; i < p->public.n_multiplier; i++) {
    const double *z = p->multipliers + 2 * (size_t)i;
    double size = hypot(z[0], z[1]);
    if (z[1] == 0) {
      t.flip *= 1 + z[0];
      t.below += z[0] < -1;
    } else {
      t.flip *= hypot(1 + z[0], z[1]);
      t.outside += size > 1 && z[1] > 0;
      t.ns = z[1] > 0 && pairs == pair ? size - 1 : t.ns;
      pairs += z[1] > 0;
    }
  }
  return t;
}

/* Event i of an orbit is event i + shift of another one, all around it. */
static bool same_from(const pw_orbit_point *a, const pw_orbit_point *b, int shift) {
  int n = a->public.n_event;
  bool same = true;
  for (int i = 0; same && i < n; i++) {
    const pawl_orbit_event *one = &a->events[i], *other = &b->events[(i + shift) % n];
    same = strcmp(one->kind, other->kind) == 0 && strcmp(one->at, other->at) == 0;
  }
  return same;
}

/* Kinds and names of the events, in order. An orbit has no first one: an event that passes the
 * instant at which the orbit is cut changes nothing. */
static bool same_events(const pw_orbit_point *a, const pw_orbit_point *b) {
  int n = a->public.n_event;
  bool same = n == b->public.n_event && same_from(a, b, 0);
  for (int shift = 1; !same && n == b->public.n_event && shift < n; shift++) {
    same = same_from(a, b, shift);
  }
  return same;
}

static int count(const pw_orbit_point *p, const char *kind) {
  int n = 0;
  for (int i = 0; i < p->public.n_event; i++) {
    n += strcmp(p->events[i].kind, kind) == 0;
  }
  return n;
}

/* Impacts that come or go graze; else a phase of sticking or sliding does. */
static const char *kind_of_change(const pw_orbit_point *a, const pw_orbit_point *b) {
  bool grazes = count(a, "impact") != count(b, "impact") || count(a, "close") != count(b, "close");
  return grazes ? "grazing" : "sliding";
}

/* ---- points ---- */

typedef struct walk {
  pawl_orbit *o;
  pw_corrector *c;
  pawl_diags *diags;
} walk;

static pw_orbit_point *last(const pawl_orbit *o) {
  return &o->point[o->n_point - 1];
}

/* The point at a distance h along the tangent of point `from`, behind the last one. */
static pawl_status step_from(walk *w, int from, double h, bool *found) {
  pw_corrector *c = w->c;
  const pw_orbit_point *p = &w->o->point[from];
  double range = fabs(w->o->opts.end - w->o->opts.begin), slope_size = p->slope[c->n];
  *found = false;

  /* predictor: along the tangent, state and parameter at once */
  memcpy(c->tangent, p->slope, (size_t)(c->n + 1) * sizeof *c->tangent);
  for (int i = 0; i < c->n; i++) {
    c->x[i] = p->state[i] + h * p->slope[i];
  }
  double value = p->public.value + h * range * slope_size;
  pawl_status status = pw_return_map_set(c->map, value, c->x, NULL);
  if (status != PAWL_OK) {
    return status == PAWL_E_MEMORY ? status : PAWL_OK;
  }

  /* corrector: in the plane through the prediction across the tangent */
  memcpy(c->predicted, c->x, (size_t)c->n * sizeof *c->x);
  c->predicted[c->n] = value;
  double *slope = malloc((size_t)(c->n + 1) * sizeof *slope);
  if (slope == NULL) {
    return PAWL_E_MEMORY;
  }
  status = pw_correct_along(c, NULL, found);

  /* the new point needs a tangent, too, that goes on in the same sense */
  if (status == PAWL_OK && *found) {
    *found = pw_branch_slope(c, p->slope, slope);
  }
  if (status == PAWL_OK && *found) {
    status = pw_orbit_keep(w->o, c, slope, "");
  }
  free(slope);
  return status;
}

static void drop_last(pawl_orbit *o);

/* ---- where something happens ---- */

typedef double (*test_of)(const tests *t);
static double fold_of(const tests *t) {
  return t->fold;
}
static double flip_of(const tests *t) {
  return t->flip;
}
static double ns_of(const tests *t) {
  return t->ns;
}

/* Between `from` and the last point, h apart, the test changes its sign: Illinois. The point there
 * is put before the last one. */
static pawl_status locate(walk *w, int from, double h, test_of test, int pair, const char *kind) {
  pawl_orbit *o = w->o;
  int n = w->c->n;
  tests a = tests_of(&o->point[from], n, pair), b = tests_of(last(o), n, pair);
  double lo = 0, hi = h, f_lo = test(&a), f_hi = test(&b);
  pw_orbit_point end = *last(o);
  o->n_point--;
  pawl_status status = PAWL_OK;
  bool have = false;

  /* regula falsi with halved values (Illinois), along the tangent at `from` */
  for (int k = 0; k < 80 && status == PAWL_OK && hi - lo > PW_SCALE(ORBIT_PLACED) * h; k++) {
    double at = hi - f_hi * (hi - lo) / (f_hi - f_lo);
    at = isfinite(at) && at > lo && at < hi ? at : 0.5 * (lo + hi);
    bool found;
    status = step_from(w, from, at, &found);
    if (status != PAWL_OK || !found) {
      break;
    }
    tests t = tests_of(last(o), n, pair);
    double f = test(&t);
    if (have) { /* keep the newer one */
      pw_orbit_point newer = *last(o);
      o->n_point--;
      drop_last(o);
      o->point[o->n_point++] = newer;
    }
    have = true;

    bool low = (f > 0) == (f_lo > 0);
    if (f == 0) {
      break;
    }
    double half = low ? f_hi : f_lo;
    if (low) {
      lo = at;
      f_lo = f;
      f_hi = half / 2;
    } else {
      hi = at;
      f_hi = f;
      f_lo = half / 2;
    }
  }

  /* the point stands before the end of the step */
  if (have) {
    last(o)->public.kind = kind;
  }
  if (o->n_point == o->cap) {
    return PAWL_E_MEMORY;
  }
  o->point[o->n_point++] = end;
  return status;
}

/* The order of events changes between `from` and h behind it, or no orbit is found there: bisection
 * for the last point with the events of `from`. */
static pawl_status locate_change(walk *w, int from, double h, const char *kind) {
  pawl_orbit *o = w->o;
  double lo = 0, hi = h;
  pawl_status status = PAWL_OK;
  bool have = false;
  for (int k = 0; k < 60 && status == PAWL_OK && hi - lo > PW_SCALE(ORBIT_PLACED) * h; k++) {
    bool found;
    status = step_from(w, from, 0.5 * (lo + hi), &found);
    bool same = status == PAWL_OK && found && same_events(&o->point[from], last(o));
    if (found && (!same || have)) { /* of two points the newer one with these events stays */
      pw_orbit_point newer = *last(o);
      if (same) {
        o->n_point--;
        drop_last(o);
        o->point[o->n_point++] = newer;
      } else {
        drop_last(o);
      }
    }
    have = have || same;
    lo = same ? 0.5 * (lo + hi) : lo;
    hi = same ? hi : 0.5 * (lo + hi);
  }
  if (have) {
    last(o)->public.kind = kind;
  } else {
    o->point[from].public.kind = kind;
  }
  return status;
}

static void drop_last(pawl_orbit *o) {
  pw_orbit_point *p = last(o);
  pw_orbit_point_free(p);
  o->n_point--;
}

/* How many things happen between point `from` and the last one, by the ends. */
static int changes_between(const walk *w, int from) {
  const pw_orbit_point *first = &w->o->point[from], *second = last(w->o);
  tests a = tests_of(first, w->c->n, 0), b = tests_of(second, w->c->n, 0);
  return !same_events(first, second) + (a.fold * b.fold < 0) + abs(a.below - b.below) +
         abs(a.outside - b.outside);
}

/* The one thing that happens between point `from` and the last one. */
static pawl_status look_between(walk *w, int from, double h) {
  pawl_orbit *o = w->o;
  int n = w->c->n;
  tests a = tests_of(&o->point[from], n, 0), b = tests_of(last(o), n, 0);
  if (!same_events(&o->point[from], last(o))) {
    pw_orbit_point end = *last(o);
    const char *kind = kind_of_change(&o->point[from], &end);
    o->n_point--;
    pawl_status status = locate_change(w, from, h, kind);
    o->point[o->n_point++] = end;
    return status;
  }
  if (a.fold * b.fold < 0) {
    return locate(w, from, h, fold_of, 0, "fold");
  }
  if (a.flip * b.flip < 0) {
    return locate(w, from, h, flip_of, 0, "flip");
  }

  /* the largest pair that is outside at one end only */
  int pair = a.outside < b.outside ? a.outside : b.outside;
  double before = tests_of(&o->point[from], n, pair).ns, after = tests_of(last(o), n, pair).ns;
  return before * after < 0 ? locate(w, from, h, ns_of, pair, "ns") : PAWL_OK;
}

/* ---- the branch ---- */

static bool is_inside(const pawl_orbit *o, double value) {
  double lo = fmin(o->opts.begin, o->opts.end), hi = fmax(o->opts.begin, o->opts.end);
  return value >= lo && value <= hi;
}

/* The last point is at the end of the range exactly. */
static pawl_status end_at(walk *w, int from) {
  pawl_orbit *o = w->o;
  const pw_orbit_point *p = &o->point[from];
  double lo = fmin(o->opts.begin, o->opts.end), hi = fmax(o->opts.begin, o->opts.end);
  double outside = last(o)->public.value, value = outside > hi ? hi : lo;
  double part = (value - p->public.value) / (outside - p->public.value);
  for (int i = 0; i < w->c->n; i++) {
    w->c->x[i] = p->state[i] + part * (last(o)->state[i] - p->state[i]);
  }
  drop_last(o);
  bool found = false;
  double *slope = malloc((size_t)(w->c->n + 1) * sizeof *slope);
  pawl_status status =
      slope == NULL ? PAWL_E_MEMORY : pw_return_map_set(w->c->map, value, w->c->x, NULL);
  status = status == PAWL_OK ? pw_correct(w->c, &found) : status;
  if (status == PAWL_OK && found && pw_branch_slope(w->c, o->point[from].slope, slope)) {
    status = pw_orbit_keep(o, w->c, slope, "");
  }
  free(slope);
  return status;
}

/* An impact has come to the instant at which the orbit is cut: the state there jumps, and the
 * branch cannot be followed as states at this instant. If it grazes, too, multipliers are like one
 * over its speed, and that like the distance to the end of the branch or the root of it. */
static bool jumps_at_cut(const pw_orbit_point *p) {
  double near = PW_SCALE(BRANCH_LEAST) * p->public.period;
  double most = p->public.n_multiplier > 0 ? hypot(p->multipliers[0], p->multipliers[1]) : 0;
  bool at = false;
  for (int i = 0; i < p->public.n_event; i++) {
    double t = p->events[i].t;
    bool jumps = strcmp(p->events[i].kind, "impact") == 0;
    at = at || (jumps && (t < near || p->public.period - t < near));
  }
  return at && PW_SCALE(BRANCH_LEAST) * most * most < 1;
}

/* No orbit is found however short the step: the branch ends, at the cut or where an orbit grazes.
 */
static pawl_status end_here(walk *w, int from, double h) {
  pawl_status status = locate_change(w, from, h, "grazing");
  pw_orbit_point *end = last(w->o);
  if (w->c->map->period > 0 && jumps_at_cut(end)) {
    end->public.kind = "cut";
  }
  return status;
}

pawl_status pw_branch_follow(pawl_orbit *o, pw_corrector *c, pawl_diags *diags) {
  walk w = {o, c, diags};
  int most = o->opts.most_points > 0 ? o->opts.most_points : 400;
  double h = PW_SCALE(BRANCH_FIRST);
  pawl_status status = PAWL_OK;
  while (status == PAWL_OK && o->n_point < most) {
    int from = o->n_point - 1;
    bool found = false;
    status = step_from(&w, from, h, &found);
    if (status != PAWL_OK) {
      break;
    }
    if (!found) {
      h /= 2;
      if (h < PW_SCALE(BRANCH_LEAST)) {
        return end_here(&w, from, 2 * h);
      }
      continue;
    }
    if (changes_between(&w, from) > 1 && h / 2 >= PW_SCALE(BRANCH_LEAST)) {
      drop_last(o); /* shorter steps tell them apart */
      h /= 2;
      continue;
    }
    bool outside = !is_inside(o, last(o)->public.value);
    if (outside) {
      status = end_at(&w, from);
    }
    if (status == PAWL_OK && o->n_point > from + 1) {
      status = look_between(&w, from, h);
    }
    if (outside) {
      break;
    }
    h = fmin(PW_SCALE(BRANCH_LONGER) * h, PW_SCALE(BRANCH_MOST));
  }
  return status;
}
