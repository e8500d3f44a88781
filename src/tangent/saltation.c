// SPDX-License-Identifier: MIT
/* Instants. What is watched, w(t, y, p), becomes zero at a time that moves with the column by
 *   dt = -(w_y dy + w_p dp) / (w_t + w_y f-),                              gradients (D2)
 * so that the state there moves by dy + f- dt, jumps as jump_tangent.c says, and goes back to the
 * old time with f+ (D3). w is the value of a law beside its kink, the distance of its force from a
 * bound at the kink, a switching function, or the function of an event of the model. */
#include <math.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_tangent.h"
#include "linalg/dense.h"
#include "system/view.h"
#include "tangent/tangent_part.h"

/* What is watched, with the index of law, surface or event function. */
typedef enum watched_kind { OF_LAW, OF_SURFACE, OF_EVENT } watched_kind;
typedef struct watched {
  watched_kind kind;
  int index;
  bool upper;
  double recent;
} watched;

/* ---- derivatives of what is watched, along x->direction at the state of the last vary_at ---- */

static double beside_kink(pw_tangent *x, int law) {
  const pw_system *s = x->sys;
  const double *jet = pw_mech_vary_tape(x->mech, &x->series, s->tape.contact, x->direction);
  bool alone = s->law[law].group < 0;
  double sum = 0;
  for (int k = law; k < law + s->law[law].width; k++) {
    double part = jet[2 * pw_view_law_at(s, k, PW_VIEW_VALUE) + 1];
    sum += alone ? part : x->mech->heading[k] * part;
  }
  return sum;
}

/* Value and derivative of the bound that the force of a law has at its kink. */
static void bound_of(pw_tangent *x, int law, bool upper, double out[2]) {
  const pw_system *s = x->sys;
  const double *jet = pw_mech_vary_tape(x->mech, &x->series, s->tape.clause, x->direction);
  const double *limit = jet + 2 * pw_view_limit_at(s, law);
  double sign = upper ? 1 : -1;
  if (limit[0] >= 0) {
    out[0] = sign * limit[0];
    out[1] = sign * limit[1];
    return;
  }
  jet = pw_mech_vary_tape(x->mech, &x->series, s->tape.graph, x->direction);
  const double *beside = jet + 2 * pw_view_graph_at(law, !upper);
  bool wall = s->law[law].wall;
  out[0] = wall ? 0 : -beside[0];
  out[1] = wall ? 0 : -beside[1];
}

/* The force of a law at its kink against the bound that it has reached. */
static double at_kink(pw_tangent *x, const watched *w) {
  const pw_system *s = x->sys;
  int row = s->nc + w->index, on = s->law[w->index].on;
  pw_mech_vary(x->mech, &x->series, x->direction, x->rate[1]);
  const double *force = x->mech->lambda, *change = x->series.lambda + s->nr;
  double normal[2] = {1, 0}, bound[2];
  if (on >= 0) {
    normal[0] = force[s->nc + on];
    normal[1] = change[s->nc + on];
  }
  bool plane = s->law[w->index].group >= 0;
  bound_of(x, w->index, w->upper || plane, bound);
  double of_bound = bound[1] * normal[0] + bound[0] * normal[1];
  if (!plane) {
    return change[row] - of_bound;
  }
  int n = s->law[w->index].width;
  return pw_along(force + row, change + row, n) / pw_length(force + row, n) - of_bound;
}

static double of_event(pw_tangent *x, int root) {
  const pw_system *s = x->sys;
  double *d = x->direction;
  pw_mech_vary(x->mech, &x->series, d, x->rate[1]);
  pw_copy(d + s->offset[PW_VAR_A], x->series.a + s->nv, s->nv);
  pw_mech_vary_forces(x->mech, x->series.lambda + s->nr, d + s->offset[PW_VAR_Q],
                      d + s->offset[PW_VAR_FORCE]);
  return pw_mech_vary_tape(x->mech, &x->series, s->tape.roots, d)[2 * root + 1];
}

static double of_surface(pw_tangent *x, int surface) {
  const pw_surface_origin *o = &x->sys->surface[surface];
  int at = o->table >= 0 ? o->place : surface;
  return pw_mech_vary_tape(x->mech, &x->series, x->sys->tape.sides, x->direction)[2 * at + 1];
}

