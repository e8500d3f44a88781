// SPDX-License-Identifier: MIT
/* Friction, springs and graphs in a step, stepping (T2)-(T4): -P is in h times the graph of the
 * rate at the end of the step. A slip that goes on through the whole step has its force, and its
 * direction, from the midpoint, which keeps the second order. */
#include <math.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_sim.h"
#include "linalg/dense.h"
#include "sim/moreau.h"
#include "system/view.h"

static pw_stepper *stepper_of(const pw_moreau *x) {
  return x->contacts->watch.s;
}

static const pw_system *system_of(const pw_moreau *x) {
  return stepper_of(x)->mech->sys;
}

static bool at_kink(unsigned char mode) {
  return mode == PW_CLOSED || mode == PW_RESTING;
}

/* Rounding of a rate. A row that no load moves itself, as a wall beside a heap or a spin about the
 * vertical, feels the forces of all bodies. */
static double blur_of(const pw_frame *f, double h, int row) {
  double speed = PW_SCALE(STILL) * pw_norm2(f->c_velocity, f->n),
         load = PW_SCALE(MOREAU_SLOW) * h * pw_norm2(f->c_force, f->n);
  return f->length[row] * (speed + load);
}

/* Of the coordinates that the row moves: other bodies count by rounding alone. */
double pw_moreau_rest_speed(const pw_frame *f, double h, int row) {
  const double *a = f->A + (size_t)row * (size_t)f->n;
  double force = 0;
  for (int k = 0; k < f->n; k++) {
    force += a[k] != 0 ? f->c_force[k] * f->c_force[k] : 0;
  }
  double pull = fabs(f->zeta[row]) + 2 * f->length[row] * sqrt(force);
  return h * pull + blur_of(f, h, row);
}

/* ---- the start of a step ---- */

static double slip_size(const pw_moreau *x, const double *rate, int law) {
  const pw_system *sys = system_of(x);
  int first = sys->law[law].group;
  return pw_length(rate + sys->nc + (first < 0 ? law : first), sys->law[law].width);
}

void pw_moreau_begin_laws(pw_moreau *x, const pw_rk *rk) {
  const pw_system *sys = system_of(x);
  x->manner = PW_STEP_AS_STATED;
  for (int i = 0; i < sys->ni; i++) {
    int row = sys->nc + i;
    double slow = pw_moreau_rest_speed(&x->end, rk->h, row);
    x->graph.hits[i] = pw_is_contact(&sys->law[i]) && x->rate0[row] < -slow;
    x->graph.released[i] = 0;
    x->graph.slides[i] = pw_law_is_slip(&sys->law[i]) && slip_size(x, x->rate0, i) > slow;
  }
  for (int i = 0; i < sys->ni; i++) {
    int on = sys->law[i].contact;
    x->graph.slides[i] = x->graph.slides[i] && !(on >= 0 && x->graph.hits[on]);
  }
}

/* ---- graphs ---- */

void pw_moreau_bound_laws(pw_moreau *x, const pw_rk *rk) {
  pw_stepper *s = stepper_of(x);
  const pw_system *sys = system_of(x);
  double t = rk->t;
  (void)pw_mech_take_loads(s->mech, x->P, 1 / rk->h);
  pw_mech_graphs(s->mech, t + rk->h / 2, x->q_mid, x->v, s->side, x->graph.middle, NULL);
  pw_mech_graphs(s->mech, t + rk->h, x->q1, x->u1, s->side, x->graph.bounds, x->graph.limit);
  for (int i = 0; i < sys->ni; i++) {
    if (x->graph.slides[i] || !sys->law[i].on_velocity) {
      memcpy(x->graph.bounds + 2 * i, x->graph.middle + 2 * i, 2 * sizeof *x->graph.bounds);
    }
  }
}

static bool sticks(const pw_moreau *x, int law) {
  return at_kink(x->contacts->mode[law]) && !x->graph.released[law];
}

static pw_law_row law_row(const pw_moreau *x, int law) {
  pw_law_row row = pw_law_row_of_forces(
      &system_of(x)->law[law], x->graph.bounds + pw_view_graph_at(law, false), x->graph.limit[law]);
  pw_law_keep_larger_limit(&row);
  return row;
}

/* Of a slip that has begun the midpoint tells the side, of others their end. */
static pw_law_set near_set(const pw_moreau *x, int law) {
  const pw_system *sys = system_of(x);
  int row = sys->nc + law;
  bool middle = x->graph.slides[law] || !sys->law[law].on_velocity;
  pw_law_row r = law_row(x, law);
  return pw_law_set_near(&r, (pw_law_hold){.sticks = sticks(x, law)},
                         (middle ? x->mid.value : x->end.value)[row]);
}

/* ---- rows of the local problem ---- */

/* Beside a kink without a jump the force is a function of the midpoint. */
static void take_bend(pw_moreau *x, const pw_rk *rk, int law, double free) {
  int row = system_of(x)->nc + law;
  pw_law_row r = law_row(x, law);
  double force = rk->h * pw_law_force_beside(&r, x->mid.value[row] < 0 ? -1 : 1);
  pw_local_take(&x->local, row, free, force * x->mid.length[row], force * x->mid.length[row]);
}

/* stepping (T4): a stretch is brought to its kink, where the force may hold it, by
 * (rate1 + s1/h) 2/3, whose derivative by u1 is that of the rate. */
static double drive_of(const pw_moreau *x, const pw_rk *rk, int law, double free) {
  const pw_system *sys = system_of(x);
  int row = sys->nc + law;
  double percussions = x->end.rate[row] - free;
  double stretch = 2.0 / 3 * (x->end.rate[row] + x->end.value[row] / rk->h);
  return sys->law[law].on_velocity ? free : stretch - percussions;
}