static double derivative(pw_tangent *x, const watched *w) {
  switch (w->kind) {
  case OF_SURFACE: return of_surface(x, w->index);
  case OF_EVENT: return of_event(x, w->index);
  case OF_LAW: break;
  }
  return pw_mech_is_closed(x->mech, w->index) ? at_kink(x, w) : beside_kink(x, w->index);
}

/* ---- grazing ---- */

/* A gap that would fall below zero, were it not for the law, by no more than a part of what it was
 * since the last contact: w'^2 / 2 w''. Bounces that become lower and lower are none. */
static bool gap_grazes(pw_tangent *x, const watched *w, double slope) {
  const pw_system *s = x->sys;
  int law = w->index;
  const double *jet = pw_mech_vary_tape(x->mech, &x->series, s->tape.contact, x->direction);
  double bend = jet[2 * pw_view_law_at(s, law, PW_VIEW_ZETA)];
  for (int i = 0; i < s->nv; i++) {
    bend += jet[2 * pw_view_law_at(s, law, PW_VIEW_HEAD + i)] * x->mech->a[i];
  }
  return !(slope * slope > 2 * fabs(bend) * PW_SCALE(GRAZES) * w->recent);
}

/* A slip that ends with a rate far below what forces could give it. */
static bool slip_grazes(pw_tangent *x, int law, double slope) {
  const pw_system *s = x->sys;
  const double *jet = pw_mech_vary_tape(x->mech, &x->series, s->tape.contact, x->direction);
  double length = 0;
  for (int i = 0; i < s->nv; i++) {
    double J = jet[2 * pw_view_law_at(s, law, PW_VIEW_HEAD + i)];
    length += x->mech->mass[i] > 0 ? J * J / x->mech->mass[i] : 0;
  }
  double most = sqrt(length) * (x->mech->pull + x->mech->reaction);
  return !(fabs(slope) > PW_SCALE(SLIP_GRAZES) * most);
}

static bool grazes(pw_tangent *x, const watched *w, double slope) {
  bool beside = w->kind == OF_LAW && !pw_mech_is_closed(x->mech, w->index);
  return !beside                             ? !(fabs(slope) > 0)
         : x->sys->law[w->index].on_velocity ? slip_grazes(x, w->index, slope)
                                             : gap_grazes(x, w, slope);
}

/* dt of each column into `out`; false: it grazes. After pw_tangent_rate_at with x->rate[0]. */
static bool times_of(pw_tangent *x, const watched *w, double *out) {
  pw_tangent_direction(x, 1, x->rate[0], -1);
  double slope = derivative(x, w);
  if (grazes(x, w, slope)) {
    return false;
  }
  for (int k = 0; k < x->k; k++) {
    pw_tangent_direction(x, 0, x->end + (size_t)k * (size_t)x->n, k);
    out[k] = -derivative(x, w) / slope;
  }
  return true;
}

/* ---- several at one instant ---- */

static const char grazing[] = "grazing: what acts touches without crossing";
static const char apart[] = "several laws act at one instant, which come apart beside this motion";
static const char shared_out[] = "a force ends that is not unique";
static const char failed[] = "the equations cannot be evaluated beside the motion";

/* The one time of all of them, in x->delay. */
static const char *common_time(pw_tangent *x, const watched *w, int n) {
  double *own = x->time; /* free until the events are told */
  for (int i = 0; i < n; i++) {
    if (!times_of(x, &w[i], i == 0 ? x->delay : own)) {
      return grazing;
    }
    for (int k = 0; k < x->k && i > 0; k++) {
      double size = fabs(own[k]) + fabs(x->delay[k]);
      if (!(fabs(own[k] - x->delay[k]) <= PW_SCALE(SAME_MOVE) * size)) {
        return apart;
      }
    }
  }
  return NULL;
}

/* ---- surfaces ---- */

enum { MOST = 16 }; /* more at one instant come apart in any case */

static int flipped(const pw_tangent *x, const double *side, watched *w) {
  int n = 0;
  for (int i = 0; i < x->sys->n_switch && n < MOST; i++) {
    if (side[i] != x->side[i]) {
      w[n++] = (watched){.kind = OF_SURFACE, .index = i};
    }
  }
  return n;
}

void pw_saltation_of_surfaces(pw_tangent *x, double t, const double *y, const double *side) {
  watched w[MOST];
  int n = flipped(x, side, w);
  if (x->why != NULL) {
    return;
  }
  bool ok = pw_tangent_rate_at(x, t, y, x->side, x->rate[0]) == PAWL_OK;
  const char *why = ok ? common_time(x, w, n) : failed;
  if (why == NULL) {
    pw_trial_impose(x->sim, x->mech);
    why = pw_mech_rates_decide(x->mech, t, y, y + x->sys->nq, side) == PAWL_OK &&
                  pw_tangent_rate_at(x, t, y, side, x->rate[1]) == PAWL_OK
              ? NULL
              : failed;
  }
  if (why != NULL) {
    pw_tangent_break(x, t, why);
    return;
  }
  for (int k = 0; k < x->k; k++) {
    double *column = x->end + (size_t)k * (size_t)x->n;
    pw_axpy(x->delay[k], x->rate[0], column, x->n);
    pw_axpy(-x->delay[k], x->rate[1], column, x->n);
  }
}

/* ---- laws ---- */

/* Contacts that are met at the instant though another one has announced it: beside the motion each
 * of them has a time of its own. */
static int met_as_well(const pw_tangent *x, watched *w, int n) {
  for (int i = 0; i < pawl_sim_events(x->sim) && n < MOST; i++) {
    int law = pw_trial_struck(x->sim, i);
    bool known = law < 0 || pw_mech_is_closed(x->mech, law) || pw_mech_is_implied(x->mech, law);
    for (int k = 0; k < n; k++) {
      known = known || w[k].index == law;
    }
    if (!known) {
      w[n++] = (watched){.kind = OF_LAW, .index = law, .recent = pw_trial_recent(x->sim, law)};
    }
  }
  return n;
}

/* When the instant happens: a start is at a given time. */
static const char *time_of_instant(pw_tangent *x) {
  watched w[MOST];
  int n = 0;
  if (!x->started) {
    pw_zero(x->delay, x->k);
    return NULL;
  }
  for (int i = 0; i < x->step.n_fired && n < MOST; i++) {
    pw_fired f = x->step.fired[i];
    w[n++] = (watched){.kind = OF_LAW, .index = f.law, .upper = f.upper, .recent = f.recent};
  }
  n = n == 0 ? flipped(x, pw_trial_at(x->sim).side, w) : met_as_well(x, w, n);
  return n == 0 ? "an instant that no law announces" : common_time(x, w, n);
}

/* Among dependent rows the forces are shares that the program has chosen, and some rows follow from
 * others; when one of these forces ends is not a matter of its own value. */
static bool ends_by_choice(pw_tangent *x) {
  bool ends = false, shared = false;
  for (int i = 0; x->started && i < x->step.n_fired; i++) {
    ends = ends || pw_mech_is_closed(x->mech, x->step.fired[i].law);
  }
  if (ends) {
    pw_mech_find_dependent(x->mech);
  }
  for (int i = 0; ends && i < x->sys->ni; i++) {
    shared = shared || x->mech->dependent[x->sys->nc + i] || pw_mech_is_implied(x->mech, i);
  }
  return shared;
}

/* Nothing jumps, and the motion goes on with the same rate: columns do not depend on the time. */
static bool goes_on(const pw_tangent *x) {
  double far = 0, size = 0;
  for (int i = 0; i < x->n; i++) {
    far = fmax(far, fabs(x->rate[1][i] - x->rate[0][i]));
    size = fmax(size, fabs(x->rate[1][i]) + fabs(x->rate[0][i]));
  }
  return x->log.kept == 0 && far <= PW_SCALE(SAME_MOVE) * size;
}

/* f- into x->rate[0]. A slip in a plane that has ended has no direction: then from the start of the
 * last step, which is short, along f' = f_t + f_y f. */