void pw_moreau_take_graph(pw_moreau *x, const pw_rk *rk, int law, double free) {
  int row = system_of(x)->nc + law;
  if (system_of(x)->law[law].bend) {
    take_bend(x, rk, law, free);
    return;
  }
  pw_law_set set = near_set(x, law);
  double unit = rk->h * x->mid.length[row];
  pw_local_take(&x->local, row, drive_of(x, rk, law, free), unit * set.lo, unit * set.hi);
}

/* Impacts may turn a slip round, theory (58). */
static double slip_shift(const pw_moreau *x, int law) {
  const pw_system *sys = system_of(x);
  int on = sys->law[law].contact;
  double e =
      on >= 0 && x->graph.hits[on] && x->manner != PW_STEP_PLASTIC ? x->contacts->now.e[law] : 0;
  double part = x->graph.slides[law] && sys->law[law].group >= 0 ? 1 : e;
  return part * x->rate0[sys->nc + law];
}

void pw_moreau_take_coulomb(pw_moreau *x, int law, double free) {
  const pw_system *sys = system_of(x);
  int row = sys->nc + law;
  pw_law_row r = law_row(x, law);
  double slip = x->graph.slides[law] ? x->mid.rate[row] : x->end.rate[row];
  double mu = fmax(pw_law_bound(&r, sticks(x, law), slip), 0);
  pw_local_stick(&x->local, row, free + slip_shift(x, law), sys->nc + sys->law[law].on, mu);
}

void pw_moreau_take_disk(pw_moreau *x, const pw_rk *rk, int law, const double *free) {
  const pw_system *sys = system_of(x);
  pw_law_row r = law_row(x, law);
  int on = sys->law[law].on;
  double unit = on >= 0 ? 1 : rk->h;
  pw_disk *disk = &x->graph.disk[x->graph.n_disk++];
  *disk = (pw_disk){.row = sys->nc + law,
                    .width = sys->law[law].width,
                    .normal = on >= 0 ? sys->nc + on : -1,
                    .radius = unit * fmax(pw_law_radius(&r, false), 0),
                    .hold = unit * fmax(pw_law_radius(&r, sticks(x, law)), 0)};
  for (int k = 0; k < disk->width; k++) {
    disk->drive[k] = free[k] + slip_shift(x, law + k);
  }
}

/* ---- the end of a step ---- */

/* Largest speed that a slip with a given bound takes away in a step: percussions are solved up to a
 * part of it, whatever loads there are. */
static double stopped_speed(const pw_moreau *x, const pw_rk *rk, int law) {
  const pw_law_form *form = &system_of(x)->law[law];
  double length = x->mid.length[system_of(x)->nc + law];
  if (!pw_law_is_slip(form) || form->on >= 0) {
    return 0;
  }
  pw_law_row row = law_row(x, law);
  pw_law_set set = pw_law_set_at_kink(&row, (pw_law_hold){.sticks = true});
  set = pw_law_set_extent(&set, 0);
  return rk->h * length * length * fmax(fmax(-set.lo, set.hi), 0);
}

static double unmoved(const pw_moreau *x, const pw_rk *rk, int law) {
  int row = system_of(x)->nc + law;
  double speed = pw_moreau_rest_speed(&x->mid, rk->h, row) + stopped_speed(x, rk, law);
  return PW_SCALE(MOREAU_SLOW) * speed + blur_of(&x->mid, rk->h, row);
}

/* A slip keeps more than half of itself in the step. */
static bool goes_on(const pw_moreau *x, int law) {
  const pw_system *sys = system_of(x);
  int first = sys->law[law].group < 0 ? law : sys->law[law].group;
  int n = sys->law[law].width;
  const double *before = x->rate0 + sys->nc + first, *after = x->end.rate + sys->nc + first;
  return pw_dot(before, after, n) > pw_dot(before, before, n) / 2;
}

bool pw_moreau_release(pw_moreau *x, const pw_rk *rk) {
  const pw_system *sys = system_of(x);
  bool any = false;
  for (int i = 0; i < sys->ni; i++) {
    bool larger = pw_law_is_slip(&sys->law[i]) && sticks(x, i) && law_row(x, i).limit >= 0;
    if (larger && slip_size(x, x->end.rate, i) > unmoved(x, rk, i)) {
      x->graph.released[i] = 1;
      any = true;
    }
    if (x->graph.slides[i] && !goes_on(x, i)) {
      x->graph.slides[i] = 0;
      any = true;
    }
  }
  return any;
}

static unsigned char mode_of(const pw_moreau *x, const pw_rk *rk, int law) {
  const pw_system *sys = system_of(x);
  const pw_law_form *form = &sys->law[law];
  int row = sys->nc + law;
  double tiny = unmoved(x, rk, law);
  if (form->on_velocity) {
    bool rests = slip_size(x, x->rate1, law) <= tiny;
    bool below = form->group < 0 && x->rate1[row] < 0;
    return rests ? PW_CLOSED : below ? PW_BELOW : PW_OPEN;
  }
  double s = x->end.value[row];
  bool rests = fabs(x->rate1[row]) <= tiny && fabs(s) <= tiny * rk->h;
  return rests && !form->bend ? PW_CLOSED : s < 0 ? PW_BELOW : PW_OPEN;
}

void pw_moreau_judge_laws(pw_moreau *x, const pw_rk *rk) {
  const pw_system *sys = system_of(x);
  for (int i = 0; i < sys->ni; i++) {
    if (pw_moreau_is_graph(&sys->law[i])) {
      int on = sys->law[i].on;
      x->closes[i] = mode_of(x, rk, i);
      x->struck[i] = on >= 0 && x->struck[on];
    }
  }
}