static bool rate_before(pw_tangent *x, const pw_trial_point *p) {
  const pw_system *s = x->sys;
  if (!x->started || !x->step.fades) {
    return pw_tangent_rate_at(x, p->t, p->before, x->side, x->rate[0]) == PAWL_OK;
  }
  double h = p->t - x->step.from, *f = x->rate[0], *slope = x->rate[1];
  if (pw_tangent_rate_at(x, x->step.from, x->step.y, x->side, f) != PAWL_OK) {
    return false;
  }
  pw_mech_vary(x->mech, &x->series, pw_tangent_direction(x, 1, f, -1), slope);
  pw_copy(slope + s->nq, x->series.a + s->nv, s->nv);
  pw_axpy(h, slope, f, x->n);
  pw_mech_stand(x->mech, p->t, p->before, p->before + s->nq, x->side);
  return true;
}

static const char *through(pw_tangent *x, const pw_trial_point *p) {
  const pw_system *s = x->sys;
  if (!rate_before(x, p)) {
    return failed;
  }
  bool by_choice = ends_by_choice(x);
  const char *why = by_choice ? NULL : time_of_instant(x);
  if (why != NULL) {
    return why;
  }
  pw_zero(x->delay, by_choice ? x->k : 0);
  for (int k = 0; k < x->k; k++) {
    double *moved = x->moved + (size_t)k * (size_t)x->n;
    pw_copy(moved, x->end + (size_t)k * (size_t)x->n, x->n);
    pw_axpy(x->delay[k], x->rate[0], moved, x->n);
  }
  why = pw_jump_tangent(x, p->t, p->before, p->side, x->moved); /* pieces have changed first */
  if (why != NULL) {
    return why;
  }
  pw_trial_impose(x->sim, x->mech);
  pw_copy(x->side, p->side, s->n_switch);
  if (pw_mech_rates_decide(x->mech, p->t, p->y, p->y + s->nq, p->side) != PAWL_OK ||
      pw_tangent_rate_at(x, p->t, p->y, p->side, x->rate[1]) != PAWL_OK) {
    return failed;
  }
  x->untimed = by_choice ? shared_out : NULL;
  if (by_choice && !goes_on(x)) {
    return shared_out;
  }
  for (int k = 0; k < x->k; k++) {
    double *to = x->end + (size_t)k * (size_t)x->n;
    pw_copy(to, x->moved + (size_t)k * (size_t)x->n, x->n);
    pw_axpy(-x->delay[k], x->rate[1], to, x->n);
  }
  return pw_tangent_settle(x, p->t, p->y, x->end) == PAWL_OK ? NULL : failed;
}

void pw_saltation_of_laws(pw_tangent *x) {
  pw_trial_point p = pw_trial_at(x->sim);
  if (x->why != NULL) {
    return;
  }
  const char *why = through(x, &p);
  if (why != NULL) {
    pw_tangent_break(x, p.t, why);
    return;
  }
  for (int i = 0; i < pawl_sim_events(x->sim); i++) {
    for (int k = 0; k < x->k; k++) {
      x->time[(size_t)i * (size_t)x->k + (size_t)k] =
          x->untimed != NULL ? (double)NAN : x->delay[k];
    }
  }
}

/* ---- events of the model ---- */

static int root_of(const pw_system *s, int event) {
  for (int i = 0; i < s->root.n; i++) {
    if (s->root.of[i] == event) {
      return i;
    }
  }
  return -1;
}

void pw_saltation_of_events(pw_tangent *x) {
  const int *which;
  int n = pw_trial_events(x->sim, &which);
  double quad[PW_QUAD_NAMED], t = pw_trial_at(x->sim).t;
  if (x->why != NULL || pw_tangent_rate_at(x, t, x->y, x->side, x->rate[0]) != PAWL_OK) {
    return;
  }
  pw_trial_quad(x->sim, quad);
  for (int i = 0; i < n; i++) {
    double *to = x->time + (size_t)i * (size_t)x->k;
    int root = root_of(x->sys, which[i]);
    pw_mech_show_results(x->mech, quad);
    watched w = {.kind = OF_EVENT, .index = root};
    if (root < 0) { /* every so often */
      pw_zero(to, x->k);
    } else {
      pw_tangent_direction(x, 1, x->rate[0], -1);
      double slope = derivative(x, &w);
      for (int k = 0; k < x->k; k++) {
        pw_tangent_direction(x, 0, x->column + (size_t)k * (size_t)x->n, k);
        to[k] = slope != 0 ? -derivative(x, &w) / slope : (double)NAN;
      }
    }
  }
}
